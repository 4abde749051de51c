"""Documents are taken out of columns that are held, in any order."""

from __future__ import annotations

import numpy as np
import pytest
from alike import assert_same
from hypothesis import given
from hypothesis import strategies as st

from corefkit.columns import Columns, join_columns
from corefkit.columns.held import Held
from corefkit.columns.of_documents import document_columns
from corefkit.model import Bridge, Document, Entity, Mention

spans = st.tuples(st.integers(0, 9), st.integers(0, 3)).map(
    lambda pair: Mention(pair[0], sum(pair))
)
headed = spans.map(lambda span: Mention(span.start, span.end, head=span.start))
gapped = st.just(Mention(0, 4, ((2, 2),)))
entities = st.lists(spans | headed | gapped, min_size=1, max_size=4)
words = st.lists(st.sampled_from("abc"), min_size=0, max_size=3)


@st.composite
def documents(draw):
    """Draw a document with a few entities, and maybe words, links, an empty node."""
    sentence = tuple(draw(words))
    rows = draw(st.lists(entities, max_size=3))
    names = st.sampled_from([str(number) for number in range(len(rows))] or ["0"])
    found = [
        Entity(str(number), tuple(row), tuple(draw(st.sets(names, max_size=2))))
        for number, row in enumerate(rows)
    ]
    mentions = [mention for row in rows for mention in row]
    bridges = [
        Bridge(mention, draw(names | st.just("unknown")))
        for mention in mentions
        if draw(st.booleans())
    ]
    empty = (0,) if len(sentence) > 1 and draw(st.booleans()) else ()
    layers = {"deps": ("1:x|0:y", *"_" * (len(sentence) - 1))} if empty else {}
    sentences = (sentence,) if sentence else ()
    return Document("d", sentences, tuple(found), empty, tuple(bridges), layers)


@given(st.lists(documents(), max_size=5), st.data())
def test_documents_taken_are_those_read_alone(listed, data):
    held = Held.of(document_columns(listed))
    numbers = data.draw(st.permutations(range(len(listed))))
    numbers = numbers[: data.draw(st.integers(0, len(numbers)))]
    taken = held.take(numbers)
    wanted = join_columns([document_columns([listed[number]]) for number in numbers])
    assert_same(taken, wanted)


def test_codes_follow_the_entities_that_are_taken():
    entity, token = np.array([0, 1, 2]), np.arange(3)
    columns = Columns(entity, token, token, np.array([0, 0, 1]), token[:2], token[:2])
    held = Held.of(columns, entity_code=np.array([7, 8, 7]))
    assert held.codes([1, 0]).tolist() == [7, 7, 8]
    assert held.codes([]).tolist() == []
    with pytest.raises(ValueError, match="nobody counted"):
        Held.of(columns).codes([0])
