"""The system-mention variants of Cai and Strube 2010: plain metrics of altered sides.

A mention that the other side lacks is twinless. A variant alters key and response, once
for recall and once for precision, and leaves the counting to B³ or CEAF. What it does
to the two sides is a recipe: a few of the four alterations, one after the other.

| recipe | for recall | for precision |
|---|---|---|
| `0` | drop the response's twinless mentions | the same |
| `all` | add the key's to the response | add the response's to the key |
| `rn` of B³ | drop lone ones, add the key's | drop lone ones, add the response's |
| `rn` of CEAF | drop lone ones | the same |
| `sys` | drop the response's, add the key's | drop lone ones, add both |

Dropping lone ones takes response entities away that are one twinless mention and no
more; a mention is added as an entity of its own.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.alignment.table import Entities
from corefkit.metrics.b_cubed import b_cubed
from corefkit.metrics.base import halves
from corefkit.metrics.ceaf import ceaf_e, ceaf_m

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from corefkit.alignment.table import Overlap
    from corefkit.columns import Counts, Flags, Floats, Ints
    from corefkit.metrics.base import Counter


class Alteration(Enum):
    """What a recipe may do to key or response, in words."""

    DROP_LONE = "drop response entities that are one twinless mention"
    DROP_TWINLESS = "drop all twinless response mentions"
    ADD_TO_KEY = "add each twinless response mention to the key, alone"
    ADD_TO_RESPONSE = "add each twinless key mention to the response, alone"


class Recipe(NamedTuple):
    """What is altered before recall is counted, and what before precision is."""

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


def variant(table: Overlap, *, recipe: Recipe, plain: Counter) -> Counts:
    """Count a variant for each document: a plain metric of altered key and response.

    Recall is the plain metric's on the sides as altered for recall, precision that on
    the sides as altered for precision; CEAF aligns the two apart. Where both sides have
    the same mentions nothing is altered, and the variant is the plain metric. A side
    that is left without mentions makes its ratio undefined; under `sys` an empty
    response gets every key mention as an entity of its own: B³ then has precision 1,
    and both B³ and CEAF have some recall.

    Source: Cai and Strube 2010, section 2, for `sys`; there too `0` and `all` of
    Stoyanov et al. 2009 and `rn` of Rahman and Ng 2009.

    >>> from corefkit import overlap
    >>> table = overlap(["abc"], ["abd", "e"])
    >>> for name in ("b_cubed_0", "b_cubed_all", "b_cubed_rn", "b_cubed_sys"):
    ...     recall, mentions, *precision = variant(
    ...         table, recipe=RECIPES[name], plain=b_cubed
    ...     )[0].tolist()
    ...     print(
    ...         name, round(recall / mentions, 4), round(precision[0] / precision[1], 4)
    ...     )
    b_cubed_0 0.4444 1.0
    b_cubed_all 0.5556 0.6667
    b_cubed_rn 0.5556 0.5556
    b_cubed_sys 0.5556 0.6667
    """
    recall = plain(altered(table, recipe.recall))
    if recipe.precision == recipe.recall:
        return recall
    precision = plain(altered(table, recipe.precision))
    return halves(recall, precision)


def altered(table: Overlap, alterations: tuple[Alteration, ...]) -> Overlap:
    """Make the table of altered sides; its mentions are still those that were read.

    >>> from corefkit import overlap
    >>> table = altered(overlap(["abc"], ["abd"]), (Alteration.ADD_TO_RESPONSE,))
    >>> table.response.size.tolist(), table.shared.tolist()
    ([3, 1], [2, 1])
    """
    for alteration in alterations:
        table = _ALTERED[alteration](table)
    return table


def _drop_lone(table: Overlap) -> Overlap:
    lone = (table.response.size == 1) & (_kept_of_response(table) == 0)
    return _with_response(table, table.response.size, ~lone)


def _drop_twinless(table: Overlap) -> Overlap:
    kept = _kept_of_response(table)
    return _with_response(table, kept, kept > 0)


def _add_to_key(table: Overlap) -> Overlap:
    owner = _owners(table.response.size - _kept_of_response(table))
    added = len(table.key) + np.arange(len(owner))
    return replace(
        table,
        key=_with_lone(table.key, table.response.document[owner]),
        key_entity=np.concatenate((table.key_entity, added)),
        response_entity=np.concatenate((table.response_entity, owner)),
        shared=_and_ones(table.shared, len(owner)),
    )


def _add_to_response(table: Overlap) -> Overlap:
    kept = np.bincount(table.key_entity, table.shared, len(table.key))
    owner = _owners(table.key.size - kept.astype(np.int64))
    added = len(table.response) + np.arange(len(owner))
    key_entity = np.concatenate((table.key_entity, owner))
    order = np.argsort(key_entity, kind="stable")
    return replace(
        table,
        response=_with_lone(table.response, table.key.document[owner]),
        key_entity=key_entity[order],
        response_entity=np.concatenate((table.response_entity, added))[order],
        shared=_and_ones(table.shared, len(owner))[order],
    )


_ALTERED: Mapping[Alteration, Callable[[Overlap], Overlap]] = {
    _DROP_LONE: _drop_lone,
    _DROP_TWINLESS: _drop_twinless,
    _ADD_TO_KEY: _add_to_key,
    _ADD_TO_RESPONSE: _add_to_response,
}


def _kept_of_response(table: Overlap) -> Ints:
    """Count the mentions of each response entity that the key has."""
    kept = np.bincount(table.response_entity, table.shared, len(table.response))
    return kept.astype(np.int64)


def _owners(twinless: Ints) -> Ints:
    """List the entity of each twinless mention."""
    return np.repeat(np.arange(len(twinless)), twinless)


def _with_response(table: Overlap, size: Ints, stays: Flags) -> Overlap:
    number = np.cumsum(stays) - 1
    return replace(
        table,
        response=Entities(table.response.document[stays], size[stays]),
        response_entity=number[table.response_entity],
    )


def _with_lone(entities: Entities, document: Ints) -> Entities:
    return Entities(
        np.concatenate((entities.document, document)),
        _and_ones(entities.size, len(document)),
    )


def _and_ones(numbers: Floats | Ints, count: int) -> Ints:
    return np.concatenate((numbers, np.ones(count, np.int64)))


def _of(name: str, plain: Counter) -> Counter:
    return partial(variant, recipe=RECIPES[name], plain=plain)


b_cubed_0, b_cubed_all = _of("b_cubed_0", b_cubed), _of("b_cubed_all", b_cubed)
b_cubed_rn, b_cubed_sys = _of("b_cubed_rn", b_cubed), _of("b_cubed_sys", b_cubed)
ceaf_m_rn, ceaf_m_sys = _of("ceaf_m_rn", ceaf_m), _of("ceaf_m_sys", ceaf_m)
ceaf_e_rn, ceaf_e_sys = _of("ceaf_e_rn", ceaf_e), _of("ceaf_e_sys", ceaf_e)
