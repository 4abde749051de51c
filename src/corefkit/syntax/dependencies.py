"""Syntax of documents: tags, features and trees, as far as their layers tell.

Parts of speech and features are UD's. Where a document has none, tags of the Penn
Treebank or of EAGLES are read as UD's, the articles of Penn by their words.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from corefkit.strings.ids import sentence_ids
from corefkit.syntax.parents import Parents
from corefkit.syntax.tagsets import as_ud

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.model import Document, Mention


@dataclass(frozen=True)
class Syntax:
    """What is known of a document's tokens; a tree is not always among it."""

    tags: Sequence[str]  # UD's parts of speech
    features: Sequence[str]  # UD's features, a cell of CoNLL-U each
    empty: set[int]  # the tokens that are empty nodes
    # The token that each one hangs on, -1 for roots; nothing without tree.
    parents: Sequence[int] = ()
    # The relation of each to its parent; nothing without tree.
    relations: Sequence[str] = ()
    sentences: Sequence[Sequence[str]] = ()  # the tokens by sentences
    lemma_cells: Sequence[str] = ()  # the lemmas as the file has them; nothing without

    @cached_property
    def words(self) -> list[int]:
        """The tokens that are said, in order."""
        return [token for token in range(len(self.tags)) if token not in self.empty]

    @cached_property
    def outside(self) -> Parents:
        """The parents, asked for those outside of a span."""
        said = [token not in self.empty for token in range(len(self.parents))]
        return Parents(self.parents, said)

    @cached_property
    def marks(self) -> Mapping[str, list[int]]:
        """The words that matter to a noun phrase, by what they are to it, in order."""
        marks = defaultdict(list, {"word": self.words})
        for word in self.words:
            tag, features = self.tags[word], self.features[word]
            if tag == "ADP" or "PronType=Rel" in features:
                marks["follows"].append(word)
            if tag in _BREAKS:
                marks["breaks"].append(word)
            if tag in ("NOUN", "PROPN", "PRON") and "Poss=Yes" not in features:
                marks["nominal"].append(word)
            elif tag in ("NUM", "SYM"):
                marks[tag].append(word)
        return marks

    @cached_property
    def forms(self) -> Sequence[str]:
        """The tokens as they are written."""
        return [form for sentence in self.sentences for form in sentence]

    @cached_property
    def lemmas(self) -> Sequence[str]:
        """The lemmas in lower case; forms in lower case where a lemma is missing."""
        return [
            (form if lemma == "_" else lemma).lower()
            for form, lemma in zip(
                self.forms, self.lemma_cells or self.forms, strict=True
            )
        ]

    @cached_property
    def edges(self) -> Sequence[tuple[int, int]]:
        """The first and the last token of the sentence that each token is in."""
        edges: list[tuple[int, int]] = []
        for sentence in self.sentences:
            edges += [(len(edges), len(edges) + len(sentence) - 1)] * len(sentence)
        return edges

    @cached_property
    def kinds(self) -> Sequence[str]:
        """The relations without subtypes: `nmod` for `nmod:poss`."""
        return [relation.partition(":")[0] for relation in self.relations]

    @cached_property
    def children(self) -> Sequence[Sequence[int]]:
        """The tokens that hang on each token, in the order of the text."""
        children: list[list[int]] = [[] for _ in self.parents]
        for token, parent in enumerate(self.parents):
            if parent >= 0:
                children[parent].append(token)
        return children

    def child(self, token: int, relation: str) -> int:
        """Find the first token that hangs on another by a relation; -1 if none does."""
        for child in self.children[token]:
            if self.relations[child] == relation:
                return child
        return -1

    @cached_property
    def stretches(self) -> Sequence[tuple[int, int]]:
        """The first and last token of the unbroken stretch that hangs on each token.

        It holds the token itself and what hangs on it, directly or through others. In
        a cycle, which is no tree, tokens keep a stretch of their own.
        """
        left, right = [*range(len(self.parents))], [*range(len(self.parents))]
        waiting = [len(children) for children in self.children]
        ready = [token for token, count in enumerate(waiting) if not count]
        while ready:
            token = ready.pop()
            for child in self.children[token]:
                if child > token and left[child] == right[token] + 1:
                    right[token] = right[child]
            for child in reversed(self.children[token]):
                if child < token and right[child] == left[token] - 1:
                    left[token] = left[child]
            parent = self.parents[token]
            if parent >= 0:
                waiting[parent] -= 1
                if not waiting[parent]:
                    ready.append(parent)
        return list(zip(left, right, strict=True))


def syntax_of(document: Document) -> Syntax | None:
    """Return the syntax of a document; None where its layers have none.

    >>> from corefkit.model import Document
    >>> layers = {"xpos": ("DT", "NN")}
    >>> syntax_of(Document("d", (("The", "mill"),), (), layers=layers)).tags
    ('DET', 'NOUN')
    """
    layers, empty = document.layers, set(document.empty)
    tags, features = layers.get("upos", ()), layers.get("feats", ())
    if {*tags} <= {"_"} or {*features} <= {"_"}:
        pairs = as_ud(layers.get("xpos", ()), document.tokens)
        if not pairs:
            if {*tags} <= {"_"} or {*layers.get("head", "_")} <= {"_"}:
                return None
            pairs = [(tag, "_") for tag in tags]
        tags, features = zip(*pairs, strict=True)
    parents = _parents(document, empty) if "head" in layers else ()
    relations = layers.get("deprel", ())
    if all(parent < 0 for parent in parents):
        parents = relations = ()
    lemmas = layers.get("lemma", ())
    return Syntax(tags, features, empty, parents, relations, document.sentences, lemmas)


def _parents(document: Document, empty: set[int]) -> list[int]:
    parents: list[int] = []
    cells = document.layers["head"]
    for sentence in document.sentences:
        tokens = range(len(parents), len(parents) + len(sentence))
        ids = sentence_ids(tokens, empty)
        parents.extend(ids.get(cells[token], -1) for token in tokens)
    return parents


def features_of(cell: str) -> defaultdict[str, list[str]]:
    """Read a cell of CoNLL-U's features.

    >>> features_of("Case=Acc|PronType=Int,Rel")["PronType"]
    ['Int', 'Rel']
    """
    pairs = (pair.partition("=") for pair in cell.split("|"))
    return defaultdict(list, {name: value.split(",") for name, _, value in pairs})


def head_of(mention: Mention, syntax: Syntax) -> int:
    """Return the token that the others of a mention hang on.

    It is the one that the file names; else the first word that hangs on none of the
    mention's own; else, without tree, the last noun or pronoun, or else number, before
    what follows a noun phrase; else the last word before that.
    """
    if mention.head is not None:
        return mention.head
    parts = mention.parts
    last = _before(syntax.words, mention.end + 1, parts)
    if last is None:
        return mention.start
    if not syntax.parents:
        return _head_without_tree(parts, last, syntax)
    if mention.gaps:
        inside = {*mention.tokens}
        words = (token for token in mention.tokens if token not in syntax.empty)
        outside = (word for word in words if syntax.parents[word] not in inside)
        return next(outside, last)
    found = syntax.outside.head(mention.start, mention.end)
    return last if found is None else found


def _head_without_tree(
    parts: Sequence[tuple[int, int]], last: int, syntax: Syntax
) -> int:
    marks, start = syntax.marks, parts[0][0]
    beyond = last + 1
    opening = _from(marks["word"], start, parts, beyond)
    stop = _from(marks["follows"], opening + 1, parts, beyond)
    # "May 5" is a name, and "five mills" are mills: numbers yield to nouns.
    kinds = ("nominal", "NUM", "SYM")
    firsts = [_from(marks[kind], start, parts, stop) for kind in kinds]
    stop = _from(marks["breaks"], min(firsts) + 1, parts, stop)
    found = _before(marks["nominal"], stop, parts)
    if found is None and min(firsts) < stop:
        found = _before(marks[kinds[firsts.index(min(firsts))]], stop, parts)
    if found is None:
        found = _before(marks["word"], stop, parts)
    return last if found is None else found


def _from(
    row: Sequence[int], place: int, parts: Sequence[tuple[int, int]], beyond: int
) -> int:
    """Return the first of a row from a place on that lies in one of the parts."""
    for start, end in parts:
        found = bisect_left(row, max(start, place))
        if found < len(row) and row[found] <= end:
            return min(row[found], beyond)
    return beyond


def _before(
    row: Sequence[int], place: int, parts: Sequence[tuple[int, int]]
) -> int | None:
    """Return the last of a row before a place that lies in one of the parts."""
    for start, end in reversed(parts):
        found = bisect_left(row, min(end + 1, place)) - 1
        if found >= 0 and row[found] >= start:
            return row[found]
    return None


_BREAKS = ("PRON", "PUNCT", "CCONJ", "VERB", "AUX", "ADV")
