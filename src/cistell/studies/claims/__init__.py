"""The claims of the paper: which of them carry over, and why.

base       what a claim is, what it compares, and how it is judged
catalogue  the claims on scores, as data, and the numbers behind them
rankings   how metrics rank models, and whether they contradict each other
features   which features tell most

Claims that compare two settings, or two trainings on one, are checked here.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from cistell.studies.claims.base import Finding, Run, finding_of
from cistell.studies.claims.catalogue import (
    AUTOMATIC_TREES,
    GOLD_TREES,
    LANGUAGE,
    SCHEMES,
    TRAINING_DATA,
    VARIANT,
)
from cistell.studies.claims.features import (
    apposition,
    feature_findings,
    overlap,
)
from cistell.studies.claims.rankings import ranking_findings
from cistell.studies.corpora.loss import NO_NODE
from cistell.studies.paper import printed_dataset

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cistell.studies.paper import Dataset
    from cistell.studies.results import Results, SettingResults
    from cistell.studies.study import Variant


def findings(results: Results) -> list[Finding]:
    """Check all claims in all settings; findings on one claim come together."""
    found: list[Finding] = []
    for setting in results.settings:
        found += ranking_findings(setting)
        found += feature_findings(setting)
    found += across_findings(results)
    order = list(dict.fromkeys(finding.claim for finding in found))
    return sorted(found, key=lambda finding: order.index(finding.claim))


_ONTONOTES, _ACE = "ontonotes", "ace"


def across_findings(results: Results) -> Iterator[Finding]:
    """Check all claims between settings, and on variants of each."""
    for setting in results.settings:
        for variant in setting.setting.variants:
            yield _of_variant(setting, variant)
    for first, second in combinations(results.settings, 2):
        a, b = first.setting, second.setting
        if a.language != b.language:
            yield finding_of(
                LANGUAGE, Run(first), Run(second), paper=_printed(first, second)
            )
            yield overlap(first, second)
        elif (a.scheme, a.test) == (b.scheme, b.test):
            if (a.preprocessing, b.preprocessing) == ("gold", "udpipe"):
                yield _preprocessing(first, second)
        elif _trees(first) == _trees(second) and {*first.texts} == {*second.texts}:
            yield from _schemes(first, second)


def _trees(results: SettingResults) -> tuple[str, bool]:
    return results.setting.preprocessing, results.setting.drop_without_node


def _printed(
    first: SettingResults, second: SettingResults
) -> tuple[Dataset | None, ...]:
    """Return what the paper prints of both, where it tells them apart."""
    datasets = first.printed, second.printed
    return () if datasets[0] == datasets[1] else datasets


def _of_variant(results: SettingResults, variant: Variant) -> Finding:
    """Check a claim on another training on the same corpus."""
    whole, other = Run(results), Run(results, variant.name)
    if variant.train_share < 1:
        says = TRAINING_DATA.says.format(title=variant.title)
        # The paper's large and small OntoNotes.
        paper = [printed_dataset(f"table-{number}-ontonotes") for number in (3, 5)]
        claim = TRAINING_DATA._replace(says=says)
        return finding_of(claim, whole, other, paper=paper)
    automatic = results.setting.preprocessing != "gold"
    claim = VARIANT._replace(
        id=VARIANT.id.format(name=variant.name),
        says=VARIANT.says.format(title=variant.title),
        where=VARIANT.where if variant.entity_types or automatic else "",
    )
    return finding_of(claim, other, whole, paper=())


def _preprocessing(gold: SettingResults, automatic: SettingResults) -> Finding:
    """Check whether gold trees help, or do not, if the paper says so."""
    if not automatic.setting.drop_without_node:
        # The paper drops mentions without a node.
        return finding_of(GOLD_TREES, Run(gold), Run(automatic), paper=())
    paper = _printed(gold, automatic)
    finding = finding_of(GOLD_TREES, Run(gold), Run(automatic), paper=paper)
    if finding.printed is not None and finding.printed < 0:
        finding = finding_of(
            AUTOMATIC_TREES, Run(automatic), Run(gold), paper=paper[::-1]
        )
    return replace(finding, reasons=(*finding.reasons, _without_node(automatic)))


def _without_node(results: SettingResults) -> str:
    loss = results.test.loss
    dropped = loss.dropped.get(NO_NODE, 0)
    share = 100 * dropped / (dropped + loss.mentions_after or 1)
    return (
        f"{results.setting.title}: {dropped:,} test mentions, {share:.1f} %, have no "
        "node in the automatic trees and are dropped"
    )


def _schemes(first: SettingResults, second: SettingResults) -> Iterator[Finding]:
    """Compare an OntoNotes-like scheme with another one on the same texts."""
    pair = {_dataset_name(results): results for results in (first, second)}
    if _ONTONOTES not in pair or len(pair) < 2:
        return
    onto = pair.pop(_ONTONOTES)
    (name, other) = pair.popitem()
    yield apposition(other, onto)
    if name == _ACE:
        for claim in SCHEMES:
            yield finding_of(claim, Run(onto), Run(other))


def _dataset_name(results: SettingResults) -> str:
    return results.setting.paper.rpartition("-")[2]
