"""How large a network is, what its weights are called, and how they begin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cistell.network import lstm
from cistell.network.weights import Weights

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cistell.network.weights import Array, Shapes

LABELS = ("tag", "lemma", "type")  # questions whose answer is one of some labels
POINTERS = ("arc", "start", "end")  # those whose answer is a word of the sentence
RELATION = "relation"  # and the label of an arc


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large the parts of a network are.

    Attributes:
        word: the vector of a word.
        pieces: the vector of the pieces of a word.
        buckets: how many vectors of pieces there are.
        hidden: the state of an LSTM, in each direction.
        layers: how many layers of LSTMs there are.
        arc: what is known of a word as child and as parent.
        relation: the same for the relation between both.
        pointer: what is known of a word as head and as edge of a mention.
        label: what tags, lemma rules and types are told from.
    """

    word: int = 100
    pieces: int = 80
    buckets: int = 8192
    hidden: int = 200
    layers: int = 2
    arc: int = 128
    relation: int = 40
    pointer: int = 64
    label: int = 96

    @property
    def input(self) -> int:
        """The vector of a word and its pieces."""
        return self.word + self.pieces

    @property
    def parts(self) -> dict[str, slice]:
        """Where the small vector for each side of each question is."""
        widths = {"arc": self.arc, "start": self.pointer, "end": self.pointer}
        widths[RELATION] = self.relation
        found: dict[str, slice] = {}
        first = 0
        for name, width in widths.items():
            for side in ("from", "to"):
                found[f"{name}.{side}"] = slice(first, first + width)
                first += width
        for name in LABELS:
            found[name] = slice(first, first + self.label)
            first += self.label
        return found


# For a model that is sent around: about a third of the weights, and of the time.
SMALL = Sizes(
    word=48,
    pieces=48,
    buckets=4096,
    hidden=112,
    arc=80,
    relation=32,
    pointer=40,
    label=64,
)


def shapes_of(sizes: Sizes, counts: Mapping[str, int]) -> Shapes:
    """Return the shapes of all weights; counts are of words and labels."""
    shapes: dict[str, tuple[int, ...]] = {
        "word": (counts["word"], sizes.word),
        "pieces": (sizes.buckets, sizes.pieces),
    }
    width = sizes.input
    for layer in range(sizes.layers):
        shapes |= lstm.shapes_of(f"lstm{layer}", width, sizes.hidden)
        width = 2 * sizes.hidden
    total = max(part.stop for part in sizes.parts.values())
    shapes |= {"parts": (width + sizes.input, total), "parts.bias": (total,)}
    shapes["root"] = (sizes.arc,)
    for name in POINTERS:
        width = sizes.arc if name == "arc" else sizes.pointer
        shapes |= {name: (width, width), f"{name}.bias": (width,)}
    # One more: a constant, so that each side counts by itself too.
    one_more = sizes.relation + 1
    shapes[RELATION] = (one_more, counts[RELATION] * one_more)
    for name in LABELS:
        shapes |= {name: (sizes.label, counts[name]), f"{name}.bias": (counts[name],)}
    return shapes


def first_weights(
    shapes: Shapes, chance: np.random.Generator, *, dtype: type = np.float32
) -> Weights:
    """Draw the weights that learning begins with.

    Words begin at 0, so that rare ones are told from their pieces; so do all scores.
    Forget gates begin open.
    """
    weights = Weights.zeros(shapes, dtype=dtype)
    for name, part in weights.items():
        if name == "pieces":
            part[:] = chance.normal(0, 0.3, part.shape)
        elif name == "root":
            part[:] = chance.normal(0, 0.1, part.shape)
        elif name == "parts":
            part[:] = _uniform(chance, part, len(part) + 128)
        elif name.endswith(".inputs"):
            part[:] = _uniform(chance, part, part.shape[1] + part.shape[2] // 4)
        elif name.endswith(".states"):
            _orthogonal(chance, part)
        elif name.startswith("lstm") and name.endswith(".bias"):
            size = part.shape[-1] // 4
            part[..., size : 2 * size] = 1
    return weights


def _uniform(chance: np.random.Generator, part: Array, total: int) -> Array:
    """Draw as Glorot and Bengio (2010) do; the total is of what goes in and out."""
    bound = np.sqrt(6 / total)
    return chance.uniform(-bound, bound, part.shape).astype(part.dtype)


def _orthogonal(chance: np.random.Generator, part: Array) -> None:
    """Let states neither grow nor fade: a turn for each direction and gate."""
    size = part.shape[1]
    for direction in part:
        for first in range(0, 4 * size, size):
            turn, _ = np.linalg.qr(chance.normal(size=(size, size)))
            direction[:, first : first + size] = turn
