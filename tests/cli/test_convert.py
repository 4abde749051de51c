"""The command `corefkit convert`."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
from pathlib import Path

import pytest
from files import conll, corpus, json_line, written

import corefkit
from corefkit.cli import main
from corefkit.example import paths, trees
from corefkit.formats.output import write
from corefkit.formats.source import Writer

KEY = str(paths()[0])
SUMMARY = "written: 4 documents, 109 mentions, 50 entities\n"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run `corefkit convert` in a folder of its own; gives code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def command(*words):
        code = main(["convert", *words])
        return code, *capsys.readouterr()

    return command


def files():
    """Name what is in the folder, hidden files too."""
    return sorted(str(path) for path in Path().rglob("*"))


def partitions(path):
    return {
        document.id: [[tuple(mention) for mention in entity] for entity in document]
        for document in corefkit.read(path)
    }


def test_converted_example_scores_as_the_example(run):
    assert run(KEY, "key.jsonl") == (0, "", SUMMARY)
    assert run("key.jsonl", "key.conll") == (0, "", SUMMARY)
    result = corefkit.score("key.jsonl", "key.conll", metrics=corefkit.METRICS)
    assert {score.f1 for score in result.scores.values()} == {1.0}
    assert partitions("key.conll") == partitions("key.jsonl") == partitions(KEY)


def test_output_is_that_of_the_python_call(run):
    run(KEY, "by-command.jsonl")
    write(corefkit.read(KEY), "by-python.jsonl")
    assert Path("by-command.jsonl").read_bytes() == Path("by-python.jsonl").read_bytes()


def test_format_may_be_named(run):
    assert run(KEY, "key.txt", "--from", "conll", "--to", "jsonl")[0] == 0
    assert partitions("key.txt") == partitions(KEY)
    assert Path("key.txt").read_text("utf-8").startswith("{")


def test_one_mention_is_not_called_mentions(run, tmp_path):
    file = written(tmp_path / "in.jsonl", json_line("d", ["a"], [[[0, 0]]]))
    assert run(file, "out.conll")[2] == "written: 1 document, 1 mention, 1 entity\n"


class TestLosses:
    def test_what_the_format_cannot_say_is_listed(self, run, tmp_path):
        text = "#begin document (d); part 000\n"
        text += "d\t0\t0\tAnn\tNNP\t*\tAnn\t-\t-\tJo\t(1)\n#end document\n"
        code, out, err = run(written(tmp_path / "in.conll", text), "out.jsonl")
        assert (code, out) == (0, "")
        lost, summary = err.splitlines()
        assert lost == "JSON lines cannot hold the layers lemma, xpos: lost"
        assert summary == "written: 1 document, 1 mention, 1 entity"

    @pytest.mark.parametrize("format", [*corefkit.FORMATS])
    @pytest.mark.parametrize("mark", list("\x00\x01\x08\t\n\x0b\r\x1b "))
    def test_characters_of_words_that_change_are_listed(
        self, run, tmp_path, format, mark
    ):
        file = written(
            tmp_path / "in.jsonl", json_line("d", [f"a{mark}b", "x"], [[[0, 0]]])
        )
        row = corefkit.FORMATS[format]
        code, _, err = run(file, f"d{row.suffixes[0]}", "--to", format)
        assert code == 0
        (document,) = corefkit.read(f"d{row.suffixes[0]}", format=format)
        text, before = " ".join(document.words), f"a{mark}b x"
        if format in ("brat", "apf", "muc"):  # whose words are found anew
            text, before = text.replace(" ", ""), before.replace(" ", "")
        changed = row.writer.words and text != before
        assert ("blanks or control characters inside words: 1 lost" in err) == changed

    def test_words_that_nobody_knows_are_listed(self, run, tmp_path):
        # Three columns: which of them is the word?
        text = "#begin document (d); part 000\nAnn\tx\t(1)\n#end document\n"
        (tmp_path / "key.conll").write_text(text)
        code, _, err = run("key.conll", "out.jsonl")
        assert code == 0
        assert "the words of a document are not known: lost" in err.splitlines()

    def test_summary_leaves_out_what_was_lost(self, run, tmp_path):
        clusters = [[[0, 2], [1, 3]], [[3, 3]]]
        file = written(tmp_path / "in.jsonl", json_line("d", "abcd", clusters))
        _, _, err = run(file, "out.conll")
        assert err.splitlines() == [
            "CoNLL-2012 cannot hold mentions that cross another of their entity: "
            "1 lost",
            "written: 1 document, 2 mentions, 2 entities",
        ]
        assert partitions("out.conll") == {"(d); part 000": [[(0, 2)], [(3, 3)]]}


class TestPlaces:
    def test_dash_as_out_is_standard_output(self, run):
        code, out, err = run(KEY, "-", "--to", "jsonl")
        assert (code, err) == (0, SUMMARY)
        assert [json.loads(line)["doc_key"] for line in out.splitlines()] == [
            document.id for document in corefkit.read(KEY)
        ]
        assert files() == []

    def test_standard_output_is_utf8_whatever_the_terminal(
        self, run, tmp_path, monkeypatch
    ):
        file = written(tmp_path / "in.conll", conll("(1)", words=["漢"]))
        bytes_out = io.BytesIO()
        stdout = io.TextIOWrapper(bytes_out, "ascii", errors="replace")
        monkeypatch.setattr(sys, "stdout", stdout)
        assert run(file, "-", "--to", "jsonl")[0] == 0
        assert "漢".encode() in bytes_out.getvalue()

    def test_dash_as_in_is_standard_input(self, run, monkeypatch):
        with Path(KEY).open() as stdin:
            monkeypatch.setattr(sys, "stdin", stdin)
            assert run("-", "key.jsonl") == (0, "", SUMMARY)
        assert partitions("key.jsonl") == partitions(KEY)

    def test_folder_as_in_is_read_file_by_file(self, run, tmp_path):
        folder = tmp_path / "in"
        folder.mkdir()
        written(folder / "a.conll", corpus({"a": "(1) (1)"}))
        written(folder / "b.conll", corpus({"b": "(1) (2)"}))
        _, _, err = run("in", "out.jsonl")
        assert err == "written: 2 documents, 4 mentions, 3 entities\n"
        assert list(partitions("out.jsonl")) == ["(a); part 000", "(b); part 000"]

    def test_out_may_be_packed(self, run):
        run(KEY, "key.jsonl.gz")
        with gzip.open("key.jsonl.gz", "rt", encoding="utf-8") as file:
            assert len(file.readlines()) == 4

    def test_file_that_was_there_is_replaced(self, run, tmp_path):
        written(tmp_path / "key.jsonl", "long ago")
        assert run(KEY, "key.jsonl")[0] == 0
        assert partitions("key.jsonl") == partitions(KEY)

    def test_link_stays_a_link(self, run, tmp_path):
        Path("link.jsonl").symlink_to(tmp_path / "target.jsonl")
        assert run(KEY, "link.jsonl")[0] == 0
        assert Path("link.jsonl").is_symlink()
        assert partitions("target.jsonl") == partitions(KEY)

    def test_device_is_written_to_and_stays(self, run):
        assert run(KEY, os.devnull, "--to", "jsonl") == (0, "", SUMMARY)
        assert not Path(os.devnull).is_file()


class TestFolders:
    """A format with one document per file; its files are made up here."""

    @pytest.fixture(autouse=True)
    def two_files_a_document(self, monkeypatch):
        def pair(document):
            yield ".ann", document.id
            yield ".txt", " ".join(document.words)

        writer = Writer(carries=frozenset(), files=pair)
        monkeypatch.setattr("corefkit.formats.brat.WRITER", writer)

    @pytest.fixture
    def two(self, tmp_path):
        return written(tmp_path / "two.conll", corpus({"a": "(1) -", "b": "(1)"}))

    def test_new_folder_is_made(self, run, two):
        assert run(two, "out", "--to", "brat")[0] == 0
        names = ["a_0.ann", "a_0.txt", "b_0.ann", "b_0.txt"]
        assert files() == ["out", *(f"out/{name}" for name in names), "two.conll"]
        assert Path("out/a_0.txt").read_text("utf-8") == "w0 w1"

    def test_folder_that_is_there_keeps_its_other_files(self, run, two, tmp_path):
        (tmp_path / "out").mkdir()
        written(tmp_path / "out" / "a_0.txt", "old")
        written(tmp_path / "out" / "notes", "mine")
        assert run(two, "out", "--to", "brat")[0] == 0
        assert Path("out/a_0.txt").read_text("utf-8") == "w0 w1"
        assert Path("out/notes").read_text("utf-8") == "mine"

    def test_one_document_goes_to_a_file(self, run, tmp_path):
        one = written(tmp_path / "one.conll", corpus({"a": "(1)"}))
        assert run(one, "out.ann")[0] == 0
        assert files() == ["one.conll", "out.ann", "out.txt"]

    def test_several_documents_want_a_folder(self, run, two):
        code, _, err = run(two, "out.ann")
        assert code == 1
        assert err.startswith("error: out.ann: brat standoff has one document per file")
        assert files() == ["two.conll"]

    def test_standard_output_is_refused(self, run, two):
        code, _, err = run(two, "-", "--to", "brat")
        assert code == 2
        assert err.startswith("error: brat standoff cannot go to standard output\n")
        assert files() == ["two.conll"]

    def test_folder_of_in_is_fine_unless_in_is_replaced(self, run, tmp_path):
        one = written(tmp_path / "a_0.ann", corpus({"a": "(1)"}))
        before = Path(one).read_bytes()
        code, _, err = run(one, ".", "--to", "brat")
        assert code == 2
        assert "a_0.ann' is an input\n" in err
        assert Path(one).read_bytes() == before
        assert files() == ["a_0.ann"]


class TestRefusals:
    @pytest.mark.parametrize("out", ["in.conll", "./in.conll", "link", "hard"])
    def test_in_is_not_overwritten(self, run, tmp_path, out):
        before = conll("(1)")
        written(tmp_path / "in.conll", before)
        Path("link").symlink_to("in.conll")
        Path("hard").hardlink_to("in.conll")
        code, _, err = run("in.conll", out, "--to", "jsonl")
        assert code == 2
        assert err.endswith(" is an input\n\nhint: write somewhere else\n")
        assert Path("in.conll").read_text("utf-8") == before

    def test_out_inside_in_is_refused(self, run, tmp_path):
        (tmp_path / "in").mkdir()
        written(tmp_path / "in" / "a.conll", conll("(1)"))
        code, _, err = run("in", "in/all.jsonl")
        assert code == 2
        assert err.startswith("error: 'in/all.jsonl' is inside an input\n")
        assert files() == ["in", "in/a.conll"]

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            ([KEY], "the following arguments are required: OUT"),
            ([KEY, "out.bogus"], "no format has the suffix of 'out.bogus'"),
            ([KEY, "-"], "no format has the suffix of '-'"),
            ([KEY, "out", "--to", "jsnl"], "did you mean 'jsonl'?"),
            ([KEY, "out.jsonl", "--from", "conl"], "did you mean 'conll'?"),
            (
                [KEY, ".", "--to", "jsonl"],
                "'.' is a folder, but JSON lines is one file",
            ),
        ],
        ids=["no out", "ending", "standard output", "to", "from", "folder"],
    )
    def test_wrong_usage_is_said(self, run, words, message):
        code, out, err = run(*words)
        assert (code, out) == (2, "")
        assert message in err
        assert files() == []

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["no.conll", "out.jsonl"], "no.conll: cannot be read: No such file"),
            (
                [KEY, "no/out.jsonl"],
                "no/out.jsonl: cannot be written: No such file or directory\n",
            ),
            (
                [KEY, "out.jsonl", "--from", "jsonl"],
                f"{KEY}: is CoNLL-2012, expected JSON lines",
            ),
        ],
        ids=["in", "folder of out", "from"],
    )
    def test_files_that_fail_are_named(self, run, words, message):
        code, out, err = run(*words)
        assert (code, out) == (1, "")
        assert err.startswith(f"error: {message}")
        assert files() == []


class TestFailureInTheMiddle:
    SECOND_IS_BAD = corpus({"a": "(1) (1)"}) + corpus({"b": "(1) (x)"})

    def test_nothing_is_left_behind(self, run, tmp_path):
        file = written(tmp_path / "in.conll", self.SECOND_IS_BAD)
        code, out, err = run(file, "out.jsonl")
        assert (code, out) == (1, "")
        assert err.startswith(f"error: {file}:7: entity id 'x' is not a number")
        assert files() == ["in.conll"]

    def test_file_that_was_there_stays(self, run, tmp_path):
        file = written(tmp_path / "in.conll", self.SECOND_IS_BAD)
        written(tmp_path / "out.jsonl", "before")
        assert run(file, "out.jsonl")[0] == 1
        assert Path("out.jsonl").read_text("utf-8") == "before"
        assert files() == ["in.conll", "out.jsonl"]

    def test_half_a_character_is_an_error_of_the_input(self, run, tmp_path):
        file = written(
            tmp_path / "in.jsonl",
            '{"doc_key": "d", "sentences": [["\\ud800"]], "clusters": []}',
        )
        code, _, err = run(file, "out.conll")
        assert code == 1
        assert "half a character" in err
        assert files() == ["in.jsonl"]


def test_help_lists_every_format_with_its_endings(run):
    code, out, _ = run("--help")
    assert code == 0
    lines = [line.split() for line in out.splitlines()]
    for row in corefkit.FORMATS.values():
        assert [row.name, *row.label.split(), *row.suffixes] in lines


def test_quiet_hides_the_loss_of_layers_only(run):
    source = str(trees())
    _, _, err = run(source, "out.jsonl")
    heads, layers, _ = err.splitlines()
    assert "the layers " in layers
    assert run(source, "out.jsonl", "-q") == (0, "", f"{heads}\n")
