"""Who is better, by which metrics, and whether that can be chance; in sentences."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from corefkit.analysis.compare.comparison_text import (
    impossible_words,
    is_hopeless,
    number_text,
    p_text,
    percent,
    standings_of,
    title_of,
)
from corefkit.report.summary.mistakes import mistakes
from corefkit.results.score_table import short_label
from corefkit.strings import join_words
from corefkit.tables.elements import Finding, Findings, Link

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.analysis.compare.comparison import (
        Comparison,
        MetricComparison,
        PairResult,
    )
    from corefkit.analysis.compare.comparison_text import Standings
    from corefkit.report.summary.view import View
    from corefkit.tables.elements import Piece

_MOST_NAMED = 4  # systems or metrics in a sentence
_MEANS = {"conll": ", the mean{} of MUC, B³ and CEAFe,"}


def findings_of(view: View) -> list[Findings]:
    """Say what a reader should know first: who is better, then what each gets wrong.

    Two and three systems have a row of mistakes each; others stand in one row.
    """
    verdicts = [_alone(view)] if len(view.names) == 1 else [*_ranked(view)]
    wrong = [*mistakes(view)]
    if view.is_beside and len(view.names) > 1:
        return [Findings(tuple(verdicts)), Findings(tuple(wrong))]
    return [Findings((*verdicts, *wrong))]


def _alone(view: View) -> Finding:
    metric, (system,) = view.lead, view.lead.systems
    score = number_text(metric, system.score)
    interval = system.intervals.get(view.report.comparison.procedure.interval)
    title = f"{view.names[0]} scores {score} by {short_label(metric.label)}"
    text = f"{_named(metric)} is {score}{_of_hundred(metric)}."
    if interval is not None and all(map(isfinite, interval)):
        low, high = (number_text(metric, end) for end in interval)
        level = percent(1 - view.report.comparison.procedure.alpha)
        text += f" On other texts like these it would mostly lie between {low} and "
        text += f"{high} ({level} interval)."
    return Finding(title, (text,), see=_to_scores(), kind="verdict")


def _ranked(view: View) -> Iterator[Finding]:
    """Say who is first by the metric that leads, then what other metrics say."""
    comparison, label = view.report.comparison, short_label(view.lead.label)
    standings = standings_of(comparison, view.lead)
    first = _first(view.lead)
    names = [standings.names[name] for name in first]
    if len(names) == 1:
        is_pair, is_count = len(view.names) == 2, view.lead.is_count
        text = _two(view, standings) if is_pair else _many(view, standings)
        scores = "scores higher" if is_pair else "scores highest"
        better = "is better" if is_pair else "is best"
        title = f"{names[0]} {better if is_count else scores} by {label}"
    else:
        score = number_text(view.lead, view.lead.ranked[0].score)
        whom = "all" if not names else "both" if len(names) == 2 else "each of them"
        text = f"{_named(view.lead)} is {score} for {whom}{_of_hundred(view.lead)}."
        title = f"{_few(names)} share the first place by {label}"
        if not names:
            title = f"{label} does not tell the systems apart"
    more = " · ", Link("What p means", "#chance")
    yield Finding(title, (text,), see=(*_to_scores(), *more), kind="verdict")
    if len(comparison.metrics) > 1:
        yield _metrics(view)


def _first(metric: MetricComparison) -> tuple[str, ...]:
    """Name the systems with the best score; none where all have the same, or none."""
    best = metric.ranked[0].score
    names = tuple(one.name for one in metric.systems if one.score == best)
    return names if isfinite(best) and len(names) < len(metric.systems) else ()


def _two(view: View, standings: Standings) -> str:
    best, second = view.lead.ranked
    text = (
        f"{_named(view.lead)} is {number_text(view.lead, best.score)} for "
        f"{standings.names[best.name]} and {number_text(view.lead, second.score)} for "
        f"{standings.names[second.name]}{_of_hundred(view.lead)}."
    )
    pair = standings.pairs.get((best.name, second.name))
    return text if pair is None else f"{text} {_chance(view, pair)}"


def _chance(view: View, pair: PairResult) -> str:
    """Say whether a difference can be chance, and why that cannot be told."""
    comparison = view.report.comparison
    alpha = f"{comparison.procedure.alpha:g}"
    if pair.is_significant:
        return f"Chance alone hardly gives such a difference (p {p_text(pair.p)})."
    side = comparison.procedure.alternative
    if side != "two-sided" and not _is_asked(comparison, pair):
        return f"Whether this is chance was not asked: the test was for {side} only."
    if _is_untold(pair):
        why = impossible_words([pair], comparison)
        return f"Whether this is chance cannot be told here: {why}; {alpha} is needed."
    return (
        f"This can be chance: p is {p_text(pair.p)}, and a difference is called "
        f"significant at {alpha} or less."
    )


def _is_untold(pair: PairResult) -> bool:
    """Say whether no test of so few texts can tell a difference from chance."""
    return is_hopeless(pair) or not isfinite(pair.p)


def _is_asked(comparison: Comparison, pair: PairResult) -> bool:
    """Say whether a one-sided test looked to the side on which the best system is.

    Args:
        comparison: the comparison, of a system with its baseline.
        pair: the best system and the other.
    """
    is_baseline_best = pair.a == comparison.procedure.baseline
    return is_baseline_best == (comparison.procedure.alternative == "less")


def _many(view: View, standings: Standings) -> str:
    best, *others = view.lead.ranked
    text = (
        f"{_named(view.lead)} is {number_text(view.lead, best.score)} for "
        f"{standings.names[best.name]}{_of_hundred(view.lead)}."
    )
    if view.report.comparison.procedure.baseline is not None:
        return text
    pairs = [standings.pairs[best.name, other.name] for other in others]
    alike = [
        standings.names[other.name]
        for other, pair in zip(others, pairs, strict=True)
        if not pair.is_significant
    ]
    if all(map(_is_untold, pairs)):
        why = impossible_words(pairs, view.report.comparison)
        return f"{text} Whether its lead is chance cannot be told here: {why}."
    if not alike:
        return f"{text} It is significantly better than all others."
    beaten = len(others) - len(alike)
    better = f"It is significantly better than {beaten} of {len(others)} others, but"
    them = f"its lead over {_few(alike)} can be chance"
    if not beaten:
        return f"{text} {them[0].upper()}{them[1:]}."
    return f"{text} {better} {them}."


def _metrics(view: View) -> Finding:
    """Say which metrics put which systems first."""
    comparison = view.report.comparison
    firsts: dict[tuple[str, ...], list[str]] = {}
    for metric in comparison.metrics.values():
        firsts.setdefault(_first(metric), []).append(short_label(metric.label))
    equal = firsts.pop((), [])
    if not firsts:
        text = "No metric tells the systems apart: each gives all the same score."
        return Finding("The scores are equal", (text,), see=_to_scores())
    names = dict(zip(comparison.systems, view.names, strict=True))
    order = sorted(firsts, key=lambda first: first != _first(view.lead))
    texts = []
    for first in order:
        who = _few([names[name] for name in first])
        is_all = len(firsts[first]) == len(comparison.metrics)
        by = f"all {len(firsts[first])} metrics" if is_all else ""
        are = "is first" if len(first) == 1 else "share the first place"
        texts.append(f"{who} {are} by {by or join_words(firsts[first])}")
    if equal:
        texts.append(f"{join_words(equal)} {_give(equal)} all the same score")
    told = " ".join([f"{'; '.join(texts)}.", *_why_muc(view, firsts)])
    title = f"The metrics {'agree' if len(firsts) == 1 else 'disagree'}"
    return Finding(title, (told,), see=_to_metrics())


def _give(metrics: Sequence[str]) -> str:
    return "gives" if len(metrics) == 1 else "give"


def _why_muc(view: View, firsts: Mapping[tuple[str, ...], object]) -> Iterator[str]:
    """Say why MUC puts a system first that joins entities by mistake."""
    comparison = view.report.comparison
    muc = _first(comparison.metrics["muc"]) if "muc" in comparison.metrics else ()
    lead = _first(view.lead)
    if not muc or not lead or set(muc) & set(lead) or len(firsts) == 1:
        return
    places = {name: place for place, name in enumerate(comparison.systems)}
    winner, first = places[muc[0]], places[lead[0]]
    joins = [system.counts["conflated"] for system in view.errors]
    if joins[winner] > joins[first]:
        yield (
            "MUC forgives most where different entities are joined: that happens "
            f"{joins[winner]:,} times in {view.names[winner]}, and "
            f"{joins[first]:,} in {view.names[first]}."
        )


def _named(metric: MetricComparison) -> str:
    if metric.name in _MEANS:
        what = "" if metric.statistic == "f1" else f" {metric.statistic}"
        return f"{short_label(metric.label)}{_MEANS[metric.name].format(what)}"
    return title_of(metric)


def _of_hundred(metric: MetricComparison) -> str:
    return "" if metric.is_count else ", where 100 is perfect"


def _few(names: Sequence[str]) -> str:
    if len(names) <= _MOST_NAMED:
        return join_words(names) if names else ""
    named = [*names[: _MOST_NAMED - 1]]
    return join_words([*named, f"{len(names) - len(named)} more"])


def _to_scores() -> tuple[Piece, ...]:
    return (Link("All scores", "#scores"),)


def _to_metrics() -> tuple[Piece, ...]:
    return (Link("What each metric counts", "#metrics"),)
