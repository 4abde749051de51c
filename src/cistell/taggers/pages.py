"""A document as numbers: what the features of candidate spans are computed from.

Words are numbered from 0, without empty nodes. Strings become codes from 0 to 255, by
closed lists (tags, kinds of relations) or by the vocabularies of a trained tagger.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cistell.trees import word_tree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cistell.evidence import Evidence, Reading
    from corefkit.syntax.dependencies import Syntax

Numbers: TypeAlias = NDArray[np.intp]

# UD's parts of speech and relations; 0 stands for all others, and for no word.
TAGS = (
    *("NOUN", "PROPN", "PRON", "NUM", "SYM", "X", "DET", "ADJ", "ADV", "VERB", "AUX"),
    *("ADP", "PART", "CCONJ", "SCONJ", "INTJ", "PUNCT"),
)
KINDS = (
    *("acl", "advcl", "advmod", "amod", "appos", "aux", "case", "cc", "ccomp", "clf"),
    *("compound", "conj", "cop", "csubj", "dep", "det", "discourse", "dislocated"),
    *("expl", "fixed", "flat", "goeswith", "iobj", "list", "mark", "nmod", "nsubj"),
    *("nummod", "obj", "obl", "orphan", "parataxis", "punct", "reparandum", "root"),
    *("vocative", "xcomp"),
)
TAG = {name: code for code, name in enumerate(TAGS, 1)}
KIND = {name: code for code, name in enumerate(KINDS, 1)}


@dataclass(frozen=True)
class Page:
    """The words of a document, their trees, and the evidence of a network."""

    tokens: Sequence[int]  # the token of each word
    tree: Syntax
    evidence: WordEvidence | None

    @cached_property
    def tags(self) -> Numbers:
        """The code of each word's tag."""
        return _coded(self.tree.tags, TAG)

    @cached_property
    def kinds(self) -> Numbers:
        """The code of each word's relation, without subtype."""
        return _coded(self.tree.kinds, KIND)

    @cached_property
    def parents(self) -> Numbers:
        """The word that each one hangs on; -1 for roots."""
        return np.array(self.tree.parents, np.intp)

    @cached_property
    def edges(self) -> tuple[Numbers, Numbers]:
        """The first and the last word of each word's sentence."""
        return _columns(self.tree.edges)

    @cached_property
    def stretches(self) -> tuple[Numbers, Numbers]:
        """The first and the last word of the stretch that hangs on each word."""
        return _columns(self.tree.stretches)

    @cached_property
    def lower(self) -> list[str]:
        """The words in lower case."""
        return [form.lower() for form in self.tree.forms]


class WordEvidence(NamedTuple):
    """Evidence of the words of a document, in flat arrays.

    The number of the word `b` in the sentence of the word `a`, in `starts` and `ends`,
    is `rows[a] + b`.
    """

    types: NDArray[np.float32]
    starts: NDArray[np.float32]
    ends: NDArray[np.float32]
    rows: Numbers


def page_of(reading: Reading, *, weighs: bool = True) -> Page:
    """Read the words and trees of a document, and the evidence if there is any.

    `weighs` tells whether to look at evidence at all.

    Raises:
        FormatError: the document has words, and no tags or no trees.
    """
    tokens, tree = word_tree(reading.document)
    evidence = reading.evidence if weighs else None
    found = None if evidence is None else _of_words(evidence, reading, tokens)
    return Page(tokens, tree, found)


def coded(words: Sequence[str], vocabulary: Mapping[str, int]) -> Numbers:
    """Return the code of each word in a vocabulary; 0 for those that it lacks."""
    return _coded(words, vocabulary)


def _coded(words: Sequence[str], codes: Mapping[str, int]) -> Numbers:
    return np.array([codes.get(word, 0) for word in words], np.intp)


def _columns(pairs: Sequence[tuple[int, int]]) -> tuple[Numbers, Numbers]:
    table = np.array(pairs, np.intp).reshape(-1, 2)
    return table[:, 0].copy(), table[:, 1].copy()


def _of_words(
    evidence: Evidence, reading: Reading, tokens: Sequence[int]
) -> WordEvidence:
    """Leave empty nodes out of the evidence, and put its matrices into one row."""
    lengths = [len(sentence) for sentence in reading.document.sentences]
    firsts = [0, *accumulate(lengths)]
    empty = {*reading.document.empty}
    starts, ends, rows = [], [], []
    size = word = 0
    for first, length, start, end in zip(
        firsts, lengths, evidence.starts, evidence.ends, strict=False
    ):
        if empty:
            own = [at for at in range(length) if first + at not in empty]
            start, end = start[np.ix_(own, own)], end[np.ix_(own, own)]
            length = len(own)
        starts.append(start.ravel())
        ends.append(end.ravel())
        rows.append(size - word + length * np.arange(length))
        size += length * length
        word += length
    nothing = [np.zeros(0, np.float32)]
    return WordEvidence(
        evidence.types[np.array(tokens, np.intp)],
        np.concatenate(starts or nothing),
        np.concatenate(ends or nothing),
        np.concatenate(rows or [np.zeros(0, np.intp)]),
    )
