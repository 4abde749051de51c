"""What files declare of their corpus."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Document
from corefkit.corpus import (
    NOTHING_DECLARED,
    Declaration,
    clashes,
    declaration_line,
    declared,
    declared_in,
    declaring,
    scored_on,
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
def test_what_a_document_declares_is_read_back(declaration):
    assert declared(declaring(STORY, declaration)) == declaration


@given(declarations)
def test_plain_values_are_read_back(declaration):
    assert Declaration.from_dict(declaration.to_dict()) == declaration


def test_declaration_stands_above_the_other_comments_of_the_first_sentence():
    first, second = declaring(STORY, FULL).comments
    assert first == (
        "corefkit.corpus = scheme:gum mentions:gold preprocessing:udpipe split:test "
        "parts:300",
        "genre = tale",
    )
    assert second == STORY.comments[1]


def test_declaring_anew_replaces_the_old_line():
    again = declaring(declaring(STORY, FULL), Declaration(scheme="ontogum"))
    assert again.comments[0] == ("corefkit.corpus = scheme:ontogum", "genre = tale")
    assert declaring(again, NOTHING_DECLARED) == STORY


def test_document_without_sentences_stays_as_it_is():
    bare = Document("bare", (), ())
    assert declaring(bare, FULL) == bare
    assert declared(bare) == NOTHING_DECLARED


def test_blanks_in_values_are_underscores():
    assert declaration_line(Declaration(scheme="my own")).endswith("scheme:my_own")


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
def test_line_is_read_with_mercy(line, scheme):
    document = Document("d", (("a",),), (), comments=((line,),))
    assert declared(document) == Declaration(scheme=scheme)


def test_only_the_first_sentence_declares():
    late = Document("d", (("a",), ("b",)), (), comments=((), (declaration_line(FULL),)))
    assert declared(late) == NOTHING_DECLARED


class TestInputs:
    @pytest.fixture
    def file(self, tmp_path):
        path = tmp_path / "story.conllu"
        corefkit.write([declaring(STORY, FULL)], path)
        return path

    def read(self, path):
        source = open_source(path)
        try:
            return declared_in(source.iter_comments())
        finally:
            source.close()

    def test_file(self, file):
        assert self.read(file) == FULL

    def test_packed_file(self, file):
        packed = file.with_suffix(".conllu.gz")
        packed.write_bytes(gzip.compress(file.read_bytes()))
        assert self.read(packed) == FULL

    def test_line_ends_of_windows(self, file):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
        assert self.read(file) == FULL

    def test_folder(self, file):
        assert self.read(file.parent) == FULL

    def test_second_document_does_not_speak_for_the_file(self, tmp_path):
        other = Document("other", STORY.sentences, ())
        corefkit.write([other, declaring(STORY, FULL)], tmp_path / "both.conllu")
        assert self.read(tmp_path / "both.conllu") == NOTHING_DECLARED

    def test_format_without_comments_declares_nothing(self, file, tmp_path):
        corefkit.write(corefkit.read(file), tmp_path / "story.jsonl")
        corefkit.write(corefkit.read(file), tmp_path / "story.conll")
        assert self.read(tmp_path / "story.jsonl") == NOTHING_DECLARED
        assert self.read(tmp_path / "story.conll") == NOTHING_DECLARED


class TestScoredOn:
    def test_corpus_is_that_of_the_key(self):
        key = Declaration("gum", "gold", "gold", "test", "whole")
        merged = scored_on(key, Declaration("ontogum", "sm1", "udpipe", "dev", "300"))
        assert merged == Declaration("gum", "sm1", "udpipe", "test", "whole")

    def test_response_speaks_where_the_key_is_silent(self):
        assert scored_on(NOTHING_DECLARED, FULL) == FULL

    def test_gold_key_does_not_make_the_input_of_the_system_gold(self):
        merged = scored_on(Declaration(mentions="gold", preprocessing="gold"), FULL)
        assert (merged.mentions, merged.preprocessing) == ("gold", "udpipe")
        silent = scored_on(
            Declaration(mentions="gold", preprocessing="gold"), Declaration()
        )
        assert silent == NOTHING_DECLARED


def test_clashes_are_of_the_corpus_only():
    key = Declaration("gum", "gold", "gold", "test", "whole")
    assert clashes(key, FULL) == ["declares parts 300, the key whole"]
    assert clashes(key, NOTHING_DECLARED) == clashes(NOTHING_DECLARED, FULL) == []
