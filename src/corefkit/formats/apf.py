"""ACE program format (APF): entities in XML, that point into a text beside it.

1.  The outermost element is `source_file`; it holds one `document`, which `DOCID`
    names. Without `DOCID` the document is called as the file.
2.  The text is in an SGML file in the same folder: the one that is called as this file
    but for its ending (`x.apf.xml`, `x.sgm`), or else the one that `URI` names.
3.  Offsets count the characters of that text from 0, with all tags taken out: line ends
    count as one character, references such as `&amp;` as they are written. Both ends
    are included.
4.  What is in the elements DOCID, DOCNO, DOCTYPE, DATETIME and DATE_TIME counts for
    offsets, but has no tokens: it is about the document, not in it. References are the
    characters that they stand for.
5.  `entity` has an `ID` and elements `entity_mention`, each with an `extent` and maybe
    a `head`. Both have a `charseq`: with the attributes `START` and `END` and the text
    inside (versions 4 and 5), or with the elements `start` and `end` (2002 and 2003).
6.  Text inside a `charseq` must be what the offsets cover; blanks and line ends are
    the same, and references the same as their characters.
7.  The head's tokens are the mention's minimum, the last of them is its head: ACE's
    heads are whole names. A head outside the extent is reported and left out. Where the
    last token is not the head, an attribute `head` of the mention says which of its
    tokens is, counted from 1.
8.  A mention that begins or ends inside a token has all of it, and is reported.
9.  The entity's `TYPE`, or its element `entity_type`, is the mention's type, and the
    mention's `TYPE` its kind. All other attributes but `ID`, of the entity and of the
    mention, keep their names; those that are empty are left out, and where both have
    one the mention's counts. There `type` is the mention's own type.
10. Relations, events, values, times (`timex2`) and `entity_attributes` are not read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import FormatError, quoted
from corefkit.formats.base import (
    ATTRIBUTES,
    CROSSING,
    CROSSING_ITS_OWN,
    HEADS,
    MINIMA,
    TYPES,
    Writer,
)
from corefkit.formats.documents import Extent, Parsed, document_reader
from corefkit.formats.plaintext import PlainText, Span, joined
from corefkit.formats.source import Problem
from corefkit.formats.xmlfile import (
    Element,
    Report,
    attributes,
    escaped,
    from_name,
    head_attribute,
    legal,
    read_xml,
    stem,
)
from corefkit.model import Document, Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.documents import Fault

# Nothing is tried twice (`*+`): a text may be one long tag that never ends.
_TAG = re.compile(r"</?([A-Za-z][\w.-]*+)[^<>]*+>|<[!?][^<>]*+>")
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#x[0-9A-Fa-f]{1,6}|[A-Za-z]\w{1,7});", re.ASCII)
_NUMBER = re.compile(r"\s*([0-9]{1,15})\s*")
_SURROGATES = re.compile("[\ud800-\udfff]")
_ABOUT = frozenset({"DOCID", "DOCNO", "DOCTYPE", "DATETIME", "DATE_TIME"})
_ENDINGS = (".apf.xml", ".xml")
_TEXT_ENDINGS = (".sgm", ".sgml")
_OF_ENTITIES = {"type": "TYPE", "SUBTYPE": "SUBTYPE", "CLASS": "CLASS"}
_OFFSETS = "offsets count the characters of the text from 0, without tags, END included"


def recognise(head: bytes) -> bool:
    """Say whether the first bytes of a file look like ACE's program format."""
    return (
        head.lstrip().startswith(b"<")
        and b"<source_file" in head
        and b"<document" in head
    )


def extents(file: ByteFile, fault: Fault) -> Iterator[Extent]:
    """Give the one document of a file."""
    del fault  # what is wrong with the file, parsing tells
    name = head_attribute(file, "document", "DOCID") or stem(file, *_ENDINGS)
    yield Extent(name, file.text_start, file.size)


def parse(file: ByteFile, extent: Extent, fault: Fault) -> Parsed:
    """Read the document, and the text beside the file."""
    report = Report(file, fault)
    nothing = Parsed(Document(extent.id, (), ()), ())
    root = read_xml(file, report, root="source_file")
    if root is None:
        return nothing
    text = _text_beside(file, root, report, fault)
    if text is None:
        return nothing
    entities: dict[str, list[Mention]] = {}
    lines = [root.line] * len(text.plain.spans)
    for element in _entities(root, report):
        known = _entity_attributes(element)
        mentions = entities.setdefault(element.get("ID"), [])
        for part in element.all("entity_mention"):
            mention = _mention(part, known, text, report)
            if mention is not None:
                mentions.append(mention)
                if lines[mention.start] == root.line:
                    lines[mention.start] = part.line
    found = tuple(Entity(name, tuple(one)) for name, one in entities.items() if one)
    return Parsed(Document(extent.id, text.plain.sentences, found), lines)


def _entities(root: Element, report: Report) -> Iterator[Element]:
    documents = list(root.all("document"))
    if len(documents) != 1:
        line = documents[1].line if documents else root.line
        report(line, f"found {len(documents)} documents, expected one a file")
    seen: set[str] = set()
    for element in (entity for one in documents for entity in one.all("entity")):
        name = element.get("ID")
        if not name:
            report(element.line, "found an entity without ID", "give it an ID")
        elif name in seen:
            message = f"entity {quoted(name)} was there before"
            report(element.line, message, "each entity is one element, with its own ID")
        seen.add(name)
        yield element


class _Text(NamedTuple):
    """The text beside a file: its characters, as offsets count them, and its tokens."""

    characters: str
    plain: PlainText


def _text_beside(
    file: ByteFile, root: Element, report: Report, fault: Fault
) -> _Text | None:
    from corefkit.formats.bytefile import ByteFile

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
            fault(Problem(str(path), line, message, "save the file as UTF-8"))
            return None
    names = " or ".join(dict.fromkeys(quoted(path.name) for path in paths))
    message = f"the text is not there, expected {names} in the same folder"
    report(root.line, message, "put the SGML file beside this one")
    return None


def _paths(file: ByteFile, root: Element) -> Iterator[Path]:
    from pathlib import Path

    folder = Path(file.name).parent
    for ending in _TEXT_ENDINGS:
        yield folder / f"{stem(file, *_ENDINGS)}{ending}"
    # Of an address only the name counts: what is elsewhere is not looked for.
    name = root.get("URI").replace("\\", "/").rpartition("/")[2]
    if name not in ("", ".", ".."):
        yield folder / name


def _text(sgml: str) -> _Text:
    r"""Take the tags out of a text.

    >>> _text("<DOC>\n<DOCID> d </DOCID>\n<TEXT>A&amp;B</TEXT>\n").plain.sentences
    (('A', '&', 'B'),)
    """
    sgml = sgml.replace("\r\n", "\n")
    counted: list[str] = []
    shown: list[str] = []
    hidden, end = "", 0
    for tag in _TAG.finditer(sgml):
        piece = sgml[end : tag.start()]
        counted.append(piece)
        shown.append(re.sub(r"[^\n]", " ", piece) if hidden else piece)
        end = tag.end()
        name, closing = (tag[1] or "").upper(), tag[0].startswith("</")
        if hidden:
            hidden = "" if closing and name == hidden else hidden
        elif name in _ABOUT and not closing:
            hidden = name
    counted.append(sgml[end:])
    shown.append(sgml[end:])
    plain = PlainText(_REFERENCE.sub(_padded, "".join(shown)))
    return _Text("".join(counted), plain)


def _padded(reference: re.Match[str]) -> str:
    """Put its character for a reference, and blanks to keep the length."""
    character = _unescaped(reference[0])
    return character.ljust(len(reference[0])) if len(character) == 1 else reference[0]


def _unescaped(text: str) -> str:
    from html import unescape

    return unescape(text)


def _mention(
    element: Element, known: Mapping[str, str], text: _Text, report: Report
) -> Mention | None:
    extent = element.first("extent")
    if extent is None:
        report(element.line, "found a mention without extent", "give it an extent")
        return None
    tokens = _tokens(extent, text, report)
    if tokens is None:
        return None
    head = element.first("head")
    minimum = None if head is None else _tokens(head, text, report)
    if minimum is not None and not tokens[0] <= minimum[0] <= minimum[1] <= tokens[1]:
        line = element.line if head is None else head.line
        message = f"the head of mention {quoted(element.get('ID'))} is not inside it"
        report(line, message, "the head is left out", fatal=False)
        minimum = None
    last = None if minimum is None else minimum[1]
    stated = _NUMBER.fullmatch(element.get("head"))
    if last is not None and stated is not None:
        inside = 0 < int(stated[1]) <= tokens[1] - tokens[0] + 1
        last = tokens[0] + int(stated[1]) - 1 if inside else last
    return Mention(
        *tokens,
        head=last,
        minimum=minimum,
        attributes=_attributes(known, _named(element, "mention_type")),
    )


def _attributes(*parts: Mapping[str, str]) -> dict[str, str]:
    every = {name: value for part in parts for name, value in part.items()}
    return {name: value for name, value in every.items() if value}


def _named(element: Element, kind: str) -> dict[str, str]:
    return {
        kind if name == "TYPE" else from_name(name): value
        for name, value in element.attributes.items()
        if name not in ("ID", "head")
    }


def _entity_attributes(element: Element) -> dict[str, str]:
    known = _named(element, "type")
    older = element.first("entity_type")
    if older is not None:
        known = {"type": older.text.strip()} | older.attributes | known
    return known


def _tokens(part: Element, text: _Text, report: Report) -> tuple[int, int] | None:
    """Give the first and last token of an extent or head."""
    charseq = part.first("charseq")
    start = _offset(charseq, "START")
    last = _offset(charseq, "END")
    if charseq is None or start is None or last is None:
        message = f"the {part.name} has no START and END, expected two numbers"
        report(part.line, message, _OFFSETS)
        return None
    where = f"characters {start} to {last}"
    if not start <= last < len(text.characters):
        message = f"{where} are not in the text, which has {len(text.characters)}"
        report(charseq.line, message, _OFFSETS)
        return None
    covered = text.characters[start : last + 1]
    if charseq.text.strip() and not _is_same(charseq.text, covered):
        message = f"{where} are {quoted(covered)}, but the {part.name} says "
        report(charseq.line, message + quoted(charseq.text), _OFFSETS)
        return None
    tokens = text.plain.tokens(start, last + 1)
    if tokens is None:
        report(charseq.line, f"{where} have no token of the text", _OFFSETS)
    elif text.plain.cuts(start, last + 1):
        message = f"{where} begin or end inside a token: {quoted(covered)}"
        report(charseq.line, message, "the whole token is taken", fatal=False)
    return tokens


def _offset(charseq: Element | None, name: str) -> int | None:
    if charseq is None:
        return None
    older = charseq.first(name.lower())
    match = _NUMBER.fullmatch(charseq.get(name) if older is None else older.text)
    return None if match is None else int(match[1])


def _is_same(said: str, covered: str) -> bool:
    """Say whether a charseq has the text; XML's own references are read already."""
    text = _bare(_unescaped(covered))
    return text in (_bare(said), _bare(_unescaped(said)))


def _bare(text: str) -> str:
    return legal("".join(text.split()))


def _files(document: Document) -> Iterator[tuple[str, str]]:
    from corefkit.formats.source import safe_name

    name = escaped(document.id)
    front = f"<DOC>\n<DOCID> {name} </DOCID>\n<BODY>\n<TEXT>\n"
    text, spans = joined(_sentences(document))
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


def _sentences(document: Document) -> list[list[str]]:
    """Give the words, without halves of characters that no file can have."""
    if document.sentences:
        return [
            [_SURROGATES.sub("\ufffd", word) for word in words]
            for words in document.sentences
        ]
    ends = [mention.end for entity in document for mention in entity]
    return [["_"] * (max(ends, default=-1) + 1)]


def _escaped_text(text: str, spans: list[Span], start: int) -> tuple[str, list[Span]]:
    """Write text for SGML; gives the characters of each token there too."""
    places = [start]
    pieces = []
    for character in text:
        piece = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}.get(character, character)
        pieces.append(piece)
        places.append(places[-1] + len(piece))
    return "".join(pieces), [Span(places[one], places[end]) for one, end in spans]


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


READER = document_reader(extents, parse, running=True)
WRITER = Writer(
    carries=frozenset({HEADS, MINIMA, TYPES, ATTRIBUTES, CROSSING, CROSSING_ITS_OWN}),
    files=_files,
)
