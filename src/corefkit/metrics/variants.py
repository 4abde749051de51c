"""The system-mention variants of Cai and Strube 2010: metrics of altered sides.

A mention that the other side lacks is twinless. A variant alters key and response, once
for recall and once for precision, and then counts B³ or CEAF. A recipe lists which of
four alterations it applies, in order.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.alignment.overlap import Entities
from corefkit.metrics.standard import merge_halves

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from corefkit.alignment.overlap import Overlap
    from corefkit.arrays.columns import Counts, Flags, Ints
    from corefkit.metrics.metric import Counter


class Alteration(Enum):
    """The alterations of key or response; their values describe them to users."""

    DROP_LONE = "drop response entities that are one twinless mention"
    DROP_TWINLESS = "drop all twinless response mentions"
    ADD_TO_KEY = "add each twinless response mention to the key, alone"
    ADD_TO_RESPONSE = "add each twinless key mention to the response, alone"


class Recipe(NamedTuple):
    """The alterations before recall is counted, and those before precision is."""

    recall: tuple[Alteration, ...]
    precision: tuple[Alteration, ...]


_DROP_LONE, _DROP_TWINLESS = Alteration.DROP_LONE, Alteration.DROP_TWINLESS
_ADD_TO_KEY, _ADD_TO_RESPONSE = Alteration.ADD_TO_KEY, Alteration.ADD_TO_RESPONSE

_SYS = Recipe(
    (_DROP_TWINLESS, _ADD_TO_RESPONSE), (_DROP_LONE, _ADD_TO_KEY, _ADD_TO_RESPONSE)
)
_LONE_ONLY = Recipe((_DROP_LONE,), (_DROP_LONE,))

# By the name of the metric.
RECIPES: Mapping[str, Recipe] = {
    "b_cubed_0": Recipe((_DROP_TWINLESS,), (_DROP_TWINLESS,)),
    "b_cubed_all": Recipe((_ADD_TO_RESPONSE,), (_ADD_TO_KEY,)),
    "b_cubed_rn": Recipe((_DROP_LONE, _ADD_TO_RESPONSE), (_DROP_LONE, _ADD_TO_KEY)),
    "b_cubed_sys": _SYS,
    "ceaf_m_rn": _LONE_ONLY,
    "ceaf_m_sys": _SYS,
    "ceaf_e_rn": _LONE_ONLY,
    "ceaf_e_sys": _SYS,
}


def count_variant(table: Overlap, *, name: str, plain: Counter) -> Counts:
    """Count a variant for each document: a plain metric of altered key and response.

    Recall is the plain metric's on the sides as altered for recall, precision that on
    the sides as altered for precision; CEAF aligns the two separately. If both sides
    have the same mentions, nothing is altered, and the variant is the plain metric. A
    side that is left without mentions makes its ratio undefined; under `sys` an empty
    response gets every key mention as a singleton: B³ then has precision 1, and both B³
    and CEAF have some recall.

    Source: Cai and Strube 2010, section 2, for `sys`; there too `0` and `all` of
    Stoyanov et al. 2009 and `rn` of Rahman and Ng 2009.

    >>> from corefkit import overlap
    >>> from corefkit.metrics.standard import b_cubed
    >>> table = overlap(["abc"], ["abd", "e"])
    >>> count_variant(table, name="b_cubed_sys", plain=b_cubed).round(4).tolist()
    [[1.6667, 3.0, 2.6667, 4.0]]
    """
    recipe = RECIPES[name]
    recall = plain(apply_alterations(table, recipe.recall))
    if recipe.precision == recipe.recall:
        return recall
    precision = plain(apply_alterations(table, recipe.precision))
    return merge_halves(recall, precision)


def apply_alterations(table: Overlap, alterations: tuple[Alteration, ...]) -> Overlap:
    """Build the table of altered sides; its mentions are still those that were read."""
    for alteration in alterations:
        table = _FUNCTIONS[alteration](table)
    return table


def _drop_lone(table: Overlap) -> Overlap:
    is_lone = (table.response.size == 1) & (_count_response_shared(table) == 0)
    return _replace_response(table, table.response.size, ~is_lone)


def _drop_twinless(table: Overlap) -> Overlap:
    shared = _count_response_shared(table)
    return _replace_response(table, shared, shared > 0)


def _add_to_key(table: Overlap) -> Overlap:
    owner = _list_owners(table.response.size - _count_response_shared(table))
    added = len(table.key) + np.arange(len(owner))
    return replace(
        table,
        key=_append_singletons(table.key, table.response.document[owner]),
        key_entity=np.concatenate((table.key_entity, added)),
        response_entity=np.concatenate((table.response_entity, owner)),
        shared=_append_ones(table.shared, len(owner)),
    )


def _add_to_response(table: Overlap) -> Overlap:
    shared = np.bincount(table.key_entity, table.shared, len(table.key))
    owner = _list_owners(table.key.size - shared.astype(np.int64))
    added = len(table.response) + np.arange(len(owner))
    key_entity = np.concatenate((table.key_entity, owner))
    order = np.argsort(key_entity, kind="stable")
    return replace(
        table,
        response=_append_singletons(table.response, table.key.document[owner]),
        key_entity=key_entity[order],
        response_entity=np.concatenate((table.response_entity, added))[order],
        shared=_append_ones(table.shared, len(owner))[order],
    )


_FUNCTIONS: Mapping[Alteration, Callable[[Overlap], Overlap]] = {
    _DROP_LONE: _drop_lone,
    _DROP_TWINLESS: _drop_twinless,
    _ADD_TO_KEY: _add_to_key,
    _ADD_TO_RESPONSE: _add_to_response,
}


def _count_response_shared(table: Overlap) -> Ints:
    shared = np.bincount(table.response_entity, table.shared, len(table.response))
    return shared.astype(np.int64)


def _list_owners(twinless: Ints) -> Ints:
    return np.repeat(np.arange(len(twinless)), twinless)


def _replace_response(table: Overlap, size: Ints, kept: Flags) -> Overlap:
    number = np.cumsum(kept) - 1
    return replace(
        table,
        response=Entities(table.response.document[kept], size[kept]),
        response_entity=number[table.response_entity],
    )


def _append_singletons(entities: Entities, document: Ints) -> Entities:
    return Entities(
        np.concatenate((entities.document, document)),
        _append_ones(entities.size, len(document)),
    )


def _append_ones(numbers: Counts, count: int) -> Ints:
    return np.concatenate((numbers, np.ones(count, np.int64)))
