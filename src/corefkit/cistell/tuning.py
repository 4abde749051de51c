"""Thresholds picked on documents that were not trained on.

A distance is a sum of weights, which depend on the features and the training pairs: the
paper's 0.09 means nothing for another model. Here a threshold is where held-out
documents score best.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from corefkit.cistell.pairs import decided
from corefkit.cistell.resolving import resolve
from corefkit.cistell.table import annotated_table
from corefkit.scoring import score

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from corefkit.cistell.features.base import Feature
    from corefkit.cistell.learners.base import Classifier
    from corefkit.cistell.models import Linking
    from corefkit.cistell.profiles import Context
    from corefkit.model import Document

# The paper's three; MUC alone would link everything, B³ alone nothing.
JUDGES = ("muc", "b_cubed", "ceaf_m")
_STEPS = 12


def picked_thresholds(
    documents: Sequence[Document],
    linkings: Mapping[str, Linking],
    classifier: Classifier,
    *,
    features: Sequence[Feature],
    context: Context,
) -> dict[str, float]:
    """Pick for each linking model the threshold with the best mean F1 on documents.

    From one candidate to the next, a twelfth more of the positive decisions count; of
    equal candidates the largest wins.
    """
    tables = (annotated_table(document, context)[0] for document in documents)
    distances = [np.zeros(1)]
    for block in decided(tables, features, classifier):
        decisions = block.decisions
        distances.append(decisions.distance[decisions.positive])
    shares = np.linspace(1 / _STEPS, 1, _STEPS)
    # A little above, since a decision counts if it is below the threshold.
    steps = np.unique(np.quantile(np.concatenate(distances), shares) + 1e-9).tolist()
    candidates = {
        replace(linking, threshold=step)
        for linking in linkings.values()
        for step in steps
    }
    means = _means(documents, candidates, classifier, features, context)
    return {
        name: max(
            steps, key=lambda step: (means[replace(linking, threshold=step)], step)
        )
        for name, linking in linkings.items()
    }


def _means(
    documents: Sequence[Document],
    candidates: Iterable[Linking],
    classifier: Classifier,
    features: Sequence[Feature],
    context: Context,
) -> dict[Linking, float]:
    """Resolve by every candidate, with the same decisions, and score them."""
    named = {str(candidate): candidate for candidate in candidates}
    rows = list(
        resolve(documents, named, classifier, features=features, context=context)
    )
    means = {}
    for name, candidate in named.items():
        response = [row[name].document for row in rows]
        result = score(documents, response, metrics=JUDGES)
        means[candidate] = sum(result[judge].f1 for judge in JUDGES) / len(JUDGES)
    return means
