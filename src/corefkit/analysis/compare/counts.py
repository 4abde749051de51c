"""The metrics that results have in common, and the counts of their documents."""

from __future__ import annotations

import math
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from corefkit.analysis.compare.asked import NOTHING_ASKED
from corefkit.analysis.compare.systems import metric_names
from corefkit.evaluation import Evaluation
from corefkit.exceptions import FormatError, SettingsError, quoted
from corefkit.metrics import chosen_metrics, known_metrics
from corefkit.metrics.base import COUNTS, Metric
from corefkit.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import NoReturn

    from corefkit.alignment.table import Overlap
    from corefkit.analysis.compare.asked import Asked
    from corefkit.columns import Floats
    from corefkit.metrics.base import Score
    from corefkit.report.stored import Scored, StoredScores

_NEAR = 1e-9
STORE = "store them with `corefkit score --format json --per-document`"


def settings_of(result: Scored) -> Settings:
    """Find the settings of a result, which a file may not say.

    >>> import corefkit
    >>> settings_of(corefkit.score(["ab"], ["ab"], average="macro")).average
    'macro'
    """
    if isinstance(result, Evaluation):
        return result.settings
    if result.changed is None:
        message = "does not say which settings its scores were computed with"
        raise FormatError(message, place=result.response, hint="score again")
    try:
        return Settings(**result.changed)
    except (SettingsError, TypeError) as error:
        # Another version may have had others.
        message = f"has settings that are not known: {result.signature}"
        raise FormatError(message, place=result.response, hint="score again") from error


def metrics_of(
    results: Mapping[str, Scored], asked: Asked = NOTHING_ASKED
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
        chosen = chosen_metrics(
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
                raise FormatError(message, place=name, hint="score it again")
        return chosen, []
    listed = [metric_names(result) for result in results.values()]
    every = dict.fromkeys(chain.from_iterable(listed))
    shared = [name for name in every if all(name in names for names in listed)]
    if not shared:
        message = "the results have no metric in common"
        raise SettingsError(message, hint="score them again with the same metrics")
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
    registry = {metric.name: metric for metric in known_metrics()}
    # It refuses two metrics of one name.
    made = {metric.name: metric for metric in (chosen_metrics(own) if own else ())}
    return {
        name: made.get(name) or registry.get(name) or Metric(name, name, _cannot_count)
        for result in results
        for name in metric_names(result)
    }


def _cannot_count(table: Overlap) -> NoReturn:
    del table
    message = "a metric that was read from a file has counts, but cannot count"
    raise SettingsError(message)


def counts_of(result: Scored, metric: Metric, settings: Settings) -> Floats:
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
    known = any(metric.name == one.name for one in known_metrics())
    hint = (
        f"older versions left counts out: score again, and {STORE}"
        if known
        else f"{name} is not a metric of corefkit: give the responses and the metric"
    )
    return FormatError(message, place=result.response, hint=hint)
