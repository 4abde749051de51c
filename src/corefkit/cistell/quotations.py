"""Which words stand in quotation marks.

A mark quotes up to its partner, and nothing where it has none. The rules:

1.  A straight mark that is tagged as a noun or number is none: it stands for inches.
2.  Whether a mark opens or closes is told by its tag (Penn's, in XPOS), its shape, or
    the blanks around it (SpaceAfter=No), the first of them that tells.
3.  A mark of which nothing tells closes what its sentence has opened. Others open and
    close by turns. In a sentence with an odd number of these, one after a number stands
    for inches. Where still an odd number is left in the document, one has no partner:
    then only pairs in a sentence count.
4.  A quotation of several paragraphs opens each and closes the last: a mark that opens
    at the start of a sentence goes on with what one at a start has opened. Elsewhere it
    starts anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corefkit.model import Document

OPENS, CLOSES, EITHER = "opens", "closes", "either"
_SHAPES: Mapping[str, str] = {
    **dict.fromkeys(("“", "«", "``"), OPENS),
    **dict.fromkeys(("”", "»"), CLOSES),
    **dict.fromkeys(('"', "''"), EITHER),
}
_PENN: Mapping[str, str] = {"``": OPENS, "''": CLOSES}
_INCHES = ("NOUN", "NUM")


class Mark(NamedTuple):
    """A quotation mark.

    Attributes:
        token: its place in the document.
        sentence: the number of its sentence.
        side: `OPENS`, `CLOSES` or `EITHER`.
        first: whether the sentence starts with it.
    """

    token: int
    sentence: int
    side: str
    first: bool


def quoted_tokens(document: Document) -> list[bool]:
    """Say of each token whether it stands in quotation marks; the opening one does.

    >>> from corefkit.model import Document
    >>> words = ("A", "6", '"', "door", ":", '"', "Push", '"', "it", "said")
    >>> found = quoted_tokens(Document("d", (words,), ()))
    >>> [word for word, quoted in zip(words, found, strict=True) if quoted]
    ['"', 'Push']
    """
    found = [False] * len(document.tokens)
    marks = _closing(_marks(document))
    for first, end in _pairs(_without_inches(document, list(marks))):
        found[first:end] = [True] * (end - first)
    return found


def _marks(document: Document) -> Iterator[Mark]:
    token = 0
    shapes = {**_SHAPES, **_PENN} if {*_PENN} <= {*document.tokens} else _SHAPES
    for number, sentence in enumerate(document.sentences):
        for place, form in enumerate(sentence):
            if form in shapes:
                side = _side(document, token, shapes[form])
                if side:
                    yield Mark(token, number, side, place == 0)
            token += 1


def _side(document: Document, token: int, shape: str) -> str:
    """Say whether a mark opens or closes; empty where it is no quotation mark."""
    if shape == EITHER and _cell(document, "upos", token) in _INCHES:
        return ""
    told = _PENN.get(_cell(document, "xpos", token), shape)
    return _by_blanks(document, token) if told == EITHER else told


def _by_blanks(document: Document, token: int) -> str:
    """Say what the blanks before and after a mark tell of it."""
    before = token == 0 or _blank(document, token - 1)
    after = _blank(document, token)
    if before == after:
        return EITHER
    return OPENS if before else CLOSES


def _blank(document: Document, token: int) -> bool:
    """Say whether a blank follows a token."""
    return "SpaceAfter=No" not in _cell(document, "misc", token).split("|")


def _cell(document: Document, layer: str, token: int) -> str:
    cells = document.layers.get(layer)
    return cells[token] if cells else "_"


def _closing(marks: Iterable[Mark]) -> Iterator[Mark]:
    """Let marks of which nothing tells close what their sentence has opened."""
    opened = -1
    for mark in marks:
        if mark.side == EITHER and opened == mark.sentence:
            mark = mark._replace(side=CLOSES)
        if mark.side != EITHER:
            opened = mark.sentence if mark.side == OPENS else -1
        yield mark


def _without_inches(document: Document, marks: Sequence[Mark]) -> Sequence[Mark]:
    """Leave out marks of which nothing tells and that have no partner (rule 3)."""
    unsure: dict[int, list[Mark]] = {}
    for mark in marks:
        if mark.side == EITHER:
            unsure.setdefault(mark.sentence, []).append(mark)
    for row in unsure.values():
        after_number = [mark for mark in row if _after_number(document, mark)]
        if len(row) % 2 and after_number:
            row.remove(after_number[0])
    if sum(map(len, unsure.values())) % 2:
        unsure = {at: row for at, row in unsure.items() if len(row) % 2 == 0}
    kept = {mark for row in unsure.values() for mark in row}
    return [mark for mark in marks if mark.side != EITHER or mark in kept]


def _after_number(document: Document, mark: Mark) -> bool:
    before = document.tokens[mark.token - 1] if not mark.first else ""
    return before[-1:].isnumeric()


def _pairs(marks: Iterable[Mark]) -> Iterator[tuple[int, int]]:
    """Give the places of opening marks and of those that close them."""
    opened: Mark | None = None
    for mark in marks:
        closing = mark.side == CLOSES or (mark.side == EITHER and opened is not None)
        if opened is not None and (closing or (opened.first and mark.first)):
            yield opened.token, mark.token
        opened = None if closing else mark
