"""Messages on stderr: errors, warnings, notes and the progress of long work."""

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

    # Called with the amount of work that is done and with the total.
    Progress: TypeAlias = Callable[[int, int], None]

EXIT_OK, EXIT_FAILURE, EXIT_USAGE = 0, 1, 2

_PROGRESS_DELAY_S = 0.5  # before the first update
_PROGRESS_INTERVAL_S = 0.1  # between updates
_MIN_SHARE = 0.02  # of the work, for an estimate of the time

# Each command line sets it; several may run in threads of one process.
_is_quiet = ContextVar("_is_quiet", default=False)


def set_quiet(quiet: bool) -> None:
    """Enable or disable notes and progress for the current command line."""
    _is_quiet.set(quiet)


def is_quiet() -> bool:
    """Return whether the current command line has --quiet."""
    return _is_quiet.get()


def print_message(text: str) -> None:
    """Print one line to stderr, after everything printed to stdout so far."""
    if sys.stdout is not None:
        sys.stdout.flush()
    print_stderr(escape_terminal(text))


def print_stderr(text: str) -> None:
    """Print lines to stderr that are already escaped for the terminal."""
    if sys.stderr is None:  # closed; `print` would then write to stdout
        return
    ProgressLine.clear_current()
    print(highlight_message(text, on=should_colour(sys.stderr)), file=sys.stderr)


def print_error(error: Exception | str) -> None:
    """Print an error; the text of an exception is already escaped."""
    if isinstance(error, Exception):
        print_stderr(f"error: {error}")
    else:
        print_message(f"error: {error}")


def print_warning(text: str) -> None:
    """Print a warning, also with --quiet."""
    print_message(f"warning: {text}")


def print_note(text: str) -> None:
    """Print a note unless --quiet is set."""
    print_info(f"note: {text}")


def print_info(text: str) -> None:
    """Print a message unless --quiet is set."""
    if not is_quiet():
        print_message(text)


def print_notes(notes: Iterable[str], warnings: Iterable[str]) -> None:
    """Print each note once, then the warnings."""
    for text in dict.fromkeys(notes):
        print_note(text)
    for text in warnings:
        print_warning(text)


def report_rejected(rejected: Sequence[str], count: int, verb: str = "scored") -> int:
    """Print which of all responses were rejected; return the exit code."""
    if not rejected:
        return EXIT_OK
    names = ", ".join(rejected)
    print_error(f"{len(rejected)} of {count} responses could not be {verb}: {names}")
    return EXIT_FAILURE


class ProgressLine:
    """A line on stderr that is rewritten in place and cleared at the end.

    Nothing is shown with --quiet or if stderr is not a terminal. Messages that are
    printed meanwhile clear the line first.
    """

    _current: ProgressLine | None = None

    def __init__(self) -> None:
        self._text = ""

    def __enter__(self) -> ProgressLine:
        ProgressLine._current = self
        return self

    def __exit__(self, *exception: object) -> None:
        ProgressLine._current = None
        self.show("")

    @classmethod
    def clear_current(cls) -> None:
        if cls._current is not None:
            cls._current.show("")

    def show(self, text: str) -> None:
        """Replace the text of the line; an empty text clears it."""
        if text != self._text and _has_progress():
            # A line that wraps cannot be cleared.
            text = text[: get_width() - 1]
            blank = f"\r{' ' * len(self._text)}" if self._text else ""
            print(f"{blank}\r{text}", end="", file=sys.stderr, flush=True)
            self._text = text

    def track(self, *steps: str) -> Progress:
        """Return a callback; a smaller share than before begins the next step."""
        start = step_start = time.monotonic()
        first_share, last_share, step = 0.0, 0.0, 0
        last_update = -_PROGRESS_INTERVAL_S

        def update(done: int, total: int) -> None:
            nonlocal step_start, first_share, last_share, step, last_update
            share = done / max(total, 1)
            now = time.monotonic()
            if share < last_share:
                step = min(step + 1, len(steps) - 1)
                step_start, first_share = now, share
            last_share = share
            if (
                now - start >= _PROGRESS_DELAY_S
                and now - last_update >= _PROGRESS_INTERVAL_S
                and _has_progress()
            ):
                last_update = now
                step_share = 1.0
                if first_share < 1:
                    step_share = (share - first_share) / (1 - first_share)
                time_left = _format_time_left(now - step_start, step_share)
                self.show(f"{steps[step]}: {int(100 * share):3}%{time_left}")

        return update

    def track_files(self, step: str, paths: Sequence[str]) -> list[Progress]:
        """Return one callback for each file, weighted by the size of the file."""
        update = self.track(step)
        sizes = list(map(_get_size, paths)) if _has_progress() else [1] * len(paths)
        *offsets, total_size = accumulate(sizes, initial=0)

        def track_file(number: int) -> Progress:
            return lambda done, total: update(
                offsets[number] + sizes[number] * done // max(total, 1), total_size
            )

        return list(map(track_file, range(len(sizes))))


def _has_progress() -> bool:
    return not is_quiet() and sys.stderr is not None and sys.stderr.isatty()


def _format_time_left(spent_s: float, share: float) -> str:
    """Estimate the remaining time at a constant rate; empty if it is too early."""
    if share < _MIN_SHARE or share >= 1 or not spent_s:
        return ""
    left_s = spent_s / share * (1 - share)
    number, unit = max(1, round(left_s)), "second"
    if number >= 60:
        number, unit = round(left_s / 60), "minute"
    return f", {number} {unit}{'s' if number > 1 else ''} left"


def _get_size(path: str) -> int:
    if os.path.isdir(path):  # noqa: PTH112 - pathlib slows down every start
        files = [entry.path for entry in os.scandir(path) if entry.is_file()]
        return 1 + sum(map(_get_size, files))
    return 1 + os.path.getsize(path) if os.path.isfile(path) else 1  # noqa: PTH113, PTH202
