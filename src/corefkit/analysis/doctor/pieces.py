"""A check of word pieces: tokens of a language model in place of words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.analysis.doctor.case import Suspicion
from corefkit.analysis.doctor.spans import (
    changed_document,
    mention_count,
    with_mentions,
)
from corefkit.analysis.doctor.wording import counted
from corefkit.exceptions import quoted
from corefkit.model import Mention

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.analysis.doctor.case import Case
    from corefkit.model import Document

# What the tokenizers of language models put before pieces, and between texts.
_MARKS = ("##", "▁", "Ġ")
_SPECIAL = frozenset(
    {"[CLS]", "[SEP]", "[PAD]", "<s>", "</s>", "<pad>", "<|endoftext|>"}
)
_SHARE = 0.02  # of tokens, that are pieces beyond doubt


def word_pieces(case: Case) -> Iterator[Suspicion]:
    """Tokens that are pieces of words, as language models have them."""
    found = {
        case.number_of(pair.response): pair.response
        for pair in case.pairs
        if not pair.same_words and has_pieces(pair.response)
    }
    if not found:
        return
    first = next(iter(found.values()))
    shown = next(word for word in first.words if word.startswith(_MARKS))
    yield Suspicion(
        f"{counted(len(found), 'document')} of the response: the tokens are word pieces"
        f" of a language model, such as {quoted(shown)} in {quoted(first.id)}",
        "turn each offset into the number of its word, as `word_ids()` of a tokenizer "
        "or a `subtoken_map` has it; scores after are without the signs of pieces",
        sum(map(mention_count, found.values())),
        case.with_response({number: _unmarked(one) for number, one in found.items()}),
        is_certain=True,
    )


def has_pieces(document: Document) -> bool:
    """Say whether tokens have the signs of pieces."""
    words = document.words
    marked = sum(word.startswith(_MARKS) and len(word) > 1 for word in words)
    return marked > _SHARE * len(words) and not document.empty


def _unmarked(document: Document) -> Document:
    """Take the signs of pieces away, and the tokens that are no text.

    >>> from corefkit.model import Document, Entity, Mention
    >>> pieces = (("[CLS]", "un", "##seen", "men", "[SEP]"),)
    >>> document = Document("d", pieces, (Entity("1", (Mention(1, 3),)),))
    >>> found = _unmarked(document)
    >>> found.words, found.entities[0].mentions
    (('un', 'seen', 'men'), (Mention(start=0, end=2),))
    """
    number: dict[int, int] = {}
    sentences: list[tuple[str, ...]] = []
    at = 0
    for sentence in document.sentences:
        row: list[str] = []
        for word in sentence:
            plain = word
            for mark in _MARKS:
                plain = plain.removeprefix(mark)
            if plain and word not in _SPECIAL:
                number[at] = len(number)
                row.append(plain)
            at += 1
        if row:
            sentences.append(tuple(row))

    def kept(mention: Mention) -> Mention | None:
        start, end = number.get(mention.start), number.get(mention.end)
        return None if start is None or end is None else Mention(start, end)

    inside = with_mentions(document, kept)
    return changed_document(inside, sentences=tuple(sentences), layers={}, comments=())
