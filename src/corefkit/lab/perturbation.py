"""Ways to change a corpus step by step, and generated corpora.

Each function of a perturbation draws one random order and yields a response for each
share. A larger share extends the changes of a smaller one, so that curves have no
random jumps. Mentions and entities never leave their document, and a response is always
a partition.

A generated corpus has no text, and entities as large as those of a real corpus: OntoGUM
11 (255 documents, 7,619 entities of 2 mentions or more, annotated as in OntoNotes).
Measured there:

-   the number of entities in a document, 30 on average: its logarithm has the mean 3.32
    and the standard deviation 0.41;
-   the size of entities, 4.3 on average: minus one, it follows a power law with the
    exponent 1.9, best fit up to a size of 61, which gives 58, 16 and 7% of the entities
    2, 3 and 4 mentions (measured: 56, 17 and 8%) and 6% more than 11 (6%).

Its response is that of a system that finds too many mentions. One mention in five is
linked wrongly; then as many spurious mentions as the key has mentions are added, about
half of them in entities and half as singletons; then one mention in five is dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.arrays.columns import find_runs, rank_in_runs
from corefkit.lab.labels import EntityLabels, LabelPair, check_minimum, join_labels

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.random import Generator

    from corefkit.arrays.columns import Flags, Ints


Shares: TypeAlias = Sequence[float]
Responses: TypeAlias = Iterator[EntityLabels]


def split_entities(pair: LabelPair, random: Generator, shares: Shares) -> Responses:
    """Cut entities into parts.

    The mentions of an entity are in random order. A cut between two neighbours
    separates all mentions before it from those after it, and removes one link as MUC
    counts them.
    """
    rows = _shuffle_rows(pair.key, random)
    for cut in _iter_flags(rows.position > 0, random, shares):
        yield rows.labels.relabel(np.cumsum((rows.position == 0) | cut))


def merge_entities(pair: LabelPair, random: Generator, shares: Shares) -> Responses:
    """Merge neighbouring entities of a document, which are in random order."""
    entities = _tabulate_entities(pair.key)
    order = np.lexsort((random.random(len(entities.size)), entities.document))
    has_neighbour = np.ones(len(order), np.bool_)
    has_neighbour[find_runs(entities.document[order]).first] = False
    for joint in _iter_flags(has_neighbour, random, shares):
        label = np.empty(len(order), np.int64)
        label[order] = np.cumsum(~joint)
        yield pair.key.relabel(label[entities.number])


def add_extra_mentions(pair: LabelPair, random: Generator, shares: Shares) -> Responses:
    """Add mentions that the key lacks: one for each mention, in its entity."""
    key = pair.key
    spurious = EntityLabels(
        _number_new_mentions(key), key.entity, key.document, key.document_count
    )
    for added in _iter_flags(np.ones(len(key), np.bool_), random, shares):
        yield join_labels([key, spurious.keep(added)])


def add_extra_pairs(pair: LabelPair, random: Generator, shares: Shares) -> Responses:
    """Add entities of two mentions that the key lacks.

    A document gets as many mentions as the key has there, minus one if that is odd.
    """
    key = pair.key
    document = np.sort(key.document)
    couple = np.cumsum(rank_in_runs(document) % 2 == 0) - 1
    entity = _get_next_number(key.entity) + couple
    spurious = EntityLabels(
        _number_new_mentions(key), entity, document, key.document_count
    )
    for added in _iter_flags(np.bincount(couple) == 2, random, shares):
        yield join_labels([key, spurious.keep(added[couple])])


def drop_mentions(pair: LabelPair, random: Generator, shares: Shares) -> Responses:
    """Drop mentions; the last one of an entity stays as a singleton until its turn."""
    for dropped in _iter_flags(np.ones(len(pair.key), np.bool_), random, shares):
        yield pair.key.keep(~dropped)


def link_wrongly(pair: LabelPair, random: Generator, shares: Shares) -> Responses:
    """Move mentions from their entities into new ones with only wrong links.

    No mention is dropped. If the largest entity of a document has more mentions than
    all others together, those of its mentions without a wrong partner stay.
    """
    wrong, size = _deal_wrong_entities(pair.key, random)
    new = _get_next_number(pair.key.entity) + wrong
    for formed in _iter_flags(size, random, shares):
        yield pair.key.relabel(np.where(formed[wrong], new, pair.key.entity))


def identify_mentions(pair: LabelPair, random: Generator, shares: Shares) -> Responses:
    """Start empty, and add key mentions in entities with only wrong links.

    The entities are those of `link_wrongly`. Mentions without a wrong partner are never
    added.
    """
    wrong, size = _deal_wrong_entities(pair.key, random)
    for formed in _iter_flags(size, random, shares):
        yield pair.key.relabel(wrong).keep(formed[wrong])


def add_correct_links(pair: LabelPair, random: Generator, shares: Shares) -> Responses:
    """Start empty, and add links of the key with the mentions that they link.

    An entity has one link less than mentions, as MUC counts them; a singleton has one,
    to itself. The first link of an entity brings two mentions, each other link one.
    """
    rows = _shuffle_rows(pair.key, random)
    resolvable = (rows.position > 0) | (rows.size[rows.number] == 1)
    for resolved in _iter_flags(resolvable, random, shares):
        links = np.bincount(rows.number[resolved], minlength=len(rows.size))
        links = links[rows.number]
        yield rows.labels.keep((links > 0) & (rows.position <= links))


def resolve_entities(
    pair: LabelPair, random: Generator, shares: Shares, *, sign: int
) -> Responses:
    """Start empty, and add complete entities by size; with -1, the largest first."""
    entities = _tabulate_entities(pair.key)
    order = np.lexsort((random.random(len(entities.size)), sign * entities.size))
    for share in shares:
        resolved = np.zeros(len(order), np.bool_)
        resolved[order[: round(share * len(order))]] = True
        yield pair.key.keep(resolved[entities.number])


def drop_twinless(pair: LabelPair, random: Generator, shares: Shares) -> Responses:
    """Drop mentions of the response that the key lacks.

    All others stay in their entities, even alone.
    """
    lacking = ~np.isin(pair.response.mention, pair.key.mention)
    for dropped in _iter_flags(lacking, random, shares):
        yield pair.response.keep(~dropped)


def _iter_flags(
    size: Flags | Ints, random: Generator, shares: Shares
) -> Iterator[Flags]:
    """Flag a growing share of units, in one random order for all shares.

    A unit of size 2 counts as two of size 1; a unit of size 0 is never flagged.
    """
    order = random.permutation(np.flatnonzero(size))
    total = np.cumsum(size[order])
    for share in shares:
        flags = np.zeros(len(size), np.bool_)
        target = round(share * size.sum())
        flags[order[: np.searchsorted(total, target, side="right")]] = True
        yield flags


class _EntityTable(NamedTuple):
    """The size and document of each entity, and the entity number of each mention."""

    size: Ints
    document: Ints
    number: Ints


def _tabulate_entities(labels: EntityLabels) -> _EntityTable:
    _, first, number, size = np.unique(
        labels.entity, return_index=True, return_inverse=True, return_counts=True
    )
    return _EntityTable(size, labels.document[first], number)


class _ShuffledRows(NamedTuple):
    """Mentions in rows, a row for each entity, in random order."""

    labels: EntityLabels  # row after row
    number: Ints  # of each mention's row
    position: Ints  # of each mention in its row
    size: Ints  # of each row


def _shuffle_rows(labels: EntityLabels, random: Generator) -> _ShuffledRows:
    order = np.lexsort((random.random(len(labels)), labels.entity))
    ordered = labels.keep(order)
    size = find_runs(ordered.entity).size
    number = np.repeat(np.arange(len(size)), size)
    return _ShuffledRows(ordered, number, rank_in_runs(ordered.entity), size)


def _deal_wrong_entities(key: EntityLabels, random: Generator) -> tuple[Ints, Ints]:
    """Deal the mentions of a document to hands like cards, entity after entity.

    Returns the new entity of each mention, and the size of each. The last entity is a
    placeholder of size 0 for the mentions without a wrong partner.

    There are as many hands as entities, but few enough for two mentions each; and at
    least as many as the largest entity has mentions, so that no hand gets two mentions
    of one entity.
    """
    entities = _tabulate_entities(key)
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
    return entity, np.append(size[several], 0)


def _number_new_mentions(key: EntityLabels) -> Ints:
    """Return numbers of spurious mentions, one for each key mention."""
    return _get_next_number(key.mention) + np.arange(len(key))


def _get_next_number(numbers: Ints) -> int:
    return int(numbers.max(initial=-1)) + 1


@dataclass(frozen=True, slots=True)
class Perturbation:
    """A way to change a corpus step by step."""

    name: str  # on the command line and in data
    title: str  # the title of its figure
    axis: str  # the meaning of the share
    start: str  # the response at share 0: `key`, `nothing` or `response`
    end: str  # a description of the response at share 1
    source: str  # a similar experiment of a paper
    responses: Callable[[LabelPair, Generator, Shares], Responses]  # one for each share


_LEA = "Moosavi and Strube 2016"

PERTURBATIONS: Mapping[str, Perturbation] = {
    perturbation.name: perturbation
    for perturbation in (
        Perturbation(
            "split",
            "Entities are split",
            "share of the key's links cut",
            "key",
            "every mention is a singleton",
            f"{_LEA}, section 7.3 and figure 6",
            split_entities,
        ),
        Perturbation(
            "merge",
            "Entities are merged",
            "share of the merges that make one entity of a document",
            "key",
            "all mentions of a document are one entity",
            f"{_LEA}, section 7.3",
            merge_entities,
        ),
        Perturbation(
            "extra",
            "Extra mentions in the entities",
            "extra mentions, as a share of the key's",
            "key",
            "every entity has as many mentions that the key lacks as right ones",
            f"{_LEA}, section 7.4 and figure 7",
            add_extra_mentions,
        ),
        Perturbation(
            "extra-apart",
            "Extra mentions, linked two by two",
            "extra mentions, as a share of the key's",
            "key",
            "the key, and as many mentions that it lacks, in entities of two",
            f"{_LEA}, section 7.4 and figure 7",
            add_extra_pairs,
        ),
        Perturbation(
            "missing",
            "Mentions are missing",
            "share of the key's mentions left out",
            "key",
            "the response is empty",
            f"{_LEA}, section 7.4",
            drop_mentions,
        ),
        Perturbation(
            "wrong-links",
            "Mentions are linked wrongly, none is missing",
            "share of the mentions linked wrongly",
            "key",
            "no link is right, save in documents that are mostly one entity",
            f"{_LEA}, section 7.1 and figure 3",
            link_wrongly,
        ),
        Perturbation(
            "correct-links",
            "Links are resolved, none wrongly",
            "share of the key's links resolved",
            "nothing",
            "the response is the key",
            f"{_LEA}, section 7.1 and figure 2",
            add_correct_links,
        ),
        Perturbation(
            "identification",
            "Mentions are found, every link is wrong",
            "share of the mentions found",
            "nothing",
            "every mention is found that can be linked wrongly",
            f"{_LEA}, section 7.5 and figure 8",
            identify_mentions,
        ),
        Perturbation(
            "increasing",
            "Entities are resolved completely, smallest first",
            "share of the key's entities resolved",
            "nothing",
            "the response is the key",
            f"{_LEA}, section 7.2 and figure 5",
            partial(resolve_entities, sign=1),
        ),
        Perturbation(
            "decreasing",
            "Entities are resolved completely, largest first",
            "share of the key's entities resolved",
            "nothing",
            "the response is the key",
            f"{_LEA}, section 7.2 and figure 4",
            partial(resolve_entities, sign=-1),
        ),
        Perturbation(
            "twinless",
            "Twinless mentions are dropped",
            "share of the response's twinless mentions dropped",
            "response",
            "the response has no mention that the key lacks",
            "Cai and Strube 2010, section 3.2 and figures 1 and 2",
            drop_twinless,
        ),
    )
}


LOG_ENTITY_COUNT = 3.32, 0.41  # mean and deviation of the logarithm of their number
SIZE_EXPONENT = 1.9
MAX_ENTITY_SIZE = 61
ERROR_SHARE = 0.2


def generate_pair(documents: int = 200, *, seed: int = 0) -> LabelPair:
    """Generate a key and a response; the same seed gives the same ones.

    >>> pair = generate_pair(2, seed=1)
    >>> pair.key.document_count, int(np.bincount(pair.key.entity).min())
    (2, 2)
    """
    check_minimum("number of documents", documents, 1)
    check_minimum("seed", seed, 0)
    random = np.random.default_rng([seed, documents])
    entities = np.rint(random.lognormal(*LOG_ENTITY_COUNT, documents)).astype(np.int64)
    sizes = np.arange(2, MAX_ENTITY_SIZE + 1)
    chance = (sizes - 1.0) ** -SIZE_EXPONENT
    size = random.choice(sizes, entities.sum(), p=chance / chance.sum())
    entity = np.repeat(np.arange(len(size)), size)
    document = np.repeat(np.arange(documents), entities)[entity]
    key = EntityLabels(np.arange(len(entity)), entity, document, documents)
    pair = LabelPair(key, key, ("generated key", "generated response"), ())
    return pair._replace(response=_generate_response(pair, random))


def _generate_response(pair: LabelPair, random: Generator) -> EntityLabels:
    (wrong,) = link_wrongly(pair, random, [ERROR_SHARE])
    (more,) = add_extra_mentions(pair._replace(key=wrong), random, [1.0])
    is_alone = (more.mention >= len(pair.key)) & (random.random(len(more)) < 0.5)
    singletons = more.entity.max(initial=0) + 1 + np.arange(len(more))
    spoilt = more.relabel(np.where(is_alone, singletons, more.entity))
    (response,) = drop_mentions(pair._replace(key=spoilt), random, [ERROR_SHARE])
    return response
