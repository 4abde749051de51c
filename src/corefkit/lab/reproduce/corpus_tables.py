"""Tables on corpora: numbers checked against other numbers of the same table.

The corpora and outputs are not available, but F1 follows from recall and precision, the
CoNLL score from three F1, a rank from the scores, and some scores are shares of a
whole. A printed number fits if it can follow from numbers that are printed like those
beside it.
"""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from corefkit.lab.reproduce.outcomes import (
    TOLERANCE,
    Kind,
    Number,
    Outcome,
    possible_values,
    rounded,
    truncated,
)
from corefkit.metrics.metric import compute_f1
from corefkit.metrics.registry import CONLL
from corefkit.papers import NOT_PRINTED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from corefkit.papers import CorpusTable

# Its F1 is the mean of two kinds of links, which no table prints.
_NOT_HARMONIC = "blanc"


class _Derived(NamedTuple):
    """What a number should be, and the least and the greatest value it may have."""

    value: float
    least: float
    greatest: float


def derived_numbers(table: CorpusTable) -> Iterator[Number]:
    """Iterate over the numbers of a table that follow from others."""
    for row, cells in table.rows.items():
        for column in table.columns:
            derived = _derived(table, cells, column)
            if derived is None or cells[column] == NOT_PRINTED:
                continue
            correct, erratum = table.errata.get((row, column), ("", ""))
            outcome = _outcome(table, column, cells[column], correct, derived)
            yield Number(
                place=(table.id, row, column),
                printed=cells[column],
                computed=derived.value,
                outcome=outcome,
                kind=Kind.FITTED if column in table.fitted else Kind.PRINTED,
                erratum=erratum if outcome is Outcome.ERRATUM else "",
            )


def _outcome(
    table: CorpusTable, column: str, printed: str, correct: str, derived: _Derived
) -> Outcome:
    fits = _fits(table, column, printed, derived)
    if not correct:
        return Outcome.FITS if fits else Outcome.DIFFERS
    wrong = _fits(table, column, correct, derived) and not fits
    return Outcome.ERRATUM if wrong else Outcome.DIFFERS


def _fits(table: CorpusTable, column: str, printed: str, derived: _Derived) -> bool:
    if column.endswith(".rank"):
        return int(printed) == derived.value
    shorter = truncated if table.rule == "truncated" else rounded
    if abs(shorter(derived.value, table.decimals) - float(printed)) < TOLERANCE:
        return True
    least, greatest = possible_values(printed, rule=table.rule, decimals=table.decimals)
    overlap = min(greatest, derived.greatest) - max(least, derived.least)
    return overlap > TOLERANCE


def _derived(
    table: CorpusTable, cells: Mapping[str, str], column: str
) -> _Derived | None:
    metric, _, field = column.partition(".")
    if column in table.shares:
        return _share(cells[column], table.shares[column])
    if column == "conll":
        return _made_of(table, cells, [f"{name}.f1" for name in CONLL], _mean)
    if field == "rank":
        return _rank(table, cells, metric if metric in cells else f"{metric}.f1")
    parts = [f"{metric}.recall", f"{metric}.precision"]
    if field == "f1" and metric != _NOT_HARMONIC and cells.keys() >= set(parts):
        return _made_of(table, cells, parts, compute_f1)
    return None


def _made_of(
    table: CorpusTable,
    cells: Mapping[str, str],
    columns: list[str],
    make: Callable[..., float],
) -> _Derived | None:
    """Compute a number from others, and from all values that are printed like them."""
    if any(cells[column] == NOT_PRINTED for column in columns):
        return None
    ranges = [
        possible_values(cells[column], rule=table.rule, decimals=table.decimals)
        for column in columns
    ]
    extremes = [make(*corner) for corner in product(*ranges)]
    value = make(*(float(cells[column]) for column in columns))
    return _Derived(value, min(extremes), max(extremes))


def _mean(*values: float) -> float:
    return math.fsum(values) / len(values)


def _rank(table: CorpusTable, cells: Mapping[str, str], column: str) -> _Derived:
    score = float(cells[column])
    better = sum(float(row[column]) > score for row in table.rows.values())
    return _Derived(better + 1, better + 1, better + 1)


def _share(printed: str, whole: int) -> _Derived | None:
    """Return the share of the whole, in percent, that is nearest to a number."""
    if printed == NOT_PRINTED:
        return None
    nearest = 100 * round(float(printed) * whole / 100) / whole
    return _Derived(nearest, nearest, nearest)
