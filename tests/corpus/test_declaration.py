"""What files declare of their corpus."""

from __future__ import annotations

import gzip

import pytest
from builders import set_declaration
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Document
from corefkit.corpus import (
    NOTHING_DECLARED,
    Declaration,
    format_declaration,
    list_conflicts,
    merge_declarations,
    parse_declaration,
    read_declaration,
)
from corefkit.formats import open_source

NAMES = [*Declaration._fields]
FULL = Declaration("gum", "gold", "udpipe", "test", "300")
STORY = Document(
    "story",
    (("Ann", "slept", "."), ("She", "woke", ".")),
    (),
    comments=(("genre = tale",), ("text = She woke.",)),
)
words = st.text(st.characters(exclude_categories=["Z", "C"]), max_size=8)
declarations = st.builds(Declaration, *[words] * len(NAMES))


@given(declarations)
def test_declaration_is_read_back(declaration):
    assert read_declaration(set_declaration(STORY, declaration)) == declaration


@given(declarations)
def test_plain_values_are_read_back(declaration):
    assert Declaration.from_dict(declaration.to_dict()) == declaration


def test_declaration_is_the_first_comment():
    first, second = set_declaration(STORY, FULL).comments
    assert first == (
        "corefkit.corpus = scheme:gum mentions:gold preprocessing:udpipe split:test "
        "parts:300",
        "genre = tale",
    )
    assert second == STORY.comments[1]


def test_first_declaration_counts():
    twice = set_declaration(set_declaration(STORY, FULL), Declaration(scheme="ontogum"))
    assert read_declaration(twice) == Declaration(scheme="ontogum")


def test_document_without_sentences_declares_nothing():
    assert read_declaration(Document("bare", (), ())) == NOTHING_DECLARED


def test_blanks_in_values_are_underscores():
    assert format_declaration(Declaration(scheme="my own")).endswith("scheme:my_own")


@pytest.mark.parametrize(
    ("line", "scheme"),
    [
        ("corefkit.corpus = scheme:gum", "gum"),
        ("  corefkit.corpus=scheme:a:b moon:full", "a:b"),
        ("corefkit.corpus = scheme", ""),
        ("corefkit.corpus =", ""),
        ("corefkit.corpora = scheme:gum", ""),
        ("text = corefkit.corpus = scheme:gum", ""),
    ],
)
def test_declaration_is_parsed_leniently(line, scheme):
    document = Document("d", (("a",),), (), comments=((line,),))
    assert read_declaration(document) == Declaration(scheme=scheme)


def test_only_the_first_sentence_declares():
    late = Document(
        "d", (("a",), ("b",)), (), comments=((), (format_declaration(FULL),))
    )
    assert read_declaration(late) == NOTHING_DECLARED


class TestInputs:
    @pytest.fixture
    def file(self, tmp_path):
        path = tmp_path / "story.conllu"
        corefkit.write([set_declaration(STORY, FULL)], path)
        return path

    def read(self, path):
        source = open_source(path)
        try:
            return parse_declaration(source.iter_comments())
        finally:
            source.close()

    def test_file(self, file):
        assert self.read(file) == FULL

    def test_compressed_file(self, file):
        packed = file.with_suffix(".conllu.gz")
        packed.write_bytes(gzip.compress(file.read_bytes()))
        assert self.read(packed) == FULL

    def test_line_ends_of_windows(self, file):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
        assert self.read(file) == FULL

    def test_folder(self, file):
        assert self.read(file.parent) == FULL

    def test_declaration_of_the_second_document_is_ignored(self, tmp_path):
        other = Document("other", STORY.sentences, ())
        corefkit.write([other, set_declaration(STORY, FULL)], tmp_path / "both.conllu")
        assert self.read(tmp_path / "both.conllu") == NOTHING_DECLARED

    def test_format_without_comments_has_no_declaration(self, file, tmp_path):
        corefkit.write(corefkit.read(file), tmp_path / "story.jsonl")
        corefkit.write(corefkit.read(file), tmp_path / "story.conll")
        assert self.read(tmp_path / "story.jsonl") == NOTHING_DECLARED
        assert self.read(tmp_path / "story.conll") == NOTHING_DECLARED


class TestScoredOn:
    def test_corpus_is_declared_by_the_key(self):
        key = Declaration("gum", "gold", "gold", "test", "whole")
        merged = merge_declarations(
            key, Declaration("ontogum", "sm1", "udpipe", "dev", "300")
        )
        assert merged == Declaration("gum", "sm1", "udpipe", "test", "whole")

    def test_response_declares_fields_that_the_key_lacks(self):
        assert merge_declarations(NOTHING_DECLARED, FULL) == FULL

    def test_gold_key_does_not_make_the_input_of_the_system_gold(self):
        merged = merge_declarations(
            Declaration(mentions="gold", preprocessing="gold"), FULL
        )
        assert (merged.mentions, merged.preprocessing) == ("gold", "udpipe")
        silent = merge_declarations(
            Declaration(mentions="gold", preprocessing="gold"), Declaration()
        )
        assert silent == NOTHING_DECLARED


def test_conflicts_concern_the_corpus_only():
    key = Declaration("gum", "gold", "gold", "test", "whole")
    assert list_conflicts(key, FULL) == ["declares parts 300, the key whole"]
    assert (
        list_conflicts(key, NOTHING_DECLARED)
        == list_conflicts(NOTHING_DECLARED, FULL)
        == []
    )
