"""What holds for every format; the test of each calls it with files of its own."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from files import written
from formats.reading import (
    again,
    documents_in,
    documents_of,
    everything,
    path_of,
    problems,
    problems_in,
    problems_of,
    put_in,
)
from raising import raises

import corefkit
from corefkit import Document, Entity, FormatError, Mention
from corefkit.formats.files import ByteFile
from corefkit.formats.output import write

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefkit.formats.source import Reader


# A sign that markup escapes, and a mention inside another.
NEWS = Document(
    "d",
    (("Ann", "&", "Co", "left", "."), ("She", "slept", ".")),
    (
        Entity("1", (Mention(0, 2), Mention(5, 5))),
        Entity("2", (Mention(0, 0), Mention(2, 2))),
    ),
)


# Whatever a file holds, it is read, or refused with FormatError and nothing else.


def check_read_or_refused(path: str | Path, name: str | None) -> list[Document]:
    """Read and check a file: it is refused if it has an error, and only then.

    Two documents of one id are an error too, but only scoring refuses them.

    Returns:
        The documents; none where the file is refused.
    """
    doubled = re.compile("document .* is repeated")
    refused = any(
        one.severity == "error" and not doubled.match(one.message)
        for one in problems(path, format=name)
    )
    try:
        documents = list(corefkit.read(path, format=name))
    except FormatError:
        assert refused
        return []
    assert not refused
    return documents


def check_survives(name: str | None, files: Mapping[str, str | bytes]) -> None:
    """Read and check a file in any state, the last of these; the others are beside."""
    with tempfile.TemporaryDirectory() as folder:
        check_read_or_refused(put_in(Path(folder), files), name)


def check_reader(reader: Reader, content: str | bytes) -> None:
    """Ask a reader for all it can give: it may refuse where there is an error."""
    with tempfile.TemporaryDirectory() as folder:
        _check_reader(reader, written(Path(folder, "x"), content))


def _check_reader(reader: Reader, path: str) -> None:
    try:
        found = problems_of(reader, path)
    except FormatError:
        with pytest.raises(FormatError):
            documents_of(reader, path)
        return
    try:
        with ByteFile(path) as file:
            source = reader.open(file, False, False)
            for number in range(len(source.ids)):
                source.read_document(number)
                source.read_columns([number])
                list(source.iter_words(number))
    except FormatError:
        assert any(problem.severity == "error" for problem in found)


# What is wrong with a file is told with its line, and refused there.


def check_fault(
    path: str | Path, name: str, line: int, code: str, *, alone: bool = True
) -> FormatError:
    """Expect an error: reading raises the one that validating lists first.

    Args:
        path: the broken file.
        name: its format.
        line: where it is broken.
        code: its code.
        alone: whether it is the only problem; else it is the first error.

    Returns:
        The error that reading raises.
    """
    found = problems(path, format=name)
    assert not alone or len(found) == 1
    problem = next(one for one in found if one.severity == "error")
    assert (problem.line, problem.code) == (line, code)
    with raises(FormatError, code, place=f"{path}:{line}") as refused:
        list(corefkit.read(path, format=name))
    assert refused.value.message == problem.message
    assert refused.value.hint == problem.hint
    return refused.value


def check_told(
    reader: Reader, content: str | bytes, expected: list[tuple[int, str]]
) -> None:
    """Compare errors with the expected lines and codes."""
    errors = [one for one in problems_in(reader, content) if one.severity == "error"]
    assert [(one.line, one.code) for one in errors] == expected


def check_refused(
    reader: Reader, content: str | bytes, expected: list[tuple[int, str]]
) -> None:
    """Expect that reading raises one of the errors, by their lines and codes."""
    with pytest.raises(FormatError) as refused:
        documents_in(reader, content, name="x")
    line = int(str(refused.value.place).rpartition(":")[2])
    assert (line, refused.value.code) in expected


# What is written is read again, and scores as it did.


def check_same_again(
    folder: Path, name: str, *documents: Document, stem: str = "story"
) -> None:
    """Write documents and read them again: nothing is lost, and all is as before."""
    found = again(folder, name, *documents, stem=stem)
    assert everything(*found) == everything(*documents)


def check_mentions_again(folder: Path, name: str, document: Document) -> Document:
    """Write a document and read it again: its words and mentions are as before.

    Returns:
        What was read: ids and attributes may be spelled as the format can.
    """
    (found,) = again(folder, name, document)
    assert found.sentences == document.sentences
    assert [one.mentions for one in found] == [one.mentions for one in document]
    return found


def check_sound_sample(folder: Path, name: str, path: Path) -> Document:
    """Read a sample: nothing is wrong with it, and nothing goes lost of it.

    What is written of it is recognised.
    """
    assert list(problems(path, format=name)) == []
    (document,) = corefkit.read(path, format=name)
    check_same_again(folder, name, document, stem=document.id)
    found = corefkit.read(path_of(folder, name, stem=document.id))
    assert everything(*found) == everything(document)
    return document


def check_without_words_or_entities(folder: Path, name: str) -> None:
    """Write documents that lack words, entities or both, to files of their own."""
    no_words = Document("a", (), (Entity("1", (Mention(1, 2),)),))
    no_entities = Document("b", (("x",),), ())
    nothing = Document("c", (), ())
    write([no_words, no_entities, nothing], folder, format=name)
    first, *others = corefkit.read(folder, format=name)
    assert (first.tokens, first.entities) == (("_", "_", "_"), no_words.entities)
    assert others == [no_entities, nothing]


def check_placeholders(folder: Path, name: str, *, entity: str = "1") -> None:
    """Write a document without words: it gets as many as its mentions need."""
    entities = (Entity(entity, (Mention(1, 2), Mention(4, 4))),)
    (found,) = again(folder, name, Document("story", (), entities))
    assert found == Document("story", (("_",) * 5,), entities)


def check_scores(folder: Path, name: str, document: Document) -> None:
    """Write a document in a format: it scores as if both sides were JSON lines."""
    path, twin = path_of(folder, name), folder / "twin.jsonl"
    write([document], path)
    write([document], twin)
    alike = corefkit.score(twin, twin)
    for sides in (path, twin), (twin, path):
        assert corefkit.score(*sides).scores == alike.scores


def check_perfect(folder: Path, name: str, document: Document) -> None:
    """Write a document in a format: nothing is lost, and all metrics give 1."""
    path, twin = path_of(folder, name), folder / "twin.jsonl"
    unknown = (
        "" if document.sentences else "the words of a document are not known: lost"
    )
    assert str(write([document], path)) == unknown
    assert str(write([document], twin)) == unknown
    result = corefkit.score(path, twin)
    assert {score.f1 for score in result.scores.values()} == {1.0}
