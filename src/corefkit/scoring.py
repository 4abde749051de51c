"""The functions that score: `score`, `score_responses` and `score_submissions`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack, cast

from corefkit.alignment.pipeline import open_runs
from corefkit.evaluation import evaluate_runs
from corefkit.exceptions import Refused, SettingsError
from corefkit.metrics.metric import LazyImport
from corefkit.metrics.registry import (
    is_all_requested,
    note_skipped,
    select_metrics,
)
from corefkit.settings import (
    DEFAULT_SETTINGS,
    SETTINGS,
    Keywords,
    expand_settings,
    resolve_settings,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.alignment.pipeline import Progress
    from corefkit.engines import Engine
    from corefkit.evaluation import Evaluation, Watch
    from corefkit.exceptions import CorefkitError
    from corefkit.formats import Input
    from corefkit.metrics.metric import Metric
    from corefkit.settings import Settings

_CLASS_COUNTER = LazyImport("corefkit.analysis.class_counts", "ClassCounter")


@expand_settings
def score(
    key: Input,
    response: Input,
    *,
    metrics: str | Iterable[str | Metric] | None = None,
    format: str | None = None,
    engine: str | Engine | None = None,
    mentions: str | None = None,
    by: str | None = None,
    by_rule: str | None = None,
    **keywords: Unpack[Keywords],
) -> Evaluation:
    """Score a response against the key.

    Args:
        key: a file, documents returned by `corefkit.read`, a partition (an iterable of
            entities, each an iterable of mentions), a list of partitions, a mapping of
            document ids to partitions, objects of JSON lines, or a table;
            `corefkit.formats.in_memory` lists all shapes.
        response: the same kinds of input; if one of the two is a file, mentions in
            memory must be spans `(first token, last token)`.
        metrics: names or `Metric` values; the default set if not given; `all` for all
            that settings and inputs support, and notes report the skipped ones.
        keywords: the settings, by name.
        format: the format of files; detected by default.
        engine: for tables larger than memory: `duckdb`, `spark`, or an engine of
            `corefkit.engines`; key and response are then Parquet files or its frames.
        mentions: how mentions of lists are declared: as `spans`, pairs (first, last),
            or `tokens`, integers. The depth of a list then determines whether it is one
            document or several; by default, lists of numbers inside an entity are
            spans.
        by: also score the classes `kind`, `type`, `upos`, `size`, `spread`, `distance`,
            `speaker`, `position`, `length`, `genre`, or values of document metadata;
            the result has them in `classes`.
        by_rule: `mentions` by default: each mention counts in its class, so that counts
            add up; or `entities`: each class is scored with its entities alone.

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
        mentions=mentions,
        by=by,
        by_rule=by_rule,
        **keywords,
    )
    return evaluation


@expand_settings
def score_responses(
    key: Input,
    responses: Iterable[Input] | Mapping[str, Input],
    *,
    metrics: str | Iterable[str | Metric] | None = None,
    format: str | None = None,
    progress: Progress | None = None,
    engine: str | Engine | None = None,
    mentions: str | None = None,
    by: str | None = None,
    by_rule: str | None = None,
    **keywords: Unpack[Keywords],
) -> list[Evaluation]:
    """Score several responses against one key, which is read once.

    Args:
        key: as for `score`.
        responses: each as for `score`; the keys of a mapping are display names.
        metrics: names or `Metric` values; the default set if not given.
        format: the format of files; detected by default.
        progress: called regularly with the completed work and the total work.
        engine: as for `score`.
        mentions: as for `score`.
        by: as for `score`.
        by_rule: as for `score`.
        keywords: the settings, as for `score`.

    >>> both = score_responses(["abc"], [["ab"], ["abc"]], singletons="drop")
    >>> [evaluation["lea"].f1 for evaluation in both]
    [0.5, 1.0]
    >>> [named.response for named in score_responses(["abc"], {"base": ["ab"]})]
    ['base']
    """
    results = score_all(
        *(key, responses, metrics, keywords, None),
        format=format,
        progress=progress,
        engine=engine,
        mentions=mentions,
        by=by,
        by_rule=by_rule,
    )
    return cast("list[Evaluation]", results)  # a response that fails has raised


@expand_settings
def score_submissions(
    key: Input,
    responses: Iterable[Input] | Mapping[str, Input],
    *,
    metrics: str | Iterable[str | Metric] | None = None,
    format: str | None = None,
    progress: Progress | None = None,
    engine: str | Engine | None = None,
    mentions: str | None = None,
    by: str | None = None,
    by_rule: str | None = None,
    **keywords: Unpack[Keywords],
) -> list[Evaluation | Refused]:
    """Score several responses against one key, and skip invalid ones.

    The arguments are those of `score_responses`. A response that cannot be opened,
    paired, read or counted results in a `Refused` with the error; the others have the
    same scores as without it. Errors in the key or in the settings are raised.

    >>> both = score_submissions({"d": ["abc"]}, [{"d": ["ab"]}, {"e": ["ab"]}])
    >>> both[0]["lea"].f1, both[1].error.message.partition(":")[0]
    (0.5, 'no document in common with key')
    """
    return score_all(
        *(key, responses, metrics, keywords, {}),
        format=format,
        progress=progress,
        engine=engine,
        mentions=mentions,
        by=by,
        by_rule=by_rule,
    )


def score_all(
    key: Input,
    responses: Iterable[Input] | Mapping[str, Input],
    metrics: str | Iterable[str | Metric] | None,
    keywords: Keywords,
    refusals: dict[int, CorefkitError] | None,
    *,
    format: str | None,
    progress: Progress | None,
    engine: str | Engine | None = None,
    mentions: str | None = None,
    watch: Watch | None = None,
    by: str | None = None,
    by_rule: str | None = None,
) -> list[Evaluation | Refused]:
    """Score responses, in their order; analyses can watch the blocks of documents.

    If `refusals` is given, it receives the errors of responses by their numbers, and
    these become `Refused` results; otherwise, errors are raised.
    """
    is_changed = any([value is not None for value in keywords.values()])
    settings = resolve_settings(**keywords) if is_changed else DEFAULT_SETTINGS
    classed, settings = _split_settings(settings, by, by_rule)
    window, settings = _split_window(settings, is_plain=engine is None and not classed)
    if isinstance(metrics, Iterator):
        metrics = list(metrics)
    names = None
    if isinstance(responses, Mapping):
        names, responses = list(responses), list(responses.values())
    elif isinstance(responses, Iterator):
        responses = list(responses)
    selected, notes = select_metrics(metrics, settings, keywords)
    has_all = is_all_requested(metrics)
    if settings.scores_split:
        from corefkit.metrics.split import check_split_support

        check_split_support(selected)
    if mentions is not None:
        _check_mentions(mentions, engine)
    results: dict[int, Evaluation | Refused] = {}
    if engine is None:
        with open_runs(
            key,
            responses,
            settings=settings,
            format=format,
            refusals=refusals,
            mentions=mentions,
            window=window,
        ) as runs:
            if classed is None:
                results |= evaluate_runs(runs, selected, progress, watch)
            else:
                is_explicit = metrics is not None and not has_all
                counter = _CLASS_COUNTER(classed, selected, is_explicit=is_explicit)
                results |= counter.evaluate(runs, selected, progress, watch)
    elif classed is not None:
        message = "an engine counts entities, expected no classes"
        hint = "leave out by=, or the engine"
        raise SettingsError(message, code="settings/conflict", hint=hint)
    else:
        from corefkit.engines.table_scoring import score_tables

        results |= score_tables(
            *(engine, key, list(responses), selected, settings),
            format=format,
            progress=progress,
            refusals=refusals,
        )
    for number, error in (refusals or {}).items():
        results[number] = Refused(_name(list(responses)[number]), error)
    ordered = [results[number] for number in sorted(results)]
    if has_all:
        ordered = _drop_absent(ordered, notes)
    if names is None:
        return ordered
    return [
        replace(result, response=name)
        for name, result in zip(names, ordered, strict=True)
    ]


def _drop_absent(
    results: list[Evaluation | Refused], notes: Sequence[str]
) -> list[Evaluation | Refused]:
    """Drop metrics of items that neither side has in any result, and note them."""
    scored = [result for result in results if not isinstance(result, Refused)]
    if not scored:
        return results
    absent = [
        metric
        for metric in scored[0].metrics
        if metric.needs
        and all(
            {"recall", "precision"} <= {*result.scores[metric.name].undefined}
            for result in scored
        )
    ]
    metrics = tuple(metric for metric in scored[0].metrics if metric not in absent)
    notes = *notes, *note_skipped(absent, "neither side has mentions that they count")
    return [
        result
        if isinstance(result, Refused)
        else replace(
            result,
            metrics=metrics,
            counts={metric.name: result.counts[metric.name] for metric in metrics},
            notes=(*result.notes, *notes),
        )
        for result in results
    ]


def _split_settings(
    settings: Settings, by: str | None, by_rule: str | None
) -> tuple[Settings | None, Settings]:
    """Return the settings of classes, None if there are none, and those without."""
    rows = {"by": by, "by_rule": by_rule}
    changes = {name: value for name, value in rows.items() if value is not None}
    if not changes and settings.class_name is None:
        return None, settings
    classed = replace(settings, **changes)
    if classed.class_name is None and by_rule is not None:
        message, hint = "found a rule for classes, expected classes too", "by='kind'"
        raise SettingsError(message, code="settings/missing-value", hint=hint)
    plain = replace(settings, **{name: SETTINGS[name].default for name in rows})
    return classed if classed.class_name is not None else None, plain


def _split_window(settings: Settings, *, is_plain: bool) -> tuple[int | None, Settings]:
    """Return the number of tokens of a window, and the settings without windows."""
    window = settings.window_tokens
    if window is None:
        return None, settings
    problem = ""
    if not is_plain:
        problem, hint = "classes and engines count full documents", "leave them out"
    elif settings.joins_documents:
        problem = "documents that are joined have no windows"
        hint = "leave out --scope"
    elif settings.scores_split:
        problem, hint = "split antecedents belong to no window", "--split ignore"
    if problem:
        message = f"found window={settings.window!r}, but {problem}"
        raise SettingsError(message, code="settings/conflict", hint=hint)
    return window, replace(settings, window=SETTINGS["window"].default)


def _check_mentions(mentions: str, engine: str | Engine | None) -> None:
    if engine is not None:
        message = "an engine reads tables: mentions= declares the mentions of lists"
        code = "settings/engine-with-mentions"
        raise SettingsError(message, code=code, hint="remove mentions=")
    from corefkit.formats.in_memory import check_declaration

    check_declaration(mentions)


def _name(response: Input) -> str:
    """Return the display name of a response that was not opened: its path, if any."""
    if isinstance(response, str | os.PathLike):
        return os.fspath(response)
    return "response"
