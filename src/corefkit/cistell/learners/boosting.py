"""Gradient-boosted trees: many small trees, each correcting the sum of those before.

scikit-learn grows them; deciding needs NumPy alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.cistell.learners.arrays import distinct_rows, spread
from corefkit.cistell.learners.base import check_instances, of_probability, shares
from corefkit.cistell.learners.fitting import scikit_learn
from corefkit.cistell.learners.trees import CODES, Trees, readied, scores, trees_from
from corefkit.exceptions import CorefkitError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from corefkit.cistell.learners.base import Codes, Column, Decisions, Instances
    from corefkit.cistell.learners.trees import ReadyTree

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
        return spread(self._decide(rows[indices]), inverse)

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
