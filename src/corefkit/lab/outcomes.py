"""Scores of a paper's sets, and the printed numbers compared with them.

The authors of a paper shortened their numbers by one of three rules: they rounded; they
cut decimals off, as the reference scorer does; or they rounded recall and precision and
computed F1 from these. A table names its rule, and a number is reproduced only if it
follows from this rule.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import product
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from corefkit.metrics.metric import compute_f1
from corefkit.metrics.registry import CONLL, get_label
from corefkit.papers import NOT_PRINTED, UNDEFINED
from corefkit.scoring import score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from corefkit.metrics.metric import Score
    from corefkit.papers import CorpusTable, Rule
    from corefkit.papers.partitions import KeyAndResponse


TOLERANCE = 1e-9

# Names beyond those of metrics: BLANC by its other rule, and its two kinds of links.
_MORE_LABELS = {
    "blanc_both": "BLANC, rule both",
    "blanc.coreference": "BLANC, links",
    "blanc.non_coreference": "BLANC, non-links",
}

_OF_ONE = {
    "claims": "claim",
    "numbers": "number",
    "scores": "score",
    "hold": "holds",
    "errata": "erratum",
    "differ": "differs",
}


class Kind(Enum):
    """The evidence for a number or claim."""

    RECOMPUTED = "recomputed"  # scores by corefkit's metrics
    FITTED = "fitted"  # something that was chosen so that the check succeeds
    PRINTED = "checked within printed tables"  # only other printed numbers


class Outcome(Enum):
    """Result of a comparison; `mark` is printed next to the number."""

    EXACT = "exact", ""
    TRUNCATED = "truncated", "t"
    F1_OF_ROUNDED = "F1 of rounded", "r"
    FITS = "consistent", ""
    ERRATUM = "errata", "E"
    DIFFERS = "differ", "?"

    def __init__(self, words: str, mark: str) -> None:
        self.words = words
        self.mark = mark


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """A printed number and the computed one."""

    place: tuple[str, ...]  # table, row, metric and field, or table, row and column
    printed: str  # empty if none is
    computed: float  # in the unit of the printed one
    outcome: Outcome | None  # None if nothing is printed
    kind: Kind
    erratum: str = ""  # its id


def compare_number(
    printed: str,
    score: Score,
    field: str,
    *,
    rule: Rule,
    decimals: int,
    percent: bool,
    correct: str = NOT_PRINTED,
) -> Outcome | None:
    """Compare a printed number with a score.

    A number that is known to be wrong comes with the correct one: it is an erratum only
    if the score gives the correct number and not the printed one.

    >>> from corefkit.metrics.metric import Score
    >>> score = Score(recall=2 / 3, precision=0.5, f1=4 / 7)
    >>> cut = {"rule": "truncated", "decimals": 2, "percent": True}
    >>> compare_number("66.66", score, "recall", **cut)
    <Outcome.TRUNCATED: ('truncated', 't')>
    >>> third = {"rule": "f1 of rounded", "decimals": 3, "percent": False}
    >>> compare_number("0.572", score, "f1", **third)
    <Outcome.F1_OF_ROUNDED: ('F1 of rounded', 'r')>
    >>> compare_number("0.6", score, "precision", **third, correct="0.5")
    <Outcome.ERRATUM: ('errata', 'E')>
    """
    if printed == NOT_PRINTED:
        return None
    if printed == UNDEFINED:
        return Outcome.EXACT if score.undefined else Outcome.DIFFERS
    scale = 100 if percent else 1
    value = scale * getattr(score, field)
    if "/" in printed:
        return Outcome.EXACT if _is_same(value, Fraction(printed)) else Outcome.DIFFERS
    written = _shorten(score, field, rule=rule, decimals=decimals, scale=scale)
    if correct != NOT_PRINTED:
        wrong = _is_same(written, correct) and not _is_same(written, printed)
        return Outcome.ERRATUM if wrong else Outcome.DIFFERS
    if not _is_same(written, printed):
        return Outcome.DIFFERS
    if _is_same(round_half_up(value, decimals), printed):
        return Outcome.EXACT
    return Outcome.TRUNCATED if rule == "truncated" else Outcome.F1_OF_ROUNDED


def _shorten(
    score: Score, field: str, *, rule: Rule, decimals: int, scale: int
) -> float:
    """Shorten a score by the rule."""
    value = scale * getattr(score, field)
    if rule == "truncated":
        return truncate(value, decimals)
    if rule == "f1 of rounded" and field == "f1":
        parts = (score.recall, score.precision)
        value = compute_f1(*(round_half_up(scale * part, decimals) for part in parts))
    return round_half_up(value, decimals)


def round_half_up(value: float, decimals: int) -> float:
    """Round; halves are rounded up."""
    return math.floor(value * 10.0**decimals + 0.5 + TOLERANCE) / 10.0**decimals


def truncate(value: float, decimals: int) -> float:
    """Cut decimals off."""
    return math.floor(value * 10.0**decimals + TOLERANCE) / 10.0**decimals


def get_range(printed: str, *, rule: Rule, decimals: int) -> tuple[float, float]:
    """Return the least and the greatest number that is printed so."""
    value, unit = float(printed), 10.0**-decimals
    if rule == "truncated":
        return value, value + unit
    return value - unit / 2, value + unit / 2


def _is_same(value: float, other: str | float | Fraction) -> bool:
    return abs(value - float(other)) < TOLERANCE


def score_sets(sets: KeyAndResponse, name: str) -> Score:
    """Score sets of a paper by a metric, and BLANC by the rule `key`."""
    metric, _, part = name.removesuffix("_both").partition(".")
    rule = "both" if name.endswith("_both") else "key"
    result = score(sets.key, sets.response, metrics=[metric], blanc_rule=rule)[metric]
    if not part:
        return result
    links: Score = getattr(result, part)
    return links


def get_metric_label(name: str) -> str:
    """Return the name of a score in tables."""
    return _MORE_LABELS.get(name) or get_label(name)


def format_count(count: int, words: str) -> str:
    """Format a count with its noun."""
    return f"{count} {_OF_ONE.get(words, words) if count == 1 else words}"


# Its F1 is the mean of two kinds of links, which no table prints.
_NOT_HARMONIC = "blanc"


class _DerivedNumber(NamedTuple):
    """The expected value of a number, and its bounds."""

    value: float
    least: float
    greatest: float


def derive_numbers(table: CorpusTable) -> Iterator[PrintedNumber]:
    """Iterate over the numbers of a table that follow from others."""
    for row, cells in table.rows.items():
        for column in table.columns:
            derived = _derive(table, cells, column)
            if derived is None or cells[column] == NOT_PRINTED:
                continue
            correct, erratum = table.errata.get((row, column), ("", ""))
            outcome = _compare_derived(table, column, cells[column], correct, derived)
            yield PrintedNumber(
                place=(table.id, row, column),
                printed=cells[column],
                computed=derived.value,
                outcome=outcome,
                kind=Kind.FITTED if column in table.fitted else Kind.PRINTED,
                erratum=erratum if outcome is Outcome.ERRATUM else "",
            )


def _compare_derived(
    table: CorpusTable, column: str, printed: str, correct: str, derived: _DerivedNumber
) -> Outcome:
    fits = _is_consistent(table, column, printed, derived)
    if not correct:
        return Outcome.FITS if fits else Outcome.DIFFERS
    wrong = _is_consistent(table, column, correct, derived) and not fits
    return Outcome.ERRATUM if wrong else Outcome.DIFFERS


def _is_consistent(
    table: CorpusTable, column: str, printed: str, derived: _DerivedNumber
) -> bool:
    if column.endswith(".rank"):
        return int(printed) == derived.value
    shorter = truncate if table.rule == "truncated" else round_half_up
    if abs(shorter(derived.value, table.decimals) - float(printed)) < TOLERANCE:
        return True
    low, high = get_range(printed, rule=table.rule, decimals=table.decimals)
    overlap = min(high, derived.greatest) - max(low, derived.least)
    return overlap > TOLERANCE


def _derive(
    table: CorpusTable, cells: Mapping[str, str], column: str
) -> _DerivedNumber | None:
    metric, _, field = column.partition(".")
    if column in table.shares:
        return _find_share(cells[column], table.shares[column])
    if column == "conll":
        names = [f"{name}.f1" for name in CONLL]
        return _combine(table, cells, names, lambda *scores: fmean(scores))
    if field == "rank":
        return _compute_rank(
            table, cells, metric if metric in cells else f"{metric}.f1"
        )
    parts = [f"{metric}.recall", f"{metric}.precision"]
    if field == "f1" and metric != _NOT_HARMONIC and cells.keys() >= set(parts):
        return _combine(table, cells, parts, compute_f1)
    return None


def _combine(
    table: CorpusTable,
    cells: Mapping[str, str],
    columns: list[str],
    make: Callable[..., float],
) -> _DerivedNumber | None:
    """Compute a number from others, and from all values that are printed like them."""
    if any(cells[column] == NOT_PRINTED for column in columns):
        return None
    ranges = [
        get_range(cells[column], rule=table.rule, decimals=table.decimals)
        for column in columns
    ]
    extremes = [make(*corner) for corner in product(*ranges)]
    value = make(*(float(cells[column]) for column in columns))
    return _DerivedNumber(value, min(extremes), max(extremes))


def _compute_rank(
    table: CorpusTable, cells: Mapping[str, str], column: str
) -> _DerivedNumber:
    score = float(cells[column])
    better = sum(float(row[column]) > score for row in table.rows.values())
    return _DerivedNumber(better + 1, better + 1, better + 1)


def _find_share(printed: str, total: int) -> _DerivedNumber | None:
    """Return the share of a total, in percent, that is nearest to a number."""
    if printed == NOT_PRINTED:
        return None
    nearest = 100 * round(float(printed) * total / 100) / total
    return _DerivedNumber(nearest, nearest, nearest)
