"""Pages as HTML that needs nothing beside it.

The markup is written by the few functions here, each of which escapes the text that it
takes. A template engine that escapes, such as Jinja2, would be a dependency for what is
one function for each part: the page around them is `string.Template`'s.

The page's Content-Security-Policy allows its own style and script and nothing else, so
no element has a `style` attribute or a handler: widths are attributes of SVG elements.

assets     style, script, and the policy that allows them
parts      one function for each part
grids      tables
drawings   figures and bars
walks      walk-throughs
"""

from __future__ import annotations

from string import Template
from typing import TYPE_CHECKING

from corefkit.report.html.assets import policy, read_asset, script_text, style_text
from corefkit.report.html.parts import part_html, section_lines
from corefkit.report.html.words import link_to
from corefkit.report.page import Heading
from corefkit.report.reader.encoding import encoded
from corefkit.report.reader.values import Reader
from corefkit.settings import VERSION
from corefkit.strings.escaping import for_html

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corefkit.report.page import Page, Part


def html_page(page: Page) -> str:
    """Write a whole page, with links to its sections at the top."""
    sections = [
        part for part in page.parts if isinstance(part, Heading) and part.level == 2
    ]
    links = [link_to(f"#{part.anchor}", part.short or part.text) for part in sections]
    readers = [part for part in page.parts if isinstance(part, Reader)]
    # The line ends belong to the element, whose text is hashed.
    style, script = f"\n{style_text()}", script_text()
    return Template(read_asset("page.html")).substitute(
        title=for_html(page.title),
        policy=policy(style, script),
        style=style[1:],
        script=script,
        data="".join(map(_data, readers)),
        skip=_skip_link(page.parts),
        intro=html_parts(page.intro),
        links="\n".join(links),
        parts="\n".join(section_lines(page.parts)),
        version=for_html(VERSION),
        made_by=for_html(page.made_by),
    )


def html_parts(parts: Iterable[Part]) -> str:
    """Write parts without a page around them.

    >>> from corefkit.report.page import Paragraph
    >>> html_parts([Paragraph("a < b")])
    '<p>a &lt; b</p>'
    """
    return "\n".join(filter(None, map(part_html, parts)))


def _skip_link(parts: Iterable[Part]) -> str:
    """Lead from the top to the texts, which stand below much else."""
    anchor = ""
    for part in parts:
        if isinstance(part, Heading):
            anchor = part.anchor
        elif isinstance(part, Reader) and anchor:
            return f'<a class="skip" href="#{for_html(anchor)}">Skip to the texts</a>\n'
    return ""


def _data(reader: Reader) -> str:
    return (
        f'<script type="application/json" id="reader-data">{encoded(reader)}</script>\n'
    )
