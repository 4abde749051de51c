"""Claims on how metrics rank models, checked in each setting.

A claim is a difference that is above 0 where it holds. The same difference is taken of
the scores here, of every draw of documents, and of the paper's numbers; if these do not
show it, the paper does not claim it for that dataset.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from corefkit.cistell.experiment.bootstrap import interval
from corefkit.cistell.experiment.claims.base import (
    PAPER_METRICS,
    Claim,
    Finding,
    Run,
    called,
    finding_of,
    judged,
    signed,
)
from corefkit.cistell.experiment.claims.catalogue import (
    CEAF,
    NUMBERS_OF_LINKS,
    RANKINGS,
)
from corefkit.cistell.experiment.claims.contradiction import contradiction
from corefkit.cistell.experiment.systems import PICKED, SEVEN, printed_name
from corefkit.metrics import label_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.cistell.experiment.results import SettingResults

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
