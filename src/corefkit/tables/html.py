"""Pages as self-contained HTML: the templates of parts, assets, and the policy.

Templates are those of jinja2 and escape all values. The page's Content-Security-Policy
allows its own style and script and nothing else, so no element has a `style` attribute
or a handler: widths are attributes of SVG elements.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from corefkit.settings import VERSION
from corefkit.strings import escape_html
from corefkit.tables.charts import draw_bars, draw_ranges, draw_scatter, embed_figure
from corefkit.tables.model import (
    Bars,
    Drawing,
    Fragment,
    Heading,
    Page,
    Part,
    Ranges,
    Scatter,
    protect_indent,
)

_STYLES = ("style.css", "reader.css", "lists.css", "walk.css", "inside.css")
_FOLDER = files("corefkit.tables") / "assets"
_PARTS = "tables/templates/parts.html"
_DRAWINGS = "tables/templates/charts.html"
_CHARTS: dict[type, Callable[[Any], tuple[Any, ...] | None]] = {
    Bars: draw_bars,
    Drawing: embed_figure,
    Ranges: draw_ranges,
    Scatter: draw_scatter,
}


def read_asset(name: str) -> str:
    """Return the content of a file of style or script."""
    return (_FOLDER / name).read_text("utf-8")


def read_script(name: str) -> str:
    """Return a script, as it is embedded in a page."""
    return read_asset(name).strip()


def build_policy(style: str, *scripts: str, connects: bool = False) -> str:
    """Return a policy that allows a page its style, scripts and inline pictures.

    A page that `connects` may send requests to its own server.
    """
    rules = {
        "default-src": "'none'",
        "style-src": _hash(style),
        "script-src": " ".join(map(_hash, scripts)) or "'none'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        **({"connect-src": "'self'"} if connects else {}),
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


@cache
def get_environment() -> Environment:
    """Return the environment of all templates, named by their path in the package."""
    environment = Environment(
        loader=PackageLoader("corefkit", "."),
        autoescape=True,
        finalize=_escape,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {
        "prose": render_prose,
        "protect_indent": protect_indent,
        "render_part": render_part,
    }
    return environment


def _escape(value: object) -> Markup:
    """Escape a value of a template, control characters included."""
    return value if isinstance(value, Markup) else Markup(escape_html(str(value)))


def render_template(name: str, **values: object) -> Markup:
    """Render a template, such as `report/templates/page.html`."""
    return Markup(get_environment().get_template(name).render(values))


def render_prose(text: str) -> Markup:
    """Render text with code between backquotes, and with links to places of the page.

    >>> print(render_prose("`a` < b, see [c](#d)"))
    <code>a</code> &lt; b, see <a href="#d">c</a>
    """
    html = re.sub("`([^`]+)`", r"<code>\1</code>", escape_html(text))
    return Markup(re.sub(r"\[([^\]]+)\]\((#[\w-]+)\)", r'<a href="\2">\1</a>', html))


def render_part(part: Part) -> Markup:
    """Render a part; a chart without numbers is empty."""
    if isinstance(part, Fragment):
        return Markup(part.to_html())
    name = type(part).__name__.lower()
    draw = _CHARTS.get(type(part))
    values = (part,) if draw is None else draw(part)
    if values is None:
        return Markup("")
    template = get_environment().get_template(_PARTS if draw is None else _DRAWINGS)
    return Markup(getattr(template.module, name)(*values))


def render_html(parts: Iterable[Part]) -> Markup:
    """Render parts without a page around them."""
    return Markup("\n").join(filter(None, map(render_part, parts)))


def render_html_page(page: Page) -> str:
    """Render a page, with links to its sections at the top."""
    # The line ends belong to the element, whose text is hashed.
    style, script = "\n" + "".join(map(read_asset, _STYLES)), read_script("reader.js")
    anchor = skip_to = data = ""
    for part in page.parts:
        if isinstance(part, Heading):
            anchor = part.anchor
        elif isinstance(part, Fragment) and (text := part.to_data()):
            skip_to, data = anchor, text
    html = render_template(
        "tables/templates/page.html",
        page=page,
        policy=build_policy(style, script),
        style=Markup(style),
        script=Markup(script),
        data=Markup(data),
        skip_to=skip_to,  # the heading above the reader of documents
        intro=render_html(page.intro),
        headings=[
            part for part in page.parts if isinstance(part, Heading) and part.level == 2
        ],
        sections=_render_sections(page.parts),
        version=VERSION,
    )
    return str(html)


def _render_sections(parts: Iterable[Part]) -> Iterator[Markup]:
    """Convert parts to HTML; each heading of level 2 begins a section."""
    is_open = False
    for part in parts:
        if isinstance(part, Heading) and part.level == 2:
            yield Markup("</section>\n<section>" if is_open else "<section>")
            is_open = True
        html = render_part(part)
        if html:
            yield html
    if is_open:
        yield Markup("</section>")
