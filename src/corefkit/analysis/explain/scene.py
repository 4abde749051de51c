"""One document as its walk-through presents it: entities, and names of mentions.

Documents come from the same blocks on which scores are counted.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np

from corefkit.alignment.candidates import Alignment
from corefkit.alignment.matching import compute_positions, encode_positions
from corefkit.alignment.overlap import Overlap, overlap
from corefkit.alignment.pipeline import Run, iter_aligned_blocks, open_runs
from corefkit.alignment.scored_mentions import AlignedBlock, drop_non_referring
from corefkit.analysis.errors.mentions import compute_key_spans
from corefkit.analysis.explain.walkthrough import Reference, Text, join_list
from corefkit.arrays.columns import Columns, Ints
from corefkit.exceptions import SettingsError
from corefkit.formats import Input
from corefkit.metrics.reference import (
    ListedDocument,
    check_reference_settings,
    list_mentions,
)
from corefkit.model import Mention
from corefkit.settings import Settings
from corefkit.strings import normalize_id, suggest
from corefkit.syntax.running_text import NO_LAYOUT, Layout, read_layout

MAX_MENTIONS = 12  # of a list; the others are counted
_MAX_NAME = 12  # characters of mentions that are their own names
_MAX_WORDS = 44  # characters of the words of a mention
_HEAD, _TAIL = 28, 14  # characters of longer words
_MAX_SUGGESTIONS = 10


@dataclass(frozen=True, slots=True)
class MentionLabels:
    """Names of mentions: their words if short and unique, or m1, m2, ... by default."""

    meanings: Sequence[str]  # of each mention in the legend
    are_names: bool  # whether the meanings are used as names
    used: set[int] = field(default_factory=set)  # the mentions of the legend
    words: Sequence[str] = ()  # of each mention in quotes, empty if unknown

    def name(self, mention: int) -> Reference:
        """Return the name of a mention, and add it to the legend."""
        self.used.add(mention)
        name = self.meanings[mention] if self.are_names else f"m{mention + 1}"
        return Reference(name, mention=mention)

    def use_words(self) -> MentionLabels:
        if self.are_names or not self.words:
            return self
        names = [words or f"m{n}" for n, words in enumerate(self.words, start=1)]
        return MentionLabels(names, are_names=True)

    def name_link(self, first: int, second: int) -> Text:
        """Return the name of a link: `ab` as in papers, if names are letters."""
        names = self.name(first), self.name(second)
        is_long = max(len(name.text) for name in names) > 1
        return names[0], "-" if is_long else "", names[1]

    def list_names(self, mentions: Sequence[int]) -> tuple[Text, ...]:
        names = list(map(self.name, mentions[:MAX_MENTIONS]))
        return join_list(names, omitted=len(mentions) - len(names))

    def name_set(self, mentions: Sequence[int]) -> Text:
        return "{", self.list_names(mentions), "}"


class EntityPart(NamedTuple):
    """The mentions of an entity in one entity of the other side, or in none (-1)."""

    home: int  # in the other side; -1 for none
    mentions: list[int]


@dataclass(frozen=True)
class Partition:
    """The entities of one side as lists of mention numbers, from `K1` or `R1`."""

    letter: str  # K for the key, R for the response
    entities: Sequence[Sequence[int]]  # the mentions of each
    # The number in the name of each entity, increasing; variants drop entities.
    numbers: Sequence[int]
    last_read: int  # higher numbers are those of entities that a variant added

    @cached_property
    def where(self) -> Mapping[int, Sequence[int]]:
        """The entities that contain each mention."""
        where: dict[int, list[int]] = {}
        for entity, mentions in enumerate(self.entities):
            for mention in mentions:
                where.setdefault(mention, []).append(entity)
        return where

    def name(self, entity: int) -> Reference:
        return self.refer(entity, f"{self.letter}{self.numbers[entity]}")

    def refer(self, entity: int, text: str, mentions: Sequence[int] = ()) -> Reference:
        """Return a text that refers to an entity, or to some of its mentions."""
        number = self.numbers[entity]
        mention = mentions[0] if mentions else None
        if number > self.last_read:
            # The text does not contain the entity, but its only mention.
            return Reference(text, mention=self.entities[entity][0])
        if self.letter == "K":
            return Reference(text, key=number, mention=mention)
        return Reference(text, response=number, mention=mention)

    @property
    def mentions(self) -> int:
        return sum(map(len, self.entities))


@dataclass(frozen=True, slots=True)
class Scene:
    """The entities of one document and the labels of their mentions."""

    key: Partition
    response: Partition
    labels: MentionLabels
    # For each mention its tokens in the key and in the response, None if a side lacks
    # it; empty if mentions are names.
    spans: Sequence[tuple[Mention | None, Mention | None]] = ()

    @property
    def table(self) -> Overlap:
        return overlap(self.key.entities, self.response.entities)

    @property
    def directions(
        self,
    ) -> tuple[tuple[Partition, Partition], tuple[Partition, Partition]]:
        """The key and the response, then the response and the key."""
        return (self.key, self.response), (self.response, self.key)

    def select_directions(self, sides: str) -> list[tuple[Partition, Partition]]:
        """Return directions by the letters of their first sides: K, R or KR."""
        return [pair for pair in self.directions if pair[0].letter in sides]


def build_scene(
    key: Columns,
    response: Columns,
    words: Sequence[str],
    *,
    alignment: Alignment | None = None,  # by default, of mentions with equal tokens
    # The mentions of each side in the text, if these differ from those of the columns.
    places: tuple[Sequence[Mention], Sequence[Mention]] | None = None,
    quotes_places: bool = True,  # whether `words` are those of the text
) -> Scene:
    """Number the mentions of a document in the order of the text, and group them."""
    (key, key_rank), (response, response_rank) = map(_sort_by_text, (key, response))
    if alignment is not None:
        alignment = Alignment(
            key_rank[alignment.key], response_rank[alignment.response]
        )
    key_code, response_code = encode_positions(*compute_positions(key, response))
    if alignment is not None:
        # Doubled, so that unaligned mentions of the response have their own numbers.
        key_code, response_code = key_code * 2, response_code * 2 + 1
        response_code[alignment.response] = key_code[alignment.key]
    code = np.concatenate((key_code, response_code))
    _, first, mention = np.unique(code, return_index=True, return_inverse=True)
    numbers = np.split(mention, [len(key.entity)])
    key_side = _group_mentions("K", key, numbers[0])
    response_side = _group_mentions("R", response, numbers[1])
    if response.names is not None:
        labels = _label_named(key, response, response.names, first.tolist())
        return Scene(key_side, response_side, labels)
    mentions = [
        [side.mention(row) for row in range(len(side.entity))]
        for side in (key, response)
    ]
    placed = mentions
    if places is not None:
        placed = [
            [side[row] for row in np.argsort(rank).tolist()]
            for side, rank in zip(places, (key_rank, response_rank), strict=True)
        ]
    quoted = [*chain.from_iterable(placed if quotes_places else mentions)]
    quotes = [_quote_mention(words, quoted[row]) for row in first.tolist()]
    labels = MentionLabels(
        [" ".join(filter(None, quote)) for quote in quotes],
        are_names=False,
        words=[text for text, _ in quotes],
    )
    key_spans, response_spans = (
        dict(zip(side.tolist(), side_mentions, strict=True))
        for side, side_mentions in zip(numbers, placed, strict=True)
    )
    spans = [
        (key_spans.get(number), response_spans.get(number))
        for number in range(len(first))
    ]
    return Scene(key_side, response_side, labels, spans)


def _group_mentions(letter: str, columns: Columns, mention: Ints) -> Partition:
    entities: list[list[int]] = [[] for _ in columns.entity_document]
    for entity, number in zip(columns.entity.tolist(), mention.tolist(), strict=True):
        entities[entity].append(number)
    count = len(entities)
    return Partition(letter, entities, range(1, count + 1), count)


def _sort_by_text(columns: Columns) -> tuple[Columns, Ints]:
    """Return columns with entities sorted by first mention, and the new row of each."""
    if columns.names is not None:  # without a text, entities keep their order
        return columns, np.arange(len(columns.entity))
    by_place = np.lexsort((columns.end, columns.start))
    _, first = np.unique(columns.entity[by_place], return_index=True)
    entities = np.argsort(first)
    rank = np.argsort(entities)[columns.entity[by_place]]
    order = by_place[np.argsort(rank, kind="stable")]
    return columns.take_mentions(order, entities), np.argsort(order)


def _label_named(
    key: Columns,
    response: Columns,
    response_names: Sequence[Hashable],
    rows: Sequence[int],
) -> MentionLabels:
    """Label named mentions by their rows; those of the response follow the key's."""
    # Each side has the names that were read of it.
    key_names = response_names if key.names is None else key.names
    names = [key_names[start] for start in key.start.tolist()]
    names += [response_names[start] for start in response.start.tolist()]
    meanings = [_shorten(str(names[row])) or repr(names[row]) for row in rows]
    is_unique = len(set(meanings)) == len(meanings)
    is_short = max(map(len, meanings), default=0) <= _MAX_NAME
    return MentionLabels(meanings, are_names=is_unique and is_short)


def _shorten(text: str) -> str:
    text = " ".join(text.split())
    if len(text) <= _MAX_WORDS:
        return text
    head, tail = text[:_HEAD], text[-_TAIL:]
    head = head.rsplit(" ", 1)[0] if " " in head else head
    return f"{head} … {tail.split(' ', 1)[-1]}"


def _quote_mention(words: Sequence[str], mention: Mention) -> tuple[str, str]:
    spans = [
        f"{start}" if start == end else f"{start}-{end}" for start, end in mention.parts
    ]
    parts = [" ".join(words[start : end + 1]) for start, end in mention.parts]
    text = _shorten(" ... ".join(parts).strip())
    return f'"{text}"' if text else "", f"[{','.join(spans)}]"


def split_entity(side: Partition, opposite: Partition, entity: int) -> list[EntityPart]:
    """Split an entity by the entities of the other side, or by mention if unmatched."""
    by_entity: dict[int, EntityPart] = {}
    parts: list[EntityPart] = []
    for mention in side.entities[entity]:
        (home, *_) = opposite.where.get(mention) or (-1,)
        if home < 0 or home not in by_entity:
            by_entity[home] = EntityPart(home, [])
            parts.append(by_entity[home])
        by_entity[home].mentions.append(mention)
    return parts


def list_shared_parts(
    side: Partition, opposite: Partition, entity: int
) -> list[EntityPart]:
    """Return the parts of an entity that the other side has."""
    return [part for part in split_entity(side, opposite, entity) if part.home >= 0]


def list_twinless(side: Partition, opposite: Partition) -> list[int]:
    """Return the mentions of a side that the other side lacks, in order."""
    return sorted(side.where.keys() - opposite.where.keys())


@dataclass(frozen=True, slots=True)
class SceneReading:
    """One document of both sides."""

    id: str  # the key's
    scene: Scene  # without duplicate mentions and so on
    # The scene of the input, if the reference scorer counts this document in its own
    # way.
    as_read: Scene | None
    listed: ListedDocument | None  # the same for the reference scorer
    notes: list[str]  # changes before scoring
    settings: Settings  # of its score
    # Its text, if one of the sides has it.
    sentences: Sequence[Sequence[str]] = ()
    empty: Sequence[int] = ()  # the tokens that are empty nodes
    layout: Layout = NO_LAYOUT
    is_missing: bool = False  # whether the response lacks it


@contextmanager
def open_run(
    key: Input,
    response: Input,
    document: str | None,
    *,
    settings: Settings,
    format: str | None,
) -> Iterator[Run]:
    """Open key and response, or only a document of them."""
    if settings.scores_split:
        message = "explain does not walk through split antecedents"
        raise SettingsError(
            message,
            code="settings/unsupported-setting",
            hint="ignore them with --split ignore",
        )
    with open_runs(key, [response], settings=settings, format=format) as (run,):
        if document is not None:
            run = run.select(find_document(document, run.documents))
        yield run


def find_document(name: str, ids: Sequence[str]) -> int:
    """Return a document by its id, in any spelling, or by a part of only one id."""
    containing = [document_id for document_id in ids if name in document_id]
    normalized = [normalize_id(document_id) for document_id in ids]
    if list(ids).count(name) == 1:
        return list(ids).index(name)
    if normalized.count(normalize_id(name)) == 1:
        return normalized.index(normalize_id(name))
    if len(containing) == 1:
        return list(ids).index(containing[0])
    message = f"{len(containing)} documents have {name!r} in their id"
    near = containing[:_MAX_SUGGESTIONS]
    if not containing:
        message = f"unknown document {name!r}"
        near = get_close_matches(name, ids, n=_MAX_SUGGESTIONS, cutoff=0.0)
    raise SettingsError(
        message, code="settings/unknown-document", hint=suggest(name, near)
    )


def iter_readings(run: Run) -> Iterator[SceneReading]:
    """Iterate over the documents of both sides."""
    for _, block in iter_aligned_blocks([run]):
        for row in range(len(block.key.numbers)):
            yield _read_scene(run, block, row)


def _read_scene(run: Run, block: AlignedBlock, row: int) -> SceneReading:
    number, partner = block.key.numbers[row] or 0, block.response.numbers[row]
    document = run.key.read_document(number)
    if not document.tokens and partner is not None:
        document = run.response.read_document(partner)
    notes = list(_list_changes(run, block, row))
    words = document.tokens
    settings, difference = run.settings, block.differences.get(row)
    by_characters = difference is not None and difference.characters is not None
    if difference is not None:
        notes.insert(0, difference.note)
        if by_characters:
            words = tuple("".join("".join(words).split()))
            settings = replace(settings, tokens="characters")
    sides = block.key, block.response
    listed = as_read = None
    if run.settings.counts_copies and any(side.copies[row] for side in sides):
        check_reference_settings(run.settings, place=run.key.format_place(number))
        key, response = (side.read.take_documents([row]) for side in sides)
        key_lists, response_lists, _ = list_mentions(
            drop_non_referring(key), drop_non_referring(response)
        )
        listed = ListedDocument(key_lists, response_lists)
        as_read = build_scene(key, response, words)
    key, response = (side.scored.take_documents([row]) for side in sides)
    alignment, places = _locate_mentions(block, row)
    scene = build_scene(
        key,
        response,
        words,
        alignment=alignment,
        places=None if response.names is not None else places,
        quotes_places=not by_characters,
    )
    return SceneReading(
        run.key.ids[number],
        scene,
        as_read,
        listed,
        notes,
        settings,
        document.sentences,
        document.empty,
        read_layout(document),
        is_missing=partner is None,
    )


def _locate_mentions(
    block: AlignedBlock, row: int
) -> tuple[Alignment, tuple[list[Mention], list[Mention]]]:
    """Return the alignment of a document, and its mentions in the key's text."""
    mentions, pairs = block.table.mentions, block.table.mentions.alignment
    is_inside = mentions.key.document[pairs.key] == row
    places, aligned = [], []
    for side, numbers in (
        (mentions.key, pairs.key),
        (mentions.response, pairs.response),
    ):
        first, last = np.searchsorted(side.document, (row, row + 1)).tolist()
        aligned.append(numbers[is_inside] - first)
        number, absent = np.arange(first, last), np.full(last - first, -1)
        sides = (number, absent) if side is mentions.key else (absent, number)
        document = np.full(last - first, row)
        start, end, gaps = compute_key_spans(block, document, *sides)
        bounds = zip(start.tolist(), end.tolist(), strict=True)
        side_places = [
            Mention(*bound, gaps.get(n, ())) for n, bound in enumerate(bounds)
        ]
        places.append(side_places)
    return Alignment(*aligned), (places[0], places[1])


def _list_changes(run: Run, block: AlignedBlock, row: int) -> Iterator[str]:
    if block.response.numbers[row] is None:
        yield "the response lacks this document: it is scored as empty"
    sides = run.settings.without_singletons
    if sides:
        owner = f" of the {sides[0]}" if len(sides) == 1 else ""
        yield f"entities of one mention{owner} are dropped"
    for name, side in (("key", block.key), ("response", block.response)):
        copies = int(side.copies[row])
        if copies and not run.settings.counts_copies:
            plural, owner = ("s", "their") if copies > 1 else ("", "its")
            repeats = f"the {name} repeats {copies} mention{plural}"
            yield f"{repeats}, kept in the first of {owner} entities"
