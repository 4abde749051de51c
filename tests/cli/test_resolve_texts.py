"""`corefkit resolve` of plain texts: files, and folders of files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from treebanks import QUICK, treebank

import corefkit
from corefkit.cli import main

pytest.importorskip("ufal.udpipe")

TEXT = "Ann sold the mill. She missed the mill.\n"


@pytest.fixture(scope="module")
def parser(tmp_path_factory):
    from cistell.parsing.training import train_parser

    folder = tmp_path_factory.mktemp("parser")
    (folder / "treebank.conllu").write_text(treebank(), "utf-8")
    documents = corefkit.read(folder / "treebank.conllu")
    train_parser(documents, folder / "en.udpipe", options=QUICK)
    return folder / "en.udpipe"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys, parser):
    """Resolve by a baseline in an empty folder; gives code, ids and stderr."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(parser, "en.udpipe")

    def command(*words):
        words = (*words, "-o", "out.conllu", "--parser", "en.udpipe")
        code = main(["resolve", *words, "--link", "head_match"])
        err = capsys.readouterr().err
        written = corefkit.read("out.conllu") if Path("out.conllu").exists() else []
        return code, [one.id for one in written], err

    return command


def test_text_is_resolved(run):
    Path("story.txt").write_text(TEXT)
    code, ids, err = run("story.txt")
    assert (code, ids) == (0, ["story"]), err


def test_latin_text_is_refused_with_its_line(run):
    Path("latin.txt").write_bytes("Ann sold.\nRené left.\n".encode("latin-1"))
    code, _, err = run("latin.txt")
    assert code == 1
    assert err.startswith("error: latin.txt:2: the byte 0xe9 is not UTF-8")
    assert "defect" not in err
    assert not Path("out.conllu").exists()


def test_folder_of_texts_is_resolved(run):
    Path("texts/deep").mkdir(parents=True)
    Path("texts/.hidden").mkdir()
    for name in ("b.txt", "a.txt", "deep/a.txt", ".hidden/c.txt", ".d.txt"):
        Path("texts", name).write_text(TEXT)
    Path("texts/README.md").write_text("Three texts.\n")
    code, ids, err = run("texts")
    assert (code, ids) == (0, ["a", "b", "deep/a"]), err


def test_text_beside_annotations_belongs_to_them(run):
    Path("brat").mkdir()
    Path("brat/a.txt").write_text("Ann sold the mill .\n")
    Path("brat/a.ann").write_text("T1\tMention 0 3\tAnn\n")
    code, ids, err = run("brat")
    assert (code, ids) == (0, ["a"]), err
    (document,) = corefkit.read("out.conllu")
    assert [len(entity) for entity in document] == [1]


def test_two_texts_of_one_name_are_refused(run):
    for folder in ("one", "two"):
        Path(folder).mkdir()
        Path(folder, "a.txt").write_text(TEXT)
    code, _, err = run("one/a.txt", "two/a.txt")
    assert code == 2
    assert "would both be the document 'a'" in err


def test_text_that_is_not_there_is_told(run):
    code, _, err = run("gone.txt")
    assert code == 1
    assert "gone.txt: cannot be read" in err
