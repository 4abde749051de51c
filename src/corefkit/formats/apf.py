"""ACE program format (APF): entities in XML that point into a text next to it.

`docs/formats/xml.md` defines the format; these rules add to it:

-   References in the text count for offsets as they are written, and are read as the
    characters that they represent.
-   The text in a `charseq` must equal the text at its offsets. Differences between
    blanks and line ends, and between references and their characters, are ignored.
-   If the last token of `head` is not the head, an attribute `head` of the mention
    gives the position of the head in the mention, counted from 1.
-   The type of an entity may be an element `entity_type`. Empty attributes are ignored,
    and those of the mention take precedence over those of the entity. An attribute
    `type` of a mention is its own type.
"""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from corefkit.exceptions import quoted
from corefkit.formats import problems as kinds
from corefkit.formats import source as base
from corefkit.formats import xml_elements as xml
from corefkit.formats.brackets import list_sentences
from corefkit.formats.plaintext import (
    PlainText,
    Span,
    find_tokens,
    join_sentences,
    read_companion_text,
)
from corefkit.formats.source import Parsed
from corefkit.model import Document, Mention
from corefkit.strings import get_base_name, make_filename

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Faults
    from corefkit.formats.source import Extent
    from corefkit.formats.xml_elements import Element
    from corefkit.model import Entity

_SUFFIXES = (".apf.xml", ".xml")
_TEXT_SUFFIXES = (".sgm", ".sgml")
# Possessive (`*+`): a text may be one long tag without an end.
_TAG = re.compile(r"</?([A-Za-z][\w.-]*+)[^<>]*+>|<[!?][^<>]*+>")
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#x[0-9A-Fa-f]{1,6}|[A-Za-z]\w{1,7});", re.ASCII)
_SURROGATES = re.compile("[\ud800-\udfff]")
_ENTITY_ATTRIBUTES = {"type": "TYPE", "SUBTYPE": "SUBTYPE", "CLASS": "CLASS"}
_METADATA = frozenset({"DOCID", "DOCNO", "DOCTYPE", "DATETIME", "DATE_TIME"})
_NUMBER = re.compile(r"\s*([0-9]{1,15})\s*")
_OFFSETS = "offsets count the characters of the text from 0, without tags, END included"
_TEXT_HINT = "put the SGML file next to this one"


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like ACE's program format."""
    signs = b"<source_file", b"<document"
    return head.lstrip().startswith(b"<") and all(sign in head for sign in signs)


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Parse the document, and the text next to the file."""
    root = xml.read_xml(file, faults, root="source_file")
    sgml = None if root is None else _read_text(file, root, faults)
    if root is None or sgml is None:
        return Parsed(Document(extent.id, (), ()), ())
    characters, plain = _remove_tags(sgml)
    mentions = []
    lines: dict[int, int] = {}
    for entity_id, entity in _find_entities(root, faults).items():
        shared = _rename_attributes(entity, "type")
        entity_type = entity.find("entity_type")  # of 2002 and 2003
        if entity_type is not None:
            values = {"type": entity_type.text.strip()} | entity_type.attributes
            shared = values | shared
        for element in entity.find_all("entity_mention"):
            mention = _parse_mention(element, shared, characters, plain, faults)
            if mention is not None:
                mentions.append((entity_id, mention))
                lines.setdefault(mention.start, element.line)
    document = Document(extent.id, plain.sentences, base.group_entities(mentions))
    tokens = range(len(plain.spans))
    return Parsed(document, [lines.get(token, root.line) for token in tokens])


def _read_id(file: ByteFile) -> str:
    document_id = xml.read_head_attribute(file, "document", "DOCID")
    return document_id or get_base_name(file.name, *_SUFFIXES)


def _read_text(file: ByteFile, root: Element, faults: Faults) -> str | None:
    stem = get_base_name(file.name, *_SUFFIXES)
    names = [f"{stem}{suffix}" for suffix in _TEXT_SUFFIXES]
    # Only the name of the address is used: texts elsewhere are not opened.
    address = root.get("URI").replace("\\", "/").rpartition("/")[2]
    if address not in ("", ".", "..", *names):
        names.append(address)
    text_file = read_companion_text(
        file, root.line, names, faults, hint=_TEXT_HINT, mark=""
    )
    return None if text_file is None else text_file.text


def _remove_tags(sgml: str) -> tuple[str, PlainText]:
    r"""Return the characters that offsets count, and the tokens among them.

    >>> _remove_tags("<DOC>\n<DOCID> d </DOCID>\n<TEXT>A&amp;B</TEXT>\n")[1].sentences
    (('A', '&', 'B'),)
    """
    sgml = sgml.replace("\r\n", "\n")
    characters: list[str] = []
    visible: list[str] = []
    metadata, end = "", 0  # the open element whose content has no tokens
    for tag in _TAG.finditer(sgml):
        piece = sgml[end : tag.start()]
        characters.append(piece)
        visible.append(re.sub(r"[^\n]", " ", piece) if metadata else piece)
        end = tag.end()
        name, is_end = (tag[1] or "").upper(), tag[0].startswith("</")
        if metadata:
            metadata = "" if is_end and name == metadata else metadata
        elif name in _METADATA and not is_end:
            metadata = name
    characters.append(sgml[end:])
    visible.append(sgml[end:])
    text = _REFERENCE.sub(_pad_reference, "".join(visible))
    return "".join(characters), PlainText(text)


def _pad_reference(reference: re.Match[str]) -> str:
    """Replace a reference by its character, and pad it with blanks to its length."""
    character = unescape(reference[0])
    return character.ljust(len(reference[0])) if len(character) == 1 else reference[0]


def _find_entities(root: Element, faults: Faults) -> dict[str, Element]:
    documents = list(root.find_all("document"))
    if len(documents) != 1:
        line = documents[1].line if documents else root.line
        faults(line, f"found {len(documents)} documents, expected one per file")
    entities = (item for document in documents for item in document.find_all("entity"))
    return xml.index_by_id(entities, "ID", faults)


def _rename_attributes(element: Element, type_name: str) -> dict[str, str]:
    return {
        type_name if name == "TYPE" else xml.decode_name(name): value
        for name, value in element.attributes.items()
        if name not in ("ID", "head")
    }


def _parse_mention(
    element: Element,
    shared: Mapping[str, str],
    characters: str,
    plain: PlainText,
    faults: Faults,
) -> Mention | None:
    extent, head_element = element.find("extent"), element.find("head")
    if extent is None:
        message = "the mention has no extent"
        hint = "add an element 'extent'"
        faults(element.line, message, hint, kind=kinds.INVALID_SPAN)
        return None
    span = _parse_span(extent, characters, plain, faults)
    if span is None:
        return None
    head = minimum = None
    if head_element is not None:
        minimum = _parse_span(head_element, characters, plain, faults)
    if minimum and head_element and (minimum[0] < span[0] or span[1] < minimum[1]):
        message = f"the head of mention {quoted(element.get('ID'))} is not inside it"
        faults(head_element.line, message, "the head is ignored", kind=kinds.LEFT_OUT)
        minimum = None
    if minimum is not None:
        head = minimum[1]
        position = _NUMBER.fullmatch(element.get("head"))
        if position and 0 < int(position[1]) <= span[1] - span[0] + 1:
            head = span[0] + int(position[1]) - 1
    values = {**shared, **_rename_attributes(element, "mention_type")}
    attributes = {name: value for name, value in values.items() if value}
    return Mention(*span, head=head, minimum=minimum, attributes=attributes)


def _parse_span(
    element: Element, characters: str, plain: PlainText, faults: Faults
) -> tuple[int, int] | None:
    charseq = element.find("charseq")
    start = _parse_offset(charseq, "START")
    last = _parse_offset(charseq, "END")
    if charseq is None or start is None or last is None:
        message = f"the {element.name} has no START and END, expected two numbers"
        faults(element.line, message, _OFFSETS, kind=kinds.INVALID_SPAN)
        return None
    label = f"the {element.name} from {start} to {last}"
    covered = characters[start : last + 1]
    kind = kinds.INVALID_SPAN
    if not start <= last < len(characters):
        message = f"{label} is not in the text, which has {len(characters)} characters"
    elif charseq.text.strip() and not _is_same_text(charseq.text, covered):
        texts = f"expected {quoted(charseq.text)}, found {quoted(covered)}"
        message, kind = f"{label}: {texts}", kinds.DIFFERENT_TEXT
    else:
        label = f"{label} ({quoted(covered)})"
        part = start, last + 1
        for tokens in find_tokens(plain.spans, [part], label, charseq.line, faults):
            return tokens
        message = f"{label} has no token of the text"
    faults(charseq.line, message, _OFFSETS, kind=kind)
    return None


def _parse_offset(charseq: Element | None, name: str) -> int | None:
    if charseq is None:
        return None
    element = charseq.find(name.lower())
    text = charseq.get(name) if element is None else element.text
    match = _NUMBER.fullmatch(text)
    return None if match is None else int(match[1])


def _is_same_text(expected: str, covered: str) -> bool:
    # The XML parser has replaced references of XML, but not those of the SGML text.
    text = _remove_blanks(unescape(covered))
    return text in (_remove_blanks(expected), _remove_blanks(unescape(expected)))


def _remove_blanks(text: str) -> str:
    return xml.replace_illegal("".join(text.split()))


def _format_files(document: Document) -> Iterator[tuple[str, str]]:
    """Format a document as APF and SGML; `_` replaces unknown words."""
    name = xml.escape_xml(document.id)
    front = f"<DOC>\n<DOCID> {name} </DOCID>\n<BODY>\n<TEXT>\n"
    # UTF-8 cannot encode lone surrogates.
    sentences = [
        [_SURROGATES.sub("\ufffd", word) for word in words]
        for words in list_sentences(document)
    ]
    text, spans = join_sentences(sentences)
    body, sgml_spans = _escape_text(text, spans, len(_TAG.sub("", front)))
    address = xml.escape_xml(f"{make_filename(document.id)}{_TEXT_SUFFIXES[0]}")
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<source_file URI="{address}" TYPE="text" VERSION="5.1.1" ENCODING="UTF-8">',
        f'<document DOCID="{name}">',
    ]

    def format_charseq(first: int, last: int) -> str:
        start, end = sgml_spans[first].start, sgml_spans[last].end
        covered = xml.escape_xml(text[spans[first].start : spans[last].end])
        return f'<charseq START="{start}" END="{end - 1}">{covered}</charseq>'

    for entity in document.entities:
        lines.extend(_format_entity(entity, format_charseq))
    lines += ["</document>", "</source_file>", ""]
    yield ".apf.xml", "\n".join(lines)
    yield _TEXT_SUFFIXES[0], f"{front}{body}</TEXT>\n</BODY>\n</DOC>\n"


def _escape_text(
    text: str, spans: Sequence[Span], offset: int
) -> tuple[str, list[Span]]:
    """Escape text for SGML; also return the spans of its tokens after an offset."""
    offsets = [offset]
    pieces = []
    for character in text:
        piece = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}.get(character, character)
        pieces.append(piece)
        offsets.append(offsets[-1] + len(piece))
    return "".join(pieces), [Span(offsets[start], offsets[end]) for start, end in spans]


def _format_entity(
    entity: Entity, format_charseq: Callable[[int, int], str]
) -> Iterator[str]:
    # The values of the first mention are those of the entity.
    first = entity.mentions[0].attributes if entity.mentions else {}
    shared = {name: first[name] for name in _ENTITY_ATTRIBUTES if first.get(name)}
    attributes = {_ENTITY_ATTRIBUTES[name]: value for name, value in shared.items()}
    entity_id = xml.escape_xml(entity.id) or "_"
    yield f'<entity ID="{entity_id}"{xml.format_attributes(attributes)}>'
    for number, mention in enumerate(entity.mentions, start=1):
        mention_id = xml.escape_xml(f"{entity.id}-{number}")
        attributes_text = _format_mention_attributes(mention, shared)
        yield f'  <entity_mention ID="{mention_id}"{attributes_text}>'
        yield f"    <extent>{format_charseq(mention.start, mention.end)}</extent>"
        head = mention.minimum
        if head is None and mention.head is not None:
            head = mention.head, mention.head
        if head is not None:
            yield f"    <head>{format_charseq(*head)}</head>"
        yield "  </entity_mention>"
    yield "</entity>"


def _format_mention_attributes(mention: Mention, shared: Mapping[str, str]) -> str:
    values = dict.fromkeys(shared, "") | dict(mention.attributes)
    kind = values.pop("mention_type", "")
    text = xml.format_attributes({"TYPE": kind}) if kind else ""
    if mention.minimum and mention.head not in (None, mention.minimum[1]):
        text += f' head="{mention.head - mention.start + 1}"'
    values = {
        name: value for name, value in values.items() if value != shared.get(name)
    }
    return text + xml.format_attributes(values, reserved=("ID", "TYPE", "head"))


READER = base.make_reader(base.make_file_extents(_read_id), parse, running=True)
WRITER = base.Writer(
    alters=base.TEXT_MARKS,
    carries=base.CROSSINGS | {base.HEADS, base.MINIMA, base.TYPES, base.ATTRIBUTES},
    files=_format_files,
)
