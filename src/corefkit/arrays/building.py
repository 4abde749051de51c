"""Columns built from documents, and integer codes for entity ids."""

from __future__ import annotations

from itertools import chain, count
from typing import TYPE_CHECKING

import numpy as np

from corefkit.arrays.columns import Columns, Details, Empties, Ints
from corefkit.arrays.hashing import compute_text_hashes
from corefkit.model import Entity
from corefkit.strings import iter_dependencies, map_conllu_ids

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corefkit.arrays.columns import Hashes
    from corefkit.model import Document, Mention

_MAX_DIGITS = 17  # of an id whose value and length fit a 64-bit integer
_TENS = 10 ** np.arange(1, _MAX_DIGITS)


def build_columns(
    documents: Sequence[Document], ids: dict[bytes, int] | None = None
) -> Columns:
    """Convert documents to columns.

    With `ids`, entities are encoded so that they can be joined across documents: the
    columns then include entities without mentions, and linked ones of other documents.
    """
    entities = list(_iter_entities(documents, linked=ids is not None))
    mentions = [mention for _, entity in entities for mention in entity.mentions]
    sizes = np.array([len(entity.mentions) for _, entity in entities], np.int64)
    words = [document.words for document in documents]
    codes = None
    if ids is not None:
        codes = encode_ids((entity.id for _, entity in entities), ids)
    return Columns(
        entity=np.repeat(np.arange(len(entities)), sizes),
        start=np.array([mention.start for mention in mentions], np.int64),
        end=np.array([mention.end for mention in mentions], np.int64),
        entity_document=np.array([number for number, _ in entities], np.int64),
        token_count=np.array([len(text) or -1 for text in words], np.int64),
        text_hash=compute_text_hashes(words),
        details=_build_details(documents, entities, mentions),
        code=codes,
    )


def build_span_columns(
    entities: Iterable[tuple[int, Sequence[Sequence[int]]]],
    token_count: Sequence[int],
    text_hash: Hashes,
) -> Columns:
    """Convert entities that have only spans; the number of words is -1 if unknown."""
    documents: list[int] = []
    spans: list[Sequence[int]] = []
    numbers: list[int] = []
    for number, (document, row) in enumerate(entities):
        documents.append(document)
        spans += row
        numbers += [number] * len(row)
    table = np.array(spans, np.int64).reshape(-1, 2)
    return Columns(
        entity=np.array(numbers, np.int64),
        start=table[:, 0],
        end=table[:, 1],
        entity_document=np.array(documents, np.int64),
        token_count=np.array(token_count, np.int64),
        text_hash=text_hash,
    )


def _iter_entities(
    documents: Sequence[Document], *, linked: bool
) -> Iterator[tuple[int, Entity]]:
    for number, document in enumerate(documents):
        for entity in document.entities:
            if entity.mentions or linked:
                yield number, entity
        if linked:
            ids = {entity.id for entity in document.entities}
            links = chain.from_iterable(entity.split for entity in document.entities)
            antecedents = (bridge.antecedent for bridge in document.bridges)
            for antecedent in dict.fromkeys(chain(links, antecedents)):
                if antecedent not in ids:
                    yield number, Entity(antecedent, ())


def _build_details(
    documents: Sequence[Document],
    entities: Sequence[tuple[int, Entity]],
    mentions: Sequence[Mention],
) -> Details | None:
    if (
        not any(document.empty or document.bridges for document in documents)
        and all(entity.referring and not entity.split for _, entity in entities)
        and not any(
            mention.gaps or mention.head is not None or mention.minimum
            for mention in mentions
        )
    ):
        return None
    number = {
        (document, entity.id): row for row, (document, entity) in enumerate(entities)
    }
    splits = [
        (row, number[document, antecedent])
        for row, (document, entity) in enumerate(entities)
        for antecedent in entity.split
        if (document, antecedent) in number
    ]
    gaps = [(row, *gap) for row, mention in enumerate(mentions) for gap in mention.gaps]
    gap, gap_start, gap_end = _to_columns(gaps, 3)
    minima = [mention.minimum or (-1, -1) for mention in mentions]
    minimum_start, minimum_end = _to_columns(minima, 2)
    heads = [-1 if mention.head is None else mention.head for mention in mentions]
    return Details(
        head=np.array(heads, np.int64),
        minimum_start=minimum_start,
        minimum_end=minimum_end,
        gap=gap,
        gap_start=gap_start,
        gap_end=gap_end,
        empties=_build_empties(documents),
        referring=np.array([entity.referring for _, entity in entities], np.bool_),
        split=np.array(splits, np.int64).reshape(-1, 2),
        bridge=_build_bridges(documents, entities, number),
    )


def _to_columns(rows: Sequence[tuple[int, ...]], width: int) -> Ints:
    return np.array(rows, np.int64).reshape(-1, width).T


def _build_bridges(
    documents: Sequence[Document],
    entities: Sequence[tuple[int, Entity]],
    number: Mapping[tuple[int, str], int],
) -> Ints:
    if not any(document.bridges for document in documents):
        return np.empty((0, 3), np.int64)
    mentions: dict[tuple[int, Mention], int] = {}
    row = count()
    for document, entity in entities:
        for mention in entity.mentions:
            # Of duplicate mentions the first one is scored.
            mentions.setdefault((document, mention), next(row))
    rows = [
        (
            mentions[document, bridge.anaphor],
            number.get((document, bridge.antecedent), -1),
            mentions.get((document, bridge.mention), -1) if bridge.mention else -1,
        )
        for document, owner in enumerate(documents)
        for bridge in owner.bridges
        if (document, bridge.anaphor) in mentions
    ]
    return np.array(rows, np.int64).reshape(-1, 3)


def _build_empties(documents: Sequence[Document]) -> Empties | None:
    nodes: list[tuple[int, int, bool]] = []
    dependencies: list[tuple[int, int, int]] = []
    for number, document in enumerate(documents):
        empty = set(document.empty)
        deps = document.layers.get("deps")
        first = 0
        for sentence, words in enumerate(document.sentences if empty else ()):
            tokens = range(first, first + len(words))
            empty_tokens = [token for token in tokens if token in empty]
            first_word = next((token for token in tokens if token not in empty), None)
            ids = map_conllu_ids(tokens, empty) if deps and empty_tokens else {}
            for token in empty_tokens:
                if deps:
                    dependencies.extend(
                        (len(nodes), ids.get(parent, -1 - sentence), hash(relation))
                        for parent, relation in iter_dependencies(deps[token])
                    )
                nodes.append((number, token, first_word is None or token < first_word))
            first += len(words)
    if not nodes:
        return None
    document_row, token_row, initial = _to_columns(nodes, 3)
    dependent, parent, relation = _to_columns(dependencies, 3)
    return Empties(
        document=document_row,
        token=token_row,
        initial=initial.astype(np.bool_),
        dependent=dependent,
        parent=parent,
        relation=relation,
    )


# Codes of entity ids, for entities across documents.
#
# Ids are compared exactly: `0` and `00` are two ids. The code of a decimal number
# without leading zeros is its value. All other ids are numbered in the order of their
# first use, in one dictionary for all files of a side; their codes are negative.


def encode_ids(names: Iterable[str], ids: dict[bytes, int]) -> Ints:
    """Return the codes of ids; equal ids have equal codes."""
    return np.array([_encode_id(name, ids) for name in names], np.int64)


def _encode_id(name: str, ids: dict[bytes, int]) -> int:
    is_number = name.isdigit() and name.isascii() and len(name) <= _MAX_DIGITS
    if is_number and (name[0] != "0" or name == "0"):
        return int(name)
    return -1 - ids.setdefault(name.encode("utf-8", "surrogatepass"), len(ids))


def encode_numbers(numbers: Ints, ids: dict[bytes, int]) -> Ints:
    """Return the codes of ids that are written as plain integers."""
    is_other = (numbers < 0) | (numbers >= 10**_MAX_DIGITS)
    if not is_other.any():
        return numbers
    codes = numbers.copy()
    codes[is_other] = encode_ids(map(str, numbers[is_other].tolist()), ids)
    return codes


def encode_digits(value: Ints, length: Ints, ids: dict[bytes, int]) -> Ints:
    """Return the codes of strings of at most 17 digits, by value and length.

    Other ids have the length 0, and their number in `ids` as value.
    """
    digits = np.searchsorted(_TENS, value, side="right") + 1
    codes = np.where(length == 0, -1 - value, value)
    padded = np.flatnonzero((length != digits) & (length > 0))
    names = zip(value[padded].tolist(), length[padded].tolist(), strict=True)
    codes[padded] = encode_ids((f"{number:0{width}d}" for number, width in names), ids)
    return codes
