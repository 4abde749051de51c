"""Claims on how metrics rank models, checked in each setting.

A claim is a difference that is above 0 where it holds. The same difference is taken of
the scores here, of every draw of documents, and of the paper's numbers; if these do not
show it, the paper does not claim it for that dataset.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations, permutations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cistell.studies.claims.base import (
    PAPER_METRICS,
    Claim,
    Finding,
    Lookup,
    Run,
    Verdict,
    called,
    drawn,
    finding_of,
    here,
    judged,
    signed,
)
from cistell.studies.claims.catalogue import (
    CEAF,
    NUMBERS_OF_LINKS,
    RANKINGS,
)
from cistell.studies.systems import PICKED, SEVEN, printed_name
from corefkit.analysis.compare.comparison import Interval
from corefkit.analysis.compare.resampling import compute_margin, compute_percentile
from corefkit.metrics.registry import get_label

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cistell.studies.results import SettingResults
    from corefkit.arrays.columns import Floats


_CEAF_PREFERS = (printed_name(PICKED), "best")  # where the paper has no such dataset


def ranking_findings(results: SettingResults) -> Iterator[Finding]:
    """Check all claims on rankings in one setting."""
    for claim in (*RANKINGS, _ceaf(results)):
        finding = finding_of(claim, Run(results))
        if finding.printed is None or finding.printed > 0:
            yield finding
    yield finding_of(NUMBERS_OF_LINKS, Run(results))
    yield contradiction(results)
    if results.modern():
        yield modern(results)


def _ceaf(results: SettingResults) -> Claim:
    """Return the claim on CEAF with the models that the paper names."""
    names = results.printed.ceaf if results.printed else _CEAF_PREFERS
    models = [PICKED if name == printed_name(PICKED) else name for name in names]
    return CEAF._replace(
        says=CEAF.says.format(models=" or ".join(map(called, models))),
        difference=partial(CEAF.difference, models=models),
    )


def modern(results: SettingResults) -> Finding:
    """Check whether a better learner is ahead of the paper's on every metric."""
    gaps, rows, evidence = [], [], []
    seven = [scored for model in SEVEN if (scored := results.paper_model(model))]
    for metric in (*PAPER_METRICS, "lea"):
        ours, theirs = (
            max(systems, key=lambda scored: scored.f1(metric))
            for systems in (results.modern(), seven)
        )
        gaps.append(100 * (ours.f1(metric) - theirs.f1(metric)))
        rows.append(100 * (ours.samples(metric) - theirs.samples(metric)))
        evidence.append(
            f"{get_label(metric)}: {ours.system.label} {100 * ours.f1(metric):.2f}, "
            f"{theirs.system.label} {100 * theirs.f1(metric):.2f}, "
            f"{signed(gaps[-1], compute_percentile(rows[-1]))}"
        )
    samples = np.minimum.reduce(rows)
    return Finding(
        "modern",
        "a modern learner is ahead of all seven models on every metric",
        "",
        (results.setting.title,),
        judged(samples, min(gaps)),
        min(gaps),
        compute_percentile(samples),
        evidence=tuple(evidence),
    )


_PAIRS = tuple(combinations(SEVEN, 2))
_TAIL = 0.0125  # on either side: all intervals hold in 97.5 % of studies


class Swap(NamedTuple):
    """Two models that one metric ranks in this order, and another the other way."""

    pair: tuple[str, str]
    # The metric that ranks the first above the second, and the other one.
    metrics: tuple[str, str]
    # How far above the one ranks it, and how far below the other.
    gaps: tuple[float, float]
    interval: Interval  # of the smaller of these, valid for all swaps at once
    # The smaller gap divided by its margin of error; above 1 it is sure.
    sureness: float


def contradiction(results: SettingResults) -> Finding:
    """Check whether two metrics rank two models in opposite orders, beyond noise.

    Almost any scores have some swap, and the largest of many is large by chance.
    Therefore the intervals of all differences, of two models under a metric, hold at
    once: they are widened for their number (Bonferroni), by Student's t, since texts
    are few. A swap is beyond noise if both its differences are. A false one needs a
    difference of the wrong sign, which at most 2.5 % of studies find.
    """
    swaps = _swaps(results)
    surest = max(swaps, key=lambda swap: (swap.sureness, min(swap.gaps)))
    seen = [swap for swap in swaps if min(swap.gaps) > 0]
    sure = sum(swap.interval.low > 0 for swap in seen)
    pairs = len(swaps) // 2  # each is there in both orders of its metrics
    evidence = [
        f"{len(seen)} of {pairs} pairs of models and metrics are swapped, "
        f"{sure} beyond noise (intervals hold for all of them at once)",
        f"first: {', '.join(_firsts(results))}",
    ]
    if seen:
        evidence.insert(0, _in_words(surest))
    return Finding(
        "contradiction",
        "the metrics rank the models in contradictory ways",
        "section 4",
        (results.setting.title,),
        _verdict(swaps, surest),
        min(surest.gaps),
        surest.interval if np.isfinite(surest.interval).all() else None,
        evidence=tuple(evidence),
    )


def _verdict(swaps: Sequence[Swap], surest: Swap) -> Verdict:
    if surest.interval.low > 0:
        return Verdict.HOLDS
    if all(swap.interval.high < 0 for swap in swaps):
        return Verdict.FAILS
    return Verdict.NOISE


def _swaps(results: SettingResults) -> list[Swap]:
    """Go through all pairs of models and of metrics."""
    gaps = _gaps(here(results))
    off = off_by(_gaps(drawn(results)), texts=len(set(results.texts)))
    found = []
    for pair, above, width in zip(_PAIRS, gaps, off, strict=True):
        for first, second in permutations(range(len(PAPER_METRICS)), 2):
            both = np.array([above[first], -above[second]])
            wide = width[[first, second]]
            ends = Interval(float((both - wide).min()), float((both + wide).min()))
            metrics = (PAPER_METRICS[first], PAPER_METRICS[second])
            gap = (float(both[0]), float(both[1]))
            found.append(Swap(pair, metrics, gap, ends, _sureness(both, wide)))
    return found


def _sureness(gaps: Floats, widths: Floats) -> float:
    """Divide the smaller gap by its margin; without a margin it is infinitely sure."""
    certain = np.where(gaps == 0, 0.0, np.copysign(np.inf, gaps))
    shares = gaps / np.where(widths == 0, 1.0, widths)
    return float(np.where(widths == 0, certain, shares).min())


def _gaps(f1: Lookup) -> Floats:
    """Compute how far the first of each pair is above the second, by each metric."""
    rows = [
        [f1(a, metric) - f1(b, metric) for metric in PAPER_METRICS] for a, b in _PAIRS
    ]
    return np.array(rows)


def off_by(samples: Floats, *, texts: int) -> Floats:
    """Compute the margins of error of differences, valid for all at once.

    The last axis of `samples` has the draws of each difference.

    >>> off_by(np.array([[1.0, 3.0], [5.0, 5.0]]), texts=30).round(2).tolist()
    [2.71, 0.0]
    """
    if texts < 2:
        return np.full(samples.shape[:-1], np.inf)
    errors = samples.std(axis=-1)
    return compute_margin(errors, _TAIL / errors.size, units=texts)


def _in_words(swap: Swap) -> str:
    (a, b), (metric, other), gaps = swap.pair, swap.metrics, swap.gaps
    return (
        f"{get_label(metric)} has {called(a)} {gaps[0]:.1f} above {called(b)}, "
        f"{get_label(other)} {gaps[1]:.1f} below"
    )


def _firsts(results: SettingResults) -> list[str]:
    """Name the model that each metric ranks first."""
    ranks = {metric: results.ranks(metric) for metric in PAPER_METRICS}
    return [
        f"{get_label(metric)} {called(min(found, key=lambda model: found[model]))}"
        for metric, found in ranks.items()
    ]
