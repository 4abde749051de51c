"""Heads of spans: those that a look at each word finds, in few looks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.syntax import parents as heads
from corefkit.syntax.parents import Parents

tokens = st.integers(1, 20).flatmap(
    lambda size: st.lists(
        st.tuples(st.integers(-1, size - 1), st.booleans()),
        min_size=size,
        max_size=size,
    )
)


def slow_head(parents, said, start, end):
    for token in range(start, end + 1):
        if said[token] and not start <= parents[token] <= end:
            return token
    return None


@given(tokens)
def test_head_is_the_first_word_that_hangs_on_nothing_inside(drawn):
    parents, said = zip(*drawn, strict=True)
    size = len(drawn)
    spans = [(start, end) for start in range(size) for end in range(start, size)]
    expected = [slow_head(parents, said, *span) for span in spans]
    asked = Parents(parents, said)
    assert [asked.head(*span) for span in spans] == expected


@pytest.mark.parametrize("size", [100, 200, 400])
def test_nested_spans_are_not_written_out(size, monkeypatch):
    looks = []

    class Table(list):
        def __getitem__(self, place):
            looks.append(place)
            return super().__getitem__(place)

    doublings = heads._doublings
    monkeypatch.setattr(
        heads, "_doublings", lambda *a: [Table(one.tolist()) for one in doublings(*a)]
    )
    middle = size // 2
    asked = Parents(
        [-1 if one == middle else middle for one in range(size)], [1] * size
    )
    for start in range(middle):
        assert asked.head(start, size - 1 - start) == middle
    # Twice the number of doublings for each span, however long it is.
    assert len(looks) <= middle * 2 * size.bit_length()
