"""Exact sums and quotients, and their steps as on paper."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.analysis.explain.walkthrough import (
    NO_BREAK,
    Equation,
    FractionText,
    join_texts,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from corefkit.analysis.explain.scene import Partition
    from corefkit.analysis.explain.walkthrough import Step, Text
    from corefkit.arrays.columns import Floats, Ints
    from corefkit.settings import Settings

UNDEFINED = "0/0, undefined, counted as 0"
_MAX_TERMS = 40  # of a sum; the others are added
_MAX_DENOMINATOR = 10**9  # of fractions; others are decimal numbers
_MAX_MENTION = 44  # characters of a mention
_HEAD, _TAIL = 28, 14  # characters of a longer one


def join_list(
    items: Sequence[Text], *, omitted: int = 0, separator: str = ", "
) -> tuple[Text, ...]:
    r"""Join the items of a list, with the number of omitted ones.

    >>> join_list("ab", omitted=2)
    ('a', ', ', 'b', ', ', '…\xa02\xa0more')
    """
    note = [f"…{NO_BREAK}{omitted}{NO_BREAK}more"] if omitted else []
    return join_texts([*items, *note], separator)


def shorten_text(text: str) -> str:
    """Remove the middle of a long text.

    >>> shorten_text("the bridge that the flood of two years ago had swept away")
    'the bridge that the flood … swept away'
    """
    text = " ".join(text.split())
    if len(text) <= _MAX_MENTION:
        return text
    head, tail = text[:_HEAD], text[-_TAIL:]
    head = head.rsplit(" ", 1)[0] if " " in head else head
    tail = tail.split(" ", 1)[-1]
    return f"{head} … {tail}"


class Term(NamedTuple):
    """One term of a sum: its value and its text."""

    value: Fraction
    text: Text


class ExactSum(NamedTuple):
    """A sum: the terms to write, and the sum of the others."""

    terms: tuple[Term, ...]
    remainder: Fraction = Fraction(0)
    omitted: int = 0

    @property
    def value(self) -> Fraction:
        """The value of the sum."""
        if len(self.terms) == 1 and not self.omitted:
            return self.terms[0].value
        return add_fractions(term.value for term in self.terms) + self.remainder

    @property
    def text(self) -> Text:
        """The terms with plus signs; omitted ones follow as one number."""
        parts = [term.text for term in self.terms]
        if self.omitted:
            remainder = format_number(self.remainder)
            parts.append(f"{remainder}{NO_BREAK}[{self.omitted}{NO_BREAK}more]")
        if len(parts) == 1:
            return parts[0]  # without parentheses
        return join_texts(parts, f"{NO_BREAK}+ ") or "0"


class Loss(NamedTuple):
    """How much each entity of a side reduces a quotient."""

    side: Partition
    other: Partition
    amounts: Sequence[Fraction]  # by entity, in units of the numerator
    # The aligned entity of the other side, if entities are aligned.
    aligned: Mapping[int, int] | None = None


class Quotient(NamedTuple):
    """A sum over a sum, perhaps with its formula.

    `text` replaces the plain "numerator / denominator".
    """

    numerator: ExactSum
    denominator: ExactSum
    formula: str = ""
    text: Text = ""
    loss: Loss | None = None  # if it is known by entity

    @property
    def value(self) -> Fraction:
        """The value of the quotient; 0 if the denominator is 0."""
        return divide(self.numerator.value, self.denominator.value)

    def drop_steps(self) -> Quotient:
        """Return the quotient of the values only."""
        return Quotient(
            make_number(self.numerator.value), make_number(self.denominator.value)
        )

    def make_equation(self, name: str) -> Equation:
        """Make the equation of the quotient."""
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
    """Compute a formula of a metric in fractions.

    >>> from corefkit.metrics.standard import phi4
    >>> compute_exactly(phi4, 2, 3, 4)
    Fraction(4, 7)
    """
    # Arrays of objects compute with the methods of the objects.
    exact = (np.array([Fraction(amount)], object) for amount in amounts)
    return Fraction(formula(*exact)[0])


def add_fractions(values: Iterable[Fraction]) -> Fraction:
    """Add fractions, first those with equal denominators, of which there are few.

    >>> add_fractions([Fraction(1, 3), Fraction(1, 2), Fraction(1, 3)])
    Fraction(7, 6)
    """
    numerators: defaultdict[int, int] = defaultdict(int)
    for value in values:
        numerators[value.denominator] += value.numerator
    terms = (Fraction(above, below) for below, above in numerators.items())
    return sum(terms, Fraction())


def make_sum(terms: Sequence[Term], written: Collection[int] | None = None) -> ExactSum:
    r"""Make a sum of terms, of which some are written, but not too many.

    >>> terms = [Term(Fraction(number), str(number)) for number in range(5)]
    >>> make_sum(terms, [1, 3]).text
    ('1', '\xa0+ ', '3', '\xa0+ ', '6\xa0[3\xa0more]')
    """
    chosen = range(len(terms)) if written is None else sorted(written)
    indices = chosen[:_MAX_TERMS]
    shown = set(indices)
    remainder = add_fractions(
        term.value for index, term in enumerate(terms) if index not in shown
    )
    omitted = len(terms) - len(indices)
    return ExactSum(tuple(terms[index] for index in indices), remainder, omitted)


def make_number(value: Fraction | int) -> ExactSum:
    """Make a sum of one number."""
    value = Fraction(value)
    return ExactSum((Term(value, format_number(value)),))


def divide(above: Fraction, below: Fraction) -> Fraction:
    """Divide; the result is 0 if the denominator is 0."""
    return above / below if below else Fraction(0)


def make_f1_equation(
    name: str, recall: Fraction, precision: Fraction
) -> tuple[Equation, Fraction]:
    """Make the equation of the harmonic mean of recall and precision."""
    first, second = format_number(recall), format_number(precision)
    product = f"2{NO_BREAK}*{NO_BREAK}{first}{NO_BREAK}*{NO_BREAK}{second}"
    fraction = FractionText(product, (first, " + ", second))
    value = divide(2 * recall * precision, recall + precision)
    result = _format_result(value) if recall + precision else UNDEFINED
    return Equation(name, [fraction, result]), value


def make_mean_equation(
    name: str, terms: Sequence[Term], *, formula: str = ""
) -> Equation:
    """Make the equation of the mean of some numbers."""
    if not terms:
        return Equation(name, [UNDEFINED], formula)
    steps: list[Text] = []
    if len(terms) > 1:
        steps.append(FractionText(make_sum(terms).text, str(len(terms))))
    result = _format_result(compute_mean([term.value for term in terms]))
    return Equation(name, [*steps, result], formula)


def compute_mean(values: Sequence[Fraction]) -> Fraction:
    """Compute the mean of some numbers; 0 if there are none."""
    return divide(add_fractions(values), Fraction(len(values)))


def end_with_ratios(quotients: Sequence[Quotient], settings: Settings) -> Ending:
    """End with recall and precision, and F1 as their harmonic mean."""
    del settings  # the same for all settings
    return solve_ratios(quotients, FractionScores._fields)


def solve_ratios(quotients: Sequence[Quotient], names: Sequence[str]) -> Ending:
    """Make the equations of recall, precision and F1, with the given names."""
    recall, precision = (quotient.value for quotient in quotients)
    pairs = zip(quotients, names, strict=False)
    steps: list[Step] = [quotient.make_equation(name) for quotient, name in pairs]
    equation, f1 = make_f1_equation(names[-1], recall, precision)
    return [*steps, equation], FractionScores(recall, precision, f1)


def format_number(value: Fraction | int) -> str:
    """Format a number: as a fraction, or truncated if that would be too long.

    >>> format_number(Fraction(35, 12)), format_number(Fraction(1, 3**20))
    ('35/12', '2.867971991e-10…')
    """
    if value.denominator <= _MAX_DENOMINATOR:
        return str(value)
    return f"{float(value):.10g}…"


def format_percent(value: Fraction | float) -> str:
    """Format a score.

    >>> format_percent(Fraction(1, 3))
    '33.33%'
    """
    return f"{100 * float(value):.2f}%"


def find_nearest(value: float) -> Fraction:
    """Return the simple fraction that a float approximates, or else its exact value.

    >>> find_nearest(1 / 3), find_nearest(2.0)
    (Fraction(1, 3), Fraction(2, 1))
    """
    simple = Fraction(value).limit_denominator(10**5)
    if abs(float(simple) - value) <= 1e-12 * max(1.0, abs(value)):
        return simple
    return Fraction(value)


def _format_result(value: Fraction) -> str:
    # One step, so that lines do not break between fraction and percentage.
    return f"{format_number(value)}{NO_BREAK}={NO_BREAK}{format_percent(value)}"
