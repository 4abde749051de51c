"""Lines of a walk-through: equations, aligned rows, sets, as wide as a page of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.report import narrow, terminal

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH = terminal.READING_WIDTH
# A blank at which no line is broken; it is printed as any other.
GLUE = "\xa0"
_NAME = len("precision")
_MARGIN = 30


def wrapped(text: str, *, first: str = "", later: str = "") -> list[str]:
    """Break a text into lines; the first begins with `first`, the others with `later`.

    >>> wrapped("one two", first="- ")
    ['- one two']
    """
    width = max(WIDTH, len(later) + _MARGIN)
    lines = terminal.wrapped(text, width=width, first=first, later=later)
    return [line.replace(GLUE, " ") for line in lines]


def equation(name: str, steps: Sequence[str], *, formula: str = "") -> list[str]:
    """Write `name = step = step`, in one line or with the first step on its own.

    A step that only repeats the start of the next one is left out.

    >>> equation("recall", ["1 / 2", "1/2 = 50.00%"])
    ['recall    = 1/2 = 50.00%']
    """
    kept = [
        step
        for step, after in zip(steps, [*steps[1:], ""], strict=True)
        if _bare(step) != _bare(after).split("=")[0].split(",")[0]
    ]
    joined = " = ".join(kept)
    fits = _NAME + len(" = ") + len(joined) <= WIDTH
    lines = [formula] if formula else []
    lines += [joined] if fits else [kept[0], " = ".join(kept[1:])]
    first, later = f"{name:<{_NAME}} = ", f"{'':<{_NAME}} = "
    written: list[str] = []
    for number, line in enumerate(lines):
        start = later if number else first
        written += wrapped(line, first=start, later=" " * (len(later) + 2))
    return written


def rows(cells: Sequence[Sequence[str]], *, indent: str = "  ") -> list[str]:
    """Align rows of cells; the last column is as wide as it needs, and wrapped.

    >>> rows([("a", "1"), ("bcd", "2")])
    ['  a    1', '  bcd  2']
    """
    lines = narrow.aligned(cells, width=WIDTH, least=_MARGIN, indent=indent)
    return [line.replace(GLUE, " ") for line in lines]


def listed(words: Sequence[str], *, left_out: int = 0, between: str = ", ") -> str:
    r"""Join words, and say how many more there are.

    >>> listed("ab", left_out=2)
    'a, b, …\xa02\xa0more'
    """
    more = [f"…{GLUE}{left_out}{GLUE}more"] if left_out else []
    return between.join([*words, *more])


def shortened(text: str) -> str:
    """Cut the middle out of a long text.

    >>> shortened("the bridge that the flood of two years ago had swept away")
    'the bridge that the flood … swept away'
    """
    text = " ".join(text.split())
    if len(text) <= 44:
        return text
    head, tail = text[:28], text[-14:]
    head = head.rsplit(" ", 1)[0] if " " in head else head
    tail = tail.split(" ", 1)[-1]
    return f"{head} … {tail}"


def _bare(step: str) -> str:
    return step.replace(" ", "").replace(GLUE, "")
