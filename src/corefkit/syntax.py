"""Syntax of documents: tags, features and trees, as far as their layers tell.

Parts of speech and features are UD's. Where a document has none, tags of the Penn
Treebank or of EAGLES are read as UD's, the articles of Penn by their words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corefkit.formats.documents import sentence_ids

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from corefkit.model import Document, Mention

# Tags of the Penn Treebank as UD's part of speech and features.
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
# The same for the first letters of EAGLES; two of them, where they are here, go first.
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
_EAGLES_TAG = re.compile(
    r"(?:n[cp]|v[ams]).{5}|[dp].{5,7}|a[oq].{4}|sp.{3}|r[gn]|c[cs]|f..?|z.?|[iwy]",
    re.IGNORECASE,
)
_PENN_DETERMINERS = {
    "the": "Definite=Def|PronType=Art",
    **dict.fromkeys(("a", "an"), "Definite=Ind|PronType=Art"),
    **dict.fromkeys(("this", "that", "these", "those"), "PronType=Dem"),
}


@dataclass(frozen=True, slots=True)
class Syntax:
    """What is known of a document's tokens; a tree is not always among it.

    Attributes:
        tags: UD's parts of speech.
        features: UD's features, a cell of CoNLL-U each.
        empty: the tokens that are empty nodes.
        parents: the token that each one hangs on, -1 for roots; nothing without tree.
        relations: the relation of each to its parent; nothing without tree.
    """

    tags: Sequence[str]
    features: Sequence[str]
    empty: set[int]
    parents: Sequence[int] = ()
    relations: Sequence[str] = ()


def syntax_of(document: Document) -> Syntax | None:
    """Give the syntax of a document; None where its layers have none.

    >>> from corefkit.model import Document
    >>> layers = {"xpos": ("DT", "NN")}
    >>> syntax_of(Document("d", (("The", "mill"),), (), layers=layers)).tags
    ('DET', 'NOUN')
    """
    layers, empty = document.layers, set(document.empty)
    tags, features = layers.get("upos", ()), layers.get("feats", ())
    if {*tags} <= {"_"} or {*features} <= {"_"}:
        own = layers.get("xpos", ())
        if _most(tag in _PENN for tag in own):
            pairs = list(map(_penn, own, document.tokens))
        elif _most(_EAGLES_TAG.fullmatch(tag) is not None for tag in own):
            pairs = list(map(_eagles, own))
        elif {*tags} <= {"_"} or {*layers.get("head", "_")} <= {"_"}:
            return None
        else:
            pairs = [(tag, "_") for tag in tags]
        tags, features = zip(*pairs, strict=True)
    parents = _parents(document, empty) if "head" in layers else ()
    if all(parent < 0 for parent in parents):
        return Syntax(tags, features, empty)
    return Syntax(tags, features, empty, parents, layers.get("deprel", ()))


def _most(found: Iterable[bool]) -> bool:
    """Say whether more than half are true."""
    return sum(1 if one else -1 for one in found) > 0


def _eagles(tag: str) -> tuple[str, str]:
    short = tag[:2].lower()
    return _EAGLES.get(short) or _EAGLES.get(short[:1], ("X", "_"))


def _penn(tag: str, word: str) -> tuple[str, str]:
    if tag == "DT" and word.lower() in _PENN_DETERMINERS:
        return "DET", _PENN_DETERMINERS[word.lower()]
    return _PENN.get(tag, ("X", "_"))


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
    """Give the token that the others of a mention hang on.

    It is the one that the file names; else the first word that hangs on none of the
    mention's own; else, without tree, the last noun or pronoun, or else number, before
    what follows a noun phrase; else the last word before that.
    """
    if mention.head is not None:
        return mention.head
    tokens = mention.tokens
    words = [token for token in tokens if token not in syntax.empty]
    if not words:
        return tokens[0]
    if syntax.parents:
        inside = {*tokens}
        outside = (word for word in words if syntax.parents[word] not in inside)
        return next(outside, words[-1])
    return _head_without_tree(words, syntax)


def _head_without_tree(words: Sequence[int], syntax: Syntax) -> int:
    found = None
    before = words[0]
    for word in words:
        tag, features = syntax.tags[word], syntax.features[word]
        follows = tag == "ADP" or "PronType=Rel" in features
        if (follows and word != words[0]) or (found is not None and tag in _BREAKS):
            break
        nominal = tag in ("NOUN", "PROPN", "PRON") and "Poss=Yes" not in features
        # "May 5" is a name, and "five mills" are mills: numbers yield to nouns.
        number = tag in ("NUM", "SYM")
        if nominal or (number and (found is None or syntax.tags[found] == tag)):
            found = word
        before = word
    return before if found is None else found


_BREAKS = ("PRON", "PUNCT", "CCONJ", "VERB", "AUX", "ADV")
