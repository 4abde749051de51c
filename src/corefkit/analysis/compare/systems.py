"""Systems: responses with names, scored now or stored before."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from corefkit.evaluation import Evaluation
from corefkit.exceptions import CorefkitError, FormatError, Refused, SettingsError
from corefkit.metrics import chosen_metrics
from corefkit.report.names import names_of
from corefkit.report.stored import StoredScores, is_stored, read_stored
from corefkit.scoring import score_responses, score_submissions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.alignment.pipeline import Progress
    from corefkit.formats.inputs import Input
    from corefkit.metrics.base import Metric
    from corefkit.report.stored import Scored
    from corefkit.settings.keywords import Keywords

# What a system may be given as.
Given: TypeAlias = "Input | Evaluation | StoredScores"
Metrics: TypeAlias = "Sequence[str | Metric] | None"


@dataclass(frozen=True, slots=True)
class Systems:
    """What there is to compare.

    Attributes:
        results: the scores of each system, by its name.
        refused: those that could not be scored, each with the reason.
        fresh: the names of those that were scored now, against the key.
    """

    results: Mapping[str, Scored]
    refused: Mapping[str, str] = field(default_factory=dict)
    fresh: tuple[str, ...] = ()


@dataclass(slots=True)
class _Entry:
    """One of the responses: what it was called, and what became of it."""

    response: Any
    name: str | None = None
    scored: list[Scored] = field(default_factory=list)
    error: CorefkitError | None = None
    is_fresh: bool = False

    @property
    def labels(self) -> list[str]:
        """What its systems are called, before they are told apart."""
        if self.error is None:
            return [result.response for result in self.scored]
        if self.name is not None:
            return [self.name]
        named = isinstance(self.response, str | os.PathLike)
        return [os.fspath(self.response) if named else "response"]


def systems_of(
    key: Input | None,
    responses: Mapping[str, Given] | Iterable[Given],
    *,
    metrics: Metrics = None,
    format: str | None = None,
    progress: Progress | None = None,
    skip_broken: bool = False,
    keywords: Keywords | None = None,
) -> Systems:
    """Score responses, read what was stored, and tell all apart by their names.

    Responses that must be scored are scored together, with the metrics that the others
    have where none are asked for.

    >>> found = systems_of(["abc"], {"A": ["ab"], "B": ["abc"]}, metrics=["muc"])
    >>> {name: result["muc"].recall for name, result in found.results.items()}
    {'A': 0.5, 'B': 1.0}
    """
    entries = _entries(responses)
    for entry in entries:
        _take(entry, skip_broken=skip_broken)
    fresh = [entry for entry in entries if not entry.scored and entry.error is None]
    keywords = keywords or {}
    if fresh:
        if metrics is None:
            metrics = shared_metrics([one for e in entries for one in e.scored])
        _score(key, fresh, metrics, format, progress, skip_broken, keywords)
    elif any(value is not None for value in keywords.values()) or (format and not key):
        message = "stored scores keep the settings that they were computed with"
        raise SettingsError(message, hint="leave out settings, or score again")
    if not any(entry.scored for entry in entries):
        raise _nothing_scored([entry.error for entry in entries if entry.error])
    return _named(entries, keep_names=isinstance(responses, Mapping))


def _nothing_scored(errors: Sequence[CorefkitError]) -> CorefkitError:
    if len(errors) == 1:
        return errors[0]
    reasons = "; ".join(error.reason for error in errors)
    return FormatError(f"none of {len(errors)} responses can be scored: {reasons}")


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
    elif isinstance(response, str | os.PathLike) and is_stored(response):
        try:
            entry.scored = [*read_stored(response, name=entry.name)]
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
        for name in results[0].scores
        if all(name in result.scores for result in results)
    ]


def _score(
    key: Input | None,
    fresh: Sequence[_Entry],
    metrics: Metrics,
    format: str | None,
    progress: Progress | None,
    skip_broken: bool,
    keywords: Keywords,
) -> None:
    """Score the responses that are not scored yet, with one reading of the key."""
    if key is None:
        name = fresh[0].labels or [fresh[0].name or "a response"]
        message = "a key is needed to score responses, only stored results need none"
        raise SettingsError(message, hint=f"is {name[0]} what score stored as JSON?")
    score = score_submissions if skip_broken else score_responses
    found = score(
        key,
        [cast("Input", entry.response) for entry in fresh],
        metrics=chosen_metrics(metrics),
        format=format,
        progress=progress,
        **keywords,
    )
    for entry, result in zip(fresh, found, strict=True):
        if isinstance(result, Refused):
            entry.error = result.error
            continue
        named = result.response if entry.name is None else entry.name
        entry.scored = [replace(result, response=named)]
        entry.is_fresh = True


def _named(entries: Sequence[_Entry], *, keep_names: bool) -> Systems:
    """Give every system a name of its own."""
    labels = [label for entry in entries for label in entry.labels]
    if not keep_names:
        labels = names_of(labels)
    elif len(set(labels)) < len(labels):
        labels = [f"{number}. {label}" for number, label in enumerate(labels, 1)]
    names = iter(labels)
    results: dict[str, Scored] = {}
    refused: dict[str, str] = {}
    fresh: list[str] = []
    for entry in entries:
        if entry.error is not None:
            refused[next(names)] = entry.error.reason
        for result in entry.scored:
            name = next(names)
            results[name] = replace(result, response=name)
            fresh += [name] * entry.is_fresh
    return Systems(results, refused, tuple(fresh))
