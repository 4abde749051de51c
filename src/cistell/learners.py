"""Learners of scikit-learn: logistic regression and decision trees.

Both encode each value of each feature as a column. Deciding by logistic regression
requires NumPy only.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

from cistell.paper.memory import Decisions, check_instances
from corefkit import CorefkitError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from cistell.paper.memory import Classifier, Codes, Column, Instances


def encode_values(columns: Sequence[Column], rows: Codes) -> csr_array:
    """Encode each value of each feature as a column of a sparse matrix.

    >>> from cistell.paper.memory import Column
    >>> columns = [Column("a", ("no", "yes")), Column("b", ("no", "yes"))]
    >>> encode_values(columns, np.array([[1, 0]], np.uint8)).toarray().tolist()
    [[0.0, 1.0, 1.0, 0.0]]
    """
    indices = rows + np.array(_list_offsets(columns), dtype=np.int32)
    size = sum(len(column.values) for column in columns)
    ends = np.arange(len(rows) + 1, dtype=np.int32) * rows.shape[1]
    ones = np.ones(indices.size)
    return csr_array((ones, indices.ravel(), ends), shape=(len(rows), size))


def _list_offsets(columns: Sequence[Column]) -> list[int]:
    """Return the index of each feature's first value among all values."""
    sizes = [len(column.values) for column in columns]
    return [sum(sizes[:at]) for at in range(len(sizes))]


@dataclass(frozen=True, slots=True)
class LogisticClassifier:
    """The intercept, then the coefficient of each value, column by column."""

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
        return _share_weights(self.columns, self.importance)


def _share_weights(
    columns: Sequence[Column], importance: NDArray[np.float64]
) -> Mapping[str, float]:
    names = [column.name for column in columns]
    shares = importance / (importance.sum() or 1.0)
    return dict(zip(names, shares.tolist(), strict=True))


def learn_logistic(instances: Instances, *, seed: int = 0) -> LogisticClassifier:
    """Fit logistic regression to the training pairs."""
    check_instances(instances)
    rows, columns = instances.rows, instances.columns
    linear_model = _import_module("sklearn.linear_model")
    threadpool_limits = _import_module("threadpoolctl").threadpool_limits
    # With one thread the same pairs and seed give the same bits.
    with threadpool_limits(limits=1):
        model = linear_model.LogisticRegression(max_iter=1000, random_state=seed)
        model.fit(encode_values(columns, rows), instances.positive)
    coefficients = np.concatenate([model.intercept_, model.coef_[0]])
    importance = [
        coefficients[1 + first + rows[:, at].astype(np.intp)].std()
        for at, first in enumerate(_list_offsets(columns))
    ]
    return LogisticClassifier(columns, coefficients, np.array(importance))


def _import_module(name: str) -> Any:
    """Import a module of scikit-learn, or of a package that it requires."""
    try:
        import_module("sklearn")
        return import_module(name)
    except ImportError as error:
        message = "scikit-learn, which the learner requires, is not installed"
        hint = 'install it with pip install "cistell[study]"'
        code = "environment/missing-package"
        raise CorefkitError(message, code=code, hint=hint) from error


@dataclass(frozen=True, slots=True)
class TreeClassifier:
    """A decision tree of scikit-learn on the values of features."""

    columns: tuple[Column, ...]
    tree: Any

    def decide(self, rows: Codes) -> Decisions:
        """Decide every row."""
        probability = self.tree.predict_proba(encode_values(self.columns, rows))[:, 1]
        return Decisions(probability > 0.5, 1 - probability, probability)

    @property
    def weights(self) -> Mapping[str, float]:
        """The importance of each feature."""
        starts = _list_offsets(self.columns)
        importance = np.add.reduceat(self.tree.feature_importances_, starts)
        return _share_weights(self.columns, importance)


def learn_tree(instances: Instances, *, seed: int = 0) -> TreeClassifier:
    """Learn a decision tree; a leaf contains at least ten pairs."""
    check_instances(instances)
    tree = _import_module("sklearn.tree")
    model = tree.DecisionTreeClassifier(min_samples_leaf=10, random_state=seed)
    values = encode_values(instances.columns, instances.rows)
    return TreeClassifier(instances.columns, model.fit(values, instances.positive))


@dataclass(frozen=True, slots=True)
class ThresholdClassifier:
    """A classifier whose decisions are positive from a probability on."""

    classifier: Classifier
    threshold: float

    def decide(self, rows: Codes) -> Decisions:
        """Decide every row; the distance is the probability of the opposite."""
        probability = self.classifier.decide(rows).probability
        return Decisions(probability >= self.threshold, 1 - probability, probability)

    @property
    def weights(self) -> Mapping[str, float]:
        """The weight of each feature."""
        return self.classifier.weights
