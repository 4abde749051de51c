"""Mentions that are names: letters, numbers, whatever partitions in memory are made of.

Names are sorted where names can be, and else numbers stand first, then others as they
are written.
"""

from __future__ import annotations

import math
from collections.abc import Set, Sized
from numbers import Integral
from typing import TYPE_CHECKING, Any, TypeGuard

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from corefkit.columns import Columns


def all_names(sides: tuple[Columns, Columns]) -> Sequence[Hashable]:
    """Return the names of both sides, which are numbered together.

    Tables look names up, however many there are: those of either side know all.
    """
    known = [side.names for side in sides if side.names is not None]
    counted = [names for names in known if isinstance(names, Sized)]
    return max(counted, key=len) if counted else known[0]


def label_of_name(name: Hashable) -> str:
    """Write a name as ids of errors have it.

    >>> label_of_name((3, 5)), label_of_name("a")
    ('3-5', 'a')
    >>> label_of_name(frozenset("ba"))
    "frozenset({'a', 'b'})"
    """
    if is_span(name):
        return f"{name[0]}-{name[1]}"
    if isinstance(name, Set) and name:
        # Sets are written in another order each time Python runs.
        inside = ", ".join(map(repr, sorted(name, key=_written)))
        return f"{type(name).__name__}({{{inside}}})"
    return str(name)


def is_span(name: object) -> TypeGuard[tuple[int, int]]:
    """Tell a first and last token from other names.

    >>> is_span((3, 5)), is_span((5, 3)), is_span((3, "a")), is_span("ab")
    (True, False, False, False)
    """
    if not isinstance(name, tuple) or len(name) != 2:
        return False
    whole = all(isinstance(part, Integral) for part in name)
    return whole and 0 <= name[0] <= name[1]


def order_of_names(names: Sequence[Hashable]) -> list[int]:
    """Order names by their values; where these have no order, as they are written.

    >>> order_of_names(["b", "a"]), order_of_names(["b", 2, "a"])
    ([1, 0], [1, 2, 0])
    """
    rows = range(len(names))
    try:
        if not any(isinstance(name, Set) or name != name for name in names):
            comparable: Sequence[Any] = names
            return sorted(rows, key=comparable.__getitem__)
    except TypeError:
        pass
    # Not by when they were seen: entities and mentions may stand in sets.
    return sorted(rows, key=lambda row: _written(names[row]))


def _written(name: Hashable) -> tuple[float, str, list[Any]]:
    """Order names of all types: numbers first, sets by what is in them.

    >>> sorted(["a", 10, frozenset([8]), frozenset([7]), 9], key=_written)
    [9, 10, frozenset({7}), frozenset({8}), 'a']
    """
    if isinstance(name, int | float) and name == name:
        return name, "", []
    parts = sorted(map(_written, name)) if isinstance(name, Set) else [repr(name)]
    return math.inf, type(name).__name__, parts
