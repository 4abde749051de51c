"""Learning: weights that lose little on annotated sentences.

Adam takes steps along the gradients of batches. They become longer for a moment, then
shorter and shorter; vectors of words, of which a batch has few, take longer ones. What
comes out is a running average of the weights.

Source: Kingma and Ba 2015 (Adam), Polyak and Juditsky 1992 (averages).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from cistell.network.batches import batches_of
from cistell.network.encoder import Rates, encode, through_encoder
from cistell.network.questions import Losses, Questions
from cistell.network.sizes import first_weights, shapes_of
from cistell.network.targets import targets_of
from cistell.network.weights import Weights

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cistell.network.pieces import Pieces
    from cistell.network.sizes import Sizes
    from cistell.network.targets import Annotated
    from cistell.network.vocabulary import Vocabulary
    from cistell.network.weights import Array

_INERTIA = 0.9  # how much of the direction is kept from step to step
_LEAST = 1e-8
_CHUNK = 1 << 15  # weights that are moved at once
_LEAST_LEFT = 0.02  # the share of the longest step at which steps stop to shorten


@dataclass(frozen=True, slots=True)
class Course:
    """How a network learns.

    Attributes:
        epochs: how often it goes through all sentences.
        words: how many words a batch has.
        rate: the length of a step, at its longest.
        faster: how much longer those of vectors of words and pieces are.
        rising: how many steps it takes until they are longest.
        memory: how much of the gradients' size is remembered from step to step.
        average: how much of the average is kept from step to step.
        clip: the length to which longer gradients are cut.
        rates: how much is dropped.
    """

    epochs: int = 14
    words: int = 600
    rate: float = 6e-3
    faster: float = 2.0
    rising: int = 50
    memory: float = 0.95
    average: float = 0.995
    clip: float = 5.0
    rates: Rates = field(default_factory=Rates)


def learn(
    sentences: Sequence[Annotated],
    vocabulary: Vocabulary,
    pieces: Pieces,
    sizes: Sizes,
    course: Course,
    *,
    seed: int,
    progress: Callable[[int, int, Mapping[str, float]], None] | None = None,
) -> Weights:
    """Learn weights; progress is told each epoch, of how many, and the losses."""
    chance = np.random.default_rng(seed)
    weights = first_weights(shapes_of(sizes, vocabulary.counts), chance)
    lengths = [len(sentence.forms) for sentence in sentences]
    total = course.epochs * len(batches_of(lengths, words=course.words))
    adam, gradients = _Adam(weights, course, total), weights.like()
    for epoch in range(1, course.epochs + 1):
        lost: Counter[str] = Counter()
        batches = batches_of(lengths, words=course.words, chance=chance)
        for batch in batches:
            chosen = [sentences[number] for number in batch]
            forms = [sentence.forms for sentence in chosen]
            inputs = vocabulary.inputs(forms, pieces)
            targets = targets_of(chosen, inputs.packed, vocabulary)
            encoded = encode(weights, sizes, inputs, chance=chance, rates=course.rates)
            losses = Losses(Questions(weights, sizes, encoded), targets, gradients)
            through_encoder(weights, gradients, sizes, encoded, losses.delta)
            adam.step(gradients.flat)
            lost.update(losses.by_question)
        if progress is not None:
            mean = {name: loss / len(batches) for name, loss in lost.items()}
            progress(epoch, course.epochs, mean)
    return Weights(adam.average, weights.shapes)


class _Adam:
    """Steps along gradients, and the running average of where they led."""

    def __init__(self, weights: Weights, course: Course, total: int) -> None:
        self._weights, self._course, self._total = weights.flat, course, total
        self._taken = 0
        self._mean, self._square = weights.like().flat, weights.like().flat
        self.average = weights.flat.copy()
        # Vectors of words and pieces come first, see `shapes_of`.
        vectors = weights["word"].size + weights["pieces"].size
        bounds = {0, vectors, len(weights.flat), *range(0, len(weights.flat), _CHUNK)}
        self._chunks = [
            (slice(first, beyond), course.faster if first < vectors else 1.0)
            for first, beyond in pairwise(sorted(bounds))
        ]

    def step(self, gradient: Array) -> None:
        """Take a step; the gradient is used up, and is 0 then."""
        clip = self._course.clip
        length = float(np.sqrt(np.dot(gradient, gradient)))
        self._taken += 1
        share, rate = min(1.0, clip / max(length, clip)), self._length()
        for chunk, faster in self._chunks:
            self._move(chunk, gradient[chunk], share, rate * faster)

    def _move(self, chunk: slice, gradient: Array, share: float, rate: float) -> None:
        """Move some of the weights: few enough to stay in the processor's cache."""
        course, mean, square = self._course, self._mean[chunk], self._square[chunk]
        gradient *= share
        mean *= _INERTIA
        mean += (1 - _INERTIA) * gradient
        gradient *= gradient
        gradient *= 1 - course.memory
        square *= course.memory
        square += gradient
        np.sqrt(square, out=gradient)
        gradient += _LEAST
        np.divide(mean, gradient, out=gradient)
        gradient *= rate
        weights, average = self._weights[chunk], self.average[chunk]
        weights -= gradient
        average *= course.average
        average += (1 - course.average) * weights
        gradient[:] = 0

    def _length(self) -> float:
        """Return the length of a step: it rises, then falls in a straight line."""
        course, taken = self._course, self._taken
        # Means that began at 0 are too small at first.
        unbiased = (1 - course.memory**taken) ** 0.5 / (1 - _INERTIA**taken)
        left = max(1 - taken / self._total, _LEAST_LEFT)
        return float(course.rate * unbiased * left * min(1, taken / course.rising))
