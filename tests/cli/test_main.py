"""The command line itself: help, usage, exit codes, streams."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from files import conll, written

import corefkit
from corefkit import cli
from corefkit.cli import COMMANDS, main
from corefkit.cli.lab import COMMANDS as LAB
from corefkit.example import paths
from corefkit.formats.files import describe_kernel

KEY, CAREFUL, GREEDY = map(str, paths())
SOURCE = str(Path(corefkit.__file__).parents[1])


@pytest.fixture
def run(capsys):
    """Run a command; gives exit code, stdout and stderr."""

    def command(*words):
        code = main(list(words))
        streams = capsys.readouterr()
        assert "Traceback" not in streams.err
        return code, streams.out, streams.err

    return command


def process(*words, check=True, environment=(), **options):
    """Run a command as a separate process."""
    return subprocess.run(
        [sys.executable, "-m", "corefkit", *words],
        env={**os.environ, "PYTHONPATH": SOURCE, **dict(environment)},
        check=check,
        capture_output="stdout" not in options,
        **options,
    )


@pytest.mark.parametrize("words", [["--help"], ["-h"]])
def test_help_lists_the_commands(run, words):
    code, out, err = run(*words)
    assert (code, err) == (0, "")
    assert all(
        f"{name} " in out and summary in out for name, summary in COMMANDS.items()
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(run, name):
    code, out, err = run(name, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"usage: corefkit {name}")


HELPED = [[], *([name] for name in COMMANDS), *(["lab", name] for name in LAB)]


@pytest.mark.parametrize("words", HELPED, ids=" ".join)
def test_help_fits_80_columns(run, monkeypatch, words):
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = run(*words, "--help")
    assert max(map(len, out.splitlines())) <= 80


def test_help_is_filled_to_the_terminal_but_keeps_lists(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    _, out, _ = run("convert", "--help")
    about, _, formats = out.partition("Supported formats")
    assert all(len(line) <= 60 for line in about.splitlines())
    assert "The format of IN is detected from its content, that of" in about
    assert "\n  conll      CoNLL-2012                  .conll _conll\n" in formats


def test_version_is_printed(run):
    version = f"corefkit {corefkit.__version__} ({describe_kernel()})\n"
    assert run("--version") == (0, version, "")


def test_help_of_score_names_every_option_of_the_contract(run):
    _, out, _ = run("score", "--help")
    settings = ["preset", "match", "singletons", "missing", "repeated", "blanc-rule"]
    for option in ["metric", "format", "per-document", *settings, "average", "from"]:
        assert f"--{option}" in out


WRONG_USAGE = {
    "nothing": ([], "COMMAND"),
    "unknown command": (["scor"], "score"),
    "option before the command": (["--metric", "muc", "score", KEY, KEY], "usage"),
    "dashes before the command": (["--", "score", KEY, KEY], "usage"),
    "score without files": (["score"], "a key and a response are required"),
    "score with a key only": (["score", KEY], "a key and a response are required"),
    "example and files": (["score", "--example", KEY, KEY], "--example"),
    "unknown option": (["score", KEY, KEY, "--measure", "muc"], "--measure"),
    "option without value": (["score", KEY, KEY, "--metric"], "--metric"),
    "unknown metric": (
        ["score", KEY, KEY, "--metric", "b_cube"],
        "did you mean 'b_cubed'?",
    ),
    "one of two metrics": (
        ["score", KEY, KEY, "--metric", "muc,leaf"],
        "did you mean 'lea'?",
    ),
    "no metric": (["score", KEY, KEY, "--metric", ""], "metric"),
    "unknown preset": (["score", KEY, KEY, "--preset", "conll12"], "'conll2012'"),
    "unknown format": (["score", KEY, KEY, "--format", "yaml"], "markdown"),
    "unknown input format": (
        ["score", KEY, KEY, "--from", "json"],
        "did you mean 'jsonl'?",
    ),
    "unknown choice": (["score", KEY, KEY, "--singletons", "remove"], "'drop'"),
    "unknown match": (["score", KEY, KEY, "--match", "fuzzy"], "'partial'"),
    "abbreviated option": (["score", KEY, KEY, "--singl", "drop"], "--singl"),
    "reference of two": (
        ["score", KEY, KEY, KEY, "--format", "reference"],
        "one response",
    ),
    "reference by document": (
        ["score", KEY, KEY, "--format", "reference", "--per-document"],
        "totals only",
    ),
    "reference of its own metrics only": (
        ["score", KEY, KEY, "--format", "reference", "--metric", "mor"],
        "mor",
    ),
    "validate without files": (["validate"], "FILE"),
}


@pytest.mark.parametrize(("words", "said"), WRONG_USAGE.values(), ids=WRONG_USAGE)
def test_wrong_usage_is_exit_code_two(run, words, said):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert said in err


RIGHT_USAGE = {
    "files first": [KEY, CAREFUL, "--metric", "muc"],
    "options first": ["--metric", "muc", KEY, CAREFUL],
    "options between": [KEY, "--metric", "muc", CAREFUL],
    "with a sign": [KEY, CAREFUL, "--metric=muc"],
    "alias": [KEY, CAREFUL, "--metric", "MUC"],
    "twice": [KEY, CAREFUL, "--metric", "muc", "--metric", "muc"],
    "commas": [KEY, CAREFUL, "--metric", "muc,muc,"],
}


@pytest.mark.parametrize("words", RIGHT_USAGE.values(), ids=RIGHT_USAGE)
def test_ways_to_say_the_same(run, words):
    code, out, _ = run("score", *words)
    assert code == 0
    assert out.splitlines()[1] == "MUC   44.07       96.30   60.47"


def test_same_file_twice_is_scored_twice(run):
    code, out, _ = run("score", KEY, KEY, KEY, "--metric", "muc")
    assert code == 0
    assert out.count("100.00") == 6


def test_paths_may_have_blanks(run, tmp_path):
    path = written(tmp_path / "my key.conll", conll("(1) (1)"))
    assert run("score", path, path)[0] == 0


def test_metrics_are_shown_in_the_order_asked_for(run):
    _, out, _ = run("score", KEY, GREEDY, "--metric=lea,muc", "--metric", "b3")
    assert [line.split()[0] for line in out.splitlines()[1:4]] == ["LEA", "MUC", "B³"]


def test_too_little_memory_is_said(run, monkeypatch):
    def full(*_, **__):
        raise MemoryError

    monkeypatch.setattr("corefkit.cli.stats.statistics_of", full)
    code, out, err = run("stats", "--example")
    assert (code, out) == (1, "")
    assert err == "error: not enough memory for this input\n"


@pytest.mark.parametrize("below", ["", "/below"])
@pytest.mark.parametrize(
    "words",
    [
        ["lab", "perturb", "--kind", "split", "--documents", "2", "-o"],
        ["lab", "reproduce", "--paper", "luo", "-o"],
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_file_in_place_of_a_folder_to_write_to_is_named(run, tmp_path, words, below):
    taken = written(tmp_path / "taken", "mine")
    code, _, err = run(*words, f"{taken}{below}")
    assert code > 0
    assert taken in err
    assert "defect" not in err
    assert Path(taken).read_text() == "mine"


class TestStreams:
    def test_dash_is_standard_input(self, run, monkeypatch):
        standard_input = io.TextIOWrapper(io.BytesIO(Path(CAREFUL).read_bytes()))
        monkeypatch.setattr("sys.stdin", standard_input)
        code, out, _ = run("score", KEY, "-", "--metric", "muc")
        assert code == 0
        assert "60.47" in out

    @pytest.mark.parametrize(
        "words",
        [
            "score - -",
            "score KEY - -",
            "score KEY - --beside -",
            "score - KEY --beside -",
            "score KEY a=- --beside b=-",
            "score --beside - --beside -",
            "explain - - --metric muc",
            "lab diagnose - -",
            "validate - -",
            "stats - -",
            "report - - -o x.html",
        ],
    )
    def test_standard_input_named_twice_is_said(self, run, monkeypatch, words):
        standard_input = io.TextIOWrapper(io.BytesIO(Path(CAREFUL).read_bytes()))
        monkeypatch.setattr("sys.stdin", standard_input)
        code, out, err = run(*words.replace("KEY", KEY).split())
        assert (code, out) == (2, "")
        assert "standard input is named twice" in err

    @pytest.mark.skipif(not Path("/dev/stdin").exists(), reason="only on Unix")
    def test_standard_input_by_its_path(self):
        done = process("score", KEY, "/dev/stdin", input=Path(CAREFUL).read_bytes())
        assert b"60.47" in done.stdout

    def test_reader_that_goes_away_is_no_error(self):
        read_end, write_end = os.pipe()
        os.close(read_end)
        with os.fdopen(write_end, "wb") as gone:
            done = process("score", "--example", stdout=gone, stderr=subprocess.PIPE)
        assert done.stderr == b""

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="only on Linux")
    def test_full_disk_is_said(self):
        with Path("/dev/full").open("wb") as full:
            done = process(
                "score", "--example", stdout=full, stderr=subprocess.PIPE, check=False
            )
        assert done.returncode == 1
        assert b"No space left" in done.stderr
        assert b"defect" not in done.stderr

    @pytest.mark.skipif(not Path("/bin/sh").exists(), reason="only on Unix")
    def test_closed_output_is_no_defect(self):
        done = subprocess.run(
            [
                "/bin/sh",
                "-c",
                'exec "$0" -m corefkit score --example >&-',
                sys.executable,
            ],
            env={**os.environ, "PYTHONPATH": SOURCE},
            stderr=subprocess.PIPE,
            check=False,
        )
        assert b"defect" not in done.stderr

    def test_terminal_without_unicode_shows_question_marks(self):
        plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
        done = process("score", "--example", environment=plain)
        assert done.stdout.isascii()
        assert b"60.47" in done.stdout

    def test_same_input_gives_the_same_bytes(self):
        outputs = {
            process(
                "score",
                "--example",
                "--format=json",
                environment={"PYTHONHASHSEED": seed},
            ).stdout
            for seed in "12"
        }
        assert len(outputs) == 1


class TestUnforeseen:
    def fail(self, *_):
        message = "oh"
        raise ZeroDivisionError(message)

    def test_defect_of_corefkit_is_said_to_be_one(self, run, monkeypatch):
        monkeypatch.delenv("COREFKIT_TRACEBACK", raising=False)
        monkeypatch.setattr(cli, "run_words", self.fail)
        code, out, err = run("score")
        assert (code, out) == (1, "")
        assert "ZeroDivisionError: oh" in err
        assert "COREFKIT_TRACEBACK" in err

    def test_traceback_is_shown_to_who_asks_for_it(self, run, monkeypatch):
        monkeypatch.setenv("COREFKIT_TRACEBACK", "1")
        monkeypatch.setattr(cli, "run_words", self.fail)
        with pytest.raises(ZeroDivisionError):
            run("score")

    def test_interrupt_is_no_error_of_ours(self, run, monkeypatch):
        def interrupt(*_):
            raise KeyboardInterrupt

        monkeypatch.setattr(cli, "run_words", interrupt)
        assert run("score") == (130, "", "")


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("resolve", "cistell resolve"),
        ("train", "cistell train"),
        ("experiment", "cistell study"),
    ],
)
def test_commands_of_the_resolver_have_moved(run, name, command):
    code, out, err = run(name, "story.txt")
    assert (code, out) == (2, "")
    assert f"`{command}`" in err
    assert "pip install cistell" in err
