"""`corefkit experiment`: what it prints, what it writes, and what it refuses."""

from __future__ import annotations

import json
import re

import pytest
from resolver.experiment.made import data_folder

from corefkit.cli import main
from corefkit.cli.experiment import StepProgress
from corefkit.cli.messages import ProgressLine

REPORTS = ("report.md", "report.html", "tables.tex", "results.json")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return data_folder(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def run(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "run"
    assert main(command(data, folder)) == 0
    return folder


def command(data, folder, *more):
    study = str(data / "stories.toml")
    return [
        "experiment", study, f"--data={data}", "--parts", "12", "-o", str(folder), *more
    ]  # fmt: skip


@pytest.mark.slow
def test_reports_are_written(run):
    for name in REPORTS:
        assert (run / name).stat().st_size > 500
    results = json.loads((run / "results.json").read_text("utf-8"))
    assert [one["name"] for one in results["settings"]] == ["tales", "typed"]
    assert results["parts"] == 12
    versions = json.loads((run / "versions.json").read_text("utf-8"))
    assert {"corefkit", "python", "numpy", "scikit-learn"} <= versions.keys()
    config = json.loads((run / "config.json").read_text("utf-8"))
    assert re.fullmatch("[0-9a-f]{64}", config["data"]["tales-test.conllu"])


@pytest.mark.slow
def test_reports_say_what_differs_and_what_was_lost(run):
    text = (run / "report.md").read_text("utf-8")
    assert "Tales and Typed tales" in text
    assert "other mentions in the key" in text
    assert "scheme: tales against ace" in text
    assert "dropped: is no person, organization or place" in text


def test_reports_have_no_places_and_no_dates(run, data):
    for name in REPORTS:
        text = (run / name).read_text("utf-8")
        assert str(data) not in text
        assert str(run) not in text
        assert not re.search(r"\b20[2-9]\d-\d\d", text)


def test_second_run_prints_the_same_and_says_what_was_done(run, data, capsys):
    before = {name: (run / name).read_bytes() for name in REPORTS}
    assert main(command(data, run)) == 0
    printed = capsys.readouterr()
    assert "Which claims of the paper carry over" in printed.out
    assert re.search(r"^WEAK +\d", printed.out, re.MULTILINE)
    assert re.search(r"^100 % typed: .*: was done before$", printed.err, re.MULTILINE)
    assert "note: Absent tales is left out" in printed.err
    assert before == {name: (run / name).read_bytes() for name in REPORTS}


@pytest.mark.slow
def test_other_options_are_refused_and_fresh_starts_anew(data, tmp_path, capsys):
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "config.json").write_text('{"seed": 3}', "utf-8")
    (folder / "report.md").write_text("old", "utf-8")
    assert main(command(data, folder)) == 2
    assert "another configuration" in capsys.readouterr().err
    assert main(command(data, folder, "--fresh")) == 0
    assert (folder / "report.md").read_text("utf-8") != "old"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nothing"], "there is no study 'nothing'"),
        (["scheme", "--parts", "-1"], "found --parts -1, expected a number of words"),
        (["scheme", "--seed", "-1"], "found --seed -1, expected 0 or more"),
        (["scheme", "--parser", "gone.udpipe"], "this model of UDPipe does not exist"),
        (["scheme", "--data", "gone"], "no such folder of data"),
    ],
)
def test_wrong_usage_is_told(data, tmp_path, capsys, words, message):
    folder = tmp_path / "run"
    given = [f"--data={data}", *words] if "--data" not in words else words
    assert main(["experiment", *given, "-o", str(folder)]) == 2
    assert message in capsys.readouterr().err
    assert not folder.exists()


def test_missing_corpus_cannot_be_run(data, tmp_path, capsys):
    words = ["experiment", "scheme", f"--data={data}", "-o", str(tmp_path / "run")]
    assert main(words) == 1
    assert "gum-train.conllu is not in the folder of data" in capsys.readouterr().err


def test_progress_shows_a_share_and_wipes_its_line(monkeypatch, capsys):
    with ProgressLine() as line:
        progress = StepProgress(line)
        progress.begun(1, 4, "training")
        progress.ended(1, 4, "training", True)
        progress.ended(2, 4, "resolving", False)
    lines = capsys.readouterr().err.splitlines()
    assert lines == [" 25 % training: 0 s", " 50 % resolving: was done before"]
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with ProgressLine() as line:
        StepProgress(line).begun(3, 4, "training")
    shown = capsys.readouterr().err
    assert "\r 50 %: training ..." in shown
    assert shown.endswith("\r")
