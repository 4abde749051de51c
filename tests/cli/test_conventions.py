"""What all commands have in common: -o, --quiet, two spellings, and near misses."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

FILES = ["key.conll", "careful.conll", "greedy.conll"]
PAIR = FILES[:2]
NOTED = """#begin document (a); part 000
a  0  0  Ann  (1)|(2)
a  0  1  ran  -
#end document
"""


pytestmark = pytest.mark.usefixtures("folder")


# Every command that prints, and has no other file or folder to write.
PRINTING = {
    "score": ["score", *FILES],
    "score json": ["score", *PAIR, "--format", "json"],
    "score csv": ["score", *FILES, "--format", "csv", "--per-document"],
    "compare": ["compare", *FILES, "--samples", "10"],
    "errors": ["errors", *PAIR],
    "explain": ["explain", *PAIR, "--metric", "muc"],
    "explain html": ["explain", *PAIR, "--metric", "muc", "--format", "html"],
    "validate": ["validate", *FILES],
    "stats": ["stats", *FILES],
    "lab diagnose": ["lab", "diagnose", *PAIR],
}


@pytest.mark.parametrize("words", PRINTING.values(), ids=PRINTING)
def test_a_file_gets_what_is_printed(run, folder, words):
    code, printed, told = run(*words)
    assert printed
    assert run(*words, "-o", "out.txt") == (code, "", told)
    assert (folder / "out.txt").read_bytes() == printed.encode()


def test_a_dash_is_standard_output(run):
    assert run("score", *PAIR, "--output", "-") == run("score", *PAIR)


def test_exit_codes_that_tell_of_the_input_come_with_the_file(run, folder):
    (folder / "twice.conll").write_text(NOTED, "utf-8")
    code, _, _ = run("validate", "twice.conll", "-o", "problems.txt")
    assert code == 1
    assert "warning" in (folder / "problems.txt").read_text("utf-8")


@pytest.mark.parametrize(
    "words",
    [
        ["score", "key.conll", "nowhere.conll"],
        ["score", "key.conll", "nowhere.conll", "neither.conll"],
        ["errors", "key.conll", "nowhere.conll"],
        ["stats", "key.conll", "nowhere.conll"],
    ],
    ids=" ".join,
)
def test_an_older_file_stays_where_there_is_an_error(run, folder, words):
    (folder / "out.txt").write_text("older")
    code, out, err = run(*words, "-o", "out.txt")
    assert (code, out) == (1, "")
    assert "nowhere.conll: cannot be read" in err
    assert (folder / "out.txt").read_text() == "older"
    assert {path.name for path in folder.iterdir()} == {*FILES, "out.txt"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["score", *PAIR, "-o", "careful.conll"], "'careful.conll' is an input"),
        (["score", "key.conll", "a=careful.conll", "-o", "careful.conll"], "an input"),
        (["stats", "key.conll", "-o", "key.conll"], "'key.conll' is an input"),
        (["validate", *PAIR, "-o", "key.conll"], "'key.conll' is an input"),
    ],
)
def test_an_input_is_never_replaced(run, folder, words, said):
    before = {name: (folder / name).read_bytes() for name in FILES}
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert said in err
    assert before == {name: (folder / name).read_bytes() for name in FILES}


def test_stored_scores_are_inputs_too(run, folder):
    run("score", *PAIR, "--format", "json", "-o", "kept.json")
    before = (folder / "kept.json").read_bytes()
    code, _, err = run("score", *PAIR, "--beside", "kept.json", "-o", "kept.json")
    assert code == 2
    assert "'kept.json' is an input" in err
    assert (folder / "kept.json").read_bytes() == before


def test_a_place_that_cannot_be_written_is_said_first(run):
    code, out, err = run("score", *PAIR, "-o", "no/such/folder.txt")
    assert (code, out) == (1, "")
    assert "no/such/folder.txt: cannot be written" in err


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="only on Unix")
def test_a_device_is_written_to(run):
    assert run("score", *PAIR, "-o", "/dev/null") == (0, "", "")


CLOSED = {
    "a note": ["score", *PAIR, "--metric", "all", "--format", "json"],
    "an error": ["score", "key.conll", "nowhere.conll"],
    "wrong usage": ["score", *PAIR, "--metrik", "muc"],
    "what was written": ["convert", "key.conll", "out.jsonl"],
}


@pytest.mark.parametrize("words", CLOSED.values(), ids=CLOSED)
def test_without_stderr_nothing_else_goes_to_stdout(words, monkeypatch, run):
    """Python prints to stdout where stderr was closed."""
    code, out, err = run(*words)
    assert err
    with monkeypatch.context() as closed:
        closed.setattr("sys.stderr", None)
        assert run(*words)[:2] == (code, out)


METRIC_COMMANDS = {
    "score": ["score", *PAIR],
    "compare": ["compare", *FILES, "--samples", "10"],
    "explain": ["explain", *PAIR],
    "diagnose": ["lab", "diagnose", *PAIR],
    "perturb": ["lab", "perturb", "key.conll", "--steps", "2", "--kind", "split"],
    "report": ["report", *PAIR, "-o", "-"],
}


@pytest.mark.parametrize("words", METRIC_COMMANDS.values(), ids=METRIC_COMMANDS)
def test_metrics_is_metric(run, words):
    one = run(*words, "--metric", "lea")
    assert one[0] == 0
    assert run(*words, "--metrics", "lea") == one


class TestQuiet:
    @pytest.fixture(autouse=True)
    def noted(self, folder):
        (folder / "noted.conll").write_text(NOTED, "utf-8")

    def test_notes_are_left_out(self, run):
        words = ["score", "noted.conll", "noted.conll"]
        _, out, err = run(*words)
        assert "note: " in err
        for option in ("-q", "--quiet"):
            assert run(*words, option) == (0, out, "")

    def test_the_next_command_is_not_quiet(self, run):
        words = ["score", "noted.conll", "noted.conll"]
        run(*words, "-q")
        assert "note: " in run(*words)[2]

    def test_what_was_written_is_left_out_but_not_what_was_lost(self, run, folder):
        crossing = (
            '{"doc_key": "c", "sentences": [["a", "b", "c", "d"]], '
            '"clusters": [[[0, 2], [1, 3]], [[3, 3]]]}\n'
        )
        (folder / "crossing.jsonl").write_text(crossing)
        _, _, err = run("convert", "crossing.jsonl", "out.conll", "-q")
        assert err.endswith("1 lost\n")
        assert "written" not in err

    def test_warnings_and_errors_stay(self, run):
        run("score", *PAIR, "--format", "json", "-o", "one.json", "--average", "macro")
        _, _, err = run("score", *PAIR, "--beside", "one.json", "-q")
        assert err.startswith("warning: ")
        code, _, err = run("score", "key.conll", "nowhere.conll", "-q")
        assert code == 1
        assert "nowhere.conll: cannot be read" in err
        _, _, err = run("score", *FILES, "nowhere.conll", "-q")
        assert "1 of 3 responses could not be scored" in err


NEAR = {
    "a command": (["scroe"], "did you mean 'score'?"),
    "a command of the laboratory": (["lab", "pertrub"], "did you mean 'perturb'?"),
    "an option": (["score", *PAIR, "--metrik", "muc"], "did you mean --metric?"),
    "an option with a value": (["score", *PAIR, "--singleton=drop"], "--singletons?"),
    "an option that is needed": (["report", *PAIR, "--ouput", "x"], "--output?"),
    "a choice": (["score", *PAIR, "--match", "heads"], "did you mean 'head'?"),
    "an output format": (["score", *PAIR, "--format", "jsn"], "did you mean 'json'?"),
    "a metric": (["score", *PAIR, "--metric", "muk"], "did you mean 'muc'?"),
    "a preset": (["score", *PAIR, "--preset", "crac24"], "did you mean 'crac2024'?"),
    "an input format": (["stats", *PAIR, "--from", "conl"], "did you mean 'conll'?"),
    "a format to write": (["convert", *PAIR, "--to", "jsonlines"], "'jsonl'?"),
    "a perturbation": (["lab", "perturb", "--kind", "spilt"], "did you mean 'split'?"),
    "an option before the command": (["--quiet", "score"], "follow the command"),
    "another one": (["-q", "score", *PAIR], "corefkit COMMAND -q"),
}


@pytest.mark.parametrize(("words", "said"), NEAR.values(), ids=NEAR)
def test_what_is_near_is_offered(run, words, said):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert said in err


def test_nothing_is_offered_where_nothing_is_near(run):
    code, _, err = run("score", *PAIR, "--zzz")
    assert code == 2
    assert err.endswith("error: unrecognized arguments: --zzz\n")


def test_what_is_offered_is_safe_to_show(run):
    _, _, err = run("score", *PAIR, "--metri\x1b[31m")
    assert "\x1b" not in err


def test_a_file_that_begins_with_dashes_is_named_after_them(run, folder):
    shutil.copy("careful.conll", folder / "--odd.conll")
    code, out, _ = run("score", "--metric", "muc", "--", "key.conll", "--odd.conll")
    assert code == 0
    assert "60.47" in out


def test_a_dash_behind_dashes_is_standard_input(run):
    code, _, err = run("validate", "--", "-", "-")
    assert code == 2
    assert "standard input is named twice" in err
