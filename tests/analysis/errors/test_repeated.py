"""Repeated mentions, where the reference scorer counts all of them."""

from __future__ import annotations

import corefkit

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
