"""A new format is one file and one row: a toy, added at run time, can do everything.

    toy story
    Ann saw her aunt | 0 2 | 2-3

is a document: its id, its words, then entities of spans, each behind a bar.
"""

from __future__ import annotations

import sys
from types import ModuleType

import pytest
from formats.reading import problems
from raising import raises

import corefkit
from corefkit import Document, Entity, Mention
from corefkit.cli import main
from corefkit.formats import FORMATS, Format
from corefkit.formats.brackets import list_sentences, read_lines
from corefkit.formats.source import (
    CROSSING,
    CROSSING_ITS_OWN,
    Extent,
    Parsed,
    Writer,
    make_reader,
)
from corefkit.strings import drop_first_part

# The file of the format: what its author writes.


def recognise(head):
    return head.startswith(b"toy ")


def extents(file, faults):
    start, name = None, ""
    for offset, line in file.lines(file.text_start, file.size):
        if line.startswith(b"toy "):
            if start is not None:
                yield Extent(name, start, offset)
            start, name = offset, line[4:].decode("utf-8", "replace")
        elif start is None and line.strip():
            faults.report_at(offset, "format/malformed", "begin with 'toy'")
    if start is not None:
        yield Extent(name, start, file.size)


def parse(file, extent, faults):
    sentences, entities, lines = [], [], []
    for line, text in list(read_lines(file, extent.start, extent.end, faults))[1:]:
        words, *clusters = (part.split() for part in text.split("|"))
        sentences.append(tuple(words))
        lines += [line] * len(words)
        for cluster in clusters:
            mentions = [mention for span in cluster if (mention := read_span(span))]
            if len(mentions) < len(cluster):
                faults(line, "format/malformed")
            entities.append(Entity(str(len(entities)), tuple(mentions)))
    return Parsed(Document(extent.id, tuple(sentences), tuple(entities)), lines)


def read_span(text):
    start, _, end = text.partition("-")
    return Mention(int(start), int(end or start)) if start.isdigit() else None


def written(document):
    yield f"toy {document.id}\n"
    words = " ".join(word for words in list_sentences(document) for word in words)
    clusters = (" ".join(f"{m.start}-{m.end}" for m in entity) for entity in document)
    yield " | ".join((words, *clusters)) + "\n"


READER = make_reader(extents, parse)
WRITER = Writer(carries=frozenset({CROSSING, CROSSING_ITS_OWN}), text=written)


@pytest.fixture(autouse=True)
def toy(monkeypatch):
    """Put the file where formats are, and its row into the table."""
    module = ModuleType("corefkit.formats.toy")
    vars(module).update(recognise=recognise, READER=READER, WRITER=WRITER)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(FORMATS, "toy", Format("toy", "toy", "Toy", (".toy",)))


KEY = "toy story\nAnn saw her aunt | 0 2 | 2-3\ntoy end\nShe left | 0\n"
RESPONSE = KEY.replace("2-3", "3")


@pytest.fixture
def key(tmp_path):
    path = tmp_path / "key.toy"
    path.write_text(KEY)
    return path


def test_is_recognised_and_read(key):
    story, end = corefkit.read(key)
    assert story.sentences == (("Ann", "saw", "her", "aunt"),)
    assert [entity.mentions for entity in end] == [(Mention(0, 0),)]


def test_is_scored(key, tmp_path, capsys):
    response = tmp_path / "response.toy"
    response.write_text(RESPONSE)
    assert main(["score", str(key), str(response)]) == 0
    assert "CoNLL" in capsys.readouterr().out
    score = corefkit.score(key, response)["mentions"]
    assert (score.recall, score.precision) == (3 / 4, 3 / 4)


def test_is_validated(key):
    assert main(["validate", str(key)]) == 0
    key.write_text(f"odd\n{KEY}a b | x\n")
    found = [(one.line, one.code) for one in problems(key, format="toy")]
    assert found == [
        (1, "format/malformed"),
        (6, "format/malformed"),
    ]
    with raises(corefkit.FormatError, "format/malformed", place="key.toy:1"):
        next(corefkit.read(key, format="toy"))


def annotation(path):
    return {
        drop_first_part(document.id): {
            frozenset(entity.mentions) for entity in document
        }
        for document in corefkit.read(path)
    }


@pytest.mark.parametrize("name", [*FORMATS])
def test_is_converted_to_every_format_and_back(key, tmp_path, name):
    there, back = tmp_path / "there", tmp_path / "back.toy"
    assert main(["convert", str(key), str(there), "--to", name]) == 0
    assert main(["convert", str(there), str(back), "--from", name]) == 0
    if name == "crac-text":  # which has no document ids
        assert [*annotation(back).values()] == [*annotation(key).values()]
    else:
        assert annotation(back) == annotation(key)


def test_stands_in_folders_beside_others(key):
    line = '{"doc_key": "other", "sentences": [["a"]], "clusters": []}'
    (key.parent / "other.jsonl").write_text(line)
    ids = [document.id for document in corefkit.read(key.parent)]
    assert ids == ["story", "end", "other"]
