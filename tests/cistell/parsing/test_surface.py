"""Documents as they are written."""

from __future__ import annotations

import pytest
from files import written
from treebanks import treebank

import corefkit
from corefkit import Document
from corefkit.cistell.parsing.surface import Token, raw_text, surface


def test_multiword_tokens_are_one(documents):
    sentence = list(surface(documents[0]))[1]
    forms = ["She", "didn't", "like", "it", ",", "a", "poor", "mill", "."]
    assert [token.form for token in sentence] == forms
    tight = [token.form for token in sentence if not token.blank]
    assert tight == ["it", "mill"]


def test_text_is_that_of_the_comments(documents):
    for document in documents:
        paragraphs = [[]]
        for newpar, text in zip(
            [above[0] == "newpar" for above in document.comments],
            [above[-1].removeprefix("text = ") for above in document.comments],
            strict=True,
        ):
            if newpar and paragraphs[-1]:
                paragraphs.append([])
            paragraphs[-1].append(text)
        wanted = "\n\n".join(map(" ".join, paragraphs))
        assert raw_text(document) == wanted


def test_treebank_has_paragraphs(documents):
    assert raw_text(documents[0]).count("\n\n") == 3


def test_empty_nodes_are_not_written():
    document = Document("d", (("It", "_", "rains"),), (), empty=(1,))
    assert raw_text(document) == "It rains"


@pytest.mark.parametrize(
    ("comment", "text"),
    [
        ("newpar", "Go\n\nRun"),
        ("newpar id = p2", "Go\n\nRun"),
        ("newpar = p (2 s)", "Go\n\nRun"),
        ("newparagraph", "Go Run"),
        ("text = newpar", "Go Run"),
        ("", "Go Run"),
    ],
)
def test_paragraphs_begin_where_comments_say(comment, text):
    document = Document("d", (("Go",), ("Run",)), (), comments=((), (comment,)))
    assert raw_text(document) == text


def test_sentences_need_no_blank_between():
    layers = {"misc": ("SpaceAfter=No", "_")}
    document = Document("d", (("Go",), ("Run",)), (), layers=layers)
    assert raw_text(document) == "GoRun"


def test_blanks_inside_tokens_are_not_counted():
    assert Token("100 000\u00a0000", blank=True).size == 9


def test_what_multiword_tokens_say_of_blanks_counts(tmp_path):
    text = treebank().replace(
        "didn't" + "\t_" * 8, "didn't" + "\t_" * 7 + "\tSpaceAfter=No"
    )
    document = next(corefkit.read(written(tmp_path / "t.conllu", text)))
    assert "didn'tlike it," in raw_text(document)
