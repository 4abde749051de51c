"""MUC-6 and MUC-7 coreference: SGML with each mention a COREF element.

1.  A file has `<DOC>` elements, each a document. Its id is in `<DOCID>` or
    `<DOCNO>`; where both are missing, the name of the file is the id.
2.  All text of the document is read, except that of DOCID, DOCNO and STORYID.
    Tags and references are found by the rules of `corefkit.formats.inline.tags`.
3.  The text is cut into tokens after all tags are removed: no COREF changes the
    tokens. A mention that begins or ends inside a token takes all of it.
4.  A sentence ends at `<s>` and `</s>` where the document has these, else at the end
    of a line; in both cases also at the tags of paragraphs, headlines and the like.
5.  `<COREF ID="5" TYPE="IDENT" REF="3">` is a mention that is linked to mention 3,
    which may come before or after it. Mentions that links join, directly or through
    others, are an entity; a mention without links is one by itself. The entity is
    named after the ID of its first mention.
6.  A link without TYPE is one of IDENT. Links of other types are not read.
7.  `MIN="a|b"` is the least that a response must have: of the strings between bars,
    the first that is found among the mention's tokens, where it is found first. A
    minimum of one token is the mention's head.
8.  Other attributes, such as `STATUS="OPT"`, are kept under their lower-case names.

Refused are a COREF without ID, an ID that occurs twice, a REF to no mention of the
document, elements that are not closed, and end tags of what was not opened.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING

import corefkit.formats.inline.tags as sgml
from corefkit.exceptions import quoted
from corefkit.formats.base import ATTRIBUTES, MINIMA, TEXT_MARKS, Writer
from corefkit.formats.documents import Extent, Parsed, connected, document_reader
from corefkit.formats.inline.markup import (
    Rules,
    edges,
    label,
    markup,
    other_attributes,
    source_text,
    spanned,
)
from corefkit.formats.kinds import LEFT_OUT
from corefkit.formats.lines import written_sentences
from corefkit.formats.plaintext import PlainText
from corefkit.model import Document, Entity, Mention
from corefkit.strings.ids import bare_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Faults
    from corefkit.formats.inline.markup import Element

_DOCUMENT = re.compile(rb"<DOC(?=[\s>])", re.IGNORECASE)
_MENTION = re.compile(rb"<COREF\s[^<>]*\bID\s*=", re.IGNORECASE)
# Of MUC-6; a response without a single mention has them too, texts of others do not.
_NAMES = (b"<txt>", b"<s>")
_PART = re.compile(rb"<TEXT\s[^<>]*\bPART(?:NO|ID)\s*=", re.IGNORECASE)
_ID = re.compile(rb"<DOC(?:ID|NO)(?=[\s>])[^<>]*>([^<]*)<", re.IGNORECASE)
_SENTENCE = re.compile(r"<s[\s>]", re.IGNORECASE)
_HEADER = frozenset({"docid", "docno", "storyid"})
# A name that is not here may stand inside a word, as those of named entities do.
_ENDING = _HEADER | {
    *("an", "author", "body", "co", "comment", "date", "dateline", "dd", "doc", "g"),
    *("gv", "header", "headline", "hl", "in", "nwords", "p", "preamble", "s", "slug"),
    *("so", "text", "trailer", "txt"),
}
_OWN_ATTRIBUTES = frozenset({"id", "ref", "type", "min"})
_ENDINGS = (".muc", ".sgml", ".sgm")


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like MUC SGML.

    Source texts of ACE have the same tags, but no mentions.
    """
    if not head.lstrip().startswith(b"<") or not _DOCUMENT.search(head):
        return False
    if _PART.search(head):
        return False
    small = head.lower()
    return bool(_MENTION.search(head)) or all(name in small for name in _NAMES)


def extents(file: ByteFile, faults: Faults) -> Iterator[Extent]:
    """Iterate over the DOC elements of a file."""
    opened: Extent | None = None
    for edge in edges(file, "DOC"):
        if opened is not None:
            opened = _ended(file, opened, edge.start)
            if not edge.closing:
                _report_open(file, opened, faults)
            yield opened
        elif edge.closing:
            line = file.line_number(edge.start)
            faults(line, "</DOC> closes nothing", "a document begins with <DOC>")
        opened = None if edge.closing else Extent("", edge.start, edge.start)
    if opened is not None:
        opened = _ended(file, opened, file.size)
        _report_open(file, opened, faults)
        yield opened


def _ended(file: ByteFile, opened: Extent, end: int) -> Extent:
    found = _ID.search(file.read(opened.start, end))
    name = sgml.decoded(found[1].decode("utf-8", "replace")) if found else ""
    title = " ".join(name.split()) or bare_name(file.name, *_ENDINGS)
    return Extent(title, opened.start, end)


def _report_open(file: ByteFile, extent: Extent, faults: Faults) -> None:
    message = f"document {quoted(extent.id)} is never closed"
    faults(file.line_number(extent.start), message, "end it with </DOC>")


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Read a DOC element."""
    source = source_text(file, extent, faults)
    lines = _SENTENCE.search(source) is None
    rules = Rules(ending=_ENDING, skipped=_HEADER, lines=lines, read=sgml.decoded)
    first_line = file.line_number(extent.start)
    found = markup(source, rules, line=first_line, faults=faults)
    text = PlainText(found.text)
    entity = _linked(found.elements, faults)
    groups: dict[int, tuple[str, list[Mention]]] = {}
    for number, mention in _mentions(found.elements, text, faults):
        name = _id(found.elements[number])
        groups.setdefault(entity[number], (name, []))[1].append(mention)
    entities = tuple(Entity(name, tuple(group)) for name, group in groups.values())
    document = Document(extent.id, text.sentences, entities)
    return Parsed(document, [found.line(span.start) for span in text.spans])


def _linked(elements: Sequence[Element], faults: Faults) -> dict[int, int]:
    """Number the entity of each mention, by the number of the mention."""
    numbers = _numbers(elements, faults)
    links = []
    for number, element in enumerate(elements):
        antecedent = _antecedent(element, faults)
        if antecedent in numbers:
            links.append((numbers[antecedent], number))
        elif antecedent is not None:
            message = f"REF {quoted(antecedent)} is the ID of no mention"
            hint = "REF is the ID of another COREF in the same document"
            faults(element.line, message, hint)
    groups = connected(range(len(elements)), links)
    return {number: entity for entity, row in enumerate(groups) for number in row}


def _numbers(elements: Sequence[Element], faults: Faults) -> dict[str, int]:
    """Number the mentions by their IDs."""
    numbers: dict[str, int] = {}
    for number, element in enumerate(elements):
        name = _id(element)
        if not name:
            hint = 'each mention needs an ID of its own: <COREF ID="5">'
            faults(element.line, "a COREF has no ID", hint)
        elif name in numbers:
            message = f"ID {quoted(name)} is repeated in the document"
            hint = f"it first occurs in line {elements[numbers[name]].line}"
            faults(element.line, message, hint)
        else:
            numbers[name] = number
    return numbers


def _id(element: Element) -> str:
    return sgml.decoded(element.attributes.get("id", "")).strip()


def _antecedent(element: Element, faults: Faults) -> str | None:
    """Return the ID that a mention is linked to, if it is."""
    if "ref" not in element.attributes:
        return None
    kind = element.attributes.get("type", "IDENT").strip()
    if kind.upper() != "IDENT":
        message = f"mention {label(element)} has a link of type {quoted(kind)}"
        hint = "only links of type IDENT are coreference; this one is not read"
        faults(element.line, message, hint, kind=LEFT_OUT)
        return None
    return sgml.decoded(element.attributes["ref"]).strip()


def _mentions(
    elements: Sequence[Element], text: PlainText, faults: Faults
) -> list[tuple[int, Mention]]:
    """Number the mentions by element, in the order of the text, outer ones first."""
    minima = _Minima(text)
    mentions = []
    for number, element in enumerate(elements):
        span = spanned(element, text.spans, faults)
        if span is None:
            continue
        minimum = _minimum(element, span, minima, faults)
        mention = Mention(
            *span,
            head=minimum[0] if minimum and minimum[0] == minimum[1] else None,
            minimum=minimum,
            attributes=other_attributes(element.attributes, _OWN_ATTRIBUTES),
        )
        mentions.append((number, mention))
    # Mentions that took whole tokens may have left the order of their tags.
    mentions.sort(key=lambda row: (row[1].start, -row[1].end))
    return mentions


def _minimum(
    element: Element, span: tuple[int, int], minima: _Minima, faults: Faults
) -> tuple[int, int] | None:
    value = element.attributes.get("min", "")
    if not value.strip():
        return None
    # A bar that belongs to the text is written as a reference.
    for choice in value.split("|"):
        found = minima.find(sgml.decoded(choice), *span)
        if found is not None:
            return found
    message = f"MIN {quoted(sgml.decoded(value))} is not in mention {label(element)}"
    hint = "MIN is a string of the mention's words; it is left out"
    faults(element.line, message, hint, kind=LEFT_OUT)
    return None


class _Minima:
    """The words of a document, to find strings of them in mentions."""

    def __init__(self, text: PlainText) -> None:
        words = [word for sentence in text.sentences for word in sentence]
        self._text = "\n".join(["", *words, ""])
        self._starts = list(accumulate((len(word) + 1 for word in words), initial=0))

    def find(self, string: str, start: int, end: int) -> tuple[int, int] | None:
        """Return the first and last token of a string where it first stands."""
        words = [word for line in PlainText(string).sentences for word in line]
        sought = "\n".join(["", *words, ""])
        place = self._text.find(sought, self._starts[start], self._starts[end + 1] + 1)
        if not words or place < 0:
            return None
        token = bisect_left(self._starts, place)
        return token, token + len(words) - 1


def _text(document: Document) -> Iterator[str]:
    """Write a document; the later mentions of an entity are linked to its first."""
    name = sgml.encoded(" ".join(document.id.split()))
    yield f"<DOC>\n<DOCID> {name} </DOCID>\n<TXT>\n" if name else "<DOC>\n<TXT>\n"
    sentences = [
        [" ".join(word.split()) or "_" for word in sentence]
        for sentence in written_sentences(document)
        if sentence
    ]
    words = [word for sentence in sentences for word in sentence]
    tags = _start_tags(document, words if document.sentences else [])
    escaped = [[sgml.encoded(word) for word in sentence] for sentence in sentences]
    for sentence in sgml.tagged(escaped, tags):
        yield f"<s> {' '.join(sentence)} </s>\n"
    yield "</TXT>\n</DOC>\n"


def _start_tags(document: Document, words: Sequence[str]) -> list[tuple[Mention, str]]:
    """Return mentions and their start tags; the first of an entity has its id."""
    ids, free = sgml.entity_ids(document)
    found = []
    for entity, mention, first in sgml.written_order(document):
        attributes = {"ID": sgml.encoded(ids[entity] if first else next(free))}
        if not first:
            attributes |= {"TYPE": "IDENT", "REF": sgml.encoded(ids[entity])}
        if mention.minimum is not None and words:
            start, end = mention.minimum
            minimum = sgml.encoded(" ".join(words[start : end + 1]))
            attributes["MIN"] = minimum.replace("|", "&#124;")
        attributes |= sgml.written_attributes(mention, _OWN_ATTRIBUTES)
        found.append((mention, sgml.start_tag("COREF", attributes)))
    return found


READER = document_reader(extents, parse, running=True)
WRITER = Writer(alters=TEXT_MARKS, carries=frozenset({MINIMA, ATTRIBUTES}), text=_text)
