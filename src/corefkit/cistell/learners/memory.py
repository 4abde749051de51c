"""What memory-based learners store: distinct rows, their votes, feature weights."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corefkit.cistell.learners.arrays import (
    array_bytes,
    array_of,
    damaged,
    distinct_rows,
)
from corefkit.cistell.learners.base import check_instances
from corefkit.cistell.learners.weighting import gain_ratios
from corefkit.exceptions import SettingsError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from corefkit.cistell.learners.base import Codes, Column, Instances

_ROWS, _VOTES, _WEIGHTS = "memory.rows.bin", "memory.votes.bin", "memory.weights.bin"
_SETTINGS = "memory.json"


@dataclass(frozen=True, slots=True)
class Memory:
    """Training pairs as memory-based learners need them.

    ``votes`` has for every distinct row how often it was negative and positive;
    ``first_positive`` is the class of the first pair, which breaks the last ties; ``k``
    is the number of nearest distances that vote, ``metric`` tells how two values
    differ, ``decay`` how votes lose weight with distance.
    """

    columns: tuple[Column, ...]
    rows: Codes
    votes: NDArray[np.int64]
    weights: NDArray[np.float64]
    first_positive: bool
    k: int = 1
    metric: str = "overlap"
    decay: str = "none"

    def by_name(self) -> dict[str, float]:
        """Return the weight of each feature by its name."""
        names = [column.name for column in self.columns]
        return dict(zip(names, self.weights.tolist(), strict=True))

    def files(self) -> dict[str, bytes]:
        """Return what a model file stores."""
        settings = {
            "first_positive": self.first_positive,
            "k": self.k,
            "metric": self.metric,
            "decay": self.decay,
        }
        return {
            _ROWS: array_bytes(self.rows),
            _VOTES: array_bytes(self.votes),
            _WEIGHTS: array_bytes(self.weights),
            _SETTINGS: json.dumps(settings, sort_keys=True).encode(),
        }


def memory_of(instances: Instances, *, k: int = 1) -> Memory:
    """Store the training pairs, equal rows once, with the gain ratios of features.

    >>> from corefkit.cistell.learners.base import Column, Instances
    >>> columns = (Column("same", ("no", "yes")),)
    >>> rows = np.array([[1], [0], [1], [1]], dtype=np.uint8)
    >>> memory = memory_of(
    ...     Instances(columns, rows, np.array([True, False, True, False]))
    ... )
    >>> memory.rows.tolist(), memory.votes.tolist()
    ([[0], [1]], [[1, 0], [1, 2]])
    """
    if k < 1:
        message = f"k is {k}, but at least one nearest distance must vote"
        raise SettingsError(message)
    check_instances(instances)
    indices, inverse = distinct_rows(instances.rows)
    total = np.bincount(inverse, minlength=len(indices))
    positive = np.bincount(inverse[instances.positive], minlength=len(indices))
    return Memory(
        columns=instances.columns,
        rows=np.ascontiguousarray(instances.rows[indices]),
        votes=np.stack([total - positive, positive], axis=1).astype(np.int64),
        weights=np.array(list(gain_ratios(instances).values())),
        first_positive=bool(instances.positive[0]),
        k=k,
    )


def memory_from(files: Mapping[str, bytes], columns: tuple[Column, ...]) -> Memory:
    """Read what a model file stores."""
    try:
        settings = json.loads(files[_SETTINGS])
        memory = Memory(
            columns=columns,
            rows=array_of(files, _ROWS, "u1", len(columns)),
            votes=array_of(files, _VOTES, "i8", 2),
            weights=array_of(files, _WEIGHTS, "f8"),
            first_positive=bool(settings["first_positive"]),
            k=int(settings["k"]),
            metric=str(settings["metric"]),
            decay=str(settings["decay"]),
        )
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise damaged(_SETTINGS) from error
    if not _is_whole(memory):
        raise damaged(_ROWS)
    return memory


def _is_whole(memory: Memory) -> bool:
    """Return whether the arrays fit each other and the columns."""
    rows, votes, weights = memory.rows, memory.votes, memory.weights
    return (
        len(rows) > 0
        and (len(votes), len(weights)) == (len(rows), len(memory.columns))
        and all(rows.max(axis=0) < [len(column.values) for column in memory.columns])
        and bool((votes >= 0).all() and (votes.sum(axis=1) > 0).all())
        and bool((np.isfinite(weights) & (weights >= 0)).all())
        and memory.k >= 1
    )
