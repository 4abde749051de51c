"""Small steps of a network, each with its way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from cistell.network.weights import Array
    from corefkit.arrays.columns import Ints

IGNORED = -1  # the target of what is not learned from
_LEAK = 0.1


def leaky(values: Array) -> Array:
    """Keep what is above 0, and a tenth of what is below.

    >>> leaky(np.array([-1.0, 2.0]))
    array([-0.1,  2. ])
    """
    found: Array = np.maximum(values, values * values.dtype.type(_LEAK))
    return found


def through_leaky(values: Array, delta: Array) -> Array:
    """Go back: from the gradient of the outcome to that of what went in."""
    return np.where(values > 0, delta, delta * delta.dtype.type(_LEAK))


def dropout(
    chance: np.random.Generator,
    shape: tuple[int, ...],
    *,
    rate: float,
    dtype: np.dtype[np.float32],
) -> Array:
    """Draw what is kept: 0 for what is dropped, and what makes up for it for the rest.

    >>> generator = np.random.default_rng(0)
    >>> set(dropout(generator, (100,), rate=0.5, dtype=np.dtype("f")).tolist())
    {0.0, 2.0}
    """
    kept = chance.random(shape, np.float32) >= rate
    return kept.astype(dtype) / dtype.type(1 - rate)


def softmax(scores: Array) -> Array:
    """Turn scores into shares of 1, along the last axis.

    >>> softmax(np.array([0.0, 0.0]))
    array([0.5, 0.5])
    """
    shares: Array = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    return shares


def cross_entropy(scores: Array, targets: Ints) -> tuple[float, Array]:
    """Return the loss, summed, and the gradient of the scores.

    The loss of a row is minus the logarithm of its target's share. Rows whose target is
    `IGNORED` count for nothing.

    >>> loss, delta = cross_entropy(np.zeros((2, 2)), np.array([1, IGNORED]))
    >>> round(loss, 3), delta.tolist()
    (0.693, [[0.5, -0.5], [0.0, 0.0]])
    """
    delta = np.zeros_like(scores)
    known = np.flatnonzero(targets != IGNORED)
    if not len(known):
        return 0.0, delta
    shares = softmax(scores[known])
    chosen = np.arange(len(known)), targets[known]
    least = np.finfo(shares.dtype).tiny
    loss = -np.log(np.maximum(shares[chosen], least)).sum(dtype=np.float64)
    shares[chosen] -= 1
    delta[known] = shares
    return float(loss), delta
