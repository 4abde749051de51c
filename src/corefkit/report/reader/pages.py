"""The page of documents by themselves: what they hold in a line, then the reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.report.reader.documents import reader_of_shown
from corefkit.tables.elements import Page, Paragraph

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefkit.report.reader.values import ShownDocument


def entity_page(
    documents: Sequence[ShownDocument],
    *,
    title: str,
    made_by: str,
    notes: Iterable[str] = (),
) -> Page:
    """Make a page of documents and their entities.

    >>> from corefkit.model import Document
    >>> from corefkit.report.reader.documents import shown_document
    >>> story = shown_document(Document("story", (("Ann", "left"),), ()))
    >>> entity_page([story], title="story", made_by="corefkit").intro[0].text
    '1 document, 2 tokens, 0 mentions, 0 entities'
    """
    lines = [counts_of(documents), *notes]
    return Page(
        title=title,
        intro=tuple(Paragraph(line, is_literal=True) for line in lines),
        parts=(reader_of_shown(documents),),
        made_by=made_by,
    )


def counts_of(documents: Sequence[ShownDocument]) -> str:
    """Count what documents hold, in words."""
    tokens = sum(len(row) for one in documents for row in one.sentences)
    entities = sum(len(set(one.key)) for one in documents)
    counts = {
        "document documents": len(documents),
        "token tokens": tokens,
        "mention mentions": sum(len(one.spans) for one in documents),
        "entity entities": entities,
    }
    if any(not one.has_words for one in documents):
        del counts["token tokens"]  # they are numbers that stand for words
    return ", ".join(
        f"{count:,} {nouns.split()[count != 1]}" for nouns, count in counts.items()
    )
