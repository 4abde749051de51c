"""Treebanks: the documents that parsers are trained with, and checks of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from corefkit.cistell.corpora.parts import is_masked
from corefkit.cistell.parsing.udpipe import PARSER, TOKENIZER
from corefkit.exceptions import CorefkitError, quoted
from corefkit.formats.conllu.writing import conllu_text
from corefkit.syntax.empty_nodes import without_empty_nodes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from corefkit.model import Document

# In words. UDPipe's tokenizer is trained with stretches of 50 characters, and reads
# past the end of a text that is shorter.
_FEWEST = 100


@dataclass(frozen=True, slots=True)
class Treebank:
    """Documents to learn from.

    Attributes:
        documents: the documents, without empty nodes.
        masked: the ids of documents that are left out because every word is `_`.
    """

    documents: tuple[Document, ...]
    masked: tuple[str, ...] = ()

    @classmethod
    def of(cls, documents: Iterable[Document]) -> Treebank:
        """Make a treebank of documents, without masked ones and those without words.

        >>> from corefkit.model import Document
        >>> masked = Document("b", (("__",),), ())
        >>> Treebank.of([Document("a", (("Go", "!"),), ()), masked]).masked
        ('b',)
        """
        worded = [document for document in documents if document.words]
        masked = tuple(document.id for document in worded if is_masked(document))
        kept = (
            without_empty_nodes(document)
            for document in worded
            if not is_masked(document)
        )
        return cls(tuple(kept), masked)

    @property
    def sentences(self) -> int:
        """How many sentences there are."""
        return sum(len(document.sentences) for document in self.documents)

    @property
    def words(self) -> int:
        """How many words there are."""
        return sum(len(document.tokens) for document in self.documents)

    def __iter__(self) -> Iterator[Document]:
        """Go through the documents."""
        return iter(self.documents)

    def text(self) -> Iterator[str]:
        """Write the treebank as CoNLL-U, without entities."""
        for document in self.documents:
            yield from conllu_text(replace(document, entities=(), bridges=()))

    def check(self, parts: Collection[str]) -> None:
        """Refuse a treebank that some part of a model cannot be trained with.

        UDPipe would say so too, but only after minutes of training.
        """
        if not self.words:
            left_out = " but masked ones" if self.masked else ""
            message = f"there are no words to learn from{left_out}"
            raise CorefkitError(message, hint="name a treebank in CoNLL-U")
        if TOKENIZER in parts and self.words < _FEWEST:
            message = f"{self.words} words are too few to train a tokenizer"
            hint = "train the rest with --parts tagger,parser"
            raise CorefkitError(message, hint=hint)
        if {*parts} == {TOKENIZER}:
            return
        for document in self.documents:
            if "_" in document.layers.get("upos", "_"):
                message = f"a word of document {quoted(document.id)} has no UPOS tag"
                hint = "a tagger or parser is trained with trees and tags in CoNLL-U"
                raise CorefkitError(message, hint=hint)
            if PARSER in parts:
                _check_trees(document)


def _check_trees(document: Document) -> None:
    heads = iter(document.layers.get("head", ("_",) * len(document.tokens)))
    for number, sentence in enumerate(document.sentences, 1):
        problem = _problem(list(zip(range(1, len(sentence) + 1), heads, strict=False)))
        if problem:
            message = f"sentence {number} of document {quoted(document.id)} {problem}"
            hint = "`--parts tokenizer,tagger` trains without trees"
            raise CorefkitError(message, hint=hint)


def _problem(rows: Sequence[tuple[int, str]]) -> str:
    """Describe why the heads of a sentence are not a tree; empty if they are."""
    known = {str(number) for number in range(len(rows) + 1)}
    parents = {number: int(head) for number, head in rows if head in known}
    if len(parents) < len(rows):
        number, head = next(row for row in rows if row[0] not in parents)
        return f"has no tree: the HEAD of word {number} is {quoted(head)}"
    roots = [number for number, head in parents.items() if head == 0]
    if rows and len(roots) != 1:
        return f"has {len(roots)} roots, expected 1"
    reached = {0}
    for number in parents:
        path = []
        while number not in reached and number not in path:
            path.append(number)
            number = parents[number]
        if number not in reached:
            return f"has no tree: word {number} hangs on itself"
        reached.update(path)
    return ""
