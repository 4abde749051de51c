"""Joined tables: rows, their order, and their mentions."""

from __future__ import annotations

import numpy as np
import pytest
from known_errors import tables

from corefkit.model import Document, Entity, Mention


def document(*entities, words=20, name="d", empty=()):
    made = [
        Entity(str(number), tuple(entity)) for number, entity in enumerate(entities)
    ]
    text = tuple(f"w{token}" for token in range(words))
    return Document(name, (text,), tuple(made), empty=empty)


def mentions(table):
    return [table.mention(row) for row in range(len(table))]


def test_rows_are_in_the_order_of_the_text():
    key = document([Mention(4, 6), Mention(0, 0)], [Mention(4, 5)])
    response = document([Mention(2, 9), Mention(0, 0)], [Mention(4, 4)])
    table = tables(key, response)
    assert [tuple(m) for m in mentions(table)] == [
        (0, 0),
        (2, 9),
        (4, 4),
        (4, 5),
        (4, 6),
    ]
    assert table.key_entity.tolist() == [0, -1, -1, 1, 0]
    assert table.response_entity.tolist() == [0, 0, 1, -1, -1]
    assert not table.is_pronoun.any()


def test_mentions_of_the_same_bounds_are_in_the_order_of_their_tokens():
    shapes = [Mention.of(tokens) for tokens in ([3, 5, 6], [3, 4, 6], [3, 6])]
    key = document([shapes[0], shapes[2], Mention(8, 8)])
    response = document([shapes[1], Mention(3, 6)])
    table = tables(key, response)
    assert [m.tokens for m in mentions(table)] == [
        (3, 4, 5, 6),
        (3, 4, 6),
        (3, 5, 6),
        (3, 6),
        (8,),
    ]


def test_documents_stand_one_behind_the_other():
    table = tables({"x": ["ba"], "y": ["a"]}, {"x": ["c"], "y": ["ab"]})
    assert table.documents == 2
    assert table.document.tolist() == [0, 0, 0, 1, 1]
    assert mentions(table) == [*"abcab"]
    assert table.start.tolist() == [0, 1, 2, 0, 1]


@pytest.mark.parametrize(
    ("key", "response", "order"),
    [
        ([[3, 1]], [[2]], [1, 2, 3]),
        ([[2.5, 1]], [[10]], [1, 2.5, 10]),
        ([["b", 3]], [["a"]], [3, "a", "b"]),
        ([[(3, "b"), (3, "a")]], [[(1, "z")]], [(1, "z"), (3, "a"), (3, "b")]),
        ([[(5, 6), (5, 5)]], [[(4, 9)]], [(4, 9), (5, 5), (5, 6)]),
        ([[frozenset("b")]], [[frozenset("a")]], [frozenset("a"), frozenset("b")]),
    ],
    ids=["ints", "numbers", "mixed", "tuples", "spans", "sets"],
)
def test_names_are_sorted_whatever_they_are(key, response, order):
    assert mentions(tables({"d": key}, {"d": response})) == order


def test_names_that_are_spans_have_tokens():
    table = tables([[(5, 6), (5, 5)]], [[(4, 9)]])
    assert (table.start.tolist(), table.end.tolist()) == ([4, 5, 5], [9, 5, 6])
    assert [table.label(row) for row in range(3)] == ["4-9", "5-5", "5-6"]


def test_names_are_their_own_labels():
    table = tables(["ab"], ["ac"])
    assert [table.label(row) for row in range(3)] == [*"abc"]
    table = tables({"d": [["x", (7, 8)]]}, {"d": []})
    assert {table.label(row) for row in range(2)} == {"x", "7-8"}


def test_paired_mentions_are_one_with_the_tokens_of_the_key():
    key = document([Mention(0, 3, head=3), Mention(7, 8, head=8)])
    response = document([Mention(2, 3, head=3), Mention(7, 8, head=7)])
    table = tables(key, response, match="head")
    assert mentions(table) == [Mention(0, 3), Mention(7, 8), Mention(7, 8)]
    assert table.key_entity.tolist() == [0, 0, -1]
    assert table.response_entity.tolist() == [0, -1, 0]


def test_rows_know_their_numbers_on_both_sides():
    table = tables([["c", "a"]], [["b", "a"]])
    assert table.key_mention.tolist() == [1, -1, 0]
    assert table.response_mention.tolist() == [1, 0, -1]


def test_empty_sides_have_empty_tables():
    table = tables({"d": []}, {"d": []})
    assert len(table) == 0
    assert table.documents == 1
    table = tables({"d": ["ab"]}, {"d": []})
    assert table.response_entity.tolist() == [-1, -1]
    table = tables({"d": []}, {"d": ["ab"]})
    assert table.key_entity.tolist() == [-1, -1]


def test_a_response_may_lack_documents():
    table = tables({"x": ["ab"], "y": ["cd"]}, {"y": ["cd"]})
    assert table.document.tolist() == [0, 0, 1, 1]
    assert table.response_entity.tolist() == [-1, -1, 0, 0]


def test_settings_leave_mentions_out_first():
    table = tables(["ab", "c"], ["a", "bc"], singletons="drop")
    assert mentions(table) == [*"abc"]
    assert table.key_entity.tolist() == [0, 0, -1]
    assert table.response_entity.tolist() == [-1, 0, 0]


def test_documents_of_a_topic_are_joined():
    key = [document([Mention(0, 0)], name="t_1"), document([Mention(0, 0)], name="t_2")]
    table = tables(key, key, scope="corpus")
    assert table.documents == 1
    assert len(table) == 2
    assert np.array_equal(table.key_entity, table.response_entity)
