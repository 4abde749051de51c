"""The entities of documents, shown: as text, or as a page with the reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.formats import read
from corefkit.report.reader.documents import shown_document
from corefkit.report.reader.pages import entity_page
from corefkit.report.reader.plain import document_text
from corefkit.tables.html import html_page

if TYPE_CHECKING:
    from corefkit.formats.inputs import Input

_MADE_BY = "corefkit.entities_html"


def entities_text(
    documents: Input,
    *,
    format: str | None = None,
    width: int | None = None,
    colours: bool = False,
) -> str:
    """Write documents as text: mentions in brackets, and a list of entities below.

    Args:
        documents: what `corefkit.read` takes: a file, a folder, documents.
        format: the format of files, if it is not recognised.
        width: the longest line; by default as wide as the terminal.
        colours: whether to colour entities, for a terminal.

    >>> from corefkit import Document, Entity, Mention
    >>> entity = Entity("ann", (Mention(0, 0), Mention(2, 2)))
    >>> story = Document("story", (("Ann", "hurt", "herself"),), (entity,))
    >>> print(entities_text(story))
    story
    =====
    [1 Ann] hurt [1 herself]
    <BLANKLINE>
    2 mentions, 1 entity
    1  Ann | herself
    """
    return "\n\n".join(
        document_text(shown_document(document), width=width, colours=colours)
        for document in read(documents, format=format)
    )


def entities_html(
    documents: Input,
    *,
    format: str | None = None,
    title: str = "Entities",
    made_by: str = _MADE_BY,
) -> str:
    """Write documents as a page with the reader, which needs no file beside it.

    Args:
        documents: what `corefkit.read` takes: a file, a folder, documents.
        format: the format of files, if it is not recognised.
        title: the title of the page.
        made_by: what the page says that it was made by.

    >>> from corefkit import Document
    >>> page = entities_html(Document("story", (("Ann", "left"),), ()), title="A story")
    >>> "<title>A story</title>" in page
    True
    """
    shown = [shown_document(document) for document in read(documents, format=format)]
    return html_page(entity_page(shown, title=title, made_by=made_by))
