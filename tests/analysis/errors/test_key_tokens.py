"""Mentions in the tokens of the key, where the sides are tokenised differently."""

from __future__ import annotations

import pytest
from known_errors import tables

from corefkit.model import Document, Entity, Mention


def document(sentence, *spans, empty=()):
    """Make a document of one sentence; each list of mentions is an entity."""
    entities = [Entity(str(n), tuple(mentions)) for n, mentions in enumerate(spans)]
    return Document("d", (tuple(sentence.split()),), tuple(entities), empty=empty)


def found(table):
    return [
        (
            table.mention(row).tokens,
            bool(table.key_entity[row] >= 0),
            bool(table.response_entity[row] >= 0),
        )
        for row in range(len(table))
    ]


def test_mentions_compared_by_characters_have_the_keys_tokens():
    key = document("the dog 's tail wags", [Mention(0, 2), Mention(3, 3)])
    response = document("the dog's tail wags", [Mention(0, 1), Mention(3, 3)])
    table = tables(key, response, tokens="characters")
    assert found(table) == [
        ((0, 1, 2), True, True),
        ((3,), True, False),
        ((4,), False, True),
    ]


def test_gaps_compared_by_characters_are_the_keys_gaps():
    key = document("ab cd e f", [Mention(0, 0), Mention(1, 1)])
    response = document("ab c d e f", [Mention.of([0, 3]), Mention.of([1, 2])])
    table = tables(key, response, tokens="characters")
    assert found(table) == [
        ((0,), True, False),
        ((0, 2), False, True),
        ((1,), True, True),
    ]


@pytest.mark.parametrize(
    ("token", "tokens"), [(0, (0,)), (1, (2,)), (2, (3,))], ids=["a", "b", "c"]
)
def test_words_behind_the_keys_empty_nodes_are_counted_anew(token, tokens):
    key = document("a _ b c", [Mention(1, 1)], empty=(1,))
    response = document("a b c", [Mention(token, token)])
    table = tables(key, response)
    assert (tokens, False, True) in found(table)
    assert ((1,), True, False) in found(table)


def test_empty_nodes_of_the_response_stand_at_the_keys_or_at_the_word_before():
    key = document("a _ b c", [Mention(0, 0)], empty=(1,))
    response = document(
        "a _ b _ c", [Mention(1, 1), Mention(3, 3), Mention(2, 4)], empty=(1, 3)
    )
    table = tables(key, response)
    assert found(table) == [
        ((0,), True, False),
        ((1,), False, True),
        ((2, 3), False, True),
        ((2,), False, True),
    ]


def test_the_same_empty_nodes_change_nothing():
    key = document("a _ b", [Mention(1, 1), Mention(2, 2)], empty=(1,))
    response = document("a _ b", [Mention(1, 1), Mention(0, 2)], empty=(1,))
    assert found(tables(key, response)) == [
        ((0, 1, 2), False, True),
        ((1,), True, True),
        ((2,), True, False),
    ]
