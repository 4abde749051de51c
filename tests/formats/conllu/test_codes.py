"""How CoNLL-U spells things: what is coded comes back, and looks as it should."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.formats.conllu.codes import (
    DECLARATION,
    ID,
    LINK,
    NAME,
    NEWDOC,
    VALUE,
    coded_name,
    parted,
    unused,
)

texts = st.text("ab%23CDcd5-()| \t\n\r,<[]:é\u2028", max_size=12)


class TestCode:
    @pytest.mark.parametrize(
        ("code", "text", "coded"),
        [
            (VALUE, "a-b (c)|d", "a%2Db%20%28c%29%7Cd"),
            (VALUE, "\t\n\r", "%09%0A%0D"),
            (VALUE, "a,b:c<d[e]", "a,b:c<d[e]"),
            (ID, "a,b:c<d[e]", "a%2Cb:c%3Cd%5Be%5D"),
            (LINK, "a,b:c<d[e]", "a%2Cb%3Ac%3Cd%5Be%5D"),
            (NAME, "x-y:z", "x%2Dy:z"),
        ],
    )
    def test_signs_that_would_be_misread_are_coded(self, code, text, coded):
        assert code.coded(text) == coded
        assert code.plain(coded) == text

    @pytest.mark.parametrize(
        ("code", "text", "coded"),
        [
            (VALUE, "%2D %25", "%252D%20%2525"),
            (VALUE, "100% %2C %", "100%%20%2C%20%"),
            (ID, "%2C", "%252C"),
            (NAME, "%41 %C3", "%2541%20%C3"),
        ],
    )
    def test_per_cent_is_coded_where_it_would_be_taken_for_a_code(
        self, code, text, coded
    ):
        assert code.coded(text) == coded
        assert code.plain(coded) == text

    @pytest.mark.parametrize(
        ("code", "text", "plain"),
        [
            (VALUE, "%2d%7c", "-|"),
            (VALUE, "%2C%C3%25", "%2C%C3%"),
            (ID, "%2C%3A%3C%5B%5D%2D", ",:<[]-"),
            (NAME, "%65type%80", "etype%80"),
        ],
    )
    def test_only_own_codes_are_read(self, code, text, plain):
        assert code.plain(text) == plain

    @given(st.sampled_from([VALUE, ID, LINK, NAME]), texts)
    def test_every_text_comes_back(self, code, text):
        coded = code.coded(text)
        assert code.plain(coded) == text
        assert not {*coded} & {*"-()| \t\n\r"}

    @given(texts)
    def test_ids_of_brackets_and_of_links_are_the_same(self, text):
        assert ID.plain(LINK.coded(text)) == text


class TestCodedName:
    @pytest.mark.parametrize(
        "name", ["eid", "GRP", "etype", "entity", "head", "minspan"]
    )
    def test_names_that_mean_more_do_not_stand_as_they_are(self, name):
        assert coded_name(name) != name
        assert NAME.plain(coded_name(name)) == name

    def test_other_names_do(self):
        assert coded_name("type") == "type"
        assert coded_name("x-y") == "x%2Dy"


class TestParted:
    @pytest.mark.parametrize(
        ("misc", "annotation", "rest"),
        [
            ("_", [], "_"),
            ("A=b|C", [], "A=b|C"),
            ("A=b|Entity=(e1)|C", ["Entity=(e1)"], "A=b|C"),
            (
                "Split=x|Bridge=y|SplitAnte=z",
                ["Split=x", "Bridge=y", "SplitAnte=z"],
                "_",
            ),
            ("Split|Entity|XEntity=(e1)", [], "Split|Entity|XEntity=(e1)"),
            ("", [], "_"),
        ],
    )
    def test_items_of_entities_are_set_apart(self, misc, annotation, rest):
        assert parted(misc) == (annotation, rest)


class TestUnused:
    def test_names_given_before_get_a_number(self):
        used = {}
        names = [unused(name, used) for name in ["a", "a#2", "a", "b", "a", "a#2"]]
        assert names == ["a", "a#2", "a#3", "b", "a#4", "a#2#2"]
        assert len({*names}) == len(names)


class TestComments:
    @pytest.mark.parametrize(
        ("line", "name"),
        [
            ("# newdoc id = a b/1", " a b/1"),
            ("#newdoc\tid=c", "c"),
            ("# newdoc id =", ""),
            ("#newdoc \t", None),
        ],
    )
    def test_newdoc_may_have_an_id(self, line, name):
        assert NEWDOC.fullmatch(line)[1] == name

    @pytest.mark.parametrize("line", ["# newdocument", "# newdoc x", "# a newdoc"])
    def test_other_comments_are_none(self, line):
        assert not NEWDOC.fullmatch(line)

    def test_declaration_has_fields(self):
        assert DECLARATION.fullmatch("#\tglobal.Entity =eid-x ")[1] == "eid-x "
        assert not DECLARATION.fullmatch("# global.Entity")
