"""`corefkit score`: what a person sees is compared with kept files."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from builders import set_declaration
from files import corpus, written
from kept import GOLDEN, check_golden

import corefkit
from corefkit.cli import main
from corefkit.corpus import Declaration
from corefkit.example import paths

KEY = paths()[0]
EXAMPLE = KEY.parent
KEPT = GOLDEN / "score"
FORMATS = {
    "table": "txt",
    "json": "json",
    "csv": "csv",
    "markdown": "md",
    "latex": "tex",
    "reference": "txt",
}
ONE = ["key.conll", "careful.conll"]
TWO = [*ONE, "greedy.conll"]
ALL = ",".join((*corefkit.METRICS, *corefkit.VARIANTS))
FOUR = [*TWO, "key.conll", "./greedy.conll"]

SHOWN = {
    f"{format}-{name}.{suffix}": [*files, "--format", format, *options]
    for format, suffix in FORMATS.items()
    for name, (files, options) in {
        "one": (ONE, []),
        "two": (TWO, []),
        "four": (FOUR, []),
        "documents": (TWO, ["--per-document", "--metric", "muc,blanc"]),
        "sorted": (FOUR, ["--sort", "muc.recall", "--metric", "muc,lea"]),
    }.items()
    if format != "reference" or name == "one"
}
SHOWN |= {
    "table-four-documents.txt": [*FOUR, "--per-document", "--metric", "lea"],
    "table-one-documents.txt": [*ONE, "--per-document"],
    "table-two-documents.txt": [*TWO, "--per-document"],
    "table-sorted-documents.txt": [*FOUR, "--per-document", "--sort", "lea"],
    "table-macro.txt": [*ONE, "--average", "macro"],
    "table-preset.txt": [*ONE, "--preset", "conll2012", "--singletons", "drop"],
    "table-all-metrics.txt": [*ONE, "--metric", ALL],
    "latex-all-metrics.tex": [*ONE, "--format=latex", "--metric", ALL],
    "markdown-all-metrics.md": [*ONE, "--format=markdown", "--metric", ALL],
    "reference-muc.txt": [*ONE, "--format", "reference", "--metric", "muc"],
}


@pytest.fixture
def run(monkeypatch, capsys):
    """Run `corefkit score` beside the example files; gives stdout and stderr."""
    monkeypatch.chdir(EXAMPLE)

    def command(*words):
        assert main(["score", *words]) == 0
        return capsys.readouterr()

    return command


@pytest.mark.kept
@pytest.mark.parametrize("name", SHOWN)
def test_output_is_the_kept_one(run, name):
    check_golden(KEPT / name, run(*SHOWN[name]).out)


def test_every_kept_file_is_compared():
    assert {file.name for file in KEPT.iterdir()} == set(SHOWN)


@pytest.mark.parametrize("format", [name for name in FORMATS if name != "reference"])
def test_signature_ends_or_fills_the_output(run, format):
    signature = corefkit.Settings(average="macro").signature
    out, err = run(*TWO, "--format", format, "--average", "macro")
    assert err == ""
    if format == "json":
        assert json.loads(out)["signature"] == signature
    elif format == "csv":
        assert {row["signature"] for row in csv.DictReader(io.StringIO(out))} == {
            signature
        }
    else:
        assert out.splitlines()[-1].strip("%` ") == signature


class TestReference:
    def test_signature_goes_to_stderr(self, run):
        _, err = run(*ONE, "--format", "reference")
        assert err == corefkit.PRESETS["conll2012"].signature + "\n"

    def test_second_last_line_has_the_f1_of_blanc(self, run):
        # wl-coref reads it there.
        out, _ = run(*ONE, "--format", "reference")
        line = out.splitlines()[-2]
        assert line.startswith("BLANC: Recall: (")
        assert line.endswith("F1: 55.23%")

    def test_last_coreference_line_is_that_of_ceafe(self, run):
        # e2e-coref's pattern takes the last match of its own call with one metric.
        out, _ = run(*ONE, "--format", "reference", "--metric", "ceaf_e")
        pattern = r"Coreference: Recall: \([0-9.]+ / [0-9.]+\) ([0-9.]+)%\tPrecision: "
        (recall,) = re.findall(pattern, out)
        assert recall == "78.44"

    def test_percentages_are_cut_off(self, run):
        out, _ = run(*ONE, "--format", "reference")
        # 26 of 27 is 96.296 %, 26 of 59 is 44.068 %.
        assert "(26 / 59) 44.06%\tPrecision: (26 / 27) 96.29%\tF1: 60.46%" in out

    def test_preset_may_be_changed(self, run):
        _, err = run(*ONE, "--format", "reference", "--singletons", "drop")
        assert "singletons:drop|repeated:reference" in err


def test_json_is_that_of_the_python_call(run, monkeypatch):
    out, _ = run(*ONE, "--format", "json", "--per-document")
    monkeypatch.chdir(EXAMPLE)
    assert json.loads(out) == corefkit.score(*ONE).to_dict(per_document=True)


def test_json_of_several_responses_has_them_in_order(run):
    data = json.loads(run(*FOUR, "--format", "json").out)
    assert [one["response"] for one in data["systems"]] == FOUR[1:]
    assert data["key"] == "key.conll"


def test_csv_has_a_row_for_each_response_and_metric(run):
    rows = list(csv.DictReader(io.StringIO(run(*TWO, "--format", "csv").out)))
    names = "mentions muc b_cubed ceaf_m ceaf_e blanc blanc_coreference "
    names += "blanc_non_coreference lea conll"
    assert [row["metric"] for row in rows] == names.split() * 2
    assert {row["response"] for row in rows} == {"careful.conll", "greedy.conll"}


def test_example_needs_no_files(run):
    assert run("--example").out == run(*TWO).out


def test_notes_go_to_stderr_once(run, tmp_path):
    key = written(tmp_path / "key", corpus({"a": "(1)|(2) (1)", "b": "-"}))
    response = written(tmp_path / "response", corpus({"a": "(1) (1)"}))
    out, err = run(key, response, response)
    assert err.count("note: ") == len(err.splitlines()) == 2
    assert "note: " not in out


def test_undefined_scores_are_marked(run, tmp_path):
    file = written(tmp_path / "file", corpus({"a": "(1) -"}))
    out, _ = run(file, file, "--metric", "muc,b_cubed")
    lines = out.splitlines()
    assert lines[1].split() == ["MUC", "0.00*", "0.00*", "0.00*"]
    assert lines[2].split() == ["B³", "100.00", "100.00", "100.00"]
    assert "* undefined (nothing to divide by), counted as 0" in lines


class TestBeside:
    @pytest.fixture
    def store(self, run, tmp_path):
        """Score, and keep the JSON in a file."""

        def stored(name, *words):
            shown = run(*words, "--format", "json").out
            return written(tmp_path / name, shown)

        return stored

    def test_stored_scores_are_shown_as_they_were(self, run, store):
        file = store("greedy.json", "key.conll", "greedy.conll", "--per-document")
        for options in ([], ["--per-document"], ["--format", "csv"]):
            out, err = run(*ONE, "--beside", file, *options)
            fresh, _ = run(*TWO, *options)
            shown = file if "csv" in options else "greedy.json"
            assert out.split() == fresh.replace("greedy.conll", shown).split()
            assert err == ""

    def test_stored_scores_need_no_files(self, run, store):
        file = store("one.json", *ONE)
        shown = run("--beside", file).out
        assert shown == run(*ONE).out
        assert run("--beside", file, "--format", "json").out

    def test_metrics_are_those_asked_for(self, run, store):
        file = store("one.json", *ONE)
        for words in (TWO[:1] + TWO[2:], []):
            out, _ = run(*words, "--beside", file, "--metric", "lea")
            labels = [line.split()[0] for line in out.splitlines() if "." in line]
            assert "LEA" in labels
            assert not {"MUC", "CoNLL"} & set(labels)

    def test_other_settings_and_corpora_are_warned_of(self, run, store, tmp_path):
        key = written(tmp_path / "key", corpus({"a": "(1) (1)"}))
        file = store("other.json", key, key, "--average", "macro")
        out, err = run(*ONE, "--beside", file)
        assert err == (
            "warning: careful.conll is not comparable with other.json: average: micro "
            "against macro; other texts: 4 documents of 343 words against 1 document "
            "of 2 words\n"
        )
        assert "warning" not in out

    def test_same_responses_are_not_warned_of(self, run, store):
        assert run(*FOUR, "--beside", store("one.json", *ONE)).err == ""

    def test_responses_to_one_key_that_declare_other_things(self, run, tmp_path):
        names = {}
        for name in ("gold", "udpipe"):
            declaration = Declaration(preprocessing=name)
            documents = [
                set_declaration(one, declaration) for one in corefkit.read(KEY)
            ]
            corefkit.write(documents, tmp_path / f"{name}.conllu")
            names[name] = str(tmp_path / f"{name}.conllu")
        _, err = run("key.conll", *names.values())
        assert err == (
            "warning: gold.conllu is not comparable with udpipe.conllu: preprocessing: "
            "gold against udpipe\n"
        )

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["--match", "head"], "stored scores keep the settings"),
            (["--format", "reference"], "requires files, not stored results"),
            (["--metric", "muk"], "unknown metric 'muk'"),
        ],
    )
    def test_wrong_usage(self, store, capsys, words, message):
        assert main(["score", "--beside", store("one.json", *ONE), *words]) == 2
        assert message in capsys.readouterr().err

    def test_file_without_scores(self, capsys):
        assert main(["score", "--beside", str(KEY)]) == 1
        assert "key.conll: has no scores, expected" in capsys.readouterr().err


class TestGoldMentions:
    """A response with the mentions of the key says nothing about finding mentions."""

    @pytest.fixture
    def files(self, tmp_path):
        cells = {"key.conll": "(1) (1) (2) (2)", "response.conll": "(1) (1) (1) (1)"}
        return [
            written(tmp_path / name, corpus({"d": text}))
            for name, text in cells.items()
        ]

    def test_they_are_noted(self, files, capsys):
        assert main(["score", *files]) == 0
        assert "has the gold mentions of the key" in capsys.readouterr().err

    @pytest.mark.parametrize(
        "words", [["-q"], ["--format", "json"], ["--metric", "lea"]], ids=" ".join
    )
    def test_note_is_left_out(self, files, words, capsys):
        assert main(["score", *files, *words]) == 0
        assert "gold mentions" not in capsys.readouterr().err

    def test_a_perfect_response_has_no_note(self, files, capsys):
        assert main(["score", files[0], files[0]]) == 0
        assert capsys.readouterr().err == ""
