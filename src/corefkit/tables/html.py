"""Pages as self-contained HTML.

The markup is written by a few functions, each of which escapes the text that it takes.
The page's Content-Security-Policy allows its own style and script and nothing else, so
no element has a `style` attribute or a handler: widths are attributes of SVG elements.
"""

from __future__ import annotations

import base64
import hashlib
import re
from importlib.resources import files
from itertools import groupby
from string import Template
from typing import TYPE_CHECKING

from corefkit.report.reader_data import Reader, encoded, fragment
from corefkit.settings import VERSION
from corefkit.strings import escape_html
from corefkit.tables.charts import bars_html, figure_html, ranges_html, scatter_html
from corefkit.tables.model import (
    Bars,
    Beside,
    Bullets,
    Emphasis,
    Figure,
    Findings,
    Folded,
    Heading,
    Link,
    Marked,
    Note,
    Paragraph,
    Ranges,
    Scatter,
    Statement,
    Table,
    protect_indent,
)
from corefkit.tables.walkthroughs import (
    Equation,
    Line,
    Over,
    Reference,
    Rows,
    Title,
    WalkThrough,
    grouped,
    kept_steps,
    plain,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.tables.model import Bullet, Cell, Column, Finding, Page, Part, Piece
    from corefkit.tables.walkthroughs import Text, Told

STYLES = ("style.css", "reader.css", "lists.css", "walk.css", "inside.css")
SCRIPT = "reader.js"
_FOLDER = files("corefkit.tables") / "assets"


def read_asset(name: str) -> str:
    """Read a file that pages are made of."""
    return (_FOLDER / name).read_text("utf-8")


def read_styles() -> str:
    """Return the style of all pages: of parts, of the reader, of its lists."""
    return "".join(read_asset(name) for name in STYLES if (_FOLDER / name).is_file())


def read_script(name: str = SCRIPT) -> str:
    """Return a script as it stands in its element."""
    return read_asset(name).strip()


def build_policy(style: str, *scripts: str, connects: bool = False) -> str:
    """Say what a page may load: its own style and scripts, and pictures inside it.

    A page that `connects` may ask the server that it comes from.
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


def render_prose(text: str) -> str:
    """Write text whose code stands between backquotes.

    >>> render_prose("`a` < b")
    '<code>a</code> &lt; b'
    """
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape_html(text))


def render_pieces(pieces: Iterable[Piece]) -> str:
    """Write running text.

    >>> render_pieces(["a < b, ", Marked("she")])
    'a &lt; b, <mark>she</mark>'
    """
    return "".join(map(_piece, pieces))


def _piece(piece: Piece) -> str:
    match piece:
        case Link():
            return render_link(piece.address, piece.text)
        case Marked():
            kind = f' class="{piece.kind}"' if piece.kind else ""
            return f"<mark{kind}>{escape_html(piece.text)}</mark>"
        case _:
            return escape_html(piece)


def render_link(address: str, text: str) -> str:
    """Write a link.

    >>> render_link("#scores", "Scores")
    '<a href="#scores">Scores</a>'
    """
    return f'<a href="{escape_html(address)}">{escape_html(text)}</a>'


def render_reference(id: str) -> str:
    """Write a link to an item, by its id."""
    return f'<a class="see" href="#{escape_html(id.lower())}">{escape_html(id)}</a>'


_MOST_IN_VIEW = 9  # columns


def render_html_table(grid: Table) -> str:
    """Write a grid as a table with its notes."""
    caption = f"<caption>{render_prose(grid.caption)}</caption>" if grid.caption else ""
    heads = "".join(map(_head, grid.columns))
    bodies = "".join(_body(rows, grid.columns) for rows in _row_groups(grid.rows))
    notes = "".join(
        f'\n<p class="note">{render_prose(note)}</p>' for note in grid.notes
    )
    return (
        f'<div class="wide"{_stop(grid)}><table{_attributes(grid)}>{caption}'
        f"{_groups(grid)}<thead>{_group_heads(grid)}<tr>{heads}</tr></thead>{bodies}</table></div>"
        f"{notes}"
    )


def _attributes(grid: Table) -> str:
    """Say whether rows are called by names, and whether a browser can sort them."""
    names = ' class="names"' if grid.first == "names" else ""
    return names + " data-sortable" * grid.is_sortable


def _groups(grid: Table) -> str:
    """Part the columns by their groups, so that a line can stand between these."""
    names = [column.group for column in grid.columns]
    if not any(names):
        return ""
    sizes = [len([*of]) for _, of in groupby(names)]
    return "".join(f'<colgroup span="{size}"></colgroup>' for size in sizes)


def _group_heads(grid: Table) -> str:
    names = [column.group for column in grid.columns]
    if not any(names):
        return ""
    heads = []
    for name, of in groupby(names):
        tag = 'th scope="colgroup"' if name else "td"
        heads.append(f'<{tag} colspan="{len([*of])}">{escape_html(name)}</{tag[:2]}>')
    return f"<tr>{''.join(heads)}</tr>"


def _head(column: Column) -> str:
    """Write the head of a column; what is empty heads nothing."""
    tag = 'th scope="col"' if column.head else "td"
    return f"<{tag}{_classes(column)}>{escape_html(column.head)}</{tag[:2]}>"


def _stop(grid: Table) -> str:
    """Let the keyboard scroll a grid that is wider than most screens."""
    if len(grid.columns) <= _MOST_IN_VIEW:
        return ""
    name = escape_html(grid.caption or "Table")
    return f' tabindex="0" role="group" aria-label="{name}"'


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
    name = escape_html(protect_indent(rows[0][0].text))
    lines = ["".join(map(_cell, row[1:], columns[1:])) for row in rows]
    lines[0] = f'<th scope="rowgroup" rowspan="{len(rows)}">{name}</th>{lines[0]}'
    return f"<tbody>{''.join(f'<tr>{line}</tr>' for line in lines)}</tbody>"


def _classes(column: Column, kind: str = "") -> str:
    names = [*(["left"] if column.align == "left" else []), *([kind] if kind else [])]
    return f' class="{" ".join(names)}"' if names else ""


def _cell(cell: Cell, column: Column) -> str:
    text = escape_html(cell.text)
    if cell.address:
        text = render_link(cell.address, cell.text)
    match cell.emphasis:
        case Emphasis.STRUCK:
            text = f"<s>{text}</s>"
        case Emphasis.WRONG:
            text = f"{text} {escape_html(cell.meaning)}"
        case _:
            text = f"<b>{text}</b>" if cell.emphasis is Emphasis.BEST else text
            if cell.mark:
                meaning = (
                    f' title="{escape_html(cell.meaning)}"' if cell.meaning else ""
                )
                text += f"<abbr{meaning}>{escape_html(cell.mark)}</abbr>"
    if cell.above:
        text += f"<sup>{escape_html(cell.above)}</sup>"
    see = render_reference(cell.see) if cell.see else ""
    text = " ".join(filter(None, [text, escape_html(cell.correction), see]))
    if cell.share is not None:
        text += _small_bar(cell.share)
    return f"<td{_classes(column, cell.kind)}>{text}</td>"


def _small_bar(share: float) -> str:
    width = 100 * min(max(share, 0.0), 1.0)
    return (
        '<svg class="share" aria-hidden="true">'
        f'<rect width="{width:.1f}%" height="100%"/></svg>'
    )


_LONGEST_STACKED = 60  # letters of a side of a fraction; longer ones stand in a line


def walk_html(walk: WalkThrough) -> str:
    r"""Write a walk-through.

    >>> from corefkit.tables.walkthroughs import WalkThrough
    >>> walk_html(WalkThrough([Line(Reference("K1", key=1))], document="d"))
    '<div class="walk">\n<p><a href="#d=d&amp;k=1">K1</a></p>\n</div>'
    """
    blocks = [
        block
        for is_listed, told in groupby(walk.told, _is_listed)
        for block in (
            _line_list(walk, [*told]) if is_listed else _blocks(walk, [*told])
        )
    ]
    return "\n".join(['<div class="walk">', *blocks, "</div>"])


def _is_listed(told: Told) -> bool:
    return isinstance(told, Line) and bool(told.indent)


def _line_list(walk: WalkThrough, lines: Sequence[Told]) -> list[str]:
    items = [
        f"<li>{_text(walk, line.label)}{_text(walk, line.text)}</li>"
        for line in lines
        if isinstance(line, Line)
    ]
    return [f'<ul class="lines">{"".join(items)}</ul>']


def _blocks(walk: WalkThrough, told: Sequence[Told]) -> list[str]:
    return list(filter(None, (_block(walk, one) for one in told)))


def _block(walk: WalkThrough, told: Told) -> str:
    match told:
        case Title():
            return f"<h4>{escape_html(told.text)}</h4>"
        case Line():
            return f"<p>{_text(walk, told.label)}{_text(walk, told.text)}</p>"
        case Rows():
            return _table(walk, told)
        case Equation():
            return _equation(walk, told)
        case _:
            return f"<p>{escape_html(told)}</p>" if told else ""


def _table(walk: WalkThrough, rows: Rows) -> str:
    if not rows.cells:
        return ""
    caption = f"<caption>{escape_html(rows.caption)}</caption>" if rows.caption else ""
    heads = "".join(
        f'<th scope="col" class="left">{escape_html(head)}</th>' for head in rows.heads
    )
    head = f"<thead><tr>{heads}</tr></thead>" if heads else ""
    body = "".join(_row(walk, row) for row in rows.cells)
    sortable = " data-sortable" if rows.is_sortable else ""
    table = f"<table{sortable}>{caption}{head}<tbody>{body}</tbody></table>"
    return f'<div class="wide">{table}</div>'


def _row(walk: WalkThrough, row: Sequence[Text]) -> str:
    first, *others = (_text(walk, cell) for cell in row)
    cells = "".join(f'<td class="left">{cell}</td>' for cell in others)
    return f'<tr><th scope="row">{first}</th>{cells}</tr>'


def _equation(walk: WalkThrough, equation: Equation) -> str:
    """Write each step on a line of its own; the last is the result."""
    steps = [equation.formula] if equation.formula else []
    lines = [*steps, *_steps(equation.steps)]
    written = [f"<span>= {_text(walk, line)}</span>" for line in lines[:-1]]
    written.append(f"<span>= <b>{_text(walk, lines[-1])}</b></span>")
    name = f"<b>{escape_html(equation.name)}</b>"
    return f'<p class="equation">{name}<span>{"".join(written)}</span></p>'


def _steps(steps: Sequence[Text]) -> list[Text]:
    """Leave out steps that repeat the next one, but not the terms that are links."""
    kept = kept_steps(steps)
    return [*([steps[0]] if steps[0] not in kept and _points(steps[0]) else []), *kept]


def _points(text: Text) -> bool:
    """Tell whether a text stands for something."""
    if isinstance(text, Reference):
        return True
    return not isinstance(text, str) and any(map(_points, text))


def _text(walk: WalkThrough, text: Text) -> str:
    match text:
        case str():
            return escape_html(text)
        case Reference():
            return _link(walk, text)
        case Over():
            return _fraction(walk, text)
        case _:
            return "".join(_text(walk, piece) for piece in text)


def _fraction(walk: WalkThrough, over: Over) -> str:
    """Write a fraction with a bar; the signs that a line would need are there too.

    Somebody who listens to the page, or copies from it, has only these.
    """
    if max(len(plain(side)) for side in over) > _LONGEST_STACKED:
        above, below = (_text(walk, grouped(side)) for side in over)
        return f"{above} / {below}"
    above, below = (
        _text(walk, side)
        if grouped(side) is side
        else f"<i>(</i>{_text(walk, side)}<i>)</i>"
        for side in over
    )
    return (
        f'<span class="over"><span>{above}</span><i> / </i><span>{below}</span></span>'
    )


def _link(walk: WalkThrough, piece: Reference) -> str:
    if piece.anchor:
        return render_link(f"#{piece.anchor}", piece.text)
    if walk.document is None:  # nothing to lead to
        return escape_html(piece.text)
    mention = None if piece.mention is None else walk.places[piece.mention]
    address = fragment(
        walk.document, key=piece.key, response=piece.response, mention=mention
    )
    about = (
        f' title="{escape_html(_about(walk, piece))}"' if _about(walk, piece) else ""
    )
    return f'<a href="{escape_html(address)}"{about}>{escape_html(piece.text)}</a>'


def _about(walk: WalkThrough, piece: Reference) -> str:
    """Say which entity or mention it is, where the text does not."""
    entity = f"K{piece.key}" if piece.key else f"R{piece.response}"
    if piece.key or piece.response:
        return entity if entity != piece.text else ""
    if piece.mention is None or not walk.meanings:
        return ""
    words = walk.meanings[piece.mention]
    return words if words != piece.text else ""


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
            tag, link = f"h{part.level}", render_link(f"#{part.anchor}", part.text)
            return f'<{tag} id="{escape_html(part.anchor)}">{link}</{tag}>'
        case Paragraph():
            escape = escape_html if part.is_literal else render_prose
            return f"<p>{escape(part.text)}</p>"
        case Statement():
            return f"<p>{render_pieces(part.pieces)}</p>"
        case Note():
            text = escape_html(part.text)
            text = f"<code>{text}</code>" if part.is_code else text
            return f'<p class="note">{text}</p>'
        case Table():
            return render_html_table(part)
        case Bullets():
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
    lines = [f"<details><summary>{escape_html(part.title)}</summary>", *inner]
    return "\n".join([*lines, "</details>"])


def _list(part: Bullets) -> str:
    title = f"<b>{escape_html(part.title)}</b>: " if part.title else ""
    lead = (
        f"<p>{title}{render_prose(part.text)}</p>\n" if part.title or part.text else ""
    )
    end = f"\n<p>{render_prose(part.end)}</p>" if part.end else ""
    kind = "" if any(item.word for item in part.items) else ' class="lines"'
    items = f"<ul{kind}>\n{''.join(map(_item, part.items))}</ul>" if part.items else ""
    return f"{lead}{items}{end}"


def _item(item: Bullet) -> str:
    anchor = f' id="{item.anchor}"' if item.anchor else ""
    kind = f' class="{item.kind}"' if item.kind else ""
    word = f"<b{kind}>{escape_html(item.word)}</b>" if item.word else ""
    text = " ".join([render_prose(item.text), *map(render_reference, item.see)])
    lines = "".join(f"<br>{render_prose(line)}" for line in item.lines)
    return f"<li{anchor}>{word}<div>{text}{lines}</div></li>\n"


def _finding(finding: Finding) -> str:
    """Write a finding as a card: title, text, quotation, where there is more."""
    kind = f' class="{finding.kind}"' if finding.kind else ""
    lines = [
        f"<h2>{escape_html(finding.title)}</h2>",
        f"<p>{render_pieces(finding.pieces)}</p>",
    ]
    if finding.quote:
        quote = render_pieces(finding.quote)
        lines.append(f'<blockquote dir="auto">{quote}</blockquote>')
    if finding.see:
        lines.append(f'<p class="more">{render_pieces(finding.see)}</p>')
    return f"<li{kind}>{''.join(lines)}</li>\n"


def render_html_page(page: Page) -> str:
    """Write a whole page, with links to its sections at the top."""
    sections = [
        part for part in page.parts if isinstance(part, Heading) and part.level == 2
    ]
    links = [
        render_link(f"#{part.anchor}", part.short or part.text) for part in sections
    ]
    readers = [part for part in page.parts if isinstance(part, Reader)]
    # The line ends belong to the element, whose text is hashed.
    style, script = f"\n{read_styles()}", read_script()
    return Template(read_asset("page.html")).substitute(
        title=escape_html(page.title),
        policy=build_policy(style, script),
        style=style[1:],
        script=script,
        data="".join(map(_data, readers)),
        skip=_skip_link(page.parts),
        intro=render_html(page.intro),
        links="\n".join(links),
        parts="\n".join(section_lines(page.parts)),
        version=escape_html(VERSION),
        made_by=escape_html(page.made_by),
    )


def render_html(parts: Iterable[Part]) -> str:
    """Write parts without a page around them.

    >>> from corefkit.tables.model import Paragraph
    >>> render_html([Paragraph("a < b")])
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
            return (
                f'<a class="skip" href="#{escape_html(anchor)}">Skip to the texts</a>\n'
            )
    return ""


def _data(reader: Reader) -> str:
    return (
        f'<script type="application/json" id="reader-data">{encoded(reader)}</script>\n'
    )
