"""Tables whose cells have links and boxes to tick."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.serve.pages.frame import Markup, element, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def table(
    heads: Sequence[Markup | str],
    rows: Iterable[Sequence[Markup]],
    *,
    words: Sequence[int] = (0,),
    caption: str = "",
) -> Markup:
    """Write a table; columns with words are aligned left, the first one names rows.

    >>> table(["Run"], [[text_of("<1>")]])[-61:]
    '<tr><th scope="row">&lt;1&gt;</th></tr></tbody></table></div>'
    """
    title = [element("caption", text_of(caption))] if caption else []
    left = ["left" if at in words else None for at in range(len(heads))]
    head = element(
        "tr",
        *(
            element("th", Markup(one), scope="col", class_=align)
            for one, align in zip(heads, left, strict=True)
        ),
    )
    bodies = [
        element(
            "tbody",
            element(
                "tr",
                element("th", row[0], scope="row"),
                *(
                    element("td", cell, class_=align)
                    for cell, align in zip(row[1:], left[1:], strict=True)
                ),
            ),
        )
        for row in rows
    ]
    inside = element("table", *title, element("thead", head), *bodies)
    return element("div", inside, class_="wide")


def link(address: str, text: str, **attributes: object) -> Markup:
    """Write a link."""
    return element("a", text_of(text), href=address, **attributes)


def joined(parts: Iterable[Markup], between: str = " ") -> Markup:
    """Put pieces beside each other."""
    return Markup(between.join(parts))
