"""The text of synthetic CoNLL-2012 documents: rows, and brackets in the last column."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.random import Generator
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int64]
    Bytes: TypeAlias = NDArray[np.object_]

_WORDS, _ROWS = 30_000, 1 << 16
_SPEAKERS = (b"-", b"Speaker#1", b"Velo_Tamira")
_TAGS = b"NN IN DT JJ NNP VBD NNS RB PRP VB CC VBN , .".split()
_PARSE_BITS = (
    b"* * * * * * (VP* (VP* (VP* (VP* *) *) *) *)) *)) (PP* (PP* (NP* (NP* (NP(NP* "
    b"(S(NP-SBJ*) (S(VP* *))) (NP-SBJ*) (TOP(S(NP-SBJ*) (NP*) (NP(NP*) *)))) (ADVP*) "
    b"(SBAR(S* (ADJP* (NP*))"
).split()


class Side(NamedTuple):
    """The mentions of one side of a document."""

    start: Ints
    end: Ints
    entity: Ints


class Document(NamedTuple):
    """Key and responses of a text; `sentence_end` has the last tokens of sentences."""

    sides: tuple[Side, ...]
    sentence_end: Ints


def row_tables(random: Generator, columns: int, separator: bytes) -> list[Bytes]:
    """Build rows, from the word to the speaker, to draw tokens from."""
    words = list(_vocabulary())
    odds = 1 / np.arange(3.7, 3.7 + _WORDS)
    drawn = random.choice(_WORDS, _ROWS, p=odds / odds.sum()).tolist()
    bits = random.integers(len(_PARSE_BITS), size=_ROWS).tolist()
    tables = []
    for speaker in _SPEAKERS:
        table = np.empty(_ROWS, object)
        for row, (word, bit) in enumerate(zip(drawn, bits, strict=True)):
            tag, parse = _TAGS[word % len(_TAGS)], _PARSE_BITS[bit]
            cells = (words[word], tag, parse, words[word], b"-", b"-", speaker, b"*")
            table[row] = separator.join((*cells[: columns - 4], b""))
        tables.append(table)
    return tables


def _vocabulary() -> Iterator[bytes]:
    """Spell the numbers in syllables, so that frequent words are short."""
    syllables = [
        (start + vowel).encode()
        for start in (*"bdfgklmnprstvz", "sh", "tr")
        for vowel in "aeioué"
    ]
    for number in range(_WORDS):
        word, rest = b"", number
        while rest or not word:
            rest, syllable = divmod(rest, len(syllables))
            word += syllables[syllable]
        yield word


def tokens(random: Generator, document: Document, table: Bytes) -> Bytes:
    """Draw the tokens: rows of three pieces, of which the middle one is filled."""
    length = int(document.sentence_end[-1]) + 1
    text = np.empty((length, 3), object)
    text[:, 1] = table[random.integers(_ROWS, size=length)]
    return text


def heads(document: Document, name: tuple[bytes, bytes], separator: bytes) -> Bytes:
    """Build document, part and word number for each token."""
    length = np.diff(document.sentence_end, prepend=-1)
    number = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length)
    known = [
        separator.join((*name, b"%d" % place, b""))
        for place in range(int(length.max()))
    ]
    made: Bytes = np.array(known, object)[number]
    return made


def cells(side: Side, sentence_end: Ints) -> Bytes:
    """Build the coreference cell of each token, with the end of its line."""
    made = np.full(int(sentence_end[-1]) + 1, b"-\n", object)
    made[sentence_end] = b"-\n\n"
    order = np.lexsort((-side.end, side.start))
    brackets: dict[int, bytes] = {}
    for start, end, entity in zip(
        *(column[order].tolist() for column in side), strict=True
    ):
        opening = b"(%d" if start < end else b"(%d)"
        brackets[start] = brackets.get(start, b"") + b"|" + opening % entity
        if start < end:
            brackets[end] = brackets.get(end, b"") + b"|%d)" % entity
    for token, text in brackets.items():
        made[token] = text[1:] + made[token][1:]
    return made
