"""CoNLL-U: documents, lines, columns and heads; reading and writing."""

from __future__ import annotations

from itertools import chain

import pytest
from files import conll, json_line, written
from formats import laws, reading
from formats.examples import CONLLU
from formats.reading import DATA, everything, needs_data, problems
from hypothesis import given, settings
from hypothesis import strategies as st
from raising import raises

import corefkit
from corefkit import Document, Entity, FormatError, Mention
from corefkit.formats import detect_format, open_source
from corefkit.formats.conllu import DECLARATION, NEWDOC, WRITER, recognise
from corefkit.formats.files import ByteFile
from corefkit.formats.output import remove_unsupported, write
from corefkit.formats.source import CROSSING_ITS_OWN
from corefkit.model import Bridge

FIELDS = "eid-etype-head-other"
DECLARED = f"# global.Entity = {FIELDS}\n"


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
    declared = f"# global.Entity = {fields}\n" if fields else ""
    return f"# newdoc id = d\n{declared}{sentence(*cells, heads=heads)}"


@pytest.fixture
def read(tmp_path):
    def documents(text, name="file.conllu"):
        return list(corefkit.read(written(tmp_path / name, text)))

    return documents


@pytest.fixture
def found(tmp_path):
    def list_problems(text):
        path = written(tmp_path / "file.conllu", text)
        return [
            (one.line, one.severity, one.code.removeprefix("format/"))
            for one in problems(path)
        ]

    return list_problems


class TestDocuments:
    @pytest.mark.parametrize(
        ("text", "name", "ids"),
        [
            (f"# newdoc id = a b/1\n{line(1)}\n#newdoc id=c\n", "", ["a b/1", "c"]),
            (f"# newdoc\n{line(1)}\n# newdoc id =\n", "", ["1", "2"]),
            (f"{line(1)}\n# newdoc id = x\n{line(1)}", "", ["1", "x"]),
            (f"# hello\n\n \n# newdoc id = x\n{line(1)}", "", ["x"]),
            (line(1), "story.v2.conllu", ["story.v2"]),
            (line(1), "story", ["story"]),
        ],
    )
    def test_ids_are_those_of_newdoc_numbers_or_the_file(self, read, text, name, ids):
        assert [document.id for document in read(text, name or "x.conllu")] == ids

    def test_comments_directly_above_belong_to_the_document(self, tmp_path):
        above = "# a\n" * 3000  # more than is searched at once
        text = f"{line(1)}# end\n\n{above}# newdoc id = x\n# b\n{line(1)}\n# late\n"
        path = written(tmp_path / "file", text)
        first, second = corefkit.read(path)
        assert first.comments == (("end",),)
        assert second.comments == ((*["a"] * 3000, "b"),)
        source = open_source(path)
        assert source.format_place(1) == f"{path}:4"
        source.close()

    def test_documents_can_be_empty(self, read):
        first, second = read(f"# x\n# newdoc id = a\n# y\n# newdoc id = b\n{line(1)}")
        assert (first.id, first.sentences, first.comments) == ("a", (), ())
        assert (second.id, second.comments) == ("b", (("y",),))

    def test_similar_comments_do_not_begin_documents(self, read):
        (document,) = read(f"# newdocument\n# newdoc x\n# no newdoc\n{line(1)}")
        assert document.comments == (("newdocument", "newdoc x", "no newdoc"),)

    def test_repeated_id_is_an_error(self, found):
        text = f"# newdoc id = a\n{line(1)}\n" * 2
        assert found(text) == [(4, "error", "repeated-document")]

    @pytest.mark.parametrize("text", ["", "\n \n", "# only a comment\n"])
    def test_file_without_tokens_has_no_document(self, tmp_path, text):
        path = written(tmp_path / "file", text)
        with raises(FormatError, "format/no-document", place="file"):
            list(corefkit.read(path, format="conllu"))

    @pytest.mark.parametrize(
        ("comment", "document_id"),
        [
            ("# newdoc id = a b/1", " a b/1"),
            ("#newdoc\tid=c", "c"),
            ("# newdoc id =", ""),
            ("#newdoc \t", None),
        ],
    )
    def test_newdoc_can_have_an_id(self, comment, document_id):
        assert NEWDOC.fullmatch(comment)[1] == document_id


class TestTokens:
    TEXT = (
        "# sent_id = 1\n#two\n# \n"
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
        (document,) = read(f"# newdoc id = d\n{DECLARED}{self.TEXT}")
        return document

    def test_words_and_empty_nodes_are_tokens(self, document):
        assert document.sentences == (("_", "de", "pro", "pro", "el niño"), ("",))
        assert document.empty == (0, 2, 3)
        assert document.words == ("de", "el niño", "")

    def test_columns_with_values_are_layers(self, document):
        assert dict(document.layers) == {
            "head": ("_", "3", "_", "_", "3", "0"),
            "deps": ("2:nsubj", "_", "3:x", "3:x", "_", "_"),
            "misc": ("_", "A=b|C", "_", "_", "_", "Split"),
            "mwt": ("", "1-2\tdel" + "\t_" * 7 + "\tSpaceAfter=No", *[""] * 4),
        }

    def test_every_column_has_its_layer(self, read):
        (document,) = read("1\tA\tl\tu\tx\tf\t0\td\t\tm\n2\tB\t\t_\t_\t_\t1\t_\t_\t_\n")
        columns = {"lemma": "l_", "upos": "u_", "xpos": "x_", "feats": "f_"}
        columns |= {"head": "01", "deprel": "d_", "misc": "m_"}
        assert document.layers == {name: (*row,) for name, row in columns.items()}

    def test_comments_are_kept_by_sentence(self, document):
        assert document.comments == (("sent_id = 1", "two", ""), ())

    def test_words_have_their_lines(self, tmp_path):
        path = written(tmp_path / "file", self.TEXT.replace("Entity=", "X="))
        source = open_source(path)
        places = [word.place.removeprefix(path) for word in source.iter_words(0)]
        source.close()
        assert places == [":6", ":9", ":12"]

    # The lines of the text, the code, and the numbers of the lines with an error.
    @pytest.mark.parametrize(
        ("lines", "code", "numbers"),
        [
            (["1\ta\n"], "wrong-columns", [1]),
            ([line(1), line(2, misc="_\tx")], "wrong-columns", [2]),
            ([line(1).replace("\t", " ")] * 2, "wrong-columns", [1, 2]),
            ([line(1), line(3)], "wrong-number", [2]),
            ([line(1), line("02")], "wrong-number", [2]),
            ([line(1), line(2), line(1)], "wrong-number", [3]),
            ([line(2)], "wrong-number", [1]),
            ([line("x")], "wrong-number", [1]),
            ([line(1), line("")], "wrong-number", [2]),
            ([line(1), line("²")], "wrong-number", [2]),
        ],
    )
    def test_invalid_lines_are_errors(self, found, read, lines, code, numbers):
        text = "# text = x\n" + "".join(lines)
        assert found(text) == [(number + 1, "error", code) for number in numbers]
        place = f"file.conllu:{numbers[0] + 1}"
        with raises(FormatError, f"format/{code}", place=place):
            read(text)

    @pytest.mark.parametrize(
        ("lines", "warnings"),
        [
            (["1.1", 1, "1.2", "1.2"], [(1, "misplaced"), (3, "misplaced")]),
            (
                ["3-4", 1, "2-3", "2-3", "1.1", 2],
                [(1, "misplaced"), (4, "left-out")],
            ),
            (["1-1", 1, "2-3", None, 1], [(1, "misplaced"), (4, "left-out")]),
        ],
    )
    def test_misplaced_lines_are_warnings(self, found, read, lines, warnings):
        rows = [line(identifier) if identifier else "\n" for identifier in lines]
        text = "# text = x\n" + "".join(rows)
        assert found(text) == [
            (number + 1, "warning", code) for number, code in warnings
        ]
        assert len(read(text)) == 1

    def test_entity_on_a_range_is_a_warning(self, found):
        text = line("1-2", misc="A=b|Entity=(e1)") + line(1) + line(2)
        assert found(text) == [(1, "warning", "left-out")]

    def test_invalid_utf8_is_an_error(self, found, read):
        text = f"# newdoc id = d\n{line(1)}{line(2)}".encode().replace(
            b"2\tw", b"2\t\xff"
        )
        assert found(text) == [(3, "error", "not-utf8")]
        with raises(FormatError, "format/not-utf8", place="file.conllu:3"):
            read(text)

    def test_blank_lines_between_sentences_are_ignored(self, read):
        assert everything(*read(f"\n\n{CONLLU}\n \n")) == everything(*read(CONLLU))


class TestDeclarations:
    def test_applies_until_the_next_one(self, read):
        text = (
            f"# newdoc id = a\n# global.Entity = eid-x\n{sentence('(e1-1)')}"
            f"# newdoc id = b\n{sentence('(e1-2)')}"
            f"# global.Entity = eid-y\n# newdoc id = c\n{sentence('(e1-3)')}"
            f"# newdoc id = d\n{sentence('(e1-4)')}"
            f"# global.Entity = eid-z\n{sentence('(e1-5)')}"
        )
        mentions = chain.from_iterable(chain.from_iterable(read(text)))
        pairs = chain(*(mention.attributes.items() for mention in mentions))
        assert [*pairs] == [*zip("xxyyz", "12345", strict=True)]

    def test_can_precede_all_documents(self, read):
        (document,) = read(f"{DECLARED}\n# newdoc id = a\n{sentence('(e1-x)')}")
        assert document.entities[0].mentions[0].attributes == {"type": "x"}

    def test_is_required(self, found, read):
        text = marked("(e1", "e1)(e2)", fields="")
        assert found(text) == [(2, "error", "invalid-header")]
        with raises(
            FormatError, "format/invalid-header", place="file.conllu:2"
        ) as rejected:
            read(text)
        assert DECLARED.strip() in rejected.value.hint

    def test_requires_an_id(self, found):
        assert found(marked("(e1)", fields="etype-head"))[0] == (
            *(2, "error", "invalid-header"),
        )

    def test_has_a_value(self):
        assert DECLARATION.fullmatch("#\tglobal.Entity =eid-x ")[1] == "eid-x "
        assert not DECLARATION.fullmatch("# global.Entity")


class TestMentions:
    def test_unpaired_bracket_is_an_error(self, read, found):
        text = marked("/", "(e1", "/")
        assert found(text) == [(4, "error", "unbalanced-bracket")]
        with raises(
            FormatError, "format/unbalanced-bracket", place="file.conllu:4"
        ) as rejected:
            read(text)
        assert rejected.value.hint == "the document ends at line 5"

    def test_bracket_does_not_close_in_another_document(self, found):
        text = f"{DECLARED}# newdoc id = a\n{sentence('(e1')}"
        text += f"# newdoc id = b\n{sentence('e1)')}"
        assert [number for number, *_ in found(text)] == [3, 6]

    def test_repeated_mention_is_a_warning(self, found, read):
        text = marked("(e1(e1(e2", "e1)e1)e2)")
        assert found(text) == [(3, "warning", "repeated-mention")] * 2
        assert len(read(text)[0].entities[0]) == 2


def list_heads(document):
    return {
        entity.id: [(mention.tokens, mention.head) for mention in entity]
        for entity in document
    }


class TestHeads:
    @pytest.mark.parametrize(
        ("cells", "tree", "expected"),
        [
            pytest.param(
                ["(e1", "e1)", "(e2)"],
                "203",
                {"e1": [((0, 1), 1)], "e2": [((2,), 2)]},
                id="separate",
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
                {"e1": [((0, 1, 2, 3), 1)], "e2": [((0, 1, 2), 1)], "e3": [((1,), 1)]},
                id="nested",
            ),
            pytest.param(
                ["(e1)(e2", "e2)(e3", "e3)"],
                "312",
                {"e1": [((0,), 0)], "e2": [((0, 1), 0)], "e3": [((1, 2), 1)]},
                id="parents outside",
            ),
            pytest.param(["(e1", "e1)"], "21", {"e1": [((0, 1), 0)]}, id="cycle"),
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
    def test_head_is_the_first_word_with_its_parent_outside(
        self, read, cells, tree, expected
    ):
        (document,) = read(marked(*cells, heads=tree))
        assert list_heads(document) == expected

    def test_parents_are_in_the_same_sentence(self, read, found):
        text = DECLARED + sentence("(e1", "/", heads="20")
        text += sentence("/", "e1)", heads="20")
        (document,) = read(text)
        assert list_heads(document) == {"e1": [((0, 1, 2, 3), 1)]}
        assert found(text) == []

    def test_words_take_precedence_over_empty_nodes(self, read):
        text = (
            DECLARED
            + line("0.1", misc="Entity=(e1--2(e2")
            + line(1, misc="Entity=e1)", head=2)
            + line("1.1", misc="Entity=(e3", deps="1:x", head=1)
            + line("1.2", misc="Entity=e2)e3)", deps="2:x", head=1)
            + line(2, misc="Entity=(e4", head=0)
            + line("2.1", misc="Entity=e4)(e5)")
        )
        (document,) = read(text)
        assert list_heads(document) == {
            "e1": [((0, 1), 1)],
            "e2": [((0, 1, 2, 3), 1)],
            "e3": [((2, 3), 2)],
            "e4": [((4, 5), 4)],
            "e5": [((5,), 5)],
        }


@reading.heads(
    own=[
        CONLLU.encode(),
        line(1).encode(),
        line("1-12").encode(),
        line("0.1").encode(),
        f"# comment\n\n{line(1)}".encode(),
        b"# newdoc id = x\n",
        b"# sent_id = 1\n1 Ann _ _\n",
        b"# global.Entity = eid\n2\tx\n",
    ],
    others=[
        b"",
        b"# comment\n",
        line(2).encode(),
        line("1-1").encode(),
        conll("(1)").encode(),
        json_line("d", "ab", []).encode(),
        f"# global.columns = ID IDENTITY\n# newdoc id = x\n{line(1)}".encode(),
        f"# newdoc id = x\n{line(1).strip()}\t(1)\n".encode(),
        f"#FORMAT=WebAnno TSV 3.2\n#Text=x\n{line('1-1')}".encode(),
        b"\0\t\1\n",
    ],
)
def test_ten_columns_or_usual_comments_are_recognised(head, expected):
    assert recognise(head) is expected


class TestWriting:
    def format(self, document):
        return "".join(WRITER.text(document))

    def test_fields_are_those_with_values(self):
        first = Mention(0, 1, head=1, minimum=(1, 1), attributes={"type": "a-b"})
        second = Mention(2, 2, attributes={"x": "1", "head": "2"})
        entities = (Entity("e 1", (first, second)),)
        text = self.format(Document("a\nb", (("A\tb", "B", "C\n"),), entities))
        assert text == (
            "# newdoc id = a b\n# global.Entity = eid-etype-head-minspan-x-%68ead\n"
            + line(1, "A b", "Entity=(e%201-a%2Db-2-2")
            + line(2, "B", "Entity=e%201)")
            + line(3, "C ", "Entity=(e%201----1-2)")
            + "\n"
        )

    def test_brackets_are_in_the_usual_order(self, read):
        cells = ["(e1(e2(e3)", "(e4)e2)", "e1)(e5(e6)", "e5)"]
        (document,) = read(marked(*cells, heads="2222"))
        lines = self.format(document).splitlines()
        plain = [one.split("=")[-1].replace("--1", "") for one in lines[2:-1]]
        assert plain == cells

    def test_order_of_entities_takes_precedence(self):
        single, wide = Entity("a", (Mention(0, 0),)), Entity("b", (Mention(0, 1),))
        for entities, cell in [((single, wide), "(a)(b"), ((wide, single), "(b(a)")]:
            text = self.format(Document("d", (("x", "y"),), entities))
            assert f"Entity={cell}\n" in text

    def test_overlapping_mentions_differ_in_the_spelling_of_parts(self):
        mentions = Mention.of([0, 2]), Mention.of([1, 3]), Mention.of([4, 6])
        text = self.format(Document("d", (tuple("abcdefg"),), (Entity("e", mentions),)))
        cells = [one.split("\t")[-1] for one in text.splitlines()[2:-1]]
        assert [cell.removeprefix("Entity=") for cell in cells] == [
            *("(e[1/2])", "(e[1/02])", "(e[2/2])", "(e[02/02])"),
            *("(e[1/2])", "_", "(e[2/2])"),
        ]

    def test_unknown_words_are_written_as_placeholders(self, read):
        document = Document("d", (), (Entity("7", (Mention(1, 2), Mention(4, 4))),))
        (copy,) = read(self.format(document))
        assert copy.sentences == (("_",) * 5,)
        assert copy.entities == document.entities

    @pytest.mark.parametrize("sentences", [(), ((),)])
    def test_empty_document_is_written(self, read, sentences):
        (copy,) = read(self.format(Document("d", sentences, ())))
        assert (copy.id, copy.sentences, copy.entities) == ("d", (), ())

    def test_annotation_in_layers_and_comments_is_not_written(self, read):
        document = Document(
            "d",
            (("a", "b"),),
            (Entity("", (Mention(0, 0),)), Entity("_", (Mention(1, 1),))),
            layers={"misc": ("Entity=(x|A=b", "Entity=(x")},
            comments=(("newdoc id = x", "global.Entity = x", "y\nz"),),
        )
        (copy,) = read(self.format(document))
        assert [entity.id for entity in copy] == ["_", "_#2"]
        assert copy.comments == (("y z",),)
        assert copy.layers == {"misc": ("A=b", "_")}

    def test_bridge_without_entity_is_not_written(self):
        bridge = Bridge(Mention(0, 0), "7")
        document = Document("d", (("a",),), (), bridges=(bridge,))
        assert "Bridge" not in self.format(document)


def check_read_back(documents, folder):
    """Write documents and read them; mentions that cross their own may be lost."""
    if not documents:
        return
    losses = write(documents, folder / "copy.conllu").counts
    assert {*losses} <= {CROSSING_ITS_OWN}
    copies = corefkit.read(folder / "copy.conllu")
    assert losses or everything(*copies) == everything(*documents)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(marked("(e1(e2)", "(e3", "e1)", "e3)"), id="crossing"),
        pytest.param(
            marked("(e1[1/3]-x-2)", "(e1[2/3])", "(e1", "(e1[3/3])e1)"), id="parts"
        ),
        pytest.param(
            marked("(e1[1/02])", "(e1[1/2])", "(e1[2/02])", "(e1[2/2])"),
            id="overlapping parts",
        ),
        pytest.param(
            marked("(NOCOREF:x", "(NOCOREF:x", "NOCOREF:x)NOCOREF:x)"),
            id="outside coreference",
        ),
        pytest.param(
            marked("(1-4,1", "(2--2)(1)", "(3-1-1)", "1)", fields="GRP-minspan-x"),
            id="minima",
        ),
        pytest.param(
            marked("(e5)(e6)", "(e5(e5)(e6)|Bridge=e6<e5:part:of,e5<e6", "e5)"),
            id="bridges",
        ),
        pytest.param(
            marked("(e3)|SplitAnte=e3<e7,e4<e7", "(e4)(e7)(e8)|Split=e4<e8"),
            id="split antecedents",
        ),
        pytest.param(DECLARED + TestTokens.TEXT, id="lines and columns"),
    ],
)
def test_files_are_read_back(tmp_path, read, text):
    check_read_back(read(text), tmp_path)


@st.composite
def bracket_cells(draw):
    """Draw cells whose brackets all close, in any order that the rules allow."""
    tokens = draw(st.integers(1, 6))
    rows = []
    for label in draw(st.lists(st.sampled_from(["a", "b", "NOCOREF"]), max_size=6)):
        start = draw(st.integers(0, tokens - 1))
        rows.append((start, draw(st.integers(start, tokens - 1)), label))
    cells = []
    for token in range(tokens):
        starting = draw(st.permutations([row for row in rows if row[0] == token]))
        ends = [row[2] for row in rows if row[1] == token > row[0]]
        pieces = [f"{label})" for label in ends]
        for start, end, label in starting:
            values = draw(st.sampled_from(["", "-person", "-place-1"]))
            pieces.append(f"({label}{values}{')' * (start == end)}")
        cells.append("".join(pieces) or "/")
    return cells


@given(bracket_cells())
def test_brackets_are_read_back(tmp_path_factory, cells):
    folder = tmp_path_factory.getbasetemp()
    path = written(folder / "file.conllu", marked(*cells))
    check_read_back(list(corefkit.read(path)), folder)


@settings(max_examples=150)
@given(st.lists(st.text("(e12)[/]-%2D", max_size=12), min_size=1, max_size=4))
def test_any_brackets_are_read_back_or_rejected(tmp_path_factory, cells):
    folder = tmp_path_factory.getbasetemp()
    text = marked(*(cell or "/" for cell in cells))
    path = written(folder / "file.conllu", text)
    check_read_back(laws.check_read_or_refused(path, "conllu"), folder)


@settings(max_examples=150)
@given(st.data())
def test_changed_example_is_read_back_or_rejected(tmp_path_factory, data):
    content = bytearray(CONLLU.encode())
    byte = st.sampled_from(list(b"\t\n\r#()[]/<>:,-=|%_ 0129eE")) | st.integers(0, 255)
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(content) - 1))
        end = start + data.draw(st.integers(0, 3))
        content[start:end] = bytes(data.draw(st.lists(byte, max_size=3)))
    folder = tmp_path_factory.getbasetemp()
    path = written(folder / "file.conllu", bytes(content))
    check_read_back(laws.check_read_or_refused(path, "conllu"), folder)


texts = st.text("ab-()|%2D \t\n[]<,:=_#é\u2028", max_size=5)
names = st.sampled_from(
    ["type", "other", "etype", "head", "eid", "x-y", "%41", "", "é"]
)


@st.composite
def drawn_mentions(draw, tokens):
    row = draw(st.sets(st.sampled_from(tokens), min_size=1, max_size=4))
    if draw(st.booleans()):
        row = range(min(row), max(row) + 1)
    inside = st.sampled_from(sorted(row))
    minimum = draw(st.none() | st.tuples(inside, inside).map(sorted).map(tuple))
    attributes = draw(st.dictionaries(names, texts.filter(bool), max_size=2))
    return Mention.of(row, head=draw(inside), minimum=minimum, attributes=attributes)


@st.composite
def drawn_documents(draw):
    """Draw documents with everything that the format supports, in any order."""
    lengths = draw(st.lists(st.integers(1, 5), min_size=1, max_size=3))
    tokens = range(sum(lengths))
    words = st.text("ab é#_(\u2028\r", max_size=3)
    sentences = tuple(tuple(draw(words) for _ in range(length)) for length in lengths)
    ids = draw(st.lists(texts.filter(bool), unique=True, max_size=4))
    ids = [name for name in ids if not name.startswith("NOCOREF")]
    rows = [draw(st.lists(drawn_mentions(tokens), min_size=1, max_size=4)) for _ in ids]
    others = st.just([])
    if ids:
        others = st.lists(st.sampled_from(ids), unique=True, max_size=2)
    entities = []
    for name, row in zip(ids, rows, strict=True):
        split = tuple(other for other in draw(others) if other != name)
        entities.append(Entity(name, tuple(dict.fromkeys(row)), split))
    # The file identifies an anaphor by its entity and first token.
    mentions = [mention for entity in entities for mention in entity]
    bridges = [
        Bridge(entity.mentions[0], other, None, draw(texts))
        for entity in entities
        if mentions.count(entity.mentions[0]) == 1
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


def sort_content(document):
    """Return the content of a document in an order that does not depend on its own."""
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


@settings(max_examples=80)
@given(drawn_documents())
def test_written_documents_are_read_back(tmp_path_factory, document):
    path = tmp_path_factory.getbasetemp() / "drawn.conllu"
    write([document], path)
    (first,) = corefkit.read(path)
    supported = remove_unsupported(document, WRITER.carries)
    assert sort_content(first) == sort_content(supported)
    write([first], path)
    (second,) = corefkit.read(path)
    assert everything(second) == everything(first)


spans = st.tuples(st.integers(0, 4), st.integers(0, 4)).map(sorted)


@given(st.lists(st.lists(spans, min_size=1, max_size=3), min_size=1, max_size=3))
def test_written_document_scores_as_its_json_lines(tmp_path_factory, clusters):
    folder = tmp_path_factory.getbasetemp()
    path = written(folder / "x.jsonl", json_line("a/b (c)", "abcde", clusters))
    losses = write(corefkit.read(path), folder / "x.conllu")
    assert {*losses.counts} <= {CROSSING_ITS_OWN}
    write(corefkit.read(folder / "x.conllu"), folder / "y.jsonl")
    result = corefkit.score(folder / "x.conllu", folder / "y.jsonl")
    expected = corefkit.score(folder / "y.jsonl", folder / "y.jsonl")
    assert result.scores == expected.scores


@needs_data
class TestCorpora:
    @pytest.mark.parametrize("name", ["gum/gum-dev", "ancora-es/es_ancora-ud-dev"])
    def test_are_recognised(self, name):
        with ByteFile(DATA / f"{name}.conllu") as file:
            assert detect_format(file).name == "conllu"

    @pytest.mark.slow
    def test_ontogum_equals_its_conll_file(self):
        folder = DATA / "ontogum"
        first = corefkit.read(folder / "ontogum-dev.conllu")
        second = corefkit.read(folder / "conll2012/ontogum-dev.v4_gold_conll")
        for one, other in zip(first, second, strict=True):
            assert one.tokens == other.tokens
            assert {entity.id: {*entity} for entity in one} == {
                entity.id: {*entity} for entity in other
            }

    @pytest.mark.slow
    def test_gum_has_heads_minima_and_links(self):
        documents = list(corefkit.read(DATA / "gum/gum-dev.conllu"))
        mentions = list(chain.from_iterable(chain.from_iterable(documents)))
        assert all(mention.head in mention.tokens for mention in mentions)
        assert all(mention.minimum for mention in mentions)
        assert {*mentions[0].attributes} >= {"type", "infstat", "centering", "link"}
        assert sum(len(document.bridges) for document in documents) >= 248
        assert sum(bool(entity.split) for one in documents for entity in one) >= 15

    def test_gum_has_only_nested_mentions_as_problems(self):
        problems = corefkit.validate(DATA / "gum/gum-dev.conllu")
        assert {problem.kind for problem in problems} == {"nested-mention"}

    def test_mentions_outside_coreference_are_separate_entities(self):
        path = DATA / "formats/corefud/es_ancora-one-sentence.conllu"
        (document,) = corefkit.read(path)
        assert [(entity.id, len(entity)) for entity in document] == [
            ("NOCOREF:Spec.organization", 1),
            ("NOCOREF:Spec.organization#2", 1),
            ("NOCOREF:Spec.date", 1),
        ]

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "name",
        [
            "gum/gum-dev",
            "ontogum/ontogum-train",
            "ancora-es/es_ancora-ud-dev",
            "formats/corefud/es_ancora-one-sentence",
            "formats/corefud/fr-democrat-dev-sample",
            "formats/muc-sgml/GUM_news_nasa.first12",
        ],
    )
    def test_are_read_back(self, tmp_path, name):
        source = open_source(DATA / f"{name}.conllu")
        step = max(1, len(source.ids) // 4)
        documents = [source.read_document(n) for n in range(0, len(source.ids), step)]
        source.close()
        check_read_back(documents, tmp_path)
        path = tmp_path / "copy.conllu"
        assert corefkit.score(path, path)
