"""Gradient-boosted trees: many small trees, each correcting the sum of those before.

scikit-learn grows them; deciding needs NumPy alone.

A tree scores all rows at once, without walking it. Its leaves are the bits of a number,
the leftmost the lowest. A split that sends a row to the right rules out the leaves on
its left; so each value of each feature has a number without the bits of the leaves that
it rules out, and a row's leaf is the lowest bit that all its values have.

Source: Lucchese et al. 2015, QuickScorer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefkit.cistell.learners.base import (
    array_bytes,
    array_of,
    check_instances,
    damaged,
    distinct_rows,
    of_probability,
    scikit_learn,
    shares,
)
from corefkit.exceptions import CorefkitError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from corefkit.cistell.learners.base import Codes, Column, Decisions, Instances


ITERATIONS = 300
_CHECKED = 1000


@dataclass(frozen=True, slots=True)
class BoostingClassifier:
    """Trees, as they are stored and as they are used."""

    columns: tuple[Column, ...]
    trees: Trees
    ready: list[ReadyTree]

    def decide(self, rows: Codes) -> Decisions:
        """Decide every row; equal rows are decided once."""
        indices, inverse = distinct_rows(rows)
        return self._decide(rows[indices])[inverse]

    def _decide(self, rows: Codes) -> Decisions:
        score = self.trees.start + scores(self.ready, rows)
        return of_probability(np.exp(-np.logaddexp(0.0, -score)))

    def files(self) -> Mapping[str, bytes]:
        """Return what a model file stores."""
        return self.trees.files()

    @property
    def weights(self) -> Mapping[str, float]:
        """Each feature's share of the gain of all splits."""
        return shares(self.columns, self.trees.gain)


def learn_boosting(instances: Instances, *, seed: int = 0) -> BoostingClassifier:
    """Grow trees on the training pairs."""
    check_instances(instances)
    seen = [np.unique(column) for column in instances.rows.T]
    # scikit-learn numbers only the values of a feature that it has seen.
    table = np.empty(instances.rows.shape)
    for at, values in enumerate(seen):
        table[:, at] = np.searchsorted(values, instances.rows[:, at])
    with scikit_learn():
        from sklearn.ensemble import HistGradientBoostingClassifier

        model = HistGradientBoostingClassifier(
            max_iter=ITERATIONS,
            early_stopping=False,
            categorical_features=[True] * len(seen),
            random_state=seed,
        )
        model.fit(table, instances.positive)
        expected = model.predict_proba(table[:_CHECKED])[:, 1]
    classifier = _classifier(instances.columns, _exported(model, seen))
    found = classifier.decide(instances.rows[:_CHECKED]).probability
    if not np.allclose(found, expected, rtol=0, atol=1e-9):
        # The trees are not a public part of scikit-learn.
        message = "this scikit-learn keeps its trees in a way that corefkit cannot read"
        raise CorefkitError(message, hint="choose the learner logistic instead")
    return classifier


def load_boosting(
    files: Mapping[str, bytes], columns: tuple[Column, ...]
) -> BoostingClassifier:
    """Read what a model file stores."""
    return _classifier(columns, trees_from(files, len(columns)))


def _classifier(columns: tuple[Column, ...], trees: Trees) -> BoostingClassifier:
    return BoostingClassifier(columns, trees, readied(trees))


def _exported(model: Any, seen: list[Codes]) -> Trees:
    """Take the trees out of scikit-learn's model."""
    predictors = [predictor for (predictor,) in model._predictors]
    parts = [predictor.nodes for predictor in predictors]
    first = np.cumsum([0, *map(len, parts)])
    nodes = np.concatenate(parts)
    offset = np.repeat(first[:-1], np.diff(first))
    leaf = nodes["is_leaf"].astype(bool)
    split = [nodes["feature_idx"], nodes["left"] + offset, nodes["right"] + offset]
    left = [
        _left_codes(node, predictor.raw_left_cat_bitsets, seen)
        for predictor in predictors
        for node in predictor.nodes
    ]
    return Trees(
        start=model._baseline_prediction.reshape(1).astype(np.float64),
        first=first[:-1].astype(np.int32),
        nodes=np.where(leaf[:, None], -1, np.stack(split, axis=1)).astype(np.int32),
        values=np.where(leaf, nodes["value"], 0.0),
        left=np.packbits(left, axis=1, bitorder="little"),
        gain=np.array(
            [
                nodes["gain"][(nodes["feature_idx"] == at) & ~leaf].sum()
                for at in range(len(seen))
            ]
        ),
    )


def _left_codes(
    node: Any, bitsets: NDArray[np.uint32], seen: list[Codes]
) -> NDArray[np.bool_]:
    """Return which codes a node sends left; for codes never seen it has a default."""
    left = np.full(CODES, bool(node["missing_go_to_left"]))
    if not node["is_leaf"]:
        values = seen[node["feature_idx"]]
        words = bitsets[node["bitset_idx"]].astype("<u4").view(np.uint8)
        left[values] = np.unpackbits(words, bitorder="little")[: len(values)]
    return left


CODES = 256
_LEAVES = 32
_EVERY = np.uint32(2**_LEAVES - 1)
# Columns of so many rows stay in the processor's cache while all trees score them.
_BLOCK = 4096
# The kind of numbers of each array, and the width of its rows.
_ARRAYS: dict[str, tuple[str, tuple[int, ...]]] = {
    "start": ("f8", ()),
    "first": ("i4", ()),
    "nodes": ("i4", (3,)),
    "values": ("f8", ()),
    "left": ("u1", (CODES // 8,)),
    "gain": ("f8", ()),
}


@dataclass(frozen=True, slots=True)
class Trees:
    """Trees one after the other.

    ``start`` is the score before any tree (one number), ``first`` the first node of
    each tree; a row of ``nodes`` has the feature that splits, or -1 for a leaf, and
    the nodes on its left and right; ``values`` are what leaves add to the score; a row
    of ``left`` has a bit for each code that goes left; ``gain`` is that of each
    feature.
    """

    start: NDArray[np.float64]
    first: NDArray[np.int32]
    nodes: NDArray[np.int32]
    values: NDArray[np.float64]
    left: NDArray[np.uint8]
    gain: NDArray[np.float64]

    def files(self) -> dict[str, bytes]:
        """Return what a model file stores."""
        return {_file(name): array_bytes(getattr(self, name)) for name in _ARRAYS}


class ReadyTree(NamedTuple):
    """For each feature of a tree, the leaves that each code allows; leaves' values."""

    features: list[int]
    leaves: list[NDArray[np.uint32]]
    values: NDArray[np.float64]


def scores(trees: Sequence[ReadyTree], rows: Codes) -> NDArray[np.float64]:
    """Add up what all trees give each row."""
    total = np.zeros(len(rows))
    for at in range(0, len(rows), _BLOCK):
        columns = np.ascontiguousarray(rows[at : at + _BLOCK].T).astype(np.intp)
        part = total[at : at + _BLOCK]
        for tree in trees:
            left = np.full(len(part), _EVERY)
            for feature, leaves in zip(tree.features, tree.leaves, strict=True):
                left &= leaves.take(columns[feature])
            # The number of zeros below the lowest bit.
            part += tree.values.take(np.bitwise_count(~left & (left - np.uint32(1))))
    return total


def readied(trees: Trees) -> list[ReadyTree]:
    """Number the leaves of each tree, and find which of them each code allows."""
    goes_left = np.unpackbits(trees.left, axis=1, bitorder="little").astype(bool)
    return [_readied(trees, goes_left, int(root)) for root in trees.first]


def _readied(trees: Trees, goes_left: NDArray[np.bool_], root: int) -> ReadyTree:
    left_to: dict[int, NDArray[np.uint32]] = {}
    values: list[float] = []

    def leaves_under(node: int) -> int:
        feature, left, right = trees.nodes[node].tolist()
        if feature < 0:
            values.append(trees.values[node])
            return 1 << (len(values) - 1)
        on_left = leaves_under(left)
        kept = np.where(goes_left[node], _EVERY, _EVERY ^ np.uint32(on_left))
        left_to[feature] = left_to.get(feature, _EVERY) & kept
        return on_left | leaves_under(right)

    leaves_under(root)
    return ReadyTree(list(left_to), list(left_to.values()), np.array(values))


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
    lengths = (len(trees.start), len(trees.values), len(trees.left), len(trees.gain))
    if lengths != (1, number, number, width) or not len(first):
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
        and (leaves <= _LEAVES).all()
    )


def _file(name: str) -> str:
    return f"boosting.{name}.bin"
