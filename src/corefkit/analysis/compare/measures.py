"""What is measured of a sample, and the columns of counts that it is made of.

Under micro averages the columns are the counts of the metrics, side by side. Under
macro averages each metric has two columns, the sum of the scores of documents and their
number, so that the mean is over all documents that were drawn and count in it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from corefkit.analysis.compare.sample import Measure, Sample
from corefkit.columns.sums import sums
from corefkit.exceptions import SettingsError
from corefkit.metrics import CONLL, label_of
from corefkit.metrics.many import scores_in_mean, scores_of_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.columns import Floats, Ints
    from corefkit.metrics.base import Metric
    from corefkit.settings import Settings

_MEAN = "conll"


def sample_of(
    counts: Mapping[str, Mapping[str, Floats]],
    *,
    metrics: Sequence[Metric],
    settings: Settings,
    statistic: str = "f1",
    unit_of: Sequence[str],
    stratum_of: Mapping[str, str] | None = None,
    errors: Mapping[str, str] | None = None,
) -> Sample:
    """Make a sample of what systems have counted.

    Args:
        counts: for each system and metric its counts, one row a document.
        metrics: the metrics, in the order of results.
        settings: what was computed.
        statistic: which ratio of a metric is compared.
        unit_of: the unit of each document.
        stratum_of: the stratum of each unit, if they are told apart.
        errors: the labels of numbers of errors, which have one column of counts.

    >>> import corefkit
    >>> key = {"a 1": ["ab"], "a 2": ["cd"], "b": ["ef"]}
    >>> result = corefkit.score(key, {"a 1": ["ab"], "a 2": [], "b": ["ef"]})
    >>> sample = sample_of(
    ...     {"A": result.counts},
    ...     metrics=result.metrics,
    ...     settings=result.settings,
    ...     unit_of=["a", "a", "b"],
    ... )
    >>> sample.units, sample.by_unit["muc"].round(4).tolist()
    (('a', 'b'), [[0.6667, 1.0]])
    """
    errors = errors or {}
    first = next(iter(counts.values()), {})
    measures = measures_of(metrics, settings, statistic, counts=first, errors=errors)
    units, unit = _numbered(unit_of)
    documents = [
        _columns(found, metrics, settings, statistic, errors)
        for found in counts.values()
    ]
    added = tuple(_added_up(rows, unit, len(units)) for rows in documents)
    strata, stratum = _numbered([(stratum_of or {}).get(name, "") for name in units])
    return Sample(
        systems=tuple(counts),
        units=units,
        stratum=stratum,
        strata=strata,
        counts=added,
        measures=measures,
        by_document=_values(measures, documents),
        by_unit=_values(measures, added),
    )


def _numbered(names: Sequence[str]) -> tuple[tuple[str, ...], Ints]:
    """Sort names, each once, and number the given ones by them."""
    ordered = tuple(sorted(set(names)))
    numbers = {name: number for number, name in enumerate(ordered)}
    return ordered, np.array([numbers[name] for name in names], np.int64)


def measures_of(
    metrics: Sequence[Metric],
    settings: Settings,
    statistic: str = "f1",
    *,
    counts: Mapping[str, Floats],
    errors: Mapping[str, str] | None = None,
) -> tuple[Measure, ...]:
    """List what is measured: the metrics, the CoNLL mean of them, numbers of errors.

    `counts` has the counts of each metric, for any system. The columns are theirs, in
    this order; with macro averages two each, for the scores of documents and their
    number; then one each for numbers of errors. Of a metric that has a value, this is
    measured and not F1.

    >>> import corefkit
    >>> result = corefkit.score(["abc"], ["ab"], metrics=["muc", "alpha"])
    >>> found = measures_of(result.metrics, result.settings, counts=result.counts)
    >>> [(one.name, one.statistic, len(one.columns)) for one in found]
    [('muc', 'f1', 4), ('alpha', 'value', 5)]
    """
    made = (_macro if settings.is_macro else _micro)(
        metrics, settings, statistic, counts
    )
    by_name = {measure.name: measure for measure in made}
    if by_name.keys() >= set(CONLL):
        if _MEAN in by_name:
            message = f"a metric is called {_MEAN!r}, as is the mean of three others"
            raise SettingsError(message, hint="give it another name")
        made.append(_conll([by_name[part] for part in CONLL], statistic))
    first = 1 + max((int(measure.columns.max()) for measure in made), default=-1)
    made += [
        Measure(name, label, "count", np.array([column]), _only)
        for column, (name, label) in enumerate((errors or {}).items(), first)
    ]
    return tuple(made)


def _micro(
    metrics: Sequence[Metric],
    settings: Settings,
    statistic: str,
    counts: Mapping[str, Floats],
) -> list[Measure]:
    widths = [counts[metric.name].shape[1] for metric in metrics]
    ends = np.cumsum(widths).tolist()
    return [
        Measure(
            metric.name,
            metric.label,
            _shown(metric, settings, statistic, counts[metric.name]),
            np.arange(end - width, end),
            partial(_scored, metric, settings, statistic),
            partial(_undefined, metric, settings, statistic),
        )
        for metric, width, end in zip(metrics, widths, ends, strict=True)
    ]


def _macro(
    metrics: Sequence[Metric],
    settings: Settings,
    statistic: str,
    counts: Mapping[str, Floats],
) -> list[Measure]:
    return [
        Measure(
            metric.name,
            metric.label,
            _shown(metric, settings, statistic, counts[metric.name]),
            np.array([at, at + 1]),
            _average,
            _none_counts,
        )
        for at, metric in zip(range(0, 2 * len(metrics), 2), metrics, strict=True)
    ]


def _shown(metric: Metric, settings: Settings, statistic: str, rows: Floats) -> str:
    """Name what is measured, which one document tells: a value stands for F1."""
    if statistic != "f1" or not len(rows):
        return statistic
    has_value = scores_of_rows(metric, rows[:1], settings).value is not None
    return "value" if has_value else statistic


def _conll(parts: Sequence[Measure], statistic: str) -> Measure:
    """Average three measures; each takes its columns of those that it joins."""
    ends = np.cumsum([len(part.columns) for part in parts]).tolist()
    places = [
        slice(end - len(part.columns), end)
        for part, end in zip(parts, ends, strict=True)
    ]
    return Measure(
        _MEAN,
        label_of(_MEAN),
        statistic,
        np.concatenate([part.columns for part in parts]),
        partial(_mean, parts, places),
        partial(_any_undefined, parts, places),
    )


def _scored(metric: Metric, settings: Settings, statistic: str, rows: Floats) -> Floats:
    found = scores_of_rows(metric, rows, settings).statistic(statistic)
    return _numbers(metric, statistic, found)


def _in_mean(
    metric: Metric, settings: Settings, statistic: str, rows: Floats
) -> Floats:
    """Set out what each document adds to a mean: its score, and 1 if it counts."""
    shown = _shown(metric, settings, statistic, rows)
    values, counts_in = scores_in_mean(metric, rows, settings)[shown]
    return np.stack([_numbers(metric, statistic, values) * counts_in, counts_in], 1)


def _numbers(metric: Metric, statistic: str, found: Floats) -> Floats:
    # Only somebody's own metric makes NaN, and no test would notice.
    if np.isnan(found).any():
        message = f"metric {metric.name!r} has a {statistic} that is no number"
        raise SettingsError(message, hint="let a ratio without denominator be 0")
    return found


def _undefined(
    metric: Metric, settings: Settings, statistic: str, rows: Floats
) -> Floats:
    flags = scores_of_rows(metric, rows, settings).undefined(statistic)
    return flags.astype(float)


def _average(rows: Floats) -> Floats:
    """Divide sums of document scores by the number of documents; of none it is 0."""
    scores, number = rows[:, 0], rows[:, 1]
    mean: Floats = np.divide(
        scores, number, out=np.zeros_like(scores), where=number > 0
    )
    return mean


def _none_counts(rows: Floats) -> Floats:
    """Flag sums of no document: all that were drawn are left out of the mean."""
    return np.equal(rows[:, 1], 0).astype(np.float64)


def _only(rows: Floats) -> Floats:
    return rows[:, 0]


def _mean(parts: Sequence[Measure], places: Sequence[slice], rows: Floats) -> Floats:
    scores = [
        part.score(rows[:, place]) for part, place in zip(parts, places, strict=True)
    ]
    total, lost = scores[0], np.zeros(len(rows))
    for one in scores[1:]:
        # What rounding takes from a sum is added at the end, as in the mean of a score.
        added = total + one
        part = added - total
        lost += (total - (added - part)) + (one - part)
        total = added
    mean: Floats = (total + lost) / len(scores)
    return mean


def _any_undefined(
    parts: Sequence[Measure], places: Sequence[slice], rows: Floats
) -> Floats:
    flags = [
        part.undefined(rows[:, place])
        for part, place in zip(parts, places, strict=True)
        if part.undefined is not None
    ]
    together: Floats = np.maximum.reduce(flags)
    return together


def _columns(
    counts: Mapping[str, Floats],
    metrics: Sequence[Metric],
    settings: Settings,
    statistic: str,
    errors: Mapping[str, str],
) -> Floats:
    """Set the columns of one system side by side, one row a document."""
    own = [counts[metric.name] for metric in metrics]
    if settings.is_macro and metrics:
        own = [
            _in_mean(metric, settings, statistic, rows)
            for metric, rows in zip(metrics, own, strict=True)
        ]
    own += [np.reshape(counts[name], (-1, 1)) for name in errors]
    return np.concatenate(own, axis=1, dtype=np.float64)


def _added_up(rows: Floats, unit: Ints, units: int) -> Floats:
    """Add up the rows of documents that belong to one unit."""
    return np.stack([sums(column, unit, units) for column in rows.T], axis=1)


def _values(measures: Sequence[Measure], counts: Sequence[Floats]) -> dict[str, Floats]:
    """Compute by measure the value of each row, one line a system."""
    return {
        measure.name: np.array(
            [measure.score(rows[:, measure.columns]) for rows in counts]
        )
        for measure in measures
    }
