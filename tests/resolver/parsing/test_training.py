"""Training: what comes out, and that nothing does when something goes wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest
from treebanks import QUICK

from cistell.parsing import Parser
from cistell.parsing.training import Treebank, train_parser
from corefkit import CorefkitError, Document, Entity, Mention, SettingsError

TAGGER = {"tagger": "iterations=2"}


@pytest.fixture
def train(documents, tmp_path):
    """Train a small tagger in a folder that must be clean afterwards."""

    def training(**changes):
        arguments = {"parts": ["tagger"], "options": TAGGER, **changes}
        treebank = arguments.pop("documents", documents)
        return train_parser(treebank, tmp_path / "model", **arguments)

    yield training
    assert {path.name for path in tmp_path.iterdir()} <= {"model"}


@pytest.mark.slow
def test_gives_what_was_trained_with_and_trains_no_other_part(train, tmp_path):
    treebank = train()
    assert [one.id for one in treebank] == ["ann", "carl", "dora", "otto"]
    assert (treebank.sentences, treebank.words) == (96, 720)
    assert Parser(tmp_path / "model").parts == {"tagger"}


@pytest.mark.slow
def test_same_treebank_gives_the_same_bytes_whether_progress_is_reported_or_not(
    documents, model, tmp_path
):
    steps = []
    path = tmp_path / "again"
    train_parser(
        documents, path, options=QUICK, progress=lambda *step: steps.append(step)
    )
    assert path.read_bytes() == model.read_bytes()
    assert steps == [
        *[("tokenizer", done, 1) for done in range(2)],
        *[("tagger", done, 2) for done in range(3)],
        *[("parser", done, 3) for done in range(4)],
    ]


@pytest.mark.slow
def test_iterations_are_those_asked_for(train):
    told = []
    train(options=None, iterations=3, progress=lambda *news: told.append(news))
    assert told == [("tagger", done, 3) for done in range(4)]


class TestNothingIsWritten:
    @pytest.fixture(autouse=True, params=["new", "there before"])
    def untouched(self, request, tmp_path):
        path = tmp_path / "model"
        if request.param == "there before":
            path.write_text("kept")
        yield
        assert not path.exists() or path.read_text() == "kept"
        assert path.exists() == (request.param == "there before")

    def test_when_udpipe_refuses(self, train):
        with pytest.raises(CorefkitError, match="could not be trained: "):
            train(options={"tagger": "iterations=many"})

    def test_when_it_is_stopped(self, train):
        def stop(*_):
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            train(options={"tagger": "iterations=100000"}, progress=stop)

    def test_when_the_treebank_is_wrong(self, train):
        with pytest.raises(CorefkitError, match="no words to learn from"):
            train(documents=[])

    @pytest.mark.parametrize(
        ("wrong", "message"),
        [
            ({"parts": ["taggers"]}, "unknown part 'taggers'"),
            ({"parts": []}, "no part to train is named"),
            ({"iterations": 0}, "0 iterations, expected 1 or more"),
        ],
    )
    def test_when_an_option_is_wrong(self, train, wrong, message):
        with pytest.raises(SettingsError, match=message):
            train(**wrong)


@pytest.mark.parametrize("place", ["absent/model", "."])
def test_a_place_that_cannot_be_written_is_told(documents, tmp_path, place):
    with pytest.raises(CorefkitError, match=r"cannot be written|is a folder") as caught:
        train_parser(documents, tmp_path / place, parts=["tagger"], options=TAGGER)
    assert caught.value.place == str(tmp_path / place)


PARTS = ("tagger", "parser")


def document(*heads, tags=None, words=None, **more):
    """Make a document of one sentence with these heads."""
    forms = words or tuple(f"w{number}" for number, _ in enumerate(heads, 1))
    layers = {"head": heads, "upos": tags or ("X",) * len(heads)}
    return Document("d", (forms,), (), layers=layers, **more)


GOOD = document("2", "0", "2")


def test_masked_documents_are_left_out():
    masked = replace(GOOD, id="m", sentences=(("_", "___", "__"),))
    partly = replace(GOOD, id="p", sentences=(("_", "now", "__"),))
    treebank = Treebank.of([GOOD, masked, partly])
    assert treebank.masked == ("m",)
    assert [one.id for one in treebank] == ["d", "p"]
    assert (treebank.sentences, treebank.words) == (2, 6)


def test_documents_and_sentences_without_words_do_no_harm():
    node = document("_", "0", empty=(0,))
    node = replace(node, sentences=(("_",), ("w",)))
    treebank = Treebank.of([Document("d", (), ()), node])
    assert (treebank.masked, len(treebank.documents)) == ((), 1)
    treebank.check(PARTS)


def test_empty_nodes_and_entities_are_not_written():
    node = document("_", "2", "0", tags=("_", "X", "X"), empty=(0,))
    node = replace(node, entities=(Entity("1", (Mention(0, 1),)),))
    treebank = Treebank.of([node])
    treebank.check(PARTS)
    text = "".join(treebank.text())
    assert "Entity=" not in text
    lines = [line.split("\t")[:2] for line in text.splitlines() if "\t" in line]
    assert lines == [["1", "w2"], ["2", "w3"]]


@pytest.mark.parametrize("parts", [["tagger"], PARTS])
def test_good_treebanks_are_let_through(parts):
    Treebank.of([GOOD, document("0"), document("0", "3", "1")]).check(parts)


WRONG = {
    "no tree": (document("2", "_", "2"), "the HEAD of word 2 is '_'"),
    "head outside": (document("2", "0", "4"), "the HEAD of word 3 is '4'"),
    "odd head": (document("2", "0", "02"), "the HEAD of word 3 is '02'"),
    "two roots": (document("0", "0", "2"), "has 2 roots, expected 1"),
    "no root": (document("2", "1"), "has 0 roots, expected 1"),
    "circle": (document("2", "1", "0"), "hangs on itself"),
    "self": (document("0", "2"), "word 2 hangs on itself"),
    "no tag": (document("0", "1", tags=("X", "_")), "has no UPOS tag"),
}


@pytest.mark.parametrize(("wrong", "message"), WRONG.values(), ids=WRONG)
def test_wrong_trees_are_told(wrong, message):
    with pytest.raises(CorefkitError, match=message) as caught:
        Treebank.of([GOOD, wrong]).check(PARTS)
    assert "document 'd'" in str(caught.value)


def test_heads_are_needed_by_parsers_only():
    bare = replace(GOOD, layers={"upos": ("X", "X", "X")})
    Treebank.of([bare]).check(["tagger"])
    with pytest.raises(CorefkitError, match="document 'd', sentence 1: has no tree"):
        Treebank.of([bare]).check(["parser"])


def test_tags_are_needed_by_all_but_tokenizers():
    bare = replace(GOOD, sentences=(("w",) * 100,), layers={})
    Treebank.of([bare]).check(["tokenizer"])
    with pytest.raises(CorefkitError, match="has no UPOS tag"):
        Treebank.of([bare]).check(["tokenizer", "tagger"])


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ([], r"no words to learn from\n"),
        ([Document("d", (), ())], r"no words to learn from\n"),
        ([document("0", words=("_",))], "no words to learn from but masked ones"),
    ],
)
def test_words_are_needed(documents, message):
    with pytest.raises(CorefkitError, match=message):
        Treebank.of(documents).check(PARTS)


def test_tokenizers_need_some_text():
    with pytest.raises(CorefkitError, match="99 words are too few"):
        Treebank.of([document(*["0"] * 99)]).check(["tokenizer"])
