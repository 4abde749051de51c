"""What a feature is: a name, its values, and which of them each pair has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.columns import Flags, Ints

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corefkit.cistell.table import MentionTable

# Of each pair the place of its value; a flag is the place in NO_YES.
Places: TypeAlias = Ints | Flags
NO_YES = ("no", "yes")


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of mentions of one document.

    Attributes:
        table: the mentions.
        first: the number of the earlier mention of each pair.
        second: the number of the later one.
    """

    table: MentionTable
    first: Ints
    second: Ints

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self.first)


class Feature(NamedTuple):
    """Something that a pair of mentions is described by.

    Attributes:
        name: its name.
        group: `strings`, `morphology`, `syntax` or `semantics`, as in the paper.
        values: all that it may say.
        places: gives of each pair the place of its value among them.
        about: what it says, in a sentence.
        needs: what it needs beside words and trees, by the names of `needs`.
    """

    name: str
    group: str
    values: tuple[str, ...]
    places: Callable[[Pairs], Places]
    about: str
    needs: tuple[str, ...] = ()


def feature(
    group: str, values: Sequence[str], *, needs: tuple[str, ...] = ()
) -> Callable[[Callable[[Pairs], Places]], Feature]:
    """Make a feature of a function: its name, and the first line of its docstring."""

    def made(places: Callable[[Pairs], Places]) -> Feature:
        about = (places.__doc__ or "").strip().splitlines()[0]
        return Feature(places.__name__, group, tuple(values), places, about, needs)

    return made


def of_both(first: Flags, second: Flags) -> Ints:
    """Give 0 where neither is true, 1 and 2 for the first and second alone, 3 for both.

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
    """Say where numbers are the same and known (not -1)."""
    found: Flags = (first == second) & (first >= 0)
    return found


def binned(values: Ints, starts: Sequence[int]) -> Ints:
    """Give the last of the bins, by where they start, that each value reaches.

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
