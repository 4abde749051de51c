"""Bits of numbers, counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The bits that are set in each byte.
_OF_BYTES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(
    axis=1, dtype=np.uint8
)


def count_by_bytes(numbers: NDArray[np.unsignedinteger[Any]]) -> NDArray[np.uint8]:
    """Count the bits of each number that are set, byte by byte.

    >>> count_by_bytes(np.array([0, 1, 255, 2**64 - 1], np.uint64))
    array([ 0,  1,  8, 64], dtype=uint8)
    """
    each = np.ascontiguousarray(numbers)[..., None].view(np.uint8)
    counts: NDArray[np.uint8] = _OF_BYTES[each].sum(axis=-1, dtype=np.uint8)
    return counts


# numpy counts them itself from version 2.0 on.
count_bits = getattr(np, "bitwise_count", count_by_bytes)
