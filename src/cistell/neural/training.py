"""Training with PyTorch, from annotated documents and a BERT encoder.

The network learns which spans are mentions, singletons included, and which earlier
mentions each corefers with. Entity types, tags and trees, if the documents have them,
are auxiliary tasks: they improve the encoder, and inference does not require them. The
weights of the model are a moving average over the last steps.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass, field, replace
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

import corefkit
from cistell.mentions.lexicon import read_word_lists
from cistell.neural.agreement import (
    PAIR_FEATURES,
    AgreementLexicon,
    PairTable,
    Traits,
    compare_columns,
)
from cistell.neural.inference import NeuralResolver, Thresholds
from cistell.neural.network import (
    MAX_MENTION_WORDS,
    Network,
    NetworkSizes,
)
from cistell.neural.tokenization import (
    MASK,
    SHAPES,
    START,
    STOP,
    TokenizedText,
    Tokenizer,
    cut_windows,
    write_text,
)
from corefkit import FormatError

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray
    from torch import Tensor

    from corefkit import Document

    Ints = NDArray[np.int64]

# Longer documents are split into several examples.
EXAMPLE_WORDS = 1400
# Spans that the link loss is computed for: all annotated ones, and those with a higher
# logit, up to a maximum number per word.
_CANDIDATE_LOGIT, _CANDIDATES_PER_WORD = -1.5, 0.45
_BLOCK = 64
_IMPOSSIBLE = -1e9
# Sizes of hidden layers.
_SPAN, _VECTOR, _PRODUCTS, _PRODUCT, _HIDDEN, _ARC = 256, 512, 24, 16, 128, 128


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """Hyperparameters.

    Attributes:
        epochs: passes over the training documents.
        seed: the seed of all random numbers.
        encoder_rate: the maximum learning rate of the top layer of the encoder.
        rate: the maximum learning rate of the other layers.
        layer_decay: the factor of the learning rate from one layer to the one below.
        dropout: the dropout of the layers after the encoder.
        encoder_dropout: the dropout of the encoder.
        masking: the mean share of subwords that are masked.
        averaging: the decay of the moving average of the weights.
        window: the maximum number of subwords of a window.
        margin: subwords at both ends of a window in training that are context only.
    """

    epochs: int = 40
    seed: int = 0
    encoder_rate: float = 2e-4
    rate: float = 7e-4
    layer_decay: float = 0.9
    dropout: float = 0.2
    encoder_dropout: float = 0.1
    masking: float = 0.1
    averaging: float = 0.999
    window: int = 288
    margin: int = 8


@dataclass(frozen=True, slots=True)
class Example:
    """A training instance: a document, or a part of one. Unknown values are -1.

    Attributes:
        text: its words.
        spans: first and last word of the annotated mentions, in text order.
        entities: the index of the entity of each mention.
        heads: the head word of each mention.
        types: the index of the entity type of each mention.
        tags: the index of the tag of each word.
        relations: the index of the relation of each word.
        parents: the index of the parent of each word; roots are their own parents.
        has_all_mentions: whether every mention is annotated; otherwise only links are
            learned.
        traits: a cache of the attributes of mentions.
    """

    text: TokenizedText
    spans: Ints
    entities: Ints
    heads: Ints
    types: Ints
    tags: Ints
    relations: Ints
    parents: Ints
    has_all_mentions: bool = True
    traits: dict[tuple[int, ...], Traits] = field(default_factory=dict)


class Labels:
    """Indices of the labels of one kind, in order of appearance."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        """Count the labels."""
        return len(self._numbers)

    def get_number(self, label: str | None) -> int:
        """Return the index of a label, -1 if it is empty."""
        if not label or label == "_":
            return -1
        return self._numbers.setdefault(label, len(self._numbers))


class ExampleReader:
    """Converts documents to examples; all examples of a training share indices."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        self.types, self.tags, self.relations = Labels(), Labels(), Labels()

    def read(
        self, document: Document, *, has_all_mentions: bool = True
    ) -> Iterator[Example]:
        """Yield a document as examples of at most about `EXAMPLE_WORDS` words."""
        written, places = write_text(document)
        text = self.tokenizer.tokenize(written)
        starts, ends = np.array(places, np.int64).reshape(-1, 2).T
        first = np.searchsorted(text.ends, starts, side="right")
        last = np.searchsorted(text.starts, ends) - 1
        rows: dict[tuple[int, int], tuple[int, int, int]] = {}
        for number, entity in enumerate(document.entities):
            for mention in entity:
                i, j = int(first[mention.start]), int(last[mention.end])
                head = -1 if mention.head is None else int(first[mention.head])
                if i <= j < i + MAX_MENTION_WORDS:
                    rows[i, j] = (
                        number,
                        head if i <= head <= j else -1,
                        self.types.get_number(mention.attributes.get("type")),
                    )
        spans = sorted(rows, key=lambda span: (span[0], -span[1]))
        columns = np.array([rows[span] for span in spans], np.int64).reshape(-1, 3).T
        example = Example(
            text,
            np.array(spans, np.int64).reshape(-1, 2),
            columns[0],
            columns[1],
            columns[2],
            *self._read_trees(document, first, len(text)),
            has_all_mentions=has_all_mentions,
        )
        yield from _cut_example(example)

    def _read_trees(
        self, document: Document, words: Ints, count: int
    ) -> tuple[Ints, Ints, Ints]:
        """Return tag, relation and parent of each word, -1 without a tree."""
        tags, relations, parents = (np.full(count, -1) for _ in range(3))
        layers, empty = document.layers, set(document.empty)
        if not {"upos", "head", "deprel"} <= layers.keys():
            return tags, relations, parents
        offset = 0
        for sentence in document.sentences:
            for token in range(offset, offset + len(sentence)):
                parent, word = layers["head"][token], words[token]
                # Of words that are one token, the first has its tag.
                if token in empty or tags[word] >= 0 or not parent.isdigit():
                    continue
                root = parent == "0"
                parents[word] = word if root else words[offset + int(parent) - 1]
                tags[word] = self.tags.get_number(layers["upos"][token])
                relation = layers["deprel"][token].partition(":")[0]
                relations[word] = self.relations.get_number(relation)
            offset += len(sentence)
        return tags, relations, parents


def _cut_example(example: Example) -> Iterator[Example]:
    """Split a long example between sentences, into parts of similar length."""
    count = len(example.text)
    parts = max(1, -(-count // EXAMPLE_WORDS))
    sentences = np.flatnonzero(np.diff(example.text.sentences, prepend=-1))
    aims = np.arange(1, parts) * count // parts
    edges = {int(sentences[np.abs(sentences - aim).argmin()]) for aim in aims}
    for start, end in pairwise(sorted({0, count} | edges)):
        is_inside = (example.spans[:, 0] >= start) & (example.spans[:, 1] < end)
        heads, parents = example.heads[is_inside], example.parents[start:end]
        is_near = (parents >= start) & (parents < end)
        yield Example(
            example.text.cut(start, end),
            example.spans[is_inside] - start,
            example.entities[is_inside],
            np.where(heads < 0, -1, heads - start),
            example.types[is_inside],
            example.tags[start:end],
            example.relations[start:end],
            np.where(is_near, parents - start, -1),
            example.has_all_mentions,
        )


class EncoderLayer(nn.Module):
    """A layer of BERT."""

    def __init__(self, config: Mapping[str, Any], dropout: float) -> None:
        super().__init__()
        width, inner = config["hidden_size"], config["intermediate_size"]
        epsilon = config.get("layer_norm_eps", 1e-12)
        self.heads = config["num_attention_heads"]
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.norm1 = nn.LayerNorm(width, eps=epsilon)
        self.inner = nn.Linear(width, inner)
        self.outer = nn.Linear(inner, width)
        self.norm2 = nn.LayerNorm(width, eps=epsilon)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Return new vectors; attention is to the subwords that the mask allows."""
        batch, count, width = x.shape
        mixed = self.qkv(x).view(batch, count, 3, self.heads, -1)
        query, key, value = mixed.permute(2, 0, 3, 1, 4)
        attended = functional.scaled_dot_product_attention(query, key, value, mask)
        joined = attended.transpose(1, 2).reshape(batch, count, width)
        x = self.norm1(x + self.dropout(self.out(joined)))
        return self.norm2(x + self.dropout(self.outer(_gelu(self.inner(x)))))


class TrainedNetwork(nn.Module):
    """The network of `cistell.neural.network`, implemented in PyTorch."""

    def __init__(
        self,
        config: Mapping[str, Any],
        options: TrainingOptions,
        reader: ExampleReader,
        lexicon: AgreementLexicon,
    ) -> None:
        super().__init__()
        self.options, self.lexicon, self.tokenizer = options, lexicon, reader.tokenizer
        self.random = np.random.Generator(np.random.SFC64(options.seed))
        self.dropout = nn.Dropout(options.dropout)
        self.encoder_dropout = nn.Dropout(options.encoder_dropout)
        width = config["hidden_size"]
        self.embedding = nn.Embedding(config["vocab_size"], width)
        self.position = nn.Embedding(config["max_position_embeddings"], width)
        self.norm = nn.LayerNorm(width, eps=config.get("layer_norm_eps", 1e-12))
        self.layer = nn.ModuleList(
            EncoderLayer(config, options.encoder_dropout)
            for _ in range(config["num_hidden_layers"])
        )
        self.shape = nn.Embedding(SHAPES, width)
        nn.init.zeros_(self.shape.weight)
        self.start, self.end = nn.Linear(width, _SPAN), nn.Linear(width, _SPAN)
        self.start_score = nn.Linear(_SPAN, 1, bias=False)
        self.end_score = nn.Linear(_SPAN, 1, bias=False)
        self.span = nn.Parameter(torch.zeros(_SPAN, _SPAN))
        # Few spans are mentions.
        self.width = nn.Parameter(torch.full((MAX_MENTION_WORDS,), -3.0))
        self.head = nn.Linear(width, 1, bias=False)
        self.mention = nn.Linear(3 * width, _VECTOR)
        self.link = nn.ModuleDict(
            {
                "query": nn.Linear(_VECTOR, _PRODUCTS * _PRODUCT),
                "key": nn.Linear(_VECTOR, _PRODUCTS * _PRODUCT),
                "mix": nn.Linear(_PRODUCTS, _HIDDEN, bias=False),
                "features": nn.Linear(PAIR_FEATURES, _HIDDEN, bias=False),
                "anaphor": nn.Linear(_VECTOR, _HIDDEN),
                "antecedent": nn.Linear(_VECTOR, _HIDDEN, bias=False),
                "score": nn.Linear(_HIDDEN, 1, bias=False),
            }
        )
        self.new = nn.Linear(_VECTOR, 1)
        self.rescore = nn.Linear(_VECTOR, 1)
        nn.init.zeros_(self.rescore.weight)
        # Auxiliary tasks; inference does not require them.
        self.auxiliary = nn.ModuleDict(
            {
                "kind": nn.Linear(_VECTOR, max(1, len(reader.types))),
                "tag": nn.Linear(width, max(1, len(reader.tags))),
                "relation": nn.Linear(width, max(1, len(reader.relations))),
                "child": nn.Linear(width, _ARC),
                "parent": nn.Linear(width, _ARC),
            }
        )

    def put(self, array: NDArray[Any]) -> Tensor:
        """Copy an array to the device of the network."""
        return torch.from_numpy(np.ascontiguousarray(array)).to(
            self.width.device, non_blocking=True
        )

    def compute_losses(self, example: Example) -> dict[str, Tensor]:
        """Compute the losses of an example, by task."""
        text = example.text
        x = self._encode(text)
        bounds = self.put(text.bounds)
        first, last = self.dropout(x[bounds[:-1]]), self.dropout(x[bounds[1:] - 1])
        losses = self._compute_tree_losses(example, first)
        losses["mentions"], logits, likely = self._compute_mention_loss(
            example, first, last
        )
        numbers = {span: i for i, span in enumerate(map(tuple, example.spans.tolist()))}
        rows = sorted(
            numbers.keys() | set(map(tuple, likely.tolist())),
            key=lambda span: (span[0], -span[1]),
        )
        if len(rows) < 2:
            return losses
        spans = np.array(rows, np.int64)
        # For each span, the index of the annotated mention, or -1.
        annotated = np.array([numbers.get(span, -1) for span in rows])
        vectors, heads, losses["heads"] = self._represent_mentions(
            example, first, last, spans, annotated
        )
        if example.has_all_mentions:
            cells = self.put(
                spans[:, 0] * MAX_MENTION_WORDS + spans[:, 1] - spans[:, 0]
            )
            rescored = logits[cells] + self.rescore(vectors)[:, 0].float()
            targets = self.put((annotated >= 0).astype(np.float32))
            loss = functional.binary_cross_entropy_with_logits(
                rescored, targets, reduction="sum"
            )
            losses["rescoring"] = 3 * loss / len(text)
        table = PairTable(text, spans, heads, self.lexicon, example.traits)
        entities = _select(example.entities, annotated)
        losses["links"] = self._compute_link_loss(table, vectors, entities)
        types = self.put(_select(example.types, annotated))
        losses["types"] = 0.2 * _cross_entropy(self.auxiliary["kind"](vectors), types)
        return losses

    def _encode(self, text: TokenizedText) -> Tensor:
        """Compute a vector for each subword; some subwords are masked."""
        options, random = self.options, self.random
        size = int(random.integers(int(0.7 * options.window), options.window + 1))
        windows = cut_windows(text.bounds, size=size - 2, margin=options.margin)
        rows = [text.bounds[list(window)].tolist() for window in windows]
        length = max(row[1] - row[0] for row in rows) + 2
        ids, shapes = text.pieces.copy(), np.repeat(text.shapes, np.diff(text.bounds))
        share = 2 * options.masking * random.random()
        ids[random.random(len(ids)) < share] = self.tokenizer.get_number(MASK)
        pieces = np.zeros((len(rows), length), np.int64)
        visible = np.zeros((len(rows), length), bool)
        # Row SHAPES of the table is zero.
        padded_shapes = np.full((len(rows), length), SHAPES)
        places = np.empty(len(ids), np.int64)
        # So that texts without capitals and line breaks are supported.
        has_shapes = random.random() > 0.1
        for i, (start, end, begin, stop) in enumerate(rows):
            count = end - start
            pieces[i, 0] = self.tokenizer.get_number(START)
            pieces[i, 1 : count + 1] = ids[start:end]
            pieces[i, count + 1] = self.tokenizer.get_number(STOP)
            visible[i, : count + 2] = True
            if has_shapes:
                padded_shapes[i, 1 : count + 1] = shapes[start:end]
            places[begin:stop] = i * length + 1 + np.arange(begin - start, stop - start)
        table = functional.pad(self.shape.weight, (0, 0, 0, 1))
        x = self.embedding(self.put(pieces)) + self.position.weight[:length]
        x = x + functional.embedding(self.put(padded_shapes), table)
        x = self.encoder_dropout(self.norm(x))
        mask = self.put(visible)[:, None, None]
        for layer in self.layer:
            x = layer(x, mask)
        return x.flatten(0, 1)[self.put(places)]

    def _compute_mention_loss(
        self, example: Example, first: Tensor, last: Tensor
    ) -> tuple[Tensor, Tensor, Ints]:
        """Compute the loss of span scores, these scores, and likely mentions."""
        text, count = example.text, len(example.text)
        starts = self.dropout(_gelu(self.start(first)))
        ends = self.dropout(_gelu(self.end(last)))
        products = starts @ self.span
        lengths = torch.arange(MAX_MENTION_WORDS, device=first.device)
        last_words = torch.arange(count, device=first.device)[:, None] + lengths
        allowed = last_words < count
        last_words = last_words.clamp(max=count - 1)
        paragraphs = self.put(text.paragraphs)
        allowed &= paragraphs[:, None] == paragraphs[last_words]
        blocks = []
        # Computing the scores of all pairs of words would require too much memory.
        for start in range(0, count, 4 * _BLOCK):
            rows = slice(start, start + 4 * _BLOCK)
            near = ends[start : start + 4 * _BLOCK + MAX_MENTION_WORDS - 1]
            blocks.append((products[rows] @ near.T).gather(1, last_words[rows] - start))
        scores = torch.cat(blocks).float() + self.width + self.start_score(starts)
        scores = scores + self.end_score(ends)[last_words, 0]
        places = example.spans[:, 0] * MAX_MENTION_WORDS
        places = places + example.spans[:, 1] - example.spans[:, 0]
        targets = torch.zeros_like(scores).flatten()
        targets[self.put(places)] = 1
        losses = functional.binary_cross_entropy_with_logits(
            scores.flatten(), targets, reduction="none"
        )
        if not example.has_all_mentions:
            is_judged = self._find_judged(example.spans, targets.view_as(scores))
            loss = (losses * (allowed & is_judged).flatten()).sum()
            return 3 * loss / count, scores, np.zeros((0, 2), np.int64)
        loss = (losses * allowed.flatten()).sum()
        logits = scores.detach().masked_fill(~allowed, _IMPOSSIBLE).flatten()
        best, order = logits.topk(int(_CANDIDATES_PER_WORD * count) + 1)
        likely = order[best > _CANDIDATE_LOGIT].cpu().numpy()
        row, length = np.divmod(likely, MAX_MENTION_WORDS)
        return 3 * loss / count, scores.flatten(), np.stack([row, row + length], axis=1)

    def _find_judged(self, spans: Ints, targets: Tensor) -> Tensor:
        """Return which spans are certain if some mentions are not annotated.

        Spans that cross an annotated mention, or are a part of it from its start, are
        not mentions.
        """
        starts = torch.arange(len(targets), device=targets.device)[:, None, None]
        ends = starts + torch.arange(MAX_MENTION_WORDS, device=targets.device)[:, None]
        first, last = self.put(spans.T.copy())
        crossing = (first < starts) & (starts <= last) & (last < ends)
        crossing |= (starts < first) & (first <= ends) & (ends < last)
        crossing |= (starts == first) & (ends < last)
        return crossing.any(-1) | (targets > 0)

    def _represent_mentions(
        self,
        example: Example,
        first: Tensor,
        last: Tensor,
        spans: Ints,
        annotated: Ints,
    ) -> tuple[Tensor, Ints, Tensor]:
        """Compute vectors of spans, their most likely heads, and the loss of heads."""
        lengths = spans[:, 1] - spans[:, 0] + 1
        columns = np.arange(lengths.max())
        is_inside = self.put(columns < lengths[:, None])
        words = self.put(np.minimum(spans[:, :1] + columns, spans[:, 1:]))
        scores = self.head(first)[words, 0].float().masked_fill(~is_inside, _IMPOSSIBLE)
        shares = torch.softmax(scores, 1).to(first.dtype)
        means = (shares[:, None] @ first[words])[:, 0]
        bounds = self.put(spans)
        joined = torch.cat([first[bounds[:, 0]], last[bounds[:, 1]], means], 1)
        heads = _select(example.heads, annotated)
        targets = self.put(np.where(heads < 0, -1, heads - spans[:, 0]))
        return (
            self.dropout(_gelu(self.mention(joined))),
            spans[:, 0] + scores.argmax(1).cpu().numpy(),
            0.3 * _cross_entropy(scores, targets),
        )

    def _compute_link_loss(
        self, table: PairTable, vectors: Tensor, entities: Ints
    ) -> Tensor:
        """Compute the mean negative log-likelihood of the correct antecedents.

        Spans without an entity have the index -1: a new entity is correct for them.
        """
        link, count = self.link, len(vectors)
        query = link["query"](vectors).view(count, _PRODUCTS, -1).transpose(0, 1)
        key = link["key"](vectors).view(count, _PRODUCTS, -1).permute(1, 2, 0)
        products = (query * _PRODUCT**-0.5) @ key
        columns, content = self.put(table.columns), self.put(table.content.toarray())
        with torch.autocast(content.device.type, enabled=False):
            shared = content @ content.T
        flags, categories = compare_columns(columns, columns, shared)
        units = [functional.one_hot(values, size) for values, size in categories]
        features = torch.cat([torch.stack(flags, -1), *units], -1).to(vectors.dtype)
        hidden = link["mix"](products.movedim(0, -1)) + link["features"](features)
        hidden = (
            hidden + link["anaphor"](vectors)[:, None] + link["antecedent"](vectors)
        )
        scores = (
            link["score"](_gelu(hidden))[..., 0].float() - self.new(vectors).float()
        )
        numbers = self.put(entities)
        is_right = (numbers[:, None] == numbers) & (numbers >= 0)
        is_before = torch.ones_like(is_right).tril(-1)
        is_right &= is_before
        # The score of a new entity is 0.
        scores = functional.pad(scores.masked_fill(~is_before, _IMPOSSIBLE), (1, 0))
        is_right = torch.cat([~is_right.any(1, keepdim=True), is_right], 1)
        best = scores.masked_fill(~is_right, _IMPOSSIBLE).logsumexp(1)
        return (scores.logsumexp(1) - best).mean()

    def _compute_tree_losses(
        self, example: Example, first: Tensor
    ) -> dict[str, Tensor]:
        auxiliary, count = self.auxiliary, len(example.text)
        zero = first.new_zeros((), dtype=torch.float32)
        losses = dict.fromkeys(("tags", "relations", "trees"), zero)
        if not (example.parents >= 0).any():
            return losses
        tags, relations = self.put(example.tags), self.put(example.relations)
        losses["tags"] = 0.3 * _cross_entropy(auxiliary["tag"](first), tags)
        logits = auxiliary["relation"](first)
        losses["relations"] = 0.3 * _cross_entropy(logits, relations)
        children = self.dropout(_gelu(auxiliary["child"](first)))
        parents = self.dropout(_gelu(auxiliary["parent"](first)))
        for start in range(0, count, 4 * _BLOCK):
            # Distant parents are ignored.
            stop, near = start + 4 * _BLOCK, max(0, start - _BLOCK)
            logits = children[start:stop] @ parents[near : stop + _BLOCK].T
            targets = example.parents[start:stop] - near
            is_near = (example.parents[start:stop] >= 0) & (targets >= 0)
            targets[~is_near | (targets >= logits.shape[1])] = -1
            share = len(targets) / count
            loss = _cross_entropy(logits, self.put(targets))
            losses["trees"] = losses["trees"] + 0.3 * share * loss
        return losses

    def export_weights(self) -> dict[str, NDArray[Any]]:
        """Return the weights, by the names that `Network` requires."""
        weights = {}
        for name, tensor in self.state_dict().items():
            array = tensor.float().cpu().numpy().copy()
            path, _, kind = name.rpartition(".")
            if path.startswith("auxiliary"):
                continue
            if "norm" in path:
                kind = {"weight": "scale", "bias": "shift"}[kind]
            elif path in _TABLES or not path:
                path, kind = path or kind, ""
            elif array.ndim == 2:
                array = np.ascontiguousarray(array.T)
            if path in _VECTORS or path in _MATRICES:
                array, kind = array[:, 0] if path in _VECTORS else array, ""
            weights[f"{path}.{kind}" if kind else path] = array
        for name in ("new.weight", "rescore.weight"):
            weights[name] = weights[name][:, 0]
        return weights


_TABLES = ("embedding", "position", "shape")
# Linear layers without a bias, of one output and of several.
_VECTORS = ("start_score", "end_score", "head", "link.score")
_MATRICES = ("link.mix", "link.features", "link.antecedent")


def _gelu(x: Tensor) -> Tensor:
    return functional.gelu(x, approximate="tanh")


def _select(values: Ints, numbers: Ints) -> Ints:
    """Return the values with these indices; the index -1 returns -1."""
    return np.append(values, -1)[numbers]


def _cross_entropy(logits: Tensor, targets: Tensor) -> Tensor:
    """Compute the mean loss; targets of -1 are ignored."""
    total = functional.cross_entropy(
        logits.float(), targets, ignore_index=-1, reduction="sum"
    )
    return total / (targets >= 0).sum().clamp(min=1)


def find_encoder(encoder: str | os.PathLike[str]) -> Path:
    """Return the folder of an encoder; a name on the Hugging Face hub is downloaded."""
    if Path(encoder).is_dir():
        return Path(encoder)
    try:
        hub = import_module("huggingface_hub")
    except ImportError as error:
        message = "the folder of the encoder does not exist"
        hint = "name a folder, or install huggingface_hub for names of its hub"
        code = "model/unreadable"
        raise FormatError(message, code=code, place=str(encoder), hint=hint) from error
    return Path(hub.snapshot_download(str(encoder)))


def read_encoder(
    folder: Path,
) -> tuple[Mapping[str, Any], Mapping[str, Tensor], Tokenizer]:
    """Load the configuration, weights and tokenizer of a BERT encoder.

    Args:
        folder: a folder as Hugging Face's libraries write it, with `config.json`,
            `vocab.txt`, and `model.safetensors` or `pytorch_model.bin`.
    """
    names = ("config.json", "vocab.txt")
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        message = f"the folder has no file {missing[0]}"
        hint = "name a folder with a BERT encoder in the layout of Hugging Face"
        raise FormatError(
            message, code="model/missing-part", place=str(folder), hint=hint
        )
    config = json.loads((folder / "config.json").read_text("utf-8"))
    if (kind := config.get("model_type", "bert")) != "bert":
        message = f"the encoder is of type {kind}, expected bert"
        raise FormatError(message, code="model/unsupported", place=str(folder))
    lowercase = True
    if (path := folder / "tokenizer_config.json").is_file():
        lowercase = json.loads(path.read_text("utf-8")).get("do_lower_case", True)
    vocabulary = (folder / "vocab.txt").read_text("utf-8").removesuffix("\n")
    if (path := folder / "model.safetensors").is_file():
        weights = _read_safetensors(path)
    else:
        path = folder / "pytorch_model.bin"
        weights = torch.load(path, map_location="cpu", weights_only=True)
    weights = {
        name.removeprefix("bert.").replace("gamma", "weight").replace("beta", "bias"): w
        for name, w in weights.items()
    }
    return config, weights, Tokenizer(vocabulary.split("\n"), lowercase=lowercase)


def _read_safetensors(path: Path) -> dict[str, Tensor]:
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    types = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}
    weights = {}
    for name, entry in json.loads(data[8:start]).items():
        if name != "__metadata__" and entry["dtype"] in types:
            first, end = entry["data_offsets"]
            body = bytearray(data[start + first : start + end])
            flat = torch.frombuffer(body, dtype=types[entry["dtype"]])
            weights[name] = flat.view(entry["shape"]).float()
    return weights


def copy_encoder(network: TrainedNetwork, weights: Mapping[str, Tensor]) -> None:
    """Initialize the network with the weights of an encoder."""
    norm = "embeddings.LayerNorm"
    position = weights["embeddings.position_embeddings.weight"]
    state = {
        "embedding.weight": weights["embeddings.word_embeddings.weight"],
        "position.weight": position
        + weights["embeddings.token_type_embeddings.weight"][0],
        "norm.weight": weights[f"{norm}.weight"],
        "norm.bias": weights[f"{norm}.bias"],
    }
    layers = {
        "out": "attention.output.dense",
        "norm1": "attention.output.LayerNorm",
        "inner": "intermediate.dense",
        "outer": "output.dense",
        "norm2": "output.LayerNorm",
    }
    for i in range(len(network.layer)):
        source = f"encoder.layer.{i}"
        for kind in ("weight", "bias"):
            for name, origin in layers.items():
                state[f"layer.{i}.{name}.{kind}"] = weights[f"{source}.{origin}.{kind}"]
            parts = [
                weights[f"{source}.attention.self.{name}.{kind}"]
                for name in ("query", "key", "value")
            ]
            state[f"layer.{i}.qkv.{kind}"] = torch.cat(parts)
    network.load_state_dict(state, strict=False)


class Training:
    """The state of a training: network, moving average, optimizer and schedule."""

    def __init__(
        self, network: TrainedNetwork, options: TrainingOptions, steps: int
    ) -> None:
        self.network, self.options, self.steps = network, options, max(1, steps)
        self.step = self.epoch = 0
        network.embedding.weight.requires_grad_(False)
        parameters = {n: p for n, p in network.named_parameters() if p.requires_grad}
        self.trained = list(parameters.values())
        self.average = [parameter.detach().clone() for parameter in self.trained]
        groups: dict[tuple[float, float], list[nn.Parameter]] = {}
        for name, parameter in parameters.items():
            key = self._find_rate(name), 0.01 * (parameter.ndim > 1)
            groups.setdefault(key, []).append(parameter)
        self.optimizer = torch.optim.AdamW(
            [
                {"params": members, "lr": rate, "weight_decay": decay}
                for (rate, decay), members in groups.items()
            ],
            betas=(0.9, 0.98),
            eps=1e-6,
            fused=True,
        )
        self.rates = [group["lr"] for group in self.optimizer.param_groups]

    def _find_rate(self, name: str) -> float:
        options, depth = self.options, len(self.network.layer)
        kind, _, suffix = name.partition(".")
        if kind not in ("layer", "position", "norm"):
            return options.rate
        below = depth - 1 - int(suffix.partition(".")[0]) if kind == "layer" else depth
        return options.encoder_rate * options.layer_decay**below

    def learn(self, example: Example) -> dict[str, Tensor]:
        """Process an example, and return its losses."""
        warm = 0.06 * self.steps
        factor = min(1.0, (self.step + 1) / warm, 1.02 - self.step / self.steps)
        for group, rate in zip(self.optimizer.param_groups, self.rates, strict=True):
            group["lr"] = rate * factor
        self.network.train()
        with torch.autocast(self.network.width.device.type, torch.bfloat16):
            losses = self.network.compute_losses(example)
        self.optimizer.zero_grad()
        torch.stack([loss.float() for loss in losses.values()]).sum().backward()
        nn.utils.clip_grad_norm_(self.trained, 1.0)
        self.optimizer.step()
        self.step += 1
        decay = min(self.options.averaging, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            torch._foreach_lerp_(self.average, self.trained, 1 - decay)
        return {name: loss.detach() for name, loss in losses.items()}

    def save(self, path: Path) -> None:
        """Serialize a checkpoint."""
        state = {
            "network": self.network.state_dict(),
            "average": self.average,
            "optimizer": self.optimizer.state_dict(),
            "random": torch.get_rng_state(),
            "progress": torch.tensor([self.step, self.epoch]),
        }
        unfinished = path.with_name(f"{path.name}.part")
        torch.save(state, unfinished)
        unfinished.replace(path)

    def load(self, path: Path) -> None:
        """Restore a checkpoint of a training with the same options and data."""
        state = torch.load(path, map_location="cpu", weights_only=True)
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"])
        for average, value in zip(self.average, state["average"], strict=True):
            average.copy_(value)
        self.step, self.epoch = state["progress"].tolist()

    def export(self) -> dict[str, NDArray[Any]]:
        """Return the averaged weights."""
        current = [parameter.detach().clone() for parameter in self.trained]
        with torch.no_grad():
            torch._foreach_copy_(self.trained, self.average)
            weights = self.network.export_weights()
            torch._foreach_copy_(self.trained, current)
        return weights


def train(
    folder: str | os.PathLike[str],
    *,
    encoder: str | os.PathLike[str],
    links: Iterable[str | os.PathLike[str]] = (),
    language: str = "en",
    options: TrainingOptions | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    title: str = "",
    progress: Callable[[str], None] = lambda _: None,
) -> tuple[NeuralResolver, dict[str, Any]]:
    """Train a resolver on annotated documents.

    Args:
        folder: a folder with a corpus: files with `train`, `dev` and `test` in their
            names. Without `dev`, a tenth of the training documents is held out.
        encoder: the folder of a BERT encoder, as `read_encoder` reads it.
        links: files or folders of documents in which not all mentions are annotated;
            only link losses are computed for them.
        language: of the word lists: `en`, `es` or `fr`.
        options: hyperparameters.
        checkpoint: a file that is written after each epoch and removed at the end; an
            interrupted training continues from it.
        title: of the card of the model.
        progress: called with a line after each epoch.

    Returns:
        The resolver, and a report: losses by epoch, thresholds, and CoNLL scores of the
        development and test documents.
    """
    options = options or TrainingOptions()
    links = list(links)
    parts = read_parts(Path(folder))
    config, weights, tokenizer = read_encoder(find_encoder(encoder))
    lists = read_word_lists(language)
    reader = ExampleReader(tokenizer)
    examples = [example for d in parts["train"] for example in reader.read(d)]
    for path in links:
        for document in corefkit.read(path):
            examples += reader.read(document, has_all_mentions=False)
    torch.manual_seed(options.seed)
    network = TrainedNetwork(config, options, reader, AgreementLexicon.from_dict(lists))
    copy_encoder(network, weights)
    network.to("cuda" if torch.cuda.is_available() else "cpu")
    training = Training(network, options, options.epochs * len(examples))
    if checkpoint and Path(checkpoint).exists():
        training.load(Path(checkpoint))
    sizes = NetworkSizes(
        config["num_attention_heads"],
        config.get("layer_norm_eps", 1e-12),
        options.window,
        # Words that the network represents have more context than in training.
        options.window // 9,
    )
    epochs = []
    while training.epoch < options.epochs:
        began = time.monotonic()
        total = dict.fromkeys(_LOSSES, network.width.new_zeros(()))
        # Seeded by epoch, so that a resumed training sees the same.
        seed = options.seed * 1000 + training.epoch
        network.random.bit_generator.state = np.random.SFC64(seed).state
        for i in network.random.permutation(len(examples)):
            for name, loss in training.learn(examples[i]).items():
                total[name] = total[name] + loss / len(examples)
        training.epoch += 1
        epochs.append({name: round(float(loss), 5) for name, loss in total.items()})
        shown = ", ".join(f"{name} {loss:.3f}" for name, loss in epochs[-1].items())
        seconds = time.monotonic() - began
        progress(f"epoch {training.epoch}/{options.epochs}: {shown}; {seconds:.0f} s")
        if checkpoint:
            training.save(Path(checkpoint))
    resolver = NeuralResolver(Network(training.export(), sizes), tokenizer, lists)
    resolver = replace(resolver, thresholds=choose_thresholds(resolver, parts["dev"]))
    report: dict[str, Any] = {
        "options": asdict(options),
        "losses": epochs,
        "thresholds": asdict(resolver.thresholds),
    }
    for name in ("dev", "test"):
        if parts[name]:
            responses = [resolver.resolve_document(d) for d in parts[name]]
            report[name] = score_responses(parts[name], responses)
            progress(f"{name}: {report[name]}")
    if checkpoint:
        Path(checkpoint).unlink(missing_ok=True)
    card = {
        "title": title or Path(folder).name,
        "language": language,
        "encoder": config.get("_name_or_path") or Path(encoder).name,
        "documents": len(parts["train"]),
        "words": sum(len(document.tokens) for document in parts["train"]),
        "links": [Path(path).name for path in links],
        **{name: report[name] for name in ("options", "thresholds")},
        "scores": {name: report[name] for name in ("dev", "test") if name in report},
    }
    return replace(resolver, card=card), report


_LOSSES = (
    "mentions",
    "rescoring",
    "links",
    "heads",
    "types",
    "tags",
    "relations",
    "trees",
)


def read_parts(folder: Path) -> dict[str, list[Document]]:
    """Load the documents of a corpus, by its parts `train`, `dev` and `test`."""
    parts: dict[str, list[Document]] = {}
    for name in ("train", "dev", "test"):
        paths = sorted(path for path in folder.glob("*") if name in path.name.lower())
        parts[name] = [d for path in paths for d in corefkit.read(path)]
    if not parts["train"]:
        message = "the folder has no file or folder with `train` in its name"
        raise FormatError(message, code="model/missing-part", place=str(folder))
    if not parts["dev"]:
        parts["dev"] = parts["train"][::10]
        del parts["train"][::10]
    return parts


def choose_thresholds(
    resolver: NeuralResolver, documents: Sequence[Document]
) -> Thresholds:
    """Return the thresholds with the best mean of all CoNLL scores."""
    lowest = replace(resolver, thresholds=Thresholds(_MENTION_LOGITS[0]))
    texts = [resolver.read_document(document) for document in documents]
    mentions = [lowest.find_mentions(text.tokenized) for text in texts]

    def rate(mention: float, link: float) -> float:
        chosen = replace(resolver, thresholds=Thresholds(mention, link))
        responses = [
            chosen.link_document(text, arrays.select(arrays.scores > mention))
            for text, arrays in zip(texts, mentions, strict=True)
        ]
        return sum(score_responses(documents, responses).values())

    mention = max(_MENTION_LOGITS, key=lambda logit: rate(logit, 0.0))
    link = max(_LINK_LOGITS, key=lambda logit: rate(mention, logit))
    return Thresholds(mention, link)


_MENTION_LOGITS = (-2.5, -2.0, -1.5, -1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5)
_LINK_LOGITS = (0.0, -2.0, -1.5, -1.0, -0.5, 0.5, 1.0)


def score_responses(
    documents: Sequence[Document], responses: Sequence[Document]
) -> dict[str, float]:
    """Return CoNLL scores in percent, by setting."""
    settings: dict[str, dict[str, Any]] = {
        "exact": {},
        "exact, no singletons": {"singletons": "drop"},
    }
    if all(m.head is not None for d in documents for e in d for m in e):
        settings["heads, no singletons"] = {"match": "head", "singletons": "drop"}
    return {
        name: 100 * (corefkit.score(documents, responses, **values).conll or 0.0)
        for name, values in settings.items()
    }
