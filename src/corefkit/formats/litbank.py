"""LitBank's own annotation: lines of mentions and links, and a text next to them.

`docs/formats/xml.md` defines the format. Lines without tokens count as lines, but
are not sentences. The words of a mention must be those of the text. A mention without
`COREF` is an entity with the id of the mention. Entities are in the order of their
first mentions, mentions in that of their lines.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

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


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like LitBank's annotation."""
    return _FIRST_LINE.match(head) is not None


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Parse the annotation, and the text next to it."""
    name = get_stem(file.name)
    names = list(dict.fromkeys((f"{name}.txt", f"{name.removesuffix('.tsv')}.txt")))
    first_line = file.line_number(extent.start)
    text = read_companion_text(file, first_line, names, faults, hint=_TEXT_HINT)
    if text is None:
        return Parsed(Document(extent.id, (), ()), ())
    lines = [tuple(filter(None, _BLANKS.split(line))) for line in text.text.split("\n")]
    rows = list(_read_rows(file, extent, faults))
    mentions = _parse_mentions(rows, lines, faults)
    entity_ids = _parse_links(rows, mentions, faults)
    entities = base.group_entities(
        (entity_ids.get(name, name), mention) for name, mention in mentions.items()
    )
    document = Document(extent.id, tuple(filter(None, lines)), entities)
    numbers = [number for number, words in enumerate(lines, 1) for _ in words]
    return Parsed(document, numbers, text.path)


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
    rows: Sequence[_Row], lines: Sequence[tuple[str, ...]], faults: Faults
) -> dict[str, Mention]:
    words = list(chain.from_iterable(lines))
    places = (
        (line, token) for line, row in enumerate(lines) for token in range(len(row))
    )
    positions = {place: number for number, place in enumerate(places)}
    mentions: dict[str, Mention] = {}
    for line, cells in rows:
        if cells[0] != "MENTION":
            continue
        span = _parse_span(line, cells, positions, words, faults)
        if span is None:
            continue
        name = cells[1]
        if name in mentions:
            message = f"mention {quoted(name)} is repeated"
            hint = "give each mention a unique id"
            faults(line, message, hint, kind=kinds.REPEATED_ID)
            continue
        types = zip(("type", "mention_type"), cells[7:], strict=True)
        attributes = {key: value for key, value in types if value not in ("", _NONE)}
        mentions[name] = Mention(*span, attributes=attributes)
    return mentions


def _parse_span(
    line: int,
    cells: Sequence[str],
    positions: Mapping[tuple[int, int], int],
    words: Sequence[str],
    faults: Faults,
) -> tuple[int, int] | None:
    """Return first and last token of a mention; `positions` are by line and token."""
    label = f"mention {quoted(cells[1])}"
    hint, kind = "lines and tokens are counted from 0", kinds.INVALID_SPAN
    start = end = None
    has_numbers = all(_NUMBER.fullmatch(cell) for cell in cells[2:6])
    if has_numbers:
        start_line, first, end_line, last = map(int, cells[2:6])
        start, end = positions.get((start_line, first)), positions.get((end_line, last))
    if not has_numbers:
        numbers = quoted(" ".join(cells[2:6]))
        message = f"{label} has the span {numbers}, expected four numbers"
    elif start is None or end is None:
        message = f"{label} extends beyond its line, or beyond the text"
    elif end < start:
        message = f"{label} ends before it begins"
    else:
        expected = [word for word in _BLANKS.split(cells[6]) if word]
        # At most one additional word is read, because the span may be the entire text.
        covered = words[start : start + min(end - start, len(expected)) + 1]
        if covered == expected:
            return start, end
        text = quoted(" ".join(covered))
        message = f"{label} is {quoted(cells[6])}, but the text has {text}"
        hint, kind = "check that this is the annotated text", kinds.DIFFERENT_TEXT
    faults(line, message, hint, kind=kind)
    return None


def _parse_links(
    rows: Sequence[_Row], mentions: Mapping[str, Mention], faults: Faults
) -> dict[str, str]:
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
