"""Responses made better or worse on purpose: what becomes of a system's output.

All of them take key and response in labels and give another response to the same key.

Source: Moosavi and Strube 2016, section 2 for more and less precise responses, section
6 for the two boundary cases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.columns import places_in_runs
from corefkit.lab.labels import Labels, how_often, joined

if TYPE_CHECKING:
    from corefkit.columns import Flags, Ints


def without_correct_link(key: Labels, response: Labels) -> Flags:
    """Flag the response mentions that have links in the key, and none of them here.

    Such a mention is right as a mention; the response leaves it alone, or links it only
    to mentions of other entities. Key singletons have no link to be found.

    >>> from corefkit.lab.labels import read_pair
    >>> from corefkit.settings import DEFAULT_SETTINGS
    >>> pair = read_pair(
    ...     ["abc", "de", "f"], ["abd", "e", "fx"], settings=DEFAULT_SETTINGS
    ... )
    >>> without_correct_link(pair.key, pair.response).tolist()
    [False, False, True, True, False, False]
    """
    shared, at = _found(key, response)
    flags = np.zeros(len(response), np.bool_)
    linked = key.entity_sizes()[at] > 1
    width = response.entity.max(initial=0) + 1
    together = how_often(key.entity[at] * width + response.entity[shared])
    flags[shared] = linked & (together == 1)
    return flags


def incorrectly_resolved(key: Labels, response: Labels) -> Flags:
    """Flag the response mentions that have links on both sides, and none in common.

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
    """Take the incorrectly resolved mentions out: wrong links go, no right one does."""
    return response.keep(~incorrectly_resolved(key, response))


def less_precise_a(key: Labels, response: Labels) -> Labels:
    """Add wrong entities of two: key mentions that the response lacks, in pairs.

    The two of a pair are of one document and not coreferent, and each mention is used
    once; there are as many pairs as that allows. The same input gives the same pairs.

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
    # Of n mentions, the largest group in front: the first p with the last p. A group
    # has n - p or fewer, so the two of a pair, n - p apart, are never of one group.
    place, number = places_in_runs(lacking.document), how_often(lacking.document)
    first = np.arange(len(lacking)) - place
    pairs = np.minimum(number // 2, number - group[first])
    behind = place >= number - pairs
    place = np.where(behind, place - (number - pairs), place)
    return _with_wrong(response, lacking, first + place, place < pairs)


def less_precise_b(key: Labels, response: Labels) -> Labels:
    """Add larger wrong entities: of all key entities, a mention the response lacks.

    In each document, the first missing mentions of all key entities make an entity, the
    second ones another, and so on; one that would have a single mention is left out.

    The paper links a missing mention m to all that are not coreferent with m, and
    leaves open whether those may be coreferent with each other. Here they may not:
    else there would be a right link among them, and recall would rise rightly.

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
    turn = places_in_runs(lacking.entity)
    order = np.lexsort((lacking.mention, turn, lacking.document))
    lacking, turn = lacking.keep(order), turn[order]
    # No two entities, of one document or of two, have document and turn in common.
    entity = lacking.document * (turn.max() + 1) + turn
    return _with_wrong(response, lacking, entity, how_often(entity) > 1)


def all_singletons(response: Labels) -> Labels:
    """Put every mention into an entity of its own.

    >>> side = Labels(np.arange(3), np.array([4, 4, 9]), np.array([0, 0, 1]), 2)
    >>> all_singletons(side).entity.tolist()
    [0, 1, 2]
    """
    return response.relabelled(np.arange(len(response)))


def one_entity(response: Labels) -> Labels:
    """Put all mentions of a document into one entity.

    >>> side = Labels(np.arange(3), np.array([4, 5, 9]), np.array([0, 0, 1]), 2)
    >>> one_entity(side).entity.tolist()
    [0, 0, 1]
    """
    return response.relabelled(response.document)


def _found(key: Labels, response: Labels) -> tuple[Ints, Ints]:
    """Give the places in the response, and in the key, of the mentions of both."""
    _, shared, at = np.intersect1d(
        response.mention, key.mention, assume_unique=True, return_indices=True
    )
    return shared, at


def _missing(key: Labels, response: Labels) -> Labels:
    return key.keep(~np.isin(key.mention, response.mention))


def _with_wrong(response: Labels, lacking: Labels, entity: Ints, used: Flags) -> Labels:
    """Add entities of missing mentions to a response, numbered on from its own."""
    if not used.any():
        return response
    _, number = np.unique(entity[used], return_inverse=True)
    first = response.entity.max(initial=-1) + 1
    return joined([response, lacking.keep(used).relabelled(first + number)])
