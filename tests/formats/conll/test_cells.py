"""Cells of CoNLL-2012 as the reference scorer splits them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.formats import conll
from corefkit.formats.conll import split_reference_cell

noise = st.lists(st.sampled_from([*"()|12+", "1" * 17, "2" * 18]), max_size=8).map(
    lambda parts: "".join(parts).encode()
)


@pytest.mark.parametrize(
    ("cell", "rewritten"),
    [
        (b"(1)", b"(1)"),
        (b"(1|(2)", b"(2)|(1"),
        (b"1)|(2", b"(2|1)"),
        (b"5)|(5", b"(5|5)"),
        (b"(1(2)3)", b"(2)|(13)"),
        (b"(4+1)", b""),
        (b"(0+12)", b"(0|12)"),
        (b"a(7)b", b"(7)"),
        (b"-", b""),
    ],
)
def test_split_reference_cell(cell, rewritten):
    assert split_reference_cell(cell) == rewritten


@given(noise)
def test_rewritten_cell_is_a_row_of_brackets(cell):
    assert re.fullmatch(rb"(\(?\d+\)?(\||$))*", split_reference_cell(cell))


@pytest.mark.parametrize(
    ("cell", "items"),
    [
        (b"(1" * 3 + b"1)" * 3, b"(11)|(11)|(11)"),
        (b"((1)2)", b"(1)|(2)"),
        (b"(1(2(3)4)5)", b"(3)|(24)|(15)"),
        (b"12(3)4", b"(3)"),
        (b"1)2)(3", b"(3|1)|2)"),
    ],
)
def test_digits_made_adjacent_by_a_deletion_are_one_id(cell, items):
    assert split_reference_cell(cell) == items


def test_long_cell_is_searched_once_per_kind_of_bracket(monkeypatch):
    calls = []

    class Counted:
        def __init__(self, pattern):
            self.pattern = pattern

        def __getattr__(self, name):
            calls.append(name)
            return getattr(self.pattern, name)

    for name in ("_DOUBLE", "_PIECE", "_OPENING", "_CLOSING"):
        monkeypatch.setattr(conll, name, Counted(getattr(conll, name)))
    cell = b"".join(b"(%d)" % number for number in range(1000))
    assert split_reference_cell(cell).count(b"|") == 999
    assert len(calls) == 6
