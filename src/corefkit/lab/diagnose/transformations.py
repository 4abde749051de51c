"""Transformations: ways to make a response better or worse on purpose.

Each takes the labels of key and response and returns another response to the same key,
called a version of the response.

Source: Moosavi and Strube 2016, section 2 for more and less precise responses, section
6 for the two boundary cases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.arrays.columns import rank_in_runs
from corefkit.lab.labels import Labels, how_often, joined

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from corefkit.arrays.columns import Flags, Ints

FELL, ROSE = -1, 1


class Transformation(NamedTuple):
    """A way to make another version of a response."""

    name: str  # in Python and in JSON
    label: str  # for people
    apply: Callable[[Labels, Labels], Labels]  # takes key and response
    wrong: Mapping[str, tuple[int, ...]]  # directions that a field must not take

    @property
    def keeps_links(self) -> bool:
        """Whether it adds and removes no correct link, so that recall must stay."""
        return "recall" in self.wrong


def without_correct_link(key: Labels, response: Labels) -> Flags:
    """Flag the response mentions that have links in the key, but no correct link.

    Such a mention is correct as a mention, but the response leaves it alone or links it
    only to mentions of other entities. Key singletons have no link to find.

    >>> from corefkit.lab.labels import read_pair
    >>> from corefkit.settings import DEFAULT_SETTINGS
    >>> pair = read_pair(
    ...     ["abc", "de", "f"], ["abd", "e", "fx"], settings=DEFAULT_SETTINGS
    ... )
    >>> without_correct_link(pair.key, pair.response).tolist()
    [False, False, True, True, False, False]
    """
    _, in_response, in_key = np.intersect1d(
        response.mention, key.mention, assume_unique=True, return_indices=True
    )
    is_linked = key.entity_sizes()[in_key] > 1
    width = response.entity.max(initial=0) + 1
    together = how_often(key.entity[in_key] * width + response.entity[in_response])
    flags = np.zeros(len(response), np.bool_)
    flags[in_response] = is_linked & (together == 1)
    return flags


def incorrectly_resolved(key: Labels, response: Labels) -> Flags:
    """Flag the response mentions that have links on both sides, but none in common.

    >>> from corefkit.lab.labels import read_pair
    >>> from corefkit.settings import DEFAULT_SETTINGS
    >>> pair = read_pair(
    ...     ["abc", "de", "f"], ["abd", "e", "fx"], settings=DEFAULT_SETTINGS
    ... )
    >>> incorrectly_resolved(pair.key, pair.response).tolist()
    [False, False, True, False, False, False]
    """
    return without_correct_link(key, response) & (response.entity_sizes() > 1)


def more_precise(key: Labels, response: Labels) -> Labels:
    """Remove the incorrectly resolved mentions, and with them only wrong links."""
    return response.keep(~incorrectly_resolved(key, response))


def less_precise_a(key: Labels, response: Labels) -> Labels:
    """Add wrong entities of two: pairs of key mentions that the response lacks.

    The two mentions of a pair are of one document and not coreferent, and each mention
    is used once; there are as many pairs as that allows. The same input gives the same
    pairs.

    >>> from corefkit.lab.labels import read_pair
    >>> from corefkit.settings import DEFAULT_SETTINGS
    >>> pair = read_pair(["abcd", "ef", "g"], ["ab"], settings=DEFAULT_SETTINGS)
    >>> less_precise_a(pair.key, pair.response).entity.tolist()  # ab, ce, df
    [0, 0, 1, 2, 1, 2]
    """
    lacking = _missing(key, response)
    if not len(lacking):
        return response
    group = how_often(lacking.entity)
    order = np.lexsort((lacking.mention, lacking.entity, -group, lacking.document))
    lacking, group = lacking.keep(order), group[order]
    # Of n mentions, with the largest group in front, the first p are paired with the
    # last p. A group has n - p or fewer mentions, so the two mentions of a pair, which
    # are n - p apart, are never of one group.
    place, number = rank_in_runs(lacking.document), how_often(lacking.document)
    first = np.arange(len(lacking)) - place
    pairs = np.minimum(number // 2, number - group[first])
    behind = place >= number - pairs
    place = np.where(behind, place - (number - pairs), place)
    return _with_wrong(response, lacking, first + place, place < pairs)


def less_precise_b(key: Labels, response: Labels) -> Labels:
    """Add larger wrong entities, with one missing mention of each key entity.

    In each document, the first missing mentions of all key entities make an entity, the
    second ones another, and so on; an entity of a single mention is left out.

    The paper links a missing mention m to all that are not coreferent with m, and
    leaves open whether those may be coreferent with each other. Here they may not:
    otherwise there would be a correct link among them, and recall would rightly rise.

    >>> from corefkit.lab.labels import read_pair
    >>> from corefkit.settings import DEFAULT_SETTINGS
    >>> pair = read_pair(["abcd", "ef", "g"], ["ab"], settings=DEFAULT_SETTINGS)
    >>> less_precise_b(pair.key, pair.response).entity.tolist()  # ab, ceg, df
    [0, 0, 1, 1, 1, 2, 2]
    """
    lacking = _missing(key, response)
    if not len(lacking):
        return response
    order = np.lexsort((lacking.mention, lacking.entity, lacking.document))
    lacking = lacking.keep(order)
    turn = rank_in_runs(lacking.entity)
    order = np.lexsort((lacking.mention, turn, lacking.document))
    lacking, turn = lacking.keep(order), turn[order]
    # No two new entities have both document and turn in common.
    entity = lacking.document * (turn.max() + 1) + turn
    return _with_wrong(response, lacking, entity, how_often(entity) > 1)


def all_singletons(_: Labels, response: Labels) -> Labels:
    """Put every mention into an entity of its own.

    >>> side = Labels(np.arange(3), np.array([4, 4, 9]), np.array([0, 0, 1]), 2)
    >>> all_singletons(side, side).entity.tolist()
    [0, 1, 2]
    """
    return response.relabelled(np.arange(len(response)))


def one_entity(_: Labels, response: Labels) -> Labels:
    """Put all mentions of a document into one entity.

    >>> side = Labels(np.arange(3), np.array([4, 5, 9]), np.array([0, 0, 1]), 2)
    >>> one_entity(side, side).entity.tolist()
    [0, 0, 1]
    """
    return response.relabelled(response.document)


def _missing(key: Labels, response: Labels) -> Labels:
    return key.keep(~np.isin(key.mention, response.mention))


def _with_wrong(response: Labels, lacking: Labels, entity: Ints, used: Flags) -> Labels:
    """Add entities of missing mentions to a response, with new numbers."""
    if not used.any():
        return response
    _, number = np.unique(entity[used], return_inverse=True)
    first = response.entity.max(initial=-1) + 1
    return joined([response, lacking.keep(used).relabelled(first + number)])


_MORE = {"recall": (FELL, ROSE), "precision": (FELL,), "f1": (FELL,)}
_LESS = {"recall": (FELL, ROSE), "precision": (ROSE,), "f1": (ROSE,)}
TRANSFORMATIONS: Mapping[str, Transformation] = {
    transformation.name: transformation
    for transformation in (
        Transformation("more_precise", "More precise", more_precise, _MORE),
        Transformation("less_precise_a", "Less precise a", less_precise_a, _LESS),
        Transformation("less_precise_b", "Less precise b", less_precise_b, _LESS),
        Transformation("all_singletons", "All singletons", all_singletons, {}),
        Transformation("one_entity", "One entity", one_entity, {"f1": (ROSE,)}),
    )
}
