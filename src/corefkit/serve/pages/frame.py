"""A page around its parts, and the policy that it is sent with."""

from __future__ import annotations

from string import Template
from typing import TYPE_CHECKING, NamedTuple, NewType

from corefkit.settings import VERSION
from corefkit.strings import escape_html
from corefkit.tables.html import build_policy, read_asset, read_script

if TYPE_CHECKING:
    from collections.abc import Iterable

Markup = NewType("Markup", str)  # text that is escaped already
_UP = "../"


class Written(NamedTuple):
    """A page as it is sent."""

    text: str
    policy: str


def framed(
    title: str, parts: Iterable[Markup], *, depth: int = 0, intro: Markup | None = None
) -> Written:
    """Write a page that stands some levels below the first one."""
    # The line ends belong to the element, whose text is hashed.
    style = "\n" + read_asset("style.css") + read_asset("serve.css")
    script = read_script("serve.js")
    home = _UP * depth or "./"
    above = f'<p class="above"><a href="{home}">All runs</a></p>\n' if depth else ""
    text = Template(read_asset("serve.html")).substitute(
        title=escape_html(title),
        style=style[1:],
        script=script,
        home=home,
        above=above,
        intro=intro or "",
        parts="\n".join(parts),
        version=escape_html(VERSION),
    )
    rules = f"{build_policy(style, script, connects=True)}; frame-ancestors 'none'"
    return Written(text, rules)


def text_of(text: object) -> Markup:
    """Escape a text.

    >>> text_of("<b>")
    '&lt;b&gt;'
    """
    return Markup(escape_html(str(text)))


def element(tag: str, *inside: Markup, **attributes: object) -> Markup:
    """Write an element; `_` ends a name that Python has for itself.

    An attribute that is True has no value, and one that is None or False is left out.

    >>> element("a", text_of("a < b"), href='"', class_="x", hidden=True, id=None)
    '<a href="&quot;" class="x" hidden>a &lt; b</a>'
    """
    written = "".join(
        f" {name.rstrip('_').replace('_', '-')}"
        + ("" if value is True else f'="{escape_html(str(value))}"')
        for name, value in attributes.items()
        if value is not None and value is not False
    )
    end = "" if tag in ("input", "br") else f"{''.join(inside)}</{tag}>"
    return Markup(f"<{tag}{written}>{end}")


def section(title: str, *parts: Markup) -> Markup:
    """Write a section under its heading."""
    return element("section", element("h2", text_of(title)), *parts)


def paragraph(text: str, **attributes: object) -> Markup:
    """Write a paragraph."""
    return element("p", text_of(text), **attributes)


def moment(made: str, *, is_day: bool = False) -> Markup:
    """Write when a run was made, or the day; the script says it in the reader's time.

    >>> moment("2026-01-02T03:04:05+00:00")
    '<time datetime="2026-01-02T03:04:05+00:00">2026-01-02 03:04 UTC</time>'
    """
    short = made[:10] if is_day else f"{made[:16].replace('T', ' ')} UTC"
    kind = "day" if is_day else None
    return element("time", text_of(short), datetime=made, class_=kind)
