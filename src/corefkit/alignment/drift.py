"""Responses whose words drifted from the key: their mentions moved to the key's words.

Under `tokens:aligned`, an `AlignedSource` replaces the response. Its documents have the
words of the key. A mention begins with the first of its words that has a counterpart in
the key, and ends with the last one. A mention without any has no place: it is dropped,
or gets a token of its own after the text, which no key mention has. Empty nodes of the
response follow the counterpart of the word before them.

A document with the same words as the key remains as it is, but mentions without heads
get those in the dependency trees of the key if `match` requires them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from corefkit.alignment.word_alignment import align_words
from corefkit.arrays.building import build_columns
from corefkit.arrays.columns import join_columns
from corefkit.exceptions import PairingError, quoted
from corefkit.formats.source import Source, iter_document_words
from corefkit.model import REPAIRED, Document, Mention
from corefkit.syntax.dependencies import read_parents, replace_mentions
from corefkit.tally import DRIFT_COUNTS, WORD_COUNTS, compute_drift

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.alignment.pairing import Pair
    from corefkit.alignment.word_alignment import WordAlignment
    from corefkit.arrays.columns import Columns
    from corefkit.formats.source import Word
    from corefkit.settings import Settings
    from corefkit.tally import Tally

_CACHED_DOCUMENTS = 8
_MAX_LOST_DISTANCE = 8  # in tokens


class _AlignedDocument(NamedTuple):
    """A response document with the words of the key; None if it remains as it is."""

    document: Document | None = None
    unplaced: tuple[str, ...] = ()  # the texts of mentions after the end of the text


class AlignedSource(Source):
    """A response with the words of the key; it notes the drift of its documents."""

    def __init__(
        self,
        key: Source,
        response: Source,
        pairs: Sequence[Pair],
        tally: Tally,
        settings: Settings,
    ) -> None:
        self.name, self.ids, self.sizes = response.name, response.ids, response.sizes
        self.block_sizes = response.block_sizes
        self.verbatim, self.file = response.verbatim, response.file
        self.is_cut_off = response.is_cut_off
        self._key, self._response = key, response
        self._partners = {pair.response: pair.key for pair in pairs}
        self._tally, self._settings = tally, settings
        self._drops_unplaced = settings.drops_unplaced
        self._cache: dict[int, _AlignedDocument] = {}

    def read_columns(
        self, numbers: Sequence[int], ids: dict[bytes, int] | None = None
    ) -> Columns:
        parts = []
        for number in numbers:
            document, _ = self._read(number)
            if document is None:
                parts.append(self._response.read_columns([number], ids))
            else:
                parts.append(build_columns([document], ids))
        return join_columns(parts)

    def read_document(self, number: int) -> Document:
        document, unplaced = self._read(number)
        if document is None:
            return self._response.read_document(number)
        sentences = (*document.sentences, unplaced) if unplaced else document.sentences
        return replace(document, sentences=sentences)

    def iter_words(self, number: int) -> Iterator[Word]:
        place = self.format_place(number)
        return iter_document_words(self.read_document(number), lambda _: place)

    def format_place(self, number: int) -> str:
        return self._response.format_place(number)

    def iter_comments(self) -> Iterator[str]:
        return self._response.iter_comments()

    def may_have_mention_types(self, number: int) -> bool:
        return self._response.may_have_mention_types(number)

    def _read(self, number: int) -> _AlignedDocument:
        aligned = self._cache.get(number)
        if aligned is None:
            aligned = self._align(number)
            while len(self._cache) >= _CACHED_DOCUMENTS:
                self._cache.pop(next(iter(self._cache)), None)
            self._cache[number] = aligned
        return aligned

    def _align(self, number: int) -> _AlignedDocument:
        response = self._response.read_repaired(number)
        partner = self._partners.get(number)
        key = response if partner is None else self._key.read_text(partner)
        unchanged = _AlignedDocument(response if response.repairs else None)
        if partner is None or not (key.words and response.sentences):
            return unchanged
        document_id = self._key.ids[partner]
        alignment = align_words(key.words, response.words)
        counts = dict.fromkeys(DRIFT_COUNTS, 0) | {
            "words": len(key.words),
            **{name: getattr(alignment, name) for name in WORD_COUNTS},
            **Counter(response.repairs),
        }
        self._check_drift(counts, document_id, number)
        self._tally.drift[document_id] = counts
        is_same = key.words == response.words and (
            not response.empty
            or _describe_sentences(key)[0] == _describe_sentences(response)[0]
        )
        lacks_heads = self._settings.by_head and any(
            mention.head is None for mention in chain.from_iterable(response)
        )
        if is_same and not response.repairs and not lacks_heads:
            return unchanged
        mover = _MentionMover(key, response, alignment, finds_heads=lacks_heads)
        document = mover.move_document(drops_unplaced=self._drops_unplaced)
        counts["unplaced"] = len(mover.unplaced)
        if not mover.unplaced or self._drops_unplaced:
            return _AlignedDocument(document)
        if self._settings.joins_documents:
            text = quoted(response.text(next(iter(mover.unplaced))))
            message = f"mention {text} of document {quoted(document_id)} has no place"
            hint = "--unplaced drop, or --scope document, scores the others"
            place, code = self.format_place(number), "pairing/unplaced-mention"
            raise PairingError(message, code=code, place=place, hint=hint)
        return _AlignedDocument(document, tuple(map(response.text, mover.unplaced)))

    def _check_drift(self, counts: dict[str, int], document: str, number: int) -> None:
        drift, limit = compute_drift(counts), float(self._settings.max_drift)
        if drift <= limit:
            return
        message = (
            f"document {quoted(document)} lacks {counts['lost']:,} and changes "
            f"{counts['changed']:,} of the {counts['words']:,} words of the key "
            f"({100 * drift:.1f} %), expected at most {100 * limit:g} %"
        )
        hint = "check that it is the response to this document, or raise --max-drift"
        place, code = self.format_place(number), "pairing/too-much-drift"
        raise PairingError(message, code=code, place=place, hint=hint)


class _MentionMover:
    """Moves the mentions of a response document to the tokens of the key."""

    def __init__(
        self,
        key: Document,
        response: Document,
        alignment: WordAlignment,
        *,
        finds_heads: bool,
    ) -> None:
        self._response = response
        self._sentences, self._empty, self._bounds, words = _place_tokens(
            key, response, alignment
        )
        # By the new token of each word, that of its parent in the tree of the key.
        self._parents: dict[int, int] = {}
        if finds_heads and "head" in key.layers:
            self._parents = _find_parents(key, words)
        self._length = sum(map(len, self._sentences))
        # The tokens of the response that have a place.
        self._placed = [
            token for token, (first, _) in enumerate(self._bounds) if first >= 0
        ]
        self.unplaced: dict[Mention, int] = {}  # numbers of mentions without a place
        counterparts = {token for bounds in self._bounds for token in bounds}
        empty = {*self._empty}
        self._lost = [
            token
            for token in range(self._length)
            if token not in counterparts and token not in empty
        ]

    def move_document(self, *, drops_unplaced: bool) -> Document:
        def move(mention: Mention) -> Mention | None:
            moved = self._move_mention(mention)
            if moved is not None:
                return moved
            number = self.unplaced.setdefault(mention, len(self.unplaced))
            token = self._length + number
            if drops_unplaced:
                return None
            return Mention(token, token, attributes=mention.attributes)

        return replace(
            replace_mentions(self._response, move),
            sentences=self._sentences,
            empty=self._empty,
            layers={},
            comments=(),
        )

    def _move_mention(self, mention: Mention) -> Mention | None:
        spans = list(filter(None, [self._move_span(*part) for part in mention.parts]))
        if not spans:
            return None
        minimum = self._move_span(*mention.minimum) if mention.minimum else None
        head = None if mention.head is None else self._move_span(*[mention.head] * 2)
        (start, _), (_, end) = spans[0], spans[-1]
        attributes = dict(mention.attributes)
        rule = attributes.pop(REPAIRED, "")
        if rule == "unclosed":
            end = self._find_lost(end, 1)
        elif rule == "unopened":
            start = self._find_lost(start, -1)
        new = Mention(start, end)
        if len(spans) > 1:
            tokens = (range(first, last + 1) for first, last in spans)
            new = Mention.of(chain.from_iterable(tokens))
        position = self._find_head(new) if head is None else head[0]
        return replace(new, head=position, minimum=minimum, attributes=attributes)

    def _find_head(self, mention: Mention) -> int | None:
        """Find the first word with its parent outside, or the first one, if known."""
        tokens = frozenset(mention.tokens) if self._parents else frozenset()
        words = [token for token in sorted(tokens) if token in self._parents]
        heads = (word for word in words if self._parents[word] not in tokens)
        return next(heads, min(words or tokens, default=None))

    def _find_lost(self, token: int, step: int) -> int:
        """Find the lost word next to a repaired bracket, which may have had the other.

        Returns the token of the bracket if there is none within a few words.
        """
        row = bisect_right(self._lost, token)
        row -= step < 0
        lost = self._lost[row] if 0 <= row < len(self._lost) else token
        return lost if abs(lost - token) <= _MAX_LOST_DISTANCE else token

    def _move_span(self, start: int, end: int) -> tuple[int, int] | None:
        first = bisect_left(self._placed, start)
        last = bisect_right(self._placed, end) - 1
        if first > last:
            return None
        bounds = [self._bounds[self._placed[row]] for row in (first, last)]
        return bounds[0][0], bounds[1][1]


def _place_tokens(
    key: Document, response: Document, alignment: WordAlignment
) -> tuple[
    tuple[tuple[str, ...], ...], tuple[int, ...], list[tuple[int, int]], list[int]
]:
    """Insert the empty nodes of the response into the words of the key.

    Returns the sentences, the empty nodes, the first and last new token of each token
    of the response, and the new token of each word of the key. Between two sentences,
    the response may not show the end of one and the start of the next: there its empty
    nodes follow those of the key.
    """
    sentence_of, trailing, initial = _describe_sentences(key)
    # The word of each new token; 0 before it, 1 the word itself, 2 after it; and the
    # token of the response if it is an empty node.
    rows = [(word, 1, -1) for word in range(len(sentence_of))]
    empty = set(response.empty)
    reached, rank, word = -1, 0, 0
    for token in range(len(response.tokens)):
        if token in empty:
            is_last = reached + 1 == len(sentence_of)
            is_initial = initial[reached + 1] and rank >= trailing[reached]
            is_start = reached < 0 or bool(is_initial and not is_last)
            rows.append((reached + is_start, 0 if is_start else 2, token))
            rank += 1
            continue
        if alignment.last[word] > reached:
            reached, rank = alignment.last[word], 0
        word += 1
    rows.sort()
    new_tokens = [new for new, (_, kind, _) in enumerate(rows) if kind == 1]
    new_empty = {token: new for new, (_, _, token) in enumerate(rows) if token >= 0}
    texts, tokens = key.words, response.tokens
    sentences: list[list[str]] = [[] for _ in range(sentence_of[-1] + 1)]
    for word, _, token in rows:
        sentences[sentence_of[word]].append(texts[word] if token < 0 else tokens[token])
    pairs = iter(zip(alignment.first, alignment.last, strict=True))
    bounds = []
    for token in range(len(tokens)):
        if token in empty:
            bounds.append((new_empty[token], new_empty[token]))
            continue
        first, last = next(pairs)
        bounds.append((-1, -1) if first < 0 else (new_tokens[first], new_tokens[last]))
    new_sentences = tuple(map(tuple, sentences))
    return new_sentences, tuple(sorted(new_empty.values())), bounds, new_tokens


def _find_parents(key: Document, words: list[int]) -> dict[int, int]:
    """Return the parents of words, -1 for roots, as new tokens; none without trees."""
    empty = set(key.empty)
    parents = read_parents(key, empty)
    tokens = [token for token in range(len(parents)) if token not in empty]
    new_tokens = dict(zip(tokens, words, strict=True))
    new_parents = {
        new_tokens[token]: new_tokens.get(parents[token], -1) for token in tokens
    }
    return new_parents if max(new_parents.values(), default=-1) >= 0 else {}


def _describe_sentences(
    document: Document,
) -> tuple[list[int], Counter[int], Counter[int]]:
    """Return the sentence of each word, and the numbers of empty nodes around words.

    They are counted after a word in its sentence, and before the first word of one.
    """
    sentence_of: list[int] = []
    trailing, initial = Counter[int](), Counter[int]()
    empty, token = set(document.empty), 0
    for number, words in enumerate(document.sentences):
        first = len(sentence_of)
        for _ in words:
            if token not in empty:
                sentence_of.append(number)
            elif len(sentence_of) > first:
                trailing[len(sentence_of) - 1] += 1
            else:
                initial[first] += 1
            token += 1
    return sentence_of, trailing, initial
