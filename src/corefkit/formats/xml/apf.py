"""ACE program format (APF): entities in XML that point into a text next to it.

1.  The outermost element is `source_file`; it holds one `document`, which `DOCID`
    names. Without `DOCID` the document is named after the file.
2.  The text is in an SGML file in the same folder: the one with the same name and
    another ending (`x.apf.xml`, `x.sgm`), or else the one that `URI` names.
3.  Offsets count the characters of that text from 0, with all tags removed: line ends
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
    mention's `TYPE` its kind. All other attributes except `ID`, of the entity and of
    the mention, keep their names; those that are empty are left out, and where both
    have one the mention's counts. There `type` is the mention's own type.
10. Relations, events, values, times (`timex2`) and `entity_attributes` are not read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import corefkit.formats.xml.elements as xml
from corefkit.exceptions import quoted
from corefkit.formats import base, documents
from corefkit.formats.kinds import CUT_TOKEN, LEFT_OUT
from corefkit.formats.xml.apf_text import (
    ENDINGS,
    Text,
    apf_files,
    text_beside,
    unescaped,
)
from corefkit.model import Document, Mention
from corefkit.strings.ids import bare_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Faults

_NUMBER = re.compile(r"\s*([0-9]{1,15})\s*")
_OFFSETS = "offsets count the characters of the text from 0, without tags, END included"


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like ACE's program format."""
    signs = b"<source_file", b"<document"
    return head.lstrip().startswith(b"<") and all(sign in head for sign in signs)


def _name(file: ByteFile) -> str:
    name = bare_name(file.name, *ENDINGS)
    return xml.head_attribute(file, "document", "DOCID") or name


def parse(file: ByteFile, extent: documents.Extent, faults: Faults) -> documents.Parsed:
    """Read the document, and the text next to the file."""
    root = xml.read_xml(file, faults, root="source_file")
    text = None if root is None else text_beside(file, root, faults)
    if root is None or text is None:
        return documents.Parsed(Document(extent.id, (), ()), ())
    mentions = []
    lines = [root.line] * len(text.plain.spans)
    for element in _entities(root, faults):
        known = _entity_attributes(element)
        for part in element.all("entity_mention"):
            mention = _mention(part, known, text, faults)
            if mention is not None:
                mentions.append((element.get("ID"), mention))
                if lines[mention.start] == root.line:
                    lines[mention.start] = part.line
    entities = documents.grouped_entities(mentions)
    return documents.Parsed(Document(extent.id, text.plain.sentences, entities), lines)


def _entities(root: xml.Element, faults: Faults) -> Iterator[xml.Element]:
    inside = list(root.all("document"))
    if len(inside) != 1:
        line = inside[1].line if inside else root.line
        faults(line, f"found {len(inside)} documents, expected one a file")
    seen: set[str] = set()
    for element in (entity for part in inside for entity in part.all("entity")):
        name = element.get("ID")
        if not name:
            faults(element.line, "found an entity without ID", "give it an ID")
        elif name in seen:
            message = f"entity {quoted(name)} is repeated"
            faults(element.line, message, "each entity is one element, with its own ID")
        seen.add(name)
        yield element


def _mention(
    element: xml.Element, known: Mapping[str, str], text: Text, faults: Faults
) -> Mention | None:
    extent = element.first("extent")
    if extent is None:
        faults(element.line, "found a mention without extent", "give it an extent")
        return None
    tokens = _tokens(extent, text, faults)
    if tokens is None:
        return None
    head = element.first("head")
    minimum = None if head is None else _tokens(head, text, faults)
    if minimum is not None and not tokens[0] <= minimum[0] <= minimum[1] <= tokens[1]:
        line = element.line if head is None else head.line
        message = f"the head of mention {quoted(element.get('ID'))} is not inside it"
        faults(line, message, "the head is left out", kind=LEFT_OUT)
        minimum = None
    last = None if minimum is None else minimum[1]
    stated = _NUMBER.fullmatch(element.get("head"))
    if last is not None and stated is not None:
        inside = 0 < int(stated[1]) <= tokens[1] - tokens[0] + 1
        last = tokens[0] + int(stated[1]) - 1 if inside else last
    known = {**known, **_named(element, "mention_type")}
    attributes = {name: value for name, value in known.items() if value}
    return Mention(*tokens, head=last, minimum=minimum, attributes=attributes)


def _named(element: xml.Element, kind: str) -> dict[str, str]:
    return {
        kind if name == "TYPE" else xml.from_name(name): value
        for name, value in element.attributes.items()
        if name not in ("ID", "head")
    }


def _entity_attributes(element: xml.Element) -> dict[str, str]:
    known = _named(element, "type")
    older = element.first("entity_type")
    if older is not None:
        known = {"type": older.text.strip()} | older.attributes | known
    return known


def _tokens(part: xml.Element, text: Text, faults: Faults) -> tuple[int, int] | None:
    """Return the first and last token of an extent or head."""
    charseq = part.first("charseq")
    start = _offset(charseq, "START")
    last = _offset(charseq, "END")
    if charseq is None or start is None or last is None:
        message = f"the {part.name} has no START and END, expected two numbers"
        faults(part.line, message, _OFFSETS)
        return None
    where = f"characters {start} to {last}"
    if not start <= last < len(text.characters):
        message = f"{where} are not in the text, which has {len(text.characters)}"
        faults(charseq.line, message, _OFFSETS)
        return None
    covered = text.characters[start : last + 1]
    if charseq.text.strip() and not _is_same(charseq.text, covered):
        message = f"{where} are {quoted(covered)}, but the {part.name} says "
        faults(charseq.line, message + quoted(charseq.text), _OFFSETS)
        return None
    tokens = text.plain.tokens(start, last + 1)
    if tokens is None:
        faults(charseq.line, f"{where} have no token of the text", _OFFSETS)
    elif text.plain.cuts(start, last + 1):
        message = f"{where} begin or end inside a token: {quoted(covered)}"
        faults(charseq.line, message, "the whole token is taken", kind=CUT_TOKEN)
    return tokens


def _offset(charseq: xml.Element | None, name: str) -> int | None:
    if charseq is None:
        return None
    older = charseq.first(name.lower())
    match = _NUMBER.fullmatch(charseq.get(name) if older is None else older.text)
    return None if match is None else int(match[1])


def _is_same(said: str, covered: str) -> bool:
    """Return whether a charseq has the text; XML's own references are read already."""
    text = _bare(unescaped(covered))
    return text in (_bare(said), _bare(unescaped(said)))


def _bare(text: str) -> str:
    return xml.legal("".join(text.split()))


READER = documents.document_reader(documents.whole_file(_name), parse, running=True)
WRITER = base.Writer(
    alters=base.TEXT_MARKS,
    carries=base.CROSSINGS | {base.HEADS, base.MINIMA, base.TYPES, base.ATTRIBUTES},
    files=apf_files,
)
