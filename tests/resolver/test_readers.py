"""Readers: who finds words, tags, trees and evidence, and whose are kept."""

from __future__ import annotations

from dataclasses import replace

import pytest
from resolver.small_models import TEXT, parser_bytes
from resolver.stories import stories

from cistell.evidence import Evidence, Reading
from cistell.parsing import Parser
from cistell.readers import RawText, Reader, has_trees
from corefkit.corpus import read_declaration
from corefkit.model import Document

EVIDENCE = Evidence(None, (), ())


class Told:
    """A network that only notes what it was asked."""

    def __init__(self):
        self.asked = []

    def read(self, documents, *, trees=True):
        for document in documents:
            self.asked.append((document.id, trees))
            if trees:
                heads = {"head": ("0",) * len(document.tokens)}
                document = replace(document, layers={**document.layers, **heads})
            yield Reading(document, EVIDENCE)

    def files(self):
        return {"weights": b"1"}


BARE = Document("bare", (("Ann", "left", "."),), ())


@pytest.fixture
def told():
    return Told()


def test_network_finds_trees_for_words_alone(told):
    reader = Reader(None, told)
    (first, second) = reader.read_documents([BARE, *stories(1)])
    assert told.asked == [("bare", True), ("story-0", False)]
    assert has_trees(first.document)
    assert read_declaration(first.document).preprocessing == "network"
    assert second.document == stories(1)[0]
    assert first.evidence is second.evidence is EVIDENCE


@pytest.mark.slow
def test_network_reads_texts_in_words_of_the_tokenizer(told):
    (reading,) = Reader(parser_bytes(), told).read_texts([RawText("t", TEXT)])
    assert reading.document.tokens[:3] == ("Ann", "sold", "the")
    assert told.asked == [("t", True)]


def test_parser_that_is_named_finds_trees_and_the_network_evidence(told, tmp_path):
    path = tmp_path / "my.udpipe"
    path.write_bytes(parser_bytes())
    reader = Reader(None, told).with_parser(Parser(path))
    items = [*stories(1), BARE, RawText("t", TEXT)]
    found = list(reader.read(items))
    assert told.asked == [("story-0", False), ("bare", False), ("t", False)]
    assert [read_declaration(one.document).preprocessing for one in found] == [
        "udpipe:my"
    ] * 3
    assert all(one.evidence is EVIDENCE for one in found)


def test_without_anything_documents_are_as_they_are():
    reader = Reader()
    assert (reader.parses, reader.reads_texts) == (False, False)
    (first, second) = reader.read_documents([BARE, *stories(1)])
    assert first == Reading(BARE, None)
    assert second == Reading(stories(1)[0], None)


def test_anew_means_that_own_trees_do_not_count(told):
    list(Reader(None, told).read_anew(stories(1)))
    assert told.asked == [("story-0", True)]
    (reading,) = Reader(parser_bytes()).read_anew(stories(1))
    assert read_declaration(reading.document).preprocessing == "udpipe:model"


def test_files_come_back(told):
    assert Reader(b"tokens", told).files() == {
        "udpipe": b"tokens",
        "network/weights": b"1",
    }
    assert Reader.load({"udpipe": b"tokens"}).files() == {"udpipe": b"tokens"}
    assert Reader.load({}).files() == {}


def test_a_document_without_words_needs_no_tree():
    assert has_trees(Document("d", (), ()))
    assert not has_trees(BARE)
    assert not has_trees(replace(BARE, layers={"head": ("_", "_", "_")}))
