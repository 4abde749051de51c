"""How wide the terminal is."""

from __future__ import annotations

import os
import sys

WIDTH = 80  # where the output is no terminal


def known_width(default: int = WIDTH) -> int:
    """Find out how wide the terminal is; `default` where nothing says so."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns):
        return int(columns)
    try:
        if sys.stdout.isatty():
            return os.get_terminal_size(sys.stdout.fileno()).columns or default
    except (OSError, ValueError, AttributeError):
        pass  # stdout is closed, or is something else that looks like it
    return default
