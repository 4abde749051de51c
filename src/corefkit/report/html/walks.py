"""Walk-throughs as HTML; what they point at is a link into the reader."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from corefkit.report.html.words import link_to
from corefkit.report.reader.fragments import fragment
from corefkit.report.walk.lines import kept_steps
from corefkit.report.walk.values import (
    Equation,
    Line,
    Over,
    Reference,
    Rows,
    Title,
    grouped,
    plain,
)
from corefkit.strings.escaping import for_html

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.report.walk.values import Text, Told, WalkThrough

_LONGEST_STACKED = 60  # letters of a side of a fraction; longer ones stand in a line


def walk_html(walk: WalkThrough) -> str:
    r"""Write a walk-through.

    >>> from corefkit.report.walk.values import WalkThrough
    >>> walk_html(WalkThrough([Line(Reference("K1", key=1))], document="d"))
    '<div class="walk">\n<p><a href="#d=d&amp;k=1">K1</a></p>\n</div>'
    """
    blocks = [
        block
        for is_listed, told in groupby(walk.told, _is_listed)
        for block in (_list(walk, [*told]) if is_listed else _blocks(walk, [*told]))
    ]
    return "\n".join(['<div class="walk">', *blocks, "</div>"])


def _is_listed(told: Told) -> bool:
    return isinstance(told, Line) and bool(told.indent)


def _list(walk: WalkThrough, lines: Sequence[Told]) -> list[str]:
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
            return f"<h4>{for_html(told.text)}</h4>"
        case Line():
            return f"<p>{_text(walk, told.label)}{_text(walk, told.text)}</p>"
        case Rows():
            return _table(walk, told)
        case Equation():
            return _equation(walk, told)
        case _:
            return f"<p>{for_html(told)}</p>" if told else ""


def _table(walk: WalkThrough, rows: Rows) -> str:
    if not rows.cells:
        return ""
    caption = f"<caption>{for_html(rows.caption)}</caption>" if rows.caption else ""
    heads = "".join(
        f'<th scope="col" class="left">{for_html(head)}</th>' for head in rows.heads
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
    name = f"<b>{for_html(equation.name)}</b>"
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
            return for_html(text)
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
        return link_to(f"#{piece.anchor}", piece.text)
    if walk.document is None:  # nothing to lead to
        return for_html(piece.text)
    mention = None if piece.mention is None else walk.places[piece.mention]
    address = fragment(
        walk.document, key=piece.key, response=piece.response, mention=mention
    )
    about = f' title="{for_html(_about(walk, piece))}"' if _about(walk, piece) else ""
    return f'<a href="{for_html(address)}"{about}>{for_html(piece.text)}</a>'


def _about(walk: WalkThrough, piece: Reference) -> str:
    """Say which entity or mention it is, where the text does not."""
    entity = f"K{piece.key}" if piece.key else f"R{piece.response}"
    if piece.key or piece.response:
        return entity if entity != piece.text else ""
    if piece.mention is None or not walk.meanings:
        return ""
    words = walk.meanings[piece.mention]
    return words if words != piece.text else ""
