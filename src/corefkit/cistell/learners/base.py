"""What a learner of pairs takes and returns: rows of codes in, decisions out.

Every feature has a closed list of values, so a pair of mentions is a row of small
numbers: the indices of its values in those lists.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from corefkit.exceptions import CorefkitError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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
        raise CorefkitError(message, hint="leave at least one feature switched on")
    if not len(instances.rows):
        message = "there are no pairs to learn from"
        raise CorefkitError(message, hint="training needs documents with mentions")
    if not instances.positive.any():
        message = "no pair to learn from is coreferent"
        hint = "training needs documents whose entities have several mentions"
        raise CorefkitError(message, hint=hint)
    if instances.positive.all():
        message = "every pair to learn from is coreferent"
        hint = "training needs documents with more than one entity"
        raise CorefkitError(message, hint=hint)
