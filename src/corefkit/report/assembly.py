"""`make_report`: scores, comparison, errors and documents of responses."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple, Unpack, cast

from corefkit.alignment.pipeline import Progress, check_no_window
from corefkit.analysis.compare import compare_systems
from corefkit.analysis.compare.comparison import (
    Comparison,
    MetricComparison,
    SystemResult,
)
from corefkit.analysis.compare.comparison_text import (
    find_lead_metric,
    get_pair,
    label_systems,
    order_systems,
)
from corefkit.analysis.compare.procedure import Procedure
from corefkit.analysis.compare.systems import (
    ScoringOptions,
    Systems,
    gather_systems,
    materialize,
    parse_request,
)
from corefkit.analysis.errors import (
    ErrorFinder,
    ErrorOptions,
    disable_gc,
    find_errors,
    is_file,
    name_responses,
)
from corefkit.analysis.errors.error_analysis import ErrorAnalysis, SystemErrors
from corefkit.analysis.errors.error_tables import MOST_SIDE_BY_SIDE
from corefkit.analysis.errors.links import ANTECEDENTS
from corefkit.evaluation import Evaluation
from corefkit.exceptions import CorefkitError, FormatError, Refused, SettingsError
from corefkit.formats import Input
from corefkit.metrics.metric import Metric
from corefkit.metrics.registry import find_metrics
from corefkit.report.analysis_reader import build_reader
from corefkit.report.reader_data import Reader
from corefkit.results.records import render_json, save_text
from corefkit.results.stored_results import is_stored
from corefkit.settings import Keywords, expand_settings, resolve_settings
from corefkit.tables.terminal import label_paths, strip_suffixes

MAX_PAGE_MENTIONS = 100_000  # of key and responses, whose texts the page includes
_DEFAULT_NAME = "response"
_DIFFERENT_DOCUMENTS = (
    "scores are of the documents that no response lacks; errors are of all documents "
    "that a response has"
)


class ReportedSystem(NamedTuple):
    name: str
    number: int  # the index in `Report.systems`, and in the reader
    evaluation: Evaluation  # of the documents that no system lacks, as compared
    errors: SystemErrors

    def get_result(self, metric: MetricComparison) -> SystemResult:
        return metric.systems[self.number]


@dataclass(frozen=True, repr=False)
class Report:
    """Scores, comparison, errors and documents of one or more responses.

    Attributes:
        key: the display name of the key.
        systems: the names of the systems, in the order of input; all other attributes
            have the same systems in the same order.
        evaluations: the scores of each system.
        comparison: the comparison of the systems; for one system, its intervals.
        analysis: the errors of each system.
        reader: the documents.
        refused: the reason for each response that could not be scored.
        notes: notes on the input, one sentence each.
        warnings: reasons to doubt the results, one sentence each.

    >>> import corefkit
    >>> report = corefkit.make_report({"d": ["abc", "de"]}, {"A": {"d": ["ab", "cde"]}})
    >>> report.analysis.systems[0].counts["conflated"]
    1
    >>> report.to_html().split()[0]
    '<!DOCTYPE'
    """

    key: str
    systems: tuple[str, ...]
    evaluations: tuple[Evaluation, ...]
    comparison: Comparison
    analysis: ErrorAnalysis
    reader: Reader
    refused: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Return the names of the systems and the signature."""
        return f"<Report on {', '.join(self.systems)}: {self.comparison.signature}>"

    def _repr_html_(self) -> str:
        from corefkit.report.notebook import show_report

        return show_report(self)

    @cached_property
    def ranked(self) -> tuple[ReportedSystem, ...]:
        """The systems in the order of the tables, with the names of the page."""
        comparison = self.comparison
        order = order_systems(comparison)
        if len(order) == 2:
            pair = get_pair(comparison, self.lead)
            order = [pair.a, pair.b]
        common = set(self.evaluations[0].documents).intersection(
            *(evaluation.documents for evaluation in self.evaluations)
        )
        names = label_systems(comparison)
        numbers = [comparison.systems.index(name) for name in order]
        return tuple(
            ReportedSystem(
                names[name],
                number,
                _select_documents(self.evaluations[number], common),
                self.analysis.systems[number],
            )
            for name, number in zip(order, numbers, strict=True)
        )

    @property
    def lead(self) -> MetricComparison:
        """The metric that ranks the systems."""
        return find_lead_metric(self.comparison)

    @property
    def has_columns(self) -> bool:
        """Whether systems are columns of tables instead of rows."""
        return len(self.systems) <= MOST_SIDE_BY_SIDE

    def to_html(self) -> str:
        """Return the page that `corefkit report` writes."""
        from corefkit.report.report_page import build_report_page
        from corefkit.tables.html import render_html_page

        return render_html_page(build_report_page(self))

    def render_scores(self) -> str:
        """Return the scores of all documents as JSON for `corefkit compare`."""
        rejected = [
            Refused(name, CorefkitError(reason, code="pairing/nothing-scored"))
            for name, reason in self.refused.items()
        ]
        return render_json(self.evaluations, per_document=True, refused=rejected)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, which is replaced only when it is complete.

        Raises:
            CorefkitError: the file cannot be written; it is unchanged.
        """
        save_text(path, self.to_html())


def _select_documents(evaluation: Evaluation, ids: Collection[str]) -> Evaluation:
    rows = [row for row, id in enumerate(evaluation.documents) if id in ids]
    if len(rows) == len(evaluation.documents):
        return evaluation
    return replace(
        evaluation,
        documents=tuple(evaluation.documents[row] for row in rows),
        counts={name: counts[rows] for name, counts in evaluation.counts.items()},
        key_read=(evaluation.prints[rows],),
        class_counts=None,
    )


@expand_settings
def make_report(
    key: Input,
    responses: Input | Mapping[str, Input] | Iterable[str | os.PathLike[str]],
    *,
    metrics: str | Iterable[str | Metric] | None = None,
    statistic: str = "f1",
    unit: str = "text",
    units: Mapping[str, str] | None = None,
    test: str = "randomization",
    samples: int = 10_000,
    seed: int = 0,
    alpha: float = 0.05,
    correction: str = "holm",
    interval: str = "expanded",
    baseline: str | None = None,
    alternative: str = "two-sided",
    strata: str | None = None,
    antecedents: str = ANTECEDENTS[0],
    language: str | None = None,
    full: bool = False,
    skip_broken: bool = False,
    format: str | None = None,
    progress: Progress | None = None,
    by: str | None = None,
    by_rule: str | None = None,
    **keywords: Unpack[Keywords],
) -> Report:
    """Report scores, comparison, errors and documents of one or more responses.

    Args:
        key: as for `corefkit.score`.
        responses: one response; or several, as a mapping of names to responses or a
            list of files. A mapping whose names include the id of a document of the
            key is one response.
        metrics: names or `Metric` values; by default the default set and the CoNLL
            mean.
        statistic: as for `corefkit.compare`, like all arguments up to `strata`.
        unit: as for `corefkit.compare`.
        units: as for `corefkit.compare`.
        test: as for `corefkit.compare`.
        samples: as for `corefkit.compare`.
        seed: as for `corefkit.compare`.
        alpha: as for `corefkit.compare`.
        correction: as for `corefkit.compare`.
        interval: as for `corefkit.compare`.
        baseline: as for `corefkit.compare`.
        alternative: as for `corefkit.compare`.
        strata: as for `corefkit.compare`; links are counted by stratum, too.
        antecedents: as for `corefkit.errors`.
        language: as for `corefkit.errors`.
        full: include the texts of all documents; by default, a page includes texts up
            to 100,000 mentions of key and responses, and scores of the other documents.
        skip_broken: skip responses that cannot be scored; `refused` has the reasons.
        format: the format of files; recognised by default.
        progress: called with the work done and the total work.
        by: as for `corefkit.compare`.
        by_rule: as for `corefkit.compare`.
        keywords: the settings, as for `corefkit.score`.

    >>> import corefkit
    >>> from corefkit.example import paths
    >>> key, careful, greedy = paths()
    >>> report = corefkit.make_report(key, {"careful": careful, "greedy": greedy})
    >>> report.systems, len(report.reader.documents)
    (('careful', 'greedy'), 4)
    >>> report.save("report.html")  # doctest: +SKIP
    """
    procedure = Procedure(
        *(statistic, unit, test, samples, seed, alpha, correction, interval),
        *(baseline, alternative, strata),
    )
    request = parse_request(metrics)
    settings = resolve_settings(**keywords)
    check_no_window(settings)  # errors are those of full documents
    key = materialize(key)
    # Repaired responses have only entities; some metrics need more.
    repaired = tuple(metric for metric in request.scored if not metric.needs)
    options = ErrorOptions(
        repaired or find_metrics(None), antecedents, language, strata, layers=True
    )
    inputs_by_name = name_inputs(key, materialize(responses), format=format)
    refusals: dict[int, CorefkitError] = {}
    finder = ErrorFinder([*inputs_by_name], options, settings, refusals)
    # Errors are found in the blocks that are scored, unless duplicates count there.
    watch = None if settings.counts_copies else finder.watch
    scoring = ScoringOptions(
        *(request, format, progress, skip_broken, keywords, refusals, watch),
        by=by,
        by_rule=by_rule,
    )
    with disable_gc():
        systems = gather_systems(key, inputs_by_name, scoring)
    analysis = finder.analysis
    del finder, watch, scoring  # the tables of the analysis take much memory
    if analysis is None:
        analysis = find_errors(
            key,
            [inputs_by_name[name] for name in systems.results],
            names=[*systems.results],
            options=options,
            settings=settings,
            skip_broken=skip_broken,
            format=format,
        )
    systems = _remove_rejected(systems, analysis.refused)
    analysed = [
        system for system in analysis.systems if system.response in systems.results
    ]
    analysis = replace(analysis, systems=tuple(analysed), refused={})
    results = systems.results.values()
    evaluations = tuple(result for result in results if isinstance(result, Evaluation))
    limit = None if full else MAX_PAGE_MENTIONS
    reader = build_reader(analysis, evaluations, max_mentions=limit)
    # Nothing else needs the layers, which take much memory too.
    analysed = [replace(system, layers=()) for system in analysed]
    analysis = replace(analysis, systems=tuple(analysed))
    comparison = compare_systems(
        systems, procedure, request=request, units=units, progress=progress
    )
    notes, warnings = [*comparison.notes, *analysis.notes], []
    if len({evaluation.documents for evaluation in evaluations}) > 1:
        warnings.append(_DIFFERENT_DOCUMENTS)
    notes += [
        f"{metric.label}: the cost of errors is unknown, because repaired responses "
        "have entities only"
        for metric in evaluations[0].metrics
        if metric.needs
    ]
    if omitted := sum(document.is_omitted for document in reader.documents):
        notes.append(
            f"the texts of {omitted:,} of {len(reader.documents):,} documents are "
            "omitted to keep the page small; the option --full includes all texts"
        )
    warnings += [*comparison.warnings, *analysis.warnings]
    return Report(
        comparison.key,
        comparison.systems,
        evaluations,
        comparison,
        analysis,
        reader,
        comparison.refused,
        tuple(dict.fromkeys(notes)),
        tuple(dict.fromkeys(warnings)),
    )


def _remove_rejected(systems: Systems, refused: Mapping[str, str]) -> Systems:
    if refused.keys().isdisjoint(systems.results):
        return systems
    results = {
        name: result for name, result in systems.results.items() if name not in refused
    }
    if not results:
        message = f"no response can be analysed: {'; '.join(refused.values())}"
        raise FormatError(message, code="pairing/nothing-scored")
    return replace(systems, results=results, refused={**systems.refused, **refused})


def name_inputs(
    key: Input, responses: object, *, format: str | None = None
) -> Mapping[str, Input]:
    """Return the responses by name: the names of a mapping, or those of the files."""
    inputs: dict[str, Input]
    is_file_name = isinstance(responses, str | os.PathLike)
    # A list of letters is an entity, unless one of them is a file.
    are_files = (
        isinstance(responses, list | tuple)
        and any(map(is_file, responses))
        and all(isinstance(path, str | os.PathLike) for path in responses)
    )
    if is_file_name or are_files:
        paths = [responses] if is_file_name else responses
        files = [os.fspath(path) for path in cast("list[str]", paths)]
        inputs = {**dict(zip(strip_suffixes(label_paths(files)), files, strict=True))}
    else:
        inputs_by_name = name_responses(key, responses, format=format)
        inputs = (
            {_DEFAULT_NAME: cast("Input", responses)}
            if inputs_by_name is None
            else inputs_by_name
        )
    for name, response in inputs.items():
        if not name.strip():
            message = "a system has no name"
            raise SettingsError(
                message,
                code="input/unnamed-response",
                hint="{'ours': response, 'theirs': response}",
            )
        if isinstance(response, str | os.PathLike) and is_stored(response):
            message = "has scores, but no mentions, which a report shows"
            raise FormatError(
                message,
                code="settings/stored-scores",
                place=os.fspath(response),
                hint="give the response itself",
            )
    return inputs
