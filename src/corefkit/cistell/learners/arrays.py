"""Rows of codes and arrays as bytes, as all learners need them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.exceptions import CorefkitError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from corefkit.cistell.learners.base import Codes, Decisions

# What to do about a model that cannot be read.
AGAIN = "copy the model file again, or train it again with `corefkit train`"


def distinct_rows(rows: Codes) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Give the places of the distinct rows, in their order, and each row's among them.

    >>> rows = np.array([[1, 2], [0, 9], [1, 2]], dtype=np.uint8)
    >>> distinct_rows(rows)
    (array([1, 0]), array([1, 0, 1]))
    """
    _, places, inverse = np.unique(
        whole_rows(rows), return_index=True, return_inverse=True
    )
    return places, inverse


def whole_rows(rows: Codes) -> NDArray[np.void]:
    """See each row as one value of raw bytes, which sorts faster than an axis."""
    whole = np.ascontiguousarray(rows).view(np.dtype((np.void, rows.shape[1])))
    return whole.ravel()


def spread(decisions: Decisions, inverse: NDArray[np.intp]) -> Decisions:
    """Give every row the decision of its distinct row."""
    return type(decisions)(
        positive=decisions.positive[inverse],
        distance=decisions.distance[inverse],
        probability=decisions.probability[inverse],
    )


def array_bytes(array: NDArray[Any]) -> bytes:
    """Give the numbers of an array alone, the lowest byte of each first.

    >>> list(array_bytes(np.array([1, 2], dtype=np.int16)))
    [1, 0, 2, 0]
    """
    return array.astype(array.dtype.newbyteorder("<")).tobytes()


def array_of(
    files: Mapping[str, bytes], name: str, kind: str, *width: int
) -> NDArray[Any]:
    """Read an array of a model file, of such numbers, in rows that are so wide.

    >>> array_of({"rows": bytes([1, 2, 3, 4])}, "rows", "u1", 2).tolist()
    [[1, 2], [3, 4]]
    """
    try:
        numbers: NDArray[Any] = np.frombuffer(files[name], dtype=f"<{kind}")
        return numbers.reshape(-1, *width)
    except (KeyError, ValueError) as error:
        raise damaged(name) from error


def damaged(name: str) -> CorefkitError:
    """Say which part of a model file cannot be read."""
    return CorefkitError(f"the model's part {name} is missing or damaged", hint=AGAIN)
