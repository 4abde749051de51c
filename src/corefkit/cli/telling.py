"""What a command says on stderr: notes, warnings, and how far the work is."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from corefkit.strings.colours import message, wanted
from corefkit.strings.escaping import for_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

DONE, CANNOT_BE_SCORED = 0, 1  # exit codes

_PATIENCE = 0.5  # seconds before a share of the work is shown

_is_quiet = False  # set by each command line


def be_quiet(quiet: bool) -> None:
    """Settle whether this command line wants to hear of notes and progress."""
    global _is_quiet
    _is_quiet = quiet


def tell(text: str) -> None:
    """Say something in one line, below what was printed so far."""
    if sys.stdout is not None:
        sys.stdout.flush()
    complain(for_terminal(text))


def complain(text: str) -> None:
    """Say what is wrong, in lines that are safe to show."""
    print(message(text, on=wanted(sys.stderr)), file=sys.stderr)


def inform(text: str) -> None:
    """Say in one line what was done, unless the user wants to hear nothing of it."""
    if not _is_quiet:
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

    Where stderr is no terminal, and with --quiet, nothing is shown.
    """

    def __init__(self) -> None:
        self._text = ""

    def __enter__(self) -> Line:
        """Enter the work."""
        return self

    def __exit__(self, *exception: object) -> None:
        """Wipe the line away."""
        self.put("")

    def put(self, text: str) -> None:
        """Replace the text of the line; an empty text wipes it away."""
        if text != self._text and not _is_quiet and sys.stderr.isatty():
            wiped = f"\r{' ' * len(self._text)}" if self._text else ""
            print(f"{wiped}\r{text}", end="", file=sys.stderr, flush=True)
            self._text = text

    def share(self, work: str) -> Callable[[int, int], None]:
        """Return a function that shows how much work is done, once it takes a while."""
        start = time.monotonic()

        def show(done: int, total: int) -> None:
            if time.monotonic() - start >= _PATIENCE:
                self.put(f"{work}: {100 * done // max(total, 1):3}%")

        return show
