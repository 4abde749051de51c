"""Minimum spans found in constituency trees, for mentions without annotated minima.

1.  A mention's tree is made of the brackets of its own words, in the manner of
    CoNLL-2012's parse column; brackets that its words leave open close at its end, and
    several trees are put under one noun phrase.
2.  Words that stand together between two brackets are one leaf, named by its last word,
    as in the Universal Anaphora scorer; coval compares all words of a leaf.
    A leaf counts if it has a word with a letter, a digit or `%` that is no conjunction,
    determiner or preposition (CC, DT, IN) and no bracket.
3.  The phrases to go down through are noun phrases (NP, NM, QP, NX) where the tree's
    root is an NP or NM, verb phrases (VP) where it is one; where it is neither, its
    children decide, noun phrases first.
4.  The minimum span is the leaves right under the root; if there are none, in each
    phrase of the right kind under the root the leaves nearest to it, going down through
    such phrases only; if there is no such phrase, the nearest leaves under the first
    noun or verb phrase; and if that gives nothing, all words.

Both sides' spans are looked up in the key's trees, and mentions match where their
minimum spans are the same.

Source: Moosavi et al. 2019, "Using Automatically Extracted Minimum Spans to Disentangle
Coreference Evaluation from Boundary Detection" (MINA).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.matching.candidates import check_lengths
from corefkit.columns import runs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corefkit.columns import Columns, Ints
    from corefkit.model import Document

_NOUN, _VERB = ("NP", "NM", "QP", "NX"), ("VP",)
_PIECE = re.compile(r"\(([^()*]*)|(\*)|\)")
_NO_CONTENT = ("CC", "DT", "IN")


@dataclass(slots=True)
class _Node:
    """A phrase with its kind and children, or a leaf with its last word."""

    tag: str
    children: list[_Node] = field(default_factory=list)
    leaf: int | None = None
    counts: bool = False


@dataclass(frozen=True, slots=True)
class Trees:
    """The trees of one document: brackets, words and parts of speech by token."""

    brackets: Sequence[str]
    words: Sequence[str]
    tags: Sequence[str]
    starts: Sequence[int] | None = None  # where tokens begin, if asked by characters

    @classmethod
    def of(cls, document: Document) -> Trees | None:
        """Take the trees of a document that has any."""
        brackets = document.layers.get("parse")
        if brackets is None:
            return None
        words = document.tokens
        tags = document.layers.get("xpos", ("",) * len(words))
        return cls(brackets, words, tags)

    def minimum(self, start: int, end: int) -> tuple[int, ...]:
        """Find the minimum span of the words from one to another.

        >>> trees = Trees(
        ...     ("(NP(NP*", "*", "*)", "(PP*", "(NP*", "*)))"),
        ...     "the old mill by the river".split(),
        ...     "DT JJ NN IN DT NN".split(),
        ... )
        >>> trees.minimum(0, 5), trees.minimum(1, 2), trees.minimum(3, 5)
        ((2,), (2,), (5,))
        """
        if self.starts is not None:
            start = bisect_right(self.starts, start) - 1
            end = bisect_right(self.starts, end) - 1
        root = self._tree(start, min(end, len(self.words) - 1))
        found = set(_minimum(root)) if root is not None else set()
        return tuple(sorted(found)) or tuple(range(start, end + 1))

    def _tree(self, start: int, end: int) -> _Node | None:
        roots: list[_Node] = []
        around: list[_Node] = []
        run: list[int] = []

        def add(node: _Node) -> None:
            (around[-1].children if around else roots).append(node)

        def leave_run() -> None:
            if run:
                counts = any(self._has_content(token) for token in run)
                add(_Node("", leaf=run[-1], counts=counts))
                run.clear()

        for token in range(start, end + 1):
            for piece in _PIECE.finditer(self.brackets[token]):
                if piece[2]:
                    run.append(token)
                    continue
                leave_run()
                if piece[1] is not None:
                    node = _Node(piece[1])
                    add(node)
                    around.append(node)
                elif around:
                    around.pop()
        leave_run()
        if len(roots) > 1:
            return _Node("NP", roots)
        return roots[0] if roots else None

    def _has_content(self, token: int) -> bool:
        word, tag = self.words[token], self.tags[token]
        return (
            any(letter.isalnum() or letter == "%" for letter in word)
            and word not in ("-LRB-", "-RRB-")
            and tag not in _NO_CONTENT
        )


def _minimum(root: _Node) -> Iterator[int]:
    if root.leaf is not None:
        yield from _leaves([root])
        return
    kinds = _kinds(root)
    direct = list(_leaves(root.children))
    if direct:
        yield from direct
        return
    phrases = [
        child for child in root.children if child.children and child.tag[:2] in kinds
    ]
    for phrase in phrases:
        yield from _nearest(phrase, kinds)
    if not phrases:
        first = _first_phrase(root)
        if first is not None:
            yield from _nearest(first, _NOUN if first.tag[:2] in _NOUN else _VERB)


def _kinds(root: _Node) -> tuple[str, ...]:
    if root.tag[:2] in _NOUN[:2]:
        return _NOUN
    if root.tag[:2] in _VERB:
        return _VERB
    tags = {child.tag[:2] for child in root.children}
    return _VERB if "VP" in tags and tags.isdisjoint(_NOUN[:2]) else _NOUN


def _nearest(root: _Node, kinds: tuple[str, ...]) -> Iterator[int]:
    """Go down level by level to the first that has leaves that count."""
    level = [root]
    while level:
        below = [
            child
            for node in level
            if node is root or node.tag[:2] in kinds
            for child in node.children
        ]
        found = list(_leaves(below))
        if found:
            yield from found
            return
        level = [child for child in below if child.leaf is None]


def _first_phrase(root: _Node) -> _Node | None:
    level = [root]
    while level:
        for node in level:
            if node.tag[:2] in (*_NOUN[:2], *_VERB):
                return node
        level = [child for node in level for child in node.children]
    return None


def _leaves(nodes: Iterable[_Node]) -> Iterator[int]:
    for node in nodes:
        if node.leaf is not None and node.counts:
            yield node.leaf


def anchors(
    trees: Mapping[int, Trees], key: Columns, response: Columns
) -> tuple[Ints, Ints]:
    """Number the minimum spans of both sides: equal numbers are equal spans.

    Mentions of documents that have no trees here get -1, and so do those of the key
    that have a head or a minimum of their own.
    """
    numbers: dict[tuple[int, ...], int] = {}
    sides = []
    for columns in (key, response):
        anchor = np.full(len(columns.entity), -1, np.int64)
        document = columns.document
        asked = np.isin(document, list(trees))
        if columns is key and key.details is not None:
            asked &= (key.details.head < 0) & (key.details.minimum_start < 0)
        mentions = np.flatnonzero(asked)
        for first, size in zip(*runs(document[mentions]), strict=True):
            some = mentions[first : first + size]
            check_lengths(
                int(document[some[0]]), columns.start[some], columns.end[some]
            )
        for mention in mentions.tolist():
            row = int(document[mention])
            start, end = int(columns.start[mention]), int(columns.end[mention])
            span = row, *trees[row].minimum(start, end)
            anchor[mention] = numbers.setdefault(span, len(numbers))
        sides.append(anchor)
    return sides[0], sides[1]
