"""How sure a score is: documents are drawn many times, and scored each time.

Texts are drawn, and not their parts, which are not independent of each other. All
systems of a setting, and all settings of the same texts, have the same draws, so that
they can be compared draw by draw.
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
    """The middle 95 % of the values of all draws."""

    low: float
    high: float


def draws(texts: Sequence[str], *, seed: int, samples: int = SAMPLES) -> Ints:
    """Draw as many texts as there are, many times, and count each part's draws.

    Args:
        texts: for each document the text that it is a part of.
        seed: of the draws.
        samples: how many draws.

    >>> draws(["a", "a", "b"], seed=0, samples=2).shape
    (2, 3)
    """
    names, index = np.unique(np.array(texts), return_inverse=True)
    # Other texts get other draws: nothing pairs them with these.
    own = zlib.crc32("\n".join(names.tolist()).encode())
    random = np.random.default_rng([seed, own])
    number = len(names)
    drawn = random.multinomial(number, np.full(number, 1 / number), size=samples)
    counts: Ints = drawn[:, index]
    return counts


def f1_of(counts: Floats) -> Floats:
    """Compute F1 from numerator and denominator of recall, then of precision.

    >>> f1_of(np.array([[2.0, 5.0, 2.0, 4.0], [0.0, 1.0, 0.0, 0.0]])).round(4).tolist()
    [0.4444, 0.0]
    """
    recall = _ratio(counts[..., 0], counts[..., 1])
    precision = _ratio(counts[..., 2], counts[..., 3])
    return _ratio(2 * recall * precision, recall + precision)


def interval(samples: Floats) -> Interval:
    """Compute the middle 95 % of samples.

    >>> interval(np.arange(1001) / 1000)
    Interval(low=0.025, high=0.975)
    """
    low, high = np.percentile(samples, _ENDS).tolist()
    return Interval(low, high)


def _ratio(numerator: Floats, denominator: Floats) -> Floats:
    divisor = np.where(denominator == 0, 1, denominator)
    ratio: Floats = np.where(denominator == 0, 0.0, numerator / divisor)
    return ratio
