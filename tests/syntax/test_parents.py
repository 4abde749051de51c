"""Heads of spans in dependency trees, against a search word by word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.syntax import dependencies
from corefkit.syntax.dependencies import Parents

tokens = st.integers(1, 20).flatmap(
    lambda size: st.lists(
        st.tuples(st.integers(-1, size - 1), st.booleans()),
        min_size=size,
        max_size=size,
    )
)


def find_head_slowly(parents, is_word, start, end):
    for token in range(start, end + 1):
        if is_word[token] and not start <= parents[token] <= end:
            return token
    return None


@given(tokens)
def test_head_is_the_first_word_with_a_parent_outside(drawn):
    parents, is_word = zip(*drawn, strict=True)
    size = len(drawn)
    spans = [(start, end) for start in range(size) for end in range(start, size)]
    expected = [find_head_slowly(parents, is_word, *span) for span in spans]
    heads = Parents(parents, is_word)
    assert [heads.head(*span) for span in spans] == expected


@pytest.mark.parametrize("size", [100, 200, 400])
def test_search_takes_logarithmic_time(size, monkeypatch):
    reads = []

    class Table(list):
        def __getitem__(self, index):
            reads.append(index)
            return super().__getitem__(index)

    build = dependencies._build_tables
    monkeypatch.setattr(
        dependencies,
        "_build_tables",
        lambda *columns: [Table(table.tolist()) for table in build(*columns)],
    )
    middle = size // 2
    tokens = [-1 if token == middle else middle for token in range(size)]
    parents = Parents(tokens, [True] * size)
    for start in range(middle):
        assert parents.head(start, size - 1 - start) == middle
    assert len(reads) <= middle * 2 * size.bit_length()
