"""Layers of one text from several files, joined.

Schemes and layers of a corpus are in separate files: OntoGUM's entities in one, its
constituent trees in another, the types of GUM's mentions in a third. Documents are
joined by their names, and must have the same words.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from corefkit.exceptions import PairingError
from corefkit.strings.ids import short_id
from corefkit.syntax.dependencies import head_of, syntax_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corefkit.model import Document, Mention
    from corefkit.syntax.dependencies import Syntax


def with_trees(
    documents: Iterable[Document], others: Iterable[Document]
) -> Iterator[Document]:
    """Give documents the constituent trees (layer `parse`) of others.

    >>> from corefkit.model import Document
    >>> plain = Document("d", (("Ann", "left"),), ())
    >>> other = replace(plain, layers={"parse": ("(S(NP*)", "(VP*))")})
    >>> next(with_trees([plain], [other])).layers
    {'parse': ('(S(NP*)', '(VP*))')}
    """
    for document, other in _pairs(documents, others):
        if "parse" not in other.layers:
            message = f"document {other.id!r} has no constituent tree"
            hint = "the parse column of CoNLL-2012 has trees"
            raise PairingError(message, hint=hint)
        layers = {**document.layers, "parse": other.layers["parse"]}
        yield replace(document, layers=layers)


def with_types(
    documents: Iterable[Document], others: Iterable[Document]
) -> Iterator[Document]:
    """Give mentions the types of mentions with the same span in other files.

    A mention without one takes the type of the longest mention with the same head.
    Types that are known stay.
    """
    for document, other in _pairs(documents, others):
        yield _typed(document, other)


def _pairs(
    documents: Iterable[Document], others: Iterable[Document]
) -> Iterator[tuple[Document, Document]]:
    by_name = {short_id(other.id): other for other in others}
    for document in documents:
        other = by_name.get(short_id(document.id))
        if other is None:
            message = f"document {document.id!r} is not in the other file"
            raise PairingError(message, hint="give files of the same part of a corpus")
        if other.tokens != document.tokens:
            message = f"document {document.id!r} has other words in the other file"
            raise PairingError(message, hint="give files of the same release")
        yield document, other


def _typed(document: Document, other: Document) -> Document:
    syntax = syntax_of(document)
    spans: dict[Mention, str] = {}
    heads: dict[int | None, str] = {}
    mentions = [mention for entity in other for mention in entity]
    for mention in sorted(mentions, key=lambda mention: mention.start - mention.end):
        type_ = mention.attributes.get("type")
        if type_:
            spans.setdefault(mention, type_)
            if syntax is not None:
                heads.setdefault(_head(mention, syntax), type_)

    def typed(mention: Mention) -> Mention:
        found = spans.get(mention) or heads.get(_head(mention, syntax))
        if not found or "type" in mention.attributes:
            return mention
        return replace(mention, attributes={**mention.attributes, "type": found})

    entities = tuple(
        replace(entity, mentions=tuple(map(typed, entity.mentions)))
        for entity in document
    )
    return replace(document, entities=entities)


def _head(mention: Mention, syntax: Syntax | None) -> int | None:
    # From the document's tree, whatever the files name: one rule for both files.
    return None if syntax is None else head_of(replace(mention, head=None), syntax)
