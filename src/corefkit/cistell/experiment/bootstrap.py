"""How sure a score is: documents drawn again and again, and scored each time.

Texts are drawn, not parts of them, which are not independent of each other. All
systems of a setting, and all settings of the same texts, have the same draws, so that
differences between them can be looked at draw by draw.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.columns import Floats, Ints

SAMPLES = 1000
_ENDS = (2.5, 97.5)


class Interval(NamedTuple):
    """The middle 95 % of what was drawn."""

    low: float
    high: float


def draws(texts: Sequence[str], *, seed: int, samples: int = SAMPLES) -> Ints:
    """Draw as many texts as there are, many times: how often each part is drawn.

    Args:
        texts: of each document the text that it is a part of.
        seed: of the draws.
        samples: how many draws.

    >>> draws(["a", "a", "b"], seed=0, samples=2).shape
    (2, 3)
    """
    names, places = np.unique(np.array(texts), return_inverse=True)
    # Of other texts there are other draws: nothing pairs one with one of these.
    own = zlib.crc32("\n".join(names.tolist()).encode())
    random = np.random.default_rng([seed, own])
    number = len(names)
    drawn = random.multinomial(number, np.full(number, 1 / number), size=samples)
    found: Ints = drawn[:, places]
    return found


def f1_of(counts: Floats) -> Floats:
    """Give F1 of rows of counts: numerator and denominator of recall, of precision.

    >>> f1_of(np.array([[2.0, 5.0, 2.0, 4.0], [0.0, 1.0, 0.0, 0.0]])).round(4).tolist()
    [0.4444, 0.0]
    """
    recall = _ratio(counts[..., 0], counts[..., 1])
    precision = _ratio(counts[..., 2], counts[..., 3])
    return _ratio(2 * recall * precision, recall + precision)


def interval(samples: Floats) -> Interval:
    """Give the middle 95 % of samples.

    >>> interval(np.arange(1001) / 1000)
    Interval(low=0.025, high=0.975)
    """
    low, high = np.percentile(samples, _ENDS).tolist()
    return Interval(low, high)


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    divisor = np.where(denominator == 0, 1, denominator)
    found: Floats = np.where(denominator == 0, 0.0, numerator / divisor)
    return found
