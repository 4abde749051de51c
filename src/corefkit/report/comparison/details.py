"""One metric in detail: two systems, or the ranking of several, and strata."""

from __future__ import annotations

from math import inf, isfinite, isnan
from typing import TYPE_CHECKING

from corefkit.report.comparison.pairs import beside_baseline, matrix, pair_list
from corefkit.report.comparison.standings import is_hopeless, only_pair
from corefkit.report.comparison.words import (
    INVERTED,
    UNKNOWN,
    difference_text,
    impossible_words,
    interval_head,
    interval_text,
    number_text,
    p_text,
    percent,
    runs_text,
    statistic_words,
    title_of,
)
from corefkit.report.grids import Cell, Column, Grid
from corefkit.report.page import Item, Items, Paragraph

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.analysis.compare.comparison import Comparison, PairResult
    from corefkit.report.comparison.standings import Standings
    from corefkit.report.page import Part

MOST_IN_MATRIX = 8  # systems
MOST_IN_LIST = 5  # systems, whose pairs have a row each
LETTERS = "Letters"
_SHARES = ("f1", "recall", "precision")  # statistics between 0 and 1
_LEFT = Column("", "left")


def details(
    comparison: Comparison,
    standings: Standings,
    *,
    most_in_matrix: int = MOST_IN_MATRIX,
) -> Iterator[Part]:
    """Show what was found on one metric; a matrix of so many systems at most."""
    if len(standings.systems) == 2:
        yield _two(comparison, standings)
    elif comparison.procedure.baseline is not None:
        yield beside_baseline(comparison, standings)
    elif len(standings.systems) > 2:
        yield _ranking(comparison, standings)
        if len(standings.systems) <= most_in_matrix:
            yield matrix(comparison, standings)
        if len(standings.systems) <= MOST_IN_LIST:
            yield pair_list(comparison, standings)
    if len(standings.systems) > 2:
        for text in unseen(standings, comparison.procedure.unit):
            yield Paragraph(f"For pairs without significance, {text}.")
    if standings.metric.strata:
        yield _strata(comparison, standings)


def _two(comparison: Comparison, standings: Standings) -> Items:
    metric, names = standings.metric, standings.names
    pair = only_pair(comparison, metric)
    systems = {system.name: system for system in metric.systems}
    scores = [
        f"{names[system.name]} {number_text(metric, system.score)} "
        f"{interval_text(metric, standings.interval(system))}".removesuffix(
            f" {UNKNOWN}"
        )
        for system in (systems[pair.a], systems[pair.b])
    ]
    items = [
        Item(_difference(comparison, standings, pair), "Difference"),
        Item(_p(comparison, pair), "p"),
        Item(
            _texts(comparison, standings, pair),
            f"{comparison.procedure.unit}s".capitalize(),
        ),
    ]
    items += [
        Item(text, "Bootstrap") for text in _bootstrap(comparison, standings, pair)
    ]
    unit = comparison.procedure.unit
    items += [Item(text, "Limit") for text in unseen(standings, unit)]
    return Items(tuple(items), title_of(metric), ", ".join(scores))


def _difference(comparison: Comparison, standings: Standings, pair: PairResult) -> str:
    metric = standings.metric
    points = "errors" if metric.is_count else "points"
    text = f"{difference_text(metric, pair.difference)} {points}"
    interval = interval_text(metric, standings.interval(pair))
    if interval == UNKNOWN:
        return text
    return f"{text}, {interval_head(comparison.procedure)} {interval}"


def _p(comparison: Comparison, pair: PairResult) -> str:
    procedure = comparison.procedure
    if not isfinite(pair.p):
        return impossible_words([pair], comparison)
    verdict = "significant" if pair.is_significant else "not significant"
    text = f"{p_text(pair.p)}, {verdict} at {procedure.alpha:g}"
    if is_hopeless(pair):
        return f"{text}: {impossible_words([pair], comparison)}"
    if pair.is_borderline:
        return f"{text}, but borderline: more --samples could decide otherwise"
    return text


def _texts(comparison: Comparison, standings: Standings, pair: PairResult) -> str:
    if not pair.units_that_differ:
        unit = comparison.procedure.unit
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


def unseen(standings: Standings, unit: str) -> Iterator[str]:
    """Say which differences would not be seen, if any is not significant.

    Scores between 0 and 1 differ by 1 at most: where the least difference that could
    be seen is greater, or is not known, there is none.
    """
    metric = standings.metric
    most = 1.0 if metric.statistic in _SHARES else inf
    pairs = [pair for pair in standings.open_pairs() if pair.units_that_differ]
    known = sorted(
        pair.least_detectable for pair in pairs if 0 < pair.least_detectable < inf
    )
    least = [number for number in known if number <= most]
    never = len(known) > len(least) or any(isnan(p.least_detectable) for p in pairs)
    if not least:
        if never:
            yield f"no difference could be seen reliably with so few {unit}s"
        return
    ends = dict.fromkeys(number_text(metric, end) for end in (least[0], least[-1]))
    points = "errors" if metric.is_count else "points"
    some = ", and for some pairs any difference," if never else ""
    text = f"differences below {' to '.join(ends)} {points}"
    yield f"{text}{some} would mostly go unseen here"


def _ranking(comparison: Comparison, standings: Standings) -> Grid:
    """Show the systems of one metric, the best first, with numbers to name them by."""
    metric = standings.metric
    has_letters = any(system.letters for system in metric.systems)
    is_many = len(standings.systems) > MOST_IN_MATRIX
    numbers = [str(place) for place in range(1, len(standings.systems) + 1)]
    rows = []
    for name, system in zip(standings.numbered, standings.systems, strict=True):
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
        *([Column("Beats", "left")] if is_many else []),
    ]
    title = f"{title_of(metric)}, {standings.order}"
    return Grid((_LEFT, *heads), tuple(rows), title, first="names")


def _strata(comparison: Comparison, standings: Standings) -> Grid:
    """Show the scores of each stratum, a row for each."""
    metric = standings.metric
    names = [system.name for system in standings.systems]
    if len(names) == 2:
        pair = only_pair(comparison, metric)
        names = [pair.a, pair.b]
    rows = []
    for stratum in metric.strata:
        scores = [stratum.scores[name] for name in names]
        row = [Cell(stratum.name), Cell(str(stratum.units))]
        row += [Cell(number_text(metric, score)) for score in scores]
        if len(names) == 2:
            row.append(Cell(difference_text(metric, scores[0] - scores[1])))
        rows.append(tuple(row))
    unit = comparison.procedure.unit
    heads = [
        Column(f"{unit}s".capitalize()),
        *(Column(standings.names[name], is_name=True) for name in names),
        *([Column("Difference", short="Diff.")] if len(names) == 2 else []),
    ]
    strata = comparison.procedure.strata
    by = strata if strata == "genre" else "stratum"
    title = f"{metric.label} by {by}; no test within"
    return Grid((_LEFT, *heads), tuple(rows), title)
