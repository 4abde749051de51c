"""Duplicate mentions, counted as the reference scorer v8.01 counts them.

The overlap table requires each mention to be in one entity of a side. The reference
scorer does not enforce this: a mention that the key repeats counts in the size of each
of its entities, but is found in the last of them only; of the response mentions it
drops the later copies of those that the key contains, and keeps the others. The few
documents with duplicates get separate tables here, so that preset `conll2012` returns
its numbers, odd ones included (CEAF above 1, for example).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.alignment.overlap import Entities, Overlap
from corefkit.arrays.columns import find_runs, sort_indices
from corefkit.exceptions import SettingsError
from corefkit.metrics.registry import METRICS
from corefkit.metrics.standard import (
    align_entities,
    b_cubed,
    ceaf_e,
    ceaf_m,
    count_links,
    count_pairs,
    count_shared_links,
    lea,
    merge_halves,
    muc,
    phi4,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from corefkit.arrays.columns import Columns, Counts, Flags, Floats, Ints
    from corefkit.metrics.metric import Metric
    from corefkit.settings import Settings

_REQUIRED = {"match": "exact", "zeros": "position", "split": "ignore"}

# Documents with duplicates: entities are lists of numbered mentions, in two columns.


class Listing(NamedTuple):
    """The mentions of a side, as its entities list them."""

    entity: Ints
    mention: Ints  # equal mentions of either side have the same number


class ListedDocument:
    """One document: the mentions that its entities list, and where each is found.

    Later copies of mentions that the key contains are not in `response`. `key_home` and
    `response_home` are the last entity of each mention, or -1; `shared` are the
    mentions of both sides.
    """

    def __init__(self, key: Listing, response: Listing) -> None:
        numbers = np.concatenate((key.mention, response.mention))
        mentions = int(numbers.max(initial=-1)) + 1
        self.key, self.key_home = key, _find_last(key, mentions)
        is_copy = np.zeros(len(response.mention), np.bool_)
        is_copy[find_copies(response.mention)[1]] = True
        rows = np.flatnonzero(~is_copy | (self.key_home[response.mention] < 0))
        entity = np.unique(response.entity[rows], return_inverse=True)[1]
        self.response = Listing(entity, response.mention[rows])
        self.response_home = _find_last(self.response, mentions)
        self.shared = np.flatnonzero((self.key_home >= 0) & (self.response_home >= 0))
        self._sizes = [np.bincount(side.entity) for side in (key, self.response)]

    @property
    def mention_counts(self) -> list[int]:
        """The number of mentions of both sides, of the key, and of the response."""
        sides = (self.key_home, self.response_home)
        return [len(self.shared), *(int(np.count_nonzero(s >= 0)) for s in sides)]

    @property
    def last_table(self) -> Overlap:
        """The table with each mention in the last of its key entities."""
        return self._build_table(self.key_home[self.shared], self.shared)

    @property
    def full_table(self) -> Overlap:
        """The table with each mention in all key entities that list it, as often."""
        return self._build_table(*self.key)

    def count_distinct(self, table: Overlap) -> Ints:
        """Count the distinct mentions that the entities of each cell share."""
        mentions = max(len(self.key_home), 1)
        listed = np.unique(self.key.entity * mentions + self.key.mention)
        code, shared = self._count_cells(*np.divmod(listed, mentions))
        cells = table.key_entity * self._width + table.response_entity
        return shared[np.searchsorted(code, cells)]

    @property
    def _width(self) -> int:
        return max(len(self._sizes[1]), 1)

    def _count_cells(self, entity: Ints, mention: Ints) -> tuple[Ints, Ints]:
        """Count mentions of key entities by the response entity of each."""
        home = self.response_home[mention]
        is_shared = home >= 0
        code = entity[is_shared] * self._width + home[is_shared]
        return np.unique(code, return_counts=True)

    def _build_table(self, entity: Ints, mention: Ints) -> Overlap:
        code, shared = self._count_cells(entity, mention)
        key, response = (Entities(np.zeros_like(size), size) for size in self._sizes)
        return Overlap(1, key, response, *np.divmod(code, self._width), shared)


def _find_last(listing: Listing, mentions: int) -> Ints:
    """Return the last entity of each mention, -1 if it has none."""
    last = np.full(mentions, -1, np.int64)
    np.maximum.at(last, listing.mention, listing.entity)
    return last


def find_copies(mention: Ints) -> tuple[Ints, Ints]:
    """Find the copies of earlier mentions; return the previous and the present rows."""
    order = sort_indices(mention)
    equal = np.flatnonzero(mention[order][1:] == mention[order][:-1])
    previous, present = order[equal], order[equal + 1]
    ranked = np.argsort(present)
    return previous[ranked], present[ranked]


def list_mentions(key: Columns, response: Columns) -> tuple[Listing, Listing, Ints]:
    """Number the mentions of one document by their tokens, and return their spans."""
    shapes: dict[tuple[tuple[int, int], ...], int] = {}
    rows = [
        np.stack((side.start, side.end, _number_gaps(side, shapes)), axis=1)
        for side in (key, response)
    ]
    mentions, number = np.unique(np.concatenate(rows), axis=0, return_inverse=True)
    key_number, response_number = np.split(number.reshape(-1), [len(key.start)])
    return (
        Listing(key.entity, key_number),
        Listing(response.entity, response_number),
        mentions[:, :2],
    )


def _number_gaps(
    columns: Columns, shapes: dict[tuple[tuple[int, int], ...], int]
) -> Ints:
    """Number the gaps of each mention; 0 if it has none."""
    shape = np.zeros(len(columns.start), np.int64)
    if columns.details is None or not len(columns.details.gap):
        return shape
    for first in find_runs(columns.details.gap).first.tolist():
        mention = int(columns.details.gap[first])
        gaps = columns.mention(mention).gaps
        shape[mention] = shapes.setdefault(gaps, len(shapes) + 1)
    return shape


def check_reference_settings(settings: Settings, *, place: str) -> None:
    """Raise SettingsError unless mentions are compared by their tokens only."""
    for name, expected in _REQUIRED.items():
        value = getattr(settings, name)
        if value != expected:
            message = (
                "this document repeats mentions, which the reference scorer does not "
                f"support if {name} is {value!r}, expected {expected!r}"
            )
            hint = "--repeated first keeps each in the first of its entities"
            raise SettingsError(
                message, code="settings/conflict", place=place, hint=hint
            )


def format_repetitions(
    key: Listing,
    response: Listing,
    spans: Ints,
    names: Sequence[Hashable] | None = None,
) -> list[str]:
    """Format the messages of the reference scorer about repeated mentions.

    Spans are by the number of a mention; those of `names` contain indices of names.
    """
    messages = []
    last = np.full(len(spans), -1, np.int64)
    last[key.mention] = np.arange(len(key.mention))
    previous, present = find_copies(key.mention)
    for first, count in zip(previous.tolist(), present.tolist(), strict=True):
        place = f"{_format_span(spans[key.mention[count]], names)} {first}{count}"
        messages.append(f"Repeated mention in the key: {place}")
    repeated = response.mention[find_copies(response.mention)[1]]
    for mention in repeated[last[repeated] >= 0].tolist():
        place = f"{_format_span(spans[mention], names)} {last[mention]}{last[mention]}"
        messages.append(f"Repeated mention in the response: {place}")
    return messages


def _format_span(span: Ints, names: Sequence[Hashable] | None) -> str:
    name = span.tolist() if names is None else names[int(span[0])]
    return ", ".join(map(str, name if isinstance(name, list | tuple) else (name,)))


# BLANC: sets of links, for which there is no table.


class _Memberships:
    """The entities of each mention of one side, without duplicates."""

    def __init__(self, listing: Listing, mentions: int) -> None:
        width = int(listing.entity.max(initial=0)) + 1
        self.mention, self.entity = np.divmod(
            np.unique(listing.mention * width + listing.entity), width
        )
        self.number = np.bincount(self.mention, minlength=mentions)
        listed = np.bincount(listing.mention, minlength=mentions)
        self.is_listed_twice: Flags = listed > self.number
        # The entity of each mention with exactly one, else -1.
        self.only = np.full(mentions, -1, np.int64)
        self.only[self.mention] = self.entity
        self.only[self.number != 1] = -1

    def mark_linked(self, mention: int) -> Flags:
        """Flag the mentions that share an entity with a mention."""
        first, last = np.searchsorted(self.mention, (mention, mention + 1))
        flags = np.zeros(len(self.number), np.bool_)
        flags[self.mention[np.isin(self.entity, self.entity[first:last])]] = True
        return flags


def blanc_counts(document: ListedDocument) -> Floats:
    """Count BLANC: sets of links, in which a repeated mention may be linked to itself.

    A pair of mentions is a coreference link if they share an entity, and a
    non-coreference link if they are in two different entities; it may be both.
    """
    mentions = len(document.key_home)
    key = _Memberships(document.key, mentions)
    response = _Memberships(document.response, mentions)
    links = _count_coreference(key, response)
    links += _count_flags(key.is_listed_twice, response.is_listed_twice)
    other_links = _count_non_coreference(key, response)
    other_links += _count_flags(key.number > 1, response.number > 1)
    return np.array([[*links, *other_links, *document.mention_counts]], np.float64)


def _count_flags(key: Flags, response: Flags) -> Ints:
    """Count what both sides have, and each side: as numerators and denominators."""
    shared = np.count_nonzero(key & response)
    return np.array([shared, np.count_nonzero(key), shared, np.count_nonzero(response)])


def _count_coreference(key: _Memberships, response: _Memberships) -> Ints:
    """Count the pairs of mentions that share an entity.

    Mentions with one entity are counted by entity; the few others are compared with
    these and with each other.
    """
    is_counted = (key.number <= 1) & (response.number <= 1)
    key_entity, response_entity = (
        np.where(is_counted, side.only, -1) for side in (key, response)
    )
    shared = _count_equal_pairs(key_entity, response_entity)
    in_key, in_response = map(_count_equal_pairs, (key_entity, response_entity))
    counts = np.array([shared, in_key, shared, in_response])
    for mention in np.flatnonzero(~is_counted).tolist():
        linked = (side.mark_linked(mention) & is_counted for side in (key, response))
        counts += _count_flags(*linked)
        is_counted[mention] = True
    return counts


def _count_non_coreference(key: _Memberships, response: _Memberships) -> Ints:
    """Count the pairs of mentions that are in two different entities.

    These are all pairs except those of two mentions in the same single entity.
    """
    is_shared = (key.number > 0) & (response.number > 0)
    key_only, response_only = key.only[is_shared], response.only[is_shared]
    neither = (
        _count_different(key_only)
        + _count_different(response_only)
        + _count_equal_pairs(key_only, response_only)
        - _sum_pairs([len(key_only)])
    )
    in_key = _count_different(key.only[key.number > 0])
    in_response = _count_different(response.only[response.number > 0])
    return np.array([neither, in_key, neither, in_response])


def _count_different(only: Ints) -> int:
    return _sum_pairs([len(only)]) - _count_equal_pairs(only)


def _count_equal_pairs(*entities: Ints) -> int:
    """Count the pairs of mentions with the same entities, none of which is -1."""
    rows = np.stack(entities)
    rows = rows[:, (rows >= 0).all(axis=0)]
    return _sum_pairs(np.unique(rows, axis=1, return_counts=True)[1])


def _sum_pairs(sizes: Ints | Sequence[int]) -> int:
    return int(count_pairs(np.asarray(sizes, np.int64)).sum())


# The other metrics: each is the plain metric, of the table on which the reference
# scorer counts it.


def mentions_counts(document: ListedDocument) -> Floats:
    """Count mentions, without duplicates."""
    shared, key, response = document.mention_counts
    return np.array([[shared, key, shared, response]], np.float64)


def muc_counts(document: ListedDocument) -> Floats:
    """Count MUC: mentions are in the last of their entities."""
    return muc(document.last_table)


def b_cubed_counts(document: ListedDocument) -> Floats:
    """Count B³: mentions are in the last of their entities, with all mentions there."""
    table = document.last_table
    return b_cubed(table, document.count_distinct(table))


def ceaf_m_counts(document: ListedDocument) -> Floats:
    """Count CEAFm: mentions are in all of their entities."""
    return ceaf_m(document.full_table)


def ceaf_e_counts(document: ListedDocument) -> Floats:
    """Count CEAFe: mentions are in all of their entities."""
    return ceaf_e(document.full_table)


def lea_counts(document: ListedDocument) -> Floats:
    """Count LEA: for precision, key mentions are in the last of their entities."""
    return merge_halves(lea(document.full_table), lea(document.last_table))


# B³, CEAFe and LEA added in the order, and with the rounding, of the reference scorer.
#
# It truncates percentages: if a score is 20 %, it prints 20 or 19.99, depending on the
# last bits of a sum. They are equal here if the same numbers are added in the same
# order: for B³ the share of each response mention, for CEAFe one minus the cost of
# each key entity, for LEA the share of the links of each entity times its size. The
# other metrics count integers, which have one sum. `np.bincount` adds in order.


def apply_reference_order(metrics: Iterable[Metric]) -> list[Metric]:
    """Replace metrics by those that add in the order of the reference scorer."""
    return [_ORDERED.get(metric.name, metric) for metric in metrics]


def add_in_order(rows: Counts) -> Counts:
    """Add up the counts of documents in their order."""
    if len(rows):
        rows = np.add.accumulate(rows, axis=0)[-1:]
    total: Counts = rows.sum(axis=0)
    return total


def _count_b_cubed(table: Overlap) -> Counts:
    """Count B³ for each document; a table without mentions has no order."""
    counts = b_cubed(table)
    if table.behind is None:
        return counts
    order = np.argsort(table.behind.alignment.response, kind="stable")
    return _add_shares(counts, table, table.cells_of_mentions()[order], table.shared)


def _count_listed_b_cubed(document: ListedDocument) -> Counts:
    table = document.last_table
    common = document.count_distinct(table)
    entity, mention = document.response
    home = document.key_home[mention]
    width = max(len(table.response), 1)
    cells = table.key_entity * width + table.response_entity
    cell = np.searchsorted(cells, (home * width + entity)[home >= 0])
    return _add_shares(b_cubed(table, common), table, cell, common)


def _add_shares(counts: Counts, table: Overlap, cell: Ints, common: Counts) -> Floats:
    """Add the shares of response mentions, given by their cells, in their order."""
    document = table.document[cell]
    counts = counts.astype(np.float64)
    for column, size in ((0, table.key_size), (2, table.response_size)):
        shares = (common / size)[cell]
        counts[:, column] = np.bincount(document, shares, len(counts))
    return counts


def _count_ceaf_e(table: Overlap) -> Counts:
    """Count CEAFe for each document, with the cells in the order of the key."""
    counts = ceaf_e(table).astype(np.float64)
    weight = phi4(table.shared, table.key_size, table.response_size)
    cells = align_entities(table.key_entity, table.response_entity, weight)
    gain = 1 - (1 - weight[cells])
    total = np.bincount(table.document[cells], gain, len(counts))
    counts[:, 0] = counts[:, 2] = total
    return counts


def _count_listed_ceaf_e(document: ListedDocument) -> Counts:
    return _count_ceaf_e(document.full_table)


def _count_lea(table: Overlap) -> Counts:
    """Count LEA for each document, with one rounded share for each entity."""
    counts = lea(table).astype(np.float64)
    shared = count_shared_links(table.shared, table.key_size, table.response_size)
    sides = (table.key, table.key_entity), (table.response, table.response_entity)
    for column, (entities, entity) in zip((0, 2), sides, strict=True):
        resolved = np.bincount(entity, shared, len(entities))
        # An entity without mentions has no links.
        share = resolved / np.maximum(count_links(entities.size), 1) * entities.size
        counts[:, column] = np.bincount(entities.document, share, len(counts))
    return counts


def _count_listed_lea(document: ListedDocument) -> Counts:
    return merge_halves(
        _count_lea(document.full_table), _count_lea(document.last_table)
    )


_ORDERED = {
    name: replace(METRICS[name], count=count, reference=reference)
    for name, count, reference in (
        ("b_cubed", _count_b_cubed, _count_listed_b_cubed),
        ("ceaf_e", _count_ceaf_e, _count_listed_ceaf_e),
        ("lea", _count_lea, _count_listed_lea),
    )
}
