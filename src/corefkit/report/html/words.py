"""Words of a part as markup: code, links."""

from __future__ import annotations

import re

from corefkit.strings.escaping import for_html


def prose(text: str) -> str:
    """Write text whose code stands between backquotes.

    >>> prose("`a` < b")
    '<code>a</code> &lt; b'
    """
    return re.sub("`([^`]+)`", r"<code>\1</code>", for_html(text))


def link_to(address: str, text: str) -> str:
    """Write a link.

    >>> link_to("#scores", "Scores")
    '<a href="#scores">Scores</a>'
    """
    return f'<a href="{for_html(address)}">{for_html(text)}</a>'


def reference(id: str) -> str:
    """Write a link to an item, by its id."""
    return f'<a class="see" href="#{for_html(id.lower())}">{for_html(id)}</a>'
