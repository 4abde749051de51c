"""How good parsers are said to be."""

from __future__ import annotations

from dataclasses import replace

import pytest
from files import written
from shared_files import DATA
from treebanks import treebank

import corefkit
from cistell.parsing import Parser
from cistell.parsing.accuracy import Token, accuracy, raw_text, surface
from corefkit import CorefkitError, Document


def shares(measured):
    return (
        measured.upos,
        measured.uas,
        measured.las,
        measured.tokens,
        measured.sentences,
    )


class Fixed:
    """A parser that gives the same answers to everything."""

    def __init__(self, document, text=None):
        self.parse_document = lambda _: document
        self.parse_text = lambda _, **_id: text
        self.parts = {"tagger", "parser", *(["tokenizer"] if text is not None else [])}


KEY = Document(
    "d",
    (("Ann", "left", "."), ("Go", "!")),
    (),
    layers={
        "upos": ("PROPN", "VERB", "PUNCT", "VERB", "PUNCT"),
        "head": ("2", "0", "2", "0", "1"),
        "deprel": ("nsubj", "root", "punct", "root", "punct"),
    },
)


def changed(**layers):
    return replace(KEY, layers={**KEY.layers, **layers})


def test_what_is_right_is_counted():
    assert shares(accuracy(Fixed(KEY), [KEY])) == (1, 1, 1, None, None)
    other = changed(
        upos=("NOUN", "VERB", "PUNCT", "VERB", "PUNCT"),
        head=("2", "0", "1", "0", "1"),
        deprel=("nsubj:pass", "root", "punct", "root", "punct"),
    )
    measured = accuracy(Fixed(other), [KEY])
    assert shares(measured)[:3] == (4 / 5, 4 / 5, 3 / 5)


def test_a_relation_counts_with_its_head_only():
    other = changed(
        head=("0", "0", "2", "0", "1"), deprel=("nsubj", "root", "x", "root", "punct")
    )
    measured = accuracy(Fixed(other), [KEY])
    assert (measured.uas, measured.las) == (4 / 5, 3 / 5)


def test_a_layer_that_is_missing_is_wrong():
    other = replace(KEY, layers={})
    assert shares(accuracy(Fixed(other), [KEY]))[:3] == (0, 0, 0)


def test_tokens_and_sentences_are_right_by_both_ends():
    found = Document("d", (("Ann", "left."), ("Go", "!")), ())
    measured = accuracy(Fixed(KEY, found), [KEY])
    # Ann, Go and ! of five and four; both sentences.
    assert (measured.tokens, measured.sentences) == (2 * 3 / (5 + 4), 1)
    found = Document("d", (("Ann", "left", ".", "Go"), ("!",)), ())
    measured = accuracy(Fixed(KEY, found), [KEY])
    assert (measured.tokens, measured.sentences) == (1, 0)


@pytest.mark.slow
def test_a_parser_knows_what_it_has_learnt(parser, documents):
    measured = accuracy(parser, documents)
    assert shares(measured) == (1, 1, 1, 1, 1)
    assert measured.treebank.words == 720


def test_trees_are_needed():
    with pytest.raises(CorefkitError, match="has no UPOS tag"):
        accuracy(Fixed(KEY), [replace(KEY, layers={})])


@pytest.mark.slow
@pytest.mark.skipif(not DATA.exists(), reason="the corpora are not here")
def test_english_models_are_as_good_as_was_measured_before():
    parts = ("tok", "tag", "par")
    parser = Parser(*(DATA / "udpipe" / f"en_{part}.udpipe" for part in parts))
    measured = accuracy(parser, corefkit.read(DATA / "gum" / "gum-test.conllu"))
    assert len(measured.treebank.masked) == 2
    percent = [round(100 * share, 2) for share in shares(measured)[:4]]
    assert percent == [95.78, 81.5, 77.58, 99.53]


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
