"""Who is better, by which metrics, and whether that can be chance; in sentences."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from corefkit.report.comparison.standings import is_hopeless, standings_of
from corefkit.report.comparison.words import (
    impossible_words,
    number_text,
    p_text,
    percent,
    title_of,
)
from corefkit.report.page import Finding, Findings, Link
from corefkit.report.scores import short_label
from corefkit.report.summary.mistakes import mistakes
from corefkit.report.summary.view import and_list

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.analysis.compare.comparison import MetricComparison, PairResult
    from corefkit.report.comparison.standings import Standings
    from corefkit.report.page import Piece
    from corefkit.report.summary.view import View

_MOST_NAMED = 4  # systems or metrics in a sentence
_MEANS = {"conll": ", the mean of MUC, B³ and CEAFe,"}


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
    standings = standings_of(view.report.comparison, view.lead)
    best, second, *_ = view.lead.ranked
    label, name = short_label(view.lead.label), standings.names
    if best.score == second.score or not isfinite(best.score):
        title = f"No system is first by {label}"
        score = number_text(view.lead, best.score)
        pieces: tuple[Piece, ...] = (f"{_named(view.lead)} is {score} for several.",)
    elif len(view.names) == 2:
        verb = "is better" if view.lead.is_count else "scores higher"
        title = f"{name[best.name]} {verb} by {label}"
        pieces = (_two(view, standings),)
    else:
        verb = "is best" if view.lead.is_count else "scores highest"
        title = f"{name[best.name]} {verb} by {label}"
        pieces = (_many(view, standings),)
    yield Finding(title, pieces, see=_to_scores(), kind="verdict")
    if len(view.report.comparison.metrics) > 1:
        yield _metrics(view)


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
    if is_hopeless(pair) or not isfinite(pair.p):
        why = impossible_words([pair], comparison)
        return f"Whether this is chance cannot be told here: {why}; {alpha} is needed."
    return (
        f"This can be chance: p is {p_text(pair.p)}, and only below {alpha} is a "
        "difference called significant."
    )


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
    if not alike:
        return f"{text} It is significantly better than all others."
    beaten = len(others) - len(alike)
    better = f"It is significantly better than {beaten} of {len(others)} others, but"
    them = f"its lead over {_few(alike)} can be chance"
    if not beaten:
        return f"{text} {them[0].upper()}{them[1:]}."
    return f"{text} {better} {them}."


def _metrics(view: View) -> Finding:
    """Say which metrics put which system first."""
    firsts: dict[str, list[str]] = {}
    for metric in view.report.comparison.metrics.values():
        best, second, *_ = metric.ranked
        if best.score != second.score and isfinite(best.score):
            firsts.setdefault(best.name, []).append(short_label(metric.label))
    names = dict(zip(view.report.comparison.systems, view.names, strict=True))
    if len(firsts) == 1:
        ((name, labels),) = firsts.items()
        many = f"All {len(labels)} metrics" if len(labels) > 1 else labels[0]
        title = "The metrics agree"
        return Finding(title, (f"{many} put {names[name]} first.",), see=_to_scores())
    first = view.lead.ranked[0].name
    order = sorted(firsts, key=lambda name: name != first)
    texts = [f"{names[name]} is first by {and_list(firsts[name])}" for name in order]
    pieces = [f"{'; '.join(texts)}."] if texts else ["No metric tells systems apart."]
    pieces += _why_muc(view, firsts)
    title = "The metrics disagree" if texts else "The scores are equal"
    return Finding(title, (" ".join(pieces),), see=_to_metrics())


def _why_muc(view: View, firsts: dict[str, list[str]]) -> Iterator[str]:
    """Say why MUC puts a system first that joins entities by mistake."""
    comparison = view.report.comparison
    first = view.lead.ranked[0].name
    winner = next((name for name, labels in firsts.items() if "MUC" in labels), first)
    if winner == first:
        return
    conflated = dict(
        zip(
            comparison.systems,
            [system.counts["conflated"] for system in view.errors],
            strict=True,
        )
    )
    if conflated[winner] > conflated[first]:
        names = dict(zip(comparison.systems, view.names, strict=True))
        yield (
            "MUC forgives most where different entities are joined: that happens "
            f"{conflated[winner]:,} times in {names[winner]}, and "
            f"{conflated[first]:,} in {names[first]}."
        )


def _named(metric: MetricComparison) -> str:
    if metric.name in _MEANS:
        return f"{short_label(metric.label)}{_MEANS[metric.name]}"
    return title_of(metric)


def _of_hundred(metric: MetricComparison) -> str:
    return "" if metric.is_count else ", where 100 is perfect"


def _few(names: Sequence[str]) -> str:
    if len(names) <= _MOST_NAMED:
        return and_list([*names])
    named = [*names[: _MOST_NAMED - 1]]
    return and_list([*named, f"{len(names) - len(named)} more"])


def _to_scores() -> tuple[Piece, ...]:
    return (Link("All scores", "#scores"),)


def _to_metrics() -> tuple[Piece, ...]:
    return (Link("What each metric counts", "#metrics"),)
