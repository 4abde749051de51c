"""Repairs: states of the response, against edits that are done one at a time."""

from __future__ import annotations

from itertools import islice

import numpy as np
import slow_errors
from error_cases import lacking, pairs
from hypothesis import given
from hypothesis import strategies as st
from known_errors import tables, with_pronouns

from corefkit.analysis.errors.error_analysis import KINDS
from corefkit.analysis.errors.kinds import SpanErrors, find_errors_by_kind
from corefkit.analysis.errors.repairs import (
    LADDER,
    apply_repair,
    list_repaired_entities,
)


def kinds_of_pair(pair, spans=()):
    """Find the kinds of errors, given which mentions are span errors."""
    table = tables({"d": pair.key}, {"d": pair.response})
    table = with_pronouns(table, pair.pronouns)
    row = {table.mention(row): row for row in range(len(table))}
    rows = np.array([(row[u], row[v]) for u, v in spans], np.int64).reshape(-1, 2)
    errors = SpanErrors(rows[:, 0], rows[:, 1], np.zeros(len(rows), np.bool_))
    return find_errors_by_kind(table, errors)


def state(kinds, which):
    (entities,) = list_repaired_entities(kinds.original, apply_repair(kinds, which))
    return [*map(frozenset, entities)]


@st.composite
def span_pairs(draw, pair):
    """Draw which mentions of the response stand for which of the key."""
    extra = lacking(pair.response, pair.key)
    missing = draw(st.permutations(lacking(pair.key, pair.response)))
    many = draw(st.integers(0, min(len(extra), len(missing))))
    return list(islice(zip(extra, missing, strict=False), many))


@given(st.data(), pairs(14), st.sets(st.sampled_from(KINDS)))
def test_arrays_repair_what_edits_one_at_a_time_repair(data, pair, which):
    spans = data.draw(span_pairs(pair))
    kinds = kinds_of_pair(pair, spans)
    found = state(kinds, which)
    wanted = slow_errors.repaired(pair.key, pair.response, pair.pronouns, which, spans)
    assert {*found} == wanted
    assert len(found) == len(wanted)


@given(st.data(), pairs(14))
def test_the_ladder_leads_from_the_response_to_the_key(data, pair):
    kinds = kinds_of_pair(pair, data.draw(span_pairs(pair)))
    assert {*state(kinds, LADDER["response"])} == {*map(frozenset, pair.response)}
    assert {*state(kinds, LADDER[KINDS[-1]])} == {*map(frozenset, pair.key)}


@given(st.data(), pairs())
def test_a_kind_without_errors_changes_nothing(data, pair):
    kinds = kinds_of_pair(pair, data.draw(span_pairs(pair)))
    which = data.draw(st.sets(st.sampled_from(KINDS)))
    none = {kind for kind, many in zip(KINDS, kinds.counts[0], strict=True) if not many}
    one, other = apply_repair(kinds, which), apply_repair(kinds, which | none)
    assert one.tolist() == other.tolist()


def test_entities_are_listed_by_first_mention_and_document():
    table = tables({"x": ["cd", "ab"], "y": ["a"]}, {"x": ["abcd"], "y": []})
    kinds = find_errors_by_kind(
        table, SpanErrors(*np.empty((2, 0), np.int64), np.empty(0))
    )
    found = list_repaired_entities(table, apply_repair(kinds, KINDS))
    assert found == [[("a", "b"), ("c", "d")], [("a",)]]
