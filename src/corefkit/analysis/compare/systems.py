"""Systems: named responses, scored now or read from stored results.

Systems are comparable if they have the same settings, key and documents. Metrics are
compared on the counts of the documents that all results have.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias, cast

import numpy as np

from corefkit.alignment.overlap import Overlap
from corefkit.alignment.pipeline import Progress, iter_aligned_blocks, open_runs
from corefkit.arrays.columns import Floats, Ints
from corefkit.arrays.hashing import NO_FINGERPRINTS, compute_fingerprints
from corefkit.corpus import (
    NOTHING_DECLARED,
    Fingerprint,
    combine_fingerprints,
    differences,
)
from corefkit.evaluation import ClassCounts, Evaluation
from corefkit.exceptions import (
    CorefkitError,
    FormatError,
    PairingError,
    Refused,
    SettingsError,
    quoted,
)
from corefkit.formats import Input
from corefkit.metrics.metric import COUNTS, Metric, Score
from corefkit.metrics.registry import (
    METRICS,
    find_metrics,
    is_all_requested,
    iter_metrics,
)
from corefkit.results.score_table import compare_settings
from corefkit.results.stored_results import (
    Scored,
    StoredScores,
    is_counts,
    is_stored,
    read_counts,
    read_stored,
)
from corefkit.scoring import score_all
from corefkit.settings import NO_WINDOW, Keywords, Settings, resolve_settings
from corefkit.strings import normalize_id
from corefkit.tables.terminal import label_paths

if TYPE_CHECKING:
    from corefkit.evaluation import Watch

ResponseInput: TypeAlias = "Input | Evaluation | StoredScores | Runs"

STORE_HINT = "store them with `corefkit score --format json --per-document`"
_UNNAMED = re.compile(r"^response(?=:|$)")
_TOLERANCE = 1e-9
_MAX_MISSING = 0.05  # the share of the texts that needs no warning


class Runs(tuple[Any, ...]):
    """The responses of several runs of one system, such as those of several seeds.

    `compare` compares the means over the runs of systems, and draws from runs as well
    as from texts.

    >>> import corefkit
    >>> runs = corefkit.Runs([{"one": ["ab"]}, {"one": ["abc"]}])
    >>> comparison = corefkit.compare({"one": ["abc"]}, {"A": runs}, metrics="muc")
    >>> comparison["muc"].systems[0].runs
    (0.6666666666666666, 1.0)
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class MetricRequest:
    """The metrics and numbers of errors to compare."""

    # metrics, or their names; None for the default metrics
    metrics: Sequence[str | Metric] | None = None
    # the labels of numbers of errors, by name
    errors: Mapping[str, str] = field(default_factory=dict)

    @property
    def scored(self) -> tuple[Metric, ...]:
        """The metrics to score with; at least one, even if only errors are compared."""
        if self.errors and not self.metrics:
            return (METRICS["mentions"],)
        return find_metrics(self.metrics)

    @property
    def is_default(self) -> bool:
        """Whether the default metrics are requested, and nothing else."""
        return self.metrics is None and not self.errors

    @property
    def is_all(self) -> bool:
        """Whether all metrics that settings and inputs allow are requested."""
        return is_all_requested(self.metrics)


def parse_request(metrics: str | Iterable[str | Metric] | None) -> MetricRequest:
    """Parse metrics and numbers of errors, such as `errors.divided`."""
    if metrics is None:
        return MetricRequest()
    names = metrics.split(",") if isinstance(metrics, str) else list(metrics)
    if not any(isinstance(name, str) and "errors" in name.lower() for name in names):
        return MetricRequest(names)
    from corefkit.analysis.errors.error_analysis import (
        find_error_labels,
        is_error_count,
    )

    errors = [str(name) for name in names if is_error_count(name)]
    metric_names = [name for name in names if not is_error_count(name)]
    return MetricRequest(metric_names, find_error_labels(errors))


@dataclass(frozen=True, slots=True)
class ScoringOptions:
    request: MetricRequest = MetricRequest()  # the metrics and numbers of errors
    format: str | None = None  # the format of files; detected by default
    progress: Progress | None = None  # called with the work done and the total work
    skip_broken: bool = False  # whether to skip responses that cannot be scored
    keywords: Keywords = field(default_factory=Keywords)
    # receives the errors of responses, by number
    refusals: dict[int, CorefkitError] | None = None
    watch: Watch | None = None  # analyses the blocks of documents that are scored
    by: str | None = None  # the classes that are scored too
    by_rule: str | None = None


DEFAULT_OPTIONS = ScoringOptions()


@dataclass(frozen=True, slots=True)
class Systems:
    results: Mapping[str, Scored]  # the scores of each run of all systems, by name
    # the names of the runs of each system, by name
    runs: Mapping[str, Sequence[str]]
    # systems that could not be scored, each with the reason
    refused: Mapping[str, str] = field(default_factory=dict)
    is_stored: bool = False  # no response was scored against the key
    # the numbers of errors of each system, by name, one row per document
    errors: Mapping[str, Mapping[str, Floats]] = field(default_factory=dict)


@dataclass(slots=True)
class _Entry:
    """A response, and its results or error."""

    response: Any
    name: str | None = None
    results: list[Scored] = field(default_factory=list)
    error: CorefkitError | None = None
    errors: Mapping[str, Floats] = field(default_factory=dict)
    system: str | None = None  # the name of the system, if it has several runs

    @property
    def labels(self) -> list[str]:
        """The names of its systems, which need not be unique."""
        if self.error is None:
            return [result.response for result in self.results]
        return [self.default_name if self.name is None else self.name]

    @property
    def default_name(self) -> str:
        """Its path, or `response`."""
        is_path = isinstance(self.response, str | os.PathLike)
        return os.fspath(self.response) if is_path else "response"


def materialize(value: Any) -> Any:
    """Turn iterators into lists, so that they can be read twice."""
    if isinstance(value, Iterator):
        return [materialize(item) for item in value]
    if type(value) is dict:
        return {name: materialize(item) for name, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(materialize(item) for item in value)
    return value


def make_unique_names(labels: Sequence[str], *, are_names: bool) -> list[str]:
    """Return unique names of systems: the given names, or file names of paths."""
    if not are_names:
        return label_paths(labels)
    if len(set(labels)) < len(labels):
        return [f"{number}. {label}" for number, label in enumerate(labels, 1)]
    return list(labels)


def replace_default_name(text: str, name: str) -> str:
    """Replace the default name of a response in memory at the start of a message."""
    return _UNNAMED.sub(lambda _: name, text)


def add_system_name(error: CorefkitError, name: str) -> CorefkitError:
    """Return an error whose place names the system."""
    if error.place is None:
        return error
    place = replace_default_name(error.place, name)
    return type(error)(error.message, code=error.code, place=place, hint=error.hint)


def gather_systems(
    key: Input | None,
    responses: Mapping[str, ResponseInput] | Iterable[ResponseInput],
    options: ScoringOptions = DEFAULT_OPTIONS,
) -> Systems:
    """Score responses, read stored results, and give all systems unique names.

    Responses are scored together. The default metrics are those of stored results.
    """
    entries = _make_entries(responses)
    for entry in entries:
        _read_results(entry, skip_broken=options.skip_broken)
    fresh = [entry for entry in entries if not entry.results and entry.error is None]
    if options.request.errors:
        key = materialize(key)
        _prepare_errors(entries)
    settings = [value is not None for value in options.keywords.values()]
    has_stored = any(entry.results for entry in entries)
    if (options.by is not None and has_stored) or (
        not fresh and (any(settings) or (key is None and options.format is not None))
    ):
        message = "settings cannot be changed for stored scores"
        hint = "leave out settings, or score again"
        raise SettingsError(message, code="settings/stored-scores", hint=hint)
    if fresh:
        _score_entries(key, entries, fresh, options)
    if options.request.errors:
        _count_errors(cast("Input", key), entries, options)
    names = make_unique_names(
        [label for entry in entries for label in entry.labels],
        are_names=isinstance(responses, Mapping),
    )
    systems = _name_systems(entries, names, skip_broken=options.skip_broken)
    return replace(systems, is_stored=not any(entry.results for entry in fresh))


def _make_entries(responses: object) -> list[_Entry]:
    single = (str, bytes, os.PathLike, Evaluation, StoredScores)
    if isinstance(responses, Mapping):
        entries = [_Entry(response, str(name)) for name, response in responses.items()]
        if any(not str(entry.name).strip() for entry in entries):
            message = "a system has no name"
            hint = "{'ours': response, 'theirs': response}"
            raise SettingsError(message, code="input/unnamed-response", hint=hint)
    elif isinstance(responses, Iterable) and not isinstance(responses, single):
        entries = [_Entry(response) for response in responses]
    else:
        message = f"found {responses!r:.60}, expected several responses"
        hint = "pass [response, response], or a mapping"
        raise SettingsError(message, code="input/wrong-shape", hint=hint)
    if not entries:
        message = "there are no responses to compare"
        hint = "name two or more, or one for its intervals"
        raise SettingsError(message, code="input/no-response", hint=hint)
    return [
        run
        for number, entry in enumerate(entries, 1)
        for run in _split_runs(entry, number)
    ]


def _split_runs(entry: _Entry, number: int) -> list[_Entry]:
    """Return an entry for each run of a system, or the entry itself."""
    if not isinstance(entry.response, Runs):
        return [entry]
    name = entry.name or f"system {number}"
    if not entry.response:
        message, hint = f"{name} has no runs", "pass one response or more"
        raise SettingsError(message, code="input/no-response", hint=hint)
    return [
        _Entry(response, f"{name}, run {run}", system=name)
        for run, response in enumerate(entry.response, 1)
    ]


def _read_results(entry: _Entry, *, skip_broken: bool) -> None:
    response = entry.response
    if isinstance(response, Evaluation | StoredScores):
        name = response.response if entry.name is None else entry.name
        entry.results = [replace(response, response=name)]
    elif isinstance(response, str | os.PathLike) and (
        is_stored(response) or is_counts(response)
    ):
        read = read_counts if is_counts(response) else read_stored
        try:
            entry.results = [*read(response, name=entry.name)]
        except CorefkitError as error:
            if not skip_broken:
                raise
            entry.error = error


def _list_shared_metrics(results: Iterable[Scored]) -> list[str]:
    lists = [*map(_list_metric_names, results)]
    return [name for name in lists[0] if all(name in names for names in lists)]


def _list_metric_names(result: Scored) -> list[str]:
    # The scores of an evaluation are computed on access.
    return list(result if isinstance(result, Evaluation) else result.scores)


def _score_entries(
    key: Input | None,
    entries: Sequence[_Entry],
    fresh: Sequence[_Entry],
    options: ScoringOptions,
) -> None:
    """Score the responses without results; the key is parsed once."""
    if key is None:
        name = fresh[0].name or fresh[0].default_name
        message = "responses require a key, unless all are stored results"
        hint = f"pass a key; {name} is not a file that `score` wrote as JSON"
        raise SettingsError(message, code="settings/missing-value", hint=hint)
    request = options.request
    results = [result for entry in entries for result in entry.results]
    if request.metrics is None and not request.errors and results:
        evaluations = [item for item in results if isinstance(item, Evaluation)]
        metrics = {m.name: m for evaluation in evaluations for m in evaluation.metrics}
        names = _list_shared_metrics(results)
        request = MetricRequest([metrics.get(name, name) for name in names])
    outcomes = score_all(
        key,
        [cast("Input", entry.response) for entry in fresh],
        request.metrics if request.is_all or request.is_default else request.scored,
        options.keywords,
        {} if options.refusals is None else options.refusals,
        format=options.format,
        progress=options.progress,
        watch=options.watch,
        by=options.by,
        by_rule=options.by_rule,
    )
    for entry, outcome in zip(fresh, outcomes, strict=True):
        if isinstance(outcome, Refused):
            entry.error = outcome.error
            continue
        name = outcome.response if entry.name is None else entry.name
        entry.results = [replace(outcome, response=name)]


def _prepare_errors(entries: Sequence[_Entry]) -> None:
    for entry in entries:
        if entry.results:
            name = entry.name or entry.results[0].response
            message = f"{name} has scores but no errors, which are counted in responses"
            hint = "use the response itself"
            raise SettingsError(message, code="settings/stored-scores", hint=hint)
        entry.response = materialize(entry.response)


def _count_errors(
    key: Input, entries: Sequence[_Entry], options: ScoringOptions
) -> None:
    from corefkit.analysis.errors import count_errors

    scored = [entry for entry in entries if entry.results]
    refusals: dict[int, CorefkitError] = {}
    errors = count_errors(
        key,
        [cast("Input", entry.response) for entry in scored],
        settings=resolve_settings(**options.keywords),
        format=options.format,
        refusals=refusals,
        progress=options.progress,
    )
    for number, entry in enumerate(scored):
        if number in errors:
            entry.errors = errors[number]
        else:
            entry.results, entry.error = [], refusals[number]


def _name_systems(
    entries: Sequence[_Entry], names: Sequence[str], *, skip_broken: bool
) -> Systems:
    """Collect systems by name; raise the first error unless broken ones are skipped."""
    next_names = iter(names)
    results: dict[str, Scored] = {}
    broken: dict[str, CorefkitError] = {}
    errors: dict[str, Mapping[str, Floats]] = {}
    runs: dict[str, list[str]] = {}
    for entry in entries:
        if entry.error is not None:
            name = next(next_names)
            error = add_system_name(entry.error, name)
            broken.setdefault(entry.system or name, error)
            if not skip_broken:
                raise error
        for result in entry.results:
            name = next(next_names)
            runs.setdefault(entry.system or name, []).append(name)
            results[name] = replace(
                result,
                response=name,
                notes=tuple(replace_default_name(note, name) for note in result.notes),
                warnings=tuple(
                    replace_default_name(text, name) for text in result.warnings
                ),
            )
            errors[name] = entry.errors
    refused = {name: error.reason for name, error in broken.items()}
    # A system with a broken run has no mean.
    for name in runs.keys() & broken.keys():
        for run in runs.pop(name):
            del results[run], errors[run]
    if not results:
        if len(broken) == 1:
            raise next(iter(broken.values()))
        reasons = "; ".join(refused.values())
        message = f"none of {len(refused)} responses can be scored: {reasons}"
        raise FormatError(message, code="pairing/nothing-scored")
    return Systems(results, runs, refused, errors=errors)


def find_settings(result: Scored) -> Settings:
    """Return the settings of a result; a file need not have them."""
    if isinstance(result, Evaluation):
        return result.settings
    problem, cause = "has no settings of its scores", None
    if result.changed is not None:
        try:
            return Settings(**result.changed)
        except (SettingsError, TypeError) as error:
            # Other versions may have other settings.
            problem, cause = f"has unknown settings: {result.signature}", error
    raise _make_incomplete_error(result.response, problem, "score again") from cause


def _make_incomplete_error(place: str, message: str, hint: str) -> FormatError:
    code = "format/incomplete-scores"
    return FormatError(message, code=code, place=place, hint=hint)


def select_metrics(
    results: Mapping[str, Scored], request: MetricRequest
) -> tuple[tuple[Metric, ...], list[str]]:
    """Return the metrics to compare, and notes about those that are left out.

    They are the requested metrics, or by default all that every result has.
    """
    metrics_by_name = _collect_metrics(results.values())
    if request.errors and not request.metrics:
        return (), []
    if request.metrics is not None and not request.is_all:
        # A user's own metric may be requested by name if a result has it.
        selected = find_metrics(
            [
                metrics_by_name.get(item, item) if isinstance(item, str) else item
                for item in request.metrics
            ]
        )
        for name, result in results.items():
            present = _list_metric_names(result)
            missing = [metric.name for metric in selected if metric.name not in present]
            if missing:
                message = f"has no scores of {', '.join(missing)}"
                message += f", only of {', '.join(present)}"
                raise _make_incomplete_error(name, message, "score it again")
        return selected, []
    shared = _list_shared_metrics(results.values())
    if not shared:
        message = "the results have no metric in common"
        hint = "score them again with the same metrics"
        raise SettingsError(message, code="pairing/no-common-metric", hint=hint)
    omitted = ", ".join(name for name in metrics_by_name if name not in shared)
    notes = [f"not every result has {omitted}, which is left out"] if omitted else []
    return tuple(metrics_by_name[name] for name in shared), notes


def _collect_metrics(results: Collection[Scored]) -> dict[str, Metric]:
    """Return all metrics of results by name: those of the registry, or a user's own.

    Only the counts of a stored metric are known. Most metrics are ratios of these;
    whether a metric is will be checked by its scores.
    """
    evaluated = [
        metric
        for result in results
        if isinstance(result, Evaluation)
        for metric in result.metrics
    ]
    # `find_metrics` rejects duplicate names.
    metrics = find_metrics(evaluated) if evaluated else ()
    by_name = {metric.name: metric for metric in (*iter_metrics(), *metrics)}
    return {
        name: by_name.get(name) or Metric(name, name, _raise_cannot_count)
        for result in results
        for name in _list_metric_names(result)
    }


def _raise_cannot_count(table: Overlap) -> NoReturn:
    del table
    message = "a metric from a file has counts, but cannot count"
    raise SettingsError(message, code="engine/counts-only")


def collect_counts(result: Scored, metric: Metric, settings: Settings) -> Floats:
    """Return the counts of a metric, one row per document.

    Stored counts are scored again, and rejected if the scores differ: the file lacks
    counts, or a user's own metric computes its scores in another way.
    """
    if isinstance(result, Evaluation):
        return result.counts[metric.name]
    scores = [document[metric.name] for document in result.per_document]
    # Documents with equal scores share them; each score is checked once.
    distinct = {id(score): score for score in scores}
    numbers = {identity: number for number, identity in enumerate(distinct)}
    rows = [
        score.counts or [getattr(score, name) for name in COUNTS]
        for score in distinct.values()
    ]
    widths = {len(row) for row in rows}
    if len(widths) > 1:
        raise _make_counts_error(result, metric)
    distinct_counts = np.array(rows, np.float64).reshape(len(rows), *widths)
    indices = np.array([numbers[id(score)] for score in scores], np.int64)
    counts: Floats = distinct_counts[indices]
    checks = [*zip(distinct_counts, distinct.values(), strict=True)]
    if not settings.is_macro and rows:
        checks.append((counts.sum(axis=0), result.scores[metric.name]))
    for row, score in checks:
        if not _is_score_of(metric, row, score, settings):
            raise _make_counts_error(result, metric)
    return counts


def _is_score_of(metric: Metric, row: Floats, score: Score, settings: Settings) -> bool:
    try:
        computed = metric.score(row, settings)
    except (ValueError, IndexError, TypeError):
        return False
    if (computed.value is None) != (score.value is None):
        return False
    return all(
        math.isclose(
            getattr(computed, name) or 0, getattr(score, name) or 0, abs_tol=_TOLERANCE
        )
        for name in ("recall", "precision", "f1", "value")
    )


def _make_counts_error(result: StoredScores, metric: Metric) -> FormatError:
    name = quoted(metric.name)
    message = f"the scores of {name} cannot be computed from the stored counts"
    is_known = metric.name in {item.name for item in iter_metrics()}
    hint = (
        f"older versions left counts out: score again, and {STORE_HINT}"
        if is_known
        else f"{name} is not a metric of corefkit: pass the responses and the metric"
    )
    return _make_incomplete_error(result.response, message, hint)


def list_classed(results: Mapping[str, Scored]) -> list[ClassCounts]:
    """Return the counts by class, which all results have or none."""
    counts = {
        name: result.class_counts if isinstance(result, Evaluation) else None
        for name, result in results.items()
    }
    classed = [each for each in counts.values() if each is not None]
    if classed and len(classed) < len(results):
        name = next(name for name, each in counts.items() if each is None)
        message = f"{name} has stored scores, expected scores by class"
        hint = "use the response itself"
        raise SettingsError(message, code="settings/stored-scores", hint=hint)
    return classed


def check_settings(results: Mapping[str, Scored]) -> None:
    """Raise an error unless results have the same settings."""
    first_name, first = next(iter(results.items()))
    for name, result in results.items():
        reasons = compare_settings(first, result)
        if reasons:
            hint = "score both with the same settings"
            if any(reason.startswith("tokens:") for reason in reasons):
                hint = "compare all of them by characters: --tokens characters"
            raise _make_pairing_error(first_name, name, reasons, hint)


def find_shared_documents(
    results: Mapping[str, Scored], settings: Settings
) -> tuple[tuple[str, ...], tuple[Ints, ...], list[str]]:
    """Find the documents of all results, which must be those of one key.

    With `missing: skip`, only the documents that no response lacks are compared.
    Returns their ids, the row indexes of each system, and notes.
    """
    ids = [_list_documents(result) for result in results.values()]
    if any(set(system_ids) != set(ids[0]) for system_ids in ids):
        # Formats write the same id differently. The reference scorer distinguishes
        # documents that are equal for others: then ids are not normalized.
        normalized = [[normalize_id(id) for id in system_ids] for system_ids in ids]
        if all(len(set(system_ids)) == len(system_ids) for system_ids in normalized):
            ids = normalized
    common = set(ids[0]).intersection(*ids)
    rows_by_id = [{id: row for row, id in enumerate(system_ids)} for system_ids in ids]
    selected = [document for document in ids[0] if document in common]
    rows = tuple(
        np.array([row_of[document] for document in selected], np.int64)
        for row_of in rows_by_id
    )
    if not settings.skips_missing:
        corpora = [_drop_declaration(result.corpus) for result in results.values()]
        _check_corpora(results, corpora, ids)
    if not common:
        message = "the systems have no document in common"
        hint = "check that the responses belong to one key"
        if not any(ids):
            hint = "the key has no documents"
        raise PairingError(message, code="pairing/no-common-document", hint=hint)
    notes: list[str] = []
    if settings.skips_missing:
        # The documents that are compared must have the same texts.
        corpora = [
            _select_fingerprint(name, result, system_rows)
            for (name, result), system_rows in zip(results.items(), rows, strict=True)
        ]
        _check_corpora(results, corpora, [selected] * len(results))
        total = len(set().union(*ids))
        if len(common) < total:
            notes.append(
                f"{len(common)} of {total} documents are compared: those that no "
                "response lacks"
            )
    documents = _list_documents(next(iter(results.values())))
    return tuple(documents[row] for row in rows[0].tolist()), rows, notes


def _check_corpora(
    results: Mapping[str, Scored],
    corpora: Sequence[Fingerprint],
    ids: Sequence[Sequence[str]],
) -> None:
    """Raise an error unless all systems have the same texts and ids."""
    first = next(iter(results))
    for name, corpus, system_ids in zip(results, corpora, ids, strict=True):
        reasons = differences(corpora[0], corpus)
        if not reasons and set(system_ids) != set(ids[0]):
            missing = sorted(set(ids[0]) ^ set(system_ids))
            reasons = [f"only one of them has document {quoted(missing[0])}"]
        if reasons:
            hint = "score both against the same key"
            raise _make_pairing_error(first, name, reasons, hint)


def _list_documents(result: Scored) -> list[str]:
    if isinstance(result, Evaluation):
        return list(result.documents)
    ids = [document.document for document in result.per_document]
    if len(ids) != result.document_count:
        message = "has no scores of single documents, which tests require"
        if ids:
            expected = f"expected {result.document_count}"
            message = f"has the scores of {len(ids)} documents, {expected}"
        raise _make_incomplete_error(result.response, message, STORE_HINT)
    if len(set(ids)) < len(ids):
        duplicate = next(id for id, count in Counter(ids).items() if count > 1)
        message = f"has document {quoted(duplicate)} twice"
        raise FormatError(
            message, code="pairing/repeated-document", place=result.response
        )
    return ids


def _select_fingerprint(name: str, result: Scored, rows: Ints) -> Fingerprint:
    if len(rows) == result.document_count:
        return _drop_declaration(result.corpus)
    if isinstance(result, Evaluation):
        return combine_fingerprints(result.prints[rows])
    message = "skipped documents, so its texts cannot be compared with the others'"
    hint = "score again with --missing empty, or use the responses themselves"
    raise PairingError(message, code="pairing/different-text", place=name, hint=hint)


def check_key(
    key: Input, results: Mapping[str, Scored], format: str | None = None
) -> None:
    """Raise an error unless stored results were scored against a key."""
    corpora: dict[str, Fingerprint] = {}  # depends on the settings
    for name, result in results.items():
        if result.signature not in corpora:
            prints = [NO_FINGERPRINTS]
            settings = replace(find_settings(result), window=NO_WINDOW)
            with open_runs(
                key, [], settings=settings, format=format, alone=True
            ) as runs:
                for _, block in iter_aligned_blocks(runs):
                    prints.append(compute_fingerprints(block.key_read))
            corpora[result.signature] = combine_fingerprints(np.concatenate(prints))
        corpus = corpora[result.signature]
        reasons = differences(corpus, _drop_declaration(result.corpus))
        if reasons:
            message = f"was scored against another key: {'; '.join(reasons)}"
            hint = "leave out the key, or score against this one"
            raise PairingError(
                message, code="pairing/different-key", place=name, hint=hint
            )


def _drop_declaration(corpus: Fingerprint) -> Fingerprint:
    return replace(corpus, declared=NOTHING_DECLARED)


def warn_declared_differences(results: Mapping[str, Scored]) -> list[str]:
    """Warn of systems that declare different inputs."""
    first_name, first = next(iter(results.items()))
    systems: dict[str, list[str]] = {}
    first_declared = Fingerprint(declared=first.corpus.declared)
    for name, result in results.items():
        declared = Fingerprint(declared=result.corpus.declared)
        for reason in differences(first_declared, declared):
            systems.setdefault(reason, []).append(name)
    return [
        f"{first_name} and {', '.join(names)} were given different things: {reason}"
        for reason, names in systems.items()
    ]


def warn_missing_documents(
    results: Mapping[str, Scored], rows: Sequence[Ints], units: Sequence[str]
) -> list[str]:
    """Warn of systems that lack documents of more than a few texts."""
    texts = len(set(units))
    warnings = []
    for (name, result), system_rows in zip(results.items(), rows, strict=True):
        missing = set(result.missing)
        ids = _list_documents(result)
        pairs = zip(units, system_rows.tolist(), strict=True)
        affected = {unit for unit, row in pairs if ids[row] in missing}
        if len(affected) > _MAX_MISSING * texts:
            warnings.append(
                f"{name} lacks documents of {len(affected)} of {texts} texts, which "
                "are scored as empty"
            )
    return warnings


def _make_pairing_error(
    first: str, second: str, reasons: Sequence[str], hint: str
) -> PairingError:
    message = f"{first} and {second} cannot be compared: {'; '.join(reasons)}"
    return PairingError(message, code="pairing/not-comparable", hint=hint)
