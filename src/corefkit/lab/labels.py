"""Key and response as arrays: the mention, entity and document of each; their scores.

The laboratory changes entities and scores the result many times. It requires only the
identity of mentions, which the settings decide once when the files are read; from then
on a mention is a number.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.alignment.overlap import build_overlap
from corefkit.alignment.pipeline import iter_aligned_blocks, open_runs
from corefkit.arrays.columns import Columns, find_runs
from corefkit.evaluation import Evaluation
from corefkit.exceptions import SettingsError
from corefkit.metrics.registry import find_metrics, is_all_requested, iter_metrics
from corefkit.settings import DEFAULT_SETTINGS, Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefkit.alignment.pipeline import Run
    from corefkit.arrays.columns import Flags, Ints
    from corefkit.formats import Input
    from corefkit.metrics.metric import Metric


@dataclass(frozen=True, slots=True)
class EntityLabels:
    """The mentions of one side, each with its entity and its document."""

    mention: Ints  # unique in the corpus; equal on both sides if the mentions match
    entity: Ints  # unique in the corpus
    document: Ints  # from 0 on
    document_count: int

    def __len__(self) -> int:
        """Count the mentions."""
        return len(self.mention)

    def keep(self, mentions: Flags | Ints) -> EntityLabels:
        """Select mentions by flags, or by indices and in their order."""
        return EntityLabels(
            self.mention[mentions],
            self.entity[mentions],
            self.document[mentions],
            self.document_count,
        )

    def get_entity_sizes(self) -> Ints:
        """Return the size of each mention's entity."""
        return count_occurrences(self.entity)

    def relabel(self, entity: Ints) -> EntityLabels:
        """Put the mentions into other entities."""
        return replace(self, entity=entity)

    def columns(self) -> Columns:
        """Convert the mentions to the columns of an overlap table."""
        order = np.lexsort((self.mention, self.entity, self.document))
        first, size = find_runs(self.entity[order])
        mention = self.mention[order]
        return Columns(
            entity=np.repeat(np.arange(len(first)), size),
            start=mention,
            end=mention,
            entity_document=self.document[order[first]],
            token_count=np.full(self.document_count, -1, np.int64),
            text_hash=np.zeros(self.document_count, np.uint64),
        )


def count_occurrences(numbers: Ints) -> Ints:
    """Count how often each number occurs."""
    _, kind, count = np.unique(numbers, return_inverse=True, return_counts=True)
    return count[kind]


def join_labels(parts: Sequence[EntityLabels]) -> EntityLabels:
    """Join mentions of the same documents into one side."""
    return EntityLabels(
        np.concatenate([part.mention for part in parts]),
        np.concatenate([part.entity for part in parts]),
        np.concatenate([part.document for part in parts]),
        parts[0].document_count,
    )


class LabelPair(NamedTuple):
    """The labels of key and response."""

    key: EntityLabels
    response: EntityLabels
    names: tuple[str, str]  # display names of key and response
    notes: tuple[str, ...]  # about the input, one sentence each
    warnings: tuple[str, ...] = ()  # about unusually few matching mentions


def read_pair(
    key: Input, response: Input, *, settings: Settings, format: str | None = None
) -> LabelPair:
    """Read key and response, align their mentions by the settings, and number them.

    >>> from corefkit.settings import DEFAULT_SETTINGS
    >>> pair = read_pair(["abc"], ["ab", "d"], settings=DEFAULT_SETTINGS)
    >>> pair.key.mention.tolist(), pair.response.mention.tolist()
    ([0, 1, 2], [0, 1, 5])
    """
    with open_runs(key, [response], settings=settings, format=format) as (run,):
        return _number_mentions(run)


def read_key(key: Input, *, settings: Settings, format: str | None = None) -> LabelPair:
    """Read a key alone; the response is the key itself.

    >>> from corefkit.settings import DEFAULT_SETTINGS
    >>> read_key(["abc"], settings=DEFAULT_SETTINGS).response.mention.tolist()
    [0, 1, 2]
    """
    # Each mention matches itself and nothing else.
    settings = replace(settings, match="exact")
    with open_runs(key, [], settings=settings, format=format, alone=True) as (run,):
        pair = _number_mentions(run)
    return pair._replace(response=pair.key)


def _number_mentions(run: Run) -> LabelPair:
    """Number the mentions: those of the key first, then those of the response only."""
    sides: tuple[list[EntityLabels], list[EntityLabels]] = ([], [])
    mentions = entities = documents = 0
    for _, block in iter_aligned_blocks([run]):
        table = block.table
        key, response = table.mentions.key, table.mentions.response
        of_key = np.arange(len(key.entity))
        of_response = len(key.entity) + np.arange(len(response.entity))
        of_response[table.mentions.alignment.response] = table.mentions.alignment.key
        for side, columns, number in zip(
            sides, (key, response), (of_key, of_response), strict=True
        ):
            side.append(
                EntityLabels(
                    mentions + number,
                    entities + columns.entity,
                    documents + columns.document,
                    len(run.numbers),
                )
            )
        mentions += len(of_key) + len(of_response)
        entities += max(len(table.key), len(table.response))
        documents += table.documents
    return LabelPair(
        join_labels(sides[0]),
        join_labels(sides[1]),
        (run.key.name, run.response.name),
        run.notes,
        run.warnings,
    )


def list_partition_metrics() -> list[str]:
    """List the metrics that can be counted on partitions."""
    return [metric.name for metric in iter_metrics() if not metric.needs]


def find_partition_metrics(
    wanted: str | Iterable[str | Metric] | None,
) -> tuple[Metric, ...]:
    """Find metrics by name, and reject those that partitions do not support.

    `all` means those that partitions support.
    """
    metrics = find_metrics(wanted)
    if is_all_requested(wanted):
        return tuple(metric for metric in metrics if not metric.needs)
    for metric in metrics:
        if metric.needs:
            message = (
                f"{metric.name!r} needs more than the entities of mentions: "
                f"{metric.needs}"
            )
            hint = f"the laboratory counts {', '.join(list_partition_metrics())}, conll"
            raise SettingsError(message, code="settings/unsupported-metric", hint=hint)
    return metrics


def adapt_settings(settings: Settings) -> Settings:
    """Adapt settings to partitions, or reject unsupported ones.

    Repeated mentions are resolved when a file is read, so `repeated="reference"` has no
    effect.
    """
    if settings.scores_split:
        message = "the laboratory changes partitions, which have no split antecedents"
        raise SettingsError(
            message, code="settings/unsupported-setting", hint="use --split ignore"
        )
    if settings.counts_copies:
        return replace(settings, repeated="first")
    return settings


def check_minimum(name: str, value: int, least: int) -> None:
    """Reject a number below the minimum."""
    if value < least:
        message = f"the {name} is {value}, expected {least} or more"
        raise SettingsError(message, code="settings/invalid-value")


def drop_singletons(response: EntityLabels, settings: Settings) -> EntityLabels:
    """Drop the singletons of a changed response if the settings require it."""
    if "response" in settings.without_singletons:
        return response.keep(response.get_entity_sizes() > 1)
    return response


def evaluate_labels(
    key: EntityLabels,
    response: EntityLabels,
    *,
    metrics: Sequence[Metric],
    settings: Settings = DEFAULT_SETTINGS,
    name: str = "response",
) -> Evaluation:
    """Score a response against a key; the ids of documents are numbers."""
    table = build_overlap(key.columns(), response.columns())
    counts = {metric.name: metric.count(table) for metric in metrics}
    documents = tuple(map(str, range(key.document_count)))
    return Evaluation("key", name, settings, tuple(metrics), documents, counts)
