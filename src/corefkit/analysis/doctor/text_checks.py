"""Checks of texts: document names, parts, spellings, other tokens, word pieces."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, pairwise
from pathlib import PurePath
from unicodedata import normalize

from corefkit.alignment.word_alignment import WordAlignment, align_words
from corefkit.analysis.doctor.case import (
    Case,
    DocumentPair,
    Suspicion,
    count_mentions,
    join_characters,
    move_mention,
    pair_items,
    replace_fields,
    replace_mentions,
)
from corefkit.analysis.doctor.examination import choose_verb
from corefkit.exceptions import quoted
from corefkit.model import Document, Entity, Mention
from corefkit.strings import format_count, split_id
from corefkit.tally import SIDES

# Marks of tokenizers of language models before word pieces, and between texts.
_PIECE_MARKS = ("##", "▁", "Ġ")
_MARK_PREFIX = "^(##)?▁?Ġ?"
_SPECIAL_TOKENS = frozenset(
    {"[CLS]", "[SEP]", "[PAD]", "<s>", "</s>", "<pad>", "<|endoftext|>"}
)
_MIN_PIECE_SHARE = 0.02  # of tokens
_MIN_SPELLING_SHARE = 0.5  # of words that are the same in texts of other spelling
_MIN_VERSION_SHARE = 0.6  # of words that two versions of a text have in common
# Differences in spelling that are hard to see in an example.
_SPELLINGS: Mapping[str, Callable[[str], str]] = {
    "the case of letters": str.casefold,
    "the form of Unicode (NFC or NFD)": partial(normalize, "NFC"),
}


def check_names(case: Case) -> Iterator[Suspicion]:
    """Find documents without a partner that have the same text or a similar name."""
    missing, extra = case.unpaired
    if not missing or not extra:
        return
    criteria: list[Callable[[Document], Hashable]] = [
        lambda document: join_characters(document).casefold() or None,
        lambda document: _parse_stem(document.id),
        lambda document: _parse_stem(document.id)[0] or None,
        lambda document: re.sub(r"[_.-]\d+$", "", _parse_stem(document.id)[0]) or None,
    ]
    partners = pair_items(missing, extra, criteria)
    if pairs := [(missing[i], extra[j]) for i, j in partners.items()]:
        key, response = pairs[0]
        yield _suspect_responses(
            case,
            [(pair[1], replace_fields(pair[1], id=pair[0].id)) for pair in pairs],
            f"{format_count(len(pairs), 'document')} of the response "
            f"{choose_verb(len(pairs), 'has', 'have')} another name than in the key, "
            f"such as {quoted(response.id)} for {quoted(key.id)}",
            "give documents of the response the names that they have in the key",
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


def _suspect_responses(
    case: Case, fixed: Sequence[tuple[Document, Document]], text: str, fix: str
) -> Suspicion:
    mentions = count_mentions(document for document, _ in fixed)
    return Suspicion(
        text, fix, mentions, case.replace_responses(fixed), is_certain=True
    )


def _parse_stem(document_id: str) -> tuple[str, int]:
    """Return the name of a document without folder, suffix and case; and its part."""
    name, part = split_id(document_id)
    stem = PurePath(name).name
    stem = re.sub(r"(?<=.)(?:\.[^\s.]*[a-z][^\s.]*)+$", "", stem, flags=re.IGNORECASE)
    return stem.casefold(), part or 0


_CUTS = {
    "response": (
        "is {} documents of the key in one",
        "split the response at the documents of the key, and restart counting tokens",
    ),
    "key": (
        "is {} documents in the response",
        "join them as in the key, and continue counting tokens; links between parts "
        "are lost, so that the score after is a lower bound",
    ),
}


def check_cuts(case: Case, *, role: str) -> Iterator[Suspicion]:
    """Find documents of a side that consist of several documents of the other."""
    replaced: list[Document] = []
    recut: list[Document] = []
    groups = _find_groups(case, role)
    for document, parts in groups:
        is_joined = role == "response"
        sources, targets = ([document], parts) if is_joined else (parts, [document])
        replaced += sources
        recut += _recut(sources, targets)
    if groups:
        (document, parts), (text, fix) = groups[0], _CUTS[role]
        remaining = case.remove_documents(replaced).response.documents
        yield Suspicion(
            f"document {quoted(document.id)} of the {role} {text.format(len(parts))}, "
            f"from {quoted(parts[0].id)} on",
            fix,
            count_mentions(replaced),
            case.replace_side("response", [*remaining, *recut]),
            is_certain=True,
        )


def _find_groups(case: Case, role: str) -> list[tuple[Document, Sequence[Document]]]:
    matching = {
        id(document)
        for pair in case.pairs
        for document in (pair.key, pair.response)
        if pair.has_same_words and not pair.beyond
    }
    side, opposite = case.sides if role == "key" else case.sides[::-1]
    documents = [
        document for document in side.documents if id(document) not in matching
    ]
    if not documents:
        return []
    texts = [
        () if document.empty else document.words for document in opposite.documents
    ]
    starts: dict[str, list[int]] = {}
    for index, words in enumerate(texts):
        starts.setdefault(words[0] if words else "", []).append(index)
    groups: list[tuple[Document, Sequence[Document]]] = []
    for document in documents:
        words = () if document.empty else document.words
        for first in starts.get(words[0], ()) if words else ():
            last = _find_end(texts, first, words)
            if last - first > 1:
                groups.append((document, opposite.documents[first:last]))
                break
    return groups


def _find_end(
    texts: Sequence[tuple[str, ...]], first: int, words: tuple[str, ...]
) -> int:
    """Return the index after the texts that contain these words; 0 if they differ."""
    length, last = 0, first
    while last < len(texts) and length < len(words):
        part = texts[last]
        if not part or part != words[length : length + len(part)]:
            return 0
        length += len(part)
        last += 1
    return last if length == len(words) else 0


def _recut(
    sources: Sequence[Document], targets: Sequence[Document]
) -> Iterator[Document]:
    """Distribute mentions to documents of the same text; drop those in two of them."""
    ends = [*accumulate(len(target.words) for target in targets)]
    groups: list[dict[str, list[Mention]]] = [{} for _ in targets]
    offset = 0
    for number, source in enumerate(sources):
        for entity in source.entities:
            for mention in entity.mentions:
                index = bisect_right(ends, mention.start + offset)
                if index < len(ends) and mention.end + offset < ends[index]:
                    step = offset - ends[index] + len(targets[index].words)
                    if moved := move_mention(mention, step, step):
                        name = f"{number}-{entity.id}"
                        groups[index].setdefault(name, []).append(moved)
        offset += len(source.words)
    for target, group in zip(targets, groups, strict=True):
        entities = tuple(Entity(name, tuple(row)) for name, row in group.items())
        yield Document(target.id, target.sentences, entities)


def _classify_texts(case: Case) -> Mapping[str, list[DocumentPair]]:
    """Group the documents whose words differ by the likely reason."""
    kinds: dict[str, list[DocumentPair]] = {}
    for pair in () if case.settings.aligns_words else case.pairs:
        if not pair.has_same_words:
            kinds.setdefault(_classify_pair(pair), []).append(pair)
    return kinds


def _classify_pair(pair: DocumentPair) -> str:
    words = pair.response.words
    pieces = sum(word.startswith(_PIECE_MARKS) and len(word) > 1 for word in words)
    if pieces > _MIN_PIECE_SHARE * len(words) and not pair.response.empty:
        return "pieces"
    if pair.has_same_characters:
        # Texts that are not tokenized are compared by characters anyway.
        is_running = "running" in (pair.key.origin, pair.response.origin)
        return "running" if is_running else "tokens"
    return "spelling" if _has_other_spelling(pair) else "text"


def check_pieces(case: Case) -> Iterator[Suspicion]:
    """Find tokens that are word pieces of a language model."""
    documents = [pair.response for pair in _classify_texts(case).get("pieces", ())]
    if documents:
        first = documents[0]
        example = next(word for word in first.words if word.startswith(_PIECE_MARKS))
        yield _suspect_responses(
            case,
            [(document, _remove_marks(document)) for document in documents],
            f"the tokens of {format_count(len(documents), 'document')} of the response "
            f"are word pieces of a language model, such as {quoted(example)} in "
            f"{quoted(first.id)}",
            "convert each offset to the number of its word, with `word_ids()` of a "
            "tokenizer or a `subtoken_map`; scores after are without the marks of "
            "pieces",
        )


def _remove_marks(document: Document) -> Document:
    numbers: dict[int, int] = {}
    sentences: list[tuple[str, ...]] = []
    token = 0
    for sentence in document.sentences:
        words: list[str] = []
        for word in sentence:
            plain = re.sub(_MARK_PREFIX, "", word)
            if plain and word not in _SPECIAL_TOKENS:
                numbers[token] = len(numbers)
                words.append(plain)
            token += 1
        if words:
            sentences.append(tuple(words))
    return _renumber_tokens(document, numbers, tuple(sentences))


def _renumber_tokens(
    document: Document,
    numbers: Mapping[int, int],
    sentences: tuple[tuple[str, ...], ...],
) -> Document:
    """Replace the words of a document; mentions without valid bounds are dropped."""

    def convert(mention: Mention) -> Mention | None:
        start, end = numbers.get(mention.start), numbers.get(mention.end)
        if start is None or end is None or end < start or mention.gaps:
            return None
        return replace(mention, start=start, end=end, head=None, minimum=None)

    return replace_mentions(document, convert, sentences=sentences)


def check_tokens(case: Case) -> Iterator[Suspicion]:
    """Find texts with the same characters, but other tokens."""
    pairs = _classify_texts(case).get("tokens", [])
    if pairs and not case.settings.by_characters:
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


def _find_difference(key: Sequence[str], response: Sequence[str]) -> int:
    last = min(len(key), len(response)) - 1
    return next((i for i in range(last) if key[i] != response[i]), last)


def check_spelling(case: Case) -> Iterator[Suspicion]:
    """Find texts with as many words, some of which are written differently."""
    pairs = _classify_texts(case).get("spelling", [])
    if not pairs:
        return
    fixed = []
    count = 0
    for pair in pairs:
        words = _spell_like_key(pair)
        count += sum(map(str.__ne__, words, pair.response.words))
        fixed.append((pair.response, replace_fields(pair.response, sentences=(words,))))
    response, words = pairs[0].response.words, fixed[0][1].words
    index = _find_difference(words, response)
    kinds = [
        f", only in {name}"
        for name, spell in _SPELLINGS.items()
        if all(
            spell("".join(pair.key.words)) == spell("".join(pair.response.words))
            for pair in pairs
        )
    ]
    yield _suspect_responses(
        case,
        fixed,
        f"{format_count(count, 'word')} of the response "
        f"{choose_verb(count, 'is', 'are')} written differently than in the key"
        f"{''.join(kinds[:1])}, such as {quoted(response[index])} for "
        f"{quoted(words[index])} in {quoted(pairs[0].key.id)}",
        "copy the words of the key into the response",
    )


def _has_other_spelling(pair: DocumentPair) -> bool:
    """Return whether two texts have as many words, most of which are the same."""
    if pair.response.empty or pair.key.empty:
        return False
    key, response = pair.key.words, pair.response.words
    if len(key) != len(response):
        return _differs_by_case(pair)
    equal = sum(map(str.__eq__, key, response))
    return equal >= _MIN_SPELLING_SHARE * len(key) or _differs_by_case(pair)


def _differs_by_case(pair: DocumentPair) -> bool:
    key, response = "".join(pair.key.words), "".join(pair.response.words)
    return len(key) == len(response) and key.casefold() == response.casefold()


def _spell_like_key(pair: DocumentPair) -> tuple[str, ...]:
    if not _differs_by_case(pair):
        return pair.key.words
    text = "".join(pair.key.words)
    ends = [0, *accumulate(map(len, pair.response.words))]
    return tuple(text[start:end] for start, end in pairwise(ends))


def check_text(case: Case) -> Iterator[Suspicion]:
    """Find texts that differ in more than tokens: another version, or another text."""
    versions: list[tuple[Document, Document]] = []
    unrelated: list[DocumentPair] = []
    missing = added = 0
    for pair in _classify_texts(case).get("text", ()):
        alignment = None
        if not pair.response.empty and not pair.key.empty:
            alignment = match_words(pair.key, pair.response)
        if alignment is None:
            unrelated.append(pair)
            continue
        missing += alignment.lost + alignment.changed
        added += alignment.added + alignment.changed
        bounds = enumerate(zip(alignment.first, alignment.last, strict=True))
        numbers = {word: first for word, (first, last) in bounds if first == last >= 0}
        fixed = _renumber_tokens(pair.response, numbers, (pair.key.words,))
        versions.append((pair.response, fixed))
    if versions:
        count = len(versions)
        yield _suspect_responses(
            case,
            versions,
            f"{format_count(count, 'document')} of the response, "
            f"{quoted(versions[0][0].id)} first, {choose_verb(count, 'lacks', 'lack')} "
            f"{format_count(missing, 'word')} of the key and "
            f"{choose_verb(count, 'adds', 'add')} {added:,}",
            "run the system on the text of the key, or score with `--tokens aligned`; "
            "check for lost sentences and lines",
        )
    if unrelated:
        remaining = case.remove_documents(
            getattr(pair, role) for pair in unrelated for role in SIDES
        )
        note = "; scores after are of the other documents" if remaining.pairs else ""
        yield Suspicion(
            f"{format_count(len(unrelated), 'document')} of the response, "
            f"{quoted(unrelated[0].response.id)} first, "
            f"{choose_verb(len(unrelated), 'has', 'have')} another text than in the "
            f"key{note}",
            "check that it is the response to this version of the corpus",
            count_mentions(pair.response for pair in unrelated),
            remaining if remaining.pairs else None,
            is_certain=True,
        )


def match_words(key: Document, response: Document) -> WordAlignment | None:
    """Align the words of two versions of a text; None if few are the same."""
    alignment = align_words(key.words, response.words)
    matches = len(key.words) - alignment.lost - alignment.changed
    total = len(key.words) + len(response.words)
    return alignment if matches >= _MIN_VERSION_SHARE * total / 2 else None
