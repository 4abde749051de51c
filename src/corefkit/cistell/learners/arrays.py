"""Rows of codes and arrays as bytes, as all learners need them."""

from __future__ import annotations

from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.exceptions import CorefkitError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from corefkit.cistell.learners.base import Codes, Decisions


# What to do about a model that cannot be read.
AGAIN = "copy the model file again, or train it again with `corefkit train`"


def distinct_rows(rows: Codes) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the indices of the distinct rows, sorted, and of each row among these.

    >>> rows = np.array([[1, 2], [0, 9], [1, 2]], dtype=np.uint8)
    >>> distinct_rows(rows)
    (array([1, 0]), array([1, 0, 1]))
    """
    _, indices, inverse = np.unique(
        whole_rows(rows), return_index=True, return_inverse=True
    )
    return indices, inverse


def whole_rows(rows: Codes) -> NDArray[np.void]:
    """View each row as one value of raw bytes, which sorts faster than an axis."""
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
    """Return the numbers of an array as bytes, the lowest byte of each first.

    >>> list(array_bytes(np.array([1, 2], dtype=np.int16)))
    [1, 0, 2, 0]
    """
    return array.astype(array.dtype.newbyteorder("<")).tobytes()


def array_of(
    files: Mapping[str, bytes], name: str, kind: str, *width: int
) -> NDArray[Any]:
    """Read an array from a model file, with numbers of a kind in rows of a width.

    >>> array_of({"rows": bytes([1, 2, 3, 4])}, "rows", "u1", 2).tolist()
    [[1, 2], [3, 4]]
    """
    try:
        numbers: NDArray[Any] = np.frombuffer(files[name], dtype=f"<{kind}")
        return numbers.reshape(-1, *width)
    except (KeyError, ValueError) as error:
        raise damaged(name) from error


def damaged(name: str) -> CorefkitError:
    """Make an error for a part of a model file that cannot be read."""
    return CorefkitError(f"the model's part {name} is missing or damaged", hint=AGAIN)


@contextmanager
def scikit_learn() -> Iterator[None]:
    """Fit on one core, so that the same pairs and seed make the same bits."""
    try:
        # It comes with scikit-learn, and controls all libraries with threads.
        threads = import_module("threadpoolctl")
        import_module("sklearn")
    except ImportError as error:
        message = "this learner needs scikit-learn to learn, which is not installed"
        raise CorefkitError(message, hint="pip install 'corefkit[cistell]'") from error
    with threads.threadpool_limits(limits=1):
        yield
