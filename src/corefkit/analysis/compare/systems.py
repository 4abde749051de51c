"""Systems: responses with names, scored now or stored before."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from corefkit.analysis.compare.asked import NOTHING_ASKED, Asked, held
from corefkit.analysis.compare.naming import (
    about,
    nothing_scored,
    own_names,
    renamed,
)
from corefkit.evaluation import Evaluation
from corefkit.exceptions import CorefkitError, Refused, SettingsError
from corefkit.report.counts import is_counts, read_counts
from corefkit.report.stored import StoredScores, is_stored, read_stored
from corefkit.scoring import score_submissions
from corefkit.settings.keywords import Keywords, settings_from

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.alignment.pipeline import Progress
    from corefkit.analysis.compare.asked import Metrics
    from corefkit.columns import Floats
    from corefkit.formats.inputs import Input
    from corefkit.report.stored import Scored

# What a system may be given as.
Given: TypeAlias = "Input | Evaluation | StoredScores"


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
class Scoring:
    """How responses are scored.

    Attributes:
        asked: the metrics, and numbers of errors.
        format: the format of files; recognised if None.
        progress: called now and then with the work done and the whole work.
        skip_broken: whether to go on without responses that cannot be scored.
        keywords: the settings.
    """

    asked: Asked = NOTHING_ASKED
    format: str | None = None
    progress: Progress | None = None
    skip_broken: bool = False
    keywords: Keywords = field(default_factory=Keywords)


DEFAULT_SCORING = Scoring()


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


def systems_of(
    key: Input | None,
    responses: Mapping[str, Given] | Iterable[Given],
    scoring: Scoring = DEFAULT_SCORING,
) -> Systems:
    """Score responses, read what was stored, and tell all apart by their names.

    Responses that must be scored are scored together, with the metrics that the others
    have where none are asked for.

    >>> found = systems_of(["abc"], {"A": ["ab"], "B": ["abc"]})
    >>> {name: result["muc"].recall for name, result in found.results.items()}
    {'A': 0.5, 'B': 1.0}
    """
    entries = _entries(responses)
    for entry in entries:
        _take(entry, skip_broken=scoring.skip_broken)
    fresh = [entry for entry in entries if not entry.scored and entry.error is None]
    if scoring.asked.errors:
        key = held(key)
        _prepare_errors(entries)
    if fresh:
        _score(key, entries, fresh, scoring)
    elif any(value is not None for value in scoring.keywords.values()) or (
        key is None and scoring.format is not None
    ):
        message = "stored scores keep the settings that they were computed with"
        raise SettingsError(message, hint="leave out settings, or score again")
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
            raise SettingsError(message, hint="{'ours': response, 'theirs': response}")
    elif isinstance(responses, str | bytes | os.PathLike | Evaluation | StoredScores):
        message = f"found one response ({responses!r:.60}), expected several"
        raise SettingsError(message, hint="give [response, response], or a mapping")
    elif isinstance(responses, Iterable):
        entries = [_Entry(one) for one in responses]
    else:
        message = f"found {responses!r:.60}, expected responses"
        raise SettingsError(message, hint="give [response, response], or a mapping")
    if not entries:
        message = "there are no responses to compare"
        raise SettingsError(message, hint="name two or more, or one for its intervals")
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
    scoring: Scoring,
) -> None:
    """Score the responses that are not scored yet, with one reading of the key."""
    if key is None:
        name = fresh[0].name or fresh[0].called
        message = "a key is needed to score responses, only stored results need none"
        raise SettingsError(message, hint=f"is {name} what score stored as JSON?")
    asked = scoring.asked
    if asked.metrics is None and not asked.errors:
        asked = Asked(shared_metrics([one for e in entries for one in e.scored]))
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
            raise SettingsError(message, hint="give the response itself")
        entry.response = held(entry.response)


def _count_errors(key: Input, entries: Sequence[_Entry], scoring: Scoring) -> None:
    """Count the errors of all responses that could be scored."""
    from corefkit.analysis.errors.counting import error_counts

    scored = [entry for entry in entries if entry.scored]
    refusals: dict[int, CorefkitError] = {}
    found = error_counts(
        key,
        [cast("Input", entry.response) for entry in scored],
        settings=settings_from(**scoring.keywords),
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
