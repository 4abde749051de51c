"""LEA: for each entity its importance and the share of its links resolved."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corefkit.metrics.base import Metric, checked, counted, links, shared_links

if TYPE_CHECKING:
    from corefkit.alignment.table import Entities, Overlap
    from corefkit.columns import Floats

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
    key and response. A singleton has one link, to itself, which is resolved where the
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
        resolved = shared_links(table.shared, table.key_size, table.response_size)
    key_weight, response_weight = importance or (key.size, response.size)
    in_key = resolved / links(table.key_size)
    in_response = resolved / links(table.response_size)
    return counted(
        table,
        (key_weight[table.key_entity] * in_key, table.document),
        (key_weight, key.document),
        (response_weight[table.response_entity] * in_response, table.document),
        (response_weight, response.document),
    )


def lea_with(
    importance: Importance, *, name: str = "lea_own", label: str | None = None
) -> Metric:
    """Make a LEA metric with an importance of your own.

    The importance gets the mentions of an entity and returns a number, 0 or more.

    >>> import corefkit
    >>> flat = corefkit.lea_with(lambda entity: 1.0, name="lea_flat")
    >>> result = corefkit.score(["abc", "defg"], ["ab", "cd", "fghi"], metrics=[flat])
    >>> result["lea_flat"].recall_denominator
    2.0
    """
    count = partial(_count_own, importance=importance)
    return Metric(name, label or name, count)


def _count_own(table: Overlap, importance: Importance) -> Floats:
    sides = (_weights(table.key, importance), _weights(table.response, importance))
    return lea(table, importance=sides)


def _weights(entities: Entities, importance: Importance) -> Floats:
    members = map(entities.members, range(len(entities)))
    return np.array(
        [checked(importance(entity), "an importance") for entity in members], float
    )
