"""Memory-based learning in NumPy: the decisions of TiMBL's IB1, without TiMBL.

The distance of two rows is the sum of the weights of the features in which they
differ. All training rows at the nearest distance vote (with k, at the k nearest). If
the vote is a tie, the next distance votes too; if that is a tie as well, the class with
more training pairs wins, or else the one seen first.

Two distances are equal if they differ by less than `EPSILON`, as in TiMBL. In one case
TiMBL counts fewer votes. It walks a tree of training rows, and when it comes back up,
it leaves a branch that is farther than the last distance that votes, be it by less than
`EPSILON`: of the rows of that branch, only the first has voted. Only a weight that is
nothing but an error of rounding makes such distances. Twelve pairs of four features:

    0000 no    0000 no    0000 no    0000 yes   0001 yes   0100 yes
    1000 no    1000 yes   1000 yes   2100 no    2000 yes   1000 no

The gain ratios are 7.6e-17 (in truth 0), 0, 0 and 0.21. With k = 2 and 0001 to decide,
all twelve rows are at the distances 0 and 0.21, six of each class, and "no" was seen
first: that is the decision here. TiMBL does not come to 2100, the second row of the
branch 2, counts five votes for "no" and six for "yes", and says "yes".

Training rows are sorted by their features, the heaviest first, so that rows which agree
in heavy features are neighbours. The rows around the position where a new row would be
give a first bound on its nearest distance. Then all new rows go down the features
together, and drop a branch as soon as its distance exceeds the bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cistell.learners.base import Decisions, distinct_rows, whole_rows
from cistell.learners.memory import (
    EPSILON,
    Memory,
    memory_from,
    memory_of,
    tree_order,
)
from corefkit.exceptions import CorefkitError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from cistell.learners.base import Codes, Column, Instances


@dataclass(frozen=True, slots=True)
class Ib1Classifier:
    """Training pairs, and where to find the nearest of them."""

    memory: Memory
    neighbours: Neighbours

    def decide(self, rows: Codes) -> Decisions:
        """Decide every row; equal rows are decided once."""
        indices, inverse = distinct_rows(rows)
        return self._decide(rows[indices])[inverse]

    def _decide(self, rows: Codes) -> Decisions:
        k = self.memory.k
        distance, votes = self.neighbours.nearest(rows, k)
        tied = np.flatnonzero(votes[:, 0] == votes[:, 1])
        _, more = self.neighbours.nearest(rows[tied], k + 1, beyond=k)
        settled = votes[tied] + more
        clear = settled[:, 0] != settled[:, 1]
        votes[tied[clear]] = settled[clear]
        return Decisions(
            positive=np.where(
                votes[:, 0] == votes[:, 1], self._default, votes[:, 1] > votes[:, 0]
            ),
            distance=distance,
            probability=votes[:, 1] / votes.sum(axis=1),
        )

    @property
    def _default(self) -> bool:
        """The class that wins ties."""
        negative, positive = self.memory.votes.sum(axis=0)
        if negative == positive:
            return self.memory.first_positive
        return bool(positive > negative)

    def files(self) -> Mapping[str, bytes]:
        """Return what a model file stores."""
        return self.memory.files()

    @property
    def weights(self) -> Mapping[str, float]:
        """The gain ratio of each feature."""
        return self.memory.by_name()


def learn_ib1(instances: Instances, *, seed: int = 0, k: int = 1) -> Ib1Classifier:  # noqa: ARG001
    """Store the training pairs; nothing is random, so the seed has no effect.

    >>> from cistell.learners.base import Column, Instances
    >>> columns = (Column("same", ("no", "yes")), Column("far", ("no", "yes")))
    >>> rows = np.array([[1, 0], [1, 1], [0, 1]], dtype=np.uint8)
    >>> instances = Instances(columns, rows, np.array([True, True, False]))
    >>> learn_ib1(instances).decide(np.array([[0, 0], [1, 1]], dtype=np.uint8)).positive
    array([False,  True])
    """
    return _classifier(memory_of(instances, k=k))


def load_ib1(files: Mapping[str, bytes], columns: tuple[Column, ...]) -> Ib1Classifier:
    """Read what a model file stores, for this learner or for TiMBL."""
    memory = memory_from(files, columns)
    if (memory.metric, memory.decay) != ("overlap", "none"):
        message = (
            f"the model was trained with the metric {memory.metric} and the decay "
            f"{memory.decay}, which TiMBL has and ib1 does not"
        )
        raise CorefkitError(
            message,
            code="environment/missing-package",
            hint="pip install 'corefkit[timbl]'",
        )
    return _classifier(memory)


def _classifier(memory: Memory) -> Ib1Classifier:
    return Ib1Classifier(memory, neighbours_of(memory))


# How many sorted rows on each side of a new one are tried for a first bound.
_BESIDE = 8
# How many new rows are looked up at once, and how many branches at most.
_BLOCK, _MOST = 4_000, 200_000
# How much sums in another order may differ; what is kept is summed again.
_SLACK = 1e-9


class Level(NamedTuple):
    """The branches at one feature: their values, and where their own branches begin."""

    values: NDArray[np.uint8]
    begins: NDArray[np.int32] | None  # None if no branch splits


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Training rows, sorted, and the branches at each feature."""

    order: NDArray[np.intp]
    summing: list[int]
    weights: NDArray[np.float64]
    rows: Codes
    votes: NDArray[np.int64]
    levels: list[Level]

    def nearest(
        self, rows: Codes, k: int, *, beyond: int = 0
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return the nearest distance of each row, and the votes at its k nearest.

        With ``beyond``, that many of the nearest distances do not vote.
        """
        distance = np.zeros(len(rows))
        votes = np.zeros((len(rows), 2), dtype=np.int64)
        rows = np.ascontiguousarray(rows[:, self.order])
        for at in range(0, len(rows), _BLOCK):
            part = slice(at, at + _BLOCK)
            found = self._votes(rows[part], k, beyond)
            distance[part], votes[part] = found
        return distance, votes

    def _votes(
        self, rows: Codes, k: int, beyond: int
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        row, near = self._within(rows, self._bound(rows, k))
        distance = self._distance(rows[row], self.rows[near])
        sort = np.lexsort((distance, row))
        row, near, distance = row[sort], near[sort], distance[sort]
        begins = np.searchsorted(row, np.arange(len(rows)))
        # TiMBL takes distances that differ by less than this for equal.
        apart = np.diff(distance, prepend=-1.0) >= EPSILON
        apart[begins] = True
        rank = np.cumsum(apart, dtype=np.intp)
        rank -= rank[begins][row]
        voting = (rank >= beyond) & (rank < k)
        if k == 1:
            # TiMBL then looks for an equal row first: other rows at distance 0, which
            # differ in features of weight 0, have no vote.
            equal = (rows[row] == self.rows[near]).all(axis=1)
            voting &= equal | ~np.isin(row, row[equal])
        votes = [
            np.bincount(
                row[voting], weights=self.votes[near[voting], of], minlength=len(rows)
            )
            for of in (0, 1)
        ]
        return distance[begins], np.stack(votes, axis=1).astype(np.int64)

    def _distance(self, rows: Codes, others: Codes) -> NDArray[np.float64]:
        """Sum in TiMBL's order, so that even the last bit is TiMBL's."""
        distance = np.zeros(len(rows))
        for at in self.summing:
            distance += np.where(rows[:, at] != others[:, at], self.weights[at], 0.0)
        return distance

    def _bound(self, rows: Codes, k: int) -> NDArray[np.float64]:
        """Compute a bound that at least k different distances do not exceed."""
        position = np.searchsorted(whole_rows(self.rows), whole_rows(rows))
        beside = _BESIDE * k
        distance = np.empty((2 * beside, len(rows)))
        for at in range(2 * beside):
            other = np.clip(position + at - beside, 0, len(self.rows) - 1)
            distance[at] = (rows != self.rows[other]) @ self.weights
        distance.sort(axis=0)
        rank = np.cumsum(np.diff(distance, axis=0, prepend=-1.0) > _SLACK, axis=0)
        reached = np.where(rank >= k, distance, self.weights.sum())
        return np.asarray(reached.min(axis=0) + _SLACK)

    def _within(
        self, rows: Codes, bound: NDArray[np.float64]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Find all pairs of a row and a training row within the bound."""
        row = np.arange(len(rows))
        branch = np.zeros(len(rows), dtype=np.intp)
        left = bound
        begins: NDArray[np.int32] | None = np.array(
            [0, len(self.levels[0].values)], np.int32
        )
        for at, level in enumerate(self.levels):
            if begins is not None:
                begin = begins[branch]
                number = begins[branch + 1] - begin
                if number.sum() > _MOST and len(rows) > 1:
                    return self._in_halves(rows, bound)
                ends = np.cumsum(number)
                branch = np.arange(ends[-1]) + np.repeat(begin - ends + number, number)
                row, left = np.repeat(row, number), np.repeat(left, number)
            differs = level.values[branch] != rows[row, at]
            left = left - differs * self.weights[at]
            kept = left >= 0
            row, branch, left = row[kept], branch[kept], left[kept]
            begins = level.begins
        return row, branch

    def _in_halves(
        self, rows: Codes, bound: NDArray[np.float64]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        half = len(rows) // 2
        row, near = self._within(rows[:half], bound[:half])
        more, others = self._within(rows[half:], bound[half:])
        return np.concatenate([row, more + half]), np.concatenate([near, others])


def neighbours_of(memory: Memory) -> Neighbours:
    """Sort training rows by their heaviest features."""
    order = np.argsort(-memory.weights, kind="stable")
    rows = np.ascontiguousarray(memory.rows[:, order])
    sort = np.argsort(whole_rows(rows), kind="stable")
    rows = rows[sort]
    column = np.argsort(order)
    return Neighbours(
        order=order,
        summing=[
            int(column[at]) for at in tree_order(memory.rows, memory.weights.tolist())
        ],
        weights=memory.weights[order],
        rows=rows,
        votes=memory.votes[sort],
        levels=list(_levels(rows)),
    )


def _levels(rows: Codes) -> Iterator[Level]:
    parts = np.ones(len(rows), dtype=bool)
    parts[1:] = rows[1:, 0] != rows[:-1, 0]
    for at in range(rows.shape[1]):
        first = np.flatnonzero(parts)
        begins = None
        if at + 1 < rows.shape[1]:
            parts[1:] |= rows[1:, at + 1] != rows[:-1, at + 1]
            below = np.flatnonzero(parts)
            if len(below) > len(first):
                begins = np.append(np.searchsorted(below, first), len(below)).astype(
                    np.int32
                )
        yield Level(np.ascontiguousarray(rows[first, at]), begins)
