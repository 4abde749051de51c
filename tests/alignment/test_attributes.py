"""Attributes of mentions, found again for the rows of columns."""

from __future__ import annotations

import pytest

import corefkit
from corefkit.alignment.pipeline import read_block
from corefkit.formats.in_memory import MemorySource, MentionNames, PartitionSource


def document(*mentions, **layers):
    entities = tuple(
        corefkit.Entity(str(number), (mention,))
        for number, mention in enumerate(mentions)
    )
    return corefkit.Document("d", (tuple("abcdef"),), entities, layers=layers)


def attributes(one):
    source = MemorySource("key", {"d": one})
    return read_block(source, "key", [0], corefkit.Settings()).read_attributes(())


def test_rows_have_the_attributes_of_their_mentions():
    mentions = [
        corefkit.Mention(3, 4, attributes={"type": "ORG"}),
        corefkit.Mention(0, 0, attributes={"type": "PER", "mention_type": "NAM"}),
    ]
    source = MemorySource("key", {"d": document(*mentions)})
    block = read_block(source, "key", [0], corefkit.Settings())
    found = block.read_attributes(())
    by_start = dict(zip(block.scored.start.tolist(), found, strict=True))
    assert by_start == {
        3: {"type": "ORG"},
        0: {"type": "PER", "mention_type": "NAM"},
    }


@pytest.mark.parametrize(
    ("written", "kind"),
    [("PROP", "NAM"), ("PRON", "PRO"), ("nominal", "NOM"), ("NAM", "NAM"), ("X", "X")],
)
def test_kinds_go_by_the_words_of_ace(written, kind):
    mention = corefkit.Mention(0, 0, attributes={"mention_type": written})
    assert attributes(document(mention)) == [{"mention_type": kind}]


def test_syntax_tells_kinds_that_are_not_named():
    found = attributes(
        document(
            *(corefkit.Mention(token, token) for token in range(3)),
            corefkit.Mention(4, 4, attributes={"mention_type": "NAM"}),
            upos=("PROPN", "PRON", "NOUN", "VERB", "PRON", "PUNCT"),
            feats=("_", "PronType=Prs", "_", "_", "PronType=Prs", "_"),
        )
    )
    assert [one["mention_type"] for one in found] == ["NAM", "PRO", "NOM", "NAM"]


def test_of_a_repeated_mention_the_first_counts():
    one, other = (
        corefkit.Mention(0, 0, attributes={"type": name}) for name in ("PER", "ORG")
    )
    assert attributes(document(one, other)) == [{"type": "PER"}]


def test_partitions_have_none():
    source = PartitionSource("key", {"d": ["ab"]}, MentionNames())
    block = read_block(source, "key", [0], corefkit.Settings())
    assert block.read_attributes(()) == [{}, {}]


def test_a_missing_document_has_none():
    source = MemorySource("key", {"d": document(corefkit.Mention(0, 0))})
    block = read_block(source, "key", [None, 0], corefkit.Settings())
    assert block.read_attributes(()) == [{}]
