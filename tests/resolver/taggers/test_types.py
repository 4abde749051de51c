"""Types of mentions that have none."""

from __future__ import annotations

import numpy as np
from resolver.stories import stories

from cistell.evidence import Evidence
from cistell.profiles import ENTITY_TYPES
from cistell.taggers.types import with_types
from corefkit.model import Document, Entity, Mention

WORDS = ("the", "old", "mill", "burned")


def evidence(*names):
    types = np.zeros((len(names), len(ENTITY_TYPES)), np.float32)
    for row, name in enumerate(names):
        types[row, ENTITY_TYPES.index(name)] = 0.3
        types[row, 0] = 0.7  # that none is likelier still says nothing of the type
    return Evidence(types, (), ())


def types_of(document):
    return [mention.attributes.get("type") for one in document for mention in one]


def test_a_mention_gets_the_type_of_its_head():
    told = evidence("time", "event", "place", "person")
    mentions = (Mention(0, 2, head=2), Mention(0, 1, head=0), Mention(3, 3))
    document = Document("d", (WORDS,), (Entity("e", mentions),))
    assert types_of(with_types(document, told)) == ["place", "time", "person"]


def test_heads_are_those_of_the_tree():
    (document, *_) = stories(1)
    told = evidence(*["object"] * len(document.tokens))
    told.types[3, ENTITY_TYPES.index("place")] = 0.6
    (thing,) = [one for one in document if any(m.start == 2 for m in one)]
    found = next(one for one in with_types(document, told) if one.id == thing.id)
    assert found.mentions[0].attributes == {"type": "place"}


def test_types_that_are_known_stay():
    told = evidence("time", "event", "place", "person")
    mention = Mention(0, 2, head=2, attributes={"type": "object"})
    document = Document("d", (WORDS,), (Entity("e", (mention,)),))
    assert with_types(document, told) is document
