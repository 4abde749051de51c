"""LitBank's own annotation: lines of mentions and links, and a text next to them.

1.  `story.ann`, or `story.tsv.ann`, annotates `story.txt`, which must be in the same
    folder; `story` is the id of the document.
2.  The text has one sentence per line; blanks separate its tokens. Lines without
    tokens count as lines, but not as sentences of the document.
3.  `MENTION T2 1 11 1 14 words FAC PROP`, separated by tabs, is a mention: its name,
    the line and token where it starts, the line and token where it ends, all counted
    from 0 and both ends included, its words, type and kind. The words must be those of
    the text. The type goes to `type` and the kind to `mention_type`; `_` is none.
4.  `COREF T2 Hall-3` puts a mention into an entity. A mention without such a line is in
    the entity with its own name, mostly alone.
5.  `COP` and `APPOS` link predicates and appositions to what they describe. LitBank
    counts neither as coreference, and they are left out.
6.  Entities are in the order of their first mentions, mentions in that of their lines.
7.  Other lines that are not blank, and mentions that are missing, repeated or in two
    entities, are refused.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from corefkit.exceptions import quoted
from corefkit.formats import base, documents
from corefkit.formats.lines import sound_lines, written_sentences
from corefkit.formats.standoff.text import blank_before, text_beside
from corefkit.model import Document, Mention
from corefkit.strings.ids import file_stem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Faults

_Row: TypeAlias = tuple[int, list[str]]  # a line: its number, and its cells
_FIRST_LINE = re.compile(
    rb"\s*(?:MENTION\tT\w*\t[0-9]+\t[0-9]+\t[0-9]+\t[0-9]+\t"
    rb"|(?:COREF|COP|APPOS)\tT\w*\t\S)"
)
_BLANKS = re.compile(r"[ \t\r]+")
_NUMBER = re.compile(r"[0-9]{1,15}")
_LINKS = ("COP", "APPOS")
_NONE = "_"
_SHAPE = (
    "expected 'MENTION name line token line token words type kind', separated by tabs"
)
_TEXT_HINT = "the text 'name.txt' belongs next to 'name.ann' or 'name.tsv.ann'"


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like LitBank's annotation."""
    return _FIRST_LINE.match(head) is not None


class _Text(NamedTuple):
    """The file of the text, its tokens by line, and how many there are before each."""

    path: str
    lines: list[tuple[str, ...]]
    before: list[int]


def parse(file: ByteFile, extent: documents.Extent, faults: Faults) -> documents.Parsed:
    """Read the annotation of a text, and the text beside it."""
    text = _text(file, extent, faults)
    if text is None:
        return documents.Parsed(Document(extent.id, (), ()), ())
    rows = list(_rows(file, extent, faults))
    mentions = _mentions(rows, text, faults)
    entity_of = _entity_of(rows, mentions, faults)
    named = ((entity_of.get(name, name), mentions[name]) for name in mentions)
    sentences = tuple(words for words in text.lines if words)
    document = Document(extent.id, sentences, documents.grouped_entities(named))
    lines = [number for number, words in enumerate(text.lines, 1) for _ in words]
    return documents.Parsed(document, lines, text.path)


def _text(file: ByteFile, extent: documents.Extent, faults: Faults) -> _Text | None:
    name = file_stem(file.name)
    names = dict.fromkeys((f"{name}.txt", f"{name.removesuffix('.tsv')}.txt"))
    beside = text_beside(file, extent, names, faults, hint=_TEXT_HINT)
    if beside is None:
        return None
    lines = [
        tuple(word for word in _BLANKS.split(line) if word)
        for line in beside.text.split("\n")
    ]
    return _Text(beside.path, lines, [0, *accumulate(map(len, lines))])


def _rows(file: ByteFile, extent: documents.Extent, faults: Faults) -> Iterator[_Row]:
    for number, line in sound_lines(file, extent.start, extent.end, faults):
        cells = [cell.strip(" \r") for cell in line.split("\t")]
        columns = {"MENTION": 9, "COREF": 3, "COP": 3, "APPOS": 3}.get(cells[0])
        if columns is None:
            message = f"{quoted(cells[0])} begins the line"
            hint = "expected MENTION, COREF, COP or APPOS"
            faults(number, message, hint)
        elif len(cells) != columns:
            message = f"{cells[0]} with {len(cells)} columns, expected {columns}"
            hint = _SHAPE if columns > 3 else "expected a link and two names"
            faults(number, message, hint)
        elif cells[0] not in _LINKS:
            yield number, cells


def _mentions(rows: list[_Row], text: _Text, faults: Faults) -> dict[str, Mention]:
    mentions: dict[str, Mention] = {}
    for line, cells in rows:
        if cells[0] != "MENTION":
            continue
        name = cells[1]
        wrong = _wrong_with(cells, text)
        if wrong is None and name in mentions:
            wrong = f"mention {quoted(name)} is repeated", "give each its own name"
        if wrong is not None:
            faults(line, *wrong)
            continue
        start, end = _tokens(cells, text)
        kinds = zip(("type", "mention_type"), cells[7:], strict=True)
        known = {key: value for key, value in kinds if value not in ("", _NONE)}
        mentions[name] = Mention(start, end, attributes=known)
    return mentions


def _entity_of(
    rows: list[_Row], mentions: Mapping[str, Mention], faults: Faults
) -> dict[str, str]:
    entity_of: dict[str, str] = {}
    for line, cells in rows:
        if cells[0] != "COREF":
            continue
        _, name, entity = cells
        if name not in mentions:
            message = f"{quoted(name)} is in an entity, but there is no such mention"
            faults(line, message, _SHAPE)
        elif entity_of.setdefault(name, entity) != entity:
            found = f"mention {quoted(name)} is in entity {quoted(entity)}"
            message = f"{found} and in entity {quoted(entity_of[name])}"
            faults(line, message, "leave one of the two")
    return entity_of


def _wrong_with(cells: Sequence[str], text: _Text) -> tuple[str, str] | None:
    """Describe what is wrong with a mention, and what to do."""
    name = quoted(cells[1])
    if not all(_NUMBER.fullmatch(cell) for cell in cells[2:6]):
        place = quoted(" ".join(cells[2:6]))
        return f"mention {name} stands at {place}, expected four numbers", _SHAPE
    start, end = _tokens(cells, text)
    if min(start, end) < 0:
        hint = f"lines are counted from 0, and the text has {len(text.lines)}"
        return f"mention {name} goes beyond its line, or beyond the text", hint
    if end < start:
        return f"mention {name} ends before it begins", _SHAPE
    stated = [word for word in _BLANKS.split(cells[6]) if word]
    # A stretch longer than the words stated is not even looked at.
    words = _words(cells, text, min(end - start, len(stated)) + 1)
    if words != stated:
        found = quoted(" ".join(words))
        message = f"mention {name} is {quoted(cells[6])}, the text has {found}"
        return message, "is this the text that was annotated?"
    return None


def _tokens(cells: Sequence[str], text: _Text) -> tuple[int, int]:
    """Return the first and last token of a mention; -1 where there is none."""
    start, end = (
        text.before[line] + token
        if line < len(text.lines) and token < len(text.lines[line])
        else -1
        for line, token in (
            (int(cells[2]), int(cells[3])),
            (int(cells[4]), int(cells[5])),
        )
    )
    return start, end


def _words(cells: Sequence[str], text: _Text, size: int) -> list[str]:
    line, token = int(cells[2]), int(cells[3])
    words: list[str] = []
    while len(words) < size:
        words.extend(text.lines[line][token : token + size - len(words)])
        line, token = line + 1, 0
    return words


def _files(document: Document) -> Iterator[tuple[str, str]]:
    sentences = [
        [re.sub(r"[ \t\r\n]+", "_", word) or "_" for word in words]
        for words in written_sentences(document)
        if words
    ]
    yield ".tsv.ann", "".join(_annotation(document, sentences))
    text = "".join(f"{' '.join(words)}\n" for words in sentences)
    yield ".txt", f"{blank_before(text)}{text}"


def _annotation(document: Document, sentences: list[list[str]]) -> Iterator[str]:
    places = [
        f"{line}\t{token}"
        for line, words in enumerate(sentences)
        for token in range(len(words))
    ]
    words = [word for sentence in sentences for word in sentence]
    links: list[str] = []
    for entity, name in zip(document, _names(document), strict=True):
        for mention in entity:
            number = f"T{len(links) + 1}"
            text = " ".join(words[mention.start : mention.end + 1])
            kinds = (
                _cell(mention.attributes.get(key, "")) or _NONE
                for key in ("type", "mention_type")
            )
            place = f"{places[mention.start]}\t{places[mention.end]}"
            yield "\t".join(("MENTION", number, place, text, *kinds)) + "\n"
            links.append(f"COREF\t{number}\t{name}\n")
    yield from links


def _names(document: Document) -> Iterator[str]:
    """Name the entities by their ids, each in its own way, even where ids are not."""
    taken: set[str] = set()
    for entity in document:
        name = _cell(entity.id)
        while name in taken:
            name += _NONE
        taken.add(name)
        yield name


def _cell(value: str) -> str:
    return re.sub(r"[\t\n]", " ", value).strip(" \r")


READER = documents.document_reader(
    documents.whole_file(lambda file: file_stem(file.name, ".tsv")), parse
)
# Of the other attributes only `mention_type` is kept, so they count as lost.
WRITER = base.Writer(
    alters="[ \\t\\r\\n]",
    carries=base.CROSSINGS | {base.TYPES, base.KINDS},
    files=_files,
)
