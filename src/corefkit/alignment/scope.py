"""Scopes: the documents of a topic or of the corpus scored as one document.

Entities with the same id are one entity, whichever documents their mentions are in.
Cross-document corpora such as ECB+ use ids in this way; for other files, the user
states by requesting a scope that ids are shared by documents.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import chain
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.alignment.matching import encode_mentions
from corefkit.alignment.pipeline import read_columns
from corefkit.arrays.columns import (
    Columns,
    add_offset,
    find_runs,
    invert,
    number_entities,
    rank_in_runs,
    sort_runs,
)
from corefkit.arrays.hashing import add_positions
from corefkit.exceptions import PairingError, quoted
from corefkit.formats.source import Source
from corefkit.model import Bridge, Document, Entity, Mention
from corefkit.settings import select_by
from corefkit.strings import normalize_id
from corefkit.syntax.dependencies import remove_empty_nodes
from corefkit.tally import SIDES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.alignment.pairing import Pair
    from corefkit.arrays.columns import Details, Empties, Flags, Hashes, Ints
    from corefkit.formats.source import Word
    from corefkit.settings import Settings

_SENTENCES = 1 << 32  # more than any document has


class TextSizes(NamedTuple):
    """Sizes of the texts of documents on one side, a row for each document."""

    words: Ints  # 0 if they are unknown
    text_hash: Hashes
    empty: Ints  # the number of empty nodes
    mention_end: Ints  # the token after the last mention

    @classmethod
    def of(cls, columns: Columns) -> TextSizes:
        mention_end, document = np.zeros(columns.documents, np.int64), columns.document
        first, _ = find_runs(document)
        if len(first):
            mention_end[document[first]] = np.maximum.reduceat(columns.end, first) + 1
        words = np.where(columns.text_hash != 0, columns.token_count, 0)
        return cls(words, columns.text_hash.copy(), columns.empty_counts, mention_end)

    @property
    def is_known(self) -> Flags:
        is_known: Flags = (self.text_hash != 0) | (self.empty > 0)
        return is_known


def compute_lengths(key: TextSizes, response: TextSizes) -> tuple[Ints, Ints]:
    """Compute the number of tokens of documents on both sides.

    A side without words has as many as the other; without words on both sides, a
    document ends after its last mention.
    """
    sides = key, response
    tokens = [np.where(side.is_known, side.words + side.empty, 0) for side in sides]
    longest = np.maximum.reduce([*tokens, key.mention_end, response.mention_end])
    longest -= np.maximum(key.empty, response.empty)
    is_known = (tokens[0] > 0) & (tokens[1] > 0)
    return (
        np.where(is_known, tokens[0], longest + key.empty),
        np.where(is_known, tokens[1], longest + response.empty),
    )


# Documents joined as columns, which are scored.


def join_documents(
    columns: Columns, sizes: TextSizes, *, topic: Ints, length: Ints
) -> Columns:
    """Concatenate the documents of each topic, which are in this order.

    Entities with the same id become one entity, numbered in the order of their first
    mentions.
    """
    entity, first_row = _merge_entities(columns, topic)
    order, _ = sort_runs(entity[columns.entity])
    offset = _sum_before(length, topic)
    shift = np.repeat(offset, np.diff(columns.bounds["mention"]))[order]
    start, end = columns.start[order] + shift, columns.end[order] + shift
    token_count, text_hash = _join_texts(sizes, topic)
    details = columns.details
    if details is not None:
        details = _join_details(details, entity, first_row, order, shift)
        nodes = _join_empties(details.empties, topic, offset, token_count >= 0)
        details = replace(details, empties=nodes)
    del shift
    joined = Columns(
        entity=entity[columns.entity[order]],
        start=start,
        end=end,
        entity_document=topic[columns.entity_document[first_row]],
        token_count=token_count,
        text_hash=text_hash,
        details=details,
    )
    if details is not None and len(details.bridge):
        bridge = _bridge_first_copies(details.bridge, encode_mentions(joined)[0])
        joined = replace(joined, details=replace(details, bridge=bridge))
    if len(first_row) > len(find_runs(joined.entity).first):
        # Drop entities without mentions: no document of the topic has any.
        joined = joined.keep(np.ones(len(order), np.bool_))
    return joined


def _merge_entities(columns: Columns, topic: Ints) -> tuple[Ints, Ints]:
    """Number the entities of topics; return the entity and first row of each entity."""
    assert columns.code is not None, "the ids of entities have not been encoded"
    entity_topic = topic[columns.entity_document]
    is_empty = np.bincount(columns.entity, minlength=len(entity_topic)) == 0
    if not is_empty.any():
        return number_entities(entity_topic, columns.code)
    # Entities without mentions come last, so that they determine no order.
    rows = np.argsort(is_empty, kind="stable")
    numbers, first_row = number_entities(entity_topic[rows], columns.code[rows])
    entity = np.empty_like(numbers)
    entity[rows] = numbers
    return entity, rows[first_row]


def _join_details(
    details: Details, entity: Ints, first_row: Ints, order: Ints, shift: Ints
) -> Details:
    """Move details of mentions by `shift`, and merge those of entities by `entity`."""
    antecedent = details.bridge[:, 1]
    bridge = details.bridge.copy()
    bridge[:, 1] = np.where(antecedent < 0, -1, first_row[entity[antecedent]])
    split = first_row[entity[details.split]]
    details = replace(details, bridge=bridge, split=split).take(order, first_row)
    gap_shift = shift[details.gap]
    return replace(
        details,
        head=add_offset(details.head, shift),
        minimum_start=add_offset(details.minimum_start, shift),
        minimum_end=add_offset(details.minimum_end, shift),
        gap_start=details.gap_start + gap_shift,
        gap_end=details.gap_end + gap_shift,
        split=_drop_duplicates(details.split),
    )


def _drop_duplicates(split: Ints) -> Ints:
    """Keep the first of equal rows, and sort them by entity; the sort is stable."""
    if not len(split):
        return split
    unique = split[np.sort(np.unique(split, axis=0, return_index=True)[1])]
    return unique[np.argsort(unique[:, 0], kind="stable")]


def _bridge_first_copies(bridge: Ints, code: Ints) -> Ints:
    """Link to the first of equal mentions, which is the one that is scored."""
    _, first, group = np.unique(code, return_index=True, return_inverse=True)
    first_copy = first[group]
    anaphor, antecedent, mention = bridge.T
    mention = np.where(mention < 0, -1, first_copy[mention])
    return np.stack((first_copy[anaphor], antecedent, mention), axis=1)


def _join_empties(
    nodes: Empties | None, topic: Ints, offset: Ints, is_known: Flags
) -> Empties | None:
    """Move the empty nodes of documents; drop those of topics with unknown words."""
    if nodes is None:
        return None
    rows = np.flatnonzero(is_known[topic[nodes.document]])
    if not len(rows):
        return None
    number = invert(rows, len(nodes.document))
    links = np.flatnonzero(number[nodes.dependent] >= 0)
    document, parent = nodes.document[nodes.dependent[links]], nodes.parent[links]
    # The numbers of roots depend on the sentence only, so they agree on both sides.
    root = parent - rank_in_runs(topic)[document] * _SENTENCES
    return replace(
        nodes,
        document=topic[nodes.document[rows]],
        token=nodes.token[rows] + offset[nodes.document[rows]],
        initial=nodes.initial[rows],
        dependent=number[nodes.dependent[links]],
        parent=np.where(parent < 0, root, parent + offset[document]),
        relation=nodes.relation[links],
    )


def _join_texts(sizes: TextSizes, topic: Ints) -> tuple[Ints, Hashes]:
    """Count and hash the words of each topic, if those of all documents are known."""
    first, _ = find_runs(topic)
    is_known = np.logical_and.reduceat(sizes.is_known, first)
    words = np.where(is_known, np.add.reduceat(sizes.words, first), -1)
    hashes = add_positions(sizes.text_hash, _sum_before(sizes.words, topic))
    hashes[first] = sizes.text_hash[first]  # that of a single document remains
    text_hash = np.where(is_known, np.add.reduceat(hashes, first), np.uint64(0))
    return np.where(words == 0, -1, words), text_hash


def _sum_before(counts: Ints, topic: Ints) -> Ints:
    """Sum the counts of the preceding documents of the topic, for each document."""
    first, size = find_runs(topic)
    total = np.cumsum(counts) - counts
    return total - np.repeat(total[first], size)


# Documents joined as objects, for inspection. Their mentions have the same tokens as in
# the joined columns.

# The layers that matching reads, and the value of a token without annotation.
_LAYERS = {"deps": "_", "parse": "*", "xpos": "_"}


def merge_documents(
    name: str, documents: Sequence[Document], lengths: Sequence[int]
) -> Document:
    """Concatenate documents; entities with the same id become one entity."""
    entities: dict[str, Entity] = {}  # the first of each id
    mentions: dict[str, list[Mention]] = {}
    split: dict[str, dict[str, None]] = {}
    empty: list[int] = []
    bridges: list[Bridge] = []
    offset = 0
    for document, length in zip(documents, lengths, strict=True):
        for entity in document.entities:
            entities.setdefault(entity.id, entity)
            split.setdefault(entity.id, {}).update(dict.fromkeys(entity.split))
            mentions.setdefault(entity.id, []).extend(
                _shift_mention(mention, offset) for mention in entity.mentions
            )
        empty.extend(token + offset for token in document.empty)
        bridges.extend(
            bridge._replace(
                anaphor=_shift_mention(bridge.anaphor, offset),
                mention=bridge.mention and _shift_mention(bridge.mention, offset),
            )
            for bridge in document.bridges
        )
        offset += length
    sentences: tuple[tuple[str, ...], ...] = ()
    if all(document.sentences for document in documents):
        sentences = tuple(chain(*(document.sentences for document in documents)))
    merged = tuple(
        replace(entity, mentions=tuple(mentions[id]), split=tuple(split[id]))
        for id, entity in entities.items()
    )
    layers = _merge_layers(documents)
    return Document(name, sentences, merged, tuple(empty), tuple(bridges), layers)


def _merge_layers(documents: Sequence[Document]) -> dict[str, tuple[str, ...]]:
    """Merge the layers that matching reads; trees are required in all documents."""
    layers = {}
    for name, default in _LAYERS.items():
        has_layer = [name in document.layers for document in documents]
        if all(has_layer) or (any(has_layer) and name != "parse"):
            layers[name] = tuple(
                chain.from_iterable(
                    document.layers.get(name, (default,) * len(document.tokens))
                    for document in documents
                )
            )
    return layers


def _shift_mention(mention: Mention, offset: int) -> Mention:
    head, minimum = mention.head, mention.minimum
    return Mention(
        mention.start + offset,
        mention.end + offset,
        tuple((start + offset, end + offset) for start, end in mention.gaps),
        None if head is None else head + offset,
        None if minimum is None else (minimum[0] + offset, minimum[1] + offset),
        mention.attributes,
    )


# The sources of joined documents.
#
# The length of a document may follow from the other side alone, so both sides are read
# together. The columns of one side are cached until the other side requests them.

_MAX_CACHED = 4  # blocks of columns that only one side has requested


@dataclass(slots=True)
class Topics:
    """The documents of both sides, grouped by topic."""

    key: Source
    response: Source
    members: Sequence[Sequence[Pair]]  # of each topic
    settings: Settings
    # The lengths in tokens of the documents of a topic on one side, and the number of
    # words before each, None if it is unknown. They are known once the topic was read.
    layouts: dict[tuple[str, int], tuple[Ints, Ints | None]] = field(
        default_factory=dict
    )
    _ids: tuple[dict[bytes, int], dict[bytes, int]] = field(
        default_factory=lambda: ({}, {})
    )
    _cache: dict[tuple[str, tuple[int, ...]], Columns] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def read_columns(self, role: str, numbers: Sequence[int]) -> Columns:
        requested = tuple(numbers)
        with self._lock:
            if (role, requested) not in self._cache:
                for side, columns in zip(SIDES, self._join(numbers), strict=True):
                    self._cache[side, requested] = columns
            columns = self._cache.pop((role, requested))
            # The response is never requested if the key is scored alone.
            for old in list(self._cache)[:-_MAX_CACHED]:
                del self._cache[old]
        return columns

    def _join(self, numbers: Sequence[int]) -> tuple[Columns, Columns]:
        pairs = [pair for number in numbers for pair in self.members[number]]
        sizes = np.array([len(self.members[number]) for number in numbers], np.int64)
        topic = np.repeat(np.arange(len(sizes)), sizes)
        key = self.key.read_columns([pair.key for pair in pairs], self._ids[0])
        key_sizes = TextSizes.of(key)
        response, response_sizes = key, key_sizes
        if self.key is not self.response:
            partners = [pair.response for pair in pairs]
            response = read_columns(self.response, partners, self._ids[1])
            response_sizes = TextSizes.of(response)
            # Documents that the response lacks have the words of the key there.
            missing = [row for row, partner in enumerate(partners) if partner is None]
            response_sizes.words[missing] = key_sizes.words[missing]
            response_sizes.text_hash[missing] = key_sizes.text_hash[missing]
        lengths = compute_lengths(key_sizes, response_sizes)
        if self.settings.reads_as_reference:
            self._check_lengths(
                pairs, lengths[0] - key_sizes.empty, lengths[1] - response_sizes.empty
            )
        first = np.cumsum(sizes) - sizes
        for role, side, length in zip(
            SIDES, (key_sizes, response_sizes), lengths, strict=True
        ):
            before: Sequence[Ints | None] = [None] * len(sizes)
            if side.is_known.all():
                before = np.split(_sum_before(side.words, topic), first)[1:]
            layouts = zip(np.split(length, first)[1:], before, strict=True)
            names = [(role, number) for number in numbers]
            self.layouts.update(zip(names, layouts, strict=True))
        is_alone = response is key
        key = join_documents(key, key_sizes, topic=topic, length=lengths[0])
        if is_alone:
            return key, key
        return key, join_documents(
            response, response_sizes, topic=topic, length=lengths[1]
        )

    def _check_lengths(
        self, pairs: Sequence[Pair], expected: Ints, lengths: Ints
    ) -> None:
        """Raise PairingError if texts differ in length, as later documents would move.

        The reference scorer does not compare texts; otherwise they are compared later.
        """
        for row in np.flatnonzero(expected != lengths).tolist():
            pair = pairs[row]
            if pair.response is None:
                continue
            message = (
                f"document {quoted(self.key.ids[pair.key])} has {lengths[row]} tokens, "
                f"expected {expected[row]} as in {self.key.format_place(pair.key)}"
            )
            hint = "documents of a topic are scored as one: they need the same text"
            place = self.response.format_place(pair.response)
            raise PairingError(
                message, code="pairing/different-text", place=place, hint=hint
            )


def join_sources(
    key: Source, response: Source, pairs: Sequence[Pair], settings: Settings
) -> tuple[ScopedSource, ScopedSource]:
    """Join the documents of each topic, or all documents, on both sides."""
    for side in (key, response):
        if not side.has_entity_ids and len(side.ids) > 1:
            message = "entities have no ids to know them by in other documents"
            hint = "give their ids: {document: {entity: [mention, ...], ...}, ...}"
            raise PairingError(
                message, code="pairing/anonymous-entities", place=side.name, hint=hint
            )
    members: Mapping[str, Sequence[Pair]] = {"corpus": pairs} if pairs else {}
    if select_by(settings, "scope", {"topic": True, "corpus": False}):
        members = _group_by_topic(key, pairs, settings.topic_pattern)
    topics = Topics(key, response, list(members.values()), settings)
    return (
        ScopedSource("key", topics, list(members)),
        ScopedSource("response", topics, list(members)),
    )


def _group_by_topic(
    key: Source, pairs: Sequence[Pair], pattern: str | None
) -> Mapping[str, Sequence[Pair]]:
    topics: dict[str, list[Pair]] = {}
    for pair in pairs:
        try:
            name = get_topic(key.ids[pair.key], pattern=pattern)
        except PairingError:
            # Only the error message requires the place, which may be slow to compute.
            place = key.format_place(pair.key)
            name = get_topic(key.ids[pair.key], place, pattern=pattern)
        topics.setdefault(name, []).append(pair)
    return topics


def get_topic(
    document_id: str, place: str | None = None, *, pattern: str | None = None
) -> str:
    """Return the topic of a document: its folder, or its id up to the first underscore.

    With a pattern, it is the match in the id, or the groups of the match.

    >>> get_topic("36/36_1ecb"), get_topic("36_1ecb"), get_topic("(36_1ecb); part 000")
    ('36', '36', '36')
    >>> (
    ...     get_topic("36_1ecb", pattern="^[0-9]+"),
    ...     get_topic("36_1ecb", pattern="(.*)_.(.*)"),
    ... )
    ('36', '36_ecb')
    """
    name = normalize_id(document_id)
    if pattern is not None:
        match = re.search(pattern, name)
        topic = match and ("_".join(filter(None, match.groups())) or match[0])
        if not topic:
            message = f"document {quoted(document_id)} does not match {pattern!r}"
            hint = "--topics needs an expression that is found in all ids"
            raise PairingError(message, code="pairing/no-topic", place=place, hint=hint)
        return topic
    folder, slash, _ = name.rpartition("/")
    if slash:
        return folder
    topic, underscore, _ = name.partition("_")
    if not underscore:
        message = f"document {quoted(document_id)} names no topic"
        hint = "a topic is an id up to its last slash, or to its first underscore"
        raise PairingError(message, code="pairing/no-topic", place=place, hint=hint)
    return topic


class ScopedSource(Source):
    """One side of a corpus with the documents of each topic joined.

    A document that the response lacks has the words of the key and no mentions there.
    """

    def __init__(self, role: str, topics: Topics, ids: Sequence[str]) -> None:
        self._role = role
        self._topics = topics
        self.name = (topics.key if role == "key" else topics.response).name
        self.ids = ids
        sizes = topics.key.sizes
        self.sizes = [
            sum(sizes[member.key] for member in members) for members in topics.members
        ]

    def format_place(self, number: int) -> str:
        source, member = self._locate(self._topics.members[number][0])
        return source.format_place(member)

    def read_columns(
        self, numbers: Sequence[int], ids: dict[bytes, int] | None = None
    ) -> Columns:
        del ids  # topics are not joined again
        return self._topics.read_columns(self._role, numbers)

    def read_document(self, number: int) -> Document:
        documents = list(map(self._read_member, self._topics.members[number]))
        if (self._role, number) not in self._topics.layouts:
            self._topics.read_columns(self._role, [number])
        lengths, _ = self._topics.layouts[self._role, number]
        return merge_documents(self.ids[number], documents, lengths.tolist())

    def _read_member(self, pair: Pair) -> Document:
        source, member = self._locate(pair)
        document = source.read_document(member)
        if self._role == "response" and pair.response is None:
            document = replace(document, entities=(), bridges=())
            return remove_empty_nodes(document)
        return document

    def is_running_text(self, number: int) -> bool:
        members = map(self._locate, self._topics.members[number])
        return any(source.is_running_text(member) for source, member in members)

    def iter_words(self, number: int) -> Iterator[Word]:
        members = map(self._locate, self._topics.members[number])
        return chain.from_iterable(
            source.iter_words(member) for source, member in members
        )

    def find_word(self, number: int, position: int) -> Word | None:
        """Find a word of a topic, reading only the document that contains it."""
        _, words_before = self._topics.layouts.get((self._role, number), (None, None))
        if words_before is None:
            return super().find_word(number, position)
        row = int(np.searchsorted(words_before, position, side="right")) - 1
        source, member = self._locate(self._topics.members[number][row])
        return source.find_word(member, position - int(words_before[row]))

    def _locate(self, pair: Pair) -> tuple[Source, int]:
        if self._role == "response" and pair.response is not None:
            return self._topics.response, pair.response
        return self._topics.key, pair.key
