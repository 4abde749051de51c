"""Where the documents of a CoNLL-2012 file lie, found by their first and last lines.

The rules are those in `corefkit.formats.conll.conll`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Faults

_BEGIN = re.compile(rb"#\s*begin document (.*)")
_END = re.compile(rb"#\s*end document")


class ConllExtent(NamedTuple):
    """Where a document and its tokens lie, and whether its end is marked."""

    id: str
    start: int
    end: int
    body: int
    ended: bool


def conll_extents(
    file: ByteFile,
    faults: Faults,
    *,
    begin: re.Pattern[bytes] = _BEGIN,
    end: re.Pattern[bytes] = _END,
) -> Iterator[ConllExtent]:
    """Find the documents between their first and last lines.

    Patterns tell these lines, that of the first with the id as its group. Whatever is
    wrong around documents goes to `faults`.
    """
    current: ConllExtent | None = None
    outside = file.text_start
    for start, behind, line in _markers(file):
        if header := begin.match(line):
            if current is not None:
                message = f"a document begins inside {_begun(file, current)} before it"
                faults.at(start, message)
                yield current._replace(end=start)
            else:
                _check_outside(file, outside, start, faults)
            name = (header[1] or b"").rstrip().decode("utf-8", "backslashreplace")
            current = ConllExtent(name, start, file.size, behind, ended=False)
        elif end.match(line):
            if current is None:
                _check_outside(file, outside, start, faults)
                faults.at(start, "a document ends here that did not begin")
            else:
                yield current._replace(end=start, ended=True)
            current, outside = None, behind
    if current is not None:
        message = f"the file ends inside {_begun(file, current)}"
        faults.at(file.size, message, "is the file cut off?")
        yield current
    else:
        _check_outside(file, outside, file.size, faults)


def _begun(file: ByteFile, current: ConllExtent) -> str:
    line = file.line_number(current.start)
    name = quoted(current.id)
    return f"document {name}, begun at line {line}: expected '#end document'"


def _check_outside(file: ByteFile, start: int, end: int, faults: Faults) -> None:
    if start == end or not file.read(start, end).strip():
        return
    for offset, line in file.lines(start, end):
        if (content := line.strip()) and not content.startswith(b"#"):
            message = "a token outside any document: expected '#begin document'"
            faults.at(offset, message)
            return


def reference_extents(file: ByteFile) -> Iterator[ConllExtent]:
    """Find the documents as the reference scorer does, which finds no fault."""
    markers = _markers(file)
    ends = [start for start, _, line in markers if _END.search(line)]
    for start, body, line in markers:
        if begin := _BEGIN.match(line):
            name = begin[1].decode("utf-8", "backslashreplace")
            after = bisect_left(ends, body)
            ended = after < len(ends)
            end = ends[after] if ended else file.size
            yield ConllExtent(name, start, end, body, ended=ended)


def _markers(file: ByteFile) -> list[tuple[int, int, bytes]]:
    """Find the lines that may begin or end a document: start, end and content.

    One search finds both, and some lines with the word `document`, which match neither.
    """
    return [
        (start, start + len(line), line.rstrip(b"\n").removesuffix(b"\r"))
        for start, line in file.lines_with(b" document")
        if b"#" in line
    ]
