"""The command `cistell`."""

from __future__ import annotations

import io
import json
import sys

import pytest
from neural.random_models import make_resolver

import corefkit
from cistell.cli import format_document, main
from corefkit.example import trees

TEXT = "Helen met  Mrs. Marsh.\n\n\t“She met Tom,” he said.\n"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "m.model"
    make_resolver(mention=-2.0, link=-9.0).save(path)
    return str(path)


@pytest.fixture
def story(tmp_path):
    path = tmp_path / "story.txt"
    path.write_text(TEXT, "utf-8")
    return path


def strip_brackets(text):
    for character in "[]0123456789 ":
        text = text.replace(character, "")
    return text


def test_text_is_printed_with_its_spaces_and_paragraphs(model, story, capsys):
    assert main(["resolve", "--model", model, str(story)]) == 0
    text, _, entities = capsys.readouterr().out.rpartition("\n\n")
    assert strip_brackets(text).strip("\n") == strip_brackets(TEXT).strip("\n")
    assert entities.startswith("  1  ")


def test_overview_is_printed_without_a_command(capsys):
    assert main([]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert all(command in err for command in ("resolve", "train", "study"))


def test_standard_input_is_read(model, monkeypatch, capsys):
    stream = io.TextIOWrapper(io.BytesIO(TEXT.encode()))
    monkeypatch.setattr(sys, "stdin", stream)
    assert main(["resolve", "--model", model, "-"]) == 0
    assert "Marsh" in capsys.readouterr().out


def test_folders_of_texts_are_written_to_one_file(model, story, tmp_path):
    folder = tmp_path / "texts"
    (folder / "deep").mkdir(parents=True)
    story.rename(folder / "deep" / "a.txt")
    (folder / "b.txt").write_text("Tom slept.", "utf-8")
    out = tmp_path / "out.conllu"
    assert main(["resolve", "--model", model, str(folder), "-o", str(out)]) == 0
    assert [d.id for d in corefkit.read(out)] == ["b", "deep/a"]


def test_documents_are_resolved_by_the_sieve(capsys):
    command = ["resolve", str(trees()), "--system", "sieve", "--wordnet", "none"]
    assert main(command) == 0
    out, err = capsys.readouterr()
    assert "[1 " in out
    assert err.startswith("note: the gold mentions of the input are used")
    assert main([*command, "--mentions", "gold"]) == 0
    assert capsys.readouterr().err == ""


def test_page_shows_the_entities_in_the_text(model, story, tmp_path, capsys):
    page = tmp_path / "story.html"
    words = ["resolve", "--model", model, str(story), "--html", str(page)]
    assert main(words) == 0
    assert "Marsh" in page.read_text("utf-8")
    assert "cistell resolve" in page.read_text("utf-8")
    assert capsys.readouterr().out == ""


def test_card_of_a_model_is_json(model, capsys):
    assert main(["resolve", "--model", model, "--card"]) == 0
    assert json.loads(capsys.readouterr().out) == {"title": "a random model"}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["resolve"], 2),
        (["resolve", "nowhere.txt"], 1),
        (["resolve", "--system", "best", "x.conllu"], 2),
    ],
)
def test_errors_have_exit_codes(arguments, code, model, capsys):
    options = [] if "--system" in arguments else ["--model", model]
    assert main([*arguments, *options]) == code
    assert capsys.readouterr().err


def test_invalid_bytes_are_reported_with_their_line(model, tmp_path, capsys):
    path = tmp_path / "latin.txt"
    path.write_bytes(b"Ann\nJos\xe9\n")
    assert main(["resolve", "--model", model, str(path)]) == 1
    assert f"{path}:2" in capsys.readouterr().err


def test_sentences_without_spaces_in_misc_are_separated_by_blanks():
    document = next(iter(corefkit.read(trees())))
    text = format_document(document)
    assert all(token in text for token in document.tokens)
