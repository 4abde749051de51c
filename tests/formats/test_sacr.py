"""SACR's annotated text: the numbered rules of the format, and errors."""

from __future__ import annotations

import pytest
from files import written
from formats import reading
from formats.examples import SACR

import corefkit
from corefkit.formats.sacr import recognise


@pytest.fixture
def put(tmp_path):
    return lambda content: written(tmp_path / "x.sacr", content)


read, found = reading.reads_one("sacr"), reading.finds("sacr")


def get_texts(document):
    return {entity.id: [document.text(one) for one in entity] for entity in document}


def test_mentions_have_names_attributes_and_text(read):
    document = read(SACR)
    assert get_texts(document) == {
        "boat": ["the boat", "it"],
        "Ann": ["The owner of the boat", "She"],
        "no": ["' t"],
    }
    (first, _) = document.entities[1].mentions
    assert first.attributes == {"function": 's "subject"', "head": "1"}


def test_annotation_metadata_and_line_breaks_are_not_text(read):
    words = " ".join(read(SACR).tokens)
    assert words == "The owner of the boat didn ' t sell it . She rows ."


def test_id_is_that_of_the_text(read):
    assert read(f"#textid: boat 1\n\n{SACR}").id == "boat 1"


def test_text_has_the_characters_of_another_tokenization(tmp_path):
    path = written(tmp_path / "x.sacr", "#title: x\n\n{Ann Ann} ca{n n't} go.\n")
    key = {
        "doc_key": "x",
        "sentences": [["Ann", "ca", "n't", "go", "."]],
        "clusters": [[[0, 0]], [[2, 2]]],
    }
    assert corefkit.score(key, path)["mentions"].f1 == 1


@pytest.mark.parametrize(
    ("text", "line", "code"),
    [
        ("A {x b\n\nc}", 1, "format/unbalanced-bracket"),
        ("A\nb} c", 2, "format/unbalanced-bracket"),
        ("A {} c", 1, "format/unbalanced-bracket"),
        ("A {x  } c", 1, "format/invalid-span"),
    ],
)
def test_invalid_brackets_are_errors(put, text, line, code):
    problem = reading.problems(put(text), format="sacr")[0]
    assert (problem.line, problem.code) == (line, code)


@reading.heads(
    own=[b"#title: x\n\nA", b"A\n#COLOR:x=#fff\n", b'A {x:head="1" b}', b"#textid:1"],
    others=[
        b"",
        b"{x b}",
        b'{"doc_key": "d"}',
        b"# newdoc id = d\n",
        b"int f() {int a;}",
    ],
)
def test_metadata_or_attributes_are_recognised(head, expected):
    assert recognise(head) is expected
