"""Walk-throughs as lines for a terminal, as wide as a page of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.report import narrow, terminal
from corefkit.report.walk.values import GLUE, Equation, Line, Rows, Title, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.report.walk.values import Text, Told

WIDTH = terminal.READING_WIDTH
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
    lines = terminal.wrapped(text, width=width, first=first, later=later)
    return [line.replace(GLUE, " ") for line in lines]


def _line(line: Line) -> list[str]:
    first = line.indent + plain(line.label)
    later = " " * len(first) if line.later is None else line.later
    return _wrapped(plain(line.text), first=first, later=later)


def _rows(rows: Rows) -> list[str]:
    """Align rows of cells; the last column is as wide as it needs, and wrapped."""
    cells = [[*map(plain, row)] for row in rows.cells]
    lines = narrow.aligned(cells, width=WIDTH, least=_MARGIN)
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
