"""Types, heads, sentences and texts of mentions.

Annotation in the file takes precedence: the type of the mention (NAM, NOM, PRO) and its
head; then words and their annotation. Mentions of the key are described by the key,
mentions that only the response contains by the response. The sources of types and heads
are counted and reported. Words, tags and trees are those of the key; if the key has
none, those of the response if its words are the same.

1.  The head of a mention is specified by the file; otherwise it is its only word;
    otherwise its head in the dependency tree; otherwise its head in the parse column by
    the rules of Collins if the mention is a phrase, and its last word if it is not;
    otherwise, if there are only tags, the last noun or pronoun before the words that
    follow a noun phrase.
2.  The type is that of the head's tag: pronouns (empty nodes too), names (PROPN),
    clauses (VERB, AUX), nominals. Without tags, single words are pronouns if the list
    of their language contains them, and other types are unknown.
3.  Trimming removes articles and punctuation at the start, endings and punctuation at
    the end, as long as a token is left.
4.  Texts of very long mentions are not compared, and their heads are not looked up in
    the parse column: many of them would take quadratic time.
5.  In a document of a single, very long sentence, sentence boundaries are unknown.

Sources: Kummerfeld and Klein 2013 for trimming and for heads of mentions that are not
phrases; Martschat and Strube 2014 for clauses.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import PurePath
from sys import intern
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from corefkit.alignment.pipeline import Run
from corefkit.alignment.scored_mentions import AlignedBlock, Block, convert_kind
from corefkit.alignment.trees import Trees, find_broken_cell, make_head_finder
from corefkit.alignment.zeros import mark_zeros
from corefkit.analysis.errors.error_analysis import PRONOUN, TYPES, DocumentText
from corefkit.analysis.errors.mentions import Gaps, MentionFacts, MentionTable, is_span
from corefkit.arrays.columns import find_runs
from corefkit.exceptions import SettingsError
from corefkit.formats.source import Source
from corefkit.model import Document, Mention
from corefkit.syntax.dependencies import (
    build_syntax,
    find_head,
    is_penn,
    parse_features,
)
from corefkit.syntax.mention_types import (
    ClosedWords,
    find_language_code,
    find_type_by_head,
    guess_language,
    load_closed_words,
    read_language,
)
from corefkit.syntax.running_text import NO_LAYOUT, read_layout

_NAME, _NOMINAL, _CLAUSE = (TYPES.index(type) for type in ("name", "nominal", "clause"))
_UNKNOWN = -1
_MAX_SENTENCE = 250  # tokens
_MAX_PHRASE = 1000  # tokens

# The words of a language, if there is a list, and its name, empty if it is unknown.
Language: TypeAlias = "tuple[ClosedWords | None, str]"
NO_LANGUAGE: Language = (None, "")
_MIN_GUESS_WORDS = 300  # shorter documents have the language of their corpus
_MAX_CORPUS_WORDS = 5000  # of a corpus, to guess its language
_TREEBANK = re.compile(r"([a-z]{2,3})_[^.]+\.conllu(?:\.gz)?")

# The property, where its values come from, and the side or language; see `_SOURCES`.
_Source: TypeAlias = tuple[str, str, str]
_SOURCES: Mapping[str, Mapping[str, str]] = {
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
    "trees": {"": "the parse column of {} is ignored: its brackets do not match"},
}
# Types of mentions in files, as ACE names them: the type and the fine type.
_FILE_TYPES: Mapping[str, tuple[int, str]] = {
    "NAM": (_NAME, ""),
    "NOM": (_NOMINAL, ""),
    "PRO": (PRONOUN, ""),
    "DEM": (PRONOUN, "demonstrative"),
    "WHQ": (PRONOUN, "relative"),
    "ZERO": (PRONOUN, "zero"),
    **dict.fromkeys(("VRB", "VERB", "CLAUSE"), (_CLAUSE, "")),
}


class _Row(NamedTuple):
    """The facts of one mention, see `MentionFacts`, and the sources of two of them."""

    type: int
    pronoun: str
    head: int
    sentence: int
    text: str
    head_word: str
    tag: str
    trimmed_start: int
    trimmed_end: int
    type_source: _Source
    head_source: _Source


class DocumentFacts:
    """Describes mentions by the words of a document and the syntax of `annotated`."""

    def __init__(
        self,
        document: Document,
        language: Language = NO_LANGUAGE,
        *,
        annotated: Document | None = None,
        side: str = "the key",
        has_texts: bool = True,
    ) -> None:
        annotated = document if annotated is None else annotated
        # Without layers, which take much memory.
        self.document = Document("", document.sentences, (), document.empty)
        self.layout = read_layout(document) if has_texts else NO_LAYOUT
        self.side = side
        self.tokens = document.tokens
        self._words, self._language = language
        self._trimming = self._words or load_closed_words()["en"]
        self._empty = set(document.empty)
        self._syntax = build_syntax(annotated)
        trees = Trees.of(annotated)
        self._has_broken_trees = (
            trees is not None and find_broken_cell(trees) is not None
        )
        self._find_phrase_head = None
        if trees is not None and not self._has_broken_trees:
            self._find_phrase_head = make_head_finder(trees, phrases_only=True)
        lengths = [len(sentence) for sentence in document.sentences]
        self._has_sentences = len(lengths) > 1 or sum(lengths) <= _MAX_SENTENCE
        self.sentence_starts = [0, *accumulate(lengths)][:-1]
        self._has_texts = has_texts
        # Several responses share the mentions of the key.
        self.key_rows: dict[int, _Row] = {}

    @property
    def has_annotation(self) -> bool:
        return self._syntax is not None or self._find_phrase_head is not None

    def describe(
        self,
        start: int,
        end: int,
        gaps: Gaps = (),
        *,
        head: int | None = None,
        file_type: str | None = None,
        side: str = "the key",
    ) -> _Row:
        """Describe a mention, whose head and type the file of `side` may specify."""
        head_source: _Source = "heads", "file", side
        if head is None:
            head, method = self._find_head(start, end, gaps)
            head_source = "heads", method, self.side if method else ""
        type, pronoun, type_source = self._find_type(start, end, head)
        file_facts = file_type and _FILE_TYPES.get(convert_kind(file_type).upper())
        if file_facts:
            type, type_source = file_facts[0], ("types", "file", side)
            pronoun = file_facts[1] or (
                (pronoun or self._look_up_pronoun(start, end)) * (type == PRONOUN)
            )
        sentence, text, head_word, tag, trimmed = -1, "", "", "", (start, end)
        if end < len(self.tokens):
            tokens: Sequence[int] = range(start, end + 1)
            if gaps:
                tokens = Mention(start, end, gaps).tokens
            if self._has_sentences:
                sentence = bisect_right(self.sentence_starts, start) - 1
            if start < end:
                trimmed = self._trim(tokens)
            if self._syntax is not None and 0 <= head < len(self._syntax.tags):
                tag = self._syntax.tags[head]
            if self._has_texts:
                if len(tokens) <= _MAX_PHRASE:
                    words = [self.tokens[t] for t in tokens if t not in self._empty]
                    text = " ".join(words).casefold()
                if head >= 0 and head not in self._empty:
                    head_word = self.tokens[head].casefold()
        return _Row(
            type,
            pronoun,
            head,
            sentence,
            text,
            head_word,
            tag,
            *trimmed,
            type_source,
            head_source,
        )

    def _find_head(self, start: int, end: int, gaps: Gaps) -> tuple[int, str]:
        """Return the head if the file does not specify it, and the method."""
        syntax = self._syntax
        if start == end:
            return start, "word"
        if end >= len(self.tokens):
            return _UNKNOWN, ""
        if syntax is not None and syntax.parents:
            return find_head(Mention(start, end, gaps), syntax), "tree"
        if self._find_phrase_head is not None and not gaps:
            is_long = end - start >= _MAX_PHRASE
            return end if is_long else self._find_phrase_head(start, end), "parse"
        if syntax is not None:
            return find_head(Mention(start, end, gaps), syntax), "tags"
        return _UNKNOWN, ""

    def _find_type(self, start: int, end: int, head: int) -> tuple[int, str, _Source]:
        no_list = "types", "no list" if self._language else "", self._language
        if end >= len(self.tokens):
            return _UNKNOWN, "", no_list
        if (start if head < 0 else head) in self._empty:
            return PRONOUN, "zero", ("types", "tags", self.side)
        if self._syntax is not None:
            tag, features = self._syntax.tags[head], self._syntax.features[head]
            return *classify_tag(tag, features), ("types", "tags", self.side)
        if self._words is None:
            return _UNKNOWN, "", no_list
        pronoun = self._look_up_pronoun(start, end)
        type = PRONOUN if pronoun else _UNKNOWN
        return type, pronoun, ("types", "words", self._language)

    def _look_up_pronoun(self, start: int, end: int) -> str:
        if self._words is None or start != end or end >= len(self.tokens):
            return ""
        return self._words.pronouns.get(self.tokens[start].casefold(), "")

    def _trim(self, tokens: Sequence[int]) -> tuple[int, int]:
        """Trim tokens without content, alternating between both ends; one is kept."""
        first, last = 0, len(tokens) - 1
        previous = None
        while first < last and previous != (first, last):
            previous = first, last
            first += self._has_no_content(tokens[first], self._trimming.leading)
            if first < last:
                last -= self._has_no_content(tokens[last], self._trimming.trailing)
        return tokens[first], tokens[last]

    def _has_no_content(self, token: int, words: frozenset[str]) -> bool:
        word = self.tokens[token]
        return word.casefold() in words or is_punctuation(word)

    def list_sources(self) -> list[_Source]:
        if not self.tokens:
            return [("trimming", "", ""), ("distances", "", "")]
        method = "words" if self._words else "no list" if self._language else "language"
        sources = [("trimming", method, self._language)]
        if not self._has_sentences:
            sources.append(("distances", "", ""))
        if self._has_broken_trees:
            sources.append(("trees", "", self.side))
        return sources


@cache
def classify_tag(tag: str, features: str) -> tuple[int, str]:
    """Return the type and the fine type of a mention by the UD tag of its head."""
    type = find_type_by_head(tag, parse_features(features))
    if type == "clauses":
        return _CLAUSE, ""
    if type is not None:
        return PRONOUN, type.removesuffix("_pronouns")
    return (_NAME if tag == "PROPN" else _NOMINAL), ""


@lru_cache(1 << 16)
def is_punctuation(word: str) -> bool:
    """Return whether a word contains only punctuation and symbols of Unicode."""
    return bool(word) and all(
        unicodedata.category(letter)[0] in "PS" for letter in word
    )


def find_language(
    document: Document,
    source: Source,
    *,
    language: str | None = None,
    guesses: dict[Source, str | None] | None = None,
) -> Language:
    """Return the language by option, comments, file name, tags, or frequent words."""
    if language is not None:
        return look_up_language(language)
    if name := read_language(document):
        return look_up_language(name)
    treebank = _TREEBANK.fullmatch(PurePath(source.name).name)
    if treebank is not None and treebank[1] in load_closed_words():
        return look_up_language(treebank[1])
    if is_penn(document.layers.get("xpos", ())):
        return look_up_language("en")
    words = document.words
    code = guess_language(words)
    if code is None or len(words) < _MIN_GUESS_WORDS:
        guesses = {} if guesses is None else guesses
        if source not in guesses:
            corpus: list[str] = []
            for number in range(len(source.ids)):
                corpus += source.read_text(number).words
                if len(corpus) >= _MAX_CORPUS_WORDS:
                    break
            guesses[source] = guess_language(corpus)
        code = guesses[source] or code
    if code is None:
        return NO_LANGUAGE
    # Guesses may be wrong; hardly any other language has the articles of English.
    closed, english = load_closed_words()[code], load_closed_words()["en"]
    closed = replace(
        closed,
        leading=closed.leading | english.leading,
        trailing=closed.trailing | english.trailing,
    )
    return closed, f"{closed.name} (guessed)"


def look_up_language(language: object) -> Language:
    """Return the words of a language by its code or name, or raise SettingsError."""
    if not isinstance(language, str):
        message = f"found {language!r} for 'language', expected a code or a name"
        raise SettingsError(
            message, code="settings/invalid-value", hint="'en' or 'English'"
        )
    code = find_language_code(language)
    if code is None:
        return None, language
    return load_closed_words()[code], load_closed_words()[code].name


class _FileAnnotation:
    """Heads and types of mentions in the file of one side of a block."""

    def __init__(self, block: Block, name: str) -> None:
        self.name, self._block, self.columns = name, block, block.scored_read
        details, read = self.columns.details, block.read.details
        self._heads: Sequence[tuple[int, int, int]] | None = None  # with bounds
        if read is not None and details is not None and np.any(read.head >= 0):
            rows = details.head, self.columns.start, self.columns.end
            self._heads = list(zip(*(row.tolist() for row in rows), strict=True))
            self._discontinuous = {*details.gap.tolist()}
        self._types: dict[int, Mapping[Mention, str]] = {}

    def get_head(self, number: int, start: int, end: int, gaps: Gaps) -> int | None:
        """Return the head of a mention, if it has the given tokens on this side."""
        if self._heads is None:
            return None
        head, *bounds = self._heads[number]
        if head < 0 or bounds != [start, end]:
            return None
        is_continuous = number not in self._discontinuous
        side_gaps = () if is_continuous else self.columns.mention(number).gaps
        return head if side_gaps == gaps else None

    def get_type(self, row: int, number: int) -> str | None:
        if row not in self._types:
            self.read_document(row)
        types = self._types[row]
        return types.get(self.columns.mention(number)) if types else None

    def read_document(self, row: int) -> Document | None:
        """Read the types of a document, and return it; None if it cannot have any."""
        source, number = self._block.source, self._block.numbers[row]
        self._types[row] = {}
        if number is None or not source.may_have_mention_types(number):
            return None
        document = source.read_document(number)
        self._types[row] = {
            mention: type
            for entity in reversed(document.entities)  # of duplicates the first counts
            for mention in reversed(entity.mentions)
            if (type := mention.attributes.get("mention_type"))
        }
        return document


class MentionDescriber:
    """Describes mentions block by block; the default is to detect the language."""

    def __init__(self, *, language: str | None = None, has_texts: bool = True) -> None:
        if language is not None:
            look_up_language(language)
        self._language, self._has_texts = language, has_texts
        self._guesses: dict[Source, str | None] = {}
        self._counts: Counter[_Source] = Counter()
        self.drop_documents()

    def drop_documents(self) -> None:
        self._numbers: Sequence[int | None] | None = None
        self._key: _FileAnnotation | None = None
        self._facts: dict[int, DocumentFacts] = {}  # by row
        # Of the current response, for documents without annotation in the key.
        self._response: tuple[Run | None, dict[int, DocumentFacts]] = (None, {})

    @property
    def sources(self) -> tuple[str, ...]:
        return format_sources(self._counts)

    def describe(
        self, run: Run, block: AlignedBlock, table: MentionTable
    ) -> MentionFacts:
        if not has_tokens(run, table):
            for name in ("types", "heads", "trimming"):
                self._counts[name, "", ""] += len(table)
            unknown, texts = np.full(len(table), _UNKNOWN), [""] * len(table)
            return MentionFacts(
                type=unknown,
                pronoun=texts,
                head=np.where(table.start == table.end, table.start, _UNKNOWN),
                sentence=unknown,
                text=texts,
                head_word=texts,
                trimmed_start=table.start,
                trimmed_end=table.end,
                has_tokens=False,
                tag=texts,
            )
        key = self._open_block(block)
        response = _FileAnnotation(block.response, "the response")
        zeros = frozenset(np.flatnonzero(mark_zeros(response.columns)).tolist())
        starts, ends = table.start.tolist(), table.end.tolist()
        key_mentions = table.key_mention.tolist()
        response_mentions = table.response_mention.tolist()
        rows = []
        for first, size in zip(*find_runs(table.document), strict=True):
            document = int(table.document[first])
            facts = self._find_facts(run, block, document)
            for source in facts.list_sources():
                self._counts[source] += int(size)
            for row in range(int(first), int(first + size)):
                is_key = key_mentions[row] >= 0
                number = key_mentions[row] if is_key else response_mentions[row]
                if is_key and number in facts.key_rows:
                    rows.append(facts.key_rows[number])
                    continue
                file = key if is_key else response
                span = starts[row], ends[row], table.gaps.get(row, ())
                described = facts.describe(
                    *span,
                    head=file.get_head(number, *span),
                    file_type=file.get_type(document, number),
                    side=file.name,
                )
                if is_key:
                    facts.key_rows[number] = described
                # The key may lack the empty node that the mention consists of.
                elif number in zeros and described.pronoun != "zero":
                    described = described._replace(
                        type=PRONOUN,
                        pronoun="zero",
                        head=_UNKNOWN,
                        text="",
                        head_word="",
                        tag="",
                    )
                rows.append(described)
        self._counts.update([row.type_source for row in rows])
        self._counts.update([row.head_source for row in rows])
        columns: list[Any] = list(zip(*rows, strict=True)) or [()] * len(_Row._fields)
        type, pronoun, head, sentence, text, head_word, tag, start, end, *_ = columns
        return MentionFacts(
            np.array(type, np.int64),
            pronoun,
            np.array(head, np.int64),
            np.array(sentence, np.int64),
            text,
            head_word,
            np.array(start, np.int64),
            np.array(end, np.int64),
            tag=tag,
        )

    def read_text(self, run: Run, block: AlignedBlock, row: int) -> DocumentText:
        """Return the words of a document of a block; none if mentions are names."""
        if block.table.mentions.key.names is not None:
            return DocumentText()
        self._open_block(block)
        facts = self._find_facts(run, block, row)
        return DocumentText(
            # Equal words of all documents share their memory.
            tuple(map(intern, map(str, facts.tokens))),
            facts.sentence_starts,
            empty=facts.document.empty,
            layout=facts.layout,
        )

    def _open_block(self, block: AlignedBlock) -> _FileAnnotation:
        """Drop the documents of the previous block; return the side of the key."""
        if self._key is None or block.key.numbers is not self._numbers:
            self.drop_documents()
            self._numbers = block.key.numbers
            self._key = _FileAnnotation(block.key, "the key")
        return self._key

    def _find_facts(self, run: Run, block: AlignedBlock, row: int) -> DocumentFacts:
        """Return facts of the words of the key, or else of the response."""
        if row not in self._facts:
            document = self._open_block(block).read_document(row)
            if document is None:
                document = run.key.read_text(block.key.numbers[row] or 0)
            self._facts[row] = self._make_facts(document, run.key)
        key_facts = self._facts[row]
        if key_facts.has_annotation:
            return key_facts
        if self._response[0] is not run:
            self._response = run, {}
        by_row = self._response[1]
        if row not in by_row:
            by_row[row] = self._use_response(run, block, row, key_facts) or key_facts
        return by_row[row]

    def _use_response(
        self, run: Run, block: AlignedBlock, row: int, key_facts: DocumentFacts
    ) -> DocumentFacts | None:
        """Use words or annotation of the response, if its words are the same."""
        number, key = block.response.numbers[row], key_facts.document
        if number is None or row in block.differences:
            return None
        response = run.response.read_text(number)
        if response.empty != key.empty or not response.sentences:
            return None
        words = key if key.sentences else response
        if len(response.tokens) != len(words.tokens):
            return None
        facts = self._make_facts(
            words, run.response, annotated=response, side="the response"
        )
        return facts if facts.has_annotation or not key.sentences else None

    def _make_facts(
        self,
        document: Document,
        source: Source,
        *,
        annotated: Document | None = None,
        side: str = "the key",
    ) -> DocumentFacts:
        language = NO_LANGUAGE
        if document.sentences:
            language = find_language(
                document if annotated is None else annotated,
                source,
                language=self._language,
                guesses=self._guesses,
            )
        return DocumentFacts(
            document,
            language,
            annotated=annotated,
            side=side,
            has_texts=self._has_texts,
        )


def has_tokens(run: Run, table: MentionTable) -> bool:
    """Return whether mentions consist of tokens; no text describes names."""
    if table.names is None:
        return not run.key.has_names
    return all(map(is_span, table.names))


def format_sources(counts: Mapping[tuple[str, str, str], int]) -> tuple[str, ...]:
    """Format how many mentions have their types, heads and so on from which source."""
    totals: Counter[str] = Counter()
    order = list(_SOURCES)
    # The heads of single words have no source.
    reported = {
        row: count for row, count in counts.items() if row[1] in _SOURCES[row[0]]
    }
    for (name, _, _), count in reported.items():
        totals[name] += count
    ranked = sorted(reported.items(), key=lambda row: (order.index(row[0][0]), -row[1]))
    sentences = []
    for (name, method, owner), count in ranked:
        if count:
            share = 100 * count / totals[name]
            part = f" ({share:.0f}%)" if count < totals[name] else ""
            sentences.append(f"{name}: {_SOURCES[name][method].format(owner)}{part}")
    return tuple(sentences)
