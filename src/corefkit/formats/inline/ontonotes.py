"""OntoNotes `.coref` files: one sentence per line, each mention a COREF element.

1.  `<DOC DOCNO="bn/abc/00/abc_0013@0013@abc@bn@en@on">` is a file of the corpus,
    `<TEXT PARTNO="000">` in it is a part, and each part is a document. Its id is
    written as in CoNLL-2012, `(bn/abc/00/abc_0013); part 000`: what follows an `@` is
    left out. Without DOCNO the name of the file is the id, without PARTNO parts are
    counted from 000. DOCID and PARTID are read as well.
2.  A line is a sentence; blanks separate its tokens. Tags are found by the rules of
    `formats.inline.tags`. `-AMP-`, `-LAB-` and `-RAB-` stand for `&`, `<` and `>`,
    anywhere in a token. Brackets stay as they are (`-LRB-`), as in CoNLL-2012.
3.  Traces are empty nodes: `*PRO*`, `*pro*`, `*T*-1`, `*-2`, `*?*` and the like. A
    lone `*` or `0` may be a trace or a word: it is a trace where the document has
    other traces, since such a document has been parsed. A token with a reference in
    it (`&#48;`) is never a trace.
4.  `<COREF ID="12" TYPE="IDENT">` is a mention of entity 12.
5.  Elements of TYPE APPOS tie appositions to their heads. They are not coreference, and
    are left out, as in CoNLL-2012. All other types are read alike.
6.  `S_OFF="6"` and `E_OFF="6"` say that a mention begins so many characters after the
    start of its first token, or ends before the end of its last. The mention takes the
    whole tokens; these and all other attributes are kept under their lower-case
    names.

Refused are a COREF without ID, a TEXT outside of a DOC, a DOC without TEXT, elements
that are not closed, and end tags of what was not opened.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corefkit.exceptions import quoted
from corefkit.formats.base import ATTRIBUTES, ZEROS, Writer
from corefkit.formats.documents import Extent, Parsed, document_reader, grouped_entities
from corefkit.formats.inline.markup import (
    Rules,
    edges,
    markup,
    other_attributes,
    source_text,
    spanned,
)
from corefkit.formats.inline.ontonotes_writing import (
    ESCAPES,
    OWN_ATTRIBUTES,
    PERHAPS_TRACES,
    TRACE,
    ontonotes_text,
)
from corefkit.formats.inline.tags import decoded, tags
from corefkit.formats.plaintext import Span
from corefkit.model import Document, Entity, Mention
from corefkit.strings.ids import bare_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Faults
    from corefkit.formats.inline.markup import Edge, Element

_DOCUMENT = re.compile(rb"<DOC\s[^<>]*\bDOC(?:NO|ID)\s*=", re.IGNORECASE)
_PART = re.compile(rb"<TEXT\s[^<>]*\bPART(?:NO|ID)\s*=", re.IGNORECASE)
_TAG_LENGTH = 4096  # more than any tag of a document takes
_TOKEN = re.compile(r"[^\x00-\x20]+")
_CHARACTERS = {escape: character for character, escape in ESCAPES.items()}
_ESCAPED = re.compile("(-(?:AMP|LAB|RAB)-)")


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like OntoNotes `.coref`."""
    if not head.lstrip().startswith(b"<"):
        return False
    return bool(_DOCUMENT.search(head) and _PART.search(head))


def extents(file: ByteFile, faults: Faults) -> Iterator[Extent]:
    """Iterate over the parts of a file."""
    parts = _Parts(file, faults)
    for edge in edges(file, "DOC|TEXT"):
        yield from parts.at(edge)
    yield from parts.at_end()


@dataclass(slots=True)
class _Parts:
    """What is open while the parts of a file are found: a DOC, and a TEXT in it."""

    file: ByteFile
    faults: Faults
    document: Extent | None = None
    part: Extent | None = None
    number: int = 0  # of parts in the document

    def at(self, edge: Edge) -> Iterator[Extent]:
        """Take the next tag; yield the part that ends there."""
        if edge.name == "text" and edge.closing:
            if self.part is None:
                self._say(
                    edge.start, "</TEXT> closes nothing", "a part begins with <TEXT>"
                )
            yield from self._ended(edge.start, closed=True)
            return
        yield from self._ended(edge.start, closed=False)
        if edge.name == "text":
            self._begin_part(edge.start)
        elif edge.closing:
            self._end_document(edge.start)
        else:
            self._check_closed()
            self._begin_document(edge.start)

    def at_end(self) -> Iterator[Extent]:
        """Return the part that the end of the file cuts off."""
        yield from self._ended(self.file.size, closed=False)
        self._check_closed()

    def _say(self, offset: int, message: str, hint: str) -> None:
        self.faults(self.file.line_number(offset), message, hint)

    def _ended(self, end: int, *, closed: bool) -> Iterator[Extent]:
        if self.part is None:
            return
        if not closed:
            message = f"document {quoted(self.part.id)} is never closed"
            self._say(self.part.start, message, "end it with </TEXT>")
        yield self.part._replace(end=end)
        self.part = None

    def _begin_document(self, start: int) -> None:
        # What follows the `@` is cut off first: one in a name is a reference.
        name = decoded(self._value(start, "doc").partition("@")[0]).strip()
        self.document, self.number = Extent(name or self._title(), start, start), 0

    def _end_document(self, offset: int) -> None:
        if self.document is None:
            self._say(offset, "</DOC> closes nothing", "a file begins with <DOC>")
        elif not self.number:
            message = f"DOC {quoted(self.document.id)} has no TEXT"
            hint = 'its sentences are in <TEXT PARTNO="000"> and </TEXT>'
            self._say(self.document.start, message, hint)
        self.document = None

    def _check_closed(self) -> None:
        if self.document is not None:
            message = f"DOC {quoted(self.document.id)} is never closed"
            self._say(self.document.start, message, "end it with </DOC>")

    def _begin_part(self, start: int) -> None:
        if self.document is None:
            hint = 'parts are in <DOC DOCNO="..."> and </DOC>'
            self._say(start, "a TEXT is outside of a DOC", hint)
        name = self.document.id if self.document else self._title()
        part = decoded(self._value(start, "part")).strip() or f"{self.number:03}"
        self.part = Extent(f"({name}); part {part}", start, start)
        self.number += 1

    def _title(self) -> str:
        return bare_name(self.file.name, ".coref")

    def _value(self, start: int, kind: str) -> str:
        head = self.file.read(start, start + _TAG_LENGTH).decode("utf-8", "replace")
        tag = next(tags(head))
        return tag.attributes.get(f"{kind}no") or tag.attributes.get(f"{kind}id", "")


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Read a part."""
    source = source_text(file, extent, faults)
    first_line = file.line_number(extent.start)
    found = markup(source, Rules(), line=first_line, faults=faults)
    sentences = []
    spans: list[Span] = []
    start = 0
    for line in found.text.split("\n"):
        tokens = list(_TOKEN.finditer(line))
        spans += [Span(start + token.start(), start + token.end()) for token in tokens]
        if tokens:
            sentences.append(tuple(_word(token[0]) for token in tokens))
        start += len(line) + 1
    document = Document(
        extent.id,
        tuple(sentences),
        _entities(found.elements, spans, faults),
        empty=_traces([found.text[span.start : span.end] for span in spans]),
    )
    return Parsed(document, [found.line(span.start) for span in spans])


def _entities(
    elements: Sequence[Element], spans: Sequence[Span], faults: Faults
) -> tuple[Entity, ...]:
    mentions: list[tuple[str, Mention]] = []
    for element in elements:
        name = decoded(element.attributes.get("id", "")).strip()
        if not name:
            hint = 'ID is the number of the entity: <COREF ID="12" TYPE="IDENT">'
            faults(element.line, "a COREF has no ID", hint)
            continue
        if element.attributes.get("type", "").upper() == "APPOS":
            continue
        span = spanned(element, spans, faults)
        if span is not None:
            attributes = other_attributes(element.attributes, OWN_ATTRIBUTES)
            mentions.append((name, Mention(*span, attributes=attributes)))
    # Mentions that took whole tokens may have left the order of their tags.
    mentions.sort(key=lambda row: (row[1].start, -row[1].end))
    return grouped_entities(mentions)


def _traces(tokens: Sequence[str]) -> tuple[int, ...]:
    """Return the numbers of the tokens that are traces.

    >>> _traces(["0", "*T*-1", "*"]), _traces(["0", "*"]), _traces(["*a*", "*PRO"])
    ((0, 1, 2), (), ())
    """
    traces = {token for token in set(tokens) if TRACE.fullmatch(token)}
    if traces:
        traces.update(PERHAPS_TRACES)
    return tuple(number for number, token in enumerate(tokens) if token in traces)


def _word(token: str) -> str:
    """Read a token.

    >>> _word("R-AMP-D"), _word("-LRB-"), _word("-AMP-lt;"), _word("&#48;")
    ('R&D', '-LRB-', '&lt;', '0')
    """
    if "&" not in token and "-" not in token:
        return token
    pieces = _ESCAPED.split(token)
    return "".join(_CHARACTERS.get(piece) or decoded(piece) for piece in pieces)


READER = document_reader(extents, parse)
WRITER = Writer(carries=frozenset({ZEROS, ATTRIBUTES}), text=ontonotes_text)
