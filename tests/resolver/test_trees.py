from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from resolver.taggers.sentences import parsed

import corefkit
from cistell.mentions.words import read_word_tree
from corefkit.model import Document

MILL = "The/DET/2/det old/ADJ/3/amod mill/NOUN/0/root"


def get_tree(document):
    return read_word_tree(document)[1]


def under(parents, word):
    """Return all words under a word, the slow way; None where they go in a circle."""
    found, todo = {word}, [word]
    while todo:
        top = todo.pop()
        for child, parent in enumerate(parents):
            if parent == top:
                if child in found:
                    return None
                found.add(child)
                todo.append(child)
    return found


def is_unbroken(words):
    return max(words) - min(words) + 1 == len(words)


def test_words_are_numbered_through_the_document():
    tree = get_tree(parsed("Ann/PROPN/2/nsubj left/VERB/0/root", MILL))
    assert tree.parents == [1, -1, 3, 4, -1]
    assert tree.edges == [(0, 1), (0, 1), (2, 4), (2, 4), (2, 4)]
    assert tree.children[1] == [0]


def test_empty_nodes_have_no_place_in_the_tree():
    document = parsed("Ann/PROPN/2/nsubj */PRON left/VERB/0/root")
    tokens, tree = read_word_tree(document)
    assert (tokens, tree.parents, tree.forms) == ([0, 2], [1, -1], ["Ann", "left"])


@given(st.lists(st.integers(0, 9), min_size=1, max_size=9))
def test_stretch_is_what_is_under_a_word_without_gaps(heads):
    line = " ".join(f"w/NOUN/{head}/dep" for head in heads)
    tree = get_tree(parsed(line))
    for word, (left, right) in enumerate(tree.stretches):
        inside = under(tree.parents, word)
        if inside is None:
            continue
        assert left <= word <= right
        assert {*range(left, right + 1)} <= inside
        if all(is_unbroken(under(tree.parents, one)) for one in inside):
            assert (left, right) == (min(inside), max(inside))


@pytest.mark.slow
def test_deep_tree_is_read_without_recursion():
    words = [f"w/NOUN/{number}/nmod" for number in range(5000)]
    assert get_tree(parsed(" ".join(words))).stretches[0] == (0, 4999)


def test_circle_is_no_tree_and_does_not_hang():
    tree = get_tree(parsed("a/NOUN/2/nmod b/NOUN/1/nmod c/NOUN/2/nmod"))
    assert tree.stretches == [(0, 0), (1, 1), (2, 2)]


def test_lemmas_are_forms_where_there_are_none():
    document = parsed(MILL)
    assert get_tree(document).lemmas == ["the", "old", "mill"]
    layers = {**document.layers, "lemma": ("the", "old", "Mill")}
    assert get_tree(replace(document, layers=layers)).lemmas == ["the", "old", "mill"]


@pytest.mark.parametrize("missing", ["head", "deprel"])
@pytest.mark.parametrize("cell", [None, "_"])
def test_document_without_tree_is_refused(missing, cell):
    document = parsed(MILL)
    layers = {name: cells for name, cells in document.layers.items() if name != missing}
    if cell:
        layers[missing] = (cell,) * 3
    with pytest.raises(corefkit.FormatError, match="'d': has no tags and trees") as why:
        get_tree(replace(document, layers=layers))
    assert "--parser" in why.value.hint


def test_document_without_parts_of_speech_is_refused():
    layers = {"head": ("0",), "deprel": ("root",)}
    with pytest.raises(corefkit.CorefkitError, match="no tags and trees"):
        get_tree(Document("d", (("mill",),), (), layers=layers))


def test_tags_of_penn_do_where_there_are_no_others():
    layers = {"head": ("2", "0"), "deprel": ("det", "root"), "xpos": ("DT", "NN")}
    tree = get_tree(Document("d", (("The", "mill"),), (), layers=layers))
    assert tree.tags == ("DET", "NOUN")
    assert "Definite=Def" in tree.features[0]


def test_features_may_be_missing():
    document = parsed(MILL)
    layers = {name: cells for name, cells in document.layers.items() if name != "feats"}
    assert get_tree(replace(document, layers=layers)).features == ("_",) * 3


def test_document_without_words_has_an_empty_tree():
    tokens, tree = read_word_tree(Document("d", (), ()))
    assert (tokens, tree.forms, tree.children) == ([], [], [])
