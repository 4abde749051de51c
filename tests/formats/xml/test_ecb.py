"""ECB+ XML by its numbered rules, and every way to break them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from files import written
from formats import drawn, laws, reading
from formats.reading import everything, needs_samples
from hypothesis import given, settings
from hypothesis import strategies as st

import corefkit
from corefkit import Document, Entity, Mention
from corefkit.formats.xml.ecb import recognise

TOKENS = """<token t_id="1" sentence="0" number="0">Ann</token>
<token t_id="2" sentence="0" number="1">set</token>
<token t_id="3" sentence="0" number="2">it</token>
<token t_id="4" sentence="0" number="3">up</token>
<token t_id="5" sentence="1" number="0">Then</token>
<token t_id="6" sentence="1" number="1">she</token>
<token t_id="7" sentence="1" number="2">left</token>
"""
MARKABLES = """<Markables>
<ACTION_OCCURRENCE m_id="1" note="byHand" >
  <token_anchor t_id="4"/>
  <token_anchor t_id="2"/>
</ACTION_OCCURRENCE>
<HUMAN_PART_PER m_id="2" comment="" >
  <token_anchor t_id="1"/>
</HUMAN_PART_PER>
<HUMAN_PART_PER m_id="3">
  <token_anchor t_id="6"/>
</HUMAN_PART_PER>
<NON_HUMAN_PART m_id="4">
  <token_anchor t_id="3"/>
</NON_HUMAN_PART>
<ACTION_OCCURRENCE m_id="7">
  <token_anchor t_id="7"/>
</ACTION_OCCURRENCE>
<HUMAN_PART_PER m_id="8" RELATED_TO="" TAG_DESCRIPTOR="ann" instance_id="HUM17" />
<ACTION_OCCURRENCE m_id="9" RELATED_TO="" TAG_DESCRIPTOR="set" />
</Markables>
"""
RELATIONS = """<Relations>
<CROSS_DOC_COREF r_id="40" note="HUM17" >
  <source m_id="3" />
  <source m_id="2" />
  <target m_id="8" />
</CROSS_DOC_COREF>
<INTRA_DOC_COREF r_id="41" >
  <source m_id="1" />
  <target m_id="9" />
</INTRA_DOC_COREF>
<PLOT_LINK r_id="42"><source m_id="1"/><target m_id="7"/></PLOT_LINK>
</Relations>
"""


def document(*parts: str, name: str = ' doc_name="7_2ecbplus.xml"') -> str:
    return f'<Document{name} doc_id="DOC1">\n{"".join(parts)}</Document>\n'


GOOD = document(TOKENS, MARKABLES, RELATIONS)


@pytest.fixture
def put(tmp_path):
    return lambda content=GOOD: written(tmp_path / "7_2ecbplus.xml", content)


read, found = reading.reads_one("ecb"), reading.finds("ecb")


def test_document_has_id_and_sentences(read):
    assert read().id == "7_2ecbplus"
    assert read().sentences == (
        ("Ann", "set", "it", "up"),
        ("Then", "she", "left"),
    )


def test_entities_are_relations_and_mentions_in_none(read):
    assert [(one.id, one.mentions) for one in read()] == [
        ("INTRA_7_2ecbplus_41", (Mention.of([1, 3]),)),
        ("HUM17", (Mention(0, 0), Mention(5, 5))),
        ("SINGLETON_7_2ecbplus_4", (Mention(2, 2),)),
        ("SINGLETON_7_2ecbplus_7", (Mention(6, 6),)),
    ]


def test_names_of_elements_are_types_and_attributes_stay(read):
    mentions = [mention for entity in read() for mention in entity]
    assert [mention.attributes for mention in mentions] == [
        {"type": "ACTION_OCCURRENCE", "note": "byHand"},
        {"type": "HUMAN_PART_PER"},
        {"type": "HUMAN_PART_PER"},
        {"type": "NON_HUMAN_PART"},
        {"type": "ACTION_OCCURRENCE"},
    ]


def test_unknown_tag_is_no_type(read):
    content = GOOD.replace("NON_HUMAN_PART", "UNKNOWN_INSTANCE_TAG")
    assert read(content).entities[2].mentions[0].attributes == {}


WAYS = reading.ways(GOOD) | {
    "other order": document(RELATIONS, MARKABLES, TOKENS),
    "one line": GOOD.replace("\n", ""),
    "no name": GOOD.replace(' doc_name="7_2ecbplus.xml"', ""),
    "blanks": GOOD.replace(">set<", ">\tset <"),
    "note of the instance": GOOD.replace(' note="HUM17"', ""),
}


@pytest.mark.parametrize("content", WAYS.values(), ids=WAYS)
def test_ways_of_writing_do_not_matter(read, content):
    assert everything(read(content)) == everything(read())


def test_word_of_blanks_is_a_word(read):
    assert read(GOOD.replace(">Then<", ">\t<")).tokens[4] == "_"


def test_relations_of_one_note_are_one_entity(read):
    more = (
        '<CROSS_DOC_COREF r_id="50" note="HUM17"><source m_id="4"/></CROSS_DOC_COREF>'
    )
    content = GOOD.replace("</Relations>", f"{more}</Relations>")
    shared = next(entity for entity in read(content) if entity.id == "HUM17")
    assert shared.mentions == (Mention(0, 0), Mention(5, 5), Mention(2, 2))


def test_target_with_anchors_is_a_mention(read):
    content = GOOD.replace('<target m_id="9" />', '<target m_id="7" />')
    assert read(content).entities[0].mentions == (Mention.of([1, 3]), Mention(6, 6))


def test_mention_in_two_relations_is_in_both(read, found):
    content = GOOD.replace('<target m_id="9" />', '<source m_id="2" />')
    first, second, *_ = read(content)
    assert first.mentions == (Mention.of([1, 3]), Mention(0, 0))
    assert second.mentions == (Mention(0, 0), Mention(5, 5))
    repeated, types = found(content)
    assert (repeated[0], repeated[2]) == (types[0], types[2]) == (2, "warning")
    assert "is in entity HUM17 and in entity INTRA_7_2ecbplus_41" in repeated[1]
    assert "'HUMAN_PART_PER' here, and 'ACTION_OCCURRENCE' in line 3" in types[1]


def test_documents_share_entities_by_id(tmp_path):
    for name in ("7_1ecb", "7_2ecb"):
        written(tmp_path / f"{name}.xml", GOOD.replace("7_2ecbplus", name))
    first, second = corefkit.read(tmp_path, format="ecb")
    shared = {entity.id for entity in first} & {entity.id for entity in second}
    assert (first.id, second.id, shared) == ("7_1ecb", "7_2ecb", {"HUM17"})


BROKEN = {
    "cut off": (GOOD[: GOOD.index("HUM17")], "ann", "not XML: "),
    "other root": ("<Documents/>", "<D", "found the element 'Documents', expected"),
    "token without id": (
        GOOD.replace(' t_id="5" sentence', " sentence"),
        ">Then<",
        "the token has no t_id",
    ),
    "token id twice": (
        GOOD.replace('t_id="5" sentence', 't_id="1" sentence'),
        ">Then<",
        "t_id '1' is repeated",
    ),
    "markable without id": (
        GOOD.replace(' m_id="7">', ">"),
        "<ACTION_OCCURRENCE>",
        "the ACTION_OCCURRENCE has no m_id",
    ),
    "markable id twice": (
        GOOD.replace(' m_id="7">', ' m_id="4" >'),
        '<ACTION_OCCURRENCE m_id="4"',
        "m_id '4' is repeated",
    ),
    "anchor of nothing": (
        GOOD.replace('anchor t_id="7"', 'anchor t_id="70"'),
        'anchor t_id="70"',
        "there is no token with t_id '70'",
    ),
    "anchor without id": (
        GOOD.replace('anchor t_id="7"', "anchor"),
        "<token_anchor/>",
        "there is no token with t_id ''",
    ),
    "source of nothing": (
        GOOD.replace('source m_id="3"', 'source m_id="30"'),
        'source m_id="30"',
        "there is no markable with m_id '30'",
    ),
}


@pytest.mark.parametrize(("content", "part", "message"), BROKEN.values(), ids=BROKEN)
def test_broken_file_is_a_problem_and_refused(put, content, part, message):
    laws.check_fault(put(content), "ecb", reading.line_of(content, part), message)


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
    return Document(
        draw(st.sampled_from(["d", "(a/b); part 001", "a <b> & c", "x.xml"])),
        sentences,
        draw(drawn.entities(ids, mention)),
    )


@given(documents())
@settings(max_examples=40)
def test_written_documents_read_back(tmp_path_factory, document):
    laws.check_same_again(tmp_path_factory.mktemp("ecb"), "ecb", document)


def test_what_is_read_reads_back(tmp_path, read):
    laws.check_same_again(tmp_path, "ecb", read())


def test_documents_without_words_or_entities_are_written(tmp_path):
    laws.check_without_words_or_entities(tmp_path, "ecb")


def test_characters_that_xml_cannot_have_are_written_as_numbers(tmp_path):
    entities = (Entity("\x01", (Mention(0, 0),)), Entity("\x02", (Mention(1, 1),)))
    document = Document("d", (("\x07", "\ud800"),), entities)
    (read,) = reading.again(tmp_path, "ecb", document)
    assert read.tokens == ("_x0007_", "_xD800_")
    assert [entity.id for entity in read] == ["_x0001_", "_x0002_"]


def test_scores_against_json_lines_are_perfect(tmp_path):
    crossing = Entity("3", (Mention(2, 3),))
    laws.check_perfect(
        tmp_path, "ecb", replace(laws.NEWS, entities=(*laws.NEWS.entities, crossing))
    )


@given(drawn.damaged(GOOD, b'<&"'))
@settings(max_examples=60)
def test_broken_bytes_never_crash(content):
    laws.check_survives("ecb", {"d.xml": content})


@given(st.binary(max_size=80))
def test_recognise_takes_any_bytes(head):
    assert recognise(head) is False


def test_recognise_needs_a_named_document_with_tokens():
    assert recognise(GOOD.encode())
    assert recognise(document(MARKABLES).encode())
    assert not recognise(b'<Document doc_name="x">')
    assert not recognise(b'<Document><token t_id="1"/></Document>')
    assert not recognise(b'{"x": "<Document doc_name=1><token "}')


@needs_samples
def test_samples_of_others_are_not_recognised():
    assert reading.recognised_samples(recognise) == []
