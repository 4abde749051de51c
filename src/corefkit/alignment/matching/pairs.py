"""One-to-one alignments, and the best one among pairs that might match."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.alignment.assignment import best_map

if TYPE_CHECKING:
    from corefkit.alignment.matching.positions import Positions
    from corefkit.columns import Flags, Floats, Ints

# The mentions of key and response that are aligned to none yet.
Free: TypeAlias = "tuple[Flags, Flags]"

_DENSE = 1 << 22  # cells of a matrix that is small enough to be written out


class Alignment(NamedTuple):
    """A one-to-one map: the mention numbers of key and response that are one."""

    key: Ints
    response: Ints

    @classmethod
    def none(cls) -> Alignment:
        """Return the alignment of nothing."""
        return cls(np.empty(0, np.int64), np.empty(0, np.int64))

    def joined(self, other: Alignment) -> Alignment:
        """Put two alignments of different mentions together."""
        return Alignment(*map(np.concatenate, zip(self, other, strict=True)))


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


def best_pairs(
    pairs: Pairs, key: Positions, response: Positions, free: Free
) -> Alignment:
    """Choose pairs one to one so that their total weight is largest.

    Pairs whose two mentions have no other are taken at once. The others are chosen
    document by document from all mentions that are free there, in the order of the
    text: where several choices are best, this settles which one is taken.
    """
    alone = (np.bincount(pairs.key, minlength=1)[pairs.key] == 1) & (
        np.bincount(pairs.response, minlength=1)[pairs.response] == 1
    )
    if alone.all():
        return Alignment(pairs.key, pairs.response)
    document = key.columns.document
    unclear = np.zeros(key.columns.documents, np.bool_)
    unclear[document[pairs.key[~alone]]] = True
    clear = ~unclear[document[pairs.key]]
    found = [Alignment(pairs.key[clear], pairs.response[clear])]
    for number in np.flatnonzero(unclear).tolist():
        here = pairs.only(np.flatnonzero(document[pairs.key] == number))
        keys = _in_order(key, free[0], number)
        responses = _in_order(response, free[1], number)
        found.append(_best_of_document(here, keys, responses))
    return Alignment(*map(np.concatenate, zip(*found, strict=True)))


def _best_of_document(pairs: Pairs, keys: Ints, responses: Ints) -> Alignment:
    if len(keys) * len(responses) > _DENSE:
        pairs = pairs.only(np.argsort(pairs.key, kind="stable"))
        chosen = best_map(pairs.key, pairs.response, pairs.weight)
        return Alignment(pairs.key[chosen], pairs.response[chosen])
    # Imported here because few inputs need it and every start would pay.
    from scipy.optimize import linear_sum_assignment

    row_of = {mention: row for row, mention in enumerate(keys.tolist())}
    column_of = {mention: column for column, mention in enumerate(responses.tolist())}
    weight = np.zeros((len(keys), len(responses)))
    row = [row_of[mention] for mention in pairs.key.tolist()]
    column = [column_of[mention] for mention in pairs.response.tolist()]
    weight[row, column] = pairs.weight
    rows, columns = linear_sum_assignment(weight, maximize=True)
    matched = weight[rows, columns] > 0
    return Alignment(keys[rows[matched]], responses[columns[matched]])


def _in_order(side: Positions, free: Flags, document: int) -> Ints:
    """Sort the free mentions of a document in the order of the text."""
    here = np.flatnonzero(free & (side.columns.document == document))
    size = side.size()[here]
    return here[np.lexsort((size, side.end[here], side.start[here]))]
