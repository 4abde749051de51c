"""corefkit: coreference evaluation, exact to the papers and to the official scorers.

    import corefkit
    result = corefkit.score("key.conll", "response.conll")
    print(result)

The modules, each importing only from those before it:

    strings                     text of the input, safe to show
    exceptions                  what goes wrong, in words
    kernel                      the compiled part, where it was built
    model, columns              words that all others use
    settings                    what changes a score
    syntax                      what trees tell of mentions
    formats                     files and objects in, columns out
    alignment                   from two inputs to one overlap table
    metrics                     counts for each document, and scores
    corpus                      which corpus a score is of
    evaluation, tally           counts of documents, and the scores made of them
    processes                   documents counted by several of them
    engines                     DuckDB and Spark, for tables that outgrow memory
    scoring                     from inputs to results
    evaluator                   the same, a batch at a time
    report                      results as tables, records and pages
    analysis                    what people ask after a score
    papers                      what papers print of metrics and resolvers
    lab                         what metrics do, and what papers say of them
    cistell                     the resolver, which stands apart
    integrations                the scorer inside other libraries
    serve                       the same as a local application
    cli                         the command
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from corefkit.settings import VERSION

if TYPE_CHECKING:
    from corefkit.alignment.table import Overlap, overlap
    from corefkit.analysis.compare import compare
    from corefkit.analysis.compare.comparison import Comparison
    from corefkit.analysis.doctor import doctor
    from corefkit.analysis.doctor.values import Examination
    from corefkit.analysis.errors.analysing import errors
    from corefkit.analysis.errors.analysis import ErrorAnalysis
    from corefkit.analysis.explain import explain
    from corefkit.analysis.reporting.making import make_report
    from corefkit.analysis.reporting.values import Report
    from corefkit.analysis.statistics import Statistics, statistics_of
    from corefkit.corpus.fingerprint import Fingerprint, differences
    from corefkit.evaluation import DocumentScores, Evaluation
    from corefkit.evaluator import Evaluator
    from corefkit.exceptions import (
        CorefkitError,
        FormatError,
        PairingError,
        Refused,
        SettingsError,
    )
    from corefkit.formats import FORMATS, read
    from corefkit.formats.faults import Problem
    from corefkit.formats.validating import validate
    from corefkit.formats.writing import write
    from corefkit.metrics import METRICS, SUPPLEMENTS, VARIANTS
    from corefkit.metrics.base import Metric, Score
    from corefkit.metrics.ceaf import ceaf_with
    from corefkit.metrics.lea import lea_with
    from corefkit.metrics.merges import merges_with
    from corefkit.model import Bridge, Document, Entity, Mention
    from corefkit.report.beside import side_by_side
    from corefkit.report.reader.showing import entities_html, entities_text
    from corefkit.scoring import score, score_responses, score_submissions
    from corefkit.settings import PRESETS, Settings

__version__ = VERSION

__all__ = [
    "FORMATS",
    "METRICS",
    "PRESETS",
    "SUPPLEMENTS",
    "VARIANTS",
    "Bridge",
    "Comparison",
    "CorefkitError",
    "Document",
    "DocumentScores",
    "Entity",
    "ErrorAnalysis",
    "Evaluation",
    "Evaluator",
    "Examination",
    "Fingerprint",
    "FormatError",
    "Mention",
    "Metric",
    "Overlap",
    "PairingError",
    "Problem",
    "Refused",
    "Report",
    "Score",
    "Settings",
    "SettingsError",
    "Statistics",
    "ceaf_with",
    "compare",
    "differences",
    "doctor",
    "entities_html",
    "entities_text",
    "errors",
    "explain",
    "lea_with",
    "make_report",
    "merges_with",
    "overlap",
    "read",
    "score",
    "score_responses",
    "score_submissions",
    "side_by_side",
    "statistics_of",
    "validate",
    "write",
]

# Where each public name lives: imported when it is first asked for, so that the command
# starts without what it does not use.
_HOMES = {
    "corefkit.evaluation": ("DocumentScores", "Evaluation"),
    "corefkit.evaluator": ("Evaluator",),
    "corefkit.exceptions": (
        "CorefkitError",
        "FormatError",
        "PairingError",
        "Refused",
        "SettingsError",
    ),
    "corefkit.corpus.fingerprint": ("Fingerprint", "differences"),
    "corefkit.formats": ("FORMATS", "read"),
    "corefkit.formats.faults": ("Problem",),
    "corefkit.formats.validating": ("validate",),
    "corefkit.formats.writing": ("write",),
    "corefkit.metrics": ("METRICS", "SUPPLEMENTS", "VARIANTS"),
    "corefkit.metrics.base": ("Metric", "Score"),
    "corefkit.metrics.ceaf": ("ceaf_with",),
    "corefkit.metrics.lea": ("lea_with",),
    "corefkit.metrics.merges": ("merges_with",),
    "corefkit.model": ("Bridge", "Document", "Entity", "Mention"),
    "corefkit.report.beside": ("side_by_side",),
    "corefkit.report.reader.showing": ("entities_html", "entities_text"),
    "corefkit.scoring": ("score", "score_responses", "score_submissions"),
    "corefkit.settings": ("PRESETS", "Settings"),
    "corefkit.analysis.statistics": ("Statistics", "statistics_of"),
    "corefkit.alignment.table": ("Overlap", "overlap"),
    "corefkit.analysis.doctor": ("doctor",),
    "corefkit.analysis.doctor.values": ("Examination",),
    "corefkit.analysis.errors.analysing": ("errors",),
    "corefkit.analysis.errors.analysis": ("ErrorAnalysis",),
    "corefkit.analysis.explain": ("explain",),
    "corefkit.analysis.reporting.making": ("make_report",),
    "corefkit.analysis.reporting.values": ("Report",),
    "corefkit.analysis.compare": ("compare",),
    "corefkit.analysis.compare.comparison": ("Comparison",),
}


def __getattr__(name: str) -> object:
    for home, names in _HOMES.items():
        if name in names:
            found: object = getattr(import_module(home), name)
            globals()[name] = found
            return found
    message = f"module 'corefkit' has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
