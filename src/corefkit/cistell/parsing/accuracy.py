"""How good a parser is: its tokens, tags and trees against those of a treebank."""

from __future__ import annotations

from dataclasses import dataclass
from operator import and_, eq
from typing import TYPE_CHECKING

from corefkit.cistell.parsing.surface import raw_text, spans, surface
from corefkit.cistell.parsing.treebank import Treebank
from corefkit.cistell.parsing.udpipe import PARSER, TOKENIZER

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corefkit.cistell.parsing.parser import Parser
    from corefkit.model import Document


@dataclass(frozen=True, slots=True)
class Accuracy:
    """What a parser got right, as shares from 0 to 1.

    Tags and trees are those of the treebank's own tokens; relations are right with
    their subtypes only, and punctuation counts like all words. Tokens and sentences
    are found in raw text, and right where both ends are; a multiword token is one.

    Attributes:
        treebank: what it was measured with.
        upos: the share of words with the right part of speech.
        uas: the share of words with the right head.
        las: the share of words with the right head and relation to it.
        tokens: F1 of tokens; None where the parser has no tokenizer.
        sentences: F1 of sentences, likewise.
    """

    treebank: Treebank
    upos: float
    uas: float
    las: float
    tokens: float | None = None
    sentences: float | None = None


def accuracy(parser: Parser, documents: Iterable[Document]) -> Accuracy:
    """Measure a parser with documents that have trees; masked ones are left out."""
    treebank = Treebank.of(documents)
    treebank.check((PARSER,))
    upos = uas = las = 0
    for document in treebank:
        parsed = parser.parse_document(document)
        upos += sum(_agreement(document, parsed, "upos"))
        heads = _agreement(document, parsed, "head")
        uas += sum(heads)
        las += sum(map(and_, heads, _agreement(document, parsed, "deprel")))
    shares = (count / treebank.words for count in (upos, uas, las))
    return Accuracy(treebank, *shares, *_of_raw_text(parser, treebank))


def _agreement(document: Document, parsed: Document, layer: str) -> list[bool]:
    nothing = ("_",) * len(document.tokens)
    layers = (one.layers.get(layer, nothing) for one in (document, parsed))
    return list(map(eq, *layers))


def _of_raw_text(parser: Parser, treebank: Treebank) -> tuple[float, ...]:
    """Give F1 of tokens and of sentences, if the parser has a tokenizer."""
    if TOKENIZER not in parser.parts:
        return ()
    tokens, sentences = _Overlap(), _Overlap()
    for document in treebank:
        parsed = parser.parse_text(raw_text(document), id=document.id)
        (wanted, wanted_sentences), (found, found_sentences) = (
            _places(one) for one in (document, parsed)
        )
        tokens.add(wanted, found)
        sentences.add(wanted_sentences, found_sentences)
    return tokens.f1, sentences.f1


def _places(document: Document) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Give the places of tokens and of sentences, in characters without blanks."""
    sizes = [[token.size for token in sentence] for sentence in surface(document)]
    return spans(size for row in sizes for size in row), spans(map(sum, sizes))


class _Overlap:
    """How much of what is wanted was found."""

    def __init__(self) -> None:
        self._both = self._either = 0

    def add(self, wanted: set[tuple[int, int]], found: set[tuple[int, int]]) -> None:
        self._both += len(wanted & found)
        self._either += len(wanted) + len(found)

    @property
    def f1(self) -> float:
        return 2 * self._both / self._either
