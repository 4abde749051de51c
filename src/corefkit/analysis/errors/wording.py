"""What the words of one document tell of its mentions, and what is annotated on them.

1.  The head of a mention is the one that the file names; else its only word; else that
    of the dependency tree; else that of the parse column by the rules of Collins, where
    the mention is a phrase, and its last word where it is none; else, where there are
    only tags, the last noun or pronoun before what follows a noun phrase.
2.  The type is that of the head's tag: pronouns (empty nodes too), names (PROPN),
    clauses (VERB, AUX), nominals. Without tags, single words are pronouns if the list
    of their language has them, and nothing is known of others.
3.  Trimmed are articles and punctuation at the start, endings and punctuation at the
    end, as long as a token is left.
4.  Of mentions that are longer than phrases are, texts are not compared, and nothing is
    looked up in a parse column: each of many would be looked at again.
5.  A document of one sentence that is longer than sentences are has none marked.

Sources: Kummerfeld and Klein 2013 for trimming and for heads of what is no phrase;
Martschat and Strube 2014 for clauses.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from functools import cache, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from corefkit.alignment.matching.head_rules import broken_cell, phrase_heads
from corefkit.alignment.matching.trees import Trees
from corefkit.analysis.errors.analysis import TYPES
from corefkit.syntax.closed_words import closed_words
from corefkit.syntax.dependencies import features_of, head_of, syntax_of
from corefkit.syntax.mention_types import type_by_head

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from corefkit.analysis.errors.known import Known
    from corefkit.model import Document, Mention
    from corefkit.syntax.closed_words import ClosedWords

PRONOUN, NAME, NOMINAL, CLAUSE = range(len(TYPES))
UNKNOWN = -1
_LONGEST_SENTENCE = 250  # tokens
_LONGEST_PHRASE = 1000


class Facts(NamedTuple):
    """What is known of one mention; `Description` says what each is."""

    type: int
    pronoun: str
    head: int
    sentence: int
    text: str
    head_word: str
    trimmed_start: int
    trimmed_end: int
    typed_by: str  # `tags`, `words` or nothing
    head_by: str  # `file`, `tree`, `parse`, `tags`, `word` or nothing


class Wording:
    """The words of one document, asked for mentions.

    The same mention is looked at once, however many systems have it.

    Args:
        document: the words, and their tags and trees.
        words: the words of closed classes of its language; where that is not known,
            mentions are trimmed by those of English.
        annotated: a document with the same words that has tags, where this has none.
    """

    def __init__(
        self,
        document: Document,
        words: ClosedWords | None = None,
        annotated: Document | None = None,
    ) -> None:
        if annotated is None:
            annotated = document
        self.tokens = document.tokens
        self._words = words
        self._trimmed = words or closed_words()["en"]
        self.empty = document.empty
        self._empty = set(document.empty)
        self._syntax = syntax_of(annotated)
        trees = Trees.of(annotated)
        self.broken_trees = trees is not None and broken_cell(trees) is not None
        self._phrase_head = None
        if trees is not None and not self.broken_trees:
            self._phrase_head = phrase_heads(trees)
        self.has_annotation = self._syntax is not None or self._phrase_head is not None
        lengths = [len(sentence) for sentence in document.sentences]
        self.has_sentences = len(lengths) > 1 or sum(lengths) <= _LONGEST_SENTENCE
        self.sentence_starts = [0, *accumulate(lengths)][:-1]
        self._known: dict[tuple[object, ...], Facts] = {}
        # What is known of the key's mentions by number, whoever finds it out.
        self.of_key: dict[int, Known] = {}

    def facts(self, mention: Mention) -> Facts:
        """Find what is known of a mention, whose head may be known already."""
        # The hash of a mention takes longer than that of what it is made of.
        asked = mention.start, mention.end, mention.gaps, mention.head
        found = self._known.get(asked)
        if found is None:
            found = self._known[asked] = self._facts(mention)
        return found

    def _facts(self, mention: Mention) -> Facts:
        start, end = mention.start, mention.end
        if end >= len(self.tokens):
            return nothing_known(mention)
        head, head_by = self._head(mention)
        kind, pronoun, typed_by = self._type(mention, head)
        tokens = range(start, end + 1) if not mention.gaps else mention.tokens
        text = "" if len(tokens) > _LONGEST_PHRASE else self._text(tokens)
        trimmed = start, end
        if start < end:
            trimmed = trimmed_span(tokens, self._leads, self._trails)
        head_word = "" if head < 0 else self.tokens[head].casefold()
        return Facts(
            kind,
            pronoun,
            head,
            bisect_right(self.sentence_starts, start) - 1 if self.has_sentences else -1,
            text,
            "" if head in self._empty else head_word,
            *trimmed,
            typed_by,
            head_by,
        )

    def _text(self, tokens: Iterable[int]) -> str:
        said = (self.tokens[token] for token in tokens if token not in self._empty)
        return " ".join(said).casefold()

    def _head(self, mention: Mention) -> tuple[int, str]:
        """Find the head of a mention, and where it comes from."""
        syntax = self._syntax
        if known := _own_head(mention):
            return known
        if syntax is not None and syntax.parents:
            return head_of(mention, syntax), "tree"
        if self._phrase_head is not None and not mention.gaps:
            start, end = mention
            long = end - start >= _LONGEST_PHRASE
            return end if long else self._phrase_head(start, end), "parse"
        if syntax is not None:
            return head_of(mention, syntax), "tags"
        return UNKNOWN, ""

    def _type(self, mention: Mention, head: int) -> tuple[int, str, str]:
        """Find the type of a mention, its kind of pronoun, and what told it."""
        first = mention.start if head < 0 else head
        if first in self._empty:
            return PRONOUN, "zero", "tags"
        if self._syntax is not None:
            kind, pronoun = type_of_tag(
                self._syntax.tags[head], self._syntax.features[head]
            )
            return kind, pronoun, "tags"
        if self._words is None:
            return UNKNOWN, "", ""
        word = self.tokens[mention.start].casefold()
        if mention.start == mention.end and word in self._words.pronouns:
            return PRONOUN, self._words.pronouns[word], "words"
        return UNKNOWN, "", "words"

    def pronoun(self, mention: Mention) -> str:
        """Find the kind of a mention that is known to be a pronoun."""
        found = self.facts(mention).pronoun
        if found or self._words is None or mention.start != mention.end:
            return found
        if mention.end >= len(self.tokens):
            return ""
        return self._words.pronouns.get(self.tokens[mention.start].casefold(), "")

    def _leads(self, token: int) -> bool:
        return _has_no_content(self.tokens[token], self._trimmed.leading)

    def _trails(self, token: int) -> bool:
        return _has_no_content(self.tokens[token], self._trimmed.trailing)


def nothing_known(mention: Mention) -> Facts:
    """Return what is known of a mention without words: its bounds, perhaps its head.

    >>> from corefkit.model import Mention
    >>> nothing_known(Mention(3, 5)).head, nothing_known(Mention(3, 5, head=4)).head
    (-1, 4)
    """
    start, end = mention
    head, head_by = _own_head(mention) or (UNKNOWN, "")
    return Facts(UNKNOWN, "", head, -1, "", "", start, end, "", head_by)


def _own_head(mention: Mention) -> tuple[int, str] | None:
    """Find the head that a file names, or that is the only word; and say which."""
    if mention.head is not None:
        return mention.head, "file"
    return (mention.start, "word") if mention.start == mention.end else None


@cache
def type_of_tag(tag: str, features: str) -> tuple[int, str]:
    """Find the type of mentions by a tag of UD and its features, and kind of pronoun.

    >>> type_of_tag("DET", "PronType=Dem"), type_of_tag("PROPN", "_")
    ((0, 'demonstrative'), (1, ''))
    """
    known = type_by_head(tag, features_of(features))
    if known == "clauses":
        return CLAUSE, ""
    if known is not None:
        return PRONOUN, known.removesuffix("_pronouns")
    return (NAME if tag == "PROPN" else NOMINAL), ""


def trimmed_span(
    tokens: Sequence[int],
    leads: Callable[[int], bool],
    trails: Callable[[int], bool],
) -> tuple[int, int]:
    """Trim a mention: return its first and last token without what tells nothing.

    In turn, the first token goes if it is such a word, then the last; one is left.

    >>> words = "`` the old mill 's".split()
    >>> trimmed_span(
    ...     range(5),
    ...     lambda at: words[at] in ("``", "the"),
    ...     lambda at: words[at] == "'s",
    ... )
    (2, 3)
    """
    first, last = 0, len(tokens) - 1
    while first < last:
        before = first, last
        first += leads(tokens[first])
        if first < last:
            last -= trails(tokens[last])
        if (first, last) == before:
            break
    return tokens[first], tokens[last]


def _has_no_content(word: str, listed: frozenset[str] | tuple[()]) -> bool:
    return word.casefold() in listed or is_punctuation(word)


@lru_cache(1 << 16)
def is_punctuation(word: str) -> bool:
    """Say whether a word is made of punctuation or symbols alone, as Unicode has them.

    >>> [word for word in ("``", "$", "5", "é", "'s") if is_punctuation(word)]
    ['``', '$']
    """
    return bool(word) and all(
        unicodedata.category(letter)[0] in "PS" for letter in word
    )
