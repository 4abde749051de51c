"""Alignment: the ways of matching by hand, by laws, and against the slow version."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations, product

import pytest
from files import written
from hypothesis import given, settings
from raising import raises
from slow_matching import (
    alignments,
    candidates,
    corpus_pairs,
    document,
    document_pairs,
    equal_pairs,
    listed,
)

import corefkit
from corefkit import Settings, SettingsError
from corefkit.alignment import matching
from corefkit.arrays.building import build_columns

WAYS = ("exact", "head", "partial", "min", "craft")
OVERLAPS = ("overlap:0.1", "overlap:0.5", "overlap:0.6", "overlap:1")
WORDS = "a b c d e f g"


def aligned(keys, responses, **changes):
    """Align documents; gives the pairs of mention numbers."""
    sides = build_columns(keys), build_columns(responses)
    found = matching.align(*sides, Settings(**changes))
    return list(zip(found.key.tolist(), found.response.tolist(), strict=True))


def mention_counts(key, response, **options):
    """Score two documents; gives mentions found, of the key, and of the response."""
    score = corefkit.score(key, response, metrics=["mentions"], **options)["mentions"]
    assert score.recall_numerator == score.precision_numerator
    return (
        score.recall_numerator,
        score.recall_denominator,
        score.precision_denominator,
    )


# For each case: the key mention, the response mention, and whether they match exactly,
# by head, partly and by minimum. Without minimum, `min` asks for the head.
SPANS = {
    "the same": ("0-2@1", "0-2@1", 1, 1, 1, 1),
    "the same, other heads": ("0-2@1", "0-2@2", 1, 0, 1, 1),
    "nothing in common": ("0-2@1", "4-5@4", 0, 0, 0, 0),
    # Neither is inside the other, but both have c as head.
    "crossing at the head": ("0-2@2", "2-4@2", 0, 1, 0, 0),
    "crossing elsewhere": ("0-2@0", "2-4@4", 0, 0, 0, 0),
    "crossing, the key's head in both": ("0-3@2", "2-4@4", 0, 0, 0, 0),
    "inside, around the head": ("0-4@2", "1-3@2", 0, 1, 1, 1),
    "inside, around the head, another head": ("0-4@2", "1-3@3", 0, 0, 1, 1),
    "inside, at the begin": ("0-4@0", "0-1@0", 0, 1, 1, 1),
    "inside, at the end": ("0-4@4", "4@4", 0, 1, 1, 1),
    "inside, beside the head": ("0-4@0", "1-4@2", 0, 0, 0, 0),
    # Partial matching is no matter of the response being wider.
    "around": ("1-3@2", "0-4@2", 0, 1, 0, 0),
    "wider by one": ("1-3@2", "1-4@2", 0, 1, 0, 0),
    "has the minimum": ("0-4@2~1-3", "1-3@2", 0, 1, 1, 1),
    "has the minimum, another head": ("0-4@2~1-3", "1-4@4", 0, 0, 1, 1),
    # b is missing of b c d; the head is there.
    "has not all of the minimum": ("0-4@2~1-3", "2-4@2", 0, 1, 1, 0),
    # The minimum is b c, the head e: only `min` does not ask for e.
    "has the minimum, not the head": ("0-4@4~1-2", "1-2@2", 0, 0, 0, 1),
    "has the minimum, goes beyond": ("1-4@2~2-2", "2-5@2", 0, 1, 0, 0),
}
GAPS = {
    "the same": ("0-1,3@0", "0-1,3@0", 1, 1, 1, 1),
    "filled": ("0-1,3@0", "0-3@0", 0, 1, 0, 0),
    "of the response only": ("0-3@0", "0-1,3@0", 0, 1, 1, 1),
    "of the response, at the key's head": ("0-3@2", "0-1,3@0", 0, 0, 0, 0),
    "one part": ("0-1,3-4@3", "3-4@3", 0, 1, 1, 1),
    "the other part": ("0-1,3-4@3", "0-1@0", 0, 0, 0, 0),
    "other gaps": ("0-1,4@0", "0,3-4@0", 0, 1, 0, 0),
    "inside the gap": ("0,4@0", "1-3@2", 0, 0, 0, 0),
    # a and e against c to g: only e is in both.
    "crossing": ("0,4@4", "2-6@4", 0, 1, 0, 0),
    "over both parts": ("0-1,3-4@1", "1,3@1", 0, 1, 1, 1),
    # The minimum from b to d is b and d, for c is no part of the mention.
    "minimum over the gap": ("0-1,3-4@0~1-3", "1,3@1", 0, 0, 0, 1),
    "minimum over the gap, filled": ("0-1,3-4@0~1-3", "1-3@1", 0, 0, 0, 0),
    "half of the minimum": ("0-1,3-4@0~1-3", "0-1@0", 0, 1, 1, 0),
}
# The key's text is a _ b _ c d, with empty nodes 1 and 3, that of the response as said.
ZEROS = {
    "the same node": ("a _ b _ c d", "1@1", "1@1", 1, 1, 1, 1),
    "another node": ("a _ b _ c d", "1@1", "3@3", 0, 0, 0, 0),
    "the same though others are missing": ("a b _ c d", "3@3", "2@2", 1, 1, 1, 1),
    "missing": ("a b c d", "1@1", "0@0", 0, 0, 0, 0),
    "words have other numbers": ("a b c d", "4-5@4", "2-3@2", 1, 1, 1, 1),
    "node inside": ("a _ b _ c d", "0-2@0", "0-2@0", 1, 1, 1, 1),
    # The key's mention is a, node, b; the response's a, b.
    "node inside the key's only": ("a b c d", "0-2@0", "0-1@0", 0, 1, 1, 1),
    # The key's mention is d; the response's node, d.
    "node in the response's only": ("a _ b _ c _ d", "5@5", "5-6@6", 0, 1, 0, 0),
    "the second node behind a word": ("a _ _ b c d", "1@1", "2@2", 0, 0, 0, 0),
    "head is a node": ("a _ b _ c d", "0-2@1", "1@1", 0, 1, 1, 1),
    "head is a node, lacking": ("a b c d", "0-2@1", "0-1@0", 0, 0, 0, 0),
}


def by_way(table):
    return [
        pytest.param(*case[:-4], way, found, id=f"{name}, {way}")
        for name, case in table.items()
        for way, found in zip(WAYS[:4], case[-4:], strict=True)
    ]


@pytest.mark.parametrize(("key", "response", "match", "found"), by_way(SPANS | GAPS))
def test_two_mentions(key, response, match, found):
    sides = document(WORDS, key), document(WORDS, response)
    assert mention_counts(*sides, match=match) == (found, 1, 1)


@pytest.mark.parametrize(("text", "key", "response", "match", "found"), by_way(ZEROS))
def test_two_mentions_among_empty_nodes(text, key, response, match, found):
    sides = document("a _ b _ c d", key), document(text, response)
    assert mention_counts(*sides, match=match) == (found, 1, 1)


def test_gap_of_nothing_but_an_empty_node_matches_exactly():
    # Both have the words a and b, and the response leaves its own node out.
    sides = document("a b", "0-1@0"), document("a _ b", "0,2@0")
    assert mention_counts(*sides) == (1, 1, 1)


# For each case: the key mention, the response mention, whether they match by CRAFT's
# rule, and the part of their tokens that they share. The key's text is a b c d e f g.
FIRST_PARTS = {
    "the same": ("1-3", "1-3", 1, "1"),
    "inside": ("0-3", "1-2", 1, "0.5"),
    "around": ("1-2", "0-3", 0, "0.5"),
    "crossing": ("0-2", "1-3", 0, "0.5"),
    "in the first part": ("0-1,4-5", "0-1", 1, "0.5"),
    "in the second part": ("0-1,4-5", "4-5", 0, "0.5"),
    "over both parts": ("0-1,4-5", "1,4", 1, "0.5"),
    "over the gap": ("0-1,4-5", "0-5", 0, "0.6666666666666666"),
    "one of two parts inside": ("0-3", "3,5-6", 1, "0.16666666666666666"),
    "the second of two parts inside": ("2-5", "0,3-4", 1, "0.4"),
    "nothing in common": ("0-1", "3-4", 0, None),
}


@pytest.mark.parametrize(
    ("key", "response", "craft", "overlap"),
    FIRST_PARTS.values(),
    ids=FIRST_PARTS,
)
def test_two_mentions_by_parts_and_by_overlap(key, response, craft, overlap):
    sides = document(WORDS, key), document(WORDS, response)
    assert mention_counts(*sides, match="craft") == (craft, 1, 1)
    found = 0
    if overlap is not None:
        # The least number above a threshold does not reach it.
        found, above = 1, math.nextafter(float(overlap), 2)
        if above <= 1:
            match = f"overlap:{above!r}"
            assert mention_counts(*sides, match=match) == (0, 1, 1)
    match = f"overlap:{overlap or 0.01}"
    assert mention_counts(*sides, match=match) == (found, 1, 1)


def test_zeros_match_by_overlap_and_by_parts_at_their_position_only():
    key = document("a _ b", "1@1", "0-2")
    moved = document("_ a b", "0@0", "1-2")
    for match in ("craft", "overlap:0.1"):
        assert mention_counts(key, key, match=match) == (2, 2, 2)
        # The mention a b lacks the node of the key; the nodes are not the same.
        assert mention_counts(key, moved, match=match) == (1, 2, 2)
    # The node is a third of the mention that contains it, but no part by CRAFT's rule.
    around, node = document("a _ b", "0-2"), document("a _ b", "1@1")
    assert mention_counts(around, node, match="overlap:0.33") == (1, 1, 1)
    assert mention_counts(around, node, match="craft") == (0, 1, 1)


def test_overlap_prefers_the_largest_total_to_equal_mentions():
    # b c d e f is in both; a-f and b-g share 5 of 6 tokens with it, each 5 of 7.
    key, response = document(WORDS, "1-5", "0-5"), document(WORDS, "1-5", "1-6")
    assert sorted(aligned([key], [response], match="overlap:0.8")) == [(0, 1), (1, 0)]
    # 1 + 5/7 is more than 5/6 + 5/6.
    assert sorted(aligned([key], [response], match="overlap:0.7")) == [(0, 0), (1, 1)]


def test_overlap_prefers_equal_mentions_if_totals_are_equal():
    key, response = document(WORDS, "0-1", "0"), document(WORDS, "0-1", "0-3")
    assert aligned([key], [response], match="overlap:0.5") == [(0, 0)]


@pytest.mark.parametrize("text", ["0", "-1", "1.01", "nan", "inf", "half", ""])
def test_threshold_that_is_no_part_is_refused(text):
    with raises(SettingsError, "settings/unknown-value", place=None) as refused:
        Settings(match=f"overlap:{text}")
    assert repr(text) in refused.value.message


def test_threshold_is_written_in_one_way():
    assert Settings(match="overlap:.50") == Settings(match="overlap:0.5")
    assert "|match:overlap:1.0|" in Settings(match="overlap:1").signature


class TestOneToOne:
    def test_response_that_fits_two_key_mentions_goes_where_its_share_is_larger(self):
        # c is 1/5 of a to e, and 1/3 of b to d.
        key = document(WORDS, "0-4@2", "1-3@2")
        for match in ("head", "partial", "min"):
            assert aligned([key], [document(WORDS, "2@2")], match=match) == [(1, 0)]

    def test_of_two_responses_the_larger_goes_to_the_key_mention(self):
        # c is 1/5 of a to e, b to d is 3/5.
        response = document(WORDS, "2@2", "1-3@2")
        for match in ("head", "partial", "min"):
            assert aligned([document(WORDS, "0-4@2")], [response], match=match) == [
                (0, 1)
            ]

    def test_equal_mentions_go_first_even_where_others_would_gain(self):
        # c takes c, though a to e would have it too; then a to e gets nothing.
        key, response = document(WORDS, "0-4@2", "2@2"), document(WORDS, "2@2")
        for match in ("head", "partial", "min"):
            assert aligned([key], [response], match=match) == [(1, 0)]

    def test_two_are_aligned_where_the_greedy_way_finds_one(self):
        # a to d takes a to c or b to d, 3/4 each; b to g has only b to d, 3/6.
        key = document(WORDS, "0-3@2", "1-6@2")
        response = document(WORDS, "1-3@2", "0-2@2")
        found = aligned([key], [response], match="partial")
        assert sorted(found) == [(0, 1), (1, 0)]

    def test_total_counts_not_the_number_of_pairs(self):
        # Under `head` all may match: a to e with b to d and a to c: 3/5; c to d: 1/2,
        # 2/2 (c, d in b to d). So a to e has a to c, c to d has b to d: 3/5 + 2/2.
        key = document(WORDS, "0-4@2", "2-3@2")
        response = document(WORDS, "1-3@2", "0-2@2")
        assert sorted(aligned([key], [response], match="head")) == [(0, 1), (1, 0)]

    @pytest.mark.parametrize("match", ["head", "partial", "min"])
    @pytest.mark.parametrize("order", [("1-2@2", "2-3@2"), ("2-3@2", "1-2@2")])
    def test_of_equal_responses_the_earlier_in_the_text_is_taken(self, match, order):
        # Both have 2 of 5 tokens, whichever entity comes first.
        (pair,) = aligned(
            [document(WORDS, "0-4@2")], [document(WORDS, *order)], match=match
        )
        assert order[pair[1]] == "1-2@2"

    @pytest.mark.parametrize("match", ["head", "partial", "min"])
    @pytest.mark.parametrize("order", [("0-2@2", "1-3@2"), ("1-3@2", "0-2@2")])
    def test_of_equal_key_mentions_the_earlier_in_the_text_is_taken(self, match, order):
        # c is 1/3 of both.
        (pair,) = aligned(
            [document(WORDS, *order)], [document(WORDS, "2@2")], match=match
        )
        assert order[pair[0]] == "0-2@2"

    @pytest.mark.parametrize("match", ["head", "partial"])
    @pytest.mark.parametrize("starts", [*permutations([2, 3, 4])])
    def test_of_many_equal_ones_the_earliest_is_taken(self, match, starts):
        # Spans of three words that have the fifth of nine.
        words = "a b c d e f g h i"
        spans = [f"{start}-{start + 2}@4" for start in starts]
        one = document(words, "0-8@4")
        (pair,) = aligned([one], [document(words, *spans)], match=match)
        assert starts[pair[1]] == 2

    def test_same_place_of_another_document_does_not_match(self):
        keys = [document(WORDS, "0-2@1"), document(WORDS, "4-6@5")]
        responses = [document(WORDS, "4-6@5"), document(WORDS, "0-2@1")]
        for match in WAYS:
            assert aligned(keys, responses, match=match) == []


class TestSingletons:
    KEY = document(WORDS, "0@0 1@1", "2@2")
    RESPONSE = document(WORDS, "0@0 1@1", "2@2", "3@3")

    @pytest.mark.parametrize(
        ("singletons", "expected"),
        [
            ("keep", (3, 3, 4)),  # a, b and c of a b c, of a b c d
            ("drop", (2, 2, 2)),  # a and b
            ("drop-key", (2, 2, 4)),  # a and b of a b, of a b c d
            ("drop-response", (2, 3, 2)),  # a and b of a b c, of a b
        ],
    )
    def test_mentions(self, singletons, expected):
        found = mention_counts(self.KEY, self.RESPONSE, singletons=singletons)
        assert found == expected

    @pytest.mark.parametrize("match", WAYS)
    def test_dropped_on_one_side_is_dropped_by_hand(self, match):
        bare_key = document(WORDS, "0@0 1@1")
        for singletons, key, response in (
            ("drop-key", bare_key, self.RESPONSE),
            ("drop-response", self.KEY, document(WORDS, "0@0 1@1")),
            ("drop", bare_key, document(WORDS, "0@0 1@1")),
        ):
            dropped = corefkit.score(
                self.KEY, self.RESPONSE, singletons=singletons, match=match
            )
            assert dropped.scores == corefkit.score(key, response, match=match).scores

    @pytest.mark.parametrize(("singletons", "links"), [("keep", 0), ("drop", 1)])
    def test_dropped_singletons_leave_their_partners_to_others(self, singletons, links):
        # Kept, b to d (3/5 of a to e) keeps c (1/5) from a to e: no link a to e - g.
        key = document(WORDS, "0-4@2 6@6")
        response = document(WORDS, "1-3@2", "2@2 6@6")
        score = corefkit.score(key, response, match="partial", singletons=singletons)
        assert score["muc"].recall_numerator == links

    def test_entity_of_two_copies_of_a_mention_is_a_singleton(self):
        response = document(WORDS, "0@0 0@0", "1@1 2@2")
        assert mention_counts(response, response, singletons="drop") == (2, 2, 2)

    def test_zeros_are_dropped_behind_singletons(self):
        # The entity of a and its zero is none of one mention when singletons go.
        both = document("a _ b", "0@0 1@1")
        options = {"singletons": "drop", "zeros": "drop"}
        assert mention_counts(both, both, **options) == (1, 1, 1)


class TestZeros:
    # Key: the node behind a depends on b. Response: it stands behind b.
    KEY = document("a _ b", "1@1 0@0", deps={1: "2:nsubj"})
    RESPONSE = document("a b _", "2@2 0@0", deps={2: "2:nsubj"})

    @pytest.mark.parametrize(
        ("zeros", "expected"),
        [
            ("position", (1, 2, 2)),  # a only
            ("dependency", (2, 2, 2)),  # a, and the node by its parent b
            ("drop", (1, 1, 1)),  # a, all that is left
        ],
    )
    @pytest.mark.parametrize("match", WAYS)
    def test_node_in_another_place(self, match, zeros, expected):
        found = mention_counts(self.KEY, self.RESPONSE, match=match, zeros=zeros)
        assert found == expected

    def test_dependency_goes_before_position(self):
        # In the same place the two nodes have other parents, so they are crossed over.
        key = document("a _ b _ c", "1@1", "3@3", deps={1: "1:nsubj", 3: "3:nsubj"})
        response = document(
            "a _ b _ c", "1@1", "3@3", deps={1: "3:nsubj", 3: "1:nsubj"}
        )
        by = {
            zeros: sorted(aligned([key], [response], zeros=zeros))
            for zeros in ("position", "dependency")
        }
        assert by == {"position": [(0, 0), (1, 1)], "dependency": [(0, 1), (1, 0)]}

    def test_without_common_parent_the_place_decides(self):
        key = document("a _ b", "1@1", deps={1: "1:nsubj"})
        response = document("a _ b", "1@1", deps={1: "2:nsubj"})
        assert aligned([key], [response], zeros="dependency") == [(0, 0)]

    @pytest.mark.parametrize("zeros", ["position", "dependency", "drop"])
    def test_without_empty_nodes_nothing_changes(self, zeros):
        key, response = document(WORDS, "0@0 2@2"), document(WORDS, "0@0 3@3")
        assert mention_counts(key, response, zeros=zeros) == (1, 2, 2)

    def test_dropped_zeros_leave_mentions_with_nodes_inside(self):
        # The node itself goes; a with its node stays, as its head is a.
        one = document("a _ b", "1@1", "0-1@0", "0-2@1")
        assert mention_counts(one, one, zeros="drop") == (1, 1, 1)


class TestLaws:
    @settings(max_examples=25)
    @given(corpus_pairs(heads=False))
    def test_alignment_is_one_to_one_inside_documents(self, corpora):
        home = [
            [number for number, one in enumerate(side) for _ in listed(one)]
            for side in corpora
        ]
        ways = (*WAYS, *OVERLAPS)
        for match, zeros in product(ways, ("position", "dependency")):
            pairs = aligned(*corpora, match=match, zeros=zeros)
            assert len({i for i, _ in pairs}) == len(pairs)
            assert len({j for _, j in pairs}) == len(pairs)
            assert all(home[0][i] == home[1][j] for i, j in pairs)

    @given(document_pairs(empties=False))
    def test_exact_pairs_are_always_aligned(self, pair):
        for match in WAYS:
            found = aligned([pair[0]], [pair[1]], match=match)
            assert equal_pairs(*pair, match) <= set(found)

    @given(document_pairs(heads=False))
    def test_swapping_sides_keeps_the_size(self, pair):
        key, response = pair
        for match in ("exact", "head"):
            size = len(aligned([key], [response], match=match))
            assert len(aligned([response], [key], match=match)) == size

    @given(document_pairs(heads=False))
    def test_document_is_aligned_with_itself_mention_by_mention(self, pair):
        key = pair[0]
        for match in (*WAYS, *OVERLAPS):
            found = aligned([key], [key], match=match)
            assert sorted(found) == [(row, row) for row in range(len(listed(key)))]

    @given(document_pairs(empties=False))
    def test_every_pair_is_equal_or_fits(self, pair):
        for match in (*WAYS[1:], *OVERLAPS):
            allowed = equal_pairs(*pair, match) | candidates(*pair, match).keys()
            assert set(aligned([pair[0]], [pair[1]], match=match)) <= allowed

    @given(corpus_pairs(heads=False))
    def test_overlap_of_all_tokens_is_exact_matching(self, corpora):
        found = aligned(*corpora, match="overlap:1")
        assert set(found) == set(aligned(*corpora, match="exact"))

    @settings(max_examples=25)
    @given(corpus_pairs(heads=False))
    def test_documents_are_aligned_as_each_alone(self, corpora):
        for match in (*WAYS, *OVERLAPS):
            expected = set()
            offsets = [0, 0]
            for key, response in zip(*corpora, strict=True):
                alone = aligned([key], [response], match=match)
                expected |= {(i + offsets[0], j + offsets[1]) for i, j in alone}
                offsets[0] += len(listed(key))
                offsets[1] += len(listed(response))
            assert set(aligned(*corpora, match=match)) == expected


class TestAgainstTheSlowVersion:
    """The alignment is one that the definition allows: the only one where one is best.

    The slow version gives all maps that have the largest total weight.
    """

    @given(document_pairs(empties=False, heads=False))
    def test_with_gaps(self, pair):
        key, response = pair
        for match in (*WAYS, *OVERLAPS):
            (allowed,) = alignments(key, response, match)
            assert frozenset(aligned([key], [response], match=match)) in allowed.maps

    @given(document_pairs(heads=False))
    def test_with_gaps_and_empty_nodes(self, pair):
        key, response = pair
        ways = (*WAYS, *OVERLAPS)
        for match, zeros in product(ways, ("position", "dependency")):
            found = frozenset(aligned([key], [response], match=match, zeros=zeros))
            allowed = alignments(key, response, match, zeros)
            assert any(found in one.maps for one in allowed)


class TestConllu:
    """The same through files: brackets that cross, parts, empty nodes, minimum."""

    HEAD = "# newdoc id = d\n# global.Entity = eid-etype-head-minspan-other\n"

    @pytest.fixture
    def count(self, tmp_path):
        def counted(key, response, **options):
            files = [
                written(tmp_path / name, self.text(cells))
                for name, cells in (("key", key), ("response", response))
            ]
            return mention_counts(*files, **options)

        return counted

    def text(self, cells):
        """Write a sentence of Entity values, `/` for none; `_` before is a node."""
        lines, word, node = [], 0, 0
        for cell in cells.split():
            if cell.startswith("_"):
                node, identifier, deps = node + 1, f"{word}.{node + 1}", "2:nsubj"
            else:
                word, node, deps = word + 1, 0, "_"
                identifier = str(word)
            value = cell.removeprefix("_")
            misc = "_" if value == "/" else f"Entity={value}"
            form = "_" if cell.startswith("_") else f"w{word}"
            lines.append(
                "\t".join((identifier, form, *["_"] * 6, deps, misc)),
            )
        return self.HEAD + "\n".join(lines) + "\n\n"

    @pytest.mark.parametrize(
        ("match", "found"), [("exact", 1), ("head", 2), ("partial", 2), ("min", 2)]
    )
    def test_crossing_brackets(self, count, match, found):
        # e1 is words 1 to 3 with head 2, e2 is 2 to 4 with head 4; the response has the
        # same e2, and e1 from 2 to 3 with the same head.
        key = "(e1--2 (e2--3 e1) e2)"
        response = "/ (e1--1(e2--3 e1) e2)"
        assert count(key, response, match=match) == (found, 2, 2)

    @pytest.mark.parametrize(
        ("match", "found"), [("exact", 0), ("head", 1), ("partial", 1), ("min", 0)]
    )
    def test_parts(self, count, match, found):
        # Words 1, 2 and 4 with head 4 and minimum 2 to 4; the response has 4 alone.
        key = "(e1[1/2]--3-2,3 e1[1/2]) / (e1[2/2]--3-2,3)"
        assert count(key, "/ / / (e1--1)", match=match) == (found, 1, 1)
        assert count(key, key, match=match) == (1, 1, 1)

    @pytest.mark.parametrize(
        ("zeros", "expected"),
        [("position", (1, 2, 2)), ("dependency", (2, 2, 2)), ("drop", (1, 1, 1))],
    )
    def test_empty_nodes(self, count, zeros, expected):
        # The zero of e1 stands behind word 1 in the key, behind word 2 in the response;
        # all nodes depend on word 2.
        key, response = "(e1--1) _(e1--1) /", "(e1--1) / _(e1--1)"
        assert count(key, response, match="head", zeros=zeros) == expected

    def test_minimum_of_the_key_only_is_asked_for(self, count):
        key, response = "(e1--3-2 / e1)", "/ (e1--1-1) /"
        assert count(key, response, match="min") == (1, 1, 1)
        assert count(response, key, match="min") == (0, 1, 1)


@pytest.mark.parametrize("match", ["head", "partial"])
def test_key_mention_without_head_is_refused(match):
    key = document(WORDS, "0@0 2-3")
    with pytest.raises(corefkit.FormatError, match=f"which --match {match} requires"):
        corefkit.score(key, document(WORDS, "0@0"), match=match)


def test_key_mention_without_minimum_and_head_matches_exactly_beside_others():
    # c d is all minimum, as in MUC: c alone is not enough.
    key = document(WORDS, "0@0 2-3")
    assert mention_counts(key, document(WORDS, "0@0 2-3"), match="min") == (2, 2, 2)
    assert mention_counts(key, document(WORDS, "0@0 2"), match="min") == (1, 2, 2)


def test_key_without_any_minimum_or_head_is_refused():
    key = document(WORDS, "0 2-3")
    with pytest.raises(corefkit.FormatError, match="which --match min requires"):
        corefkit.score(key, document(WORDS, "0"), match="min")


@pytest.mark.parametrize("match", ["head", "partial", "min"])
def test_one_token_is_its_own_head(match):
    # Whether another mention of the document has a head does not matter.
    for other in ("", " 4-5@4"):
        key, response = (document(WORDS, f"{one}{other}") for one in ("0", "0"))
        assert mention_counts(key, response, match=match)[0] == 1 + bool(other)
    key, response = document(WORDS, "0-1@1"), document(WORDS, "1")
    assert mention_counts(key, response, match=match) == (1, 1, 1)


def test_response_needs_heads_under_head_only():
    key, response = document(WORDS, "0-2@1"), document(WORDS, "1-2")
    assert mention_counts(key, response, match="partial") == (1, 1, 1)
    with pytest.raises(corefkit.FormatError, match="has no head"):
        corefkit.score(key, response, match="head")


def test_slow_version_weighs_by_the_key():
    # b c is 2/4 of a to d, and a to d 2/2 of b c: the definition is not symmetric.
    key, response = document(WORDS, "0-3@1"), document(WORDS, "1-2@1")
    assert candidates(key, response, "head") == {(0, 0): Fraction(1, 2)}
    assert candidates(response, key, "head") == {(0, 0): Fraction(1)}
