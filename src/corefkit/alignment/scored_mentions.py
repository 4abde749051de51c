"""Blocks of documents of one side, and the selection of their scored mentions.

Mentions of non-referring entities and duplicates are not scored; settings may drop
singletons and zeros too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.exceptions import FormatError, quoted
from corefkit.formats.problems import REPEATED_MENTION

if TYPE_CHECKING:
    from corefkit.alignment.overlap import Overlap
    from corefkit.alignment.texts import Characters, TextDifference
    from corefkit.alignment.trees import Trees
    from corefkit.arrays.columns import Columns, Flags, Ints
    from corefkit.formats.source import Source
    from corefkit.model import Document, Mention
    from corefkit.settings import Settings
    from corefkit.tally import First

# The numbers of documents in a source; None for a missing document.
Numbers: TypeAlias = "Sequence[int | None]"
# The attributes of each mention.
Attributes: TypeAlias = Sequence[Mapping[str, str]]

_DESCRIPTIONS = {
    "type": "an entity type",
    "mention_type": "a kind (NAM, NOM or PRO), or syntax to derive it from",
}
# The kinds of mentions of ACE, by their names in formats.
_ACE_KINDS: Mapping[str, str] = {
    **dict.fromkeys(("NAME", "PROP", "PROPN", "PROPER"), "NAM"),
    **dict.fromkeys(("NOMINAL", "NOUN", "COMMON"), "NOM"),
    **dict.fromkeys(("PRON", "PRONOUN", "PRONOMINAL"), "PRO"),
}


@dataclass(slots=True, eq=False)
class Block:
    """Some documents of one side: as they were read, and their scored mentions."""

    source: Source
    role: str  # `key` or `response`
    settings: Settings
    numbers: Numbers
    read: Columns
    scored: Columns  # the scored mentions, each in one entity
    # The scored mentions as they were read; those of `scored` may have characters
    # instead of tokens, and heads from the trees of the other side.
    scored_read: Columns
    duplicates: Ints | None = None  # the documents of duplicate mentions, if any
    # Notes on these documents, as in `Tally`.
    totals: dict[str, int] = field(default_factory=dict)
    firsts: dict[str, First] = field(default_factory=dict)
    # By row, the trees of documents in which minimum spans are looked up.
    trees: Mapping[int, Trees] = field(default_factory=dict)
    _attributes: Attributes | None = None

    @property
    def copies(self) -> Ints:
        """The number of duplicates in each document."""
        documents = () if self.duplicates is None else self.duplicates
        return np.bincount(documents, minlength=self.read.documents)

    def keep(self, mentions: Flags) -> Block:
        """Keep the flagged mentions of those that are scored."""
        return replace(
            self,
            scored=self.scored.keep(mentions),
            scored_read=self.scored_read.keep(mentions),
            _attributes=None,
        )

    def by_characters(self, characters: Characters) -> Block:
        """Replace the tokens of a document and of its trees by characters."""
        row, trees = characters.document, dict(self.trees)
        if row in trees:
            trees[row] = replace(trees[row], starts=characters.start.tolist())
        return replace(
            self,
            read=characters.replace_tokens(self.read),
            scored=characters.replace_tokens(self.scored),
            trees=trees,
        )

    def read_attributes(self, required: tuple[str, ...]) -> Attributes:
        """Read the attributes of the scored mentions, and note the required ones.

        `mention_type` is the kind in ACE, converted from other formats or from syntax.
        """
        # Cached because several metrics read them, one after the other.
        if self._attributes is None:
            self._attributes = self._collect_attributes()
        for name in required:
            if any(name in attributes for attributes in self._attributes):
                self.totals[f"has/{self.role}/{name}"] = 1
            elif self._attributes:
                first = self.numbers[int(self.scored_read.document[0])] or 0
                place = self.source.ids[first], self.source.format_place(first)
                self.firsts.setdefault(f"lacks/{self.role}/{name}", place)
        return self._attributes

    def _collect_attributes(self) -> Attributes:
        columns = self.scored_read
        if columns.names is not None:
            return [{}] * len(columns.entity)
        attributes = [
            {} if number is None else _map_attributes(self.source.read_document(number))
            for number in self.numbers
        ]
        return [
            attributes[document].get(columns.mention(row), {})
            for row, document in enumerate(columns.document.tolist())
        ]


class AlignedBlock(NamedTuple):
    """Some documents of key and response with their mentions aligned."""

    key: Block
    response: Block
    table: Overlap
    key_read: Columns  # with tokens; `key.read` may have characters
    differences: Mapping[int, TextDifference]  # by row


class CrowdedDocument(FormatError):
    """A document of a block, by its number there, with too many pairs of mentions."""

    def __init__(self, message: str, *, document: int, hint: str) -> None:
        super().__init__(message, code="format/too-many-pairs", hint=hint)
        self.document = document

    def locate(self, block: Block, mentions: str = "") -> FormatError:
        number = block.numbers[self.document] or 0
        name = quoted(block.source.ids[number])
        message = f"document {name}{mentions}: {self.message}"
        place = block.source.format_place(number)
        return FormatError(message, code=self.code, place=place, hint=self.hint)


def drop_non_referring(columns: Columns) -> Columns:
    """Drop the entities that do not refer."""
    if columns.details is None or columns.details.referring.all():
        return columns
    return columns.keep(columns.details.referring[columns.entity])


def mark_non_singletons(columns: Columns, kept: Flags | None = None) -> Flags:
    """Flag the mentions that are not singletons, of all or of the kept mentions."""
    entity = columns.entity if kept is None else columns.entity[kept]
    size = np.bincount(entity, minlength=len(columns.entity_document))
    flags: Flags = size[columns.entity] > 1
    return flags if kept is None else flags & kept


def list_entities(columns: Columns, document: int) -> list[list[Mention]]:
    """List the referring entities of a document as spans, duplicates included."""
    columns = drop_non_referring(columns).take_documents([document])
    entities: list[list[Mention]] = [[] for _ in columns.entity_document]
    for mention, entity in enumerate(columns.entity.tolist()):
        entities[entity].append(columns.mention(mention))
    return entities


def note_duplicates(block: Block, columns: Columns, duplicates: Flags) -> None:
    """Note the number of duplicates and the first place, or reject them."""
    source = block.source
    mention = int(np.flatnonzero(duplicates)[0])
    number = block.numbers[int(columns.document[mention])] or 0
    document = source.ids[number]
    place = locate_mention(source, number, columns, mention)
    if block.settings.refuses_copies:
        message = (
            f"a mention of document {quoted(document)} is repeated here, "
            "expected every mention in one entity"
        )
        hint = "--repeated first keeps it in the first of its entities"
        raise FormatError(message, code=REPEATED_MENTION.code, place=place, hint=hint)
    block.totals[f"repeated/{block.role}"] = int(duplicates.sum())
    block.firsts[f"repeated/{block.role}"] = document, place


def locate_mention(source: Source, number: int, columns: Columns, mention: int) -> str:
    """Return the place of the first word of a mention, or of the next word."""
    start, document = int(columns.start[mention]), columns.document[mention]
    if columns.details is not None and columns.details.empties is not None:
        empties = columns.details.empties
        tokens = empties.token[empties.document == document]
        start -= int((tokens < start).sum())
    word = source.find_word(number, start)
    return word.place if word else source.format_place(number)


# Attributes: few metrics require them, so columns do not contain them.


def convert_kind(kind: str) -> str:
    """Convert a kind of mention to that of ACE; unknown kinds are kept."""
    return _ACE_KINDS.get(kind.upper(), kind)


def make_attribute_error(name: str, place: str) -> FormatError:
    """Create the error for an attribute that weights require and no mention has."""
    description = _DESCRIPTIONS.get(name, name)
    message = f"no mention has {description}, which the weights require"
    hint = f"use APF, CoNLL-U or LitBank files, or remove `{name}` from the weights"
    code = "format/missing-attribute"
    return FormatError(message, code=code, place=place, hint=hint)


def _map_attributes(document: Document) -> dict[Mention, Mapping[str, str]]:
    from corefkit.syntax.mention_types import find_mention_types

    mentions = [mention for entity in document.entities for mention in entity.mentions]
    untyped = [m for m in mentions if "mention_type" not in m.attributes]
    kinds = find_mention_types(document, untyped) or ()
    kind_by_syntax = dict(zip(untyped, kinds, strict=False))
    attributes: dict[Mention, Mapping[str, str]] = {}
    for mention in mentions:
        row = dict(mention.attributes)
        if "mention_type" in row:
            row["mention_type"] = convert_kind(row["mention_type"])
        elif mention in kind_by_syntax:
            kind = kind_by_syntax[mention]
            by_head = "NAM" if kind == "proper_nouns" else "NOM"
            row["mention_type"] = "PRO" if kind.endswith("pronouns") else by_head
        # Of duplicates the first one is scored.
        attributes.setdefault(mention, row)
    return attributes
