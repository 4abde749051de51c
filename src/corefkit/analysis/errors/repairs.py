"""Repairs: responses without some kinds of errors, and their scores.

Each error has an edit, and kinds are repaired in one order:

    span             the response mention gets the key mention's tokens
    conflated        the piece becomes a separate entity
    extra mention    it is removed
    extra entity     its extra mentions are removed
    divided          the entity that contains the piece by then is merged with that of
                     the key entity's anchor; a missing anchor is added to it
    missing mention  it is added to the entity of its anchor; if that is not there, of
                     the earliest mention of its key entity that is
    missing entity   its missing mentions are added the same way, or as a new entity

If an edit leaves an entity with one mention, and the key lacks that mention, it is
removed too: these are the anchors that are not separate errors. With all kinds
repaired, the response equals the key.

Errors are found once, with span errors repaired. If these are not to be repaired, a
response mention moves along with the key mention that it is paired with, and keeps its
tokens.

A document's counts depend only on which of the kinds that it has are repaired, so each
such choice is counted once, and all of them together are one overlap table. The
response as it is has the counts of its score. Settings that drop mentions do so once,
before errors are found: singletons that a repair creates are kept.

Corrected documents have the words of the response if its tokens are the key's, else
those of the key. Mentions keep the attributes of their side. Bridging and split
antecedents, which no kind repairs, are ignored, and so are mentions that the settings
drop.

Source: Kummerfeld and Klein 2013, whose program keeps those anchors.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from typing import TypeAlias

import numpy as np

from corefkit.alignment.overlap import Entities, Overlap
from corefkit.alignment.pipeline import Run
from corefkit.alignment.scored_mentions import AlignedBlock
from corefkit.analysis.errors.error_analysis import KINDS, RESPONSE, Scores
from corefkit.analysis.errors.kinds import KindErrors, RowGroups, find_first_rows
from corefkit.analysis.errors.mentions import MentionTable
from corefkit.arrays.columns import Flags, Floats, Ints, sort_indices
from corefkit.evaluation import Evaluation
from corefkit.exceptions import SettingsError
from corefkit.metrics.metric import Metric
from corefkit.model import Document, Entity, Mention
from corefkit.settings import Settings

# The kinds that are repaired.
Repair: TypeAlias = frozenset[str]
# Repairs by the names of their results. The ladder repairs one kind more at a time.
LADDER: Mapping[str, Repair] = {
    RESPONSE: frozenset(),
    **{kind: frozenset(KINDS[: number + 1]) for number, kind in enumerate(KINDS)},
}
ALONE: Mapping[str, Repair] = {kind: frozenset({kind}) for kind in KINDS}
ALL_BUT: Mapping[str, Repair] = {kind: frozenset(KINDS) - {kind} for kind in KINDS}
REPAIRS: tuple[Repair, ...] = tuple(
    dict.fromkeys([*LADDER.values(), *ALONE.values(), *ALL_BUT.values()])
)
_MAX_TABLE_MENTIONS = 1 << 16  # counted at once, unless one repair has more


def apply_repair(kinds: KindErrors, repair: Collection[str]) -> Ints:
    """Return the entities of the rows of `original`, new ones last, after a repair."""
    state = _RepairState(kinds)
    for kind in KINDS[1:]:
        if kind in repair:
            state.repair(kind)
    entity, spans = state.entity, kinds.spans
    if "span" not in repair:
        entity[spans.response] = entity[spans.key]
        entity[spans.key] = -1
    return entity


class _RepairState:
    """The partly repaired response: an entity for each mention that it has."""

    def __init__(self, kinds: KindErrors) -> None:
        self.kinds = kinds
        self.entity = kinds.table.response_entity.copy()
        # Numbers of new entities: one for each piece, then one for each key entity.
        self._piece_offset = len(kinds.response.size)
        self._key_offset = self._piece_offset + len(kinds.pieces.size)
        self._entities = self._key_offset + len(kinds.key.size)

    def repair(self, kind: str) -> None:
        key, response, table = self.kinds.key, self.kinds.response, self.kinds.table
        if kind == "conflated":
            self._split_pieces()
        elif kind == "extra_mention":
            self._remove(np.flatnonzero(response.is_mention_error))
        elif kind == "extra_entity":
            rows = _find_flagged(table.response_entity, response.is_entity_error)
            self._remove(rows[response.is_unmatched[rows]])
        elif kind == "divided":
            self._join_pieces()
        elif kind == "missing_mention":
            self._add(np.flatnonzero(key.is_mention_error))
        elif kind == "missing_entity":
            rows = _find_flagged(table.key_entity, key.is_entity_error)
            self._add(rows[self.entity[rows] < 0])

    def _split_pieces(self) -> None:
        pieces, is_detached = self.kinds.pieces, self.kinds.response.is_detached
        rows = _find_flagged(pieces.of, is_detached)
        self.entity[rows] = self._piece_offset + pieces.of[rows]
        self._remove_leftovers(pieces.response[is_detached])

    def _remove(self, rows: Ints) -> None:
        changed = self.entity[rows]
        self.entity[rows] = -1
        self._remove_leftovers(changed[changed >= 0])

    def _remove_leftovers(self, changed: Ints) -> None:
        """Remove the last mentions of changed entities if the key lacks them."""
        is_leftover = np.zeros(self._entities, np.bool_)
        is_leftover[changed] = True
        sizes = np.bincount(self.entity[self.entity >= 0], minlength=self._entities)
        is_leftover &= sizes == 1
        is_extra = self.kinds.response.is_unmatched & (self.entity >= 0)
        extra = np.flatnonzero(is_extra)
        self.entity[extra[is_leftover[self.entity[extra]]]] = -1

    def _join_pieces(self) -> None:
        pieces, key = self.kinds.pieces, self.kinds.key
        key_entity = pieces.key[key.is_detached]
        anchor = key.anchor[key_entity]
        is_missing = self.entity[anchor] < 0
        self.entity[anchor[is_missing]] = self._key_offset + key_entity[is_missing]
        piece = self.entity[pieces.first[key.is_detached]]
        number = _join_groups(piece, self.entity[anchor], self._entities)
        exists = self.entity >= 0
        self.entity[exists] = number[self.entity[exists]]

    def _add(self, rows: Ints) -> None:
        key, entity = self.kinds.key, self.kinds.table.key_entity
        present = np.flatnonzero((entity >= 0) & (self.entity >= 0))
        first = find_first_rows(entity, present, len(key.size))
        first = np.where(self.entity[key.anchor] >= 0, key.anchor, first)
        new = self._key_offset + np.arange(len(first))
        target = np.where(first < 0, new, self.entity[first])
        self.entity[rows] = target[entity[rows]]


def _find_flagged(group: Ints, flags: Flags) -> Ints:
    rows = np.flatnonzero(group >= 0)
    return rows[flags[group[rows]]]


def _join_groups(first: Ints, second: Ints, groups: int) -> Ints:
    """Join pairs of groups transitively: return the lowest index of each component."""
    lowest = np.arange(groups)
    while True:
        left, right = lowest[first], lowest[second]
        if np.array_equal(left, right):
            return lowest
        np.minimum.at(lowest, np.maximum(left, right), np.minimum(left, right))
        while not np.array_equal(lowest, lowest[lowest]):
            lowest = lowest[lowest]


def list_repaired_entities(
    table: MentionTable, entity: Ints
) -> list[list[tuple[Hashable, ...]]]:
    """Return the entities of each document, by their first mentions, after a repair."""
    groups = RowGroups(entity)
    entities: list[list[tuple[Hashable, ...]]] = [[] for _ in range(table.documents)]
    rows = np.flatnonzero(entity >= 0)
    first = np.sort(rows[np.unique(entity[rows], return_index=True)[1]])
    for row in first.tolist():
        members = groups.get_rows(int(entity[row]))
        mentions = tuple([table.mention(member) for member in members])
        entities[int(table.document[row])].append(mentions)
    return entities


def build_repair_table(
    kinds: KindErrors,
    repairs: Sequence[tuple[Collection[str], Flags]],
    *,
    has_members: bool = False,
) -> Overlap:
    """Build one overlap table of all repairs, each with flags of its documents."""
    parts = []
    documents = 0
    offsets = np.zeros(2, np.int64)  # of the entities of both sides
    for repair, is_included in repairs:
        number = documents - 1 + np.cumsum(is_included)
        documents += int(is_included.sum())
        rows = np.flatnonzero(is_included[kinds.table.document])
        document = number[kinds.table.document[rows]]
        sides = kinds.table.key_entity[rows], apply_repair(kinds, repair)[rows]
        shifted = [
            np.where(entity < 0, -1, entity + offset)
            for entity, offset in zip(sides, offsets, strict=True)
        ]
        offsets += [1 + entity.max(initial=0) for entity in sides]
        parts.append((rows, document, *shifted))
    rows, document, *all_sides = map(np.concatenate, zip(*parts, strict=True))
    numbers: list[Ints] = []
    entities = []
    for entity in all_sides:
        exists = np.flatnonzero(entity >= 0)
        size = np.bincount(entity[exists])
        entity_document = np.zeros(len(size), np.int64)
        entity_document[entity[exists]] = document[exists]
        order = np.flatnonzero(size)
        order = order[sort_indices(entity_document[order])]
        index = np.full(len(size) + 1, -1, np.int64)  # the last is for -1
        index[order] = np.arange(len(order))
        numbers.append(index[entity])
        entities.append(Entities(entity_document[order], size[order]))
        if has_members:
            entities[-1].members = _make_lookup(kinds.original, rows, numbers[-1])
    key, response = numbers
    is_shared = (key >= 0) & (response >= 0)
    width = max(len(entities[1]), 1)
    cells, shared = np.unique(
        key[is_shared] * width + response[is_shared], return_counts=True
    )
    key_entity, response_entity = np.divmod(cells, width)
    return Overlap(
        documents, entities[0], entities[1], key_entity, response_entity, shared
    )


def _make_lookup(
    table: MentionTable, rows: Ints, number: Ints
) -> Callable[[int], tuple[Hashable, ...]]:
    group_rows = cache(lambda: RowGroups(number))

    def get_members(entity: int) -> tuple[Hashable, ...]:
        members = group_rows().get_rows(entity)
        return tuple([table.mention(int(rows[member])) for member in members])

    return get_members


@dataclass(slots=True)
class RepairCosts:
    """The counts of one response under some repairs, a row for each document."""

    metrics: tuple[Metric, ...]
    settings: Settings
    repairs: Sequence[Repair] = REPAIRS
    counts: dict[Repair, list[Mapping[str, Floats]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for metric in self.metrics:
            if metric.needs:
                message = (
                    f"{metric.name!r} needs more of mentions than their entities, "
                    f"{metric.needs}, which repaired responses do not have"
                )
                raise SettingsError(
                    message,
                    code="settings/unsupported-metric",
                    hint="choose others for --repair",
                )

    def add(self, block: AlignedBlock, kinds: KindErrors) -> None:
        choices = _choose_documents(kinds, self.repairs)
        repairs = [(repair, is_new) for repair, is_new, _ in choices if is_new.any()]
        step = max(_MAX_TABLE_MENTIONS // max(len(kinds.table), 1), 1)
        tables = (
            build_repair_table(
                kinds, repairs[first : first + step], has_members=self.settings.is_exact
            )
            for first in range(0, len(repairs), step)
        )
        counts: dict[str, list[Floats]] = {metric.name: [] for metric in self.metrics}
        for table in chain([block.table], tables):
            for metric in self.metrics:
                counts[metric.name].append(metric.count(table))
        all_counts = {name: np.concatenate(parts) for name, parts in counts.items()}
        for repair, _, rows in choices:
            chosen = {name: all_counts[name][rows] for name in all_counts}
            self.counts.setdefault(repair, []).append(chosen)

    def score(
        self, repairs: Mapping[str, Repair], settings: Settings | None = None
    ) -> dict[str, Scores]:
        """Compute F1, or the value, of each metric, and the CoNLL mean of its parts."""
        settings = settings or self.settings
        results: dict[str, Scores] = {}
        for step, repair in repairs.items():
            counts = {
                metric.name: np.concatenate(
                    [block[metric.name] for block in self.counts[repair]]
                )
                for metric in self.metrics
            }
            documents = ("",) * len(counts[self.metrics[0].name])
            evaluation = Evaluation("", "", settings, self.metrics, documents, counts)
            scores = {
                name: score.f1 if score.value is None else score.value
                for name, score in evaluation.scores.items()
            }
            if (conll := evaluation.conll) is not None:
                scores["conll"] = conll
            results[step] = scores
        return results


def _choose_documents(
    kinds: KindErrors, repairs: Iterable[Repair]
) -> list[tuple[Repair, Flags, Ints]]:
    """Return flags of the documents to count for each repair, and rows of counts."""
    documents = kinds.table.documents
    present = (kinds.counts > 0) @ (1 << np.arange(len(KINDS)))
    # The row of each document for each set of its kinds that is repaired.
    row = np.full((documents, 1 << len(KINDS)), -1, np.int64)
    row[:, 0] = np.arange(documents)
    document, rows = np.arange(documents), documents
    choices = []
    for repair in repairs:
        repaired = present & sum(1 << KINDS.index(kind) for kind in repair)
        is_new: Flags = row[document, repaired] < 0
        added = int(is_new.sum())
        row[is_new, repaired[is_new]] = rows + np.arange(added)
        rows += added
        choices.append((repair, is_new, row[document, repaired]))
    return choices


def read_base_document(
    run: Run, block: AlignedBlock, row: int
) -> tuple[Document, Document]:
    """Return the document to correct, without entities, and one with all mentions."""
    if block.table.mentions.key.names is not None:
        message = "mentions that are names cannot be written as documents"
        hint = "give files or documents, whose mentions are spans of tokens"
        raise SettingsError(message, code="input/not-a-span", hint=hint)
    number, partner = block.key.numbers[row], block.response.numbers[row]
    key = run.key.read_document(number or 0)
    if partner is None:
        return replace(key, entities=(), bridges=()), key
    response = run.response.read_document(partner)
    has_words = response.sentences or not key.sentences
    if row in block.differences or response.empty != key.empty or not has_words:
        # Mentions have the key's tokens, and require its words.
        return replace(key, id=response.id, entities=(), bridges=()), key
    merged = replace(response, entities=(*response.entities, *key.entities))
    return replace(response, entities=(), bridges=()), merged


def build_corrected_document(
    base: Document, source: Document, entities: Sequence[Sequence[Hashable]]
) -> Document:
    """Put entities into a document, with the attributes of mentions of the source."""
    mentions: dict[Hashable, Mention] = {}
    for entity in source.entities:
        for mention in entity.mentions:
            mentions.setdefault(mention, mention)
    corrected = [
        Entity(
            str(number),
            tuple(mentions.get(m, m) for m in members if isinstance(m, Mention)),
        )
        for number, members in enumerate(entities)
    ]
    return replace(base, entities=tuple(corrected))
