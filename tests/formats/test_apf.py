"""ACE's program format: the numbered rules of the format, errors, and writing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from files import written
from formats import drawn, laws, reading
from formats.examples import APF, APF_TEXT
from formats.reading import SAMPLES, everything, needs_samples, problems
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Document, Entity, Mention
from corefkit.formats.apf import recognise
from corefkit.formats.output import write

# The characters that offsets count.
CHARACTERS = re.sub("<[^<>]*>", "", APF_TEXT)


def charseq(covered: str, text: str | None = None) -> str:
    start = CHARACTERS.index(covered)
    text = (covered if text is None else text).replace("&", "&amp;")
    end = start + len(covered) - 1
    return f'<charseq START="{start}" END="{end}">{text}</charseq>'


def old_charseq(covered: str) -> str:
    start = CHARACTERS.index(covered)
    end = start + len(covered) - 1
    comment = f'<!-- string = "{covered}" -->'
    return f"<charseq>{comment}<start>{start}</start><end>{end}</end></charseq>"


def source_file(*entities: str) -> str:
    return (
        '<?xml version="1.0"?>\n<!DOCTYPE source_file SYSTEM "apf.v5.1.1.dtd">\n'
        '<source_file URI="harbour.sgm" SOURCE="newswire" TYPE="text" VERSION="5.0">\n'
        f'<document DOCID="harbour">\n{"".join(entities)}</document>\n</source_file>\n'
    )


def entity(*mentions: str, attributes: str = 'ID="E1"') -> str:
    return f"<entity {attributes}>\n{''.join(mentions)}</entity>\n"


def mention(extent: str, head: str = "", attributes: str = "") -> str:
    """Write a mention: the extent is in line 7 of a file, the head in line 8."""
    head = f"<head>{head}</head>\n" if head else ""
    return (
        f'<entity_mention ID="m" {attributes}>\n'
        f"<extent>{extent}</extent>\n{head}</entity_mention>\n"
    )


def one_mention(extent: str, head: str = "", attributes: str = "") -> str:
    return source_file(entity(mention(extent, head, attributes)))


@pytest.fixture
def put(tmp_path):
    """Write a file and the text next to it."""

    def put_both(content=APF, *, sgml=APF_TEXT, name="harbour"):
        files = {f"{name}.sgm": sgml, "harbour.apf.xml": content}
        return reading.put_in(tmp_path, files)

    return put_both


read = reading.reads_one("apf")


@pytest.fixture
def found(put):
    def list_problems(content, **files):
        return [
            (Path(one.file).name, one.line, one.code, one.severity)
            for one in problems(put(content, **files), format="apf")
        ]

    return list_problems


def test_document_has_the_words_between_the_tags(read):
    document = read()
    assert document.id == "harbour"
    assert document.sentences == (
        ("Mayor", "Ann", "Berg", "of", "Hill", "&", "Co", "left", "."),
        ("She", "slept"),
        ("early", "."),
    )


def test_entities_have_heads_minima_types_and_attributes(read):
    first, second = read().entities
    assert (first.id, first.mentions) == ("E1", (Mention(0, 2), Mention(9, 9)))
    name, pronoun = first.mentions
    assert (name.head, name.minimum) == (2, (1, 2))
    assert (pronoun.head, pronoun.minimum) == (None, None)
    shared = {"type": "PER", "SUBTYPE": "Individual", "CLASS": "SPC"}
    assert name.attributes == shared | {"mention_type": "NAM", "ROLE": "PER"}
    assert pronoun.attributes == shared | {"mention_type": "PRO"}
    assert (second.id, second.mentions) == ("E2", (Mention(4, 6),))


def test_layout_of_2002_and_2003_is_read(read):
    name = mention(old_charseq("Mayor Ann Berg"), old_charseq("Ann Berg"), 'TYPE="NAM"')
    entity_type = '<entity_type GENERIC="FALSE">PERSON</entity_type>\n'
    ((found,),) = read(source_file(entity(entity_type, name)))
    assert (found, found.minimum) == (Mention(0, 2), (1, 2))
    expected = {"type": "PERSON", "GENERIC": "FALSE", "mention_type": "NAM"}
    assert found.attributes == expected


def test_attributes_of_the_mention_take_precedence(read):
    pronoun = mention(charseq("She"), attributes='type="ORG" CLASS=""')
    content = source_file(entity(pronoun, attributes='ID="1" TYPE="PER" CLASS="SPC"'))
    ((found,),) = read(content)
    assert found.attributes == {"type": "ORG"}


def test_blanks_in_the_text_of_a_mention_are_ignored(read):
    assert [*read(one_mention(charseq("slept\nearly", "slept  early")))] == [
        Entity("E1", (Mention(10, 11),))
    ]


def test_other_elements_are_ignored(read):
    name = '<name NAME="x"><charseq START="0" END="900"/></name>'
    attributes = f"<entity_attributes>{name}</entity_attributes>"
    others = '<relation ID="R1"/><event ID="V1"/><timex2 ID="T1"/><value ID="W1"/>'
    content = source_file(entity(mention(charseq("She")), attributes), others)
    assert [one.id for one in read(content)] == ["E1"]


TEXTS = reading.ways(APF_TEXT) | {
    "tags": APF_TEXT.replace("<TEXT>", '<TEXT a="b"><!-- no -->')
}


class TestText:
    def test_has_the_name_of_the_file(self, read):
        assert read(APF.replace("harbour.sgm", "none.sgm")).sentences

    def test_has_the_name_in_the_address(self, read):
        content = APF.replace("harbour.sgm", "../a/texts/town.sgm")
        assert read(content, name="town").sentences

    def test_can_be_shared_by_key_and_response(self, tmp_path):
        written(tmp_path / "harbour.sgm", APF_TEXT)
        key = written(tmp_path / "key.apf.xml", APF)
        response = written(tmp_path / "response.apf.xml", one_mention(charseq("She")))
        result = corefkit.score(key, response, metrics=["mentions"])
        assert result["mentions"].recall == pytest.approx(1 / 3)

    @pytest.mark.parametrize("sgml", TEXTS.values(), ids=TEXTS)
    def test_equivalent_texts_are_read_the_same_way(self, read, sgml):
        assert everything(read(sgml=sgml)) == everything(read())

    def test_other_signs_are_not_markup(self, read):
        sgml = "<TEXT>1 < 2 and 3 > 2 &lt; &quot;5&#34; &copy; &nonsense;</TEXT>"
        expected = '1 < 2 and 3 > 2 < " 5 " © & nonsense ;'
        assert read(source_file(), sgml=sgml).tokens == tuple(expected.split())

    @pytest.mark.parametrize("text", ["<a" + "a" * 200_000, "<a" * 100_000])
    @pytest.mark.slow
    def test_tags_without_end_are_read_in_linear_time(self, read, text):
        assert read(source_file(), sgml=text).tokens


def test_line_ends_between_elements_are_ignored(read):
    assert everything(read(APF.replace(">\n<", "><"))) == everything(read())


def test_document_without_id_is_named_after_the_file(read):
    assert read(APF.replace(' DOCID="harbour"', "")).id == "harbour"


SHE = charseq("She")
BROKEN = {
    "incomplete": (APF[: APF.index("She") + 9], "She", "invalid-xml"),
    "other root": ("<document>x</document>", "<doc", "invalid-xml"),
    "no document": (APF.replace("document", "documents"), "<source_file", "malformed"),
    "two documents": (
        APF.replace("</document>", '</document>\n<document DOCID="b"/>'),
        '<document DOCID="b"',
        "malformed",
    ),
    "no id": (source_file(entity(attributes="")), "<entity", "missing-id"),
    "repeated id": (
        source_file(entity(), entity(attributes="ID='E1'")),
        "<entity ID='E1'",
        "repeated-id",
    ),
    "no extent": (
        source_file(entity("<entity_mention/>")),
        "<entity_mention",
        "invalid-span",
    ),
    "other head": (one_mention(SHE, charseq("She", "He")), "<head", "different-text"),
    "other text": (one_mention(charseq("She", "He")), "<extent", "different-text"),
}
INVALID_EXTENTS = {
    "no charseq": "",
    "not a number": SHE.replace("START=", "START='x' N="),
    "huge number": f'<charseq START="0" END="{"9" * 5000}"/>',
    "beyond the end": '<charseq START="3" END="999"/>',
    "backwards": '<charseq START="8" END="7"/>',
    "blanks": charseq("\n\n\n", " "),
    "metadata": charseq("harbour"),
}
BROKEN |= {
    label: (one_mention(extent), "<extent", "invalid-span")
    for label, extent in INVALID_EXTENTS.items()
}


@pytest.mark.parametrize(("content", "part", "code"), BROKEN.values(), ids=BROKEN)
def test_error_is_reported_and_raised(put, content, part, code):
    line = reading.line_of(content, part)
    laws.check_fault(put(content), "apf", line, f"format/{code}")


def test_mention_inside_a_token_takes_all_of_it(found, read):
    content = one_mention(charseq("arl"), charseq("arl"))
    problem = "format/cut-token", "warning"
    assert [one[1:] for one in found(content)] == [(7, *problem), (8, *problem)]
    ((mention,),) = read(content)
    assert (mention, mention.minimum) == (Mention(11, 11), (11, 11))


def test_head_outside_its_mention_is_ignored(found, read):
    content = one_mention(SHE, charseq("Berg"))
    problem = "harbour.apf.xml", 8, "format/left-out", "warning"
    assert found(content) == [problem]
    ((mention,),) = read(content)
    assert (mention.head, mention.minimum) == (None, None)


@pytest.mark.parametrize(("position", "head"), [("1", 0), ("4", 2), ("0", 2), ("x", 2)])
def test_head_attribute_is_a_position(read, position, head):
    spans = charseq("Mayor Ann Berg"), charseq("Ann Berg")
    ((mention,),) = read(one_mention(*spans, f'head="{position}"'))
    assert (mention.head, mention.minimum) == (head, (1, 2))
    assert mention.attributes == {}


def test_repeated_mention_is_reported_at_its_line(found):
    second = entity(mention(SHE), attributes='ID="E2"')
    content = source_file(entity(mention(SHE)), second)
    problem = "harbour.apf.xml", 6, "format/repeated-mention", "warning"
    assert found(content) == [problem]


# Words that are tokens of running text, and markup.
words = st.sampled_from(
    ["Ann", "left", "a1", "é", "漢", "&", "<", ">", ";", "amp", "_"]
)
values = st.text('aZ1 <&>"\n\té', min_size=1, max_size=5)
names = st.sampled_from(
    [
        *("type", "mention_type", "SUBTYPE", "CLASS", "ROLE", "TYPE", "ID", "head"),
        *("a b", "é"),
    ]
)


@st.composite
def mentions(draw, tokens):
    start, end = draw(drawn.spans(tokens))
    head = minimum = None
    if draw(st.booleans()):
        minimum = tuple(sorted(draw(st.tuples(*[st.integers(start, end)] * 2))))
        head = draw(st.integers(start, end))
    attributes = draw(st.dictionaries(names, values, max_size=4))
    return Mention(start, end, head=head, minimum=minimum, attributes=attributes)


@st.composite
def documents(draw):
    sentences = draw(drawn.sentences(words))
    tokens = sum(map(len, sentences))
    ids = draw(st.lists(values.map(str.strip).filter(bool), max_size=3, unique=True))
    return Document(
        draw(st.sampled_from(["d", "(a/b); part 001", "a <b> & c", "é/[x]"])),
        sentences,
        draw(drawn.entities(ids, mentions(tokens))),
    )


@given(documents())
def test_written_documents_are_read_back(tmp_path_factory, document):
    folder = tmp_path_factory.mktemp("apf")
    write([document], folder, format="apf")
    assert everything(*corefkit.read(folder)) == everything(document)


def test_written_file_refers_to_the_text_of_its_own_name(tmp_path):
    entities = (Entity("1", (Mention(0, 0),)),)
    documents = [Document("a", ((word,),), entities) for word in "xy"]
    for name, document in zip("xy", documents, strict=True):
        write([document], tmp_path / f"{name}.apf.xml")
    assert list(corefkit.read(tmp_path / "y.apf.xml", format="apf")) == documents[1:]


def test_words_that_are_not_tokens_are_adapted(tmp_path):
    sentences = (("New  York", "don't", "\x07", "\ud800", ""),)
    document = Document("d", sentences, (Entity("", (Mention(0, 4),)),))
    (copy,) = reading.again(tmp_path, "apf", document)
    assert copy.tokens == ("New", "York", "don", "'", "t", "\x07", "\ufffd", "_")
    assert copy.entities == (Entity("_", (Mention(0, 7),)),)


def test_head_without_minimum_is_written_as_head_and_minimum(tmp_path):
    document = Document("d", (("a", "b"),), (Entity("1", (Mention(0, 1, head=0),)),))
    ((entity,),) = reading.again(tmp_path, "apf", document)
    assert (entity.mentions[0].head, entity.mentions[0].minimum) == (0, (0, 0))


@reading.heads(
    own=[APF.encode(), b"\n<source_file><document>"],
    others=[b"<source_file>", b'{"x": "<source_file><document>"}'],
)
def test_source_file_with_a_document_is_recognised(head, expected):
    assert recognise(head) is expected


@needs_samples
def test_sample_is_valid_and_read_back(tmp_path):
    path = SAMPLES / "ace-apf" / "GUM_news_nasa.handmade.apf.xml"
    document = laws.check_sound_sample(tmp_path, "apf", path)
    assert (document.id, len(document)) == ("GUM_news_nasa", 18)
    assert document.tokens[:2] == ("NASA", "celebrates")
