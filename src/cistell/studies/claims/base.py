"""What a claim is, and what is found on it: whether it holds, by how much, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import product
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from cistell.studies.systems import FOUR, LABELS, SEVEN, printed_name
from corefkit.analysis.compare.resampling import compute_percentile
from corefkit.arrays.columns import Floats

if TYPE_CHECKING:
    from cistell.studies.paper import Dataset
    from cistell.studies.results import SettingResults
    from corefkit.analysis.compare.comparison import Interval


PAPER_METRICS = ("muc", "b_cubed", "ceaf_m")
LINKS = "links"  # looked up like a metric: how many links a model makes
LITTLE = 3.0  # points of mean F1 below which a difference is called small

# F1 in percent of a model under a metric: one number, or one for each draw.
Lookup: TypeAlias = Callable[[str, str], Floats]


class Verdict(Enum):
    """What became of a claim."""

    HOLDS = "holds"
    NOISE = "noise"
    FAILS = "not so"


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim, and what was found in one setting or between two."""

    claim: str
    says: str
    where: str  # where the paper has it; empty if it is not the paper's
    settings: tuple[str, ...]  # the titles of the settings that it was checked in
    verdict: Verdict  # what became of it
    # By how much it holds, in points or as the claim has it; below 0 it does not. None
    # if it is not about numbers.
    value: float | None = None
    # The middle 95 % of that over all draws, if documents were drawn.
    interval: Interval | None = None
    printed: float | None = None  # the same for the paper's numbers, if it prints them
    evidence: tuple[str, ...] = ()  # numbers behind it, a line each
    reasons: tuple[str, ...] = ()  # what in the data explains it, a line each


class Run(NamedTuple):
    """A setting as it is, or as a variant trains it."""

    results: SettingResults
    variant: str = ""


def above(gap: Floats) -> Floats:
    """Return how far a difference is above 0."""
    return gap


def little_above(gap: Floats) -> Floats:
    """Return how far a difference is below a small one."""
    return LITTLE - gap


def about_equal(gap: Floats) -> Floats:
    """Return how much smaller than a small one a difference is, up or down."""
    return LITTLE - np.abs(gap)


class Claim(NamedTuple):
    """A claim on scores, as data."""

    id: str
    says: str  # the claim in words; `{title}` stands for the title of a variant
    where: str  # where the paper has it; empty if it is not the paper's
    difference: Callable[..., Floats]  # compares the scores of one run, or of two
    # By how much a difference meets the claim: `above`, `little_above` or
    # `about_equal`; the verdict is whether that is above 0.
    margin: Callable[[Floats], Floats] = above
    # The numbers behind it, a line each.
    evidence: Callable[[Sequence[Run]], list[str]] = lambda _: []
    # What in the data explains it, a line each.
    reasons: Callable[[Sequence[Run]], list[str]] = lambda _: []


def finding_of(
    claim: Claim, *runs: Run, paper: Sequence[Dataset | None] | None = None
) -> Finding:
    """Check a claim in one run, or between two, in the order of the claim.

    `paper` is what the paper prints of these; by default the tables of their settings.
    """
    datasets = [run.results.printed for run in runs] if paper is None else paper
    known = [printed(dataset) for dataset in datasets if dataset is not None]
    value = claim.difference(*(here(*run) for run in runs))
    samples = claim.difference(*(drawn(*run) for run in runs))
    return Finding(
        claim.id,
        claim.says,
        claim.where,
        tuple(dict.fromkeys(run.results.setting.title for run in runs)),
        judged(claim.margin(samples), float(claim.margin(value))),
        float(value),
        compute_percentile(samples),
        float(claim.difference(*known)) if len(known) == len(runs) else None,
        tuple(claim.evidence(runs)),
        tuple(claim.reasons(runs)),
    )


def judged(samples: Floats, value: float) -> Verdict:
    """Decide whether a value is above 0, or too near to it to tell.

    >>> judged(np.array([1.0, 2.0, 3.0]), 2.0).value
    'holds'
    >>> judged(np.array([-1.0, 2.0, 3.0]), 2.0).value
    'noise'
    """
    low, high = compute_percentile(samples)
    if low > 0 and value > 0:
        return Verdict.HOLDS
    if high < 0 and value < 0:
        return Verdict.FAILS
    return Verdict.NOISE


def here(results: SettingResults, variant: str = "") -> Lookup:
    """Look up scores of the paper's models in a setting."""

    def score(model: str, metric: str) -> Floats:
        scored = results.paper_model(model, variant)
        if scored is None:
            return np.array(0.0)
        return np.array(scored.links if metric == LINKS else 100 * scored.f1(metric))

    return score


def drawn(results: SettingResults, variant: str = "") -> Lookup:
    """Look up scores of the paper's models in every draw of a setting."""

    def scores(model: str, metric: str) -> Floats:
        scored = results.paper_model(model, variant)
        if scored is None:
            return np.zeros(1)
        return (
            scored.link_samples() if metric == LINKS else 100 * scored.samples(metric)
        )

    return scores


def printed(dataset: Dataset) -> Lookup:
    """Look up scores as the paper prints them; what it does not print is 0."""

    def score(model: str, metric: str) -> Floats:
        name = printed_name(model)
        number = dataset.links(name) if metric == LINKS else dataset.f1(name, metric)
        return np.array(number or 0.0)

    return score


def called(model: str) -> str:
    """Name a model as tables do."""
    return LABELS[printed_name(model)]


def signed(value: float, ends: Interval | None = None, *, digits: int = 1) -> str:
    """Write a difference, with its interval.

    >>> from corefkit.analysis.compare.comparison import Interval
    >>> signed(1.25, Interval(-0.5, 3.0))
    '+1.2 [-0.5, +3.0]'
    """
    text = f"{value:+.{digits}f}"
    if ends is None:
        return text
    return f"{text} [{ends.low:+.{digits}f}, {ends.high:+.{digits}f}]"


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
