"""Systems: responses with names, scored now or stored before.

They can be compared if they have the same settings, the same key, and the same
documents. Metrics are compared on the counts of documents that all results have.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from corefkit.alignment.pipeline import iter_aligned_blocks, open_runs
from corefkit.arrays.hashing import NO_FINGERPRINTS, compute_fingerprints
from corefkit.corpus import (
    NOTHING_DECLARED,
    Fingerprint,
    combine_fingerprints,
    differences,
)
from corefkit.evaluation import Evaluation
from corefkit.exceptions import (
    CorefkitError,
    FormatError,
    PairingError,
    Refused,
    SettingsError,
    quoted,
)
from corefkit.metrics.metric import COUNTS, Metric
from corefkit.metrics.registry import (
    METRICS,
    find_metrics,
    is_all_requested,
    iter_metrics,
)
from corefkit.results.score_table import compare_settings
from corefkit.results.stored_results import (
    StoredScores,
    is_counts,
    is_stored,
    read_counts,
    read_stored,
)
from corefkit.scoring import score_submissions
from corefkit.settings import Keywords, Settings, resolve_settings
from corefkit.strings import normalize_id
from corefkit.tables.terminal import label_paths

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from corefkit.alignment.overlap import Overlap
    from corefkit.alignment.pipeline import Progress
    from corefkit.arrays.columns import Floats, Ints
    from corefkit.formats.inputs import Input
    from corefkit.metrics.metric import Score
    from corefkit.results.stored_results import Scored

Metrics: TypeAlias = "Sequence[str | Metric] | None"


@dataclass(frozen=True, slots=True)
class MetricRequest:
    """What a user asks for.

    Attributes:
        metrics: metrics by name or as they are; None for the usual ones.
        errors: numbers of errors by name, and how tables call them.
    """

    metrics: Metrics = None
    errors: Mapping[str, str] = field(default_factory=dict)

    @property
    def scored(self) -> tuple[Metric, ...]:
        """The metrics to score with; some metric even if errors alone are compared."""
        if self.errors and not self.metrics:
            return (METRICS["mentions"],)
        return find_metrics(self.metrics)

    @property
    def asks_for_all(self) -> bool:
        """Whether all metrics are asked for that settings and inputs allow."""
        return is_all_requested(self.metrics)


NOTHING_ASKED = MetricRequest()


def parse_request(metrics: str | Iterable[str | Metric] | None) -> MetricRequest:
    """Tell metrics from numbers of errors, which are named `errors.divided` and so on.

    >>> parse_request("lea,muc").metrics
    ['lea', 'muc']
    """
    if metrics is None:
        return MetricRequest()
    wanted = metrics.split(",") if isinstance(metrics, str) else list(metrics)
    if not any(isinstance(one, str) and "errors" in one.lower() for one in wanted):
        return MetricRequest(wanted)
    # Imported here because few comparisons count errors.
    from corefkit.analysis.errors.error_analysis import (
        find_error_labels,
        is_error_count,
    )

    errors = [str(one) for one in wanted if is_error_count(one)]
    others = [one for one in wanted if not is_error_count(one)]
    return MetricRequest(others, find_error_labels(errors))


def materialize(value: Any) -> Any:
    """Hold what can be read only once, so that it can be read twice.

    >>> materialize({"a": (entity for entity in ("ab", iter("cd")))})
    {'a': ['ab', ['c', 'd']]}
    """
    if isinstance(value, Iterator):
        return [materialize(one) for one in value]
    if type(value) is dict:
        return {name: materialize(one) for name, one in value.items()}
    if type(value) in (list, tuple):
        return type(value)(materialize(one) for one in value)
    return value


_UNNAMED = re.compile(r"^response(?=:|$)")


def own_names(labels: Sequence[str], *, as_given: bool) -> list[str]:
    """Give every system a name of its own: as given, or by its file.

    >>> own_names(["runs/a.conll", "runs/b.conll"], as_given=False)
    ['a.conll', 'b.conll']
    >>> own_names(["x:a.conll", "x:a.conll"], as_given=True)
    ['1. x:a.conll', '2. x:a.conll']
    """
    if not as_given:
        return label_paths(labels)
    if len(set(labels)) < len(labels):
        return [f"{number}. {label}" for number, label in enumerate(labels, 1)]
    return list(labels)


def renamed(text: str, name: str) -> str:
    """Name what is in memory, which scoring can only call a response.

    >>> renamed("response: lacks document 'd'", "ours")
    "ours: lacks document 'd'"
    """
    return _UNNAMED.sub(lambda _: name, text)


def about(error: CorefkitError, name: str) -> CorefkitError:
    """Let an error name the system that it is about."""
    if error.place is None:
        return error
    place = renamed(error.place, name)
    return type(error)(error.message, code=error.code, place=place, hint=error.hint)


def nothing_scored(errors: Sequence[CorefkitError]) -> CorefkitError:
    """Put the errors of all responses together, none of which can be scored."""
    if len(errors) == 1:
        return errors[0]
    reasons = "; ".join(error.reason for error in errors)
    return FormatError(
        f"none of {len(errors)} responses can be scored: {reasons}",
        code="pairing/nothing-scored",
    )


# What a system may be given as.
ResponseInput: TypeAlias = "Input | Evaluation | StoredScores"


@dataclass(frozen=True, slots=True)
class Systems:
    """What there is to compare.

    Attributes:
        results: the scores of each system, by its name.
        refused: those that could not be scored, each with the reason.
        fresh: the names of those that were scored now, against the key.
        errors: the numbers of errors of each system, by name, one row a document.
    """

    results: Mapping[str, Scored]
    refused: Mapping[str, str] = field(default_factory=dict)
    fresh: tuple[str, ...] = ()
    errors: Mapping[str, Mapping[str, Floats]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScoringOptions:
    """How responses are scored.

    Attributes:
        asked: the metrics, and numbers of errors.
        format: the format of files; recognised if None.
        progress: called now and then with the work done and the whole work.
        skip_broken: whether to go on without responses that cannot be scored.
        keywords: the settings.
    """

    asked: MetricRequest = NOTHING_ASKED
    format: str | None = None
    progress: Progress | None = None
    skip_broken: bool = False
    keywords: Keywords = field(default_factory=Keywords)


DEFAULT_SCORING = ScoringOptions()


@dataclass(slots=True)
class _Entry:
    """One of the responses: what it was called, and what became of it."""

    response: Any
    name: str | None = None
    scored: list[Scored] = field(default_factory=list)
    error: CorefkitError | None = None
    is_fresh: bool = False
    errors: Mapping[str, Floats] = field(default_factory=dict)

    @property
    def labels(self) -> list[str]:
        """What its systems are called, before they are told apart."""
        if self.error is None:
            return [result.response for result in self.scored]
        return [self.called if self.name is None else self.name]

    @property
    def called(self) -> str:
        """What it is called without a name."""
        named = isinstance(self.response, str | os.PathLike)
        return os.fspath(self.response) if named else "response"


def gather_systems(
    key: Input | None,
    responses: Mapping[str, ResponseInput] | Iterable[ResponseInput],
    scoring: ScoringOptions = DEFAULT_SCORING,
) -> Systems:
    """Score responses, read what was stored, and tell all apart by their names.

    Responses that must be scored are scored together, with the metrics that the others
    have where none are asked for.

    >>> found = gather_systems(["abc"], {"A": ["ab"], "B": ["abc"]})
    >>> {name: result["muc"].recall for name, result in found.results.items()}
    {'A': 0.5, 'B': 1.0}
    """
    entries = _entries(responses)
    for entry in entries:
        _take(entry, skip_broken=scoring.skip_broken)
    fresh = [entry for entry in entries if not entry.scored and entry.error is None]
    if scoring.asked.errors:
        key = materialize(key)
        _prepare_errors(entries)
    if fresh:
        _score(key, entries, fresh, scoring)
    elif any(value is not None for value in scoring.keywords.values()) or (
        key is None and scoring.format is not None
    ):
        message = "stored scores keep the settings that they were computed with"
        raise SettingsError(
            message,
            code="settings/stored-scores",
            hint="leave out settings, or score again",
        )
    if scoring.asked.errors:
        _count_errors(cast("Input", key), entries, scoring)
    names = own_names(
        [label for entry in entries for label in entry.labels],
        as_given=isinstance(responses, Mapping),
    )
    return _named(entries, names, skip_broken=scoring.skip_broken)


def _entries(responses: object) -> list[_Entry]:
    if isinstance(responses, Mapping):
        entries = [_Entry(one, str(name)) for name, one in responses.items()]
        if any(not str(entry.name).strip() for entry in entries):
            message = "a system has no name"
            raise SettingsError(
                message,
                code="input/unnamed-response",
                hint="{'ours': response, 'theirs': response}",
            )
    elif isinstance(responses, str | bytes | os.PathLike | Evaluation | StoredScores):
        message = f"found one response ({responses!r:.60}), expected several"
        raise SettingsError(
            message,
            code="input/wrong-shape",
            hint="give [response, response], or a mapping",
        )
    elif isinstance(responses, Iterable):
        entries = [_Entry(one) for one in responses]
    else:
        message = f"found {responses!r:.60}, expected responses"
        raise SettingsError(
            message,
            code="input/wrong-shape",
            hint="give [response, response], or a mapping",
        )
    if not entries:
        message = "there are no responses to compare"
        raise SettingsError(
            message,
            code="input/no-response",
            hint="name two or more, or one for its intervals",
        )
    return entries


def _take(entry: _Entry, *, skip_broken: bool) -> None:
    """Take what is scored already, as it is or as it was stored."""
    response = entry.response
    if isinstance(response, Evaluation | StoredScores):
        named = response.response if entry.name is None else entry.name
        entry.scored = [replace(response, response=named)]
    elif isinstance(response, str | os.PathLike) and (
        is_stored(response) or is_counts(response)
    ):
        read = read_counts if is_counts(response) else read_stored
        try:
            entry.scored = [*read(response, name=entry.name)]
        except CorefkitError as error:
            if not skip_broken:
                raise
            entry.error = error


def shared_metrics(results: Sequence[Scored]) -> Metrics:
    """List the metrics that all results have, as the first has them; None of none.

    >>> import corefkit
    >>> one = corefkit.score(["ab"], ["ab"], metrics=["muc", "lea"])
    >>> two = corefkit.score(["ab"], ["ab"], metrics=["lea", "blanc"])
    >>> [metric.name for metric in shared_metrics([one, two])]
    ['lea']
    """
    if not results:
        return None
    made = {
        metric.name: metric
        for result in results
        if isinstance(result, Evaluation)
        for metric in result.metrics
    }
    return [
        made.get(name, name)
        for name in metric_names(results[0])
        if all(name in metric_names(result) for result in results)
    ]


def metric_names(result: Scored) -> list[str]:
    """List the metrics of a result; its scores need not be made for that."""
    return list(result if isinstance(result, Evaluation) else result.scores)


def _score(
    key: Input | None,
    entries: Sequence[_Entry],
    fresh: Sequence[_Entry],
    scoring: ScoringOptions,
) -> None:
    """Score the responses that are not scored yet, with one reading of the key."""
    if key is None:
        name = fresh[0].name or fresh[0].called
        message = "a key is needed to score responses, only stored results need none"
        raise SettingsError(
            message,
            code="settings/missing-value",
            hint=f"is {name} what score stored as JSON?",
        )
    asked = scoring.asked
    if asked.metrics is None and not asked.errors:
        asked = MetricRequest(
            shared_metrics([one for e in entries for one in e.scored])
        )
    found = score_submissions(
        key,
        [cast("Input", entry.response) for entry in fresh],
        metrics=asked.metrics if asked.asks_for_all else asked.scored,
        format=scoring.format,
        progress=scoring.progress,
        **scoring.keywords,
    )
    for entry, result in zip(fresh, found, strict=True):
        if isinstance(result, Refused):
            entry.error = result.error
            continue
        named = result.response if entry.name is None else entry.name
        entry.scored = [replace(result, response=named)]
        entry.is_fresh = True


def _prepare_errors(entries: Sequence[_Entry]) -> None:
    """Refuse what errors cannot be counted of, and hold what is read twice."""
    for entry in entries:
        if entry.scored:
            name = entry.name or entry.scored[0].response
            message = (
                f"{name} has scores, but no errors: these are counted in responses"
            )
            raise SettingsError(
                message, code="settings/stored-scores", hint="give the response itself"
            )
        entry.response = materialize(entry.response)


def _count_errors(
    key: Input, entries: Sequence[_Entry], scoring: ScoringOptions
) -> None:
    """Count the errors of all responses that could be scored."""
    from corefkit.analysis.errors import count_errors

    scored = [entry for entry in entries if entry.scored]
    refusals: dict[int, CorefkitError] = {}
    found = count_errors(
        key,
        [cast("Input", entry.response) for entry in scored],
        settings=resolve_settings(**scoring.keywords),
        format=scoring.format,
        refusals=refusals,
        progress=scoring.progress,
    )
    for number, entry in enumerate(scored):
        if number in found:
            entry.errors = found[number]
        else:
            entry.scored, entry.error = [], refusals[number]


def _named(
    entries: Sequence[_Entry], names: Sequence[str], *, skip_broken: bool
) -> Systems:
    """Put systems together by their names; raise what is wrong with one, or say it."""
    rest = iter(names)
    results: dict[str, Scored] = {}
    broken: dict[str, CorefkitError] = {}
    fresh: list[str] = []
    errors: dict[str, Mapping[str, Floats]] = {}
    for entry in entries:
        if entry.error is not None:
            name = next(rest)
            broken[name] = about(entry.error, name)
            if not skip_broken:
                raise broken[name]
        for result in entry.scored:
            name = next(rest)
            results[name] = replace(
                result,
                response=name,
                notes=tuple(renamed(note, name) for note in result.notes),
                warnings=tuple(renamed(text, name) for text in result.warnings),
            )
            fresh += [name] * entry.is_fresh
            errors[name] = entry.errors
    if not results:
        raise nothing_scored([*broken.values()])
    refused = {name: error.reason for name, error in broken.items()}
    return Systems(results, refused, tuple(fresh), errors)


_NEAR = 1e-9
STORE = "store them with `corefkit score --format json --per-document`"


def find_settings(result: Scored) -> Settings:
    """Find the settings of a result, which a file may not say.

    >>> import corefkit
    >>> find_settings(corefkit.score(["ab"], ["ab"], average="macro")).average
    'macro'
    """
    if isinstance(result, Evaluation):
        return result.settings
    if result.changed is None:
        message = "does not say which settings its scores were computed with"
        raise FormatError(
            message,
            code="format/incomplete-scores",
            place=result.response,
            hint="score again",
        )
    try:
        return Settings(**result.changed)
    except (SettingsError, TypeError) as error:
        # Another version may have had others.
        message = f"has settings that are not known: {result.signature}"
        raise FormatError(
            message,
            code="format/incomplete-scores",
            place=result.response,
            hint="score again",
        ) from error


def metrics_of(
    results: Mapping[str, Scored], asked: MetricRequest = NOTHING_ASKED
) -> tuple[tuple[Metric, ...], list[str]]:
    """Find the metrics to compare, and say which are left out.

    They are those that are asked for, or else all that every result has.

    >>> import corefkit
    >>> one = corefkit.score(["ab"], ["ab"], metrics=["muc", "lea"])
    >>> two = corefkit.score(["ab"], ["ab"], metrics=["lea"])
    >>> metrics, notes = metrics_of({"A": one, "B": two})
    >>> [metric.name for metric in metrics], notes
    (['lea'], ['not every result has muc, which is left out'])
    """
    known = _known(results.values())
    if asked.errors and not asked.metrics:
        return (), []
    if asked.metrics is not None and not asked.asks_for_all:
        # A user's own metric may be named if a result has it.
        chosen = find_metrics(
            [
                known.get(one, one) if isinstance(one, str) else one
                for one in asked.metrics
            ]
        )
        for name, result in results.items():
            present = metric_names(result)
            lacking = [one.name for one in chosen if one.name not in present]
            if lacking:
                found = ", ".join(present)
                message = f"has no scores of {', '.join(lacking)}, only of {found}"
                raise FormatError(
                    message,
                    code="format/incomplete-scores",
                    place=name,
                    hint="score it again",
                )
        return chosen, []
    listed = [metric_names(result) for result in results.values()]
    every = dict.fromkeys(chain.from_iterable(listed))
    shared = [name for name in every if all(name in names for names in listed)]
    if not shared:
        message = "the results have no metric in common"
        raise SettingsError(
            message,
            code="pairing/no-common-metric",
            hint="score them again with the same metrics",
        )
    others = ", ".join(name for name in every if name not in shared)
    notes = [f"not every result has {others}, which is left out"] if others else []
    return tuple(known[name] for name in shared), notes


def _known(results: Iterable[Scored]) -> dict[str, Metric]:
    """Find every metric that results have: the registry's, or a user's own.

    Of one that was stored only its counts are known. Most metrics are ratios of them,
    and whether this one is, its scores will tell.
    """
    results = list(results)
    own = [m for one in results if isinstance(one, Evaluation) for m in one.metrics]
    registry = {metric.name: metric for metric in iter_metrics()}
    # It refuses two metrics of one name.
    made = {metric.name: metric for metric in (find_metrics(own) if own else ())}
    return {
        name: made.get(name) or registry.get(name) or Metric(name, name, _cannot_count)
        for result in results
        for name in metric_names(result)
    }


def _cannot_count(table: Overlap) -> NoReturn:
    del table
    message = "a metric that was read from a file has counts, but cannot count"
    raise SettingsError(message, code="engine/counts-only")


def collect_counts(result: Scored, metric: Metric, settings: Settings) -> Floats:
    """List the counts of a metric, one row a document.

    What was stored is scored again, and refused if its scores do not come out: then
    the file lacks counts, or the metric is somebody's own and makes its scores in its
    own way.
    """
    if isinstance(result, Evaluation):
        return result.counts[metric.name]
    scores = [document[metric.name] for document in result.per_document]
    # Small documents share their scores, each of which is looked at once.
    number: dict[int, int] = {}
    places = [number.setdefault(id(score), len(number)) for score in scores]
    single = list({id(score): score for score in scores}.values())
    rows = [_row(score) for score in single]
    widths = {len(row) for row in rows}
    if len(widths) > 1:
        raise _without_counts(result, metric)
    unlike = np.array(rows, np.float64).reshape(len(rows), *widths)
    counts: Floats = unlike[np.array(places, np.int64)]
    checks = [*zip(unlike, single, strict=True)]
    if not settings.is_macro and rows:
        checks.append((counts.sum(axis=0), result.scores[metric.name]))
    for row, score in checks:
        if not _makes(metric, row, score, settings):
            raise _without_counts(result, metric)
    return counts


def _row(score: Score) -> Sequence[float]:
    return score.counts or [getattr(score, name) for name in COUNTS]


def _makes(metric: Metric, row: Floats, score: Score, settings: Settings) -> bool:
    """Say whether a metric makes a score of a row of counts."""
    try:
        made = metric.score(row, settings)
    except (ValueError, IndexError, TypeError):
        return False
    return all(
        _are_near(getattr(made, name), getattr(score, name))
        for name in ("recall", "precision", "f1", "value")
    )


def _are_near(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, abs_tol=_NEAR)


def _without_counts(result: StoredScores, metric: Metric) -> FormatError:
    name = quoted(metric.name)
    message = f"its scores of {name} cannot be made again from the counts stored there"
    known = any(metric.name == one.name for one in iter_metrics())
    hint = (
        f"older versions left counts out: score again, and {STORE}"
        if known
        else f"{name} is not a metric of corefkit: give the responses and the metric"
    )
    return FormatError(
        message, code="format/incomplete-scores", place=result.response, hint=hint
    )


_TOO_MANY = 0.05  # of the texts, that a system may lack without being named


@dataclass(frozen=True, slots=True)
class Shared:
    """The documents that are compared.

    Attributes:
        documents: their ids.
        rows: for each system, the rows of these documents among its own.
        notes: what a user should know about them.
    """

    documents: tuple[str, ...]
    rows: tuple[Ints, ...]
    notes: tuple[str, ...] = ()


def check_settings(results: Mapping[str, Scored]) -> None:
    """Refuse results that were computed in different ways.

    >>> import corefkit
    >>> one = corefkit.score(["ab"], ["ab"])
    >>> check_settings({"A": one, "B": corefkit.score(["ab"], ["a"], average="macro")})
    Traceback (most recent call last):
    corefkit.exceptions.PairingError: A and B cannot be compared: \
average: micro against macro
    <BLANKLINE>
    hint: score both with the same settings
    """
    (name, first), *others = results.items()
    for other, result in others:
        reasons = compare_settings(first, result)
        if reasons:
            hint = "score both with the same settings"
            if any(reason.startswith("tokens:") for reason in reasons):
                hint = "compare all of them by characters: --tokens characters"
            raise _refusal(name, other, reasons, hint)


def shared_documents(results: Mapping[str, Scored], settings: Settings) -> Shared:
    """Find the documents of all results, which must be those of one key.

    Where documents that a response lacks are left out (`missing: skip`), those are
    compared that no response lacks.
    """
    (name, first), *others = results.items()
    ids = [_ids(result) for result in results.values()]
    if any(set(one) != set(ids[0]) for one in ids):
        # Formats write the same id in different ways. The reference scorer tells
        # documents apart that are one to others: then ids stay as they are.
        alike = [[normalize_id(document) for document in one] for one in ids]
        if all(len(set(one)) == len(one) for one in alike):
            ids = alike
    common = set(ids[0]).intersection(*ids)
    if not settings.skips_missing:
        for (other, result), theirs in zip(others, ids[1:], strict=True):
            _check_corpus(name, first, other, result)
            if set(theirs) != set(ids[0]):
                alone = sorted(set(ids[0]) ^ set(theirs))
                reason = f"only one of them has document {quoted(alone[0])}"
                raise _refusal(name, other, [reason], _SAME_KEY)
    if not common:
        message = "the systems have no document in common"
        hint = "are these responses to one key?" if any(ids) else "the key has none"
        raise PairingError(message, code="pairing/no-common-document", hint=hint)
    numbers = [{one: row for row, one in enumerate(theirs)} for theirs in ids]
    chosen = [document for document in ids[0] if document in common]
    rows = tuple(
        np.array([number[document] for document in chosen], np.int64)
        for number in numbers
    )
    notes: tuple[str, ...] = ()
    if settings.skips_missing:
        _check_parts(results, rows)
        every = len(set().union(*ids))
        if len(common) < every:
            note = f"{len(common)} of {every} documents are compared: those that no"
            notes = (f"{note} response lacks",)
    documents = _ids(first)
    return Shared(tuple(documents[row] for row in rows[0].tolist()), rows, notes)


_SAME_KEY = "score both against the same key"


def _ids(result: Scored) -> list[str]:
    if isinstance(result, Evaluation):
        return list(result.documents)
    ids = [document.document for document in result.per_document]
    if len(ids) != result.document_count:
        message = "has no scores of single documents, and tests are made of these"
        if ids:
            found = f"{len(ids)} documents, expected {result.document_count}"
            message = f"has the scores of {found}"
        raise FormatError(
            message, code="format/incomplete-scores", place=result.response, hint=STORE
        )
    if len(set(ids)) < len(ids):
        twice = next(one for one, times in Counter(ids).items() if times > 1)
        message = f"has document {quoted(twice)} twice"
        raise FormatError(
            message, code="pairing/repeated-document", place=result.response
        )
    return ids


def _check_corpus(name: str, first: Scored, other: str, result: Scored) -> None:
    reasons = differences(*map(_undeclared, (first.corpus, result.corpus)))
    if reasons:
        raise _refusal(name, other, reasons, _SAME_KEY)


def _check_parts(results: Mapping[str, Scored], rows: Sequence[Ints]) -> None:
    """Check the corpus of the documents that are compared, if some are left out."""
    (name, first), *others = results.items()
    ours = _part(name, first, rows[0])
    for (other, result), theirs in zip(others, rows[1:], strict=True):
        reasons = differences(ours, _part(other, result, theirs))
        if reasons:
            raise _refusal(name, other, reasons, _SAME_KEY)


def _part(name: str, result: Scored, rows: Ints) -> Fingerprint:
    if len(rows) == result.document_count:
        return _undeclared(result.corpus)
    if isinstance(result, Evaluation):
        return combine_fingerprints(result.prints[rows])
    message = "left out documents, and does not say that it has the others' texts"
    hint = "score again with --missing empty, or give the responses themselves"
    raise PairingError(message, code="pairing/different-text", place=name, hint=hint)


def check_key(
    key: Input, results: Mapping[str, Scored], format: str | None = None
) -> None:
    """Refuse a key that stored results were not scored against."""
    corpora: dict[str, Fingerprint] = {}  # what is read depends on the settings
    for name, result in results.items():
        if result.signature not in corpora:
            settings = find_settings(result)
            corpora[result.signature] = _corpus_of(key, settings, format)
        corpus = corpora[result.signature]
        reasons = differences(corpus, _undeclared(result.corpus))
        if reasons:
            message = f"was scored against another key: {'; '.join(reasons)}"
            hint = "leave out the key, or score against this one"
            raise PairingError(
                message, code="pairing/different-key", place=name, hint=hint
            )


def _corpus_of(key: Input, settings: Settings, format: str | None) -> Fingerprint:
    """Fingerprint a key as scoring reads it."""
    rows = [NO_FINGERPRINTS]
    with open_runs(key, [], settings=settings, format=format, alone=True) as runs:
        for _, block in iter_aligned_blocks(runs):
            rows.append(compute_fingerprints(block.key_read))
    return combine_fingerprints(np.concatenate(rows))


def _undeclared(corpus: Fingerprint) -> Fingerprint:
    return replace(corpus, declared=NOTHING_DECLARED)


def declared_differences(results: Mapping[str, Scored]) -> list[str]:
    """Say where systems declare that they were given different things."""
    (name, first), *others = results.items()
    found: dict[str, list[str]] = {}
    for other, result in others:
        ours, theirs = (
            Fingerprint(declared=corpus.declared)
            for corpus in (first.corpus, result.corpus)
        )
        for reason in differences(ours, theirs):
            found.setdefault(reason, []).append(other)
    return [
        f"{name} and {', '.join(names)} were given different things: {reason}"
        for reason, names in found.items()
    ]


def lacking(
    results: Mapping[str, Scored], shared: Shared, units: Sequence[str]
) -> list[str]:
    """Name the systems that lack documents of more than a few texts.

    `units` has the text of each document that is compared.
    """
    texts = len(set(units))
    found = []
    for (name, result), mine in zip(results.items(), shared.rows, strict=True):
        absent = set(result.missing)
        ids = _ids(result)
        pairs = zip(units, mine.tolist(), strict=True)
        lost = {unit for unit, row in pairs if ids[row] in absent}
        if len(lost) > _TOO_MANY * texts:
            many = f"{len(lost)} of {texts} texts"
            found.append(f"{name} lacks documents of {many}, which are scored as empty")
    return found


def _refusal(
    first: str, second: str, reasons: Sequence[str], hint: str
) -> PairingError:
    message = f"{first} and {second} cannot be compared: {'; '.join(reasons)}"
    return PairingError(message, code="pairing/not-comparable", hint=hint)
