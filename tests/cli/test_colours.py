"""Colours: on a terminal or where they are asked for, and never for programs."""

from __future__ import annotations

import io
import re
import shutil

import pytest

import corefkit
from corefkit import strings as colours
from corefkit.cli import COMMANDS, main

FILES = ["key.conll", "careful.conll", "greedy.conll"]
BROKEN = """#begin document (a); part 000
a  0  0  Ann  (1)|(2)
a  0  1  ran  (x)
#end document
"""
BOLD, DIM = "\x1b[1m", "\x1b[2m"


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture(autouse=True)
def terminal(folder, monkeypatch):
    (folder / "broken.conll").write_text(BROKEN)
    monkeypatch.setenv("TERM", "xterm")


@pytest.fixture
def coloured(run, monkeypatch):
    """Run a command with colours, and without; give all that both say."""

    def command(*words):
        plain = run(*words)
        with monkeypatch.context() as asked:
            asked.setenv("FORCE_COLOR", "1")
            return plain, run(*words)

    return command


@pytest.mark.parametrize(
    ("variables", "terminal", "elsewhere"),
    [
        ({}, True, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, True, False),
        ({"TERM": "dumb"}, False, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": ""}, True, False),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
        ({"CLICOLOR_FORCE": "1"}, True, True),
        ({"CLICOLOR_FORCE": "0"}, True, False),
        ({"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, False, False),
    ],
)
def test_who_wants_colours(monkeypatch, variables, terminal, elsewhere):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert colours.should_colour(Terminal()) is terminal
    assert colours.should_colour(io.StringIO()) is elsewhere
    assert not colours.should_colour(None)


SHOWN = {
    "score": ["score", *FILES],
    "score ranked": ["score", *FILES, "--sort", "muc"],
    "score by document": ["score", *FILES, "--per-document"],
    "many responses": ["score", *FILES, *FILES, "--metric", "muc,b3"],
    "many metrics": ["score", *FILES, *FILES, "--metric", "all"],
    "a wide name": ["score", "key.conll", f"{'鍵' * 40}=careful.conll", "greedy.conll"],
    "compare": ["compare", *FILES, "--samples", "10"],
    "errors": ["errors", *FILES],
    "explain": ["explain", *FILES[:2], "--metric", "muc"],
    "doctor": ["doctor", *FILES[:2]],
    "validate": ["validate", "key.conll", "broken.conll", "--severity", "note"],
    "stats": ["stats", *FILES],
    "diagnose": ["lab", "diagnose", *FILES[:2]],
    "perturb": ["lab", "perturb", "key.conll", "--steps", "2", "--kind", "split"],
    "an error": ["score", "key.conll", "broken.conll"],
    "errors of all": ["score", "key.conll", "broken.conll", "nowhere.conll"],
    "wrong usage": ["score", *FILES, "--metrik", "muc"],
    "an unknown metric": ["score", *FILES, "--metric", "muk"],
    "a note": ["score", *FILES, "--metric", "all"],
}


@pytest.mark.parametrize("columns", ["40", "80", "200"])
@pytest.mark.parametrize("words", SHOWN.values(), ids=SHOWN)
def test_colours_change_nothing_else(words, columns, coloured, monkeypatch):
    monkeypatch.setenv("COLUMNS", columns)
    plain, painted = coloured(*words)
    assert "\x1b" not in "".join(plain[1:])
    code, out, err = painted
    assert (code, colours.remove_colours(out), colours.remove_colours(err)) == plain


@pytest.mark.parametrize(
    "words",
    [words for name, words in SHOWN.items() if name not in ("explain", "stats")],
    ids=[name for name in SHOWN if name not in ("explain", "stats")],
)
def test_there_are_colours(words, coloured):
    assert "\x1b[" in "".join(coloured(*words)[1][1:])


PROGRAMS = {
    format: ["score", *FILES[: 2 if format == "reference" else 3], "--format", format]
    for format in ("json", "csv", "markdown", "latex", "reference")
} | {
    "validate json": ["validate", "key.conll", "--format", "json"],
    "compare latex": ["compare", *FILES, "--samples", "10", "--format", "latex"],
    "doctor markdown": ["doctor", *FILES[:2], "--format", "markdown"],
    "report": ["report", *FILES, "--samples", "10", "-o", "-"],
    "convert": ["convert", "key.conll", "-", "--to", "jsonl"],
    "completion": ["completion", "bash"],
    "manual": ["manual", "corefkit-scorer"],
    "help": ["score", "--help"],
    "overview": ["--help"],
}


@pytest.mark.parametrize("words", PROGRAMS.values(), ids=PROGRAMS)
def test_output_for_programs_and_help_have_none(words, coloured):
    plain, painted = coloured(*words)
    assert painted[1] == plain[1]


def test_a_file_has_none(coloured, folder):
    coloured("score", *FILES, "-o", "out.txt")
    assert "\x1b" not in (folder / "out.txt").read_text("utf-8")


def test_the_highest_number_is_bold_and_the_signature_faint(coloured):
    _, (_, out, _) = coloured("score", *FILES, "--metric", "muc,lea")
    muc, lea = (line for line in out.splitlines() if line.startswith(("MUC", "LEA")))
    assert re.findall(r"\x1b\[1m([\d.]+)\x1b\[0m", muc) == ["79.41"]
    assert re.findall(r"\x1b\[1m([\d.]+)\x1b\[0m", lea) == ["59.70"]
    assert out.splitlines()[-1].startswith(f"{DIM}corefkit:")


def test_equal_numbers_are_bold_together_or_not_at_all(coloured):
    words = ["--metric", "muc"]
    _, (_, out, _) = coloured("score", "key.conll", "key.conll", "key.conll", *words)
    assert BOLD not in out
    _, (_, out, _) = coloured("score", *FILES, "a=greedy.conll", *words)
    assert out.count(BOLD) == 2


def test_one_response_has_no_highest(coloured):
    assert BOLD not in coloured("score", *FILES[:2])[1][1]


def test_words_of_messages_have_colours(coloured):
    assert "\x1b[32mhint:\x1b[0m did you" in coloured("score", "--metrik")[1][2]
    assert "\x1b[1;31merror:\x1b[0m unrec" in coloured("score", "--metrik")[1][2]
    assert "\x1b[36mnote:\x1b[0m" in coloured("score", *FILES, "--metric", "all")[1][2]


def test_a_name_that_looks_like_a_word_is_safe(coloured, folder):
    shutil.copy("broken.conll", folder / "warning: x.conll")
    _, (_, out, _) = coloured("validate", "warning: x.conll")
    assert "warning: x.conll:2: " in colours.remove_colours(out)


def test_streams_are_asked_one_by_one(monkeypatch):
    out, err = Terminal(), io.StringIO()
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.stderr", err)
    main(["score", *FILES, "--metric", "all"])
    assert BOLD in out.getvalue()
    assert "note:" in err.getvalue()
    assert "\x1b" not in err.getvalue()


def test_python_never_has_colours(monkeypatch, run):
    monkeypatch.setenv("FORCE_COLOR", "1")
    run("score", *FILES)
    assert "\x1b" not in str(corefkit.score("key.conll", "careful.conll"))


def test_every_help_is_the_same_everywhere(coloured):
    """argparse colours it from Python 3.14 on, by rules of its own."""
    for name in COMMANDS:
        plain, painted = coloured(name, "--help")
        assert painted == plain
