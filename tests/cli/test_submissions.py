"""`corefkit score` over many responses: sorted, ranked, and some of them broken."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from files import corpus, written

import corefkit
from corefkit.cli import main
from corefkit.example import paths

KEY = paths()[0]
ONE = ["key.conll", "careful.conll"]
TWO = [*ONE, "greedy.conll"]
FOUR = [*TWO, "key.conll", "./greedy.conll"]
ALL = ",".join((*corefkit.METRICS, *corefkit.VARIANTS))


@pytest.fixture
def run(monkeypatch, capsys):
    """Run `corefkit score` beside the example files; gives stdout and stderr."""
    monkeypatch.chdir(KEY.parent)

    def command(*words, code=0):
        assert main(["score", *words]) == code
        return capsys.readouterr()

    return command


class TestSorted:
    @pytest.mark.parametrize("format", ["table", "markdown", "latex", "csv", "json"])
    def test_best_comes_first_in_every_format(self, run, format):
        out, err = run(*TWO, "--sort", "muc", "--format", format)
        assert out.index("greedy.conll") < out.index("careful.conll")
        assert err == ""

    def test_stored_results_are_sorted_among_others(self, run, tmp_path):
        stored = written(
            tmp_path / "key.json", run(*ONE[:1], ONE[0], "--format", "json").out
        )
        out, _ = run(*TWO, "--beside", stored, "--sort", "conll")
        rows = [line.split()[:2] for line in out.splitlines()[2:5]]
        assert rows == [
            ["key.json", "1"],
            ["careful.conll", "2"],
            ["greedy.conll", "3"],
        ]
        alone, _ = run("--beside", stored, "--sort", "lea.recall", "--format", "json")
        assert json.loads(alone)["systems"][0]["rank"] == 1

    def test_warnings_are_about_the_first_shown(self, run, tmp_path):
        key = written(tmp_path / "key", corpus({"a": "(1) (1)"}))
        other = written(tmp_path / "other.json", run(key, key, "--format", "json").out)
        _, err = run(*ONE, "--beside", other, "--sort", "lea")
        assert err.startswith(
            "warning: other.json is not comparable with careful.conll"
        )

    def test_many_metrics_have_a_row_for_the_ranks(self, run):
        out, _ = run(*FOUR, "--metric", ALL, "--sort", "lea")
        lines = [line.split() for line in out.splitlines()]
        assert lines[1][0] == "key.conll"
        assert lines[2] == ["Rank", "1", "2", "3", "3"]

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["--sort", "leo"], "unknown metric 'leo'"),
            (["--sort", "lea", "--metric", "muc"], "cannot sort by 'lea'"),
            (["--sort", "lea.f2"], "unknown number 'f2'"),
            (["--sort", "lea", "--format", "reference"], "lea', which is not computed"),
        ],
    )
    def test_wrong_usage_is_told_before_anything_is_read(self, capsys, words, message):
        assert main(["score", "nowhere", "nowhere too", *words]) == 2
        assert message in capsys.readouterr().err


class TestBroken:
    """One of several responses cannot be scored: the others are, and it is told why."""

    @pytest.fixture
    def fails(self, run, tmp_path):
        """Score beside the example files, where one response is broken."""
        broken = written(tmp_path / "broken.conll", corpus({"a": "(1 -"}))

        def command(*words):
            named = [broken if word == "BROKEN" else word for word in words]
            return run(*named, code=1)

        return command

    def test_table_has_its_columns(self, fails):
        out, err = fails(*ONE, "BROKEN")
        lines = out.splitlines()
        assert lines[0] == "2 submissions, 1 rejected"
        assert lines[2].split() == ["careful.conll", "broken.conll"]
        assert lines[5].split() == ["MUC", "44.07", "96.30", "60.47", "-", "-", "-"]
        (reason,) = [line for line in lines if line.startswith("- not scored: ")]
        assert "broken.conll: no document in common with key.conll" in reason
        assert re.fullmatch(
            r"error: 1 of 2 responses could not be scored: .*broken\.conll\n", err
        )

    @pytest.mark.parametrize("sort", [[], ["--sort", "lea"]])
    def test_table_of_many_has_its_row_last(self, fails, sort):
        out, _ = fails("key.conll", "BROKEN", *FOUR[1:4], "--metric", "lea,muc", *sort)
        rows = [line.split() for line in out.splitlines()[4:8]]
        assert rows[-1][0] == "broken.conll"
        assert set(rows[-1][1:]) == {"-"}

    def test_others_have_the_numbers_that_they_have_without_it(self, fails, run):
        expected = json.loads(run(*TWO, "--format", "json", "--per-document").out)
        words = ["key.conll", "careful.conll", "BROKEN", "greedy.conll"]
        out, _ = fails(*words, "--format", "json", "--per-document")
        found = json.loads(out)
        (refused,) = found.pop("refused")
        assert found == expected
        assert list(refused) == ["response", "reason"]
        assert "no document in common" in refused["reason"]
        stored = fails(*words[:3], "--format", "json").out
        assert '"refused"' in stored

    def test_stored_results_of_such_a_run_are_read(self, fails, run, tmp_path):
        stored = fails(*ONE, "BROKEN", "--format", "json").out
        file = written(tmp_path / "stored.json", stored)
        assert run("--beside", file).out == run(*ONE).out

    def test_csv_has_a_row_with_the_reason(self, fails):
        out, _ = fails(*ONE, "BROKEN", "--format", "csv", "--metric", "muc")
        sound, broken = csv.DictReader(io.StringIO(out))
        assert sound["refused"] == ""
        assert "no document in common" in broken["refused"]
        assert broken["metric"] == broken["f1"] == broken["signature"] == ""

    def test_names_are_told_with_reasons_that_lack_them(self, fails):
        out, err = fails(*ONE, "theirs=nowhere.conll")
        assert "- not scored: theirs: nowhere.conll: cannot be read" in out
        assert err.endswith("could not be scored: theirs\n")

    def test_all_are_broken(self, fails):
        out, err = fails("key.conll", "BROKEN", "nowhere.conll", "--format", "json")
        assert out == ""
        assert "no document in common" in err
        assert "nowhere.conll: cannot be read" in err

    def test_one_alone_is_an_error_as_ever(self, fails):
        out, err = fails("key.conll", "BROKEN")
        assert out == ""
        assert "broken.conll: no document in common" in err.splitlines()[0]
        assert "hint: documents are paired by id" in err

    def test_stored_results_are_shown_all_the_same(self, fails, run, tmp_path):
        file = written(tmp_path / "one.json", run(*ONE, "--format", "json").out)
        out, _ = fails("key.conll", "BROKEN", "nowhere", "--beside", file)
        assert "one.json" in out

    def test_key_that_is_broken_stops_all(self, fails):
        out, err = fails("nowhere.conll", "careful.conll", "greedy.conll")
        assert out == ""
        assert err.startswith("error: nowhere.conll: cannot be read")

    def test_reference_text_takes_one_response_only(self, capsys):
        words = [str(KEY), str(KEY), "nowhere", "--format", "reference"]
        assert main(["score", *words]) == 2
        assert "supports one response" in capsys.readouterr().err

    def test_escapes_in_names_and_reasons_are_written_out(self, fails):
        out, err = fails(*ONE, "no\x1b[2Jwhere", "--metric", "muc")
        assert "\x1b" not in out + err
        assert "no\\x1b[2Jwhere: cannot be read" in out
