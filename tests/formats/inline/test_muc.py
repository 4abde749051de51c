"""MUC SGML by its numbered rules, and every way to break them."""

from __future__ import annotations

import re
from itertools import chain

import pytest
from files import json_line, written
from formats import drawn, laws, reading
from formats.reading import SAMPLES, everything, needs_samples, spans
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import corefkit
from corefkit import Document, Entity, FormatError, Mention
from corefkit.formats.base import ATTRIBUTES, MINIMA
from corefkit.formats.bytefile import ByteFile
from corefkit.formats.inline.muc import READER, WRITER, recognise
from corefkit.formats.losses import crossing
from corefkit.formats.writing import write

SAMPLE = SAMPLES / "muc-sgml" / "GUM_news_nasa.handmade.muc.sgml"

GOOD = """\
<DOC>
<DOCID> zoo-1 </DOCID>
<STORYID cat=a> A1 </STORYID>
<TXT>
<p>
<s> <COREF ID="1" MIN="keeper">The keeper of <COREF ID="2">the zoo</COREF></COREF> said
<COREF ID="3" TYPE="IDENT" REF="1">he</COREF>'d call. </s>
<s> <COREF ID="4" TYPE="IDENT" REF="3" STATUS="OPT">He</COREF> did &amp; left. </s>
</p>
</TXT>
</DOC>
"""


@pytest.fixture
def put(tmp_path):
    return lambda text, name="file.muc": written(tmp_path / name, text)


read, found = reading.reads("muc"), reading.finds("muc")


def body(text, *, name="d"):
    return f"<DOC>\n<DOCID>{name}</DOCID>\n<TEXT>\n{text}\n</TEXT>\n</DOC>\n"


WAYS = reading.ways(GOOD) | {
    "declaration": "<!DOCTYPE x>\n" + GOOD,
    "comment": GOOD.replace("<p>", "<!-- <COREF ID=9> -->"),
    "single quotes": GOOD.replace('"', "'"),
}


class TestDocuments:
    def test_document_has_id_sentences_and_entities(self, read):
        (document,) = read(GOOD)
        assert document.id == "zoo-1"
        assert [" ".join(words) for words in document.sentences] == [
            "The keeper of the zoo said he ' d call .",
            "He did & left .",
        ]
        assert spans(document) == {"1": [(0, 4), (6, 6), (11, 11)], "2": [(3, 4)]}

    def test_file_has_many_documents(self, read):
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
    def test_id_is_that_of_the_header_or_the_file(self, read, header, name):
        text = f"<DOC>\n{header}\n<TEXT>A</TEXT></DOC>"
        (document,) = read(text, name="nyt.0765.muc")
        assert (document.id, document.tokens) == (name, ("A",))

    def test_tags_are_read_in_any_case_and_quoting(self, read):
        text = """<doc><docid>d</docid><Coref id='1'>A</Coref>
            <COREF\nID=2 ref=1 type="Ident">B</coref></Doc>"""
        (document,) = read(text)
        assert spans(document) == {"1": [(0, 0), (1, 1)]}

    @pytest.mark.parametrize("content", WAYS.values(), ids=WAYS)
    def test_ways_of_writing_do_not_matter(self, read, content):
        assert everything(*read(content)) == everything(*read(GOOD))


class TestText:
    def test_sentences_end_at_tags_where_there_are_any(self, read):
        text = "<HL>One\ntwo</HL><p><s>three\nfour</s><s>five</s></p>six"
        (document,) = read(body(text))
        assert document.sentences == (
            ("One", "two"),
            ("three", "four"),
            ("five",),
            ("six",),
        )

    def test_sentences_end_at_lines_where_there_are_no_tags(self, read):
        (document,) = read(body("<SLUG fv=x>One</SLUG>two\nthree\n\nfour"))
        assert document.sentences == (("One",), ("two",), ("three",), ("four",))

    def test_tags_do_not_cut_words(self, read, found):
        text = body('<COREF ID="1">shuttle</COREF>s a<ENAMEX TYPE="X">b</ENAMEX>c')
        (document,) = read(text)
        assert document.tokens == ("shuttles", "abc")
        assert spans(document) == {"1": [(0, 0)]}
        assert found(text) == [
            (4, "mention '1' begins or ends inside a word", "warning"),
        ]

    def test_tokens_do_not_depend_on_mentions(self, read):
        (document,) = read(GOOD)
        (bare,) = read(re.sub("</?COREF[^>]*>", "", GOOD))
        assert bare.sentences == document.sentences
        assert bare.entities == ()

    def test_words_stand_at_their_lines(self, tmp_path):
        source = READER.open(ByteFile(written(tmp_path / "x", GOOD)), False, False)
        lines = [int(word.place.rpartition(":")[2]) for word in source.words(0)]
        source.close()
        assert lines == [6] * 6 + [7] * 5 + [8] * 5

    def test_mention_across_sentences_is_read(self, read):
        (document,) = read(body('<s>A <COREF ID="1">b</s><s>c</COREF> d</s>'))
        assert spans(document) == {"1": [(1, 2)]}

    def test_mention_without_words_is_left_out(self, read, found):
        text = body('A <COREF ID="1"> </COREF>\n<COREF ID="2" REF="1">B</COREF>')
        assert spans(read(text)[0]) == {"2": [(1, 1)]}
        assert found(text) == [(4, "mention '1' has no words", "warning")]


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
    def test_links_join_mentions(self, read, found, tags, entities):
        (document,) = read(corefs(*tags))
        starts = {
            name: [one[0] for one in row] for name, row in spans(document).items()
        }
        assert starts == entities
        assert found(corefs(*tags)) == []

    def test_links_of_other_types_are_not_read(self, read, found):
        text = corefs("ID=1", "ID=2 REF=1 TYPE=PART", "ID=3 REF=1 TYPE=IDENT")
        assert spans(read(text)[0]) == {"1": [(0, 0), (2, 2)], "2": [(1, 1)]}
        assert found(text) == [(5, "mention '2' has a link of type 'PART'", "warning")]

    def test_long_chains_are_no_problem(self, read):
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
    def test_minimum_that_is_not_there_is_reported(self, read, found, minimum):
        text = body(f'ran <COREF ID="1" MIN="{minimum}">The dog</COREF> ran')
        assert read(text)[0].entities[0].mentions[0].minimum is None
        message = f"MIN {minimum!r} is not in mention '1'"
        assert found(text) == [(4, message, "warning")]

    def test_bar_of_the_text_is_a_reference(self, read):
        text = '<COREF ID="1" MIN="b&#124;c">a b|c</COREF>'
        assert read(body(text))[0].entities[0].mentions[0].minimum == (1, 3)


def test_other_attributes_are_kept(read):
    (document,) = read(body('<COREF ID=1 STATUS="OPT" X-Y="&quot;" MIN=a>a</COREF>'))
    assert document.entities[0].mentions[0].attributes == {"status": "OPT", "x-y": '"'}


BROKEN = {
    "unknown REF": (corefs("ID=1", "ID=2 REF=9"), 5, "REF '9' is the ID of no mention"),
    "REF into another document": (
        corefs("ID=1") + corefs("ID=2 REF=1").replace(">d<", ">e<"),
        10,
        "REF '1' is the ID of no mention",
    ),
    "empty REF": (corefs("ID=1 REF=''"), 4, "REF '' is the ID of no mention"),
    "ID twice": (corefs("ID=1", "ID=2", "ID=1"), 6, "ID '1' is repeated"),
    "no ID": (corefs("ID=1", "REF=1"), 5, "a COREF has no ID"),
    "blank ID": (corefs("ID=1", "ID=' '"), 5, "a COREF has no ID"),
    "COREF not closed": (body("a\n<COREF ID=1>b"), 5, "mention '1' is never closed"),
    "COREF not opened": (
        body("<COREF ID=1>a</COREF>\nb</COREF>"),
        5,
        "</COREF> closes nothing",
    ),
    "tag not ended": (corefs("ID=1", "ID=2 <"), 5, "a <COREF tag is not"),
    "quote not closed": (
        corefs("ID=1", "ID='2"),
        5,
        "a <COREF tag has a quote that is not closed",
    ),
    "document not closed": (
        corefs("ID=1") + corefs("ID=1").replace("</DOC>", "").replace(">d<", ">e<"),
        7,
        "document 'e' is never closed",
    ),
    "document in document": (
        corefs("ID=1").replace("</DOC>", "") + corefs("ID=1").replace(">d<", ">e<"),
        1,
        "document 'd' is never closed",
    ),
    "document not opened": (corefs("ID=1") + "\n</DOC>", 8, "</DOC> closes nothing"),
    "not UTF-8": (
        corefs("ID=1", "ID=2").encode().replace(b"2>w", b"2>\xff"),
        5,
        "byte 13 of the line is not UTF-8",
    ),
}


@pytest.mark.parametrize(("text", "line", "message"), BROKEN.values(), ids=BROKEN)
def test_broken_file_is_refused_with_its_place(put, text, line, message):
    assert laws.check_fault(put(text), "muc", line, message).hint


def test_problems_are_listed_all_at_once(found):
    text = corefs("ID=1 REF=8", "ID=1", "REF=1")
    text += body("a\n<COREF ID=1>b", name="e") + body("c", name="e")
    assert [line for line, *_ in found(text)] == [4, 5, 6, 13, 16]


def test_same_span_twice_is_a_warning(found):
    text = body("<COREF ID=1><COREF ID=2>a</COREF></COREF>")
    ((line, message, severity),) = found(text)
    assert (line, severity) == (4, "warning")
    assert "is in entity 2 and in entity 1" in message


@pytest.mark.parametrize("text", ["", " \n", "no tags", "<TEXT>a</TEXT>"])
def test_file_without_documents_is_refused(read, text):
    with pytest.raises(FormatError, match="has no document"):
        read(text)


@reading.heads(
    own=[
        GOOD.encode(),
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
def test_recognise_looks_for_documents_with_mentions(head, expected):
    assert recognise(head) is expected


class TestWriting:
    def test_document_is_written_as_it_is_read(self, read):
        (document,) = read(GOOD)
        assert "".join(WRITER.text(document)) == (
            "<DOC>\n<DOCID> zoo-1 </DOCID>\n<TXT>\n"
            '<s> <COREF ID="1" MIN="keeper">The keeper of '
            '<COREF ID="2">the zoo</COREF></COREF> said '
            '<COREF ID="3" TYPE="IDENT" REF="1">he</COREF> \' d call . </s>\n'
            '<s> <COREF ID="4" TYPE="IDENT" REF="1" STATUS="OPT">He</COREF> '
            "did &amp; left . </s>\n</TXT>\n</DOC>\n"
        )

    def test_what_is_carried(self):
        assert WRITER.carries == {MINIMA, ATTRIBUTES}

    def test_ids_of_later_mentions_are_free(self, read):
        entities = (
            Entity("3", (Mention(0, 0), Mention(2, 2))),
            Entity("1", (Mention(1, 1), Mention(3, 3))),
        )
        document = Document("d", (tuple("abcd"),), entities)
        text = "".join(WRITER.text(document))
        assert re.findall(' ID="(.*?)"', text) == ["3", "1", "2", "4"]
        assert read(text) == [document]

    def test_document_without_words_gets_some(self, read):
        entity = Entity("1", (Mention(1, 2, minimum=(2, 2)),))
        (document,) = read("".join(WRITER.text(Document("d", (), (entity,)))))
        assert document == Document("d", (("_", "_", "_"),), (entity,))

    @pytest.mark.parametrize(
        "name", ["a/b c", "(a/b); part 001", "<a&b>", "é", "</DOCID>", '"']
    )
    def test_ids_of_documents_are_kept(self, read, name):
        document = Document(name, (("a",),), (Entity("1", (Mention(0, 0),)),))
        assert read("".join(WRITER.text(document))) == [document]

    def test_document_without_mentions_is_recognised(self, read):
        document = Document("d", (("a",),), ())
        text = "".join(WRITER.text(document))
        assert recognise(text.encode())
        assert read(text) == [document]

    def test_words_of_other_formats_are_kept_in_order(self, read):
        words = ("Mr.", "a b", "", "<s>", "&lt;", "x\u2028y")
        document = Document("d", (words, ()), (Entity("1", (Mention(0, 1),)),))
        (again,) = read("".join(WRITER.text(document)))
        assert "".join(again.tokens) == "Mr.ab_<s>&lt;xy"
        assert again.text(again.entities[0].mentions[0]) == "Mr . a b"

    def test_attributes_that_would_be_misread_are_left_out(self, read):
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


@settings(max_examples=60)
@given(st.lists(documents(), min_size=1, max_size=2))
def test_what_is_written_is_read_back(tmp_path_factory, several):
    laws.check_same_again(tmp_path_factory.mktemp("muc"), "muc", *several)


@settings(max_examples=20)
@given(documents())
def test_written_document_scores_as_its_json_lines(tmp_path_factory, document):
    assume(document.sentences)  # else nothing shows what the file is
    laws.check_scores(tmp_path_factory.mktemp("muc"), "muc", document)


@settings(max_examples=60)
@given(
    st.integers(0, len(GOOD)), st.integers(0, 9), st.sampled_from(["", " ", "x", "é"])
)
def test_whatever_is_read_is_read_back(tmp_path_factory, place, length, new):
    folder = tmp_path_factory.mktemp("muc")
    content = GOOD[:place] + new + GOOD[place + length :]
    found = laws.check_read_or_refused(written(folder / "x", content), "muc")
    assume(not any(crossing(chain.from_iterable(one)) for one in found))
    if found:
        laws.check_same_again(folder, "muc", *found)


@settings(max_examples=60)
@given(st.binary(max_size=60) | st.text("<>/DOCREFID=\"'&;# \n1", max_size=80))
def test_reader_survives_anything(content):
    laws.check_reader(READER, content)


@settings(max_examples=100)
@given(drawn.damaged(GOOD, b"<>/=\"'&;# \n1"))
def test_reader_survives_broken_files(content):
    laws.check_reader(READER, content)


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

    def test_sample_is_sound_and_read_back(self, tmp_path):
        document = laws.check_sound_sample(tmp_path, "muc", SAMPLE)
        assert write([document], tmp_path / "x.sgml").format.name == "muc"

    def test_sample_without_mentions_has_the_same_tokens(self, tmp_path):
        bare = re.sub("</?COREF[^>]*>", "", SAMPLE.read_text())
        (plain,) = corefkit.read(written(tmp_path / "x", bare), format="muc")
        (document,) = corefkit.read(SAMPLE)
        assert plain.sentences == document.sentences

    def test_only_its_own_sample_is_recognised(self):
        assert reading.recognised_samples(recognise) == [
            SAMPLE.relative_to(SAMPLES).as_posix()
        ]

    def test_source_text_of_another_corpus_may_be_read_by_name(self):
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
