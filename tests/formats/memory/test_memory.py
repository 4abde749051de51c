"""Partitions and documents in memory, opened like a file."""

from __future__ import annotations

import pickle

import pytest
from raising import raises

import corefkit
from corefkit import Document, Entity, FormatError, Mention
from corefkit.formats.in_memory import (
    MemorySource,
    MentionNames,
    make_partition_sources,
)

DOCUMENT = Document("d", (("Ann", "left"),), (Entity("1", (Mention(0, 0),)),))


def test_mentions_of_both_sides_share_numbers():
    key, response = make_partition_sources({"d": ["ab", "c"]}, {"d": ["cb", "x"]})
    assert key.read_columns([0]).start.tolist() == [0, 1, 2]
    assert response.read_columns([0]).start.tolist() == [2, 1, 3]


def test_empty_entities_are_ignored():
    source, _ = make_partition_sources({"d": ["", "a", ""], "e": []}, {})
    columns = source.read_columns([0, 1])
    assert columns.entity_document.tolist() == [0]
    assert columns.documents == 2


def test_lists_of_two_integers_are_mentions():
    key, response = make_partition_sources({"d": [[[0, 1], [2, 2]]]}, {"d": [[(2, 2)]]})
    assert key.read_columns([0]).members(0) == ((0, 1), (2, 2))
    assert response.read_columns([0]).start.tolist() == [1]


def test_unhashable_mention_is_rejected():
    class Odd:
        __hash__ = None

    with raises(FormatError, "input/not-a-mention", place="key, entity 0"):
        make_partition_sources({"d": [[Odd()]]}, {})


def test_documents_keep_their_words_and_spans():
    source = MemorySource("key", {"d": DOCUMENT})
    assert source.read_columns([0]).token_count.tolist() == [2]
    assert source.read_document(0) is DOCUMENT
    assert [word.text for word in source.iter_words(0)] == ["Ann", "left"]
    assert source.format_place(0) == "key, document 'd'"


def test_partition_is_read_as_document():
    source, _ = make_partition_sources({"d": ["ab", "c"]}, {})
    assert [len(entity) for entity in source.read_document(0)] == [2, 1]


@pytest.mark.parametrize(
    "mention",
    [
        *("ab", 7, (1,), (1, 0), (-1, 0), (0, 1, 2), ("a", "b"), (0.0, 1.0), None),
        *((False, True), frozenset({0, 7}), range(2), (10**30, 10**30), b"ab"),
    ],
)
def test_names_are_rejected_next_to_documents(mention):
    source = MemorySource("response", {"d": [[mention]]})
    with raises(FormatError, "input/not-a-span", place="response"):
        source.read_columns([0])


def test_names_are_not_listed_for_every_block(monkeypatch):
    """Listing all names for each block would grow with the square of their number."""
    made = []
    listed = MentionNames.__getitem__
    monkeypatch.setattr(
        MentionNames,
        "__getitem__",
        lambda self, number: made.append(number) or listed(self, number),
    )
    key = {f"d{at}": [[f"a{at}", f"b{at}"]] for at in range(10000)}
    result = corefkit.score(key, key)
    assert result.conll == 1
    assert made == []
    assert len(result.key_read) > 1  # blocks


def test_mention_names_are_pickled_as_a_list():
    names = MentionNames()
    assert names.number(["a", "b"]).tolist() == [0, 1]
    assert pickle.loads(pickle.dumps(names)) == ["a", "b"]
