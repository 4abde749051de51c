"""The command `corefkit compare`."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from pathlib import Path

import pytest
from files import corpus, written

import corefkit
from corefkit.cli import main
from corefkit.example import paths

NAMES = ["key.conll", "a.conll", "b.conll"]
FAST = ["--samples", "100"]
CELLS = {
    "key": "(1) (1) (2) (2) (1)",
    "a": "(1) (1) (2) (2) -",
    "b": "(1) (1) (1) (2) (2)",
}


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run `corefkit compare` beside a key and two responses of seven documents."""
    monkeypatch.chdir(tmp_path)
    for name, cells in CELLS.items():
        documents = {f"nw/wsj/00/wsj_000{number}": cells for number in range(7)}
        written(tmp_path / f"{name}.conll", corpus(documents))

    def command(*words):
        code = main(["compare", *words])
        return code, *capsys.readouterr()

    return command


def store(tmp_path, name, *words):
    """Store the scores of a response as JSON."""
    with pytest.MonkeyPatch.context() as patch:
        out = io.StringIO()
        patch.setattr("sys.stdout", out)
        files = ["key.conll", f"{name}.conll"]
        assert main(["score", *files, "--format", "json", *words]) == 0
    return written(tmp_path / f"{name}.json", out.getvalue())


def test_table(run):
    code, out, err = run(*NAMES, *FAST)
    assert code == 0
    assert out.startswith("2 systems on 7 texts of key.conll")
    assert (
        out.splitlines()[-1]
        == corefkit.compare(*NAMES[:1], NAMES[1:], samples=100).signature
    )
    assert all(len(line) <= 80 for line in out.splitlines()[:-1])
    assert err.splitlines() == [
        "note: 8 metrics were tested; p is not corrected across metrics",
        "warning: intervals and tests rest on few texts: 7",
    ]


@pytest.mark.parametrize("output", ["table", "json", "csv", "markdown", "latex"])
def test_every_format_has_systems_and_signature(run, output):
    code, out, _ = run("key.conll", "A=a.conll", "B=b.conll", *FAST, "--format", output)
    assert code == 0
    assert "A" in out
    assert "randomization" in out
    plain = out.replace("\\", "").replace("textbar{}", "|")
    assert "alpha:0.05" in plain


def test_json_is_that_of_python(run):
    _, out, _ = run(*NAMES, *FAST, "--format", "json")
    expected = corefkit.compare("key.conll", NAMES[1:], samples=100).to_dict()
    assert json.loads(out) == expected


def test_csv_has_a_row_for_each_system_and_pair(run):
    _, out, _ = run(*NAMES, *FAST, "--metric", "lea,muc", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert Counter(row["kind"] for row in rows) == {"system": 4, "pair": 2}


def test_example(run):
    code, out, _ = run("--example", *FAST)
    assert code == 0
    assert out == run(*map(str, paths()), *FAST)[1]


def test_options_go_through(run):
    words = [*NAMES, "--metric", "b3", "--statistic", "recall", "--unit", "document"]
    words += ["--test", "bootstrap", "--samples", "50", "--seed", "3"]
    words += ["--alpha", "0.1", "--correction", "none", "--interval", "bca"]
    words += ["--baseline", "b.conll", "--strata", "(wsj)", "--average", "macro"]
    code, out, _ = run(*words, "--format", "json")
    assert code == 0
    expected = corefkit.compare(
        "key.conll",
        NAMES[1:],
        metrics=["b_cubed"],
        statistic="recall",
        unit="document",
        test="bootstrap",
        samples=50,
        seed=3,
        alpha=0.1,
        correction="none",
        interval="bca",
        baseline="b.conll",
        strata="(wsj)",
        average="macro",
    )
    assert json.loads(out) == expected.to_dict()


def test_one_sided_test_against_a_baseline(run):
    words = [*NAMES, *FAST, "--metric", "lea", "--format", "json"]
    two_sided = json.loads(run(*words, "--baseline", "a.conll")[1])
    words += ["--baseline", "a.conll", "--alternative", "less"]
    one_sided = json.loads(run(*words)[1])
    ((two,), (one,)) = (
        data["metrics"]["lea"]["pairs"] for data in (two_sided, one_sided)
    )
    assert (two["p"], one["p"]) == (2 / 2**7, 1 / 2**7)
    assert one_sided["signature"].endswith("|baseline:a.conll|alternative:less")


def test_baseline_may_be_named_by_its_path_or_as_tables_do(run, tmp_path):
    path = str(tmp_path / "a.conll")
    words = ["key.conll", path, "ours=b.conll", *FAST]
    for name in (path, "a.conll", "a"):
        code, out, _ = run(*words, "--baseline", name, "--format", "json")
        assert code == 0
        assert "|baseline:a.conll" in json.loads(out)["signature"]


def test_same_file_twice(run):
    code, out, _ = run("key.conll", "a.conll", "a.conll", *FAST, "--format", "json")
    assert code == 0
    data = json.loads(out)
    assert data["systems"] == ["1. a.conll", "2. a.conll"]
    assert {metric["pairs"][0]["p"] for metric in data["metrics"].values()} == {1.0}


def test_one_response_has_intervals(run):
    code, out, err = run("key.conll", "a.conll", *FAST)
    assert code == 0
    assert "intervals only" in out
    assert "tested" not in err


def test_stored_results(run, tmp_path):
    a, b = (store(tmp_path, name, "--per-document") for name in "ab")
    plain = run("key.conll", "A=a.conll", "B=b.conll", *FAST, "--format", "json")
    with_key = run("key.conll", f"A={a}", f"B={b}", *FAST, "--format", "json")
    without = run(f"A={a}", f"B={b}", *FAST, "--format", "json")
    assert plain == with_key == without


def test_one_stored_file_with_several_systems(run, tmp_path):
    a, b = (store(tmp_path, name, "--per-document") for name in "ab")
    one, other = (json.loads(Path(file).read_text("utf-8")) for file in (a, b))
    one["systems"] += other["systems"]
    file = written(tmp_path / "all.json", json.dumps(one))
    code, out, _ = run(file, *FAST, "--format", "json")
    assert code == 0
    names = ["all.json:a.conll", "all.json:b.conll"]
    assert json.loads(out)["systems"] == names


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--per-document", "--average", "macro"], "average: macro against micro"),
        ([], "has no scores of single documents"),
    ],
)
def test_stored_results_that_do_not_fit_are_refused(run, tmp_path, words, message):
    stored = store(tmp_path, "a", *words)
    code, out, err = run("key.conll", stored, "b.conll", *FAST)
    assert (code, out) == (1, "")
    assert message in err


def test_other_key_is_refused(run, tmp_path):
    stored = store(tmp_path, "a", "--per-document")
    code, out, err = run("b.conll", stored, *FAST)
    assert (code, out) == (1, "")
    assert "was scored against another key" in err


def test_broken_submission_is_left_out(run, tmp_path):
    bad = written(tmp_path / "bad.conll", corpus({"x": "(1"}))
    words = ["key.conll", "a.conll", bad, "b.conll", "gone.conll", *FAST]
    code, out, err = run(*words, "--format", "json")
    assert code == 1
    data = json.loads(out)
    assert data["systems"] == ["a.conll", "b.conll"]
    assert [one["response"] for one in data["refused"]] == ["bad.conll", "gone.conll"]
    last = err.splitlines()[-1]
    assert last == "error: 2 of 4 responses could not be scored: bad.conll, gone.conll"
    code, out, _ = run(*words)
    assert code == 1
    assert "gone.conll" in out


def test_all_broken(run):
    code, out, err = run("key.conll", "gone.conll", "nowhere.conll", *FAST)
    assert (code, out) == (1, "")
    assert "gone.conll" in err
    assert "nowhere.conll" in err


def test_broken_key(run):
    code, out, err = run("gone.conll", "a.conll", "b.conll", *FAST)
    assert (code, out) == (1, "")
    assert err.startswith("error: gone.conll: cannot be read")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "a key and a response are required"),
        (["key.conll"], "a key and a response are required"),
        ([*NAMES, "--example"], "--example comes with its own files"),
        ([*NAMES, "--statistic", "f2"], "invalid choice: 'f2'"),
        ([*NAMES, "--samples", "0"], "found 0 for 'samples'"),
        ([*NAMES, "--samples", "many"], "invalid int value: 'many'"),
        ([*NAMES, "--alpha", "2"], "found 2.0 for 'alpha'"),
        ([*NAMES, "--alpha", "five"], "invalid float value: 'five'"),
        ([*NAMES, "--seed", "-1"], "found -1 for 'seed'"),
        ([*NAMES, "--baseline", "c"], "unknown baseline 'c'"),
        ([*NAMES, "--alternative", "less"], "'less' requires a baseline"),
        ([*NAMES, "--strata", "("], "is not a regular expression"),
        ([*NAMES, "--metric", "b_cube"], "did you mean 'b_cubed'?"),
        ([*NAMES, "--metric", ","], "expected one name or more"),
        ([*NAMES, "--format", "html"], "invalid choice: 'html'"),
        (["key.conll", "x=a.conll", "x=b.conll"], "the name 'x' is given 2 times"),
    ],
    ids=lambda value: " ".join(value[-2:]) if isinstance(value, list) else None,
)
def test_wrong_usage_is_said(run, words, message):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_ids_without_a_stratum(run):
    code, out, err = run(*NAMES, "--strata", "genre", *FAST)
    assert code == 0
    code, out, err = run(*NAMES, "--strata", "bc/", *FAST)
    assert (code, out) == (1, "")
    assert err.startswith("error: pattern 'bc/' does not match 7 documents")


def test_hostile_names_are_shown_safely(run):
    code, out, err = run("key.conll", "\x1b[2J=a.conll", "b.conll", *FAST)
    assert code == 0
    assert "\x1b" not in out + err


def test_help_names_every_option(run):
    code, out, _ = run("--help")
    assert code == 0
    for option in ("--unit text|document", "--baseline NAME", "--strata genre|PATTERN"):
        assert option in out


class TestSort:
    @pytest.mark.parametrize("format", ["table", "csv", "markdown", "latex"])
    def test_systems_are_sorted_but_in_json(self, run, format):
        names = ["key.conll", "worse=b.conll", "xbest=a.conll"]
        words = [*names, "--metric", "lea,errors", *FAST, "--format"]
        for sort in ("lea", "errors", "name"):
            _, out, _ = run(*words, format, "--sort", sort)
            first, last = out.index("xbest"), out.index("worse")
            assert (first < last) == (sort != "name")
        plain = run(*words, "json")[1]
        assert run(*words, "json", "--sort", "errors")[1] == plain

    def test_the_metric_of_the_order_has_details(self, run):
        names = ["key.conll", "x=b.conll", "y=a.conll", "z=b.conll"]
        _, out, _ = run(*names, "--sort", "muc", *FAST)
        assert "F1 and rank (#), best MUC first" in out
        assert "MUC F1, best first" in out
        assert "CoNLL F1, best first" not in out

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["--sort", "leo"], "cannot sort by 'leo'"),
            (["--sort", "lea", "--metric", "muc"], "cannot sort by 'lea'"),
            (["--sort", "lea.recall"], "--statistic recall compares it"),
            (["--sort", "divided"], "cannot sort by 'errors.divided'"),
        ],
    )
    def test_what_cannot_be_sorted_by_is_told_before_scoring(self, run, words, message):
        for name in NAMES:
            written(Path(name), "broken")  # what scoring would tell instead
        code, out, err = run(*NAMES, *words)
        assert (code, out) == (2, "")
        assert message in err

    def test_stored_scores_are_sorted_by_what_they_have(self, run, capsys):
        for name in ("a", "b"):
            words = ["key.conll", f"{name}.conll", "--metric", "muc,ceaf_m"]
            main(["score", *words, "--format", "json", "--per-document"])
            written(Path(f"{name}.json"), capsys.readouterr().out)
        _, out, _ = run("b.json", "a.json", *FAST, "--sort", "ceaf_m")
        assert out.index("a  ") < out.index("b  ")
        code, _, err = run("b.json", "a.json", *FAST, "--sort", "lea")
        assert code == 2
        assert "computed are muc, ceaf_m" in err
