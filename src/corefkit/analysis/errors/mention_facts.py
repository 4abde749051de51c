"""Facts about mentions other than their entities: pronouns, types, heads, sentences.

Annotation in the file comes first: the mention's kind (NAM, NOM, PRO) and its head;
then its words and their annotation. The key describes its own mentions, the response
those that only it has. The sources of types and heads are counted and reported. Words,
tags and trees are those of the key; without any, those of the response if its words are
the same.

1.  The head of a mention is the one that the file names; else its only word; else that
    of the dependency tree; else that of the parse column by the rules of Collins if the
    mention is a phrase, and its last word if it is not; else, if there are only tags,
    the last noun or pronoun before what follows a noun phrase.
2.  The type is that of the head's tag: pronouns (empty nodes too), names (PROPN),
    clauses (VERB, AUX), nominals. Without tags, single words are pronouns if the list
    of their language has them, and the type of others is unknown.
3.  Trimmed are articles and punctuation at the start, endings and punctuation at the
    end, as long as a token is left.
4.  Mentions that are longer than phrases are: texts are not compared, and nothing is
    looked up in a parse column, because each of many would be scanned again.
5.  In a document of a single sentence longer than sentences are, sentence boundaries
    count as not marked.

Sources: Kummerfeld and Klein 2013 for trimming and for heads of mentions that are not
phrases; Martschat and Strube 2014 for clauses.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter, defaultdict
from dataclasses import replace
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.alignment.scored_mentions import convert_kind
from corefkit.alignment.trees import Trees, find_broken_cell, make_head_finder
from corefkit.alignment.zeros import mark_zeros
from corefkit.analysis.errors.error_analysis import TYPES, DocumentText
from corefkit.analysis.errors.mentions import Description, is_span
from corefkit.arrays.columns import find_runs
from corefkit.exceptions import SettingsError
from corefkit.model import Mention
from corefkit.syntax.dependencies import (
    build_syntax,
    find_head,
    is_penn,
    parse_features,
)
from corefkit.syntax.mention_types import (
    find_language_code,
    find_type_by_head,
    guess_language,
    load_closed_words,
    read_language,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from corefkit.alignment.pipeline import Run
    from corefkit.alignment.scored_mentions import AlignedBlock, Block
    from corefkit.analysis.errors.mentions import Joined
    from corefkit.arrays.columns import Columns
    from corefkit.formats.source import Source
    from corefkit.model import Document
    from corefkit.syntax.mention_types import ClosedWords

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
        self._trimmed = words or load_closed_words()["en"]
        self.empty = document.empty
        self._empty = set(document.empty)
        self._syntax = build_syntax(annotated)
        trees = Trees.of(annotated)
        self.broken_trees = trees is not None and find_broken_cell(trees) is not None
        self._phrase_head = None
        if trees is not None and not self.broken_trees:
            self._phrase_head = make_head_finder(trees)
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
            return find_head(mention, syntax), "tree"
        if self._phrase_head is not None and not mention.gaps:
            start, end = mention
            long = end - start >= _LONGEST_PHRASE
            return end if long else self._phrase_head(start, end), "parse"
        if syntax is not None:
            return find_head(mention, syntax), "tags"
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
    known = find_type_by_head(tag, parse_features(features))
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


_SHORT = 300  # words of documents that are too short to guess their language
_MANY = 5000  # words that are enough to guess the language of a corpus
_TREEBANK = re.compile(r"([a-z]{2,3})_[^.]+\.conllu(?:\.gz)?")


class Language(NamedTuple):
    """The language of a document: its words, where there is a list, and its name."""

    words: ClosedWords | None
    name: str  # empty where it is not known
    guessed: bool = False

    @property
    def in_words(self) -> str:
        """Say which language it is."""
        return f"{self.name} (guessed)" if self.guessed else self.name


class Languages:
    """Finds the languages of documents.

    It is the first of these that is known: the one that a user gives; the one that the
    comments of a document name; the first letters of a CoNLL-U file, as in
    `es_ancora.conllu`; English, where tags are those of the Penn Treebank; the one that
    the frequent words of the document tell, or where it is short, those of the first
    documents of its source.

    >>> from corefkit.formats.in_memory import MemorySource
    >>> from corefkit.model import Document
    >>> document = Document("d", (("Das", "ist", "der", "Hund"),), ())
    >>> source = MemorySource("key", {"d": document})
    >>> Languages().of(document, source).in_words
    'German (guessed)'
    >>> Languages("en").of(document, source).in_words
    'English'
    """

    def __init__(self, given: str | None = None) -> None:
        self._given = None if given is None else _named(given)
        self._guesses: dict[Source, str | None] = {}

    def of(self, document: Document, source: Source) -> Language:
        """Find the language of a document of a source."""
        if self._given is not None:
            return self._given
        if name := read_language(document):
            return _named(name)
        treebank = _TREEBANK.fullmatch(PurePath(source.name).name)
        if treebank is not None and treebank[1] in load_closed_words():
            return _named(treebank[1])
        if is_penn(document.layers.get("xpos", ())):
            return _named("en")
        code = self._guessed(document, source)
        return Language(None, "") if code is None else _named(code, guessed=True)

    def _guessed(self, document: Document, source: Source) -> str | None:
        words = document.words
        own = guess_language(words)
        if own is not None and len(words) >= _SHORT:
            return own
        if source not in self._guesses:
            self._guesses[source] = guess_language(_first_words(source))
        return self._guesses[source] or own


def _first_words(source: Source) -> list[str]:
    words: list[str] = []
    for number in range(len(source.ids)):
        words += source.read_text(number).words
        if len(words) >= _MANY:
            break
    return words


def _named(language: object, *, guessed: bool = False) -> Language:
    if not isinstance(language, str):
        message = f"found {language!r} for 'language', expected a code or a name"
        raise SettingsError(
            message, code="settings/invalid-value", hint="'en' or 'English'"
        )
    code = find_language_code(language)
    if code is None:
        return Language(None, language)
    words = load_closed_words()[code]
    if guessed:
        # A guess may be wrong, and hardly another language has the articles of English.
        english = load_closed_words()["en"]
        words = replace(
            words,
            leading=words.leading | english.leading,
            trailing=words.trailing | english.trailing,
        )
    return Language(words, words.name, guessed)


class Text(NamedTuple):
    """One document, to be asked for mentions."""

    wording: Wording | None  # None where neither side has words
    language: Language
    whose: str  # whose words, tags and trees tell: `the key` or `the response`


class Texts:
    """The texts of a block; the key's documents are read once for all systems."""

    def __init__(self, language: str | None) -> None:
        self._languages = Languages(language)
        self._numbers: Sequence[int | None] | None = None
        self._key: list[Document] = []
        self._texts: dict[int, Text] = {}  # by row, where the key alone tells
        self._said: dict[int, Mapping[Mention, Mention]] = {}

    def of(self, run: Run, block: AlignedBlock, row: int) -> Text:
        """Find the text of a document of a block by its row."""
        self._open(run, block)
        if row in self._texts:
            return self._texts[row]
        text = self._of_key(run, row)
        if text.wording is not None and text.wording.has_annotation:
            self._texts[row] = text
            return text
        return self._of_response(run, block, row) or text

    def said(
        self, run: Run, block: AlignedBlock, row: int
    ) -> Mapping[Mention, Mention]:
        """Find what the key says of the mentions of a document."""
        self._open(run, block)
        if row not in self._said:
            self._said[row] = said_of_mentions(self._key[row])
        return self._said[row]

    def _open(self, run: Run, block: AlignedBlock) -> None:
        """Read the key's documents of a block; no others are kept."""
        if block.key.numbers is self._numbers:
            return
        self._numbers, source = block.key.numbers, run.key
        self._key = [source.read_text(number or 0) for number in self._numbers]
        self._texts, self._said = {}, {}

    def _of_key(self, run: Run, row: int) -> Text:
        document = self._key[row]
        if not document.sentences:
            return Text(None, Language(None, ""), "the key")
        language = self._languages.of(document, run.key)
        return Text(Wording(document, language.words), language, "the key")

    def _of_response(self, run: Run, block: AlignedBlock, row: int) -> Text | None:
        """Take words or annotation of the response, where the key has none.

        The words are the same, or they would have been refused or be compared by
        characters.
        """
        number, key = block.response.numbers[row], self._key[row]
        if number is None or row in block.differences:
            return None
        response = run.response.read_text(number)
        if response.empty != key.empty or not response.sentences:
            return None
        words = key if key.sentences else response
        if len(response.tokens) != len(words.tokens):
            return None
        language = self._languages.of(response, run.response)
        wording = Wording(words, language.words, annotated=response)
        if key.sentences and not wording.has_annotation:
            return None
        return Text(wording, language, "the response")


def kinds_in_response(
    run: Run, block: AlignedBlock, row: int
) -> Mapping[Mention, Mention]:
    """Find the mentions of a document of the response whose kinds it names."""
    source, number = run.response, block.response.numbers[row]
    if number is None or not source.may_have_mention_types(number):
        return {}
    return said_of_mentions(source.read_document(number))


def said_of_mentions(document: Document) -> Mapping[Mention, Mention]:
    """Find the mentions of a document of which it says a kind or a head.

    Of a mention that stands in two entities the first counts, as in scoring.

    >>> from corefkit.model import Document, Entity, Mention
    >>> mentions = Mention(0, 1, head=1), Mention(3, 3)
    >>> document = Document("d", (), (Entity("1", mentions),))
    >>> said_of_mentions(document)[Mention(0, 1)].head
    1
    """
    said: dict[Mention, Mention] = {}
    for entity in document.entities:
        for mention in entity.mentions:
            if mention.head is not None or "mention_type" in mention.attributes:
                said.setdefault(mention, mention)
    return said


# Kinds of mentions as files name them, in the words of ACE: type and kind of pronoun.
KINDS: Mapping[str, tuple[int, str]] = {
    "NAM": (NAME, ""),
    "NOM": (NOMINAL, ""),
    "PRO": (PRONOUN, ""),
    "DEM": (PRONOUN, "demonstrative"),
    "WHQ": (PRONOUN, "relative"),
    "ZERO": (PRONOUN, "zero"),
    **dict.fromkeys(("VRB", "VERB", "CLAUSE"), (CLAUSE, "")),
}


class Said(NamedTuple):
    """A mention in the key's tokens, and what a file says of it."""

    mention: Mention
    own: Mention | None  # with a kind or a head
    whose: str  # which side's file says so
    is_zero: bool = False  # whether the response has an empty node here


class Known(NamedTuple):
    """What is known of a mention, and where its type and its head are known from."""

    facts: Facts
    typed: tuple[str, str, str]
    headed: tuple[str, str, str]


UNSAID = "heads", "word", ""  # the only word of a mention needs no source


def known_of(text: Text, said: Said) -> Known:
    """Put together what a file says of a mention and what its words tell."""
    mention, own, whose, _ = said
    if own is not None and own.head is not None:
        mention = own
    wording = text.wording
    facts = nothing_known(mention) if wording is None else wording.facts(mention)
    kind = None if own is None else own.attributes.get("mention_type")
    known = KINDS.get(convert_kind(kind).upper()) if kind else None
    if known is None:
        where = text.whose if facts.typed_by == "tags" else text.language.in_words
        how = facts.typed_by or ("no list" if where else "")
        typed = "types", how, where
    else:
        pronoun = known[1]
        if known[0] == PRONOUN and not pronoun and wording is not None:
            pronoun = wording.pronoun(mention)
        facts = facts._replace(type=known[0], pronoun=pronoun)
        typed = "types", "file", whose
    headed = UNSAID
    if facts.head_by != "word":
        where = whose if facts.head_by == "file" else text.whose
        headed = "heads", facts.head_by, where if facts.head_by else ""
    return Known(facts, typed, headed)


def not_said(facts: Facts) -> Facts:
    """Let a mention be one of an empty node, which the key may lack."""
    if facts.pronoun == "zero":
        return facts
    return facts._replace(
        type=PRONOUN, pronoun="zero", head=UNKNOWN, text="", head_word=""
    )


_HOW: Mapping[str, Mapping[str, str]] = {
    "types": {
        "file": "kinds of mentions that {} names",
        "tags": "parts of speech of {}",
        "words": "pronouns by a list of words of {}; other types are not known",
        "no list": "not known; there is no list of the pronouns of {}",
        "": "not known; no mention counts as a pronoun, and anchors are first mentions",
    },
    "heads": {
        "file": "those that {} names",
        "tree": "dependency trees of {}",
        "parse": "the parse column of {}, by the rules of Collins",
        "tags": "guessed by the parts of speech of {}",
        "": "not known; span errors are found by trimming alone",
    },
    "trimming": {
        "words": "articles and endings of {}, and punctuation",
        "no list": "punctuation and English articles; there is no list for {}",
        "language": "punctuation and English articles; the language is not known",
        "": "none, since there are no words",
    },
    "distances": {"": "in tokens; sentences are not known"},
    "trees": {
        "": "the parse column of {} has brackets that do not pair, and tells nothing"
    },
}


def sentences_on(counts: Mapping[tuple[str, str, str], int]) -> tuple[str, ...]:
    """Say what told how many mentions their types, heads and so on, a sentence each.

    What is counted is what was looked for, how it was found, and where.

    >>> counts = {("types", "tags", "the key"): 3, ("types", "file", "the response"): 1}
    >>> for sentence in sentences_on(counts):
    ...     print(sentence)
    types: parts of speech of the key (75%)
    types: kinds of mentions that the response names (25%)
    """
    totals: defaultdict[str, int] = defaultdict(int)
    for (what, _, _), count in counts.items():
        totals[what] += count
    order = list(_HOW)
    ranked = sorted(counts.items(), key=lambda row: (order.index(row[0][0]), -row[1]))
    said = []
    for (what, how, where), count in ranked:
        share = ""
        if 0 < count < totals[what]:
            share = f" ({100 * count / totals[what]:.0f}%)"
        if count and how in _HOW[what]:
            said.append(f"{what}: {_HOW[what][how].format(where)}{share}")
    return tuple(said)


class _Response(NamedTuple):
    """What is known of the response's mentions, by their numbers in its columns."""

    columns: Columns
    heads: Mapping[int, int]  # that the file names
    zeros: frozenset[int]  # the mentions whose heads are empty nodes

    def said(
        self, mention: Mention, number: int, kinds: Mapping[Mention, Mention]
    ) -> Mention | None:
        """Find what the response says of one of its mentions, if anything."""
        if not kinds and not self.heads:
            return None
        there = self.columns.mention(number)
        # Where a side has other tokens, a head is none of the key's.
        head = self.heads.get(number) if there == mention else None
        attributes = kinds.get(there, mention).attributes
        return replace(mention, head=head, attributes=attributes)


class Describing:
    """Describes the mentions of an analysis: block by block, system by system.

    Args:
        language: the language of the texts, as in `en` or `English`; found if not
            given.

    >>> from corefkit.alignment.pipeline import iter_aligned_blocks, open_runs
    >>> from corefkit.analysis.errors.mentions import joined
    >>> from corefkit.example import paths
    >>> from corefkit.settings import DEFAULT_SETTINGS
    >>> describing = Describing()
    >>> with open_runs(paths()[0], paths()[1:], settings=DEFAULT_SETTINGS) as opened:
    ...     tables = [
    ...         describing.describe(run, block, joined(block))
    ...         for run, block in iter_aligned_blocks(opened)
    ...     ]
    >>> tables[0].text[0], int(tables[0].trimmed_start[0])
    ('the mayor of halden', 1)
    >>> print(describing.sources[0])
    types: pronouns by a list of words of English (guessed); other types are not known
    """

    def __init__(self, *, language: str | None = None) -> None:
        self._texts = Texts(language)
        self._counts: Counter[tuple[str, str, str]] = Counter()

    @property
    def sources(self) -> tuple[str, ...]:
        """Where pronouns, types and heads came from so far, one sentence each."""
        return sentences_on(self._counts)

    def text(self, run: Run, block: AlignedBlock, row: int) -> DocumentText:
        """Return the words of a document of a block; none where mentions are names."""
        if block.table.mentions.key.names is not None:
            return DocumentText()
        wording = self._texts.of(run, block, row).wording
        if wording is None:
            return DocumentText()
        return DocumentText(
            wording.tokens, wording.sentence_starts, empty=wording.empty
        )

    def describe(self, run: Run, block: AlignedBlock, table: Joined) -> Description:
        """Describe the mentions of a table that was made of a block of a run."""
        if _are_names(run, table):
            self._count_nothing(len(table.document))
            spans = zip(table.start.tolist(), table.end.tolist(), strict=True)
            facts = [nothing_known(Mention(*span)) for span in spans]
            return description(facts, self.sources, has_tokens=False)
        known: list[Known] = []
        response = _of_response(block.response)
        for first, size in zip(*find_runs(table.document), strict=True):
            text = self._texts.of(run, block, int(table.document[first]))
            self._count_text(text, int(size))
            rows = range(int(first), int(first + size))
            known += self._of_document(run, block, table, rows, text, response)
        self._counts.update([found.typed for found in known])
        self._counts.update([found.headed for found in known])
        self._counts.pop(UNSAID, None)
        return description([found.facts for found in known], self.sources)

    def _of_document(
        self,
        run: Run,
        block: AlignedBlock,
        table: Joined,
        rows: range,
        text: Text,
        response: _Response,
    ) -> Iterator[Known]:
        """Describe the mentions of one document; those of the key once for all."""
        of_key = {} if text.wording is None else text.wording.of_key
        numbers = table.key_mention[rows.start : rows.stop].tolist()
        new = [
            row
            for row, number in zip(rows, numbers, strict=True)
            if number not in of_key
        ]
        said = self._said(run, block, table, new, response)
        for number in numbers:
            found = of_key.get(number)
            if found is None:
                one = next(said)
                found = known_of(text, one)
                if one.is_zero:
                    found = found._replace(facts=not_said(found.facts))
                if number >= 0:
                    of_key[number] = found
            yield found

    def _said(
        self,
        run: Run,
        block: AlignedBlock,
        table: Joined,
        rows: Sequence[int],
        response: _Response,
    ) -> Iterator[Said]:
        """Go through mentions, with what which file says of them, if it does."""
        if not rows:
            return
        row = int(table.document[rows[0]])
        of_key, kinds = self._texts.said(run, block, row), None
        for at, start, end, key_mention, response_mention in zip(
            rows,
            table.start[rows].tolist(),
            table.end[rows].tolist(),
            table.key_mention[rows].tolist(),
            table.response_mention[rows].tolist(),
            strict=True,
        ):
            mention = Mention(start, end, table.gaps.get(at, ()))
            if key_mention >= 0:
                own = of_key.get(mention) if of_key else None
                yield Said(mention, own, "the key")
                continue
            if kinds is None:
                kinds = kinds_in_response(run, block, row)
            own = response.said(mention, response_mention, kinds)
            is_zero = response_mention in response.zeros
            yield Said(mention, own, "the response", is_zero)

    def _count_text(self, text: Text, mentions: int) -> None:
        if text.wording is None:
            self._counts["trimming", "", ""] += mentions
            self._counts["distances", "", ""] += mentions
            return
        name = text.language.in_words
        how = "words" if text.language.words else "no list" if name else "language"
        self._counts["trimming", how, name] += mentions
        if not text.wording.has_sentences:
            self._counts["distances", "", ""] += mentions
        if text.wording.broken_trees:
            self._counts["trees", "", text.whose] += mentions

    def _count_nothing(self, mentions: int) -> None:
        for what in ("types", "heads", "trimming"):
            self._counts[what, "", ""] += mentions


def description(
    facts: Sequence[Facts], sources: tuple[str, ...], *, has_tokens: bool = True
) -> Description:
    """Set out what is known of mentions in columns."""
    columns = list(zip(*facts, strict=True)) or [()] * len(Facts._fields)
    numbers = {
        name: np.array(column, np.int64)
        for name, column in zip(Facts._fields, columns, strict=True)
        if name not in ("pronoun", "text", "head_word", "typed_by", "head_by")
    }
    words = dict(zip(Facts._fields, columns, strict=True))
    return Description(
        **numbers,
        pronoun=words["pronoun"],
        text=words["text"],
        head_word=words["head_word"],
        sources=sources,
        has_tokens=has_tokens,
    )


def _of_response(block: Block) -> _Response:
    read, columns = block.read.details, block.scored_read
    heads: dict[int, int] = {}
    if read is not None and columns.details is not None and np.any(read.head >= 0):
        named = enumerate(columns.details.head.tolist())
        heads = {mention: head for mention, head in named if head >= 0}
    zeros = frozenset(np.flatnonzero(mark_zeros(columns)).tolist())
    return _Response(columns, heads, zeros)


def _are_names(run: Run, table: Joined) -> bool:
    """Say whether mentions are names, of which no text tells anything."""
    if table.names is not None:
        return not all(map(is_span, table.names))
    return run.key.has_names
