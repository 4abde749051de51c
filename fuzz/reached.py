"""Which lines of the readers have been reached: a new one makes an input worth keeping.

Python tells lines cheaply from 3.12 on: each line once, then never again.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import corefkit.formats

if TYPE_CHECKING:
    from types import CodeType

_READERS = str(Path(corefkit.formats.__file__).parent)
_TOOL = 3  # any number that no debugger or profiler has


def watch_lines() -> list[str]:
    """Return a list to which each line is added when it is first reached."""
    lines: list[str] = []
    if sys.version_info < (3, 12):
        return lines
    watching = sys.monitoring

    def reached(code: CodeType, line: int) -> object:
        if code.co_filename.startswith(_READERS):
            lines.append(f"{code.co_filename}:{line}")
        return watching.DISABLE

    watching.use_tool_id(_TOOL, "fuzz")
    watching.register_callback(_TOOL, watching.events.LINE, reached)
    watching.set_events(_TOOL, watching.events.LINE)
    return lines
