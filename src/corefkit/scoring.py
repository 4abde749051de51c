"""Scoring: aligned blocks of documents counted by the metrics.

Rows of counts, one a document, are what stays of a block.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack, cast

from corefkit.alignment.pipeline import aligned_blocks, opened_runs
from corefkit.corpus.prints import document_prints
from corefkit.exceptions import CorefkitError, Refused
from corefkit.metrics import chosen_metrics
from corefkit.settings import DEFAULT_SETTINGS
from corefkit.settings.keywords import Keywords, names_settings, settings_from
from corefkit.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.alignment.pipeline import Progress
    from corefkit.alignment.runs import Run
    from corefkit.columns import Columns
    from corefkit.engines.base import Engine
    from corefkit.evaluation import Evaluation
    from corefkit.formats.inputs import Input
    from corefkit.metrics.base import Metric
    from corefkit.settings import Settings


@names_settings
def score(
    key: Input,
    response: Input,
    *,
    metrics: str | Iterable[str | Metric] | None = None,
    format: str | None = None,
    engine: str | Engine | None = None,
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
        metrics: names or `Metric` values; the default set if not given.
        keywords: the settings, by name.
        format: the format of files; recognised if not given.
        engine: for tables that outgrow memory: `duckdb`, `spark`, or an engine of
            `corefkit.engines`; key and response are then Parquet files or its frames.

    >>> import corefkit
    >>> result = corefkit.score(["abc", "defg"], ["ab", "cd", "fghi"])
    >>> round(result["b_cubed"].f1, 4)
    0.4545
    """
    (evaluation,) = score_responses(
        key, [response], metrics=metrics, format=format, engine=engine, **keywords
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
        keywords: the settings, as for `score`.

    >>> both = score_responses(["abc"], [["ab"], ["abc"]], singletons="drop")
    >>> [evaluation["lea"].f1 for evaluation in both]
    [0.5, 1.0]
    >>> [named.response for named in score_responses(["abc"], {"base": ["ab"]})]
    ['base']
    """
    found = _scored(key, responses, metrics, format, progress, engine, None, keywords)
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
    return _scored(key, responses, metrics, format, progress, engine, {}, keywords)


def _scored(
    key: Input,
    responses: Iterable[Input] | Mapping[str, Input],
    metrics: str | Iterable[str | Metric] | None,
    format: str | None,
    progress: Progress | None,
    engine: str | Engine | None,
    refusals: dict[int, CorefkitError] | None,
    keywords: Keywords,
) -> list[Evaluation | Refused]:
    """Score responses, in their order; refuse broken ones where refusals are kept."""
    changed = any([value is not None for value in keywords.values()])
    settings = settings_from(**keywords) if changed else DEFAULT_SETTINGS
    wanted = chosen_metrics(metrics)
    if settings.scores_split:
        from corefkit.metrics.split import check_metrics

        check_metrics(wanted)
    names = None
    if isinstance(responses, Mapping):
        names, responses = list(responses), list(responses.values())
    elif isinstance(responses, Iterator):
        responses = list(responses)
    found: dict[int, Evaluation | Refused] = {}
    if engine is None:
        found |= _read(key, responses, wanted, settings, format, progress, refusals)
    else:
        # Imported here because few scores ask for it, and every start would pay.
        from corefkit.engines.scoring import score_tables

        found |= score_tables(
            *(engine, key, list(responses), wanted, settings),
            format=format,
            progress=progress,
            refusals=refusals,
        )
    for number, reason in (refusals or {}).items():
        found[number] = Refused(_name(list(responses)[number]), reason)
    ordered = list(map(found.__getitem__, sorted(found)))
    if names is None:
        return ordered
    return [
        replace(result, response=name)
        for name, result in zip(names, ordered, strict=True)
    ]


def _read(
    key: Input,
    responses: Iterable[Input],
    metrics: tuple[Metric, ...],
    settings: Settings,
    format: str | None,
    progress: Progress | None,
    refusals: dict[int, CorefkitError] | None,
) -> dict[int, Evaluation]:
    """Read and score responses; those that are refused are left out."""
    found: dict[int, Evaluation] = {}
    with opened_runs(
        key, responses, settings=settings, format=format, refusals=refusals
    ) as runs:
        tallies = counted_runs(runs, metrics, progress)
        for run in runs:
            if run.is_refused:
                continue
            try:
                found[run.number] = tallies[run.number].evaluation(run)
            except (CorefkitError, OSError) as error:
                run.refuse(error)
    return found


def counted_runs(
    runs: Sequence[Run], metrics: tuple[Metric, ...], progress: Progress | None = None
) -> dict[int, Tally]:
    """Count the metrics of each run, by its number."""
    tallies = {run.number: Tally(metrics) for run in runs}
    last: Columns | None = None
    for run, block in aligned_blocks(runs, progress=progress):
        if block.key_read is not last:
            # As read: what settings leave out is still of the corpus. Mentions that
            # are names have no hashes, and their rows are made when asked for.
            key_read = last = block.key_read
            prints = key_read if key_read.names else document_prints(key_read)
        try:
            tallies[run.number].add(run, block, prints)
        except (CorefkitError, OSError) as error:
            run.refuse(error)
    return tallies


def _name(response: Input) -> str:
    """Name a response that was not opened as one that was: by its path."""
    return (
        os.fspath(response) if isinstance(response, str | os.PathLike) else "response"
    )
