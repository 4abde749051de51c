"""Ways to make a response worse, or to build one up, step by step.

A perturbation draws one random order and gives a response for each share that is asked
for. A larger share goes on where a smaller one ended, so that a curve has no jumps of
chance. Mentions and entities never leave their document, and a response is always a
partition.

Most perturbations start from the key and spoil more and more of it; four start from
nothing and put more and more in, as figures of Moosavi and Strube (2016) do; one starts
from the response of a system.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.columns import places_in_runs, runs
from corefkit.lab.labels import Labels, Pair, joined

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.random import Generator

    from corefkit.columns import Flags, Ints

Shares: TypeAlias = Sequence[float]
Responses: TypeAlias = Iterator[Labels]


@dataclass(frozen=True, slots=True)
class Perturbation:
    """A way to alter a corpus.

    Attributes:
        name: its name on the command line and in data.
        title: what happens, as the title of a figure.
        axis: what the share is a share of.
        start: what the response is at share 0: `key`, `nothing` or `response`.
        end: what the response is at share 1, in words.
        source: where a paper does the like.
        responses: gives a response for each share, ascending or not.
    """

    name: str
    title: str
    axis: str
    start: str
    end: str
    source: str
    responses: Callable[[Pair, Generator, Shares], Responses]


def split(pair: Pair, random: Generator, shares: Shares) -> Responses:
    """Cut entities into parts.

    The mentions of an entity stand in a random row. A cut between two neighbours parts
    all before it from all behind it, and costs one link as MUC counts them.
    """
    row = _rows(pair.key, random)
    for cut in _more_and_more(row.place > 0, random, shares):
        yield row.labels.relabelled(np.cumsum((row.place == 0) | cut))


def merge(pair: Pair, random: Generator, shares: Shares) -> Responses:
    """Join entities of a document, which stand in a random row, to their neighbours."""
    entities = _entities(pair.key)
    order = np.lexsort((random.random(len(entities.size)), entities.document))
    neighbours = np.ones(len(order), np.bool_)
    neighbours[runs(entities.document[order]).first] = False
    for joint in _more_and_more(neighbours, random, shares):
        label = np.empty(len(order), np.int64)
        label[order] = np.cumsum(~joint)
        yield pair.key.relabelled(label[entities.number])


def extra(pair: Pair, random: Generator, shares: Shares) -> Responses:
    """Let mentions bring one that the key lacks along, into their entity."""
    key = pair.key
    spurious = Labels(_new_mentions(key), key.entity, key.document, key.documents)
    for there in _more_and_more(np.ones(len(key), np.bool_), random, shares):
        yield joined([key, spurious.keep(there)])


def extra_apart(pair: Pair, random: Generator, shares: Shares) -> Responses:
    """Add entities of two mentions that the key lacks.

    A document gets as many mentions as the key has there, less one where that is odd.
    """
    key = pair.key
    document = np.sort(key.document)
    place = places_in_runs(document)
    couple = np.cumsum(place % 2 == 0) - 1
    entity = _next(key.entity) + couple
    spurious = Labels(_new_mentions(key), entity, document, key.documents)
    for there in _more_and_more(np.bincount(couple) == 2, random, shares):
        yield joined([key, spurious.keep(there[couple])])


def missing(pair: Pair, random: Generator, shares: Shares) -> Responses:
    """Leave mentions out; the last one of an entity stays alone until its turn."""
    for gone in _more_and_more(np.ones(len(pair.key), np.bool_), random, shares):
        yield pair.key.keep(~gone)


def wrong_links(pair: Pair, random: Generator, shares: Shares) -> Responses:
    """Move mentions out of their entities into new ones, where every link is wrong.

    No mention is missing. Where the largest entity of a document has more mentions than
    all others together, those of it that find no wrong partner stay where they are.
    """
    wrong = _wrong_entities(pair.key, random)
    for made in _more_and_more(wrong.size, random, shares):
        entity = np.where(
            made[wrong.entity], _next(pair.key.entity) + wrong.entity, pair.key.entity
        )
        yield pair.key.relabelled(entity)


def identification(pair: Pair, random: Generator, shares: Shares) -> Responses:
    """Put mentions of the key in, all of them in entities where every link is wrong.

    The entities are those of `wrong_links`; who finds no wrong partner is never there.
    """
    wrong = _wrong_entities(pair.key, random)
    for made in _more_and_more(wrong.size, random, shares):
        yield pair.key.relabelled(wrong.entity).keep(made[wrong.entity])


def correct_links(pair: Pair, random: Generator, shares: Shares) -> Responses:
    """Put links of the key in, and the mentions that they link, and nothing else.

    An entity has one link less than mentions, as MUC counts them; a singleton has one,
    to itself. The first link of an entity brings two mentions, each other link one.
    """
    row = _rows(pair.key, random)
    resolvable = (row.place > 0) | (row.size[row.number] == 1)
    for resolved in _more_and_more(resolvable, random, shares):
        links = np.bincount(row.number[resolved], minlength=len(row.size))[row.number]
        yield row.labels.keep((links > 0) & (row.place <= links))


def increasing(pair: Pair, random: Generator, shares: Shares) -> Responses:
    """Put entities in whole, the smallest of the corpus first."""
    return _by_size(pair.key, 1, random, shares)


def decreasing(pair: Pair, random: Generator, shares: Shares) -> Responses:
    """Put entities in whole, the largest of the corpus first."""
    return _by_size(pair.key, -1, random, shares)


def twinless(pair: Pair, random: Generator, shares: Shares) -> Responses:
    """Leave out mentions of the response that the key lacks.

    All others stay in their entities, alone where they had none but twinless company.
    """
    lacking = ~np.isin(pair.response.mention, pair.key.mention)
    for gone in _more_and_more(lacking, random, shares):
        yield pair.response.keep(~gone)


_LEA = "Moosavi and Strube 2016"

PERTURBATIONS: Mapping[str, Perturbation] = {
    one.name: one
    for one in (
        Perturbation(
            "split",
            "Entities are split",
            "share of the key's links cut",
            "key",
            "every mention is an entity of its own",
            f"{_LEA}, section 7.3 and figure 6",
            split,
        ),
        Perturbation(
            "merge",
            "Entities are merged",
            "share of the merges that make one entity of a document",
            "key",
            "all mentions of a document are one entity",
            f"{_LEA}, section 7.3",
            merge,
        ),
        Perturbation(
            "extra",
            "Extra mentions in the entities",
            "extra mentions, as a share of the key's",
            "key",
            "every entity has as many mentions that the key lacks as right ones",
            f"{_LEA}, section 7.4 and figure 7",
            extra,
        ),
        Perturbation(
            "extra-apart",
            "Extra mentions, linked two by two",
            "extra mentions, as a share of the key's",
            "key",
            "beside the key, as many mentions that it lacks, in entities of two",
            f"{_LEA}, section 7.4 and figure 7",
            extra_apart,
        ),
        Perturbation(
            "missing",
            "Mentions are missing",
            "share of the key's mentions left out",
            "key",
            "the response is empty",
            f"{_LEA}, section 7.4",
            missing,
        ),
        Perturbation(
            "wrong-links",
            "Mentions are linked wrongly, none is missing",
            "share of the mentions linked wrongly",
            "key",
            "no link is right, save in documents that are mostly one entity",
            f"{_LEA}, section 7.1 and figure 3",
            wrong_links,
        ),
        Perturbation(
            "correct-links",
            "Links are resolved, none wrongly",
            "share of the key's links resolved",
            "nothing",
            "the response is the key",
            f"{_LEA}, section 7.1 and figure 2",
            correct_links,
        ),
        Perturbation(
            "identification",
            "Mentions are found, every link is wrong",
            "share of the mentions found",
            "nothing",
            "every mention is found that can be linked wrongly",
            f"{_LEA}, section 7.5 and figure 8",
            identification,
        ),
        Perturbation(
            "increasing",
            "Entities are resolved whole, smallest first",
            "share of the key's entities resolved",
            "nothing",
            "the response is the key",
            f"{_LEA}, section 7.2 and figure 5",
            increasing,
        ),
        Perturbation(
            "decreasing",
            "Entities are resolved whole, largest first",
            "share of the key's entities resolved",
            "nothing",
            "the response is the key",
            f"{_LEA}, section 7.2 and figure 4",
            decreasing,
        ),
        Perturbation(
            "twinless",
            "Twinless mentions are dropped",
            "share of the response's twinless mentions dropped",
            "response",
            "the response has no mention that the key lacks",
            "Cai and Strube 2010, section 3.2 and figures 1 and 2",
            twinless,
        ),
    )
}


class _Entities(NamedTuple):
    """The entities of a side, and which of them each mention is in."""

    size: Ints
    document: Ints
    number: Ints


def _entities(labels: Labels) -> _Entities:
    _, first, number, size = np.unique(
        labels.entity, return_index=True, return_inverse=True, return_counts=True
    )
    return _Entities(size, labels.document[first], number)


class _Rows(NamedTuple):
    """Mentions in rows, one row an entity: the row of each, and its place in it."""

    labels: Labels
    number: Ints
    place: Ints
    size: Ints


def _rows(labels: Labels, random: Generator) -> _Rows:
    order = np.lexsort((random.random(len(labels)), labels.entity))
    row = labels.keep(order)
    size = runs(row.entity).size
    number = np.repeat(np.arange(len(size)), size)
    return _Rows(row, number, places_in_runs(row.entity), size)


class _Wrong(NamedTuple):
    """Entities without right links: that of each mention, and the size of each.

    The last one is none, of size 0: mentions without wrong partner are in it.
    """

    entity: Ints
    size: Ints


def _wrong_entities(key: Labels, random: Generator) -> _Wrong:
    """Deal the mentions of a document out, entity after entity, like cards.

    There are as many hands as entities, but few enough for two mentions each; and never
    less than the largest entity has mentions, so that no hand gets two of one entity.
    """
    entities = _entities(key)
    mentions = np.bincount(key.document, minlength=key.documents)
    hands = np.bincount(entities.document, minlength=key.documents)
    hands = np.minimum(hands, mentions // 2)
    np.maximum.at(hands, entities.document, entities.size)
    row = random.permutation(len(entities.size))[entities.number]
    order = np.lexsort((random.random(len(key)), row, key.document))
    document = key.document[order]
    turn = places_in_runs(document) % hands[document]
    hand = (np.cumsum(hands) - hands)[document] + turn
    size = np.bincount(hand, minlength=hands.sum())
    several = size > 1
    number = np.where(several, np.cumsum(several) - 1, several.sum())
    entity = np.empty(len(key), np.int64)
    entity[order] = number[hand]
    return _Wrong(entity, np.append(size[several], 0))


def _by_size(key: Labels, sign: int, random: Generator, shares: Shares) -> Responses:
    entities = _entities(key)
    order = np.lexsort((random.random(len(entities.size)), sign * entities.size))
    for share in shares:
        resolved = np.zeros(len(order), np.bool_)
        resolved[order[: round(share * len(order))]] = True
        yield key.keep(resolved[entities.number])


def _more_and_more(
    size: Flags | Ints, random: Generator, shares: Shares
) -> Iterator[Flags]:
    """Flag a share of the units, in one random order for all shares.

    A unit of size 2 is as much as two of size 1; one of size 0 is never flagged.
    """
    order = random.permutation(np.flatnonzero(size))
    reached = np.cumsum(size[order])
    for share in shares:
        flags = np.zeros(len(size), np.bool_)
        much = round(share * size.sum())
        flags[order[: np.searchsorted(reached, much, side="right")]] = True
        yield flags


def _new_mentions(key: Labels) -> Ints:
    """Give the numbers of mentions that the key lacks, one for each of its own."""
    return _next(key.mention) + np.arange(len(key))


def _next(numbers: Ints) -> int:
    return int(numbers.max(initial=-1)) + 1
