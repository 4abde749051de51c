"""A line on stderr that tells how far long work has come."""

from __future__ import annotations

import sys
import time

_PATIENCE = 0.5  # seconds before anything is shown


class Progress:
    """Show the share of the work done, on a terminal, once it takes a while."""

    def __init__(self, work: str = "scoring") -> None:
        self._work = work
        self._start = time.monotonic()
        self._shown = ""

    def __enter__(self) -> Progress:
        """Enter the work."""
        return self

    def __exit__(self, *exception: object) -> None:
        """Wipe the line away."""
        if self._shown:
            print("\r" + " " * len(self._shown) + "\r", end="", file=sys.stderr)

    def show(self, done: int, total: int) -> None:
        """Show how much is done."""
        if not sys.stderr.isatty() or time.monotonic() - self._start < _PATIENCE:
            return
        text = f"{self._work}: {100 * done // max(total, 1):3}%"
        if text != self._shown:
            self._shown = text
            print(f"\r{text}", end="", file=sys.stderr, flush=True)
