"""One document as its walk-through sees it: entities, and mentions by name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.alignment.matching import codes
from corefkit.alignment.matching.pairs import Alignment
from corefkit.alignment.matching.places import places
from corefkit.alignment.table import overlap
from corefkit.analysis.explain.layout import listed, rows, shortened, wrapped

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from corefkit.alignment.table import Overlap
    from corefkit.columns import Columns, Ints
    from corefkit.model import Mention

# What is listed of each kind before the rest is only counted.
ENTITIES = 30
MENTIONS = 12
_LONGEST_OWN_NAME = 12


class Part(NamedTuple):
    """The mentions of an entity that lie in one entity of the other side, if in any."""

    other: int | None
    mentions: list[int]


@dataclass(frozen=True, slots=True)
class Side:
    """The entities of one side as lists of mention numbers, `K1` or `R1` the first.

    Attributes:
        letter: K for the key, R for the response.
        entities: the mentions of each entity.
        where: the entity, or entities, of each mention.
        numbers: the number in the name of each entity, in rising order; a side with
            entities left out has gaps in it.
    """

    letter: str
    entities: Sequence[Sequence[int]]
    where: Mapping[int, Sequence[int]]
    numbers: Sequence[int]

    def name(self, entity: int) -> str:
        """Name an entity, as the papers do."""
        return f"{self.letter}{self.numbers[entity]}"

    @property
    def mentions(self) -> int:
        """How many mentions the entities have, together."""
        return sum(map(len, self.entities))


@dataclass(frozen=True, slots=True)
class Names:
    """Short names of mentions, and what they stand for.

    Mentions of plain partitions that are short go by themselves, all others as m1, m2,
    ... in the order of the text.

    Attributes:
        meanings: what to print for each mention where it is introduced.
        own: whether mentions go by that everywhere.
        used: the mentions whose names were asked for, for the legend.
    """

    meanings: Sequence[str]
    own: bool
    used: set[int] = field(default_factory=set)

    def __call__(self, mention: int) -> str:
        """Name a mention."""
        self.used.add(mention)
        return self.meanings[mention] if self.own else f"m{mention + 1}"

    def link(self, mention: int, other: int) -> str:
        """Name a link: `ab` as in the papers, where names are letters."""
        names = self(mention), self(other)
        return ("-" if max(map(len, names)) > 1 else "").join(names)

    def listing(self, mentions: Sequence[int]) -> str:
        """Name mentions one after the other, the first of them where they are many."""
        kept = mentions[:MENTIONS]
        return listed(list(map(self, kept)), left_out=len(mentions) - len(kept))

    def braced(self, mentions: Sequence[int]) -> str:
        """Name mentions as a set."""
        return f"{{{self.listing(mentions)}}}"


@dataclass(frozen=True, slots=True)
class Scene:
    """The entities of one document and the names of their mentions."""

    key: Side
    response: Side
    names: Names

    @property
    def table(self) -> Overlap:
        """The overlap table; its entities are numbered as here."""
        return overlap(self.key.entities, self.response.entities)

    @property
    def both_ways(self) -> tuple[tuple[Side, Side], tuple[Side, Side]]:
        """The key seen from the response, then the response seen from the key."""
        return (self.key, self.response), (self.response, self.key)

    def ways(self, sides: str) -> list[tuple[Side, Side]]:
        """Give those of both ways whose side is named: K, R or KR."""
        return [way for way in self.both_ways if way[0].letter in sides]


def scene_of(
    key: Columns,
    response: Columns,
    words: Sequence[str],
    *,
    alignment: Alignment | None = None,
) -> Scene:
    """Number the mentions of one document in the order of the text, and group them.

    Mentions that are aligned have one number and go by the key's words; without an
    alignment, those that have the same tokens.
    """
    (key, key_rank), (response, response_rank) = map(_in_text_order, (key, response))
    if alignment is not None:
        pairs = key_rank[alignment.key], response_rank[alignment.response]
        alignment = Alignment(*pairs)
    code = _codes(key, response, alignment)
    _, first, mention = np.unique(code, return_index=True, return_inverse=True)
    keys = len(key.entity)
    if response.names is not None:
        meanings = _spellings(key, response, response.names, first)
        own = len(set(meanings)) == len(meanings)
        own = own and max(map(len, meanings), default=0) <= _LONGEST_OWN_NAME
    else:
        meanings = [
            _quoted(
                words,
                key.mention(row) if row < keys else response.mention(row - keys),
            )
            for row in first.tolist()
        ]
        own = False
    key_mention, response_mention = np.split(mention, [keys])
    return Scene(
        _side("K", key, key_mention),
        _side("R", response, response_mention),
        Names(meanings, own=own),
    )


def _spellings(
    key: Columns, response: Columns, names: Sequence[Hashable], rows: Ints
) -> list[str]:
    """Spell mentions that are names; each side knows those that were read of it."""
    keys = len(key.entity)
    of_key = names if key.names is None else key.names
    return [
        _spelled(
            of_key[key.start[row]] if row < keys else names[response.start[row - keys]]
        )
        for row in rows.tolist()
    ]


def _codes(key: Columns, response: Columns, alignment: Alignment | None) -> Ints:
    """Number places of both sides in the order of the text, aligned ones alike."""
    key_code, response_code = codes(*places(key, response))
    if alignment is not None:
        # Twice over, so that a response mention left alone is nobody's twin.
        key_code, response_code = key_code * 2, response_code * 2 + 1
        response_code[alignment.response] = key_code[alignment.key]
    return np.concatenate((key_code, response_code))


def side_of(
    letter: str, entities: Sequence[Sequence[int]], numbers: Sequence[int]
) -> Side:
    """Make a side of its entities and their numbers."""
    where: dict[int, list[int]] = {}
    for entity, mentions in enumerate(entities):
        for mention in mentions:
            where.setdefault(mention, []).append(entity)
    return Side(letter, entities, where, numbers)


def parts(side: Side, other: Side, entity: int) -> list[Part]:
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


def shown_entities(side: Side, other: Side, *, smallest: int = 1) -> list[int]:
    """Choose the entities to write out: all, or where they are many those that matter.

    An entity that both sides have just so is the first to be left out. Entities with
    fewer mentions than the smallest never are written out.
    """
    entities = _of_size(side, smallest)
    if len(entities) <= ENTITIES:
        return entities
    return [entity for entity in entities if not _same(side, other, entity)][:ENTITIES]


def entity_lines(scene: Scene) -> list[str]:
    """List the entities of both sides."""
    lines: list[str] = []
    last = max(max(side.numbers, default=0) for side, _ in scene.both_ways)
    width = len(f"K{last}")
    for side, other in scene.both_ways:
        chosen = shown_entities(side, other)
        for entity in chosen:
            first = f"  {side.name(entity):<{width}} = "
            mentions = scene.names.braced(side.entities[entity])
            lines += wrapped(mentions, first=first, later=" " * len(first))
        lines += left_out_lines(side, other, chosen)
        lines += [] if side.entities else [f"  no {side.letter}"]
    return lines


def twinless_lines(scene: Scene, *, of_key: str, of_response: str) -> list[str]:
    """List the mentions that only one side has, under the words given for each side."""
    lines: list[str] = []
    for words, sides in zip((of_key, of_response), scene.both_ways, strict=True):
        names = scene.names.listing(twinless(*sides)) or "none"
        lines += wrapped(names, first=f"  {words}: ", later="    ")
    return lines


def twinless(side: Side, other: Side) -> list[int]:
    """List the mentions of a side that the other side lacks, in order."""
    return sorted(side.where.keys() - other.where.keys())


def left_out_lines(
    side: Side, other: Side, chosen: Sequence[int], *, smallest: int = 1
) -> list[str]:
    """Say how many entities were not written out."""
    left_out = set(_of_size(side, smallest)).difference(chosen)
    if not left_out:
        return []
    same = sum(_same(side, other, entity) for entity in left_out)
    many = f"{len(left_out)} more {side.letter}"
    return [f"  … {many}, {same} of them the same on both sides"]


def legend(scene: Scene) -> list[str]:
    """Say what the names stand for that were used so far, and where they lie."""
    if scene.names.own or not scene.names.used:
        return []
    cells = []
    for mention in sorted(scene.names.used):
        places = [_places(side, mention) for side, _ in scene.both_ways]
        text = scene.names.meanings[mention]
        cells.append((scene.names(mention), *places, text + _mark(places)))
    return rows(cells)


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


def _of_size(side: Side, smallest: int) -> list[int]:
    return [
        entity
        for entity, mentions in enumerate(side.entities)
        if len(mentions) >= smallest
    ]


def _mark(places: Sequence[str]) -> str:
    in_key, in_response = places
    if in_response == "-":
        return "  (missing)"
    return "  (spurious)" if in_key == "-" else ""


def _places(side: Side, mention: int) -> str:
    entities = dict.fromkeys(side.where.get(mention, ()))
    return ",".join(map(side.name, entities)) or "-"


def _same(side: Side, other: Side, entity: int) -> bool:
    pieces = parts(side, other, entity)
    twin = pieces[0].other
    return (
        len(pieces) == 1
        and twin is not None
        and len(other.entities[twin]) == len(side.entities[entity])
    )


def _side(letter: str, columns: Columns, mention: Ints) -> Side:
    entities: list[list[int]] = [[] for _ in columns.entity_document]
    for entity, number in zip(columns.entity.tolist(), mention.tolist(), strict=True):
        entities[entity].append(number)
    return side_of(letter, entities, range(1, len(entities) + 1))


def _spelled(mention: Hashable) -> str:
    return shortened(str(mention)) or repr(mention)


def _quoted(words: Sequence[str], mention: Mention) -> str:
    spans = [
        f"{start}" if start == end else f"{start}-{end}" for start, end in mention.parts
    ]
    parts = [" ".join(words[start : end + 1]) for start, end in mention.parts]
    span, text = f"[{','.join(spans)}]", shortened(" ... ".join(parts).strip())
    return f'"{text}" {span}' if text else span
