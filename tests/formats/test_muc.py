"""MUC SGML: the numbered rules of the format, errors, and writing."""

from __future__ import annotations

import re
from itertools import chain

import pytest
from files import json_line, written
from formats import drawn, laws, reading
from formats.examples import MUC
from formats.reading import SAMPLES, everything, needs_samples, spans
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from raising import raises

import corefkit
from corefkit import Document, Entity, FormatError, Mention
from corefkit.formats.files import ByteFile
from corefkit.formats.muc import READER, WRITER, recognise
from corefkit.formats.output import find_crossing, write

SAMPLE = SAMPLES / "muc-sgml" / "GUM_news_nasa.handmade.muc.sgml"


@pytest.fixture
def put(tmp_path):
    return lambda text, name="file.muc": written(tmp_path / name, text)


read, found = reading.reads("muc"), reading.finds("muc")


def body(text, *, name="d"):
    return f"<DOC>\n<DOCID>{name}</DOCID>\n<TEXT>\n{text}\n</TEXT>\n</DOC>\n"


class TestDocuments:
    def test_document_has_id_sentences_and_entities(self, read):
        (document,) = read(MUC)
        assert document.id == "zoo-1"
        assert [" ".join(words) for words in document.sentences] == [
            "The keeper of the zoo said he ' d call .",
            "He did & left .",
        ]
        assert spans(document) == {"1": [(0, 4), (6, 6), (11, 11)], "2": [(3, 4)]}

    def test_file_can_have_several_documents(self, read):
        first, second = read(body("A") + "between" + body("B", name="e"))
        assert [(one.id, one.tokens) for one in (first, second)] == [
            ("d", ("A",)),
            ("e", ("B",)),
        ]

    @pytest.mark.parametrize(
        ("header", "name"),
        [
            ("<DOCNO> a  b </DOCNO>", "a b"),
            ("<docid>x&amp;y</docid>", "x&y"),
            ("<DOCID type=x>z</DOCID>", "z"),
            ("<DOCID> </DOCID>", "nyt.0765"),
            ("", "nyt.0765"),
        ],
    )
    def test_id_is_in_the_header_or_the_name_of_the_file(self, read, header, name):
        text = f"<DOC>\n{header}\n<TEXT>A</TEXT></DOC>"
        (document,) = read(text, name="nyt.0765.muc")
        assert (document.id, document.tokens) == (name, ("A",))

    def test_case_and_quotes_of_tags_are_ignored(self, read):
        text = """<doc><docid>d</docid><Coref id='1'>A</Coref>
            <COREF\nID=2 ref=1 type="Ident">B</coref></Doc>"""
        (document,) = read(text)
        assert spans(document) == {"1": [(0, 0), (1, 1)]}

    @pytest.mark.parametrize(
        "content",
        [
            pytest.param("<!DOCTYPE x>\n" + MUC, id="declaration"),
            pytest.param(MUC.replace("<p>", "<!-- <COREF ID=9> -->"), id="comment"),
            pytest.param(MUC.replace('"', "'"), id="single quotes"),
        ],
    )
    def test_equivalent_files_are_read_the_same_way(self, read, content):
        assert everything(*read(content)) == everything(*read(MUC))


class TestText:
    def test_sentences_end_at_tags(self, read):
        text = "<HL>One\ntwo</HL><p><s>three\nfour</s><s>five</s></p>six"
        (document,) = read(body(text))
        assert document.sentences == (
            ("One", "two"),
            ("three", "four"),
            ("five",),
            ("six",),
        )

    def test_sentences_end_at_lines_without_tags(self, read):
        (document,) = read(body("<SLUG fv=x>One</SLUG>two\nthree\n\nfour"))
        assert document.sentences == (("One",), ("two",), ("three",), ("four",))

    def test_tags_do_not_split_words(self, read, found):
        text = body('<COREF ID="1">shuttle</COREF>s a<ENAMEX TYPE="X">b</ENAMEX>c')
        (document,) = read(text)
        assert document.tokens == ("shuttles", "abc")
        assert spans(document) == {"1": [(0, 0)]}
        assert found(text) == [(4, "format/cut-token", "warning")]

    def test_tokens_do_not_depend_on_mentions(self, read):
        (document,) = read(MUC)
        (bare,) = read(re.sub("</?COREF[^>]*>", "", MUC))
        assert bare.sentences == document.sentences
        assert bare.entities == ()

    def test_words_have_their_lines(self, tmp_path):
        source = READER.open(ByteFile(written(tmp_path / "x", MUC)), False, False)
        lines = [int(word.place.rpartition(":")[2]) for word in source.iter_words(0)]
        source.close()
        assert lines == [6] * 6 + [7] * 5 + [8] * 5

    def test_mention_across_sentences_is_read(self, read):
        (document,) = read(body('<s>A <COREF ID="1">b</s><s>c</COREF> d</s>'))
        assert spans(document) == {"1": [(1, 2)]}

    def test_mention_without_words_is_ignored(self, read, found):
        text = body('A <COREF ID="1"> </COREF>\n<COREF ID="2" REF="1">B</COREF>')
        assert spans(read(text)[0]) == {"2": [(1, 1)]}
        assert found(text) == [(4, "format/left-out", "warning")]


def corefs(*tags):
    """Write one mention a line, which starts in line 4."""
    return body("\n".join(f"<COREF {tag}>w</COREF>" for tag in tags))


class TestLinks:
    @pytest.mark.parametrize(
        ("tags", "entities"),
        [
            pytest.param(("ID=1", "ID=2"), {"1": [0], "2": [1]}, id="singletons"),
            pytest.param(
                ("ID=1", "ID=2 REF=1", "ID=3 REF=2"), {"1": [0, 1, 2]}, id="chain"
            ),
            pytest.param(
                ("ID=1", "ID=2 REF=1", "ID=3 REF=1"), {"1": [0, 1, 2]}, id="star"
            ),
            pytest.param(
                ("ID=5 REF=7", "ID=6", "ID=7"), {"5": [0, 2], "6": [1]}, id="forward"
            ),
            pytest.param(("ID=1 REF=2", "ID=2 REF=1"), {"1": [0, 1]}, id="circle"),
            pytest.param(("ID=1 REF=1",), {"1": [0]}, id="itself"),
            pytest.param(("ID=a.b", "ID='c d' REF=a.b"), {"a.b": [0, 1]}, id="names"),
            pytest.param(
                ("ID='&lt;'", "ID=2 REF='&#60;'"), {"<": [0, 1]}, id="references"
            ),
        ],
    )
    def test_linked_mentions_are_an_entity(self, read, found, tags, entities):
        (document,) = read(corefs(*tags))
        starts = {
            name: [one[0] for one in row] for name, row in spans(document).items()
        }
        assert starts == entities
        assert found(corefs(*tags)) == []

    def test_links_of_other_types_are_ignored(self, read, found):
        text = corefs("ID=1", "ID=2 REF=1 TYPE=PART", "ID=3 REF=1 TYPE=IDENT")
        assert spans(read(text)[0]) == {"1": [(0, 0), (2, 2)], "2": [(1, 1)]}
        assert found(text) == [(5, "format/left-out", "warning")]

    def test_long_chains_are_read(self, read):
        tags = [f"ID={number} REF={max(0, number - 1)}" for number in range(5000)]
        (document,) = read(corefs(*reversed(tags)))
        assert len(document.entities) == 1


class TestMinima:
    @pytest.mark.parametrize(
        ("minimum", "expected", "head"),
        [
            ("dog", (2, 2), 2),
            ("big dog", (1, 2), None),
            ("cat|dog|big", (2, 2), 2),
            ("the", (4, 4), 4),
            ("O'Neill", (5, 7), None),
            ("O ' Neill", (5, 7), None),
            ("&#79;", (5, 5), 5),
            ("", None, None),
        ],
    )
    def test_minimum_is_found_among_the_tokens(self, read, minimum, expected, head):
        text = f'<COREF ID="1" MIN="{minimum}">The big dog of the O\'Neill</COREF> the'
        (mention,) = read(body(text))[0].entities[0]
        assert (mention.minimum, mention.head) == (expected, head)

    @pytest.mark.parametrize("minimum", ["he", "ran", "dog ran", "Dog", "cat|hen"])
    def test_minimum_outside_the_mention_is_reported(self, read, found, minimum):
        text = body(f'ran <COREF ID="1" MIN="{minimum}">The dog</COREF> ran')
        assert read(text)[0].entities[0].mentions[0].minimum is None
        assert found(text) == [(4, "format/left-out", "warning")]

    def test_bar_of_the_text_is_a_reference(self, read):
        text = '<COREF ID="1" MIN="b&#124;c">a b|c</COREF>'
        assert read(body(text))[0].entities[0].mentions[0].minimum == (1, 3)


def test_other_attributes_are_kept(read):
    (document,) = read(body('<COREF ID=1 STATUS="OPT" X-Y="&quot;" MIN=a>a</COREF>'))
    assert document.entities[0].mentions[0].attributes == {"status": "OPT", "x-y": '"'}


BROKEN = {
    "unknown REF": (corefs("ID=1", "ID=2 REF=9"), 5, "unknown-id"),
    "REF into another document": (
        corefs("ID=1") + corefs("ID=2 REF=1").replace(">d<", ">e<"),
        10,
        "unknown-id",
    ),
    "empty REF": (corefs("ID=1 REF=''"), 4, "unknown-id"),
    "ID twice": (corefs("ID=1", "ID=2", "ID=1"), 6, "repeated-id"),
    "no ID": (corefs("ID=1", "REF=1"), 5, "missing-id"),
    "blank ID": (corefs("ID=1", "ID=' '"), 5, "missing-id"),
    "COREF not closed": (body("a\n<COREF ID=1>b"), 5, "unpaired-tag"),
    "COREF not opened": (body("<COREF ID=1>a</COREF>\nb</COREF>"), 5, "unpaired-tag"),
    "tag not ended": (corefs("ID=1", "ID=2 <"), 5, "unpaired-tag"),
    "quote not closed": (corefs("ID=1", "ID='2"), 5, "unpaired-tag"),
    "document not closed": (
        corefs("ID=1") + corefs("ID=1").replace("</DOC>", "").replace(">d<", ">e<"),
        7,
        "unpaired-document",
    ),
    "document in document": (
        corefs("ID=1").replace("</DOC>", "") + corefs("ID=1").replace(">d<", ">e<"),
        1,
        "unpaired-document",
    ),
    "document not opened": (corefs("ID=1") + "\n</DOC>", 8, "unpaired-document"),
    "not UTF-8": (
        corefs("ID=1", "ID=2").encode().replace(b"2>w", b"2>\xff"),
        5,
        "not-utf8",
    ),
}


@pytest.mark.parametrize(("text", "line", "code"), BROKEN.values(), ids=BROKEN)
def test_error_is_reported_and_raised(put, text, line, code):
    assert laws.check_fault(put(text), "muc", line, f"format/{code}").hint


def test_all_problems_are_reported(found):
    text = corefs("ID=1 REF=8", "ID=1", "REF=1")
    text += body("a\n<COREF ID=1>b", name="e") + body("c", name="e")
    assert [line for line, *_ in found(text)] == [4, 5, 6, 13, 16]


def test_repeated_mention_is_a_warning(found):
    text = body("<COREF ID=1><COREF ID=2>a</COREF></COREF>")
    assert found(text) == [(4, "format/repeated-mention", "warning")]


@pytest.mark.parametrize("text", ["", " \n", "no tags", "<TEXT>a</TEXT>"])
def test_file_without_documents_is_rejected(read, text):
    with raises(FormatError, "format/no-document", place="file.muc"):
        read(text)


@reading.heads(
    own=[
        MUC.encode(),
        b'\n<doc><coref id="1">',
        b"<DOC X=1>\n<COREF TYPE='IDENT' ID=1>",
        b"<DOC>\n<TXT>\n<s> nothing </s>",
    ],
    others=[
        b"<DOC>\n<DOCID> a </DOCID>\n<BODY>\n<TEXT>\na",
        b'<DOC DOCNO="a@b"><TEXT PARTNO="000"><COREF ID="1" TYPE="IDENT">',
        b"<Document><COREF ID=1>",
        b'{"doc_key": "<DOC><COREF ID=1>"}',
        b"<DOC><COREF>",
        b"\xff\xfe<",
        b"",
    ],
)
def test_documents_with_mentions_are_recognised(head, expected):
    assert recognise(head) is expected


class TestWriting:
    def test_document_is_written_as_it_is_read(self, read):
        (document,) = read(MUC)
        assert "".join(WRITER.text(document)) == (
            "<DOC>\n<DOCID> zoo-1 </DOCID>\n<TXT>\n"
            '<s> <COREF ID="1" MIN="keeper">The keeper of '
            '<COREF ID="2">the zoo</COREF></COREF> said '
            '<COREF ID="3" TYPE="IDENT" REF="1">he</COREF> \' d call . </s>\n'
            '<s> <COREF ID="4" TYPE="IDENT" REF="1" STATUS="OPT">He</COREF> '
            "did &amp; left . </s>\n</TXT>\n</DOC>\n"
        )

    def test_later_mentions_have_unused_ids(self, read):
        entities = (
            Entity("3", (Mention(0, 0), Mention(2, 2))),
            Entity("1", (Mention(1, 1), Mention(3, 3))),
        )
        document = Document("d", (tuple("abcd"),), entities)
        text = "".join(WRITER.text(document))
        assert re.findall(' ID="(.*?)"', text) == ["3", "1", "2", "4"]
        assert read(text) == [document]

    def test_unknown_words_are_written_as_placeholders(self, read):
        entity = Entity("1", (Mention(1, 2, minimum=(2, 2)),))
        (document,) = read("".join(WRITER.text(Document("d", (), (entity,)))))
        assert document == Document("d", (("_", "_", "_"),), (entity,))

    @pytest.mark.parametrize(
        "name", ["a/b c", "(a/b); part 001", "<a&b>", "é", "</DOCID>", '"']
    )
    def test_ids_of_documents_are_kept(self, read, name):
        document = Document(name, (("a",),), (Entity("1", (Mention(0, 0),)),))
        assert read("".join(WRITER.text(document))) == [document]

    def test_words_that_are_not_tokens_are_split(self, read):
        words = ("Mr.", "a b", "", "<s>", "&lt;", "x\u2028y")
        document = Document("d", (words, ()), (Entity("1", (Mention(0, 1),)),))
        (again,) = read("".join(WRITER.text(document)))
        assert "".join(again.tokens) == "Mr.ab_<s>&lt;xy"
        assert again.text(again.entities[0].mentions[0]) == "Mr . a b"

    def test_attributes_that_cannot_be_read_back_are_not_written(self, read):
        attributes = {"ref": "9", "type": "x", "a b": "1", "A": "2", "kept": "<3>"}
        entity = Entity("1", (Mention(0, 0, attributes=attributes),))
        text = "".join(WRITER.text(Document("d", (("a",),), (entity,))))
        (mention,) = read(text)[0].entities[0]
        assert mention.attributes == {"kept": "<3>"}


WORDS = ("a", "b", "The", "it", "é", "漢", "0", "&", "<", ">", '"', "'", "|", ";")


@st.composite
def documents(draw):
    """Draw a document as the reader gives them."""
    sentences = draw(drawn.sentences(st.sampled_from(WORDS), least=0, most=3))
    words = list(chain.from_iterable(sentences))
    places = draw(st.lists(drawn.spans(len(words)), max_size=6)) if words else []
    mentions = [draw(_mentions(words, *span)) for span in places]
    ids = draw(st.permutations(["0", "7", "12", "a-b", 'x "y"', "<", "2"]))
    return Document(
        draw(st.sampled_from(["d", "(a/b); part 000", "x & y"])),
        sentences,
        draw(drawn.nested_entities(mentions, ids[:4])),
    )


@st.composite
def _mentions(draw, words, start, end):
    minimum = None
    if draw(st.booleans()):
        first = draw(st.integers(start, end))
        last = draw(st.integers(first, end))
        sought = words[first : last + 1]
        first = start
        while words[first : first + len(sought)] != sought:
            first += 1
        minimum = first, first + len(sought) - 1
    attributes = st.dictionaries(
        st.sampled_from(["status", "x_y", "mention_type"]), st.text(max_size=4)
    )
    head = minimum[0] if minimum and minimum[0] == minimum[1] else None
    return Mention(start, end, head=head, minimum=minimum, attributes=draw(attributes))


@given(st.lists(documents(), min_size=1, max_size=2))
def test_written_documents_are_read_back(tmp_path_factory, several):
    laws.check_same_again(tmp_path_factory.mktemp("muc"), "muc", *several)


@settings(max_examples=20)
@given(documents())
def test_written_document_scores_as_its_json_lines(tmp_path_factory, document):
    assume(document.sentences)  # else nothing shows what the file is
    laws.check_scores(tmp_path_factory.mktemp("muc"), "muc", document)


@given(
    st.integers(0, len(MUC)), st.integers(0, 9), st.sampled_from(["", " ", "x", "é"])
)
def test_changed_example_is_read_back(tmp_path_factory, place, length, new):
    folder = tmp_path_factory.mktemp("muc")
    content = MUC[:place] + new + MUC[place + length :]
    found = laws.check_read_or_refused(written(folder / "x", content), "muc")
    assume(not any(find_crossing(chain.from_iterable(one)) for one in found))
    if found:
        laws.check_same_again(folder, "muc", *found)


@needs_samples
class TestSamples:
    def test_sample_has_the_entities_of_its_source(self):
        (document,) = corefkit.read(SAMPLE)
        (source,) = corefkit.read(SAMPLE.with_name("GUM_news_nasa.first12.conllu"))
        assert document.id == source.id
        assert len(document.sentences) == len(source.sentences) == 12
        assert "".join(document.tokens) == "".join(source.tokens)
        # The sample leaves singletons out.
        expected = {
            entity for entity in reading.by_characters(source) if len(entity) > 1
        }
        assert reading.by_characters(document) == expected

    def test_sample_has_all_its_minima(self):
        (document,) = corefkit.read(SAMPLE)
        minima = [one for entity in document for one in entity if one.minimum]
        assert len(minima) == SAMPLE.read_text().count("MIN=")

    def test_sample_is_valid_and_read_back(self, tmp_path):
        document = laws.check_sound_sample(tmp_path, "muc", SAMPLE)
        assert write([document], tmp_path / "x.sgml").format.name == "muc"

    def test_sample_without_mentions_has_the_same_tokens(self, tmp_path):
        bare = re.sub("</?COREF[^>]*>", "", SAMPLE.read_text())
        (plain,) = corefkit.read(written(tmp_path / "x", bare), format="muc")
        (document,) = corefkit.read(SAMPLE)
        assert plain.sentences == document.sentences

    def test_source_text_of_ace_is_read_as_muc_on_request(self):
        (path,) = (SAMPLES / "ace-apf").glob("*.sgm")
        (document,) = corefkit.read(path, format="muc")
        assert (document.id, document.entities) == ("GUM_news_nasa", ())


def test_key_in_one_format_scores_a_response_in_another(tmp_path):
    key = written(tmp_path / "key.muc", corefs("ID=1", "ID=2 REF=1", "ID=3 REF=2"))
    response = written(
        tmp_path / "response.jsonl", json_line("d", "www", [[[0, 0], [1, 1]]])
    )
    score = corefkit.score(key, response)["muc"]
    assert (score.recall, score.precision) == (0.5, 1)
