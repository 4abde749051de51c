"""One document as its walk-through sees it: entities, and mentions by name."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.alignment.matching import codes
from corefkit.alignment.matching.pairs import Alignment
from corefkit.alignment.matching.positions import positions
from corefkit.alignment.table import overlap
from corefkit.analysis.explain.names import names_of
from corefkit.report.walk.values import Reference

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.alignment.table import Overlap
    from corefkit.analysis.explain.names import Names
    from corefkit.columns import Columns, Ints
    from corefkit.model import Mention


class Part(NamedTuple):
    """The mentions of an entity that lie in one entity of the other side, if in any."""

    other: int | None
    mentions: list[int]


@dataclass(frozen=True, slots=True)
class Partition:
    """The entities of one side as lists of mention numbers, `K1` or `R1` the first."""

    letter: str  # K for the key, R for the response
    entities: Sequence[Sequence[int]]  # the mentions of each
    where: Mapping[int, Sequence[int]]  # the entity, or entities, of each mention
    # The number in the name of each entity, in rising order; a side with entities left
    # out has gaps in it.
    numbers: Sequence[int]
    last_read: int  # higher numbers are of entities that a variant added

    def name(self, entity: int) -> Reference:
        """Name an entity, as the papers do."""
        return self.term(entity, f"{self.letter}{self.numbers[entity]}")

    def term(self, entity: int, text: str, mentions: Sequence[int] = ()) -> Reference:
        """Write something about an entity, or about some of its mentions."""
        number = self.numbers[entity]
        mention = mentions[0] if mentions else None
        if number > self.last_read:
            # No text has it, but its one mention.
            return Reference(text, mention=self.entities[entity][0])
        if self.letter == "K":
            return Reference(text, key=number, mention=mention)
        return Reference(text, response=number, mention=mention)

    @property
    def mentions(self) -> int:
        """How many mentions the entities have, together."""
        return sum(map(len, self.entities))


@dataclass(frozen=True, slots=True)
class Scene:
    """The entities of one document and the names of their mentions."""

    key: Partition
    response: Partition
    names: Names
    # For each mention its tokens in the key and in the response; None where a side
    # lacks it. Without any, mentions are names.
    spans: Sequence[tuple[Mention | None, Mention | None]] = ()

    @property
    def table(self) -> Overlap:
        """The overlap table; its entities are numbered as here."""
        return overlap(self.key.entities, self.response.entities)

    @property
    def both_ways(
        self,
    ) -> tuple[tuple[Partition, Partition], tuple[Partition, Partition]]:
        """The key seen from the response, then the response seen from the key."""
        return (self.key, self.response), (self.response, self.key)

    def ways(self, sides: str) -> list[tuple[Partition, Partition]]:
        """Choose those of both ways whose side is named: K, R or KR."""
        return [way for way in self.both_ways if way[0].letter in sides]


def scene_of(
    key: Columns,
    response: Columns,
    words: Sequence[str],
    *,
    alignment: Alignment | None = None,
    places: tuple[Sequence[Mention], Sequence[Mention]] | None = None,
    quotes_places: bool = True,
) -> Scene:
    """Number the mentions of one document in the order of the text, and group them.

    Mentions that are aligned have one number and go by the key's words; without an
    alignment, those that have the same tokens.

    Args:
        key: one side.
        response: the other.
        words: what mentions consist of: words, or characters.
        alignment: which mentions of the two are the same.
        places: where the mentions of each side stand in the text, if not where the
            columns say.
        quotes_places: whether `words` are those of the text.
    """
    (key, key_rank), (response, response_rank) = map(_in_text_order, (key, response))
    sides = [] if response.names is not None else [key, response]
    read = [_mentions(side) for side in sides if not (places and quotes_places)]
    placed = read
    if places is not None:
        placed = [*map(_reordered, places, (key_rank, response_rank))]
    quoted = chain.from_iterable(placed if quotes_places else read)
    if alignment is not None:
        pairs = key_rank[alignment.key], response_rank[alignment.response]
        alignment = Alignment(*pairs)
    code = _codes(key, response, alignment)
    _, first, mention = np.unique(code, return_index=True, return_inverse=True)
    key_mention, response_mention = np.split(mention, [len(key.entity)])
    return Scene(
        _numbered("K", key, key_mention),
        _numbered("R", response, response_mention),
        names_of(key, response, first.tolist(), words, [*quoted]),
        _spans(placed, (key_mention, response_mention)),
    )


def partition_of(
    letter: str,
    entities: Sequence[Sequence[int]],
    numbers: Sequence[int],
    *,
    last_read: int,
) -> Partition:
    """Make a side of its entities and their numbers."""
    where: dict[int, list[int]] = {}
    for entity, mentions in enumerate(entities):
        for mention in mentions:
            where.setdefault(mention, []).append(entity)
    return Partition(letter, entities, where, numbers, last_read)


def parts(side: Partition, other: Partition, entity: int) -> list[Part]:
    """Part an entity by the entities of the other side.

    A mention that the other side lacks is a part by itself.
    """
    found: dict[int, Part] = {}
    pieces: list[Part] = []
    for mention in side.entities[entity]:
        others = other.where.get(mention, ())
        if not others:
            pieces.append(Part(None, [mention]))
            continue
        if others[0] not in found:
            found[others[0]] = Part(others[0], [])
            pieces.append(found[others[0]])
        found[others[0]].mentions.append(mention)
    return pieces


def twinless(side: Partition, other: Partition) -> list[int]:
    """List the mentions of a side that the other side lacks, in order."""
    return sorted(side.where.keys() - other.where.keys())


def _codes(key: Columns, response: Columns, alignment: Alignment | None) -> Ints:
    """Number positions of both sides in the order of the text, aligned ones alike."""
    key_code, response_code = codes(*positions(key, response))
    if alignment is not None:
        # Twice over, so that a response mention left alone is nobody's twin.
        key_code, response_code = key_code * 2, response_code * 2 + 1
        response_code[alignment.response] = key_code[alignment.key]
    return np.concatenate((key_code, response_code))


def _in_text_order(columns: Columns) -> tuple[Columns, Ints]:
    """Put the entity that is mentioned first first, whatever the order of the input.

    What has no text, a plain partition, stays in the order that it was given in.

    Returns:
        The mentions, and the new number of each.
    """
    if columns.names is not None:
        return columns, np.arange(len(columns.entity))
    by_place = np.lexsort((columns.end, columns.start))
    _, first = np.unique(columns.entity[by_place], return_index=True)
    entities = np.argsort(first)
    rank = np.argsort(entities)[columns.entity[by_place]]
    order = by_place[np.argsort(rank, kind="stable")]
    return columns.take(order, entities), np.argsort(order)


def _numbered(letter: str, columns: Columns, mention: Ints) -> Partition:
    entities: list[list[int]] = [[] for _ in columns.entity_document]
    for entity, number in zip(columns.entity.tolist(), mention.tolist(), strict=True):
        entities[entity].append(number)
    numbers = range(1, len(entities) + 1)
    return partition_of(letter, entities, numbers, last_read=len(entities))


def _mentions(side: Columns) -> list[Mention]:
    return [side.mention(row) for row in range(len(side.entity))]


def _reordered(mentions: Sequence[Mention], rank: Ints) -> list[Mention]:
    """Bring mentions to the order that `_in_text_order` gave their side."""
    return [mentions[row] for row in np.argsort(rank).tolist()]


def _spans(
    placed: Sequence[Sequence[Mention]], numbers: Sequence[Ints]
) -> list[tuple[Mention | None, Mention | None]]:
    """List where each mention stands on both sides; nowhere, where these are names."""
    if not placed:
        return []
    of_key, of_response = (
        dict(zip(of_side.tolist(), mentions, strict=True))
        for mentions, of_side in zip(placed, numbers, strict=True)
    )
    mentions = sorted(of_key.keys() | of_response.keys())
    return [(of_key.get(mention), of_response.get(mention)) for mention in mentions]
