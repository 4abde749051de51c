"""Making a finding small: lines, then bytes, are left out as long as it stays one."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from cases import Case


def shrunk(case: Case, still: Callable[[Case], object], *, seconds: float) -> Case:
    """Leave out of a case what is not needed for a test to hold.

    Args:
        case: the case, for which the test holds.
        still: the test.
        seconds: how long to try.
    """
    until = time.monotonic() + seconds
    before: Case = {}
    while case != before and time.monotonic() < until:
        before = case
        for ending in before:
            for parts in (_lines, _bytes):
                case = _with_less(case, ending, parts(case[ending]), still, until)
    return case


def _with_less(
    case: Case,
    ending: str,
    parts: list[bytes],
    still: Callable[[Case], object],
    until: float,
) -> Case:
    """Leave out stretches of parts of one file, large ones first."""
    size = max(1, len(parts) // 2) if parts else 0
    while size and time.monotonic() < until:
        at = 0
        while at < len(parts) and time.monotonic() < until:
            fewer = parts[:at] + parts[at + size :]
            smaller = {**case, ending: b"".join(fewer)}
            if still(smaller):
                case, parts = smaller, fewer
            else:
                at += size
        size //= 2
    return case


def _lines(content: bytes) -> list[bytes]:
    return content.splitlines(keepends=True)


def _bytes(content: bytes) -> list[bytes]:
    return [content[at : at + 1] for at in range(len(content))]
