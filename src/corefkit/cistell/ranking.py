"""How much each feature counts: its gain ratio, and what is lost without it.

The paper compares the ranks of features by gain ratio between corpora. What a feature
adds to the others is another question: leaving it out answers that.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from corefkit.cistell.learners import gain_ratios, learner_named

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefkit.cistell.learners.base import Instances, Learner


@dataclass(frozen=True, slots=True)
class Rank:
    """A feature among the others.

    Attributes:
        feature: its name.
        gain_ratio: how much it tells of coreference by itself, for the values it has.
        loss: by how much F1 of held-out pairs falls without it; None if not measured.
    """

    feature: str
    gain_ratio: float
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
