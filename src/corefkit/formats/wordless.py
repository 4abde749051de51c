"""Words for documents without any, for formats that point at words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corefkit.model import Document

PLACEHOLDER = "_"


def written_sentences(document: Document) -> tuple[tuple[str, ...], ...]:
    """Return the sentences of a document, as a format with words writes them.

    A document without words has one sentence of placeholders, as far as its mentions
    reach; without mentions too it has no sentence.

    >>> from corefkit.model import Document, Entity, Mention
    >>> written_sentences(Document("d", (), (Entity("1", (Mention(1, 2),)),)))
    (('_', '_', '_'),)
    """
    if document.sentences:
        return document.sentences
    mentions = [mention for entity in document for mention in entity]
    ends = [mention.end for mention in mentions]
    ends += [mention.minimum[1] for mention in mentions if mention.minimum]
    return ((PLACEHOLDER,) * (max(ends) + 1),) if ends else ()
