"""The corpus in a folder: its parts, or why there is not one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from resolver.stories import stories, written_stories

import corefkit
from cistell.scratch.corpus import corpus_at, files_at, part_of
from corefkit.exceptions import CorefkitError, SettingsError
from corefkit.model import Document


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("gum-train", ("train", "gum")),
        ("en_gum-ud-dev", ("dev", "en_gum-ud")),
        ("test", ("test", "")),
        ("Train.v2", ("train", "v2")),
        ("tales_validation_2", ("dev", "tales_2")),
        ("latest", ("", "latest")),
    ],
)
def test_a_name_tells_its_part(name, found):
    assert part_of(name) == found


def test_parts_are_found_by_their_names(tmp_path):
    for part in ("train", "dev", "test"):
        written_stories(tmp_path / f"tales-{part}.conllu", 2)
    (tmp_path / "README.md").write_text("Tales to train on.\n")
    (tmp_path / "LICENSE.txt").write_text("free\n")
    files = files_at(tmp_path)
    assert (files.name, sorted(files.parts)) == ("tales", ["dev", "test", "train"])
    assert files.licence == "LICENSE.txt"
    corpus = corpus_at(tmp_path)
    assert [len(part) for part in (corpus.train, corpus.dev, corpus.test)] == [2, 2, 2]


def test_a_folder_can_be_a_part(tmp_path):
    for part in ("train", "test"):
        (tmp_path / part).mkdir()
        for number in range(3):
            written_stories(tmp_path / part / f"{number}.conllu", 1)
    corpus = corpus_at(tmp_path)
    assert corpus.name == tmp_path.name
    assert (len(corpus.train), len(corpus.dev), len(corpus.test)) == (3, 0, 3)


def test_one_file_is_for_training(tmp_path):
    written_stories(tmp_path / "tales.conllu", 3)
    corpus = corpus_at(tmp_path)
    assert (corpus.name, len(corpus.train), corpus.test) == ("tales", 3, ())


def test_a_corpus_may_be_a_folder_deeper(tmp_path):
    (tmp_path / "tales").mkdir()
    (tmp_path / "empty").mkdir()
    written_stories(tmp_path / "tales/train.conllu", 2)
    assert files_at(tmp_path).parts["train"] == tmp_path / "tales/train.conllu"


def test_masked_documents_are_left_out(tmp_path):
    (first, second) = stories(2)
    blank = tuple(tuple("_" for _ in row) for row in second.sentences)
    masked = replace(second, sentences=blank)
    corefkit.write([first, masked], tmp_path / "train.conllu")
    corpus = corpus_at(tmp_path)
    assert [one.id for one in corpus.train] == [first.id]
    assert corpus.masked == (second.id,)


def refused(folder):
    with pytest.raises(SettingsError) as error:
        files_at(folder)
    assert error.value.hint
    return error.value.message


def test_several_corpora_are_refused_by_name(tmp_path):
    for name in ("tales", "poems"):
        written_stories(tmp_path / f"{name}-train.conllu", 1)
    assert refused(tmp_path) == "there are several corpora here: 'poems', 'tales'"


def test_several_languages_are_refused(tmp_path):
    for name in ("en", "es"):
        (tmp_path / name).mkdir()
        written_stories(tmp_path / name / "train.conllu", 1)
    assert "several corpora here: 'en/en', 'es/es'" in refused(tmp_path)


def test_two_files_of_one_part_are_refused(tmp_path):
    written_stories(tmp_path / "tales-train.conllu", 1)
    written_stories(tmp_path / "tales-training.conllu", 1)
    assert "are both the train part" in refused(tmp_path)


def test_what_has_no_training_part_is_refused(tmp_path):
    assert refused(tmp_path) == "there is no corpus here"
    written_stories(tmp_path / "tales-test.conllu", 1)
    assert refused(tmp_path) == (
        "there is no training part here, only 'tales-test.conllu'"
    )
    assert refused(tmp_path / "none") == "there is no such folder"


def test_part_without_entities_is_refused(tmp_path):
    bare = [
        Document(one.id, one.sentences, (), layers=one.layers) for one in stories(1)
    ]
    corefkit.write(bare, tmp_path / "train.conllu")
    with pytest.raises(CorefkitError, match="no document of the train part has"):
        corpus_at(tmp_path)
