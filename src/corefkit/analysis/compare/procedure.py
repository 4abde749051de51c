"""How systems are compared: the options of a comparison, and their signature."""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass, fields
from numbers import Real
from typing import TYPE_CHECKING

from corefkit.exceptions import SettingsError
from corefkit.strings import escape_signature, suggest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

STATISTICS = ("f1", "recall", "precision")
UNITS = ("text", "document")
TESTS = ("randomization", "bootstrap", "t")
CORRECTIONS = ("holm", "hochberg", "bonferroni", "none")
INTERVALS = ("expanded", "percentile", "bca", "t")
ALTERNATIVES = ("two-sided", "greater", "less")
GENRE = "genre"
# Quantiles so far out cannot be computed, nor does any number of samples reach them.
_SMALLEST_LEVEL = 1e-12

_CHOICES: Mapping[str, Sequence[str]] = {
    "statistic": STATISTICS,
    "unit": UNITS,
    "test": TESTS,
    "correction": CORRECTIONS,
    "interval": INTERVALS,
    "alternative": ALTERNATIVES,
}
# In this order; what stands in neither is never a part of the signature.
_ALWAYS_SIGNED = ("test", "samples", "seed", "unit", "correction", "alpha")
_SIGNED_IF_CHANGED = ("statistic", "interval", "baseline", "alternative", "strata")


@dataclass(frozen=True, slots=True)
class Procedure:
    """What is tested, and how.

    Attributes:
        statistic: which ratio of a metric: `f1`, `recall` or `precision`.
        unit: what is swapped and drawn: a `text` with all its parts, or a `document`.
        test: which p-value decides: `randomization`, `bootstrap` or `t`.
        samples: how many shuffles, and how many draws.
        seed: of everything that is drawn at random.
        alpha: the level of the tests; intervals cover the rest of it.
        correction: of the p-values of all pairs of one metric.
        interval: which interval is shown: `expanded`, `percentile`, `bca` or `t`.
        baseline: the system that the others are compared with; all pairs if None.
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
        """Refuse a value that an option cannot have."""
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            if value not in choices:
                message = f"unknown value {value!r} for {name!r}"
                raise SettingsError(
                    message,
                    code="settings/unknown-value",
                    hint=suggest(str(value), choices),
                )
        # numpy's whole numbers become Python's.
        for name, least in (("samples", 1), ("seed", 0)):
            object.__setattr__(self, name, _whole(name, getattr(self, name), least))
        object.__setattr__(self, "alpha", _level(self.alpha))
        if self.alternative != "two-sided" and self.baseline is None:
            message = f"alternative {self.alternative!r} needs a baseline"
            hint = "name the system that the others are tested against, or leave it out"
            raise SettingsError(message, code="settings/missing-value", hint=hint)
        if self.strata is not None:
            _check_pattern(self.strata)

    @property
    def signature(self) -> str:
        """The options in one line, to stand behind the signature of the scores.

        Some are named only if they are not the default.

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


def _whole(name: str, value: object, least: int) -> int:
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = least - 1
    if isinstance(value, bool) or number < least:
        message = f"found {value!r} for {name!r}, expected a whole number from {least}"
        raise SettingsError(message, code="settings/invalid-value")
    return number


def _level(value: object) -> float:
    number = float(value) if isinstance(value, Real) else float("nan")
    if isinstance(value, bool) or not _SMALLEST_LEVEL <= number < 1:
        message = f"found {value!r} for 'alpha', expected a number between 0 and 1"
        hint = "0.05 is usual"
        if 0 < number < 1:
            hint = f"{_SMALLEST_LEVEL:g} is the smallest; {hint}"
        raise SettingsError(message, code="settings/invalid-value", hint=hint)
    return number


def _check_pattern(strata: object) -> None:
    hint = f"give {GENRE!r}, or a regular expression that is searched in document ids"
    if not isinstance(strata, str) or not strata:
        message = f"found {strata!r} for 'strata', expected {GENRE!r} or a pattern"
        raise SettingsError(message, code="settings/invalid-value", hint=hint)
    try:
        re.compile(strata)
    except (re.error, RecursionError, OverflowError) as error:
        message = f"{strata!r} for 'strata' is no regular expression: {error}"
        raise SettingsError(
            message, code="settings/invalid-value", hint=hint
        ) from error
