"""The report on recomputed papers, part by part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.lab.reproduce.outcomes import Kind, Outcome, counted, metric_label
from corefkit.papers import NOT_PRINTED, UNDEFINED
from corefkit.tables.model import (
    Beside,
    Bullet,
    Bullets,
    Cell,
    Emphasis,
    Figure,
    Heading,
    Paragraph,
    Table,
    make_columns,
    make_rows,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from corefkit.lab.reproduce import CheckedErratum, RecomputedFigure, Reproduction
    from corefkit.lab.reproduce.claims import Finding
    from corefkit.lab.reproduce.outcomes import Number
    from corefkit.papers import CorpusTable, PaperFigure, PaperTable, Row
    from corefkit.tables.model import Part

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


def parts_of(
    reproduction: Reproduction,
    *,
    is_whole: bool,
    drawings: Mapping[str, Path] | None = None,
) -> Iterator[Part]:
    """Go through the parts of the report on a paper.

    The whole report has the tables that rest on corpora, not only what was found there.
    """
    paper = reproduction.paper
    yield Heading(2, f"{paper.cited}: {paper.title}", paper.name, paper.cited)
    yield Paragraph(f"{paper.authors}; {paper.venue}. Not recomputed: {paper.not_here}")
    for table in paper.tables:
        yield from _table_parts(reproduction, table)
    for curves in reproduction.figures:
        yield from _figure_parts(reproduction, curves, drawings or {})
    if is_whole:
        for corpus_table in paper.corpus_tables:
            yield from _corpus_parts(reproduction, corpus_table)
    elif any(reproduction.numbers[table.id] for table in paper.corpus_tables):
        yield Heading(3, "Tables that rest on corpora", f"{paper.name}-corpora")
        yield Bullets(tuple(_corpus_items(reproduction)))
    if reproduction.findings:
        yield Heading(3, "What the paper says", f"{paper.name}-claims")
        yield Bullets(tuple(map(_claim_item, reproduction.findings)))


def errata_parts(reproductions: Sequence[Reproduction]) -> Iterator[Part]:
    """Go through the errata of some papers."""
    yield Heading(2, "Errata", "errata")
    for reproduction in reproductions:
        paper = reproduction.paper
        yield Heading(3, paper.cited, f"{paper.name}-errata")
        yield Bullets(tuple(map(_erratum_item, reproduction.errata)))


def _heading(
    reproduction: Reproduction, printed: PaperTable | PaperFigure | CorpusTable
) -> Heading:
    text = f"{printed.where}: {printed.title}"
    return Heading(3, text, f"{reproduction.paper.name}-{printed.id}")


def _table_parts(reproduction: Reproduction, table: PaperTable) -> Iterator[Part]:
    yield _heading(reproduction, table)
    keys = {row.sets.key_text for row in table.rows}
    metrics = {metric for row in table.rows for metric in row.printed}
    notes = [f"key {key}" for key in keys if len(keys) == 1]
    notes += [metric_label(metric) for metric in metrics if len(metrics) == 1]
    notes += ["in percent"] if table.percent else []
    if notes:
        yield Paragraph("; ".join(notes))
    yield _table_grid(
        table, reproduction.numbers[table.id], keys, has_metrics=len(metrics) > 1
    )


def _table_grid(
    table: PaperTable, numbers: Sequence[Number], keys: set[str], *, has_metrics: bool
) -> Table:
    """Set a line for each response and metric, printed beside computed."""
    left = iter(numbers)
    fields = [name for field in table.fields for name in (FIELDS[field], "computed")]
    rows = []
    for row in table.rows:
        for number, metric in enumerate(row.printed):
            names = [Cell(_row_text(row, keys) if number == 0 else "")]
            if has_metrics:
                names.append(Cell(metric_label(metric)))
            pairs = [_number_cells(next(left), table.decimals) for _ in table.fields]
            rows.append((*names, *(cell for pair in pairs for cell in pair)))
    words = ["Response", "Metric"] if has_metrics else ["Response"]
    heads = make_columns([*words, *fields], words=len(words))
    return Table(heads, tuple(rows), first="sentences")


def _row_text(row: Row, keys: set[str]) -> str:
    label = f"{row.label} (fitted)" if row.fits else row.label
    if len(keys) > 1:
        return f"{label}, key {row.sets.key_text}"
    return f"{label}: {row.sets.response_text}"


def _number_cells(number: Number, decimals: int) -> tuple[Cell, Cell]:
    if number.printed == UNDEFINED:
        undefined = number.outcome is Outcome.EXACT
        computed = DASH if undefined else f"{number.computed:.{decimals}f}"
        return _printed_cell(DASH, number), Cell(computed)
    places = decimals + 1 if decimals else 0
    return (
        _printed_cell(number.printed or NOT_PRINTED, number),
        Cell(f"{number.computed:.{places}f}"),
    )


def _printed_cell(text: str, number: Number, correction: str = "") -> Cell:
    """Make a cell of a printed number and what became of it."""
    outcome = number.outcome
    if outcome is None:
        return Cell(text)
    mark, kind = outcome.mark, outcome.name.lower()
    if number.erratum:
        return Cell(text, mark, "", Emphasis.STRUCK, kind, correction, number.erratum)
    if outcome is Outcome.DIFFERS:
        return Cell(text, mark, "differs", Emphasis.WRONG, kind, correction)
    return Cell(text, mark, outcome.words, kind=kind)


def _figure_parts(
    reproduction: Reproduction, curves: RecomputedFigure, drawings: Mapping[str, Path]
) -> Iterator[Part]:
    figure, printed = curves.figure, curves.paper_figure
    yield _heading(reproduction, printed)
    yield Paragraph(
        "F1 in percent; beside it, how many of the key's mentions and links the "
        f"response has. Sets from {printed.source}."
    )
    about = "The table beside it has the numbers."
    drawing = Figure(figure.title, drawings.get(figure.name), about)
    scores = {**figure.panels[0].curves, **curves.beside}
    rows = [
        (tick, *(f"{100 * value:.2f}" for value in values))
        for tick, *values in zip(figure.ticks, *scores.values(), strict=True)
    ]
    heads = make_columns(["Response", *map(_curve_label, scores)])
    yield Beside((drawing, Table(heads, make_rows(rows), first="sentences")))


def _curve_label(name: str) -> str:
    is_beside = name.endswith("_recall")
    return name.removesuffix("_recall") if is_beside else column_label(name)


def _corpus_items(reproduction: Reproduction) -> Iterator[Bullet]:
    for table in reproduction.paper.corpus_tables:
        numbers = reproduction.numbers[table.id]
        if not numbers:
            continue
        others = [number for number in numbers if number.outcome is not Outcome.FITS]
        yield Bullet(
            f"{table.where}: {table.title}{_fitted(table)}",
            f"{len(numbers) - len(others)} of {len(numbers)} fit",
            tuple(
                f"{row}, {column_label(column)}: {number.printed} printed, "
                f"{number.computed:g} by the others ({number.erratum or 'differs'})"
                for number in others
                for _, row, column in [number.place]
            ),
        )


def _corpus_parts(reproduction: Reproduction, table: CorpusTable) -> Iterator[Part]:
    yield _heading(reproduction, table)
    numbers = {number.place[1:]: number for number in reproduction.numbers[table.id]}
    fit = sum(number.outcome is Outcome.FITS for number in numbers.values())
    counts = f"; {fit} of {len(numbers)} that follow from others fit{_fitted(table)}"
    yield Paragraph(f"As printed{counts if numbers else ''}")
    rows = []
    for row, texts in table.rows.items():
        of_row = [
            _corpus_cell(text, numbers.get((row, column)), table.decimals)
            for column, text in texts.items()
        ]
        rows.append((Cell(row), *of_row))
    heads = make_columns(["", *map(column_label, table.columns)])
    yield Table(heads, tuple(rows), first="sentences")


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
    return _printed_cell(text, number, f"{number.computed:.{places}f}")


def column_label(column: str) -> str:
    """Say how tables call a column.

    >>> column_label("ceaf_e.recall"), column_label("muc.rank"), column_label("conll")
    ('CEAFe R', 'MUC rank', 'CoNLL')
    """
    metric, _, field = column.partition(".")
    label = metric_label(metric).partition(" (")[0].replace("_", " ")
    return f"{label} {_SHORT_FIELDS.get(field, field)}".rstrip()


def _claim_item(finding: Finding) -> Bullet:
    claim = finding.claim
    word = "holds" if finding.holds else "not so"
    return Bullet(
        f"{claim.says} ({claim.where}{_MARKS[finding.kind]})",
        word if finding.expected else "differs",
        finding.against,
        kind="right" if finding.expected and finding.holds else "wrong",
        see=(claim.erratum,) if claim.erratum else (),
    )


def _erratum_item(checked: CheckedErratum) -> Bullet:
    erratum = checked.erratum
    return Bullet(
        f"{erratum.where} ({erratum.kind})",
        erratum.id,
        (
            f"printed: {erratum.printed}",
            f"correct: {erratum.correct}",
            erratum.reason,
            _evidence(checked),
        ),
        kind="wrong",
        anchor=erratum.id.lower(),
    )


def _evidence(checked: CheckedErratum) -> str:
    """Say what shows an erratum, or why nothing does."""
    if not checked.checked:
        return f"not checked: {checked.erratum.unchecked}"
    names = ("numbers", "claims", "scores")
    counts = {name: getattr(checked, name) for name in names}
    checks = [counted(count, name) for name, count in counts.items() if count]
    return f"checked: {', '.join(checks)}"
