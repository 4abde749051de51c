"""Where the documents of a CoNLL-2012 file lie, to us and to the reference scorer.

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
_DEMOCRAT_COLUMNS = 15
_UPOS = (
    b"ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"
).split()


class ConllExtent(NamedTuple):
    """Where a document lies: its header line, its body, and whether it was ended."""

    id: str
    header: int
    start: int
    end: int
    ended: bool


def is_democrat(head: bytes) -> bool | None:
    """Say whether the first token after a header has Democrat's columns, if any is.

    Columns of CoNLL-2012 have the name of the document in front, which may be a number,
    and the number of the word third, before the word. These have the number first, and
    a part of speech of Universal Dependencies, or none, where the others have the word.
    """
    begun = False
    for line in head.split(b"\n"):
        if line.startswith(b"#"):
            begun = begun or _BEGIN.match(line) is not None
        elif line.strip():
            columns = line.rstrip(b"\r").split(b"\t")
            counted = re.fullmatch(rb"[0-9]+(-[0-9]+)?", columns[0]) is not None
            if not begun or not counted or len(columns) != _DEMOCRAT_COLUMNS:
                return False
            _, _, third, fourth, *_ = columns
            return fourth in _UPOS or (fourth == b"_" and not third.isdigit())
    return None if begun else False


def conll_extents(file: ByteFile, faults: Faults) -> Iterator[ConllExtent]:
    """Find the documents; what is wrong around them goes to `faults`."""
    current: ConllExtent | None = None
    outside = file.text_start
    for marker in _markers(file):
        if begin := _BEGIN.match(marker.line):
            if current is not None:
                faults.at(marker.start, _begins_inside(file, current))
                yield current._replace(end=marker.start)
            else:
                _check_outside(file, outside, marker.start, faults)
            name = begin[1].rstrip().decode("utf-8", "backslashreplace")
            current = ConllExtent(
                name, marker.start, marker.end, file.size, ended=False
            )
        elif _END.match(marker.line):
            if current is None:
                faults.at(marker.start, "a document ends here that did not begin")
            else:
                yield current._replace(end=marker.start, ended=True)
            current, outside = None, marker.end
    if current is not None:
        begun = file.line_number(current.header)
        message = (
            f"the file ends inside document {quoted(current.id)}, begun at line "
            f"{begun}: expected '#end document'"
        )
        faults.at(file.size, message, "is the file cut off?")
        yield current
    else:
        _check_outside(file, outside, file.size, faults)


def _begins_inside(file: ByteFile, current: ConllExtent) -> str:
    begun = file.line_number(current.header)
    return (
        f"a document begins inside document {quoted(current.id)}, begun at line "
        f"{begun}: expected '#end document' before it"
    )


def _check_outside(file: ByteFile, start: int, end: int, faults: Faults) -> None:
    if not file.read(start, end).strip():
        return
    for offset, line in file.lines(start, end):
        if line.strip() and not line.startswith(b"#"):
            faults.at(
                offset, "a token outside any document: expected '#begin document'"
            )
            return


def reference_extents(file: ByteFile) -> Iterator[ConllExtent]:
    """Find the documents as the reference scorer does, which finds no fault."""
    markers = list(_markers(file))
    ends = [marker.start for marker in markers if _END.search(marker.line)]
    for marker in markers:
        if begin := _BEGIN.match(marker.line):
            name = begin[1].decode("utf-8", "backslashreplace")
            after = bisect_left(ends, marker.end)
            ended = after < len(ends)
            end = ends[after] if ended else file.size
            yield ConllExtent(name, marker.start, marker.end, end, ended=ended)


class _Marker(NamedTuple):
    """A line that names the begin or the end of a document."""

    start: int  # offset of the line
    end: int  # offset behind the line
    line: bytes


def _markers(file: ByteFile) -> Iterator[_Marker]:
    # One search serves begin and end; words `document` in the text fall through.
    offset = file.text_start
    for block in file.blocks(offset, file.size):
        hit = block.find(b" document")
        while hit >= 0:
            start = block.rfind(b"\n", 0, hit) + 1
            end = block.find(b"\n", hit) + 1 or len(block)
            line = block[start:end].rstrip(b"\n").removesuffix(b"\r")
            if b"#" in line:
                yield _Marker(offset + start, offset + end, line)
            hit = block.find(b" document", end)
        offset += len(block)
