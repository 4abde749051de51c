"""A line on stderr that tells how far long work has come."""

from __future__ import annotations

import sys
import time

_PATIENCE = 0.5  # seconds before anything is shown


class Line:
    """A line on a terminal, another in its place each time; elsewhere nothing."""

    def __init__(self) -> None:
        self._shown = ""

    def put(self, text: str) -> None:
        """Put a text in place of the one that is there; an empty one wipes it away."""
        if text != self._shown and sys.stderr.isatty():
            wiped = f"\r{' ' * len(self._shown)}" if self._shown else ""
            print(f"{wiped}\r{text}", end="", file=sys.stderr, flush=True)
            self._shown = text


class Progress:
    """Show the share of the work done, on a terminal, once it takes a while."""

    def __init__(self, work: str = "scoring") -> None:
        self._work = work
        self._start = time.monotonic()
        self._line = Line()

    def __enter__(self) -> Progress:
        """Enter the work."""
        return self

    def __exit__(self, *exception: object) -> None:
        """Wipe the line away."""
        self._line.put("")

    def show(self, done: int, total: int) -> None:
        """Show how much is done."""
        if time.monotonic() - self._start >= _PATIENCE:
            self._line.put(f"{self._work}: {100 * done // max(total, 1):3}%")
