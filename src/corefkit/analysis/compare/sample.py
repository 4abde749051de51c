"""What is compared: counts of systems, unit by unit, and the measures made of them.

Everything that can be compared is a function of sums over units. Micro scores are made
of summed counts; a macro average of summed document scores and their number; numbers of
errors are sums themselves. So one product of draws and counts serves all measures.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from corefkit.columns import Floats, Ints

if TYPE_CHECKING:
    from collections.abc import Mapping

# Makes one number of each row of summed counts.
RowScorer: TypeAlias = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Measure:
    """One number to compare: which columns it is made of, and how.

    Attributes:
        name: the metric's name, `conll`, or as in `errors.divided`.
        label: how tables call it.
        statistic: `f1`, `recall`, `precision`; `value` for metrics that have one, or
            `count` for errors.
        columns: the columns of the counts that it takes.
        score: makes its value of each row of these columns, summed over units.
        undefined: flags rows with a ratio that has no denominator.
    """

    name: str
    label: str
    statistic: str
    columns: Ints
    score: RowScorer
    undefined: Callable[[Floats], Floats] | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """The counts of all systems, and what is measured.

    Attributes:
        systems: the names of the systems.
        units: the names of the units.
        stratum: the stratum of each unit, by number.
        strata: the names of the strata; one if there are none to tell apart.
        counts: for each system, units by columns.
        measures: what is made of the columns.
        by_document: by measure, systems by documents: the value of each document.
        by_unit: by measure, systems by units: the value of each unit.
    """

    systems: tuple[str, ...]
    units: tuple[str, ...]
    stratum: Ints
    strata: tuple[str, ...]
    counts: tuple[Floats, ...]
    measures: tuple[Measure, ...]
    by_document: Mapping[str, Floats]
    by_unit: Mapping[str, Floats]
