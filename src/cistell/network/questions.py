"""The questions that a network answers of each word, and what is lost by its answers.

    labels      tag (UPOS and FEATS), lemma rule, type of the mention that it heads
    pointers    its parent (arc), the first and last word of the mention (start, end)
    relation    to its parent, which must be known

Pointers and relations are biaffine, after Dozat and Manning (2017).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cistell.network.layers import cross_entropy
from cistell.network.sizes import LABELS, POINTERS, RELATION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cistell.network.encoder import Encoded
    from cistell.network.packing import Packed
    from cistell.network.sizes import Sizes
    from cistell.network.weights import Array, Weights
    from corefkit.arrays.columns import Ints

NEVER = -1e9  # the score of what cannot be


@dataclass(frozen=True, slots=True)
class Questions:
    """What is asked of words of which a network knows something."""

    weights: Weights
    sizes: Sizes
    encoded: Encoded

    @property
    def packed(self) -> Packed:
        """How the words are laid out."""
        return self.encoded.inputs.packed

    def part(self, name: str) -> Array:
        """Return the small vectors for a side of a question, laid out by time."""
        return self.encoded.parts[:, self.sizes.parts[name]]

    def label_scores(self, name: str) -> Array:
        """Score the labels of each word."""
        return self.part(name) @ self.weights[name] + self.weights[f"{name}.bias"]

    def pointer_scores(self, name: str) -> Array:
        """Score each word of a sentence (row) with each (column), by sentences.

        The score of x with y is x M y + b y. Arcs have a column for the root before
        those of words.
        """
        left, right = self.sides(name)
        scores: Array = self.mixed(name, left) @ right.transpose(0, 2, 1)
        beyond = ~self.packed.inside
        words = scores[:, :, scores.shape[2] - beyond.shape[1] :]
        words += np.where(beyond, NEVER, 0).astype(scores.dtype)[:, None]
        return scores

    def sides(self, name: str) -> tuple[Array, Array]:
        """Return both sides of a pointer, by sentences; for arcs, root and words."""
        left = self.packed.by_sentence(self.part(f"{name}.from"))
        right = self.packed.by_sentence(self.part(f"{name}.to"))
        if name == "arc":
            root = np.broadcast_to(
                self.weights["root"], (len(right), 1, right.shape[2])
            )
            right = np.concatenate((root, right), axis=1)
        return left, right

    def mixed(self, name: str, left: Array) -> Array:
        """Return x M + b for the words that point."""
        mixed: Array = left @ self.weights[name] + self.weights[f"{name}.bias"]
        return mixed

    def relation_scores(self, parents: Ints) -> Array:
        """Score the relations of each word to its parent, a row of the layout."""
        _, parent, mixed = self.related(parents)
        scores: Array = np.matmul(mixed, parent[:, :, None])[:, :, 0]
        return scores

    def related(self, parents: Ints) -> tuple[Array, Array, Array]:
        """Return children, their parents, and x M for each child and relation."""
        child = _with_one(self.part("relation.from"))
        parent = _with_one(self.part("relation.to")[parents])
        mixed = (child @ self.weights[RELATION]).reshape(len(child), -1, child.shape[1])
        return child, parent, mixed


def _with_one(values: Array) -> Array:
    return np.concatenate((values, np.ones((len(values), 1), values.dtype)), axis=1)


def _share(name: str) -> float:
    """How much a question counts: lemmas are learned soon, and matter less."""
    return 0.5 if name == "lemma" else 1.0


class Losses:
    """What is lost by the answers to a batch, and how small vectors should change.

    Args:
        questions: the batch.
        targets: the right answers, laid out by time, by questions; `arc` counts words
            from 1, 0 is the root; `parent` has the rows of parents.
        gradients: those of the weights of scores are added here.
    """

    def __init__(
        self,
        questions: Questions,
        targets: Mapping[str, Ints],
        gradients: Weights,
    ) -> None:
        self._questions, self._targets = questions, targets
        self._gradients = gradients
        self.delta = np.zeros_like(questions.encoded.parts)
        self.by_question: dict[str, float] = {}
        for name in LABELS:
            self._label(name)
        for name in POINTERS:
            self._pointer(name)
        self._relation()

    @property
    def total(self) -> float:
        """What is lost by a word, each question counting by its share."""
        return sum(_share(name) * loss for name, loss in self.by_question.items())

    def _lost(self, name: str, scores: Array, targets: Ints) -> Array:
        """Note the loss of a question; return the gradient of its scores."""
        rows = scores.reshape(-1, scores.shape[-1])
        loss, delta = cross_entropy(rows, targets.reshape(-1))
        words = len(self._questions.packed.time)
        self.by_question[name] = loss / words
        delta *= _share(name) / words
        return delta.reshape(scores.shape)

    def _change(self, name: str, delta: Array) -> None:
        part = self.delta[:, self._questions.sizes.parts[name]]
        part += delta

    def _label(self, name: str) -> None:
        asked = self._questions
        delta = self._lost(name, asked.label_scores(name), self._targets[name])
        self._gradients.add(name, asked.part(name).T @ delta)
        self._gradients.add(f"{name}.bias", delta.sum(axis=0))
        self._change(name, delta @ asked.weights[name].T)

    def _pointer(self, name: str) -> None:
        asked, packed = self._questions, self._questions.packed
        left, right = asked.sides(name)
        scores = asked.pointer_scores(name)
        targets = packed.by_sentence(self._targets[name] + 1) - 1
        delta = self._lost(name, scores, targets)
        towards: Array = delta @ right
        d_right: Array = delta.transpose(0, 2, 1) @ asked.mixed(name, left)
        rows = towards.reshape(-1, towards.shape[-1])
        self._gradients.add(name, left.reshape(-1, left.shape[-1]).T @ rows)
        self._gradients.add(f"{name}.bias", rows.sum(axis=0))
        self._change(f"{name}.from", packed.by_time(towards @ asked.weights[name].T))
        if name == "arc":
            self._gradients.add("root", d_right[:, 0].sum(axis=0))
            d_right = d_right[:, 1:]
        self._change(f"{name}.to", packed.by_time(d_right))

    def _relation(self) -> None:
        asked, parents = self._questions, self._targets["parent"]
        child, parent, mixed = asked.related(parents)
        scores = np.matmul(mixed, parent[:, :, None])[:, :, 0]
        delta = self._lost(RELATION, scores, self._targets[RELATION])
        d_mixed: Array = (delta[:, :, None] * parent[:, None, :]).reshape(
            len(delta), -1
        )
        self._gradients.add(RELATION, child.T @ d_mixed)
        d_child: Array = d_mixed @ asked.weights[RELATION].T
        self._change("relation.from", d_child[:, :-1])
        d_parent = np.matmul(delta[:, None, :], mixed)[:, 0, :-1]
        part = self.delta[:, asked.sizes.parts["relation.to"]]
        np.add.at(part, parents, d_parent)
