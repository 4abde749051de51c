"""Repeated mentions counted as the reference scorer does: links, and what they cost."""

from __future__ import annotations

import numpy as np
import pytest
import slow_copies
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Document, Entity, Mention
from corefkit.arrays.building import build_columns
from corefkit.arrays.columns import Columns
from corefkit.metrics.metric import count_document
from corefkit.metrics.reference import (
    ListedDocument,
    Listing,
    format_repetitions,
    list_mentions,
)
from corefkit.metrics.registry import METRICS

sides = st.lists(
    st.lists(st.integers(0, 8), min_size=1, max_size=5), min_size=1, max_size=6
)


def list_document(key, response):
    """Number the mentions of a document, which may be any values."""
    numbers = {}
    listings = []
    for lists in (key, response):
        entity = np.repeat(np.arange(len(lists)), [*map(len, lists)])
        mentions = [numbers.setdefault(m, len(numbers)) for each in lists for m in each]
        listings.append(Listing(entity, np.array(mentions, np.int64)))
    return ListedDocument(*listings)


KNOWN = [name for name, one in METRICS.items() if not isinstance(one.reference, str)]


@given(key=sides, response=sides | st.just([]))
def test_counts_are_those_made_mention_by_mention(key, response):
    """To the last bit, for all metrics that the reference scorer knows."""
    document = list_document(key, response)
    slow = slow_copies.ListedDocument(key, response)
    assert len(KNOWN) >= 7
    for name in KNOWN:
        expected = getattr(slow_copies, f"{name}_counts")(slow)[0].tolist()
        assert count_document(METRICS[name].reference, document) == expected


spans = st.tuples(st.integers(0, 3), st.integers(0, 3), st.booleans()).map(
    lambda span: Mention(
        span[0], span[0] + span[1], ((span[0] + 1,) * 2,) * (span[1] > 1 and span[2])
    )
)
entities = st.lists(st.lists(spans, min_size=1, max_size=4), max_size=4)


@given(entities, entities)
def test_mentions_of_columns_are_those_with_the_same_tokens(key, response):
    sides = []
    for lists in (key, response):
        named = [Entity(str(at), tuple(ms)) for at, ms in enumerate(lists)]
        sides.append(build_columns([Document("d", (), tuple(named))]))
    *found, places = list_mentions(*sides)
    numbers = {}
    for lists, listing in zip((key, response), found, strict=True):
        mentions = [mention for entity in lists for mention in entity]
        for mention, number in zip(mentions, listing.mention.tolist(), strict=True):
            assert numbers.setdefault(mention, number) == number
            assert tuple(places[number].tolist()) == tuple(mention)
    assert len(set(numbers.values())) == len(numbers)
    messages = format_repetitions(*found, places)
    assert messages == slow_copies.repetition_messages(key, response)


def test_one_repeated_mention_makes_no_object_of_the_others(monkeypatch):
    made = []
    make = Columns.mention
    monkeypatch.setattr(
        Columns, "mention", lambda self, at: made.append(at) or make(self, at)
    )
    key = [[(at, at) for at in range(first, first + 4)] for first in range(0, 4000, 4)]
    key[7].append((0, 0))
    result = corefkit.score(key, key, preset="conll2012")
    assert result.repetitions[:1] == ("Repeated mention in the key: 0, 0 032",)
    assert made == []


def test_b_cubed_of_a_key_mention_in_two_entities():
    # a stands in both key entities and is found in the last; b in the first.
    document = list_document([["a", "b"], ["a", "c"]], [["a", "b"]])
    assert count_document(METRICS["b_cubed"].reference, document) == [
        1 / 2 + 2 / 2,
        4,
        1.5,
        2,
    ]


class Counted(str):
    """A mention that counts how often it is looked up."""

    __slots__ = ()
    lookups = 0

    def __hash__(self):
        Counted.lookups += 1
        return super().__hash__()


@pytest.mark.parametrize("metric", ["muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc"])
def test_mentions_in_a_common_entity_and_one_of_their_own_cost_what_they_are(metric):
    lookups = []
    for number in (200, 400):
        names = [Counted(one) for one in range(number)]
        key = [names, *([name] for name in names)]
        Counted.lookups = 0
        count_document(METRICS[metric].reference, list_document(key, [names]))
        lookups.append(Counted.lookups)
    assert lookups[1] <= 2.1 * lookups[0]


def test_mentions_in_two_entities_are_linked_once():
    names = list(range(500))
    key = [names, *([name] for name in names)]
    counts = count_document(METRICS["blanc"].reference, list_document(key, [names]))
    assert counts[1] == 500 * 499 / 2
