"""Claims on how metrics rank models, looked at in each setting.

A claim is a difference that is above 0 where it holds. The same difference is taken of
the scores here, of every draw of documents, and of the paper's numbers; where these do
not show it, the paper does not claim it of that dataset.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.cistell.experiment.bootstrap import interval
from corefkit.cistell.experiment.claims import reasons
from corefkit.cistell.experiment.claims.base import (
    PAPER_METRICS,
    Finding,
    Lookup,
    bottom,
    called,
    drawn,
    here,
    judged,
    printed,
    signed,
    top,
)
from corefkit.cistell.experiment.claims.contradiction import contradiction
from corefkit.cistell.experiment.systems import FOUR, PICKED, SEVEN, printed_name
from corefkit.metrics import label_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from corefkit.cistell.experiment.results import SettingResults
    from corefkit.columns import Floats

_DIVIDED = (PICKED, "best")


class Ranking(NamedTuple):
    """A claim on how a metric ranks models.

    Attributes:
        claim: its id.
        says: the claim in words.
        where: where the paper has it.
        metric: the metric.
        difference: is above 0 where it holds.
        reasons: looks for what explains it in the data.
    """

    claim: str
    says: str
    where: str
    metric: str
    difference: Callable[[Lookup], Floats]
    reasons: Callable[[SettingResults], list[str]]


def ranking_findings(results: SettingResults) -> Iterator[Finding]:
    """Look at all claims on rankings in one setting."""
    for ranking in (*_RANKINGS, _ceaf(results)):
        finding = _found(ranking, results)
        if finding is not None:
            yield finding
    yield links(results)
    yield contradiction(results)
    if results.modern():
        yield modern(results)


def highest(f1: Lookup, *, metric: str, models: Sequence[str]) -> Floats:
    """Say by how much the best of some models is above the best other of the seven."""
    others = [model for model in SEVEN if model not in models]
    return top(f1, metric, models) - top(f1, metric, others)


def weak_lowest(f1: Lookup, *, metric: str) -> Floats:
    """Say by how much WEAK is below the worst other of the four."""
    others = [model for model in FOUR if model != "weak"]
    return bottom(f1, metric, others) - f1("weak", metric)


def singletons_ahead(f1: Lookup) -> Floats:
    """Say by how much ALL SINGLETONS is above STRONG and WEAK."""
    return f1("all_singletons", "b_cubed") - top(f1, "b_cubed", ("strong", "weak"))


_RANKINGS = (
    Ranking(
        "muc-weak",
        "MUC rewards WEAK most",
        "section 4",
        "muc",
        partial(highest, metric="muc", models=("weak",)),
        reasons.of_muc,
    ),
    Ranking(
        "b3-head-match",
        "B³ rewards HEAD MATCH most",
        "section 4",
        "b_cubed",
        partial(highest, metric="b_cubed", models=("head_match",)),
        reasons.of_head_match,
    ),
    Ranking(
        "b3-weak",
        "of the four models B³ rewards WEAK least: it likes careful output",
        "section 4",
        "b_cubed",
        partial(weak_lowest, metric="b_cubed"),
        reasons.of_weak,
    ),
    Ranking(
        "ceaf-weak",
        "of the four models CEAF rewards WEAK least",
        "Tables 3, 5 and 7",
        "ceaf_m",
        partial(weak_lowest, metric="ceaf_m"),
        reasons.of_weak,
    ),
    Ranking(
        "b3-singletons",
        "on B³, ALL SINGLETONS is above STRONG and WEAK",
        "sections 5 and 7",
        "b_cubed",
        singletons_ahead,
        reasons.of_singletons,
    ),
)


def _ceaf(results: SettingResults) -> Ranking:
    """Give the claim on CEAF, which is another for each dataset of the paper."""
    dataset = results.printed
    names = _DIVIDED if dataset is None else dataset.ceaf
    models = [PICKED if name == printed_name(PICKED) else name for name in names]
    return Ranking(
        "ceaf-divided",
        f"CEAF prefers {' or '.join(map(called, models))}",
        "sections 4 to 6",
        "ceaf_m",
        partial(highest, metric="ceaf_m", models=models),
        reasons.of_ceaf,
    )


def _found(ranking: Ranking, results: SettingResults) -> Finding | None:
    """Look at a claim; None where the paper's own numbers do not show it."""
    dataset = results.printed
    paper = None if dataset is None else float(ranking.difference(printed(dataset)))
    if paper is not None and paper <= 0:
        return None
    value = float(ranking.difference(here(results)))
    samples = ranking.difference(drawn(results))
    verdict = judged(samples, value)
    return Finding(
        ranking.claim,
        ranking.says,
        ranking.where,
        (results.setting.title,),
        verdict,
        value,
        interval(samples),
        paper,
        (_order(results, ranking.metric),),
        tuple(ranking.reasons(results)),
    )


def _order(results: SettingResults, metric: str) -> str:
    """Name the seven by their scores."""
    f1 = here(results)
    scores = {model: float(f1(model, metric)) for model in SEVEN}
    named = [
        f"{called(model)} {score:.2f}"
        for model, score in sorted(scores.items(), key=lambda one: -one[1])
        if score
    ]
    return f"{label_of(metric)}: {', '.join(named)}"


def links(results: SettingResults) -> Finding:
    """Look at whether WEAK makes as many links as STRONG, and STRONG more than BEST."""
    order = ("weak", "strong", "best")
    found = [results.paper_model(model) for model in order]
    numbers = [0 if one is None else one.links for one in found]
    rows = [np.zeros(1) if one is None else one.link_samples() for one in found]
    samples = np.minimum(rows[0] - rows[1], rows[1] - rows[2])
    value = min(numbers[0] - numbers[1], numbers[1] - numbers[2])
    dataset = results.printed
    evidence = [f"links: {_named(order, numbers)}"]
    paper = None
    if dataset is not None:
        theirs = [dataset.links(model) or 0 for model in order]
        paper = float(min(theirs[0] - theirs[1], theirs[1] - theirs[2]))
        evidence.append(f"in the paper, as MUC gives them: {_named(order, theirs)}")
    return Finding(
        "links",
        "WEAK links at least as much as STRONG, and STRONG more than BEST",
        "Tables 3, 5 and 7",
        (results.setting.title,),
        judged(samples, value),
        float(value),
        interval(samples),
        paper,
        tuple(evidence),
    )


def _named(models: Sequence[str], numbers: Sequence[int]) -> str:
    pairs = zip(models, numbers, strict=True)
    return ", ".join(f"{called(model)} {number:,}" for model, number in pairs)


def modern(results: SettingResults) -> Finding:
    """Look at whether a better learner is ahead of the paper's on every metric."""
    metrics = (*PAPER_METRICS, "lea")
    gaps, rows, evidence = [], [], []
    for metric in metrics:
        ours = max(results.modern(), key=lambda one: one.f1(metric))
        theirs = max(
            (one for model in SEVEN if (one := results.paper_model(model))),
            key=lambda one: one.f1(metric),
        )
        gaps.append(100 * (ours.f1(metric) - theirs.f1(metric)))
        rows.append(100 * (ours.samples(metric) - theirs.samples(metric)))
        evidence.append(
            f"{label_of(metric)}: {ours.system.label} {100 * ours.f1(metric):.2f}, "
            f"{theirs.system.label} {100 * theirs.f1(metric):.2f}, "
            f"{signed(gaps[-1], interval(rows[-1]))}"
        )
    samples = np.minimum.reduce(rows)
    return Finding(
        "modern",
        "a modern learner is ahead of all seven models on every metric",
        "",
        (results.setting.title,),
        judged(samples, min(gaps)),
        min(gaps),
        interval(samples),
        evidence=tuple(evidence),
    )
