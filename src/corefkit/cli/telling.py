"""What a command says on stderr: notes, warnings, and how far the work is."""

from __future__ import annotations

import os
import sys
import time
from contextvars import ContextVar
from itertools import accumulate
from typing import TYPE_CHECKING

from corefkit.strings import (
    escape_terminal,
    get_width,
    highlight_message,
    should_colour,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeAlias

    Share: TypeAlias = Callable[[int, int], None]  # takes what is done, and of what

DONE, CANNOT_BE_SCORED = 0, 1  # exit codes

_PATIENCE = 0.5  # seconds before a share of the work is shown
_OFTEN = 0.1  # seconds before it is shown anew

# Set by each command line, of which threads may run several.
_is_quiet = ContextVar("_is_quiet", default=False)


def be_quiet(quiet: bool) -> None:
    """Settle whether this command line wants to hear of notes and progress."""
    _is_quiet.set(quiet)


def tell(text: str) -> None:
    """Say something in one line, below what was printed so far."""
    if sys.stdout is not None:
        sys.stdout.flush()
    complain(escape_terminal(text))


def complain(text: str) -> None:
    """Say what is wrong, in lines that are safe to show."""
    if sys.stderr is None:  # it was closed; without one, `print` writes to stdout
        return
    Line.wipe()
    print(highlight_message(text, on=should_colour(sys.stderr)), file=sys.stderr)


def inform(text: str) -> None:
    """Say in one line what was done, unless the user wants to hear nothing of it."""
    if not _is_quiet.get():
        tell(text)


def note(text: str) -> None:
    """Say something that the user should know about the input."""
    inform(f"note: {text}")


def warn(text: str) -> None:
    """Say that something is probably not as the user thinks."""
    tell(f"warning: {text}")


def tell_all(notes: Iterable[str], warnings: Iterable[str]) -> None:
    """Say each note once, then the warnings."""
    for text in dict.fromkeys(notes):
        note(text)
    for warning in warnings:
        warn(warning)


def told_refused(refused: Sequence[str], count: int, done: str = "scored") -> int:
    """Say which of all responses were refused, and choose the exit code."""
    if not refused:
        return DONE
    names = ", ".join(refused)
    tell(f"{len(refused)} of {count} responses could not be {done}: {names}")
    return CANNOT_BE_SCORED


class Line:
    """A line that is rewritten on a terminal and wiped away at the end.

    Where stderr is no terminal, and with --quiet, nothing is shown. What is told
    meanwhile stands above it.
    """

    _current: Line | None = None

    def __init__(self) -> None:
        self._text = ""

    def __enter__(self) -> Line:
        """Enter the work."""
        Line._current = self
        return self

    def __exit__(self, *exception: object) -> None:
        """Wipe the line away."""
        Line._current = None
        self.put("")

    @classmethod
    def wipe(cls) -> None:
        """Wipe away the line that is shown, if there is one, for something else."""
        if cls._current is not None:
            cls._current.put("")

    def put(self, text: str) -> None:
        """Replace the text of the line; an empty text wipes it away."""
        if text != self._text and _can_show():
            # A line that is too long could not be wiped away.
            text = text[: get_width() - 1]
            wiped = f"\r{' ' * len(self._text)}" if self._text else ""
            print(f"{wiped}\r{text}", end="", file=sys.stderr, flush=True)
            self._text = text

    def share(self, *works: str) -> Share:
        """Return a function that shows how much is done, and how long the rest takes.

        It is shown once the work takes a while. A work ends where less is done than
        before; then the next one begins.
        """
        start = begun = time.monotonic()
        first, before, number, shown = 0.0, 0.0, 0, -_OFTEN

        def show(done: int, total: int) -> None:
            nonlocal begun, first, before, number, shown
            share = done / max(total, 1)
            now = time.monotonic()
            if share < before:
                number, begun, first = min(number + 1, len(works) - 1), now, share
            before = share
            if now - start >= _PATIENCE and now - shown >= _OFTEN and _can_show():
                shown = now
                own = (share - first) / (1 - first) if first < 1 else 1.0
                left = _rest(now - begun, own)
                self.put(f"{works[number]}: {int(100 * share):3}%{left}")

        return show

    def shares(self, work: str, paths: Sequence[str]) -> list[Share]:
        """Return such a function for each of some files, by the size of each."""
        show = self.share(work)
        sizes = list(map(_size, paths)) if _can_show() else [1] * len(paths)
        *before, whole = accumulate(sizes, initial=0)

        def part(number: int) -> Share:
            return lambda done, total: show(
                before[number] + sizes[number] * done // max(total, 1), whole
            )

        return list(map(part, range(len(sizes))))


def _can_show() -> bool:
    return not _is_quiet.get() and sys.stderr is not None and sys.stderr.isatty()


def _rest(spent: float, done: float) -> str:
    # Imported here because few runs take so long that it is shown.
    from corefkit.strings import estimate_seconds_left, format_time_left

    return format_time_left(estimate_seconds_left(spent, done))


def _size(path: str) -> int:
    """Find out how large a file or folder is; what cannot be known counts little."""
    if os.path.isdir(path):  # noqa: PTH112 - without pathlib, every start is quicker
        return 1 + sum(
            map(_size, (entry.path for entry in os.scandir(path) if entry.is_file()))
        )
    return 1 + os.path.getsize(path) if os.path.isfile(path) else 1  # noqa: PTH113, PTH202
