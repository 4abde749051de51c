"""Suites: systems on several corpora, ranked by the mean of their scores.

A suite is compared as one sample: corpora are its strata, so that texts are drawn and
swapped within corpora, and a measure is the mean of those of the corpora.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from corefkit.analysis.compare import choose_test
from corefkit.analysis.compare.comparison import Comparison, StratumResult
from corefkit.analysis.compare.judging import (
    collect_warnings,
    judge_family,
    measure_sample,
    note_corrections,
)
from corefkit.analysis.compare.procedure import Procedure
from corefkit.analysis.compare.sample import (
    Sample,
    group_units,
    join_samples,
    make_sample,
)
from corefkit.analysis.compare.systems import (
    Runs,
    add_system_name,
    find_shared_documents,
)
from corefkit.analysis.suite.suite_file import Suite, SuiteCorpus, read_suite
from corefkit.evaluation import Evaluation, add_rows
from corefkit.exceptions import CorefkitError, PairingError, Refused, SettingsError
from corefkit.metrics.metric import Metric
from corefkit.metrics.registry import find_metrics
from corefkit.results.records import Value, dump_score
from corefkit.results.score_table import list_names
from corefkit.scoring import score, score_submissions
from corefkit.settings import Keywords, check_known, expand_settings

MISSING_CELLS = ("omit", "empty", "error")

# Called with the number of corpora that are scored, and with their total number.
SuiteProgress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class SuiteCell:
    """The scores of one system on one corpus: of each run, or a reason for none."""

    runs: tuple[Evaluation, ...] = ()
    missing: str = ""
    is_empty: bool = False  # scored as an empty response, since it is missing


@dataclass(frozen=True, slots=True)
class CorpusResult:
    """The scores of all systems on one corpus.

    Attributes:
        key: the display name of the key.
        documents: the number of its documents.
        signature: the signature of its scores.
        cells: the scores of each system, by name.
        strata: the number of units, and the score of each compared system, by metric.
    """

    key: str
    documents: int
    signature: str
    cells: Mapping[str, SuiteCell]
    strata: Mapping[str, StratumResult] = field(default_factory=dict)


@dataclass(frozen=True)
class SuiteResult:
    """The scores of systems on corpora, and the comparison of their means.

    Attributes:
        title: the name of the suite.
        corpora: the results on each corpus, by name.
        systems: the names of all systems.
        comparison: the comparison of the means over corpora; None if no system has
            scores on all corpora. Systems without are not compared.
        failed: the corpora that could not be scored, with the reason.
        missing_cells: the policy for missing cells.

    >>> import corefkit
    >>> corpora = {"first": corefkit.SuiteCorpus(["abc"], {"A": ["ab"]})}
    >>> result = corefkit.score_suite(corefkit.Suite("demo", corpora), metrics="muc")
    >>> [record["f1"] for record in result.to_records()]
    [0.6666666666666666]
    """

    title: str
    corpora: Mapping[str, CorpusResult]
    systems: tuple[str, ...]
    comparison: Comparison | None
    failed: Mapping[str, str]
    missing_cells: str

    @property
    def missing(self) -> dict[tuple[str, str], str]:
        """The reason for each missing cell, by system and corpus."""
        return {
            (system, corpus): cell.missing
            for corpus, result in self.corpora.items()
            for system, cell in result.cells.items()
            if cell.missing
        }

    def __str__(self) -> str:
        """Return the tables that `corefkit suite` prints."""
        from corefkit.analysis.suite.suite_text import SUITE_WRITERS

        return SUITE_WRITERS["table"](self)

    def to_dict(self) -> dict[str, Value]:
        """Return the JSON of `corefkit suite --format json`, as plain values."""
        values: dict[str, Value] = {"suite": self.title}
        if self.comparison is not None:
            values |= self.comparison.to_dict()
            del values["key"]
        values["missing_cells"] = self.missing_cells
        values["failed"] = {**self.failed}
        values["corpora"] = {
            name: {
                "key": result.key,
                "documents": result.documents,
                "signature": result.signature,
                "systems": {
                    system: _dump_cell(cell) for system, cell in result.cells.items()
                },
            }
            for name, result in self.corpora.items()
        }
        return values

    def to_records(self) -> list[dict[str, Value]]:
        """Return a record for each corpus, system, run and metric: data frame rows."""
        return [
            {
                "corpus": corpus,
                "system": system,
                "run": number,
                "metric": metric,
                "recall": evaluation[metric].recall,
                "precision": evaluation[metric].precision,
                "f1": evaluation[metric].f1,
                "signature": evaluation.signature,
            }
            for corpus, result in self.corpora.items()
            for system, cell in result.cells.items()
            for number, evaluation in enumerate(cell.runs, 1)
            for metric in list_measured(evaluation)
        ]


def list_measured(evaluation: Evaluation) -> list[str]:
    """List the metrics of an evaluation, and the CoNLL mean if it has one."""
    return [*evaluation, *(["conll"] if evaluation.conll is not None else [])]


def _dump_cell(cell: SuiteCell) -> dict[str, Value]:
    values: dict[str, Value] = {"missing": cell.missing} if cell.missing else {}
    if cell.runs:
        values["runs"] = [
            {
                "response": run.response,
                "scores": {name: dump_score(run[name]) for name in run},
                **({} if run.conll is None else {"conll": run.conll}),
            }
            for run in cell.runs
        ]
    return values


@expand_settings
def score_suite(
    suite: str | os.PathLike[str] | Suite,
    *,
    metrics: str | Iterable[str | Metric] | None = None,
    statistic: str = "f1",
    unit: str = "text",
    test: str = "randomization",
    samples: int = 10_000,
    seed: int = 0,
    alpha: float = 0.05,
    correction: str = "holm",
    interval: str = "expanded",
    baseline: str | None = None,
    alternative: str = "two-sided",
    missing_cells: str | None = None,
    format: str | None = None,
    progress: SuiteProgress | None = None,
    **keywords: Unpack[Keywords],
) -> SuiteResult:
    """Score systems on several corpora, and compare their means over corpora.

    Args:
        suite: the path of a suite file, or a `Suite`.
        metrics: names or `Metric` values; by default those of the suite, or the default
            set.
        statistic: as for `corefkit.compare`, as are the following arguments.
        unit: the unit of swaps and draws, within corpora.
        test: `randomization` or `bootstrap`.
        samples: the number of shuffles, and of draws.
        seed: the seed of all random numbers.
        alpha: the level of the tests.
        correction: the correction for all pairs of a metric.
        interval: the interval to show.
        baseline: the system to compare the others with.
        alternative: of a system to the baseline.
        missing_cells: `omit`: a system without a response to a corpus has no mean and
            is not compared; `empty`: the response counts as empty; `error`. By default
            that of the suite, which is `omit` by default.
        format: the format of files; detected by default.
        progress: called with the number of corpora that are scored, and their number.
        keywords: the settings; those of the suite are the default.

    >>> import corefkit
    >>> from corefkit.analysis.suite import Suite, SuiteCorpus
    >>> key = {"one": ["abc"], "two": ["def"]}
    >>> corpora = {
    ...     "first": SuiteCorpus(key, {"A": key, "B": {"one": ["ab"]}}),
    ...     "second": SuiteCorpus(key, {"A": {"one": ["abc"]}, "B": key}),
    ... }
    >>> result = corefkit.score_suite(Suite("demo", corpora), metrics="muc")
    >>> [round(system.score, 4) for system in result.comparison["muc"].systems]
    [0.8333, 0.7]
    """
    if not isinstance(suite, Suite):
        suite = read_suite(suite)
    procedure = Procedure(
        *(statistic, unit, test, samples, seed, alpha, correction, interval),
        *(baseline, alternative),
    )
    if test == "t":
        message = "a t-test of documents does not test means over corpora"
        hint = "use randomization or bootstrap"
        raise SettingsError(message, code="settings/conflict", hint=hint)
    policy = missing_cells or suite.missing_cells
    check_known(policy, MISSING_CELLS, f"unknown value {policy!r} for 'missing_cells'")
    if baseline is not None:
        check_known(baseline, suite.systems, f"unknown baseline {baseline!r}")
    selected = find_metrics(suite.metrics if metrics is None else metrics)
    changes: dict[str, Any] = {**keywords, "format": format}
    changes = {name: value for name, value in changes.items() if value is not None}
    corpora: dict[str, CorpusResult] = {}
    failed: dict[str, str] = {}
    for number, (name, corpus) in enumerate(suite.corpora.items()):
        if progress is not None:
            progress(number, len(suite.corpora))
        settings: dict[str, Any] = {**suite.settings, **corpus.settings, **changes}
        try:
            corpora[name] = _score_corpus(
                name, corpus, suite.systems, selected, settings, policy
            )
        except SettingsError:
            raise
        except CorefkitError as error:
            if policy == "error":
                raise
            failed[name] = error.reason
    if progress is not None:
        progress(len(suite.corpora), len(suite.corpora))
    if not corpora:
        reasons = "; ".join(f"{name}: {reason}" for name, reason in failed.items())
        message = f"no corpus of the suite can be scored: {reasons}"
        raise PairingError(message, code="pairing/nothing-scored")
    result = SuiteResult(suite.title, corpora, suite.systems, None, failed, policy)
    return _compare_means(result, procedure, selected)


def _score_corpus(
    name: str,
    corpus: SuiteCorpus,
    systems: Sequence[str],
    metrics: Sequence[Metric],
    settings: Mapping[str, Any],
    policy: str,
) -> CorpusResult:
    """Score all runs of all systems on a corpus."""
    keywords: Any = settings
    missing: dict[str, CorefkitError] = {}
    labels: dict[str, list[str]] = {}
    inputs: dict[str, Any] = {}
    for system in systems:
        response = corpus.responses.get(system)
        responses = response if isinstance(response, Runs) else (response,)
        absent = [each for each in responses if not _is_present(each)]
        if absent or not responses:
            missing[system] = _make_missing_error(system, name, absent)
            continue
        labels[system] = [
            system if len(responses) == 1 else f"{system}, run {number}"
            for number in range(1, len(responses) + 1)
        ]
        inputs |= zip(labels[system], responses, strict=True)
    if policy == "error" and missing:
        raise next(iter(missing.values()))
    if not inputs or (policy == "empty" and missing):
        perfect = score(corpus.key, corpus.key, metrics=["mentions"], **keywords)
        inputs[""] = {document: [] for document in perfect.documents}
    outcomes = score_submissions(corpus.key, inputs, metrics=metrics, **keywords)
    results = dict(zip(inputs, outcomes, strict=True))
    cells: dict[str, SuiteCell] = {}
    for system in systems:
        outcomes = [results[label] for label in labels.get(system, [])]
        scored = [run for run in outcomes if isinstance(run, Evaluation)]
        broken = [run for run in outcomes if isinstance(run, Refused)]
        if broken:
            missing[system] = add_system_name(broken[0].error, broken[0].response)
            if policy == "error":
                raise missing[system]
        if system not in missing:
            cells[system] = SuiteCell(tuple(scored))
            continue
        empty = results.get("")
        runs = (empty,) if policy == "empty" and isinstance(empty, Evaluation) else ()
        cells[system] = SuiteCell(runs, missing[system].reason, is_empty=bool(runs))
    first = next(run for run in results.values() if isinstance(run, Evaluation))
    return CorpusResult(first.key, len(first.documents), first.signature, cells)


def _is_present(response: object) -> bool:
    if isinstance(response, str | os.PathLike):
        return Path(response).exists()
    return response is not None


def _make_missing_error(
    system: str, corpus: str, absent: Sequence[object]
) -> PairingError:
    message = f"{system} has no response to corpus {corpus}"
    hint = "add it to the suite, or set missing_cells"
    if absent and absent[0] is not None:
        message = f"{absent[0]} does not exist"
        hint = "check the pattern of the system"
    return PairingError(message, code="pairing/missing-cell", hint=hint)


def _compare_means(
    result: SuiteResult, procedure: Procedure, metrics: Sequence[Metric]
) -> SuiteResult:
    """Compare the means over corpora of the systems that have them all."""
    complete = [
        system
        for system in result.systems
        if all(corpus.cells[system].runs for corpus in result.corpora.values())
    ]
    if not complete:
        return result
    run_counts = _count_runs(result, complete)
    if procedure.baseline is not None and procedure.baseline not in complete:
        message = f"the baseline {procedure.baseline!r} lacks scores on a corpus"
        hint = "set missing_cells to 'empty', or leave out the baseline"
        raise PairingError(message, code="pairing/missing-cell", hint=hint)
    procedure, notes = choose_test(
        procedure, [name for name, count in run_counts.items() if count > 1]
    )
    samples = {
        name: _make_corpus_sample(corpus, run_counts, procedure, metrics)
        for name, corpus in result.corpora.items()
    }
    sample = join_samples(samples)
    judged = [
        judge_family([measured])[0] for measured in measure_sample(sample, procedure)
    ]
    by_name = {metric.name: metric for metric in judged}
    corpora = {
        name: replace(corpus, strata=_score_stratum(name, samples[name]))
        for name, corpus in result.corpora.items()
    }
    by_name = {
        name: replace(
            metric, strata=tuple(corpus.strata[name] for corpus in corpora.values())
        )
        for name, metric in by_name.items()
    }
    evaluations = [
        run
        for corpus in corpora.values()
        for name in complete
        for run in corpus.cells[name].runs
    ]
    warnings = [*_warn_same_texts(corpora)]
    warnings += [text for evaluation in evaluations for text in evaluation.warnings]
    signatures = dict.fromkeys(corpus.signature for corpus in corpora.values())
    comparison = Comparison(
        key=result.title,
        score_signature=f"{'; '.join(signatures)}|mean:{len(corpora)} corpora",
        procedure=procedure,
        documents=sum(corpus.documents for corpus in corpora.values()),
        units=len(sample.units),
        systems=sample.systems,
        metrics=by_name,
        notes=(*notes, *note_corrections(by_name, procedure)),
        warnings=(*dict.fromkeys(warnings), *collect_warnings(by_name)),
    )
    return replace(result, corpora=corpora, comparison=comparison)


def _warn_same_texts(corpora: Mapping[str, CorpusResult]) -> Iterator[str]:
    names: dict[str, list[str]] = {}
    for name, corpus in corpora.items():
        first = next(run for cell in corpus.cells.values() for run in cell.runs)
        names.setdefault(first.corpus.text, []).append(name)
    for text, same in names.items():
        if text and len(same) > 1:
            yield (
                f"{list_names(same)} have the same texts, which tests count "
                f"{len(same)} times: p-values and intervals are too small"
            )


def _count_runs(result: SuiteResult, systems: Sequence[str]) -> dict[str, int]:
    """Return the number of runs of each system, which is the same on all corpora."""
    counts: dict[str, int] = {}
    for system in systems:
        sizes = {
            name: len(corpus.cells[system].runs)
            for name, corpus in result.corpora.items()
            if not corpus.cells[system].is_empty
        }
        if len({*sizes.values()}) > 1:
            texts = ", ".join(f"{size} on {name}" for name, size in sizes.items())
            message = f"{system} has different numbers of runs: {texts}"
            hint = "give each corpus the same number of runs"
            raise PairingError(message, code="pairing/missing-cell", hint=hint)
        counts[system] = next(iter(sizes.values()), 1)
    return counts


def _make_corpus_sample(
    corpus: CorpusResult,
    run_counts: Mapping[str, int],
    procedure: Procedure,
    metrics: Sequence[Metric],
) -> Sample:
    results: dict[str, Evaluation] = {}
    for system, count in run_counts.items():
        cell = corpus.cells[system]
        runs = cell.runs * count if cell.is_empty else cell.runs
        results |= {f"{system}, run {i}": run for i, run in enumerate(runs, 1)}
    first = next(iter(results.values()))
    documents, rows, _ = find_shared_documents(results, first.settings)
    counts = {
        name: {metric.name: result.counts[metric.name][rows_of] for metric in metrics}
        for (name, result), rows_of in zip(results.items(), rows, strict=True)
    }
    return make_sample(
        counts,
        runs=run_counts,
        metrics=metrics,
        settings=first.settings,
        statistic=procedure.statistic,
        unit_of=group_units(documents, unit=procedure.unit).of_document,
    )


def _score_stratum(name: str, sample: Sample) -> dict[str, StratumResult]:
    """Return the scores of the compared systems on one corpus, by metric."""
    totals = np.array([add_rows(counts) for counts in sample.counts])
    strata = {}
    for measure in sample.measures:
        scores = sample.average_runs(measure.score(totals[:, measure.columns]))
        by_system = dict(zip(sample.systems, scores.tolist(), strict=True))
        strata[measure.name] = StratumResult(name, len(sample.units), by_system)
    return strata
