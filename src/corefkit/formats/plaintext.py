"""Tokens of running text, and text files next to standoff annotation.

Formats that refer to a text by character offsets share this tokenizer. Tokens depend
on the text alone, never on the annotation, so key and response over the same text
always have the same tokens: runs of letters and digits, single ideographs and kana, and
every other non-blank character by itself. Each line is a sentence, because the text has
no other mark of sentences.
"""

from __future__ import annotations

import os.path
import re
from bisect import bisect_left, bisect_right
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import FormatError, quoted
from corefkit.formats.files import ByteFile
from corefkit.formats.problems import CUT_TOKEN, MISSING_TEXT, Faults

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefkit.formats.source import Extent

# Scripts without blanks between words: kana, ideographs, and their compatible forms.
_UNSPACED = "\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
TOKEN = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+|[^\w\s]")
_BYTE_ORDER_MARK = "\ufeff"


class Span(NamedTuple):
    """Characters from a start offset up to an end offset, which is not included."""

    start: int
    end: int


class PlainText:
    """A text, the spans of its tokens, and its sentences as in a `Document`.

    Tokens are also split at `edges`, so that mentions between them consist of tokens.
    """

    def __init__(self, text: str, edges: Iterable[int] = ()) -> None:
        self.text = text
        cuts = sorted(set(edges))
        self.spans: list[Span] = []
        sentences: list[tuple[str, ...]] = []
        start = 0
        for line in text.splitlines(keepends=True):
            spans = [
                Span(start + match.start(), start + match.end())
                for match in TOKEN.finditer(line)
            ]
            if cuts:
                spans = [part for span in spans for part in _split_span(span, cuts)]
            if spans:
                self.spans.extend(spans)
                sentences.append(tuple(text[first:last] for first, last in spans))
            start += len(line)
        self.sentences = tuple(sentences)

    def list_tokens(self, start: int, end: int) -> range:
        """Return the tokens that begin between two offsets."""
        return range(*(bisect_left(self.spans, (offset, 0)) for offset in (start, end)))

    def list_lines(self) -> list[int]:
        """Return the line of each token, counted from 1."""
        ends = [match.start() for match in re.finditer("\n", self.text)]
        return [1 + bisect_right(ends, span.start) for span in self.spans]


def _split_span(span: Span, cuts: Sequence[int]) -> Iterable[Span]:
    inner = cuts[bisect_right(cuts, span.start) : bisect_left(cuts, span.end)]
    return map(Span, (span.start, *inner), (*inner, span.end))


def find_tokens(
    spans: Sequence[Span],
    parts: Iterable[tuple[int, int]],
    label: str,
    line: int,
    faults: Faults,
) -> list[tuple[int, int]]:
    """Return the first and last token of each part of a mention that has tokens.

    A part that begins or ends inside a token takes all of it, and is reported with the
    label of the mention.
    """
    tokens = []
    is_cut = False
    for start, end in parts:
        last = bisect_left(spans, (end, 0)) - 1
        first = bisect_left(spans, (start + 1, 0)) - 1
        if first < 0 or spans[first].end <= start:
            first += 1
        if first <= last:
            tokens.append((first, last))
            is_cut |= spans[first].start < start or spans[last].end > end
    if is_cut:
        message = f"{label} begins or ends inside a token"
        faults(line, message, "the entire token is used", kind=CUT_TOKEN)
    return tokens


def join_sentences(sentences: Sequence[Sequence[str]]) -> tuple[str, list[Span]]:
    """Write each sentence as a line of text; also return the spans of the tokens."""
    spans: list[Span] = []
    lines: list[str] = []
    start = 0
    for words in sentences:
        texts = [" ".join(word.split()) or "_" for word in words]
        for text in texts:
            spans.append(Span(start, start + len(text)))
            start += len(text) + 1
        lines.append(" ".join(texts))
        start += not texts  # the line end of a sentence without words
    return "".join(f"{line}\n" for line in lines), spans


class TextFile(NamedTuple):
    """The text of an annotation, and the path of its file."""

    path: str
    text: str


def read_companion_text(
    file: ByteFile,
    line: int,
    names: Sequence[str],
    faults: Faults,
    *,
    hint: str,
    mark: str = " ",
) -> TextFile | None:
    """Read the text next to an annotation file; report an error if that fails.

    Errors are at the line of the annotation. The text has one of `names`, and may be
    compressed by gzip. `mark` replaces a byte-order mark; a blank keeps offsets.
    """
    is_stdin = file.name == "-"  # which is in no folder
    for name in () if is_stdin else (*names, *(f"{name}.gz" for name in names)):
        path = Path(file.name).parent / name
        if os.path.isfile(path):  # noqa: PTH113 - Path.is_file raises for long names
            break
    else:
        message = f"the text {' or '.join(map(quoted, names))} is not next to this file"
        faults(line, message, hint, kind=MISSING_TEXT)
        return None
    try:
        with ByteFile(path) as companion:
            data = companion.read(0, companion.size)
    except FormatError as error:
        message = f"the text {quoted(name)} next to this file {error.message}"
        faults(line, message, hint, kind=MISSING_TEXT)
        return None
    text = decode_utf8(data, 1, faults.copy_for(str(path)))
    if text is None:
        return None
    if text.startswith(_BYTE_ORDER_MARK):
        text = mark + text[1:]
    return TextFile(str(path), text)


def decode_utf8(data: bytes, line: int, faults: Faults) -> str | None:
    """Decode text that begins at a line; report the first byte that is not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line += data.count(b"\n", 0, error.start)
        faults.report_not_utf8(line, error.start - data.rfind(b"\n", 0, error.start))
        return None


def read_source(file: ByteFile, extent: Extent, faults: Faults) -> str:
    """Read and decode a document; bytes that are not UTF-8 are reported."""
    data = file.read(extent.start, extent.end)
    text = decode_utf8(data, file.line_number(extent.start), faults)
    return data.decode("utf-8", "replace") if text is None else text


def protect_start(text: str) -> str:
    r"""Prepend a blank if the first word begins like a byte-order mark.

    At the start of a file it would not be read as part of the word.

    >>> protect_start("\ufeffAnn left"), protect_start("Ann left")
    (' \ufeffAnn left', 'Ann left')
    """
    return f" {text}" if text.startswith(_BYTE_ORDER_MARK) else text
