"""`dev.py freeze`: runs are reproducible, complete, and differences are shown."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import pytest
from command_files import list_parsers
from shared_files import ROOT

import corefkit

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
freeze = pytest.importorskip("freeze")
runner = pytest.importorskip("freeze_runner")

TINY = r"^(score/(base|unknown_metric|duckdb)|python/score_spans|process/pipe|lab-)$"


def run_freeze(*arguments):
    command = [sys.executable, str(ROOT / "tools" / "freeze.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def write_frozen(folder, cases):
    for name, text in cases.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.txt").write_text(text, "utf-8")
    (folder / "cases.txt").write_text("\n".join(cases), "utf-8")
    return folder


@pytest.fixture(scope="module")
def cases():
    return [case for part in freeze.list_cases([]) for case in part]


def list_words(case):
    return case.action["program"][1] if "program" in case.action else []


def test_case_names_are_unique(cases):
    names = [case.id for case in cases]
    assert len(names) == len(set(names))


def test_every_option_occurs_in_a_case(cases):
    missing = {
        f"{name} {spelling}"
        for name, parser in list_parsers().items()
        if name not in freeze.ENDLESS
        for action in parser.list_actions()
        if action.option_strings
        for spelling in [max(action.option_strings, key=len)]
        if not any(
            list_words(case)[: len(name.split())] == name.split()
            and spelling in list_words(case)
            for case in cases
        )
    }
    assert missing == set(freeze.NOT_RUN)


def test_every_public_function_occurs_in_a_case(cases):
    sources = "\n".join(case.action.get("source", "") for case in cases)
    names = {
        name
        for name in corefkit.__all__
        if callable(getattr(corefkit, name)) and name[0].islower()
    }
    assert {name for name in names if f"corefkit.{name}(" not in sources} == set()


def test_differences_are_grouped_by_command(tmp_path, capsys):
    first = write_frozen(tmp_path / "a", {"score/x": "1\n2\n", "stats/y": "3\n"})
    second = write_frozen(tmp_path / "b", {"score/x": "1\n4\n", "stats/y": "3\n"})
    assert freeze.main(["--compare", str(first), str(second)]) == 1
    text = capsys.readouterr().out
    assert "=== score: 1 cases differ" in text
    assert "-2\n+4\n" in text
    assert "stats" not in text


def test_case_of_one_side_is_a_difference(tmp_path, capsys):
    first = write_frozen(tmp_path / "a", {"score/x": "1\n"})
    second = write_frozen(tmp_path / "b", {"score/x": "1\n", "score/new": "1\n"})
    assert freeze.main(["--compare", str(first), str(second)]) == 1
    assert f"only in {second}: score/new" in capsys.readouterr().out


def test_equal_folders_have_no_difference(tmp_path):
    first = write_frozen(tmp_path / "a", {"score/x": "1\n"})
    shutil.copytree(first, tmp_path / "b")
    assert freeze.main(["--compare", str(first), str(tmp_path / "b")]) == 0


def test_versions_paths_and_durations_are_normalized(tmp_path):
    version = corefkit.__version__
    text = f"{tmp_path}/run-71/x corefkit:{version}| 1{version} in 3.2 seconds"
    normalized = runner.normalize(text, runner.list_replacements(tmp_path))
    assert normalized == f"WORK/run/x corefkit:VERSION| 1{version} in N seconds"


@pytest.mark.slow
def test_two_runs_are_identical(tmp_path):
    for name in "ab":
        done = run_freeze(tmp_path / name, "--match", TINY)
        assert done.returncode == 0, done.stderr
    done = run_freeze("--compare", tmp_path / "a", tmp_path / "b")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search("Recall", (tmp_path / "a" / "score" / "base.txt").read_text())
