"""The claims of the paper: which of them carry over, and why.

base       what a claim is, what it compares, and how it is judged
catalogue  the claims on scores, as data, and the numbers behind them
rankings   how metrics rank models, and whether they contradict each other
features   which features tell most
across     settings and trainings against each other
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.cistell.experiment.claims.across import across_findings
from corefkit.cistell.experiment.claims.features import feature_findings
from corefkit.cistell.experiment.claims.rankings import ranking_findings

if TYPE_CHECKING:
    from corefkit.cistell.experiment.claims.base import Finding
    from corefkit.cistell.experiment.results import Results


def findings(results: Results) -> list[Finding]:
    """Check all claims in all settings; findings on one claim come together."""
    found: list[Finding] = []
    for setting in results.settings:
        found += ranking_findings(setting)
        found += feature_findings(setting)
    found += across_findings(results)
    order = list(dict.fromkeys(finding.claim for finding in found))
    return sorted(found, key=lambda finding: order.index(finding.claim))
