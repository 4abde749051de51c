"""SemEval-2010 columns by their numbered rules, and every way to break them."""

from __future__ import annotations

from functools import partial

import pytest
from files import conll, json_line
from formats import drawn, laws, reading
from formats.reading import DATA, SAMPLES, everything, needs_data, spans
from hypothesis import given, settings
from hypothesis import strategies as st
from raising import raises

import corefkit
from corefkit import Document, Entity, FormatError, Mention
from corefkit.formats.files import ByteFile
from corefkit.formats.output import remove_unsupported
from corefkit.formats.semeval import READER, WRITER, recognise

THREE = (
    "#begin document d\n1\tAnn\t(7)\n2\tsaw\t_\n3\tBob\t(8\n4\t.\t8)\n#end document\n"
)
TWO = "#begin document d\n1\t(7)\n2\t_\n3\t(8\n4\t8)\n#end document\n"


def renamed(text, name):
    """Give the document another id."""
    return text.replace("document d\n", f"document {name}\n", 1)


documents = partial(reading.documents_in, READER, name="story.v2.conll")
problems = partial(reading.problems_in, READER)
text_of = partial(reading.text_of, WRITER)


def document(body, *, name="d"):
    """Read one document from its token lines."""
    (found,) = documents(f"#begin document {name}\n{body}\n#end document\n")
    return found


class TestRules:
    def test_document_has_id_sentences_and_entities(self):
        (found,) = documents(THREE)
        assert found == Document(
            "d",
            (("Ann", "saw", "Bob", "."),),
            (Entity("7", (Mention(0, 0),)), Entity("8", (Mention(2, 3),))),
        )

    @pytest.mark.parametrize(
        "begin", ["#begin document a b/c.txt", "# begin document  a b/c.txt \t"]
    )
    @pytest.mark.parametrize("end", ["#end document", "# end document a b/c.txt"])
    def test_id_is_the_rest_of_the_line(self, begin, end):
        (found,) = documents(f"{begin}\n1\tw\t_\n{end}\n")
        assert found.id == "a b/c.txt"

    @pytest.mark.parametrize("begin", ["#begin document", "# begin document "])
    def test_document_without_id_has_the_name_of_the_file(self, begin):
        (found,) = documents(f"{begin}\n1\tw\t_\n#end document\n")
        assert found.id == "story.v2"

    def test_file_has_many_documents_with_blank_lines_and_comments_between(self):
        text = "# x\n\n" + THREE + "\n\n# y\n" + renamed(THREE, "e") + "\n"
        assert [found.id for found in documents(text)] == ["d", "e"]

    def test_blank_lines_and_comments_are_not_tokens(self):
        found = document("# (1)\n1\ta\t(1)\n#\t1\n\n \t\n1\tb\t(1)")
        assert found.sentences == (("a",), ("b",))
        assert spans(found) == {"1": [(0, 0), (1, 1)]}

    def test_columns_are_separated_by_tabs_or_blanks(self):
        found = document("1\ta\tx\t(1)\n 2   b   x  (1\n3 \t c 1) ")
        assert found.tokens == ("a", "b", "c")

    def test_two_columns_contain_no_words(self):
        (found,) = documents(TWO)
        assert found.sentences == ()
        assert found.layers == {}
        assert spans(found) == {"7": [(0, 0)], "8": [(2, 3)]}

    @pytest.mark.parametrize(
        ("numbers", "lengths"),
        [
            pytest.param("1 2 / 1 2 3", [2, 3], id="blank line"),
            pytest.param("1 2 1 2 3", [2, 3], id="no blank line"),
            pytest.param("1 1 1", [1, 1, 1], id="one word each"),
            pytest.param("1 2 / 3 4 / 5", [2, 2, 1], id="through the document"),
            pytest.param("0 1 / 0 1", [2, 2], id="from 0 in each sentence"),
            pytest.param("0 1 2 3", [4], id="from 0"),
            pytest.param("/ / 1 / / 1 /", [1, 1], id="more blank lines"),
        ],
    )
    def test_sentences_end_at_blank_lines_or_where_numbers_start_again(
        self, numbers, lengths
    ):
        rows = ["" if one == "/" else f"{one} w x _" for one in numbers.split()]
        found = document("\n".join(rows))
        assert [len(sentence) for sentence in found.sentences] == lengths

    def test_columns_of_the_task_are_layers(self):
        first = "1 Ann ann _ N _ f _ 2 _ sbj _ _ _ _ _ (1)"
        more = "2 ran run _ V _ g _ 0 _ root _ _ _ _ _ x y _"
        assert document(f"{first}\n{more}").layers == {
            "lemma": ("ann", "run"),
            "xpos": ("N", "V"),
            "feats": ("f", "g"),
            "head": ("2", "0"),
            "deprel": ("sbj", "root"),
        }

    def test_predicted_column_replaces_an_empty_one(self):
        found = document("1 Ann _ ann N X _ _ _ _ _ sbj _ _ _ _ _")
        assert found.layers == {"lemma": ("ann",), "xpos": ("N",), "deprel": ("sbj",)}

    def test_other_columns_are_not_layers(self):
        assert document("1 Ann ann _ N _ f _ 2 _ sbj _ _ _ _ (1)").layers == {}

    @pytest.mark.parametrize("cell", ["_", "-", "*"])
    def test_empty_cell_has_no_bracket(self, cell):
        assert document(f"1 a {cell}").entities == ()

    @pytest.mark.parametrize(
        ("cells", "expected"),
        [
            pytest.param("(1) _ (1", None, id="open"),
            pytest.param("(1 (1 1)|1)", {"1": [(0, 2), (1, 2)]}, id="nest"),
            pytest.param("(1|(2 1) 2)", {"1": [(0, 1)], "2": [(0, 2)]}, id="overlap"),
            pytest.param("(1 (2 1) 2)", {"1": [(0, 2)], "2": [(1, 3)]}, id="cross"),
            pytest.param("(1|(1 1)|1)", {"1": [(0, 1)] * 2}, id="repeat"),
            pytest.param("(1)|(2 2)", {"1": [(0, 0)], "2": [(0, 1)]}, id="order"),
            pytest.param("(1 1)(2)", {"1": [(0, 1)], "2": [(1, 1)]}, id="no bar"),
            pytest.param("(a:b.c)|(é", None, id="open id"),
            pytest.param("(a:b.c)|(é)", {"a:b.c": [(0, 0)], "é": [(0, 0)]}, id="ids"),
            pytest.param("(01)|(1)", {"01": [(0, 0)], "1": [(0, 0)]}, id="zeros"),
            pytest.param("(1|1)", {"1": [(0, 0)]}, id="open and close"),
        ],
    )
    def test_brackets_are_read_from_left_to_right(self, cells, expected):
        rows = [f"{number} w {cell}" for number, cell in enumerate(cells.split(), 1)]
        if expected is None:
            with raises(FormatError, "format/unbalanced-bracket"):
                document("\n".join(rows))
        else:
            found = document("\n".join(rows))
            assert spans(found) == expected
            assert [entity.id for entity in found] == list(expected)

    def test_mentions_stand_in_the_order_of_the_text(self):
        found = document("1 a (1)|(1\n2 b (1\n3 c (1)|1)\n4 d 1)")
        assert spans(found)["1"] == [(0, 3), (0, 0), (1, 2), (2, 2)]

    def test_ids_of_gum_are_parsed(self):
        found = document(
            "0\tAda\t(person-1-Ada_B%2DL\n1\tB-L\tperson-1-Ada_B%2DL)(time-2\n"
            "2\tit\t(3)time-2)\n3\tshe\t(person-1)"
        )
        assert spans(found) == {"1": [(0, 1), (3, 3)], "2": [(1, 2)], "3": [(2, 2)]}
        attributes = [mention.attributes for mention in found.entities[0]]
        assert attributes == [
            {"type": "person", "identity": "Ada_B-L"},
            {"type": "person"},
        ]
        assert found.entities[2].mentions[0].attributes == {}

    @pytest.mark.parametrize("row", ["1 a (person-1)", "0 a x (person-1)"])
    def test_other_documents_keep_such_ids(self, row):
        assert spans(document(row)) == {"person-1": [(0, 0)]}


WAYS = reading.ways(THREE) | {
    "blanks": THREE.replace("\t", "   "),
    "blanks behind": THREE.replace("\n", " \t\n"),
}


@pytest.mark.parametrize("text", WAYS.values(), ids=WAYS)
def test_ways_of_writing_do_not_matter(text):
    assert everything(*documents(text)) == everything(*documents(THREE))


BROKEN = {
    "not a cell": (
        THREE.replace("8)", "arg2"),
        [(4, "format/unbalanced-bracket"), (5, "format/invalid-annotation")],
    ),
    "no closing": (
        THREE.replace("8)", "_"),
        [(4, "format/unbalanced-bracket")],
    ),
    "no opening": (
        THREE.replace("(8", "_"),
        [(5, "format/unbalanced-bracket")],
    ),
    "line missing": (
        THREE.replace("2\tsaw\t_\n", ""),
        [(3, "format/wrong-number")],
    ),
    "no number": (
        THREE.replace("2\tsaw", "saw\tsaw"),
        [(3, "format/wrong-number")],
    ),
    "huge number": (
        THREE.replace("2\tsaw", "9" * 5000 + "\tsaw"),
        [(3, "format/wrong-number")],
    ),
    "begins late": (
        TWO.replace("1\t(7)\n", ""),
        [(2, "format/wrong-number")],
    ),
    "one column": (
        THREE.replace("\tsaw\t_", ""),
        [(3, "format/wrong-columns"), (3, "format/wrong-columns")],
    ),
    "word missing": (
        THREE.replace("\tsaw", ""),
        [(3, "format/wrong-columns")],
    ),
    "not UTF-8": (
        THREE.encode().replace(b"saw", b"s\xffw").replace(b"Bob", b"B\xffb"),
        [(3, "format/not-utf8")],
    ),
    "cut off": (
        THREE.removesuffix("4\t.\t8)\n#end document\n"),
        [
            (4, "format/unbalanced-bracket"),
            (5, "format/unpaired-document"),
        ],
    ),
    "no end": (
        THREE.replace("#end document\n", renamed(THREE, "e")),
        [(6, "format/unpaired-document")],
    ),
    "no begin": (
        THREE + "1\ta\t_\n2\tb\t_\n#end document\n",
        [
            (7, "format/unpaired-document"),
            (9, "format/unpaired-document"),
        ],
    ),
    "twice": (THREE * 2, [(7, "format/repeated-document")]),
}


@pytest.mark.parametrize(("text", "expected"), BROKEN.values(), ids=BROKEN)
def test_errors_have_lines(text, expected):
    laws.check_told(READER, text, expected)


@pytest.mark.parametrize("name", [name for name in BROKEN if name != "twice"])
def test_invalid_annotation_is_an_error(name):
    laws.check_refused(READER, *BROKEN[name])


def test_repeated_mention_is_a_warning():
    (problem,) = problems(THREE.replace("(7)", "(7)|(8)"))
    assert (problem.line, problem.severity) == (2, "warning")
    assert "entity 8 and in entity 7" in problem.message


@pytest.mark.parametrize("text", ["", "\n", "# x\n", "hello\n", "\0\0"])
def test_file_without_documents_is_empty(text):
    assert all(one.code == "format/unpaired-document" for one in problems(text))
    if not problems(text):
        assert documents(text) == []


class TestRecognise:
    @pytest.mark.parametrize(
        "text",
        [
            THREE,
            TWO,
            THREE.replace("#begin", "# begin"),
            renamed(THREE, ""),
            renamed(THREE, "1"),
            "#begin document d\n0\tAnn\t(person-1)\n",
            "#begin document d\n1\tAnn\t_\n\n1\tran\t_\n",
            "\n# x\n" + THREE,
            "#begin document d\n#end document\n" + renamed(THREE, "e"),
        ],
    )
    def test_own_files(self, text):
        assert recognise(text.encode())
        assert recognise(text.replace("\n", "\r\n").encode())

    @pytest.mark.parametrize(
        "text",
        [
            pytest.param("", id="empty"),
            pytest.param("#begin document d\n", id="no token"),
            pytest.param(renamed(THREE, "(d)"), id="parentheses"),
            pytest.param(
                renamed(THREE, "(d); part 000"), id="numbered columns of CoNLL"
            ),
            pytest.param(conll("(1) _"), id="CoNLL"),
            pytest.param(conll("(1) _", name="d"), id="CoNLL without parentheses"),
            pytest.param("#begin document 0\n0\t0\t0\tw\t-\n", id="CoNLL of one token"),
            pytest.param(
                "#begin document 1\n1\t0\t0\tw\t-\n\n1\t0\t0\tw\t-\n",
                id="CoNLL, the document called 1",
            ),
            pytest.param(
                "#begin document d\n1\t0\t0\tw\t-\n1\t0\t1\tw\t-\n", id="same column"
            ),
            pytest.param("#begin document d\n1\ta\tb\n", id="no cell"),
            pytest.param("#begin document d\n1\n", id="one column"),
            pytest.param("#begin document d\n2\ta\t_\n", id="begins with 2"),
            pytest.param("#begin documents d\n1\ta\t_\n", id="no header"),
            pytest.param("1\ta\t_\n" + THREE, id="token in front"),
            pytest.param(json_line("d", "ab", []), id="JSON lines"),
        ],
    )
    def test_other_files(self, text):
        assert not recognise(text.encode())

    @needs_data
    def test_samples(self):
        folders = [SAMPLES / "semeval2010", SAMPLES / "gum-conll3"]
        own = {path for folder in folders for path in folder.iterdir()}
        assert {SAMPLES / name for name in reading.recognised_samples(recognise)} == own

    @needs_data
    def test_conll_files_are_not_recognised(self):
        for path in [*DATA.glob("democrat-fr/*.conll"), *DATA.glob("ontogum/**/*dev*")]:
            assert not recognise(path.read_bytes()[: 1 << 16])

    @given(st.binary(max_size=60))
    def test_any_bytes_can_be_validated(self, head):
        assert recognise(b"#begin document " + head) in (True, False)


LETTERS = "aZ0(7)|-_*#,.%é\u00a0\u0085\u2028漢"
words = st.text(LETTERS, min_size=1, max_size=4)
ids = st.text("aZ07-_*.é\u00a0", min_size=1, max_size=3)


@st.composite
def drawn_documents(draw):
    sentences = draw(drawn.sentences(words, least=0, most=3))
    tokens = sum(map(len, sentences)) if sentences else 9
    mentions = drawn.spans(tokens).map(lambda span: Mention(*span))
    names = draw(st.lists(ids, unique=True, max_size=4))
    layers = drawn.layers(["lemma", "head"], words, tokens)
    return Document(
        draw(st.sampled_from(["d", "a  b/(c)", "1", "(x); part 002"])),
        sentences,
        draw(drawn.entities(names, mentions, most=4)),
        layers=draw(layers) if sentences else {},
    )


@given(drawn_documents())
def test_written_documents_are_read_back(source):
    (once,) = documents(text_of(source))
    kept = remove_unsupported(source, WRITER.carries)
    assert once.id == {"(x); part 002": "x_2"}.get(source.id, source.id)
    assert (once.sentences, once.layers) == (source.sentences, source.layers)
    assert {name: sorted(row) for name, row in spans(once).items()} == {
        name: sorted(row) for name, row in spans(kept).items()
    }
    (twice,) = documents(text_of(once))
    assert everything(twice) == everything(once)


def test_writer_formats_the_columns_of_the_task():
    found = Document(
        "d",
        (("Ann", "saw"), ("her",)),
        (Entity("7", (Mention(0, 0), Mention(0, 1))), Entity("8", (Mention(0, 2),))),
        layers={"xpos": ("N", "V", "P"), "other": ("a", "b", "c")},
    )
    rows = [line.split("\t") for line in text_of(found).splitlines()]
    assert [row[:2] for row in rows[1:3]] == [["1", "Ann"], ["2", "saw"]]
    assert [row[-1] for row in rows[1:3]] == ["(7|(7)|(8", "7)"]
    assert rows[4] == ["1", "her", "_", "_", "P", *["_"] * 13, "8)"]
    assert len(rows[4]) == 19
    assert rows[0] == ["#begin document d"]
    assert rows[5:] == [[""], ["#end document"]]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a", "b"], ["a", "b"]),
        (["a|b", "c"], ["0", "1"]),
        (["a b", "c"], ["0", "1"]),
        (["", "c"], ["0", "1"]),
        (["a", "a"], ["0", "1"]),
    ],
)
def test_ids_with_brackets_are_numbered(names, expected):
    entities = [Entity(name, (Mention(n, n),)) for n, name in enumerate(names)]
    (found,) = documents(text_of(Document("d", (("x", "y"),), tuple(entities))))
    assert [entity.id for entity in found] == expected


def test_blanks_in_words_become_underscores():
    found = Document("a\nb", (("New York", "", "\t"),), ())
    (again,) = documents(text_of(found))
    assert (again.id, again.sentences) == ("a b", (("New_York", "_", "_"),))


def test_id_in_parentheses_is_not_written():
    text = text_of(Document("(a)", (("w", "w"),), ()))
    assert recognise(text.encode())


def test_document_of_nothing_is_written_and_read():
    assert documents(text_of(Document("d", (), ()))) == [Document("d", (), ())]


@pytest.mark.parametrize("sentences", [(("a", "b"), ("c", "d", "e")), ()])
def test_scores_are_those_of_json_lines(tmp_path, sentences):
    first = Entity("1", (Mention(0, 1), Mention(0, 3), Mention(4, 4)))
    second = Entity("2", (Mention(1, 2), Mention(3, 3)))
    document = Document("nw/a b", sentences, (first, second))
    laws.check_perfect(tmp_path, "semeval", document)


GOOD = THREE + renamed(TWO, "e")


@given(drawn.damaged(GOOD, b"()|0123456789\t\n #_-d\xff\0"))
@settings(max_examples=100)
def test_only_invalid_files_are_errors(content):
    laws.check_reader(READER, content)


@given(st.binary(max_size=80))
def test_any_bytes_are_read_or_an_error(content):
    for text in (content, b"#begin document d\n1\t" + content):
        laws.check_reader(READER, text)


@pytest.mark.parametrize("cell", ["(1" * 20_000, "1)" * 20_000, "a" * 50_000])
def test_long_cells_take_linear_time(cell):
    assert len(problems(f"#begin document d\n1\t{cell}\n#end document\n")) >= 1
    recognise(f"#begin document d\n1\t{cell}\n".encode())


@needs_data
class TestSamples:
    FILES = sorted(
        [*SAMPLES.glob("semeval2010/*"), *SAMPLES.glob("gum-conll3/ontogum*")]
    )

    @pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
    def test_sample_is_read_and_written(self, path):
        content = path.read_bytes()
        assert problems(content) == []
        found = documents(content)
        assert sum(map(len, found)) > 20
        again = documents("".join(map(text_of, found)))
        assert everything(*again) == everything(*found)

    @pytest.mark.parametrize("path", FILES[:-1], ids=lambda path: path.name)
    def test_entities_equal_those_of_conll(self, path):
        content = path.read_bytes()
        plain = corefkit.read(path, format="conll")
        for ours, theirs in zip(documents(content), plain, strict=True):
            assert [entity.id for entity in ours] == [entity.id for entity in theirs]
            assert [set(entity) for entity in ours] == [set(one) for one in theirs]

    def test_layers_and_words_of_the_task(self):
        (path,) = SAMPLES.glob("semeval2010/corefgraph*")
        found = documents(path.read_bytes())
        assert all(one.sentences and "lemma" in one.layers for one in found)
        assert all("deprel" not in one.layers for one in found)

    def test_gum_has_types_and_identities(self):
        (path,) = SAMPLES.glob("gum-conll3/gum*")
        (found,) = documents(path.read_bytes())
        mentions = [mention for entity in found for mention in entity]
        assert found.id == "GUM_news_nasa"
        assert all("type" in mention.attributes for mention in mentions)
        assert any("identity" in mention.attributes for mention in mentions)
        for entity in found:
            assert len({mention.attributes["type"] for mention in entity}) == 1

    def test_responses_of_the_task_have_one_invalid_line(self):
        folder = DATA / "semeval2010-en-responses"
        faults = {}
        for path in folder.glob("[tu]*.gz"):
            with ByteFile(path) as file:
                assert recognise(file.read(0, 1 << 16))
                errors = [
                    one for one in READER.problems(file) if one.severity == "error"
                ]
            if errors:
                faults[path.name.partition(".")[0]] = [one.line for one in errors]
        assert faults == {"ubiu": [16154]}
