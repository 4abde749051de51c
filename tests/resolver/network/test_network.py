from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from cistell.network import Course, Network, Sizes
from cistell.network.encoder import Rates
from cistell.network.network import LONGEST
from cistell.network.targets import annotated
from cistell.profiles import ENTITY_TYPES
from corefkit import read
from corefkit.example import trees
from corefkit.exceptions import CorefkitError
from corefkit.model import Document, Entity, Mention

SIZES = Sizes(
    word=16, pieces=16, buckets=512, hidden=24, arc=16, relation=8, pointer=8, label=16
)
NOTHING_DROPPED = Rates(inputs=0, between=0, states=0, parts=0, words=0)
COURSE = Course(epochs=60, words=100, rate=0.02, average=0.9, rates=NOTHING_DROPPED)
SYNTAX = ("lemma", "upos", "feats", "head", "deprel")


@cache
def documents():
    return tuple(read(trees()))


@cache
def network():
    return Network.learn(documents(), sizes=SIZES, course=COURSE)


def test_kinds_of_nouns_are_learned_with_and_kept():
    kinds = {"mill": ("artifact", "act"), "ann": ("person",), "bob": ("person",)}
    course = replace(COURSE, epochs=1)
    learned = Network.learn(documents(), sizes=SIZES, course=course, kinds=kinds)
    kept = Network.load(learned.files())
    assert kept.kinds == kinds
    assert kept.files() == learned.files()
    without = replace(learned, kinds={})
    one, other = (
        next(each.read([words("Mills")])).evidence.types for each in (kept, without)
    )
    assert not np.allclose(one, other)


def words(*sentences, **more):
    """Make a document of sentences, each a text with blanks."""
    return Document("d", tuple(tuple(each.split()) for each in sentences), (), **more)


def reading(document, **options):
    return next(iter(network().read([document], **options)))


def assert_is_tree(document):
    """Check that each sentence has one root, on which all words hang in the end."""
    heads = iter(document.layers["head"])
    relations = iter(document.layers["deprel"])
    for sentence in document.sentences:
        parents = [int(next(heads)) for _ in sentence]
        roots = [next(relations) == "root" for _ in sentence]
        assert roots == [parent == 0 for parent in parents]
        assert sum(roots) == (1 if sentence else 0)
        reached = {0}
        for _ in sentence:
            reached |= {
                word for word, parent in enumerate(parents, 1) if parent in reached
            }
        assert len(reached) == len(sentence) + 1


@cache
def readings():
    return tuple(network().read(documents()))


def share(layer):
    """Return the share of words of which a layer is right."""
    pairs = [
        pair
        for key, found in zip(documents(), readings(), strict=True)
        for pair in zip(key.layers[layer], found.document.layers[layer], strict=True)
    ]
    return sum(one == other for one, other in pairs) / len(pairs)


@pytest.mark.parametrize("layer", SYNTAX)
@pytest.mark.slow
def test_a_network_learns_what_it_is_shown(layer):
    assert share(layer) > 0.95


@pytest.mark.slow
def test_evidence_tells_heads_types_and_edges_of_what_it_is_shown():
    right = {"type": 0, "start": 0, "end": 0}
    total = 0
    sentences = iter(annotated(documents()))
    for found in readings():
        types = iter(found.evidence.types.argmax(axis=1))
        for starts, ends in zip(
            found.evidence.starts, found.evidence.ends, strict=True
        ):
            key = next(sentences)
            for place in range(len(key.forms)):
                kind = next(types)
                if key.types[place]:
                    total += 1
                    right["type"] += kind == key.types[place]
                    right["start"] += starts[place].argmax() == key.starts[place]
                    right["end"] += ends[place].argmax() == key.ends[place]
    assert total > 50
    assert min(right.values()) > 0.95 * total


def test_the_same_seed_makes_the_same_bytes_and_another_does_not():
    course = replace(COURSE, epochs=2, rates=Rates())
    first, again, other = (
        Network.learn(documents(), sizes=SIZES, course=course, seed=seed).files()
        for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


@pytest.mark.slow
def test_a_network_that_was_kept_reads_the_same():
    kept = Network.load(network().files())
    assert kept.files() == network().files()
    for one, other in zip(
        network().read(documents()), kept.read(documents()), strict=True
    ):
        assert one.document == other.document
        assert np.array_equal(one.evidence.types, other.evidence.types)


def test_documents_are_read_alike_alone_and_with_others():
    together = list(network().read(documents()))
    for document, found in zip(documents(), together, strict=True):
        alone = reading(document)
        assert alone.document == found.document
        assert np.allclose(alone.evidence.types, found.evidence.types, atol=1e-5)


def test_entities_and_other_layers_are_kept():
    document = documents()[0]
    document = replace(
        document, layers={**document.layers, "speaker": ("A",) * len(document.tokens)}
    )
    found = reading(document).document
    assert found.entities == document.entities
    assert found.layers["speaker"] == document.layers["speaker"]
    assert found.layers.get("misc") == document.layers.get("misc")


def test_without_trees_a_document_stays_as_it_is():
    document = documents()[0]
    found = reading(document, trees=False)
    assert found.document is document
    assert np.allclose(found.evidence.types, reading(document).evidence.types)


@pytest.mark.parametrize(
    "document",
    [
        Document("d", (), ()),
        words(""),
        words("", "Go !", ""),
        words("Go"),
        words("\ufffd \x00 \U0001f600 日本語 Ünïcödé ß"),
        words("a" * 500 + " " + "'" * 100),
        Document("d", (("",), (" ", "\ud800")), ()),
    ],
    ids=["nothing", "empty", "empty among others", "a word", "odd", "long", "blank"],
)
def test_odd_documents_are_read(document):
    found = reading(document)
    assert_is_tree(found.document)
    assert found.document.sentences == document.sentences
    sizes = [len(sentence) for sentence in document.sentences]
    assert found.evidence.types.shape == (sum(sizes), len(ENTITY_TYPES))
    for squares in (found.evidence.starts, found.evidence.ends):
        assert [square.shape for square in squares] == [(size, size) for size in sizes]
        assert all(np.allclose(square.sum(axis=1), 1) for square in squares)


@pytest.mark.slow
def test_a_sentence_of_2000_words_is_read():
    sentence = "Ann saw the old mill of Bob and left . " * 200
    assert_is_tree(reading(words(sentence, "Go !")).document)


def test_a_sentence_that_is_far_too_long_is_refused():
    with pytest.raises(CorefkitError, match=r"sentence 2: has 3,001 words"):
        reading(words("Go !", "a " * (LONGEST + 1)))


def test_empty_nodes_get_no_syntax_and_no_evidence():
    plain, document = words("Ann left"), words("Ann * left", empty=(1,))
    expected, found = reading(plain), reading(document)
    for layer in SYNTAX:
        one, hidden, other = found.document.layers[layer]
        assert ((one, other), hidden) == (expected.document.layers[layer], "_")
    assert found.evidence.types[1, 0] == 1
    assert not found.evidence.starts[0][1].any()
    assert np.allclose(
        found.evidence.ends[0][np.ix_([0, 2], [0, 2])], expected.evidence.ends[0]
    )


def test_nothing_to_learn_from_is_an_error():
    with pytest.raises(CorefkitError, match="no sentences"):
        Network.learn([])


@pytest.mark.parametrize(
    ("layers", "message"),
    [
        ({}, "has no UPOS"),
        ({"upos": ("X", "_"), "head": ("0", "1"), "deprel": ("root", "x")}, "UPOS"),
        ({"upos": ("X", "X"), "deprel": ("root", "x")}, "has no HEAD"),
        (
            {"upos": ("X", "X"), "head": ("0", "3"), "deprel": ("root", "x")},
            "HEAD '3' of word 2 in a sentence of 2 words",
        ),
    ],
)
def test_documents_without_trees_are_refused(layers, message):
    with pytest.raises(CorefkitError, match=message):
        Network.learn([words("Go on", layers=layers)])


@pytest.mark.parametrize(
    "damage",
    [
        lambda files: files.pop("names.json"),
        lambda files: files.update({"weights.float16": b"123"}),
        lambda files: files.update({"weights.float16": files["weights.float16"][:-2]}),
        lambda files: files.update({"weights.float16": files["weights.float16"] * 2}),
        lambda files: files.update({"names.json": b"[]"}),
        lambda files: files.update({"names.json": b"{}"}),
    ],
)
def test_damaged_files_are_refused(damage):
    files = network().files()
    damage(files)
    with pytest.raises(CorefkitError, match="damaged"):
        Network.load(files)


def test_of_mentions_with_one_head_the_longest_without_coordination_is_learned():
    layers = {
        "upos": ("PROPN", "ADP", "PROPN", "CCONJ", "PROPN", "VERB"),
        "head": ("6", "3", "1", "5", "1", "0"),
        "deprel": ("nsubj", "case", "nmod", "cc", "conj", "root"),
    }
    mentions = [
        Mention(0, end, attributes={"type": "person"} if end < 4 else {})
        for end in (0, 2, 4)
    ]
    document = words("Ann of Rome and Bob left", layers=layers)
    document = replace(
        document, entities=tuple(Entity(str(m.end), (m,)) for m in mentions)
    )
    sentence = annotated([document])[0]
    assert (sentence.starts[0], sentence.ends[0]) == (0, 2)
    assert sentence.types == (ENTITY_TYPES.index("person"), 0, 0, 0, 0, 0)


def test_a_mention_without_type_is_of_another_type_than_none():
    layers = {"upos": ("X",), "head": ("0",), "deprel": ("root",)}
    document = words("It", layers=layers)
    document = replace(document, entities=(Entity("1", (Mention(0, 0),)),))
    assert annotated([document])[0].types == (ENTITY_TYPES.index("other"),)
