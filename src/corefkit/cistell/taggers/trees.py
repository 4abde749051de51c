"""Trees of documents, laid out for finding the spans that hang on a word.

Words are numbered through the document from 0, and empty nodes are left out: they have
no place in a tree. Every step here is linear in the words, however deep a tree is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corefkit.exceptions import CorefkitError, quoted
from corefkit.syntax.dependencies import Syntax, syntax_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from corefkit.model import Document

_HINT = (
    "mentions are found in the tree of CoNLL-U (UPOS, HEAD and DEPREL): parse the text "
    "with UDPipe, which `corefkit resolve` does, given a model"
)
# Marks that come in pairs, each with those that may close it.
_PAIRS = {
    **{mark: (mark,) for mark in ('"', "'")},
    **{"(": (")",), "[": ("]",), "{": ("}",), "«": ("»",), "»": ("«",), "``": ("''",)},
    **{"“": ("”",), "\u2018": ("\u2019",), "„": ("“", "”"), "-LRB-": ("-RRB-",)},
}


@dataclass(frozen=True, slots=True)
class Tree:
    """The words of a document, and how they hang on each other.

    Attributes:
        tokens: the number of each word among the document's tokens.
        forms: the words.
        lemmas: their lemmas; their forms in small letters where there are none.
        tags: UD's parts of speech.
        features: UD's features, a cell of CoNLL-U each.
        parents: the word that each one hangs on, -1 for roots.
        relations: the relation of each to its parent, with its subtype.
        kinds: the same without subtypes.
        children: the words that hang on each, in the order of the text.
        first: the first word of the sentence that each is in.
        last: the last word of that sentence.
        left: the first word of the unbroken stretch around each that hangs on it,
            directly or through others.
        right: the last word of that stretch.
        partners: opening marks by their closing marks, and the other way round.
    """

    tokens: Sequence[int]
    forms: Sequence[str]
    lemmas: Sequence[str]
    tags: Sequence[str]
    features: Sequence[str]
    parents: Sequence[int]
    relations: Sequence[str]
    kinds: Sequence[str]
    children: Sequence[Sequence[int]]
    first: Sequence[int]
    last: Sequence[int]
    left: Sequence[int]
    right: Sequence[int]
    partners: Mapping[int, int]

    def syntax(self, document: Document) -> Syntax:
        """Give what `head_of` asks of the document of this tree."""
        count = len(document.tokens)
        tags, features, relations = ["_"] * count, ["_"] * count, ["_"] * count
        parents = [-1] * count
        for word, token in enumerate(self.tokens):
            tags[token], features[token] = self.tags[word], self.features[word]
            relations[token] = self.relations[word]
            if self.parents[word] >= 0:
                parents[token] = self.tokens[self.parents[word]]
        return Syntax(tags, features, {*document.empty}, parents, relations)


def tree_of(document: Document) -> Tree:
    """Read the tree of a document.

    Raises:
        CorefkitError: the document has words, and no tree or no parts of speech.
    """
    empty = {*document.empty}
    tokens = [token for token in range(len(document.tokens)) if token not in empty]
    _check(document, tokens)
    tags, features = _tags(document)
    forms = _taken(document.tokens, tokens)
    lemmas = [
        form.lower() if lemma == "_" else lemma.lower()
        for form, lemma in zip(forms, _layer(document, "lemma", tokens), strict=True)
    ]
    first, last = _sentences(document, empty)
    heads = _layer(document, "head", tokens)
    parents = [
        _parent(cell, *edges) for cell, *edges in zip(heads, first, last, strict=True)
    ]
    relations = _layer(document, "deprel", tokens)
    children = _children(parents)
    left, right = _stretches(parents, children)
    return Tree(
        tokens=tokens,
        forms=forms,
        lemmas=lemmas,
        tags=_taken(tags, tokens),
        features=_taken(features, tokens),
        parents=parents,
        relations=relations,
        kinds=[relation.partition(":")[0] for relation in relations],
        children=children,
        first=first,
        last=last,
        left=left,
        right=right,
        partners=_partners(forms, children),
    )


def _check(document: Document, tokens: Sequence[int]) -> None:
    for name in ("head", "deprel"):
        if tokens and {*_layer(document, name, tokens)} <= {"_", ""}:
            message = "the document has no tree, so mentions cannot be found in it"
            place = f"document {quoted(document.id)}"
            raise CorefkitError(message, place=place, hint=_HINT)


def _tags(document: Document) -> tuple[Sequence[str], Sequence[str]]:
    layers = document.layers
    tags, features = layers.get("upos", ()), layers.get("feats", ())
    if not {*tags} <= {"_"}:
        return tags, features or ("_",) * len(tags)
    syntax = syntax_of(document)
    if syntax is None and document.tokens:
        message = "the document has no parts of speech, so mentions cannot be found"
        place = f"document {quoted(document.id)}"
        raise CorefkitError(message, place=place, hint=_HINT)
    return ((), ()) if syntax is None else (syntax.tags, syntax.features)


def _layer(document: Document, name: str, tokens: Sequence[int]) -> list[str]:
    layer = document.layers.get(name)
    return _taken(layer, tokens) if layer else ["_"] * len(tokens)


def _taken(layer: Sequence[str], tokens: Iterable[int]) -> list[str]:
    return [layer[token] for token in tokens]


def _sentences(document: Document, empty: set[int]) -> tuple[list[int], list[int]]:
    """Give the first and the last word of each word's sentence."""
    first: list[int] = []
    last: list[int] = []
    token = 0
    for sentence in document.sentences:
        numbers = range(token, token + len(sentence))
        token += len(sentence)
        count = sum(number not in empty for number in numbers)
        start = len(first)
        first += [start] * count
        last += [start + count - 1] * count
    return first, last


def _parent(cell: str, first: int, last: int) -> int:
    """Give the word that a cell of CoNLL-U's heads means; -1 for none."""
    parent = first + int(cell) - 1 if cell.isdecimal() else -1
    return parent if first <= parent <= last else -1


def _children(parents: Sequence[int]) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in parents]
    for word, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(word)
    return children


def _stretches(
    parents: Sequence[int], children: Sequence[Sequence[int]]
) -> tuple[list[int], list[int]]:
    """Give the stretch of every word, those of its children before its own.

    In a cycle, which is no tree, words keep a stretch of their own.
    """
    left, right = [*range(len(parents))], [*range(len(parents))]
    waiting = [len(those) for those in children]
    ready = [word for word, count in enumerate(waiting) if not count]
    while ready:
        word = ready.pop()
        for child in children[word]:
            if child > word and left[child] == right[word] + 1:
                right[word] = right[child]
        for child in reversed(children[word]):
            if child < word and right[child] == left[word] - 1:
                left[word] = left[child]
        parent = parents[word]
        if parent >= 0:
            waiting[parent] -= 1
            if not waiting[parent]:
                ready.append(parent)
    return left, right


def _partners(
    forms: Sequence[str], children: Sequence[Sequence[int]]
) -> dict[int, int]:
    """Match the brackets and quotes that hang on the same word."""
    partners: dict[int, int] = {}
    for those in children:
        opened: list[int] = []
        for word in those:
            if opened and forms[word] in _PAIRS[forms[opened[-1]]]:
                partners[word] = opened[-1]
                partners[opened.pop()] = word
            elif forms[word] in _PAIRS:
                opened.append(word)
    return partners
