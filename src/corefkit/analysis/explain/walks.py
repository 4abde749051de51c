"""What the walk-through of a metric is, and which are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefkit.analysis.explain.numbers import Ending, Quotient, ratio_ending
from corefkit.exceptions import SettingsError
from corefkit.metrics import chosen_metrics, known_metrics
from corefkit.metrics.base import Named

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corefkit.analysis.explain.scene import Scene
    from corefkit.metrics.base import Metric
    from corefkit.report.walk.values import Told
    from corefkit.settings import Settings


class Steps(NamedTuple):
    """What leads to the counts, and the counts: recall, then precision.

    BLANC has these two thrice: for coreference links, for the others, for mentions.
    """

    told: Sequence[Told]
    quotients: tuple[Quotient, ...]


class Walk(NamedTuple):
    """How a metric is walked through; the row of the metric names one of these."""

    steps: Callable[[Scene], Steps]  # from a document to the counts
    # From the counts, of one document or summed, to the scores.
    ending: Callable[[Sequence[Quotient], Settings], Ending] = ratio_ending
    # Where each ratio has its numerator and denominator in a row of counts.
    ratios: Sequence[tuple[int, int]] = ((0, 1), (2, 3))
    # What the metric counts and why it falls, in plain words, a sentence or two each.
    in_words: Sequence[str] = ()


class Walked(NamedTuple):
    """A metric and its walk-through."""

    metric: Metric
    walk: Walk


class Chosen(NamedTuple):
    """What is to be explained: one metric, or the three of the CoNLL mean."""

    label: str
    source: str
    walks: tuple[Walked, ...]


def explained_names() -> list[str]:
    """List the metrics that have a walk-through.

    >>> explained_names()[:3]
    ['mentions', 'muc', 'b_cubed']
    """
    return [metric.name for metric in known_metrics() if isinstance(metric.walk, Named)]


def chosen_walk(metric: str | Metric) -> Chosen:
    """Find what a user asks for, and refuse what has no walk-through.

    >>> chosen_walk("bcub").label
    'B³'
    """
    metrics = chosen_metrics([metric])
    walks = tuple(Walked(metric, _walk_of(metric)) for metric in metrics)
    if len(metrics) > 1:
        labels = ", ".join(metric.label for metric in metrics)
        return Chosen("CoNLL", f"the mean F1 of {labels}", walks)
    return Chosen(metrics[0].label, metrics[0].source, walks)


def _walk_of(metric: Metric) -> Walk:
    if isinstance(metric.walk, str):
        message = f"metric {metric.name!r} has no walk-through: {metric.walk}"
        hint = f"these have: {', '.join(explained_names())}, conll"
        raise SettingsError(message, hint=hint)
    walk: Walk = metric.walk.value
    return walk
