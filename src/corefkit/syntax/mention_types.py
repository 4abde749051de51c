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

from bisect import bisect_left
from collections import defaultdict
from typing import TYPE_CHECKING

from corefkit.syntax.dependencies import features_of, head_of, syntax_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from corefkit.model import Document, Mention
    from corefkit.syntax.dependencies import Syntax

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


def mention_types(document: Document, mentions: Iterable[Mention]) -> list[str] | None:
    """Find the kind of each mention; None where the document has no syntax."""
    syntax = syntax_of(document)
    if syntax is None:
        return None
    cells = {cell: features_of(cell) for cell in {*syntax.features}}
    determiners = _Determiners(syntax, cells)
    return [_type(mention, syntax, cells, determiners) for mention in mentions]


def _type(
    mention: Mention,
    syntax: Syntax,
    cells: Mapping[str, Mapping[str, list[str]]],
    determiners: _Determiners,
) -> str:
    head = head_of(mention, syntax)
    if head in syntax.empty:
        return "zero_pronouns"
    tag, features = syntax.tags[head], cells[syntax.features[head]]
    known = type_by_head(tag, features)
    if known is not None:
        return known
    definite = "Def" in features["Definite"]
    for name in _BY_DETERMINER:
        if definite and name == "definite_nps":
            return name
        if determiners.make(name, mention, head):
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


def type_by_head(tag: str, features: Mapping[str, list[str]]) -> str | None:
    """Find the kind of a mention that its head alone tells: pronouns and clauses.

    >>> type_by_head("PRON", features_of("PronType=Dem"))
    'demonstrative_pronouns'
    >>> type_by_head("NOUN", features_of("_")) is None
    True
    """
    if tag == "PRON" or (tag == "DET" and "Art" not in features["PronType"]):
        return _pronoun(features)
    return "clauses" if tag in ("VERB", "AUX") else None


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


class _Determiners:
    """The determiners of a document, by what each would make of a mention.

    They are looked at once, however many mentions they are in. Those of a head depend
    on it; without a tree, those of all heads are one row.
    """

    def __init__(
        self, syntax: Syntax, cells: Mapping[str, Mapping[str, list[str]]]
    ) -> None:
        self._tree = bool(syntax.parents)
        self._own: dict[int, str] = {}  # what the token makes of one that it heads
        self._rows: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
        for token, (tag, cell) in enumerate(
            zip(syntax.tags, syntax.features, strict=True)
        ):
            features, name = cells[cell], None
            if "Yes" in features["Poss"]:
                name = "possessive_nps"
            elif tag == "DET":
                name = _determined(features)
            if name is not None:
                self._own[token] = name
            if syntax.relations and syntax.relations[token] == "nmod:poss":
                name = "possessive_nps"
            parent = syntax.parents[token] if self._tree else -1
            if name is not None and parent != token:
                self._rows[parent, name].append(token)

    def make(self, name: str, mention: Mention, head: int) -> bool:
        """Return whether a determiner of the head makes the mention one of a kind."""
        row: Sequence[int] = self._rows.get((head if self._tree else -1, name), ())
        beyond = mention.end + 1 if self._tree else head
        own = self._own.get(head) == name
        return any(
            (own and start <= head <= end)
            or bisect_left(row, start) < bisect_left(row, min(end + 1, beyond))
            for start, end in mention.parts
        )


def _determined(features: Mapping[str, list[str]]) -> str:
    if "Dem" in features["PronType"]:
        return "demonstrative_nps"
    if "Def" in features["Definite"]:
        return "definite_nps"
    if "Ind" in features["Definite"] or {"Ind", "Tot", "Neg"} & {*features["PronType"]}:
        return "indefinite_nps"
    return "others"
