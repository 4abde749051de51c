"""What thresholds and features are worth, on documents that were not trained on.

A distance is a sum of weights, which depend on the features and the training pairs: the
paper's 0.09 means nothing for another model. Here a threshold is where held-out
documents score best.

The paper compares the ranks of features by gain ratio between corpora. What a feature
adds to the others is another question: leaving it out answers that.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cistell.learners import gain_ratios, learner_named
from cistell.pairs import decided
from cistell.resolving import resolve
from cistell.table import annotated_table
from corefkit.scoring import score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cistell.features.base import Feature
    from cistell.learners.base import Classifier, Instances, Learner
    from cistell.models import Linking
    from cistell.profiles import Context
    from cistell.table import MentionTable
    from corefkit.model import Document


# The paper's three; MUC alone would link everything, B³ alone nothing.
JUDGES = ("muc", "b_cubed", "ceaf_m")
# Those of the CoNLL score, which most systems are compared by today.
CONLL = ("muc", "b_cubed", "ceaf_e")
_STEPS = 12


def picked_thresholds(
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
    tables = (annotated_table(document, context)[0] for document in documents)
    steps = _steps(tables, features, classifier)
    candidates = {
        replace(linking, threshold=step)
        for linking in linkings.values()
        for step in steps
    }
    named = {str(candidate): candidate for candidate in candidates}
    rows = list(
        resolve(documents, named, classifier, features=features, context=context)
    )
    responses = {
        candidate: [row[name].document for row in rows]
        for name, candidate in named.items()
    }
    means = {
        candidate: mean_f1(key or documents, response, judges)
        for candidate, response in responses.items()
    }
    return {
        name: max(
            steps, key=lambda step: (means[replace(linking, threshold=step)], step)
        )
        for name, linking in linkings.items()
    }


def _steps(
    tables: Iterable[MentionTable], features: Sequence[Feature], classifier: Classifier
) -> list[float]:
    """Return the thresholds to try."""
    distances = [np.zeros(1)]
    for block in decided(tables, features, classifier):
        decisions = block.decisions
        distances.append(decisions.distance[decisions.positive])
    shares = np.linspace(1 / _STEPS, 1, _STEPS)
    # A little above, since a decision counts if it is below the threshold.
    steps: list[float] = np.unique(
        np.quantile(np.concatenate(distances), shares) + 1e-9
    ).tolist()
    return steps


def mean_f1(
    key: Sequence[Document], response: Sequence[Document], judges: Sequence[str]
) -> float:
    """Score a response, and return the mean F1 of some metrics."""
    result = score(key, response, metrics=judges)
    return sum(result[judge].f1 for judge in judges) / len(judges)


@dataclass(frozen=True, slots=True)
class Rank:
    """A feature among the others."""

    feature: str
    # How much it tells of coreference by itself, for the values it has.
    gain_ratio: float
    # By how much F1 of held-out pairs falls without it; None if not measured.
    loss: float | None = None


def ranked(instances: Instances) -> list[Rank]:
    """Rank features by gain ratio, the best first."""
    ratios = gain_ratios(instances)
    return [
        Rank(name, ratio)
        for name, ratio in sorted(ratios.items(), key=lambda item: (-item[1], item[0]))
    ]


def ablated(
    instances: Instances,
    heldout: Instances,
    *,
    learner: str,
    seed: int = 0,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> tuple[float, list[Rank]]:
    """Rank features by gain ratio, and leave each out in turn.

    Returns:
        F1 of the held-out pairs with all features, and the ranks.
    """
    # TiMBL decides the same, and takes many times as long.
    chosen = learner_named("ib1" if learner == "timbl" else learner)
    ranks = ranked(instances)
    whole = _f1(instances, heldout, chosen, seed)
    found = []
    for done, rank in enumerate(ranks):
        progress(done, len(ranks))
        less = _f1(
            _without(instances, rank.feature),
            _without(heldout, rank.feature),
            chosen,
            seed,
        )
        found.append(replace(rank, loss=whole - less))
    return whole, found


def _without(instances: Instances, name: str) -> Instances:
    kept = [at for at, column in enumerate(instances.columns) if column.name != name]
    columns = tuple(instances.columns[at] for at in kept)
    return replace(instances, columns=columns, rows=instances.rows[:, kept])


def _f1(train: Instances, heldout: Instances, learner: Learner, seed: int) -> float:
    decided = learner.learn(train, seed=seed).decide(heldout.rows).positive
    right = int(np.count_nonzero(decided & heldout.positive))
    total = int(np.count_nonzero(decided)) + int(np.count_nonzero(heldout.positive))
    return 2 * right / total if total else 0.0
