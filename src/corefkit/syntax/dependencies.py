"""Dependency trees, features and part-of-speech tags of documents.

Parts of speech and features are those of UD. If a document has none, tags of the Penn
Treebank (CoNLL-2012 in English) or of EAGLES (AnCora) are converted.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING

from corefkit.model import Mention
from corefkit.strings import map_conllu_ids

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from corefkit.model import Document


def remove_empty_nodes(document: Document) -> Document:
    """Remove the empty nodes of a document, and renumber its tokens."""
    empty = set(document.empty)
    words = (token for token in range(len(document.tokens)) if token not in empty)
    number = {token: new for new, token in enumerate(words)}

    def renumber(mention: Mention) -> Mention | None:
        tokens = [number[token] for token in mention.tokens if token in number]
        if not tokens:
            return None
        minimum = [number[token] for token in mention.minimum or () if token in number]
        return Mention.of(
            tokens,
            head=None if mention.head is None else number.get(mention.head),
            minimum=(minimum[0], minimum[-1]) if minimum else None,
            attributes=mention.attributes,
        )

    tokens = count()
    return replace(
        replace_mentions(document, renumber),
        sentences=tuple(
            tuple(word for word in sentence if next(tokens) in number)
            for sentence in document.sentences
        ),
        empty=(),
        layers={
            name: tuple(value for token, value in enumerate(layer) if token in number)
            for name, layer in document.layers.items()
        },
    )


def replace_mentions(
    document: Document, convert: Callable[[Mention], Mention | None]
) -> Document:
    """Replace the mentions of a document, or drop those that are converted to None."""
    converted: dict[Mention, Mention] = {}
    entities = []
    for entity in document.entities:
        mentions = []
        for mention in entity.mentions:
            replacement = convert(mention)
            if replacement is not None:
                converted[mention] = replacement
                mentions.append(replacement)
        if mentions:
            entities.append(replace(entity, mentions=tuple(mentions)))
    bridges = [
        bridge._replace(
            anaphor=converted[bridge.anaphor],
            mention=converted.get(bridge.mention) if bridge.mention else None,
        )
        for bridge in document.bridges
        if bridge.anaphor in converted
    ]
    return replace(document, entities=tuple(entities), bridges=tuple(bridges))


# The part of speech and features of UD for each tag of the Penn Treebank.
_PENN: Mapping[str, tuple[str, str]] = {
    "PRP": ("PRON", "PronType=Prs"),
    "PRP$": ("PRON", "Poss=Yes|PronType=Prs"),
    **dict.fromkeys(("WP", "WP$", "WDT"), ("PRON", "PronType=Rel")),
    "EX": ("PRON", "_"),
    "POS": ("PART", "Poss=Yes"),
    **dict.fromkeys(("DT", "PDT"), ("DET", "PronType=Ind")),
    **dict.fromkeys(("NN", "NNS"), ("NOUN", "_")),
    **dict.fromkeys(("NNP", "NNPS"), ("PROPN", "_")),
    "CD": ("NUM", "_"),
    **dict.fromkeys(("$", "#", "SYM"), ("SYM", "_")),
    **dict.fromkeys(("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"), ("VERB", "_")),
    "MD": ("AUX", "_"),
    **dict.fromkeys(("JJ", "JJR", "JJS", "AFX"), ("ADJ", "_")),
    **dict.fromkeys(("IN", "TO"), ("ADP", "_")),
    **dict.fromkeys((",", ".", ":", "-LRB-", "-RRB-", "``", "''"), ("PUNCT", "_")),
    "CC": ("CCONJ", "_"),
    **dict.fromkeys(("RB", "RBR", "RBS", "RP", "WRB"), ("ADV", "_")),
    **dict.fromkeys(("UH", "FW", "LS", "HYPH", "NFP", "ADD", "GW", "XX"), ("X", "_")),
}
# The same for the first letters of EAGLES; two letters take precedence over one.
_EAGLES: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(("pp", "p0"), ("PRON", "PronType=Prs")),
    "px": ("PRON", "Poss=Yes|PronType=Prs"),
    "pd": ("PRON", "PronType=Dem"),
    "pr": ("PRON", "PronType=Rel"),
    "p": ("PRON", "PronType=Ind"),
    "da": ("DET", "Definite=Def|PronType=Art"),
    "dd": ("DET", "PronType=Dem"),
    "dp": ("DET", "Poss=Yes|PronType=Prs"),
    "di": ("DET", "PronType=Ind"),
    "dn": ("NUM", "_"),
    "d": ("DET", "PronType=Int"),
    "np": ("PROPN", "_"),
    **dict.fromkeys(("n", "w"), ("NOUN", "_")),
    "z": ("NUM", "_"),
    "v": ("VERB", "_"),
    "a": ("ADJ", "_"),
    "s": ("ADP", "_"),
    "f": ("PUNCT", "_"),
    "c": ("CCONJ", "_"),
    "r": ("ADV", "_"),
}
_OTHER = ("X", "_")
_EAGLES_TAG = re.compile(
    r"(?:n[cp]|v[ams]).{5}|[dp].{5,7}|a[oq].{4}|sp.{3}|r[gn]|c[cs]|f..?|z.?|[iwy]",
    re.IGNORECASE,
)
_PENN_DETERMINERS = {
    "the": "Definite=Def|PronType=Art",
    **dict.fromkeys(("a", "an"), "Definite=Ind|PronType=Art"),
    **dict.fromkeys(("this", "that", "these", "those"), "PronType=Dem"),
}


def convert_tags(tags: Sequence[str], words: Sequence[str]) -> list[tuple[str, str]]:
    """Convert tags to parts of speech and features of UD.

    A tag set is recognized by more than half of the tags; others are not converted, and
    the list is empty. Articles of Penn are recognized by their words.
    """
    if is_penn(tags):
        return list(map(_convert_penn, tags, words))
    if _are_most(tags, _EAGLES_TAG.fullmatch):
        short_tags = (tag[:2].lower() for tag in tags)
        return [_EAGLES.get(tag) or _EAGLES.get(tag[:1], _OTHER) for tag in short_tags]
    return []


def is_penn(tags: Iterable[str]) -> bool:
    """Return whether more than half of the tags are those of the Penn Treebank."""
    return _are_most(tags, _PENN.__contains__)


def _are_most(tags: Iterable[str], is_member: Callable[[str], object]) -> bool:
    counts = Counter(tags)
    members = sum(count for tag, count in counts.items() if is_member(tag))
    return 2 * members > counts.total()


def _convert_penn(tag: str, word: str) -> tuple[str, str]:
    if tag == "DT" and word.lower() in _PENN_DETERMINERS:
        return "DET", _PENN_DETERMINERS[word.lower()]
    return _PENN.get(tag, _OTHER)


@dataclass(frozen=True)
class Syntax:
    """The syntactic annotation of the tokens of a document."""

    tags: Sequence[str]  # parts of speech of UD
    features: Sequence[str]  # features of UD, each as a cell of CoNLL-U
    empty: set[int]  # the tokens that are empty nodes
    # The parent of each token, -1 for roots; empty without a tree.
    parents: Sequence[int] = ()
    # The relation of each token to its parent; empty without a tree.
    relations: Sequence[str] = ()
    sentences: Sequence[Sequence[str]] = ()  # the tokens by sentences
    lemma_cells: Sequence[str] = ()  # the lemmas in the file; empty if it has none

    @cached_property
    def words(self) -> list[int]:
        """The tokens that are not empty nodes, in order."""
        return [token for token in range(len(self.tags)) if token not in self.empty]

    @cached_property
    def marks(self) -> Mapping[str, list[int]]:
        """The words that may be heads of noun phrases, or end them, by their role."""
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
        """The forms of the tokens."""
        return [form for sentence in self.sentences for form in sentence]

    @cached_property
    def lemmas(self) -> Sequence[str]:
        """The lemmas in lower case; the form replaces a missing lemma."""
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
        """The dependents of each token, in the order of the text."""
        children: list[list[int]] = [[] for _ in self.parents]
        for token, parent in enumerate(self.parents):
            if parent >= 0:
                children[parent].append(token)
        return children

    def child(self, token: int, relation: str) -> int:
        """Return the first dependent of a token by a relation; -1 if there is none."""
        children = self.children[token]
        return next((c for c in children if self.relations[c] == relation), -1)

    @cached_property
    def stretches(self) -> Sequence[tuple[int, int]]:
        """The first and last token of the contiguous subtree of each token.

        In a cycle, each token is a separate subtree.
        """
        left, right = [*range(len(self.parents))], [*range(len(self.parents))]
        pending = [len(children) for children in self.children]
        ready = [token for token, count in enumerate(pending) if not count]
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
                pending[parent] -= 1
                if not pending[parent]:
                    ready.append(parent)
        return list(zip(left, right, strict=True))


def build_syntax(document: Document) -> Syntax | None:
    """Collect the syntactic annotation of a document; None if it has none."""
    layers, empty = document.layers, set(document.empty)
    tags, features = layers.get("upos", ()), layers.get("feats", ())
    if {*tags} <= {"_"} or {*features} <= {"_"}:
        pairs = convert_tags(layers.get("xpos", ()), document.tokens)
        if not pairs:
            if {*tags} <= {"_"} or {*layers.get("head", "_")} <= {"_"}:
                return None
            pairs = [(tag, "_") for tag in tags]
        tags, features = zip(*pairs, strict=True)
    parents = read_parents(document, empty) if "head" in layers else ()
    relations = layers.get("deprel", ())
    if all(parent < 0 for parent in parents):
        parents = relations = ()
    lemmas = layers.get("lemma", ())
    return Syntax(tags, features, empty, parents, relations, document.sentences, lemmas)


def read_parents(document: Document, empty: set[int]) -> list[int]:
    """Return the parent of each token, -1 for roots."""
    parents: list[int] = []
    cells = document.layers["head"]
    for sentence in document.sentences:
        tokens = range(len(parents), len(parents) + len(sentence))
        ids = map_conllu_ids(tokens, empty)
        parents.extend(ids.get(cells[token], -1) for token in tokens)
    return parents


def parse_features(cell: str) -> defaultdict[str, list[str]]:
    """Parse a cell of features of CoNLL-U."""
    pairs = (pair.partition("=") for pair in cell.split("|"))
    return defaultdict(list, {name: value.split(",") for name, _, value in pairs})


def find_head(mention: Mention, syntax: Syntax) -> int:
    """Return the head of a mention.

    It is the head in the file; else the first word whose parent is not in the mention;
    else, without a tree, the last noun or pronoun, or else number, before the words
    that follow a noun phrase, such as a preposition, another pronoun, a comma or a
    verb; else the last word before these.
    """
    if mention.head is not None:
        return mention.head
    parts = mention.parts
    last = _find_last(syntax.words, mention.end + 1, parts)
    if last is None:
        return mention.start
    if not syntax.parents:
        return _find_nominal_head(parts, last, syntax)
    span = range(mention.start, mention.end + 1)
    tokens = {*mention.tokens} if mention.gaps else span
    for token in mention.tokens if mention.gaps else span:
        if token not in syntax.empty and syntax.parents[token] not in tokens:
            return token
    return last


def _find_nominal_head(
    parts: Sequence[tuple[int, int]], last: int, syntax: Syntax
) -> int:
    """Return the head of a mention without a tree, by its spans and its last word."""
    marks, start = syntax.marks, parts[0][0]
    end = last + 1
    first_word = _find_first(marks["word"], start, parts, end)
    stop = _find_first(marks["follows"], first_word + 1, parts, end)
    # "May 5" is a name, and "five mills" are mills: nouns take precedence over numbers.
    kinds = ("nominal", "NUM", "SYM")
    firsts = [_find_first(marks[kind], start, parts, stop) for kind in kinds]
    stop = _find_first(marks["breaks"], min(firsts) + 1, parts, stop)
    head = _find_last(marks["nominal"], stop, parts)
    if head is None and min(firsts) < stop:
        head = _find_last(marks[kinds[firsts.index(min(firsts))]], stop, parts)
    if head is None:
        head = _find_last(marks["word"], stop, parts)
    return last if head is None else head


def _find_first(
    row: Sequence[int], token: int, parts: Sequence[tuple[int, int]], limit: int
) -> int:
    """Return the first number of a row from a token on inside the parts, or a limit."""
    for start, end in parts:
        index = bisect_left(row, max(start, token))
        if index < len(row) and row[index] <= end:
            return min(row[index], limit)
    return limit


def _find_last(
    row: Sequence[int], token: int, parts: Sequence[tuple[int, int]]
) -> int | None:
    """Return the last number of a row before a token inside the parts."""
    for start, end in reversed(parts):
        index = bisect_left(row, min(end + 1, token)) - 1
        if index >= 0 and row[index] >= start:
            return row[index]
    return None


_BREAKS = ("PRON", "PUNCT", "CCONJ", "VERB", "AUX", "ADV")
