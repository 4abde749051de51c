"""Reading: tags, trees and evidence for the words of sentences, by a network."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cistell.network.batches import batches_of
from cistell.network.encoder import encode
from cistell.network.layers import softmax
from cistell.network.lemmas import lemma_by
from cistell.network.questions import NEVER, Questions
from cistell.network.trees import best_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cistell.network.pieces import Pieces
    from cistell.network.sizes import Sizes
    from cistell.network.vocabulary import Vocabulary
    from cistell.network.weights import Array, Weights
    from corefkit.arrays.columns import Ints

_BATCH = 4000  # words; more are not read faster
_ROOT = "root"  # the relation of the word that hangs on no other
LAYERS = ("lemma", "upos", "feats", "head", "deprel")


class Read(NamedTuple):
    """A sentence that was read.

    Attributes:
        types: a row for each word, see `Evidence`.
        starts: how likely each word (column) begins the mention of each (row).
        ends: the same for the ends.
        layers: a cell for each word in each of `LAYERS`; nothing if not asked for.
    """

    types: Array
    starts: Array
    ends: Array
    layers: tuple[tuple[str, ...], ...] = ()


class Reader(NamedTuple):
    """A network, as far as reading needs it."""

    weights: Weights
    sizes: Sizes
    vocabulary: Vocabulary
    pieces: Pieces

    def read(self, sentences: Sequence[Sequence[str]], *, trees: bool) -> list[Read]:
        """Read sentences of one word or more, in batches."""
        found: dict[int, Read] = {}
        lengths = [len(sentence) for sentence in sentences]
        for batch in batches_of(lengths, words=_BATCH):
            chosen = [sentences[number] for number in batch]
            found |= zip(batch, self._batch(chosen, trees=trees), strict=True)
        return [found[number] for number in range(len(sentences))]

    def _batch(
        self, sentences: Sequence[Sequence[str]], *, trees: bool
    ) -> Iterator[Read]:
        inputs = self.vocabulary.inputs(sentences, self.pieces)
        encoded = encode(self.weights, self.sizes, inputs)
        asked = Questions(self.weights, self.sizes, encoded)
        evidence = (
            asked.packed.by_sentence(softmax(asked.label_scores("type"))),
            softmax(asked.pointer_scores("start")),
            softmax(asked.pointer_scores("end")),
        )
        layers = self._layers(asked, sentences) if trees else [()] * len(sentences)
        for place, sentence in enumerate(sentences):
            size = len(sentence)
            types, starts, ends = (each[place, :size] for each in evidence)
            # Copies, so that a batch is not kept for one of its sentences.
            squares = starts[:, :size].copy(), ends[:, :size].copy()
            yield Read(types.copy(), *squares, layers[place])

    def _layers(
        self, asked: Questions, sentences: Sequence[Sequence[str]]
    ) -> list[tuple[tuple[str, ...], ...]]:
        packed, known = asked.packed, self.vocabulary
        tags = packed.by_sentence(asked.label_scores("tag").argmax(axis=1))
        rules = packed.by_sentence(asked.label_scores("lemma").argmax(axis=1))
        arcs = _arcs(asked)
        relations = packed.by_sentence(self._relations(asked, packed.by_time(arcs)))
        layers: list[tuple[tuple[str, ...], ...]] = []
        for place, sentence in enumerate(sentences):
            inside = slice(len(sentence))
            parts = [known.tags[tag].split(" ") for tag in tags[place, inside]]
            layers.append(
                (
                    tuple(map(self._lemma, rules[place, inside], sentence)),
                    tuple(upos for upos, _ in parts),
                    tuple(features for _, features in parts),
                    tuple(map(str, arcs[place, inside].tolist())),
                    tuple(
                        self._relation(number) for number in relations[place, inside]
                    ),
                )
            )
        return layers

    def _lemma(self, rule: int, form: str) -> str:
        return lemma_by(self.vocabulary.rules[rule], form)

    def _relation(self, number: int) -> str:
        return _ROOT if number < 0 else self.vocabulary.relations[number]

    def _relations(self, asked: Questions, arcs: Ints) -> Ints:
        """Choose the relation of each word to its parent; -1 for the root's."""
        scores = asked.relation_scores(asked.packed.parents(arcs))
        scores[:, [name == _ROOT for name in self.vocabulary.relations]] = NEVER
        return np.where(arcs, scores.argmax(axis=1), -1)


def _arcs(asked: Questions) -> Ints:
    """Find the trees of sentences."""
    scores = asked.pointer_scores("arc")
    arcs = np.zeros(scores.shape[:2], np.int64)
    for place, size in enumerate(asked.packed.lengths.tolist()):
        arcs[place, :size] = best_tree(scores[place, :size, : size + 1])
    return arcs
