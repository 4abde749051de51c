"""Tables of a page."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from corefkit.report.grids import Emphasis, with_hard_blanks
from corefkit.report.html.words import link_to, prose, reference
from corefkit.strings.escaping import for_html

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.report.grids import Cell, Column, Grid

_MOST_IN_VIEW = 9  # columns


def grid_html(grid: Grid) -> str:
    """Write a grid as a table with its notes."""
    caption = f"<caption>{prose(grid.caption)}</caption>" if grid.caption else ""
    heads = "".join(map(_head, grid.columns))
    bodies = "".join(_body(rows, grid.columns) for rows in _row_groups(grid.rows))
    notes = "".join(f'\n<p class="note">{prose(note)}</p>' for note in grid.notes)
    return (
        f'<div class="wide"{_stop(grid)}><table{_attributes(grid)}>{caption}'
        f"{_groups(grid)}<thead>{_group_heads(grid)}<tr>{heads}</tr></thead>{bodies}</table></div>"
        f"{notes}"
    )


def _attributes(grid: Grid) -> str:
    """Say whether rows are called by names, and whether a browser can sort them."""
    names = ' class="names"' if grid.first == "names" else ""
    return names + " data-sortable" * grid.is_sortable


def _groups(grid: Grid) -> str:
    """Part the columns by their groups, so that a line can stand between these."""
    names = [column.group for column in grid.columns]
    if not any(names):
        return ""
    sizes = [len([*of]) for _, of in groupby(names)]
    return "".join(f'<colgroup span="{size}"></colgroup>' for size in sizes)


def _group_heads(grid: Grid) -> str:
    names = [column.group for column in grid.columns]
    if not any(names):
        return ""
    heads = []
    for name, of in groupby(names):
        tag = 'th scope="colgroup"' if name else "td"
        heads.append(f'<{tag} colspan="{len([*of])}">{for_html(name)}</{tag[:2]}>')
    return f"<tr>{''.join(heads)}</tr>"


def _head(column: Column) -> str:
    """Write the head of a column; what is empty heads nothing."""
    tag = 'th scope="col"' if column.head else "td"
    return f"<{tag}{_classes(column)}>{for_html(column.head)}</{tag[:2]}>"


def _stop(grid: Grid) -> str:
    """Let the keyboard scroll a grid that is wider than most screens."""
    if len(grid.columns) <= _MOST_IN_VIEW:
        return ""
    name = for_html(grid.caption or "Table")
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
    name = for_html(with_hard_blanks(rows[0][0].text))
    lines = ["".join(map(_cell, row[1:], columns[1:])) for row in rows]
    lines[0] = f'<th scope="rowgroup" rowspan="{len(rows)}">{name}</th>{lines[0]}'
    return f"<tbody>{''.join(f'<tr>{line}</tr>' for line in lines)}</tbody>"


def _classes(column: Column, kind: str = "") -> str:
    names = [*(["left"] if column.align == "left" else []), *([kind] if kind else [])]
    return f' class="{" ".join(names)}"' if names else ""


def _cell(cell: Cell, column: Column) -> str:
    text = for_html(cell.text)
    if cell.address:
        text = link_to(cell.address, cell.text)
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
    see = reference(cell.see) if cell.see else ""
    text = " ".join(filter(None, [text, for_html(cell.correction), see]))
    if cell.share is not None:
        text += _small_bar(cell.share)
    return f"<td{_classes(column, cell.kind)}>{text}</td>"


def _small_bar(share: float) -> str:
    width = 100 * min(max(share, 0.0), 1.0)
    return (
        '<svg class="share" aria-hidden="true">'
        f'<rect width="{width:.1f}%" height="100%"/></svg>'
    )
