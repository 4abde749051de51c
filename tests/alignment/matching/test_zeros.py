"""Zero mentions, and their alignment by what their empty nodes depend on."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from slow_matching import (
    best_maps,
    corpus_pairs,
    document,
    document_pairs,
    likenesses,
    zero_flags,
)

import corefkit
from corefkit.alignment.matching import compute_positions
from corefkit.alignment.zeros import align_by_dependencies, mark_zeros
from corefkit.arrays.building import build_columns

# Nodes behind a, b and c; c and d are words 3 and 4.
TEXT = "a _ b _ c _ d"


def by_parents(key, response):
    """Align the zeros of two documents; gives the pairs in order."""
    sides = compute_positions(build_columns([key]), build_columns([response]))
    found = align_by_dependencies(*sides)
    return sorted(zip(found.key.tolist(), found.response.tolist(), strict=True))


def zeros(*links, text=TEXT):
    """Make a zero mention of each node of the text, each an entity, with these links.

    `links` are the enhanced dependencies of the nodes in order.
    """
    nodes = [token for token, word in enumerate(text.split()) if word == "_"]
    deps = dict(zip(nodes, links, strict=True))
    return document(text, *(f"{node}@{node}" for node in nodes), deps=deps)


class TestZeroMentions:
    def test_head_decides(self):
        # A node; a and its node with head a; the same with the node as head; a word.
        one = document(TEXT, "1@1 0-1@0 0-1@1 2@2")
        found = mark_zeros(build_columns([one]))
        assert found.tolist() == [True, False, True, False]

    def test_without_head_the_first_token_decides(self):
        one = document(TEXT, "1 0-1 1-2")
        found = mark_zeros(build_columns([one]))
        assert found.tolist() == [True, False, True]

    def test_node_of_another_document_is_none_of_this(self):
        columns = build_columns([document("a b", "1@1"), document("a _", "1@1")])
        assert mark_zeros(columns).tolist() == [False, True]

    def test_without_empty_nodes_there_are_none(self):
        assert not mark_zeros(build_columns([document("a b", "0@0 1")])).any()

    @settings(max_examples=30)
    @given(corpus_pairs(heads=False))
    def test_as_by_the_slow_version(self, corpora):
        expected = [flag for one in corpora[0] for flag in zero_flags(one)]
        assert mark_zeros(build_columns(corpora[0])).tolist() == expected


class TestByDependencies:
    def test_same_parent_and_relation_in_another_place(self):
        key = zeros("4:nsubj", "_", "_")
        response = zeros("_", "_", "4:nsubj")
        assert by_parents(key, response) == [(0, 2)]

    def test_same_parent_is_enough(self):
        assert by_parents(zeros("4:obj", "_", "_"), zeros("_", "4:nsubj", "_")) == [
            (0, 1)
        ]

    def test_relation_goes_before_parent_alone(self):
        # With relation 10 + 1, without 1: the node that is obj of d, not the nsubj.
        key = zeros("4:obj", "_", "_")
        assert by_parents(key, zeros("4:nsubj", "_", "4:obj")) == [(0, 2)]

    def test_two_zeros_of_one_verb_are_told_apart_by_relation(self):
        key = zeros("4:nsubj", "4:obj", "_")
        assert by_parents(key, zeros("4:obj", "_", "4:nsubj")) == [(0, 2), (1, 0)]

    def test_total_is_largest(self):
        # Node 0 shares both links with node 0 (10 + 1), one of two with node 1 (F1 2/3:
        # 20/3 + 2/3); node 1 shares one with node 0 (22/3), none with node 1.
        # So 0-0 alone is 11, and 0-1 with 1-0 is 44/3.
        key = zeros("1:nsubj|2:nsubj", "2:nsubj", "_")
        response = zeros("1:nsubj|2:nsubj", "1:nsubj", "_")
        assert by_parents(key, response) == [(0, 1), (1, 0)]

    def test_likeness_is_of_parents_and_relations(self):
        # Pairs: 1 of 2 and 2 shared, F1 1/2; parents both of 2 and 2, F1 1.
        key, response = (
            zeros(links, "_", "_") for links in ("1:nsubj|2:obj", "1:nsubj|2:nsubj")
        )
        assert likenesses(key, response) == {(0, 0): 10 * Fraction(1, 2) + 1}

    def test_no_common_parent_is_no_pair(self):
        assert by_parents(zeros("4:nsubj", "_", "_"), zeros("3:nsubj", "_", "_")) == []

    def test_node_without_links_is_no_pair(self):
        assert by_parents(zeros("_", "_", "_"), zeros("_", "_", "_")) == []

    def test_layer_may_be_missing(self):
        bare = replace(zeros("4:nsubj", "_", "_"), layers={})
        assert by_parents(bare, bare) == []

    def test_parents_may_be_empty_nodes_too(self):
        # The first node depends on that behind c, which is 3.1 on both sides.
        key = zeros("3.1:nsubj", "_", "_")
        assert by_parents(key, zeros("_", "3.1:nsubj", "_")) == [(0, 1)]

    def test_words_are_the_same_whatever_nodes_are_before_them(self):
        key = zeros("4:nsubj", "_", "_")
        response = zeros("4:nsubj", text="a b c d _")
        assert by_parents(key, response) == [(0, 0)]

    def test_root_of_a_sentence_is_a_parent_of_its_own(self):
        def rooted(text, node):
            return document(text, f"{node}@{node}", deps={node: "0:root"})

        key, other = rooted("a _ / b", 1), rooted("a / b _", 2)
        assert by_parents(key, rooted("_ a / b", 0)) == [(0, 0)]
        assert by_parents(key, other) == []

    def test_word_of_the_next_sentence_is_no_parent(self):
        # 1 is a in the first sentence and b in the second.
        key = document("a _ / b", "1@1", deps={1: "1:nsubj"})
        response = document("a / b _", "2@2", deps={2: "1:nsubj"})
        assert by_parents(key, response) == []

    def test_mention_with_words_is_a_zero_if_its_head_is(self):
        key = document(TEXT, "0-1@1", deps={1: "4:nsubj"})
        response = document(TEXT, "3@3", "0-1@0", deps={3: "4:nsubj", 1: "4:nsubj"})
        assert by_parents(key, response) == [(0, 0)]

    def test_documents_are_apart(self):
        key = [zeros("4:nsubj", "_", "_"), document("a b")]
        response = [document("a b"), zeros("4:nsubj", "_", "_")]
        sides = compute_positions(build_columns(key), build_columns(response))
        assert len(align_by_dependencies(*sides).key) == 0

    @given(document_pairs(heads=False))
    def test_as_by_the_slow_version(self, pair):
        assert frozenset(by_parents(*pair)) in best_maps(likenesses(*pair))[1]


@pytest.mark.parametrize(
    ("zeros_setting", "links"), [("position", 0), ("dependency", 2), ("drop", 0)]
)
def test_links_of_moved_zeros(zeros_setting, links):
    # a and two zeros of d, which the response has elsewhere: by position it finds
    # a alone, by dependency all three, and dropped they leave a by itself.
    key = document(TEXT, "0@0 1@1 3@3", deps={1: "4:nsubj", 3: "4:obj"})
    response = document("a b c _ d _", "0@0 3@3 5@5", deps={3: "4:obj", 5: "4:nsubj"})
    result = corefkit.score(key, response, match="head", zeros=zeros_setting)
    assert result["muc"].recall_numerator == links


def test_presets_of_the_shared_tasks_match_by_dependency():
    key = document(TEXT, "0@0 1@1", deps={1: "4:nsubj"})
    response = document("a b c _ d", "0@0 3@3", deps={3: "4:nsubj"})
    found = {
        preset: corefkit.score(key, response, preset=preset)["mentions"].f1
        for preset in corefkit.PRESETS
        if preset.startswith("crac") or preset == "ua"
    }
    # By position a is one of two, and ua drops zeros on both sides.
    assert found == {
        "crac2022": 0.5,
        "crac2023": 0.5,
        "crac2024": 1.0,
        "crac2025": 1.0,
        "crac2026": 1.0,
        "ua": 1.0,
    }
