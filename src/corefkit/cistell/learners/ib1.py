"""Memory-based learning in NumPy: the decisions of TiMBL's IB1, without TiMBL.

The distance of two rows is the sum of the weights of the features in which they
differ. All training rows at the nearest distance vote (with k, at the k nearest). If
the vote is a tie, the next distance votes too; if that is a tie as well, the class with
more training pairs wins, or else the one seen first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corefkit.cistell.learners.arrays import distinct_rows, spread
from corefkit.cistell.learners.base import Decisions
from corefkit.cistell.learners.memory import Memory, memory_from, memory_of
from corefkit.cistell.learners.neighbours import Neighbours, neighbours_of
from corefkit.exceptions import CorefkitError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefkit.cistell.learners.base import Codes, Column, Instances


@dataclass(frozen=True, slots=True)
class Ib1Classifier:
    """Training pairs, and where to find the nearest of them."""

    memory: Memory
    neighbours: Neighbours

    def decide(self, rows: Codes) -> Decisions:
        """Decide every row; equal rows are decided once."""
        indices, inverse = distinct_rows(rows)
        return spread(self._decide(rows[indices]), inverse)

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

    >>> from corefkit.cistell.learners.base import Column, Instances
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
        raise CorefkitError(message, hint="pip install 'corefkit[timbl]'")
    return _classifier(memory)


def _classifier(memory: Memory) -> Ib1Classifier:
    return Ib1Classifier(memory, neighbours_of(memory))
