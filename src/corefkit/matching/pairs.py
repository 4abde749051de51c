"""One-to-one alignments, and the best one among pairs that might match."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from corefkit.columns import Floats, Ints
    from corefkit.matching.places import Places

_DENSE = 1 << 22  # cells of a matrix that is small enough to be written out


class Alignment(NamedTuple):
    """A one-to-one map: the mention numbers of key and response that are one."""

    key: Ints
    response: Ints

    @classmethod
    def none(cls) -> Alignment:
        """Give the alignment of nothing."""
        return cls(np.empty(0, np.int64), np.empty(0, np.int64))


class Pairs(NamedTuple):
    """Mentions that might be one, and how much speaks for it, always above 0."""

    key: Ints
    response: Ints
    weight: Floats

    def only(self, rows: Ints) -> Pairs:
        """Keep some of the pairs."""
        return Pairs(self.key[rows], self.response[rows], self.weight[rows])

    def joined(self, other: Pairs) -> Pairs:
        """Put the pairs of both together; no pair may be in both."""
        return Pairs(
            np.concatenate((self.key, other.key)),
            np.concatenate((self.response, other.response)),
            np.concatenate((self.weight, other.weight)),
        )


class Rest(NamedTuple):
    """The mentions that an alignment leaves, with their codes."""

    key: Ints
    response: Ints
    key_code: Ints
    response_code: Ints

    def original(self, alignment: Alignment) -> Alignment:
        """Give mentions the numbers that they have among all."""
        return Alignment(self.key[alignment.key], self.response[alignment.response])


def without(key_code: Ints, response_code: Ints, done: Alignment) -> Rest:
    """Leave out the mentions that are aligned already."""
    key = np.delete(np.arange(len(key_code)), done.key)
    response = np.delete(np.arange(len(response_code)), done.response)
    return Rest(key, response, key_code[key], response_code[response])


def joined(one: Alignment, other: Alignment) -> Alignment:
    """Put two alignments of different mentions together."""
    return Alignment(
        np.concatenate((one.key, other.key)),
        np.concatenate((one.response, other.response)),
    )


def best_pairs(pairs: Pairs, key: Places, response: Places) -> Alignment:
    """Choose pairs one to one so that their total weight is largest.

    Pairs whose two mentions have no other are taken at once. The others fall into
    groups that share mentions; in a group mentions stand in the order of the document,
    so that of equal choices the earlier one is taken.
    """
    alone = (np.bincount(pairs.key, minlength=1)[pairs.key] == 1) & (
        np.bincount(pairs.response, minlength=1)[pairs.response] == 1
    )
    found = Alignment(pairs.key[alone], pairs.response[alone])
    if alone.all():
        return found
    rest = pairs.only(np.flatnonzero(~alone))
    # Imported here because few inputs need it and every start would pay.
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    keys, row = np.unique(rest.key, return_inverse=True)
    responses, column = np.unique(rest.response, return_inverse=True)
    size = len(keys) + len(responses)
    graph = coo_array(
        (np.ones(len(row), np.int8), (row, len(keys) + column)), (size, size)
    )
    group = connected_components(graph, directed=False)[1][row]
    order = np.argsort(group, kind="stable")
    bounds = np.flatnonzero(np.diff(group[order])) + 1
    for members in np.split(order, bounds):
        found = joined(found, _best_of_group(rest.only(members), key, response))
    return found


def _best_of_group(pairs: Pairs, key: Places, response: Places) -> Alignment:
    from scipy.optimize import linear_sum_assignment

    keys, responses = _in_order(pairs.key, key), _in_order(pairs.response, response)
    if len(keys) * len(responses) > _DENSE:
        from corefkit.assignment import best_map

        pairs = pairs.only(np.argsort(pairs.key, kind="stable"))
        chosen = best_map(pairs.key, pairs.response, pairs.weight)
        return Alignment(pairs.key[chosen], pairs.response[chosen])
    row_of = {mention: row for row, mention in enumerate(keys.tolist())}
    column_of = {mention: column for column, mention in enumerate(responses.tolist())}
    weight = np.zeros((len(keys), len(responses)))
    row = [row_of[mention] for mention in pairs.key.tolist()]
    column = [column_of[mention] for mention in pairs.response.tolist()]
    weight[row, column] = pairs.weight
    rows, columns = linear_sum_assignment(weight, maximize=True)
    matched = weight[rows, columns] > 0
    return Alignment(keys[rows[matched]], responses[columns[matched]])


def _in_order(mentions: Ints, side: Places) -> Ints:
    """Give each mention once, in the order of the document."""
    once = np.unique(mentions)
    size = side.size()[once]
    return once[np.lexsort((size, side.end[once], side.start[once]))]
