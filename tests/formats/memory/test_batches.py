"""Batches: what they take beside plain lists, and what they refuse."""

from __future__ import annotations

import pytest
from raising import raises

import corefkit
from corefkit import FormatError, PairingError
from corefkit.formats.in_memory import read_batch

KEY = [[(0, 1), (4, 4)], [(2, 2)]]


def test_batch_of_empty_documents_is_read():
    assert read_batch([[], []], "key").depth == 2
    assert read_batch([], "key").documents == {}


def test_batch_keeps_ids_and_documents():
    assert read_batch({"a": KEY}, "key").is_named
    documents = [corefkit.Document("a", (), ()), corefkit.Document("b", (), ())]
    assert list(read_batch(documents, "key").documents) == ["a", "b"]


def test_single_document_is_rejected_as_batch():
    with raises(FormatError, "input/wrong-shape", place="key"):
        read_batch(KEY, "key")


def test_evaluator_accepts_batches():
    evaluator = corefkit.Evaluator()
    evaluator.update(read_batch([[], KEY], "key"), read_batch([[], KEY], "response"))
    evaluator.update(read_batch([[]], "key"), read_batch([[]], "response"))
    assert evaluator.compute().documents == ("0", "1", "2")


def test_batches_of_different_sizes_are_rejected():
    both = read_batch([KEY, KEY], "key"), read_batch([KEY], "response")
    with raises(PairingError, "pairing/unnamed-documents", place="response"):
        corefkit.Evaluator().update(*both)


@pytest.mark.parametrize(
    ("mention", "code"),
    [
        ((-100, -100), "input/padding-span"),
        ([-1, -1], "input/padding-span"),
        ((-1, 2), "input/padding-span"),
        ((5, 3), "input/reversed-span"),
        (None, "input/no-mention"),
    ],
    ids=str,
)
def test_padding_is_rejected_in_batches(mention, code):
    """It would stand on both sides, and match."""
    for batch in ([[[(0, 1), mention]]], {"0": [[(0, 1), mention]]}):
        with raises(FormatError, code) as rejected:
            read_batch(batch, "key")
        assert rejected.value.place.partition(", entity")[0] in (
            "key, document 0",
            "key, document '0'",
        )


def test_batch_keeps_names_as_mentions():
    names = ["Ann", ("p", 3), (1, 2, 0)]
    (document,) = read_batch([[names]], "key").documents.values()
    assert [list(entity) for entity in document] == [names]
