"""The parts of a format: how it is read, how it is written, what it can express."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Problem
    from corefkit.formats.source import Source
    from corefkit.model import Document

# What a document can have beside words, and spans of them in entities.
GAPS = "discontinuous mentions"
HEADS = "heads"
MINIMA = "minimum spans"
ZEROS = "empty nodes"
TYPES = "entity types"
KINDS = "mention types"
ATTRIBUTES = "other attributes"
SPLITS = "split antecedents"
BRIDGES = "bridging anaphors"
NON_REFERRING = "non-referring entities"
CROSSING = "mentions that cross another"
CROSSING_ITS_OWN = "mentions that cross another of their entity"
CROSSINGS = frozenset({CROSSING, CROSSING_ITS_OWN})
EVERYTHING = (
    GAPS,
    HEADS,
    MINIMA,
    ZEROS,
    TYPES,
    KINDS,
    ATTRIBUTES,
    SPLITS,
    BRIDGES,
    NON_REFERRING,
    CROSSING,
    CROSSING_ITS_OWN,
)


# Characters of words that a format alters, since they are its own marks.
ALTERED = "some blanks or control characters inside words"
COLUMN_MARKS = "[\\x00-\\x20]"
LINE_MARKS = "[\\t\\n]"
TEXT_MARKS = r"[^\S ]"
XML_MARKS = "[\\x00-\\x1f\\x85\\ufffe\\uffff\\ud800-\\udfff]"


class Reader(NamedTuple):
    """How a format is read.

    Attributes:
        open: opens a file for scoring; takes the file, whether it is the response, and
            whether to read as the reference scorer does.
        problems: yields everything that is wrong with a file.
    """

    open: Callable[[ByteFile, bool, bool], Source]
    problems: Callable[[ByteFile], Iterable[Problem]]


class Writer(NamedTuple):
    """How a format is written: by one of `text`, `files` and `save`.

    Attributes:
        carries: what of `EVERYTHING` the format can express; the rest is lost.
        layers: the layers of tokens that it can express; None for all.
        words: whether it can express the words.
        alters: a pattern of the characters of words that it replaces by others.
        text: returns the text of a document, in pieces; all documents go to one file.
        header: the text in front of the first document.
        files: returns the files of a document, each by its ending (`.txt`) and text,
            the main one first; every document has its own.
        save: writes all documents to a path.
    """

    carries: frozenset[str]
    layers: frozenset[str] | None = frozenset()
    words: bool = True
    alters: str | None = None
    text: Callable[[Document], Iterable[str]] | None = None
    header: str = ""
    files: Callable[[Document], Iterable[tuple[str, str]]] | None = None
    save: Callable[[Iterable[Document], Path], None] | None = None
