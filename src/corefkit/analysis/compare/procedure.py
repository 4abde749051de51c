"""The options of a comparison, and their signature."""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from numbers import Real

from corefkit.exceptions import SettingsError
from corefkit.settings import check_known
from corefkit.strings import escape_signature

CHOICES: Mapping[str, Sequence[str]] = {
    "statistic": ("f1", "recall", "precision"),
    "unit": ("text", "document"),
    "test": ("randomization", "bootstrap", "t"),
    "correction": ("holm", "hochberg", "bonferroni", "none"),
    "interval": ("expanded", "percentile", "bca", "t"),
    "alternative": ("two-sided", "greater", "less"),
}
GENRE = "genre"
# More extreme quantiles cannot be computed, and no number of samples reaches them.
_MIN_LEVEL = 1e-12

# In this order; other options are never a part of the signature.
_ALWAYS_SIGNED = ("test", "samples", "seed", "unit", "correction", "alpha")
_SIGNED_IF_CHANGED = ("statistic", "interval", "baseline", "alternative", "strata")


@dataclass(frozen=True, slots=True)
class Procedure:
    """The options of a comparison.

    Attributes:
        statistic: the statistic of a metric: `f1`, `recall` or `precision`.
        unit: the unit of swaps and draws: a `text` with all its parts, or a `document`.
        test: the test: `randomization`, `bootstrap` or `t`.
        samples: the number of shuffles, and of draws.
        seed: the seed of all random numbers.
        alpha: the level of the tests; intervals cover 1 - alpha.
        correction: the correction for all pairs of a metric.
        interval: the interval to show: `expanded`, `percentile`, `bca` or `t`.
        baseline: the system to compare the others with; by default all pairs.
        alternative: of a system to the baseline: `two-sided`, `greater` or `less`.
        strata: `genre`, or a pattern on document ids; units are drawn within strata.

    >>> Procedure(test="boostrap")
    Traceback (most recent call last):
    corefkit.exceptions.SettingsError: unknown value 'boostrap' for 'test'
    <BLANKLINE>
    hint: did you mean 'bootstrap'? known are randomization, bootstrap, t
    """

    statistic: str = "f1"
    unit: str = "text"
    test: str = "randomization"
    samples: int = 10_000
    seed: int = 0
    alpha: float = 0.05
    correction: str = "holm"
    interval: str = "expanded"
    baseline: str | None = None
    alternative: str = "two-sided"
    strata: str | None = None

    def __post_init__(self) -> None:
        """Validate all options."""
        for name, choices in CHOICES.items():
            value = getattr(self, name)
            check_known(value, choices, f"unknown value {value!r} for {name!r}")
        # NumPy integers become Python integers.
        for name, minimum in (("samples", 1), ("seed", 0)):
            object.__setattr__(
                self, name, _check_integer(name, getattr(self, name), minimum)
            )
        object.__setattr__(self, "alpha", _check_level(self.alpha))
        if self.alternative != "two-sided" and self.baseline is None:
            message = f"alternative {self.alternative!r} requires a baseline"
            hint = "name the system that the others are tested against, or leave it out"
            raise SettingsError(message, code="settings/missing-value", hint=hint)
        if self.strata is not None:
            _check_strata(self.strata)

    @property
    def signature(self) -> str:
        """The options in one line, which follows the signature of the scores.

        Some options are included only if they differ from the default.

        >>> Procedure(seed=3).signature
        'test:randomization|samples:10000|seed:3|unit:text|correction:holm|alpha:0.05'
        >>> Procedure(baseline="a|b").signature.partition("|alpha:0.05|")[2]
        'baseline:a%7Cb'
        """
        defaults = {field.name: field.default for field in fields(self)}
        changed = [
            name for name in _SIGNED_IF_CHANGED if getattr(self, name) != defaults[name]
        ]
        return "|".join(
            f"{name}:{escape_signature(str(getattr(self, name)))}"
            for name in (*_ALWAYS_SIGNED, *changed)
        )


def _check_integer(name: str, value: object, minimum: int) -> int:
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = minimum - 1
    if isinstance(value, bool) or number < minimum:
        message = (
            f"found {value!r} for {name!r}, expected a whole number from {minimum}"
        )
        raise SettingsError(message, code="settings/invalid-value")
    return number


def _check_level(value: object) -> float:
    number = float(value) if isinstance(value, Real) else float("nan")
    if isinstance(value, bool) or not _MIN_LEVEL <= number < 1:
        message = f"found {value!r} for 'alpha', expected a number between 0 and 1"
        hint = "0.05 is usual"
        if 0 < number < 1:
            hint = f"{_MIN_LEVEL:g} is the smallest; {hint}"
        raise SettingsError(message, code="settings/invalid-value", hint=hint)
    return number


def _check_strata(strata: object) -> None:
    hint = f"use {GENRE!r}, or a regular expression that is searched in document ids"
    if not isinstance(strata, str) or not strata:
        message = f"found {strata!r} for 'strata', expected {GENRE!r} or a pattern"
        raise SettingsError(message, code="settings/invalid-value", hint=hint)
    try:
        re.compile(strata)
    except (re.error, RecursionError, OverflowError) as error:
        message = f"{strata!r} for 'strata' is not a regular expression: {error}"
        raise SettingsError(
            message, code="settings/invalid-value", hint=hint
        ) from error
