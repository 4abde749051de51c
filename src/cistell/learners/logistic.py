"""Logistic regression: each value of each feature adds to the odds of coreference.

scikit-learn fits it; deciding needs NumPy alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cistell.learners.base import (
    array_bytes,
    array_of,
    check_instances,
    damaged,
    of_probability,
    scikit_learn,
    shares,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from cistell.learners.base import Codes, Column, Decisions, Instances

_COEFFICIENTS, _IMPORTANCE = "logistic.coefficients.bin", "logistic.importance.bin"


@dataclass(frozen=True, slots=True)
class LogisticClassifier:
    """The intercept, then what each value of each column adds, column by column."""

    columns: tuple[Column, ...]
    coefficients: NDArray[np.float64]
    importance: NDArray[np.float64]

    def decide(self, rows: Codes) -> Decisions:
        """Decide every row."""
        score = np.full(len(rows), self.coefficients[0])
        for at, first in enumerate(_firsts(self.columns)):
            score += self.coefficients[1 + first + rows[:, at].astype(np.intp)]
        return of_probability(np.exp(-np.logaddexp(0.0, -score)))

    def files(self) -> Mapping[str, bytes]:
        """Return what a model file stores."""
        return {
            _COEFFICIENTS: array_bytes(self.coefficients),
            _IMPORTANCE: array_bytes(self.importance),
        }

    @property
    def weights(self) -> Mapping[str, float]:
        """Each feature's share of how much the score varies between pairs."""
        return shares(self.columns, self.importance)


def learn_logistic(instances: Instances, *, seed: int = 0) -> LogisticClassifier:
    """Fit to the training pairs."""
    check_instances(instances)
    from scipy.sparse import csr_array

    rows, columns = instances.rows, instances.columns
    firsts = _firsts(columns)
    indices = rows + np.array(firsts, dtype=np.int32)
    size = sum(len(column.values) for column in columns)
    ends = np.arange(len(rows) + 1, dtype=np.int32) * rows.shape[1]
    ones = np.ones(indices.size)
    matrix = csr_array((ones, indices.ravel(), ends), shape=(len(rows), size))
    with scikit_learn():
        from sklearn.linear_model import LogisticRegression

        model = LogisticRegression(max_iter=1000, random_state=seed)
        model.fit(matrix, instances.positive)
    coefficients = np.concatenate([model.intercept_, model.coef_[0]])
    added = [
        coefficients[1 + first + rows[:, at].astype(np.intp)].std()
        for at, first in enumerate(firsts)
    ]
    return LogisticClassifier(columns, coefficients, np.array(added))


def load_logistic(
    files: Mapping[str, bytes], columns: tuple[Column, ...]
) -> LogisticClassifier:
    """Read what a model file stores."""
    coefficients = array_of(files, _COEFFICIENTS, "f8")
    importance = array_of(files, _IMPORTANCE, "f8")
    size = 1 + sum(len(column.values) for column in columns)
    if (len(coefficients), len(importance)) != (size, len(columns)):
        raise damaged(_COEFFICIENTS)
    return LogisticClassifier(columns, coefficients, importance)


def _firsts(columns: tuple[Column, ...]) -> list[int]:
    """Return the index of each column's first value among all values."""
    sizes = [len(column.values) for column in columns]
    return [sum(sizes[:at]) for at in range(len(sizes))]
