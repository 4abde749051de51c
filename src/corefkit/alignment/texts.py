"""Comparison of the texts of paired documents.

Texts are compared by their hashes first; words are read only if these differ, for the
error message. Running text (SGML, brat, APF) has no tokens: if the other side has
another tokenization of the same characters, mentions are compared by characters. The
setting `tokens` allows the same for any two tokenizations.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate
from operator import eq
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefkit.exceptions import PairingError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from corefkit.alignment.scored_mentions import Block
    from corefkit.arrays.columns import Columns, Flags, Ints
    from corefkit.formats.source import Word

_CONTEXT = 4  # words that must be equal after a difference
_MAX_LOOKAHEAD = 400  # words in which they are searched
_MAX_QUOTED = 8  # words in a message

_HINT = (
    "key and response must contain the same tokens; if only the tokenization differs, "
    "`--tokens characters` compares mentions by characters; `--tokens aligned` aligns "
    "words that differ; `corefkit doctor` scores possible fixes"
)


@dataclass(frozen=True, slots=True)
class Characters:
    """The characters of the tokens of one document, without whitespace."""

    document: int
    start: Ints
    end: Ints  # the last character

    def replace_tokens(self, columns: Columns) -> Columns:
        rows = columns.document == self.document
        details = columns.details
        if details is not None:
            gaps, minima = rows[details.gap], rows & (details.minimum_start >= 0)
            details = replace(
                details,
                head=_convert(details.head, rows & (details.head >= 0), self.start),
                minimum_start=_convert(details.minimum_start, minima, self.start),
                minimum_end=_convert(details.minimum_end, minima, self.end),
                gap_start=_convert(details.gap_start, gaps, self.start),
                gap_end=_convert(details.gap_end, gaps, self.end),
            )
        return replace(
            columns,
            start=_convert(columns.start, rows, self.start),
            end=_convert(columns.end, rows, self.end),
            details=details,
        )


def _convert(tokens: Ints, rows: Flags, characters: Ints) -> Ints:
    converted = tokens.copy()
    converted[rows] = characters[tokens[rows]]
    return converted


class TextDifference(NamedTuple):
    """How a document is scored although the tokens of the two sides differ."""

    kind: str  # `characters`: mentions are compared by them; `tokens`: ignored
    note: str
    characters: tuple[Characters, Characters] | None = None  # of key and response

    def convert(self, key: Block, response: Block) -> tuple[Block, Block]:
        if self.characters is None:
            return key, response
        return (
            key.by_characters(self.characters[0]),
            response.by_characters(self.characters[1]),
        )


def compare_texts(
    key: Block, response: Block, *, rows: Iterable[int]
) -> dict[int, TextDifference]:
    """Compare the words of documents whose hashes differ, each document by itself.

    Returns the differences that can be scored, by row; others raise PairingError. The
    reference scorer compares no words, so its presets only note a difference.
    """
    differences: dict[int, TextDifference] = {}
    settings = key.settings
    for row in rows:
        sides = [(side.source, side.numbers[row] or 0) for side in (key, response)]
        words = [list(source.iter_words(number)) for source, number in sides]
        places = [source.format_place(number) for source, number in sides]
        document = quoted(key.source.ids[sides[0][1]])
        by_characters = settings.by_characters or any(
            source.is_running_text(number) for source, number in sides
        )
        empty = any(side.read.empty_counts[row] for side in (key, response))
        if by_characters and all(map(_has_words, words)) and not empty:
            _check_characters(document, *words)
            note = "its text has other tokens than the key: mentions are compared by"
            differences[row] = TextDifference(
                "characters",
                f"{places[1]}: {note} characters",
                (_find_characters(row, words[0]), _find_characters(row, words[1])),
            )
        elif settings.reads_as_reference:
            note = f"not the tokens of {places[0]}, which this preset allows"
            differences[row] = TextDifference("tokens", f"{places[1]}: {note}")
        else:
            _check_words(document, *words, places=places)
    return differences


def _has_words(words: Sequence[Word]) -> bool:
    """Return whether the words are known, and not only their number."""
    return any(word.text for word in words)


def _find_characters(document: int, words: Sequence[Word]) -> Characters:
    lengths = [len(_strip_whitespace(word)) for word in words]
    ends = np.array(list(accumulate(lengths)), np.int64)
    return Characters(document, ends - np.array(lengths, np.int64), ends - 1)


def _strip_whitespace(word: Word) -> str:
    return "".join(word.text.split())


def _check_characters(
    document: str, key: Sequence[Word], response: Sequence[Word]
) -> None:
    """Raise PairingError at the first word with other characters."""
    key_text, response_text = (
        "".join(map(_strip_whitespace, words)) for words in (key, response)
    )
    if key_text == response_text:
        return
    position = _find_difference(key_text, response_text, eq)
    key_word = _find_word_at(key, position)
    response_word = _find_word_at(response, position)
    nearest = response_word or (response[-1] if response else key_word)
    place = nearest.place if nearest else ""
    actual, expected = (
        "nothing more" if word is None else repr(word.text)
        for word in (response_word, key_word)
    )
    reference = "" if key_word is None else f" as in {key_word.place}"
    message = (
        f"the text of document {document} has {actual}, expected {expected}{reference}"
    )
    raise PairingError(message, code="pairing/different-text", place=place, hint=_HINT)


def _find_difference(
    key: Sequence[Any], response: Sequence[Any], is_equal: Callable[[Any, Any], bool]
) -> int:
    flags = map(is_equal, key, response)
    differing = (position for position, flag in enumerate(flags) if not flag)
    return next(differing, min(len(key), len(response)))


def _find_word_at(words: Sequence[Word], position: int) -> Word | None:
    """Return the word with a character, by its position without whitespace."""
    for word in words:
        position -= len(_strip_whitespace(word))
        if position < 0:
            return word
    return None


def _check_words(
    document: str,
    key: Sequence[Word],
    response: Sequence[Word],
    *,
    places: Sequence[str],
) -> None:
    """Raise PairingError at the first word that differs, if any does."""
    position = _find_difference(key, response, _is_same_word)
    if position == len(key) == len(response):
        return
    key_place, place = places
    if response:
        place = response[min(position, len(response) - 1)].place
    if _has_words(key) and _has_words(response):
        message = _describe_difference(document, key, response, position)
    else:
        counts = f"{len(response)} tokens, expected {len(key)} as in {key_place}"
        message = f"document {document} has {counts}"
    raise PairingError(message, code="pairing/different-text", place=place, hint=_HINT)


def _describe_difference(
    document: str, key: Sequence[Word], response: Sequence[Word], position: int
) -> str:
    missing = _count_additional(response, key, position)
    added = _count_additional(key, response, position)
    if position < min(len(key), len(response)) and (
        not (missing or added)
        or _continue_equally(key, response, position + 1, position + 1)
    ):
        return (
            f"token {position} of document {document} is {response[position].text!r}, "
            f"expected {key[position].text!r} as in {key[position].place}"
        )
    if missing and (not added or missing <= added):
        words = _describe_words(key, position, missing)
        difference = f"missing here: see {key[position].place}"
    else:
        words = _describe_words(response, position, added)
        is_last = position == len(key)
        where = f"after {key[-1].place}" if is_last else f"before {key[position].place}"
        difference = f"too many: the key has none {where}"
    verb = "are" if words[0].isdigit() else "is"
    return f"{words} of document {document} {verb} {difference}"


def _count_additional(
    shorter: Sequence[Word], longer: Sequence[Word], position: int
) -> int:
    """Count the words that only the longer side has at a position; 0 if none."""
    for step in range(1, min(_MAX_LOOKAHEAD, len(longer) - position) + 1):
        if _continue_equally(shorter, longer, position, position + step):
            return step
    return len(longer) - position if position == len(shorter) else 0


def _continue_equally(
    first: Sequence[Word], second: Sequence[Word], start: int, second_start: int
) -> bool:
    """Return whether the next words are equal, up to the end if it is close."""
    words = first[start : start + _CONTEXT]
    other_words = second[second_start : second_start + _CONTEXT]
    same_length = len(words) == len(other_words)
    return same_length and all(map(_is_same_word, words, other_words))


def _describe_words(words: Sequence[Word], position: int, size: int) -> str:
    """Describe some words as sentences, if they are complete, or as tokens."""
    numbers = [word.sentence for word in words]
    end = position + size
    first, last = numbers[position], numbers[end - 1]
    is_complete = first not in numbers[:position] and last not in numbers[end:]
    quotation = words[position : min(end, position + _MAX_QUOTED)]
    text = quoted(" ".join(word.text for word in quotation))
    tokens = f"{size} token{'s' if size > 1 else ''}"
    if is_complete and len(set(numbers)) > 1:
        if first == last:
            return f"sentence {first + 1} ({text}, {tokens})"
        return f"{last - first + 1} sentences ({text} and more, {tokens})"
    return f"token {position} ({text})" if size == 1 else f"{tokens} ({text})"


def _is_same_word(word: Word, other: Word) -> bool:
    if not word.text or not other.text or word.text == other.text:
        return True
    # Columns of text split words with whitespace inside, which JSON may contain, or
    # replace it by underscores.
    parts, other_parts = word.text.split(), other.text.split()
    return (
        other.text in parts[:1]
        or word.text in other_parts[:1]
        or "_".join(parts) == "_".join(other_parts)
    )
