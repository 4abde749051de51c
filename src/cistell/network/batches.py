"""Batches of sentences that are about equally long: little is computed in vain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence


def batches_of(
    lengths: Sequence[int], *, words: int, chance: np.random.Generator | None = None
) -> list[list[int]]:
    """Sort sentences into batches; return their numbers, the longest first in each.

    Args:
        lengths: how many words each sentence has; those without any are left out.
        words: about how many words a batch has, counting each sentence as long as the
            longest; a batch has one sentence at least.
        chance: sorts sentences of about the same length, and then batches, at random.

    >>> batches_of([1, 7, 2, 2, 0], words=6)
    [[3, 2, 0], [1]]
    """
    sizes = np.asarray(lengths, np.float64)
    if chance is not None:
        sizes = sizes + chance.uniform(0, 2, len(sizes))
    made: list[list[int]] = []
    batch: list[int] = []
    for number in np.argsort(sizes, kind="stable").tolist():
        longest = max([lengths[number], *(lengths[other] for other in batch[-1:])])
        if batch and (len(batch) + 1) * longest > words:
            made.append(batch)
            batch = []
        if lengths[number]:
            batch.append(number)
    if batch:
        made.append(batch)
    if chance is not None:
        made = [made[place] for place in chance.permutation(len(made))]
    return [
        sorted(reversed(batch), key=lambda number: -lengths[number]) for batch in made
    ]
