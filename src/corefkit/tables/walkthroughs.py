"""Walk-throughs as values, and how a terminal shows them.

Sentences, rows and equations, whose text can point at entities, mentions and places of
the page. HTML shows them with links into the reader.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from corefkit.report.reader_data import fragment
from corefkit.strings import escape_html
from corefkit.tables.model import Fragment
from corefkit.tables.terminal import READING_WIDTH, align_rows, wrap_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# A blank at which no line is broken; a terminal prints it as any other.
GLUE = "\xa0"


class Reference(NamedTuple):
    """A piece of text that stands for an entity, a mention, or a place of the page."""

    text: str
    key: int = 0  # the number of an entity of the key; 0 for none
    response: int = 0  # likewise of the response
    mention: int | None = None  # the number of a mention, from 0
    anchor: str = ""  # the name of a place of the page


class Over(NamedTuple):
    """A fraction, each side of which may be a sum."""

    above: Text
    below: Text


Text: TypeAlias = "str | Reference | Over | tuple[Text, ...]"


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence, or a label with what belongs to it."""

    text: Text
    label: Text = ""  # before the text; no line is broken in it
    indent: str = ""  # before the label, on a terminal
    later: str | None = None  # before further lines there; None: as wide as the label


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of cells, one below the other; the last of a row may be long."""

    cells: Sequence[Sequence[Text]]
    heads: Sequence[str] = ()  # a page writes them, a terminal does not
    caption: str = ""  # likewise
    is_sortable: bool = False  # by its heads, on a page


@dataclass(frozen=True, slots=True)
class Equation:
    """`name = formula = step = step`."""

    name: str
    steps: Sequence[Text]
    formula: str = ""


@dataclass(frozen=True, slots=True)
class Title:
    """A title, with a line below on a terminal."""

    text: str


# A string is a line as it stands; an empty one keeps paragraphs apart.
Told: TypeAlias = str | Line | Rows | Equation | Title


@dataclass(frozen=True, slots=True)
class WalkThrough(Fragment):
    """A part of a page: steps about one document, or about all. Only HTML has it.

    Attributes:
        told: what is said.
        document: the id of the document that references are about; None for all.
        places: for each mention its first and last token in the reader.
        meanings: for each mention its words.
    """

    told: Sequence[Told]
    document: str | None = None
    places: Sequence[tuple[int, int]] = ()
    meanings: Sequence[str] = ()

    def to_html(self) -> str:
        """Return the steps with links into the reader."""
        return walk_html(self)


def plain(text: Text) -> str:
    """Write a text without what it stands for.

    >>> plain(Over("1", ("2 + ", "3")))
    '1 / (2 + 3)'
    """
    match text:
        case str():
            return text
        case Reference():
            return text.text
        case Over():
            return f"{plain(grouped(text.above))} / {plain(grouped(text.below))}"
        case _:
            return "".join(map(plain, text))


def grouped(text: Text) -> Text:
    """Put a sum in parentheses; what is one piece has none.

    >>> plain(grouped(("1", " + ", "2"))), grouped("1")
    ('(1 + 2)', '1')
    """
    several = isinstance(text, tuple) and not isinstance(text, Reference | Over)
    return ("(", text, ")") if several else text


def joined(texts: Iterable[Text], between: str) -> tuple[Text, ...]:
    """Put texts in a row, with something between; without any text, nothing.

    >>> joined(["a", "b"], ", "), joined([], ", ")
    (('a', ', ', 'b'), ())
    """
    pieces: list[Text] = []
    for text in texts:
        pieces += [between, text] if pieces else [text]
    return tuple(pieces)


WIDTH = READING_WIDTH
_NAME = len("precision")
_MARGIN = 30


def lines_of(told: Iterable[Told]) -> Iterator[str]:
    """Write a walk-through, line by line.

    >>> list(lines_of([Title("LEA"), Line("one two", label="- ")]))
    ['LEA', '---', '- one two']
    """
    for one in told:
        match one:
            case str():
                yield one
            case Title():
                yield from (one.text, "-" * len(one.text))
            case Line():
                yield from _line(one)
            case Rows():
                yield from _rows(one)
            case Equation():
                yield from _equation(one)


def kept_steps(steps: Sequence[Text]) -> list[Text]:
    """Leave out steps that only repeat the start of the next one.

    >>> kept_steps(["1 / 2", "1/2 = 50.00%"])
    ['1/2 = 50.00%']
    """
    return [
        step
        for step, after in zip(steps, [*steps[1:], ""], strict=True)
        if _bare(step) != _bare(after).split("=")[0].split(",")[0]
    ]


def _wrapped(text: str, *, first: str, later: str) -> list[str]:
    """Break a text into lines, which begin with `first` and with `later`."""
    width = max(WIDTH, len(later) + _MARGIN)
    lines = wrap_text(text, width=width, first=first, later=later)
    return [line.replace(GLUE, " ") for line in lines]


def _line(line: Line) -> list[str]:
    first = line.indent + plain(line.label)
    later = " " * len(first) if line.later is None else line.later
    return _wrapped(plain(line.text), first=first, later=later)


def _rows(rows: Rows) -> list[str]:
    """Align rows of cells; the last column is as wide as it needs, and wrapped."""
    cells = [[*map(plain, row)] for row in rows.cells]
    lines = align_rows(cells, width=WIDTH, min_width=_MARGIN)
    return [line.replace(GLUE, " ") for line in lines]


def _equation(equation: Equation) -> list[str]:
    """Write `name = step = step`, in one line or with the first step on its own."""
    kept = [*map(plain, kept_steps(equation.steps))]
    whole = " = ".join(kept)
    fits = _NAME + len(" = ") + len(whole) <= WIDTH
    lines = [equation.formula] if equation.formula else []
    lines += [whole] if fits else [kept[0], " = ".join(kept[1:])]
    first, later = f"{equation.name:<{_NAME}} = ", f"{'':<{_NAME}} = "
    written: list[str] = []
    for number, line in enumerate(lines):
        start = later if number else first
        written += _wrapped(line, first=start, later=" " * (len(later) + 2))
    return written


def _bare(step: Text) -> str:
    return plain(step).replace(" ", "").replace(GLUE, "")


_LONGEST_STACKED = 60  # letters of a side of a fraction; longer ones stand in a line


def walk_html(walk: WalkThrough) -> str:
    r"""Write a walk-through.

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
            return _equation_html(walk, told)
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


def _equation_html(walk: WalkThrough, equation: Equation) -> str:
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
        return _render_anchor(f"#{piece.anchor}", piece.text)
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


def _render_anchor(address: str, text: str) -> str:
    return f'<a href="{escape_html(address)}">{escape_html(text)}</a>'


def _about(walk: WalkThrough, piece: Reference) -> str:
    """Say which entity or mention it is, where the text does not."""
    entity = f"K{piece.key}" if piece.key else f"R{piece.response}"
    if piece.key or piece.response:
        return entity if entity != piece.text else ""
    if piece.mention is None or not walk.meanings:
        return ""
    words = walk.meanings[piece.mention]
    return words if words != piece.text else ""
