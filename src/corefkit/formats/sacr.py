"""SACR: running text with mentions in braces.

`docs/formats/xml.md` defines the format. Lines that start with `#`, and lines of
asterisks, are not text. Annotation is removed from the text, which is then split into
tokens, also where mentions begin and end. A mention closes in its paragraph.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import quoted
from corefkit.formats import problems as kinds
from corefkit.formats import source as base
from corefkit.formats.plaintext import PlainText, read_source
from corefkit.formats.source import Parsed
from corefkit.model import Document, Mention
from corefkit.strings import get_stem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Faults
    from corefkit.formats.source import Extent

_PROPERTY = r'\w+=(?:\w+|"(?:\\"|[^"])*")'
_OPENING = rf"\{{(?P<name>[-\w]+)(?P<list>:(?:{_PROPERTY}[,;]?)*)?\s"
_PART = re.compile(  # others end a paragraph
    rf"^[ \t]*(?:\#.*|\*+[ \t\r]*)$|^[ \t\r]*$|(?P<wrap>\\n)"
    rf"|(?P<opening>{_OPENING})|(?P<closing>\}})|(?P<brace>\{{)",
    re.MULTILINE,
)
_PAIR = re.compile(r'(\w+)=(?:(\w+)|"((?:\\"|[^"])*)")')
_METADATA = re.compile(
    rb"(?mi)^#(?:title|text_?id|textmetadata|additionn?al_?token|part-heading"
    rb"|(?:DEFAULT)?COLOR|TOKENIZATION-TYPE) *:"
    rb'|\{[-\w]+:\w+=(?:\w+|")'
)
_ID = re.compile(rb"(?mi)^#text_?id *: *(.*\S)")
_SHAPE = 'a mention is {entity text} or {entity:name="value" text}'


class _Bracketed(NamedTuple):
    line: int
    start: int  # offsets of its text
    end: int  # -1 while the mention is open
    entity: str
    attributes: dict[str, str]


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like SACR."""
    return _METADATA.search(head) is not None


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Parse the text with its annotation."""
    pieces: list[str] = []
    rows = list(_read_mentions(read_source(file, extent, faults), pieces, faults))
    plain = PlainText("".join(pieces), (edge for row in rows for edge in row[1:3]))
    mentions: list[tuple[str, Mention]] = []
    for row in rows:
        tokens = plain.list_tokens(row.start, row.end)
        if tokens:
            mention = Mention(tokens[0], tokens[-1], attributes=row.attributes)
            mentions.append((row.entity, mention))
        else:
            message = f"the mention of {quoted(row.entity)} covers no word"
            faults(row.line, message, _SHAPE, kind=kinds.INVALID_SPAN)
    document = Document(extent.id, plain.sentences, base.group_entities(mentions))
    return Parsed(document, plain.list_lines())


def _read_mentions(
    source: str, pieces: list[str], faults: Faults
) -> Iterator[_Bracketed]:
    """Iterate over the mentions, and add the text without annotation to `pieces`."""
    opened: list[_Bracketed] = []
    size = position = 0
    line = 1
    for match in _PART.finditer(source):
        line += source.count("\n", position, match.start())
        pieces.append(source[position : match.start()])
        size += match.start() - position
        position = match.end()
        if match["opening"]:
            attributes = {
                name: word or text.replace('\\"', '"')
                for name, word, text in _PAIR.findall(match["list"] or "")
            }
            opened.append(_Bracketed(line, size, -1, match["name"], attributes))
        elif match["closing"] and opened:
            yield opened.pop()._replace(end=size)
        elif match["closing"] or match["brace"]:
            message = f"{quoted(match[0])} belongs to no mention"
            faults(line, message, _SHAPE, kind=kinds.UNPAIRED)
        elif match["wrap"]:
            pieces.append("  ")
            size += len("  ")
        else:
            _report_open(opened, faults)
        line += match[0].count("\n")
    pieces.append(source[position:])
    _report_open(opened, faults)


def _report_open(opened: list[_Bracketed], faults: Faults) -> None:
    """Report mentions that are open at the end of a paragraph, and forget them."""
    for mention in opened:
        message = f"the mention of {quoted(mention.entity)} does not close"
        faults(mention.line, message, _SHAPE, kind=kinds.UNPAIRED)
    opened.clear()


def _get_id(file: ByteFile) -> str:
    match = _ID.search(file.head)
    return match[1].decode("utf-8", "replace") if match else get_stem(file.name)


READER = base.make_reader(base.make_file_extents(_get_id), parse, running=True)
