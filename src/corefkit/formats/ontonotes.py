"""OntoNotes `.coref` files: one sentence per line, each mention in a COREF element.

`docs/formats/xml.md` defines the format, and `corefkit.formats.sgml` its tags. `*` and
`0` are traces if the document has other traces, because then it was parsed, and words
otherwise. A token with a reference in it (`&#48;`) is never a trace. `S_OFF="6"`
means that a mention begins 6 characters after the start of its first token, `E_OFF="6"`
that it ends 6 characters before the end of its last.
"""

from __future__ import annotations

import re
from functools import partial
from html import escape
from itertools import chain
from typing import TYPE_CHECKING

from corefkit.exceptions import quoted
from corefkit.formats import sgml
from corefkit.formats import source as base
from corefkit.formats.brackets import list_sentences
from corefkit.formats.plaintext import Span, read_source
from corefkit.formats.problems import MISSING_ID, UNPAIRED_DOCUMENT
from corefkit.formats.source import Extent, Parsed
from corefkit.model import Document, Entity, Mention
from corefkit.strings import get_base_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Faults

_DOCUMENT = re.compile(rb"<DOC\s[^<>]*\bDOC(?:NO|ID)\s*=", re.IGNORECASE)
_PART = re.compile(rb"<TEXT\s[^<>]*\bPART(?:NO|ID)\s*=", re.IGNORECASE)
_MAX_TAG_BYTES = 4096  # of DOC and TEXT
_TOKEN = re.compile(r"[^\x00-\x20]+")
_TRACE = re.compile(r"\*(?:(?:[A-Z]+|pro|\?)\*(?:-\d+)?|-\d+)", re.ASCII)
_AMBIGUOUS_TRACES = ("*", "0")
_DEFAULT_TRACE = "*pro*"
_ESCAPES = {"&": "-AMP-", "<": "-LAB-", ">": "-RAB-"}
_CHARACTERS = {escape: character for character, escape in _ESCAPES.items()}
_ESCAPE = re.compile("(-(?:AMP|LAB|RAB)-)")
_TO_ESCAPE = re.compile(r"[&<>]|[\x00-\x20]|-(?=(?:AMP|LAB|RAB))")
_SPECIAL_ATTRIBUTES = frozenset({"id", "type"})
_CONLL_ID = re.compile(r"\((.*)\);(?: part (.*))?\s*", re.DOTALL)


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like OntoNotes `.coref`."""
    if not head.lstrip().startswith(b"<"):
        return False
    return bool(_DOCUMENT.search(head) and _PART.search(head))


def find_extents(file: ByteFile, faults: Faults) -> Iterator[Extent]:
    """Iterate over the parts of a file, and report unpaired tags."""
    report = partial(faults.report_at, kind=UNPAIRED_DOCUMENT)
    stem = get_base_name(file.name, ".coref")
    document: Extent | None = None  # the open DOC
    part: Extent | None = None  # the open TEXT
    part_count = 0  # in the document
    end_of_file = sgml.Tag(file.size, file.size)
    for tag in chain(sgml.find_structure(file, "DOC|TEXT"), [end_of_file]):
        is_part_end = tag.name == "text" and tag.is_end
        if part is not None:
            if not is_part_end:
                message = f"document {quoted(part.id)} is never closed"
                report(part.start, message, "end it with </TEXT>")
            yield part._replace(end=tag.start)
            part = None
        elif is_part_end:
            report(tag.start, "</TEXT> without a <TEXT>", "a part begins with <TEXT>")
        if tag.name != "text":
            if error := _check_document(document, part_count, tag):
                report(*error)
            document = None
            if tag.name and not tag.is_end:
                # The suffix is cut before decoding: an `@` of the name is a reference.
                value, _, _ = _read_attribute(file, tag.start, "doc").partition("@")
                name = sgml.decode_references(value).strip()
                document, part_count = Extent(name or stem, tag.start, tag.start), 0
        elif not tag.is_end:
            if document is None:
                hint = 'parts are in <DOC DOCNO="..."> and </DOC>'
                report(tag.start, "a TEXT is outside a DOC", hint)
            value = _read_attribute(file, tag.start, "part")
            number = sgml.decode_references(value).strip() or f"{part_count:03}"
            name = document.id if document else stem
            part = Extent(f"({name}); part {number}", tag.start, tag.start)
            part_count += 1


def _check_document(
    document: Extent | None, part_count: int, tag: sgml.Tag
) -> tuple[int, str, str] | None:
    """Return the error of a DOC that ends before a tag: offset, message and hint."""
    if document is None:
        hint = "a file begins with <DOC>"
        return (tag.start, "</DOC> without a <DOC>", hint) if tag.is_end else None
    name = f"DOC {quoted(document.id)}"
    if not tag.is_end:
        return document.start, f"{name} is never closed", "end it with </DOC>"
    if not part_count:
        hint = 'its sentences are in <TEXT PARTNO="000"> and </TEXT>'
        return document.start, f"{name} has no TEXT", hint
    return None


def _read_attribute(file: ByteFile, start: int, kind: str) -> str:
    head = file.read(start, start + _MAX_TAG_BYTES)
    tag = next(sgml.find_tags(head.decode("utf-8", "replace")))
    return tag.attributes.get(f"{kind}no") or tag.attributes.get(f"{kind}id", "")


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Parse a part."""
    source = read_source(file, extent, faults)
    tagged = sgml.TaggedText(source, file.line_number(extent.start), faults)
    sentences = []
    tokens: list[str] = []
    spans: list[Span] = []
    start = 0
    for line in tagged.text.split("\n"):
        matches = list(_TOKEN.finditer(line))
        if matches:
            sentences.append(tuple(_decode_word(match[0]) for match in matches))
        tokens += [match[0] for match in matches]
        spans += [Span(start + match.start(), start + match.end()) for match in matches]
        start += len(line) + 1
    document = Document(
        extent.id,
        tuple(sentences),
        _group_entities(tagged.elements, spans, faults),
        empty=_find_traces(tokens),
    )
    return Parsed(document, [tagged.line_number(span.start) for span in spans])


def _group_entities(
    elements: Sequence[sgml.MentionElement], spans: Sequence[Span], faults: Faults
) -> tuple[Entity, ...]:
    mentions: list[tuple[str, Mention]] = []
    for element in elements:
        if not element.id:
            hint = 'ID is the number of the entity: <COREF ID="12" TYPE="IDENT">'
            faults(element.line, "a COREF has no ID", hint, kind=MISSING_ID)
            continue
        if element.attributes.get("type", "").upper() == "APPOS":
            continue
        span = element.find_span(spans, faults)
        if span is not None:
            attributes = element.decode_attributes(_SPECIAL_ATTRIBUTES)
            mentions.append((element.id, Mention(*span, attributes=attributes)))
    # Taking entire tokens can change the order of mentions.
    mentions.sort(key=lambda row: (row[1].start, -row[1].end))
    return base.group_entities(mentions)


def _find_traces(tokens: Sequence[str]) -> tuple[int, ...]:
    traces = {token for token in set(tokens) if _TRACE.fullmatch(token)}
    if traces:
        traces.update(_AMBIGUOUS_TRACES)
    return tuple(number for number, token in enumerate(tokens) if token in traces)


def _decode_word(token: str) -> str:
    if "&" not in token and "-" not in token:
        return token
    pieces = _ESCAPE.split(token)
    return "".join(
        _CHARACTERS.get(piece) or sgml.decode_references(piece) for piece in pieces
    )


def _format_text(document: Document) -> Iterator[str]:
    match = _CONLL_ID.fullmatch(document.id)
    name, part = match.groups() if match else (document.id, None)
    name = escape(name, quote=False).replace("@", "&#64;")
    yield sgml.format_start_tag("DOC", {"DOCNO": name}) + "\n"
    part = escape(part or "000", quote=False)
    yield sgml.format_start_tag("TEXT", {"PARTNO": part}) + "\n"
    ids, _ = sgml.choose_ids(document)
    for words in sgml.tag_mentions(
        document,
        _encode_sentences(document),
        lambda entity, *_: {"ID": escape(ids[entity], quote=False), "TYPE": "IDENT"},
        _SPECIAL_ATTRIBUTES,
    ):
        yield " ".join(words) + "\n"
    yield "</TEXT>\n</DOC>\n"


def _encode_sentences(document: Document) -> list[list[str]]:
    """Encode words so that only the empty nodes are read as traces."""
    empty = set(document.empty)
    tokens = document.tokens
    has_trace = any(tokens[token] not in _AMBIGUOUS_TRACES for token in empty)
    sentences = []
    first = 0
    for sentence in list_sentences(document):
        words = [
            _encode_trace(word, has_trace=has_trace)
            if token in empty
            else _encode_word(word, is_parsed=bool(empty))
            for token, word in enumerate(sentence, first)
        ]
        if words:
            sentences.append(words)
        first += len(words)
    return sentences


def _encode_trace(word: str, *, has_trace: bool) -> str:
    """Encode an empty node; `*` and `0` are kept if the document has other traces."""
    is_trace = _TRACE.fullmatch(word) or (has_trace and word in _AMBIGUOUS_TRACES)
    return word if is_trace else _DEFAULT_TRACE


def _encode_word(word: str, *, is_parsed: bool) -> str:
    """Encode a word; in a document with traces, `*` and `0` need references."""
    text = _TO_ESCAPE.sub(
        lambda match: _ESCAPES.get(match[0]) or f"&#{ord(match[0])};", word or "_"
    )
    if _TRACE.fullmatch(word) or (is_parsed and word in _AMBIGUOUS_TRACES):
        return f"&#{ord(word[0])};{text[1:]}"
    return text


READER = base.make_reader(find_extents, parse)
WRITER = base.Writer(
    carries=frozenset({base.ZEROS, base.ATTRIBUTES}), text=_format_text
)
