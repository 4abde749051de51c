"""LEA: for each entity its importance, and the share of its links that is resolved."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corefkit.metrics.metric import (
    Metric,
    add_by_document,
    check_number,
    count_links,
    count_shared_links,
)

if TYPE_CHECKING:
    from corefkit.alignment.overlap import Entities, Overlap
    from corefkit.arrays.columns import Floats

Importance: TypeAlias = Callable[[tuple[Hashable, ...]], float]


def lea(
    table: Overlap,
    importance: tuple[Floats, Floats] | None = None,
    resolved: Floats | None = None,
) -> Floats:
    """Count LEA for each document.

        recall = sum over k of importance(k) * resolved(k)
                 divided by   sum over k of importance(k)

    resolved(k) is the share of the pairs of mentions of k that lie in one response
    entity; importance is the size of an entity unless another is given. Precision swaps
    key and response. A singleton has one link, to itself, which is resolved if the
    other side has the same singleton. A side without entities makes its ratio
    undefined. The links that each cell resolves may be given too.

    Source: Moosavi and Strube 2016, section 4.

    >>> from corefkit import METRICS, overlap
    >>> table = overlap("abc defg".split(), "ab cd fghi".split())
    >>> score = METRICS["lea"].score(lea(table)[0])
    >>> round(score.recall, 4), round(score.precision, 4), round(score.f1, 4)
    (0.2381, 0.3333, 0.2778)
    """
    key, response = table.key, table.response
    if resolved is None:
        resolved = count_shared_links(table.shared, table.key_size, table.response_size)
    key_weight, response_weight = importance or (key.size, response.size)
    key_share = resolved / count_links(table.key_size)
    response_share = resolved / count_links(table.response_size)
    return add_by_document(
        table,
        (key_weight[table.key_entity] * key_share, table.document),
        (key_weight, key.document),
        (response_weight[table.response_entity] * response_share, table.document),
        (response_weight, response.document),
    )


def lea_with(
    importance: Importance, *, name: str = "lea_own", label: str | None = None
) -> Metric:
    """Make a LEA metric with your own importance.

    Args:
        importance: takes the mentions of an entity, returns a number, 0 or more.
        name: the name of the metric.
        label: the heading of its column; by default its name.

    >>> import corefkit
    >>> flat = corefkit.lea_with(lambda entity: 1.0, name="lea_flat")
    >>> result = corefkit.score(["abc", "defg"], ["ab", "cd", "fghi"], metrics=[flat])
    >>> result["lea_flat"].recall_denominator
    2.0
    """
    count = partial(_count_with, importance=importance)
    return Metric(name, label or name, count)


def _count_with(table: Overlap, importance: Importance) -> Floats:
    weights = _weigh(table.key, importance), _weigh(table.response, importance)
    return lea(table, importance=weights)


def _weigh(entities: Entities, importance: Importance) -> Floats:
    members = map(entities.members, range(len(entities)))
    return np.array(
        [check_number(importance(entity), "an importance") for entity in members], float
    )
