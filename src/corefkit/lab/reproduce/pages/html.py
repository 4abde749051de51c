"""Recomputed papers as one HTML page that needs nothing beside it."""

from __future__ import annotations

import base64
import re
from importlib.resources import files
from itertools import groupby
from string import Template
from typing import TYPE_CHECKING

from corefkit.lab.reproduce import tally
from corefkit.lab.reproduce.outcomes import Outcome
from corefkit.lab.reproduce.pages.counting import overview, summary
from corefkit.lab.reproduce.pages.parts import Grid, Heading, Items, Picture, Text
from corefkit.lab.reproduce.pages.report import (
    HOLDS,
    LEGEND,
    NOISE,
    TITLE,
    errata_parts,
    parts_of,
)
from corefkit.settings import VERSION
from corefkit.strings.escaping import for_html

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from corefkit.lab.reproduce import Reproduction
    from corefkit.lab.reproduce.pages.parts import Cell, Item, Part

_TEMPLATE = "page.html"
_ENLARGED = 1.3


def html_page(
    reproductions: Sequence[Reproduction], *, drawings: Mapping[str, Path]
) -> str:
    """Write the page.

    Args:
        reproductions: the papers.
        drawings: for each figure that was drawn, by name, its SVG.
    """
    template = Template((files(__package__) / _TEMPLATE).read_text("utf-8"))
    return template.substitute(
        title=for_html(TITLE),
        style=page_style(),
        counts="<br>".join(f"{for_html(line)}." for line in summary(reproductions)),
        legend=_prose(LEGEND),
        version=for_html(VERSION),
        links="\n".join(_links(reproductions)),
        overview=_grid(overview(reproductions)),
        bars="\n".join([*map(_bar, reproductions), _bar_key()]),
        papers="\n".join(_section(one, drawings) for one in reproductions),
        errata="\n".join(html_parts(errata_parts(reproductions), drawings)),
    )


def _links(reproductions: Sequence[Reproduction]) -> Iterator[str]:
    for one in reproductions:
        yield f'<a href="#{one.paper.name}">{for_html(one.paper.cited)}</a>'
    yield '<a href="#errata">Errata</a>'


def _bar(reproduction: Reproduction) -> str:
    """Draw the shares of a paper's numbers; the table above says them in digits."""
    counts = tally([reproduction])
    pieces = [
        f'<i class="{outcome.name.lower()}" style="flex:{counts[outcome]}"></i>'
        for outcome in Outcome
        if counts[outcome]
    ]
    name = for_html(reproduction.paper.cited)
    return f'<p class="bar" aria-hidden="true"><span>{name}</span>{"".join(pieces)}</p>'


def _bar_key() -> str:
    colours = [
        f'<span><i class="{outcome.name.lower()}"></i> {for_html(outcome.words)}</span>'
        for outcome in Outcome
    ]
    return f'<p class="key" aria-hidden="true">{" ".join(colours)}</p>'


def _section(reproduction: Reproduction, drawings: Mapping[str, Path]) -> str:
    parts = "\n".join(html_parts(parts_of(reproduction, whole=True), drawings))
    return f"<section>\n{parts}\n</section>"


def page_style() -> str:
    """Give the style of pages, which all look alike."""
    return (files(__package__) / "style.css").read_text("utf-8")


def html_parts(
    parts: Iterable[Part], drawings: Mapping[str, Path] | None = None
) -> Iterator[str]:
    """Write the parts of a page; pictures are shown where they were drawn."""
    for part in parts:
        match part:
            case Heading():
                tag = f"h{part.level}"
                link = f'<a href="#{part.anchor}">{for_html(part.text)}</a>'
                yield f'<{tag} id="{part.anchor}">{link}</{tag}>'
            case Text():
                yield f"<p>{for_html(part.text)}</p>"
            case Grid():
                yield _grid(part)
            case Items():
                yield f"<ul>\n{''.join(map(_item, part.items))}</ul>"
            case Picture():
                yield from _picture(part, drawings or {})


def _picture(part: Picture, drawings: Mapping[str, Path]) -> Iterator[str]:
    figure = part.curves.figure
    if figure.name not in drawings:
        return
    drawing = drawings[figure.name].read_bytes()
    data = base64.b64encode(drawing).decode("ascii")
    about = for_html(f"{figure.title}. The table below has the numbers.")
    yield (
        f'<figure><img alt="{about}" style="width:{_width(drawing)}" '
        f'src="data:image/svg+xml;base64,{data}"></figure>'
    )


def _width(drawing: bytes) -> str:
    """Say how wide an SVG is to be shown: larger than on paper, all alike."""
    points = re.search(rb'width="([\d.]+)pt"', drawing)
    return f"{_ENLARGED * float(points[1]) / 12:.1f}rem" if points else "auto"


def _item(item: Item) -> str:
    anchor = f' id="{item.anchor}"' if item.anchor else ""
    kind = {HOLDS: "right", NOISE: "noise"}.get(item.word, "wrong")
    text = " ".join([for_html(item.text), *map(_erratum_link, item.errata)])
    lines = "".join(f"<br>{_prose(line)}" for line in item.lines)
    word = f'<b class="{kind}">{for_html(item.word)}</b>'
    return f"<li{anchor}>{word}<div>{text}{lines}</div></li>\n"


def _grid(part: Grid) -> str:
    heads = "".join(f'<th scope="col">{for_html(text)}</th>' for text in part.head)
    bodies = "".join(map(_body, _grouped(part.rows)))
    return (
        f'<div class="wide"><table class="words{part.words}">'
        f"<thead><tr>{heads}</tr></thead>{bodies}</table></div>"
    )


def _grouped(rows: Sequence[Sequence[Cell]]) -> Iterator[list[Sequence[Cell]]]:
    """Put rows without a first cell with the one above that they belong to."""
    number = 0

    def group(row: Sequence[Cell]) -> int:
        nonlocal number
        number += bool(row[0].text)
        return number

    for _, found in groupby(rows, group):
        yield list(found)


def _body(rows: list[Sequence[Cell]]) -> str:
    first = (
        f'<th scope="rowgroup" rowspan="{len(rows)}">{for_html(rows[0][0].text)}</th>'
    )
    lines = ["".join(map(_cell, row[1:])) for row in rows]
    lines[0] = first + lines[0]
    return f"<tbody>{''.join(f'<tr>{line}</tr>' for line in lines)}</tbody>"


def _cell(cell: Cell) -> str:
    text = for_html(cell.text)
    if cell.outcome is None:
        return f"<td>{text}</td>"
    kind = cell.outcome.name.lower()
    if cell.erratum:
        link = _erratum_link(cell.erratum)
        text = " ".join(filter(None, [f"<s>{text}</s>", for_html(cell.right), link]))
    elif cell.outcome is Outcome.DIFFERS:
        text = " ".join(filter(None, [f"{text} differs", for_html(cell.right)]))
    elif cell.outcome.mark:
        mark = for_html(cell.outcome.mark)
        text = f'{text}<abbr title="{for_html(cell.outcome.words)}">{mark}</abbr>'
    return f'<td class="{kind}">{text}</td>'


def _prose(text: str) -> str:
    return re.sub("`([^`]+)`", r"<code>\1</code>", for_html(text))


def _erratum_link(id: str) -> str:
    return f'<a class="erratum" href="#{id.lower()}">{for_html(id)}</a>'
