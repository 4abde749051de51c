"""Pages as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.settings import VERSION
from corefkit.strings import escape_markdown, quote_markdown_code
from corefkit.tables.model import (
    Beside,
    Bullets,
    Emphasis,
    Figure,
    Findings,
    Folded,
    Fragment,
    Heading,
    Note,
    Page,
    Paragraph,
    Statement,
    Table,
    protect_indent,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corefkit.tables.model import Bullet, Cell, Part

_RULES = {"left": "---", "right": "---:", "decimal": "---:"}


def render_markdown_page(page: Page) -> str:
    """Write a whole page."""
    title = f"# {_prose(page.title)}"
    parts = [render_markdown(page.intro), render_markdown(page.parts)]
    made_by = f"Computed by corefkit {VERSION}, {quote_markdown_code(page.made_by)}."
    return "\n\n".join([title, *filter(None, parts), made_by]) + "\n"


def render_markdown(parts: Iterable[Part]) -> str:
    r"""Write the parts of a page.

    >>> from corefkit.tables.model import make_rows, make_columns
    >>> grid = Table(make_columns(["", "F1"]), make_rows([["b_cubed", "60.47"]]))
    >>> print(render_markdown([grid, Note("in percent")]))
    |  | F1 |
    | --- | ---: |
    | b\_cubed | 60.47 |
    <BLANKLINE>
    in percent
    """
    return "\n\n".join(block for part in parts for block in _blocks(part))


def _blocks(part: Part) -> Iterator[str]:
    match part:
        case Heading():
            yield f"{'#' * part.level} {_prose(part.text)}"
        case Paragraph():
            yield escape_markdown(part.text, prose=not part.is_literal)
        case Note():
            yield (quote_markdown_code if part.is_code else escape_markdown)(part.text)
        case Table():
            yield from _grid_blocks(part)
        case Bullets():
            yield from _list_blocks(part)
        case Statement() | Findings() | Beside() | Folded() | Fragment():
            # Imported here because few pages have such parts.
            from corefkit.tables.model import flatten_parts

            for inner in flatten_parts(part):
                yield from _blocks(inner)
        case Figure() if part.drawing:
            yield f"![{_prose(part.title)}]({part.drawing.name})"
        case _:
            pass  # bars: a grid has their numbers


def _prose(text: str) -> str:
    return escape_markdown(text, prose=True)


def _list_blocks(part: Bullets) -> Iterator[str]:
    if part.title:
        yield f"**{_prose(part.title)}**: {_prose(part.text)}"
    elif part.text:
        yield _prose(part.text)
    if part.items:
        yield "\n".join(map(_item, part.items))
    if part.end:
        yield _prose(part.end)


def _item(item: Bullet) -> str:
    word = f"**{_prose(item.word)}** " if item.word else ""
    text = ": ".join(
        filter(None, [_prose(item.text), ", ".join(map(escape_markdown, item.see))])
    )
    # Two blanks at the end of a line break it.
    return "  \n  ".join([f"- {word}{text}", *map(_prose, item.lines)])


def _grid_blocks(grid: Table) -> Iterator[str]:
    if grid.caption:
        yield f"{escape_markdown(grid.caption)}:"
    heads = [f"{column.group} {column.head}".lstrip() for column in grid.columns]
    lines = [
        list(map(escape_markdown, heads)),
        [_RULES[column.align] for column in grid.columns],
        *(list(map(_cell, row)) for row in grid.rows),
    ]
    yield "\n".join(f"| {' | '.join(line)} |" for line in lines)
    yield from map(escape_markdown, grid.notes)


def _cell(cell: Cell) -> str:
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
    more = [escape_markdown(words) for words in (cell.correction, cell.see) if words]
    return " ".join([text, *more])
