"""Training: what comes out, and that nothing does when something goes wrong."""

from __future__ import annotations

import pytest
from treebanks import QUICK

from corefkit import CorefkitError, SettingsError
from corefkit.cistell.parsing import Parser
from corefkit.cistell.parsing.training import train_parser

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


def test_gives_what_was_trained_with(train):
    treebank = train()
    assert [one.id for one in treebank] == ["ann", "carl", "dora", "otto"]
    assert (treebank.sentences, treebank.words) == (96, 720)


def test_same_treebank_gives_the_same_bytes(documents, model, tmp_path):
    train_parser(documents, tmp_path / "again", options=QUICK)
    assert (tmp_path / "again").read_bytes() == model.read_bytes()


def test_only_the_parts_asked_for_are_trained(train, tmp_path):
    train()
    assert Parser(tmp_path / "model").parts == {"tagger"}


def test_progress_tells_of_each_part(documents, tmp_path):
    told = []
    path, tell = tmp_path / "model", lambda *news: told.append(news)
    train_parser(documents, path, options=QUICK, progress=tell)
    assert told == [
        *[("tokenizer", done, 1) for done in range(2)],
        *[("tagger", done, 2) for done in range(3)],
        *[("parser", done, 3) for done in range(4)],
    ]


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
