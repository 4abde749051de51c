"""The annotation of entities in MISC: codes, fields, brackets, positions and links."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit import Mention
from corefkit.formats.conllu_entities import (
    FIELD,
    ID,
    LINK,
    VALUE,
    EntityParser,
    Fields,
    encode_field,
    make_unique,
    split_misc,
)
from corefkit.formats.problems import Faults
from corefkit.model import Bridge

USUAL = "eid-etype-head-other"


def parse(*miscs, fields=USUAL, find_head=min):
    """Parse the MISC of one token per line; return entities, bridges and problems."""
    problems = []
    parser = EntityParser(Faults("file", problems))
    if fields is not None:
        parser.fields = Fields.parse(fields)
    for token, misc in enumerate(miscs):
        parser.parse_misc(misc, token, token + 1)
    entities, bridges = parser.build_entities(len(miscs), find_head)
    assert all(problem.hint for problem in problems)
    return {entity.id: entity for entity in entities}, bridges, problems


def list_codes(problems):
    return [
        (one.line, one.severity, one.code.removeprefix("format/")) for one in problems
    ]


def bracketed(*cells, fields=USUAL):
    """Parse the values of `Entity`, `/` for none; return entities and problems."""
    miscs = ["_" if cell == "/" else f"Entity={cell}" for cell in cells]
    entities, _, problems = parse(*miscs, fields=fields)
    return entities, list_codes(problems)


def list_tokens(entities):
    return {
        name: [mention.tokens for mention in entity]
        for name, entity in entities.items()
    }


texts = st.text("ab%23CDcd5-()| \t\n\r,<[]:é\u2028", max_size=12)


class TestCodes:
    @pytest.mark.parametrize(
        ("code", "text", "encoded"),
        [
            (VALUE, "a-b (c)|d", "a%2Db%20%28c%29%7Cd"),
            (VALUE, "\t\n\r", "%09%0A%0D"),
            (VALUE, "a,b:c<d[e]", "a,b:c<d[e]"),
            (ID, "a,b:c<d[e]", "a%2Cb:c%3Cd%5Be%5D"),
            (LINK, "a,b:c<d[e]", "a%2Cb%3Ac%3Cd%5Be%5D"),
            (FIELD, "x-y:z", "x%2Dy:z"),
            # A per cent sign is encoded if it would be read as a code.
            (VALUE, "%2D %25", "%252D%20%2525"),
            (VALUE, "100% %2C %", "100%%20%2C%20%"),
            (ID, "%2C", "%252C"),
            (FIELD, "%41 %C3", "%2541%20%C3"),
        ],
    )
    def test_special_characters_are_encoded(self, code, text, encoded):
        assert code.encode(text) == encoded
        assert code.decode(encoded) == text

    @pytest.mark.parametrize(
        ("code", "text", "decoded"),
        [
            (VALUE, "%2d%7c", "-|"),
            (VALUE, "%2C%C3%25", "%2C%C3%"),
            (ID, "%2C%3A%3C%5B%5D%2D", ",:<[]-"),
            (FIELD, "%65type%80", "etype%80"),
        ],
    )
    def test_other_codes_are_kept(self, code, text, decoded):
        assert code.decode(text) == decoded

    @given(st.sampled_from([VALUE, ID, LINK, FIELD]), texts)
    def test_any_text_is_decoded_as_it_was(self, code, text):
        encoded = code.encode(text)
        assert code.decode(encoded) == text
        assert not {*encoded} & {*"-()| \t\n\r"}

    @given(texts)
    def test_ids_in_links_are_decoded_as_in_brackets(self, text):
        assert ID.decode(LINK.encode(text)) == text

    @pytest.mark.parametrize(
        "name", ["eid", "GRP", "etype", "entity", "head", "minspan"]
    )
    def test_special_field_names_are_encoded(self, name):
        assert encode_field(name) != name
        assert FIELD.decode(encode_field(name)) == name

    def test_other_field_names_are_kept(self):
        assert encode_field("type") == "type"
        assert encode_field("x-y") == "x%2Dy"

    def test_repeated_names_get_a_number(self):
        counts = {}
        repeated = ["a", "a#2", "a", "b", "a", "a#2"]
        names = [make_unique(name, counts) for name in repeated]
        assert names == ["a", "a#2", "a#3", "b", "a#4", "a#2#2"]


@pytest.mark.parametrize(
    ("misc", "annotation", "remainder"),
    [
        ("_", [], "_"),
        ("A=b|C", [], "A=b|C"),
        ("A=b|Entity=(e1)|C", ["Entity=(e1)"], "A=b|C"),
        ("Split=x|Bridge=y|SplitAnte=z", ["Split=x", "Bridge=y", "SplitAnte=z"], "_"),
        ("Split|Entity|XEntity=(e1)", [], "Split|Entity|XEntity=(e1)"),
        ("", [], "_"),
    ],
)
def test_items_about_entities_are_split_off(misc, annotation, remainder):
    assert split_misc(misc) == (annotation, remainder)


class TestFields:
    @pytest.mark.parametrize(
        ("declaration", "cell", "entity", "attributes"),
        [
            (USUAL, "(e1-person-1-a:b)", "e1", {"type": "person", "other": "a:b"}),
            ("entity-GRP-l", "(person-7-ana)", "7", {"type": "person", "l": "ana"}),
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
    def test_values_are_read_by_their_fields(
        self, declaration, cell, entity, attributes
    ):
        entities, problems = bracketed(cell, fields=declaration)
        assert [*entities] == [entity]
        assert entities[entity].mentions[0].attributes == attributes
        assert problems == []

    @pytest.mark.parametrize(
        ("declaration", "fields"),
        [
            (" GRP-eid-head-head\t", (0, 2, -1, (), 4)),
            ("etype--head", (-1, 2, -1, ((0, "type"), (1, "")), 3)),
        ],
    )
    def test_names_can_be_repeated_or_missing(self, declaration, fields):
        assert Fields.parse(declaration) == fields

    def test_missing_declaration_is_reported_once(self):
        entities, problems = bracketed("/", "(e1", "e1)(e2-x)", fields=None)
        assert problems == [(2, "error", "invalid-header")]
        assert entities["e2"].mentions[0].attributes == {"type": "x"}

    def test_more_values_than_fields_are_an_error(self):
        _, problems = bracketed("(e1-a-1-x-y)")
        assert problems == [(1, "error", "invalid-annotation")]

    def test_first_value_is_the_id_by_default(self):
        entities, _ = bracketed("(e1-x", "e1)", fields="etype-other")
        assert list_tokens(entities) == {"e1": [(0, 1)]}


def test_remainder_of_misc_is_returned():
    parser = EntityParser(Faults("file"))
    parser.fields = Fields.parse("eid")
    assert parser.parse_misc("A=b|Entity=(e1)|C", 0, 1) == "A=b|C"
    assert parser.parse_misc("SplitAnte=e1<e2", 1, 2) == "_"


def test_missing_head_is_searched():
    miscs = ["Entity=(a(b--1(c[1/2])", "Entity=a)b)", "Entity=(c[2/2])"]
    entities, *_ = parse(*miscs, find_head=max)
    assert [entity.mentions[0].head for entity in entities.values()] == [1, 0, 2]


class TestBrackets:
    @pytest.mark.parametrize(
        ("cells", "expected"),
        [
            pytest.param(
                ["(e1", "e1)", "(e2)"], {"e1": [(0, 1)], "e2": [(2,)]}, id="separate"
            ),
            pytest.param(
                ["(e1(e2)", "(e3", "e1)", "e3)"],
                {"e1": [(0, 1, 2)], "e2": [(0,)], "e3": [(1, 2, 3)]},
                id="crossing",
            ),
            pytest.param(
                ["(e1)(e1", "e1)(e1", "e1)"],
                {"e1": [(0,), (0, 1), (1, 2)]},
                id="adjacent",
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
                id="two discontinuous: the last to begin continues first",
            ),
            pytest.param(
                ["(e1[1/02])", "(e1[1/2])", "(e1[2/02])", "(e1[2/2])"],
                {"e1": [(0, 2), (1, 3)]},
                id="two discontinuous with different spelling",
            ),
            pytest.param(
                ["(e1[1/1])", "(a[b]", "a[b])"],
                {"e1": [(0,)], "a[b]": [(1, 2)]},
                id="square brackets that are not parts",
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
            pytest.param(
                ["(e1(e1", "(e1)", "e1)", "e1)"],
                {"e1": [(0, 1, 2, 3), (0, 1, 2), (1,)]},
                id="last opened, first closed",
            ),
        ],
    )
    def test_are_mentions(self, cells, expected):
        entities, problems = bracketed(*cells)
        assert list_tokens(entities) == expected
        assert [*entities] == [*expected]
        assert not any(severity == "error" for _, severity, _ in problems)

    @pytest.mark.parametrize(
        ("cells", "line", "code"),
        [
            (["(e1", "/"], 1, "unbalanced-bracket"),
            (["(e1(e1", "e1)"], 1, "unbalanced-bracket"),
            (["/", "e1)"], 2, "unbalanced-bracket"),
            (["(e1", "e1)e1)"], 2, "unbalanced-bracket"),
            (["(e1[1/2])"], 1, "incomplete-mention"),
            (["(e1[1/2])", "(e1[2/2]"], 2, "unbalanced-bracket"),
            (["(e1[2/2])"], 1, "incomplete-mention"),
            (["(e1[3/2])"], 1, "incomplete-mention"),
            (["(e1[0/2])"], 1, "incomplete-mention"),
            (["(e1[1/0])"], 1, "incomplete-mention"),
            (["(-x)"], 1, "missing-id"),
            (["("], 1, "missing-id"),
            (["()"], 1, "missing-id"),
            ([")"], 1, "missing-id"),
            (["([1/2])"], 1, "missing-id"),
            (["/", "e1"], 2, "invalid-annotation"),
            (["e1(e2)"], 1, "invalid-annotation"),
        ],
    )
    def test_invalid_brackets_are_errors(self, cells, line, code):
        assert bracketed(*cells)[1] == [(line, "error", code)]

    def test_parts_have_the_same_total(self):
        _, problems = bracketed("(e1[1/2])", "(e1[2/3])")
        error = "error", "incomplete-mention"
        assert problems == [(2, *error), (1, *error)]

    def test_unusual_ids_are_quoted_in_messages(self):
        *_, problems = parse("Entity=(e%0A1", f"Entity=({'x' * 99}")
        assert [problem.message.split(" opens")[0] for problem in problems] == [
            r"entity 'e\n1'",
            f"entity '{'x' * 80}...'",
        ]


class TestPositions:
    def test_head_is_counted_without_gaps(self):
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
    def test_minspan_is_the_minimum(self, fields, cells, head, minimum):
        entities, problems = bracketed(*cells, fields=fields)
        (mention,) = entities["1"]
        assert (mention.head, mention.minimum) == (head, minimum)
        assert problems == []

    @pytest.mark.parametrize(
        "cells",
        [
            *(["(e1--5", "/", "e1)"], ["(e1--0)"], ["(e1--x)"], ["(e1--1,1)"]),
            [f"(e1--{'9' * 5000})"],
        ],
    )
    def test_invalid_heads_are_errors(self, cells):
        entities, problems = bracketed(*cells)
        assert problems == [(1, "error", "invalid-span")]
        assert entities["e1"].mentions[0].head == 0

    def test_invalid_minspan_is_an_error(self):
        entities, problems = bracketed("(1-2,x", "1)", fields="GRP-minspan")
        assert problems == [(1, "error", "invalid-span")]
        assert entities["1"].mentions[0].minimum == (1, 1)


class TestLinks:
    def test_split_antecedents_belong_to_the_anaphor(self):
        entities, _, problems = parse(
            "Entity=(e3)|SplitAnte=e3<e7,e4<e7", "Split=e4<e8|Entity=(e4)(e7)(e8)"
        )
        splits = {name: entity.split for name, entity in entities.items()}
        assert splits == {"e3": (), "e4": (), "e7": ("e3", "e4"), "e8": ("e4",)}
        assert problems == []

    def test_bridge_belongs_to_the_first_mention_that_opens(self):
        _, bridges, problems = parse(
            "Entity=(e12)(e10)(e5)",
            "Bridge=e12<e5:part:of,e10<e6|Entity=(e5(e5)(e6)",
            "Entity=e5)",
        )
        assert bridges == (
            Bridge(Mention(1, 2), "e12", None, "part:of"),
            Bridge(Mention(1, 1), "e10", None, ""),
        )
        assert not any(problem.severity == "error" for problem in problems)

    @pytest.mark.parametrize(
        ("misc", "links"),
        [
            *(("SplitAnte=e1", 0), ("SplitAnte=<e1", 0), ("SplitAnte=e1<e1", 0)),
            *(("SplitAnte=e9<e1", 1), ("Split=e1<e9", 0)),
            *(("Bridge=e1<:x", 0), ("Bridge=e1<e9:x", 0), ("Bridge=e9<e1:x", 1)),
        ],
    )
    def test_invalid_links_are_warnings(self, misc, links):
        entities, bridges, problems = parse(f"Entity=(e1)|{misc}")
        assert list_codes(problems) == [(1, "warning", "broken-link")]
        assert len(bridges) + len(entities["e1"].split) == links

    def test_bridge_of_a_mention_at_another_token_is_an_error(self):
        _, bridges, problems = parse("Entity=(e2)", "Entity=(e1)|Bridge=e1<e2")
        assert list_codes(problems) == [(2, "error", "unknown-id")]
        assert bridges == ()
