"""Jinja templates of pages; import this module only to make a page."""

from __future__ import annotations

from functools import cache

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from corefkit.strings import escape_html


def _escape(value: object) -> Markup:
    """Escape a value; unlike Jinja, also control and bidirectional characters."""
    return value if isinstance(value, Markup) else Markup(escape_html(str(value)))


@cache
def _load_environment() -> Environment:
    return Environment(
        loader=ChoiceLoader(
            [
                PackageLoader("corefkit.tables", "assets"),
                PackageLoader("corefkit.serve", "templates"),
            ]
        ),
        autoescape=True,
        finalize=_escape,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def render_template(name: str, **values: object) -> str:
    """Render a template with escaped values; wrap markup in `Markup`.

    >>> page = render_template(
    ...     "page.html",
    ...     version="1",
    ...     policy="",
    ...     title="<b>",
    ...     style=Markup(""),
    ...     skip=Markup(""),
    ...     intro=Markup(""),
    ...     links=[],
    ...     parts=Markup(""),
    ...     made_by="",
    ...     data=Markup(""),
    ...     script=Markup(""),
    ... )
    >>> "<title>&lt;b&gt;</title>" in page
    True
    """
    return _load_environment().get_template(name).render(**values)
