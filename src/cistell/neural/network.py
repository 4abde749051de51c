"""The network, implemented in NumPy: computes mentions and scores of links.

A BERT encoder processes overlapping windows of subwords. Spans are scored by their
first and last subword. A mention is represented by both, and by a mean over its words,
weighted by how likely each is the head. Pairs of mentions are scored by dot products
and by the features of `PairTable`. Everything is computed in blocks of fixed size: time
and memory are linear in the length of the text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cistell.neural.tokenization import START, STOP, cut_windows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from numpy.typing import NDArray

    from cistell.neural.agreement import PairTable
    from cistell.neural.tokenization import TokenizedText, Tokenizer

    Floats = NDArray[np.float32]
    Ints = NDArray[np.int64]

MAX_MENTION_WORDS = 48
# Mentions before the block of an anaphor that are always candidate antecedents.
MAX_ANTECEDENTS = 250
# Spans below the threshold by less than this are rescored by their vectors.
RESCORING_MARGIN = 2.0
_BLOCK = 64


@dataclass(frozen=True, slots=True)
class NetworkSizes:
    """Hyperparameters that cannot be inferred from the shapes of the weights.

    Attributes:
        heads: attention heads of the encoder.
        epsilon: added to variances by layer normalization.
        window: subwords of a window, at most.
        margin: subwords at both ends of a window that are context only.
    """

    heads: int
    epsilon: float = 1e-12
    window: int = 288
    margin: int = 32


class MentionArrays(NamedTuple):
    """Mentions of a text, in text order.

    Attributes:
        spans: first and last word of each.
        scores: the logit of being a mention.
        heads: the head word.
        vectors: representations that links are computed from.
    """

    spans: Ints
    scores: Floats
    heads: Ints
    vectors: Floats

    def select(self, rows: NDArray[Any]) -> MentionArrays:
        """Return some of the mentions."""
        return MentionArrays(*(array[rows] for array in self))


class Network:
    """A trained network.

    Args:
        weights: the weights by name; weights of linear layers are applied from the
            right.
        sizes: hyperparameters that the weights do not specify.
    """

    def __init__(
        self, weights: Mapping[str, NDArray[Any]], sizes: NetworkSizes
    ) -> None:
        self.weights = weights
        self.sizes = sizes
        self._layers = sum(name.endswith(".qkv.weight") for name in weights)

    def encode(self, text: TokenizedText, tokenizer: Tokenizer) -> Floats:
        """Compute a vector for each subword."""
        sizes, bounds = self.sizes, text.bounds
        start, stop = ([tokenizer.get_number(piece)] for piece in (START, STOP))
        shapes = np.repeat(text.shapes, np.diff(bounds))
        vectors = np.empty((bounds[-1], self.weights["position"].shape[1]), np.float32)
        # Two of the subwords mark start and end.
        for window in cut_windows(bounds, size=sizes.window - 2, margin=sizes.margin):
            first, last, begin, end = bounds[list(window)].tolist()
            encoded = self._encode_window(
                np.concatenate([start, text.pieces[first:last], stop]),
                shapes[first:last],
            )
            vectors[begin:end] = encoded[begin - first + 1 : end - first + 1]
        return vectors

    def _encode_window(self, pieces: Ints, shapes: Ints) -> Floats:
        weights, count = self.weights, len(pieces)
        x = weights["embedding"][pieces].astype(np.float32)
        if "embedding.scale" in weights:
            x *= weights["embedding.scale"][pieces, None]
        x += weights["position"][:count]
        x[1:-1] += weights["shape"][shapes]
        self._normalize("norm", x)
        for number in range(self._layers):
            layer = f"layer.{number}"
            x += self._apply(f"{layer}.out", self._attend(f"{layer}.qkv", x))
            self._normalize(f"{layer}.norm1", x)
            x += self._apply(f"{layer}.outer", _gelu(self._apply(f"{layer}.inner", x)))
            self._normalize(f"{layer}.norm2", x)
        return x

    def _attend(self, name: str, x: Floats) -> Floats:
        count, width = x.shape
        heads = self.sizes.heads
        mixed = self._apply(name, x).reshape(count, 3, heads, width // heads)
        query, key, value = mixed.transpose(1, 2, 0, 3)
        query = query * np.float32((width // heads) ** -0.5)
        scores: Floats = query @ key.transpose(0, 2, 1)
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        attended: Floats = scores @ value
        attended /= scores.sum(axis=-1, keepdims=True)
        joined: Floats = attended.transpose(1, 0, 2).reshape(count, width)
        return joined

    def _apply(self, name: str, x: Floats) -> Floats:
        y: Floats = x @ self.weights[f"{name}.weight"]
        y += self.weights[f"{name}.bias"]
        return y

    def _normalize(self, name: str, x: Floats) -> None:
        """Apply layer normalization in place."""
        x -= x.mean(axis=-1, keepdims=True)
        variance = np.einsum("ij,ij->i", x, x) / np.float32(x.shape[1])
        x *= (1 / np.sqrt(variance + np.float32(self.sizes.epsilon)))[:, None]
        x *= self.weights[f"{name}.scale"]
        x += self.weights[f"{name}.shift"]

    def find_mentions(
        self, text: TokenizedText, pieces: Floats, threshold: float
    ) -> MentionArrays:
        """Return spans with a score above a threshold; crossing spans are rejected.

        Args:
            text: the text.
            pieces: the vectors of its subwords.
            threshold: a logit.
        """
        first, last = pieces[text.bounds[:-1]], pieces[text.bounds[1:] - 1]
        rows, columns, scores = [], [], []
        for block, grid in self._score_spans(text, first, last):
            i, j = np.nonzero(grid > threshold - RESCORING_MARGIN)
            rows.append(i + block)
            columns.append(j + block)
            scores.append(grid[i, j])
        spans = np.stack([np.concatenate(rows), np.concatenate(columns)], axis=1)
        heads, vectors = self._represent_mentions(first, last, spans)
        logits = np.concatenate(scores)
        if len(spans):
            # Rounded, so that equal spans have equal scores wherever they are.
            logits = (logits + self._apply("rescore", vectors)).round(4)
        likely = np.flatnonzero(logits > threshold)
        likely = likely[remove_crossing(spans[likely], logits[likely])]
        return MentionArrays(
            spans[likely], logits[likely], heads[likely], vectors[likely]
        )

    def represent_mentions(
        self, text: TokenizedText, pieces: Floats, spans: Ints
    ) -> MentionArrays:
        """Represent the specified spans as mentions; their scores are 0."""
        first, last = pieces[text.bounds[:-1]], pieces[text.bounds[1:] - 1]
        heads, vectors = self._represent_mentions(first, last, spans)
        return MentionArrays(spans, np.zeros(len(spans), np.float32), heads, vectors)

    def _score_spans(
        self, text: TokenizedText, first: Floats, last: Floats
    ) -> Iterator[tuple[int, Floats]]:
        """Yield the scores of the spans that start in a block of words.

        Spans that are too long or contain a paragraph break have the score -inf.
        """
        starts = _gelu(self._apply("start", first))
        ends = _gelu(self._apply("end", last))
        start_scores = starts @ self.weights["start_score"]
        end_scores = ends @ self.weights["end_score"]
        products = starts @ self.weights["span"]
        count = len(text)
        for block in range(0, count, _BLOCK):
            stop = min(block + _BLOCK, count)
            reach = min(stop + MAX_MENTION_WORDS - 1, count)
            scores = products[block:stop] @ ends[block:reach].T
            scores += start_scores[block:stop, None]
            scores += end_scores[block:reach]
            lengths = np.arange(block, reach) - np.arange(block, stop)[:, None]
            excluded = (lengths < 0) | (lengths >= MAX_MENTION_WORDS)
            paragraphs = text.paragraphs
            excluded |= paragraphs[block:stop, None] != paragraphs[block:reach]
            scores += self.weights["width"][lengths.clip(0, MAX_MENTION_WORDS - 1)]
            scores[excluded] = -np.inf
            yield block, scores

    def _represent_mentions(
        self, first: Floats, last: Floats, spans: Ints
    ) -> tuple[Ints, Floats]:
        """Compute the head and the vector of each mention."""
        if not len(spans):
            return np.zeros(0, np.int64), np.zeros((0, 1), np.float32)
        lengths = spans[:, 1] - spans[:, 0] + 1
        offsets = np.cumsum(lengths) - lengths
        words = np.arange(lengths.sum()) + np.repeat(spans[:, 0] - offsets, lengths)
        scores = (first @ self.weights["head"])[words]
        peaks = np.maximum.reduceat(scores, offsets)
        shares = np.exp(scores - np.repeat(peaks, lengths))
        at_peak = np.flatnonzero(shares == 1)
        # Of equally likely heads, the first.
        heads = words[at_peak[np.searchsorted(at_peak, offsets)]]
        shares /= np.repeat(np.add.reduceat(shares, offsets), lengths)
        means = np.add.reduceat(first[words] * shares[:, None], offsets)
        joined = np.concatenate([first[spans[:, 0]], last[spans[:, 1]], means], axis=1)
        return heads, _gelu(self._apply("mention", joined))

    def score_links(
        self, table: PairTable, vectors: Floats
    ) -> Iterator[tuple[Ints, Ints, Floats]]:
        """Yield blocks of mentions, their candidate antecedents, and scores.

        A score above 0 is in favour of the antecedent over a new entity. Candidates may
        include mentions that are not before the anaphor.
        """
        weights, count = self.weights, len(vectors)
        number = len(weights["link.mix"])
        for block in range(0, count, _BLOCK):
            rows = np.arange(block, min(block + _BLOCK, count))
            columns = table.list_candidates(rows, MAX_ANTECEDENTS)
            anaphors, antecedents = vectors[rows], vectors[columns]
            # Processing all mentions at once would require much memory for long texts.
            query = self._apply("link.query", anaphors)
            query = query.reshape(len(rows), number, -1).transpose(1, 0, 2)
            query = query * np.float32(query.shape[2] ** -0.5)
            key = self._apply("link.key", antecedents)
            key = key.reshape(len(columns), number, -1).transpose(1, 2, 0)
            hidden = np.moveaxis(query @ key, 0, -1) @ weights["link.mix"]
            hidden += table.compare_pairs(rows, columns) @ weights["link.features"]
            hidden += self._apply("link.anaphor", anaphors)[:, None]
            hidden += antecedents @ weights["link.antecedent"]
            scores = _gelu(hidden) @ weights["link.score"]
            scores -= self._apply("new", anaphors)[:, None]
            yield rows, columns, scores


def _gelu(x: Floats) -> Floats:
    """Apply GELU in place, approximated by the hyperbolic tangent."""
    scale = np.sqrt(2 / np.pi)
    inner = x * x
    inner *= np.float32(0.044715 * scale)
    inner += np.float32(scale)
    inner *= x
    np.tanh(inner, out=inner)
    inner += np.float32(1)
    x *= inner
    x *= np.float32(0.5)
    return x


def remove_crossing(spans: Ints, scores: Floats) -> Ints:
    """Return the numbers of spans that cross none with a higher score.

    They are in text order, longer spans first.

    >>> remove_crossing(np.array([[0, 2], [1, 1], [2, 3]]), np.array([1.0, 0.5, 2.0]))
    array([1, 2])
    """
    accepted: list[int] = []
    # The accepted spans that start or end at, or contain, each word.
    at_word: dict[int, list[tuple[int, int]]] = {}
    bounds = spans.tolist()
    for i in np.argsort(-scores, kind="stable").tolist():
        start, end = bounds[i]
        if any(
            a < start <= b < end or start < a <= end < b
            for word in (start, end)
            for a, b in at_word.get(word, ())
        ):
            continue
        accepted.append(i)
        for word in range(start, end + 1):
            at_word.setdefault(word, []).append((start, end))
    return np.array(
        sorted(accepted, key=lambda i: (bounds[i][0], -bounds[i][1])), np.int64
    ).reshape(-1)
