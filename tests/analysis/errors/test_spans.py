"""Span errors: how mentions are paired, and what becomes of them."""

from __future__ import annotations

import numpy as np
import slow_errors
from error_cases import lacking, pairs
from hypothesis import given
from hypothesis import strategies as st
from known_errors import tables

from corefkit.analysis.errors.kinds import (
    find_errors_by_kind,
    find_span_errors,
)
from corefkit.analysis.errors.mentions import MentionFacts
from corefkit.model import Document, Entity, Mention


def description(table, *, trimmed=None, sentence=None, head=None):
    """Describe a table by what is given; nothing else is known."""
    many = len(table)
    unknown = np.full(many, -1, np.int64)
    trimmed = np.array(
        trimmed if trimmed is not None else [*zip(table.start, table.end, strict=True)],
        np.int64,
    ).reshape(-1, 2)
    return MentionFacts(
        unknown,
        [""] * many,
        unknown if head is None else np.array(head, np.int64),
        unknown if sentence is None else np.array(sentence, np.int64),
        [""] * many,
        [""] * many,
        trimmed[:, 0],
        trimmed[:, 1],
    )


def paired(table, errors):
    """List pairs of mentions, and what paired them."""
    return [
        (table.mention(u), table.mention(v), "head" if by_head else "trim")
        for u, v, by_head in zip(
            errors.response, errors.key, errors.by_head.tolist(), strict=True
        )
    ]


@given(st.data(), pairs())
def test_arrays_pair_what_one_at_a_time_pairs(data, pair):
    table = tables({"d": pair.key}, {"d": pair.response})
    mentions = [table.mention(row) for row in range(len(table))]
    few = st.integers(-1, 2)
    drawn = [
        data.draw(st.lists(few, min_size=len(mentions), max_size=len(mentions)))
        for _ in range(3)
    ]
    trimmed, sentence, head = (
        dict(zip(mentions, values, strict=True)) for values in drawn
    )
    wanted = slow_errors.pairs_of_spans(
        lacking(pair.response, pair.key),
        lacking(pair.key, pair.response),
        trimmed=trimmed,
        sentence=sentence,
        head=head,
    )
    about = description(
        table,
        trimmed=[(trimmed[m], trimmed[m]) for m in mentions],
        sentence=drawn[1],
        head=drawn[2],
    )
    assert paired(table, find_span_errors(table, about)) == wanted


def test_documents_do_not_meet():
    key = {"d": [[(0, 2), (9, 9)]], "e": [[(4, 4), (9, 9)]]}
    response = {"d": [[(4, 4), (9, 9)]], "e": [[(0, 2), (9, 9)]]}
    table = tables(key, response)
    about = description(table, head=table.end)
    assert len(find_span_errors(table, about).key) == 0


def test_without_words_and_heads_nothing_is_paired():
    table = tables([[(0, 2), (5, 5)]], [[(1, 2), (5, 5)]])
    assert len(find_span_errors(table, description(table)).key) == 0


def test_a_paired_mention_takes_the_place_of_the_key_mention():
    table = tables([[(0, 2), (5, 5)]], [[(1, 2), (5, 5)]])
    errors = find_span_errors(table, description(table, head=table.end))
    assert paired(table, errors) == [((1, 2), (0, 2), "head")]
    after = find_errors_by_kind(table, errors).table
    assert after.response_entity.tolist() == [0, -1, 0]
    assert after.key_entity.tolist() == [0, -1, 0]


def test_two_response_mentions_with_one_head_are_no_span_error():
    table = tables([[(0, 2), (5, 5)]], [[(1, 2), (5, 5)], [(2, 2), (7, 7)]])
    assert len(find_span_errors(table, description(table, head=table.end)).key) == 0


def test_gaps_tell_mentions_apart_when_trimmed():
    words = ("a", "b", "c", "d", "e", "f")
    whole, part = Mention(0, 3), Mention(0, 3, ((1, 2),))
    documents = [
        Document("d", (words,), (Entity("1", (first, Mention(5, 5))),))
        for first in (whole, part)
    ]
    table = tables(*documents)
    assert len(table) == 3
    assert len(find_span_errors(table, description(table)).key) == 0
    by_head = find_span_errors(table, description(table, head=table.start))
    assert paired(table, by_head) == [(part, whole, "head")]
