"""Pages as HTML that needs nothing beside it.

The markup is written by the few functions here, each of which escapes the text that it
takes. A template engine that escapes, such as Jinja2, would be a dependency for what is
one function for each part: the page around them is `string.Template`'s.
"""

from __future__ import annotations

import base64
import hashlib
import re
from importlib.resources import files
from itertools import groupby
from string import Template
from typing import TYPE_CHECKING

from corefkit.report.page import (
    Bars,
    Emphasis,
    Figure,
    Grid,
    Heading,
    Items,
    Note,
    Paragraph,
)
from corefkit.report.reader.encoding import encoded
from corefkit.report.reader.values import Reader
from corefkit.settings import VERSION
from corefkit.strings.escaping import for_html

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.report.page import Cell, Column, Item, Page, Part

_STYLES = ("style.css", "lists.css")
_ENLARGED = 1.3  # figures, which are made for paper


def html_page(page: Page) -> str:
    """Write a whole page, with links to its sections at the top."""
    sections = [
        part for part in page.parts if isinstance(part, Heading) and part.level == 2
    ]
    links = [_link(part.anchor, part.short or part.text) for part in sections]
    readers = [part for part in page.parts if isinstance(part, Reader)]
    # The line ends belong to the element, whose text is hashed.
    style = "\n" + "".join(map(_asset, _STYLES))
    script = _asset("reader.js").strip()
    return Template(_asset("page.html")).substitute(
        title=for_html(page.title),
        policy=_policy(style, script),
        style=style[1:],
        script=script,
        data="".join(map(_data, readers)),
        intro="\n".join(map(_part, page.intro)),
        links="\n".join(links),
        parts="\n".join(_sections(page.parts)),
        version=for_html(VERSION),
        made_by=for_html(page.made_by),
    )


def _asset(name: str) -> str:
    return (files(__package__) / "web" / name).read_text("utf-8")


def _policy(style: str, script: str) -> str:
    """Say what the page may load: its own style and script, and pictures inside it."""
    rules = {
        "default-src": "'none'",
        "style-src": _hash(style),
        "script-src": _hash(script),
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def _data(reader: Reader) -> str:
    return (
        f'<script type="application/json" id="reader-data">{encoded(reader)}</script>\n'
    )


def _sections(parts: Iterable[Part]) -> Iterator[str]:
    """Write parts; each heading of level 2 begins a section."""
    is_open = False
    for part in parts:
        if isinstance(part, Heading) and part.level == 2:
            yield "</section>\n<section>" if is_open else "<section>"
            is_open = True
        yield from filter(None, [_part(part)])
    if is_open:
        yield "</section>"


def _part(part: Part) -> str:
    match part:
        case Heading():
            tag = f"h{part.level}"
            return f'<{tag} id="{part.anchor}">{_link(part.anchor, part.text)}</{tag}>'
        case Paragraph():
            return f"<p>{(for_html if part.is_literal else _prose)(part.text)}</p>"
        case Note():
            text = for_html(part.text)
            text = f"<code>{text}</code>" if part.is_code else text
            return f'<p class="note">{text}</p>'
        case Grid():
            return _grid(part)
        case Items():
            return _list(part)
        case Figure():
            return _figure(part)
        case Bars():
            return "\n".join(_bars(part))
        case Reader():
            return '<div id="reader"></div>'


def _link(anchor: str, text: str) -> str:
    return f'<a href="#{anchor}">{for_html(text)}</a>'


def _prose(text: str) -> str:
    return re.sub("`([^`]+)`", r"<code>\1</code>", for_html(text))


def _reference(id: str) -> str:
    return f'<a class="see" href="#{id.lower()}">{for_html(id)}</a>'


def _list(part: Items) -> str:
    title = f"<b>{for_html(part.title)}</b>: " if part.title else ""
    lead = f"<p>{title}{_prose(part.text)}</p>\n" if part.title or part.text else ""
    end = f"\n<p>{_prose(part.end)}</p>" if part.end else ""
    kind = "" if any(item.word for item in part.items) else ' class="lines"'
    items = f"<ul{kind}>\n{''.join(map(_item, part.items))}</ul>" if part.items else ""
    return f"{lead}{items}{end}"


def _item(item: Item) -> str:
    anchor = f' id="{item.anchor}"' if item.anchor else ""
    kind = f' class="{item.kind}"' if item.kind else ""
    word = f"<b{kind}>{for_html(item.word)}</b>" if item.word else ""
    text = " ".join([_prose(item.text), *map(_reference, item.see)])
    lines = "".join(f"<br>{_prose(line)}" for line in item.lines)
    return f"<li{anchor}>{word}<div>{text}{lines}</div></li>\n"


def _figure(part: Figure) -> str:
    if part.drawing is None:
        return ""
    drawing = part.drawing.read_bytes()
    data = base64.b64encode(drawing).decode("ascii")
    about = for_html(". ".join(filter(None, [part.title, part.about])))
    return (
        f'<figure><img alt="{about}" style="width:{_width(drawing)}" '
        f'src="data:image/svg+xml;base64,{data}"></figure>'
    )


def _width(drawing: bytes) -> str:
    """Say how wide to show an SVG: larger than on paper, all alike."""
    points = re.search(rb'width="([\d.]+)pt"', drawing)
    return f"{_ENLARGED * float(points[1]) / 12:.1f}rem" if points else "auto"


def _bars(part: Bars) -> Iterator[str]:
    """Draw bars, and what their colours mean; a grid says it in digits."""
    for name, shares in part.bars:
        pieces = [
            f'<i class="{share.kind}" style="flex:{share.size}"></i>'
            for share in shares
            if share.size
        ]
        yield (
            f'<p class="bar" aria-hidden="true"><span>{for_html(name)}</span>'
            f"{''.join(pieces)}</p>"
        )
    labels = {share.kind: share.label for _, shares in part.bars for share in shares}
    colours = [
        f'<span><i class="{kind}"></i> {for_html(label)}</span>'
        for kind, label in labels.items()
    ]
    yield f'<p class="key" aria-hidden="true">{" ".join(colours)}</p>'


def _grid(grid: Grid) -> str:
    caption = f"<caption>{_prose(grid.caption)}</caption>" if grid.caption else ""
    heads = "".join(
        f'<th scope="col"{_classes(column)}>{for_html(column.head)}</th>'
        for column in grid.columns
    )
    bodies = "".join(_body(rows, grid.columns) for rows in _row_groups(grid.rows))
    notes = "".join(f'\n<p class="note">{_prose(note)}</p>' for note in grid.notes)
    return (
        f'<div class="wide"><table>{caption}'
        f"<thead>{_group_heads(grid)}<tr>{heads}</tr></thead>{bodies}</table></div>"
        f"{notes}"
    )


def _group_heads(grid: Grid) -> str:
    names = [column.group for column in grid.columns]
    if not any(names):
        return ""
    heads = (
        f'<th scope="colgroup" colspan="{len([*of])}">{for_html(name)}</th>'
        for name, of in groupby(names)
    )
    return f"<tr>{''.join(heads)}</tr>"


def _row_groups(rows: Iterable[Sequence[Cell]]) -> Iterator[list[Sequence[Cell]]]:
    """Put rows without a first cell with the one above that they belong to."""
    group: list[Sequence[Cell]] = []
    for row in rows:
        if group and row[0].text:
            yield group
            group = []
        group.append(row)
    if group:
        yield group


def _body(rows: Sequence[Sequence[Cell]], columns: Sequence[Column]) -> str:
    name = for_html(rows[0][0].text)
    lines = ["".join(map(_cell, row[1:], columns[1:])) for row in rows]
    lines[0] = f'<th scope="rowgroup" rowspan="{len(rows)}">{name}</th>{lines[0]}'
    return f"<tbody>{''.join(f'<tr>{line}</tr>' for line in lines)}</tbody>"


def _classes(column: Column, kind: str = "") -> str:
    names = [*(["left"] if column.align == "left" else []), *([kind] if kind else [])]
    return f' class="{" ".join(names)}"' if names else ""


def _cell(cell: Cell, column: Column) -> str:
    text = for_html(cell.text)
    match cell.emphasis:
        case Emphasis.STRUCK:
            text = f"<s>{text}</s>"
        case Emphasis.WRONG:
            text = f"{text} {for_html(cell.meaning)}"
        case _:
            text = f"<b>{text}</b>" if cell.emphasis is Emphasis.BEST else text
            if cell.mark:
                meaning = f' title="{for_html(cell.meaning)}"' if cell.meaning else ""
                text += f"<abbr{meaning}>{for_html(cell.mark)}</abbr>"
    if cell.above:
        text += f"<sup>{for_html(cell.above)}</sup>"
    see = _reference(cell.see) if cell.see else ""
    text = " ".join(filter(None, [text, for_html(cell.correction), see]))
    return f"<td{_classes(column, cell.kind)}>{text}</td>"
