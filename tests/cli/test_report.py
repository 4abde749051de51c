"""The command `corefkit report`."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from threading import Thread

import pytest
from files import corpus, written

import corefkit
from corefkit.cli import main

FILES = ["key.conll", "a.conll", "b.conll"]
FAST = ["--samples", "50"]
COMMAND = [sys.executable, "-m", "corefkit", "report"]
CELLS = {
    "key": "(1) (1) (2) (2) (1)",
    "a": "(1) (1) (2) (2) -",
    "b": "(1) (1) (1) (2) (2)",
}


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run `corefkit report` beside a key and two responses of seven documents."""
    monkeypatch.chdir(tmp_path)
    for name, cells in CELLS.items():
        documents = {f"nw/wsj/00/wsj_000{number}": cells for number in range(7)}
        written(tmp_path / f"{name}.conll", corpus(documents))

    def command(*words):
        code = main(["report", *words])
        return code, *capsys.readouterr()

    return command


def data(text):
    """Read the data of a page."""
    pattern = r'<script type="application/json" id="reader-data">(.*?)</script>'
    return json.loads(re.search(pattern, text, re.DOTALL)[1])


def page(path):
    return data(path.read_text("utf-8"))


def test_one_page(run, tmp_path):
    code, out, err = run(*FILES, "-o", "report.html", *FAST)
    assert (code, out) == (0, "")
    assert err.startswith("wrote report.html: 2 systems, 7 documents\n")
    found = page(tmp_path / "report.html")
    assert found["systems"] == ["a", "b"]
    assert len(found["documents"]) == 7


def test_names_of_systems(run, tmp_path):
    code, _, _ = run("key.conll", "ours=a.conll", "-o", "x.html", *FAST)
    assert code == 0
    assert page(tmp_path / "x.html")["systems"] == ["ours"]


def test_standard_output_has_the_same_page(run, tmp_path):
    run(*FILES, "-o", "report.html", *FAST)
    code, out, _ = run(*FILES, "-o", "-", *FAST)
    assert code == 0
    assert out == (tmp_path / "report.html").read_text("utf-8")


@pytest.mark.slow
def test_the_same_bytes_again(tmp_path):
    """Also where another process hashes words otherwise."""
    for seed in "12":
        subprocess.run(
            [*COMMAND, "--example", "-o", f"{seed}.html", *FAST],
            cwd=tmp_path,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        )
    assert (tmp_path / "1.html").read_bytes() == (tmp_path / "2.html").read_bytes()


def test_a_place_is_needed(run):
    code, _, err = run(*FILES)
    assert code == 2
    assert "-o" in err


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("no/such/x.html", "cannot be written"),
        (".", "folder"),
        ("a.conll", "'a.conll' is an input"),
    ],
)
def test_places_that_cannot_be_written(run, tmp_path, target, said):
    before = (tmp_path / "a.conll").read_bytes()
    code, out, err = run(*FILES, "-o", target, *FAST)
    assert (code in (1, 2), out) == (True, "")
    assert said in err
    assert (tmp_path / "a.conll").read_bytes() == before


def test_a_broken_response_is_left_out(run, tmp_path):
    written(tmp_path / "c.conll", "nothing\n")
    code, _, err = run(*FILES, "c.conll", "-o", "x.html", *FAST)
    assert code == 1
    assert "1 of 3 responses could not be scored: c\n" in err
    assert page(tmp_path / "x.html")["systems"] == ["a", "b"]


@pytest.mark.parametrize("name", ["a", "a.conll"])
def test_baseline_may_have_its_ending(run, tmp_path, name):
    assert run(*FILES, "-o", "x.html", "--baseline", name, *FAST)[0] == 0
    assert "|baseline:a" in (tmp_path / "x.html").read_text("utf-8")


def test_only_broken_responses_leave_no_page(run, tmp_path):
    written(tmp_path / "c.conll", "nothing\n")
    code, _, err = run("key.conll", "c.conll", "-o", "x.html", *FAST)
    assert code == 1
    assert "c.conll" in err
    assert not (tmp_path / "x.html").exists()


def test_stored_scores_have_no_texts(run, tmp_path):
    result = corefkit.score("key.conll", "a.conll")
    text = json.dumps(result.to_dict(per_document=True))
    written(tmp_path / "a.json", text)
    code, _, err = run("key.conll", "a.json", "-o", "x.html")
    assert code == 1
    assert "a.json: has scores, but no mentions" in err


def test_errors_are_those_of_the_command(run, tmp_path):
    run(*FILES, "-o", "x.html", *FAST)
    found = page(tmp_path / "x.html")
    analysis = corefkit.errors("key.conll", {name: name for name in FILES[1:]})
    for number, system in enumerate(analysis.systems):
        kinds = [
            found["kinds"][error[0]]
            for document in found["documents"]
            for error in document["responses"][number].get("errors", [])
        ]
        assert {kind: kinds.count(kind) for kind in system.counts} == system.counts


@pytest.mark.parametrize(
    "words",
    [
        ["--preset", "conll2012"],
        ["--average", "macro"],
        ["--metric", "lea"],
        ["--metric", "errors.divided,lea"],
        ["--metric", "errors"],
        ["--metric", "non_referring"],
        ["--metric", "alpha,muc"],
        ["--baseline", "a"],
        ["--strata", "genre"],
        ["--test", "bootstrap", "--interval", "bca"],
        ["--statistic", "recall"],
        ["--antecedents", "closest", "--language", "en"],
        ["--from", "conll"],
    ],
    ids=" ".join,
)
def test_options(run, tmp_path, words):
    code, _, err = run(*FILES, "-o", "x.html", *FAST, *words)
    assert (code, "defect" in err) == (0, False)
    assert page(tmp_path / "x.html")["systems"] == ["a", "b"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--metric", "b_cube"], 2, "unknown metric"),
        (["--strata", "("], 2, "is not a regular expression"),
        (["--strata", "zzz"], 1, "does not match"),
        (["--alpha", "2"], 2, "alpha"),
        (["--baseline", "nobody"], 2, "unknown baseline 'nobody'"),
        (["--split", "score", "--metric", "alpha"], 2, "split"),
    ],
)
def test_what_is_refused(run, tmp_path, words, code, said):
    found, out, err = run(*FILES, "-o", "x.html", *FAST, *words)
    assert (found, out) == (code, "")
    assert said in err
    assert not (tmp_path / "x.html").exists()


def test_standard_input_is_read_once_for_scores_and_errors(tmp_path, run):
    words = ["key.conll", "s=-", "-o", "x.html", *FAST]
    content = gzip.compress((tmp_path / "b.conll").read_bytes())
    done = subprocess.run(
        [*COMMAND, *words], input=content, cwd=tmp_path, capture_output=True, check=True
    )
    assert b"defect" not in done.stderr
    run("key.conll", "s=b.conll", "-o", "y.html", *FAST)
    assert page(tmp_path / "x.html") == page(tmp_path / "y.html")


@pytest.mark.parametrize("large", [1, 1 << 25], ids=["threads", "one-thread"])
def test_pipes_are_read_once_for_scores_and_errors(tmp_path, run, monkeypatch, large):
    """As a shell does for `<(cat a.conll)`."""
    monkeypatch.setattr("corefkit.alignment.pipeline._MIN_THREADED_BYTES", large)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    content = (tmp_path / "a.conll").read_bytes()
    writer = Thread(target=pipe.write_bytes, args=[content], daemon=True)
    writer.start()
    code, _, err = run("key.conll", "a=pipe", "-o", "x.html", *FAST)
    assert (code, "defect" in err) == (0, False)
    assert len(page(tmp_path / "x.html")["documents"]) == 7
