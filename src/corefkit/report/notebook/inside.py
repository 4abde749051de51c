"""A whole page inside a notebook: a frame that holds it, and can reach nothing else.

The page runs its script, as the reader needs it, but has no origin: it reads no cookie
of the notebook and cannot touch the notebook's own page.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from corefkit.report.html import html_page
from corefkit.report.notebook import opening
from corefkit.report.reader.documents import beginning_of, shown_document
from corefkit.report.reader.pages import entity_page
from corefkit.strings.escaping import for_html

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.model import Document
    from corefkit.report.reader.values import ShownDocument

MOST_TOKENS = 20_000  # of a document; a novel has five times as many
_LEAST_HEIGHT, _MOST_HEIGHT = 260, 640  # pixels
_LINE_HEIGHT, _TOKENS_A_LINE = 46, 14  # with layers of underlines; roughly


def document_html(document: Document) -> str:
    """Show a document in the reader; of a very long one, the beginning.

    >>> from corefkit.model import Document
    >>> html = document_html(Document("<b>", (("Ann", "left"),), ()))
    >>> "<iframe" in html, "<b>" in html
    (True, False)
    """
    whole = shown_document(document)
    shown = beginning_of(whole, MOST_TOKENS)
    page = entity_page(
        [shown],
        title=document.id,
        made_by="_repr_html_",
        notes=_left_out(whole, shown),
    )
    tokens = _tokens(shown)
    lines = len(shown.sentences) + tokens // _TOKENS_A_LINE
    height = min(_MOST_HEIGHT, _LEAST_HEIGHT + lines * _LINE_HEIGHT)
    return framed(html_page(page), title=f"Document {document.id}", height=height)


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


def framed(page: str, *, title: str, height: int) -> str:
    """Put a whole page into a frame of some height, which people can drag taller."""
    return (
        f'{opening()}<iframe sandbox="allow-scripts" title="{for_html(title)}" '
        f'height="{height}" srcdoc="{escape(page)}"></iframe>\n</div>'
    )
