"""What the tests of every format need: files put down, read, written and read again."""

from __future__ import annotations

import re
import tempfile
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from files import BYTE_ORDER_MARK, written
from shared_files import DATA

import corefkit
from corefkit import Document
from corefkit.formats import FORMATS
from corefkit.formats.files import ByteFile
from corefkit.formats.output import remove_unsupported, write
from corefkit.formats.problems import KINDS, NO_MENTIONS, NOTE
from corefkit.formats.source import ALTERED
from corefkit.formats.validation import validate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from corefkit.formats.problems import Problem
    from corefkit.formats.source import Reader, Writer

SAMPLES = DATA / "formats"
# What messages or hints say, and the kinds of problems that may say so.
WORDS_OF_KINDS = {
    "byte.* not UTF-8": ("not-utf8", "other-encoding"),
    "is left out$|not read$": ("left-out", "broken-link"),
    "inside a (token|word)|a mention is on .* part of a token": ("cut-token",),
    "^document .* (is repeated|has the id of)": ("repeated-document",),
    "^mention (of|\\[|'rec).* is (twice )?in entity": ("repeated-mention",),
    "^mention .* crosses another": ("crossing-mentions",),
    "^mention .* lies inside another of entity": ("nested-mention",),
    "^(SplitAnte|Bridge): ": ("broken-link",),
    "closes here, but|closes here but": ("unpaired-bracket",),
    "no format known": ("unreadable",),
}
needs_data = pytest.mark.skipif(
    not DATA.exists(), reason="the corpora beside the project are not here"
)
needs_samples = pytest.mark.skipif(
    not SAMPLES.exists(), reason="the samples beside the project are not here"
)


def recognised_samples(recognise: Callable[[bytes], bool]) -> list[str]:
    """Name the samples that a format takes for its own, of those of all formats."""
    files = [path for path in sorted(SAMPLES.rglob("*")) if path.is_file()]
    assert len(files) > 10
    return [
        path.relative_to(SAMPLES).as_posix()
        for path in files
        if recognise(path.read_bytes()[: 1 << 16])
    ]


def heads(*, own: Iterable[bytes], others: Iterable[bytes]) -> pytest.MarkDecorator:
    """Try beginnings of files, a format's own and others, as `head` and `expected`."""
    cases = [(head, True) for head in own] + [(head, False) for head in others]
    return pytest.mark.parametrize(("head", "expected"), cases)


def ways(text: str) -> dict[str, str | bytes]:
    """Write a file in the ways that mean the same in every format."""
    return {
        "no final newline": text.rstrip("\n"),
        "CRLF": text.replace("\n", "\r\n"),
        "byte-order mark": BYTE_ORDER_MARK + text.encode(),
    }


def put_in(folder: Path, files: Mapping[str, str | bytes]) -> str:
    """Put files into a folder, and give the name of the last."""
    for name, content in files.items():
        path = written(folder / name, content)
    return path


# The fixtures that these make go by the `put` of a test module: what it is given is put
# down as a file, whose name it gives.


def reads(name: str) -> object:
    """Make the fixture that reads the documents of a file."""

    @pytest.fixture
    def read(put):
        def documents(*given, **files):
            return list(corefkit.read(put(*given, **files), format=name))

        return documents

    return read


def reads_one(name: str) -> object:
    """Make the fixture that reads the one document of a file."""

    @pytest.fixture
    def read(put):
        def only(*given, **files):
            (document,) = corefkit.read(put(*given, **files), format=name)
            return document

        return only

    return read


def finds(name: str) -> object:
    """Make the fixture that lists the faults of a file."""

    @pytest.fixture
    def found(put):
        return lambda *given, **files: faults(put(*given, **files), name)

    return found


def spans(document: Document) -> dict[str, list[tuple[int, ...]]]:
    """Give the mentions of each entity as pairs."""
    return {entity.id: [tuple(mention) for mention in entity] for entity in document}


def everything(*documents: Document) -> list[dict[str, object]]:
    """Give all that documents say; mentions alone compare nothing but their tokens.

    Where they were read from is nothing that they say.
    """
    return [asdict(replace(document, origin="", place="")) for document in documents]


def by_characters(
    document: Document, *, attributes: bool = False
) -> set[frozenset[tuple[object, ...]]]:
    """Give entities as sets of stretches in the text without its blanks."""
    ends = [0]
    for token in document.tokens:
        ends.append(ends[-1] + len(token))
    return {
        frozenset(
            (
                ends[one.start],
                ends[one.end + 1],
                *(sorted(one.attributes.items()) if attributes else ()),
            )
            for one in entity
        )
        for entity in document
    }


def faults(path: str | Path, name: str) -> list[tuple[int | None, str, str]]:
    """List line, code and severity of each problem with a file of a format."""
    found = problems(path, format=name)
    return [(one.line, one.code, one.severity) for one in found]


def problems(path: str | Path, format: str | None = None) -> list[Problem]:
    """List the errors and warnings of a file, but not that it has no mention."""
    found = validate(path, format=format)
    check_kinds(found)
    return [
        one for one in found if one.severity != NOTE and one.kind != NO_MENTIONS.name
    ]


def check_kinds(found: Iterable[Problem]) -> None:
    """See that the kind of each problem is the one that its words tell of."""
    for one in found:
        assert KINDS[one.kind].severity == one.severity
        for words, kinds in WORDS_OF_KINDS.items():
            if re.search(words, f"{one.message}\n{one.hint}"):
                assert one.kind in kinds, one


def line_of(text: str, part: str) -> int:
    """Give the line at which a part of a text begins."""
    return text[: text.index(part)].count("\n") + 1


def documents_of(reader: Reader, path: str | Path) -> list[Document]:
    """Read the documents of a file as scoring does; the first fault is an error."""
    with ByteFile(path) as file:
        source = reader.open(file, False, False)
        return [source.read_document(number) for number in range(len(source.ids))]


def problems_of(reader: Reader, path: str | Path) -> list[Problem]:
    """List the errors and warnings that a reader finds in a file."""
    with ByteFile(path) as file:
        found = list(reader.problems(file))
    check_kinds(found)
    return [one for one in found if one.severity != NOTE]


def documents_in(reader: Reader, content: str | bytes, *, name: str) -> list[Document]:
    """Read documents from the content of a file that is called so."""
    with tempfile.TemporaryDirectory() as folder:
        return documents_of(reader, written(Path(folder, name), content))


def problems_in(reader: Reader, content: str | bytes) -> list[Problem]:
    """List the errors and warnings that a reader finds in the content of a file."""
    with tempfile.TemporaryDirectory() as folder:
        return problems_of(reader, written(Path(folder, "x"), content))


def text_of(writer: Writer, *documents: Document) -> str:
    """Write documents as the door does, what the format cannot say taken out."""
    kept = [remove_unsupported(document, writer.carries) for document in documents]
    return writer.header + "".join(
        piece for document in kept for piece in writer.text(document)
    )


def path_of(folder: Path, name: str, *, stem: str = "story") -> Path:
    """Call a file so, with the ending of a format."""
    return folder / f"{stem}{FORMATS[name].suffixes[0]}"


def again(
    folder: Path, name: str, *documents: Document, stem: str = "story"
) -> list[Document]:
    """Write documents in the format that the ending means, and read them again.

    The format must be able to say all that they have; words they need not have, and a
    character of a word that the format has no way to write is counted as such.
    """
    path = path_of(folder, name, stem=stem)
    losses = write(documents, path)
    losses.wordless -= sum(not one.sentences for one in documents if one.entities)
    losses.wordless = max(losses.wordless, 0)
    marks = losses.format.writer.alters
    words = [word for one in documents for word in one.words]
    altered = sum(bool(marks and re.search(marks, word)) for word in words)
    assert losses.counts.pop(ALTERED, 0) == altered
    assert (losses.format.name, str(losses)) == (name, "")
    return list(corefkit.read(path, format=name))
