"""Entities of documents as text in brackets, or as a page with the reader."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, groupby, islice
from typing import NamedTuple, TypeAlias

from corefkit.formats import Input, read
from corefkit.report.reader_data import (
    Parts,
    ReaderDocument,
    build_documents_reader,
    convert_document,
)
from corefkit.strings import escape_terminal, format_count, get_width
from corefkit.tables.html import render_html_page
from corefkit.tables.model import Page, Paragraph
from corefkit.tables.terminal import measure_width

_MADE_BY = "corefkit.entities_html"


def entities_text(
    documents: Input,
    *,
    format: str | None = None,
    width: int | None = None,
    colours: bool = False,
) -> str:
    """Render documents as text: mentions in brackets, then a list of entities.

    Args:
        documents: a file, a folder or documents, as for `corefkit.read`.
        format: the format of files; recognised by default.
        width: the maximum width of a line; that of the terminal by default.
        colours: whether to colour entities for a terminal.

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
    """Render documents as a self-contained page with the reader.

    Args:
        documents: a file, a folder or documents, as for `corefkit.read`.
        format: the format of files; recognised by default.
        title: the title of the page.
        made_by: the command or function in the footer of the page.

    >>> from corefkit import Document
    >>> page = entities_html(Document("story", (("Ann", "left"),), ()), title="A story")
    >>> "<title>A story</title>" in page
    True
    """
    shown = [convert_document(document) for document in read(documents, format=format)]
    counts = [format_count(len(shown), "document")]
    if all(document.has_words for document in shown):  # otherwise, these are numbers
        tokens = sum(len(row) for document in shown for row in document.sentences)
        counts.append(format_count(tokens, "token"))
    mentions = sum(len(document.spans) for document in shown)
    entities = sum(len(set(document.key)) for document in shown)
    counts += [format_count(mentions, "mention"), format_count(entities, "entity")]
    intro = Paragraph(", ".join(counts), is_literal=True)
    reader = build_documents_reader(shown)
    return render_html_page(Page(title, (intro,), (reader,), made_by))


class Piece(NamedTuple):
    """Text in the colour of an entity, given by its number; 0 for none."""

    text: str
    entity: int = 0


_MAX_MENTION_WORDS = 8  # in the list
_MAX_ENTITY_LINES = 4
_INDENT = "  "
_BAR = Piece(" |")
# ANSI colours without black and white, then the bright ones.
_COLOURS = (34, 32, 35, 36, 31, 33, 94, 92, 95, 96, 91, 93)
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"


def render_document(
    document: ReaderDocument, *, width: int | None = None, colours: bool = False
) -> str:
    """Render the entities of a document as text."""
    width = width or get_width()
    sizes = Counter(document.key)
    linked = sorted(entity for entity, size in sizes.items() if size > 1)
    palette: dict[int, int] = {}
    if colours:  # singletons have no brackets and need no colour
        palette = dict(zip(linked, cycle(_COLOURS), strict=False))
    mentions = _group_mentions(document)
    title = escape_terminal(document.id) or "(no id)"
    head = [f"{_BOLD}{title}{_PLAIN}" if colours else title]
    head.append("=" * max(1, min(measure_width(title), width)))
    if not document.has_words:
        head.append("(no words: the numbers are those of tokens)")
    lines: list[list[Piece]] = []
    for sentence in iter_bracketed(document, set(linked)):
        lines += _wrap_chunks(sentence, width)
    lines.append([])
    summary = format_count(len(document.spans), "mention")
    summary += f", {format_count(len(sizes), 'entity')}"
    singletons = [mentions[entity][0] for entity in sizes if sizes[entity] == 1]
    if singletons:
        summary += f", {len(singletons):,} of them mentioned once"
    lines += _wrap_chunks([(Piece(word),) for word in summary.split(" ")], width)
    for entity in linked:
        label = f"{entity:>{len(str(linked[-1]))}}{_INDENT}"
        names = [
            f"{text} (x{count})" if count > 1 else text
            for text, count in Counter(mentions[entity]).items()
        ]
        lines += _list_names(label, names, width, entity)
    if singletons:
        lines += _list_names("Once: ", singletons, width, 0)
    return "\n".join([*head, *(_paint_line(line, palette) for line in lines)])


def _group_mentions(document: ReaderDocument) -> dict[int, list[str]]:
    words = list_words(document)
    mentions: dict[int, list[str]] = {}
    for parts, entity in zip(document.spans, document.key, strict=True):
        mentions.setdefault(entity, []).append(_quote_mention(parts, words))
    return mentions


def _quote_mention(parts: Parts, words: Sequence[str]) -> str:
    """Return the words of a mention; of a long mention, the first and last words."""
    quote: list[str] = []
    for first, last in parts:
        quote += [*([DOTS] if quote else []), *words[first : last + 1]]
    if len(quote) > _MAX_MENTION_WORDS:
        half = _MAX_MENTION_WORDS // 2
        quote = [*quote[:half], DOTS, *quote[-half:]]
    return " ".join(quote)


def _list_names(
    label: str, names: Sequence[str], width: int, entity: int
) -> Iterator[list[Piece]]:
    chunks: list[Chunk] = []
    for index, name in enumerate(names):
        chunks += [(Piece(word, entity),) for word in name.split(" ")]
        if index < len(names) - 1:
            chunks[-1] = (*chunks[-1], _BAR)
    width -= len(label)
    lines = _wrap_chunks(chunks, width, indent="")
    if len(lines) > _MAX_ENTITY_LINES:
        width -= len(f" {len(names):,} more")
        lines = _wrap_chunks(chunks, width, indent="")[:_MAX_ENTITY_LINES]
        listed = sum(piece is _BAR for line in lines for piece in line)
        lines[-1].append(Piece(f" {len(names) - listed:,} more"))
    for index, line in enumerate(lines):
        yield [Piece(" " * len(label) if index else label, entity), *line]


def _wrap_chunks(
    chunks: Iterable[Chunk], width: int, indent: str = _INDENT
) -> list[list[Piece]]:
    lines: list[list[Piece]] = []
    line: list[Piece] = []
    used = 0
    for chunk in chunks:
        size = sum(measure_width(piece.text) for piece in chunk)
        if line and used + 1 + size > width:
            lines.append(line)
            line, used = [Piece(indent)], len(indent)
        elif line:
            line, used = [*line, Piece(" ")], used + 1
        line = [*line, *chunk]
        used += size
    return [*lines, line] if line else lines


def _paint_line(line: Iterable[Piece], colours: Mapping[int, int]) -> str:
    """Add colours to one line; pagers reset them at its end."""
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


# Pieces without a space between them, which are not wrapped.
Chunk: TypeAlias = tuple[Piece, ...]


@dataclass(slots=True, eq=False)
class _Bracket:
    """The brackets of a contiguous part of a mention."""

    last: int  # token
    entity: int
    is_continued: bool
    is_continuation: bool
    is_labelled: bool = False  # whether the closing bracket has the number


def iter_bracketed(
    document: ReaderDocument, entities: Collection[int]
) -> Iterator[list[Chunk]]:
    """Iterate over sentences with the mentions of some entities in brackets."""
    opening: dict[int, list[_Bracket]] = defaultdict(list)
    for parts, entity in zip(document.spans, document.key, strict=True):
        if entity in entities:
            for index, (first, last) in enumerate(parts):
                is_continued = index < len(parts) - 1
                opening[first].append(_Bracket(last, entity, is_continued, index > 0))
    empty = set(document.empty)
    words = enumerate(list_words(document))
    open_brackets: list[_Bracket] = []
    for sentence in document.sentences:
        chunks = []
        for token, word in islice(words, len(sentence)):
            # The longest part is the outermost.
            started = sorted(opening[token], key=lambda bracket: -bracket.last)
            open_brackets += started
            if open_brackets or token not in empty:
                inner = open_brackets[-1].entity if open_brackets else 0
                opened = [
                    Piece(f"[{b.entity} {b.is_continuation * f'{DOTS} '}", b.entity)
                    for b in started
                ]
                closed = _close_brackets(open_brackets, token)
                chunks.append((*opened, Piece(word, inner), *closed))
        for bracket in open_brackets:
            bracket.is_labelled = True
        yield chunks


def _close_brackets(open_brackets: list[_Bracket], token: int) -> Iterator[Piece]:
    """Close the brackets that end with a token; those that cross get numbers."""
    for bracket in [b for b in reversed(open_brackets) if b.last == token]:
        place = open_brackets.index(bracket)
        if place + 1 < len(open_brackets):
            for crossing in open_brackets[place:]:
                crossing.is_labelled = True
        del open_brackets[place]
        number = str(bracket.entity) if bracket.is_labelled else ""
        dots = f" {DOTS}" if bracket.is_continued else ""
        yield Piece(f"{dots}]{number}", bracket.entity)


def escape_word(word: str) -> str:
    """Escape brackets and invisible characters of a word."""
    return _BRACKET.sub(r"\1\1\\\2", escape_terminal(word))


def list_words(document: ReaderDocument) -> list[str]:
    words = [escape_word(word) for sentence in document.sentences for word in sentence]
    for token in document.empty:
        words[token] = EMPTY if words[token] in _NO_WORD else f"{EMPTY}{words[token]}"
    return words
