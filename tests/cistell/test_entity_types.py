from __future__ import annotations

import pytest

from corefkit.cistell import entity_types
from corefkit.cistell.entity_types import ENTITY_TYPES, entity_type
from corefkit.model import Mention


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("person", "person"),
        ("PER", "person"),
        ("Organisation", "organization"),
        ("GPE", "place"),
        ("FAC", "place"),
        ("WORK_OF_ART", "object"),
        ("date", "time"),
        ("MONEY", "abstract"),
        ("zork", "other"),
        ("", "none"),
        (None, "none"),
    ],
)
def test_entity_types_of_corpora_are_one_inventory(given, expected):
    attributes = {} if given is None else {"type": given}
    assert entity_type(Mention(0, 0, attributes=attributes)) == expected


def test_every_type_is_in_the_inventory():
    assert {*entity_types._TYPES.values()} == {*ENTITY_TYPES}
    assert {*entity_types.TYPE_SUPERTYPES} <= {*ENTITY_TYPES}
