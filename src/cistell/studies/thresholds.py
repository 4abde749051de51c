"""Thresholds of linking models, picked on held-out documents.

A distance is a sum of weights, which depend on the features and the training pairs: the
paper's 0.09 has no meaning for another model. Here a threshold is picked where held-out
documents score best.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from cistell.mentions.profiles import make_annotated_table
from cistell.paper.pairs import decide_pairs
from cistell.paper.system import resolve_pairs
from corefkit import score

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cistell.mentions.profiles import Context, MentionTable
    from cistell.paper.features import Feature
    from cistell.paper.memory import Classifier
    from cistell.paper.models import Linking
    from corefkit import Document

# The paper's three; MUC alone would link everything, B³ alone nothing.
JUDGES = ("muc", "b_cubed", "ceaf_m")
_STEPS = 12


def pick_thresholds(
    documents: Sequence[Document],
    linkings: Mapping[str, Linking],
    classifier: Classifier,
    *,
    features: Sequence[Feature],
    context: Context,
    judges: Sequence[str] = JUDGES,
    key: Sequence[Document] | None = None,
) -> dict[str, float]:
    """Pick for each linking model the threshold with the best mean F1 on documents.

    From one candidate to the next, a twelfth more of the positive decisions count; of
    equal candidates the largest wins. F1 is the mean of `judges`; the key is the
    documents themselves, unless other mentions were found in these.
    """
    tables = (make_annotated_table(document, context)[0] for document in documents)
    steps = _list_steps(tables, features, classifier)
    candidates = {
        replace(linking, threshold=step)
        for linking in linkings.values()
        for step in steps
    }
    named = {str(candidate): candidate for candidate in candidates}
    rows = list(
        resolve_pairs(documents, named, classifier, features=features, context=context)
    )
    responses = {
        candidate: [row[name].document for row in rows]
        for name, candidate in named.items()
    }
    means = {
        candidate: compute_mean_f1(key or documents, response, judges)
        for candidate, response in responses.items()
    }
    return {
        name: max(
            steps, key=lambda step: (means[replace(linking, threshold=step)], step)
        )
        for name, linking in linkings.items()
    }


def _list_steps(
    tables: Iterable[MentionTable], features: Sequence[Feature], classifier: Classifier
) -> list[float]:
    """Return the thresholds to try."""
    distances = [np.zeros(1)]
    for block in decide_pairs(tables, features, classifier):
        decisions = block.decisions
        distances.append(decisions.distance[decisions.positive])
    shares = np.linspace(1 / _STEPS, 1, _STEPS)
    # A little above, since a decision counts if it is below the threshold.
    steps: list[float] = np.unique(
        np.quantile(np.concatenate(distances), shares) + 1e-9
    ).tolist()
    return steps


def compute_mean_f1(
    key: Sequence[Document], response: Sequence[Document], judges: Sequence[str]
) -> float:
    """Score a response, and return the mean F1 of some metrics."""
    result = score(key, response, metrics=judges)
    return sum(result[judge].f1 for judge in judges) / len(judges)
