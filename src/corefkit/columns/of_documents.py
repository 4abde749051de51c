"""Documents as columns: what objects say of mentions, set out in flat arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.columns import Columns
from corefkit.columns.details import Details, Empties
from corefkit.columns.words import text_hashes
from corefkit.strings.ids import enhanced, sentence_ids

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.columns import Ints
    from corefkit.model import Document, Entity, Mention


def document_columns(documents: Sequence[Document]) -> Columns:
    """Put the mentions of documents into columns."""
    entities = [
        (number, entity)
        for number, document in enumerate(documents)
        for entity in document.entities
        if entity.mentions
    ]
    mentions = [mention for _, entity in entities for mention in entity.mentions]
    sizes = np.array([len(entity) for _, entity in entities], np.int64)
    words = [document.words for document in documents]
    return Columns(
        entity=np.repeat(np.arange(len(entities)), sizes),
        start=np.array([mention.start for mention in mentions], np.int64),
        end=np.array([mention.end for mention in mentions], np.int64),
        entity_document=np.array([number for number, _ in entities], np.int64),
        token_count=np.array([len(text) or -1 for text in words], np.int64),
        text_hash=text_hashes(words),
        details=_details(documents, entities, mentions),
    )


def _details(
    documents: Sequence[Document],
    entities: Sequence[tuple[int, Entity]],
    mentions: Sequence[Mention],
) -> Details | None:
    plain = not any(document.empty or document.bridges for document in documents)
    plain = plain and all(
        entity.referring and not entity.split for _, entity in entities
    )
    if plain and not any(
        mention.gaps or mention.head is not None or mention.minimum
        for mention in mentions
    ):
        return None
    gaps = [
        (number, *gap)
        for number, mention in enumerate(mentions)
        for gap in mention.gaps
    ]
    number = {
        (document, entity.id): row for row, (document, entity) in enumerate(entities)
    }
    minima = [mention.minimum or (-1, -1) for mention in mentions]
    return Details(
        head=np.array(
            [-1 if mention.head is None else mention.head for mention in mentions],
            np.int64,
        ),
        minimum_start=_column(minima, 0, 2),
        minimum_end=_column(minima, 1, 2),
        gap=_column(gaps, 0, 3),
        gap_start=_column(gaps, 1, 3),
        gap_end=_column(gaps, 2, 3),
        empties=_empties(documents),
        referring=np.array([entity.referring for _, entity in entities], np.bool_),
        split=_splits(entities, number),
        bridge=_bridges(documents, entities, number),
    )


def _column(rows: Sequence[tuple[int, ...]], column: int, width: int) -> Ints:
    return np.array(rows, np.int64).reshape(-1, width)[:, column]


def _splits(
    entities: Sequence[tuple[int, Entity]], number: Mapping[tuple[int, str], int]
) -> Ints:
    rows = [
        (row, number[document, antecedent])
        for row, (document, entity) in enumerate(entities)
        for antecedent in entity.split
        if (document, antecedent) in number
    ]
    return np.array(rows, np.int64).reshape(-1, 2)


def _bridges(
    documents: Sequence[Document],
    entities: Sequence[tuple[int, Entity]],
    number: Mapping[tuple[int, str], int],
) -> Ints:
    if not any(document.bridges for document in documents):
        return np.empty((0, 3), np.int64)
    places = [
        (document, mention) for document, entity in entities for mention in entity
    ]
    # Of copies the first counts, which is the one that scoring keeps.
    mentions = {place: row for row, place in reversed(list(enumerate(places)))}
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


def _empties(documents: Sequence[Document]) -> Empties | None:
    nodes: list[tuple[int, int, bool]] = []
    dependencies: list[tuple[int, int, int]] = []
    for number, document in enumerate(documents):
        if not document.empty:
            continue
        empty = set(document.empty)
        deps = document.layers.get("deps")
        first = 0
        for sentence, words in enumerate(document.sentences):
            tokens = range(first, first + len(words))
            inside = [token for token in tokens if token in empty]
            said = [token for token in tokens if token not in empty]
            ids = sentence_ids(tokens, empty) if deps and inside else {}
            for token in inside:
                if deps:
                    dependencies.extend(
                        (len(nodes), ids.get(parent, -1 - sentence), hash(relation))
                        for parent, relation in enhanced(deps[token])
                    )
                nodes.append((number, token, not said or token < said[0]))
            first += len(words)
    if not nodes:
        return None
    return Empties(
        document=_column(nodes, 0, 3),
        token=_column(nodes, 1, 3),
        initial=_column(nodes, 2, 3).astype(np.bool_),
        dependent=_column(dependencies, 0, 3),
        parent=_column(dependencies, 1, 3),
        relation=_column(dependencies, 2, 3),
    )
