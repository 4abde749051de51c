"""Words that have codes of their own, because the training documents have them often.

These are words of closed classes: forms of pronouns, determiners, marks of case, and
the relations of heads. All others have the code 0.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cistell.linking.traits import Traits
    from corefkit.arrays.columns import Ints

# For each of `CLASSES`, its words in the order of their codes, which start at 1.
Vocabulary: TypeAlias = "Mapping[str, tuple[str, ...]]"

CLASSES = ("form", "determiner", "relation", "marker")
_MOST = 60
_RAREST = 20


def vocabulary_of(documents: Iterable[Traits]) -> Vocabulary:
    """Collect the frequent words of documents, the most frequent first."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in CLASSES}
    for traits in documents:
        for name in CLASSES:
            counts[name].update(getattr(row, name) for row in traits.rows)
    return {name: _frequent(counts[name]) for name in CLASSES}


def _frequent(counts: Counter[str]) -> tuple[str, ...]:
    often = [word for word in counts if word and counts[word] >= _RAREST]
    return tuple(sorted(often, key=lambda word: (-counts[word], word))[:_MOST])


def word_codes(traits: Traits, vocabulary: Vocabulary) -> dict[str, Ints]:
    """Return for each class the code of each mention's word."""
    found = {}
    for name in CLASSES:
        codes = {word: code for code, word in enumerate(vocabulary[name], 1)}
        words = (getattr(row, name) for row in traits.rows)
        found[name] = np.array([codes.get(word, 0) for word in words], np.int64)
    return found
