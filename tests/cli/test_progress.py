"""Commands that can take long say how far they are, and leave no trace of it."""

from __future__ import annotations

import io
import re
import shutil

import pytest

from corefkit.cli import main, messages
from corefkit.example import paths, trees

FILES = ["key.conll", "careful.conll", "greedy.conll"]
# Each command, and the works that its line names.
WORKS = {
    "score": (["score", *FILES], ["scoring"]),
    "compare": (
        ["compare", *FILES, "--samples", "3000"],
        ["scoring", "drawing samples"],
    ),
    "compare stored": (
        ["compare", "stored.json", "--samples", "3000"],
        ["drawing samples"],
    ),
    "errors": (["errors", *FILES], ["analysing"]),
    "report": (
        ["report", *FILES, "--samples", "3000", "-o", "-"],
        ["scoring", "drawing samples"],
    ),
    "doctor": (["doctor", *FILES[:2]], ["checking"]),
    "validate": (["validate", *FILES], ["checking"]),
    "convert": (["convert", "key.conll", "out.jsonl"], ["converting"]),
    "stats": (["stats", *FILES], ["counting"]),
    "perturb": (["lab", "perturb", "key.conll", "--steps", "2"], ["scoring"]),
}


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch, capsys):
    for path in (*paths(), trees()):
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    words = ["--format", "json", "--per-document", "-o", "stored.json"]
    assert main(["score", *FILES[:2], *words]) == 0
    capsys.readouterr()
    return tmp_path


@pytest.fixture
def watched(monkeypatch, capsys):
    """Run a command on a terminal that is shown everything at once."""

    def run(*words):
        terminal = Terminal()
        with monkeypatch.context() as patient:
            patient.setattr(messages, "_PROGRESS_DELAY_S", -1)
            patient.setattr(messages, "_PROGRESS_INTERVAL_S", 0)
            patient.setattr("sys.stderr", terminal)
            code = main(list(words))
        return code, capsys.readouterr().out, terminal.getvalue()

    return run


def on_screen(text):
    """Give the rows that are left, as a terminal shows them."""
    rows = []
    for row in text.split("\n"):
        cells = []
        for piece in row.split("\r"):
            cells[: len(piece)] = piece
        rows.append("".join(cells).rstrip())
    return "\n".join(rows)


@pytest.mark.parametrize(("words", "works"), WORKS.values(), ids=WORKS)
def test_progress_is_shown_and_changes_nothing(words, works, watched, capsys):
    code = main(list(words))
    plain = code, *capsys.readouterr()
    code, out, err = watched(*words)
    found = re.findall(r"\r([a-z ]+): +\d+%(?:, \d+ \w+ left)?", err)
    assert list(dict.fromkeys(found)) == works
    assert (code, out, on_screen(err)) == plain


@pytest.mark.parametrize("words", [words for words, _ in WORKS.values()], ids=WORKS)
@pytest.mark.slow
def test_quiet_shows_none(words, watched):
    assert "%" not in watched(*words, "-q")[2].replace(" % ", "")


def test_shuffles_are_a_work_of_their_own(watched, folder):
    """Of few texts, all ways to swap them are enumerated, and none is drawn."""
    for name in FILES:
        text = (folder / name).read_text("utf-8")
        copies = [text.replace("example/", f"copy{number}/") for number in range(9)]
        (folder / name).write_text("".join(copies), "utf-8")
    _, _, err = watched("compare", *FILES, "--samples", "3000", "--metric", "muc")
    assert [*dict.fromkeys(re.findall(r"\r([a-z ]+): +\d+%", err))] == [
        "scoring",
        "drawing samples",
        "shuffling",
    ]


def test_what_goes_to_stdout_has_no_line_between(watched):
    words = ["convert", "key.conll", "-", "--to", "conll"]
    assert "%" not in watched(*words)[2]
