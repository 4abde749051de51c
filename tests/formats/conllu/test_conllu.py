"""CoNLL-U by its numbered rules: documents, lines and columns, heads by the tree."""

from __future__ import annotations

from itertools import chain

import pytest
from files import conll, json_line, written
from formats import laws, reading
from formats.reading import DATA, everything, needs_data, needs_samples, problems
from hypothesis import given, settings
from hypothesis import strategies as st

import corefkit
from corefkit import FormatError
from corefkit.formats import open_source, recognised
from corefkit.formats.bytefile import ByteFile
from corefkit.formats.conllu.conllu import recognise
from corefkit.formats.writing import write

FIELDS = "# global.Entity = eid-etype-head-other\n"


def line(identifier, form="w", misc="_", *, head="_", deps="_"):
    cells = [identifier, form, "_", "_", "_", "_", head, "_", deps, misc]
    return "\t".join(map(str, cells)) + "\n"


def sentence(*cells, heads=()):
    """Write a sentence from the Entity values of its words; `/` is no value."""
    heads = heads or "_" * len(cells)
    miscs = ["_" if cell == "/" else f"Entity={cell}" for cell in cells]
    rows = zip(miscs, heads, strict=True)
    lines = [line(n, misc=misc, head=head) for n, (misc, head) in enumerate(rows, 1)]
    return "".join([*lines, "\n"])


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
        return [(one.line, one.severity, one.message) for one in problems(path)]

    return check


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
        assert found(text) == [(4, "error", "document 'a' is repeated")]


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

    def test_lines_are_those_of_the_tokens(self, tmp_path):
        path = written(tmp_path / "file", self.TEXT.replace("Entity=", "X="))
        source = open_source(path)
        places = [word.place.removeprefix(path) for word in source.words(0)]
        source.close()
        assert places == [":6", ":9", ":12"]

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            (
                "1\ta\n",
                [(1, "error", "found 2 columns, expected 10 separated by tabs")],
            ),
            (
                line(1) + line(2).replace("\n", "\tx\n"),
                [(2, "error", "found 11 columns, expected 10 separated by tabs")],
            ),
            (
                line(1).replace("\t", " ") + line(2).replace("\t", " "),
                [
                    (1, "error", "found 1 columns, expected 10 separated by tabs"),
                    (2, "error", "found 1 columns, expected 10 separated by tabs"),
                ],
            ),
            (line(1) + line(3), [(2, "error", "found word 3, expected 2")]),
            (line(1) + line("02"), [(2, "error", "found word 02, expected 2")]),
            (line(1) + line(2) + line(1), [(3, "error", "found word 1, expected 3")]),
            (line(2), [(1, "error", "found word 2, expected 1")]),
            (line("x"), [(1, "error", "'x' is not an ID, expected 1")]),
            (line(1) + line(""), [(2, "error", "'' is not an ID, expected 2")]),
            (line(1) + line("²"), [(2, "error", "'²' is not an ID, expected 2")]),
            (
                line("1.1") + line(1) + line("1.2") + line("1.2"),
                [
                    (1, "warning", "found empty node 1.1, expected 0.1"),
                    (3, "warning", "found empty node 1.2, expected 1.1"),
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
                    (1, "warning", "multiword range 3-4 stands before word 1"),
                    (
                        4,
                        "warning",
                        "a second multiword range stands before the same word",
                    ),
                ],
            ),
            (
                line("1-1") + line(1) + line("2-3") + "\n" + line(1),
                [
                    (1, "warning", "multiword range 1-1 stands before word 1"),
                    (
                        4,
                        "warning",
                        "a multiword range stands behind the last word of its sentence",
                    ),
                ],
            ),
            (
                line("1-2", misc="A=b|Entity=(e1)") + line(1) + line(2),
                [(1, "warning", "'Entity' on the multiword range 1-2 is not read")],
            ),
        ],
    )
    def test_bad_lines_are_problems(self, found, read, text, expected):
        text = f"# text = x\n{text}"
        expected = [(number + 1, *rest) for number, *rest in expected]
        assert found(text) == expected
        errors = [message for _, severity, message in expected if severity == "error"]
        if errors:
            with pytest.raises(FormatError) as refused:
                read(text)
            assert refused.value.message == errors[0]
            assert refused.value.place.endswith(f"file.conllu:{expected[0][0]}")
        else:
            assert len(read(text)) == 1

    def test_bytes_that_are_no_utf8_are_a_problem(self, found, read):
        text = f"# newdoc id = d\n{line(1)}{line(2)}".encode().replace(
            b"\n2\tw", b"\n2\t\xff"
        )
        assert found(text) == [(3, "error", "byte 3 of the line is not UTF-8")]
        with pytest.raises(FormatError, match="not UTF-8"):
            read(text)


class TestDeclarations:
    def test_holds_for_later_documents(self, read):
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

    def test_may_stand_before_all_documents(self, read):
        (document,) = read(f"{FIELDS}\n# newdoc id = a\n{sentence('(e1-x)')}")
        assert document.entities[0].mentions[0].attributes == {"type": "x"}

    def test_none_is_a_problem(self, found, read):
        text = marked("(e1", "e1)(e2)", fields="")
        message = "Entity annotation without '# global.Entity'"
        assert found(text) == [(2, "error", message)]
        with pytest.raises(FormatError) as refused:
            read(text)
        assert "# global.Entity = eid-etype-head-other" in refused.value.hint

    def test_without_id_is_a_problem(self, found):
        text = marked("(e1)", fields="# global.Entity = etype-head\n")
        message = "no field of 'etype-head' is the entity's id"
        assert found(text)[0] == (2, "error", message)


class TestMentions:
    def test_bad_bracket_is_refused_at_its_place(self, read, found):
        text = marked("/", "(e1", "/")
        message = "entity e1 opens here and is never closed"
        assert found(text) == [(4, "error", message)]
        with pytest.raises(FormatError) as refused:
            read(text)
        assert refused.value.message == message
        assert refused.value.place.endswith("file.conllu:4")
        assert refused.value.hint == "the document ends at line 5"

    def test_bracket_does_not_close_in_another_document(self, found):
        text = f"{FIELDS}# newdoc id = a\n{sentence('(e1')}"
        text += f"# newdoc id = b\n{sentence('e1)')}"
        assert [number for number, *_ in found(text)] == [3, 6]

    def test_same_mention_twice_is_reported(self, found, read):
        text = marked("(e1(e1(e2", "e1)e1)e2)")
        assert found(text) == [
            (
                3,
                "warning",
                "mention of tokens 0 to 1 of document 'd' is twice in entity e1",
            ),
            (
                3,
                "warning",
                "mention of tokens 0 to 1 of document 'd' is in entity e2 and in "
                "entity e1",
            ),
        ]
        assert len(read(text)[0].entities[0]) == 2


class TestHeads:
    """Heads are the first words that hang on nothing inside the mention."""

    def heads(self, document):
        return {
            entity.id: [(mention.tokens, mention.head) for mention in entity]
            for entity in document
        }

    @pytest.mark.parametrize(
        ("cells", "tree", "expected"),
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
                ["(e1(e2", "(e3)", "e2)", "e1)"],
                "2044",
                {
                    "e1": [((0, 1, 2, 3), 1)],
                    "e2": [((0, 1, 2), 1)],
                    "e3": [((1,), 1)],
                },
                id="embedded",
            ),
            pytest.param(
                ["(e1)(e2", "e2)(e3", "e3)"],
                "312",
                {"e1": [((0,), 0)], "e2": [((0, 1), 0)], "e3": [((1, 2), 1)]},
                id="outside",
            ),
            pytest.param(["(e1", "e1)"], "21", {"e1": [((0, 1), 0)]}, id="all inside"),
            pytest.param(
                ["(e1[1/2])", "/", "(e1[2/2]", "e1[2/2])"],
                "3020",
                {"e1": [((0, 2, 3), 2)]},
                id="discontinuous",
            ),
            pytest.param(
                ["/", "(e1", "e1)"], "___", {"e1": [((1, 2), 1)]}, id="no tree"
            ),
        ],
    )
    def test_they_are_found_in_the_tree(self, read, cells, tree, expected):
        (document,) = read(marked(*cells, heads=tree))
        assert self.heads(document) == expected

    def test_mention_may_go_over_the_end_of_a_sentence(self, read, found):
        text = FIELDS + sentence("(e1", "/", heads="20")
        text += sentence("/", "e1)", heads="20")
        (document,) = read(text)
        assert self.heads(document) == {"e1": [((0, 1, 2, 3), 1)]}
        assert found(text) == []

    def test_words_come_before_empty_nodes(self, read):
        text = (
            f"{FIELDS}"
            + line("0.1", misc="Entity=(e1--2(e2")
            + line(1, misc="Entity=e1)", head=2)
            + line("1.1", misc="Entity=(e3", deps="1:x", head=1)
            + line("1.2", misc="Entity=e2)e3)", deps="2:x", head=1)
            + line(2, misc="Entity=(e4", head=0)
            + line("2.1", misc="Entity=e4)(e5)")
        )
        (document,) = read(text)
        assert self.heads(document) == {
            "e1": [((0, 1), 1)],
            "e2": [((0, 1, 2, 3), 1)],
            "e3": [((2, 3), 2)],
            "e4": [((4, 5), 4)],
            "e5": [((5,), 5)],
        }


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
    WAYS = reading.ways(GOOD) | {"blank lines": f"\n\n{GOOD}\n \n"}

    @pytest.mark.parametrize("text", WAYS.values(), ids=WAYS)
    def test_they_do_not_matter(self, read, text):
        assert everything(*read(text)) == everything(*read(GOOD))

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

    @needs_samples
    def test_samples(self):
        assert reading.recognised_samples(recognise) == [
            "corefud/es_ancora-one-sentence.conllu",
            "corefud/fr-democrat-dev-sample.conllu",
            "muc-sgml/GUM_news_nasa.first12.conllu",
        ]


class TestFuzz:
    """Nothing but FormatError, whatever the file holds."""

    def survives(self, tmp_path_factory, content):
        path = written(tmp_path_factory.getbasetemp() / "fuzz.conllu", content)
        documents = laws.check_read_or_refused(path, "conllu")
        back = tmp_path_factory.getbasetemp() / "back.conllu"
        if documents and not write(documents, back).counts:
            again = corefkit.read(back, format="conllu")
            assert everything(*again) == everything(*documents)

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


@needs_data
class TestCorpora:
    @pytest.mark.parametrize("name", ["gum/gum-dev", "ancora-es/es_ancora-ud-dev"])
    def test_they_are_recognised(self, name):
        with ByteFile(DATA / f"{name}.conllu") as file:
            assert recognised(file).name == "conllu"

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
        found = corefkit.validate(DATA / "gum/gum-dev.conllu")
        assert {problem.kind for problem in found} == {"nested-mention"}

    def test_mentions_outside_coreference_are_not_joined(self):
        (document,) = corefkit.read(
            DATA / "formats/corefud/es_ancora-one-sentence.conllu"
        )
        assert [(entity.id, len(entity)) for entity in document] == [
            ("NOCOREF:Spec.organization", 1),
            ("NOCOREF:Spec.organization#2", 1),
            ("NOCOREF:Spec.date", 1),
        ]
