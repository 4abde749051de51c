"""Sizes of memory, as people write them."""

from __future__ import annotations

import re

from corefkit.exceptions import SettingsError, quoted

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?", re.IGNORECASE)


def memory_size(memory: str | int) -> int:
    """Read how much memory is meant, in bytes.

    >>> memory_size("800MB"), memory_size("1.5 GiB"), memory_size("4g"), memory_size(7)
    (800000000, 1610612736, 4000000000, 7)
    """
    if isinstance(memory, int):
        return memory
    found = _SIZE.fullmatch(memory.strip())
    if found is None or not float(found[1]):
        message = f"memory is {quoted(memory)}, expected a number and its unit"
        raise SettingsError(message, hint="memory is written as in 800MB or 4GB")
    power = " kmgt".index(found[2].lower() or " ")
    return int(float(found[1]) * (1024 if found[3] else 1000) ** power)
