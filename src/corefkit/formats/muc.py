"""MUC-6 and MUC-7 coreference: SGML with each mention in a COREF element.

`docs/formats/xml.md` defines the format, and `corefkit.formats.sgml` its tags. Text is
split into tokens after all tags are removed, so COREF tags do not change the tokens.
`MIN="a|b"` is the first of the strings that occurs in the mention, at its first
occurrence.
"""

from __future__ import annotations

import re
from html import escape
from itertools import chain
from typing import TYPE_CHECKING

from corefkit.exceptions import quoted
from corefkit.formats import problems as kinds
from corefkit.formats import sgml
from corefkit.formats import source as base
from corefkit.formats.brackets import list_sentences
from corefkit.formats.plaintext import PlainText, read_source
from corefkit.formats.source import Extent, Parsed
from corefkit.model import Document, Entity, Mention
from corefkit.strings import get_base_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Faults
    from corefkit.formats.sgml import MentionElement

_DOCUMENT = re.compile(rb"<DOC(?=[\s>])", re.IGNORECASE)
_MENTION = re.compile(rb"<COREF\s[^<>]*\bID\s*=", re.IGNORECASE)
# A response without mentions is recognised by these tags of MUC-6.
_MUC6_TAGS = (b"<txt>", b"<s>")
_ONTONOTES_PART = re.compile(rb"<TEXT\s[^<>]*\bPART(?:NO|ID)\s*=", re.IGNORECASE)
_ID = re.compile(rb"<DOC(?:ID|NO)(?=[\s>])[^<>]*>([^<]*)<", re.IGNORECASE)
_SENTENCE = re.compile(r"<s[\s>]", re.IGNORECASE)
_METADATA = frozenset({"docid", "docno", "storyid"})
# Other tags, such as those of named entities, can be inside a sentence or word.
_BREAKS = _METADATA | {
    *("an", "author", "body", "co", "comment", "date", "dateline", "dd", "doc", "g"),
    *("gv", "header", "headline", "hl", "in", "nwords", "p", "preamble", "s", "slug"),
    *("so", "text", "trailer", "txt"),
}
_SPECIAL_ATTRIBUTES = frozenset({"id", "ref", "type", "min"})
_SUFFIXES = (".muc", ".sgml", ".sgm")


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like MUC SGML.

    Source texts of ACE have the same tags, but no mentions.
    """
    if not head.lstrip().startswith(b"<") or not _DOCUMENT.search(head):
        return False
    if _ONTONOTES_PART.search(head):
        return False
    lower = head.lower()
    return bool(_MENTION.search(head)) or all(tag in lower for tag in _MUC6_TAGS)


def find_extents(file: ByteFile, faults: Faults) -> Iterator[Extent]:
    """Iterate over the DOC elements of a file."""
    start: int | None = None  # of the open document
    end_of_file = sgml.Tag(file.size, file.size)
    for tag in chain(sgml.find_structure(file, "DOC"), [end_of_file]):
        if start is not None:
            match = _ID.search(file.read(start, tag.start))
            text = match[1].decode("utf-8", "replace") if match else ""
            document_id = " ".join(sgml.decode_references(text).split())
            document_id = document_id or get_base_name(file.name, *_SUFFIXES)
            if not tag.is_end:
                message = f"document {quoted(document_id)} is never closed"
                hint = "end it with </DOC>"
                faults.report_at(start, message, hint, kind=kinds.UNPAIRED_DOCUMENT)
            yield Extent(document_id, start, tag.start)
        elif tag.is_end:
            message, hint = "</DOC> without a <DOC>", "a document begins with <DOC>"
            faults.report_at(tag.start, message, hint, kind=kinds.UNPAIRED_DOCUMENT)
        start = None if tag.is_end else tag.start


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Parse a DOC element."""
    source = read_source(file, extent, faults)
    tagged = sgml.TaggedText(
        source,
        file.line_number(extent.start),
        faults,
        breaks=_BREAKS,
        skipped=_METADATA,
        keeps_lines=_SENTENCE.search(source) is None,
        decode=sgml.decode_references,
    )
    plain = PlainText(tagged.text)
    entity_numbers = _link_elements(tagged.elements, faults)
    groups: dict[int, tuple[str, list[Mention]]] = {}
    for number, mention in _build_mentions(tagged.elements, plain, faults):
        entity_id = tagged.elements[number].id
        group = groups.setdefault(entity_numbers[number], (entity_id, []))
        group[1].append(mention)
    entities = tuple(Entity(name, tuple(group)) for name, group in groups.values())
    document = Document(extent.id, plain.sentences, entities)
    return Parsed(document, [tagged.line_number(span.start) for span in plain.spans])


def _link_elements(elements: Sequence[MentionElement], faults: Faults) -> list[int]:
    """Return the number of the entity of each element."""
    numbers: dict[str, int] = {}
    for number, element in enumerate(elements):
        name = element.id
        if not name:
            hint = 'give each mention a unique ID, as in <COREF ID="5">'
            faults(element.line, "a COREF has no ID", hint, kind=kinds.MISSING_ID)
        elif name in numbers:
            message = f"ID {quoted(name)} is repeated in the document"
            hint = f"it first occurs in line {elements[numbers[name]].line}"
            faults(element.line, message, hint, kind=kinds.REPEATED_ID)
        else:
            numbers[name] = number
    links = []
    for number, element in enumerate(elements):
        antecedent = _find_antecedent(element, faults)
        if antecedent in numbers:
            links.append((numbers[antecedent], number))
        elif antecedent is not None:
            message = f"REF {quoted(antecedent)} refers to a missing mention"
            hint = "REF is the ID of another COREF in the same document"
            faults(element.line, message, hint, kind=kinds.UNKNOWN_ID)
    entity_numbers = [0] * len(elements)
    for entity, group in enumerate(base.group_linked(range(len(elements)), links)):
        for number in group:
            entity_numbers[number] = entity
    return entity_numbers


def _find_antecedent(element: MentionElement, faults: Faults) -> str | None:
    if "ref" not in element.attributes:
        return None
    link_type = element.attributes.get("type", "IDENT").strip()
    if link_type.upper() != "IDENT":
        message = f"mention {quoted(element.id)} has a link of type {quoted(link_type)}"
        hint = "only links of type IDENT are coreference; this one is ignored"
        faults(element.line, message, hint, kind=kinds.LEFT_OUT)
        return None
    return sgml.decode_references(element.attributes["ref"]).strip()


def _build_mentions(
    elements: Sequence[MentionElement], plain: PlainText, faults: Faults
) -> list[tuple[int, Mention]]:
    """Return mentions and their elements' numbers, in the order of the text."""
    words = list(chain.from_iterable(plain.sentences))
    mentions = []
    for number, element in enumerate(elements):
        span = element.find_span(plain.spans, faults)
        if span is None:
            continue
        minimum = _find_minimum(element, span, words, faults)
        mention = Mention(
            *span,
            head=minimum[0] if minimum and minimum[0] == minimum[1] else None,
            minimum=minimum,
            attributes=element.decode_attributes(_SPECIAL_ATTRIBUTES),
        )
        mentions.append((number, mention))
    # Taking entire tokens can change the order of mentions.
    mentions.sort(key=lambda row: (row[1].start, -row[1].end))
    return mentions


def _find_minimum(
    element: MentionElement,
    span: tuple[int, int],
    words: Sequence[str],
    faults: Faults,
) -> tuple[int, int] | None:
    """Return the span of the value of MIN; report a value not in the mention."""
    value = element.attributes.get("min", "")
    if not value.strip():
        return None
    # Bars of the text are written as references, so decoding comes second.
    for choice in value.split("|"):
        plain = PlainText(sgml.decode_references(choice))
        minimum = list(chain.from_iterable(plain.sentences))
        size = len(minimum)
        for start in range(span[0], span[1] - size + 2) if minimum else ():
            if words[start : start + size] == minimum:
                return start, start + size - 1
    string = quoted(sgml.decode_references(value))
    message = f"MIN {string} is not in mention {quoted(element.id)}"
    hint = "MIN is a string of the mention's words; it is ignored"
    faults(element.line, message, hint, kind=kinds.LEFT_OUT)
    return None


def _format_text(document: Document) -> Iterator[str]:
    """Format a document; the later mentions of an entity are linked to its first."""
    name = escape(" ".join(document.id.split()), quote=False)
    yield f"<DOC>\n<DOCID> {name} </DOCID>\n<TXT>\n" if name else "<DOC>\n<TXT>\n"
    sentences = [
        [" ".join(word.split()) or "_" for word in sentence]
        for sentence in list_sentences(document)
        if sentence
    ]
    words = list(chain.from_iterable(sentences)) if document.sentences else []
    ids, unused_ids = sgml.choose_ids(document)

    def choose_attributes(
        entity: int, mention: Mention, is_first: bool
    ) -> dict[str, str]:
        entity_id = escape(ids[entity], quote=False)
        attributes = {"ID": entity_id}
        if not is_first:
            attributes = {"ID": next(unused_ids), "TYPE": "IDENT", "REF": entity_id}
        if mention.minimum is not None and words:
            start, end = mention.minimum
            minimum = escape(" ".join(words[start : end + 1]), quote=False)
            attributes["MIN"] = minimum.replace("|", "&#124;")
        return attributes

    escaped = [
        [escape(word, quote=False) for word in sentence] for sentence in sentences
    ]
    for sentence in sgml.tag_mentions(
        document, escaped, choose_attributes, _SPECIAL_ATTRIBUTES
    ):
        yield f"<s> {' '.join(sentence)} </s>\n"
    yield "</TXT>\n</DOC>\n"


READER = base.make_reader(find_extents, parse, running=True)
WRITER = base.Writer(
    alters=base.TEXT_MARKS,
    carries=frozenset({base.MINIMA, base.ATTRIBUTES}),
    text=_format_text,
)
