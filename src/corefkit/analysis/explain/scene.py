"""One document as its walk-through shows it: entities, and mentions by name.

Documents come from the same blocks that scores are counted on.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.alignment.candidates import Alignment
from corefkit.alignment.matching import compute_positions, encode_positions
from corefkit.alignment.overlap import overlap
from corefkit.alignment.pipeline import iter_aligned_blocks, open_runs
from corefkit.alignment.scored_mentions import drop_non_referring
from corefkit.analysis.errors.mentions import compute_key_spans
from corefkit.analysis.explain.fractions import listed, shortened
from corefkit.exceptions import SettingsError
from corefkit.metrics.reference import (
    ListedDocument,
    check_reference_settings,
    list_mentions,
)
from corefkit.model import Mention
from corefkit.strings import normalize_id, suggest
from corefkit.tables.walkthroughs import Reference

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from corefkit.alignment.overlap import Overlap
    from corefkit.alignment.pipeline import Run
    from corefkit.alignment.scored_mentions import AlignedBlock
    from corefkit.arrays.columns import Columns, Ints
    from corefkit.formats.inputs import Input
    from corefkit.model import Document
    from corefkit.settings import Settings
    from corefkit.tables.walkthroughs import Text

# What is listed of a set of mentions before the rest is only counted.
MENTIONS = 12
_LONGEST_OWN_NAME = 12


@dataclass(frozen=True, slots=True)
class Names:
    """Short names of mentions, and what they stand for.

    Mentions of plain partitions that are short go by themselves, all others as m1, m2,
    ... in the order of the text.
    """

    meanings: Sequence[str]  # what to print where a mention is introduced
    own: bool  # whether mentions go by that everywhere
    used: set[int] = field(default_factory=set)  # for the legend
    words: Sequence[str] = ()  # of each mention in quotes, empty where not known

    def __call__(self, mention: int) -> Reference:
        """Name a mention."""
        self.used.add(mention)
        name = self.meanings[mention] if self.own else f"m{mention + 1}"
        return Reference(name, mention=mention)

    def in_words(self) -> Names:
        """Name mentions by their words, where these are known."""
        if self.own or not self.words:
            return self
        words = [one or f"m{at}" for at, one in enumerate(self.words, start=1)]
        return Names(words, own=True)

    def link(self, mention: int, other: int) -> Text:
        """Name a link: `ab` as in the papers, where names are letters."""
        one, two = self(mention), self(other)
        return one, "-" if max(len(one.text), len(two.text)) > 1 else "", two

    def listing(self, mentions: Sequence[int]) -> tuple[Text, ...]:
        """Name mentions one after the other, the first of them where they are many."""
        kept = mentions[:MENTIONS]
        return listed(list(map(self, kept)), left_out=len(mentions) - len(kept))

    def braced(self, mentions: Sequence[int]) -> Text:
        """Name mentions as a set."""
        return "{", self.listing(mentions), "}"


def names_of(
    key: Columns,
    response: Columns,
    rows: Sequence[int],
    words: Sequence[str],
    mentions: Sequence[Mention],
) -> Names:
    """Name mentions by their rows; rows of the response follow those of the key."""
    keys = len(key.entity)
    if response.names is None:
        quoted = [_quoted(words, mentions[row]) for row in rows]
        meanings = [" ".join(filter(None, one)) for one in quoted]
        return Names(meanings, own=False, words=[text for text, _ in quoted])
    # Each side knows the names that were read of it.
    of_key = response.names if key.names is None else key.names
    meanings = [
        _name(
            of_key[key.start[row]]
            if row < keys
            else response.names[response.start[row - keys]]
        )
        for row in rows
    ]
    longest = max(map(len, meanings), default=0)
    own = len(set(meanings)) == len(meanings) and longest <= _LONGEST_OWN_NAME
    return Names(meanings, own=own)


def _name(mention: Hashable) -> str:
    return shortened(str(mention)) or repr(mention)


def _quoted(words: Sequence[str], mention: Mention) -> tuple[str, str]:
    """Quote the words of a mention, if they are known, and name its tokens."""
    spans = [
        f"{start}" if start == end else f"{start}-{end}" for start, end in mention.parts
    ]
    parts = [" ".join(words[start : end + 1]) for start, end in mention.parts]
    span, text = f"[{','.join(spans)}]", shortened(" ... ".join(parts).strip())
    return f'"{text}"' if text else "", span


class EntityPart(NamedTuple):
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


def parts(side: Partition, other: Partition, entity: int) -> list[EntityPart]:
    """Part an entity by the entities of the other side.

    A mention that the other side lacks is a part by itself.
    """
    found: dict[int, EntityPart] = {}
    pieces: list[EntityPart] = []
    for mention in side.entities[entity]:
        others = other.where.get(mention, ())
        if not others:
            pieces.append(EntityPart(None, [mention]))
            continue
        if others[0] not in found:
            found[others[0]] = EntityPart(others[0], [])
            pieces.append(found[others[0]])
        found[others[0]].mentions.append(mention)
    return pieces


def twinless(side: Partition, other: Partition) -> list[int]:
    """List the mentions of a side that the other side lacks, in order."""
    return sorted(side.where.keys() - other.where.keys())


def _codes(key: Columns, response: Columns, alignment: Alignment | None) -> Ints:
    """Number positions of both sides in the order of the text, aligned ones alike."""
    key_code, response_code = encode_positions(*compute_positions(key, response))
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
    return columns.take_mentions(order, entities), np.argsort(order)


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


_SUGGESTIONS = 10


@dataclass(frozen=True, slots=True)
class Reading:
    """One document of both sides."""

    id: str  # the key's
    scene: Scene  # with repeated mentions and such settled
    # Its entities as they are in the input, where the reference scorer counts this
    # document its own way; None where it does as others.
    as_read: Scene | None
    listed: ListedDocument | None  # the same for the reference scorer
    notes: list[str]  # what was done before it was scored
    settings: Settings  # those that its score comes from
    # Its text, where one of the sides has it.
    sentences: Sequence[Sequence[str]] = ()
    empty: Sequence[int] = ()  # the tokens that are empty nodes
    is_missing: bool = False  # the response lacks it


@contextmanager
def opened(
    key: Input,
    response: Input,
    document: str | None,
    *,
    settings: Settings,
    format: str | None,
) -> Iterator[Run]:
    """Open key and response, or only a document of them, and close them in the end."""
    if settings.scores_split:
        message = "explain does not walk through split antecedents"
        raise SettingsError(
            message,
            code="settings/unsupported-setting",
            hint="leave them aside: --split ignore",
        )
    with open_runs(key, [response], settings=settings, format=format) as (run,):
        if document is not None:
            run = run.select(found_document(document, run.documents))
        yield run


def readings(run: Run) -> Iterator[Reading]:
    """Read the documents of both sides one after the other."""
    for _, block in iter_aligned_blocks([run]):
        for row in range(len(block.key.numbers)):
            yield _reading(run, block, row)


def _reading(run: Run, block: AlignedBlock, row: int) -> Reading:
    number = block.key.numbers[row] or 0
    sides = block.key, block.response
    document, notes = _with_words(run, block, row), list(_settled(run, block, row))
    words = document.tokens
    settings, other = run.settings, block.differences.get(row)
    by_characters = other is not None and other.characters is not None
    if other is not None:
        notes.insert(0, other.note)
        if by_characters:
            words = tuple("".join("".join(words).split()))
            settings = replace(settings, tokens="characters")
    listed = as_read = None
    if run.settings.counts_copies and any(side.copies[row] for side in sides):
        check_reference_settings(run.settings, place=run.key.format_place(number))
        key, response = (side.read.take_documents([row]) for side in sides)
        ours, theirs, _ = list_mentions(
            drop_non_referring(key), drop_non_referring(response)
        )
        listed = ListedDocument(ours, theirs)
        as_read = scene_of(key, response, words)
    key, response = (side.scored.take_documents([row]) for side in sides)
    return Reading(
        run.key.ids[number],
        scene_of(
            key,
            response,
            words,
            alignment=_alignment(block, row),
            places=None if response.names is not None else _places(block, row),
            quotes_places=not by_characters,
        ),
        as_read,
        listed,
        notes,
        settings,
        document.sentences,
        document.empty,
        is_missing=block.response.numbers[row] is None,
    )


def _alignment(block: AlignedBlock, row: int) -> Alignment:
    """Take the alignment of one document, its mentions numbered from 0."""
    mentions = block.table.mentions
    sides = mentions.key, mentions.response
    first = [int(np.searchsorted(side.document, row)) for side in sides]
    pairs = mentions.alignment
    here = mentions.key.document[pairs.key] == row
    return Alignment(pairs.key[here] - first[0], pairs.response[here] - first[1])


def _places(block: AlignedBlock, row: int) -> tuple[list[Mention], list[Mention]]:
    """Find where the mentions of one document stand in the key's text, on each side."""
    mentions = block.table.mentions
    found = []
    for side in (mentions.key, mentions.response):
        first, last = np.searchsorted(side.document, (row, row + 1)).tolist()
        number, none = np.arange(first, last), np.full(last - first, -1)
        numbers = (number, none) if side is mentions.key else (none, number)
        start, end, gaps = compute_key_spans(
            block, np.full(last - first, row), *numbers
        )
        bounds = zip(start.tolist(), end.tolist(), strict=True)
        found.append(
            [Mention(*bound, gaps.get(n, ())) for n, bound in enumerate(bounds)]
        )
    return found[0], found[1]


def _with_words(run: Run, block: AlignedBlock, row: int) -> Document:
    """Take the key's document, or the response's where only that has words."""
    number, partner = block.key.numbers[row] or 0, block.response.numbers[row]
    document = run.key.read_document(number)
    if not document.tokens and partner is not None:
        return run.response.read_document(partner)
    return document


def _settled(run: Run, block: AlignedBlock, row: int) -> Iterator[str]:
    """Say what was done to a document before it was scored."""
    if block.response.numbers[row] is None:
        yield "the response lacks this document: it is scored as empty"
    sides = run.settings.without_singletons
    if sides:
        whose = f" of the {sides[0]}" if len(sides) == 1 else ""
        yield f"entities of one mention{whose} are dropped"
    for name, side in (("key", block.key), ("response", block.response)):
        copies = int(side.copies[row])
        if copies and not run.settings.counts_copies:
            plural, whose = ("s", "their") if copies > 1 else ("", "its")
            repeats = f"the {name} repeats {copies} mention{plural}"
            yield f"{repeats}, kept in the first of {whose} entities"


def found_document(name: str, ids: Sequence[str]) -> int:
    """Find a document by its id, in any spelling, or by a part that only one id has.

    >>> found_document("b_1", ["(a); part 000", "(b); part 001"])
    1
    >>> found_document("b", ["(a); part 000", "(b); part 001"])
    1
    """
    spellings = (
        [document_id == name for document_id in ids],
        [normalize_id(document_id) == normalize_id(name) for document_id in ids],
        [name in document_id for document_id in ids],
    )
    for fits in spellings:
        if sum(fits) == 1:
            return fits.index(True)
    several = [document_id for document_id in ids if name in document_id]
    if several:
        message = f"{len(several)} documents have {name!r} in their id"
        near = several[:_SUGGESTIONS]
    else:
        message = f"unknown document {name!r}"
        near = get_close_matches(name, ids, n=_SUGGESTIONS, cutoff=0.0)
    raise SettingsError(
        message, code="settings/unknown-document", hint=suggest(name, near)
    )
