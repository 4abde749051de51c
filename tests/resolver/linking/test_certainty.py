"""How sure a tagger was, as the linker sees it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from resolver.lexica import table_of
from resolver.trees import parsed

from cistell.linking.certainty import certainties, likely_types, type_shares
from cistell.profiles import ENTITY_TYPES


def told(**attributes):
    """Return a table of two mentions, of which the first has attributes."""
    document = parsed("[ she/0//root ]s", "[ she/0//root ]t")
    first, *others = document.entities
    (mention,) = first.mentions
    first = replace(first, mentions=(replace(mention, attributes=attributes),))
    return table_of(replace(document, entities=(first, *others)), entity_types="all")


def test_certainty_is_told_or_unknown():
    assert certainties(told(certainty="87")).tolist() == [88, 0]


def test_types_are_shares_or_one_type_or_nothing():
    likely = ["0"] * (len(ENTITY_TYPES) - 1)
    likely[:2] = "60", "20"
    shares = type_shares(told(type="person", types=" ".join(likely)))
    assert np.allclose(shares[0, 1:3], [0.75, 0.25])
    assert not shares[1].any()
    sure = type_shares(told(type="place"))
    assert sure[0, ENTITY_TYPES.index("place")] == 1


def test_unknown_types_are_neither_alike_nor_different():
    shares = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    first, second = np.array([0, 0, 0]), np.array([0, 1, 2])
    assert likely_types(shares, first, second).tolist() == [101, 1, 0]
