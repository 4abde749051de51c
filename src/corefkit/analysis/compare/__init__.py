"""Compare systems on one key: intervals, tests and ranks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Unpack

from corefkit.alignment.pipeline import Progress
from corefkit.analysis.compare.comparison import Comparison, MetricComparison
from corefkit.analysis.compare.judging import (
    MeasureResult,
    collect_warnings,
    judge_family,
    measure_sample,
    note_corrections,
    warn_few_units,
)
from corefkit.analysis.compare.procedure import Procedure
from corefkit.analysis.compare.sample import group_units, make_sample
from corefkit.analysis.compare.systems import (
    MetricRequest,
    ResponseInput,
    ScoringOptions,
    Systems,
    check_key,
    check_settings,
    collect_counts,
    find_settings,
    find_shared_documents,
    gather_systems,
    list_classed,
    parse_request,
    select_metrics,
    warn_declared_differences,
    warn_missing_documents,
)
from corefkit.classes import sort_classes
from corefkit.evaluation import Evaluation
from corefkit.exceptions import PairingError, SettingsError
from corefkit.formats import Input
from corefkit.metrics.metric import Metric
from corefkit.metrics.registry import CONLL
from corefkit.results.score_table import Order, list_names, parse_order
from corefkit.settings import Keywords, check_known, expand_settings
from corefkit.strings import normalize_id

_VALUE = "value"


def compare_systems(
    systems: Systems,
    procedure: Procedure,
    *,
    request: MetricRequest,
    units: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare scored systems, after checking that they are comparable."""
    results, baseline = systems.results, procedure.baseline
    if baseline is not None:
        if reason := systems.refused.get(baseline):
            message = f"the baseline {baseline!r} cannot be scored: {reason}"
            raise PairingError(message, code="pairing/nothing-scored")
        check_known(baseline, systems.runs, f"unknown baseline {baseline!r}")
    several = [name for name, runs in systems.runs.items() if len(runs) > 1]
    procedure, run_notes = choose_test(procedure, several)
    classed = list_classed(results)
    comparison, measured = _measure_systems(
        systems, procedure, request=request, units=units, progress=progress
    )
    metrics = [judge_family([result])[0] for result in measured]
    comparison = replace(comparison, notes=(*run_notes, *comparison.notes))
    comparison = _add_metrics(comparison, metrics)
    if not classed:
        return comparison
    by = classed[0].settings.by
    classes = _compare_classes(systems, procedure, request=request, units=units, by=by)
    return replace(comparison, by=by, classes=classes)


def _compare_classes(
    systems: Systems,
    procedure: Procedure,
    *,
    request: MetricRequest,
    units: Mapping[str, str] | None,
    by: str,
) -> dict[str, Comparison]:
    """Compare systems on each class; all tests of a metric are one family."""
    if request.errors:
        message = "found numbers of errors, expected metrics, which have classes"
        hint = "leave out the errors, or the classes"
        raise SettingsError(message, code="settings/conflict", hint=hint)
    results = [
        each for each in systems.results.values() if isinstance(each, Evaluation)
    ]
    names = sort_classes(by, (name for result in results for name in result.classes))
    compared, measured = [], []
    for name in names:
        parts = {each.response: each.select_class(name) for each in results}
        ids = {normalize_id(id) for part in parts.values() for id in part.documents}
        units_of_class = units and {
            id: text for id, text in units.items() if normalize_id(id) in ids
        }
        comparison, measures = _measure_systems(
            replace(systems, results=parts),
            procedure,
            request=request,
            units=units_of_class,
        )
        compared.append(comparison)
        measured.append(measures)
    families = [judge_family(family) for family in zip(*measured, strict=True)]
    return {
        name: _add_metrics(comparison, [family[number] for family in families])
        for number, (name, comparison) in enumerate(zip(names, compared, strict=True))
    }


def _measure_systems(
    systems: Systems,
    procedure: Procedure,
    *,
    request: MetricRequest,
    units: Mapping[str, str] | None,
    progress: Progress | None = None,
) -> tuple[Comparison, list[MeasureResult]]:
    """Return a comparison without metrics, and what its metrics are judged by."""
    results = systems.results
    first = next(iter(results.values()))
    check_settings(results)
    settings = find_settings(first)
    metrics, metric_notes = select_metrics(results, request)
    documents, rows, document_notes = find_shared_documents(results, settings)
    groups = group_units(
        documents, unit=procedure.unit, units=units, strata=procedure.strata
    )
    counts = {
        name: {
            metric.name: collect_counts(result, metric, settings)[system_rows]
            for metric in metrics
        }
        | {error: systems.errors[name][error][system_rows] for error in request.errors}
        for (name, result), system_rows in zip(results.items(), rows, strict=True)
    }
    sample = make_sample(
        counts,
        metrics=metrics,
        settings=settings,
        statistic=procedure.statistic,
        unit_of=groups.of_document,
        stratum_of=groups.stratum_of,
        errors=request.errors,
        runs={name: len(runs) for name, runs in systems.runs.items()},
    )
    notes = chain(
        (note for result in results.values() for note in result.notes),
        metric_notes,
        document_notes,
        groups.notes,
    )
    warnings = chain(
        (warning for result in results.values() for warning in result.warnings),
        warn_declared_differences(results),
        warn_missing_documents(results, rows, groups.of_document),
        warn_few_units(groups.number, procedure),
    )
    comparison = Comparison(
        key=first.key,
        score_signature=first.signature,
        procedure=procedure,
        documents=len(documents),
        units=groups.number,
        systems=sample.systems,
        metrics={},
        refused=systems.refused,
        notes=tuple(notes),
        warnings=tuple(warnings),
    )
    return comparison, measure_sample(sample, procedure, progress=progress)


def _add_metrics(
    comparison: Comparison, judged: Iterable[MetricComparison]
) -> Comparison:
    metrics = {metric.name: metric for metric in judged}
    notes = *comparison.notes, *note_corrections(metrics, comparison.procedure)
    warnings = *comparison.warnings, *collect_warnings(metrics)
    return replace(
        comparison,
        metrics=metrics,
        notes=tuple(dict.fromkeys(notes)),
        warnings=tuple(dict.fromkeys(warnings)),
    )


def choose_test(
    procedure: Procedure, several: Sequence[str]
) -> tuple[Procedure, list[str]]:
    """Choose the bootstrap if systems have several runs, which cannot be swapped."""
    if not several or procedure.test != "randomization":
        return procedure, []
    verb = "has" if len(several) == 1 else "have"
    note = (
        f"{list_names(several)} {verb} several runs: tests and intervals are those of "
        "a bootstrap of texts and of runs"
    )
    return replace(procedure, test="bootstrap"), [note]


def parse_metric_order(text: str, statistics: Mapping[str, str]) -> Order:
    """Parse an order of systems: a metric, a number of errors, or `name`."""
    from corefkit.analysis.errors.error_analysis import ERROR_WORDS

    order = parse_order(text, statistics, counts=ERROR_WORDS)
    statistic = statistics.get(order.metric, "")
    if order.part not in ("", statistic):
        message = f"cannot sort by {text!r}, since {statistic} is compared"
        hint = f"--statistic {order.part} compares it"
        if order.part == _VALUE:
            hint = f"leave out .{_VALUE}"
        raise SettingsError(message, code="settings/invalid-order", hint=hint)
    return Order(order.metric)


def check_order(text: str, metrics: Sequence[str] | None, statistic: str) -> None:
    """Raise an error for an invalid `--sort` before anything is scored."""
    request = parse_request(metrics)
    scored = () if request.errors and not request.metrics else request.scored
    # Whether a metric has a value is only known from its scores.
    compared = _VALUE if text.endswith(f".{_VALUE}") else statistic
    statistics = {metric.name: compared for metric in scored}
    if statistics.keys() >= set(CONLL):
        statistics["conll"] = statistic
    parse_metric_order(text, {**statistics, **dict.fromkeys(request.errors, "count")})


@expand_settings
def compare(
    key: Input | None,
    responses: Mapping[str, ResponseInput] | Iterable[ResponseInput],
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
    skip_broken: bool = False,
    format: str | None = None,
    progress: Progress | None = None,
    by: str | None = None,
    by_rule: str | None = None,
    **keywords: Unpack[Keywords],
) -> Comparison:
    """Compare systems: differences, intervals, p-values and ranks.

    Args:
        key: as for `corefkit.score`; None if all responses are stored results.
        responses: a mapping of names to responses, or a list of responses, which are
            named by their files. Each is as for `corefkit.score`, an `Evaluation`,
            `Runs` of one system, or the path of a file with the output of
            `corefkit score --format json --per-document`.
        metrics: names or `Metric` values; by default the default set and the CoNLL
            mean. `errors.divided` and so on count errors of a kind.
        statistic: the statistic of a metric: `f1`, `recall` or `precision`.
        unit: the unit of swaps and draws: a `text` with all its parts, or a `document`.
        units: the text of documents whose ids do not name it, by id.
        test: the test: `randomization`, `bootstrap`, or `t`, a paired t-test on the
            scores of documents.
        samples: the number of shuffles, and of draws.
        seed: the seed of all random numbers.
        alpha: the level of the tests; intervals cover 1 - alpha.
        correction: the correction for all pairs of a metric: `holm`, `hochberg`,
            `bonferroni` or `none`.
        interval: the interval to show: `expanded`, `percentile`, `bca` or `t`.
        baseline: the name of a system to compare the others with; by default all pairs
            are compared.
        alternative: of a system to the baseline: `two-sided`, `greater` or `less`.
        strata: `genre`, or a regular expression that is searched in document ids, whose
            first group is the stratum; units are drawn within strata.
        skip_broken: skip responses that cannot be scored, and report the reasons.
        format: the format of files; detected by default.
        progress: called with the work done and the total work: first of scoring, then
            of draws, then of shuffles.
        by: also compare these classes, as for `corefkit.score`; p-values are corrected
            for all classes and pairs of a metric.
        by_rule: as for `corefkit.score`.
        keywords: the settings, as for `corefkit.score`.

    Returns:
        The comparison.

    >>> import corefkit
    >>> from corefkit.example import paths
    >>> key, careful, greedy = paths()
    >>> comparison = corefkit.compare(key, {"careful": careful, "greedy": greedy})
    >>> pair = comparison["lea"].pairs[0]
    >>> round(pair.difference, 4), pair.p, pair.is_exact
    (0.1282, 0.125, True)
    """
    procedure = Procedure(
        *(statistic, unit, test, samples, seed, alpha, correction, interval),
        *(baseline, alternative, strata),
    )
    request = parse_request(metrics)
    options = ScoringOptions(
        request, format, progress, skip_broken, keywords, by=by, by_rule=by_rule
    )
    systems = gather_systems(key, responses, options)
    if key is not None and systems.is_stored:
        check_key(key, systems.results, format)
    return compare_systems(
        systems, procedure, request=request, units=units, progress=progress
    )
