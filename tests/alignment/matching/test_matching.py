"""Mentions that are one: exact spans inside one document."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.alignment import matching
from corefkit.alignment.matching import mark_duplicates
from corefkit.arrays.columns import Columns
from corefkit.settings import Settings

# Also spans so far out that their codes do not fit a number.
positions = st.integers(0, 3) | st.sampled_from([1 << 31, (1 << 40) - 1])
spans = st.tuples(positions, positions).map(lambda span: (min(span), max(span)))
mentions = st.lists(st.tuples(st.integers(0, 2), spans))


def columns(placed):
    """Make a block of three documents; every mention is an entity of its own."""
    placed = sorted(placed, key=lambda one: one[0])
    return placed, Columns(
        entity=np.arange(len(placed)),
        start=np.array([span[0] for _, span in placed], np.int64),
        end=np.array([span[1] for _, span in placed], np.int64),
        entity_document=np.array([document for document, _ in placed], np.int64),
        token_count=np.full(3, -1),
        text_hash=np.zeros(3, np.uint64),
    )


@given(mentions.map(set), mentions.map(set))
def test_exact_aligns_equal_spans_of_one_document(key, response):
    key, key_columns = columns(key)
    response, response_columns = columns(response)
    alignment = matching.align_equal(key_columns, response_columns, Settings())
    pairs = zip(alignment.key.tolist(), alignment.response.tolist(), strict=True)
    assert sorted(pairs) == [
        (number, other)
        for number, mention in enumerate(key)
        for other, same in enumerate(response)
        if mention == same
    ]


@given(mentions)
def test_repeated_flags_all_but_the_first(placed):
    placed, block = columns(placed)
    repeated = mark_duplicates(block)
    flags = [mention in placed[:number] for number, mention in enumerate(placed)]
    assert repeated.tolist() == flags


@pytest.mark.parametrize("sides", [((), ()), ((), [(0, (0, 0))]), ([(0, (0, 0))], ())])
def test_exact_takes_empty_sides(sides):
    (_, key), (_, response) = map(columns, sides)
    assert len(matching.align_equal(key, response, Settings()).key) == 0
