"""What the tests of every format check: that files survive, and what is read back."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import strategies as st

import corefkit
from corefkit import Document, FormatError
from corefkit.formats import problems
from corefkit.formats.bytefile import ByteFile
from corefkit.formats.writing import write

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefkit.formats.base import Reader
    from corefkit.formats.source import Problem

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "data" / "formats"
needs_samples = pytest.mark.skipif(
    not SAMPLES.exists(), reason="the samples beside the project are not here"
)


def recognised_samples(recognise: Callable[[bytes], bool]) -> list[str]:
    """Name the samples that a format takes for its own, of those of all formats."""
    return [
        path.relative_to(SAMPLES).as_posix()
        for path in sorted(SAMPLES.rglob("*"))
        if path.is_file() and recognise(path.read_bytes()[: 1 << 16])
    ]


def spans(document: Document) -> dict[str, list[tuple[int, ...]]]:
    """Give the mentions of each entity as pairs."""
    return {entity.id: [tuple(mention) for mention in entity] for entity in document}


def everything(*documents: Document) -> list[dict[str, object]]:
    """Give all that documents say; mentions alone compare nothing but their tokens."""
    return list(map(asdict, documents))


def faults(path: str | Path, name: str) -> list[tuple[int, str, bool]]:
    """Give line, message and weight of each problem with a file of a format."""
    return [(one.line, one.message, one.fatal) for one in problems(path, format=name)]


def documents_of(reader: Reader, path: str | Path) -> list[Document]:
    """Read the documents of a file as scoring does; the first fault is an error."""
    with ByteFile(path) as file:
        source = reader.open(file, False, False)
        return [source.document(number) for number in range(len(source.ids))]


def problems_of(reader: Reader, path: str | Path) -> list[Problem]:
    """List what a reader finds wrong with a file."""
    with ByteFile(path) as file:
        return list(reader.problems(file))


def check_read_or_refused(path: str | Path, name: str) -> None:
    """Read and check a file: it is refused if a problem is fatal, and only then."""
    try:
        fatal = any(one.fatal for one in problems(path, format=name))
    except FormatError:
        return
    try:
        list(corefkit.read(path, format=name))
    except FormatError:
        assert fatal
    else:
        assert not fatal


def check_reader(reader: Reader, path: str | Path) -> None:
    """Ask a reader for all it can give: it may refuse where a problem is fatal."""
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
                source.document(number)
                source.columns([number])
                list(source.words(number))
    except FormatError:
        assert any(problem.fatal for problem in found)


def check_told(found: list[Problem], expected: list[tuple[int, str]]) -> None:
    """Compare fatal problems with the lines, and the messages' beginnings, expected."""
    fatal = [one for one in found if one.fatal]
    assert len(fatal) == len(expected)
    for one, (line, message) in zip(fatal, expected, strict=True):
        assert one.line == line
        assert one.message.startswith(message)


def check_refused(error: FormatError, expected: list[tuple[int, str]]) -> None:
    """Look for an error among the lines, and the messages' beginnings, expected."""
    assert any(
        str(error.place).endswith(f":{line}") and error.message.startswith(message)
        for line, message in expected
    )


@st.composite
def damaged(draw: st.DrawFn, content: str, pieces: bytes) -> bytes:
    """Draw a sound file with stretches of it replaced or taken out, or its end cut off.

    Args:
        draw: hypothesis hands it in.
        content: the sound file.
        pieces: bytes that mean something in the format; others are put in too.
    """
    changed = bytearray(content.encode())
    new = st.sampled_from(pieces).map(lambda byte: bytes([byte]))
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, len(changed)))
        length = draw(st.integers(0, 9) | st.integers(0, len(changed)))
        changed[start : start + length] = draw(new | st.binary(max_size=4))
    return bytes(changed)


def check_scores(path: Path, document: Document, *, name: str | None = None) -> None:
    """Write a document in a format: it scores as if both sides were JSON lines."""
    twin = path.with_name("twin.jsonl")
    write([document], path, format=name)
    write([document], twin)
    alike = corefkit.score(twin, twin)
    for sides in (path, twin), (twin, path):
        assert corefkit.score(*sides).scores == alike.scores


def check_perfect(path: Path, document: Document, *, name: str | None = None) -> None:
    """Write a document in a format: nothing is lost, and all metrics give 1."""
    assert str(write([document], path, format=name)) == ""
    twin = path.with_name("twin.jsonl")
    assert str(write([document], twin)) == ""
    result = corefkit.score(path, twin)
    assert {score.f1 for score in result.scores.values()} == {1.0}
