"""OntoNotes .coref: the numbered rules of the format, errors, and writing."""

from __future__ import annotations

import pytest
from files import conll, written
from formats import drawn, laws, reading
from formats.examples import ONTONOTES
from formats.reading import everything, spans
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from raising import raises

import corefkit
from corefkit import Document, Entity, FormatError, Mention
from corefkit.formats.files import ByteFile
from corefkit.formats.muc import recognise as is_muc
from corefkit.formats.ontonotes import READER, WRITER, recognise


@pytest.fixture
def put(tmp_path):
    return lambda text, name="file.coref": written(tmp_path / name, text)


read, found = reading.reads("ontonotes"), reading.finds("ontonotes")


def body(text, *, name="d"):
    return f'<DOC DOCNO="{name}">\n<TEXT PARTNO="000">\n{text}\n</TEXT>\n</DOC>\n'


class TestDocuments:
    def test_each_part_is_a_document(self, read):
        first, second = read(ONTONOTES)
        assert first.id == "(bn/zoo/00/zoo_0001); part 000"
        assert second.id == "(bn/zoo/00/zoo_0001); part 001"
        assert [len(words) for words in first.sentences] == [13, 8]
        assert spans(first) == {"3": [(0, 4), (7, 7), (9, 9)], "5": [(3, 4), (19, 19)]}
        assert second.sentences == (("R&D", "-LRB-", "here", "-RRB-"),)
        assert spans(second) == {"3": [(2, 2)]}

    @pytest.mark.parametrize(
        ("document", "part", "name"),
        [
            ('DOCNO="a/b@c@d"', 'PARTNO="012"', "(a/b); part 012"),
            ("docid=a", "partid='1'", "(a); part 1"),
            ('DOCNO="a&#64;b@c"', 'PARTNO="0"', "(a@b); part 0"),
            ('DOCNO="a"', "", "(a); part 000"),
            ("", 'PARTNO="001"', "(zoo.x); part 001"),
            ('DOCNO=""', 'PARTNO=""', "(zoo.x); part 000"),
        ],
    )
    def test_id_is_written_as_in_conll(self, read, document, part, name):
        text = f"<DOC {document}><TEXT {part}>\na\n</TEXT></DOC>"
        assert [one.id for one in read(text, name="zoo.x.coref")] == [name]

    def test_parts_without_number_are_counted(self, read):
        parts = "<TEXT>\na\n</TEXT>" * 2
        text = f"<DOC DOCNO=a>{parts}</DOC><DOC DOCNO=b>{parts}</DOC>"
        assert [one.id for one in read(text)] == [
            "(a); part 000",
            "(a); part 001",
            "(b); part 000",
            "(b); part 001",
        ]

    def test_documents_pair_with_those_of_conll(self, tmp_path):
        key = written(tmp_path / "key", body('<COREF ID="1">a</COREF> *T*-1 b 0'))
        response = written(tmp_path / "x", conll("(7) -", words="ab"))
        result = corefkit.score(key, response)
        assert result["mentions"].f1 == 1

    @pytest.mark.parametrize(
        "content",
        [
            pytest.param(ONTONOTES.replace("\n", "\n\n"), id="blank lines"),
            pytest.param(ONTONOTES.replace(" ", " \t "), id="more blanks"),
            pytest.param(ONTONOTES.replace("COREF", "coref"), id="lower case"),
            pytest.param(ONTONOTES.replace(' TYPE="IDENT"', ""), id="no types"),
        ],
    )
    def test_equivalent_files_are_read_the_same_way(self, read, content):
        assert everything(*read(content)) == everything(*read(ONTONOTES))


class TestTokens:
    def test_blanks_separate_tokens(self, read):
        (document,) = read(body("A.B. d'x\u00a0y \u2028 -LSB-\n<p>c"))
        assert document.sentences == (("A.B.", "d'x\u00a0y", "\u2028", "-LSB-"), ("c",))

    @pytest.mark.parametrize(
        ("token", "word"),
        [
            ("-AMP-", "&"),
            ("AT-AMP-T", "AT&T"),
            ("-LAB-a-RAB-", "<a>"),
            ("-LRB-", "-LRB-"),
            ("&amp;&lt;", "&<"),
            ("-AMP-amp;", "&amp;"),
            ("AT&T", "AT&T"),
            ("a&#32;b", "a b"),
            ("-LAB", "-LAB"),
        ],
    )
    def test_escapes_are_read(self, read, token, word):
        assert read(body(f"x {token}"))[0].tokens == ("x", word)

    @pytest.mark.parametrize(
        "trace",
        ["*PRO*", "*pro*", "*T*-1", "*-12", "*?*", "*U*", "*OP*", "*RNR*-1", "*PRO*-3"],
    )
    def test_traces_are_empty_nodes(self, read, trace):
        (document,) = read(body(f"a {trace} 0 b *"))
        assert document.empty == (1, 2, 4)
        assert document.words == ("a", "b")

    @pytest.mark.parametrize(
        "word", ["0", "*", "***", "*so*", "*PRO", "\\*", "**", "10", "*-", "&#42;PRO*"]
    )
    def test_similar_tokens_are_words(self, read, word):
        assert read(body(f"a {word} 0 b *"))[0].empty == ()

    def test_words_have_their_lines(self, tmp_path):
        source = READER.open(ByteFile(written(tmp_path / "x", ONTONOTES)), False, False)
        places = [
            (word.text, int(word.place.rpartition(":")[2]))
            for word in source.iter_words(0)
        ]
        last = list(source.iter_words(1))[-1]
        source.close()
        assert places[:3] == [("The", 3), ("keeper", 3), ("of", 3)]
        assert places[-1] == (".", 4)
        assert "0" not in dict(places)
        assert last.place.endswith(":7")


class TestMentions:
    def test_appositions_are_ignored(self, read, found):
        text = body(
            '<COREF ID="1" TYPE="APPOS" SUBTYPE="HEAD">a</COREF> '
            '<COREF ID="1" TYPE="appos" SUBTYPE="ATTRIB">b</COREF> '
            '<COREF ID="1" TYPE="IDENT">c</COREF>'
        )
        assert spans(read(text)[0]) == {"1": [(2, 2)]}
        assert found(text) == []

    def test_other_attributes_are_kept(self, read):
        text = '<COREF ID="1" TYPE="IDENT" S_OFF="1" SPEAKER="A &amp; B">a</COREF>'
        (mention,) = read(body(text))[0].entities[0]
        assert mention.attributes == {"s_off": "1", "speaker": "A & B"}

    def test_mention_takes_entire_tokens(self, read, found):
        text = body('a <COREF ID="1">b</COREF>c <COREF ID="1">d</COREF>')
        assert spans(read(text)[0]) == {"1": [(1, 1), (2, 2)]}
        assert found(text) == [(3, "format/cut-token", "warning")]

    def test_mentions_are_in_the_order_of_the_text(self, read):
        text = (
            'x<COREF ID="2">a</COREF><COREF ID="1">b c</COREF> <COREF ID="2">d</COREF>'
        )
        (document,) = read(body(text))
        assert list(spans(document)) == ["1", "2"]

    def test_mention_without_words_is_ignored(self, read, found):
        text = body('<COREF ID="1"> </COREF> a')
        assert read(text)[0].entities == ()
        assert found(text) == [(3, "format/left-out", "warning")]


BROKEN = {
    "no ID": (body('a\n<COREF TYPE="IDENT">b</COREF>'), 4, "missing-id"),
    "COREF not closed": (body("a\n<COREF ID=1>b"), 4, "unpaired-tag"),
    "COREF not opened": (body("a\nb</COREF>"), 4, "unpaired-tag"),
    "tag not ended": (body("\n<COREF ID=1 <b>a</COREF>"), 4, "unpaired-tag"),
    "TEXT not closed": (body("a").replace("</TEXT>", ""), 2, "unpaired-document"),
    "TEXT in TEXT": (body("a\n<TEXT PARTNO='001'>\nb"), 2, "unpaired-document"),
    "TEXT outside": (body("a") + "<TEXT PARTNO=1>\nb</TEXT>", 6, "unpaired-document"),
    "TEXT not opened": (
        body("a").replace("</DOC>", "</TEXT></DOC>"),
        5,
        "unpaired-document",
    ),
    "DOC not closed": (
        body("a") + body("b", name="e").replace("</DOC>", ""),
        6,
        "unpaired-document",
    ),
    "DOC in DOC": (
        body("a").replace("</DOC>", "") + body("b", name="e"),
        1,
        "unpaired-document",
    ),
    "DOC not opened": (body("a") + "</DOC>", 6, "unpaired-document"),
    "DOC without TEXT": (
        body("a") + "<DOC DOCNO='e'>\nb\n</DOC>",
        6,
        "unpaired-document",
    ),
    "not UTF-8": (
        body("a\nb").encode() + body("\xff", name="e").encode("latin-1"),
        9,
        "not-utf8",
    ),
}


@pytest.mark.parametrize(("text", "line", "code"), BROKEN.values(), ids=BROKEN)
def test_error_is_reported_and_raised(put, text, line, code):
    assert laws.check_fault(put(text), "ontonotes", line, f"format/{code}").hint


def test_incomplete_file_has_an_open_document_and_part(found):
    text = body("a").partition("</TEXT>")[0]
    assert [(line, code) for line, code, _ in found(text)] == [
        (1, "format/unpaired-document"),
        (2, "format/unpaired-document"),
    ]


@pytest.mark.parametrize("text", ["", " \n", "no tags", "<DOCX>a</DOCX>"])
def test_file_without_documents_is_rejected(read, text):
    with raises(FormatError, "format/no-document", place="file.coref"):
        read(text)


@reading.heads(
    own=[
        ONTONOTES.encode(),
        b'\n<doc docno="a">\n<text partno="0">',
        b"<DOC DOCID=a><TEXT PARTID=1>",
    ],
    others=[
        b'<DOC DOCNO="a">\nA <ENAMEX TYPE="PERSON">b</ENAMEX>',
        b"<DOC><DOCNO>a</DOCNO><TEXT>",
        b'{"a": "<DOC DOCNO=1><TEXT PARTNO=2>"}',
        b"\xff",
        b"",
    ],
)
def test_documents_with_parts_are_recognised(head, expected):
    assert recognise(head) is expected
    assert not (expected and is_muc(head))


class TestWriting:
    def test_document_is_written_as_it_is_read(self, read):
        text = body(
            '<COREF ID="3" TYPE="IDENT">The <COREF ID="5" TYPE="IDENT" E_OFF="1">'
            "R-AMP-D</COREF></COREF> 0 *T*-1 &#48;"
        )
        (document,) = read(text)
        assert document.words == ("The", "R&D", "0")
        assert "".join(WRITER.text(document)) == text

    @pytest.mark.parametrize(
        ("empty", "written_as"),
        [
            (["*T*-1", "0", "*"], ["*T*-1", "0", "*"]),
            (["0", "*"], ["*pro*", "*pro*"]),
            (["él", "0", "_"], ["*pro*", "0", "*pro*"]),
        ],
    )
    def test_empty_nodes_are_written_as_traces(self, read, empty, written_as):
        numbers = tuple(range(1, len(empty) + 1))
        document = Document("(d); part 000", (("a", *empty),), (), empty=numbers)
        (again,) = read("".join(WRITER.text(document)))
        assert again.sentences == (("a", *written_as),)
        assert again.empty == numbers

    def test_unknown_words_are_written_as_placeholders(self, read):
        entity = Entity("1", (Mention(1, 2),))
        (document,) = read("".join(WRITER.text(Document("d", (), (entity,)))))
        assert document == Document("(d); part 000", (("_", "_", "_"),), (entity,))

    def test_empty_words_and_sentences_are_written(self, read):
        document = Document("d", ((), ("", "a"), ()), ())
        assert read("".join(WRITER.text(document)))[0].sentences == (("_", "a"),)

    @pytest.mark.parametrize(
        ("name", "again"),
        [
            ("(a/b c); part 001", "(a/b c); part 001"),
            ("(a); part 000-001", "(a); part 000-001"),
            ("(a@b <c> \"d\" & 'e'); part 0", "(a@b <c> \"d\" & 'e'); part 0"),
            ("((a)); part 002", "((a)); part 002"),
            ("story", "(story); part 000"),
            ("(story); ", "(story); part 000"),
        ],
    )
    def test_ids_of_documents_are_kept(self, read, name, again):
        text = "".join(WRITER.text(Document(name, (("a",),), ())))
        assert recognise(text.encode())
        assert [one.id for one in read(text)] == [again]

    def test_entities_with_the_same_id_are_not_merged(self, read):
        entities = Entity("1", (Mention(0, 0),)), Entity("1", (Mention(1, 1),))
        text = "".join(WRITER.text(Document("d", (("a", "b"),), entities)))
        assert spans(read(text)[0]) == {"1": [(0, 0)], "2": [(1, 1)]}


TRACES = ("*PRO*", "*T*-1", "*-2", "0", "*")
words = (
    st.sampled_from(["a", "0", "*", "*PRO*", "-AMP-", "-LAB", "&", "<p>", "&lt;", "-"])
    | st.text(st.sampled_from("-AMP&;<>\"' \t\n\r\u0085\u2028é漢#0*"), min_size=1)
    | st.text(min_size=1, max_size=5)
)


@st.composite
def documents(draw, *, traces=True):
    """Draw a document as the reader gives them."""
    tokens = st.tuples(words, st.just(False))
    if traces and draw(st.booleans()):
        tokens |= st.tuples(st.sampled_from(TRACES), st.just(True))
    rows = draw(drawn.sentences(tokens, least=0, most=3))
    row = [token for sentence in rows for token in sentence]
    empty = tuple(number for number, token in enumerate(row) if token[1])
    # With none but these, the traces would not be known.
    assume(not empty or any(row[number][0] not in "*0" for number in empty))
    attributes = st.dictionaries(
        st.sampled_from(["s_off", "speaker"]), st.text(max_size=4)
    )
    pair = st.tuples(drawn.spans(len(row)), attributes)
    pairs = draw(st.lists(pair, max_size=6)) if row else []
    mentions = [Mention(*span, attributes=known) for span, known in pairs]
    return Document(
        draw(st.sampled_from(["(d); part 000", "(a/b @c); part 001"])),
        tuple(tuple(word for word, _ in sentence) for sentence in rows),
        draw(drawn.nested_entities(mentions, ["0", "12", "000-8", 'x "<&>"'])),
        empty=empty,
    )


@settings(max_examples=80)
@given(documents())
def test_written_documents_are_read_back(tmp_path_factory, document):
    folder = tmp_path_factory.mktemp("ontonotes")
    laws.check_same_again(folder, "ontonotes", document)
    assert recognise(reading.path_of(folder, "ontonotes").read_bytes())


@settings(max_examples=20)
@given(documents(traces=False))
def test_written_document_scores_as_its_json_lines(tmp_path_factory, document):
    laws.check_scores(tmp_path_factory.mktemp("ontonotes"), "ontonotes", document)
