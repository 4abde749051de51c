"""Convert parts of pages to Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from corefkit.settings import VERSION
from corefkit.strings import escape_markdown, quote_markdown_code
from corefkit.tables.model import (
    Bullet,
    Bullets,
    Cell,
    Drawing,
    Emphasis,
    Heading,
    Note,
    Page,
    Paragraph,
    Part,
    Table,
    flatten_parts,
    protect_indent,
)

_RULES = {"left": "---", "right": "---:"}


def render_markdown_page(page: Page) -> str:
    title = f"# {_escape_prose(page.title)}"
    parts = [render_markdown(page.intro), render_markdown(page.parts)]
    made_by = f"Computed by corefkit {VERSION}, {quote_markdown_code(page.made_by)}."
    return "\n\n".join([title, *filter(None, parts), made_by]) + "\n"


def render_markdown(parts: Iterable[Part]) -> str:
    blocks = [block for part in flatten_parts(parts) for block in _render_part(part)]
    return "\n\n".join(blocks)


def _render_part(part: Part) -> Iterator[str]:
    match part:
        case Heading():
            yield f"{'#' * part.level} {_escape_prose(part.text)}"
        case Paragraph():
            yield escape_markdown(part.text, prose=not part.is_literal)
        case Note():
            yield (quote_markdown_code if part.is_code else escape_markdown)(part.text)
        case Table():
            yield from _render_table(part)
        case Bullets():
            yield from _render_bullets(part)
        case Drawing() if part.drawing:
            yield f"![{_escape_prose(part.title)}]({part.drawing.name})"
        case _:
            pass  # charts: a table has their numbers


def _escape_prose(text: str) -> str:
    return escape_markdown(text, prose=True)


def _render_bullets(part: Bullets) -> Iterator[str]:
    if part.title:
        yield f"**{_escape_prose(part.title)}**: {_escape_prose(part.text)}"
    elif part.text:
        yield _escape_prose(part.text)
    if part.items:
        yield "\n".join(map(_render_bullet, part.items))
    if part.end:
        yield _escape_prose(part.end)


def _render_bullet(bullet: Bullet) -> str:
    word = f"**{_escape_prose(bullet.word)}** " if bullet.word else ""
    see = ", ".join(map(escape_markdown, bullet.see))
    text = ": ".join(filter(None, [_escape_prose(bullet.text), see]))
    # Two blanks at the end of a line break it.
    return "  \n  ".join([f"- {word}{text}", *map(_escape_prose, bullet.lines)])


def _render_table(table: Table) -> Iterator[str]:
    if table.caption:
        yield f"{escape_markdown(table.caption)}:"
    heads = [f"{column.group} {column.head}".lstrip() for column in table.columns]
    lines = [
        list(map(escape_markdown, heads)),
        [_RULES[column.align] for column in table.columns],
        *(list(map(_render_cell, row)) for row in table.rows),
    ]
    yield "\n".join(f"| {' | '.join(line)} |" for line in lines)
    yield from map(escape_markdown, table.notes)


def _render_cell(cell: Cell) -> str:
    text = escape_markdown(protect_indent(cell.text))
    mark = escape_markdown(cell.mark) if cell.mark else ""
    match cell.emphasis:
        case Emphasis.STRUCK:
            text = f"~~{text}~~"
        case Emphasis.WRONG:
            text = f"**{text} {escape_markdown(cell.meaning)}**"
        case Emphasis.BEST:
            text = f"**{text}**{mark}"
        case Emphasis.NONE | Emphasis.HIGHEST:
            # A letter would be read as a part of the text.
            text = f"{text} {mark}" if mark.isalpha() else f"{text}{mark}"
    if cell.above:
        text = f"{text}<sup>{escape_markdown(cell.above)}</sup>"
    details = [escape_markdown(word) for word in (cell.correction, cell.see) if word]
    return " ".join([text, *details])
