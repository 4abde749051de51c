"""Names of responses, `NAME=PATH`, wherever a response is given."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import pytest

import corefkit
from corefkit.cli.arguments import parse_named_path

FILES = ["key.conll", "careful.conll", "greedy.conll"]


pytestmark = pytest.mark.usefixtures("folder")


def read_json(out):
    return json.loads(out)


class TestReading:
    @pytest.mark.parametrize(
        ("word", "expected"),
        [
            ("base=careful.conll", ("base", "careful.conll")),
            ("a b=c.conll", ("a b", "c.conll")),
            ("base=runs/a=1.conll", ("base", "runs/a=1.conll")),
            ("base=/tmp/a.conll", ("base", "/tmp/a.conll")),
            ("base=-", ("base", "-")),
            ("base==x", ("base", "=x")),
        ],
    )
    def test_name_ends_at_the_first_equals_sign(self, word, expected):
        assert parse_named_path(word) == expected

    @pytest.mark.parametrize(
        "word",
        [
            *("careful.conll", "-", "", "=", "=a.conll", "base=", ".=a.conll"),
            *("runs/a=1.conll", "./a=b.conll", "x" * 5000, "x\0=", "/=a"),
        ],
    )
    def test_what_is_no_name_and_path_is_a_path(self, word):
        assert parse_named_path(word) == (word, word)

    def test_a_path_that_exists_wins(self, run):
        shutil.copy("careful.conll", "a=greedy.conll")
        assert parse_named_path("a=greedy.conll").path == "a=greedy.conll"
        assert parse_named_path("b=a=greedy.conll") == ("b", "a=greedy.conll")
        _, out, _ = run("score", "key.conll", "a=greedy.conll", "--format", "json")
        (system,) = read_json(out)["systems"]
        assert system["response"] == "a=greedy.conll"
        assert system["scores"]["muc"]["recall_numerator"] == 26

    def test_a_path_that_is_too_long_is_no_defect(self, run):
        code, _, err = run("score", "key.conll", f"a={'x' * 5000}")
        assert code == 1
        assert "cannot be read" in err
        assert "defect" not in err


class TestScore:
    WORDS = ("score", "key.conll", "Ours=careful.conll", "Theirs=greedy.conll")

    def test_names_show_in_the_table(self, run):
        _, out, err = run(*self.WORDS, "--metric", "muc")
        assert out.split("\n")[0].split() == ["Ours", "Theirs"]
        assert err == ""

    def test_names_show_in_csv_markdown_and_latex(self, run):
        _, out, _ = run(*self.WORDS, "--metric", "muc", "--format", "csv")
        rows = csv.DictReader(io.StringIO(out))
        assert [row["response"] for row in rows] == ["Ours", "Theirs"]
        for format in ("markdown", "latex"):
            _, out, _ = run(*self.WORDS, "--format", format)
            assert "Ours" in out
            assert "careful" not in out

    def test_json_is_that_of_python_with_a_mapping(self, run):
        _, out, _ = run(*self.WORDS, "--format", "json")
        found = read_json(out)
        results = corefkit.score_responses(
            "key.conll", {"Ours": "careful.conll", "Theirs": "greedy.conll"}
        )
        assert [one["response"] for one in found["systems"]] == ["Ours", "Theirs"]
        for system, result in zip(found["systems"], results, strict=True):
            assert [system] == result.to_dict()["systems"]

    def test_scores_are_those_without_names(self, run):
        _, out, _ = run(*self.WORDS, "--format", "json")
        _, plain, _ = run("score", *FILES, "--format", "json")
        plain = plain.replace("careful.conll", "Ours").replace("greedy.conll", "Theirs")
        assert out == plain

    def test_some_may_have_a_name(self, run):
        _, out, _ = run("score", "key.conll", "careful.conll", "x=greedy.conll")
        assert out.split("\n")[0].split() == ["careful.conll", "x"]

    def test_stored_scores_have_names_too(self, run):
        for count in (1, 2):
            _, out, _ = run("score", *FILES[: 1 + count], "--format", "json")
            Path(f"{count}.json").write_text(out)
        _, out, _ = run("score", "--beside", "old=1.json", "--beside=both=2.json")
        names = ["old", "both:careful.conll", "both:greedy.conll"]
        assert out.split("\n")[0].split() == names

    def test_errors_name_the_file(self, run):
        Path("bad.conll").write_text("#begin document (x)\nx 0 0 a (1\n#end document\n")
        code, _, err = run("score", "key.conll", "Ours=bad.conll")
        assert code == 1
        assert err.startswith("error: bad.conll:")
        code, _, err = run("score", "key.conll", "Ours=nowhere.conll")
        assert (code, err.split(":")[1]) == (1, " nowhere.conll")
        code, _, err = run("score", "--beside", "Ours=bad.conll")
        assert (code, err.split(":")[1]) == (1, " bad.conll")

    @pytest.mark.parametrize(
        "words",
        [
            ["a=careful.conll", "a=greedy.conll"],
            ["a=careful.conll", "a=careful.conll"],
            ["careful.conll=greedy.conll", "careful.conll"],
            ["a=careful.conll", "greedy.conll", "greedy.conll"],
            ["a=careful.conll", "--beside", "a=old.json"],
            ["careful.conll", "--beside", "a=x.json", "--beside", "a=y.json"],
        ],
        ids=" ".join,
    )
    def test_a_name_given_twice_is_refused(self, run, words):
        code, out, err = run("score", "key.conll", *words)
        assert (code, out) == (2, "")
        assert " is given 2 times, expected once\n\nhint: name each as NAME=PATH" in err

    def test_a_file_may_come_twice_without_names(self, run):
        code, out, _ = run("score", "key.conll", *["careful.conll"] * 2)
        assert code == 0
        assert out.split("\n")[0].split() == [
            "1.",
            "careful.conll",
            "2.",
            "careful.conll",
        ]


def test_explain_shows_the_name(run):
    _, out, _ = run("explain", "key.conll", "Ours=careful.conll", "--metric", "muc")
    assert out.startswith("MUC: Ours against key.conll\n")


def test_stats_shows_the_names(run):
    _, out, _ = run("stats", "Gold=key.conll", "careful.conll", "--format", "json")
    corpora = read_json(out)["corpora"]
    assert [corpus["corpus"] for corpus in corpora] == ["Gold", "careful.conll"]
    _, out, _ = run("stats", "Gold=key.conll", "Ours=careful.conll")
    assert out.split("\n")[0].split() == ["Gold", "Ours"]
    code, _, err = run("stats", "a=key.conll", "a=careful.conll")
    assert code == 2
    assert "the name 'a' is given 2 times" in err


def test_diagnose_shows_the_name(run):
    words = ("lab", "diagnose", "key.conll", "Ours=careful.conll")
    assert "Ours" in run(*words)[1]
    assert read_json(run(*words, "--format", "json")[1])["response"] == "Ours"


def test_perturb_shows_the_name(run):
    words = ("lab", "perturb", "key.conll", "Ours=greedy.conll", "--kind", "twinless")
    _, out, _ = run(*words, "--steps", "2", "--metric", "muc", "--format", "json")
    assert read_json(out)["response"] == "Ours"


def test_help_tells_of_names(run):
    for words in ("score", "explain", "stats", "lab diagnose", "lab perturb"):
        assert "NAME=PATH" in run(*words.split(), "--help")[1]


class TestPython:
    def test_a_mapping_names_what_is_in_memory(self):
        results = corefkit.score_responses(["abc"], {"a": ["ab"], "b": ["abc"]})
        assert [result.response for result in results] == ["a", "b"]
        table = corefkit.side_by_side(results)
        assert table.split("\n")[0].split() == ["a", "b"]

    def test_an_empty_mapping_is_no_response(self):
        assert corefkit.score_responses(["abc"], {}) == []
