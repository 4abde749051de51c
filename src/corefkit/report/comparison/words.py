"""The numbers of a comparison as people read them, and its test in words."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefkit.analysis.compare.comparison import (
        Comparison,
        Interval,
        MetricComparison,
        PairResult,
    )
    from corefkit.analysis.compare.procedure import Procedure

UNKNOWN = "-"
SIGNIFICANT = "*"
BORDERLINE = "~"
IMPOSSIBLE = "°"
INVERTED = "†"
LEAST_SHOWN = 0.0001
_STATISTICS = {"f1": "F1", "count": "errors"}
_TESTS = {
    "randomization": "paired randomization test",
    "bootstrap": "paired bootstrap test",
    "t": "paired t-test over documents",
}
_KINDS = {
    "expanded": "expanded percentile",
    "percentile": "percentile",
    "bca": "BCa",
    "t": "t with the bootstrap's standard error",
}


def counted(number: int, word: str) -> str:
    """Write a number of things.

    >>> counted(1, "text"), counted(10_000, "shuffle")
    ('1 text', '10,000 shuffles')
    """
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def number_text(metric: MetricComparison, value: float, *, sign: str = "") -> str:
    """Write a score or a difference: in points, or errors as they are counted."""
    if not isfinite(value):
        return UNKNOWN
    value, digits = (value, 0) if metric.is_count else (100 * value, 2)
    rounded = round(value, digits) + 0.0  # never a zero with a minus
    return f"{rounded:{sign if rounded else ''}.{digits}f}"


def difference_text(metric: MetricComparison, value: float) -> str:
    """Write a difference with its sign."""
    return number_text(metric, value, sign="+")


def interval_text(metric: MetricComparison, interval: Interval | None) -> str:
    """Write the ends of an interval, if there is one: a single unit gives none."""
    if interval is None or not all(map(isfinite, interval)):
        return UNKNOWN
    low, high = (number_text(metric, end) for end in interval)
    return f"[{low}, {high}]"


def p_text(p: float) -> str:
    """Write a p-value.

    >>> p_text(0.140625), p_text(1 / 10_001)
    ('0.1406', '< 0.0001')
    """
    if not isfinite(p):
        return UNKNOWN
    return f"< {LEAST_SHOWN}" if p < LEAST_SHOWN else f"{p:.4f}"


def p_cell(p: float) -> str:
    """Write a p-value where there is little room."""
    return p_text(p).replace(" ", "")


def statistic_words(statistic: str) -> str:
    """Name a statistic as tables do."""
    return _STATISTICS.get(statistic, statistic)


def title_of(metric: MetricComparison) -> str:
    """Name a metric with what is compared of it."""
    if metric.is_count:
        return f"{metric.label} (fewer are better)"
    if metric.statistic == "value":
        return metric.label
    return f"{metric.label} {statistic_words(metric.statistic)}"


def percent(share: float) -> str:
    """Write a share without digits that say nothing.

    >>> percent(0.95), percent(0.0213)
    ('95%', '2.13%')
    """
    return f"{round(100 * share, 2):g}%"


def interval_head(procedure: Procedure) -> str:
    """Name the intervals of a table."""
    return f"{percent(1 - procedure.alpha)} interval"


def words_of_test(procedure: Procedure, baseline: str = "", *, of: str = "") -> str:
    """Name the test, what of, and its side."""
    words = _TESTS.get(procedure.test, procedure.test) + (f" of {of}" if of else "")
    match procedure.alternative:
        case "greater":
            return f"one-sided {words} (greater than {baseline})"
        case "less":
            return f"one-sided {words} (less than {baseline})"
        case _:
            return f"two-sided {words}"


def samples_words(comparison: Comparison) -> str:
    """Say how often units were swapped or drawn for the p-values."""
    procedure = comparison.procedure
    if procedure.test == "t":
        return counted(comparison.documents, "document")
    unit = procedure.unit
    samples = counted(procedure.samples, "shuffle")
    if procedure.test == "bootstrap":
        return f"{counted(procedure.samples, 'draw')} of {unit}s"
    exact = {
        pair.is_exact for metric in comparison.metrics.values() for pair in metric.pairs
    }
    if exact == {True}:
        return f"all ways to swap {unit}s (exact)"
    if exact == {False}:
        return f"{samples} of {unit}s"
    return f"{samples} of {unit}s, or all (exact) where few {unit}s differ"


def correction_words(comparison: Comparison) -> str:
    """Say how p-values were corrected, and over how many pairs."""
    pairs = max(
        (len(metric.pairs) for metric in comparison.metrics.values()), default=0
    )
    name = comparison.procedure.correction
    if pairs < 2:
        return ""
    if name == "none":
        return f"no correction for {pairs} pairs"
    many = " of each metric" if len(comparison.metrics) > 1 else ""
    return f"{name.capitalize()} correction over the {pairs} pairs{many}"


def is_adjusted(comparison: Comparison) -> bool:
    """Say whether p-values were corrected for several pairs."""
    return bool(correction_words(comparison)) and (
        comparison.procedure.correction != "none"
    )


def interval_words(comparison: Comparison) -> str:
    """Say how intervals were made."""
    procedure = comparison.procedure
    kind = _KINDS.get(procedure.interval, procedure.interval)
    draws = counted(procedure.samples, "draw")
    within = " within strata" if procedure.strata is not None else ""
    return f"{percent(1 - procedure.alpha)} intervals: {kind}, {draws}{within}"


def impossible_words(pairs: Sequence[PairResult], comparison: Comparison) -> str:
    """Say why pairs cannot be significant, whatever the scores.

    With n units that differ there are 2^n ways to swap them, and two of these are as
    extreme as the most extreme. Of N samples, p is at least 1 / (N + 1).
    """
    procedure = comparison.procedure
    if not isfinite(pairs[0].p):
        return "there is no p, as nothing varies"
    if pairs[0].is_exact:
        least, why = _few_units(pairs, procedure)
    else:
        least = 1 / (procedure.samples + 1)
        what = "draw" if procedure.test == "bootstrap" else "shuffle"
        why = f"there are only {counted(procedure.samples, what)}"
    text = f"{why}, so p is at least {p_text(least)}"
    tests = max(len(metric.pairs) for metric in comparison.metrics.values())
    if least <= procedure.alpha and tests > 1:
        text += f", and more after the correction over {tests} pairs"
    return text if pairs[0].is_exact else f"{text}: take more --samples"


def _few_units(pairs: Iterable[PairResult], procedure: Procedure) -> tuple[float, str]:
    """Give the least p of pairs that differ in few units, and say how many."""
    numbers = sorted({pair.units_that_differ for pair in pairs})
    few = " to ".join(str(end) for end in dict.fromkeys((numbers[0], numbers[-1])))
    sides = 1 if procedure.alternative == "two-sided" else 0
    differ = "differs" if numbers == [1] else "differ"
    units = procedure.unit if numbers == [1] else f"{procedure.unit}s"
    return min(1.0, 2.0 ** (sides - numbers[-1])), f"only {few} {units} {differ}"


def runs_text(numbers: Sequence[int], labels: Sequence[str]) -> str:
    """Name numbers in order by their labels; three and more in a row as a run.

    >>> runs_text([0, 1, 2, 4], "abcde"), runs_text([1, 2], "abc"), runs_text([], "")
    ('a-c,e', 'bc', '')
    >>> runs_text([0, 1, 2, 4], ["1", "2", "3", "4", "10"])
    '1-3,10'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    texts = []
    for run in runs:
        names = [labels[number] for number in run]
        texts += [f"{names[0]}-{names[-1]}"] if len(run) > 2 else names
    are_letters = all(len(text) == 1 and text.isalpha() for text in texts)
    return ("" if are_letters else ",").join(texts)
