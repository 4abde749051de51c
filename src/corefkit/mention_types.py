"""Kinds of mentions, as far as syntax tells them.

The kinds are those of Recasens and Hovy 2010, table 2, some of them split further.

1.  Kinds are known where a document has the layers `upos` and `feats` (CoNLL-U), or a
    layer `xpos` of which more than half are tags of the Penn Treebank (CoNLL-2012 in
    English) or of EAGLES (AnCora's Spanish and Catalan). These are then read as UD's,
    the articles of Penn by their words.
2.  The head of a mention is the one that the file names; else the first word that hangs
    on none of the mention's own (layer `head`); else the last noun or pronoun, or else
    number, before what follows a noun phrase, such as a preposition, another pronoun, a
    comma or a verb; else the last word before that.
3.  Zero pronouns: the head is an empty node.
4.  Pronouns: the head is a PRON, or a DET that is no article. The first that fits:
    relative (PronType=Rel), possessive (Poss=Yes), demonstrative (PronType=Dem),
    personal (PronType=Prs, reflexives, or a Person and no PronType), other.
5.  Clauses: the head is a VERB or AUX.
6.  Other heads are sorted by their determiners: the words of the mention that hang on
    the head, or stand before it where no tree is known, and are a DET or possessive.
    The first that fits: possessive NPs (Poss=Yes, or the relation nmod:poss),
    demonstrative NPs (PronType=Dem), definite NPs (Definite=Def, on the head too),
    indefinite NPs (Definite=Ind, or PronType=Ind, Tot or Neg: "a", "some", "every",
    "no"), others ("which").
7.  Without determiner, a PROPN is a proper noun, a NOUN a bare NP, a NUM or SYM a
    numeral, and the rest are others.
8.  Possessive NPs are counted among definite NPs too, proper nouns among bare NPs,
    pronouns of every kind among pronouns, and numerals, clauses and others among misc.
    The groups add up to all mentions.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corefkit.formats.documents import sentence_ids

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corefkit.model import Document, Mention

# Each kind of mention, and the one among which it is counted too.
MENTION_TYPES: Mapping[str, str | None] = {
    "pronouns": None,
    "personal_pronouns": "pronouns",
    "zero_pronouns": "pronouns",
    "possessive_pronouns": "pronouns",
    "demonstrative_pronouns": "pronouns",
    "relative_pronouns": "pronouns",
    "other_pronouns": "pronouns",
    "definite_nps": None,
    "possessive_nps": "definite_nps",
    "indefinite_nps": None,
    "demonstrative_nps": None,
    "bare_nps": None,
    "proper_nouns": "bare_nps",
    "misc": None,
    "numerals": "misc",
    "clauses": "misc",
    "others": "misc",
}

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
class _Syntax:
    """What is known of a document's tokens; a tree is not always among it."""

    tags: Sequence[str]
    features: Sequence[str]
    empty: set[int]
    parents: Sequence[int] = ()
    relations: Sequence[str] = ()


def mention_types(document: Document, mentions: Iterable[Mention]) -> list[str] | None:
    """Give the kind of each mention; None where the document has no syntax."""
    syntax = _syntax(document)
    return None if syntax is None else [_type(one, syntax) for one in mentions]


def _syntax(document: Document) -> _Syntax | None:
    layers, empty = document.layers, set(document.empty)
    tags, features = layers.get("upos", ()), layers.get("feats", ())
    if {*tags} <= {"_"} or {*features} <= {"_"}:
        own = layers.get("xpos", ())
        if _most(tag in _PENN for tag in own):
            pairs = list(map(_penn, own, document.tokens))
        elif _most(_EAGLES_TAG.fullmatch(tag) is not None for tag in own):
            pairs = list(map(_eagles, own))
        else:
            return None
        tags, features = zip(*pairs, strict=True)
    parents = _parents(document, empty) if "head" in layers else ()
    if all(parent < 0 for parent in parents):
        return _Syntax(tags, features, empty)
    return _Syntax(tags, features, empty, parents, layers.get("deprel", ()))


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


def _type(mention: Mention, syntax: _Syntax) -> str:
    head = _head(mention, syntax)
    if head in syntax.empty:
        return "zero_pronouns"
    tag, features = syntax.tags[head], _features(syntax.features[head])
    if tag == "PRON" or (tag == "DET" and "Art" not in features["PronType"]):
        return _pronoun(features)
    if tag in ("VERB", "AUX"):
        return "clauses"
    determined = {*_determiners(mention, head, syntax)}
    if "Def" in features["Definite"]:
        determined.add("definite_nps")
    for name in _BY_DETERMINER:
        if name in determined:
            return name
    return _BARE.get(tag, "others")


_BY_DETERMINER = (
    "possessive_nps",
    "demonstrative_nps",
    "definite_nps",
    "indefinite_nps",
    "others",
)
_BARE = {
    "PROPN": "proper_nouns",
    "NOUN": "bare_nps",
    "NUM": "numerals",
    "SYM": "numerals",
}


def _features(cell: str) -> defaultdict[str, list[str]]:
    """Read a cell of CoNLL-U's features.

    >>> _features("Case=Acc|PronType=Int,Rel")["PronType"]
    ['Int', 'Rel']
    """
    pairs = (pair.partition("=") for pair in cell.split("|"))
    return defaultdict(list, {name: value.split(",") for name, _, value in pairs})


def _pronoun(features: Mapping[str, list[str]]) -> str:
    kinds = features["PronType"]
    if "Rel" in kinds:
        return "relative_pronouns"
    if "Yes" in features["Poss"]:
        return "possessive_pronouns"
    if "Dem" in kinds:
        return "demonstrative_pronouns"
    personal = "Prs" in kinds or "Yes" in features["Reflex"]
    if personal or (features["Person"] and not kinds):
        return "personal_pronouns"
    return "other_pronouns"


def _determiners(mention: Mention, head: int, syntax: _Syntax) -> Iterator[str]:
    """Say what each determiner of the head would make of the mention."""
    for token in mention.tokens:
        if token != head and not (
            syntax.parents[token] == head if syntax.parents else token < head
        ):
            continue
        features = _features(syntax.features[token])
        if "Yes" in features["Poss"] or (
            syntax.relations
            and syntax.relations[token] == "nmod:poss"
            and token != head
        ):
            yield "possessive_nps"
        elif syntax.tags[token] == "DET":
            yield _determined(features)


def _determined(features: Mapping[str, list[str]]) -> str:
    if "Dem" in features["PronType"]:
        return "demonstrative_nps"
    if "Def" in features["Definite"]:
        return "definite_nps"
    if "Ind" in features["Definite"] or {"Ind", "Tot", "Neg"} & {*features["PronType"]}:
        return "indefinite_nps"
    return "others"


def _head(mention: Mention, syntax: _Syntax) -> int:
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


def _head_without_tree(words: Sequence[int], syntax: _Syntax) -> int:
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
