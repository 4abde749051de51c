"""Mentions as inline tags in running text, shared by MUC and OntoNotes.

`docs/formats/xml.md` defines tags and references; these rules add to it:

-   A blank, `/` or `>` follows the name of a tag. Quoted values may contain `>`, but no
    `<`. If an attribute is repeated, its first value is used.
-   Comments, declarations and processing instructions are neither tags nor text. Any
    other `<` is text, but a `<COREF` without `>` or with an unclosed quote is invalid.
-   `</COREF>` closes the mention that was opened last.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from html import escape
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import quoted
from corefkit.formats.plaintext import find_tokens
from corefkit.formats.problems import LEFT_OUT, UNPAIRED_TAG

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Container,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from corefkit.formats.files import ByteFile
    from corefkit.formats.plaintext import Span
    from corefkit.formats.problems import Faults
    from corefkit.model import Document, Mention

# Only the start of a comment can match beyond the next `<`, so the time is linear in
# the length of the text.
_MARKUP = re.compile(
    r"""<(?:
        (?P<comment>!--)
      | [!?][^<>]*>
      | (?P<end>/?)(?P<name>[A-Za-z][\w.:-]*)
        (?:(?=[\s/>])(?:
            (?P<strict>(?>(?:[^<>"']|"[^"<]*"|'[^'<]*')*))>
          | (?P<loose>[^<>]*)>
        ))?
    )""",
    re.VERBOSE,
)
_ATTRIBUTE = re.compile(
    r"""([A-Za-z_][\w.:-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+)))?""", re.ASCII
)
_REFERENCE = re.compile(r"&(?:#(\d{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z]{2,4}));")
_REFERENCE_NAMES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ATTRIBUTE_NAME = re.compile(r"[a-z_][a-z0-9_.:-]*")
_LINE_ENDS = re.compile("[\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_MENTION = "coref"


class Tag(NamedTuple):
    """A tag, or other markup without a name; names are in lower case."""

    start: int
    end: int  # offset after the tag
    name: str = ""
    is_end: bool = False
    attributes: Mapping[str, str] = {}  # values are not decoded
    is_complete: bool = True  # whether it ends with `>`
    has_pairs: bool = True  # whether its quotes are closed


def find_tags(source: str) -> Iterator[Tag]:
    """Iterate over the tags of a text."""
    comment_end = 0
    has_open_comment = False
    for match in _MARKUP.finditer(source):
        start, end = match.span()
        if start < comment_end:
            continue
        if match["comment"]:
            close = -1 if has_open_comment else source.find("-->", end)
            has_open_comment = close < 0
            if not has_open_comment:
                comment_end = close + len("-->")
                yield Tag(start, comment_end)
        elif match["name"] is None:
            yield Tag(start, end)
        else:
            has_pairs = match["strict"] is not None
            body = match["strict"] if has_pairs else match["loose"]
            yield Tag(
                start,
                end,
                name=match["name"].lower(),
                is_end=match["end"] == "/",
                attributes=_parse_attributes(body or ""),
                is_complete=body is not None,
                has_pairs=has_pairs,
            )


def _parse_attributes(body: str) -> dict[str, str]:
    attributes: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(body):
        attributes.setdefault(name.lower(), double or single or bare)
    return attributes


def find_structure(file: ByteFile, names: str) -> Iterator[Tag]:
    """Iterate over the tags of a file with some names, as in `DOC|TEXT`.

    Attributes are not read, and offsets are those of bytes.
    """
    pattern = re.compile(rf"<(/?)({names})(?=[\s>])".encode(), re.IGNORECASE)
    offset = file.text_start
    for block in file.blocks(file.text_start, file.size):
        for match in pattern.finditer(block):
            start, end = match.span()
            name = match[2].decode().lower()
            yield Tag(offset + start, offset + end, name, match[1] == b"/")
        offset += len(block)


def decode_references(text: str) -> str:
    """Replace the character references of a text; everything else is kept."""
    return _REFERENCE.sub(_decode_reference, text)


def _decode_reference(match: re.Match[str]) -> str:
    if match[3]:
        return _REFERENCE_NAMES.get(match[3].lower(), match[0])
    code = int(match[1]) if match[1] else int(match[2], 16)
    is_character = code < 0xD800 or 0xDFFF < code <= 0x10FFFF
    return chr(code) if is_character else match[0]


@dataclass(slots=True)
class MentionElement:
    """A COREF element: its attributes, not decoded, its characters, and its line."""

    attributes: Mapping[str, str]
    start: int
    end: int
    line: int

    @property
    def id(self) -> str:
        return decode_references(self.attributes.get("id", "")).strip()

    def decode_attributes(self, special: Container[str]) -> dict[str, str]:
        return {
            name: decode_references(value)
            for name, value in self.attributes.items()
            if name not in special
        }

    def find_span(
        self, spans: Sequence[Span], faults: Faults
    ) -> tuple[int, int] | None:
        """Return the first and last token; without any, report that and return None."""
        label = f"mention {quoted(self.id)}"
        parts = [(self.start, self.end)] if self.start < self.end else []
        for tokens in find_tokens(spans, parts, label, self.line, faults):
            return tokens
        message = f"{label} has no words"
        faults(self.line, message, "it is ignored", kind=LEFT_OUT)
        return None


class TaggedText:
    """The text of a document without its tags, and its mentions.

    The text of `skipped` elements is not part of the document. Tags in `breaks` end a
    sentence, and so do line ends, unless `keeps_lines` is false.
    """

    def __init__(
        self,
        source: str,
        line: int,
        faults: Faults,
        *,
        breaks: Container[str] = (),
        skipped: Container[str] = (),
        keeps_lines: bool = True,
        decode: Callable[[str], str] = str,
    ) -> None:
        self.elements: list[MentionElement] = []  # by their start tags
        self._first_line, self._faults = line, faults
        self._keeps_lines, self._decode = keeps_lines, decode
        self._pieces: list[str] = []
        self._length = 0
        self._line_starts: list[int] = []
        self._open: list[MentionElement | None] = []  # None for invalid start tags
        self._is_skipping = False
        position = 0
        for tag in find_tags(source):
            if not tag.is_complete and tag.name != _MENTION:
                continue
            self._add_text(source[position : tag.start])
            if tag.name == _MENTION:
                self._add_mention_tag(tag)
            elif tag.name:
                # A skipped element ends at the next tag: not all have end tags.
                self._is_skipping = tag.name in skipped and not tag.is_end
                if tag.name in breaks:
                    self._append("\n")
            self._count_lines(source.count("\n", tag.start, tag.end))
            position = tag.end
        self._add_text(source[position:])
        for element in filter(None, self._open):
            element.end = self._length
            message = f"mention {quoted(element.id)} is never closed"
            faults(element.line, message, "end it with </COREF>", kind=UNPAIRED_TAG)
        self.text = "".join(self._pieces)

    def line_number(self, offset: int) -> int:
        """Return the line of the file with a character of the text."""
        return self._first_line + bisect_right(self._line_starts, offset)

    def _append(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)

    def _count_lines(self, lines: int) -> None:
        self._line_starts.extend([self._length] * lines)

    def _add_text(self, raw: str) -> None:
        for number, part in enumerate(raw.split("\n")):
            if number:
                self._append("\n" if self._keeps_lines else " ")
                self._count_lines(1)
            if part and not self._is_skipping:
                text = part if self._keeps_lines else _LINE_ENDS.sub(" ", part)
                self._append(self._decode(text))

    def _add_mention_tag(self, tag: Tag) -> None:
        line = self._first_line + len(self._line_starts)
        name = "</COREF" if tag.is_end else "<COREF"
        if not tag.is_complete:
            message = f"a {name} tag has no end"
            self._faults(line, message, "end it with >", kind=UNPAIRED_TAG)
        elif not tag.has_pairs:
            message = f"a {name} tag has an unclosed quote"
            hint = 'put the value in quotes, as in ID="5"'
            self._faults(line, message, hint, kind=UNPAIRED_TAG)
        if not tag.is_end:
            start = self._length
            element = MentionElement(tag.attributes, start, start, line)
            self._open.append(element if tag.has_pairs else None)
            if tag.has_pairs:
                self.elements.append(element)
        elif not self._open:
            message = "</COREF> without a <COREF>"
            hint = "each </COREF> needs its <COREF> before it, in the same document"
            self._faults(line, message, hint, kind=UNPAIRED_TAG)
        elif closed := self._open.pop():
            closed.end = self._length


def format_start_tag(name: str, attributes: Mapping[str, str]) -> str:
    """Format a start tag; in values only quotes are escaped."""
    values = (
        f' {key}="{value.replace(chr(34), "&quot;")}"'
        for key, value in attributes.items()
    )
    return f"<{name}{''.join(values)}>"


def choose_ids(document: Document) -> tuple[list[str], Iterator[str]]:
    """Return a unique id for each entity, its own if possible, and unused ids."""
    entity_ids = {entity.id for entity in document.entities}
    unused = (str(number) for number in count(1) if str(number) not in entity_ids)
    ids: dict[str, None] = {}
    for entity in document.entities:
        is_valid = bool(entity.id) and entity.id == entity.id.strip()
        ids[entity.id if is_valid and entity.id not in ids else next(unused)] = None
    return list(ids), unused


def tag_mentions(
    document: Document,
    sentences: Iterable[Sequence[str]],
    choose_attributes: Callable[[int, Mention, bool], Mapping[str, str]],
    special: Container[str],
    name: str = "COREF",
) -> Iterator[list[str]]:
    """Put start and end tags of mentions around the words of sentences.

    Of the mentions that start at a word, the longest is first. `choose_attributes`
    returns the ID and similar attributes of a mention, given the number of its entity,
    and whether it is its first mention in the text; `special` ones are not written.
    """
    rows = [
        (mention.start, -mention.end, entity, number)
        for entity, mentions in enumerate(document)
        for number, mention in enumerate(mentions)
    ]
    start_tags: dict[int, str] = {}
    end_tags: dict[int, str] = {}
    started: set[int] = set()
    for start, end, entity, number in sorted(rows):
        mention = document.entities[entity].mentions[number]
        attributes = {**choose_attributes(entity, mention, entity not in started)}
        started.add(entity)
        for key, value in mention.attributes.items():
            if key not in special and _ATTRIBUTE_NAME.fullmatch(key):
                attributes[key.upper()] = escape(value, quote=False)
        tag = format_start_tag(name, attributes)
        start_tags[start] = start_tags.get(start, "") + tag
        end_tags[-end] = end_tags.get(-end, "") + f"</{name}>"
    tokens = count()
    for sentence in sentences:
        yield [
            f"{start_tags.get(token, '')}{word}{end_tags.get(token, '')}"
            for word, token in zip(sentence, tokens, strict=False)
        ]
