"""How sure a tagger was of a mention and of its type.

A tagger that finds mentions leaves with each how likely it is a mention, and how likely
each type is (`taggers.tagger.CERTAINTY`, `TYPES`), in percent. "It is late" has a
mention of which no tagger is sure; and two mentions whose likely types differ are
seldom one thing, even where the likeliest type of one is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cistell.profiles import ENTITY_TYPES
from cistell.taggers.tagger import CERTAINTY, TYPES

if TYPE_CHECKING:
    from cistell.table import MentionTable
    from corefkit.arrays.columns import Floats, Ints

_UNKNOWN = 0
_NONE = ENTITY_TYPES.index("none")


def certainties(table: MentionTable) -> Ints:
    """Return how likely mentions are, from 1 to 101; 0 where nothing is known."""
    cells = (profile.mention.attributes.get(CERTAINTY) for profile in table.profiles)
    found = [_UNKNOWN if cell is None else 1 + int(cell) for cell in cells]
    return np.array(found, np.int64)


def type_shares(table: MentionTable) -> Floats:
    """Return a row for each mention: how likely each type is, nothing if unknown.

    A mention that tells one type alone has that; one that shows none has zeros.
    """
    shares = np.zeros((len(table), len(ENTITY_TYPES)))
    for row, profile, shown in zip(
        shares, table.profiles, table.entity_type.tolist(), strict=True
    ):
        cell = profile.mention.attributes.get(TYPES)
        if shown == _NONE:
            continue
        if cell is None:
            row[shown] = 1.0
        else:
            row[1:] = np.array(cell.split(), float)
            row /= row.sum() or 1.0
    return shares


def likely_types(shares: Floats, first: Ints, second: Ints) -> Ints:
    """Return how likely two mentions have one type, from 1 to 101; 0 if unknown.

    >>> shares = np.array([[0.8, 0.2], [0.5, 0.5], [0.0, 0.0]])
    >>> likely_types(shares, np.array([0, 0]), np.array([1, 2])).tolist()
    [51, 0]
    """
    both = np.einsum("ij,ij->i", shares[first], shares[second])
    known = (shares.sum(axis=1) > 0)[first] & (shares.sum(axis=1) > 0)[second]
    return np.where(known, 1 + np.rint(100 * both), _UNKNOWN).astype(np.int64)
