"""Features of syntax: predicates, appositions, clauses, functions and embedding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cistell.facts import FUNCTIONS
from cistell.features.base import (
    NO_YES,
    OF_BOTH,
    Indices,
    Pairs,
    feature,
    of_both,
)

if TYPE_CHECKING:
    from corefkit.arrays.columns import Flags


@feature("syntax", NO_YES)
def nominal_predicate(pairs: Pairs) -> Indices:
    """Whether one is a predicate of the other, as in "Ann is a miller"."""
    subject, head = pairs.table.subject, pairs.table.head
    first, second = pairs.first, pairs.second
    found: Flags = (subject[second] == head[first]) | (subject[first] == head[second])
    return found


@feature("syntax", NO_YES)
def apposition(pairs: Pairs) -> Indices:
    """Whether one explains the other, as in "Ann, a miller"."""
    apposed, head = pairs.table.apposed, pairs.table.head
    first, second = pairs.first, pairs.second
    found: Flags = (apposed[second] == head[first]) | (apposed[first] == head[second])
    return found


@feature("syntax", NO_YES)
def relative_clause(pairs: Pairs) -> Indices:
    """Whether the second has a relative clause."""
    return pairs.table.relative[pairs.second]


@feature("syntax", NO_YES)
def embedding(pairs: Pairs) -> Indices:
    """Whether the second is inside the first.

    The first is never inside: of two that start together the longer comes first.
    """
    found: Flags = pairs.table.end[pairs.second] <= pairs.table.end[pairs.first]
    return found


@feature("syntax", FUNCTIONS)
def function_first(pairs: Pairs) -> Indices:
    """The grammatical function of the first."""
    return pairs.table.function[pairs.first]


@feature("syntax", FUNCTIONS)
def function_second(pairs: Pairs) -> Indices:
    """The grammatical function of the second."""
    return pairs.table.function[pairs.second]


@feature("syntax", OF_BOTH)
def quotation(pairs: Pairs) -> Indices:
    """Which of the two are in quotation marks."""
    quoted = pairs.table.quoted
    return of_both(quoted[pairs.first], quoted[pairs.second])
