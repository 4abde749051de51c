"""The results as plain values, for programs: `results.json`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from corefkit.cistell.experiment.systems import METRICS, SEVEN
from corefkit.settings import VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.cistell.experiment.bootstrap import Interval
    from corefkit.cistell.experiment.claims.base import Finding
    from corefkit.cistell.experiment.results import Results, Scored, SettingResults

_DIGITS = 6  # further digits depend on the machine


def result_values(results: Results, findings: Sequence[Finding]) -> dict[str, Any]:
    """Return results and findings as plain values, scores as shares of 1."""
    values = {
        "corefkit": VERSION,
        "study": results.study.title,
        "parts": results.words,
        "seed": results.seed,
        "notes": list(results.notes),
        "settings": [_setting(setting) for setting in results.settings],
        "findings": [_finding(finding) for finding in findings],
    }
    rounded: dict[str, Any] = _rounded(values)
    return rounded


def _setting(results: SettingResults) -> dict[str, Any]:
    setting, dataset = results.setting, results.printed
    return {
        "name": setting.name,
        "title": setting.title,
        "language": setting.language,
        "scheme": setting.scheme,
        "preprocessing": setting.preprocessing,
        "learner": results.learner,
        "threshold": results.threshold,
        "train": results.train.to_dict(),
        "test": results.test.to_dict(),
        "corpus": results.corpus.to_dict(),
        "pairs": asdict(results.pairs),
        "systems": [_system(scored) for scored in results.systems.values()],
        "ranks": {metric: results.ranks(metric) for metric in METRICS},
        "printed": {} if dataset is None else dict(dataset.scores),
    }


def _system(scored: Scored) -> dict[str, Any]:
    system = scored.system
    return {
        "name": system.name,
        "label": system.label,
        "model": system.model,
        "learner": system.learner,
        "variant": system.variant,
        "among_seven": system.model in SEVEN and not system.variant,
        "links": scored.links,
        "scores": {
            metric: {
                "recall": score.recall,
                "precision": score.precision,
                "f1": score.f1,
                "f1_interval": list(score.interval),
            }
            for metric in METRICS
            for score in [scored.score(metric)]
        },
    }


def _finding(finding: Finding) -> dict[str, Any]:
    ends: Interval | None = finding.interval
    return {
        "claim": finding.claim,
        "says": finding.says,
        "where": finding.where,
        "settings": list(finding.settings),
        "verdict": finding.verdict.value,
        "value": finding.value,
        "interval": None if ends is None else list(ends),
        "printed": finding.printed,
        "evidence": list(finding.evidence),
        "reasons": list(finding.reasons),
    }


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, dict):
        return {name: _rounded(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(part) for part in value]
    return value
