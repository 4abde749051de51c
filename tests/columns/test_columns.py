"""Columns: documents selected in any order, and every array moves with its rows."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from alike import assert_same
from hypothesis import given
from hypothesis import strategies as st

from corefkit.arrays.building import build_columns
from corefkit.arrays.columns import (
    Columns,
    Details,
    Empties,
    join_columns,
    make_default_details,
    number_entities,
)
from corefkit.model import Bridge, Document, Entity, Mention

spans = st.tuples(st.integers(0, 9), st.integers(0, 3)).map(
    lambda pair: Mention(pair[0], sum(pair))
)
headed = spans.map(lambda span: Mention(span.start, span.end, head=span.start))
gapped = st.just(Mention(0, 4, ((2, 2),)))
entities = st.lists(spans | headed | gapped, min_size=1, max_size=4)
words = st.lists(st.sampled_from("abc"), min_size=0, max_size=3)
BARE = Document("bare", (), ())


@st.composite
def documents(draw):
    """Draw a document with a few entities, and maybe words, links, an empty node."""
    sentence = tuple(draw(words))
    rows = draw(st.lists(entities, max_size=3))
    names = st.sampled_from([str(number) for number in range(len(rows))] or ["0"])
    drawn = [
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
    return Document("d", sentences, tuple(drawn), empty, tuple(bridges), layers)


@given(st.lists(documents(), max_size=5), st.data())
def test_selected_documents_are_those_built_separately(listed, data):
    columns = build_columns(listed)
    numbers = data.draw(st.permutations([*range(len(listed)), None, None]))
    numbers = numbers[: data.draw(st.integers(0, len(numbers)))]
    expected = join_columns(
        [build_columns([BARE if n is None else listed[n]]) for n in numbers]
    )
    assert_same(columns.take_documents(numbers), expected)


@given(st.lists(documents(), max_size=5), st.data())
def test_consecutive_documents_are_those_built_separately(listed, data):
    start = data.draw(st.integers(0, len(listed)))
    stop = data.draw(st.integers(start, len(listed)))
    columns = build_columns(listed).take_documents(range(start, stop))
    parts = [build_columns([document]) for document in listed[start:stop]]
    assert_same(columns, join_columns(parts))


@given(st.lists(documents(), max_size=3), st.data())
def test_kept_mentions_keep_their_details(listed, data):
    columns = build_columns(listed)
    size = len(columns.entity)
    flags = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    kept = columns.keep(flags.astype(bool))
    before = [columns.mention(row) for row in np.flatnonzero(flags)]
    assert [kept.mention(row) for row in range(len(kept.entity))] == before
    assert kept.document.tolist() == columns.document[flags.astype(bool)].tolist()
    if kept.details is not None:
        heads = columns.details.head[flags.astype(bool)]
        assert kept.details.head.tolist() == heads.tolist()
        assert kept.details.split.max(initial=-1) < len(kept.entity_document)


def test_codes_follow_the_selected_entities():
    entity, token = np.array([0, 1, 2]), np.arange(3)
    documents, code = np.array([0, 0, 1]), np.array([7, 8, 7])
    columns = Columns(entity, token, token, documents, token[:2], token[:2], code=code)
    assert columns.take_documents([1, 0]).code.tolist() == [7, 7, 8]
    assert columns.take_documents([None, 1]).code.tolist() == [7]
    assert columns.keep(np.array([False, True, True])).code.tolist() == [8, 7]
    assert join_columns([columns, columns]).code.tolist() == [7, 8, 7, 7, 8, 7]


@pytest.mark.parametrize("table", [Details, Empties])
def test_every_array_declares_its_rows(table):
    undeclared = {array.name for array in fields(table) if not array.metadata}
    assert undeclared == ({"empties"} if table is Details else set())


def test_default_details_state_nothing():
    document = Document("d", (("so", "it"),), (Entity("1", (Mention(1, 1),)),))
    details = make_default_details(build_columns([document, document]))
    assert details.head.tolist() == [-1, -1]
    assert details.referring.tolist() == [True, True]
    assert details.split.shape == (0, 2)
    assert details.bridge.shape == (0, 3)
    assert len(details.gap_start) == 0


def number_slowly(rows):
    numbers = {}
    entity = [numbers.setdefault(row, len(numbers)) for row in rows]
    return entity, [rows.index(row) for row in numbers]


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(-2, 3)), max_size=40),
    st.sampled_from([1, 10**9, 1 << 61]),
)
def test_entities_are_numbered_by_first_rows(rows, factor):
    document, code = np.array(rows, np.int64).reshape(-1, 2).T
    entity, first_row = number_entities(document, code * factor)
    assert (entity.tolist(), first_row.tolist()) == number_slowly(rows)
