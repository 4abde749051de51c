"""Heads and minimum spans of mentions from constituency trees.

Trees are brackets in the style of CoNLL-2012's parse column. The tree of a mention
consists of the brackets of its own words.

Minimum spans:

1.  Brackets that the words of a mention leave open close at its end, and several trees
    get a noun phrase as their root.
2.  Consecutive words between two brackets are one leaf, named by its last word, as in
    the Universal Anaphora scorer; coval compares all words of a leaf. A leaf counts if
    it contains a word with a letter, a digit or `%` that is not a conjunction,
    determiner or preposition (CC, DT, IN) and not a bracket.
3.  The phrases to descend into are noun phrases (NP, NM, QP, NX) if the root is an NP
    or NM, verb phrases (VP) if it is one; otherwise its children decide, noun phrases
    first.
4.  The minimum span consists of the leaves directly under the root; if there are none,
    in each phrase of the right kind under the root of the nearest leaves, descending
    into such phrases only; if there is no such phrase, of the nearest leaves under the
    first noun or verb phrase; and otherwise of all words.

The spans of both sides are looked up in the trees of the key, and mentions match if
their minimum spans are equal.

Heads:

1.  The tree of a mention consists of the phrases inside it. If these are several, they
    and the words between them are the parts of a noun phrase.
2.  From the top, the head of a phrase is that of one of its parts, down to a word. The
    part depends on the kind of the phrase, of which everything after `-` or `=` is
    ignored, as in `NP-SBJ`.
3.  With tags of the Penn Treebank the part is found by the rules of Collins (1999,
    appendix A): in a noun phrase the last noun; else the first noun phrase; else the
    last part that is an adjective phrase or `$`, then a number, then an adjective; else
    the last part that is not punctuation. In other phrases it is the first part of the
    first kind in the row of `_ENGLISH` that there is, from the given side. Unlike in
    Collins, a possessive ending is never the head: "Ann" is that of "Ann 's".
4.  With tags of the Chinese Treebank, in a noun phrase it is the last part that is a
    noun or noun phrase, in others the last part of the same kind as the phrase; else
    the last that is not punctuation.
5.  With other tags, or none, heads are unknown. A word with the cell `-` or `_` has no
    brackets. Other cells without brackets, and unpaired brackets, are rejected.

Source: Moosavi et al. 2019, "Using Automatically Extracted Minimum Spans to Disentangle
Coreference Evaluation from Boundary Detection" (MINA); Collins 1999.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.candidates import check_lengths
from corefkit.alignment.scored_mentions import CrowdedDocument, locate_mention
from corefkit.arrays.columns import find_runs, make_default_details
from corefkit.exceptions import FormatError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from corefkit.alignment.scored_mentions import Block
    from corefkit.arrays.columns import Columns, Flags, Ints
    from corefkit.formats.source import Source
    from corefkit.model import Document
    from corefkit.settings import Settings


@dataclass(slots=True)
class Constituent:
    """A phrase with its kind and parts, or a word with its tag and number."""

    kind: str
    parts: list[Constituent] = field(default_factory=list)
    word: int = -1
    leaf: int = -1  # the number of the leaf of a word, -1 if it has no cell


@dataclass(frozen=True, slots=True)
class Trees:
    """The trees of one document: brackets, words and part-of-speech tags by token."""

    brackets: Sequence[str]
    words: Sequence[str]
    tags: Sequence[str]
    starts: Sequence[int] | None = None  # of tokens, if mentions are by characters

    @classmethod
    def of(cls, document: Document) -> Trees | None:
        brackets = document.layers.get("parse")
        if brackets is None:
            return None
        words = document.tokens
        tags = document.layers.get("xpos", ("",) * len(words))
        return cls(brackets, words, tags)

    def build(self, start: int, end: int) -> list[Constituent]:
        """Build the tree of a mention; return its root, and the phrases left open."""
        open_phrases = [Constituent(_NO_PHRASE)]
        leaf = 0
        for token in range(start, end + 1):
            cell = self.brackets[token]
            if cell in _NO_BRACKETS:
                open_phrases[-1].parts.append(Constituent(self.tags[token], word=token))
                continue
            for piece in _split_cell(cell):
                if piece == "*":
                    word = Constituent(self.tags[token], word=token, leaf=leaf)
                    open_phrases[-1].parts.append(word)
                    continue
                leaf += 1
                if piece != ")":
                    phrase = Constituent(piece)
                    open_phrases[-1].parts.append(phrase)
                    open_phrases.append(phrase)
                elif len(open_phrases) > 1:
                    open_phrases.pop()
        return open_phrases

    def minimum(self, start: int, end: int) -> tuple[int, ...]:
        """Find the minimum span of a mention, given by its first and last word."""
        if self.starts is not None:
            start = bisect_right(self.starts, start) - 1
            end = bisect_right(self.starts, end) - 1
        root = self.build(start, min(end, len(self.words) - 1))[0]
        span = sorted(set(self._find_minimum(root)))
        return tuple(span) or tuple(range(start, end + 1))

    def _find_minimum(self, root: Constituent) -> list[int]:
        phrases, leaves = _list_phrases(root), {part.leaf for part in root.parts} - {-1}
        if len(phrases) + len(leaves) > 1:
            root.kind = "NP"
        elif phrases:
            root = phrases[0]
        if direct := self._list_leaves(root.parts):
            return direct
        kinds = _choose_kinds(root)
        phrases = [
            phrase
            for phrase in _list_phrases(root)
            if phrase.parts and phrase.kind[:2] in kinds
        ]
        if not phrases and (first := _find_first_phrase(root)):
            phrases, kinds = [first], _NOUN if first.kind[:2] in _NOUN else _VERB
        return [
            leaf for phrase in phrases for leaf in self._find_nearest(phrase, kinds)
        ]

    def _find_nearest(self, root: Constituent, kinds: tuple[str, ...]) -> list[int]:
        """Descend level by level to the first that contains leaves that count."""
        parts, leaves = root.parts, self._list_leaves(root.parts)
        while parts and not leaves:
            phrases = [
                part for part in parts if part.word < 0 and part.kind[:2] in kinds
            ]
            parts = [part for phrase in phrases for part in phrase.parts]
            leaves = self._list_leaves(parts)
        return leaves

    def _list_leaves(self, parts: Iterable[Constituent]) -> list[int]:
        """List the last words of the leaves that count."""
        words = (part for part in parts if part.leaf >= 0)
        leaves = [
            [word.word for word in leaf]
            for _, leaf in groupby(words, lambda word: word.leaf)
        ]
        return [leaf[-1] for leaf in leaves if any(map(self._has_content, leaf))]

    def _has_content(self, token: int) -> bool:
        word, tag = self.words[token], self.tags[token]
        return (
            any(letter.isalnum() or letter == "%" for letter in word)
            and word not in ("-LRB-", "-RRB-")
            and tag not in _NO_CONTENT
        )


_NOUN, _VERB = ("NP", "NM", "QP", "NX"), ("VP",)
_NO_CONTENT = ("CC", "DT", "IN")
_NO_PHRASE = "()"  # the kind of a root that is not a phrase of the tree
_NO_BRACKETS = ("-", "_")
_BRACKET = re.compile(r"\(([^()*\s]*)|(\*)|\)")
_CELL = re.compile(r"(?:\([^()*\s]*)*\*\)*|[-_]")
_BROKEN = -(1 << 62)  # lower than any depth


@lru_cache(1 << 14)
def _split_cell(cell: str) -> Sequence[str]:
    """Split a cell: kinds of phrases that begin, `*` for the word, `)` for ends."""
    return tuple(
        piece[0] if piece[1] is None else re.split("[-=]", piece[1])[0]
        for piece in _BRACKET.finditer(cell)
    )


def find_broken_cell(trees: Trees) -> int | None:
    """Return the first token at which the brackets of the trees are invalid, if any."""
    steps = {  # there are few different cells, so each is parsed once
        cell: cell.count("(") - cell.count(")")
        for cell in {*trees.brackets}
        if _CELL.fullmatch(cell)
    }
    depth = 0
    for token, cell in enumerate(trees.brackets):
        depth += steps.get(cell, _BROKEN)
        if depth < 0:
            return token
    return len(trees.brackets) - 1 if depth else None


def _list_phrases(root: Constituent) -> list[Constituent]:
    return [part for part in root.parts if part.word < 0]


def _choose_kinds(root: Constituent) -> tuple[str, ...]:
    kinds = {root.kind[:2]}
    if kinds.isdisjoint((*_NOUN[:2], *_VERB)):
        kinds = {phrase.kind[:2] for phrase in _list_phrases(root)}
    return _VERB if "VP" in kinds and kinds.isdisjoint(_NOUN[:2]) else _NOUN


def _find_first_phrase(root: Constituent) -> Constituent | None:
    """Find the first noun or verb phrase, level by level."""
    phrases = [root]
    for phrase in phrases:
        if phrase.kind[:2] in (*_NOUN[:2], *_VERB):
            return phrase
        phrases += _list_phrases(phrase)
    return None


def number_minimum_spans(
    trees: Mapping[int, Trees], key: Columns, response: Columns
) -> tuple[Ints, Ints]:
    """Number the minimum spans of both sides: equal spans have equal numbers.

    Mentions of documents without trees, and those of the key with a head or minimum in
    the file, get -1.
    """
    numbers: dict[tuple[int, ...], int] = {}
    sides = []
    for columns in (key, response):
        anchor = np.full(len(columns.entity), -1, np.int64)
        document = columns.document
        has_trees = np.isin(document, list(trees))
        if columns is key and key.details is not None:
            has_trees &= (key.details.head < 0) & (key.details.minimum_start < 0)
        mentions = np.flatnonzero(has_trees)
        for first, size in zip(*find_runs(document[mentions]), strict=True):
            rows = mentions[first : first + size]
            start, end = columns.start[rows], columns.end[rows]
            row = int(document[rows[0]])
            check_lengths(row, start, end)
            for mention, *bounds in np.stack((rows, start, end), axis=1).tolist():
                span = row, *trees[row].minimum(*bounds)
                anchor[mention] = numbers.setdefault(span, len(numbers))
        sides.append(anchor)
    return sides[0], sides[1]


# Heads: rules for the languages of two tag sets.

_NOUNS = ("NN", "NNP", "NNPS", "NNS", "NX", "JJR")
_NOUN_PHRASES = ("NP", "NX", "NML", "NM", "NAC", "WHNP")
# For each kind of phrase: whether to search from the left, and the kinds of its head.
_ENGLISH: Mapping[str, tuple[bool, str]] = {
    "ADJP": (True, "NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB"),
    "ADVP": (False, "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN"),
    "CONJP": (False, "CC RB IN"),
    "PP": (False, "IN TO VBG VBN RP FW"),
    "PRT": (False, "RP"),
    "QP": (True, "$ IN NNS NN JJ RB DT CD NCD QP JJR JJS"),
    "RRC": (False, "VP NP ADVP ADJP PP"),
    "S": (True, "TO IN VP S SBAR ADJP UCP NP"),
    "SBAR": (True, "WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG"),
    "SBARQ": (True, "SQ S SINV SBARQ FRAG"),
    "SINV": (True, "VBZ VBD VBP VB MD VP S SINV ADJP NP"),
    "SQ": (True, "VBZ VBD VBP VB MD VP SQ"),
    "VP": (True, "TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP"),
    "WHADVP": (False, "CC WRB"),
    "WHPP": (False, "IN TO FW"),
    **dict.fromkeys(("FRAG", "UCP"), (False, "")),
}
_PENN_TAGS = (
    "CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP "
    "SYM TO UH VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB"
)
_CHINESE_TAGS = "AD AS BA DEC DEG DEV DT LC M NN NR NT OD P PN VA VC VE VV"
_CHINESE_NOUNS = ("NP", "NN", "NT", "NR", "QP", "PN")


def make_head_finder(
    trees: Trees, *, phrases_only: bool = False
) -> Callable[[int, int], int] | None:
    """Return a function that finds the head of a span; None with unknown tags.

    The rules are chosen by the tag set. With `phrases_only`, the head of words that are
    not a phrase is the last one, as in the Berkeley Coreference Analyser (Kummerfeld
    and Klein 2013).
    """
    tags = {tag for tag in {*trees.tags} if tag[:1].isalpha()}
    penn, chinese = (
        len(tags.intersection(names.split())) for names in (_PENN_TAGS, _CHINESE_TAGS)
    )
    if max(penn, chinese) * 2 <= len(tags):
        return None
    choose_part = _choose_english if penn >= chinese else _choose_chinese

    def find_head(start: int, end: int) -> int:
        end = min(end, len(trees.brackets) - 1)
        open_phrases = trees.build(start, end)
        # Phrases that end after the mention are not phrases of the mention.
        for outer, phrase in reversed([*pairwise(open_phrases)]):
            outer.parts[-1:] = phrase.parts
        part = open_phrases[0]
        if len(part.parts) == 1:
            part = part.parts[0]
        elif phrases_only:
            return end
        else:
            part.kind = "NP"
        while part.word < 0:
            part = choose_part(part.kind, part.parts)
        return part.word

    return find_head


def _choose_english(kind: str, parts: Sequence[Constituent]) -> Constituent:
    if kind not in _ENGLISH:
        if kind in _NOUN_PHRASES:
            return _choose_english_noun(parts)
        return _choose_last(parts)
    from_left, kinds = _ENGLISH[kind]
    ordered = parts if from_left else parts[::-1]
    for head_kind in kinds.split():
        for part in ordered:
            if part.kind == head_kind:
                return part
    return parts[0] if from_left else _choose_last(parts)


def _choose_last(parts: Sequence[Constituent]) -> Constituent:
    """Choose the last part that is not punctuation, or else the last."""
    words = (part for part in reversed(parts) if part.kind[:1].isalpha())
    return next(words, parts[-1])


def _choose_english_noun(parts: Sequence[Constituent]) -> Constituent:
    if parts[-1].kind == "POS" and len(parts) > 1:
        parts = parts[:-1]
    from_right = parts[::-1]
    for ordered, kinds in (
        (from_right, _NOUNS),
        (parts, _NOUN_PHRASES),
        (from_right, ("$", "ADJP", "PRN")),
        (from_right, ("CD",)),
        (from_right, ("JJ", "JJS", "RB", "QP")),
    ):
        for part in ordered:
            if part.kind in kinds:
                return part
    return _choose_last(parts)


def _choose_chinese(kind: str, parts: Sequence[Constituent]) -> Constituent:
    kinds = _CHINESE_NOUNS if kind == "NP" else (kind,)
    nouns = (part for part in reversed(parts) if part.kind in kinds)
    return next(nouns, _choose_last(parts))


# Blocks: heads and trees for mentions whose file has no heads or minimum spans.


def fill_own_heads(block: Block) -> None:
    """Find missing heads in the trees of a side, if required."""
    settings = block.settings
    if not settings.by_key_head or (block.role == "response" and not settings.by_head):
        return

    def read_trees(row: int) -> Trees | None:
        return load_trees(block.source, block.numbers[row] or 0)

    # Response mentions may have heads in the trees of the key.
    _fill_block(block, read_trees, is_last=block.role == "key")


def fill_key_heads(response: Block, key: Block) -> Block:
    """Find heads in the trees of the key for mentions of a response without trees."""

    def read_trees(row: int) -> Trees | None:
        tokens = response.read.token_count[row]
        if tokens >= 0 and tokens != key.read.token_count[row]:
            return None
        return load_trees(key.source, key.numbers[row] or 0)

    block = replace(response)
    _fill_block(block, read_trees, is_last=True)
    return block


def _fill_block(
    block: Block, read_trees: Callable[[int], Trees | None], *, is_last: bool
) -> None:
    try:
        block.scored = fill_heads(block.scored, read_trees)
    except CrowdedDocument as error:
        raise error.locate(block) from error
    is_missing = mark_headless(block.scored)
    if is_last and is_missing.any():
        row = int(block.scored.document[is_missing][0])
        raise make_head_error(*_locate_headless(block, row), block.settings)


def collect_trees(block: Block) -> None:
    """Collect the trees of key documents whose mentions lack required minimum spans.

    The minimum span of a mention without one is the mention, as in MUC. Documents
    without trees are noted: a key in which no mention has a minimum span is rejected.
    """
    if not block.settings.by_minimum or block.role == "response":
        return
    columns = block.scored
    is_missing = mark_headless(columns)
    if columns.details is not None:
        is_missing &= columns.details.minimum_start < 0
    trees: dict[int, Trees] = {}
    for row in np.unique(columns.document[is_missing]).tolist():
        of_document = Trees.of(block.source.read_document(block.numbers[row] or 0))
        if of_document is not None:
            trees[row] = of_document
        else:
            place = _locate_headless(block, row)
            block.firsts.setdefault("lacks/key/minimum", place)
    block.trees = trees


def count_minima(columns: Columns) -> int:
    """Count the mentions that have a minimum span or a head."""
    if columns.details is None:
        return 0
    minimum = (columns.details.minimum_start >= 0) | (columns.details.head >= 0)
    return int(minimum.sum())


def mark_headless(columns: Columns) -> Flags:
    """Flag the mentions whose head is unknown; one token is its own head."""
    is_missing: Flags = columns.start != columns.end
    if columns.details is not None:
        is_missing &= columns.details.head < 0
    return is_missing


def fill_heads(columns: Columns, read_trees: Callable[[int], Trees | None]) -> Columns:
    """Find missing heads in the trees of documents; some remain unknown."""
    missing = np.flatnonzero(mark_headless(columns))
    if not len(missing):
        return columns
    details = columns.details or make_default_details(columns)
    head = details.head.copy()
    document = columns.document[missing]
    for first, size in zip(*find_runs(document), strict=True):
        trees = read_trees(int(document[first]))
        mentions = missing[first : first + size]
        start, end = columns.start[mentions], columns.end[mentions]
        if trees is None or end.max() >= len(trees.brackets):
            continue
        check_lengths(int(document[first]), start, end)
        if find_head := make_head_finder(trees):
            head[mentions] = list(map(find_head, start.tolist(), end.tolist()))
    return replace(columns, details=replace(details, head=head))


def load_trees(source: Source, number: int) -> Trees | None:
    """Read the trees of a document, None if it has none; reject invalid brackets."""
    trees = Trees.of(source.read_document(number))
    token = None if trees is None else find_broken_cell(trees)
    if trees is None or token is None:
        return trees
    word = source.find_word(number, token)
    message = (
        f"the brackets of the parse column of document {quoted(source.ids[number])} "
        f"break here, at {quoted(trees.brackets[token])}"
    )
    hint = "heads are found in its trees, as in '(NP*', '*', '*)'; or --match exact"
    place = word.place if word else source.format_place(number)
    raise FormatError(message, code="format/invalid-parse", place=place, hint=hint)


def _locate_headless(block: Block, row: int) -> tuple[str, str]:
    """Return the id of a document, and the place of its first mention without head."""
    number, columns = block.numbers[row] or 0, block.scored
    mentions = np.flatnonzero(mark_headless(columns) & (columns.document == row))
    place = locate_mention(block.source, number, columns, int(mentions[0]))
    return block.source.ids[number], place


def make_head_error(document: str, place: str, settings: Settings) -> FormatError:
    """Create the error for a mention without required head or minimum span."""
    required = "minimum span, head or tree" if settings.by_minimum else "head"
    message = (
        f"a mention of document {quoted(document)} has no {required}, which "
        f"--match {settings.match} requires"
    )
    hint = (
        "formats such as CoNLL-U have heads, and so has the parse column of "
        "CoNLL-2012; without, there is --match exact"
    )
    return FormatError(message, code="format/missing-head", place=place, hint=hint)
