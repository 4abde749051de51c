"""One function for each part of a page; text from the input is never markup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.report.charts import Bars, Ranges, Scatter
from corefkit.report.grids import Grid, Note
from corefkit.report.html.charts import ranges_html, scatter_html
from corefkit.report.html.drawings import bars_html, figure_html
from corefkit.report.html.grids import grid_html
from corefkit.report.html.walks import walk_html
from corefkit.report.html.words import link_to, prose, reference, running
from corefkit.report.page import (
    Beside,
    Figure,
    Findings,
    Folded,
    Heading,
    Items,
    Paragraph,
    Statement,
)
from corefkit.report.reader.values import Reader
from corefkit.report.walk.values import WalkThrough
from corefkit.strings.escaping import for_html

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corefkit.report.page import Finding, Item, Part


def section_lines(parts: Iterable[Part]) -> Iterator[str]:
    """Write parts; each heading of level 2 begins a section."""
    is_open = False
    for part in parts:
        if isinstance(part, Heading) and part.level == 2:
            yield "</section>\n<section>" if is_open else "<section>"
            is_open = True
        yield from filter(None, [part_html(part)])
    if is_open:
        yield "</section>"


def part_html(part: Part) -> str:
    """Write one part; a figure that was not drawn is nothing."""
    match part:
        case Heading():
            tag, link = f"h{part.level}", link_to(f"#{part.anchor}", part.text)
            return f'<{tag} id="{for_html(part.anchor)}">{link}</{tag}>'
        case Paragraph():
            return f"<p>{(for_html if part.is_literal else prose)(part.text)}</p>"
        case Statement():
            return f"<p>{running(part.pieces)}</p>"
        case Note():
            text = for_html(part.text)
            text = f"<code>{text}</code>" if part.is_code else text
            return f'<p class="note">{text}</p>'
        case Grid():
            return grid_html(part)
        case Items():
            return _list(part)
        case Findings():
            cards = "".join(map(_finding, part.findings))
            return f'<ul class="findings">\n{cards}</ul>'
        case Beside() | Folded():
            return _together(part)
        case Reader():
            return '<div id="reader"></div>'
        case WalkThrough():
            return walk_html(part)
        case _:
            return _drawing(part)


def _drawing(part: Figure | Bars | Ranges | Scatter) -> str:
    match part:
        case Figure():
            return figure_html(part)
        case Bars():
            return bars_html(part)
        case Ranges():
            return ranges_html(part)
        case Scatter():
            return scatter_html(part)


def _together(part: Beside | Folded) -> str:
    """Write parts that stand beside each other, or that are shown on demand."""
    inner = [*filter(None, map(part_html, part.parts))]
    if isinstance(part, Beside):
        cells = "\n".join(f"<div>{text}</div>" for text in inner)
        return f'<div class="beside">\n{cells}\n</div>'
    lines = [f"<details><summary>{for_html(part.title)}</summary>", *inner]
    return "\n".join([*lines, "</details>"])


def _list(part: Items) -> str:
    title = f"<b>{for_html(part.title)}</b>: " if part.title else ""
    lead = f"<p>{title}{prose(part.text)}</p>\n" if part.title or part.text else ""
    end = f"\n<p>{prose(part.end)}</p>" if part.end else ""
    kind = "" if any(item.word for item in part.items) else ' class="lines"'
    items = f"<ul{kind}>\n{''.join(map(_item, part.items))}</ul>" if part.items else ""
    return f"{lead}{items}{end}"


def _item(item: Item) -> str:
    anchor = f' id="{item.anchor}"' if item.anchor else ""
    kind = f' class="{item.kind}"' if item.kind else ""
    word = f"<b{kind}>{for_html(item.word)}</b>" if item.word else ""
    text = " ".join([prose(item.text), *map(reference, item.see)])
    lines = "".join(f"<br>{prose(line)}" for line in item.lines)
    return f"<li{anchor}>{word}<div>{text}{lines}</div></li>\n"


def _finding(finding: Finding) -> str:
    """Write a finding as a card: title, text, quotation, where there is more."""
    kind = f' class="{finding.kind}"' if finding.kind else ""
    lines = [f"<h2>{for_html(finding.title)}</h2>", f"<p>{running(finding.pieces)}</p>"]
    if finding.quote:
        quote = running(finding.quote)
        lines.append(f'<blockquote dir="auto">{quote}</blockquote>')
    if finding.see:
        lines.append(f'<p class="more">{running(finding.see)}</p>')
    return f"<li{kind}>{''.join(lines)}</li>\n"
