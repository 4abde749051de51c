"""Responses that get worse, or better, step by step.

Each function draws one random order and yields a response for each share. A larger
share continues where a smaller one ended, so that chance puts no jumps into a curve.
Mentions and entities never leave their document, and a response is always a partition.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.arrays.columns import find_runs, rank_in_runs
from corefkit.lab.labels import Labels, Pair, joined

if TYPE_CHECKING:
    from numpy.random import Generator

    from corefkit.arrays.columns import Flags, Ints

Shares: TypeAlias = Sequence[float]
Responses: TypeAlias = Iterator[Labels]


def split(pair: Pair, random: Generator, shares: Shares) -> Responses:
    """Cut entities into parts.

    The mentions of an entity stand in a random row. A cut between two neighbours
    separates all before it from all behind it, and costs one link as MUC counts them.
    """
    rows = _rows(pair.key, random)
    for cut in _growing(rows.position > 0, random, shares):
        yield rows.labels.relabelled(np.cumsum((rows.position == 0) | cut))


def merge(pair: Pair, random: Generator, shares: Shares) -> Responses:
    """Join entities of a document, which stand in a random row, to their neighbours."""
    entities = _entities(pair.key)
    order = np.lexsort((random.random(len(entities.size)), entities.document))
    has_neighbour = np.ones(len(order), np.bool_)
    has_neighbour[find_runs(entities.document[order]).first] = False
    for joint in _growing(has_neighbour, random, shares):
        label = np.empty(len(order), np.int64)
        label[order] = np.cumsum(~joint)
        yield pair.key.relabelled(label[entities.number])


def extra(pair: Pair, random: Generator, shares: Shares) -> Responses:
    """Add mentions that the key lacks: one for each mention, in its entity."""
    key = pair.key
    spurious = Labels(_new_mentions(key), key.entity, key.document, key.document_count)
    for added in _growing(np.ones(len(key), np.bool_), random, shares):
        yield joined([key, spurious.keep(added)])


def extra_apart(pair: Pair, random: Generator, shares: Shares) -> Responses:
    """Add entities of two mentions that the key lacks.

    A document gets as many mentions as the key has there, minus one if that is odd.
    """
    key = pair.key
    document = np.sort(key.document)
    couple = np.cumsum(rank_in_runs(document) % 2 == 0) - 1
    entity = _next(key.entity) + couple
    spurious = Labels(_new_mentions(key), entity, document, key.document_count)
    for added in _growing(np.bincount(couple) == 2, random, shares):
        yield joined([key, spurious.keep(added[couple])])


def missing(pair: Pair, random: Generator, shares: Shares) -> Responses:
    """Drop mentions; the last one of an entity stays as a singleton until its turn."""
    for dropped in _growing(np.ones(len(pair.key), np.bool_), random, shares):
        yield pair.key.keep(~dropped)


def wrong_links(pair: Pair, random: Generator, shares: Shares) -> Responses:
    """Move mentions out of their entities into new ones, where every link is wrong.

    No mention is missing. If the largest entity of a document has more mentions than
    all others together, those of its mentions that find no wrong partner stay.
    """
    wrong = _wrong_entities(pair.key, random)
    for formed in _growing(wrong.size, random, shares):
        entity = np.where(
            formed[wrong.entity], _next(pair.key.entity) + wrong.entity, pair.key.entity
        )
        yield pair.key.relabelled(entity)


def identification(pair: Pair, random: Generator, shares: Shares) -> Responses:
    """Start empty, and add key mentions in entities where every link is wrong.

    The entities are those of `wrong_links`. Mentions without a wrong partner are never
    added.
    """
    wrong = _wrong_entities(pair.key, random)
    for formed in _growing(wrong.size, random, shares):
        yield pair.key.relabelled(wrong.entity).keep(formed[wrong.entity])


def correct_links(pair: Pair, random: Generator, shares: Shares) -> Responses:
    """Start empty, and add links of the key with the mentions that they link.

    An entity has one link less than mentions, as MUC counts them; a singleton has one,
    to itself. The first link of an entity brings two mentions, each other link one.
    """
    rows = _rows(pair.key, random)
    resolvable = (rows.position > 0) | (rows.size[rows.number] == 1)
    for resolved in _growing(resolvable, random, shares):
        links = np.bincount(rows.number[resolved], minlength=len(rows.size))
        links = links[rows.number]
        yield rows.labels.keep((links > 0) & (rows.position <= links))


def increasing(pair: Pair, random: Generator, shares: Shares) -> Responses:
    """Start empty, and add whole entities, the smallest of the corpus first."""
    return _by_size(pair.key, 1, random, shares)


def decreasing(pair: Pair, random: Generator, shares: Shares) -> Responses:
    """Start empty, and add whole entities, the largest of the corpus first."""
    return _by_size(pair.key, -1, random, shares)


def twinless(pair: Pair, random: Generator, shares: Shares) -> Responses:
    """Drop mentions of the response that the key lacks.

    All others stay in their entities, even alone.
    """
    lacking = ~np.isin(pair.response.mention, pair.key.mention)
    for dropped in _growing(lacking, random, shares):
        yield pair.response.keep(~dropped)


def _growing(size: Flags | Ints, random: Generator, shares: Shares) -> Iterator[Flags]:
    """Flag a growing share of units, in one random order for all shares.

    A unit of size 2 counts as two of size 1; a unit of size 0 is never flagged.
    """
    order = random.permutation(np.flatnonzero(size))
    total = np.cumsum(size[order])
    for share in shares:
        flags = np.zeros(len(size), np.bool_)
        wanted = round(share * size.sum())
        flags[order[: np.searchsorted(total, wanted, side="right")]] = True
        yield flags


def _by_size(key: Labels, sign: int, random: Generator, shares: Shares) -> Responses:
    entities = _entities(key)
    order = np.lexsort((random.random(len(entities.size)), sign * entities.size))
    for share in shares:
        resolved = np.zeros(len(order), np.bool_)
        resolved[order[: round(share * len(order))]] = True
        yield key.keep(resolved[entities.number])


class _Entities(NamedTuple):
    """The size and document of each entity, and the entity number of each mention."""

    size: Ints
    document: Ints
    number: Ints


def _entities(labels: Labels) -> _Entities:
    _, first, number, size = np.unique(
        labels.entity, return_index=True, return_inverse=True, return_counts=True
    )
    return _Entities(size, labels.document[first], number)


class _Rows(NamedTuple):
    """Mentions in rows, a row for each entity, in random order."""

    labels: Labels  # row after row
    number: Ints  # of each mention's row
    position: Ints  # of each mention in its row
    size: Ints  # of each row


def _rows(labels: Labels, random: Generator) -> _Rows:
    order = np.lexsort((random.random(len(labels)), labels.entity))
    ordered = labels.keep(order)
    size = find_runs(ordered.entity).size
    number = np.repeat(np.arange(len(size)), size)
    return _Rows(ordered, number, rank_in_runs(ordered.entity), size)


class _WrongEntities(NamedTuple):
    """Entities without correct links: the one of each mention, and the size of each.

    The last one stands for none, with size 0: it has the mentions without a wrong
    partner.
    """

    entity: Ints
    size: Ints


def _wrong_entities(key: Labels, random: Generator) -> _WrongEntities:
    """Deal the mentions of a document out, entity after entity, like cards.

    There are as many hands as entities, but few enough for two mentions each; and at
    least as many as the largest entity has mentions, so that no hand gets two mentions
    of one entity.
    """
    entities = _entities(key)
    mentions = np.bincount(key.document, minlength=key.document_count)
    hands = np.bincount(entities.document, minlength=key.document_count)
    hands = np.minimum(hands, mentions // 2)
    np.maximum.at(hands, entities.document, entities.size)
    row = random.permutation(len(entities.size))[entities.number]
    order = np.lexsort((random.random(len(key)), row, key.document))
    document = key.document[order]
    turn = rank_in_runs(document) % hands[document]
    hand = (np.cumsum(hands) - hands)[document] + turn
    size = np.bincount(hand, minlength=hands.sum())
    several = size > 1
    number = np.where(several, np.cumsum(several) - 1, several.sum())
    entity = np.empty(len(key), np.int64)
    entity[order] = number[hand]
    return _WrongEntities(entity, np.append(size[several], 0))


def _new_mentions(key: Labels) -> Ints:
    """Return numbers of mentions that the key lacks, one for each of its own."""
    return _next(key.mention) + np.arange(len(key))


def _next(numbers: Ints) -> int:
    return int(numbers.max(initial=-1)) + 1
