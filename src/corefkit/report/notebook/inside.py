"""A whole page inside a notebook: a frame that holds it, and can reach nothing else.

The page runs its script, as the reader needs it, but has no origin: it reads no cookie
of the notebook and cannot touch the notebook's own page.
"""

from __future__ import annotations

from dataclasses import replace
from html import escape
from itertools import accumulate
from typing import TYPE_CHECKING

from corefkit.report.notebook import opening
from corefkit.report.reader.documents import (
    beginning_of,
    reader_of_shown,
    shown_document,
)
from corefkit.report.reader.encoding import encoded
from corefkit.report.reader.values import Reader
from corefkit.strings import escape_html
from corefkit.tables.elements import Page, Paragraph
from corefkit.tables.html import html_page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.analysis.reporting.values import Report
    from corefkit.model import Document
    from corefkit.report.reader.values import ShownDocument
    from corefkit.tables.elements import Part

MOST_TOKENS = 20_000  # of a document; a novel has five times as many
MOST_DATA = 2_000_000  # letters of the data of a report's documents
_LEAST_HEIGHT, _MOST_HEIGHT, _REPORT_HEIGHT = 280, 640, 720  # pixels
# Roughly: search and title, and lines with layers of underlines.
_HEAD_HEIGHT, _LINE_HEIGHT, _TOKENS_A_LINE = 170, 50, 14


def document_html(document: Document) -> str:
    """Show a document in the reader; of a very long one, the beginning.

    >>> from corefkit.model import Document
    >>> html = document_html(Document("<b>", (("Ann", "left"),), ()))
    >>> "<iframe" in html, "<b>" in html
    (True, False)
    """
    whole = shown_document(document)
    shown = beginning_of(whole, MOST_TOKENS)
    # The reader says what it shows; only what is left out stands above it.
    notes = (Paragraph(line, is_literal=True) for line in _left_out(whole, shown))
    page = Page(
        title=document.id,
        intro=tuple(notes),
        parts=(reader_of_shown([shown]),),
        made_by="_repr_html_",
    )
    lines = sum(1 + len(row) // _TOKENS_A_LINE for row in shown.sentences)
    height = min(_MOST_HEIGHT, max(_LEAST_HEIGHT, _HEAD_HEIGHT + lines * _LINE_HEIGHT))
    title = f"Document {document.id}"
    return framed(html_page(page), title=title, height=height, kind="inside one")


def report_html(report: Report) -> str:
    """Show the page of a report; of very many documents, the first."""
    from corefkit.report.summary import report_page

    page = shortened_page(report_page(report), most=MOST_DATA)
    title = f"Report on {', '.join(report.systems)}"
    return framed(html_page(page), title=title, height=_REPORT_HEIGHT)


def shortened_page(page: Page, *, most: int) -> Page:
    """Leave out the last documents of a page's reader if their data is too large.

    >>> from corefkit.report.reader.values import Reader, ShownDocument
    >>> documents = tuple(ShownDocument(f"d{n}", [["a"] * 50], (), ()) for n in (1, 2))
    >>> page = Page("t", (), (Reader("key", (), documents),), "corefkit")
    >>> print(shortened_page(page, most=500).intro[0].text)
    The reader has the first 1 of 2 documents here; `report.save("report.html")` has all
    """
    parts: list[Part] = []
    notes: list[Part] = []
    for part in page.parts:
        kept = part
        if isinstance(part, Reader) and len(encoded(part)) > most:
            kept = replace(part, documents=_first(part, most))
            notes.append(
                Paragraph(
                    f"The reader has the first {len(kept.documents):,} of "
                    f"{len(part.documents):,} documents here; "
                    '`report.save("report.html")` has all'
                )
            )
        parts.append(kept)
    return replace(page, intro=(*notes, *page.intro), parts=tuple(parts))


def _first(reader: Reader, most: int) -> tuple[ShownDocument, ...]:
    sizes = (
        len(encoded(replace(reader, documents=(one,)))) for one in reader.documents
    )
    return tuple(
        document
        for document, size in zip(reader.documents, accumulate(sizes), strict=True)
        if size <= most
    )


def _left_out(whole: ShownDocument, shown: ShownDocument) -> Iterator[str]:
    if _tokens(shown) < _tokens(whole):
        mentions = len(whole.spans) - len(shown.spans)
        yield (
            f"This is the beginning: {_tokens(whole) - _tokens(shown):,} of "
            f"{_tokens(whole):,} tokens are left out, and {mentions:,} of "
            f"{len(whole.spans):,} mentions"
        )


def _tokens(shown: ShownDocument) -> int:
    return sum(map(len, shown.sentences))


def framed(page: str, *, title: str, height: int, kind: str = "inside") -> str:
    """Put a whole page into a frame of some height, which people can drag taller.

    The page is told by a class of its body that it has little room; one of a single
    document leaves out what surrounds the reader.
    """
    page = page.replace("<body>", f'<body class="{kind}">', 1)
    return (
        f'{opening()}<iframe sandbox="allow-scripts" title="{escape_html(title)}" '
        f'height="{height}" srcdoc="{escape(page)}"></iframe>\n</div>'
    )
