"""A run: one response beside the key, their blocks read, settled and aligned."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.attributes import AskedAttributes, Lacking
from corefkit.alignment.blocks import (
    AlignedBlock,
    Block,
    CrowdedDocument,
    Repeats,
    Scored,
    in_larger_entities,
    referring,
)
from corefkit.alignment.matching import position_order
from corefkit.alignment.seen import Meeting, Seen
from corefkit.alignment.table import overlap_table
from corefkit.columns import spread_columns
from corefkit.exceptions import refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefkit.alignment.blocks import Numbers
    from corefkit.alignment.table import Overlap
    from corefkit.alignment.texts import OtherTokens
    from corefkit.columns import Columns, Ints
    from corefkit.exceptions import CorefkitError, FormatError
    from corefkit.formats.source import Source
    from corefkit.settings import Settings

_NO_DIFFERENCE: Mapping[int, OtherTokens] = {}


@dataclass(slots=True, eq=False)
class Side:
    """The source of one side, and notes taken while it is read."""

    source: Source
    role: str  # `key` or `response`
    settings: Settings
    repeats: Repeats = field(default_factory=Repeats)
    lacking: Lacking = field(default_factory=Lacking)

    @property
    def _drops_singletons(self) -> bool:
        return self.role in self.settings.without_singletons

    def read(self, numbers: Numbers) -> Block:
        """Read some documents, and settle which of their mentions are scored."""
        present = [number for number in numbers if number is not None]
        columns = self.source.columns(present)
        if len(present) < len(numbers):
            columns = spread_columns(columns, numbers)
        if self._drops_singletons and self.settings.counts_copies:
            # The reference scorer would be given a file without them.
            columns = columns.keep(in_larger_entities(columns))
        copies = np.zeros(len(numbers), np.int64)
        settled, order = self._settled(columns, numbers, copies)
        trees = {}
        if not self.settings.is_exact:
            # Imported here because most scores are exact, and every start would pay.
            from corefkit.alignment.mention_heads import minimum_trees, own_heads

            self.lacking.seen(columns)
            settled = own_heads(self, settled, numbers)
            trees = minimum_trees(self, settled, numbers)
        attributes = AskedAttributes(self.source, numbers, settled, self.lacking)
        return Block(numbers, columns, settled, order, copies, trees, attributes)

    def _settled(self, columns: Columns, numbers: Numbers, copies: Ints) -> Scored:
        """Choose the mentions that are scored, and count the copies of each document.

        The overlap table presumes that a mention stands in one entity of a side.
        """
        if columns.details is not None:
            columns = referring(columns)
        order, repeated = position_order(columns)
        settled = Scored(columns, order)
        if repeated is not None:
            np.add.at(copies, columns.document[repeated], 1)
            refuse = self.settings.refuses_copies
            self.repeats.note(self.source, numbers, columns, repeated, refuse=refuse)
            settled = settled.keep(~repeated)
        if self._drops_singletons:
            settled = settled.keep(in_larger_entities(settled.columns))
        if self.settings.drops_zeros:
            from corefkit.alignment.matching.zeros import zero_mentions

            settled = settled.keep(~zero_mentions(settled.columns))
        return settled


@dataclass(slots=True, eq=False)
class Run:
    """One response beside the key, and the notes taken on both."""

    inputs: tuple[Source, Source]  # as they were opened, before documents are joined
    key: Side
    response: Side  # the key again where there is none
    numbers: list[int]  # the key's documents that are scored
    partners: list[int | None]  # the response's, None where it lacks one
    settings: Settings
    pairing_notes: list[str]
    text_notes: dict[str, str] = field(default_factory=dict)  # the first of each kind
    meeting: Meeting = field(default_factory=Meeting)
    number: int = 0  # of the response, among those that were given
    # Why responses were left out, by their numbers; None where one that fails raises.
    refusals: dict[int, CorefkitError] | None = None

    @property
    def documents(self) -> tuple[str, ...]:
        """The ids of the documents that are scored."""
        ids = self.key.source.ids
        return tuple([ids[number] for number in self.numbers])

    @property
    def missing(self) -> tuple[str, ...]:
        """The ids of those among them that the response lacks."""
        if None not in self.partners:
            return ()
        pairs = zip(self.documents, self.partners, strict=True)
        return tuple([name for name, partner in pairs if partner is None])

    @property
    def seen(self) -> Seen:
        """What was seen so far, to be sent to where the parts of a corpus meet."""
        repeats = self.key.repeats, self.response.repeats
        return Seen(self.text_notes, self.meeting, *repeats)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know about the input, one sentence each."""
        repeated = self.key.repeats.count or self.response.repeats.count
        if not (self.text_notes or repeated):
            return tuple(self.pairing_notes)
        names = self.key.source.name, self.response.source.name
        return (*self.pairing_notes, *self.seen.notes(*names, self.settings))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Where mentions hardly meet, and why, one sentence each, once all is read."""
        if self.meeting.is_sound or self.response is self.key:
            return ()
        # Imported here because few scores are so bad, and every start would pay.
        from corefkit.alignment.meeting import warnings

        return warnings(self)

    @property
    def effective_settings(self) -> Settings:
        """The settings that the scores come from, now that all is read."""
        if not self.text_notes:
            return self.settings
        return self.seen.effective_settings(self.settings)

    @property
    def is_refused(self) -> bool:
        """Whether the response was left out."""
        return self.refusals is not None and self.number in self.refusals

    def refuse(self, error: CorefkitError | OSError) -> None:
        """Leave the response out from here on, or raise where none may be left out."""
        if self.refusals is None:
            raise error
        self.refusals.setdefault(self.number, refusal(error))

    def only(self, row: int) -> None:
        """Leave only one of the documents to be read."""
        self.numbers, self.partners = [self.numbers[row]], [self.partners[row]]

    def align(self, key: Block, response: Block) -> AlignedBlock:
        """Compare the texts of a block of documents, and align their mentions."""
        key_source, key_read = self.key.source, key.read
        differing = self._other_tokens(key, response)
        if self.settings.by_head:
            from corefkit.alignment.mention_heads import key_heads

            settled = key_heads(self.response, response, key_source, key)
            response = response._replace(settled=settled)
        for other in differing.values():
            self.text_notes.setdefault(other.kind, other.note)
            if other.characters is not None:
                key = key.by_characters(other.characters[0])
                response = response.by_characters(other.characters[1])
        try:
            table = _table(key, response, self.settings)
        except CrowdedDocument as error:
            raise self.named(error, key, response) from error
        self.meeting.add(key, response, both=len(table.mentions.alignment.key))
        return AlignedBlock(key, response, table, key_read, differing)

    def _other_tokens(self, key: Block, response: Block) -> Mapping[int, OtherTokens]:
        """Find the documents whose texts differ; most have the same hash."""
        if key.read.names is not None and response.read.names is not None:
            return _NO_DIFFERENCE
        rows = differing_texts(key.read, response.read)
        if not rows:
            return _NO_DIFFERENCE
        # Imported here because most texts are the same, and every start would pay.
        from corefkit.alignment.texts import other_tokens

        sources = self.key.source, self.response.source
        return other_tokens(sources, (key, response), rows=rows, settings=self.settings)

    def named(self, error: CrowdedDocument, key: Block, response: Block) -> FormatError:
        """Let an error about a document of a block say which it is."""
        from corefkit.alignment.mention_heads import named_document

        counts = [
            int((side.settled.document == error.document).sum())
            for side in (key, response)
        ]
        having = f" has {counts[0]:,} key and {counts[1]:,} response mentions"
        return named_document(error, self.key.source, key.numbers, having)


def differing_texts(key: Columns, response: Columns) -> list[int]:
    """Find the documents of two blocks that have other words.

    Words are compared where both sides have them, and numbers of tokens where both are
    known.
    """
    known = (key.token_count >= 0) & (response.token_count >= 0)
    worded = known & (key.text_hash != 0) & (response.text_hash != 0)
    other = known & (key.token_count != response.token_count)
    other |= worded & (key.text_hash != response.text_hash)
    return np.flatnonzero(other).tolist()


def _table(key: Block, response: Block, settings: Settings) -> Overlap:
    anchors = None
    if key.trees:
        from corefkit.alignment.matching import trees

        anchors = trees.anchors(key.trees, key.settled, response.settled)
    return overlap_table(
        key.settled,
        response.settled,
        settings=settings,
        anchors=anchors,
        orders=(key.order, response.order),
        as_read=(key.read, response.read),
        attributes=(key.attributes, response.attributes),
    )
