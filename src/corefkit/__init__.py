"""corefkit: coreference evaluation, exact to the papers and to the official scorers.

    import corefkit
    result = corefkit.score("key.conll", "response.conll")
    print(result)

The modules, each importing only from those before it:

    strings                     escaping, ids of documents, wording, widths, colours
    exceptions                  errors with code, location and hint
    kernel                      interface to the compiled kernel
    model                       mentions, entities and documents
    weights, settings           everything that changes a score
    arrays                      mentions of documents as arrays
    syntax                      heads and types of mentions from syntax trees
    formats                     readers and writers: files and objects to columns
    tally                       counts of documents, and notes on them, which add up
    alignment                   pairing, matching, and the overlap table
    metrics                     counts per document, and scores of counts
    corpus                      the corpus that a score belongs to
    evaluation                  counts of aligned blocks, and what scoring returns
    processes                   worker processes
    engines                     DuckDB and Spark, for tables larger than memory
    scoring                     from inputs to evaluations
    evaluator                   scoring one batch at a time
    tables                      tables and plain pages, and their writers
    results                     scores as tables, records, frames and files
    analysis                    what people ask after a score
    report                      the page of an analysis, and its documents
    papers                      what papers print of metrics and resolvers
    lab                         what metrics do, and what papers say of them
    integrations                the scorer inside other libraries
    serve                       the same as a local application
    cli                         the command
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from corefkit.settings import VERSION

if TYPE_CHECKING:
    from corefkit.alignment.overlap import Overlap, overlap
    from corefkit.analysis.compare import compare
    from corefkit.analysis.compare.comparison import Comparison
    from corefkit.analysis.doctor import doctor
    from corefkit.analysis.doctor.examination import Examination
    from corefkit.analysis.errors import errors
    from corefkit.analysis.errors.error_analysis import ErrorAnalysis
    from corefkit.analysis.explain import explain
    from corefkit.analysis.statistics import Statistics, statistics_of
    from corefkit.corpus import Fingerprint, differences
    from corefkit.evaluation import Evaluation
    from corefkit.evaluator import Evaluator
    from corefkit.exceptions import (
        CorefkitError,
        FormatError,
        PairingError,
        Refused,
        SettingsError,
    )
    from corefkit.formats import FORMATS, read
    from corefkit.formats.output import write
    from corefkit.formats.problems import Problem
    from corefkit.formats.validation import validate
    from corefkit.metrics.metric import Metric, Score
    from corefkit.metrics.registry import METRICS, SUPPLEMENTS, VARIANTS
    from corefkit.metrics.scores import DocumentScores
    from corefkit.metrics.standard import ceaf_with, lea_with
    from corefkit.model import Bridge, Document, Entity, Mention
    from corefkit.report.assembly import Report, make_report
    from corefkit.report.entity_text import entities_html, entities_text
    from corefkit.results.score_table import side_by_side
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
    "corefkit.evaluation": ("Evaluation",),
    "corefkit.evaluator": ("Evaluator",),
    "corefkit.exceptions": (
        "CorefkitError",
        "FormatError",
        "PairingError",
        "Refused",
        "SettingsError",
    ),
    "corefkit.corpus": ("Fingerprint", "differences"),
    "corefkit.formats": ("FORMATS", "read"),
    "corefkit.formats.problems": ("Problem",),
    "corefkit.formats.validation": ("validate",),
    "corefkit.formats.output": ("write",),
    "corefkit.metrics.registry": ("METRICS", "SUPPLEMENTS", "VARIANTS"),
    "corefkit.metrics.metric": ("Metric", "Score"),
    "corefkit.metrics.scores": ("DocumentScores",),
    "corefkit.metrics.standard": ("ceaf_with", "lea_with"),
    "corefkit.model": ("Bridge", "Document", "Entity", "Mention"),
    "corefkit.results.score_table": ("side_by_side",),
    "corefkit.report.entity_text": ("entities_html", "entities_text"),
    "corefkit.scoring": ("score", "score_responses", "score_submissions"),
    "corefkit.settings": ("PRESETS", "Settings"),
    "corefkit.analysis.statistics": ("Statistics", "statistics_of"),
    "corefkit.alignment.overlap": ("Overlap", "overlap"),
    "corefkit.analysis.doctor": ("doctor",),
    "corefkit.analysis.doctor.examination": ("Examination",),
    "corefkit.analysis.errors": ("errors",),
    "corefkit.analysis.errors.error_analysis": ("ErrorAnalysis",),
    "corefkit.analysis.explain": ("explain",),
    "corefkit.report.assembly": ("Report", "make_report"),
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
