"""A place that cannot be written to is told before the work, not after it."""

from __future__ import annotations

import pytest
from raising import raises
from resolver.experiment.made import data_folder
from resolver.stories import written_stories
from treebanks import treebank

from corefkit.cli import main
from corefkit.exceptions import CorefkitError
from corefkit.formats.output import check_folder, check_writable

# Of each command the words, and what does its long work.
COMMANDS = {
    "train": (
        ("train", "stories.conllu", "-o", "{}/m.model", "--learner", "ib1"),
        "corefkit.cli.train.Resolver.fitted",
    ),
    "train, for ranks too": (
        ("train", "stories.conllu", "-o", "{}/m.model", "--rank-features"),
        "corefkit.cli.feature_ranks.training_pairs",
    ),
    "train-parser": (
        ("train-parser", "treebank.conllu", "-o", "{}/en.udpipe"),
        "corefkit.cli.train_parser.train_parser",
    ),
    "resolve": (
        ("resolve", "stories.conllu", "-o", "{}/out.conllu", "--link", "head_match"),
        "cistell.links.resolve_by_baseline",
    ),
    "report": (
        ("report", "--example", "-o", "{}/report.html"),
        "corefkit.cli.report.make_report",
    ),
    "experiment": (
        ("experiment", "data/stories.toml", "--data", "data", "-o", "{}"),
        "corefkit.cli.experiment.run_study",
    ),
    "lab perturb": (
        ("lab", "perturb", "--documents", "1", "-o", "{}"),
        "corefkit.cli.lab.perturb",
    ),
    "lab reproduce": (
        ("lab", "reproduce", "-o", "{}"),
        "corefkit.cli.lab.reproduce",
    ),
}


@pytest.mark.parametrize(("words", "work"), COMMANDS.values(), ids=COMMANDS)
def test_long_work_is_not_begun_for_a_place_that_cannot_be(
    words, work, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    written_stories("stories.conllu", 4)
    (tmp_path / "treebank.conllu").write_text(treebank(), "utf-8")
    (tmp_path / "data").mkdir()
    data_folder(tmp_path / "data")
    (tmp_path / "file").write_text("no folder")

    def begun(*_positional, **_named):
        pytest.fail("the work was begun")

    monkeypatch.setattr(work, begun)
    assert main([word.format("file") for word in words]) == 1
    assert "cannot be written: " in capsys.readouterr().err


def test_file_in_no_folder_cannot_be_written(tmp_path):
    check_writable(tmp_path / "m")
    with raises(CorefkitError, "environment/unwritable", place="none/m"):
        check_writable(tmp_path / "none" / "m")
    with raises(CorefkitError, "environment/unwritable", place=str(tmp_path)):
        check_writable(tmp_path)
    assert not list(tmp_path.iterdir())


def test_folders_above_are_made_and_need_not_be_there(tmp_path):
    check_folder(tmp_path)
    check_folder(tmp_path / "new" / "run")
    (tmp_path / "file").write_text("")
    with raises(CorefkitError, "environment/unwritable", place="file/run"):
        check_folder(tmp_path / "file" / "run")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
