"""Trees that score rows of codes, as they are stored and as they are used.

A tree scores all rows at once, without walking it. Its leaves are the bits of a number,
the leftmost the lowest. A split that sends a row to the right rules out the leaves on
its left; so each code of each feature has a number without the bits of the leaves that
it rules out, and a row's leaf is the lowest bit that all its codes have.

Source: Lucchese et al. 2015, QuickScorer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cistell.learners.base import array_bytes, array_of, damaged
from corefkit.arrays.hashing import count_bits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cistell.learners.base import Codes

CODES = 256
MOST_LEAVES = 64
_EVERY = np.uint64(2**MOST_LEAVES - 1)
# Columns of so many rows stay in the processor's cache while all trees score them.
_BLOCK = 4096
# The kind of numbers of each array, and the width of its rows.
_ARRAYS: dict[str, tuple[str, tuple[int, ...]]] = {
    "first": ("i4", ()),
    "nodes": ("i4", (3,)),
    "values": ("f8", ()),
    "left": ("u1", (CODES // 8,)),
    "gain": ("f8", ()),
}


@dataclass(frozen=True, slots=True)
class Trees:
    """Trees one after the other.

    ``first`` is the first node of each tree; a row of ``nodes`` has the feature that
    splits, or -1 for a leaf, and the nodes on its left and right; ``values`` are what
    leaves add to the score; a row of ``left`` has a bit for each code that goes left;
    ``gain`` is that of each feature.
    """

    first: NDArray[np.int32]
    nodes: NDArray[np.int32]
    values: NDArray[np.float64]
    left: NDArray[np.uint8]
    gain: NDArray[np.float64]

    def files(self) -> dict[str, bytes]:
        """Return what a model file stores."""
        return {_file(name): array_bytes(getattr(self, name)) for name in _ARRAYS}


class ReadyTree(NamedTuple):
    """For each feature of a tree, the leaves that each code allows; leaves' values.

    Numbers have 32 bits if the leaves fit into them, else 64.
    """

    features: list[int]
    leaves: list[NDArray[np.unsignedinteger[Any]]]
    values: NDArray[np.float64]


def scores(trees: Sequence[ReadyTree], rows: Codes) -> NDArray[np.float64]:
    """Add up what all trees give each row."""
    total = np.zeros(len(rows))
    for at in range(0, len(rows), _BLOCK):
        columns = np.ascontiguousarray(rows[at : at + _BLOCK].T).astype(np.intp)
        part = total[at : at + _BLOCK]
        for tree in trees:
            if not tree.features:
                part += tree.values[0]
                continue
            left = tree.leaves[0].take(columns[tree.features[0]])
            for feature, leaves in zip(tree.features[1:], tree.leaves[1:], strict=True):
                left &= leaves.take(columns[feature])
            # The number of zeros below the lowest bit.
            below = count_bits(~left & (left - left.dtype.type(1)))
            part += tree.values.take(below)
    return total


def readied(trees: Trees) -> list[ReadyTree]:
    """Number the leaves of each tree, and find which of them each code allows."""
    goes_left = np.unpackbits(trees.left, axis=1, bitorder="little").astype(bool)
    return [_readied(trees, goes_left, int(root)) for root in trees.first]


def _readied(trees: Trees, goes_left: NDArray[np.bool_], root: int) -> ReadyTree:
    left_to: dict[int, NDArray[np.uint64]] = {}
    values: list[float] = []

    def leaves_under(node: int) -> int:
        feature, left, right = trees.nodes[node].tolist()
        if feature < 0:
            values.append(trees.values[node])
            return 1 << (len(values) - 1)
        on_left = leaves_under(left)
        kept = np.where(goes_left[node], _EVERY, _EVERY ^ np.uint64(on_left))
        left_to[feature] = left_to.get(feature, _EVERY) & kept
        return on_left | leaves_under(right)

    leaves_under(root)
    kind: type[np.unsignedinteger[Any]] = np.uint32 if len(values) <= 32 else np.uint64
    leaves = [(numbers & _EVERY).astype(kind) for numbers in left_to.values()]
    return ReadyTree(list(left_to), leaves, np.array(values))


def trees_from(files: Mapping[str, bytes], width: int) -> Trees:
    """Read what a model file stores, for rows of a width."""
    arrays = {
        name: array_of(files, _file(name), kind, *wide)
        for name, (kind, wide) in _ARRAYS.items()
    }
    trees = Trees(**arrays)
    if not _is_whole(trees, width):
        raise damaged(_file("nodes"))
    return trees


def _is_whole(trees: Trees, width: int) -> bool:
    """Return whether the arrays fit each other, and every node has one parent."""
    number = len(trees.nodes)
    first = trees.first
    lengths = (len(trees.values), len(trees.left), len(trees.gain))
    if lengths != (number, number, width) or not len(first):
        return False
    if first[0] != 0 or (np.diff(first, append=number) < 1).any():
        return False
    here = np.arange(number)
    end = np.repeat(np.append(first[1:], number), np.diff(first, append=number))
    feature, children = trees.nodes[:, 0], trees.nodes[:, 1:]
    splits = feature >= 0
    leads_on = (children > here[:, None]) & (children < end[:, None])
    below = np.sort(children[splits], axis=None)
    leaves = np.add.reduceat(~splits, first, dtype=np.intp)
    return bool(
        (feature < width).all()
        and leads_on[splits].all()
        and np.array_equal(below, np.delete(here, first))
        and (leaves <= MOST_LEAVES).all()
    )


def _file(name: str) -> str:
    return f"trees.{name}.bin"
