"""Blocks of documents of one side, and one document taken out of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.alignment.attributes import AskedAttributes
    from corefkit.alignment.matching.trees import Trees
    from corefkit.alignment.table import Overlap
    from corefkit.alignment.texts import Characters, OtherTokens
    from corefkit.columns import Columns, Ints

# Documents by their numbers in a source; None for one that it lacks.
Numbers: TypeAlias = "Sequence[int | None]"


@dataclass(frozen=True, slots=True)
class Block:
    """Some documents of one side: as read, and as scored.

    Attributes:
        numbers: the documents.
        read: their mentions as read.
        settled: the mentions that are scored: each stands in one entity.
        order: the order of the settled mentions by position; None where that is not
            known.
        copies: for each document, how many mentions repeat an earlier one.
        trees: trees of the documents, by row, whose minimum spans are found in them.
        attributes: gives the attributes of the settled mentions.
    """

    numbers: Numbers
    read: Columns
    settled: Columns
    order: Ints | None
    copies: Ints
    trees: Mapping[int, Trees]
    attributes: AskedAttributes

    def by_characters(self, characters: Characters) -> Block:
        """Let the mentions of a document, and its trees, point to characters."""
        row, trees = characters.document, dict(self.trees)
        if row in trees:
            trees[row] = replace(trees[row], starts=characters.start.tolist())
        return replace(
            self,
            read=characters.replacing_tokens(self.read),
            settled=characters.replacing_tokens(self.settled),
            order=None,
            trees=trees,
        )


@dataclass(frozen=True, slots=True)
class AlignedBlock:
    """Some documents of key and response with their mentions aligned.

    Attributes:
        key: the key's documents.
        response: the response's documents.
        table: their overlap table.
        key_read: the key's mentions as read; those of `key.read` may be by characters.
        other_tokens: the documents, by row, whose tokens differ.
    """

    key: Block
    response: Block
    table: Overlap
    key_read: Columns
    other_tokens: Mapping[int, OtherTokens]


def one_document(columns: Columns, row: int) -> Columns:
    """Take one document out of a block.

    >>> from corefkit.columns import empty_columns
    >>> one_document(empty_columns(3), 1).documents
    1
    """
    first, last = np.searchsorted(columns.entity_document, (row, row + 1))
    entities = np.arange(first, last)
    mentions = np.arange(*np.searchsorted(columns.entity, (first, last)))
    taken = columns.take(mentions, entities)
    # Empty nodes of other documents stay, in a document that is not there.
    number = (np.arange(columns.documents) != row).astype(np.int64)
    return replace(
        taken,
        entity_document=np.zeros(len(entities), np.int64),
        tokens=columns.tokens[row : row + 1],
        fingerprint=columns.fingerprint[row : row + 1],
        details=taken.details and taken.details.renumber_documents(number),
    )
