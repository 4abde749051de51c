"""The command `corefkit stats`."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from files import corpus, json_line, written
from kept import GOLDEN, check_golden

import corefkit
from corefkit.cli import main
from corefkit.example import paths
from corefkit.syntax.mention_types import MENTION_TYPES

# Six mentions of three entities, with the tags of the Penn Treebank.
TAGGED = """\
#begin document (mill); part 000
mill 0 0 Ann NNP * Ann - - - * (1)
mill 0 1 sold VBD * sell - - - * -
mill 0 2 her PRP$ * she - - - * (2|(1)
mill 0 3 mill NN * mill - - - * 2)
mill 0 4 . . * . - - - * -

mill 0 0 It PRP * it - - - * (2)
mill 0 1 had VBD * have - - - * -
mill 0 2 two CD * two - - - * (3
mill 0 3 wheels NNS * wheel - - - * 3)
mill 0 4 , , * , - - - * -
mill 0 5 the DT * the - - - * (2
mill 0 6 mill NN * mill - - - * 2)
mill 0 7 . . * . - - - * -
#end document
"""
FILES = ["mill.conll", "other.jsonl"]


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run `corefkit stats` beside two small corpora; gives code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "mill.conll", TAGGED)
    many = [[token, token + 1] for token in range(1000)]
    lines = json_line("a", None, [many, [[2000, 2000]]])
    lines += json_line("b", None, [[[0, 1500], [3000, 3002]]])
    written(tmp_path / "other.jsonl", lines)

    def command(*words):
        code = main(["stats", *words])
        return code, *capsys.readouterr()

    return command


@pytest.mark.kept
def test_corpora_stand_side_by_side(run):
    code, out, err = run(*FILES)
    assert (code, err) == (0, "")
    check_golden(GOLDEN / "stats.txt", out)


def test_one_corpus_has_one_column(run):
    _, both, _ = run(*FILES)
    _, out, _ = run("mill.conll")
    assert out.splitlines()[0].split() == ["mill.conll"]
    assert [line[:42].rstrip() for line in both.splitlines()] == out.splitlines()


def test_markdown_and_latex_have_the_cells_of_the_table(run):
    _, text, _ = run(*FILES)
    rows = [
        [cell.strip() for cell in re.split(r"\s{2,}(?=\S+$|\S+\s{2,}\S+$)", line)]
        for line in text.splitlines()
    ]
    _, markdown, _ = run(*FILES, "--format", "markdown")
    _, latex, _ = run(*FILES, "--format", "latex")
    head, rule, *body = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in markdown.splitlines()
    ]
    assert (head, rule) == (["", *FILES], ["---", "---:", "---:"])
    assert [[cell for cell in row if cell] for row in body] == rows[1:]
    tabular = latex[latex.index(r"\begin{tabular}") :].partition("\n\\end{table}")[0]
    lines = tabular.replace(r"\%", "%").splitlines()
    assert lines[:2] == [r"\begin{tabular}{lrr}", r"\toprule"]
    assert lines[-2:] == [r"\bottomrule", r"\end{tabular}"]
    cells = [line.removesuffix(r" \\").split(" & ") for line in lines[4:-2]]
    assert [[cell.strip() for cell in row if cell] for row in cells] == rows[1:]


@pytest.mark.parametrize("format", ["markdown", "latex"])
def test_parts_stay_indented_where_blanks_would_be_dropped(run, format):
    _, out, _ = run("mill.conll", "--format", format)
    blank = "\N{NO-BREAK SPACE}"
    assert f"{blank * 4}Personal pronouns " in out


def test_json_has_a_record_for_each_corpus(run):
    data = json.loads(run(*FILES, "--format", "json")[1])
    assert data["corefkit"] == corefkit.__version__
    mill, other = data["corpora"]
    assert (mill["corpus"], other["corpus"]) == tuple(FILES)
    assert mill["words"] == 13
    assert other["words"] is None
    assert mill["singleton_entities_share"] == 1 / 3
    assert (mill["pronouns"], mill["pronouns_share"]) == (2, 2 / 6)
    assert (mill["clauses"], mill["clauses_share"]) == (0, 0)
    assert mill.keys() == other.keys()
    assert all(other[name] is None for name in MENTION_TYPES)
    assert all(other[f"{name}_share"] is None for name in MENTION_TYPES)


def test_csv_has_the_values_of_the_json(run):
    records = json.loads(run(*FILES, "--format", "json")[1])["corpora"]
    rows = list(csv.DictReader(io.StringIO(run(*FILES, "--format", "csv")[1])))
    assert list(dict.fromkeys(row["corpus"] for row in rows)) == FILES
    for row in rows:
        (record,) = [one for one in records if one["corpus"] == row["corpus"]]
        for name, field in (("", "value"), ("_share", "share")):
            value = record.get(f"{row['statistic']}{name}")
            assert row[field] == ("" if value is None else str(value))
    names = [row["statistic"] for row in rows[: len(rows) // 2]]
    assert names == [name for name in records[0] if name in names]


def test_example_needs_no_files(run):
    files = [str(path) for path in paths()]
    assert run("--example") == run(*files)
    assert run("--example")[1].splitlines()[0].split() == [
        "key.conll",
        "careful.conll",
        "greedy.conll",
    ]


def test_folder_is_one_corpus(run, tmp_path):
    folder = tmp_path / "corpus"
    folder.mkdir()
    written(folder / "a.conll", corpus({"a": "(1)", "b": "(1)"}))
    written(folder / "c.conll", corpus({"c": "(1)"}))
    head, documents, *_ = run("corpus")[1].splitlines()
    assert (head.split(), documents.split()) == (["corpus"], ["Documents", "3"])


def test_corpora_of_the_same_name_are_told_apart(run, tmp_path):
    (tmp_path / "other").mkdir()
    written(tmp_path / "other" / "mill.conll", TAGGED)
    _, out, _ = run("mill.conll", "other/mill.conll")
    assert out.splitlines()[0].split() == ["mill.conll", "other/mill.conll"]


def test_corpus_may_stand_there_twice(run):
    _, out, _ = run("mill.conll", "mill.conll")
    assert out.splitlines()[1].split() == ["Documents", "1", "1"]


def test_format_of_the_files_may_be_named(run):
    assert run("mill.conll", "--from", "conll") == run("mill.conll")
    code, out, err = run("mill.conll", "--from", "jsonl")
    assert (code, out) == (1, "")
    assert err.startswith("error: mill.conll: is CoNLL-2012, expected JSON lines\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "a file is required\n\nhint: name files or folders, or use --example\n"),
        (["mill.conll", "--example"], "--example comes with its own files\n"),
        (["mill.conll", "--format", "html"], "invalid choice: 'html'"),
        (["mill.conll", "--from", "conl"], "did you mean 'conll'?"),
        (["mill.conll", "--metric", "muc"], "unrecognized arguments: --metric"),
    ],
    ids=["no file", "example", "format", "from", "option"],
)
def test_wrong_usage_is_said(run, words, message):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert message in err


def test_file_that_cannot_be_read_is_named(run):
    code, out, err = run("mill.conll", "no.conll")
    assert (code, out) == (1, "")
    assert err.startswith("error: no.conll: cannot be read: ")


def test_bad_document_is_an_error_with_its_place(run, tmp_path):
    file = written(tmp_path / "bad.conll", TAGGED.replace("(3\n", "(x\n"))
    code, out, err = run(file)
    assert (code, out) == (1, "")
    assert err.startswith(f"error: {file}:10: entity id 'x' is not a number")
