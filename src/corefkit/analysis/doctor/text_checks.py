"""Checks of texts: document names, parts, spellings, other tokens, word pieces."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import replace
from difflib import SequenceMatcher
from functools import partial
from itertools import accumulate, pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING
from unicodedata import normalize

from corefkit.analysis.doctor.case import (
    DocumentPair,
    Suspicion,
    count_mentions,
    list_bounds,
    move_mention,
    replace_fields,
    replace_mentions,
)
from corefkit.analysis.doctor.examination import choose_verb, format_count
from corefkit.exceptions import quoted
from corefkit.model import Entity, Mention
from corefkit.strings import split_id

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from corefkit.analysis.doctor.case import Case
    from corefkit.model import Document

_MIN_MATCHES = 5  # mentions that match in another document
_MIN_MATCH_SHARE = 0.6
_FIRST_WORDS = 8  # by which documents with the same start are found
# Marks of tokenizers of language models before word pieces, and between texts.
_PIECE_MARKS = ("##", "▁", "Ġ")
_SPECIAL_TOKENS = frozenset(
    {"[CLS]", "[SEP]", "[PAD]", "<s>", "</s>", "<pad>", "<|endoftext|>"}
)
_MIN_PIECE_SHARE = 0.02  # of tokens
_MIN_SPELLING_SHARE = 0.5  # of words that are the same in texts of other spelling
_MIN_VERSION_SHARE = 0.6  # of words that two versions of a text have in common
_MAX_WORDS = 20_000  # of a stretch without common sentences that is compared
_SIGNS = {
    "(": ("-LRB-", "-lrb-"),
    ")": ("-RRB-", "-rrb-"),
    "[": ("-LSB-", "-lsb-"),
    "]": ("-RSB-", "-rsb-"),
    "{": ("-LCB-", "-lcb-"),
    "}": ("-RCB-", "-rcb-"),
    "'": ("\N{RIGHT SINGLE QUOTATION MARK}", "\N{LEFT SINGLE QUOTATION MARK}", "`"),
    '"': ("''", "“", "”", "«", "»"),
}


def check_names(case: Case) -> Iterator[Suspicion]:
    """Find documents without a partner that have the same text or a similar name."""
    missing, extra = case.unpaired
    if not missing or not extra:
        return
    pairs = _pair_documents(missing, extra)
    if pairs:
        renamed = {
            case.find_index(response): replace_fields(response, id=key.id)
            for key, response in pairs
        }
        key, response = pairs[0]
        yield Suspicion(
            f"{format_count(len(pairs), 'document')} of the response "
            f"{choose_verb(len(pairs), 'has', 'have')} another name than in the key, "
            f"such as {quoted(response.id)} for {quoted(key.id)}",
            "give documents of the response the names that they have in the key",
            count_mentions(response for _, response in pairs),
            case.replace_response(renamed),
            is_certain=True,
        )
    elif not case.pairs:
        yield Suspicion(
            "the response has none of the key's "
            f"{format_count(len(missing), 'document')}: it has {quoted(extra[0].id)}, "
            f"and the key has {quoted(missing[0].id)}; the texts differ, too, if they "
            "are known",
            "check that it is the response to this part of the corpus; documents are "
            "paired by their names",
            count_mentions(missing),
            is_certain=True,
        )


def _pair_documents(
    missing: Sequence[Document], extra: Sequence[Document]
) -> list[tuple[Document, Document]]:
    """Pair documents by their words, then by the stems of names, then by mentions."""
    pairs: list[tuple[Document, Document]] = []
    criteria: tuple[Callable[[Document], Hashable], ...] = (
        lambda document: "".join("".join(document.words).split()).casefold(),
        lambda document: _parse_stem(document.id),
        lambda document: _parse_stem(document.id)[0],
        lambda document: re.sub(r"[_.-]\d+$", "", _parse_stem(document.id)[0]),
    )
    for criterion in criteria:
        paired = {id(document) for pair in pairs for document in pair}
        key, response = (
            _index_unique(criterion, [d for d in documents if id(d) not in paired])
            for documents in (missing, extra)
        )
        pairs += [
            (key[value], response[value])
            for value in key
            if value and value in response
        ]
    return pairs or _pair_by_mentions(missing, extra)


def _index_unique(
    criterion: Callable[[Document], Hashable], documents: Sequence[Document]
) -> Mapping[Hashable, Document]:
    """Map the values of a criterion to documents; values of several are dropped."""
    values = [criterion(document) for document in documents]
    counts = Counter(values)
    pairs = zip(values, documents, strict=True)
    return {value: document for value, document in pairs if counts[value] == 1}


def _parse_stem(document_id: str) -> tuple[str, int]:
    """Return the name of a document without folder, suffix and case; and its part.

    >>> _parse_stem("(bc/CCTV_0001.v4_gold_conll); part 002")
    ('cctv_0001', 2)
    """
    name, part = split_id(document_id)
    stem = PurePath(name).name
    stem = re.sub(r"(?<=.)(?:\.[^\s.]*[a-z][^\s.]*)+$", "", stem, flags=re.IGNORECASE)
    return stem.casefold(), part or 0


def _pair_by_mentions(
    missing: Sequence[Document], extra: Sequence[Document]
) -> list[tuple[Document, Document]]:
    """Pair documents in order, if most mentions match then.

    Documents with words on both sides have other words.
    """
    if any(document.words for document in missing):
        extra = [document for document in extra if not document.words]
    if len(missing) != len(extra):
        return []
    pairs = list(zip(missing, extra, strict=True))
    matches = sum(
        (Counter(list_bounds(key)) & Counter(list_bounds(response))).total()
        for key, response in pairs
    )
    fewest = min(count_mentions(missing), count_mentions(extra))
    return pairs if matches >= max(_MIN_MATCHES, _MIN_MATCH_SHARE * fewest) else []


class _AdjacentDocuments:
    """Finds adjacent documents by the words that they have together."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self._words = [
            () if document.empty else document.words for document in documents
        ]
        self._by_first_words: dict[tuple[str, ...], list[int]] = {}
        for index, words in enumerate(self._words):
            if words:
                self._by_first_words.setdefault(words[:_FIRST_WORDS], []).append(index)

    def find(self, words: tuple[str, ...]) -> Sequence[Document]:
        """Return the adjacent documents with these words, if any."""
        # Shorter documents are indexed by all their words.
        starts = [words[:length] for length in range(1, _FIRST_WORDS + 1)]
        candidates = [
            i for start in starts for i in self._by_first_words.get(start, [])
        ]
        for first in sorted(candidates):
            length, last = 0, first
            while last < len(self._words) and length < len(words):
                part = self._words[last]
                if not part or part != words[length : length + len(part)]:
                    break
                length += len(part)
                last += 1
            if length == len(words):
                return self._documents[first:last]
        return []


def check_joined(case: Case) -> Iterator[Suspicion]:
    """Find a response document that consists of several documents of the key."""
    adjacent = _AdjacentDocuments(case.key)
    joined = [
        (document, parts)
        for document in _iter_without_partner(case, 1)
        if len(parts := adjacent.find(document.words)) > 1
    ]
    if not joined:
        return
    first, parts = joined[0]
    replaced = {id(document) for document, _ in joined}
    documents = [document for document in case.response if id(document) not in replaced]
    for document, document_parts in joined:
        documents += _split_document(document, document_parts)
    yield Suspicion(
        f"document {quoted(first.id)} of the response is {len(parts)} documents of the "
        f"key in one, from {quoted(parts[0].id)} on",
        "split the response where the documents of the key start, and restart counting "
        "tokens",
        count_mentions(document for document, _ in joined),
        case.replace_side(1, documents),
        is_certain=True,
    )


def check_split(case: Case) -> Iterator[Suspicion]:
    """Find a document of the key that is several documents of the response."""
    adjacent = _AdjacentDocuments(case.response)
    split = [
        (document, parts)
        for document in _iter_without_partner(case, 0)
        if len(parts := adjacent.find(document.words)) > 1
    ]
    if not split:
        return
    first, parts = split[0]
    replaced = {id(part) for _, document_parts in split for part in document_parts}
    documents = [document for document in case.response if id(document) not in replaced]
    documents += [_join_documents(document, parts) for document, parts in split]
    yield Suspicion(
        f"document {quoted(first.id)} of the key is {len(parts)} documents in the "
        f"response, from {quoted(parts[0].id)} on",
        "join them as in the key, and continue counting tokens; links between parts "
        "are lost, so that the score after is a lower bound",
        count_mentions(part for _, document_parts in split for part in document_parts),
        case.replace_side(1, documents),
        is_certain=True,
    )


def _iter_without_partner(case: Case, side: int) -> Iterator[Document]:
    """Iterate over the documents of a side that have no partner with the same text."""
    paired = {
        id(document)
        for pair in case.pairs
        for document in (pair.key, pair.response)
        if pair.has_same_words and not pair.beyond
    }
    for document in case.get_side(side):
        if id(document) not in paired and document.words and not document.empty:
            yield document


def _split_document(
    document: Document, parts: Sequence[Document]
) -> Iterator[Document]:
    """Split a document where others end, without mentions in two of them."""
    ends = [*accumulate(len(part.words) for part in parts)]
    groups: list[dict[str, list[Mention]]] = [{} for _ in parts]
    for entity in document.entities:
        for mention in entity.mentions:
            index = bisect_right(ends, mention.start)
            if index < len(parts) and mention.end < ends[index]:
                offset = ends[index] - len(parts[index].words)
                moved = move_mention(mention, -offset, -offset)
                if moved is not None:
                    groups[index].setdefault(entity.id, []).append(moved)
    for part, group in zip(parts, groups, strict=True):
        yield replace(
            document,
            id=part.id,
            sentences=part.sentences,
            entities=tuple(Entity(name, tuple(row)) for name, row in group.items()),
            layers={},
            comments=(),
            bridges=(),
            origin="",
        )


def _join_documents(document: Document, parts: Sequence[Document]) -> Document:
    """Join documents; equal ids in two of them are different entities."""
    entities: list[Entity] = []
    offset = 0
    for number, part in enumerate(parts):
        moved = replace_mentions(part, partial(move_mention, start=offset, end=offset))
        entities += [replace(entity, id=f"{number}-{entity.id}") for entity in moved]
        offset += len(part.words)
    joined = replace_fields(parts[0], id=document.id, sentences=document.sentences)
    return replace(joined, entities=tuple(entities), layers={}, comments=())


def check_pieces(case: Case) -> Iterator[Suspicion]:
    """Find tokens that are word pieces of a language model."""
    documents = {
        case.find_index(pair.response): pair.response
        for pair in case.pairs
        if not pair.has_same_words and _has_pieces(pair.response)
    }
    if not documents:
        return
    first = next(iter(documents.values()))
    example = next(word for word in first.words if word.startswith(_PIECE_MARKS))
    fixed = {index: _remove_marks(document) for index, document in documents.items()}
    yield Suspicion(
        f"the tokens of {format_count(len(documents), 'document')} of the response are "
        f"word pieces of a language model, such as {quoted(example)} in "
        f"{quoted(first.id)}",
        "convert each offset to the number of its word, with `word_ids()` of a "
        "tokenizer or a `subtoken_map`; scores after are without the marks of pieces",
        count_mentions(documents.values()),
        case.replace_response(fixed),
        is_certain=True,
    )


def _has_pieces(document: Document) -> bool:
    words = document.words
    pieces = sum(word.startswith(_PIECE_MARKS) and len(word) > 1 for word in words)
    return pieces > _MIN_PIECE_SHARE * len(words) and not document.empty


def _remove_marks(document: Document) -> Document:
    """Remove the marks of pieces, and special tokens.

    >>> from corefkit.model import Document, Entity, Mention
    >>> pieces = (("[CLS]", "un", "##seen", "men", "[SEP]"),)
    >>> document = Document("d", pieces, (Entity("1", (Mention(1, 3),)),))
    >>> plain = _remove_marks(document)
    >>> plain.words, plain.entities[0].mentions
    (('un', 'seen', 'men'), (Mention(start=0, end=2),))
    """
    number: dict[int, int] = {}
    sentences: list[tuple[str, ...]] = []
    token = 0
    for sentence in document.sentences:
        words: list[str] = []
        for word in sentence:
            plain = word
            for mark in _PIECE_MARKS:
                plain = plain.removeprefix(mark)
            if plain and word not in _SPECIAL_TOKENS:
                number[token] = len(number)
                words.append(plain)
            token += 1
        if words:
            sentences.append(tuple(words))
    renumbered = replace_mentions(document, partial(_convert_mention, tokens=number))
    return replace_fields(
        renumbered, sentences=tuple(sentences), layers={}, comments=()
    )


def _convert_mention(mention: Mention, *, tokens: Mapping[int, int]) -> Mention | None:
    """Convert the bounds of a mention; None if one of them has no token."""
    start, end = tokens.get(mention.start), tokens.get(mention.end)
    if start is None or end is None or end < start or mention.gaps:
        return None
    return replace(mention, start=start, end=end, head=None, minimum=None)


def check_tokens(case: Case) -> Iterator[Suspicion]:
    """Find texts with the same characters, but other tokens."""
    if case.settings.by_characters:
        return
    pairs = [pair for pair in _list_differing(case) if pair.has_same_characters]
    if not pairs:
        return
    key, response = pairs[0].key.words, pairs[0].response.words
    index = _find_difference(key, response)
    yield Suspicion(
        f"{format_count(len(pairs), 'document')} of the response: the same text in "
        f"other tokens, such as {quoted(response[index])} instead of "
        f"{quoted(key[index])} in {quoted(pairs[0].key.id)}",
        "`--tokens characters` compares mentions by their characters",
        count_mentions(pair.response for pair in pairs),
        case.replace_settings(tokens="characters", reading="strict"),
        is_certain=True,
    )


def _list_differing(case: Case) -> list[DocumentPair]:
    return [
        pair
        for pair in case.pairs
        if not pair.has_same_words
        and not (pair.is_running and pair.has_same_characters)
    ]


def _find_difference(key: Sequence[str], response: Sequence[str]) -> int:
    """Return the first index of different tokens."""
    pairs = enumerate(zip(key, response, strict=False))
    last = min(len(key), len(response)) - 1
    return next(
        (
            index
            for index, (key_word, response_word) in pairs
            if key_word != response_word
        ),
        last,
    )


def check_spelling(case: Case) -> Iterator[Suspicion]:
    """Find texts with as many words, some of which are written differently."""
    fixed: dict[int, Document] = {}
    count, example = 0, ""
    pairs = [pair for pair in _list_differing(case) if _has_other_spelling(pair)]
    for pair in pairs:
        response, words = pair.response.words, _spell_like_key(pair)
        count += sum(
            word != response_word
            for word, response_word in zip(words, response, strict=True)
        )
        index = _find_difference(words, response)
        example = example or (
            f"{quoted(response[index])} for {quoted(words[index])} in "
            f"{quoted(pair.key.id)}"
        )
        document = replace_fields(
            pair.response, sentences=(words,), layers={}, comments=()
        )
        fixed[case.find_index(pair.response)] = document
    if fixed:
        yield Suspicion(
            f"{format_count(count, 'word')} of the response "
            f"{choose_verb(count, 'is', 'are')} written differently than in the key"
            f"{_describe_spelling(pairs)}, such as {example}",
            "copy the words of the key into the response",
            count_mentions(fixed.values()),
            case.replace_response(fixed),
            is_certain=True,
        )


def _describe_spelling(pairs: Sequence[DocumentPair]) -> str:
    """Describe how words differ, if it is the same in all texts."""
    spellings: Mapping[str, Callable[[str], str]] = {
        "the case of letters": str.casefold,
        "the form of Unicode (NFC or NFD)": partial(normalize, "NFC"),
        "brackets and quotes": _normalize_signs,
    }
    for name, spell in spellings.items():
        if all(
            spell("".join(pair.key.words)) == spell("".join(pair.response.words))
            for pair in pairs
        ):
            return f", only in {name}"
    return ""


def _normalize_signs(text: str) -> str:
    """Write brackets and quotes in one way.

    >>> _normalize_signs("-LRB-a''") == _normalize_signs("(a”")
    True
    """
    for sign, variants in _SIGNS.items():
        for variant in variants:
            text = text.replace(variant, sign)
    return text


def _has_other_spelling(pair: DocumentPair) -> bool:
    """Return whether two texts have as many words, most of which are the same."""
    if pair.has_same_characters or pair.response.empty or pair.key.empty:
        return False
    if _differs_by_case(pair):
        return True
    key, response = pair.key.words, pair.response.words
    if len(key) != len(response):
        return False
    differing = sum(
        key_word != response_word
        for key_word, response_word in zip(key, response, strict=True)
    )
    return differing <= (1 - _MIN_SPELLING_SHARE) * len(key)


def _differs_by_case(pair: DocumentPair) -> bool:
    key, response = "".join(pair.key.words), "".join(pair.response.words)
    return len(key) == len(response) and key.casefold() == response.casefold()


def _spell_like_key(pair: DocumentPair) -> tuple[str, ...]:
    """Return the words of the response in the spelling of the key."""
    if not _differs_by_case(pair):
        return pair.key.words
    text = "".join(pair.key.words)
    ends = [0, *accumulate(map(len, pair.response.words))]
    return tuple(text[start:end] for start, end in pairwise(ends))


def check_text(case: Case) -> Iterator[Suspicion]:
    """Find texts that differ in more than tokens: another version, or another text."""
    versions: dict[int, Document] = {}
    others: list[DocumentPair] = []
    missing = added = 0
    for pair in _list_differing(case):
        is_other_fault = pair.has_same_characters or _has_other_spelling(pair)
        if is_other_fault or _has_pieces(pair.response):
            continue
        tokens: Mapping[int, int] = {}
        if not pair.response.empty and not pair.key.empty:
            tokens = match_words(pair.key, pair.response)
        if not tokens:
            others.append(pair)
            continue
        missing += len(pair.key.words) - len(tokens)
        added += len(pair.response.words) - len(tokens)
        fixed = replace_mentions(
            pair.response, partial(_convert_mention, tokens=tokens)
        )
        versions[case.find_index(pair.response)] = replace_fields(
            fixed, sentences=(pair.key.words,), layers={}, comments=()
        )
    if versions:
        count, first = len(versions), case.response[min(versions)]
        yield Suspicion(
            f"{format_count(count, 'document')} of the response, {quoted(first.id)} "
            f"first, {choose_verb(count, 'lacks', 'lack')} "
            f"{format_count(missing, 'word')} of the key and "
            f"{choose_verb(count, 'adds', 'add')} {added:,}",
            "run the system on the text of the key; check for lost sentences and lines",
            count_mentions(case.response[index] for index in versions),
            case.replace_response(versions),
            is_certain=True,
        )
    if others:
        yield _suspect_other_text(case, others)


def match_words(key: Document, response: Document) -> dict[int, int]:
    """Match the words of a response with those of the key, by their indices.

    Sentences are compared first, and then the words of stretches without common
    sentences. The result is empty if the texts have too few words in common.

    >>> from corefkit.model import Document
    >>> key = Document("d", (tuple("he saw the man".split()),), ())
    >>> response = Document("d", (tuple("then he saw a man".split()),), ())
    >>> match_words(key, response)
    {1: 0, 2: 1, 4: 3}
    """
    words = key.words, response.words
    min_matches = _MIN_VERSION_SHARE * (len(words[0]) + len(words[1])) / 2
    if (Counter(words[0]) & Counter(words[1])).total() < min_matches:
        return {}
    starts = [
        [0, *accumulate(map(len, document.sentences))] for document in (key, response)
    ]
    matches: dict[int, int] = {}
    matcher = SequenceMatcher(None, key.sentences, response.sentences, autojunk=False)
    for tag, *bounds in matcher.get_opcodes():
        first, last = starts[0][bounds[0]], starts[0][bounds[1]]
        other_first, other_last = starts[1][bounds[2]], starts[1][bounds[3]]
        if tag == "equal":
            matches |= zip(
                range(other_first, other_last), range(first, last), strict=True
            )
        elif max(last - first, other_last - other_first) <= _MAX_WORDS:
            stretch = words[0][first:last], words[1][other_first:other_last]
            for block in SequenceMatcher(None, *stretch).get_matching_blocks():
                for step in range(block.size):
                    matches[other_first + block.b + step] = first + block.a + step
    return matches if len(matches) >= min_matches else {}


def _suspect_other_text(case: Case, pairs: Sequence[DocumentPair]) -> Suspicion:
    excluded = {
        id(document) for pair in pairs for document in (pair.key, pair.response)
    }
    remaining = replace(
        case,
        key=tuple(document for document in case.key if id(document) not in excluded),
        response=tuple(
            document for document in case.response if id(document) not in excluded
        ),
    )
    note = "; scores after are of the other documents" if remaining.pairs else ""
    return Suspicion(
        f"{format_count(len(pairs), 'document')} of the response, "
        f"{quoted(pairs[0].response.id)} first, "
        f"{choose_verb(len(pairs), 'has', 'have')} another text than in the key{note}",
        "check that it is the response to this version of the corpus",
        count_mentions(pair.response for pair in pairs),
        remaining if remaining.pairs else None,
        is_certain=True,
    )
