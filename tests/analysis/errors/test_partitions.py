"""Repeated mentions and split antecedents, where scores count them."""

from __future__ import annotations

import corefkit
from corefkit.model import Document, Entity, Mention

KEY = {"d": ["abc", "de"], "e": ["fg"]}
REPEATING = {"d": ["ab", "bcd"], "e": ["fg"]}


def test_one_of_each_is_analysed():
    asked = corefkit.errors(KEY, REPEATING, repeated="reference")
    first = corefkit.errors(KEY, REPEATING, repeated="first")
    assert asked.systems == first.systems
    assert sum(asked.systems[0].counts.values())
    assert asked.signature == first.signature  # which is what F1 was counted with


def test_it_is_said_where_one_of_each_was_analysed():
    (kept, said) = corefkit.errors(KEY, REPEATING, preset="conll2012").notes
    assert "1 repeated mention" in kept
    assert said.startswith("repeated mentions are kept in the first of their entities")


def test_without_repeated_mentions_nothing_else_is_analysed():
    response = {"d": ["ab", "cd"], "e": ["fg"]}
    analysis = corefkit.errors(KEY, response, preset="conll2012")
    scored = corefkit.score(KEY, response, preset="conll2012")
    assert analysis.notes == ()
    assert analysis.signature == scored.signature
    assert analysis.systems[0].ladder["response"]["lea"] == scored["lea"].f1


def test_comparisons_count_the_same_errors():
    # Of "d", only the copy is in an entity of two.
    response = {"d": ["abc", "d", "de"], "e": ["fg"]}
    settings = {"repeated": "reference", "singletons": "drop"}
    analysis = corefkit.errors(KEY, response, **settings)
    systems = {"A": response, "B": KEY}
    compared = corefkit.compare(KEY, systems, metrics=["errors"], **settings)
    total = sum(analysis.systems[0].counts.values())
    assert total == 1
    assert compared["errors"].systems[0].score == total


def test_split_antecedents_are_left_out_and_that_is_said():
    mentions = [Mention(token, token) for token in range(4)]
    words = (("Ann", "Bob", "they", "she"),)
    entities = [
        Entity("1", (mentions[0], mentions[3])),
        Entity("2", (mentions[1],)),
        Entity("3", (mentions[2],), split=("1", "2")),
    ]
    key = Document("d", words, tuple(entities))
    response = Document("d", words, (Entity("1", tuple(mentions[:2])), *entities[2:]))
    asked = corefkit.errors([key], [response], split="score")
    ignored = corefkit.errors([key], [response], split="ignore")
    assert asked.systems == ignored.systems
    assert asked.signature == ignored.signature
    (said,) = asked.notes
    assert said.startswith("split antecedents are left out here")


def test_where_there_are_no_split_antecedents_they_are_not_spoken_of():
    analysis = corefkit.errors(KEY, KEY, split="score")
    assert analysis.notes == ()
    assert analysis.signature == corefkit.score(KEY, KEY, split="score").signature
