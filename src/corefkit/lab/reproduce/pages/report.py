"""The report on recomputed papers, part by part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.lab.papers.values import NOT_PRINTED, UNDEFINED
from corefkit.lab.reproduce.outcomes import Kind, Outcome
from corefkit.lab.reproduce.pages.counting import counted
from corefkit.lab.reproduce.pages.parts import (
    Cell,
    Grid,
    Heading,
    Item,
    Items,
    Picture,
    Text,
)
from corefkit.lab.reproduce.scores import metric_label

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.lab.papers.values import CorpusTable, Row, Table
    from corefkit.lab.reproduce import RecomputedFigure, Reproduction
    from corefkit.lab.reproduce.claims import Finding
    from corefkit.lab.reproduce.errata import CheckedErratum
    from corefkit.lab.reproduce.outcomes import Number
    from corefkit.lab.reproduce.pages.parts import Part

FIELDS = {
    "recall": "Recall",
    "precision": "Precision",
    "f1": "F1",
    "recall_numerator": "R num.",
    "recall_denominator": "R den.",
    "precision_numerator": "P num.",
    "precision_denominator": "P den.",
}
_SHORT_FIELDS = {"recall": "R", "precision": "P", "f1": "F1"}
DASH = "\N{EN DASH}"
HOLDS = "holds"
NOISE = "noise"  # neither right nor wrong

TITLE = "Papers on coreference metrics, recomputed"
LEGEND = (
    "Each printed number stands before the computed one. It is that one rounded, "
    "unless it has a mark: t, decimals were cut off instead, as the reference scorer "
    "does; r, F1 was made of recall and precision that were rounded before; E or a "
    "stroke through, an erratum, told at the end under its id. A number that is not "
    "printed is a dash. Numbers that rest on corpora are compared with other printed "
    "ones alone, and so are claims on them, marked `as printed`. What is marked "
    "`fitted` rests on sets, counts or bounds that were chosen so that it comes out."
)
_MARKS = {Kind.RECOMPUTED: "", Kind.FITTED: "; fitted", Kind.PRINTED: "; as printed"}


def parts_of(reproduction: Reproduction, *, whole: bool) -> Iterator[Part]:
    """Go through the parts of the report on a paper.

    Args:
        reproduction: the paper.
        whole: with the tables that rest on corpora, and not only with what was found
            in them.
    """
    paper = reproduction.paper
    yield Heading(2, f"{paper.cited}: {paper.title}", paper.name)
    yield Text(f"{paper.authors}; {paper.venue}. Not recomputed: {paper.not_here}")
    for table in paper.tables:
        yield from _table_parts(reproduction, table)
    for curves in reproduction.figures:
        yield from _figure_parts(reproduction, curves)
    if whole:
        for corpus_table in paper.corpus_tables:
            yield from _corpus_parts(reproduction, corpus_table)
    elif any(reproduction.numbers[table.id] for table in paper.corpus_tables):
        yield Heading(3, "Tables that rest on corpora", f"{paper.name}-corpora")
        yield Items(tuple(_corpus_items(reproduction)))
    if reproduction.findings:
        yield Heading(3, "What the paper says", f"{paper.name}-claims")
        yield Items(tuple(map(_claim_item, reproduction.findings)))


def errata_parts(reproductions: Sequence[Reproduction]) -> Iterator[Part]:
    """Go through the errata of some papers."""
    yield Heading(2, "Errata", "errata")
    for one in reproductions:
        yield Heading(3, one.paper.cited, f"{one.paper.name}-errata")
        yield Items(tuple(map(_erratum_item, one.errata)))


def _table_parts(reproduction: Reproduction, table: Table) -> Iterator[Part]:
    yield Heading(
        3, f"{table.where}: {table.title}", f"{reproduction.paper.name}-{table.id}"
    )
    keys = {row.sets.key_text for row in table.rows}
    metrics = {metric for row in table.rows for metric in row.printed}
    notes = [f"key {key}" for key in keys if len(keys) == 1]
    notes += [metric_label(metric) for metric in metrics if len(metrics) == 1]
    notes += ["in percent"] if table.percent else []
    if notes:
        yield Text("; ".join(notes))
    yield _table_grid(
        table, reproduction.numbers[table.id], keys, has_metrics=len(metrics) > 1
    )


def _table_grid(
    table: Table, numbers: Sequence[Number], keys: set[str], *, has_metrics: bool
) -> Grid:
    """Set a line for each response and metric, printed beside computed."""
    left = iter(numbers)
    heads = [name for field in table.fields for name in (FIELDS[field], "computed")]
    rows = []
    for row in table.rows:
        for number, metric in enumerate(row.printed):
            words = [Cell(_row_text(row, keys) if number == 0 else "")]
            if has_metrics:
                words.append(Cell(metric_label(metric)))
            pairs = [_number_cells(next(left), table.decimals) for _ in table.fields]
            rows.append((*words, *(cell for pair in pairs for cell in pair)))
    words_head = ("Response", "Metric") if has_metrics else ("Response",)
    return Grid((*words_head, *heads), tuple(rows), words=len(words_head))


def _row_text(row: Row, keys: set[str]) -> str:
    label = f"{row.label} (fitted)" if row.fits else row.label
    if len(keys) > 1:
        return f"{label}, key {row.sets.key_text}"
    return f"{label}: {row.sets.response_text}"


def _number_cells(number: Number, decimals: int) -> tuple[Cell, Cell]:
    if number.printed == UNDEFINED:
        undefined = number.outcome is Outcome.EXACT
        computed = DASH if undefined else f"{number.computed:.{decimals}f}"
        return Cell(DASH, number.outcome), Cell(computed)
    places = decimals + 1 if decimals else 0
    return (
        Cell(number.printed or NOT_PRINTED, number.outcome, number.erratum),
        Cell(f"{number.computed:.{places}f}"),
    )


def _figure_parts(
    reproduction: Reproduction, curves: RecomputedFigure
) -> Iterator[Part]:
    figure, shown = curves.figure, curves.paper_figure
    yield Heading(
        3, f"{shown.where}: {shown.title}", f"{reproduction.paper.name}-{shown.id}"
    )
    yield Text(
        "F1 in percent; beside it, how many of the key's mentions and links the "
        f"response has. Sets from {shown.source}."
    )
    yield Picture(curves)
    columns = {**figure.panels[0].curves, **curves.beside}
    yield Grid(
        ("Response", *map(_curve_label, columns)),
        tuple(
            (Cell(tick), *(Cell(f"{100 * value:.2f}") for value in values))
            for tick, *values in zip(figure.ticks, *columns.values(), strict=True)
        ),
    )


def _curve_label(name: str) -> str:
    label = name.removesuffix("_recall")
    return label if label != name else metric_label(name).partition(" (")[0]


def _corpus_items(reproduction: Reproduction) -> Iterator[Item]:
    for table in reproduction.paper.corpus_tables:
        numbers = reproduction.numbers[table.id]
        if not numbers:
            continue
        others = [one for one in numbers if one.outcome is not Outcome.FITS]
        yield Item(
            f"{len(numbers) - len(others)} of {len(numbers)} fit",
            f"{table.where}: {table.title}{_fitted(table)}",
            tuple(
                f"{row}, {column_label(column)}: {number.printed} printed, "
                f"{number.computed:g} by the others ({number.erratum or 'differs'})"
                for number in others
                for _, row, column in [number.place]
            ),
        )


def _corpus_parts(reproduction: Reproduction, table: CorpusTable) -> Iterator[Part]:
    yield Heading(
        3, f"{table.where}: {table.title}", f"{reproduction.paper.name}-{table.id}"
    )
    numbers = {number.place[1:]: number for number in reproduction.numbers[table.id]}
    fit = sum(number.outcome is Outcome.FITS for number in numbers.values())
    if numbers:
        yield Text(
            f"As printed; {fit} of {len(numbers)} that follow from others fit"
            f"{_fitted(table)}"
        )
    else:
        yield Text("As printed")
    yield Grid(
        ("", *map(column_label, table.columns)),
        tuple(
            (
                Cell(row),
                *(
                    _corpus_cell(text, numbers.get((row, column)), table.decimals)
                    for column, text in cells.items()
                ),
            )
            for row, cells in table.rows.items()
        ),
    )


def _fitted(table: CorpusTable) -> str:
    labels = [
        column_label(column) for column in table.columns if column in table.fitted
    ]
    return f" ({', '.join(labels)}: fitted)" if labels else ""


def _corpus_cell(text: str, number: Number | None, decimals: int) -> Cell:
    if number is None or number.outcome is Outcome.FITS:
        return Cell(text)
    # Ranks and counts have no decimals, printed or computed.
    places = decimals if "." in text else 0
    return Cell(text, number.outcome, number.erratum, f"{number.computed:.{places}f}")


def column_label(column: str) -> str:
    """Say how tables call a column.

    >>> column_label("ceaf_e.recall"), column_label("muc.rank"), column_label("conll")
    ('CEAFe R', 'MUC rank', 'CoNLL')
    """
    metric, _, field = column.partition(".")
    label = metric_label(metric).partition(" (")[0].replace("_", " ")
    return f"{label} {_SHORT_FIELDS.get(field, field)}".rstrip()


def _claim_item(finding: Finding) -> Item:
    claim = finding.claim
    words = {True: HOLDS, False: "not so"}
    return Item(
        words[finding.holds] if finding.expected else "differs",
        f"{claim.says} ({claim.where}{_MARKS[finding.kind]})",
        finding.against,
        errata=(claim.erratum,) if claim.erratum else (),
    )


def _erratum_item(found: CheckedErratum) -> Item:
    erratum = found.erratum
    return Item(
        erratum.id,
        f"{erratum.where} ({erratum.kind})",
        (
            f"printed: {erratum.printed}",
            f"correct: {erratum.correct}",
            erratum.reason,
            _shown_by(found),
        ),
        anchor=erratum.id.lower(),
    )


def _shown_by(found: CheckedErratum) -> str:
    """Say what shows an erratum, or why nothing does."""
    if not found.checked:
        return f"not checked: {found.erratum.unchecked}"
    counts = {
        "numbers": found.numbers,
        "claims": found.claims,
        "scores": found.scores,
    }
    shown = [counted(count, what) for what, count in counts.items() if count]
    return f"checked: {', '.join(shown)}"
