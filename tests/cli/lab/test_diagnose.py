"""The command `corefkit lab diagnose`."""

from __future__ import annotations

import json

import pytest
from files import conll, written

import corefkit
from corefkit.cli import main
from corefkit.cli.lab import COMMANDS
from corefkit.example import paths

# Ann and her mill; the response takes the second "her" for the mill's.
KEY = "(1) - (1)|(2 2) / (2) - (1) (3) (3) -"
RESPONSE = "(1) - (2)|(2 2) / - - (1) (3) - -"

PAGE = """\
response.conll against key.conll: 1 document, micro-averaged

Key mentions              7  3 entities, 0 of them singletons
Response mentions         5  3 entities, 1 of them a singleton
In both                   5
  without a correct link  3  60.00% of the 5 that have a link in the key
    incorrectly resolved  2  all their links are wrong
    alone                 1  not linked to anything
Missing                   2  only in the key
Spurious                  0  only in the response

Scores in percent. Base is the response as it is; below a version stands its change from
Base in points. ! is a change the wrong way. * is undefined (nothing to divide by),
counted as 0.

                                  MUC                      B³                     LEA
                    R       P      F1       R       P      F1       R       P      F1
Base            25.00   50.00   33.33   38.10   80.00   51.61   14.29   40.00   21.05
More precise    25.00  100.00   40.00   26.19  100.00   41.51   14.29   66.67   23.53
  change         0.00  +50.00   +6.67  -11.90! +20.00  -10.10!   0.00  +26.67   +2.48
Less precise a  25.00   33.33   28.57   52.38   71.43   60.44   14.29   28.57   19.05
  change         0.00  -16.67   -4.76  +14.29!  -8.57   +8.83!   0.00  -11.43   -2.01
Less precise b  25.00   33.33   28.57   52.38   71.43   60.44   14.29   28.57   19.05
  change         0.00  -16.67   -4.76  +14.29!  -8.57   +8.83!   0.00  -11.43   -2.01
All singletons   0.00    0.00*   0.00   28.57  100.00   44.44    0.00    0.00    0.00
One entity      50.00   50.00   50.00   57.14   44.00   49.72   42.86   30.00   35.29

More precise: 2 incorrectly resolved mentions taken out. No right link is lost: recall
must stay, precision and F1 must not fall.
  B³  recall fell by 11.90 points (38.10 to 26.19), F1 fell by 10.10 (51.61 to 41.51)
  As they should: MUC, LEA.

Less precise a: 1 wrong entity added, of 2 missing key mentions. No right link is added:
recall must stay, precision and F1 must not rise.
  B³  recall rose by 14.29 points (38.10 to 52.38), F1 rose by 8.83 (51.61 to 60.44)
  As they should: MUC, LEA.

Less precise b: 1 wrong entity added, of 2 missing key mentions. No right link is added:
recall must stay, precision and F1 must not rise.
  B³  recall rose by 14.29 points (38.10 to 52.38), F1 rose by 8.83 (51.61 to 60.44)
  As they should: MUC, LEA.

All singletons: every response mention alone. There is no link, so nothing is resolved.
These give it points all the same:
  B³  recall is 28.57, precision is 100.00, F1 is 44.44

One entity: all response mentions of a document together. These score it higher than the
response as it is:
  MUC  F1 rose by 16.67 points (33.33 to 50.00)
  LEA  F1 rose by 14.24 points (21.05 to 35.29)

Never the wrong way: MUC, LEA.
The wrong way: B³ by up to 14.29 points (recall, less precise a).

corefkit:0.1.0|match:exact|singletons:keep|repeated:first|missing:empty|blanc:key|average:micro
"""


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


def test_page_tells_counts_scores_and_verdicts(run):
    code, out, err = run(*FILES, "--metric", "muc,b_cubed,lea")
    assert (code, err) == (0, "")
    assert out == PAGE


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
        ([], "a key and a response are needed"),
        (["key.conll"], "a key and a response are needed"),
        ([*FILES, "--example"], "--example comes with its own files"),
        ([*FILES, "--metric", "b_cube"], "did you mean 'b_cubed'?"),
        ([*FILES, "--metric", ","], "--metric names nothing"),
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
    assert err.startswith("no.conll: cannot be read: ")
