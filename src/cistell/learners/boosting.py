"""Gradient-boosted trees: many small trees, each correcting the sum of those before.

LightGBM grows them; deciding needs NumPy alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cistell.learners.base import (
    check_instances,
    distinct_rows,
    of_probability,
    shares,
)
from cistell.learners.growing import Growth, grown
from cistell.learners.trees import readied, scores, trees_from

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cistell.learners.base import Codes, Column, Decisions, Instances
    from cistell.learners.trees import ReadyTree, Trees


ITERATIONS = 300


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
        return of_probability(np.exp(-np.logaddexp(0.0, -scores(self.ready, rows))))

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
    trees = grown(
        instances.rows,
        instances.positive.astype(np.float64),
        ordered=np.zeros(len(instances.columns), np.bool_),
        growth=Growth(rounds=ITERATIONS),
        seed=seed,
    )
    return BoostingClassifier(instances.columns, trees, readied(trees))


def load_boosting(
    files: Mapping[str, bytes], columns: tuple[Column, ...]
) -> BoostingClassifier:
    """Read what a model file stores."""
    trees = trees_from(files, len(columns))
    return BoostingClassifier(columns, trees, readied(trees))
