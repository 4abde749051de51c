"""Merges: what it costs to make the entities of one side of those of the other.

The generalized merge distance of Menestrina et al. (2010) is the least cost of a way
from the response to the key, by splits of an entity in two and merges of two to one.
Where costs do not depend on the order of merges, the best way splits every response
entity by the key, and then merges the pieces to key entities. So it can be counted, and
recall is the share of merges that the response has done already.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from itertools import combinations_with_replacement, permutations
from math import isclose
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corefkit.exceptions import SettingsError
from corefkit.metrics.base import Metric, checked, counted

if TYPE_CHECKING:
    from corefkit.alignment.table import Overlap
    from corefkit.columns import Counts, Floats

Cost: TypeAlias = Callable[[int, int], float]
# Numbers of mentions with which it is tried whether the order of merges matters.
_TRIED = range(1, 6)


def merges_with(
    merge: Cost,
    *,
    split: Cost | None = None,
    name: str = "merges_own",
    label: str | None = None,
) -> Metric:
    """Make a metric of merges and splits from costs of your own.

    A cost gets the numbers of mentions of two parts and returns what it costs to merge
    them, or to split them apart, 0 or more. It must not depend on the order in which
    several parts are merged.

        recall = cost of the merges that lead to the pieces of k in the response
                 divided by   cost of the merges that lead from single mentions to k

    Precision is the same of response entities, with the cost of splits. A mention that
    the other side lacks is a piece of its own. With cost 1, the metric is MUC; with
    x * y, it is the recall and precision of pairs. What is missing in both numerators
    is the generalized merge distance.

    Source: Menestrina et al. 2010.

    >>> import corefkit
    >>> pairs = corefkit.merges_with(lambda x, y: x * y, name="pairs")
    >>> response = ["ab", "cd", "fghi"]
    >>> score = corefkit.score(["abc", "defg"], response, metrics=[pairs])["pairs"]
    >>> score.recall_numerator, score.recall_denominator
    (2.0, 9.0)
    """
    costs = [_built(cost) for cost in (merge, split or merge)]
    return Metric(name, label or name, partial(_count, costs=costs))


def _built(cost: Cost) -> Callable[[int], float]:
    """Tell what it costs to build an entity of single mentions, by its size."""
    _check_order(cost)

    @cache
    def built(size: int) -> float:
        if size < 2:
            return 0.0
        first, second = size // 2, size - size // 2
        return built(first) + built(second) + checked(cost(first, second), "a cost")

    return built


def _check_order(cost: Cost) -> None:
    """Refuse a cost by which three parts cost more in one order than in another."""
    for sizes in combinations_with_replacement(_TRIED, 3):
        costs = [
            checked(cost(x, y), "a cost") + checked(cost(x + y, z), "a cost")
            for x, y, z in permutations(sizes)
        ]
        if not isclose(min(costs), max(costs), rel_tol=1e-9, abs_tol=1e-12):
            x, y, z = sizes
            message = (
                f"merges of {x}, {y} and {z} mentions cost {min(costs):g} in one order "
                f"and {max(costs):g} in another, expected the same in any order"
            )
            hint = "such costs are 1, x * y, and (x + y) ** 2 - x**2 - y**2"
            raise SettingsError(message, hint=hint)


def _count(table: Overlap, costs: list[Callable[[int], float]]) -> Floats:
    key, response = table.key, table.response
    merged, split = (_each(table.shared, cost) for cost in costs)
    return counted(
        table,
        (merged, table.document),
        (_each(key.size, costs[0]), key.document),
        (split, table.document),
        (_each(response.size, costs[1]), response.document),
    )


def _each(sizes: Counts, cost: Callable[[int], float]) -> Floats:
    """Look the costs of sizes up, which are many, but few are different."""
    different, place = np.unique(sizes, return_inverse=True)
    found: Floats = np.array([cost(int(size)) for size in different.tolist()], float)
    return found[place]
