"""LitBank's own annotation: lines of mentions and links, and a text next to them.

1.  `story.ann`, or `story.tsv.ann`, annotates `story.txt`, which must be in the same
    folder; `story` is the id of the document.
2.  The text has one sentence per line, with blanks between its tokens. Lines without
    tokens count as lines, but are not sentences of the document.
3.  `MENTION T2 1 11 1 14 words FAC PROP`, separated by tabs, is a mention: its id, the
    line and token of its start, the line and token of its end, all counted from 0 and
    both ends included, its words, type and kind. The words must be those of the text.
    The type is the attribute `type`, the kind `mention_type`; `_` means none.
4.  `COREF T2 Hall-3` assigns a mention to an entity. A mention without such a line is
    an entity with the id of the mention.
5.  `COP` and `APPOS` link predicates and appositions to what they describe. LitBank
    does not count them as coreference, and they are ignored.
6.  Entities are in the order of their first mentions, mentions in that of their lines.
7.  Other non-blank lines, and mentions that are missing, repeated or in two entities,
    are errors.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from corefkit.exceptions import quoted
from corefkit.formats import problems as kinds
from corefkit.formats import source as base
from corefkit.formats.brackets import list_sentences, read_lines
from corefkit.formats.plaintext import protect_start, read_companion_text
from corefkit.formats.source import Parsed
from corefkit.model import Document, Mention
from corefkit.strings import get_stem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Faults
    from corefkit.formats.source import Extent

_Row: TypeAlias = tuple[int, list[str]]  # the number of a line, and its cells
_FIRST_LINE = re.compile(
    rb"\s*(?:MENTION\tT\w*\t[0-9]+\t[0-9]+\t[0-9]+\t[0-9]+\t"
    rb"|(?:COREF|COP|APPOS)\tT\w*\t\S)"
)
_BLANKS = re.compile(r"[ \t\r]+")
_NUMBER = re.compile(r"[0-9]{1,15}")
_COLUMNS = {"MENTION": 9, "COREF": 3, "COP": 3, "APPOS": 3}
_NONE = "_"
_SHAPE = (
    "expected 'MENTION id line token line token words type kind', separated by tabs"
)
_TEXT_HINT = "put the text 'name.txt' next to 'name.ann' or 'name.tsv.ann'"


class _Text(NamedTuple):
    """The path of a text, its tokens by line, and the number of tokens before each."""

    path: str
    lines: list[tuple[str, ...]]
    offsets: list[int]

    def find_token(self, line: int, number: int) -> int | None:
        """Return the number of a token in the document; None if it does not exist."""
        if line < len(self.lines) and number < len(self.lines[line]):
            return self.offsets[line] + number
        return None


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like LitBank's annotation."""
    return _FIRST_LINE.match(head) is not None


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Parse the annotation, and the text next to it."""
    text = _read_text(file, extent, faults)
    if text is None:
        return Parsed(Document(extent.id, (), ()), ())
    rows = list(_read_rows(file, extent, faults))
    mentions = _parse_mentions(rows, text, faults)
    entity_ids = _parse_links(rows, mentions, faults)
    entities = base.group_entities(
        (entity_ids.get(name, name), mention) for name, mention in mentions.items()
    )
    sentences = tuple(words for words in text.lines if words)
    lines = [number for number, words in enumerate(text.lines, 1) for _ in words]
    return Parsed(Document(extent.id, sentences, entities), lines, text.path)


def _read_text(file: ByteFile, extent: Extent, faults: Faults) -> _Text | None:
    name = get_stem(file.name)
    names = list(dict.fromkeys((f"{name}.txt", f"{name.removesuffix('.tsv')}.txt")))
    line = file.line_number(extent.start)
    text_file = read_companion_text(file, line, names, faults, hint=_TEXT_HINT)
    if text_file is None:
        return None
    lines = [
        tuple(word for word in _BLANKS.split(line) if word)
        for line in text_file.text.split("\n")
    ]
    return _Text(text_file.path, lines, [0, *accumulate(map(len, lines))])


def _read_rows(file: ByteFile, extent: Extent, faults: Faults) -> Iterator[_Row]:
    lines = read_lines(file, extent.start, extent.end, faults, skips_invalid=True)
    for number, line in lines:
        if not line.strip():
            continue
        cells = [cell.strip(" \r") for cell in line.split("\t")]
        columns = _COLUMNS.get(cells[0])
        if columns is None:
            message = f"found {quoted(cells[0])} at the start of the line"
            hint = "expected MENTION, COREF, COP or APPOS"
            faults(number, message, hint, kind=kinds.INVALID_ANNOTATION)
        elif len(cells) != columns:
            message = f"{cells[0]} has {len(cells)} columns, expected {columns}"
            hint = _SHAPE if columns > 3 else "expected a link and two names"
            faults(number, message, hint, kind=kinds.WRONG_COLUMNS)
        else:
            yield number, cells


def _parse_mentions(
    rows: Sequence[_Row], text: _Text, faults: Faults
) -> dict[str, Mention]:
    mentions: dict[str, Mention] = {}
    for line, cells in rows:
        if cells[0] != "MENTION":
            continue
        span = _parse_span(line, cells, text, faults)
        if span is None:
            continue
        name = cells[1]
        if name in mentions:
            message = f"mention {quoted(name)} is repeated"
            faults(
                line, message, "give each mention a unique id", kind=kinds.REPEATED_ID
            )
            continue
        types = zip(("type", "mention_type"), cells[7:], strict=True)
        attributes = {key: value for key, value in types if value not in ("", _NONE)}
        mentions[name] = Mention(*span, attributes=attributes)
    return mentions


def _parse_span(
    line: int, cells: Sequence[str], text: _Text, faults: Faults
) -> tuple[int, int] | None:
    """Return the first and last token of a mention; report an error if invalid."""
    label = f"mention {quoted(cells[1])}"
    if not all(_NUMBER.fullmatch(cell) for cell in cells[2:6]):
        message = f"{label} has the span {quoted(' '.join(cells[2:6]))}"
        faults(
            line, f"{message}, expected four numbers", _SHAPE, kind=kinds.INVALID_SPAN
        )
        return None
    start_line, first, end_line, last = map(int, cells[2:6])
    start, end = text.find_token(start_line, first), text.find_token(end_line, last)
    if start is None or end is None:
        message = f"{label} extends beyond its line, or beyond the text"
        hint = f"lines are counted from 0, and the text has {len(text.lines)}"
        faults(line, message, hint, kind=kinds.INVALID_SPAN)
        return None
    if end < start:
        message = f"{label} ends before it begins"
        faults(line, message, _SHAPE, kind=kinds.INVALID_SPAN)
        return None
    expected = [word for word in _BLANKS.split(cells[6]) if word]
    # No more than one additional word is read, because the span may be the entire text.
    size = min(end - start, len(expected)) + 1
    words: list[str] = []
    while len(words) < size:
        words.extend(text.lines[start_line][first : first + size - len(words)])
        start_line, first = start_line + 1, 0
    if words != expected:
        covered = quoted(" ".join(words))
        message = f"{label} is {quoted(cells[6])}, but the text has {covered}"
        hint = "check that this is the annotated text"
        faults(line, message, hint, kind=kinds.DIFFERENT_TEXT)
        return None
    return start, end


def _parse_links(
    rows: Sequence[_Row], mentions: Mapping[str, Mention], faults: Faults
) -> dict[str, str]:
    """Return the id of the entity of each mention that has one."""
    entity_ids: dict[str, str] = {}
    for line, cells in rows:
        if cells[0] != "COREF":
            continue
        _, name, entity = cells
        if name not in mentions:
            message = f"{quoted(name)} is in an entity, but this mention does not exist"
            faults(line, message, _SHAPE, kind=kinds.UNKNOWN_ID)
        elif entity_ids.setdefault(name, entity) != entity:
            entities = f"{quoted(entity)} and in entity {quoted(entity_ids[name])}"
            message = f"mention {quoted(name)} is in entity {entities}"
            faults(
                line, message, "remove one of the two", kind=kinds.CONFLICTING_ENTITIES
            )
    return entity_ids


def _format_files(document: Document) -> Iterator[tuple[str, str]]:
    sentences = [
        [re.sub(r"[ \t\r\n]+", "_", word) or "_" for word in words]
        for words in list_sentences(document)
        if words
    ]
    yield ".tsv.ann", "".join(_format_annotation(document, sentences))
    text = "".join(f"{' '.join(words)}\n" for words in sentences)
    yield ".txt", protect_start(text)


def _format_annotation(
    document: Document, sentences: Sequence[Sequence[str]]
) -> Iterator[str]:
    positions = [
        f"{line}\t{token}"
        for line, words in enumerate(sentences)
        for token in range(len(words))
    ]
    words = [word for sentence in sentences for word in sentence]
    links: list[str] = []
    used_ids: set[str] = set()
    for entity in document:
        entity_id = _clean_cell(entity.id)
        while entity_id in used_ids:
            entity_id += _NONE
        used_ids.add(entity_id)
        for mention in entity:
            number = f"T{len(links) + 1}"
            text = " ".join(words[mention.start : mention.end + 1])
            types = (
                _clean_cell(mention.attributes.get(key, "")) or _NONE
                for key in ("type", "mention_type")
            )
            span = f"{positions[mention.start]}\t{positions[mention.end]}"
            yield "\t".join(("MENTION", number, span, text, *types)) + "\n"
            links.append(f"COREF\t{number}\t{entity_id}\n")
    yield from links


def _clean_cell(value: str) -> str:
    return re.sub(r"[\t\n]", " ", value).strip(" \r")


READER = base.make_reader(
    base.make_file_extents(lambda file: get_stem(file.name, ".tsv")), parse
)
# `mention_type` is the only other attribute that is kept, so ATTRIBUTES is not listed.
WRITER = base.Writer(
    alters="[ \\t\\r\\n]",
    carries=base.CROSSINGS | {base.TYPES, base.KINDS},
    files=_format_files,
)
