"""What a learner of pairs takes and returns: rows of codes in, decisions out.

Every feature has a closed list of values, so a pair of mentions is a row of small
numbers: the indices of its values in those lists.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from corefkit.exceptions import CorefkitError, FormatError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


Codes: TypeAlias = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Column:
    """A feature and its closed list of values; a code is an index into that list.

    >>> Column("head_match", ("no", "yes")).values[1]
    'yes'
    """

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Instances:
    """Pairs to learn from: a row of codes for each, and whether it is coreferent."""

    columns: tuple[Column, ...]
    rows: Codes
    positive: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Decisions:
    """What a classifier decides on each pair.

    The smaller ``distance``, the surer the decision; ``probability`` is that of
    coreference (for memory-based learners the share of positive votes).
    """

    positive: NDArray[np.bool_]
    distance: NDArray[np.float64]
    probability: NDArray[np.float64]

    def __getitem__(self, pairs: slice | NDArray[np.intp]) -> Decisions:
        """Return the decisions on some of the pairs."""
        return Decisions(
            self.positive[pairs], self.distance[pairs], self.probability[pairs]
        )


class Classifier(Protocol):
    """A learner that has learned."""

    def decide(self, rows: Codes) -> Decisions:
        """Decide every row; equal rows are decided once."""

    def files(self) -> Mapping[str, bytes]:
        """Return what a model file stores; the same training makes the same bytes."""

    @property
    def weights(self) -> Mapping[str, float]:
        """How much each feature counts, by its name."""


class Learner(NamedTuple):
    """A way to learn: its name in options and in tables, what it is, two functions."""

    name: str
    label: str
    about: str
    learn: Callable[..., Classifier]
    load: Callable[..., Classifier]
    # How many pairs that are not coreferent it learns best from, for each mention.
    negatives: int = 5


def of_probability(probability: NDArray[np.float64]) -> Decisions:
    """Decide by probability alone: above a half is coreferent, the nearer 1 the surer.

    >>> of_probability(np.array([0.25, 0.75])).positive
    array([False,  True])
    """
    return Decisions(probability > 0.5, 1 - probability, probability)


def shares(
    columns: tuple[Column, ...], importance: NDArray[np.float64]
) -> dict[str, float]:
    """Return each feature's share of the whole importance.

    >>> shares((Column("same", ("no",)), Column("far", ("no",))), np.array([3.0, 1.0]))
    {'same': 0.75, 'far': 0.25}
    """
    names = [column.name for column in columns]
    total = importance.sum() or 1.0
    return dict(zip(names, (importance / total).tolist(), strict=True))


def check_instances(instances: Instances) -> None:
    """Refuse pairs from which nothing can be learned.

    >>> columns = (Column("same", ("no", "yes")),)
    >>> rows = np.array([[1]], dtype=np.uint8)
    >>> check_instances(Instances(columns, rows, np.array([False])))
    Traceback (most recent call last):
    corefkit.exceptions.CorefkitError: no pair to learn from is coreferent
    <BLANKLINE>
    hint: training needs documents whose entities have several mentions
    """
    if not instances.columns:
        message = "there are no features to learn from"
        raise CorefkitError(
            message,
            code="settings/missing-value",
            hint="leave at least one feature switched on",
        )
    if not len(instances.rows):
        message = "there are no pairs to learn from"
        raise CorefkitError(
            message,
            code="model/nothing-to-learn",
            hint="training needs documents with mentions",
        )
    if not instances.positive.any():
        message = "no pair to learn from is coreferent"
        hint = "training needs documents whose entities have several mentions"
        raise CorefkitError(message, code="model/nothing-to-learn", hint=hint)
    if instances.positive.all():
        message = "every pair to learn from is coreferent"
        hint = "training needs documents with more than one entity"
        raise CorefkitError(message, code="model/nothing-to-learn", hint=hint)


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
    message = f"the model's part {name} is missing or damaged"
    return FormatError(message, code="model/damaged", hint=AGAIN)


@contextmanager
def scikit_learn() -> Iterator[None]:
    """Fit on one core, so that the same pairs and seed make the same bits."""
    try:
        # It comes with scikit-learn, and controls all libraries with threads.
        threads = import_module("threadpoolctl")
        import_module("sklearn")
    except ImportError as error:
        message = "this learner needs scikit-learn to learn, which is not installed"
        raise CorefkitError(
            message,
            code="environment/missing-package",
            hint="pip install 'corefkit[cistell]'",
        ) from error
    with threads.threadpool_limits(limits=1):
        yield
