"""What a feature is: a name, its values, and which of them each pair has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cistell.table import MentionTable
    from corefkit.arrays.columns import Flags, Ints

# For each pair the index of its value; a flag is an index into NO_YES.
Indices: TypeAlias = "Ints | Flags"
NO_YES = ("no", "yes")


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of mentions of one document."""

    table: MentionTable
    first: Ints  # the number of the earlier mention of each pair
    second: Ints  # the number of the later one

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self.first)


class Feature(NamedTuple):
    """A feature, which describes a pair of mentions by one of its values."""

    name: str
    group: str  # `strings`, `morphology`, `syntax` or `semantics`, as in the paper
    values: tuple[str, ...]
    indices: Callable[[Pairs], Indices]  # computes for each pair the index of its value
    # What it needs beside words and trees, as `needs` names it.
    needs: tuple[str, ...] = ()


def feature(
    group: str, values: Sequence[str], *, needs: tuple[str, ...] = ()
) -> Callable[[Callable[[Pairs], Indices]], Feature]:
    """Make a feature of a function, which gives it its name."""

    def made(indices: Callable[[Pairs], Indices]) -> Feature:
        return Feature(indices.__name__, group, tuple(values), indices, needs)

    return made


def of_both(first: Flags, second: Flags) -> Ints:
    """Return 0 where neither is true, 1 or 2 for the first or second alone, 3 for both.

    >>> of_both(np.array([False, True]), np.array([True, True])).tolist()
    [2, 3]
    """
    both: Ints = first.astype(np.int64) + 2 * second.astype(np.int64)
    return both


OF_BOTH = ("neither", "first", "second", "both")


def agreement(first: Ints, second: Ints, unknown: int) -> Ints:
    """Compare sets of bits: `no`, `yes`, `compatible` or `unknown`, in this order."""
    found: Ints = np.select(
        [
            (first == unknown) | (second == unknown),
            first & second == 0,
            first == second,
        ],
        [3, 0, 1],
        default=2,
    )
    return found


AGREEMENT = ("no", "yes", "compatible", "unknown")


def same(first: Ints, second: Ints) -> Flags:
    """Return where numbers are the same and known (not -1)."""
    found: Flags = (first == second) & (first >= 0)
    return found


def binned(values: Ints, starts: Sequence[int]) -> Ints:
    """Find the last bin whose start each value reaches.

    >>> binned(np.array([0, 1, 4, 99]), (0, 1, 3)).tolist()
    [0, 1, 2, 2]
    """
    found: Ints = np.searchsorted(np.array(starts), values, side="right") - 1
    return found


def bin_names(starts: Sequence[int]) -> tuple[str, ...]:
    """Name bins by what falls into them.

    >>> bin_names((0, 1, 3))
    ('0', '1-2', '3+')
    """
    ends = [*(start - 1 for start in starts[1:]), None]
    return tuple(
        f"{start}+" if end is None else str(start) if end == start else f"{start}-{end}"
        for start, end in zip(starts, ends, strict=True)
    )
