"""Tables of repaired documents."""

from __future__ import annotations

import numpy as np
import pytest
from builders import corpora
from hypothesis import given
from known_errors import NO_SPAN_ERRORS, aligned, plain_kinds

from corefkit.analysis.errors.error_analysis import KINDS
from corefkit.analysis.errors.kinds import find_errors_by_kind
from corefkit.analysis.errors.mentions import join_mentions
from corefkit.analysis.errors.repairs import build_repair_table
from corefkit.model import Document, Entity, Mention


def cells(table):
    return [
        table.documents,
        *(
            column.tolist()
            for column in (
                table.key.document,
                table.key.size,
                table.response.document,
                table.response.size,
                table.key_entity,
                table.response_entity,
                table.shared,
            )
        ),
    ]


def unrepaired(block):
    """Make the table of a response in which nothing is repaired."""
    kinds = find_errors_by_kind(join_mentions(block), NO_SPAN_ERRORS)
    every = np.ones(kinds.table.documents, np.bool_)
    return build_repair_table(kinds, [(frozenset(), every)])


@given(corpora())
def test_with_nothing_repaired_the_table_is_that_of_the_response(pair):
    block = aligned(*pair)
    assert cells(unrepaired(block)) == cells(block.table)


@pytest.mark.parametrize("match", ["exact", "head", "partial"])
def test_whatever_the_match(match):
    words = (tuple("abcdefghij"),)
    key = [Mention(0, 3, head=3), Mention(5, 5, head=5), Mention(7, 8, head=8)]
    response = [Mention(2, 3, head=3), Mention(5, 6, head=5), Mention(8, 8, head=8)]
    block = aligned(
        *(
            Document("d", words, (Entity("1", mentions[:2]), Entity("2", mentions[2:])))
            for mentions in (tuple(key), tuple(response))
        ),
        match=match,
    )
    assert cells(unrepaired(block)) == cells(block.table)


def test_only_the_documents_that_are_wanted_are_in_the_table():
    key = {"x": ["ab", "c"], "y": ["ab"], "z": ["abcd"]}
    response = {"x": ["abc"], "y": ["b"], "z": ["ab", "cd"]}
    kinds = plain_kinds(key, response)
    wanted = [np.array(flags) for flags in ([True, False, True], [False, True, False])]
    repairs = [({"conflated"}, wanted[0]), (set(KINDS), wanted[1])]
    table = build_repair_table(kinds, repairs, has_members=True)
    assert table.documents == 3
    ours = [table.key.members(entity) for entity in range(len(table.key))]
    theirs = [table.response.members(entity) for entity in range(len(table.response))]
    assert list(zip(table.key.document.tolist(), map("".join, ours), strict=True)) == [
        (0, "ab"),
        (0, "c"),
        (1, "abcd"),
        (2, "ab"),
    ]
    found = zip(table.response.document.tolist(), map("".join, theirs), strict=True)
    assert [*found] == [(0, "ab"), (0, "c"), (1, "ab"), (1, "cd"), (2, "ab")]
    assert table.shared.tolist() == [2, 1, 2, 2, 2]
