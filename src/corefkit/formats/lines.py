"""Lines of text: read from a file, each with its number, and written in columns."""

from __future__ import annotations

import re
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Faults
    from corefkit.model import Document

_BLANK = re.compile(r"[\x00-\x20]")


def text_lines(
    file: ByteFile, start: int, end: int, faults: Faults
) -> Iterator[tuple[int, str]]:
    """Iterate over the lines between two offsets; only the first fault is reported.

    Bytes that are not UTF-8 stay in the text as their numbers.
    """
    sound = True
    for line, content in _numbered_lines(file, start, end):
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError as error:
            text = content.decode("utf-8", "backslashreplace")
            if sound:
                faults.not_utf8(line, error.start + 1)
            sound = False
        yield line, text


def sound_lines(
    file: ByteFile, start: int, end: int, faults: Faults
) -> Iterator[tuple[int, str]]:
    """Iterate over the lines between two offsets that are not blank and are UTF-8.

    Each line that is not UTF-8 is reported and skipped.
    """
    for line, content in _numbered_lines(file, start, end):
        if not content.strip():
            continue
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError as error:
            faults.not_utf8(line, error.start + 1)
            continue
        yield line, text


def _numbered_lines(
    file: ByteFile, start: int, end: int
) -> Iterator[tuple[int, bytes]]:
    first = file.line_number(start)
    for number, (_, content) in enumerate(file.lines(start, end), start=first):
        yield number, content


def sentences(words: Iterable[tuple[int, str]]) -> tuple[tuple[str, ...], ...]:
    """Put words into sentences, by the number of the sentence that stands before each.

    >>> sentences([(0, "Ann"), (0, "left"), (1, "Why")])
    (('Ann', 'left'), ('Why',))
    """
    rows = groupby(words, key=itemgetter(0))
    return tuple(tuple(word for _, word in row) for _, row in rows)


def written_sentences(document: Document) -> tuple[tuple[str, ...], ...]:
    """Return the sentences of a document, as a format with words writes them.

    A document without words has one sentence of placeholders, as far as its mentions
    reach; without mentions too it has no sentence.

    >>> from corefkit.model import Document, Entity, Mention
    >>> written_sentences(Document("d", (), (Entity("1", (Mention(1, 2),)),)))
    (('_', '_', '_'),)
    """
    if document.sentences:
        return document.sentences
    mentions = [mention for entity in document for mention in entity]
    ends = [mention.end for mention in mentions]
    ends += [mention.minimum[1] for mention in mentions if mention.minimum]
    return (("_",) * (max(ends) + 1),) if ends else ()


def column_line(columns: Iterable[str]) -> str:
    r"""Write a line of columns; blanks inside them become underscores.

    >>> column_line(["1", "New York", ""])
    '1\tNew_York\t_\n'
    """
    return "\t".join(_BLANK.sub("_", column) or "_" for column in columns) + "\n"
