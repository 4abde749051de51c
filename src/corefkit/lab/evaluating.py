"""Labels scored against labels: with which settings, and by which metrics."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from corefkit.alignment.table import overlap_table
from corefkit.evaluation import Evaluation
from corefkit.exceptions import SettingsError
from corefkit.metrics import chosen_metrics, known_metrics
from corefkit.settings import DEFAULT_SETTINGS, Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefkit.lab.labels import Labels
    from corefkit.metrics.base import Metric


def counted_names() -> list[str]:
    """List the metrics that can be counted on partitions."""
    return [metric.name for metric in known_metrics() if not metric.needs]


def counted_metrics(wanted: str | Iterable[str | Metric] | None) -> tuple[Metric, ...]:
    """Find the metrics that somebody asked for, and refuse those that need more.

    >>> [metric.name for metric in counted_metrics(["lea", "b_cubed_sys"])]
    ['lea', 'b_cubed_sys']
    """
    metrics = chosen_metrics(wanted)
    for metric in metrics:
        if metric.needs:
            message = (
                f"{metric.name!r} needs more of mentions than their entities: "
                f"{metric.needs}"
            )
            hint = f"the laboratory counts {', '.join(counted_names())}, conll"
            raise SettingsError(message, hint=hint)
    return metrics


def settings_of_partitions(settings: Settings) -> Settings:
    """Give settings that hold for partitions, or refuse those that cannot.

    What a side repeats is settled when it is read, and so never counted as the
    reference scorer would.

    >>> settings_of_partitions(Settings(repeated="reference")).repeated
    'first'
    """
    if settings.scores_split:
        message = "the laboratory alters partitions, which have no split antecedents"
        raise SettingsError(message, hint="say --split ignore")
    if settings.counts_copies:
        return replace(settings, repeated="first")
    return settings


def settled(response: Labels, settings: Settings) -> Labels:
    """Drop the singletons that a response has got, where the settings drop them."""
    if "response" in settings.without_singletons:
        return response.keep(response.sizes() > 1)
    return response


def evaluated(
    key: Labels,
    response: Labels,
    *,
    metrics: Sequence[Metric],
    settings: Settings = DEFAULT_SETTINGS,
    name: str = "response",
) -> Evaluation:
    """Score a side against another, without the names of their documents.

    >>> from corefkit.lab.labels import read_pair
    >>> pair = read_pair(["abc"], ["ab", "d"], settings=DEFAULT_SETTINGS)
    >>> result = evaluated(pair.key, pair.response, metrics=counted_metrics(["muc"]))
    >>> result["muc"].recall
    0.5
    """
    table = overlap_table(key.columns(), response.columns())
    counts = {metric.name: metric.count(table) for metric in metrics}
    documents = tuple(map(str, range(key.documents)))
    return Evaluation("key", name, settings, tuple(metrics), documents, counts)
