"""Labels scored against labels: by which metrics, and with which settings."""

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


def partition_metric_names() -> list[str]:
    """List the metrics that can be counted on partitions."""
    return [metric.name for metric in known_metrics() if not metric.needs]


def partition_metrics(
    wanted: str | Iterable[str | Metric] | None,
) -> tuple[Metric, ...]:
    """Find metrics by name, and refuse those that need more than partitions.

    >>> [metric.name for metric in partition_metrics(["lea", "b_cubed_sys"])]
    ['lea', 'b_cubed_sys']
    """
    metrics = chosen_metrics(wanted)
    for metric in metrics:
        if metric.needs:
            message = (
                f"{metric.name!r} needs more than the entities of mentions: "
                f"{metric.needs}"
            )
            hint = f"the laboratory counts {', '.join(partition_metric_names())}, conll"
            raise SettingsError(message, hint=hint)
    return metrics


def partition_settings(settings: Settings) -> Settings:
    """Adapt settings to partitions, or refuse those that partitions cannot have.

    Repeated mentions are resolved when a file is read, so the laboratory never counts
    them as the reference scorer does.

    >>> partition_settings(Settings(repeated="reference")).repeated
    'first'
    """
    if settings.scores_split:
        message = "the laboratory changes partitions, which have no split antecedents"
        raise SettingsError(message, hint="use --split ignore")
    if settings.counts_copies:
        return replace(settings, repeated="first")
    return settings


def check_least(name: str, value: int, least: int) -> None:
    """Refuse a number that is too small.

    >>> check_least("seed", -1, 0)
    Traceback (most recent call last):
    corefkit.exceptions.SettingsError: the seed is -1, expected 0 or more
    """
    if value < least:
        message = f"the {name} is {value}, expected {least} or more"
        raise SettingsError(message)


def without_dropped_singletons(response: Labels, settings: Settings) -> Labels:
    """Drop the singletons of a changed response if the settings drop singletons."""
    if "response" in settings.without_singletons:
        return response.keep(response.entity_sizes() > 1)
    return response


def evaluated(
    key: Labels,
    response: Labels,
    *,
    metrics: Sequence[Metric],
    settings: Settings = DEFAULT_SETTINGS,
    name: str = "response",
) -> Evaluation:
    """Score a response against a key; documents are named by their numbers.

    >>> from corefkit.lab.labels import read_pair
    >>> pair = read_pair(["abc"], ["ab", "d"], settings=DEFAULT_SETTINGS)
    >>> result = evaluated(pair.key, pair.response, metrics=partition_metrics(["muc"]))
    >>> result["muc"].recall
    0.5
    """
    table = overlap_table(key.columns(), response.columns())
    counts = {metric.name: metric.count(table) for metric in metrics}
    documents = tuple(map(str, range(key.document_count)))
    return Evaluation("key", name, settings, tuple(metrics), documents, counts)
