"""Entities of documents as text in brackets, or as a page with the reader."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from corefkit.formats import read
from corefkit.report.reader_data import build_documents_reader, convert_document
from corefkit.strings import escape_terminal, get_width
from corefkit.tables.html import render_html_page
from corefkit.tables.model import Page, Paragraph
from corefkit.tables.terminal import measure_width

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from corefkit.formats.inputs import Input
    from corefkit.report.reader_data import Parts, ReaderDocument


_MADE_BY = "corefkit.entities_html"


def entities_text(
    documents: Input,
    *,
    format: str | None = None,
    width: int | None = None,
    colours: bool = False,
) -> str:
    """Write documents as text: mentions in brackets, and a list of entities below.

    Args:
        documents: what `corefkit.read` takes: a file, a folder, documents.
        format: the format of files, if it is not recognised.
        width: the longest line; by default as wide as the terminal.
        colours: whether to colour entities, for a terminal.

    >>> from corefkit import Document, Entity, Mention
    >>> entity = Entity("ann", (Mention(0, 0), Mention(2, 2)))
    >>> story = Document("story", (("Ann", "hurt", "herself"),), (entity,))
    >>> print(entities_text(story))
    story
    =====
    [1 Ann] hurt [1 herself]
    <BLANKLINE>
    2 mentions, 1 entity
    1  Ann | herself
    """
    return "\n\n".join(
        render_document(convert_document(document), width=width, colours=colours)
        for document in read(documents, format=format)
    )


def entities_html(
    documents: Input,
    *,
    format: str | None = None,
    title: str = "Entities",
    made_by: str = _MADE_BY,
) -> str:
    """Write documents as a page with the reader, which needs no file beside it.

    Args:
        documents: what `corefkit.read` takes: a file, a folder, documents.
        format: the format of files, if it is not recognised.
        title: the title of the page.
        made_by: what the page says that it was made by.

    >>> from corefkit import Document
    >>> page = entities_html(Document("story", (("Ann", "left"),), ()), title="A story")
    >>> "<title>A story</title>" in page
    True
    """
    shown = [convert_document(document) for document in read(documents, format=format)]
    return render_html_page(build_entity_page(shown, title=title, made_by=made_by))


def build_entity_page(
    documents: Sequence[ReaderDocument],
    *,
    title: str,
    made_by: str,
    notes: Iterable[str] = (),
) -> Page:
    """Make a page of documents and their entities.

    >>> from corefkit.model import Document
    >>> from corefkit.report.reader_data import convert_document
    >>> story = convert_document(Document("story", (("Ann", "left"),), ()))
    >>> build_entity_page([story], title="story", made_by="corefkit").intro[0].text
    '1 document, 2 tokens, 0 mentions, 0 entities'
    """
    lines = [count_entities(documents), *notes]
    return Page(
        title=title,
        intro=tuple(Paragraph(line, is_literal=True) for line in lines),
        parts=(build_documents_reader(documents),),
        made_by=made_by,
    )


def count_entities(documents: Sequence[ReaderDocument]) -> str:
    """Count what documents hold, in words."""
    tokens = sum(len(row) for one in documents for row in one.sentences)
    entities = sum(len(set(one.key)) for one in documents)
    counts = {
        "document documents": len(documents),
        "token tokens": tokens,
        "mention mentions": sum(len(one.spans) for one in documents),
        "entity entities": entities,
    }
    if any(not one.has_words for one in documents):
        del counts["token tokens"]  # they are numbers that stand for words
    return ", ".join(
        f"{count:,} {nouns.split()[count != 1]}" for nouns, count in counts.items()
    )


class Piece(NamedTuple):
    """A piece of text, and the number of the entity whose colour it has, or 0."""

    text: str
    entity: int = 0


_LONGEST = 8  # words of a mention that the list shows
_MOST_LINES = 4  # of an entity in the list
_INDENT = "  "
_BAR = Piece(" |")
# Colours of terminals, without black and white, then the bright ones.
_COLOURS = (34, 32, 35, 36, 31, 33, 94, 92, 95, 96, 91, 93)
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"


def render_document(
    shown: ReaderDocument, *, width: int | None = None, colours: bool = False
) -> str:
    """Write a document of one side, as wide as the terminal unless a width is given.

    >>> from corefkit.report.reader_data import ReaderDocument
    >>> words = [["Ann", "left", "."], ["She", "ran", "home", "."]]
    >>> spans = [((0, 0),), ((3, 3),), ((5, 5),)]
    >>> print(render_document(ReaderDocument("story", words, spans, [1, 1, 2])))
    story
    =====
    [1 Ann] left .
    [1 She] ran home .
    <BLANKLINE>
    3 mentions, 2 entities, 1 of them mentioned once
    1  Ann | She
    Once: home
    """
    room = width or get_width()
    sizes = Counter(shown.key)
    several = {entity for entity, size in sizes.items() if size > 1}
    # Only entities with brackets have colours, so that these last longer.
    own = {
        entity: _COLOURS[at % len(_COLOURS)]
        for at, entity in enumerate(sorted(several))
    }
    paint = partial(_painted, colours=own if colours else {})
    said = _mentions(shown)
    lines = [*_title(shown, room, colours=colours)]
    for sentence in bracketed(shown, several):
        lines += map(paint, _wrapped(sentence, room))
    lines += ["", *map(paint, _wrapped(_summary(shown, sizes), room))]
    for entity in sorted(several):
        digits = len(str(max(several)))
        lines += map(paint, _entity(entity, said[entity], digits, room))
    once = [said[entity][0] for entity in sizes if entity not in several]
    lines += map(paint, _once(once, room))
    return "\n".join(lines)


def _title(shown: ReaderDocument, room: int, *, colours: bool) -> Iterator[str]:
    title = escape_terminal(shown.id) or "(no id)"
    yield f"{_BOLD}{title}{_PLAIN}" if colours else title
    yield "=" * max(1, min(measure_width(title), room))
    if not shown.has_words:
        yield "(no words: the numbers are those of tokens)"


def _summary(shown: ReaderDocument, sizes: Counter[int]) -> list[Chunk]:
    once = sum(size == 1 for size in sizes.values())
    mentions = f"{len(shown.spans):,} mention{'s' * (len(shown.spans) != 1)}"
    entities = f"{len(sizes):,} entit{'y' if len(sizes) == 1 else 'ies'}"
    tail = f", {once:,} of them mentioned once" if once else ""
    return [(Piece(word),) for word in f"{mentions}, {entities}{tail}".split(" ")]


def _mentions(shown: ReaderDocument) -> dict[int, list[str]]:
    """List the words of the mentions of each entity, in order."""
    words = words_of(shown)
    said: dict[int, list[str]] = {}
    for parts, entity in zip(shown.spans, shown.key, strict=True):
        said.setdefault(entity, []).append(_quote_mention(parts, words))
    return said


def _entity(
    entity: int, said: Sequence[str], digits: int, room: int
) -> Iterator[list[Piece]]:
    """List the mentions of an entity in order, equal ones once with their number."""
    names = [
        f"{text} (x{many})" if many > 1 else text
        for text, many in Counter(said).items()
    ]
    start = f"{entity:>{digits}}{_INDENT}"
    for at, line in enumerate(_listed(names, room - len(start), entity)):
        yield [Piece(" " * len(start) if at else start, entity), *line]


def _once(names: Sequence[str], room: int) -> Iterator[list[Piece]]:
    if names:
        start = "Once: "
        for at, line in enumerate(_listed(names, room - len(start), 0)):
            yield [Piece(" " * len(start) if at else start), *line]


def _quote_mention(parts: Parts, words: Sequence[str]) -> str:
    """Write the words of a mention; of a long one, its two ends."""
    said: list[str] = []
    for first, last in parts:
        said += [*([DOTS] if said else []), *words[first : last + 1]]
    if len(said) > _LONGEST:
        half = _LONGEST // 2
        said = [*said[:half], DOTS, *said[-half:]]
    return " ".join(said)


def _listed(names: Sequence[str], room: int, entity: int) -> list[list[Piece]]:
    """Set names out on a few lines; the last says how many are left out."""
    chunks: list[Chunk] = []
    for at, name in enumerate(names):
        chunks += [(Piece(word, entity),) for word in name.split(" ")]
        if at < len(names) - 1:
            chunks[-1] = (*chunks[-1], _BAR)
    lines = _wrapped(chunks, room, indent="")
    if len(lines) <= _MOST_LINES:
        return lines
    longest = len(f" {len(names):,} more")
    kept = _wrapped(chunks, room - longest, indent="")[:_MOST_LINES]
    shown = sum(piece is _BAR for line in kept for piece in line)
    kept[-1] = [*kept[-1], Piece(f" {len(names) - shown:,} more")]
    return kept


def _wrapped(
    chunks: Iterable[Chunk], room: int, indent: str = _INDENT
) -> list[list[Piece]]:
    """Break chunks into lines; all but the first are indented."""
    lines: list[list[Piece]] = []
    line: list[Piece] = []
    used = 0
    for chunk in chunks:
        size = sum(measure_width(piece.text) for piece in chunk)
        if line and used + 1 + size > room:
            lines.append(line)
            line, used = [Piece(indent)], len(indent)
        elif line:
            line, used = [*line, Piece(" ")], used + 1
        line = [*line, *chunk]
        used += size
    return [*lines, line] if line else lines


def _painted(line: Iterable[Piece], colours: Mapping[int, int]) -> str:
    """Colour a line by itself, as pagers forget colours at its end."""
    text = ""
    for entity, pieces in groupby(line, key=lambda piece: piece.entity):
        words = "".join(piece.text for piece in pieces)
        colour = colours.get(entity)
        text += words if colour is None else f"\x1b[{colour}m{words}{_PLAIN}"
    return text.rstrip()


EMPTY = "\N{EMPTY SET}"
DOTS = "..."
_NO_WORD = ("", "_")
_BRACKET = re.compile(r"(\\*)([\[\]])")


# What stands between two blanks, and is not broken.
Chunk: TypeAlias = tuple[Piece, ...]


class _Part(NamedTuple):
    """A part of a mention; all of it unless it has gaps."""

    first: int
    last: int
    entity: int
    goes_on: bool
    goes_back: bool
    number: int  # which part of all


def bracketed(
    shown: ReaderDocument, entities: Collection[int]
) -> Iterator[list[Chunk]]:
    """Write each sentence with the mentions of some entities in brackets.

    >>> from corefkit.report.reader_data import ReaderDocument
    >>> words = ["The", "mayor", "of", "Halden", "left"]
    >>> spans = [((0, 3),), ((3, 3),)]
    >>> (sentence,) = bracketed(ReaderDocument("d", [words], spans, [1, 2]), {1, 2})
    >>> print(" ".join("".join(piece.text for piece in chunk) for chunk in sentence))
    [1 The mayor of [2 Halden]] left
    """
    writer = _Writer(shown, entities)
    token = 0
    for sentence in shown.sentences:
        chunks = [
            chunk
            for number, word in enumerate(sentence, start=token)
            if (chunk := writer.chunk(number, word))
        ]
        token += len(sentence)
        writer.end_sentence()
        yield chunks


class _Writer:
    """Goes through the tokens of a document, and knows which brackets are open."""

    def __init__(self, shown: ReaderDocument, entities: Collection[int]) -> None:
        self._empty = set(shown.empty)
        self._opening: dict[int, list[_Part]] = defaultdict(list)
        for part in _parts(shown, entities):
            self._opening[part.first].append(part)
        self._open: list[_Part] = []
        self._named: set[int] = set()  # parts whose end has their number too

    def chunk(self, token: int, word: str) -> Chunk:
        """Write a token with the brackets around it."""
        # Of parts that begin together, the longest is outside.
        begun = sorted(self._opening[token], key=lambda part: -part.last)
        self._open += begun
        if token in self._empty and not self._open:
            return ()
        inner = self._open[-1].entity if self._open else 0
        said = _said(word, is_empty=token in self._empty)
        return (*map(_begin, begun), Piece(said, inner), *self._ends(token))

    def end_sentence(self) -> None:
        """Remember to name the ends of mentions that go beyond the sentence."""
        self._named |= {part.number for part in self._open}

    def _ends(self, token: int) -> Iterator[Piece]:
        ending = [part for part in reversed(self._open) if part.last == token]
        for part in ending:
            place = self._open.index(part)
            inside = self._open[place + 1 :]
            if inside:
                self._named |= {part.number, *(one.number for one in inside)}
            del self._open[place]
            name = str(part.entity) if part.number in self._named else ""
            dots = f" {DOTS}" if part.goes_on else ""
            yield Piece(f"{dots}]{name}", part.entity)


def _parts(shown: ReaderDocument, entities: Collection[int]) -> Iterator[_Part]:
    number = 0
    for parts, entity in zip(shown.spans, shown.key, strict=True):
        if entity not in entities:
            continue
        for at, (first, last) in enumerate(parts):
            number += 1
            yield _Part(first, last, entity, at < len(parts) - 1, at > 0, number)


def _begin(part: _Part) -> Piece:
    dots = f"{DOTS} " if part.goes_back else ""
    return Piece(f"[{part.entity} {dots}", part.entity)


def _said(word: str, *, is_empty: bool) -> str:
    if is_empty:
        return EMPTY if word in _NO_WORD else f"{EMPTY}{visible_word(word)}"
    return visible_word(word)


def visible_word(word: str) -> str:
    r"""Show a word as text: what is invisible, and brackets, as escapes.

    >>> print(visible_word("[1"), visible_word("a\x1b[2J"), visible_word("two words"))
    \[1 a\x1b\[2J two words
    """
    return _BRACKET.sub(r"\1\1\\\2", escape_terminal(word))


def words_of(shown: ReaderDocument) -> Sequence[str]:
    """List the tokens of a document as they are shown, with their sentences joined."""
    empty = set(shown.empty)
    tokens = [word for sentence in shown.sentences for word in sentence]
    return [_said(word, is_empty=at in empty) for at, word in enumerate(tokens)]
