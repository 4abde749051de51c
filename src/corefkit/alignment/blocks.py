"""Blocks of documents, and what of them is scored.

That are entities that refer, each mention in one of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.exceptions import FormatError, quoted
from corefkit.settings import by_choice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from corefkit.alignment.attributes import AskedAttributes
    from corefkit.alignment.matching.trees import Trees
    from corefkit.alignment.table import Overlap
    from corefkit.alignment.texts import Characters, OtherTokens
    from corefkit.columns import Columns, Flags, Ints
    from corefkit.formats.source import Source, Word
    from corefkit.model import Mention
    from corefkit.settings import Settings

# What a note says of repeated mentions under `repeated:reference`.
COUNTED_AS_REFERENCE = "counted as the reference scorer does"

# Documents by their numbers in a source; None for one that it lacks.
Numbers: TypeAlias = "Sequence[int | None]"


class Block(NamedTuple):
    """Some documents of one side: as read, and as scored."""

    numbers: Numbers
    read: Columns
    settled: Columns  # the mentions that are scored: each stands in one entity
    order: Ints | None  # of the settled mentions by position, where it is known
    copies: Ints  # for each document, how many mentions repeat an earlier one
    trees: Mapping[int, Trees]  # by row, where minimum spans are found in them
    attributes: AskedAttributes  # gives those of the settled mentions

    def by_characters(self, characters: Characters) -> Block:
        """Let the mentions of a document, and its trees, point to characters."""
        row, trees = characters.document, dict(self.trees)
        if row in trees:
            trees[row] = replace(trees[row], starts=characters.start.tolist())
        return self._replace(
            read=characters.replacing_tokens(self.read),
            settled=characters.replacing_tokens(self.settled),
            order=None,
            trees=trees,
        )


class AlignedBlock(NamedTuple):
    """Some documents of key and response with their mentions aligned."""

    key: Block
    response: Block
    table: Overlap
    key_read: Columns  # as read; those of `key.read` may be by characters
    other_tokens: Mapping[int, OtherTokens]  # by row


class CrowdedDocument(FormatError):
    """A document, by its number in the block, with too many pairs to be weighed."""

    def __init__(self, message: str, *, document: int, hint: str) -> None:
        super().__init__(message, hint=hint)
        self.document = document


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
        token_count=columns.token_count[row : row + 1],
        text_hash=columns.text_hash[row : row + 1],
        details=taken.details and taken.details.renumber_documents(number),
    )


class Scored(NamedTuple):
    """Mentions that are scored, and their order by position where it is known."""

    columns: Columns
    order: Ints | None

    def keep(self, mentions: Flags) -> Scored:
        """Keep only the flagged mentions."""
        order = self.order
        if order is not None:
            order = (np.cumsum(mentions) - 1)[order[mentions[order]]]
        return Scored(self.columns.keep(mentions), order)


def referring(columns: Columns) -> Columns:
    """Leave out entities that do not refer."""
    if columns.details is None or columns.details.referring.all():
        return columns
    return columns.keep(columns.details.referring[columns.entity])


def in_larger_entities(columns: Columns) -> Flags:
    """Flag the mentions that are not alone in their entities."""
    size = np.bincount(columns.entity, minlength=len(columns.entity_document))
    flags: Flags = size[columns.entity] > 1
    return flags


def entity_lists(columns: Columns, document: int) -> list[list[Mention]]:
    """List the entities of a document of a block as spans, repeated ones and all.

    Those that do not refer are left out.
    """
    alone = one_document(referring(columns), document)
    entities: dict[int, list[Mention]] = {}
    for mention, entity in enumerate(alone.entity.tolist()):
        entities.setdefault(entity, []).append(alone.mention(mention))
    return list(entities.values())


@dataclass(slots=True)
class Repeats:
    """How many mentions of a side repeat an earlier one, and the place of the first."""

    count: int = 0
    place: str = ""
    document: str = ""  # the id of the document that has the first

    def note(
        self,
        source: Source,
        numbers: Numbers,
        columns: Columns,
        repeated: Flags,
        *,
        refuse: bool,
    ) -> None:
        """Count the repeated mentions of some documents."""
        self.count += int(repeated.sum())
        if self.place:
            return
        mention = int(np.flatnonzero(repeated)[0])
        number = numbers[int(columns.document[mention])] or 0
        self.place = place_of_mention(source, number, columns, mention)
        self.document = source.ids[number]
        if refuse:
            message = (
                f"a mention of document {quoted(source.ids[number])} stands here more "
                "than once, expected every mention in one entity"
            )
            hint = "--repeated first keeps it in the first of its entities"
            raise FormatError(message, place=self.place, hint=hint)

    def take(self, other: Repeats) -> None:
        """Count what another part of the corpus repeats, behind this one."""
        self.count += other.count
        if not self.place:
            self.place, self.document = other.place, other.document

    def in_words(self, name: str, settings: Settings) -> str:
        """Say what a side repeats, and what was done about it."""
        plural, whose = ("s", "their") if self.count > 1 else ("", "its")
        kept = {
            "first": f"kept in the first of {whose} entities",
            "reference": COUNTED_AS_REFERENCE,
        }
        done = by_choice(settings, "repeated", kept)
        found = f"{self.count} repeated mention{plural}, {done}"
        return f"{name}: {found}: see {self.place}"


def place_of_mention(
    source: Source, number: int, columns: Columns, mention: int
) -> str:
    """Say where a mention begins; one of an empty node, at the word behind it."""
    start, document = int(columns.start[mention]), columns.document[mention]
    if columns.details is not None and columns.details.empties is not None:
        empties = columns.details.empties
        here = empties.token[empties.document == document]
        start -= int((here < start).sum())
    word_at: Callable[[int, int], Word | None] | None
    word_at = getattr(source, "word_at", None)
    if word_at is not None:
        word = word_at(number, start)
    else:
        word = next(islice(source.words(number), start, None), None)
    return word.place if word else source.place(number)
