"""OntoNotes `.coref` files: one sentence per line, each mention in a COREF element.

1.  `<DOC DOCNO="bn/abc/00/abc_0013@0013@abc@bn@en@on">` is a file of the corpus,
    `<TEXT PARTNO="000">` in it is a part, and each part is a document. Its id is
    written as in CoNLL-2012, `(bn/abc/00/abc_0013); part 000`, without the text after
    an `@`. Without DOCNO the name of the file is used, without PARTNO parts are counted
    from 000. DOCID and PARTID are read as well.
2.  A line is a sentence, with blanks between its tokens. Tags are found by the rules of
    `corefkit.formats.sgml`. `-AMP-`, `-LAB-` and `-RAB-` are read as `&`, `<` and `>`,
    anywhere in a token. Brackets are kept as they are (`-LRB-`), as in CoNLL-2012.
3.  Traces are empty nodes: `*PRO*`, `*pro*`, `*T*-1`, `*-2`, `*?*` and the like. `*`
    and `0` are traces if the document has other traces, because then it was parsed, and
    words otherwise. A token with a reference in it (`&#48;`) is never a trace.
4.  `<COREF ID="12" TYPE="IDENT">` is a mention of entity 12.
5.  Elements of TYPE APPOS link appositions to their heads. They are not coreference,
    and are ignored, as in CoNLL-2012. All other types are read.
6.  `S_OFF="6"` means that a mention begins 6 characters after the start of its first
    token, `E_OFF="6"` that it ends 6 characters before the end of its last. The mention
    takes entire tokens; these and all other attributes keep their names in lower case.

A COREF without ID, a TEXT outside a DOC, a DOC without TEXT, and start and end tags
without each other are errors.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from corefkit.exceptions import quoted
from corefkit.formats import sgml
from corefkit.formats.brackets import list_sentences
from corefkit.formats.plaintext import Span
from corefkit.formats.problems import MISSING_ID, UNPAIRED_DOCUMENT
from corefkit.formats.source import (
    ATTRIBUTES,
    ZEROS,
    Extent,
    Parsed,
    Writer,
    group_entities,
    make_reader,
)
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
    """Iterate over the parts of a file."""
    finder = _PartFinder(file, faults)
    for tag in sgml.find_structure(file, "DOC|TEXT"):
        yield from finder.handle_tag(tag)
    yield from finder.handle_end()


class _PartFinder:
    """Finds the parts of a file, and reports unpaired tags."""

    def __init__(self, file: ByteFile, faults: Faults) -> None:
        self._file, self._faults = file, faults
        self._document: Extent | None = None  # the open DOC
        self._part: Extent | None = None  # the open TEXT
        self._part_count = 0  # in the document

    def handle_tag(self, tag: sgml.Tag) -> Iterator[Extent]:
        """Handle the next tag; yield the part that ends there, if any."""
        if tag.name == "text" and tag.is_end:
            if self._part is None:
                hint = "a part begins with <TEXT>"
                self._report(tag.start, "</TEXT> without a <TEXT>", hint)
            yield from self._end_part(tag.start, is_closed=True)
            return
        yield from self._end_part(tag.start, is_closed=False)
        if tag.name == "text":
            self._start_part(tag.start)
        elif tag.is_end:
            self._end_document(tag.start)
        else:
            self._check_closed()
            # The suffix is cut before decoding: an `@` of the name is a reference.
            value, _, _ = self._read_attribute(tag.start, "doc").partition("@")
            name = sgml.decode_references(value).strip()
            self._document = Extent(name or self._stem, tag.start, tag.start)
            self._part_count = 0

    def handle_end(self) -> Iterator[Extent]:
        """Handle the end of the file; yield the part that is open, if any."""
        yield from self._end_part(self._file.size, is_closed=False)
        self._check_closed()

    @property
    def _stem(self) -> str:
        return get_base_name(self._file.name, ".coref")

    def _report(self, offset: int, message: str, hint: str) -> None:
        line = self._file.line_number(offset)
        self._faults(line, message, hint, kind=UNPAIRED_DOCUMENT)

    def _start_part(self, start: int) -> None:
        if self._document is None:
            hint = 'parts are in <DOC DOCNO="..."> and </DOC>'
            self._report(start, "a TEXT is outside a DOC", hint)
        name = self._document.id if self._document else self._stem
        number = sgml.decode_references(self._read_attribute(start, "part")).strip()
        part_id = f"({name}); part {number or f'{self._part_count:03}'}"
        self._part = Extent(part_id, start, start)
        self._part_count += 1

    def _end_part(self, end: int, *, is_closed: bool) -> Iterator[Extent]:
        if self._part is None:
            return
        if not is_closed:
            message = f"document {quoted(self._part.id)} is never closed"
            self._report(self._part.start, message, "end it with </TEXT>")
        yield self._part._replace(end=end)
        self._part = None

    def _end_document(self, offset: int) -> None:
        if self._document is None:
            hint = "a file begins with <DOC>"
            self._report(offset, "</DOC> without a <DOC>", hint)
        elif not self._part_count:
            message = f"DOC {quoted(self._document.id)} has no TEXT"
            hint = 'its sentences are in <TEXT PARTNO="000"> and </TEXT>'
            self._report(self._document.start, message, hint)
        self._document = None

    def _check_closed(self) -> None:
        if self._document is not None:
            message = f"DOC {quoted(self._document.id)} is never closed"
            self._report(self._document.start, message, "end it with </DOC>")

    def _read_attribute(self, start: int, kind: str) -> str:
        head = self._file.read(start, start + _MAX_TAG_BYTES)
        tag = next(sgml.find_tags(head.decode("utf-8", "replace")))
        return tag.attributes.get(f"{kind}no") or tag.attributes.get(f"{kind}id", "")


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Parse a part."""
    source = sgml.read_source(file, extent, faults)
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
    return group_entities(mentions)


def _find_traces(tokens: Sequence[str]) -> tuple[int, ...]:
    """Return the numbers of the tokens that are traces.

    >>> _find_traces(["0", "*T*-1", "*"]), _find_traces(["0", "*"])
    ((0, 1, 2), ())
    """
    traces = {token for token in set(tokens) if _TRACE.fullmatch(token)}
    if traces:
        traces.update(_AMBIGUOUS_TRACES)
    return tuple(number for number, token in enumerate(tokens) if token in traces)


def _decode_word(token: str) -> str:
    """Replace the escapes and references of a token.

    >>> [_decode_word(token) for token in ("R-AMP-D", "-LRB-", "-AMP-lt;", "&#48;")]
    ['R&D', '-LRB-', '&lt;', '0']
    """
    if "&" not in token and "-" not in token:
        return token
    pieces = _ESCAPE.split(token)
    return "".join(
        _CHARACTERS.get(piece) or sgml.decode_references(piece) for piece in pieces
    )


def _format_text(document: Document) -> Iterator[str]:
    """Format a document as the only part of its DOC."""
    name, part = _split_id(document.id)
    name = sgml.escape_sgml(name).replace("@", "&#64;")
    yield sgml.format_start_tag("DOC", {"DOCNO": name}) + "\n"
    yield sgml.format_start_tag("TEXT", {"PARTNO": sgml.escape_sgml(part)}) + "\n"
    ids, _ = sgml.choose_ids(document)
    tags = []
    for entity, mention, _ in sgml.order_mentions(document):
        attributes = {"ID": sgml.escape_sgml(ids[entity]), "TYPE": "IDENT"}
        attributes |= sgml.escape_attributes(mention, _SPECIAL_ATTRIBUTES)
        tags.append((mention, sgml.format_start_tag("COREF", attributes)))
    for words in sgml.insert_tags(_encode_sentences(document), tags):
        yield " ".join(words) + "\n"
    yield "</TEXT>\n</DOC>\n"


def _split_id(document_id: str) -> tuple[str, str]:
    """Split an id into name and part.

    >>> _split_id("(bn/abc/00/abc_0013); part 001"), _split_id("story")
    (('bn/abc/00/abc_0013', '001'), ('story', '000'))
    """
    match = _CONLL_ID.fullmatch(document_id)
    if match is None:
        return document_id, "000"
    return match[1], match[2] or "000"


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
    """Encode a word; in a document with traces, `*` and `0` need references.

    >>> _encode_word("a <b&c", is_parsed=False), _encode_word("0", is_parsed=True)
    ('a&#32;-LAB-b-AMP-c', '&#48;')
    """
    text = _TO_ESCAPE.sub(_encode_character, word) or "_"
    if _TRACE.fullmatch(word) or (is_parsed and word in _AMBIGUOUS_TRACES):
        return f"&#{ord(word[0])};{text[1:]}"
    return text


def _encode_character(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[0]) or f"&#{ord(match[0])};"


READER = make_reader(find_extents, parse)
WRITER = Writer(carries=frozenset({ZEROS, ATTRIBUTES}), text=_format_text)
