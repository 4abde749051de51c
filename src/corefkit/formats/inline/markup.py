"""Documents without their tags: what the readers of MUC and OntoNotes share.

The rules of tags are those in `corefkit.formats.inline.tags`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import quoted
from corefkit.formats.inline.tags import decoded, tags
from corefkit.formats.kinds import CUT_TOKEN, LEFT_OUT
from corefkit.formats.plaintext import is_cut, tokens_of

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping, Sequence

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.documents import Extent
    from corefkit.formats.faults import Faults
    from corefkit.formats.inline.tags import Tag
    from corefkit.formats.plaintext import Span

MENTION = "coref"
_LINE_ENDS = re.compile("[\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")


class Edge(NamedTuple):
    """Where the tag of a document or of one of its parts begins in the file."""

    start: int
    name: str
    closing: bool


def edges(file: ByteFile, names: str) -> Iterator[Edge]:
    """Iterate over the tags of a file that have one of some names, as in `DOC|TEXT`."""
    pattern = re.compile(rf"<(/?)({names})(?=[\s>])".encode(), re.IGNORECASE)
    offset = file.text_start
    for block in file.blocks(file.text_start, file.size):
        for found in pattern.finditer(block):
            name = found[2].decode().lower()
            yield Edge(offset + found.start(), name, found[1] == b"/")
        offset += len(block)


def source_text(file: ByteFile, extent: Extent, faults: Faults) -> str:
    """Read the characters of a document."""
    data = file.read(extent.start, extent.end)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = error.start - data.rfind(b"\n", 0, error.start)
        line = file.line_number(extent.start + error.start)
        faults.not_utf8(line, byte)
        return data.decode("utf-8", "replace")


class Element(NamedTuple):
    """A mention's element: its attributes, its characters, and the line it begins in.

    The values of the attributes are as they stand in the file.
    """

    attributes: Mapping[str, str]
    start: int
    end: int
    line: int


@dataclass(frozen=True, slots=True)
class Markup:
    """A document without its tags."""

    text: str
    elements: Sequence[Element]  # the mentions, in the order in which they begin
    _first_line: int
    _line_starts: Sequence[int]

    def line(self, offset: int) -> int:
        """Return the line of the file in which a character stands."""
        return self._first_line + bisect_right(self._line_starts, offset)


@dataclass(frozen=True, slots=True)
class Rules:
    """How the text of a format is read."""

    ending: Container[str] = ()  # tags that end a sentence; others leave no trace
    skipped: Container[str] = ()  # elements whose text is not the document's
    lines: bool = True  # whether line ends are kept, and do not become blanks
    read: Callable[[str], str] = str  # reads the characters between two tags


def markup(source: str, rules: Rules, *, line: int, faults: Faults) -> Markup:
    """Remove the tags of a document that begins at a line of its file."""
    remover = _TagRemover(rules, line, faults)
    position = 0
    for tag in tags(source):
        if not tag.whole and tag.name != MENTION:
            continue
        remover.characters(source[position : tag.start])
        remover.tag(tag)
        remover.pass_lines(source.count("\n", tag.start, tag.end))
        position = tag.end
    remover.characters(source[position:])
    return remover.done()


@dataclass(slots=True)
class _TagRemover:
    """Collects the text and the mentions of a document, tag by tag."""

    rules: Rules
    first_line: int
    faults: Faults
    pieces: list[str] = field(default_factory=list)
    length: int = 0
    line_starts: list[int] = field(default_factory=list)
    elements: list[Element] = field(default_factory=list)
    # The numbers of the elements that are open; -1 stands for one that is broken.
    around: list[int] = field(default_factory=list)
    skipping: bool = False

    @property
    def line(self) -> int:
        return self.first_line + len(self.line_starts)

    def characters(self, raw: str) -> None:
        for number, part in enumerate(raw.split("\n")):
            if number:
                self._put("\n" if self.rules.lines else " ")
                self.pass_lines(1)
            if part and not self.skipping:
                kept = part if self.rules.lines else _LINE_ENDS.sub(" ", part)
                self._put(self.rules.read(kept))

    def pass_lines(self, lines: int) -> None:
        self.line_starts.extend([self.length] * lines)

    def tag(self, tag: Tag) -> None:
        if tag.name == MENTION:
            name = f"<{'/' * tag.closing}COREF"
            if not tag.whole:
                self.faults(self.line, f"a {name} tag is not ended", "end it with >")
            elif not tag.paired:
                message = f"a {name} tag has a quote that is not closed"
                self.faults(self.line, message, 'values stand in quotes: ID="5"')
            if tag.closing:
                self._close()
            else:
                self._open(tag)
        elif tag.name:
            # An element that is skipped ends at the next tag: not all are closed.
            self.skipping = tag.name in self.rules.skipped and not tag.closing
            if tag.name in self.rules.ending:
                self._put("\n")

    def done(self) -> Markup:
        for number in self.around:
            if number >= 0:
                element = self.elements[number]
                message = f"mention {label(element)} is never closed"
                self.faults(element.line, message, "end it with </COREF>")
                self.elements[number] = element._replace(end=self.length)
        text = "".join(self.pieces)
        return Markup(text, self.elements, self.first_line, self.line_starts)

    def _put(self, text: str) -> None:
        self.pieces.append(text)
        self.length += len(text)

    def _open(self, tag: Tag) -> None:
        if not tag.paired:
            self.around.append(-1)
            return
        self.around.append(len(self.elements))
        element = Element(tag.attributes, self.length, self.length, self.line)
        self.elements.append(element)

    def _close(self) -> None:
        if not self.around:
            message = "</COREF> closes nothing"
            hint = "each </COREF> needs its <COREF> before it, in the same document"
            self.faults(self.line, message, hint)
            return
        number = self.around.pop()
        if number >= 0:
            element = self.elements[number]
            self.elements[number] = element._replace(end=self.length)


def label(element: Element) -> str:
    """Name a mention by its ID, for messages."""
    return quoted(decoded(element.attributes.get("id", "")).strip())


def spanned(
    element: Element, spans: Sequence[Span], faults: Faults
) -> tuple[int, int] | None:
    """Return the first and last token of a mention; None where it has none."""
    stretch = element.start, element.end
    tokens = tokens_of(spans, *stretch) if element.start < element.end else None
    if tokens is None:
        message = f"mention {label(element)} has no words"
        faults(element.line, message, "it is left out", kind=LEFT_OUT)
    elif is_cut(spans, tokens, *stretch):
        message = f"mention {label(element)} begins or ends inside a word"
        faults(element.line, message, "the whole word is taken", kind=CUT_TOKEN)
    return tokens


def other_attributes(values: Mapping[str, str], own: Container[str]) -> dict[str, str]:
    """Return the attributes that a mention keeps: all but the format's own."""
    return {name: decoded(value) for name, value in values.items() if name not in own}
