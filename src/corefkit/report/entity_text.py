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

    from corefkit.formats import Input
    from corefkit.report.reader_data import Parts, ReaderDocument


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
    return render_html_page(build_entity_page(shown, title=title, made_by=made_by))


def build_entity_page(
    documents: Sequence[ReaderDocument],
    *,
    title: str,
    made_by: str,
    notes: Iterable[str] = (),
) -> Page:
    """Build a page of documents and their entities.

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
    """Describe the size of documents, as in `1 document, 2 tokens`."""
    tokens = sum(len(row) for document in documents for row in document.sentences)
    entities = sum(len(set(document.key)) for document in documents)
    counts = {
        "document documents": len(documents),
        "token tokens": tokens,
        "mention mentions": sum(len(document.spans) for document in documents),
        "entity entities": entities,
    }
    if any(not document.has_words for document in documents):
        del counts["token tokens"]  # these are numbers, not words
    return ", ".join(
        f"{count:,} {nouns.split()[count != 1]}" for nouns, count in counts.items()
    )


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
    """Render the entities of a document as text.

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
    width = width or get_width()
    sizes = Counter(document.key)
    linked = sorted(entity for entity, size in sizes.items() if size > 1)
    # Singletons have no brackets and need no colour.
    palette = {
        entity: _COLOURS[index % len(_COLOURS)] for index, entity in enumerate(linked)
    }
    paint = partial(_paint_line, colours=palette if colours else {})
    mentions = _group_mentions(document)
    lines = [*_format_title(document, width, colours=colours)]
    for sentence in iter_bracketed(document, set(linked)):
        lines += map(paint, _wrap_chunks(sentence, width))
    lines += ["", *map(paint, _wrap_chunks(_summarise(document, sizes), width))]
    for entity in linked:
        label = f"{entity:>{len(str(linked[-1]))}}{_INDENT}"
        names = [
            f"{text} (x{count})" if count > 1 else text
            for text, count in Counter(mentions[entity]).items()
        ]
        lines += map(paint, _list_names(label, names, width, entity))
    singletons = [mentions[entity][0] for entity in sizes if sizes[entity] == 1]
    if singletons:
        lines += map(paint, _list_names("Once: ", singletons, width, 0))
    return "\n".join(lines)


def _format_title(
    document: ReaderDocument, width: int, *, colours: bool
) -> Iterator[str]:
    title = escape_terminal(document.id) or "(no id)"
    yield f"{_BOLD}{title}{_PLAIN}" if colours else title
    yield "=" * max(1, min(measure_width(title), width))
    if not document.has_words:
        yield "(no words: the numbers are those of tokens)"


def _summarise(document: ReaderDocument, sizes: Counter[int]) -> list[Chunk]:
    singletons = sum(size == 1 for size in sizes.values())
    count = len(document.spans)
    mentions = f"{count:,} mention{'s' * (count != 1)}"
    entities = f"{len(sizes):,} entit{'y' if len(sizes) == 1 else 'ies'}"
    tail = f", {singletons:,} of them mentioned once" if singletons else ""
    return [(Piece(word),) for word in f"{mentions}, {entities}{tail}".split(" ")]


def _group_mentions(document: ReaderDocument) -> dict[int, list[str]]:
    """Return the words of the mentions of each entity, in order."""
    words = list_words(document)
    mentions: dict[int, list[str]] = {}
    for parts, entity in zip(document.spans, document.key, strict=True):
        mentions.setdefault(entity, []).append(_quote_mention(parts, words))
    return mentions


def _list_names(
    label: str, names: Sequence[str], width: int, entity: int
) -> Iterator[list[Piece]]:
    """List names after a label; lines after the first are indented."""
    for index, line in enumerate(_fit_names(names, width - len(label), entity)):
        yield [Piece(" " * len(label) if index else label, entity), *line]


def _quote_mention(parts: Parts, words: Sequence[str]) -> str:
    """Return the words of a mention; of a long mention, the first and last words."""
    quote: list[str] = []
    for first, last in parts:
        quote += [*([DOTS] if quote else []), *words[first : last + 1]]
    if len(quote) > _MAX_MENTION_WORDS:
        half = _MAX_MENTION_WORDS // 2
        quote = [*quote[:half], DOTS, *quote[-half:]]
    return " ".join(quote)


def _fit_names(names: Sequence[str], width: int, entity: int) -> list[list[Piece]]:
    """Wrap names to a few lines; the last one counts the names that do not fit."""
    chunks: list[Chunk] = []
    for index, name in enumerate(names):
        chunks += [(Piece(word, entity),) for word in name.split(" ")]
        if index < len(names) - 1:
            chunks[-1] = (*chunks[-1], _BAR)
    lines = _wrap_chunks(chunks, width, indent="")
    if len(lines) <= _MAX_ENTITY_LINES:
        return lines
    tail = len(f" {len(names):,} more")
    lines = _wrap_chunks(chunks, width - tail, indent="")[:_MAX_ENTITY_LINES]
    listed = sum(piece is _BAR for line in lines for piece in line)
    lines[-1] = [*lines[-1], Piece(f" {len(names) - listed:,} more")]
    return lines


def _wrap_chunks(
    chunks: Iterable[Chunk], width: int, indent: str = _INDENT
) -> list[list[Piece]]:
    """Wrap chunks to lines; lines after the first are indented."""
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
    """Colour one line; pagers reset colours at its end."""
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


class _BracketPart(NamedTuple):
    """A contiguous part of a mention."""

    first: int
    last: int
    entity: int
    goes_on: bool
    goes_back: bool
    number: int  # unique in the document


def iter_bracketed(
    document: ReaderDocument, entities: Collection[int]
) -> Iterator[list[Chunk]]:
    """Iterate over sentences with the mentions of some entities in brackets.

    >>> from corefkit.report.reader_data import ReaderDocument
    >>> words = ["The", "mayor", "of", "Halden", "left"]
    >>> spans = [((0, 3),), ((3, 3),)]
    >>> (sentence,) = iter_bracketed(
    ...     ReaderDocument("d", [words], spans, [1, 2]), {1, 2}
    ... )
    >>> print(" ".join("".join(piece.text for piece in chunk) for chunk in sentence))
    [1 The mayor of [2 Halden]] left
    """
    writer = _BracketWriter(document, entities)
    token = 0
    for sentence in document.sentences:
        chunks = [
            chunk
            for number, word in enumerate(sentence, start=token)
            if (chunk := writer.write_token(number, word))
        ]
        token += len(sentence)
        writer.end_sentence()
        yield chunks


class _BracketWriter:
    """Writes tokens in order and keeps track of open brackets."""

    def __init__(self, document: ReaderDocument, entities: Collection[int]) -> None:
        self._empty = set(document.empty)
        self._opening: dict[int, list[_BracketPart]] = defaultdict(list)
        for part in _iter_parts(document, entities):
            self._opening[part.first].append(part)
        self._open: list[_BracketPart] = []
        self._labelled: set[int] = set()  # parts whose closing bracket has a number

    def write_token(self, token: int, word: str) -> Chunk:
        """Return a token with its brackets."""
        # The longest part is the outermost.
        started = sorted(self._opening[token], key=lambda part: -part.last)
        self._open += started
        if token in self._empty and not self._open:
            return ()
        inner = self._open[-1].entity if self._open else 0
        text = _format_token(word, is_empty=token in self._empty)
        return (
            *map(_open_bracket, started),
            Piece(text, inner),
            *self._close_brackets(token),
        )

    def end_sentence(self) -> None:
        """Label the ends of mentions that continue in the next sentence."""
        self._labelled |= {part.number for part in self._open}

    def _close_brackets(self, token: int) -> Iterator[Piece]:
        ending = [part for part in reversed(self._open) if part.last == token]
        for part in ending:
            place = self._open.index(part)
            inside = self._open[place + 1 :]
            if inside:
                self._labelled |= {part.number, *(inner.number for inner in inside)}
            del self._open[place]
            name = str(part.entity) if part.number in self._labelled else ""
            dots = f" {DOTS}" if part.goes_on else ""
            yield Piece(f"{dots}]{name}", part.entity)


def _iter_parts(
    document: ReaderDocument, entities: Collection[int]
) -> Iterator[_BracketPart]:
    number = 0
    for parts, entity in zip(document.spans, document.key, strict=True):
        if entity not in entities:
            continue
        for index, (first, last) in enumerate(parts):
            number += 1
            yield _BracketPart(
                first, last, entity, index < len(parts) - 1, index > 0, number
            )


def _open_bracket(part: _BracketPart) -> Piece:
    dots = f"{DOTS} " if part.goes_back else ""
    return Piece(f"[{part.entity} {dots}", part.entity)


def _format_token(word: str, *, is_empty: bool) -> str:
    if is_empty:
        return EMPTY if word in _NO_WORD else f"{EMPTY}{escape_word(word)}"
    return escape_word(word)


def escape_word(word: str) -> str:
    r"""Escape brackets and invisible characters of a word.

    >>> print(escape_word("[1"), escape_word("a\x1b[2J"), escape_word("two words"))
    \[1 a\x1b\[2J two words
    """
    return _BRACKET.sub(r"\1\1\\\2", escape_terminal(word))


def list_words(document: ReaderDocument) -> Sequence[str]:
    """List the tokens of a document as they are displayed."""
    empty = set(document.empty)
    tokens = [word for sentence in document.sentences for word in sentence]
    return [
        _format_token(word, is_empty=index in empty)
        for index, word in enumerate(tokens)
    ]
