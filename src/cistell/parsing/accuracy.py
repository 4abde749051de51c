"""How good a parser is: its tokens, tags and trees against those of a treebank."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import and_, eq
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from cistell.parsing.training import Treebank
from cistell.parsing.udpipe import PARSER, TOKENIZER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.model import Document

_FORM, _MISC = 1, 9
_Span: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Accuracy:
    """What a parser got right, as shares from 0 to 1.

    Tags and trees are found for the treebank's own tokens; a relation must be right
    with its subtype, and punctuation counts like other words. Tokens and sentences are
    found in raw text, and right if both ends are; a multiword token counts once.
    """

    treebank: Treebank  # what it was measured with
    upos: float  # the share of words with the right part of speech
    uas: float  # the share of words with the right head
    las: float  # the share of words with the right head and relation to it
    tokens: float | None = None  # F1 of tokens; None if the parser has no tokenizer
    # F1 of sentences; None if the parser has no tokenizer.
    sentences: float | None = None


class Measured(Protocol):
    """What can be measured: a parser, or what does a parser's work."""

    @property
    def parts(self) -> frozenset[str]:
        """What it has: tokenizer, tagger, parser."""

    def parse_document(self, document: Document) -> Document:
        """Find tags and trees of words."""

    def parse_text(self, text: str, *, id: str) -> Document:
        """Find words, tags and trees of a text."""


def accuracy(parser: Measured, documents: Iterable[Document]) -> Accuracy:
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
    layers = (each.layers.get(layer, nothing) for each in (document, parsed))
    return list(map(eq, *layers))


def _of_raw_text(parser: Measured, treebank: Treebank) -> tuple[float, ...]:
    """Return F1 of tokens and of sentences, if the parser has a tokenizer."""
    if TOKENIZER not in parser.parts:
        return ()
    rows = []
    for document in treebank:
        parsed = parser.parse_text(raw_text(document), id=document.id)
        rows.append(zip(_spans(document), _spans(parsed), strict=True))
    tokens, sentences = zip(*rows, strict=True)
    return _f1(tokens), _f1(sentences)


def _spans(document: Document) -> tuple[set[_Span], set[_Span]]:
    """Return the spans of tokens and of sentences, in characters without blanks."""
    sizes = [[token.size for token in sentence] for sentence in surface(document)]
    return spans(size for row in sizes for size in row), spans(map(sum, sizes))


def _f1(pairs: Sequence[tuple[set[_Span], set[_Span]]]) -> float:
    """Compute F1 of the spans of a treebank and those that were found."""
    both = sum(len(key & found) for key, found in pairs)
    return 2 * both / sum(len(key) + len(found) for key, found in pairs)


class Token(NamedTuple):
    """A token as it is written, and whether a blank follows it."""

    form: str
    blank: bool

    @property
    def size(self) -> int:
        """How many characters it has, not counting blanks inside it."""
        return len("".join(self.form.split()))


def raw_text(document: Document) -> str:
    r"""Write the text of a document, blank lines before its later paragraphs.

    Blanks are where MISC does not say `SpaceAfter=No`, and new paragraphs where a
    comment says `newpar`.

    >>> from corefkit.model import Document
    >>> layers = {"misc": ("SpaceAfter=No", "_", "SpaceAfter=No", "_")}
    >>> comments = (), ("newpar",)
    >>> sentences = ("Go", "!"), ("Run", "!")
    >>> raw_text(Document("d", sentences, (), layers=layers, comments=comments))
    'Go!\n\nRun!'
    """
    texts: list[str] = []
    comments = document.comments or ((),) * len(document.sentences)
    for sentence, above in zip(surface(document), comments, strict=True):
        if texts and any(_begins_paragraph(comment) for comment in above):
            texts.append("\n\n")
        texts.extend(form + " " * blank for form, blank in sentence)
    return "".join(texts).replace(" \n", "\n").rstrip(" ")


def _begins_paragraph(comment: str) -> bool:
    return comment.split("=")[0].split()[:1] == ["newpar"]


def surface(document: Document) -> Iterator[list[Token]]:
    """Go through the sentences of a document, multiword tokens as they are written."""
    empty = set(document.empty)
    misc, ranges = document.layers.get("misc"), document.layers.get("mwt")
    first = 0
    for sentence in document.sentences:
        tokens: list[Token] = []
        hidden = 0  # words of a multiword token that are still to come
        for token, word in enumerate(sentence, first):
            if token in empty:
                continue
            if ranges and ranges[token]:
                row = ranges[token].split("\t")
                begin, _, end = row[0].partition("-")
                hidden = int(end) - int(begin) + 1
                tokens.append(Token(row[_FORM], _blank(row[_MISC])))
            elif not hidden:
                tokens.append(Token(word, not misc or _blank(misc[token])))
            hidden = max(hidden - 1, 0)
        first += len(sentence)
        yield tokens


def _blank(misc: str) -> bool:
    return "SpaceAfter=No" not in misc.split("|")


def spans(sizes: Iterable[int]) -> set[_Span]:
    """Return where things of these sizes begin and end, one after the other.

    >>> sorted(spans([2, 1]))
    [(0, 2), (2, 3)]
    """
    return set(pairwise(accumulate(sizes, initial=0)))
