"""CoNLL-U by its numbered rules, every way to break them, and there and back."""

from __future__ import annotations

import dataclasses
from itertools import chain
from pathlib import Path

import pytest
from files import BYTE_ORDER_MARK, conll, json_line, written
from hypothesis import given, settings
from hypothesis import strategies as st

import corefkit
from corefkit import Document, Entity, FormatError, Mention
from corefkit.formats import open_source, problems, recognised
from corefkit.formats.base import CROSSING_ITS_OWN
from corefkit.formats.bytefile import ByteFile
from corefkit.formats.conllu import WRITER, Fields, recognise
from corefkit.formats.writing import reduced, write
from corefkit.model import Bridge

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
FIELDS = "# global.Entity = eid-etype-head-other\n"


def line(identifier, form="w", misc="_", *, head="_", deps="_"):
    cells = [identifier, form, "_", "_", "_", "_", head, "_", deps, misc]
    return "\t".join(map(str, cells)) + "\n"


def sentence(*cells, heads=()):
    """Write a sentence from the Entity values of its words; `/` is no value."""
    return (
        "".join(
            line(
                number,
                f"w{number}",
                "_" if cell == "/" else f"Entity={cell}",
                head=heads[number - 1] if heads else "_",
            )
            for number, cell in enumerate(cells, 1)
        )
        + "\n"
    )


def marked(*cells, heads=(), fields=FIELDS):
    return f"# newdoc id = d\n{fields}{sentence(*cells, heads=heads)}"


@pytest.fixture
def read(tmp_path):
    def documents(text):
        return list(corefkit.read(written(tmp_path / "file.conllu", text)))

    return documents


@pytest.fixture
def found(tmp_path):
    def check(text):
        path = written(tmp_path / "file.conllu", text)
        return [(one.line, one.fatal, one.message) for one in problems(path)]

    return check


def everything(document):
    """Give all that is known of a document, heads and attributes included."""
    known = dataclasses.asdict(document)
    known["entities"] = [dataclasses.asdict(entity) for entity in document.entities]
    return known


def mentions(document):
    return {
        entity.id: [(mention.tokens, mention.head) for mention in entity]
        for entity in document
    }


def there_and_back(path, documents):
    losses = write(documents, path)
    assert not losses.counts
    return list(corefkit.read(path))


class TestDocuments:
    def ids(self, text, tmp_path, name="story.conllu"):
        return [one.id for one in corefkit.read(written(tmp_path / name, text))]

    def test_newdoc_begins_a_document(self, tmp_path):
        text = f"# newdoc id = a b/1\n{line(1)}\n#newdoc id=c\n{line(1)}"
        assert self.ids(text, tmp_path) == ["a b/1", "c"]

    def test_newdoc_without_id_is_named_by_its_number(self, tmp_path):
        text = f"# newdoc\n{line(1)}\n# newdoc id = x\n{line(1)}\n# newdoc id =\n"
        assert self.ids(text, tmp_path) == ["1", "x", "3"]

    def test_text_before_the_first_is_a_document(self, tmp_path):
        text = f"{line(1)}\n# newdoc id = x\n{line(1)}"
        assert self.ids(text, tmp_path) == ["1", "x"]

    def test_comments_before_the_first_are_none(self, tmp_path):
        text = f"# hello\n\n \n# newdoc id = x\n{line(1)}"
        assert self.ids(text, tmp_path) == ["x"]

    @pytest.mark.parametrize(
        ("name", "expected"), [("story.v2.conllu", "story.v2"), ("story", "story")]
    )
    def test_file_without_newdoc_is_named_by_the_file(self, tmp_path, name, expected):
        assert self.ids(line(1), tmp_path, name) == [expected]

    def test_comments_right_above_belong_to_the_document(self, tmp_path):
        above = "# a\n" * 3000  # more than is looked back at once
        text = f"{line(1)}# end\n\n{above}# newdoc id = x\n# b\n{line(1)}\n# late\n"
        path = written(tmp_path / "file", text)
        first, second = corefkit.read(path)
        assert first.comments == (("end",),)
        assert second.comments == ((*["a"] * 3000, "b"),)
        source = open_source(path)
        assert source.place(1) == f"{path}:4"
        source.close()

    def test_two_newdocs_in_a_row_are_two_documents(self, read):
        first, second = read(f"# x\n# newdoc id = a\n# y\n# newdoc id = b\n{line(1)}")
        assert (first.id, first.sentences, first.comments) == ("a", (), ())
        assert (second.id, second.comments) == ("b", (("y",),))

    def test_other_comments_begin_nothing(self, read):
        (document,) = read(f"# newdocument\n# newdoc x\n# no newdoc\n{line(1)}")
        assert document.comments == (("newdocument", "newdoc x", "no newdoc"),)

    def test_repeated_id_is_a_problem(self, found):
        text = f"# newdoc id = a\n{line(1)}\n# newdoc id = a\n{line(1)}"
        assert found(text) == [(4, True, "document 'a' was there before")]


class TestTokens:
    TEXT = (
        "# sent_id = 1\n"
        "#two\n"
        "# \n"
        + line("0.1", "_", deps="2:nsubj")
        + "1-2\tdel\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
        + line(1, "de", "A=b|Entity=(e1--1)|C", head=3)
        + line("1.1", "pro", deps="3:x")
        + line("1.2", "pro", deps="3:x")
        + line(2, "el niño", head=3)
        + " \t\n\n"
        + line(1, "", "Entity=(e1)|Split", head=0)
    )

    @pytest.fixture
    def document(self, read):
        (document,) = read(f"# newdoc id = d\n{FIELDS}{self.TEXT}")
        return document

    def test_words_and_empty_nodes_are_tokens(self, document):
        assert document.sentences == (("_", "de", "pro", "pro", "el niño"), ("",))
        assert document.empty == (0, 2, 3)
        assert document.words == ("de", "el niño", "")

    def test_columns_are_layers_where_they_say_something(self, document):
        assert dict(document.layers) == {
            "head": ("_", "3", "_", "_", "3", "0"),
            "deps": ("2:nsubj", "_", "3:x", "3:x", "_", "_"),
            "misc": ("_", "A=b|C", "_", "_", "_", "Split"),
            "mwt": (
                *("", "1-2\tdel\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No"),
                *("", "", "", ""),
            ),
        }

    def test_every_column_has_its_layer(self, read):
        (document,) = read("1\tA\tl\tu\tx\tf\t0\td\t\tm\n2\tB\t\t_\t_\t_\t1\t_\t_\t_\n")
        assert document.layers == {
            "lemma": ("l", "_"),
            "upos": ("u", "_"),
            "xpos": ("x", "_"),
            "feats": ("f", "_"),
            "head": ("0", "1"),
            "deprel": ("d", "_"),
            "misc": ("m", "_"),
        }

    def test_comments_are_kept_by_sentence(self, document):
        assert document.comments == (("sent_id = 1", "two", ""), ())

    def test_all_comes_back(self, document, tmp_path):
        (again,) = there_and_back(tmp_path / "x.conllu", [document])
        assert everything(again) == everything(document)

    def test_lines_are_those_of_the_tokens(self, tmp_path):
        path = written(tmp_path / "file", self.TEXT.replace("Entity=", "X="))
        source = open_source(path)
        places = [word.place.removeprefix(path) for word in source.words(0)]
        source.close()
        assert places == [":6", ":9", ":12"]

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("1\ta\n", [(1, True, "found 2 columns, expected 10 set apart by tabs")]),
            (
                line(1) + line(2).replace("\n", "\tx\n"),
                [(2, True, "found 11 columns, expected 10 set apart by tabs")],
            ),
            (
                line(1).replace("\t", " ") + line(2).replace("\t", " "),
                [
                    (1, True, "found 1 columns, expected 10 set apart by tabs"),
                    (2, True, "found 1 columns, expected 10 set apart by tabs"),
                ],
            ),
            (line(1) + line(3), [(2, True, "found word 3, expected 2")]),
            (line(1) + line("02"), [(2, True, "found word 02, expected 2")]),
            (line(1) + line(2) + line(1), [(3, True, "found word 1, expected 3")]),
            (line(2), [(1, True, "found word 2, expected 1")]),
            (line("x"), [(1, True, "'x' is not an ID, expected 1")]),
            (line(1) + line(""), [(2, True, "'' is not an ID, expected 2")]),
            (line(1) + line("²"), [(2, True, "'²' is not an ID, expected 2")]),
            (
                line("1.1") + line(1) + line("1.2") + line("1.2"),
                [
                    (1, False, "found empty node 1.1, expected 0.1"),
                    (3, False, "found empty node 1.2, expected 1.1"),
                ],
            ),
            (
                line("3-4")
                + line(1)
                + line("2-3")
                + line("2-3")
                + line("1.1")
                + line(2),
                [
                    (1, False, "multiword range 3-4 stands before word 1"),
                    (4, False, "a second multiword range stands before the same word"),
                ],
            ),
            (
                line("1-1") + line(1) + line("2-3") + "\n" + line(1),
                [
                    (1, False, "multiword range 1-1 stands before word 1"),
                    (
                        4,
                        False,
                        "a multiword range stands behind the last word of its sentence",
                    ),
                ],
            ),
            (
                line("1-2", misc="A=b|Entity=(e1)") + line(1) + line(2),
                [(1, False, "'Entity' on the multiword range 1-2 is not read")],
            ),
        ],
    )
    def test_bad_lines_are_problems(self, found, read, text, expected):
        text = f"# text = x\n{text}"
        expected = [(number + 1, *rest) for number, *rest in expected]
        assert found(text) == expected
        fatal = [message for _, is_fatal, message in expected if is_fatal]
        if fatal:
            with pytest.raises(FormatError) as refused:
                read(text)
            assert refused.value.message == fatal[0]
            assert refused.value.place.endswith(f"file.conllu:{expected[0][0]}")
        else:
            assert len(read(text)) == 1

    def test_bytes_that_are_no_utf8_are_a_problem(self, found, read):
        text = f"# newdoc id = d\n{line(1)}{line(2)}".encode().replace(
            b"\n2\tw", b"\n2\t\xff"
        )
        assert found(text) == [(3, True, "byte 3 of the line is not UTF-8")]
        with pytest.raises(FormatError, match="not UTF-8"):
            read(text)


class TestFields:
    @pytest.mark.parametrize(
        ("declaration", "cell", "entity", "attributes"),
        [
            (
                "eid-etype-head-other",
                "(e1-person-1-a:b)",
                "e1",
                {"type": "person", "other": "a:b"},
            ),
            (
                "entity-GRP-link",
                "(person-7-ana)",
                "7",
                {"type": "person", "link": "ana"},
            ),
            ("eid-etype-head-other", "(e1)", "e1", {}),
            ("eid-etype-head-other", "(e1---x)", "e1", {"other": "x"}),
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
    def test_values_go_by_their_fields(
        self, read, declaration, cell, entity, attributes
    ):
        (document,) = read(marked(cell, fields=f"# global.Entity = {declaration}\n"))
        assert document.entities[0].id == entity
        assert document.entities[0].mentions[0].attributes == attributes

    def test_field_may_stand_twice(self):
        assert Fields.declared(" GRP-eid-head-head\t") == (0, 2, -1, (), 4)

    def test_declaration_holds_for_later_documents(self, read):
        text = (
            f"# newdoc id = a\n# global.Entity = eid-x\n{sentence('(e1-1)')}"
            f"# newdoc id = b\n{sentence('(e1-2)')}"
            f"# global.Entity = eid-y\n# newdoc id = c\n{sentence('(e1-3)')}"
            f"# newdoc id = d\n{sentence('(e1-4)')}"
            f"# global.Entity = eid-z\n{sentence('(e1-5)')}"
        )
        assert [
            dict(mention.attributes)
            for document in read(text)
            for entity in document
            for mention in entity
        ] == [{"x": "1"}, {"x": "2"}, {"y": "3"}, {"y": "4"}, {"z": "5"}]

    def test_declaration_may_stand_before_all_documents(self, read):
        (document,) = read(f"{FIELDS}\n# newdoc id = a\n{sentence('(e1-x)')}")
        assert document.entities[0].mentions[0].attributes == {"type": "x"}

    def test_no_declaration_is_a_problem_once(self, found, read):
        text = marked("(e1", "e1)(e2)", fields="")
        message = "Entity annotation without '# global.Entity'"
        assert found(text) == [(2, True, message)]
        with pytest.raises(FormatError) as refused:
            read(text)
        assert "# global.Entity = eid-etype-head-other" in refused.value.hint

    def test_declaration_without_id_is_a_problem(self, found):
        text = marked("(e1)", fields="# global.Entity = etype-head\n")
        message = "no field of 'etype-head' is the entity's id"
        assert found(text)[0] == (2, True, message)

    def test_more_values_than_fields_are_a_problem(self, found):
        text = marked("(e1-a-1-x-y)")
        assert found(text) == [(3, True, "entity e1 has 5 values for 4 fields")]


class TestBrackets:
    """Heads are the first words that hang on nothing inside the mention."""

    @pytest.mark.parametrize(
        ("cells", "heads", "expected"),
        [
            pytest.param(
                ["(e1", "e1)", "(e2)"],
                "203",
                {"e1": [((0, 1), 1)], "e2": [((2,), 2)]},
                id="apart",
            ),
            pytest.param(
                ["(e1(e2)", "(e3", "e1)", "e3)"],
                "3340",
                {"e1": [((0, 1, 2), 2)], "e2": [((0,), 0)], "e3": [((1, 2, 3), 3)]},
                id="crossing",
            ),
            pytest.param(
                ["(e1(e1", "(e1)", "e1)", "e1)"],
                "2044",
                {"e1": [((0, 1, 2, 3), 1), ((0, 1, 2), 1), ((1,), 1)]},
                id="embedded in its own",
            ),
            pytest.param(
                ["(e1)(e1", "e1)(e1", "e1)"],
                "312",
                {"e1": [((0,), 0), ((0, 1), 0), ((1, 2), 1)]},
                id="touching, and no word outside",
            ),
            pytest.param(
                ["(e1[1/2])", "/", "(e1[2/2]", "e1[2/2])"],
                "3020",
                {"e1": [((0, 2, 3), 2)]},
                id="discontinuous",
            ),
            pytest.param(
                ["(e1[1/3])", "(e1[2/3])", "(e1", "(e1[3/3])e1)"],
                "4440",
                {"e1": [((0, 1, 3), 3), ((2, 3), 3)]},
                id="discontinuous around another",
            ),
            pytest.param(
                ["(e1[1/2]", "(e1[1/2])", "e1[1/2])", "(e1[2/2])", "/", "(e1[2/2])"],
                "000000",
                {"e1": [((0, 1, 2, 5), 0), ((1, 3), 1)]},
                id="two discontinuous: the one begun last goes on first",
            ),
            pytest.param(
                ["(e1[1/02])", "(e1[1/2])", "(e1[2/02])", "(e1[2/2])"],
                "0000",
                {"e1": [((0, 2), 0), ((1, 3), 1)]},
                id="two discontinuous, told apart by their spelling",
            ),
            pytest.param(
                ["(e1[1/1])", "(a[b]", "a[b])"],
                "___",
                {"e1": [((0,), 0)], "a[b]": [((1, 2), 1)]},
                id="square brackets that mean nothing, and no tree",
            ),
            pytest.param(
                ["(NOCOREF:x", "(NOCOREF:x", "NOCOREF:x)NOCOREF:x)", "(NOCOREF:y)"],
                "0000",
                {
                    "NOCOREF:x": [((0, 1, 2), 0)],
                    "NOCOREF:x#2": [((1, 2), 1)],
                    "NOCOREF:y": [((3,), 3)],
                },
                id="outside coreference",
            ),
            pytest.param(
                ["(b", "(a)", "b)(b)"],
                "0000",
                {"b": [((0, 1, 2), 0), ((2,), 2)], "a": [((1,), 1)]},
                id="order of opening",
            ),
        ],
    )
    def test_brackets_make_mentions(self, tmp_path, read, cells, heads, expected):
        (document,) = read(marked(*cells, heads=heads))
        assert mentions(document) == expected
        assert list(mentions(document)) == list(expected)
        losses = write([document], tmp_path / "x.conllu")
        (again,) = corefkit.read(tmp_path / "x.conllu")
        assert losses.counts or everything(again) == everything(document)
        assert {*losses.counts} <= {CROSSING_ITS_OWN}

    def test_mention_may_go_over_the_end_of_a_sentence(self, read, found):
        text = FIELDS + sentence("(e1", "/", heads="20")
        text += sentence("/", "e1)", heads="20")
        (document,) = read(text)
        assert mentions(document) == {"e1": [((0, 1, 2, 3), 1)]}
        assert found(text) == []

    def test_empty_nodes_are_counted_along(self, read):
        text = (
            f"{FIELDS}"
            + line("0.1", misc="Entity=(e1--2(e2")
            + line(1, misc="Entity=e1)", head=2)
            + line("1.1", misc="Entity=(e3", deps="1:x")
            + line("1.2", misc="Entity=e2)e3)", deps="2:x")
            + line(2, misc="Entity=(e4", head=0)
            + line("2.1", misc="Entity=e4)(e5)")
        )
        (document,) = read(text)
        assert mentions(document) == {
            "e1": [((0, 1), 1)],
            "e2": [((0, 1, 2, 3), 1)],
            "e3": [((2, 3), 2)],
            "e4": [((4, 5), 4)],
            "e5": [((5,), 5)],
        }

    def test_head_counts_over_all_parts(self, read):
        (document,) = read(marked("(e1[1/2]-x-3", "e1[1/2])", "/", "(e1[2/2]-y-1)"))
        (mention,) = document.entities[0]
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
    def test_minspan_gives_the_minimum(
        self, tmp_path, read, fields, cells, head, minimum
    ):
        (document,) = read(marked(*cells, fields=f"# global.Entity = {fields}\n"))
        (mention,) = document.entities[0]
        assert (mention.head, mention.minimum) == (head, minimum)
        (again,) = there_and_back(tmp_path / "x.conllu", [document])
        assert everything(again) == everything(document)

    @pytest.mark.parametrize(
        ("cells", "number", "message"),
        [
            (["(e1", "/"], 1, "entity e1 opens here and is never closed"),
            (["(e1(e1", "e1)"], 1, "entity e1 opens here and is never closed"),
            (["/", "e1)"], 2, "entity e1 closes here but was not opened"),
            (["(e1", "e1)e1)"], 2, "entity e1 closes here but was not opened"),
            (["(e1[1/2])"], 1, "mention of entity e1 begins here and lacks [2/2]"),
            (
                ["(e1[1/2])", "(e1[2/2]"],
                2,
                "entity e1 opens here and is never closed",
            ),
            (
                ["(e1[2/2])"],
                1,
                "part [2/2] of entity e1 opens here, but no part [1/2] was closed "
                "before",
            ),
            (["(e1[3/2])"], 1, "part [3/2] of entity e1: no such part can be"),
            (["(e1[0/2])"], 1, "part [0/2] of entity e1: no such part can be"),
            (["(e1--5", "/", "e1)"], 1, "head 5 lies outside the mention's 3 words"),
            (["(e1--0)"], 1, "head 0 lies outside the mention's 1 word"),
            (["(e1--x)"], 1, "head 'x' is not a position"),
            (
                ["(e1--" + "9" * 5000 + ")"],
                1,
                f"head '{'9' * 80}...' is not a position",
            ),
            (["(-x)"], 1, "a bracket has no entity id"),
            (["("], 1, "a bracket has no entity id"),
            (["()"], 1, "a bracket has no entity id"),
            ([")"], 1, "a bracket has no entity id"),
            (["([1/2])"], 1, "a bracket has no entity id"),
            (["/", "e1"], 2, "'e1' has no bracket"),
            (["e1(e2)"], 1, "'e1' has no bracket"),
        ],
    )
    def test_bad_brackets_are_problems(self, read, found, cells, number, message):
        text = marked(*cells)
        assert found(text) == [(number + 2, True, message)]
        with pytest.raises(FormatError) as refused:
            read(text)
        assert refused.value.message == message
        assert refused.value.place.endswith(f"file.conllu:{number + 2}")
        assert refused.value.hint

    def test_bad_minspan_is_a_problem(self, found):
        text = marked("(1-2,x", "1)", fields="# global.Entity = GRP-minspan\n")
        assert found(text) == [(3, True, "minspan 'x' is not a position")]

    def test_parts_must_say_the_same_number(self, found):
        text = marked("(e1[1/2])", "(e1[2/3])")
        assert [message for *_, message in found(text)] == [
            "mention of entity e1 begins here and lacks [2/2]",
            "part [2/3] of entity e1 opens here, but no part [1/3] was closed before",
        ]

    def test_bracket_does_not_close_in_another_document(self, found):
        text = f"{FIELDS}# newdoc id = a\n{sentence('(e1')}"
        text += f"# newdoc id = b\n{sentence('e1)')}"
        assert [number for number, *_ in found(text)] == [3, 6]

    def test_same_mention_twice_is_reported(self, found, read):
        text = marked("(e1(e1(e2", "e1)e1)e2)")
        assert found(text) == [
            (
                3,
                False,
                "mention of tokens 0 to 1 of document 'd' stands twice in entity e1",
            ),
            (
                3,
                False,
                "mention of tokens 0 to 1 of document 'd' stands in entity e2 and in "
                "entity e1",
            ),
        ]
        assert len(read(text)[0].entities[0]) == 2

    @pytest.mark.parametrize(
        ("cells", "lines"),
        [
            (["(e1", "(e1)", "e1)"], [4]),
            (["(e1)(e1", "e1)"], [3]),
            (["(e1[1/2])", "(e1)", "(e1[2/2])"], []),
            (["(e1", "e1)(e1", "e1)"], []),
            (["(e1", "(e2)", "e1)"], []),
        ],
    )
    def test_mention_inside_its_own_entity_is_reported(self, found, cells, lines):
        problems = found(marked(*cells))
        assert [number for number, *_ in problems] == lines
        for _, fatal, message in problems:
            assert not fatal
            assert "lies inside another mention of it" in message

    def test_entity_of_two_types_is_reported(self, found):
        text = marked("(e1-a)", "(e1)", "(e1-b)", "(e1-b)", "(e2)", "(e2-b)")
        message = "entity e1 is 'b' here and another type before"
        assert found(text) == [(5, False, message)]


class TestLinks:
    def test_split_antecedents_are_those_of_the_entity(self, read):
        text = f"{FIELDS}" + line(1, misc="Entity=(e3)|SplitAnte=e3<e7,e4<e7")
        text += line(2, misc="Split=e4<e8|Entity=(e4)(e7)(e8)")
        (document,) = read(text)
        assert {one.id: one.split for one in document} == {
            "e3": (),
            "e4": (),
            "e7": ("e3", "e4"),
            "e8": ("e4",),
        }

    def test_bridge_is_of_the_mention_that_opens(self, read, tmp_path):
        text = f"{FIELDS}" + line(1, misc="Entity=(e12)(e10)(e5)")
        text += line(2, misc="Bridge=e12<e5:part:of,e10<e6|Entity=(e5(e5)(e6)")
        text += line(3, misc="Entity=e5)")
        (document,) = read(text)
        assert document.bridges == (
            Bridge(Mention(1, 2), "e12", None, "part:of"),
            Bridge(Mention(1, 1), "e10", None, ""),
        )
        (again,) = there_and_back(tmp_path / "x.conllu", [document])
        assert everything(again) == everything(document)

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
    def test_bad_links_are_reported(self, found, read, misc, message, kept):
        text = f"{FIELDS}{line(1, misc=f'Entity=(e1)|{misc}')}"
        assert found(text) == [(2, False, message)]
        (document,) = read(text)
        assert len(document.bridges) + len(document.entities[0].split) == kept

    def test_bridge_of_a_mention_elsewhere_is_refused(self, found, read):
        text = FIELDS + line(1, misc="Entity=(e2)")
        text += line(2, misc="Entity=(e1)|Bridge=e1<e2")
        message = "'Bridge' of entity e2, which does not open here"
        assert found(text) == [(3, True, message)]
        with pytest.raises(FormatError, match="does not open here"):
            read(text)


GOOD = "".join(
    [
        marked("(e1-person-2-x:y", "e1)(e2", "e2)", heads="201"),
        "# newdoc id = e\n",
        line("1-2"),
        line(1),
        line(2, misc="SpaceAfter=No|Entity=(e1)"),
        line("2.1", deps="1:x", misc="Bridge=e1<e3:part|Entity=(e3[1/2])"),
        line(3, misc="Entity=(e2)|SplitAnte=e1<e2,e3<e2"),
        line(4, misc="Entity=(e3[2/2])"),
    ]
)


class TestWaysOfWriting:
    @pytest.mark.parametrize(
        "text",
        [
            pytest.param(GOOD.replace("\n", "\r\n"), id="CRLF"),
            pytest.param(BYTE_ORDER_MARK + GOOD.encode(), id="byte-order mark"),
            pytest.param(GOOD.rstrip("\n"), id="no final newline"),
            pytest.param(f"\n\n{GOOD}\n \n", id="blank lines"),
        ],
    )
    def test_they_do_not_matter(self, read, text):
        expected = list(map(everything, read(GOOD)))
        assert list(map(everything, read(text))) == expected

    @pytest.mark.parametrize("text", ["", "\n \n", "# only a comment\n"])
    def test_file_without_tokens_has_no_document(self, tmp_path, text):
        path = written(tmp_path / "file", text)
        with pytest.raises(FormatError):
            list(corefkit.read(path, format="conllu"))

    def test_cut_off_file_is_refused(self, read):
        with pytest.raises(FormatError, match="found 5 columns"):
            read(GOOD[: GOOD.index("4\tw") + 9])


class TestRecognise:
    @pytest.mark.parametrize(
        "head",
        [
            GOOD,
            line(1),
            line("1-12"),
            line("0.1"),
            f"# comment\n\n{line(1)}",
            "# newdoc id = x\n",
            "# sent_id = 1\n1 Ann _ _\n",
            "# global.Entity = eid\n2\tx\n",
        ],
    )
    def test_own_files(self, head):
        assert recognise(head.encode())

    @pytest.mark.parametrize(
        "head",
        [
            "",
            "# comment\n",
            line(2),
            line("1-1"),
            conll("(1)"),
            json_line("d", "ab", []),
            f"# global.columns = ID FORM IDENTITY\n# newdoc id = x\n{line(1)}",
            f"# newdoc id = x\n{line(1).strip()}\t(1)\n",
            "#FORMAT=WebAnno TSV 3.2\n#Text=x\n" + line("1-1"),
            "\0\t\1\n",
        ],
    )
    def test_other_files(self, head):
        assert not recognise(head.encode())

    @given(st.binary(max_size=60))
    def test_nothing_makes_it_fail(self, head):
        recognise(head)
        recognise(b"# newdoc\n" + head)

    @pytest.mark.skipif(not DATA.exists(), reason="the samples are not here")
    def test_samples(self):
        own = [
            path.name
            for path in sorted((DATA / "formats").rglob("*"))
            if path.is_file() and recognise(path.read_bytes()[: 1 << 16])
        ]
        assert own == [
            "es_ancora-one-sentence.conllu",
            "fr-democrat-dev-sample.conllu",
            "GUM_news_nasa.first12.conllu",
        ]


class TestFuzz:
    """Nothing but FormatError, whatever the file holds."""

    def survives(self, tmp_path_factory, content):
        path = written(tmp_path_factory.getbasetemp() / "fuzz.conllu", content)
        try:
            list(problems(path, format="conllu"))
        except FormatError:
            return  # recognised as another format
        try:
            documents = list(corefkit.read(path, format="conllu"))
        except FormatError:
            return
        out = tmp_path_factory.getbasetemp() / "back.conllu"
        assert not any(problem.fatal for problem in problems(path, format="conllu"))
        lost = write(documents, out).counts
        if not lost:
            again = list(corefkit.read(out, format="conllu"))
            assert list(map(everything, again)) == list(map(everything, documents))

    @given(st.binary(max_size=80))
    def test_random_bytes(self, tmp_path_factory, content):
        self.survives(tmp_path_factory, content)
        self.survives(tmp_path_factory, b"# newdoc id = x\n" + content)

    @settings(max_examples=150)
    @given(st.data())
    def test_mutations_of_a_good_file(self, tmp_path_factory, data):
        content = bytearray(GOOD.encode())
        for _ in range(data.draw(st.integers(1, 4))):
            place = data.draw(st.integers(0, len(content) - 1))
            end = place + data.draw(st.integers(0, 3))
            new = st.sampled_from(list(b"\t\n\r#()[]/<>:,-=|%_ 0129eE")) | st.integers(
                0, 255
            )
            content[place:end] = bytes(data.draw(st.lists(new, max_size=3)))
        self.survives(tmp_path_factory, bytes(content))

    @settings(max_examples=150)
    @given(st.lists(st.text("(e12)[/]-%2D", max_size=12), min_size=1, max_size=4))
    def test_random_brackets(self, tmp_path_factory, cells):
        self.survives(tmp_path_factory, marked(*(cell or "/" for cell in cells)))


@st.composite
def bracket_rows(draw):
    """Draw brackets that all close, in any order that their rules allow."""
    tokens = draw(st.integers(1, 6))
    cells = [""] * tokens
    labels = draw(st.lists(st.sampled_from(["a", "b", "NOCOREF"]), max_size=6))
    rows = []
    for label in labels:
        start = draw(st.integers(0, tokens - 1))
        rows.append((start, draw(st.integers(start, tokens - 1)), label))
    for token in range(tokens):
        here = draw(st.permutations([row for row in rows if row[0] == token]))
        ends = [row[2] for row in rows if row[1] == token > row[0]]
        pieces = [f"{label})" for label in ends]
        for start, end, label in here:
            kind = draw(st.sampled_from(["", "-person", "-place-1"]))
            pieces.append(f"({label}{kind}{')' * (start == end)}")
        cells[token] = "".join(pieces) or "/"
    return cells


@given(bracket_rows())
def test_what_was_read_comes_back(tmp_path_factory, cells):
    TestFuzz().survives(tmp_path_factory, marked(*cells, heads=["2"] * len(cells)))


texts = st.text("ab-()|%2D \t\n[]<,:=_#é\u2028", max_size=5)
named = st.sampled_from(
    ["type", "other", "etype", "head", "eid", "x-y", "%41", "", "é"]
)


@st.composite
def drawn_mentions(draw, tokens):
    row = draw(st.sets(st.sampled_from(tokens), min_size=1, max_size=4))
    if draw(st.booleans()):
        row = range(min(row), max(row) + 1)
    inside = st.sampled_from(sorted(row))
    minimum = draw(st.none() | st.tuples(inside, inside).map(sorted).map(tuple))
    attributes = draw(st.dictionaries(named, texts.filter(bool), max_size=2))
    return Mention.of(row, head=draw(inside), minimum=minimum, attributes=attributes)


@st.composite
def drawn_documents(draw):
    """Draw documents with all that the format carries, in no order of their own."""
    lengths = draw(st.lists(st.integers(1, 5), min_size=1, max_size=3))
    tokens = range(sum(lengths))
    words = st.text("ab é#_(\u2028\r", max_size=3)
    sentences = tuple(tuple(draw(words) for _ in range(length)) for length in lengths)
    ids = draw(st.lists(texts.filter(bool), unique=True, max_size=4))
    ids = [name for name in ids if not name.startswith("NOCOREF")]
    rows = [draw(st.lists(drawn_mentions(tokens), min_size=1, max_size=4)) for _ in ids]
    others = (
        st.lists(st.sampled_from(ids), unique=True, max_size=2) if ids else st.just([])
    )
    entities = []
    for name, row in zip(ids, rows, strict=True):
        split = tuple(other for other in draw(others) if other != name)
        entities.append(Entity(name, tuple(dict.fromkeys(row)), split))
    # The file names an anaphor by its entity and its first token.
    every = [mention for entity in entities for mention in entity]
    bridges = [
        Bridge(entity.mentions[0], other, None, draw(texts))
        for entity in entities
        if every.count(entity.mentions[0]) == 1
        and sum(one.start == entity.mentions[0].start for one in entity) == 1
        for other in draw(others)
        if other != entity.id
    ]
    cells = st.sampled_from(["_", "x", "3:a|4:b", "A=b|C"])
    layers = {
        name: tuple(draw(cells) for _ in tokens)
        for name in draw(st.sets(st.sampled_from(["lemma", "upos", "deps", "misc"])))
    }
    return Document(
        "d",
        sentences,
        tuple(entities),
        empty=tuple(sorted(draw(st.sets(st.sampled_from(tokens), max_size=3)))),
        bridges=tuple(bridges),
        layers={name: row for name, row in layers.items() if {*row} != {"_"}},
    )


def said(document):
    """Give what a document says, in an order that does not depend on its own."""
    entities = {
        entity.id: (
            sorted(
                (
                    mention.tokens,
                    mention.head,
                    mention.minimum or (),
                    *sorted(mention.attributes.items()),
                )
                for mention in entity
            ),
            sorted(entity.split),
        )
        for entity in document.entities
    }
    bridges = sorted(
        (bridge.anaphor.tokens, bridge.antecedent, bridge.relation)
        for bridge in document.bridges
    )
    return entities, bridges, document.sentences, document.empty, document.layers


@settings(max_examples=120)
@given(drawn_documents())
def test_what_was_written_is_read(tmp_path_factory, document):
    path = tmp_path_factory.getbasetemp() / "drawn.conllu"
    write([document], path)
    (once,) = corefkit.read(path)
    assert said(once) == said(reduced(document, WRITER.carries))
    write([once], path)
    (twice,) = corefkit.read(path)
    assert everything(twice) == everything(once)


spans = st.tuples(st.integers(0, 4), st.integers(0, 4)).map(sorted)


@given(st.lists(st.lists(spans, min_size=1, max_size=3), min_size=1, max_size=3))
def test_scores_are_those_of_json_lines(tmp_path_factory, clusters):
    folder = tmp_path_factory.getbasetemp()
    path = written(folder / "x.jsonl", json_line("a/b (c)", "abcde", clusters))
    losses = write(corefkit.read(path), folder / "x.conllu")
    assert {*losses.counts} <= {CROSSING_ITS_OWN}
    write(corefkit.read(folder / "x.conllu"), folder / "y.jsonl")
    result = corefkit.score(folder / "x.conllu", folder / "y.jsonl")
    again = corefkit.score(folder / "y.jsonl", folder / "y.jsonl")
    assert result.scores == again.scores


class TestWriter:
    def text(self, document):
        return "".join(WRITER.text(document))

    def test_fields_are_those_that_are_needed(self):
        first = Mention(0, 1, head=1, minimum=(1, 1), attributes={"type": "a-b"})
        second = Mention(2, 2, attributes={"x": "1", "head": "2"})
        entities = (Entity("e 1", (first, second)),)
        text = self.text(Document("a\nb", (("A\tb", "B", "C\n"),), entities))
        assert text == (
            "# newdoc id = a b\n# global.Entity = eid-etype-head-minspan-x-%68ead\n"
            + line(1, "A b", "Entity=(e%201-a%2Db-2-2")
            + line(2, "B", "Entity=e%201)")
            + line(3, "C ", "Entity=(e%201----1-2)")
            + "\n"
        )

    def test_brackets_stand_in_the_usual_order(self, read):
        cells = ["(e1(e2(e3)", "(e4)e2)", "e1)(e5(e6)", "e5)"]
        (document,) = read(marked(*cells))
        lines = self.text(document).splitlines()
        plain = [one.split("=")[-1].replace("--1", "") for one in lines[2:-1]]
        assert plain == cells

    def test_document_without_words_gets_some(self, read):
        document = Document("d", (), (Entity("7", (Mention(1, 2), Mention(4, 4))),))
        (again,) = read(self.text(document))
        assert again.sentences == (("_",) * 5,)
        assert again.entities == document.entities

    def test_document_without_anything_is_one(self, read):
        for sentences in ((), ((),)):
            text = self.text(Document("d", sentences, ()))
            (again,) = read(text)
            assert (again.id, again.sentences, again.entities) == ("d", (), ())

    def test_annotation_of_another_file_is_not_copied(self, read):
        document = Document(
            "d",
            (("a", "b"),),
            (Entity("", (Mention(0, 0),)), Entity("_", (Mention(1, 1),))),
            layers={"misc": ("Entity=(x|A=b", "Entity=(x")},
            comments=(("newdoc id = x", "global.Entity = x", "y\nz"),),
        )
        (again,) = read(self.text(document))
        assert [entity.id for entity in again] == ["_", "_#2"]
        assert again.comments == (("y z",),)
        assert again.layers == {"misc": ("A=b", "_")}

    def test_bridge_of_no_entity_is_left_out(self):
        bridge = Bridge(Mention(0, 0), "7")
        text = self.text(Document("d", (("a",),), (), bridges=(bridge,)))
        assert "Bridge" not in text


CORPORA = [
    "gum/gum-dev.conllu",
    "ontogum/ontogum-train.conllu",
    "ancora-es/es_ancora-ud-dev.conllu",
    "formats/corefud/es_ancora-one-sentence.conllu",
    "formats/corefud/fr-democrat-dev-sample.conllu",
    "formats/muc-sgml/GUM_news_nasa.first12.conllu",
]


@pytest.mark.skipif(not DATA.exists(), reason="the corpora are not here")
class TestCorpora:
    @pytest.mark.parametrize("name", CORPORA)
    def test_documents_come_back(self, tmp_path, name):
        with ByteFile(DATA / name) as file:
            assert recognised(file).name == "conllu"
        source = open_source(DATA / name)
        step = max(1, len(source.ids) // 4)
        documents = [
            source.document(number) for number in range(0, len(source.ids), step)
        ]
        source.close()
        again = there_and_back(tmp_path / "x.conllu", documents)
        assert list(map(everything, again)) == list(map(everything, documents))
        assert corefkit.score(tmp_path / "x.conllu", tmp_path / "x.conllu")

    def test_ontogum_is_its_conll_file(self):
        ours = list(corefkit.read(DATA / "ontogum/ontogum-dev.conllu"))
        theirs = list(
            corefkit.read(DATA / "ontogum/conll2012/ontogum-dev.v4_gold_conll")
        )
        for one, other in zip(ours, theirs, strict=True):
            assert one.tokens == other.tokens
            assert {entity.id: {*entity} for entity in one} == {
                entity.id: {*entity} for entity in other
            }

    def test_gum_has_heads_minima_and_links(self):
        documents = list(corefkit.read(DATA / "gum/gum-dev.conllu"))
        every = list(chain.from_iterable(chain.from_iterable(documents)))
        assert all(mention.head in mention.tokens for mention in every)
        assert all(mention.minimum for mention in every)
        assert {*every[0].attributes} >= {"type", "infstat", "centering", "link"}
        assert sum(len(document.bridges) for document in documents) >= 248
        assert sum(bool(entity.split) for one in documents for entity in one) >= 15

    def test_gum_has_nothing_that_cannot_be_scored(self):
        found = list(problems(DATA / "gum/gum-dev.conllu"))
        assert found
        assert not any(problem.fatal for problem in found)

    def test_mentions_outside_coreference_are_not_joined(self):
        (document,) = corefkit.read(
            DATA / "formats/corefud/es_ancora-one-sentence.conllu"
        )
        assert [(entity.id, len(entity)) for entity in document] == [
            ("NOCOREF:Spec.organization", 1),
            ("NOCOREF:Spec.organization#2", 1),
            ("NOCOREF:Spec.date", 1),
        ]
