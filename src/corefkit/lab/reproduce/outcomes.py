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
from typing import TYPE_CHECKING

from corefkit.metrics.metric import compute_f1
from corefkit.metrics.registry import get_label
from corefkit.papers import NOT_PRINTED, UNDEFINED
from corefkit.scoring import score

if TYPE_CHECKING:
    from corefkit.metrics.metric import Score
    from corefkit.papers import Rule
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
    """What the check of a number or claim rests on, in words."""

    RECOMPUTED = "recomputed"  # scores by corefkit's metrics
    FITTED = "fitted"  # something that was chosen so that the check succeeds
    PRINTED = "checked within printed tables"  # only other printed numbers


class Outcome(Enum):
    """How a printed number compares, in words; `mark` stands beside the number."""

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
class Number:
    """A printed number and the computed one."""

    place: tuple[str, ...]  # table, row, metric and field, or table, row and column
    printed: str  # empty if none is
    computed: float  # in the unit of the printed one
    outcome: Outcome | None  # None if nothing is printed
    kind: Kind
    erratum: str = ""  # its id


def compared(
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
    >>> compared("66.66", score, "recall", **cut)
    <Outcome.TRUNCATED: ('truncated', 't')>
    >>> third = {"rule": "f1 of rounded", "decimals": 3, "percent": False}
    >>> compared("0.572", score, "f1", **third)
    <Outcome.F1_OF_ROUNDED: ('F1 of rounded', 'r')>
    >>> compared("0.6", score, "precision", **third, correct="0.5")
    <Outcome.ERRATUM: ('errata', 'E')>
    """
    if printed == NOT_PRINTED:
        return None
    if printed == UNDEFINED:
        return Outcome.EXACT if score.undefined else Outcome.DIFFERS
    scale = 100 if percent else 1
    value = scale * getattr(score, field)
    if "/" in printed:
        return Outcome.EXACT if _same(value, Fraction(printed)) else Outcome.DIFFERS
    written = _written(score, field, rule=rule, decimals=decimals, scale=scale)
    if correct != NOT_PRINTED:
        wrong = _same(written, correct) and not _same(written, printed)
        return Outcome.ERRATUM if wrong else Outcome.DIFFERS
    if not _same(written, printed):
        return Outcome.DIFFERS
    if _same(rounded(value, decimals), printed):
        return Outcome.EXACT
    return Outcome.TRUNCATED if rule == "truncated" else Outcome.F1_OF_ROUNDED


def _written(
    score: Score, field: str, *, rule: Rule, decimals: int, scale: int
) -> float:
    """Shorten a score by the rule."""
    value = scale * getattr(score, field)
    if rule == "truncated":
        return truncated(value, decimals)
    if rule == "f1 of rounded" and field == "f1":
        parts = (score.recall, score.precision)
        value = compute_f1(*(rounded(scale * part, decimals) for part in parts))
    return rounded(value, decimals)


def rounded(value: float, decimals: int) -> float:
    """Round; halves are rounded up.

    >>> rounded(0.125, 2), rounded(2 / 3, 2)
    (0.13, 0.67)
    """
    return math.floor(value * 10.0**decimals + 0.5 + TOLERANCE) / 10.0**decimals


def truncated(value: float, decimals: int) -> float:
    """Cut decimals off.

    >>> truncated(2 / 3, 2), truncated(0.29, 2)
    (0.66, 0.29)
    """
    return math.floor(value * 10.0**decimals + TOLERANCE) / 10.0**decimals


def possible_values(printed: str, *, rule: Rule, decimals: int) -> tuple[float, float]:
    """Return the least and the greatest number that is printed so.

    >>> possible_values("0.33", rule="truncated", decimals=2)
    (0.33, 0.34)
    """
    value, unit = float(printed), 10.0**-decimals
    if rule == "truncated":
        return value, value + unit
    return value - unit / 2, value + unit / 2


def _same(value: float, other: str | float | Fraction) -> bool:
    return abs(value - float(other)) < TOLERANCE


def scored(sets: KeyAndResponse, name: str) -> Score:
    """Score sets of a paper by a metric, and BLANC by the rule `key`.

    >>> from corefkit.papers.partitions import sets_of_letters
    >>> example = sets_of_letters("abc defg", "ab cd fghi")
    >>> round(scored(example, "blanc").f1, 4)
    0.3676
    >>> round(scored(example, "blanc.coreference").f1, 4)
    0.2353
    """
    metric, _, part = name.removesuffix("_both").partition(".")
    rule = "both" if name.endswith("_both") else "key"
    result = score(sets.key, sets.response, metrics=[metric], blanc_rule=rule)[metric]
    if not part:
        return result
    links: Score = getattr(result, part)
    return links


def metric_label(name: str) -> str:
    """Return the name of a score in tables.

    >>> metric_label("b_cubed_sys"), metric_label("blanc_both")
    ('B³sys', 'BLANC, rule both')
    """
    return _MORE_LABELS.get(name) or get_label(name)


def counted(count: int, words: str) -> str:
    """Write a count and what was counted.

    >>> counted(1, "claims"), counted(2, "claims")
    ('1 claim', '2 claims')
    """
    return f"{count} {_OF_ONE.get(words, words) if count == 1 else words}"
