from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from resolver.taggers.evidences import read
from resolver.taggers.sentences import parsed

from cistell.evidence import Reading
from cistell.taggers import candidate_mentions
from cistell.taggers.pages import page_of
from cistell.taggers.spans import (
    LEFT,
    NETWORK,
    RIGHT,
    RULE,
    candidate_spans,
)


def found(reading, head):
    """Return the spans of a head by where they come from, as texts."""
    spans = candidate_spans(page_of(reading))
    by_origin = {RULE: [], RIGHT: [], LEFT: [], NETWORK: []}
    for own, first, last, origin in zip(*(row.tolist() for row in spans), strict=True):
        if own == head:
            words = reading.document.tokens[first : last + 1]
            by_origin[origin].append(" ".join(words))
    return by_origin


HOUSE = (
    "the/DET/2/det man/NOUN/0/root in/ADP/5/case the/DET/5/det house/NOUN/2/nmod "
    "that/PRON/7/nsubj/PronType=Rel burned/VERB/5/acl:relcl"
)


def test_a_span_may_end_before_what_hangs_on_its_last_phrase():
    # Was it the house that burned, or the man?
    spans = found(Reading(parsed(HOUSE)), 1)
    assert spans[RULE] == ["the man in the house that burned"]
    assert "the man in the house" in spans[RIGHT]
    assert "the man" in spans[RIGHT]


def test_a_span_may_end_after_the_phrase_behind_it():
    # The parser hangs the phrase on the verb; it may belong to the noun.
    line = (
        "She/PRON/2/nsubj saw/VERB/0/root a/DET/4/det man/NOUN/2/obj with/ADP/7/case "
        "a/DET/7/det hat/NOUN/2/obl"
    )
    spans = found(Reading(parsed(line)), 3)
    assert spans[RULE] == ["a man"]
    assert "a man with a hat" in spans[RIGHT]


def test_a_span_may_begin_at_every_child_on_the_left():
    line = "over/ADP/4/case the/DET/4/det old/ADJ/4/amod mill/NOUN/0/root"
    spans = found(Reading(parsed(line)), 3)
    assert spans[RULE] == ["the old mill"]
    assert spans[LEFT] == ["mill", "old mill"]


def test_possessives_have_one_span():
    line = "her/PRON/3/nmod:poss/Poss=Yes old/ADJ/3/amod goat/NOUN/0/root"
    spans = found(Reading(parsed(line)), 0)
    assert spans == {RULE: ["her"], RIGHT: [], LEFT: [], NETWORK: []}


def test_network_adds_spans_and_heads():
    document = parsed("They/PRON/2/nsubj saw/VERB/0/root swimming/VERB/2/obj")
    assert not any(found(Reading(document), 2).values())
    spans = found(read(document, (2, 1, 2, "event")), 2)
    assert spans[NETWORK][0] == "saw swimming"


def test_network_that_is_unsure_of_a_head_adds_none():
    document = parsed("They/PRON/2/nsubj saw/VERB/0/root swimming/VERB/2/obj")
    spans = found(read(document, (2, 1, 2, "none"), sure=0.95), 2)
    assert not any(spans.values())


def test_spans_of_a_network_are_around_their_heads():
    document = parsed("a/DET/2/det mill/NOUN/0/root burned/VERB/2/acl")
    # A pointer to the wrong side of the head is not followed.
    spans = candidate_spans(page_of(read(document, (1, 2, 0, "place"))))
    assert ((spans.first <= spans.head) & (spans.head <= spans.last)).all()


def test_document_without_words_has_no_spans():
    spans = candidate_spans(page_of(Reading(parsed())))
    assert [len(column) for column in spans] == [0, 0, 0, 0]


TAGS = st.sampled_from(["NOUN", "PRON", "DET", "ADJ", "NUM", "PUNCT", "VERB", "X"])
RELATIONS = st.sampled_from(
    ["nmod", "acl", "conj", "appos", "punct", "det", "case", "cop", "discourse", "obj"]
)
WORDS = st.lists(st.tuples(TAGS, st.integers(0, 8), RELATIONS), max_size=8)


@given(WORDS)
def test_candidates_hold_all_of_the_rules_once_and_in_order(words):
    line = " ".join(f"w/{tag}/{head}/{kind}" for tag, head, kind in words)
    document = parsed(line, "Dawn/NOUN/0/root")
    spans = candidate_spans(page_of(Reading(document)))
    rows = list(zip(*(row.tolist() for row in spans[:3]), strict=True))
    assert len({*rows}) == len(rows)
    assert (np.diff(spans.head) >= 0).all()
    by_rule = candidate_mentions(document, wide=True)
    assert {(one.start, one.end) for one in by_rule} <= {row[1:] for row in rows}
    edges = page_of(Reading(document)).tree.edges
    for head, first, last in rows:
        assert edges[head][0] <= first <= head <= last <= edges[head][1]


@pytest.mark.parametrize("size", [40, 400])
def test_candidates_grow_with_the_words_even_in_deep_trees(size):
    words = [f"w/NOUN/{number}/nmod" for number in range(size)]
    spans = candidate_spans(page_of(Reading(parsed(" ".join(words)))))
    assert len(spans.head) <= 14 * size
