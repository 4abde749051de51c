"""Memory-based learning: TiMBL's IB1, with the same decisions and distances.

The distance of two rows is the sum of the weights (gain ratios) of the features in
which they differ. All training rows at the nearest distance vote (with k, at the k
nearest). If the vote is a tie, the next distance votes too; if that is a tie as well,
the class with more training pairs wins, or else the class seen first.

Two distances are equal if they differ by less than `EPSILON`, as in TiMBL. In one case
TiMBL counts fewer votes. It walks a tree of training rows, and when it comes back up,
it leaves a branch that is farther than the last distance that votes, be it by less than
`EPSILON`: of the rows of that branch, only the first has voted. Only a weight that is a
rounding error makes such distances. Twelve pairs of four features:

    0000 no    0000 no    0000 no    0000 yes   0001 yes   0100 yes
    1000 no    1000 yes   1000 yes   2100 no    2000 yes   1000 no

The gain ratios are 7.6e-17 (in truth 0), 0, 0 and 0.21. With k = 2 and 0001 to decide,
all twelve rows are at the distances 0 and 0.21, six of each class, and "no" was seen
first: that is the decision here. TiMBL does not come to 2100, the second row of the
branch 2, counts five votes for "no" and six for "yes", and says "yes".

Training rows are sorted by their features, the heaviest first, so that rows which agree
in heavy features are neighbours. The rows around the position of a new row
give a first bound on its nearest distance. Then all new rows go down the features
together, and drop a branch as soon as its distance exceeds the bound.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from corefkit import CorefkitError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


Codes: TypeAlias = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Column:
    """A feature and its closed list of values; a code is an index into that list.

    >>> Column("head_match", ("no", "yes")).values[1]
    'yes'
    """

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Instances:
    """Pairs to learn from: a row of codes for each, and whether it is coreferent."""

    columns: tuple[Column, ...]
    rows: Codes
    positive: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Decisions:
    """The decisions of a classifier on pairs.

    The smaller ``distance``, the surer the decision; ``probability`` is that of
    coreference (for memory-based learners the share of positive votes).
    """

    positive: NDArray[np.bool_]
    distance: NDArray[np.float64]
    probability: NDArray[np.float64]

    def __getitem__(self, pairs: slice | NDArray[np.intp]) -> Decisions:
        """Return the decisions on some of the pairs."""
        return Decisions(
            self.positive[pairs], self.distance[pairs], self.probability[pairs]
        )


class Classifier(Protocol):
    """A learner that has learned."""

    def decide(self, rows: Codes) -> Decisions:
        """Decide every row; equal rows are decided once."""

    @property
    def weights(self) -> Mapping[str, float]:
        """How much each feature counts, by its name."""


def check_instances(instances: Instances) -> None:
    """Reject pairs from which nothing can be learned.

    >>> columns = (Column("same", ("no", "yes")),)
    >>> rows = np.array([[1]], dtype=np.uint8)
    >>> check_instances(Instances(columns, rows, np.array([False])))
    Traceback (most recent call last):
    corefkit.exceptions.CorefkitError: no pair to learn from is coreferent
    <BLANKLINE>
    hint: training needs documents whose entities have several mentions
    """
    if not instances.columns:
        message = "there are no features to learn from"
        raise CorefkitError(
            message,
            code="settings/missing-value",
            hint="leave at least one feature switched on",
        )
    if not len(instances.rows):
        message = "there are no pairs to learn from"
        raise CorefkitError(
            message,
            code="model/nothing-to-learn",
            hint="training needs documents with mentions",
        )
    if not instances.positive.any():
        message = "no pair to learn from is coreferent"
        hint = "training needs documents whose entities have several mentions"
        raise CorefkitError(message, code="model/nothing-to-learn", hint=hint)
    if instances.positive.all():
        message = "every pair to learn from is coreferent"
        hint = "training needs documents with more than one entity"
        raise CorefkitError(message, code="model/nothing-to-learn", hint=hint)


def find_distinct_rows(rows: Codes) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the indices of the distinct rows, sorted, and of each row among these.

    >>> rows = np.array([[1, 2], [0, 9], [1, 2]], dtype=np.uint8)
    >>> find_distinct_rows(rows)
    (array([1, 0]), array([1, 0, 1]))
    """
    _, indices, inverse = np.unique(
        view_rows(rows), return_index=True, return_inverse=True
    )
    return indices, inverse


def view_rows(rows: Codes) -> NDArray[np.void]:
    """View each row as one value of raw bytes, which sorts faster than an axis."""
    bytes_of_rows = np.ascontiguousarray(rows).view(np.dtype((np.void, rows.shape[1])))
    return bytes_of_rows.ravel()


# TiMBL takes smaller numbers for zero.
EPSILON = float(np.finfo(np.float64).eps)


def compute_gain_ratios(instances: Instances) -> dict[str, float]:
    """Compute the gain ratio of each feature, the same number as TiMBL's.

        gain ratio = (H(class) - sum over values v of P(v) H(class | v)) / H(values)

    A feature with one value has weight 0. The last digits of a small gain depend on
    rounding, so sums are in TiMBL's order too: classes and values as they are first
    seen.

    Source: Quinlan 1993; TiMBL's reference guide, chapter on weighting.

    >>> from cistell.paper.memory import Column, Instances
    >>> columns = (Column("same", ("no", "yes")), Column("far", ("no", "yes")))
    >>> rows = np.array([[1, 0], [1, 1], [0, 1], [0, 0]], dtype=np.uint8)
    >>> compute_gain_ratios(
    ...     Instances(columns, rows, np.array([True, True, False, False]))
    ... )
    {'same': 1.0, 'far': 0.0}
    """
    first = bool(instances.positive[0])
    seen_first = instances.positive == first
    total = len(seen_first)
    classes = [int(seen_first.sum()), total - int(seen_first.sum())]
    entropy = _compute_entropy(classes, total)
    ratios = {}
    for at, column in enumerate(instances.columns):
        counts = _count_classes(instances.rows[:, at], seen_first)
        ratios[column.name] = _compute_gain_ratio(counts, total, entropy)
    return ratios


def order_features(rows: np.ndarray, weights: Sequence[float]) -> list[int]:
    """Return TiMBL's order of features: by gain ratio divided by number of values.

    >>> order_features(np.array([[0, 1, 0], [1, 2, 1], [0, 3, 0]]), [0.1, 0.12, 0.2])
    [2, 0, 1]
    """
    values = [len(np.unique(column)) for column in rows.T]
    worth = [weight / number for weight, number in zip(weights, values, strict=True)]
    return sorted(range(len(worth)), key=lambda at: -worth[at])


def _count_classes(codes: np.ndarray, seen_first: np.ndarray) -> list[tuple[int, int]]:
    """Count both classes for every value, in the order of the first seen."""
    values, positions = np.unique(codes, return_index=True)
    total = np.bincount(codes, minlength=256)
    of_first = np.bincount(codes[seen_first], minlength=256)
    return [
        (int(of_first[value]), int(total[value] - of_first[value]))
        for value in values[np.argsort(positions)]
    ]


def _compute_gain_ratio(
    counts: list[tuple[int, int]], total: int, entropy: float
) -> float:
    remainder = split = 0.0
    for of_value in counts:
        frequency = sum(of_value)
        # In TiMBL's order of multiplying and dividing.
        remainder += _compute_entropy(of_value, frequency) * frequency / total
        split += _compute_surprise(frequency / total)
    gain = max(entropy - abs(remainder), 0.0)
    return 0.0 if split < EPSILON else gain / split


def _compute_entropy(counts: Sequence[int], total: int) -> float:
    return sum(_compute_surprise(count / total) for count in counts if count)


def _compute_surprise(probability: float) -> float:
    return 0.0 if probability < EPSILON else -probability * math.log2(probability)


@dataclass(frozen=True, slots=True)
class Memory:
    """Training pairs as memory-based learners need them.

    ``votes`` has for every distinct row how often it was negative and positive;
    ``first_positive`` is the class of the first pair, which breaks the last ties; ``k``
    is the number of nearest distances that vote.
    """

    columns: tuple[Column, ...]
    rows: Codes
    votes: NDArray[np.int64]
    weights: NDArray[np.float64]
    first_positive: bool
    k: int = 1

    def by_name(self) -> dict[str, float]:
        """Return the weight of each feature by its name."""
        names = [column.name for column in self.columns]
        return dict(zip(names, self.weights.tolist(), strict=True))


def store_memory(instances: Instances, *, k: int = 1) -> Memory:
    """Store the training pairs, equal rows once, with the gain ratios of features.

    >>> from cistell.paper.memory import Column, Instances
    >>> columns = (Column("same", ("no", "yes")),)
    >>> rows = np.array([[1], [0], [1], [1]], dtype=np.uint8)
    >>> memory = store_memory(
    ...     Instances(columns, rows, np.array([True, False, True, False]))
    ... )
    >>> memory.rows.tolist(), memory.votes.tolist()
    ([[0], [1]], [[1, 0], [1, 2]])
    """
    if k < 1:
        message = f"k is {k}, but at least one nearest distance must vote"
        raise SettingsError(message, code="settings/invalid-value")
    check_instances(instances)
    indices, inverse = find_distinct_rows(instances.rows)
    total = np.bincount(inverse, minlength=len(indices))
    positive = np.bincount(inverse[instances.positive], minlength=len(indices))
    return Memory(
        columns=instances.columns,
        rows=np.ascontiguousarray(instances.rows[indices]),
        votes=np.stack([total - positive, positive], axis=1).astype(np.int64),
        weights=np.array(list(compute_gain_ratios(instances).values())),
        first_positive=bool(instances.positive[0]),
        k=k,
    )


@dataclass(frozen=True, slots=True)
class Ib1Classifier:
    """Training pairs, and where to find the nearest of them."""

    memory: Memory
    neighbours: Neighbours

    def decide(self, rows: Codes) -> Decisions:
        """Decide every row; equal rows are decided once."""
        indices, inverse = find_distinct_rows(rows)
        return self._decide(rows[indices])[inverse]

    def _decide(self, rows: Codes) -> Decisions:
        k = self.memory.k
        distance, votes = self.neighbours.nearest(rows, k)
        tied = np.flatnonzero(votes[:, 0] == votes[:, 1])
        _, further_votes = self.neighbours.nearest(rows[tied], k + 1, beyond=k)
        settled = votes[tied] + further_votes
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

    @property
    def weights(self) -> Mapping[str, float]:
        """The gain ratio of each feature."""
        return self.memory.by_name()


def learn_ib1(instances: Instances, *, seed: int = 0, k: int = 1) -> Ib1Classifier:  # noqa: ARG001
    """Store the training pairs; nothing is random, so the seed has no effect.

    >>> from cistell.paper.memory import Column, Instances
    >>> columns = (Column("same", ("no", "yes")), Column("far", ("no", "yes")))
    >>> rows = np.array([[1, 0], [1, 1], [0, 1]], dtype=np.uint8)
    >>> instances = Instances(columns, rows, np.array([True, True, False]))
    >>> learn_ib1(instances).decide(np.array([[0, 0], [1, 1]], dtype=np.uint8)).positive
    array([False,  True])
    """
    memory = store_memory(instances, k=k)
    return Ib1Classifier(memory, sort_neighbours(memory))


# How many sorted rows on each side of a new one are tried for a first bound.
_BOUND_ROWS = 8
# How many new rows are looked up at once, and how many branches at most.
_BLOCK, _MOST = 4_000, 200_000
# How much sums in another order may differ; kept rows are summed again.
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
            part_votes = self._votes(rows[part], k, beyond)
            distance[part], votes[part] = part_votes
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
        is_apart = np.diff(distance, prepend=-1.0) >= EPSILON
        is_apart[begins] = True
        rank = np.cumsum(is_apart, dtype=np.intp)
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
        position = np.searchsorted(view_rows(self.rows), view_rows(rows))
        width = _BOUND_ROWS * k
        distance = np.empty((2 * width, len(rows)))
        for at in range(2 * width):
            neighbour = np.clip(position + at - width, 0, len(self.rows) - 1)
            distance[at] = (rows != self.rows[neighbour]) @ self.weights
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
            is_kept = left >= 0
            row, branch, left = row[is_kept], branch[is_kept], left[is_kept]
            begins = level.begins
        return row, branch

    def _in_halves(
        self, rows: Codes, bound: NDArray[np.float64]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        half = len(rows) // 2
        row, near = self._within(rows[:half], bound[:half])
        second_row, second_near = self._within(rows[half:], bound[half:])
        return np.concatenate([row, second_row + half]), np.concatenate(
            [near, second_near]
        )


def sort_neighbours(memory: Memory) -> Neighbours:
    """Sort training rows by their heaviest features."""
    order = np.argsort(-memory.weights, kind="stable")
    rows = np.ascontiguousarray(memory.rows[:, order])
    sort = np.argsort(view_rows(rows), kind="stable")
    rows = rows[sort]
    column = np.argsort(order)
    return Neighbours(
        order=order,
        summing=[
            int(column[at])
            for at in order_features(memory.rows, memory.weights.tolist())
        ],
        weights=memory.weights[order],
        rows=rows,
        votes=memory.votes[sort],
        levels=list(_split_levels(rows)),
    )


def _split_levels(rows: Codes) -> Iterator[Level]:
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
