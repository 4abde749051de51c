"""The report on recomputed papers: for terminals, as a page, and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corefkit.lab.outcomes import Kind, Outcome, format_count, get_metric_label
from corefkit.lab.reproduction import count_outcomes
from corefkit.papers import NOT_PRINTED, UNDEFINED, list_experiments
from corefkit.results.records import format_json
from corefkit.settings import VERSION
from corefkit.tables.model import (
    Bars,
    Beside,
    Bullet,
    Bullets,
    Cell,
    Drawing,
    Emphasis,
    Heading,
    Page,
    Paragraph,
    Share,
    Table,
    make_columns,
    make_rows,
)
from corefkit.tables.terminal import get_reading_width, render_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from corefkit.lab.claims import CheckedClaim
    from corefkit.lab.outcomes import PrintedNumber
    from corefkit.lab.reproduction import CheckedErratum, RecomputedFigure, Reproduction
    from corefkit.papers import (
        CorpusTable,
        Experiment,
        Paper,
        PaperFigure,
        PaperTable,
        TableRow,
    )
    from corefkit.tables.model import Part


def render_reproductions(reproductions: Sequence[Reproduction]) -> str:
    """Render the papers for a terminal: counts first, errata last."""
    parts: list[Part] = [summarize(reproductions), Paragraph(LEGEND)]
    for reproduction in reproductions:
        parts += iter_paper_parts(reproduction, {})
    parts += iter_errata_parts(reproductions)
    return render_terminal(parts, width=get_reading_width())


def make_reproduction_page(
    reproductions: Sequence[Reproduction], *, drawings: Mapping[str, Path]
) -> Page:
    """Make a page of the papers, with the drawing of each figure, by its name."""
    parts: list[Part] = [make_overview(reproductions), make_bars(reproductions)]
    for reproduction in reproductions:
        parts += iter_paper_parts(reproduction, drawings)
    return Page(
        TITLE,
        (summarize(reproductions), Paragraph(LEGEND)),
        (*parts, *iter_errata_parts(reproductions)),
        "corefkit lab reproduce",
    )


def render_experiments(papers: Sequence[Paper]) -> str:
    """Render the tables, figures and experiments of papers, with their commands."""
    parts: list[Part] = []
    for paper in papers:
        parts.append(Heading(2, f"{paper.cited}: {paper.title}", paper.name))
        commands: dict[str, list[Experiment]] = {}
        for row in list_experiments(paper):
            commands.setdefault(f"{row.state}: {row.command}", []).append(row)
        items = []
        for rows in commands.values():
            lines = [f"{row.where}: {row.title}" for row in rows]
            lines += dict.fromkeys(row.note for row in rows if row.note)
            text = rows[0].command or "no command"
            items.append(Bullet(text, rows[0].state, tuple(lines)))
        parts.append(Bullets(tuple(items)))
    return render_terminal(parts, width=get_reading_width())


def summarize(reproductions: Sequence[Reproduction]) -> Bullets:
    """Count errata, claims and numbers by the kind of their check, a line each."""
    errata = [erratum for paper in reproductions for erratum in paper.errata]
    checked = sum(erratum.checked for erratum in errata)
    lines = [
        f"{format_count(len(errata), 'errata')}: {checked} checked, "
        f"{len(errata) - checked} that nothing can show"
    ]
    for kind in Kind:
        counts = count_claims(reproductions, kind)
        lines += _format_line(f"claims {kind.value}", counts)
    for kind in Kind:
        outcomes = count_outcomes(reproductions, kind)
        lines += _format_line(
            f"numbers {kind.value}",
            {outcome.words: outcomes[outcome] for outcome in _list_outcomes(kind)},
        )
    return Bullets(tuple(map(Bullet, lines)))


def _list_outcomes(kind: Kind) -> list[Outcome]:
    """List the outcomes that numbers of a kind can have."""
    scored = {Outcome.EXACT, Outcome.TRUNCATED, Outcome.F1_OF_ROUNDED}
    none = {
        Kind.RECOMPUTED: {Outcome.FITS},
        Kind.FITTED: {Outcome.ERRATUM},
        Kind.PRINTED: scored,
    }
    return [outcome for outcome in Outcome if outcome not in none[kind]]


def _format_line(title: str, counts: Mapping[str, int]) -> list[str]:
    """Format counts after their sum; an empty list if the sum is 0."""
    total = sum(counts.values())
    noun, _, kind = title.partition(" ")
    parts = ", ".join(format_count(count, words) for words, count in counts.items())
    return [f"{format_count(total, noun)} {kind}: {parts}"] if total else []


def count_claims(reproductions: Sequence[Reproduction], kind: Kind) -> dict[str, int]:
    """Count the claims of a kind by outcome."""
    counts = {"hold": 0, "errata": 0, "differ": 0}
    for paper in reproductions:
        for finding in paper.findings:
            if finding.kind is kind:
                outcome = "hold" if finding.holds else "errata"
                counts[outcome if finding.expected else "differ"] += 1
    return counts


def make_overview(reproductions: Sequence[Reproduction]) -> Table:
    """Count the numbers of each paper by outcome."""
    kinds = [kind.value for kind in Kind]
    heads = ["Paper", "Numbers", *kinds, *(outcome.words for outcome in Outcome)]
    rows = []
    for reproduction in reproductions:
        counts = count_outcomes([reproduction])
        of_kinds = [count_outcomes([reproduction], kind).total() for kind in Kind]
        numbers = [counts.total(), *of_kinds, *(counts[outcome] for outcome in Outcome)]
        rows.append((reproduction.paper.cited, *map(str, numbers)))
    return Table(make_columns(heads), make_rows(rows))


def make_bars(reproductions: Sequence[Reproduction]) -> Bars:
    """Make bars of the numbers of each paper by outcome."""
    rows = []
    for paper in reproductions:
        counts = count_outcomes([paper])
        shares = [
            Share(outcome.name.lower(), outcome.words, counts[outcome])
            for outcome in Outcome
        ]
        rows.append((paper.paper.cited, tuple(shares)))
    return Bars(tuple(rows))


def render_reproductions_json(reproductions: Sequence[Reproduction]) -> str:
    """Render every number, claim and erratum with the kind of its check."""
    values = {
        "version": VERSION,
        "counts": {
            kind.name.lower(): {
                "claims": count_claims(reproductions, kind),
                "numbers": {
                    outcome.words: count
                    for outcome, count in count_outcomes(reproductions, kind).items()
                },
            }
            for kind in Kind
        },
        "papers": [*map(_dump_paper, reproductions)],
    }
    return format_json(values)


def _dump_paper(reproduction: Reproduction) -> dict[str, Any]:
    return {
        "name": reproduction.paper.name,
        "cited": reproduction.paper.cited,
        "numbers": [*map(_dump_number, reproduction.iter_numbers())],
        "claims": [*map(_dump_claim, reproduction.findings)],
        "errata": [*map(_dump_erratum, reproduction.errata)],
    }


def _dump_number(number: PrintedNumber) -> dict[str, Any]:
    return {
        "place": list(number.place),
        "kind": number.kind.name.lower(),
        "printed": number.printed,
        "computed": number.computed,
        "outcome": number.outcome.words if number.outcome else None,
        "erratum": number.erratum or None,
    }


def _dump_claim(finding: CheckedClaim) -> dict[str, Any]:
    return {
        "id": finding.claim.id,
        "where": finding.claim.where,
        "says": finding.claim.says,
        "kind": finding.kind.name.lower(),
        "holds": finding.holds,
        "expected": finding.expected,
        "against": list(finding.against),
        "erratum": finding.claim.erratum or None,
    }


def _dump_erratum(checked: CheckedErratum) -> dict[str, Any]:
    erratum = checked.erratum
    return {
        "id": erratum.id,
        "where": erratum.where,
        "printed": erratum.printed,
        "correct": erratum.correct,
        "reason": erratum.reason,
        "checks": {
            "numbers": checked.numbers,
            "claims": checked.claims,
            "scores": checked.scores,
        },
        "unchecked": erratum.unchecked or None,
        "wrong": list(checked.wrong),
    }


REPRODUCTION_WRITERS: Mapping[str, Callable[[Sequence[Reproduction]], str]] = {
    "table": render_reproductions,
    "json": render_reproductions_json,
}


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
    "Each printed number is followed by the computed one. The printed number is that "
    "one rounded, unless it has a mark: t, truncated instead, as by the reference "
    "scorer; r, F1 was computed from rounded recall and precision; E or a stroke "
    "through, an erratum, explained at the end under its id. Missing numbers are "
    "dashes. Numbers on corpora are compared only with other printed numbers; "
    "claims on them are marked `as printed`. Numbers marked `fitted` rest on sets, "
    "counts or bounds that were chosen to reproduce them."
)
_MARKS = {Kind.RECOMPUTED: "", Kind.FITTED: "; fitted", Kind.PRINTED: "; as printed"}


def iter_paper_parts(
    reproduction: Reproduction, drawings: Mapping[str, Path]
) -> Iterator[Part]:
    """Yield the parts of the report on a paper."""
    paper = reproduction.paper
    yield Heading(2, f"{paper.cited}: {paper.title}", paper.name, paper.cited)
    yield Paragraph(f"{paper.authors}; {paper.venue}. Not recomputed: {paper.not_here}")
    for table in paper.tables:
        yield from _iter_table_parts(reproduction, table)
    for curves in reproduction.figures:
        yield from _iter_figure_parts(reproduction, curves, drawings)
    for corpus_table in paper.corpus_tables:
        yield from _iter_corpus_parts(reproduction, corpus_table)
    if reproduction.findings:
        yield Heading(3, "Claims of the paper", f"{paper.name}-claims")
        yield Bullets(tuple(map(_make_claim_item, reproduction.findings)))


def iter_errata_parts(reproductions: Sequence[Reproduction]) -> Iterator[Part]:
    """Yield the errata of papers."""
    yield Heading(2, "Errata", "errata")
    for reproduction in reproductions:
        paper = reproduction.paper
        yield Heading(3, paper.cited, f"{paper.name}-errata")
        yield Bullets(tuple(map(_make_erratum_item, reproduction.errata)))


def _make_heading(
    reproduction: Reproduction, printed: PaperTable | PaperFigure | CorpusTable
) -> Heading:
    text = f"{printed.where}: {printed.title}"
    return Heading(3, text, f"{reproduction.paper.name}-{printed.id}")


def _iter_table_parts(reproduction: Reproduction, table: PaperTable) -> Iterator[Part]:
    yield _make_heading(reproduction, table)
    keys = {row.sets.key_text for row in table.rows}
    metrics = {metric for row in table.rows for metric in row.printed}
    notes = [f"key {key}" for key in keys if len(keys) == 1]
    notes += [get_metric_label(metric) for metric in metrics if len(metrics) == 1]
    notes += ["in percent"] if table.percent else []
    if notes:
        yield Paragraph("; ".join(notes))
    yield _make_table(
        table, reproduction.numbers[table.id], keys, has_metrics=len(metrics) > 1
    )


def _make_table(
    table: PaperTable,
    numbers: Sequence[PrintedNumber],
    keys: set[str],
    *,
    has_metrics: bool,
) -> Table:
    """Make a row for each response and metric, with printed and computed numbers."""
    left = iter(numbers)
    fields = [name for field in table.fields for name in (FIELDS[field], "computed")]
    rows = []
    for row in table.rows:
        for number, metric in enumerate(row.printed):
            names = [Cell(_format_row(row, keys) if number == 0 else "")]
            if has_metrics:
                names.append(Cell(get_metric_label(metric)))
            pairs = [
                _make_number_cells(next(left), table.decimals) for _ in table.fields
            ]
            rows.append((*names, *(cell for pair in pairs for cell in pair)))
    words = ["Response", "Metric"] if has_metrics else ["Response"]
    heads = make_columns([*words, *fields], words=len(words))
    return Table(heads, tuple(rows), first="sentences")


def _format_row(row: TableRow, keys: set[str]) -> str:
    label = f"{row.label} (fitted)" if row.fits else row.label
    if len(keys) > 1:
        return f"{label}, key {row.sets.key_text}"
    return f"{label}: {row.sets.response_text}"


def _make_number_cells(number: PrintedNumber, decimals: int) -> tuple[Cell, Cell]:
    if number.printed == UNDEFINED:
        undefined = number.outcome is Outcome.EXACT
        computed = DASH if undefined else f"{number.computed:.{decimals}f}"
        return _make_printed_cell(DASH, number), Cell(computed)
    places = decimals + 1 if decimals else 0
    return (
        _make_printed_cell(number.printed or NOT_PRINTED, number),
        Cell(f"{number.computed:.{places}f}"),
    )


def _make_printed_cell(text: str, number: PrintedNumber, correction: str = "") -> Cell:
    """Make the cell of a printed number and its outcome."""
    outcome = number.outcome
    if outcome is None:
        return Cell(text)
    mark, kind = outcome.mark, outcome.name.lower()
    if number.erratum:
        return Cell(text, mark, "", Emphasis.STRUCK, kind, correction, number.erratum)
    if outcome is Outcome.DIFFERS:
        return Cell(text, mark, "differs", Emphasis.WRONG, kind, correction)
    return Cell(text, mark, outcome.words, kind=kind)


def _iter_figure_parts(
    reproduction: Reproduction, curves: RecomputedFigure, drawings: Mapping[str, Path]
) -> Iterator[Part]:
    figure, printed = curves.figure, curves.paper_figure
    yield _make_heading(reproduction, printed)
    yield Paragraph(
        "F1 in percent, and the number of the key's mentions and links in the "
        f"response. Sets from {printed.source}."
    )
    about = "The table contains the numbers."
    drawing = Drawing(figure.title, drawings.get(figure.name), about)
    rows = [
        (tick, *(f"{100 * value:.2f}" for value in values))
        for tick, *values in zip(figure.ticks, *curves.scores.values(), strict=True)
    ]
    heads = make_columns(["Response", *map(_get_curve_label, curves.scores)])
    yield Beside((drawing, Table(heads, make_rows(rows), first="sentences")))


def _get_curve_label(name: str) -> str:
    is_beside = name.endswith("_recall")
    return name.removesuffix("_recall") if is_beside else get_column_label(name)


def _iter_corpus_parts(
    reproduction: Reproduction, table: CorpusTable
) -> Iterator[Part]:
    yield _make_heading(reproduction, table)
    numbers = {number.place[1:]: number for number in reproduction.numbers[table.id]}
    fit = sum(number.outcome is Outcome.FITS for number in numbers.values())
    fitted = [get_column_label(name) for name in table.columns if name in table.fitted]
    errata = sorted({number.erratum for number in numbers.values()} - {""})
    sentences = ["As printed"]
    if numbers:
        sentences.append(f"{fit} of {len(numbers)} that follow from others fit")
    sentences += [f"{label} is fitted" for label in fitted]
    sentences += [f"see {erratum}" for erratum in errata]
    yield Paragraph("; ".join(sentences))
    rows = []
    for row, texts in table.rows.items():
        of_row = [
            _make_corpus_cell(text, numbers.get((row, column)), table.decimals)
            for column, text in texts.items()
        ]
        rows.append((Cell(row), *of_row))
    heads = make_columns(["", *map(get_column_label, table.columns)])
    yield Table(heads, tuple(rows), first="sentences")


def _make_corpus_cell(text: str, number: PrintedNumber | None, decimals: int) -> Cell:
    if number is None or number.outcome is Outcome.FITS:
        return Cell(text)
    # Ranks and counts have no decimals, printed or computed.
    places = decimals if "." in text else 0
    return _make_printed_cell(text, number, f"{number.computed:.{places}f}")


def get_column_label(column: str) -> str:
    """Return the label of a column in tables."""
    metric, _, field = column.partition(".")
    label = get_metric_label(metric).partition(" (")[0].replace("_", " ")
    return f"{label} {_SHORT_FIELDS.get(field, field)}".rstrip()


def _make_claim_item(finding: CheckedClaim) -> Bullet:
    claim = finding.claim
    word = "holds" if finding.holds else "not so"
    return Bullet(
        f"{claim.says} ({claim.where}{_MARKS[finding.kind]})",
        word if finding.expected else "differs",
        finding.against,
        kind="right" if finding.expected and finding.holds else "wrong",
        see=(claim.erratum,) if claim.erratum else (),
    )


def _make_erratum_item(checked: CheckedErratum) -> Bullet:
    erratum = checked.erratum
    return Bullet(
        f"{erratum.where} ({erratum.kind})",
        erratum.id,
        (
            f"printed: {erratum.printed}",
            f"correct: {erratum.correct}",
            erratum.reason,
            _describe_evidence(checked),
        ),
        kind="wrong",
        anchor=erratum.id.lower(),
    )


def _describe_evidence(checked: CheckedErratum) -> str:
    """Describe the evidence of an erratum, or why it has none."""
    if not checked.checked:
        return f"not checked: {checked.erratum.unchecked}"
    names = ("numbers", "claims", "scores")
    counts = {name: getattr(checked, name) for name in names}
    checks = [format_count(count, name) for name, count in counts.items() if count]
    return f"checked: {', '.join(checks)}"
