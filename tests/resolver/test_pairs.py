from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from resolver.fakes import ByCode
from resolver.lexica import table_of
from resolver.random_documents import documents
from resolver.trees import parsed

from cistell.paper.features import choose_features, encode_pairs
from cistell.paper.pairs import _cut_spans, decide_pairs, pair_with_earlier

FEATURES = choose_features("en", only=["strings"])


def mills(count):
    """Make a document of so many mentions."""
    line = "[ Ann/PROPN/2/nsubj ]a saw/VERB/0//A=B [ the/4 mill/NOUN/2/obj ]m"
    lines = [line] * (count // 2)
    return parsed(*lines, *["[ It/2 ]m fell/VERB/0//A=B"] * (count % 2))


def by_heads():
    return ByCode(FEATURES, "head_match", "yes", "same_pronoun")


def rows_of(blocks):
    """Return the decisions on each mention, whatever the blocks are."""
    return [
        (block.table.document.id, row.positive.tolist(), row.distance.tolist())
        for block in blocks
        for row in block
    ]


def test_mentions_are_paired_with_all_before_them():
    table = table_of(mills(4))
    pairs = pair_with_earlier(table, 0, 4)
    found = [*zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)]
    assert found == [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)]
    later = pair_with_earlier(table, 2, 4)
    assert [*zip(later.first.tolist(), later.second.tolist(), strict=True)] == found[1:]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_documents_of_few_mentions_have_a_block(count):
    (block,) = decide_pairs([table_of(mills(count))], FEATURES, by_heads())
    assert (block.start, block.stop) == (0, count)
    assert [len(row.positive) for row in block] == [*range(count)]


def test_decisions_are_those_of_the_pairs():
    table = table_of(mills(7))
    pairs = pair_with_earlier(table, 0, 7)
    whole = by_heads().decide(encode_pairs(pairs, FEATURES))
    for block in decide_pairs([table], FEATURES, by_heads(), batch=4):
        for mention, row in zip(range(block.start, block.stop), block, strict=True):
            own = pairs.second == mention
            assert row.positive.tolist() == whole.positive[own].tolist()
            assert row.distance.tolist() == whole.distance[own].tolist()
            assert row.probability.tolist() == whole.probability[own].tolist()


@settings(max_examples=30)
@given(st.lists(documents(most=3), max_size=4), st.integers(1, 30))
def test_decisions_do_not_depend_on_the_batch(texts, batch):
    tables = [table_of(document) for document in texts]
    plain = [*decide_pairs(tables, FEATURES, by_heads())]
    small = [*decide_pairs(tables, FEATURES, by_heads(), batch=batch)]
    assert rows_of(small) == rows_of(plain)
    # Each document has its blocks in order, and as many mentions as it has.
    ends = [block.table for block in small if block.stop == len(block.table)]
    assert [id(table) for table in ends] == [id(table) for table in tables]
    starts = [block.table for block in small if block.start == 0]
    assert [id(table) for table in starts] == [id(table) for table in tables]


@given(st.integers(0, 60), st.integers(1, 100))
def test_cut_spans_are_all_mentions_in_order_and_about_a_batch(mentions, batch):
    spans = [*_cut_spans(mentions, batch)]
    assert [at for span in spans for at in range(*span)] == [*range(mentions)]
    assert spans[0][0] == 0
    for start, stop in spans:
        assert stop - start == 1 or sum(range(start, stop)) <= batch


def test_memory_follows_the_batch_and_not_the_document():
    classifier = by_heads()
    sizes = [
        sum(len(row.positive) for row in block)
        for block in decide_pairs(
            [table_of(mills(60))], FEATURES, classifier, batch=100
        )
    ]
    assert max(sizes) <= 100
    assert max(classifier.seen) < 200
    assert sum(classifier.seen) == 60 * 59 / 2


def test_small_documents_are_decided_together():
    classifier = by_heads()
    tables = [table_of(mills(4)) for _ in range(10)]
    assert len([*decide_pairs(tables, FEATURES, classifier, batch=30)]) == 10
    assert classifier.seen == [30, 30]


def test_blocks_come_as_soon_as_they_are_decided():
    read = []

    def tables():
        for number in range(10):
            read.append(number)
            yield table_of(mills(4))

    next(decide_pairs(tables(), FEATURES, by_heads(), batch=12))
    assert read == [0, 1]


def test_no_documents_are_no_blocks():
    assert [*decide_pairs([], FEATURES, by_heads())] == []


def test_pairs_are_counted():
    pairs = pair_with_earlier(table_of(mills(5)), 0, 5)
    assert len(pairs) == 10
    assert encode_pairs(pairs, FEATURES).shape == (10, len(FEATURES))
    assert encode_pairs(pairs, FEATURES).dtype == np.uint8
