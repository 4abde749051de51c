"""Documents without words whose mentions imply a huge number of tokens."""

from __future__ import annotations

import json

import pytest
from raising import raises

import corefkit
from corefkit import Document, Entity, Mention
from corefkit.cli import main
from corefkit.formats import FORMATS

HUGE = 2_000_000_000
OFFSETS_ONLY = {"jsonl", "tsv", "parquet"}
WITH_WORDS = [name for name in FORMATS if name not in OFFSETS_ONLY]


def write_table(path, delimiter, rows):
    lines = [["document", "entity", "start", "end"], *rows]
    path.write_text("".join(delimiter.join(map(str, row)) + "\n" for row in lines))
    return path


@pytest.fixture(params=["tsv", "csv", "parquet", "jsonl"])
def huge(request, tmp_path):
    """Write a file with a huge span; return its path and the line of the document."""
    path = tmp_path / f"huge.{request.param}"
    rows = [("a", 1, 0, 1), ("a", 1, 3, 3), ("d", 1, 0, HUGE), ("d", 1, 3, 4)]
    if request.param == "jsonl":
        records = [
            {"doc_key": "a", "clusters": [[[0, 1], [3, 3]]]},
            {"doc_key": "d", "clusters": [[[0, HUGE], [3, 4]]]},
        ]
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        return path, "2"
    if request.param == "parquet":
        table = pytest.importorskip("pyarrow").table
        columns = zip(*rows, strict=True)
        named = dict(zip(("document", "entity", "start", "end"), columns, strict=True))
        pytest.importorskip("pyarrow.parquet").write_table(table(named), path)
        return path, "3"  # tables without lines count their rows
    write_table(path, "\t" if request.param == "tsv" else ",", rows)
    return path, "4"


@pytest.mark.parametrize("format", WITH_WORDS)
def test_formats_with_words_reject_a_huge_span(huge, tmp_path, format):
    path, line = huge
    target = tmp_path / "out"
    target.mkdir()
    if FORMATS[format].writer.files is None:
        target = target / "x"
    with raises(corefkit.FormatError, "format/span-too-large") as caught:
        corefkit.write(path, target, format=format)
    assert caught.value.place.startswith(f"{path}:")
    assert caught.value.place.rpartition(":")[2].split()[-1] == line


def test_offsets_are_converted_and_scored(huge, tmp_path):
    path, _ = huge
    corefkit.write(path, tmp_path / "copy.jsonl")
    assert corefkit.score(path, tmp_path / "copy.jsonl")["muc"].f1 == 1
    (_, document) = corefkit.read(tmp_path / "copy.jsonl")
    assert document.entities[0].mentions[0] == Mention(0, HUGE)


def test_validate_lists_the_span(huge):
    path, line = huge
    problems = [one for one in corefkit.validate(path) if one.kind == "span-too-large"]
    assert [(one.severity, str(one.line)) for one in problems] == [("warning", line)]


@pytest.mark.parametrize("command", ["report", "errors", "stats", "doctor"])
def test_commands_without_words_end(tmp_path, command):
    path = str(tmp_path / "huge.tsv")
    write_table(tmp_path / "huge.tsv", "\t", [("d", 1, 0, HUGE), ("d", 1, 3, 4)])
    target = ["-o", str(tmp_path / "page.html")] if command == "report" else []
    assert main([command, path, path, *target]) == 0


def test_documents_in_memory_are_rejected(tmp_path):
    document = Document("d", (), (Entity("1", (Mention(HUGE, HUGE),)),))
    with raises(corefkit.FormatError, "format/span-too-large", place=None):
        corefkit.write([document], tmp_path / "out.conllu")


def test_the_bound_counts_tokens(tmp_path, monkeypatch):
    monkeypatch.setattr("corefkit.formats.brackets.MAX_IMPLIED_TOKENS", 5)
    for end, is_rejected in ((4, False), (5, True)):
        document = Document("d", (), (Entity("1", (Mention(end, end),)),))
        if is_rejected:
            with raises(corefkit.FormatError, "format/span-too-large", place=None):
                corefkit.write([document], tmp_path / "out.conll")
        else:
            corefkit.write([document], tmp_path / "out.conll")


def test_names_are_no_spans(tmp_path):
    """A table encodes names as large numbers."""
    path = tmp_path / "names.tsv"
    path.write_text("document\tentity\tmention\nd\t1\tAnn\nd\t1\tshe\n")
    assert not [one for one in corefkit.validate(path) if one.kind == "span-too-large"]
