"""The text that an APF file points into, read and written, and APF written.

The rules are those in `corefkit.formats.xml.apf`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import FormatError, quoted
from corefkit.formats.bytefile import ByteFile
from corefkit.formats.faults import SAVE_AS_UTF8
from corefkit.formats.kinds import NOT_UTF8
from corefkit.formats.lines import written_sentences
from corefkit.formats.plaintext import PlainText, Span, joined
from corefkit.formats.xml.elements import attributes, escaped
from corefkit.strings.ids import bare_name, safe_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from corefkit.formats.faults import Faults
    from corefkit.formats.xml.elements import Element
    from corefkit.model import Document, Entity, Mention

ENDINGS = (".apf.xml", ".xml")
_TEXT_ENDINGS = (".sgm", ".sgml")
# Nothing is tried twice (`*+`): a text may be one long tag that never ends.
_TAG = re.compile(r"</?([A-Za-z][\w.-]*+)[^<>]*+>|<[!?][^<>]*+>")
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#x[0-9A-Fa-f]{1,6}|[A-Za-z]\w{1,7});", re.ASCII)
_SURROGATES = re.compile("[\ud800-\udfff]")
_OF_ENTITIES = {"type": "TYPE", "SUBTYPE": "SUBTYPE", "CLASS": "CLASS"}
_ABOUT = frozenset({"DOCID", "DOCNO", "DOCTYPE", "DATETIME", "DATE_TIME"})


class Text(NamedTuple):
    """The text of a file: its characters, as offsets count them, and its tokens."""

    characters: str
    plain: PlainText


def text_beside(file: ByteFile, root: Element, faults: Faults) -> Text | None:
    """Read the text next to a file, and report where it is missing."""
    paths = list(_paths(file, root))
    for path in paths:
        try:
            with ByteFile(path) as opened:
                data = opened.read(opened.text_start, opened.size)
        except FormatError:
            continue
        try:
            return _text(data.decode())
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            message = "the line has bytes that are not UTF-8"
            faults.of(str(path))(line, message, SAVE_AS_UTF8, kind=NOT_UTF8)
            return None
    names = " or ".join(dict.fromkeys(quoted(path.name) for path in paths))
    message = f"the text is missing, expected {names} in the same folder"
    faults(root.line, message, "put the SGML file next to this one")
    return None


def _paths(file: ByteFile, root: Element) -> Iterator[Path]:
    folder = Path(file.name).parent
    for ending in _TEXT_ENDINGS:
        yield folder / f"{bare_name(file.name, *ENDINGS)}{ending}"
    # Of an address only the name counts: what is elsewhere is not looked for.
    name = root.get("URI").replace("\\", "/").rpartition("/")[2]
    if name not in ("", ".", ".."):
        yield folder / name


def _text(sgml: str) -> Text:
    r"""Remove the tags of a text.

    >>> _text("<DOC>\n<DOCID> d </DOCID>\n<TEXT>A&amp;B</TEXT>\n").plain.sentences
    (('A', '&', 'B'),)
    """
    sgml = sgml.replace("\r\n", "\n")
    counted: list[str] = []
    visible: list[str] = []
    hidden, end = "", 0
    for tag in _TAG.finditer(sgml):
        piece = sgml[end : tag.start()]
        counted.append(piece)
        visible.append(re.sub(r"[^\n]", " ", piece) if hidden else piece)
        end = tag.end()
        name, closing = (tag[1] or "").upper(), tag[0].startswith("</")
        if hidden:
            hidden = "" if closing and name == hidden else hidden
        elif name in _ABOUT and not closing:
            hidden = name
    counted.append(sgml[end:])
    visible.append(sgml[end:])
    plain = PlainText(_REFERENCE.sub(_padded, "".join(visible)))
    return Text("".join(counted), plain)


def _padded(reference: re.Match[str]) -> str:
    """Replace a reference by its character, and pad with blanks to keep the length."""
    character = unescaped(reference[0])
    return character.ljust(len(reference[0])) if len(character) == 1 else reference[0]


def unescaped(text: str) -> str:
    """Replace the references of a text by their characters."""
    from html import unescape

    return unescape(text)


def apf_files(document: Document) -> Iterator[tuple[str, str]]:
    """Write a document; where there are no words, `_` stands for each."""
    name = escaped(document.id)
    front = f"<DOC>\n<DOCID> {name} </DOCID>\n<BODY>\n<TEXT>\n"
    # No file can have half a character.
    sentences = [
        [_SURROGATES.sub("\ufffd", word) for word in words]
        for words in written_sentences(document)
    ]
    text, spans = joined(sentences)
    body, written = _escaped_text(text, spans, len(_TAG.sub("", front)))
    address = escaped(f"{safe_name(document.id)}{_TEXT_ENDINGS[0]}")
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<source_file URI="{address}" TYPE="text" VERSION="5.1.1" ENCODING="UTF-8">',
        f'<document DOCID="{name}">',
    ]

    def charseq(first: int, last: int) -> str:
        start, end = written[first].start, written[last].end
        inside = escaped(text[spans[first].start : spans[last].end])
        return f'<charseq START="{start}" END="{end - 1}">{inside}</charseq>'

    for entity in document.entities:
        lines.extend(_entity_lines(entity, charseq))
    lines += ["</document>", "</source_file>", ""]
    yield ".apf.xml", "\n".join(lines)
    yield _TEXT_ENDINGS[0], f"{front}{body}</TEXT>\n</BODY>\n</DOC>\n"


def _escaped_text(text: str, spans: list[Span], start: int) -> tuple[str, list[Span]]:
    """Write text for SGML; return the characters of each token there too."""
    places = [start]
    pieces = []
    for character in text:
        piece = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}.get(character, character)
        pieces.append(piece)
        places.append(places[-1] + len(piece))
    return "".join(pieces), [Span(places[start], places[end]) for start, end in spans]


def _entity_lines(entity: Entity, charseq: Callable[[int, int], str]) -> Iterator[str]:
    shared = {
        name: entity.mentions[0].attributes.get(name, "") if entity.mentions else ""
        for name in _OF_ENTITIES
    }
    own = attributes(
        {_OF_ENTITIES[name]: value for name, value in shared.items() if value}
    )
    yield f'<entity ID="{escaped(entity.id) or "_"}"{own}>'
    for number, mention in enumerate(entity.mentions, start=1):
        name = escaped(f"{entity.id}-{number}")
        yield f'  <entity_mention ID="{name}"{_mention_attributes(mention, shared)}>'
        yield f"    <extent>{charseq(mention.start, mention.end)}</extent>"
        head = mention.minimum
        if head is None and mention.head is not None:
            head = mention.head, mention.head
        if head is not None:
            yield f"    <head>{charseq(*head)}</head>"
        yield "  </entity_mention>"
    yield "</entity>"


def _mention_attributes(mention: Mention, shared: Mapping[str, str]) -> str:
    kind = mention.attributes.get("mention_type", "")
    first = attributes({"TYPE": kind}) if kind else ""
    if mention.minimum and mention.head not in (None, mention.minimum[1]):
        first += f' head="{mention.head - mention.start + 1}"'
    other = {name: "" for name, value in shared.items() if value} | dict(
        mention.attributes
    )
    rest = {
        name: value
        for name, value in other.items()
        if name != "mention_type" and value != shared.get(name)
    }
    return first + attributes(rest, taken=("ID", "TYPE", "head"))
