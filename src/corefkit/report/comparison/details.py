"""One metric in detail: two systems, several, many, or all against a baseline."""

from __future__ import annotations

from math import inf, isfinite
from typing import TYPE_CHECKING

from corefkit.report.comparison.standings import is_hopeless, mark_of
from corefkit.report.comparison.words import (
    INVERTED,
    difference_text,
    impossible_words,
    interval_head,
    interval_text,
    number_text,
    p_cell,
    p_text,
    percent,
    runs_text,
    statistic_words,
    title_of,
    unit_word,
)
from corefkit.report.page import Cell, Column, Grid, Item, Items, Paragraph, Spacing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.analysis.compare.comparison import Comparison, PairResult
    from corefkit.report.comparison.standings import Standings
    from corefkit.report.page import Part

MOST_IN_MATRIX = 8
LETTERS = "Letters"
WON_TIED_LOST = "W/T/L"
_LEFT = Column("", "left")


def details(comparison: Comparison, standings: Standings) -> Iterator[Part]:
    """Show what was found on one metric."""
    if len(standings.systems) == 2:
        yield _two(comparison, standings)
    elif comparison.procedure.baseline is not None:
        yield _beside_baseline(comparison, standings)
    elif len(standings.systems) > 2:
        yield _ranking(comparison, standings)
        if len(standings.systems) <= MOST_IN_MATRIX:
            yield _matrix(standings)
    if len(standings.systems) > 2:
        for text in unseen(standings):
            yield Paragraph(f"For pairs without significance, {text}.")
    if standings.metric.strata:
        yield _strata(comparison, standings)


def _two(comparison: Comparison, standings: Standings) -> Items:
    metric, names = standings.metric, standings.names
    (pair,) = metric.pairs
    scores = [
        f"{names[system.name]} {number_text(metric, system.score)} "
        f"{interval_text(metric, standings.interval(system))}"
        for system in metric.systems
    ]
    items = [
        Item(_difference(comparison, standings, pair), "Difference"),
        Item(_p(comparison, pair), "p"),
        Item(
            _texts(comparison, standings, pair),
            f"{unit_word(comparison.procedure)}s".capitalize(),
        ),
    ]
    items += [
        Item(text, "Bootstrap") for text in _bootstrap(comparison, standings, pair)
    ]
    items += [Item(text, "Limit") for text in unseen(standings)]
    return Items(tuple(items), title_of(metric), ", ".join(scores))


def _difference(comparison: Comparison, standings: Standings, pair: PairResult) -> str:
    metric = standings.metric
    points = "errors" if metric.is_count else "points"
    return (
        f"{difference_text(metric, pair.difference)} {points}, "
        f"{interval_head(comparison.procedure)} "
        f"{interval_text(metric, standings.interval(pair))}"
    )


def _p(comparison: Comparison, pair: PairResult) -> str:
    procedure = comparison.procedure
    verdict = "significant" if pair.is_significant else "not significant"
    text = f"{p_text(pair.p)}, {verdict} at {procedure.alpha:g}"
    if is_hopeless(pair):
        return f"{text}: {impossible_words([pair], comparison)}"
    if pair.is_borderline:
        return f"{text}, but borderline: more --samples could decide otherwise"
    return text


def _texts(comparison: Comparison, standings: Standings, pair: PairResult) -> str:
    if not pair.units_that_differ:
        unit = unit_word(comparison.procedure)
        return f"the counts of both are the same in every {unit}"
    name = standings.names[pair.a]
    return f"{name} wins {pair.won}, ties {pair.tied}, loses {pair.lost}"


def _bootstrap(
    comparison: Comparison, standings: Standings, pair: PairResult
) -> Iterator[str]:
    is_known = isfinite(pair.p_bootstrap) and isfinite(pair.not_better)
    if not pair.units_that_differ or not pair.difference or not is_known:
        return
    better = pair.a if (pair.difference > 0) != standings.metric.is_count else pair.b
    share = percent(pair.not_better)
    text = f"{standings.names[better]} is not better in {share} of draws"
    is_test = comparison.procedure.test == "bootstrap"
    yield text if is_test else f"p {p_text(pair.p_bootstrap)}; {text}"


def unseen(standings: Standings) -> Iterator[str]:
    """Say which differences would not be seen, if any is not significant."""
    least = sorted(
        pair.least_detectable
        for pair in standings.open_pairs()
        if 0 < pair.least_detectable < inf
    )
    if not least:
        return
    metric = standings.metric
    ends = dict.fromkeys(number_text(metric, end) for end in (least[0], least[-1]))
    points = "errors" if metric.is_count else "points"
    yield f"differences below {' to '.join(ends)} {points} would mostly go unseen here"


def _ranking(comparison: Comparison, standings: Standings) -> Grid:
    """Show the systems of one metric, the best first, with numbers to name them by."""
    metric = standings.metric
    has_letters = any(system.letters for system in metric.systems)
    is_many = len(standings.systems) > MOST_IN_MATRIX
    numbers = [str(place) for place in range(1, len(standings.systems) + 1)]
    rows = []
    for name, system in zip(_numbered(standings), standings.systems, strict=True):
        row = [
            Cell(name),
            Cell(number_text(metric, system.score)),
            Cell(interval_text(metric, standings.interval(system))),
            Cell(str(system.rank), INVERTED if system.is_inverted else ""),
        ]
        if has_letters:
            row.append(Cell(system.letters))
        if is_many:
            beaten = runs_text(standings.beaten(system.name), numbers)
            row.append(Cell(beaten.replace(",", ", ")))
        rows.append(tuple(row))
    heads = [
        Column(statistic_words(metric.statistic).capitalize()),
        Column(interval_head(comparison.procedure), short="Interval"),
        Column("Rank"),
        *([Column(LETTERS, "left")] if has_letters else []),
        *([Column("Better than", "left")] if is_many else []),
    ]
    title = f"{title_of(metric)}, best first"
    return Grid((_LEFT, *heads), tuple(rows), title, first="names")


def _numbered(standings: Standings) -> list[str]:
    room = len(str(len(standings.systems)))
    return [
        f"{place:>{room}} {standings.names[system.name]}"
        for place, system in enumerate(standings.systems, start=1)
    ]


def _matrix(standings: Standings) -> Grid:
    """Show the difference of each pair above the diagonal, adjusted p below."""
    metric = standings.metric
    rows = []
    for row, (name, system) in enumerate(
        zip(_numbered(standings), standings.systems, strict=True)
    ):
        cells = [Cell(name)]
        for column, other in enumerate(standings.systems):
            pair = standings.pairs.get((system.name, other.name))
            if pair is None:
                cells.append(Cell(""))
            elif row < column:
                text = number_text(metric, pair.difference)
                cells.append(Cell(text, mark_of(pair)))
            else:
                cells.append(Cell(p_cell(pair.p_adjusted)))
        rows.append(tuple(cells))
    heads = [Column(str(place)) for place in range(1, len(rows) + 1)]
    return Grid(
        (_LEFT, *heads),
        tuple(rows),
        "Differences above the diagonal, adjusted p below",
        first="names",
        spacing=Spacing(gap=1 if len(rows) > 6 else 2),
    )


def _beside_baseline(comparison: Comparison, standings: Standings) -> Grid:
    """Show a row for each system, with its difference to the baseline."""
    metric, baseline = standings.metric, comparison.procedure.baseline
    has_many = len(metric.pairs) > 1
    rows = []
    for system in standings.systems:
        row = [
            Cell(standings.names[system.name]),
            Cell(number_text(metric, system.score)),
        ]
        pair = standings.pairs.get((system.name, baseline or ""))
        if pair is None:
            row += [Cell("baseline"), *[Cell("")] * (3 + has_many)]
        else:
            row += [
                Cell(difference_text(metric, pair.difference), mark_of(pair)),
                Cell(interval_text(metric, standings.interval(pair))),
                Cell(p_cell(pair.p)),
                *([Cell(p_cell(pair.p_adjusted))] if has_many else []),
                Cell(f"{pair.won}/{pair.tied}/{pair.lost}"),
            ]
        rows.append(tuple(row))
    heads = [
        Column(statistic_words(metric.statistic).capitalize()),
        Column("Diff."),
        Column(interval_head(comparison.procedure), short="Interval"),
        Column("p"),
        *([Column("adj. p")] if has_many else []),
        Column(WON_TIED_LOST),
    ]
    title = f"{title_of(metric)}, best first"
    return Grid((_LEFT, *heads), tuple(rows), title, first="names")


def _strata(comparison: Comparison, standings: Standings) -> Grid:
    """Show the scores of each stratum, a row for each."""
    metric = standings.metric
    systems = metric.systems if len(metric.systems) == 2 else standings.systems
    names = [system.name for system in systems]
    rows = []
    for stratum in metric.strata:
        scores = [stratum.scores[name] for name in names]
        row = [Cell(stratum.name), Cell(str(stratum.units))]
        row += [Cell(number_text(metric, score)) for score in scores]
        if len(names) == 2:
            row.append(Cell(difference_text(metric, scores[0] - scores[1])))
        rows.append(tuple(row))
    unit = unit_word(comparison.procedure)
    heads = [
        Column(f"{unit}s".capitalize()),
        *(Column(standings.names[name], is_name=True) for name in names),
        *([Column("Difference", short="Diff.")] if len(names) == 2 else []),
    ]
    strata = comparison.procedure.strata
    by = strata if strata == "genre" else "stratum"
    title = f"{metric.label} by {by}; no test within"
    return Grid((_LEFT, *heads), tuple(rows), title)
