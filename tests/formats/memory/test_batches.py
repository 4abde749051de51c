"""Batches: what they take beside plain lists, and what they refuse."""

from __future__ import annotations

import pytest

import corefkit
from corefkit import FormatError, PairingError
from corefkit.formats.memory.batches import batch_of

KEY = [[(0, 1), (4, 4)], [(2, 2)]]


def test_a_list_of_empty_documents_is_a_batch():
    assert batch_of([[], []], "key").numbered
    assert batch_of([], "key").documents == {}


def test_ids_and_documents_are_kept():
    assert batch_of({"a": KEY}, "key").named
    documents = [corefkit.Document("a", (), ()), corefkit.Document("b", (), ())]
    assert list(batch_of(documents, "key").documents) == ["a", "b"]


def test_one_document_is_no_batch():
    with pytest.raises(FormatError, match="found one document"):
        batch_of(KEY, "key")


def test_evaluator_takes_a_batch_that_was_read():
    evaluator = corefkit.Evaluator()
    evaluator.update(batch_of([[], KEY], "key"), batch_of([[], KEY], "response"))
    evaluator.update(batch_of([[]], "key"), batch_of([[]], "response"))
    assert evaluator.compute().documents == ("0", "1", "2")


def test_batches_of_other_sizes_do_not_pair():
    both = batch_of([KEY, KEY], "key"), batch_of([KEY], "response")
    with pytest.raises(PairingError, match="found a list of 1 documents"):
        corefkit.Evaluator().update(*both)


@pytest.mark.parametrize(
    "mention", [(-100, -100), [-1, -1], (-1, 2), (5, 3), None], ids=str
)
def test_what_fills_up_is_no_mention(mention):
    """It would stand on both sides, and match."""
    for batch in ([[[(0, 1), mention]]], {"0": [[(0, 1), mention]]}):
        with pytest.raises(FormatError, match="expected") as refused:
            batch_of(batch, "key")
        assert refused.value.place in ("key, document 0", "key, document '0'")


def test_names_are_mentions_in_batches_too():
    names = ["Ann", ("p", 3), (1, 2, 0)]
    (document,) = batch_of([[names]], "key").documents.values()
    assert [list(entity) for entity in document] == [names]
