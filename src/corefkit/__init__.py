"""corefkit: coreference evaluation, exact to the papers and to the official scorers.

    import corefkit
    result = corefkit.score("key.conll", "response.conll")
    print(result)

The modules, each importing only from those before it:

    strings                     escaping, ids of documents, wording, widths, colours
    exceptions                  errors with code, location and hint
    model                       mentions, entities and documents
    weights, classes, settings  everything that changes a score
    arrays                      mentions of documents as arrays
    syntax                      heads and types of mentions from syntax trees
    formats                     readers and writers: files and objects to columns
    tally                       counts of documents, and notes on them, which add up
    alignment                   pairing, matching, and the overlap table
    metrics                     counts per document, and scores of counts
    corpus                      the corpus that a score belongs to
    evaluation                  counts of aligned blocks, and the results of scoring
    engines                     DuckDB and Spark, for tables larger than memory
    scoring                     from inputs to evaluations
    evaluator                   scoring one batch at a time
    tables                      tables and plain pages, and their writers
    results                     scores as tables, records, frames and files
    analysis                    comparisons, errors, explanations and checks
    report                      the page of an analysis, and its documents
    papers                      figures that papers report for metrics and resolvers
    lab                         experiments with metrics
    integrations                the scorer inside other libraries
    serve                       the local application
    cli                         the command
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from corefkit.settings import VERSION

if TYPE_CHECKING:
    # For type checkers and the documentation, which cannot read the table below.
    # isort: off
    from corefkit.alignment.overlap import Overlap as Overlap, overlap as overlap
    from corefkit.analysis.compare import compare as compare
    from corefkit.analysis.compare.comparison import Comparison as Comparison
    from corefkit.analysis.compare.systems import Runs as Runs
    from corefkit.analysis.agreement import (
        Agreement as Agreement,
        measure_agreement as measure_agreement,
    )
    from corefkit.analysis.doctor import doctor as doctor
    from corefkit.analysis.doctor.examination import Examination as Examination
    from corefkit.analysis.errors import errors as errors
    from corefkit.analysis.errors.error_analysis import ErrorAnalysis as ErrorAnalysis
    from corefkit.analysis.explain import explain as explain
    from corefkit.analysis.statistics import (
        Statistics as Statistics,
        statistics_of as statistics_of,
    )
    from corefkit.analysis.suite import (
        SuiteResult as SuiteResult,
        score_suite as score_suite,
    )
    from corefkit.analysis.suite.suite_file import (
        Suite as Suite,
        SuiteCorpus as SuiteCorpus,
    )
    from corefkit.analysis.targeted import (
        TargetedScores as TargetedScores,
        score_targeted as score_targeted,
    )
    from corefkit.analysis.window_curve import (
        WindowCurve as WindowCurve,
        score_windows as score_windows,
    )
    from corefkit.corpus import Fingerprint as Fingerprint, differences as differences
    from corefkit.evaluation import Evaluation as Evaluation
    from corefkit.evaluator import Evaluator as Evaluator
    from corefkit.exceptions import (
        CorefkitError as CorefkitError,
        FormatError as FormatError,
        PairingError as PairingError,
        Refused as Refused,
        SettingsError as SettingsError,
    )
    from corefkit.formats import (
        FORMATS as FORMATS,
        read as read,
        read_string as read_string,
    )
    from corefkit.formats.output import write as write
    from corefkit.formats.problems import Problem as Problem
    from corefkit.formats.validation import validate as validate
    from corefkit.metrics.metric import Metric as Metric, Score as Score
    from corefkit.metrics.registry import (
        METRICS as METRICS,
        SUPPLEMENTS as SUPPLEMENTS,
        VARIANTS as VARIANTS,
    )
    from corefkit.metrics.scores import DocumentScores as DocumentScores
    from corefkit.metrics.standard import ceaf_with as ceaf_with, lea_with as lea_with
    from corefkit.model import (
        Bridge as Bridge,
        Document as Document,
        Entity as Entity,
        Mention as Mention,
    )
    from corefkit.report.assembly import Report as Report, make_report as make_report
    from corefkit.report.entity_text import (
        entities_html as entities_html,
        entities_text as entities_text,
    )
    from corefkit.results.score_table import side_by_side as side_by_side
    from corefkit.scoring import (
        score as score,
        score_responses as score_responses,
        score_submissions as score_submissions,
    )
    from corefkit.settings import PRESETS as PRESETS, Settings as Settings
    # isort: on

__version__ = VERSION

# The public names by their module, which is imported on first use.
_PUBLIC_NAMES = {
    "alignment.overlap": "Overlap overlap",
    "analysis.compare": "compare",
    "analysis.compare.comparison": "Comparison",
    "analysis.compare.systems": "Runs",
    "analysis.agreement": "Agreement measure_agreement",
    "analysis.doctor": "doctor",
    "analysis.doctor.examination": "Examination",
    "analysis.errors": "errors",
    "analysis.errors.error_analysis": "ErrorAnalysis",
    "analysis.explain": "explain",
    "analysis.statistics": "Statistics statistics_of",
    "analysis.suite": "SuiteResult score_suite",
    "analysis.window_curve": "WindowCurve score_windows",
    "analysis.suite.suite_file": "Suite SuiteCorpus",
    "analysis.targeted": "TargetedScores score_targeted",
    "corpus": "Fingerprint differences",
    "evaluation": "Evaluation",
    "evaluator": "Evaluator",
    "exceptions": "CorefkitError FormatError PairingError Refused SettingsError",
    "formats": "FORMATS read read_string",
    "formats.output": "write",
    "formats.problems": "Problem",
    "formats.validation": "validate",
    "metrics.metric": "Metric Score",
    "metrics.registry": "METRICS SUPPLEMENTS VARIANTS",
    "metrics.scores": "DocumentScores",
    "metrics.standard": "ceaf_with lea_with",
    "model": "Bridge Document Entity Mention",
    "report.assembly": "Report make_report",
    "report.entity_text": "entities_html entities_text",
    "results.score_table": "side_by_side",
    "scoring": "score score_responses score_submissions",
    "settings": "PRESETS Settings",
}
_HOMES = {
    name: f"corefkit.{module}"
    for module, names in _PUBLIC_NAMES.items()
    for name in names.split()
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        message = f"module 'corefkit' has no attribute {name!r}"
        raise AttributeError(message)
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
