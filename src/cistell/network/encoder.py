"""From words to what is known of each: layers of LSTMs, and the way back.

    words, pieces of words --> layers of LSTMs --> a small vector for each question

The vectors of words go into the last step beside what the LSTMs made of them: much of
a tag is told by the word itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from cistell.network import lstm
from cistell.network.layers import dropout, leaky, through_leaky

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cistell.network.packing import Packed
    from cistell.network.sizes import Sizes
    from cistell.network.weights import Array, Weights
    from corefkit.arrays.columns import Ints


@dataclass(frozen=True, slots=True)
class Inputs:
    """The words of a batch, laid out by time.

    Attributes:
        packed: how they are laid out.
        words: the number of each word, 0 for those that are not known.
        pieces: for each word how much each piece counts.
    """

    packed: Packed
    words: Ints
    pieces: csr_array


@dataclass(frozen=True, slots=True)
class Rates:
    """How much is dropped while a network learns, so that it does not learn by heart.

    Attributes:
        inputs: of the vectors of words.
        between: of what goes from layer to layer.
        states: of what goes from step to step.
        parts: of the small vectors.
        words: of the words themselves, which are then unknown.
    """

    inputs: float = 0.33
    between: float = 0.33
    states: float = 0.2
    parts: float = 0.33
    words: float = 0.2


@dataclass(frozen=True, slots=True)
class Encoded:
    """What is known of words, and what the way back needs.

    Attributes:
        inputs: the words.
        words: their numbers, as far as they were not dropped.
        masks: what was kept, of each word, by the step that it went into.
        memories: those of the layers.
        top: what the small vectors were made of.
        bent: the small vectors before `leaky`.
        parts: the small vectors, side by side.
    """

    inputs: Inputs
    words: Ints
    masks: Mapping[str, Array]
    memories: Sequence[lstm.Memory]
    top: Array
    bent: Array
    parts: Array


def encode(
    weights: Weights,
    sizes: Sizes,
    inputs: Inputs,
    *,
    chance: np.random.Generator | None = None,
    rates: Rates | None = None,
) -> Encoded:
    """Find the small vectors of words; chance and rates say what is dropped."""
    packed = inputs.packed
    drop = _Dropping(packed, chance, rates, weights.flat.dtype)
    words = drop.words(inputs.words)
    bottom = np.concatenate(
        (weights["word"][words], inputs.pieces @ weights["pieces"]), axis=1
    )
    values, memories = bottom, []
    for layer in range(sizes.layers):
        values = drop(values, f"lstm{layer}", "between" if layer else "inputs")
        states = drop.states(sizes.hidden)
        values, memory = lstm.forward(weights, f"lstm{layer}", values, packed, states)
        memories.append(memory)
    top = drop(np.concatenate((values, bottom), axis=1), "top", "between")
    bent = top @ weights["parts"] + weights["parts.bias"]
    parts = drop(leaky(bent), "parts", "parts")
    return Encoded(inputs, words, drop.masks, memories, top, bent, parts)


class _Dropping:
    """Drops parts of vectors; the same ones for all words of a sentence."""

    def __init__(
        self,
        packed: Packed,
        chance: np.random.Generator | None,
        rates: Rates | None,
        dtype: np.dtype[np.float32],
    ) -> None:
        self._packed, self._dtype = packed, dtype
        self._chance, self._rates = chance, rates
        self.masks: dict[str, Array] = {}

    def __call__(self, values: Array, name: str, rate: str) -> Array:
        """Drop parts of all words, and note which by a name."""
        mask = self._mask(values.shape[1], rate)
        if mask is None:
            return values
        self.masks[name] = mask[self._packed.sentence]
        return values * self.masks[name]

    def states(self, size: int) -> Array | None:
        """Draw what is dropped of the states of both directions."""
        masks = [self._mask(size, "states") for _ in range(2)]
        kept = [mask for mask in masks if mask is not None]
        return np.stack(kept) if kept else None

    def words(self, words: Ints) -> Ints:
        """Make some words unknown."""
        if self._chance is None or self._rates is None:
            return words
        return np.where(self._chance.random(len(words)) < self._rates.words, 0, words)

    def _mask(self, width: int, rate: str) -> Array | None:
        if self._chance is None or self._rates is None:
            return None
        shape = (len(self._packed.lengths), width)
        share = getattr(self._rates, rate)
        return dropout(self._chance, shape, rate=share, dtype=self._dtype)


def through_encoder(
    weights: Weights, gradients: Weights, sizes: Sizes, encoded: Encoded, delta: Array
) -> None:
    """Go back from the gradient of the small vectors to those of all weights."""
    packed, masks = encoded.inputs.packed, encoded.masks
    delta = through_leaky(encoded.bent, delta * masks.get("parts", 1))
    gradients.add("parts", encoded.top.T @ delta)
    gradients.add("parts.bias", delta.sum(axis=0))
    delta = delta @ weights["parts"].T * masks.get("top", 1)
    delta, bottom = delta[:, : 2 * sizes.hidden], delta[:, 2 * sizes.hidden :]
    for layer in reversed(range(sizes.layers)):
        name, memory = f"lstm{layer}", encoded.memories[layer]
        delta = lstm.backward(weights, gradients, name, memory, packed, delta)
        delta = delta * masks.get(name, 1)
    delta = delta + bottom
    rows = len(encoded.words)
    ones = np.ones(rows, delta.dtype)
    shape = (rows, len(weights["word"]))
    chosen = csr_array((ones, encoded.words, np.arange(rows + 1)), shape=shape)
    word, pieces = delta[:, : sizes.word], delta[:, sizes.word :]
    gradients.add("word", chosen.T @ np.ascontiguousarray(word))
    gradients.add("pieces", encoded.inputs.pieces.T @ np.ascontiguousarray(pieces))
