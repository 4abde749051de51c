"""Tags that language models write into running text; a file is one document.

    <m id="1">Ann</m> saw <m id="2"><m id="1">her</m> aunt</m>.
    [Ann](#1) saw [[her](#1) aunt](#2).
    [Ann]{1} saw [[her]{1} aunt]{2}.
    [Ann: 1] saw [[her: 1] aunt: 2].

`docs/formats/llm.md` defines the notations; these rules add to it:

-   Words end at blanks and at the edges of mentions, so that `[Ann](#1)'s` has two.
    Each line is a sentence.
-   A document has the first notation of this list that it uses. The others are text
    then, and so are brackets without an id.
-   References such as `&amp;` are only decoded in text with tags.
-   Tags without attributes do not belong to the text, unless other tags of the same
    name mark mentions. An end tag closes the last open tag of its name.
"""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from corefkit.formats import sgml
from corefkit.formats import source as base
from corefkit.formats.brackets import list_sentences
from corefkit.formats.plaintext import read_source
from corefkit.formats.problems import (
    INVALID_ANNOTATION,
    LEFT_OUT,
    MISSING_ID,
    UNPAIRED,
)
from corefkit.formats.source import Parsed, RepairingSource, make_file_extents
from corefkit.model import REPAIRED, Document, Mention
from corefkit.strings import get_base_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Faults
    from corefkit.formats.source import Extent

SUFFIXES = (".inline.txt",)
_NUMBER = r"[A-Za-z]*[-_]?\d+"
# Brackets that open and close, with an id if they end a mention.
_BRACKETS = tuple(
    re.compile(rf"\[|\]{end}|\]" if end else rf"\[|\s*:\s+#?({_NUMBER})\s*\]|\]")
    for end in (r"\(#([^\s()]+)\)", rf"\{{#?({_NUMBER})\}}", "")
)
_TAG = re.compile(rb"""<([A-Za-z][\w.-]*)\s+[A-Za-z_]+\s*=\s*["']?[#\w.-]+["']?\s*>""")
_HEAD_BRACKETS = re.compile(
    rf"\[[^\[\]]*(?:\]\(#{_NUMBER}\)|\]\{{#?{_NUMBER}\}}|:\s+#?{_NUMBER}\])".encode()
)
_MARKUP_START = re.compile(rb"\s*<(?:[?!]|DOC\b)", re.IGNORECASE)
_EMPTY_ELEMENT = re.compile(rb"<(?!br|hr)[A-Za-z][^<>]*/>")  # of XML
_TYPE = "type"
_HINT = (
    'a mention is <m id="1">words</m>, [words](#1), [words]{1} or [words: 1]; '
    "--tokens aligned repairs broken ones"
)


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file are text with tags or brackets."""
    if _MARKUP_START.match(head) or _EMPTY_ELEMENT.search(head):
        return False
    names = {*_TAG.findall(head)}
    if any(b"</%b>" % name in head for name in names):
        return True
    return _HEAD_BRACKETS.search(head) is not None


class _Mark(NamedTuple):
    """A tag or bracket that is not part of the text."""

    start: int
    end: int
    name: str = ""  # of the tag, or `[`; empty if it does not mark a mention
    id: str | None = None  # empty for brackets, which have it at the end
    closes: bool = False
    type: str = ""


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Parse a file."""
    source = read_source(file, extent, faults).replace("\r\n", "\n")
    return _TextParser(source, faults).build(extent.id)


class _TextParser:
    """Splits a text into words at blanks and marks, and collects its mentions."""

    def __init__(self, source: str, faults: Faults) -> None:
        self._source, self._faults = source, faults
        self._words: list[str] = []
        self._lines: list[int] = []
        self._line = 1
        self._mentions: list[tuple[str, Mention, int]] = []
        self._repairs: list[str] = []
        self._decode: Callable[[str], str] = str
        marks = list(self._find_tags())
        if any(mark.name for mark in marks):
            self._decode = sgml.decode_references
        elif not marks:
            marks = _find_brackets(source)
        self._open: list[tuple[_Mark, int, int]] = []
        position = 0
        for mark in marks:
            self._add_text(source[position : mark.start])
            self._add_mark(mark)
            self._line += source.count("\n", mark.start, mark.end)
            position = mark.end
        self._add_text(source[position:])
        for mark, token, line in self._open:
            if mark.id is not None:
                message = f"a mention of {mark.id} is never closed"
                self._repair("unclosed", line, message)
                self._add_mention(mark, token, token, line, rule="unclosed")

    def build(self, document_id: str) -> Parsed:
        # Of mentions with the same words, the outer one comes first.
        rows = sorted(
            self._mentions, key=lambda row: (row[1].start, -row[1].end, row[2])
        )
        mentions = [(entity, mention) for entity, mention, _ in rows]
        sentences: dict[int, list[str]] = {}
        for word, line in zip(self._words, self._lines, strict=True):
            sentences.setdefault(line, []).append(word)
        document = Document(
            document_id,
            tuple(map(tuple, sentences.values())) or ((),),
            base.group_entities(mentions),
            repairs=tuple(self._repairs),
        )
        return Parsed(document, self._lines)

    def _find_tags(self) -> Iterator[_Mark]:
        """Find the tags of mentions, and those without attributes, if there are any."""
        tags = [tag for tag in sgml.find_tags(self._source) if tag.is_complete]
        names = {tag.name for tag in tags if tag.attributes and not tag.is_end}
        for tag in tags if names else ():
            ids = [value for key, value in tag.attributes.items() if key != _TYPE]
            if tag.name not in names:
                yield _Mark(tag.start, tag.end)
                continue
            if len(ids) > 1:
                line = 1 + self._source.count("\n", 0, tag.start)
                message = f"a tag <{tag.name}> has {len(ids)} attributes, expected one"
                hint = "give it the id of the entity only, and perhaps a type"
                self._faults(line, message, hint, kind=MISSING_ID)
            name = sgml.decode_references(ids[0]).strip(" #") if ids else None
            kind = sgml.decode_references(tag.attributes.get(_TYPE, ""))
            yield _Mark(tag.start, tag.end, tag.name, name or None, tag.is_end, kind)

    def _add_text(self, text: str) -> None:
        for number, line in enumerate(text.split("\n")):
            self._line += number > 0
            words = line.split()
            self._words += map(self._decode, words)
            self._lines += [self._line] * len(words)

    def _add_mark(self, mark: _Mark) -> None:
        if not mark.closes:
            if mark.name and mark.id is None:
                message = f"a tag <{mark.name}> has no id of an entity"
                self._repair("invalid", self._line, message)
            if mark.name:
                self._open.append((mark, len(self._words), self._line))
            return
        opened = range(len(self._open) - 1, -1, -1)
        number = next((n for n in opened if self._open[n][0].name == mark.name), None)
        if number is not None:
            opening, token, line = self._open.pop(number)
            if mark.id is not None:
                opening = opening._replace(id=mark.id)
            self._add_mention(opening, token, len(self._words) - 1, line)
            return
        message = "a mention closes here but was not opened"
        self._repair("unopened", self._line, message)
        last = len(self._words) - 1
        self._add_mention(mark, last, last, self._line, rule="unopened")

    def _add_mention(
        self, mark: _Mark, start: int, end: int, line: int, *, rule: str = ""
    ) -> None:
        if mark.id is None:
            return
        if not 0 <= start <= end < len(self._words):
            message = f"a mention of {mark.id} has no words"
            self._faults(line, message, "it is ignored", kind=LEFT_OUT)
            self._repairs.append("invalid")
            return
        values = {_TYPE: mark.type, REPAIRED: rule}
        attributes = {name: value for name, value in values.items() if value}
        mention = Mention(start, end, attributes=attributes)
        self._mentions.append((mark.id, mention, mark.start))

    def _repair(self, rule: str, line: int, message: str) -> None:
        kind = INVALID_ANNOTATION if rule == "invalid" else UNPAIRED
        self._faults(line, message, _HINT, kind=kind)
        self._repairs.append(rule)


def _find_brackets(source: str) -> list[_Mark]:
    """Find the brackets of mentions in the first notation with any."""
    for pattern in _BRACKETS:
        matches = list(pattern.finditer(source))
        if any(match.lastindex for match in matches):
            break
    else:
        return []
    marks = []
    opened: list[re.Match[str]] = []
    for match in matches:
        if match[0] == "[":
            opened.append(match)
            continue
        opening = opened.pop() if opened else None
        if match.lastindex:
            if opening is not None:
                marks.append(_Mark(*opening.span(), name="[", id=""))
            marks.append(_Mark(*match.span(), name="[", id=match[1], closes=True))
    return sorted(marks)


def _format_files(document: Document) -> Iterator[tuple[str, str]]:
    # Attributes have no notation, so that none is chosen for a tag but the id.
    entities = [
        replace(entity, mentions=tuple(Mention(*mention) for mention in entity))
        for entity in document.entities
    ]
    sentences = [
        ["_".join(word.split()) or "_" for word in words]
        for words in list_sentences(document)
    ]
    if entities:  # otherwise it is plain text, such as a prompt
        sentences = [
            [escape(word, quote=False) for word in words] for words in sentences
        ]
    lines = sgml.tag_mentions(
        replace(document, entities=tuple(entities)),
        sentences,
        lambda entity, *_: {"id": str(entity + 1)},
        (),
        name="m",
    )
    yield SUFFIXES[0], "".join(f"{' '.join(words)}\n" for words in lines)


READER = base.make_reader(
    make_file_extents(lambda file: get_base_name(file.name, *SUFFIXES, ".txt", ".md")),
    parse,
    running=True,
    open=RepairingSource,
)
WRITER = base.Writer(carries=frozenset(), alters=r"\s", files=_format_files)
