"""Documents and their entities as text: sentences with brackets, then a list.

Entities of one mention have no brackets, as they would hide the others; the list has
them. Numbers are those of the reader.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from corefkit.report.reader.brackets import DOTS, Piece, bracketed, words_of
from corefkit.strings import escape_terminal, get_width
from corefkit.tables.terminal import text_width

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corefkit.report.reader.brackets import Chunk
    from corefkit.report.reader.values import Parts, ShownDocument

_LONGEST = 8  # words of a mention that the list shows
_MOST_LINES = 4  # of an entity in the list
_INDENT = "  "
_BAR = Piece(" |")
# Colours of terminals, without black and white, then the bright ones.
_COLOURS = (34, 32, 35, 36, 31, 33, 94, 92, 95, 96, 91, 93)
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"


def document_text(
    shown: ShownDocument, *, width: int | None = None, colours: bool = False
) -> str:
    """Write a document of one side, as wide as the terminal unless a width is given.

    >>> from corefkit.report.reader.values import ShownDocument
    >>> words = [["Ann", "left", "."], ["She", "ran", "home", "."]]
    >>> spans = [((0, 0),), ((3, 3),), ((5, 5),)]
    >>> print(document_text(ShownDocument("story", words, spans, [1, 1, 2])))
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


def _title(shown: ShownDocument, room: int, *, colours: bool) -> Iterator[str]:
    title = escape_terminal(shown.id) or "(no id)"
    yield f"{_BOLD}{title}{_PLAIN}" if colours else title
    yield "=" * max(1, min(text_width(title), room))
    if not shown.has_words:
        yield "(no words: the numbers are those of tokens)"


def _summary(shown: ShownDocument, sizes: Counter[int]) -> list[Chunk]:
    once = sum(size == 1 for size in sizes.values())
    mentions = f"{len(shown.spans):,} mention{'s' * (len(shown.spans) != 1)}"
    entities = f"{len(sizes):,} entit{'y' if len(sizes) == 1 else 'ies'}"
    tail = f", {once:,} of them mentioned once" if once else ""
    return [(Piece(word),) for word in f"{mentions}, {entities}{tail}".split(" ")]


def _mentions(shown: ShownDocument) -> dict[int, list[str]]:
    """List the words of the mentions of each entity, in order."""
    words = words_of(shown)
    said: dict[int, list[str]] = {}
    for parts, entity in zip(shown.spans, shown.key, strict=True):
        said.setdefault(entity, []).append(_said(parts, words))
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


def _said(parts: Parts, words: Sequence[str]) -> str:
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
        size = sum(text_width(piece.text) for piece in chunk)
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
