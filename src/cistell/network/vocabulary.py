"""The words and labels that a network knows, and sentences as numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from cistell.network.encoder import Inputs
from cistell.network.packing import Packed
from cistell.profiles import ENTITY_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cistell.network.pieces import Pieces
    from cistell.network.targets import Annotated

_FEWEST_WORDS = 2  # a rarer word is unknown: its pieces tell it
_FEWEST_RULES = 2


@dataclass(frozen=True)
class Vocabulary:
    """What a network knows by name, each in order.

    Attributes:
        words: words in lower case; their numbers begin with 1, 0 is any other.
        tags: UPOS and FEATS, with a blank between.
        rules: rules of lemmas, see `lemmas`.
        relations: the relations between words.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    rules: tuple[str, ...]
    relations: tuple[str, ...]

    @classmethod
    def of(cls, sentences: Sequence[Annotated]) -> Vocabulary:
        """Collect the words and labels of sentences."""
        return cls(
            _frequent(
                (form.lower() for sentence in sentences for form in sentence.forms),
                _FEWEST_WORDS,
            ),
            _frequent(chain.from_iterable(each.tags for each in sentences), 1),
            _frequent(
                chain.from_iterable(each.rules for each in sentences), _FEWEST_RULES
            ),
            _frequent(chain.from_iterable(each.relations for each in sentences), 1),
        )

    @property
    def counts(self) -> dict[str, int]:
        """How many there are, by what the weights are called."""
        return {
            "word": len(self.words) + 1,
            "tag": len(self.tags),
            "lemma": len(self.rules),
            "relation": len(self.relations),
            "type": len(ENTITY_TYPES),
        }

    @cached_property
    def numbers(self) -> Mapping[str, Mapping[str, int]]:
        """The number of each word and label."""
        return {
            field.name: {
                name: number
                for number, name in enumerate(
                    getattr(self, field.name), field.name == "words"
                )
            }
            for field in fields(self)
        }

    def inputs(self, sentences: Sequence[Sequence[str]], pieces: Pieces) -> Inputs:
        """Turn sentences, longest first, into numbers."""
        packed = Packed([len(sentence) for sentence in sentences])
        forms = packed.values(sentences)
        known = self.numbers["words"]
        words = np.array([known.get(form.lower(), 0) for form in forms], np.int64)
        rows = list(map(pieces, forms))
        counts = np.array([len(row) for row in rows])
        # The more pieces, the less each counts, so that vectors stay of one size.
        share = np.repeat(1 / np.sqrt(counts), counts).astype(np.float32)
        numbers = np.fromiter(chain.from_iterable(rows), np.int64, counts.sum())
        bounds = np.concatenate(([0], np.cumsum(counts)))
        shape = (len(forms), pieces.buckets)
        return Inputs(packed, words, csr_array((share, numbers, bounds), shape=shape))


def _frequent(names: Iterable[str], fewest: int) -> tuple[str, ...]:
    counts = Counter(names)
    return tuple(sorted(name for name, count in counts.items() if count >= fewest))
