"""Errors as values: ids, identities, types and details."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from error_cases import pairs
from hypothesis import given
from known_errors import (
    NO_SPAN_ERRORS,
    Facts,
    kinds_by_facts,
    list_errors,
    plain_kinds,
    tables,
)

from corefkit.analysis.errors.error_analysis import KINDS
from corefkit.analysis.errors.kinds import find_errors_by_kind
from corefkit.model import Document, Entity, Mention


def errors(key, response, pronouns=()):
    (found,) = list_errors(plain_kinds(key, response, pronouns), ["d"])
    return found


def by_kind(found, kind):
    return [error for error in found if error.kind == kind]


def test_ids_name_document_kind_and_first_mention():
    found = errors([[(0, 1), (7, 7), (9, 9)]], [[(0, 1)], [(7, 7), (9, 9)]])
    assert [error.id for error in found] == ["d#divided#7-7"]


@given(pairs())
def test_ids_are_unique(pair):
    found = errors({"d": pair.key}, {"d": pair.response}, pair.pronouns)
    assert len({error.id for error in found}) == len(found)


def test_ids_of_mentions_with_the_same_bounds_are_unique():
    shapes = [Mention.of(tokens) for tokens in ([3, 4, 5, 6], [3, 6], [3, 5, 6])]
    words = tuple("abcdefghij")
    key = Document(
        "d", (words,), (Entity("1", (Mention(0, 0), Mention(1, 1), *shapes)),)
    )
    response = Document("d", (words,), (Entity("1", (Mention(0, 0), Mention(1, 1))),))
    kinds = find_errors_by_kind(tables(key, response), NO_SPAN_ERRORS)
    (found,) = list_errors(kinds, ["d"])
    assert [error.id for error in found] == [
        "d#missing_mention#3-6",
        "d#missing_mention#3-6~2",
        "d#missing_mention#3-6~3",
    ]


@given(pairs())
def test_errors_are_by_kind_and_then_by_place(pair):
    found = errors({"d": pair.key}, {"d": pair.response}, pair.pronouns)
    places = [(KINDS.index(error.kind), error.mentions[0]) for error in found]
    assert places == sorted(places)


def test_a_missing_mention_is_known_by_itself():
    (found,) = errors(["abc"], ["ab"])
    assert (found.kind, found.identity, found.entity) == (
        "missing_mention",
        "c",
        ("a", "b", "c"),
    )


def test_a_missing_entity_is_known_by_the_key_entity():
    (found,) = by_kind(errors(["ab", "cd"], ["cd"]), "missing_entity")
    (other,) = by_kind(errors(["abe", "cd"], ["b", "cd"], "b"), "missing_entity")
    assert found.identity == other.identity == "a"
    assert (found.mentions, other.mentions) == (("a", "b"), ("a", "e"))


def test_pieces_of_one_key_entity_are_one_error_in_other_systems():
    (one,) = errors(["abcd"], ["ab", "cd"])
    (other,) = errors(["abcd"], ["a", "bcd"])
    assert one.kind == other.kind == "divided"
    assert one.identity == other.identity


def test_conflated_errors_are_known_by_the_two_key_entities():
    (one,) = by_kind(errors(["ab", "cd"], ["abcd"]), "conflated")
    (other,) = by_kind(errors(["ab", "cd"], ["bc", "a", "d"]), "conflated")
    assert one.identity == other.identity == ("a", "c")


def test_what_hangs_on_an_extra_mention_is_known_by_it():
    (found,) = by_kind(errors(["cd"], ["acd"]), "conflated")
    assert found.identity == ("a", "c")


def test_extra_mentions_are_known_by_themselves():
    (found,) = errors(["ab"], ["abx"])
    assert (found.kind, found.identity) == ("extra_mention", "x")
    (found,) = errors(["ab"], ["ab", "xy"])
    assert (found.kind, found.identity) == ("extra_entity", ("x", "y"))


def test_span_errors_say_what_differs_and_what_paired_them():
    key, response = [[(1, 3), (9, 9)]], [[(0, 2), (9, 9)]]
    types = {(1, 3): "name", (0, 2): "nominal", (9, 9): "pronoun"}
    heads = {(1, 3): 2, (0, 2): 2, (9, 9): 9}
    table = tables(key, response)
    kinds, description = kinds_by_facts(table, [Facts(heads, types, [0], set(), set())])
    words = {0: ["in", "big", "old", "houses"]}
    (found,) = list_errors(kinds, ["d"], description, words.__getitem__)[0]
    assert found.id == "d#span#0-2"
    assert found.mentions == ((0, 2), (1, 3))
    assert found.entity == ((1, 3), (9, 9))
    assert found.identity == (1, 3)
    assert found.types == ("nominal", "name")
    assert found.details == {
        "paired_by": "head",
        "left_extra": "in",
        "right_missing": "houses",
    }
    (numbered,) = list_errors(kinds, ["d"])[0]
    assert numbered.details["right_missing"] == "3-3"
    assert numbered.types == ()


def test_types_are_given_where_some_are_known():
    spans = [(token, token) for token in range(3)]
    heads, types = dict(zip(spans, range(3), strict=True)), dict.fromkeys(spans, "name")
    facts = Facts(heads, types, [0], set(), set())
    table = tables([[(0, 0), (1, 1), (2, 2)]], [[(0, 0), (1, 1)]])
    kinds, description = kinds_by_facts(table, [facts])
    (found,) = list_errors(kinds, ["d"], description)[0]
    assert found.types == ("name",)
    some = replace(description, type=np.array([0, -1, -1]))
    (found,) = list_errors(kinds, ["d"], some)[0]
    assert found.types == ("other",)
    none = replace(description, type=np.array([-1, -1, -1]))
    (found,) = list_errors(kinds, ["d"], none)[0]
    assert found.types == ()
