"""What claims compare: differences of scores, in points of F1 or in links."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from corefkit.cistell.experiment.claims.base import LINKS, PAPER_METRICS
from corefkit.cistell.experiment.systems import FOUR, SEVEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.cistell.experiment.claims.base import Lookup
    from corefkit.columns import Floats


def highest(score: Lookup, *, metric: str, models: Sequence[str]) -> Floats:
    """Compute how far the best of some models is above the best other of the seven."""
    others = [model for model in SEVEN if model not in models]
    return _top(score, metric, models) - _top(score, metric, others)


def weak_lowest(score: Lookup, *, metric: str) -> Floats:
    """Compute how far WEAK is below the worst other of the four."""
    others = [score(model, metric) for model in FOUR if model != "weak"]
    lowest: Floats = np.minimum.reduce(others)
    return lowest - score("weak", metric)


def singletons_ahead(score: Lookup) -> Floats:
    """Compute how far ALL SINGLETONS is above STRONG and WEAK, by B³."""
    others = _top(score, "b_cubed", ("strong", "weak"))
    return score("all_singletons", "b_cubed") - others


def links_fall(score: Lookup) -> Floats:
    """Compute how many links WEAK has more than STRONG, and that more than BEST."""
    weak, strong, best = (score(model, LINKS) for model in ("weak", "strong", "best"))
    return np.minimum(weak - strong, strong - best)


def mean_gap(
    score: Lookup,
    other: Lookup,
    *,
    models: Sequence[str] = FOUR,
    metrics: Sequence[str] = PAPER_METRICS,
) -> Floats:
    """Compute the mean difference of models and metrics between two runs."""
    return _mean(score, models, metrics) - _mean(other, models, metrics)


def singletons_higher(onto: Lookup, ace: Lookup) -> Floats:
    """Compute how much higher ALL SINGLETONS is on OntoNotes, by B³ and CEAF."""
    metrics = ("b_cubed", "ceaf_m")
    gaps = [
        onto("all_singletons", metric) - ace("all_singletons", metric)
        for metric in metrics
    ]
    return np.minimum(*gaps)


def muc_higher(onto: Lookup, ace: Lookup) -> Floats:
    """Compute how much higher MUC of the four models is on ACE."""
    return mean_gap(ace, onto, metrics=("muc",))


def heads_help(onto: Lookup, ace: Lookup) -> Floats:
    """Compute how much more HEAD MATCH gains over ALL SINGLETONS on ACE, by B³."""
    gains = [
        score("head_match", "b_cubed") - score("all_singletons", "b_cubed")
        for score in (ace, onto)
    ]
    return gains[0] - gains[1]


def _top(score: Lookup, metric: str, models: Sequence[str]) -> Floats:
    best: Floats = np.maximum.reduce([score(model, metric) for model in models])
    return best


def _mean(score: Lookup, models: Sequence[str], metrics: Sequence[str]) -> Floats:
    rows = [score(model, metric) for model, metric in product(models, metrics)]
    mean: Floats = np.mean(rows, axis=0)
    return mean
