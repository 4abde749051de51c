"""Types of mentions (name, nominal, pronoun) derived from syntax.

The types are those of Recasens and Hovy 2010, table 2, some of them split further.

1.  Types require the layers `upos` and `feats` (CoNLL-U), or a layer `xpos` that
    `convert_tags` converts to these.
2.  The head of a mention is found by `find_head`.
3.  Zero pronouns: the head is an empty node.
4.  Pronouns: the head is a PRON, or a DET except articles. The first that applies:
    relative (PronType=Rel), possessive (Poss=Yes), demonstrative (PronType=Dem),
    personal (PronType=Prs, reflexives, or a Person and no PronType), other.
5.  Clauses: the head is a VERB or AUX.
6.  Other heads are classified by their determiners: the words of the mention that
    depend on the head, or precede it if there is no tree, and are a DET or possessive.
    The first that applies: possessive NPs (Poss=Yes, or the relation nmod:poss),
    demonstrative NPs (PronType=Dem), definite NPs (Definite=Def, on the head too),
    indefinite NPs (Definite=Ind, or PronType=Ind, Tot or Neg: "a", "some", "every",
    "no"), others ("which").
7.  Without determiner, a PROPN is a proper noun, a NOUN a bare NP, a NUM or SYM a
    numeral, and the remaining heads are others.
8.  Possessive NPs are counted among definite NPs too, proper nouns among bare NPs,
    pronouns of every type among pronouns, and numerals, clauses and others among misc.
    The groups add up to all mentions.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from corefkit.syntax.dependencies import build_syntax, find_head, parse_features

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from corefkit.model import Document, Mention
    from corefkit.syntax.dependencies import Syntax

# Each type of mention, and the group in which it is counted too.
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


def find_mention_types(
    document: Document, mentions: Iterable[Mention]
) -> list[str] | None:
    """Find the type of each mention; None if the document has no syntax."""
    syntax = build_syntax(document)
    if syntax is None:
        return None
    cells = {cell: parse_features(cell) for cell in {*syntax.features}}
    determiners = _Determiners(syntax, cells)
    return [_find_type(mention, syntax, cells, determiners) for mention in mentions]


def _find_type(
    mention: Mention,
    syntax: Syntax,
    cells: Mapping[str, Mapping[str, list[str]]],
    determiners: _Determiners,
) -> str:
    head = find_head(mention, syntax)
    if head in syntax.empty:
        return "zero_pronouns"
    tag, features = syntax.tags[head], cells[syntax.features[head]]
    by_head = find_type_by_head(tag, features)
    if by_head is not None:
        return by_head
    is_definite = "Def" in features["Definite"]
    for name in _BY_DETERMINER:
        if is_definite and name == "definite_nps":
            return name
        if determiners.has(name, mention, head):
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


def find_type_by_head(tag: str, features: Mapping[str, list[str]]) -> str | None:
    """Find the type of a pronoun or clause by its head; None for other mentions."""
    kinds = features["PronType"]
    if tag != "PRON" and (tag != "DET" or "Art" in kinds):
        return "clauses" if tag in ("VERB", "AUX") else None
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
    """The determiners of a document, by the type of mention that they make.

    They are classified once, however many mentions they are in. They are grouped by
    head if there is a tree, otherwise they form one group.
    """

    def __init__(
        self, syntax: Syntax, cells: Mapping[str, Mapping[str, list[str]]]
    ) -> None:
        self._has_tree = bool(syntax.parents)
        self._own: dict[int, str] = {}  # the type for the mention of which it is head
        self._rows: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
        for token, (tag, cell) in enumerate(
            zip(syntax.tags, syntax.features, strict=True)
        ):
            features, name = cells[cell], None
            if "Yes" in features["Poss"]:
                name = "possessive_nps"
            elif tag == "DET":
                name = _classify_determiner(features)
            if name is not None:
                self._own[token] = name
            if syntax.relations and syntax.relations[token] == "nmod:poss":
                name = "possessive_nps"
            parent = syntax.parents[token] if self._has_tree else -1
            if name is not None and parent != token:
                self._rows[parent, name].append(token)

    def has(self, name: str, mention: Mention, head: int) -> bool:
        """Return whether the head of a mention has a determiner of a type."""
        group = head if self._has_tree else -1
        tokens: Sequence[int] = self._rows.get((group, name), ())
        stop = mention.end + 1 if self._has_tree else head
        is_own = self._own.get(head) == name
        return any(
            (is_own and start <= head <= end)
            or bisect_left(tokens, start) < bisect_left(tokens, min(end + 1, stop))
            for start, end in mention.parts
        )


def _classify_determiner(features: Mapping[str, list[str]]) -> str:
    if "Dem" in features["PronType"]:
        return "demonstrative_nps"
    if "Def" in features["Definite"]:
        return "definite_nps"
    if "Ind" in features["Definite"] or {"Ind", "Tot", "Neg"} & {*features["PronType"]}:
        return "indefinite_nps"
    return "others"


# Words of closed classes, for texts without tags: pronouns, articles, frequent words.
#
# The file `closed_words.toml` has a table for each language, by its code, with words in
# lower case, separated by blanks:
#
#     personal, possessive, demonstrative, relative    its pronouns, by kind
#     leading      articles at the start of a mention that do not identify it
#     trailing     endings of the same sort at its end
#     frequent     words of most texts, by which the language is guessed
#
# A form of several kinds counts as the first of them.

_PRONOUNS = ("personal", "possessive", "demonstrative", "relative")
_COMMENT = re.compile(r"\s*(?:\w+(?:::|\.))?lang(?:uage)?\s*[=:]\s*([\w-]+)\s*", re.I)
# A guess requires so many frequent words in a hundred, and so many times more of them
# than of any other language. A word of several languages counts in parts.
_MIN_PERCENT = 5
_MIN_RATIO = 1.25


@dataclass(frozen=True, slots=True)
class ClosedWords:
    """Words of closed classes of one language."""

    code: str
    name: str
    pronouns: Mapping[str, str]  # with the kind of each
    leading: frozenset[str]
    trailing: frozenset[str]
    frequent: frozenset[str]


@cache
def load_closed_words() -> Mapping[str, ClosedWords]:
    """Load the words of all languages."""
    text = (files("corefkit.syntax") / "closed_words.toml").read_text("utf-8")
    return {code: _parse_table(code, row) for code, row in tomllib.loads(text).items()}


def _parse_table(code: str, row: Mapping[str, str]) -> ClosedWords:
    kinds = [(word, kind) for kind in _PRONOUNS for word in row[kind].split()]
    leading, trailing, frequent = (
        frozenset(row[name].split()) for name in ("leading", "trailing", "frequent")
    )
    pronouns = dict(reversed(kinds))
    return ClosedWords(code, row["name"], pronouns, leading, trailing, frequent)


def find_language_code(language: str) -> str | None:
    """Return the code of a language by a code or name; None if it is not supported."""
    spelling = language.casefold()
    code = re.split("[-_]", spelling)[0]
    for words in load_closed_words().values():
        if spelling == words.name.casefold() or code == words.code:
            return words.code
    return None


def read_language(document: Document) -> str | None:
    """Return the language in the comments of a document, as it is written there."""
    for comment in (line for lines in document.comments[:1] for line in lines):
        if match := _COMMENT.fullmatch(comment):
            return match[1]
    return None


def guess_language(words: Iterable[str]) -> str | None:
    """Guess the language of words by the frequent ones; None if it is not clear."""
    languages, counts = _group_by_word(), Counter(map(str.casefold, words))
    shares: dict[str, float] = dict.fromkeys(load_closed_words(), 0.0)
    for word in counts.keys() & languages.keys():
        for code in languages[word]:
            shares[code] += counts[word] / len(languages[word])
    (first, code), (second, _) = sorted(
        ((share, code) for code, share in shares.items()), reverse=True
    )[:2]
    has_several = len(counts.keys() & load_closed_words()[code].frequent) > 1
    is_frequent = 100 * first >= _MIN_PERCENT * counts.total()
    is_clear = is_frequent and first >= _MIN_RATIO * second
    return code if has_several and is_clear else None


@cache
def _group_by_word() -> Mapping[str, Sequence[str]]:
    languages = defaultdict(list)
    for code, words in load_closed_words().items():
        for word in words.frequent:
            languages[word].append(code)
    return languages
