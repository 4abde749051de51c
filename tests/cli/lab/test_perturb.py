"""The command `corefkit lab perturb`."""

from __future__ import annotations

import csv
import io
import json

import pytest
from files import conll, written

import corefkit
from corefkit.cli import lab, main
from corefkit.lab.curves import COLUMNS
from corefkit.lab.perturbation import PERTURBATIONS

KEY = conll("(1) (1) (1) (2) (2) (3) (3) (3)")
RESPONSE = conll("(1) (1) - (2) (2) (3) (3|(4) 3)")


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run the command beside a key and a response; gives code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "key.conll", KEY)
    written(tmp_path / "response.conll", RESPONSE)

    def command(*words):
        code = main(["lab", "perturb", *words])
        return code, *capsys.readouterr()

    return command


def kinds_of(out):
    """Give the kinds that a CSV on stdout has."""
    rows = csv.DictReader(io.StringIO(out))
    return list(dict.fromkeys(row["perturbation"] for row in rows))


def test_table_ends_with_seed_and_signature(run):
    code, out, err = run("key.conll", "--kind", "split", "--metric", "muc,lea")
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0] == "split: entities are split"
    assert lines[3].split() == [f"{percent}%" for percent in range(0, 101, 10)]
    assert [line.split()[0] for line in lines[4:6]] == ["MUC", "LEA"]
    assert lines[-2] == (
        "1 document, 8 mentions in the key, micro-averaged, in percent; seed 0"
    )
    assert lines[-1].startswith("corefkit:")


def test_csv_has_the_columns_of_the_data(run):
    _, out, _ = run("key.conll", "--format", "csv", "--steps", "3")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert tuple(rows[0]) == COLUMNS
    assert [row["share"] for row in rows if row["metric"] == "lea"][:3] == [
        "0.0",
        "0.5",
        "1.0",
    ]


def test_json_can_be_read(run):
    _, out, _ = run("key.conll", "--format", "json", "--kind", "missing")
    values = json.loads(out)
    assert values["key"] == "key.conll"
    assert values["perturbations"][0]["scores"]["mentions"]["f1"][0] == 1


def test_key_alone_is_altered_in_all_ways_but_twinless(run):
    _, out, _ = run("key.conll", "--format", "csv", "--metric", "muc", "--steps", "2")
    assert kinds_of(out) == [name for name in PERTURBATIONS if name != "twinless"]


@pytest.mark.parametrize(
    "words",
    [["key.conll", "response.conll"], ["--example"], ["--documents", "2"]],
    ids=["files", "example", "generated"],
)
def test_response_is_altered_too(run, words):
    code, out, _ = run(*words, "--format", "csv", "--metric", "muc", "--steps", "2")
    assert code == 0
    assert kinds_of(out) == list(PERTURBATIONS)


def test_kinds_are_repeated_or_set_apart_by_commas(run):
    words = ("key.conll", "--format", "csv", "--metric", "muc", "--steps", "2")
    kinds = ("--kind", "merge,split", "--kind", "missing")
    assert kinds_of(run(*words, *kinds)[1]) == ["merge", "split", "missing"]


def test_without_a_key_a_corpus_is_generated(run):
    _, out, _ = run("--kind", "split", "--metric", "muc", "--steps", "2")
    assert out.splitlines()[-2].startswith("200 documents, ")


def test_same_seed_gives_the_same_bytes(run):
    words = ("--documents", "2", "--steps", "3")
    assert run(*words, "--seed", "5") == run(*words, "--seed", "5")
    assert run(*words, "--seed", "5")[1] != run(*words, "--seed", "6")[1]


def test_settings_stand_in_the_signature(run):
    words = ("key.conll", "--kind", "split", "--metric", "muc", "--preset", "conll2012")
    _, out, _ = run(*words, "--singletons", "drop")
    assert "|singletons:drop|repeated:first|" in out.splitlines()[-1]


def test_note_on_the_input_goes_to_stderr_once(run, tmp_path):
    written(tmp_path / "twice.conll", conll("(1)|(2) (1)"))
    code, _, err = run("twice.conll", "--kind", "split", "--metric", "muc")
    assert code == 0
    assert err.count("note: ") == 1
    assert "1 repeated mention" in err


class TestFolder:
    WORDS = ("key.conll", "--kind", "split", "--metric", "muc,lea", "--steps", "2")

    def test_data_and_figures_are_written(self, run, tmp_path):
        pytest.importorskip("matplotlib")
        code, out, err = run(*self.WORDS, "-o", "new/folder")
        assert code == 0
        assert out == run(*self.WORDS)[1]
        folder = tmp_path / "new" / "folder"
        names = sorted(path.name for path in folder.iterdir())
        assert names == ["perturb.csv", "responses", "split.png", "split.svg"]
        lines = err.splitlines()
        assert lines[0].replace("\\", "/") == "wrote new/folder/perturb.csv"
        assert lines[1].startswith("wrote 2 responses and their key, as JSON lines, to")
        assert lines[2].startswith("wrote 1 figure, as SVG and PNG, to new")

    def test_data_is_what_csv_prints(self, run, tmp_path, monkeypatch):
        monkeypatch.setattr(lab, "can_draw", lambda: False)
        _, out, _ = run(*self.WORDS, "-o", "folder", "--format", "csv")
        assert (tmp_path / "folder" / "perturb.csv").read_text("utf-8") == out

    def test_without_matplotlib_it_says_how_to_get_it(self, run, tmp_path, monkeypatch):
        monkeypatch.setattr(lab, "can_draw", lambda: False)
        code, _, err = run(*self.WORDS, "-o", "folder")
        assert code == 0
        assert '`pip install "corefkit[plots]"`' in err
        assert sorted(path.name for path in (tmp_path / "folder").iterdir()) == [
            "perturb.csv",
            "responses",
        ]

    @pytest.mark.parametrize(
        "words",
        [["--example"], ["--documents", "2"], ["--example", "--singletons=drop"]],
    )
    def test_responses_score_as_in_the_data(self, run, tmp_path, words):
        run(*words, "--metric", "muc,ceaf_e,blanc", "--steps", "3", "-o", "folder")
        text = (tmp_path / "folder" / "perturb.csv").read_text("utf-8")
        rows = list(csv.DictReader(io.StringIO(text)))
        folder = tmp_path / "folder" / "responses"
        names = {f"{row['perturbation']}-0{row['step']}" for row in rows}
        assert {path.stem for path in folder.iterdir()} == names | {"key"}
        for row in rows:
            name = f"{row['perturbation']}-0{row['step']}.jsonl"
            result = corefkit.score(
                folder / "key.jsonl", folder / name, metrics=[row["metric"]]
            )
            assert result[row["metric"]].f1 == pytest.approx(float(row["f1"]))

    def test_folder_that_cannot_be_made_is_an_error(self, run):
        code, out, err = run(*self.WORDS, "-o", "key.conll")
        assert (code, out) == (1, "")
        assert "key.conll" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["key.conll", "--kind", "splt"], "did you mean 'split'?"),
        (["key.conll", "--kind", ","], "expected one name or more"),
        (["key.conll", "--kind", "twinless"], "hint: give a RESPONSE after the KEY"),
        (["key.conll", "--metric", "mcu"], "did you mean 'muc'?"),
        (
            ["key.conll", "--metric", "ace_value"],
            "'ace_value' needs more than the entities",
        ),
        (["key.conll", "--steps", "1"], "expected 2 or more"),
        (["key.conll", "--steps", "many"], "invalid int value: 'many'"),
        (["--seed", "-1"], "the seed is -1, expected 0 or more"),
        (["--documents", "0"], "expected 1 or more"),
        (["key.conll", "--documents", "3"], "--documents is for a generated corpus"),
        (["--example", "--documents", "3"], "--documents is for a generated corpus"),
        (["key.conll", "--example"], "--example comes with its own files"),
        (["--preset", "ua"], "hint: use --split ignore"),
        (["key.conll", "--format", "html"], "invalid choice: 'html'"),
    ],
    ids=" ".join,
)
def test_wrong_usage_is_said(run, words, message):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert message in err


def test_file_that_cannot_be_read_is_named(run):
    code, out, err = run("no.conll")
    assert (code, out) == (1, "")
    assert err.startswith("error: no.conll: cannot be read: ")
