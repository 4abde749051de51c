"""Cards of models that are trained here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cistell.card import Card
from cistell.needs import WORDNET

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cistell.features.base import Feature
    from cistell.profiles import Context
    from corefkit.model import Document

# Words that a folder may have, by a part of what a lexicon calls them.
_LISTS = {
    "gender-number": "lists of gender and number (--lexicon)",
    "demonyms": "list of demonyms (--lexicon)",
}


def card_of(
    title: str,
    documents: Sequence[Document],
    *,
    name: str,
    context: Context,
    features: Iterable[Feature],
    licences: Sequence[str] = (),
) -> Card:
    """Write the card of a model that was trained on documents of a corpus."""
    words = sum(len(document.words) for document in documents)
    corpus = f"{name}: {len(documents):,} documents, {words:,} words"
    needs = tuple(needed_words(context, features))
    return Card(title, (corpus,), tuple(licences), needs)


def needed_words(context: Context, features: Iterable[Feature]) -> list[str]:
    """Name what is known of words here that does not come with corefkit."""
    lexicon = context.lexicon
    needed = []
    asked = any(WORDNET in feature.needs for feature in features)
    if lexicon.wordnet is not None and asked:
        needed.append("WordNet 3.0")
    if context.language.code != "en":
        return needed
    missing = " ".join(lack.resource for lack in lexicon.missing)
    return needed + [title for part, title in _LISTS.items() if part not in missing]
