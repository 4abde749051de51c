"""Exact sums and quotients, and their steps as on paper."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np

from corefkit.analysis.explain.scene import Partition
from corefkit.analysis.explain.walkthrough import (
    NO_BREAK,
    Equation,
    FractionText,
    Step,
    Text,
    join_list,
)
from corefkit.arrays.columns import Floats, Ints
from corefkit.settings import Settings

UNDEFINED = "0/0, undefined, counted as 0"
_MAX_TERMS = 40  # of a sum; the others are added
_MAX_DENOMINATOR = 10**9  # of fractions; others are decimal numbers


class Term(NamedTuple):
    """A number and its text, which may be a sum."""

    value: Fraction
    text: Text


class Loss(NamedTuple):
    """How much each entity of a side reduces a quotient."""

    side: Partition
    opposite: Partition
    amounts: Sequence[Fraction]  # by entity, in units of the numerator
    # The aligned entity of the other side, if entities are aligned.
    aligned: Mapping[int, int] | None = None


class Quotient(NamedTuple):
    """A sum over a sum; `text` replaces the default `numerator / denominator`."""

    numerator: Term
    denominator: Term
    formula: str = ""
    text: Text = ""
    loss: Loss | None = None  # if it is known by entity

    @property
    def value(self) -> Fraction:
        """The value of the quotient; 0 if the denominator is 0."""
        return divide(self.numerator.value, self.denominator.value)

    def make_equation(self, name: str) -> Equation:
        above, below = self.numerator.value, self.denominator.value
        text = self.text or FractionText(self.numerator.text, self.denominator.text)
        if not below:
            return Equation(name, [text, UNDEFINED], self.formula)
        blank = "" if above.denominator == 1 else " "
        ratio = f"{format_number(above)}{blank}/{blank}{format_number(below)}"
        return Equation(name, [text, ratio, _format_result(self.value)], self.formula)


class FractionScores(NamedTuple):
    """Recall, precision and F1 as fractions."""

    recall: Fraction
    precision: Fraction
    f1: Fraction


# The last steps of a walk-through, and their scores.
Ending: TypeAlias = "tuple[list[Step], FractionScores]"


@lru_cache(maxsize=4096)  # many entities have the same sizes
def compute_exactly(
    formula: Callable[..., Floats | Ints], *amounts: Fraction | int
) -> Fraction:
    # Arrays of objects compute with the methods of the objects.
    exact = (np.array([Fraction(amount)], object) for amount in amounts)
    return Fraction(formula(*exact)[0])


def add_fractions(values: Iterable[Fraction]) -> Fraction:
    """Add fractions, first those with equal denominators, of which there are few."""
    numerators: defaultdict[int, int] = defaultdict(int)
    for value in values:
        numerators[value.denominator] += value.numerator
    terms = (Fraction(above, below) for below, above in numerators.items())
    return sum(terms, Fraction())


def make_sum(terms: Sequence[Term], written: Collection[int] | None = None) -> Term:
    """Return the sum of terms, with only some of them in its text."""
    chosen = range(len(terms)) if written is None else sorted(written)
    indices = chosen[:_MAX_TERMS]
    texts: list[Text] = [terms[index].text for index in indices]
    total = add_fractions(term.value for term in terms)
    if omitted := len(terms) - len(indices):
        remainder = total - add_fractions(terms[index].value for index in indices)
        texts.append(f"{format_number(remainder)}{NO_BREAK}[{omitted}{NO_BREAK}more]")
    if len(texts) == 1:
        return Term(total, texts[0])  # without parentheses
    return Term(total, join_list(texts, separator=f"{NO_BREAK}+ ") or "0")


def make_number(value: Fraction | int) -> Term:
    return Term(Fraction(value), format_number(value))


def divide(above: Fraction, below: Fraction) -> Fraction:
    """Divide; return 0 if the denominator is 0."""
    return above / below if below else Fraction(0)


def make_mean(
    name: str, terms: Sequence[Term], *, formula: str = ""
) -> tuple[Equation, Fraction]:
    """Compute a mean, 0 of no terms; return its equation and its value."""
    if not terms:
        return Equation(name, [UNDEFINED], formula), Fraction(0)
    total = make_sum(terms)
    mean = total.value / len(terms)
    steps: list[Text] = []
    if len(terms) > 1:
        steps.append(FractionText(total.text, str(len(terms))))
    return Equation(name, [*steps, _format_result(mean)], formula), mean


def end_with_ratios(
    quotients: Sequence[Quotient],
    _settings: Settings | None = None,  # the ending is the same for all
    *,
    names: Sequence[str] = FractionScores._fields,
) -> Ending:
    """Return equations of recall, precision, and F1 as their harmonic mean."""
    recall, precision = (quotient.value for quotient in quotients)
    steps: list[Step] = [
        quotient.make_equation(name)
        for quotient, name in zip(quotients, names, strict=False)
    ]
    first, second = format_number(recall), format_number(precision)
    product = f"2{NO_BREAK}*{NO_BREAK}{first}{NO_BREAK}*{NO_BREAK}{second}"
    f1 = divide(2 * recall * precision, recall + precision)
    result = _format_result(f1) if recall + precision else UNDEFINED
    fraction = FractionText(product, (first, " + ", second))
    steps.append(Equation(names[-1], [fraction, result]))
    return steps, FractionScores(recall, precision, f1)


def format_number(value: Fraction | int) -> str:
    """Format a number as a fraction, or truncated if that would be too long."""
    if value.denominator <= _MAX_DENOMINATOR:
        return str(value)
    return f"{float(value):.10g}…"


def format_percent(value: Fraction | float) -> str:
    return f"{100 * float(value):.2f}%"


def find_nearest(value: float) -> Fraction:
    """Return the simple fraction that a float approximates, or its exact value."""
    simple = Fraction(value).limit_denominator(10**5)
    if abs(float(simple) - value) <= 1e-12 * max(1.0, abs(value)):
        return simple
    return Fraction(value)


def _format_result(value: Fraction) -> str:
    # One step, so that lines do not break between fraction and percentage.
    return f"{format_number(value)}{NO_BREAK}={NO_BREAK}{format_percent(value)}"
