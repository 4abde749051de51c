"""All metrics at once: those that settings and inputs allow, and why not the others.

`--metric all` and `metrics="all"` ask for them. What is left out is said in words:

1.  Metrics that weigh mentions, unless weights are named: the usual ones ask for types,
    which few corpora have.
2.  Metrics that cannot score split antecedents, where these are scored.
3.  Metrics of what neither side has, such as zeros, bridging anaphors or mentions that
    refer to nothing.

A metric that is named beside `all` is never left out for the first two reasons.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefkit.metrics import asks_for_all, chosen_metrics, known_metrics
from corefkit.settings.weights import NAMED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from corefkit.metrics.base import Metric, Score
    from corefkit.settings import Settings

_WEIGHED = "their types and kinds"  # what metrics with weights need


class Every(NamedTuple):
    """The metrics that were found, and what is said of the others."""

    metrics: tuple[Metric, ...]
    notes: tuple[str, ...]


def metrics_for(
    wanted: str | Iterable[str | Metric] | None,
    settings: Settings,
    keywords: Mapping[str, object],
) -> Every:
    """Find the metrics that a user asks for; of `all`, those that settings allow.

    Args:
        wanted: as for `chosen_metrics`.
        settings: what is scored.
        keywords: the same as the user gave them, which tell whether weights are named.

    >>> from corefkit import Settings
    >>> every = metrics_for("all", Settings(split="score"), {"weights": "ace2005"})
    >>> [metric.name for metric in every.metrics][:4]
    ['mentions', 'muc', 'b_cubed', 'ceaf_m']
    >>> every.notes[0][:46]
    'not scored: ceaf_phi1, ceaf_phi2, ceaf_m_links'
    """
    words = wanted.split(",") if isinstance(wanted, str) else [*(wanted or ())]
    if not asks_for_all(words):
        return Every(chosen_metrics(None if wanted is None else words), ())
    named = [one for one in words if not asks_for_all([one])]
    kept = chosen_metrics(named) if named else ()
    others = [metric for metric in known_metrics() if metric not in kept]
    notes: list[str] = []
    if not _names_weights(keywords):
        heavy = [metric for metric in others if metric.needs == _WEIGHED]
        others = [metric for metric in others if metric not in heavy]
        notes += _left_out(heavy, "they need weights, as in --weights ace2005")
    if settings.scores_split:
        undefined = [metric for metric in others if isinstance(metric.split, str)]
        others = [metric for metric in others if metric not in undefined]
        notes += _left_out(undefined, "they do not score split antecedents")
    return Every((*kept, *others), tuple(notes))


def _names_weights(keywords: Mapping[str, object]) -> bool:
    """Tell whether weights are named; a preset with weights is called as they are."""
    return keywords.get("weights") is not None or keywords.get("preset") in NAMED


def without_what_is_not_there(
    metrics: Sequence[Metric], scores: Sequence[Mapping[str, Score]]
) -> Every:
    """Leave out metrics of what neither side has, in any of some results.

    >>> import corefkit
    >>> result = corefkit.score(["ab"], ["ab"], metrics="muc,zeros")
    >>> every = without_what_is_not_there(result.metrics, [result.scores])
    >>> [metric.name for metric in every.metrics], every.notes
    (['muc'], ('not scored: zeros: neither side has what they count',))
    """
    gone = [
        metric
        for metric in metrics
        if metric.needs and all(_is_empty(found[metric.name]) for found in scores)
    ]
    kept = tuple(metric for metric in metrics if metric not in gone)
    return Every(kept, _left_out(gone, "neither side has what they count"))


def _is_empty(score: Score) -> bool:
    return {"recall", "precision"} <= {*score.undefined}


def _left_out(metrics: Sequence[Metric], reason: str) -> tuple[str, ...]:
    names = ", ".join(metric.name for metric in metrics)
    return (f"not scored: {names}: {reason}",) if names else ()
