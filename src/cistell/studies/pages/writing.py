"""The report as Markdown, LaTeX, HTML, for a terminal, and as values for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from cistell.studies.pages.report import (
    how,
    report_parts,
    summary_parts,
    tally,
)
from cistell.studies.paper import CITED
from cistell.studies.systems import METRICS, SEVEN
from corefkit.settings import VERSION
from corefkit.tables.html import render_html_page
from corefkit.tables.latex import render_latex
from corefkit.tables.markdown import render_markdown_page
from corefkit.tables.model import Note, Page, Paragraph
from corefkit.tables.terminal import get_reading_width, render_terminal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cistell.studies.claims.base import Finding
    from cistell.studies.results import Results, Scored, SettingResults


def plain_summary(results: Results, findings: Sequence[Finding]) -> str:
    """Write the scores in short and the claims for a terminal."""
    parts = [*summary_parts(results, findings), Paragraph(f"{tally(findings)}.")]
    return render_terminal(parts, width=get_reading_width())


def markdown_report(results: Results, findings: Sequence[Finding]) -> str:
    """Write the whole report as Markdown."""
    return render_markdown_page(_page(results, findings))


def html_report(results: Results, findings: Sequence[Finding]) -> str:
    """Write the whole report as one page that needs nothing beside it."""
    return render_html_page(_page(results, findings))


def latex_tables(results: Results, findings: Sequence[Finding]) -> str:
    """Write all grids as LaTeX; the rules are those of the package booktabs."""
    notes = [
        Note(f"{_title(results)}, by corefkit {VERSION}"),
        Note(r"\usepackage{booktabs}"),
    ]
    return render_latex([*notes, *report_parts(results, findings)]) + "\n"


def _page(results: Results, findings: Sequence[Finding]) -> Page:
    intro = (
        Paragraph(f"{tally(findings)}."),
        Paragraph(results.study.about.strip()),
        Paragraph(how(results)),
    )
    parts = tuple(report_parts(results, findings))
    return Page(_title(results), intro, parts, "cistell study")


def _title(results: Results) -> str:
    return f"{results.study.title}: a study after {CITED}"


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
        "findings": [
            {**asdict(finding), "verdict": finding.verdict.value}
            for finding in findings
        ],
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


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, dict):
        return {name: _rounded(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(part) for part in value]
    return value
