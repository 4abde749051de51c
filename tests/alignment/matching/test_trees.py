"""Minimum spans from trees, by the rules of the module, and matching by them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from files import written
from hypothesis import given
from hypothesis import strategies as st
from slow_matching import document

import corefkit
from corefkit.alignment.trees import Trees, number_minimum_spans
from corefkit.arrays.building import build_columns

NOUN, VERB = {"NP", "NM", "QP", "NX"}, {"VP"}


def trees(text):
    """Make trees of lines `brackets word tag`, one a token."""
    rows = [line.split() for line in text.strip().splitlines()]
    return Trees(*zip(*rows, strict=True))


def minimum(text, start=0, end=None):
    made = trees(text)
    return made.minimum(start, len(made.words) - 1 if end is None else end)


MILL = """
    (NP(NP*  the    DT
    *        old    JJ
    *)       mill   NN
    (PP*     by     IN
    (NP*     the    DT
    *)))     river  NN
"""
BOTH = """
    (NP(NP*  old    JJ
    *)       Ann    NNP
    *        and    CC
    (NP*     her    PRP$
    *))      cat    NN
"""


class TestRules:
    def test_words_between_brackets_are_a_leaf_named_by_its_last(self):
        assert minimum("(NP* the DT\n* old JJ\n*) mill NN") == (2,)

    def test_phrase_inside_goes_before_what_follows_it(self):
        # The NP "the old mill" is right under the root, the river is below a PP.
        assert minimum(MILL) == (2,)

    def test_leaves_under_the_root_go_before_phrases(self):
        # "tower" stands right under the root, "the mill 's" in a phrase below.
        text = "(NP(NP* the DT\n* mill NN\n*) 's POS\n*) tower NN"
        assert minimum(text) == (3,)

    def test_every_phrase_under_the_root_has_its_own(self):
        # "and" is a leaf under the root that does not count.
        assert minimum(BOTH) == (1, 4)

    def test_going_down_through_phrases_of_the_kind_only(self):
        # Under the root a NP of a PP and a NP: the PP is no noun phrase.
        text = "(NP(NP(PP* of IN\n(NP*)) stone NN\n(NP(NP* old JJ\n*)))) mill NN"
        assert minimum(text) == (3,)

    def test_root_decides_the_kind(self):
        # Under a VP, verb phrases: "seen", not "mill".
        text = "(VP(NP* the DT\n*) mill NN\n(VP(ADVP*) often RB\n*)) seen VBN"
        assert minimum(text) == (3,)

    def test_without_kind_the_children_decide_noun_phrases_first(self):
        text = "(S(VP* seen VBN\n*) once RB\n(NP* the DT\n*)) mill NN"
        assert minimum(text) == (3,)
        only_verbs = "(S(VP* seen VBN\n*) once RB\n(ADVP(NP*))) today NN"
        assert minimum(only_verbs) == (1,)

    def test_without_phrase_the_first_one_below_is_taken(self):
        # SBAR and S are no phrases; the first noun or verb phrase below is the NP.
        text = "(SBAR* that IN\n(S(NP* the DT\n*) mill NN\n(VP*))) stands VBZ"
        assert minimum(text) == (2,)

    def test_if_nothing_counts_all_words_are_the_span(self):
        assert minimum("(NP* the DT\n* - HYPH\n*) of IN") == (0, 1, 2)

    def test_brackets_left_open_close_at_the_end(self):
        # "the old" of the tree above: both NPs are open.
        assert minimum(MILL, 0, 1) == (1,)

    def test_ends_of_what_was_opened_before_are_passed_over(self):
        assert minimum(MILL, 2, 2) == (2,)
        # "mill by": mill and a PP of "by", side by side under one NP.
        assert minimum(MILL, 2, 3) == (2,)

    def test_several_trees_are_put_under_a_noun_phrase(self):
        # "Ann" and "Bob" without the verb whose phrase holds them: both count.
        text = "(VP* shows VBZ\n(NP*) Ann NNP\n(NP*)) Bob NNP"
        assert minimum(text, 1, 2) == (1, 2)

    @pytest.mark.parametrize(
        ("word", "tag", "counts"),
        [
            ("mill", "NN", True),
            ("7", "CD", True),
            ("%", "NN", True),
            ("é", "NN", True),
            ("...", ":", False),
            ("-LRB-", "-LRB-", False),
            ("and", "CC", False),
            ("the", "DT", False),
            ("by", "IN", False),
        ],
    )
    def test_what_counts(self, word, tag, counts):
        # Right under the root, it goes before the phrase if it counts.
        text = f"(NP* {word} {tag}\n(NP*)) Ann NNP"
        assert minimum(text) == ((0,) if counts else (1,))

    def test_leaf_counts_if_one_of_its_words_does(self):
        assert minimum("(NP* mill NN\n* ) .\n(NP*)) Ann NNP") == (1,)

    def test_long_names_of_phrases_count_by_two_letters(self):
        text = "(NP-SBJ(ADJP* very RB\n*) old JJ\n(NP-TMP*)) day NN"
        assert minimum(text) == (2,)

    def test_token_behind_the_words_is_all_there_is(self):
        assert trees(MILL).minimum(7, 8) == (7, 8)


# Trees at random: a phrase is its kind and what is in it, a leaf some words.
leaves = st.lists(
    st.sampled_from([("mill", "NN"), ("the", "DT"), (",", ","), ("old", "JJ")]),
    min_size=1,
    max_size=3,
)
kinds = st.sampled_from(["NP", "NP-SBJ", "NM", "VP", "PP", "S", "QP", "NX", "ADJP"])


def apart(parts):
    """Let no two leaves stand side by side: they would be one."""
    return not any(
        isinstance(one, list) and isinstance(two, list) for one, two in pairwise(parts)
    )


phrases = st.recursive(
    st.tuples(kinds, leaves.map(lambda leaf: [leaf])),
    lambda inner: st.tuples(
        kinds, st.lists(inner | leaves, min_size=1, max_size=3).filter(apart)
    ),
    max_leaves=8,
)


def numbered(phrase, first=0):
    """Give words their numbers: a leaf becomes its last one, None if it counts not."""
    kind, parts = phrase
    found = []
    for part in parts:
        if isinstance(part, list):
            first += len(part)
            counts = any(word.isalpha() and tag != "DT" for word, tag in part)
            found.append(first - 1 if counts else None)
        else:
            inner, first = numbered(part, first)
            found.append(inner)
    return (kind[:2], found), first


def inner_phrases(phrase):
    return [part for part in phrase[1] if isinstance(part, tuple)]


def inner_leaves(phrase):
    return [part for part in phrase[1] if isinstance(part, int)]


def nearest(phrase, kind):
    """Find the leaves nearest to the top of a phrase, through phrases of a kind."""
    found, below = inner_leaves(phrase), inner_phrases(phrase)
    while below and not found:
        through = [one for one in below if one[0] in kind]
        found = [leaf for one in through for leaf in inner_leaves(one)]
        below = [two for one in through for two in inner_phrases(one)]
    return found


def slow_minimum(root):
    """Follow rules 3 and 4 on a numbered tree."""
    inside = [one[0] for one in inner_phrases(root)]
    if root[0] in {"NP", "NM"}:
        kind = NOUN
    elif root[0] == "VP":
        kind = VERB
    else:
        kind = VERB if "VP" in inside and not {"NP", "NM"} & {*inside} else NOUN
    if inner_leaves(root):
        return inner_leaves(root)
    of_kind = [one for one in inner_phrases(root) if one[0] in kind]
    if of_kind:
        return [leaf for one in of_kind for leaf in nearest(one, kind)]
    level = [root]
    while level:
        for one in level:
            if one[0] in {"NP", "NM", "VP"}:
                return nearest(one, VERB if one[0] == "VP" else NOUN)
        level = [two for one in level for two in inner_phrases(one)]
    return []


def written_out(phrase):
    """Write a tree as lines of brackets, words and tags."""
    lines = []

    def write(part, opening):
        if isinstance(part, list):
            for word, tag in part:
                lines.append([f"{opening}*", word, tag])
                opening = ""
            return
        opening += f"({part[0]}"
        for inner in part[1]:
            write(inner, opening)
            opening = ""
        lines[-1][0] += ")"

    write(phrase, "")
    return [tuple(line) for line in lines]


@given(phrases)
def test_minimum_of_a_whole_tree_is_that_of_the_slow_version(phrase):
    lines = written_out(phrase)
    made = Trees(*zip(*lines, strict=True))
    root, size = numbered(phrase)
    expected = sorted(set(slow_minimum(root))) or list(range(size))
    assert list(made.minimum(0, size - 1)) == expected


@given(phrases, st.data())
def test_minimum_lies_inside_the_mention(phrase, data):
    made = Trees(*zip(*written_out(phrase), strict=True))
    start = data.draw(st.integers(0, len(made.words) - 1))
    end = data.draw(st.integers(start, len(made.words) - 1))
    found = made.minimum(start, end)
    assert found
    assert set(found) <= set(range(start, end + 1))


def test_minimum_of_characters_is_that_of_the_words_they_lie_in():
    # the 0-2, old 3-5, mill 6-9, by 10-11, the 12-14, river 15-19
    made = replace(trees(MILL), starts=[0, 3, 6, 10, 12, 15])
    assert made.minimum(0, 9) == (2,)
    assert made.minimum(12, 19) == (5,)
    # A stretch without phrase is its words: up to the last one, and no further.
    assert made.minimum(10, 11) == (3,)
    assert made.minimum(3, 5) == (1,)


class TestAnchors:
    def test_equal_numbers_are_equal_spans_of_one_document(self):
        # Mentions of the mill by the river: all, "old mill", "by the river", "mill".
        words = " ".join(trees(MILL).words)
        key = build_columns([document(words, "0-5", "3-5")] * 2)
        response = build_columns([document(words, "1-2", "4-5", "2")] * 2)
        found = number_minimum_spans({0: trees(MILL), 1: trees(MILL)}, key, response)
        key_anchor, response_anchor = (one.tolist() for one in found)
        assert key_anchor[0] == response_anchor[0] == response_anchor[2]
        assert key_anchor[1] == response_anchor[1] != key_anchor[0]
        assert set(key_anchor[:2]).isdisjoint(key_anchor[2:])
        assert response_anchor[3:] == [key_anchor[2], key_anchor[3], key_anchor[2]]

    def test_documents_without_trees_get_none(self):
        columns = build_columns([document("a b", "0"), document("a b", "0-1")])
        key, response = number_minimum_spans(
            {1: trees("(NP* a NN\n*) b NN")}, columns, columns
        )
        assert (key >= 0).tolist() == [False, True]
        assert np.array_equal(key, response)

    def test_minima_of_the_key_go_before_trees(self):
        # The minimum of the first mention is "the old mill", of which "old mill" has
        # not all. The second has none, so that the tree is asked for it.
        text = f"{' '.join(trees(MILL).words)} by Ann Lee"
        layers = {
            "parse": (*trees(MILL).brackets, "*", "(NP*", "*)"),
            "xpos": (*trees(MILL).tags, "IN", "NNP", "NNP"),
        }
        key = replace(document(text, "0-5~0-2", "7-8"), layers=layers)
        result = corefkit.score(key, document(text, "1-2", "8"), match="min")
        assert result["mentions"].recall_numerator == 1

    def test_layers_of_a_document_are_its_trees(self):
        assert Trees.of(document("a b")) is None


class TestMatching:
    """The key has trees, as CoNLL-2012 does; what matters is the key's."""

    @pytest.fixture
    def found(self, tmp_path):
        def counted(key, response, *, parse=None, match="min", metric="mentions"):
            files = []
            for name, cells in (("key", key), ("response", response)):
                brackets = parse if name == "response" and parse else self.PARSE
                lines = [
                    f"d 0 {token} {word} {tag} {bracket} - - - - * {cell}"
                    for token, (word, tag, bracket, cell) in enumerate(
                        zip(self.WORDS, self.TAGS, brackets, cells.split(), strict=True)
                    )
                ]
                text = "\n".join(["#begin document (d);", *lines, "", "#end document"])
                files.append(written(tmp_path / name, f"{text}\n"))
            return corefkit.score(*files, match=match)[metric].recall_numerator

        return counted

    WORDS = ("The", "old", "mill", "by", "the", "river", "is", "Ann", "'s")
    TAGS = ("DT", "JJ", "NN", "IN", "DT", "NN", "VBZ", "NNP", "POS")
    PARSE = ("(S(NP(NP*", "*", "*)", "(PP*", "(NP*", "*)))", "(VP*", "(NP*", "*)))")
    KEY = "(1 - - - - 1) - (1 1)"

    @pytest.mark.parametrize(
        ("response", "expected"),
        [
            (KEY, 2),
            ("- (1 1) - - - - (1 1)", 2),  # "old mill" has the same minimum
            ("- - (1) - - - - (1 1)", 2),  # "mill" too
            ("- - - (1 - 1) - (1 1)", 1),  # "by the river" has "river"
            ("- - - - - - (1 - 1)", 0),  # "is Ann's" is a verb phrase: "is"
            ("- - - - - - - - -", 0),
        ],
    )
    def test_same_minimum_span(self, found, response, expected):
        assert found(self.KEY, response) == expected

    def test_of_two_with_the_same_minimum_the_larger_is_taken(self, found):
        # "The old mill" has 3 of 6 words, "old mill" 2: only the first is linked to Ann
        # in one response, only the second in the other.
        assert found(self.KEY, "(1 (2 2)|1) - - - - (1 1)", metric="muc") == 1
        assert found(self.KEY, "(2 (1 1)|2) - - - - (1 1)", metric="muc") == 0

    def test_trees_of_the_response_do_not_matter(self, found):
        flat = ["(X*", *["*"] * 7, "*)"]
        assert found(self.KEY, "- (1 1) - - - - (1 1)", parse=flat) == 2

    def test_exact_does_not_look_at_trees(self, found):
        assert found(self.KEY, "- (1 1) - - - - (1 1)", match="exact") == 1

    def test_running_text_beside_trees(self, tmp_path):
        # The response cuts "Ann's" in other tokens, so all is compared by characters;
        # its "old mill" still has the minimum of "The old mill by the river".
        lines = zip(
            [*self.WORDS[:7], "Ann's"],
            [*self.TAGS[:7], "NNP"],
            [*self.PARSE[:7], "(NP*)))"],
            ["(1", "-", "-", "-", "-", "1)", "-", "(1)"],
            strict=True,
        )
        text = "\n".join(
            f"d 0 {n} {word} {tag} {bracket} - - - - * {cell}"
            for n, (word, tag, bracket, cell) in enumerate(lines)
        )
        key = written(
            tmp_path / "key", f"#begin document (d);\n{text}\n\n#end document\n"
        )
        response = written(
            tmp_path / "response.sgm",
            '<DOC><DOCID>d</DOCID>\nThe <COREF ID="1">old mill</COREF> by the river '
            'is <COREF ID="2" REF="1">Ann\'s</COREF>\n</DOC>\n',
        )
        assert corefkit.score(key, response)["mentions"].recall_numerator == 1
        by_minimum = corefkit.score(key, response, match="min")["mentions"]
        assert by_minimum.recall_numerator == 2
