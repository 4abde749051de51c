"""A check of mentions behind the text: something else than tokens is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.analysis.doctor.case import Suspicion
from corefkit.analysis.doctor.spans import mentions_of
from corefkit.analysis.doctor.wording import counted, verb

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.analysis.doctor.case import Case
    from corefkit.model import Document

# How many times as long as in tokens a text seems to be, if something else is counted.
_PIECES = (1.02, 2.5)
_CHARACTERS = (3.0, 8.0)


def beyond_the_text(case: Case) -> Iterator[Suspicion]:
    """Mentions behind the last token of the key, in a response without words."""
    outside = sum(pair.beyond for pair in case.pairs)
    if not outside:
        return
    pairs = [pair for pair in case.pairs if pair.key.words and not pair.response.words]
    keys, responses = [pair.key for pair in pairs], [pair.response for pair in pairs]
    yield Suspicion(
        f"{counted(outside, 'mention')} of the response {verb(outside, 'ends', 'end')} "
        "behind the last token of the key's text",
        likely_units(keys, responses) or "count the tokens of the key, from 0",
        outside,
        is_certain=True,
    )


def likely_units(texts: Sequence[Document], documents: Sequence[Document]) -> str:
    """Guess by how far mentions reach what is counted in place of tokens."""
    rows = [
        (len(text.words), 1 + max(mention.end for mention in mentions_of(document)))
        for text, document in zip(texts, documents, strict=True)
        if document.entities and text.words
    ]
    tokens, reached = (sum(column) for column in zip(*rows, strict=True))
    times = reached / tokens
    if _PIECES[0] <= times <= _PIECES[1]:
        return (
            f"the text seems {times:.2f} times as long as in tokens: are its offsets "
            "those of word pieces? then turn each into the number of its word, as "
            "`word_ids()` of a tokenizer or a `subtoken_map` has it"
        )
    if _CHARACTERS[0] <= times <= _CHARACTERS[1]:
        return (
            f"the text seems {times:.2f} times as long as in tokens: are its offsets "
            "those of characters? then turn each into the number of its token"
        )
    return ""
