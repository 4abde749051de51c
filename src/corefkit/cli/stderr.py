"""What a command says beside its result: on stderr, and safe to show."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from corefkit.strings.escaping import for_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_PATIENCE = 0.5  # seconds before a share of the work is shown


def tell(text: str) -> None:
    """Say something in one line."""
    print(for_terminal(text), file=sys.stderr)


def note(text: str) -> None:
    """Say something that the user should know about the input."""
    tell(f"note: {text}")


def tell_all(notes: Iterable[str], warnings: Iterable[str]) -> None:
    """Say each note once, then the warnings."""
    for text in dict.fromkeys(notes):
        note(text)
    for warning in warnings:
        tell(f"warning: {warning}")


class Line:
    """A line that is rewritten on a terminal and wiped away at the end.

    Where stderr is no terminal, nothing is shown.
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
        if text != self._text and sys.stderr.isatty():
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
