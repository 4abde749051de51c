"""LEA: for each entity its importance and the share of its links resolved."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corefkit.exceptions import SettingsError
from corefkit.metrics.base import Metric, ratios, rows

if TYPE_CHECKING:
    from corefkit.alignment.table import Entities, Overlap
    from corefkit.columns import Floats, Ints

Importance: TypeAlias = Callable[[tuple[Hashable, ...]], float]


def lea(table: Overlap, importance: tuple[Floats, Floats] | None = None) -> Floats:
    """Count LEA for each document.

        recall = sum over k of importance(k) * resolved(k)
                 divided by   sum over k of importance(k)

    resolved(k) is the share of the pairs of mentions of k that lie in one response
    entity; importance is the size of an entity unless another is given. Precision swaps
    key and response. A singleton has one link, to itself, which is resolved where the
    other side has the same singleton. A side without entities makes its ratio
    undefined.

    Source: Moosavi and Strube 2016, section 4.

    >>> from corefkit import METRICS, overlap
    >>> table = overlap("abc defg".split(), "ab cd fghi".split())
    >>> score = METRICS["lea"].score(lea(table)[0])
    >>> round(score.recall, 4), round(score.precision, 4), round(score.f1, 4)
    (0.2381, 0.3333, 0.2778)
    """
    shared = table.shared.astype(float)
    links = shared * (shared - 1) / 2
    # The link of a singleton to itself: the cell is all there is of both entities.
    links[(table.key_size == 1) & (table.response_size == 1)] = 1
    key, response = importance or (table.key.size, table.response.size)
    return rows(
        *_side(table, table.key, table.key_entity, links, key),
        *_side(table, table.response, table.response_entity, links, response),
    )


def _side(
    table: Overlap,
    entities: Entities,
    entity: Ints,
    links: Floats,
    importance: Floats | Ints,
) -> tuple[Floats, Floats]:
    size = entities.size.astype(float)
    total = np.where(size == 1, 1, size * (size - 1) / 2)
    resolved = np.bincount(entity, links, len(entities)) / total
    return (
        table.by_document(importance * resolved, entities.document),
        table.by_document(importance, entities.document),
    )


def lea_with(
    importance: Importance, *, name: str = "lea_own", label: str | None = None
) -> Metric:
    """Make a LEA metric with an importance of one's own.

    The importance gets the mentions of an entity and gives a number, 0 or more.

    >>> import corefkit
    >>> flat = corefkit.lea_with(lambda entity: 1.0, name="lea_flat")
    >>> result = corefkit.score(["abc", "defg"], ["ab", "cd", "fghi"], metrics=[flat])
    >>> result["lea_flat"].recall_denominator
    2.0
    """
    count = partial(_count_own, importance=importance)
    return Metric(name, label or name, count, ratios)


def _count_own(table: Overlap, importance: Importance) -> Floats:
    sides = (_weights(table.key, importance), _weights(table.response, importance))
    return lea(table, importance=sides)


def _weights(entities: Entities, importance: Importance) -> Floats:
    weights = [importance(entities.members(row)) for row in range(len(entities))]
    for weight in weights:
        if not 0 <= weight < float("inf"):
            message = f"an importance gave {weight!r}, expected a number, 0 or more"
            raise SettingsError(message)
    return np.array(weights, float)
