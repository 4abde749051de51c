"""One table for a paper: systems by metrics, and a caption that names the test.

The letters above a score are the systems that this one is significantly better than, as
in the tables of ranx. More than 26 systems have numbers instead of letters.
"""

from __future__ import annotations

from dataclasses import replace
from string import ascii_lowercase
from typing import TYPE_CHECKING

from corefkit.report.comparison.overview import kind_of, metric_columns, overview
from corefkit.report.comparison.standings import (
    display_names,
    only_pair,
    standings_of,
    systems_in_order,
)
from corefkit.report.comparison.words import (
    UNKNOWN,
    correction_words,
    counted,
    difference_text,
    interval_head,
    interval_text,
    interval_words,
    number_text,
    p_text,
    runs_text,
    samples_words,
    words_of_test,
)
from corefkit.report.grids import Cell, Column, Emphasis, Grid, Note
from corefkit.report.latex import latex_floats
from corefkit.report.markdown import markdown_text
from corefkit.report.page import Heading, Paragraph

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.analysis.compare.comparison import Comparison, MetricComparison

_CAPTION = "caption"


def markdown_comparison(comparison: Comparison) -> str:
    """Write the table and its caption as Markdown."""
    return markdown_text(
        [
            paper_grid(comparison),
            Paragraph(caption(comparison), is_literal=True),
            *_notes(comparison),
        ]
    )


def latex_comparison(comparison: Comparison) -> str:
    """Write the table and its caption as LaTeX; the rest is comments."""
    heading = Heading(2, caption(comparison), _CAPTION)
    grid = paper_grid(comparison)
    return latex_floats([heading, grid, *_notes(comparison)]).strip("\n")


def _notes(comparison: Comparison) -> Iterator[Note]:
    for name, reason in comparison.refused.items():
        yield Note(f"not compared: {name}: {reason}")
    yield Note(comparison.signature, is_code=True)


def paper_grid(comparison: Comparison) -> Grid:
    """Set systems out, the best first; one of them, or one metric, with intervals."""
    if len(comparison.systems) == 1:
        return replace(overview(comparison), caption="")
    metrics = [*comparison.metrics.values()]
    order = systems_in_order(comparison)
    signs = row_signs(len(order))
    names = display_names(comparison)
    columns = [_cells(comparison, metric, order, signs) for metric in metrics]
    heads = metric_columns(metrics)
    if len(metrics) == 1:
        intervals, ranks = _more(comparison, order, *metrics)
        columns += [intervals, *([ranks] if has_ranks(comparison) else [])]
        heads.append(Column(interval_head(comparison.procedure)))
        heads += [Column("Rank")] * has_ranks(comparison)
    left = (Column("", "left"), Column("System", "left"))
    rows = zip(
        map(Cell, signs), (Cell(names[name]) for name in order), *columns, strict=True
    )
    return Grid((*left, *heads), tuple(rows))


def has_ranks(comparison: Comparison) -> bool:
    """Say whether ranks mean something: with a baseline, the others never meet."""
    return len(comparison.systems) > 2 and comparison.procedure.baseline is None


def row_signs(count: int) -> list[str]:
    """Give each row a letter, or where these do not suffice a number."""
    if count <= len(ascii_lowercase):
        return [*ascii_lowercase[:count]]
    return [str(number) for number in range(1, count + 1)]


def _cells(
    comparison: Comparison,
    metric: MetricComparison,
    order: Sequence[str],
    signs: Sequence[str],
) -> list[Cell]:
    """Give the scores of a metric, the best one in bold, with who is beaten."""
    standings = standings_of(comparison, metric)
    row_of = {name: row for row, name in enumerate(order)}
    cells = []
    best = number_text(metric, metric.ranked[0].score)
    scores = {system.name: system.score for system in metric.systems}
    for name in order:
        places = standings.beaten(name)
        rows = sorted(row_of[standings.systems[place].name] for place in places)
        text = number_text(metric, scores[name])
        emphasis = Emphasis.BEST if text == best else Emphasis.NONE
        cells.append(Cell(text, above=runs_text(rows, signs), emphasis=emphasis))
    return cells


def _more(
    comparison: Comparison, order: Sequence[str], metric: MetricComparison
) -> tuple[list[Cell], list[Cell]]:
    systems = {system.name: system for system in metric.systems}
    kind = comparison.procedure.interval
    intervals = [systems[name].intervals.get(kind) for name in order]
    return (
        [Cell(interval_text(metric, interval)) for interval in intervals],
        [Cell(str(systems[name].rank)) for name in order],
    )


def caption(comparison: Comparison) -> str:
    """Say what the table shows, and name test, units, correction, level and seed."""
    return " ".join(_sentences(comparison))


def _sentences(comparison: Comparison) -> Iterator[str]:
    procedure, metrics = comparison.procedure, comparison.metrics.values()
    systems = counted(len(comparison.systems), "system")
    units = counted(comparison.units, procedure.unit)
    yield f"{_what(comparison)} of {systems} on {units}."
    if len(comparison.systems) > 1:
        yield from _of_two(comparison)
        yield _finding(comparison)
        if procedure.test == "t":
            yield "The test is on the mean over documents, as in Cai and Strube (2010)."
        yield "The best score is in bold."
    if 1 in {len(metrics), len(comparison.systems)}:
        yield f"{interval_words(comparison)}."
    if len(metrics) == 1 and has_ranks(comparison):
        yield "Rank: 1 and the number of systems that are significantly better."


def _finding(comparison: Comparison) -> str:
    """Say what the letters mean, or that there are none, and how that was tested."""
    procedure, names = comparison.procedure, display_names(comparison)
    baseline = names.get(procedure.baseline or "", "")
    how = [
        f"level {procedure.alpha:g}",
        words_of_test(procedure, baseline),
        samples_words(comparison),
        f"seed {procedure.seed}",
        correction_words(comparison),
        f"each system is compared with {baseline} only" if baseline else "",
    ]
    signs = "Letters" if row_signs(len(names))[0].isalpha() else "Numbers"
    meaning = (
        f"{signs} above a score name the systems that this one is significantly better "
        "than"
    )
    pairs = [pair for metric in comparison.metrics.values() for pair in metric.pairs]
    if not any(pair.is_significant for pair in pairs):
        meaning = "No difference between systems is significant"
    return f"{meaning} ({'; '.join(filter(None, how))})."


def _of_two(comparison: Comparison) -> Iterator[str]:
    """Say how two systems differ, if it is about one metric."""
    if len(comparison.systems) == 2 and len(comparison.metrics) == 1:
        (metric,) = comparison.metrics.values()
        pair = only_pair(comparison, metric)
        interval = pair.intervals.get(comparison.procedure.interval)
        ends = interval_text(metric, interval).removeprefix(UNKNOWN)
        text = f"{difference_text(metric, pair.difference)} {ends}".rstrip()
        p = p_text(pair.p)
        if p != UNKNOWN:
            text += f", p {p}" if p.startswith("<") else f", p = {p}"
        yield f"Difference: {text}."


def _what(comparison: Comparison) -> str:
    metrics = comparison.metrics.values()
    scored = [metric for metric in metrics if not metric.is_count]
    if not scored:
        return "Numbers of errors (fewer are better)"
    kind = f"{kind_of(scored)} in percent"
    if len(scored) < len(metrics):
        return f"{kind} and numbers of errors (fewer are better)"
    return kind
