"""MUC SGML, written; the rules are those in `corefkit.formats.inline.muc`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.formats.inline.writing import (
    encoded,
    entity_ids,
    start_tag,
    tagged,
    written_attributes,
    written_order,
)
from corefkit.formats.lines import written_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.model import Document, Mention

OWN_ATTRIBUTES = frozenset({"id", "ref", "type", "min"})


def muc_text(document: Document) -> Iterator[str]:
    """Write a document; the later mentions of an entity are linked to its first."""
    name = encoded(" ".join(document.id.split()))
    yield f"<DOC>\n<DOCID> {name} </DOCID>\n<TXT>\n" if name else "<DOC>\n<TXT>\n"
    sentences = [
        [" ".join(word.split()) or "_" for word in sentence]
        for sentence in written_sentences(document)
        if sentence
    ]
    words = [word for sentence in sentences for word in sentence]
    tags = _tags(document, words if document.sentences else [])
    escaped = [[encoded(word) for word in sentence] for sentence in sentences]
    for sentence in tagged(escaped, tags):
        yield f"<s> {' '.join(sentence)} </s>\n"
    yield "</TXT>\n</DOC>\n"


def _tags(document: Document, words: Sequence[str]) -> list[tuple[Mention, str]]:
    """Return mentions and their start tags; the first of an entity has its id."""
    ids, free = entity_ids(document)
    found = []
    for entity, mention, first in written_order(document):
        attributes = {"ID": encoded(ids[entity] if first else next(free))}
        if not first:
            attributes |= {"TYPE": "IDENT", "REF": encoded(ids[entity])}
        if mention.minimum is not None and words:
            start, end = mention.minimum
            minimum = encoded(" ".join(words[start : end + 1]))
            attributes["MIN"] = minimum.replace("|", "&#124;")
        attributes |= written_attributes(mention, OWN_ATTRIBUTES)
        found.append((mention, start_tag("COREF", attributes)))
    return found
