"""Sums and quotients that are exact, and written out as a person would on paper.

Lists are cut off and texts shortened the same way in all steps.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.tables.walkthroughs import GLUE, Equation, Over, joined

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from corefkit.analysis.explain.scene import Partition
    from corefkit.arrays.columns import Floats, Ints
    from corefkit.settings import Settings
    from corefkit.tables.walkthroughs import Text, Told


def listed(
    words: Sequence[Text], *, left_out: int = 0, between: str = ", "
) -> tuple[Text, ...]:
    r"""Join words, and say how many more there are.

    >>> listed("ab", left_out=2)
    ('a', ', ', 'b', ', ', '…\xa02\xa0more')
    """
    more = [f"…{GLUE}{left_out}{GLUE}more"] if left_out else []
    return joined([*words, *more], between)


def shortened(text: str) -> str:
    """Cut the middle out of a long text.

    >>> shortened("the bridge that the flood of two years ago had swept away")
    'the bridge that the flood … swept away'
    """
    text = " ".join(text.split())
    if len(text) <= 44:
        return text
    head, tail = text[:28], text[-14:]
    head = head.rsplit(" ", 1)[0] if " " in head else head
    tail = tail.split(" ", 1)[-1]
    return f"{head} … {tail}"


# Terms of a sum that are written out; the others are added up to one.
_TERMS = 40
# A fraction with a longer denominator than this says nothing to a reader.
_LARGEST_DENOMINATOR = 10**9
UNDEFINED = "0/0, undefined, counted as 0"


class Term(NamedTuple):
    """One term of a sum: what it is worth, and how it is written."""

    value: Fraction
    text: Text


class Sum(NamedTuple):
    """A sum: the terms written out, and what the others come to."""

    terms: tuple[Term, ...]
    rest: Fraction = Fraction(0)
    left_out: int = 0

    @property
    def value(self) -> Fraction:
        """What the sum comes to."""
        if len(self.terms) == 1 and not self.left_out:
            return self.terms[0].value
        return total(term.value for term in self.terms) + self.rest

    @property
    def text(self) -> Text:
        """The terms with plus signs; those not written out follow as one number."""
        parts = [term.text for term in self.terms]
        if self.left_out:
            parts.append(f"{formatted(self.rest)}{GLUE}[{self.left_out}{GLUE}more]")
        # What is one piece gets no parentheses.
        return joined(parts, f"{GLUE}+ ") if len(parts) > 1 else (parts or ["0"])[0]


class Lost(NamedTuple):
    """What each entity of a side lacks for the quotient to be 1."""

    side: Partition
    other: Partition
    amounts: Sequence[Fraction]  # of each entity
    # The entity of the other side that each is aligned with, where entities are.
    aligned: Mapping[int, int] | None = None


class Quotient(NamedTuple):
    """A sum over a sum, with its formula where that is written too.

    `written` replaces the plain "numerator / denominator".
    """

    numerator: Sum
    denominator: Sum
    formula: str = ""
    written: Text = ""
    lost: Lost | None = None  # why it is not 1, where entities say so

    @property
    def value(self) -> Fraction:
        """What the quotient comes to; without a denominator, 0."""
        return divided(self.numerator.value, self.denominator.value)

    def equation(self, name: str) -> Equation:
        """Work the quotient out, step by step."""
        above, below = self.numerator.value, self.denominator.value
        written = self.written or Over(self.numerator.text, self.denominator.text)
        if not below:
            return Equation(name, [written, UNDEFINED], self.formula)
        blank = "" if above.denominator == 1 else " "
        ratio = f"{formatted(above)}{blank}/{blank}{formatted(below)}"
        return Equation(name, [written, ratio, _reduced(self.value)], self.formula)


class Scores(NamedTuple):
    """Recall, precision and F1 as fractions."""

    recall: Fraction
    precision: Fraction
    f1: Fraction


class Ending(NamedTuple):
    """The end of a walk-through, and the scores it comes to."""

    told: list[Told]
    scores: Scores


@lru_cache(maxsize=4096)  # entities are many, but few are their sizes
def exactly(
    formula: Callable[..., Floats | Ints], *amounts: Fraction | int
) -> Fraction:
    """Compute a formula of a metric in fractions.

    >>> from corefkit.metrics.standard import phi4
    >>> exactly(phi4, 2, 3, 4)
    Fraction(4, 7)
    """
    # Arrays of objects compute as these do.
    exact = (np.array([Fraction(amount)], object) for amount in amounts)
    return Fraction(formula(*exact)[0])


def total(values: Iterable[Fraction]) -> Fraction:
    """Add fractions up, those of one denominator first: there are many, but few kinds.

    >>> total([Fraction(1, 3), Fraction(1, 2), Fraction(1, 3)])
    Fraction(7, 6)
    """
    numerators: defaultdict[int, int] = defaultdict(int)
    for value in values:
        numerators[value.denominator] += value.numerator
    first, *others = [
        Fraction(above, below) for below, above in numerators.items()
    ] or [Fraction()]
    return sum(others, first)


def added(terms: Sequence[Term], written: Collection[int] | None = None) -> Sum:
    r"""Make a sum of terms, writing out the named ones, and not too many.

    >>> terms = [Term(Fraction(number), str(number)) for number in range(5)]
    >>> added(terms, [1, 3]).text
    ('1', '\xa0+ ', '3', '\xa0+ ', '6\xa0[3\xa0more]')
    """
    chosen = range(len(terms)) if written is None else sorted(written)
    kept = chosen[:_TERMS]
    names = set(kept)
    rest = total(term.value for n, term in enumerate(terms) if n not in names)
    return Sum(tuple(terms[n] for n in kept), rest, len(terms) - len(kept))


def number(value: Fraction | int) -> Sum:
    """Make a sum of one number."""
    value = Fraction(value)
    return Sum((Term(value, formatted(value)),))


def divided(above: Fraction, below: Fraction) -> Fraction:
    """Divide; what has no denominator is undefined and counts as 0."""
    return above / below if below else Fraction(0)


def harmonic(recall: Fraction, precision: Fraction) -> Fraction:
    """Compute the harmonic mean; 0 where both are 0."""
    return divided(2 * recall * precision, recall + precision)


def harmonic_equation(name: str, recall: Fraction, precision: Fraction) -> Equation:
    """Work the harmonic mean of recall and precision out."""
    first, second = formatted(recall), formatted(precision)
    product = f"2{GLUE}*{GLUE}{first}{GLUE}*{GLUE}{second}"
    whole = Over(product, (first, " + ", second))
    end = _reduced(harmonic(recall, precision)) if recall + precision else UNDEFINED
    return Equation(name, [whole, end])


def mean_equation(name: str, terms: Sequence[Term], *, formula: str = "") -> Equation:
    """Work the mean of some numbers out."""
    if not terms:
        return Equation(name, [UNDEFINED], formula)
    steps = [Over(added(terms).text, str(len(terms)))] if len(terms) > 1 else []
    whole = mean([term.value for term in terms])
    return Equation(name, [*steps, _reduced(whole)], formula)


def mean(values: Sequence[Fraction]) -> Fraction:
    """Compute the mean of some numbers; 0 where there are none."""
    return divided(total(values), Fraction(len(values)))


def mean_scores(scores: Sequence[Scores]) -> Scores:
    """Compute the mean of each of the three scores."""
    return Scores(*(mean([score[field] for score in scores]) for field in range(3)))


def ratio_ending(quotients: Sequence[Quotient], settings: Settings) -> Ending:
    """End with recall and precision, and F1 as their harmonic mean."""
    del settings  # the same for all of them
    return worked_out(quotients, Scores._fields)


def worked_out(quotients: Sequence[Quotient], names: Sequence[str]) -> Ending:
    """Work recall, precision and F1 out, under the names given for the three."""
    recall, precision = (quotient.value for quotient in quotients)
    pairs = zip(quotients, names, strict=False)
    told: list[Told] = [quotient.equation(name) for quotient, name in pairs]
    told.append(harmonic_equation(names[-1], recall, precision))
    return Ending(told, Scores(recall, precision, harmonic(recall, precision)))


def formatted(value: Fraction | int) -> str:
    """Write a number: as a fraction, or rounded down where that would be too long.

    >>> formatted(Fraction(35, 12)), formatted(Fraction(1, 3**20))
    ('35/12', '2.867971991e-10…')
    """
    if value.denominator <= _LARGEST_DENOMINATOR:
        return str(value)
    return f"{float(value):.10g}…"


def percent(value: Fraction | float) -> str:
    """Write a score.

    >>> percent(Fraction(1, 3))
    '33.33%'
    """
    return f"{100 * float(value):.2f}%"


def nearest(value: float) -> Fraction:
    """Find the simple fraction that a float stands for, or else its own value.

    >>> nearest(1 / 3), nearest(2.0)
    (Fraction(1, 3), Fraction(2, 1))
    """
    simple = Fraction(value).limit_denominator(10**5)
    if abs(float(simple) - value) <= 1e-12 * max(1.0, abs(value)):
        return simple
    return Fraction(value)


def _reduced(value: Fraction) -> str:
    # One step, so that fraction and percentage stand on one line.
    return f"{formatted(value)}{GLUE}={GLUE}{percent(value)}"
