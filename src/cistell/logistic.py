"""Logistic regression: each value of each feature adds to the odds.

scikit-learn fits it; deciding needs NumPy alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from cistell.paper.memory import Decisions, check_instances
from corefkit import CorefkitError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from cistell.paper.memory import Codes, Column, Instances


@dataclass(frozen=True, slots=True)
class LogisticClassifier:
    """The intercept, then what each value of each column adds, column by column."""

    columns: tuple[Column, ...]
    coefficients: NDArray[np.float64]
    importance: NDArray[np.float64]

    def decide(self, rows: Codes) -> Decisions:
        """Decide every row."""
        score = np.full(len(rows), self.coefficients[0])
        for at, first in enumerate(_list_offsets(self.columns)):
            score += self.coefficients[1 + first + rows[:, at].astype(np.intp)]
        probability = np.exp(-np.logaddexp(0.0, -score))
        return Decisions(probability > 0.5, 1 - probability, probability)

    @property
    def weights(self) -> Mapping[str, float]:
        """Each feature's share of how much the score varies between pairs."""
        names = [column.name for column in self.columns]
        total = self.importance.sum() or 1.0
        return dict(zip(names, (self.importance / total).tolist(), strict=True))


def learn_logistic(instances: Instances, *, seed: int = 0) -> LogisticClassifier:
    """Fit to the training pairs."""
    check_instances(instances)
    rows, columns = instances.rows, instances.columns
    firsts = _list_offsets(columns)
    indices = rows + np.array(firsts, dtype=np.int32)
    size = sum(len(column.values) for column in columns)
    ends = np.arange(len(rows) + 1, dtype=np.int32) * rows.shape[1]
    ones = np.ones(indices.size)
    matrix = csr_array((ones, indices.ravel(), ends), shape=(len(rows), size))
    try:
        import_module("sklearn")
        from sklearn.linear_model import LogisticRegression

        # It comes with scikit-learn.
        threadpool_limits = import_module("threadpoolctl").threadpool_limits
    except ImportError as error:
        message = "scikit-learn, which fits logistic regression, is not installed"
        hint = "pip install 'cistell[study]'"
        code = "environment/missing-package"
        raise CorefkitError(message, code=code, hint=hint) from error
    # With one thread the same pairs and seed give the same bits.
    with threadpool_limits(limits=1):
        model = LogisticRegression(max_iter=1000, random_state=seed)
        model.fit(matrix, instances.positive)
    coefficients = np.concatenate([model.intercept_, model.coef_[0]])
    added = [
        coefficients[1 + first + rows[:, at].astype(np.intp)].std()
        for at, first in enumerate(firsts)
    ]
    return LogisticClassifier(columns, coefficients, np.array(added))


def _list_offsets(columns: tuple[Column, ...]) -> list[int]:
    """Return the index of each column's first value among all values."""
    sizes = [len(column.values) for column in columns]
    return [sum(sizes[:at]) for at in range(len(sizes))]
