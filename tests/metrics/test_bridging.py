"""Bridging and non-referring mentions: counted by their tokens, as they were read."""

from __future__ import annotations

from dataclasses import replace

import pytest
from slow_matching import document, mention

import corefkit
from corefkit.model import Bridge

WORDS = "a b c d e f g h"
NAMES = ("bridging_anaphora", "bridging_mentions", "bridging_entities")


def bridged(*entities, bridges, text=WORDS, name="d"):
    """Make a document with bridges `anaphor>entity` or `anaphor>entity:mention`."""
    made = []
    for bridge in bridges:
        anaphor, _, rest = bridge.partition(">")
        entity, _, named = rest.partition(":")
        made.append(Bridge(mention(anaphor), entity, mention(named) if named else None))
    return replace(document(text, *entities, name=name), bridges=tuple(made))


def counted(key, response, **options):
    """Score; gives for each metric correct, bridges of the key, of the response."""
    result = corefkit.score(key, response, metrics=NAMES, **options)
    found = {}
    for name in NAMES:
        score = result[name]
        assert score.precision_numerator == score.recall_numerator
        found[name] = (
            score.recall_numerator,
            score.recall_denominator,
            score.precision_denominator,
        )
    return tuple(found.values())


# Entity 1 is a and c, entity 2 is e, entity 3 is g; g bridges to 1, by c, the last
# mention before it.
KEY = bridged("0 2", "4", "6", bridges=["6>1"])


class TestCases:
    @pytest.mark.parametrize(
        ("response", "anaphora", "mentions", "entities"),
        [
            pytest.param(KEY, 1, 1, 1, id="the same"),
            # a is of the right entity, but not c.
            pytest.param(
                bridged("0", "2", "6", bridges=["6>1"]), 1, 0, 1, id="other mention"
            ),
            # What the file names goes before what is near.
            pytest.param(
                bridged("0 2", "6", bridges=["6>1:0"]), 1, 0, 1, id="named mention"
            ),
            pytest.param(
                bridged("0 2", "4", "6", bridges=["6>2"]), 1, 0, 0, id="other entity"
            ),
            # b is no mention of the key.
            pytest.param(
                bridged("1", "6", bridges=["6>1"]), 1, 0, 0, id="unknown mention"
            ),
            pytest.param(
                bridged("0 2", "4", bridges=["4>1"]), 0, 0, 0, id="other anaphor"
            ),
            # The anaphor's tokens count: f g is not g.
            pytest.param(
                bridged("0 2", "5-6", bridges=["5-6>1"]), 0, 0, 0, id="wider anaphor"
            ),
            # Whether the response links a and c does not matter: c is the antecedent.
            pytest.param(
                bridged("2 3", "6", bridges=["6>1:2"]), 1, 1, 1, id="same mention"
            ),
        ],
    )
    def test_one_bridge(self, response, anaphora, mentions, entities):
        expected = tuple((one, 1, 1) for one in (anaphora, mentions, entities))
        assert counted(KEY, response) == expected

    def test_missing_and_spurious(self):
        none = replace(KEY, bridges=())
        assert counted(KEY, none) == ((0, 1, 0),) * 3
        assert counted(none, KEY) == ((0, 0, 1),) * 3
        assert counted(none, none) == ((0, 0, 0),) * 3

    def test_without_mention_before_the_first_is_taken(self):
        # a bridges to e, g: both come behind it, and e is the first.
        key = bridged("0", "4 6", bridges=["0>2"])
        assert counted(key, bridged("0", "4", bridges=["0>2"])) == ((1, 1, 1),) * 3
        assert counted(key, bridged("0", "6", bridges=["0>2"])) == (
            (1, 1, 1),
            (0, 1, 1),
            (1, 1, 1),
        )

    def test_order_in_the_file_does_not_matter(self):
        # c is the last before g, though the file names it first.
        other = bridged("6", "2 0", bridges=["6>2"])
        assert counted(KEY, other) == ((1, 1, 1),) * 3

    def test_several_bridges(self):
        # g rightly to c; h to e in the key, to c in the response; f of the response
        # only; so 2 anaphors of 2 and 3 are found, and 1 antecedent is right.
        key = bridged("0 2", "4", "6", "7", bridges=["6>1", "7>2"])
        response = bridged("0 2", "4", "5", "6", "7", bridges=["6>1", "7>1", "5>2"])
        assert counted(key, response) == ((2, 2, 3), (1, 2, 3), (1, 2, 3))

    def test_documents_are_apart(self):
        keys = [KEY, replace(KEY, id="e", bridges=())]
        responses = [replace(KEY, bridges=()), replace(KEY, id="e")]
        assert counted(keys, responses) == ((0, 1, 1),) * 3

    def test_anaphor_with_a_gap(self):
        key = bridged("0", "2,4", bridges=["2,4>1"])
        assert counted(key, key) == ((1, 1, 1),) * 3
        filled = bridged("0", "2-4", bridges=["2-4>1"])
        assert counted(key, filled) == ((0, 1, 1),) * 3

    def test_empty_nodes_of_a_side_do_not_move_words(self):
        text = "a _ b c d e f g h"
        response = bridged("0 3", "5", "7", bridges=["7>1"], text=text)
        assert counted(KEY, response) == ((1, 1, 1),) * 3


class TestSettings:
    def test_dropped_singletons_still_bridge(self):
        assert counted(KEY, KEY, singletons="drop") == ((1, 1, 1),) * 3

    @pytest.mark.parametrize("match", ["head", "partial", "min"])
    def test_tokens_are_compared_exactly(self, match):
        key = bridged("0@0", "5-6@6", bridges=["5-6@6>1"])
        response = bridged("0@0", "6@6", bridges=["6@6>1"])
        result = corefkit.score(
            key, response, match=match, metrics=["mentions", *NAMES]
        )
        assert result["mentions"].f1 == 1
        assert [result[name].f1 for name in NAMES] == [0, 0, 0]

    def test_antecedents_that_nobody_knows_are_never_the_same(self):
        # The entities x and y have no mention at all.
        key, response = (bridged("6", bridges=[f"6>{one}"]) for one in "xy")
        assert counted(key, response) == ((1, 1, 1), (0, 1, 1), (0, 1, 1))


class TestNonReferring:
    def documents(self, entities):
        """Make a document of single mentions; those with `!` do not refer."""
        made = document(WORDS, *(one.removeprefix("!") for one in entities.split()))
        flags = [not one.startswith("!") for one in entities.split()]
        return replace(
            made,
            entities=tuple(
                replace(entity, referring=flag)
                for entity, flag in zip(made, flags, strict=True)
            ),
        )

    @pytest.mark.parametrize(
        ("key", "response", "expected"),
        [
            ("!0 !2 4", "!0 !2 4", (2, 2, 2)),
            ("!0 !2 4", "!0 2 4", (1, 2, 1)),  # c is taken to refer
            ("!0 4", "!0 !4", (1, 1, 2)),  # e is taken not to
            ("!0-1", "!0", (0, 1, 1)),  # other tokens
            ("!0", "", (0, 1, 0)),
            ("0", "0", (0, 0, 0)),
        ],
    )
    def test_counts(self, key, response, expected):
        sides = self.documents(key), self.documents(response)
        score = corefkit.score(*sides, metrics=["non_referring"])["non_referring"]
        assert score.precision_numerator == score.recall_numerator
        assert expected == (
            score.recall_numerator,
            score.recall_denominator,
            score.precision_denominator,
        )

    def test_others_do_not_see_them(self):
        # a does not refer in the key: only e is scored there, a and e in the response.
        sides = self.documents("!0 4"), self.documents("0 4")
        mentions = corefkit.score(*sides)["mentions"]
        found = mentions.recall_numerator, mentions.recall_denominator
        assert (*found, mentions.precision_denominator) == (1, 1, 2)

    def test_dropped_singletons_are_still_there(self):
        one = self.documents("!0 4")
        score = corefkit.score(one, one, metrics=["non_referring"], singletons="drop")
        assert score["non_referring"].f1 == 1
