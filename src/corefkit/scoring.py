"""Scoring: aligned blocks of documents counted by the metrics.

Rows of counts, one a document, are what stays of a block.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Unpack, cast

from corefkit.alignment.pipeline import opened_runs
from corefkit.exceptions import CorefkitError, Refused, SettingsError
from corefkit.metrics import asks_for_all, chosen_metrics
from corefkit.settings import DEFAULT_SETTINGS
from corefkit.settings.keywords import Keywords, names_settings, settings_from
from corefkit.tally import counted_runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.alignment.pipeline import Progress
    from corefkit.alignment.runs import Run
    from corefkit.engines.base import Engine
    from corefkit.evaluation import Evaluation
    from corefkit.formats.inputs import Input
    from corefkit.metrics.base import Metric
    from corefkit.settings import Settings
    from corefkit.tally import Tally


@names_settings
def score(
    key: Input,
    response: Input,
    *,
    metrics: str | Iterable[str | Metric] | None = None,
    format: str | None = None,
    engine: str | Engine | None = None,
    jobs: int | None = None,
    **keywords: Unpack[Keywords],
) -> Evaluation:
    """Score a response against the key.

    Args:
        key: a file, documents that `corefkit.read` gave, a partition (an iterable of
            entities, each an iterable of mentions), a list of partitions, a mapping of
            document ids to partitions, objects of JSON lines, or a table;
            `corefkit.formats.memory.shapes` has all shapes.
        response: likewise; beside a file, mentions in memory are spans
            `(first token, last token)`.
        metrics: names or `Metric` values; the default set if not given; `all` for all
            that settings and inputs allow, and notes say which are left out.
        keywords: the settings, by name.
        format: the format of files; recognised if not given.
        engine: for tables that outgrow memory: `duckdb`, `spark`, or an engine of
            `corefkit.engines`; key and response are then Parquet files or its frames.
        jobs: how many processes count documents; one, this one, if not given. Others
            are forked from this one, which should have no threads at work then.

    >>> import corefkit
    >>> result = corefkit.score(["abc", "defg"], ["ab", "cd", "fghi"])
    >>> round(result["b_cubed"].f1, 4)
    0.4545
    """
    (evaluation,) = score_responses(
        key,
        [response],
        metrics=metrics,
        format=format,
        engine=engine,
        jobs=jobs,
        **keywords,
    )
    return evaluation


@names_settings
def score_responses(
    key: Input,
    responses: Iterable[Input] | Mapping[str, Input],
    *,
    metrics: str | Iterable[str | Metric] | None = None,
    format: str | None = None,
    progress: Progress | None = None,
    engine: str | Engine | None = None,
    jobs: int | None = None,
    **keywords: Unpack[Keywords],
) -> list[Evaluation]:
    """Score several responses against one key, which is read once.

    Args:
        key: as for `score`.
        responses: each as for `score`; in a mapping, the names they are shown by.
        metrics: names or `Metric` values; the default set if not given.
        format: the format of files; recognised if not given.
        progress: called now and then with the work done and the whole work.
        engine: as for `score`.
        jobs: as for `score`.
        keywords: the settings, as for `score`.

    >>> both = score_responses(["abc"], [["ab"], ["abc"]], singletons="drop")
    >>> [evaluation["lea"].f1 for evaluation in both]
    [0.5, 1.0]
    >>> [named.response for named in score_responses(["abc"], {"base": ["ab"]})]
    ['base']
    """
    how = _How(format, progress, engine, jobs)
    found = _scored(key, responses, metrics, how, keywords)
    return cast("list[Evaluation]", found)  # one that is refused raises


@names_settings
def score_submissions(
    key: Input,
    responses: Iterable[Input] | Mapping[str, Input],
    *,
    metrics: str | Iterable[str | Metric] | None = None,
    format: str | None = None,
    progress: Progress | None = None,
    engine: str | Engine | None = None,
    jobs: int | None = None,
    **keywords: Unpack[Keywords],
) -> list[Evaluation | Refused]:
    """Score several responses against one key, and go on where one is broken.

    It takes what `score_responses` takes. A response that cannot be opened, paired,
    read or counted gives a `Refused` in its place, with the error; the others have the
    scores that they have without it. What is wrong with the key, or with the settings,
    is raised.

    >>> both = score_submissions({"d": ["abc"]}, [{"d": ["ab"]}, {"e": ["ab"]}])
    >>> both[0]["lea"].f1, both[1].error.message.partition(":")[0]
    (0.5, 'no document in common with key')
    """
    how = _How(format, progress, engine, jobs, refusals={})
    return _scored(key, responses, metrics, how, keywords)


class _How(NamedTuple):
    """What changes how scores are made, and not the scores."""

    format: str | None
    progress: Progress | None
    engine: str | Engine | None
    jobs: int | None
    # Why responses were left out, by their numbers; None where one that fails raises.
    refusals: dict[int, CorefkitError] | None = None


def _scored(
    key: Input,
    responses: Iterable[Input] | Mapping[str, Input],
    metrics: str | Iterable[str | Metric] | None,
    how: _How,
    keywords: Keywords,
) -> list[Evaluation | Refused]:
    """Score responses, in their order; refuse broken ones where refusals are kept."""
    changed = any([value is not None for value in keywords.values()])
    settings = settings_from(**keywords) if changed else DEFAULT_SETTINGS
    if isinstance(metrics, Iterator):
        metrics = list(metrics)
    asks = metrics is not None and asks_for_all(metrics)
    wanted, notes = _metrics_for(metrics, settings, keywords, asks=asks)
    names = None
    if isinstance(responses, Mapping):
        names, responses = list(responses), list(responses.values())
    elif isinstance(responses, Iterator):
        responses = list(responses)
    score = _from_sources if how.engine is None else _from_tables
    found: dict[int, Evaluation | Refused] = {
        **score(key, responses, wanted, settings, how)
    }
    for number, reason in (how.refusals or {}).items():
        found[number] = Refused(_name(list(responses)[number]), reason)
    ordered = list(map(found.__getitem__, sorted(found)))
    if asks:
        ordered = _with_what_is_there(ordered, notes)
    if names is None:
        return ordered
    return [
        replace(result, response=name)
        for name, result in zip(names, ordered, strict=True)
    ]


def _metrics_for(
    metrics: str | Iterable[str | Metric] | None,
    settings: Settings,
    keywords: Keywords,
    *,
    asks: bool,
) -> tuple[tuple[Metric, ...], Sequence[str]]:
    """Find the metrics to count, and say which of all are left out where asked."""
    wanted = chosen_metrics(metrics)
    notes: tuple[str, ...] = ()
    if asks:
        # Imported here because few scores ask for it, and every start would pay.
        from corefkit.metrics.every import metrics_for

        wanted, notes = metrics_for(metrics, settings, keywords)
    if settings.scores_split:
        from corefkit.metrics.split import check_metrics

        check_metrics(wanted)
    return wanted, notes


def _with_what_is_there(
    found: list[Evaluation | Refused], notes: Sequence[str]
) -> list[Evaluation | Refused]:
    """Leave out metrics of what no response and no key has; say what is left out."""
    from corefkit.metrics.every import without_what_is_not_there

    scored = [one for one in found if not isinstance(one, Refused)]
    if not scored:
        return found
    scores = [one.scores for one in scored]
    metrics, more = without_what_is_not_there(scored[0].metrics, scores)
    return [
        one
        if isinstance(one, Refused)
        else replace(
            one,
            metrics=metrics,
            counts={metric.name: one.counts[metric.name] for metric in metrics},
            notes=(*one.notes, *notes, *more),
        )
        for one in found
    ]


def _from_sources(
    key: Input,
    responses: Iterable[Input],
    metrics: tuple[Metric, ...],
    settings: Settings,
    how: _How,
) -> dict[int, Evaluation]:
    """Read and score responses; those that are refused are left out."""
    if how.jobs is not None and not (isinstance(how.jobs, int) and how.jobs >= 1):
        message = f"jobs is {how.jobs!r}, expected a number of processes, 1 or more"
        raise SettingsError(message)
    found: dict[int, Evaluation] = {}
    with opened_runs(
        key, responses, settings=settings, format=how.format, refusals=how.refusals
    ) as runs:
        tallies = _tallies(runs, metrics, how)
        for run in runs:
            if how.refusals and run.is_refused:
                continue
            try:
                found[run.number] = tallies[run.number].evaluation(run)
            except (CorefkitError, OSError) as error:
                run.refuse(error)
    return found


def _tallies(
    runs: Sequence[Run], metrics: tuple[Metric, ...], how: _How
) -> dict[int, Tally]:
    if how.jobs is None or how.jobs == 1 or all(len(run.numbers) < 2 for run in runs):
        return counted_runs(runs, metrics, how.progress)
    # Imported here because few scores ask for it, and every start would pay.
    from corefkit.processes import counted_in_processes

    return counted_in_processes(runs, metrics, jobs=how.jobs, progress=how.progress)


def _from_tables(
    key: Input,
    responses: Iterable[Input],
    metrics: tuple[Metric, ...],
    settings: Settings,
    how: _How,
) -> dict[int, Evaluation]:
    """Let an engine bring mentions together; responses refused are left out."""
    # Imported here because few scores ask for it, and every start would pay.
    from corefkit.engines.scoring import score_tables

    if how.jobs is not None:
        message = "an engine has processes of its own: jobs is for files"
        raise SettingsError(message, hint="leave out the engine, or the jobs")
    return score_tables(
        *(cast("str | Engine", how.engine), key, list(responses), metrics, settings),
        format=how.format,
        progress=how.progress,
        refusals=how.refusals,
    )


def _name(response: Input) -> str:
    """Name a response that was not opened as one that was: by its path."""
    return (
        os.fspath(response) if isinstance(response, str | os.PathLike) else "response"
    )
