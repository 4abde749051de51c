"""From MISC to entities: brackets, their values, links, and every way to break them."""

from __future__ import annotations

import pytest

from corefkit import Mention
from corefkit.formats.conllu.annotation import Annotation, Fields
from corefkit.formats.conllu.entities import read_entities
from corefkit.formats.faults import Faults
from corefkit.model import Bridge

USUAL = "eid-etype-head-other"


def read(*miscs, fields=USUAL):
    """Read the MISC of one token a line; gives entities, bridges and problems.

    Heads that the file does not give are the first tokens.
    """
    problems = []
    faults = Faults("file", problems)
    annotation = Annotation(faults)
    if fields is not None:
        annotation.fields = Fields.declared(fields)
    for token, misc in enumerate(miscs):
        annotation.read(misc, token, token + 1)
    entities, bridges = read_entities(annotation, len(miscs), min, faults)
    assert all(one.hint for one in problems)
    found = [(one.line, one.severity, one.message) for one in problems]
    return {entity.id: entity for entity in entities}, bridges, found


def bracketed(*cells, fields=USUAL):
    """Read the values of `Entity`; `/` is none. Gives entities and problems."""
    miscs = ["_" if cell == "/" else f"Entity={cell}" for cell in cells]
    entities, _, found = read(*miscs, fields=fields)
    return entities, found


def tokens(entities):
    return {
        name: [mention.tokens for mention in entity]
        for name, entity in entities.items()
    }


class TestFields:
    @pytest.mark.parametrize(
        ("declaration", "cell", "entity", "attributes"),
        [
            (USUAL, "(e1-person-1-a:b)", "e1", {"type": "person", "other": "a:b"}),
            (
                "entity-GRP-link",
                "(person-7-ana)",
                "7",
                {"type": "person", "link": "ana"},
            ),
            (USUAL, "(e1)", "e1", {}),
            (USUAL, "(e1---x)", "e1", {"other": "x"}),
            ("GRP", "(7)", "7", {}),
            (
                "eid-x%2Dy-%65type-%2541",
                "(e1-v-w-z)",
                "e1",
                {"x-y": "v", "etype": "w", "%41": "z"},
            ),
            (
                "eid-a",
                "(e%2D1%5D%3A-b%2Dc%28%29%7c%20%2C%C3%25)",
                "e-1]:",
                {"a": "b-c()| %2C%C3%"},
            ),
        ],
    )
    def test_values_go_by_their_fields(self, declaration, cell, entity, attributes):
        entities, found = bracketed(cell, fields=declaration)
        assert [*entities] == [entity]
        assert entities[entity].mentions[0].attributes == attributes
        assert found == []

    def test_field_may_stand_twice(self):
        assert Fields.declared(" GRP-eid-head-head\t") == (0, 2, -1, (), 4)

    def test_names_may_be_missing(self):
        fields = Fields.declared("etype--head")
        assert fields == (-1, 2, -1, ((0, "type"), (1, "")), 3)

    def test_no_declaration_is_a_problem_once(self):
        entities, found = bracketed("/", "(e1", "e1)(e2-x)", fields=None)
        assert found == [(2, "error", "Entity annotation without '# global.Entity'")]
        assert entities["e2"].mentions[0].attributes == {"type": "x"}

    def test_more_values_than_fields_are_a_problem(self):
        _, found = bracketed("(e1-a-1-x-y)")
        assert found == [(1, "error", "entity e1 has 5 values for 4 fields")]

    def test_without_an_id_the_first_value_is_taken(self):
        entities, _ = bracketed("(e1-x", "e1)", fields="etype-other")
        assert tokens(entities) == {"e1": [(0, 1)]}


class TestAnnotation:
    def test_rest_of_misc_is_given_back(self):
        annotation = Annotation(Faults("file"))
        annotation.fields = Fields.declared("eid")
        assert annotation.read("A=b|Entity=(e1)|C", 0, 1) == "A=b|C"
        assert annotation.read("SplitAnte=e1<e2", 1, 2) == "_"

    def test_head_is_looked_for_where_the_file_has_none(self):
        annotation = Annotation(Faults("file"))
        annotation.fields = Fields.declared(USUAL)
        for token, value in enumerate(["(a(b--1(c[1/2])", "a)b)", "(c[2/2])"]):
            annotation.read(f"Entity={value}", token, token + 1)
        (a, b, c), _ = read_entities(annotation, 3, max, Faults("file"))
        assert [one.mentions[0].head for one in (a, b, c)] == [1, 0, 2]


class TestBrackets:
    @pytest.mark.parametrize(
        ("cells", "expected"),
        [
            pytest.param(
                ["(e1", "e1)", "(e2)"], {"e1": [(0, 1)], "e2": [(2,)]}, id="apart"
            ),
            pytest.param(
                ["(e1(e2)", "(e3", "e1)", "e3)"],
                {"e1": [(0, 1, 2)], "e2": [(0,)], "e3": [(1, 2, 3)]},
                id="crossing",
            ),
            pytest.param(
                ["(e1)(e1", "e1)(e1", "e1)"],
                {"e1": [(0,), (0, 1), (1, 2)]},
                id="touching",
            ),
            pytest.param(
                ["(e1[1/2])", "/", "(e1[2/2]", "e1[2/2])"],
                {"e1": [(0, 2, 3)]},
                id="discontinuous",
            ),
            pytest.param(
                ["(e1[1/3])", "(e1[2/3])", "(e1", "(e1[3/3])e1)"],
                {"e1": [(0, 1, 3), (2, 3)]},
                id="discontinuous around another",
            ),
            pytest.param(
                ["(e1[1/2]", "(e1[1/2])", "e1[1/2])", "(e1[2/2])", "/", "(e1[2/2])"],
                {"e1": [(0, 1, 2, 5), (1, 3)]},
                id="two discontinuous: the one begun last goes on first",
            ),
            pytest.param(
                ["(e1[1/02])", "(e1[1/2])", "(e1[2/02])", "(e1[2/2])"],
                {"e1": [(0, 2), (1, 3)]},
                id="two discontinuous, told apart by their spelling",
            ),
            pytest.param(
                ["(e1[1/1])", "(a[b]", "a[b])"],
                {"e1": [(0,)], "a[b]": [(1, 2)]},
                id="square brackets that mean nothing",
            ),
            pytest.param(
                ["(NOCOREF:x", "(NOCOREF:x", "NOCOREF:x)NOCOREF:x)", "(NOCOREF:y)"],
                {
                    "NOCOREF:x": [(0, 1, 2)],
                    "NOCOREF:x#2": [(1, 2)],
                    "NOCOREF:y": [(3,)],
                },
                id="outside coreference",
            ),
            pytest.param(
                ["(b", "(a)", "b)(b)"],
                {"b": [(0, 1, 2), (2,)], "a": [(1,)]},
                id="order of opening",
            ),
        ],
    )
    def test_they_make_mentions(self, cells, expected):
        entities, found = bracketed(*cells)
        assert tokens(entities) == expected
        assert [*entities] == [*expected]
        assert not any(severity == "error" for _, severity, _ in found)

    def test_last_opened_closes_first(self):
        entities, _ = bracketed("(e1(e1", "(e1)", "e1)", "e1)")
        assert tokens(entities) == {"e1": [(0, 1, 2, 3), (0, 1, 2), (1,)]}

    @pytest.mark.parametrize(
        ("cells", "line", "message"),
        [
            (["(e1", "/"], 1, "entity e1 opens here and is never closed"),
            (["(e1(e1", "e1)"], 1, "entity e1 opens here and is never closed"),
            (["/", "e1)"], 2, "entity e1 closes here but was not opened"),
            (["(e1", "e1)e1)"], 2, "entity e1 closes here but was not opened"),
            (["(e1[1/2])"], 1, "mention of entity e1 begins here and lacks [2/2]"),
            (
                ["(e1[1/2])", "(e1[2/2]"],
                2,
                "entity e1[2/2] opens here and is never closed",
            ),
            (
                ["(e1[2/2])"],
                1,
                "part [2/2] of entity e1 opens here, but no part [1/2] was closed "
                "before",
            ),
            (["(e1[3/2])"], 1, "part [3/2] of entity e1: no such part can be"),
            (["(e1[0/2])"], 1, "part [0/2] of entity e1: no such part can be"),
            (["(e1[1/0])"], 1, "part [1/0] of entity e1: no such part can be"),
            (["(-x)"], 1, "a bracket has no entity id"),
            (["("], 1, "a bracket has no entity id"),
            (["()"], 1, "a bracket has no entity id"),
            ([")"], 1, "a bracket has no entity id"),
            (["([1/2])"], 1, "a bracket has no entity id"),
            (["/", "e1"], 2, "'e1' has no bracket"),
            (["e1(e2)"], 1, "'e1' has no bracket"),
        ],
    )
    def test_bad_ones_are_problems(self, cells, line, message):
        assert bracketed(*cells)[1] == [(line, "error", message)]

    def test_parts_must_say_the_same_number(self):
        _, found = bracketed("(e1[1/2])", "(e1[2/3])")
        assert found == [
            (
                2,
                "error",
                "part [2/3] of entity e1 opens here, but no part [1/3] was closed "
                "before",
            ),
            (1, "error", "mention of entity e1 begins here and lacks [2/2]"),
        ]

    def test_unprintable_ids_are_quoted(self):
        _, found = bracketed("(e%0A1", f"({'x' * 99}")
        assert [message.split(" opens")[0] for *_, message in found] == [
            r"entity 'e\n1'",
            f"entity '{'x' * 80}...'",
        ]


class TestPositions:
    def test_head_counts_over_all_parts(self):
        entities, _ = bracketed("(e1[1/2]-x-3", "e1[1/2])", "/", "(e1[2/2]-y-1)")
        (mention,) = entities["e1"]
        assert (mention.tokens, mention.head) == ((0, 1, 3), 3)
        assert mention.attributes == {"type": "x"}

    @pytest.mark.parametrize(
        ("fields", "cells", "head", "minimum"),
        [
            ("GRP-minspan", ["(1-2,3", "/", "/", "1)"], 1, (1, 2)),
            ("GRP-minspan", ["(1-4,1", "/", "/", "1)"], 3, (0, 3)),
            ("GRP-minspan", ["(1-2", "1)"], 1, (1, 1)),
            ("GRP-minspan", ["(1", "1)"], 0, None),
            ("GRP-head-minspan", ["(1-3-2", "/", "1)"], 2, (1, 1)),
            ("GRP-head-minspan", ["(1--2", "/", "1)"], 0, (1, 1)),
        ],
    )
    def test_minspan_gives_the_minimum(self, fields, cells, head, minimum):
        entities, found = bracketed(*cells, fields=fields)
        (mention,) = entities["1"]
        assert (mention.head, mention.minimum) == (head, minimum)
        assert found == []

    @pytest.mark.parametrize(
        ("cells", "message"),
        [
            (["(e1--5", "/", "e1)"], "head 5 lies outside the mention's 3 words"),
            (["(e1--0)"], "head 0 lies outside the mention's 1 word"),
            (["(e1--x)"], "head 'x' is not a position"),
            (["(e1--1,1)"], "head '1,1' is not a position"),
            (["(e1--" + "9" * 5000 + ")"], f"head '{'9' * 80}...' is not a position"),
        ],
    )
    def test_bad_heads_are_problems(self, cells, message):
        entities, found = bracketed(*cells)
        assert found == [(1, "error", message)]
        assert entities["e1"].mentions[0].head == 0

    def test_bad_minspan_is_a_problem(self):
        entities, found = bracketed("(1-2,x", "1)", fields="GRP-minspan")
        assert found == [(1, "error", "minspan 'x' is not a position")]
        assert entities["1"].mentions[0].minimum == (1, 1)


class TestLinks:
    def test_split_antecedents_are_those_of_the_entity(self):
        entities, _, found = read(
            "Entity=(e3)|SplitAnte=e3<e7,e4<e7", "Split=e4<e8|Entity=(e4)(e7)(e8)"
        )
        assert {name: entity.split for name, entity in entities.items()} == {
            "e3": (),
            "e4": (),
            "e7": ("e3", "e4"),
            "e8": ("e4",),
        }
        assert found == []

    def test_bridge_is_of_the_first_mention_that_opens(self):
        _, bridges, found = read(
            "Entity=(e12)(e10)(e5)",
            "Bridge=e12<e5:part:of,e10<e6|Entity=(e5(e5)(e6)",
            "Entity=e5)",
        )
        assert bridges == (
            Bridge(Mention(1, 2), "e12", None, "part:of"),
            Bridge(Mention(1, 1), "e10", None, ""),
        )
        assert not any(severity == "error" for _, severity, _ in found)

    @pytest.mark.parametrize(
        ("misc", "message", "kept"),
        [
            (
                "SplitAnte=e1",
                "SplitAnte: 'e1' is no link, expected 'antecedent<anaphor'",
                0,
            ),
            (
                "SplitAnte=<e1",
                "SplitAnte: '<e1' is no link, expected 'antecedent<anaphor'",
                0,
            ),
            ("SplitAnte=e1<e1", "SplitAnte: entity e1 is linked to itself", 0),
            (
                "SplitAnte=e9<e1",
                "SplitAnte: entity e9 has no mention in the document",
                1,
            ),
            ("Split=e1<e9", "SplitAnte: entity e9 has no mention in the document", 0),
            (
                "Bridge=e1<:x",
                "Bridge: 'e1<:x' is no link, expected 'antecedent<anaphor'",
                0,
            ),
            ("Bridge=e1<e9:x", "Bridge: entity e9 has no mention in the document", 0),
            ("Bridge=e9<e1:x", "Bridge: entity e9 has no mention in the document", 1),
        ],
    )
    def test_bad_ones_are_reported(self, misc, message, kept):
        entities, bridges, found = read(f"Entity=(e1)|{misc}")
        assert found == [(1, "warning", message)]
        assert len(bridges) + len(entities["e1"].split) == kept

    def test_bridge_of_a_mention_elsewhere_is_refused(self):
        _, bridges, found = read("Entity=(e2)", "Entity=(e1)|Bridge=e1<e2")
        message = "'Bridge' of entity e2, which does not open here"
        assert (bridges, found) == ((), [(2, "error", message)])
