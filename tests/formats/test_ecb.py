"""ECB+ XML: the numbered rules of the format, errors, and writing."""

from __future__ import annotations

import re

import pytest
from files import written
from formats import drawn, laws, reading
from formats.examples import ECB
from formats.reading import everything
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Document, Entity, Mention
from corefkit.formats.ecb import recognise


@pytest.fixture
def put(tmp_path):
    return lambda content=ECB: written(tmp_path / "7_2ecbplus.xml", content)


read, found = reading.reads_one("ecb"), reading.finds("ecb")


def test_document_has_id_and_sentences(read):
    assert read().id == "7_2ecbplus"
    assert read().sentences == (("Ann", "set", "it", "up"), ("Then", "she", "left"))


def test_entities_are_coreference_relations_and_singletons(read):
    assert [(entity.id, entity.mentions) for entity in read()] == [
        ("INTRA_7_2ecbplus_41", (Mention.of([1, 3]),)),
        ("HUM17", (Mention(0, 0), Mention(5, 5))),
        ("SINGLETON_7_2ecbplus_4", (Mention(2, 2),)),
        ("SINGLETON_7_2ecbplus_7", (Mention(6, 6),)),
    ]


def test_element_names_are_types_and_attributes_are_kept(read):
    assert [mention.attributes for entity in read() for mention in entity] == [
        {"type": "ACTION_OCCURRENCE", "note": "byHand"},
        {"type": "HUMAN_PART_PER"},
        {"type": "HUMAN_PART_PER"},
        {"type": "NON_HUMAN_PART"},
        {"type": "ACTION_OCCURRENCE"},
    ]


def test_unknown_instance_tag_is_not_a_type(read):
    content = ECB.replace("NON_HUMAN_PART", "UNKNOWN_INSTANCE_TAG")
    assert read(content).entities[2].mentions[0].attributes == {}


def reorder_parts(content):
    """Write relations before markables, and markables before tokens."""
    pattern = r"(?s)(<token.*)(<Markables>.*)(<Relations>.*)(</Document>)"
    return re.sub(pattern, r"\3\2\1\4", content)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(reorder_parts(ECB), id="other order"),
        pytest.param(ECB.replace("\n", ""), id="one line"),
        pytest.param(ECB.replace(' doc_name="7_2ecbplus.xml"', ""), id="no name"),
        pytest.param(ECB.replace(">set<", ">\tset <"), id="blanks around a word"),
        pytest.param(ECB.replace(' note="HUM17"', ""), id="id of the instance"),
    ],
)
def test_equivalent_files_are_read_the_same_way(read, content):
    assert everything(read(content)) == everything(read())


def test_blank_word_becomes_an_underscore(read):
    assert read(ECB.replace(">Then<", ">\t<")).tokens[4] == "_"


def test_relations_with_the_same_note_are_one_entity(read):
    more = '<CROSS_DOC_COREF note="HUM17"><source m_id="4"/></CROSS_DOC_COREF>'
    content = ECB.replace("</Relations>", f"{more}</Relations>")
    shared = next(entity for entity in read(content) if entity.id == "HUM17")
    assert shared.mentions == (Mention(0, 0), Mention(5, 5), Mention(2, 2))


def test_target_with_anchors_is_a_mention(read):
    content = ECB.replace('<target m_id="9" />', '<target m_id="7" />')
    assert read(content).entities[0].mentions == (Mention.of([1, 3]), Mention(6, 6))


def test_mention_in_two_relations_is_in_both_entities(read, found):
    content = ECB.replace('<target m_id="9" />', '<source m_id="2" />')
    first, second, *_ = read(content)
    assert first.mentions == (Mention.of([1, 3]), Mention(0, 0))
    assert second.mentions == (Mention(0, 0), Mention(5, 5))
    assert found(content) == [
        (2, "format/repeated-mention", "warning"),
        (2, "format/two-types", "warning"),
    ]


def test_documents_share_entities_by_id(tmp_path):
    for name in ("7_1ecb", "7_2ecb"):
        written(tmp_path / f"{name}.xml", ECB.replace("7_2ecbplus", name))
    first, second = corefkit.read(tmp_path, format="ecb")
    shared = {entity.id for entity in first} & {entity.id for entity in second}
    assert (first.id, second.id, shared) == ("7_1ecb", "7_2ecb", {"HUM17"})


# What is replaced in the example, the line with the error, and its code.
BROKEN = {
    "token without id": (' t_id="5" s', " s", ">Then<", "missing-id"),
    "repeated token id": ('t_id="5" s', 't_id="1" s', ">Then<", "repeated-id"),
    "markable without id": (' m_id="7">', ">", "<ACTION_OCCURRENCE>", "missing-id"),
    "repeated markable id": (' m_id="7">', ' m_id="4" >', 'm_id="4" >', "repeated-id"),
    "unknown token": ('anchor t_id="7"', 'anchor t_id="70"', '"70"', "unknown-id"),
    "anchor without id": ('anchor t_id="7"', "anchor", "anchor/>", "unknown-id"),
    "unknown markable": ('source m_id="3"', 'source m_id="30"', '"30"', "unknown-id"),
    "other root": ("Document", "Documents", "<Documents", "invalid-xml"),
    "incomplete": (ECB[ECB.index("HUM17") :], "", "ann", "invalid-xml"),
}


@pytest.mark.parametrize(("old", "new", "part", "code"), BROKEN.values(), ids=BROKEN)
def test_error_is_reported_and_raised(put, old, new, part, code):
    content = ECB.replace(old, new)
    line = reading.line_of(content, part)
    laws.check_fault(put(content), "ecb", line, f"format/{code}")


words = st.sampled_from(["Ann", "don't", "New York", "é", "漢", "&", "<b>", "]]>", "_"])
values = st.text('aZ1 <&>"\n\té', min_size=1, max_size=5)
names = st.sampled_from(["type", "mention_type", "m_id", "note", "a b", "7", "é"])


@st.composite
def documents(draw):
    sentences = draw(drawn.sentences(words))
    tokens = st.integers(0, sum(map(len, sentences)) - 1)
    mention = st.builds(
        Mention.of,
        st.sets(tokens, min_size=1, max_size=4),
        attributes=st.dictionaries(names, values, max_size=4),
    )
    ids = draw(st.lists(values, max_size=4, unique=True))
    document_id = draw(st.sampled_from(["d", "(a/b); part 001", "a <b> & c", "x.xml"]))
    return Document(document_id, sentences, draw(drawn.entities(ids, mention)))


@given(documents())
def test_written_documents_are_read_back(tmp_path_factory, document):
    laws.check_same_again(tmp_path_factory.mktemp("ecb"), "ecb", document)


def test_illegal_characters_are_written_as_numbers(tmp_path):
    entities = (Entity("\x01", (Mention(0, 0),)), Entity("\x02", (Mention(1, 1),)))
    document = Document("d", (("\x07", "\ud800"),), entities)
    (copy,) = reading.again(tmp_path, "ecb", document)
    assert copy.tokens == ("_x0007_", "_xD800_")
    assert [entity.id for entity in copy] == ["_x0001_", "_x0002_"]


@reading.heads(
    own=[ECB.encode(), b'<Document doc_name="x"><Markables>'],
    others=[
        b'<Document doc_name="x">',
        b'<Document><token t_id="1"/></Document>',
        b'{"x": "<Document doc_name=1><token "}',
    ],
)
def test_named_document_with_content_is_recognised(head, expected):
    assert recognise(head) is expected
