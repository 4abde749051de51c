"""A tiny resolver with random weights."""

import numpy as np

from cistell.mentions.lexicon import read_word_lists
from cistell.neural import NeuralResolver, Thresholds
from cistell.neural.agreement import PAIR_FEATURES
from cistell.neural.network import MAX_MENTION_WORDS, Network, NetworkSizes
from cistell.neural.tokenization import SHAPES, Tokenizer

VOCABULARY = (
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", ",", "'", "“", "”"),
    *("the", "old", "keeper", "of", "zoo", "she", "he", "her", "his", "met"),
    *("helen", "tom", "mrs", "mr", "marsh", "and", "a", "s", "k"),
    *("##s", "##e", "##r", "##ee", "##p"),
)
_WIDTH, _INNER, _SPAN, _VECTOR, _PRODUCTS, _HIDDEN = 24, 48, 16, 20, 4, 6


def make_weights(seed=0, *, layers=2):
    random = np.random.default_rng(seed)

    def draw(*shape):
        return (0.3 * random.standard_normal(shape)).astype(np.float32)

    def draw_norm(name):
        return {f"{name}.scale": 1 + draw(_WIDTH), f"{name}.shift": draw(_WIDTH)}

    linear = {
        "start": (_WIDTH, _SPAN),
        "end": (_WIDTH, _SPAN),
        "mention": (3 * _WIDTH, _VECTOR),
        "link.query": (_VECTOR, 2 * _PRODUCTS),
        "link.key": (_VECTOR, 2 * _PRODUCTS),
        "link.anaphor": (_VECTOR, _HIDDEN),
    }
    weights = {
        "embedding": draw(len(VOCABULARY), _WIDTH),
        "position": draw(128, _WIDTH),
        "shape": draw(SHAPES, _WIDTH),
        **draw_norm("norm"),
        "start_score": draw(_SPAN),
        "end_score": draw(_SPAN),
        "span": draw(_SPAN, _SPAN),
        "width": draw(MAX_MENTION_WORDS) - np.arange(MAX_MENTION_WORDS, dtype="f"),
        "head": draw(_WIDTH),
        "link.mix": draw(_PRODUCTS, _HIDDEN),
        "link.features": draw(PAIR_FEATURES, _HIDDEN),
        "link.antecedent": draw(_VECTOR, _HIDDEN),
        "link.score": draw(_HIDDEN),
        "new.weight": draw(_VECTOR),
        "new.bias": draw(1),
        "rescore.weight": draw(_VECTOR),
        "rescore.bias": draw(1),
    }
    for layer in range(layers):
        path = f"layer.{layer}"
        linear[f"{path}.qkv"] = _WIDTH, 3 * _WIDTH
        linear[f"{path}.out"] = _WIDTH, _WIDTH
        linear[f"{path}.inner"] = _WIDTH, _INNER
        linear[f"{path}.outer"] = _INNER, _WIDTH
        weights |= draw_norm(f"{path}.norm1") | draw_norm(f"{path}.norm2")
    for name, shape in linear.items():
        weights |= {f"{name}.weight": draw(*shape), f"{name}.bias": draw(shape[1])}
    return weights


def make_resolver(seed=0, **thresholds):
    network = Network(make_weights(seed), NetworkSizes(heads=2, window=40, margin=6))
    return NeuralResolver(
        network,
        Tokenizer(VOCABULARY),
        read_word_lists(),
        Thresholds(**thresholds),
        card={"title": "a random model"},
    )
