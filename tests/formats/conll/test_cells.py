"""Cells all at once, against one by one, and as the reference scorer reads them."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.formats import conll as conll_reference
from corefkit.formats.brackets import DIGITS, Unbalanced, pair_brackets
from corefkit.formats.conll import Cells, brackets, irregular_cells, reference_cell

# Ids of up to 17 digits fit a number with their count; longer ones do not.
LONG = ("1" * 17, "2" * 18, "2" * 17 + "3", "0" * 30)
noise = st.lists(st.sampled_from([*"()|12+", *LONG]), max_size=8).map(
    lambda parts: "".join(parts).encode()
)


def gathered(cells):
    """Put cells of one document together, one a token."""
    text = b"".join(cell + b"|" for cell in cells)
    return Cells(
        np.frombuffer(text, np.uint8),
        np.array([len(cell) + 1 for cell in cells], np.int64),
        np.zeros(len(cells), np.int64),
        np.arange(len(cells)),
    )


def spans(cells, *, reference=False, may_stay_open=False):
    apart = brackets(gathered(cells), {}, reference=reference)
    found = pair_brackets(apart, may_stay_open=np.array([may_stay_open]))
    bounds = apart.token[found.begin].tolist(), apart.token[found.finish].tolist()
    return list(zip(found.entity.tolist(), *bounds, strict=True))


def slow_spans(cells):
    """Pair the brackets one by one; None where a cell or a bracket is wrong."""
    seen, stacks, found = {}, {}, []
    for token, cell in enumerate(cells):
        items = DIGITS.parse_cell(cell.decode())
        if items is None:
            return None
        for name, opens, closes in items:
            entity = seen.setdefault(name, len(seen))
            stack = stacks.setdefault(entity, [])
            if opens:
                stack.append(token)
            if closes:
                if not stack:
                    return None
                found.append((entity, stack.pop(), token))
    return None if any(stacks.values()) else sorted(found, key=lambda span: span[0])


@given(st.lists(noise, max_size=4))
def test_brackets_of_all_cells_equal_one_by_one(cells):
    expected = slow_spans(cells)
    if expected is None:
        with pytest.raises(Unbalanced):
            spans(cells)
    else:
        assert spans(cells) == expected


def test_long_id_is_not_id_0():
    # Ids that fit no number are numbered from 0 on, apart from ids of digits.
    long = [b"(%s)" % digits for digits in (b"7" * 30, b"8" * 30, b"9" * 30)]
    short = [b"(0)", b"(1)", b"(2)", b"(00)"]
    assert [entity for entity, _, _ in spans([*long, *short])] == [*range(7)]
    assert [entity for entity, _, _ in spans([*short, *long])] == [*range(7)]


def test_brackets_may_stay_open_where_a_document_is_forgiven():
    assert spans([b"(1|(2)", b"(3"], may_stay_open=True) == [(0, 0, 0)]
    assert spans([b"(1", b"(1", b"1)"], may_stay_open=True) == [(0, 1, 2)]


def test_closing_brackets_are_never_forgiven():
    with pytest.raises(Unbalanced):
        spans([b"1)"], may_stay_open=True)


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
def test_reference_cell(cell, rewritten):
    assert reference_cell(cell) == rewritten


@given(st.lists(noise, max_size=3))
def test_reference_order_of_regular_cells_is_that_of_rewritten_ones(cells):
    odd = set(irregular_cells(gathered(cells)).tolist())
    regular = [cell for number, cell in enumerate(cells) if number not in odd]
    results = []
    for version in (regular, [reference_cell(cell) for cell in regular]):
        try:
            results.append(spans(version, reference=True, may_stay_open=True))
        except Unbalanced:
            results.append(None)
    assert results[0] == results[1]


@given(noise)
def test_reference_cell_is_a_row_of_brackets(cell):
    assert re.fullmatch(rb"(\(?\d+\)?(\||$))*", reference_cell(cell))


def test_long_ids_that_differ_by_a_power_of_two_are_two_entities():
    ids = [b"(%d)" % number for number in (10**19, 10**19 + 2**63, 10**19)]
    assert spans(ids) == [(0, 0, 0), (0, 2, 2), (1, 1, 1)]


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
def test_reference_reads_together_what_a_deletion_brings_together(cell, items):
    assert reference_cell(cell) == items


def test_reference_looks_at_each_piece_of_a_cell_once(monkeypatch):
    # As many brackets without bars as one likes: one search for all, not one for each.
    calls = []

    class Counted:
        def __init__(self, pattern):
            self.pattern = pattern

        def __getattr__(self, name):
            calls.append(name)
            return getattr(self.pattern, name)

    for name in ("_DOUBLE", "_PIECE", "_OPENING", "_CLOSING"):
        monkeypatch.setattr(
            conll_reference, name, Counted(getattr(conll_reference, name))
        )
    cell = b"".join(b"(%d)" % number for number in range(1000))
    assert reference_cell(cell).count(b"|") == 999
    assert len(calls) == 6
