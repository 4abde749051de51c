"""The command `corefkit lab diagnose`."""

from __future__ import annotations

import json

import pytest
from files import conll, written
from kept import GOLDEN, check_golden

import corefkit
from corefkit.cli import main
from corefkit.cli.lab import COMMANDS
from corefkit.example import paths

# Ann and her mill; the response takes the second "her" for the mill's.
KEY = "(1) - (1)|(2 2) / (2) - (1) (3) (3) -"
RESPONSE = "(1) - (2)|(2 2) / - - (1) (3) - -"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run the command beside a key and a response; gives code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "key.conll", conll(KEY))
    written(tmp_path / "response.conll", conll(RESPONSE))

    def command(*words):
        code = main(["lab", "diagnose", *words])
        return code, *capsys.readouterr()

    return command


FILES = ("key.conll", "response.conll")


@pytest.mark.kept
def test_page_tells_counts_scores_and_verdicts(run):
    code, out, err = run(*FILES, "--metric", "muc,b_cubed,lea")
    assert (code, err) == (0, "")
    check_golden(GOLDEN / "diagnose.txt", out)


def test_command_is_listed():
    assert "diagnose" in COMMANDS


def test_example_is_the_careful_response(run):
    key, careful, _ = map(str, paths())
    assert run("--example") == run(key, careful)
    assert run("--example")[1].startswith(
        "careful.conll against key.conll: 4 documents"
    )


def test_json_has_the_scores_of_score(run, capsys):
    code, out, _ = run(*FILES, "--format", "json")
    assert code == 0
    values = json.loads(out)
    assert values["corefkit"] == corefkit.__version__
    assert (values["key"], values["response"]) == FILES
    main(["score", *FILES, "--format", "json"])
    (system,) = json.loads(capsys.readouterr().out)["systems"]
    assert values["versions"]["base"]["scores"] == system["scores"]
    assert values["versions"]["base"]["conll"] == system["conll"]


def test_markdown_is_a_page(run):
    code, out, _ = run(*FILES, "--format", "markdown", "--metric", "lea,muc")
    assert code == 0
    assert "|  | LEA R | LEA P | LEA F1 | MUC R | MUC P | MUC F1 |" in out


def test_metrics_are_named_as_for_score(run):
    once = run(*FILES, "--metric", "lea", "--metric", "b3,conll")
    assert once == run(*FILES, "--metric", "lea,bcub,muc,ceafe")
    _, out, _ = run(*FILES, "--metric", "b_cubed_sys")
    assert "B³sys" in out


def test_settings_are_in_the_signature(run):
    _, out, _ = run(*FILES, "--singletons", "drop", "--average", "macro")
    assert (
        out.splitlines()[-1]
        == corefkit.Settings(singletons="drop", average="macro").signature
    )
    assert "1 document, macro-averaged" in out


def test_notes_go_to_stderr(run, tmp_path):
    written(tmp_path / "twice.conll", conll(RESPONSE.replace("(3)", "(3)|(2)")))
    code, out, err = run("key.conll", "twice.conll")
    assert code == 0
    assert "note" not in out
    assert err.startswith("note: twice.conll: 1 repeated mention, kept in the first")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "a key and a response are required"),
        (["key.conll"], "a key and a response are required"),
        ([*FILES, "--example"], "--example comes with its own files"),
        ([*FILES, "--metric", "b_cube"], "did you mean 'b_cubed'?"),
        ([*FILES, "--metric", ","], "expected one name or more"),
        ([*FILES, "--metric", "zeros"], "'zeros' needs more than the entities"),
        ([*FILES, "--format", "csv"], "invalid choice: 'csv'"),
        ([*FILES, "response.conll"], "unrecognized arguments: response.conll"),
    ],
    ids=[
        "nothing",
        "key",
        "example",
        "metric",
        "none",
        "supplement",
        "format",
        "third",
    ],
)
def test_wrong_usage_is_said(run, words, message):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert message in err


def test_file_that_cannot_be_read_is_named(run):
    code, out, err = run("key.conll", "no.conll")
    assert (code, out) == (1, "")
    assert err.startswith("error: no.conll: cannot be read: ")
