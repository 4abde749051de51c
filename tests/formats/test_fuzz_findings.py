"""What the fuzz job found (see fuzz/README.md), each made small, and mended since."""

from __future__ import annotations

from contextlib import closing
from functools import partial

import pytest
from files import compute_text_hash, written
from formats import reading
from formats.reading import problems

import corefkit
from corefkit import Document, Entity, Mention
from corefkit.formats import open_source
from corefkit.strings import drop_first_part


@pytest.fixture
def read(tmp_path):
    """Read the documents of a format from its files, each given by its ending."""

    def documents(name, *files):
        for ending, text in files:
            written(tmp_path / f"story{ending}", text)
        return list(corefkit.read(tmp_path / f"story{files[0][0]}", format=name))

    return documents


@pytest.fixture
def again(tmp_path):
    """Write documents in a format and read them again."""
    return partial(reading.again, tmp_path)


@pytest.fixture
def messages(tmp_path):
    def told(name, text):
        path = written(reading.path_of(tmp_path, name), text)
        return [one.message for one in problems(path, format=name)]

    return told


def conll(*lines, name="(d); part 000"):
    return (
        ".conll",
        "\n".join([f"#begin document {name}", *lines, "#end document", ""]),
    )


def ua(token, word, cell):
    return f"{token} {word} _ _ _ _ _ _ _ _ {cell}\n"


class TestConll:
    @pytest.mark.parametrize("word", ["\u00a0", "\x85", "\u2028"])
    def test_words_keep_blanks_that_end_no_column(self, read, again, word):
        (document,) = read("conll", conll(f"d 0 0 {word} (1)"))
        assert document.sentences == ((word,),)
        assert again("conll", document) == [document]

    @pytest.mark.parametrize(
        ("lines", "order"),
        [
            pytest.param(["(5(2)5)"], ["5", "2"], id="the same mention"),
            pytest.param(["(5|(2", "5)", "2)"], ["5", "2"], id="the inner one first"),
            pytest.param(["(7|(3)", "7)"], ["7", "3"], id="one token inside"),
            pytest.param(["(3)|(7", "7)"], ["3", "7"], id="one token before"),
        ],
    )
    def test_entities_keep_their_order(self, read, again, lines, order):
        (document,) = read("conll", conll(*lines))
        assert [entity.id for entity in document] == order
        assert again("conll", document) == [document]

    def test_entities_of_one_name_stay_apart(self, again):
        entities = Entity("1", (Mention(0, 0),)), Entity("1", (Mention(1, 1),))
        (document,) = again("conll", Document("d", (("a", "b"),), entities))
        assert [len(entity) for entity in document] == [1, 1]

    @pytest.mark.parametrize("name", ["#", "#d", "\td", "d\ne"])
    def test_odd_names_of_documents_lose_nothing(self, again, name):
        document = Document(name, (("a",),), (Entity("1", (Mention(0, 0),)),))
        (found,) = again("conll", document)
        assert (found.sentences, found.entities) == (
            document.sentences,
            document.entities,
        )
        assert drop_first_part(found.id) == " ".join(name.split())

    @pytest.mark.parametrize(
        ("line", "words"),
        [
            pytest.param("d\t0\t\tx\t2)", [], id="no number"),
            pytest.param("d\t0\t\t1\tleft\t2)", ["Ann", "left"], id="wide blanks"),
        ],
    )
    def test_more_blanks_than_in_the_first_line_are_skipped(
        self, tmp_path, line, words
    ):
        ending, text = conll("d\t0\t0\tAnn\t(2", line)
        with closing(open_source(written(tmp_path / f"story{ending}", text))) as source:
            assert source.read_document(0).words == tuple(words)
            assert source.read_columns([0]).text_hash.tolist() == [
                compute_text_hash(words)
            ]


class TestSemeval:
    def test_document_called_1_may_begin_with_one_word(self, again):
        sentences = ("Yes",), ("Ann", "left")
        entities = (Entity("7", (Mention(1, 1),)),)
        document = Document("1", sentences, entities)
        assert again("semeval", document) == [document]

    def test_document_called_1_may_have_one_token(self, again):
        document = Document("1", (), (Entity("7", (Mention(0, 0),)),))
        assert again("semeval", document) == [document]

    def test_document_called_by_a_parenthesis_keeps_a_name(self, again):
        (document,) = again("semeval", Document("(", (("a", "b"),), ()))
        assert document.id == "_"


class TestJsonl:
    def test_half_a_character_is_written_as_it_was(self, read, again):
        text = '{"doc_key": "\\ude00", "sentences": [["\\ud83d"]], "clusters": []}'
        documents = read("jsonl", (".jsonl", text))
        assert documents[0].sentences == (("\ud83d",),)
        assert again("jsonl", *documents) == documents


class TestUa:
    def test_minimum_outside_its_mention_is_left_out(self, read, messages):
        text = ua(1, "Ann", "(EntityID=1|Min=2)") + ua(2, "left", "_")
        (document,) = read("ua", (".ua", text))
        (mention,) = document.entities[0]
        assert (mention.minimum, mention.head) == (None, None)
        assert messages("ua", text) == ["Min=2 is outside its mention"]

    def test_message_on_elements_can_be_printed(self, messages):
        text = ua(1, "Ann", "(EntityID=1|ElementOf=\u2028)")
        expected = "ElementOf='\\u2028' names no entity of the document"
        assert messages("ua", text) == [expected]


class TestApf:
    def test_word_may_look_like_a_reference(self, again):
        document = Document(
            "d", (("x", "&amp;"),), (Entity("1", (Mention(0, 0), Mention(1, 1))),)
        )
        (found,) = again("apf", document)
        assert found.tokens == ("x", "&", "amp", ";")
        assert found.entities[0].mentions == (Mention(0, 0), Mention(1, 3))

    def test_attribute_head_counts_only_beside_the_element(self, read, again):
        xml = (
            '<source_file><document DOCID="d"><entity ID="1"><entity_mention head="2">'
            '<extent><charseq START="0" END="4">a b c</charseq></extent>'
            "</entity_mention></entity></document></source_file>"
        )
        (document,) = read("apf", (".apf.xml", xml), (".sgm", "a b c"))
        (mention,) = document.entities[0]
        assert (mention.head, mention.minimum) == (None, None)
        assert again("apf", document) == [document]


def test_attribute_that_never_says_anything_is_no_layer(read, again):
    words = '<w wd="Ann" x="_"/><w wd="left" x="_" y="2"/>'
    file = (".tbf.xml", f"<article><sentence>{words}</sentence></article>")
    (document,) = read("ancora", file)
    assert document.layers == {"y": ("_", "2")}
    assert again("ancora", document) == [document]


@pytest.mark.parametrize("name", ["brat", "litbank"])
class TestByteOrderMark:
    def test_word_like_one_stays_as_it_is(self, again, name):
        mentions = Mention(0, 0), Mention(0, 2), Mention(2, 2)
        sentences = ("\ufeff", "saw"), ("Ann",)
        document = Document("story", sentences, (Entity("T1", mentions),))
        assert again(name, document) == [document]

    def test_word_that_begins_with_one_keeps_it(self, again, name):
        entity = Entity("T1", (Mention(0, 0), Mention(1, 1)))
        (found,) = again(name, Document("d", (("\ufeffAnn", "she"),), (entity,)))
        assert "".join(found.words) == "\ufeffAnnshe"
        first, second = found.entities[0]
        assert "".join(found.words[first.start : first.end + 1]) == "\ufeffAnn"
        assert found.words[second.start : second.end + 1] == ("she",)


@pytest.mark.parametrize(
    ("entity", "shown"),
    [
        pytest.param("1\x1f2", r"'1\x1f2'", id="control character"),
        pytest.param("9" * 41, repr("9" * 41), id="long"),
        pytest.param("a b", "a b", id="plain"),
    ],
)
def test_message_on_repeated_mentions_can_be_printed(messages, entity, shown):
    text = f'<DOC><COREF ID="{entity}"><COREF ID="x">Ann</COREF></COREF></DOC>'
    (message,) = messages("muc", text)
    assert message.endswith(f"is in entity x and in entity {shown}")
