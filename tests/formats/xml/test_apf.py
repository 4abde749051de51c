"""ACE's program format by its numbered rules, and every way to break them."""

from __future__ import annotations

from pathlib import Path

import pytest
from files import written
from formats import drawn, laws, reading
from formats.reading import SAMPLES, everything, needs_samples, problems
from hypothesis import given, settings
from hypothesis import strategies as st

import corefkit
from corefkit import Document, Entity, Mention
from corefkit.formats.writing import write
from corefkit.formats.xml.apf import recognise

SGML = """<DOC>
<DOCID> harbour </DOCID>
<DOCTYPE SOURCE="newswire"> NEWS STORY </DOCTYPE>
<BODY>
<TEXT>
Mayor Ann Berg of Hill &amp; Co left.
She slept
early.
</TEXT>
</BODY>
</DOC>
"""
TEXT = SGML
for tag in ("DOC", "DOCID", "BODY", "TEXT", "DOCTYPE"):
    TEXT = TEXT.replace(f"<{tag}>", "").replace(f"</{tag}>", "")
TEXT = TEXT.replace('<DOCTYPE SOURCE="newswire">', "")


def charseq(covered: str, said: str | None = None) -> str:
    start = TEXT.index(covered)
    said = (covered if said is None else said).replace("&", "&amp;")
    end = start + len(covered) - 1
    return f'<charseq START="{start}" END="{end}">{said}</charseq>'


def older(covered: str) -> str:
    start = TEXT.index(covered)
    return (
        f'<charseq><!-- string = "{covered}" -->'
        f"<start>{start}</start><end>{start + len(covered) - 1}</end></charseq>"
    )


def source_file(inside: str, *, uri: str = "harbour.sgm", name: str = "harbour") -> str:
    return (
        '<?xml version="1.0"?>\n'
        '<!DOCTYPE source_file SYSTEM "apf.v5.1.1.dtd">\n'
        f'<source_file URI="{uri}" SOURCE="newswire" TYPE="text" VERSION="5.0">\n'
        f'<document DOCID="{name}">\n{inside}</document>\n</source_file>\n'
    )


def mention(extent: str, head: str = "", attributes: str = "") -> str:
    head = f"<head>{head}</head>\n" if head else ""
    return (
        f'<entity_mention ID="m" {attributes}>\n'
        f"<extent>{extent}</extent>\n{head}</entity_mention>\n"
    )


def entity(*mentions: str, attributes: str = 'ID="E1"') -> str:
    return f"<entity {attributes}>\n{''.join(mentions)}</entity>\n"


GOOD = source_file(
    entity(
        mention(
            charseq("Mayor Ann Berg"), charseq("Ann Berg"), 'TYPE="NAM" ROLE="PER"'
        ),
        mention(charseq("She"), attributes='TYPE="PRO" LDCTYPE=""'),
        attributes='ID="E1" TYPE="PER" SUBTYPE="Individual" CLASS="SPC"',
    )
    + entity(mention(charseq("Hill &amp; Co", "Hill & Co")), attributes='ID="E2"')
)


@pytest.fixture
def put(tmp_path):
    """Write a file with the text beside it."""

    def put_both(content=GOOD, *, sgml=SGML, name="harbour"):
        return reading.put_in(
            tmp_path, {f"{name}.sgm": sgml, "harbour.apf.xml": content}
        )

    return put_both


read = reading.reads_one("apf")


@pytest.fixture
def found(put):
    def check(content, **files):
        path = put(content, **files)
        return [
            (Path(one.file).name, one.line, one.message, one.severity)
            for one in problems(path, format="apf")
        ]

    return check


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
    inside = '<entity_type GENERIC="FALSE">PERSON</entity_type>\n' + mention(
        older("Mayor Ann Berg"), older("Ann Berg"), 'TYPE="NAM"'
    )
    ((one,),) = read(source_file(entity(inside)))
    assert (one, one.minimum) == (Mention(0, 2), (1, 2))
    assert one.attributes == {
        "type": "PERSON",
        "GENERIC": "FALSE",
        "mention_type": "NAM",
    }


def test_attributes_of_the_mention_come_before_those_of_the_entity(read):
    own = mention(charseq("She"), attributes='type="ORG" CLASS=""')
    content = source_file(entity(own, attributes='ID="1" TYPE="PER" CLASS="SPC"'))
    ((one,),) = read(content)
    assert one.attributes == {"type": "ORG"}


def test_text_may_be_broken_over_lines(read):
    ((one,),) = read(
        source_file(entity(mention(charseq("slept\nearly", "slept  early"))))
    )
    assert one == Mention(10, 11)


def test_other_elements_are_not_read(read):
    more = (
        '<entity_attributes><name NAME="x"><charseq START="0" END="900"/></name>'
        "</entity_attributes>"
    )
    other = '<relation ID="R1"/><event ID="V1"/><timex2 ID="T1"/><value ID="W1"/>'
    document = read(source_file(entity(mention(charseq("She")), more) + other))
    assert [one.id for one in document] == ["E1"]


TEXTS = reading.ways(SGML) | {"tags": SGML.replace("<TEXT>", '<TEXT a="b"><!-- no -->')}


class TestTextBesideTheFile:
    def test_is_called_as_the_file(self, read):
        assert read(GOOD.replace("harbour.sgm", "none.sgm")).sentences

    def test_or_as_the_address_says(self, read):
        content = GOOD.replace("harbour.sgm", "../a/texts/town.sgm")
        assert read(content, name="town").sentences

    def test_may_be_shared_by_key_and_response(self, tmp_path):
        written(tmp_path / "harbour.sgm", SGML)
        key = written(tmp_path / "key.apf.xml", GOOD)
        response = source_file(entity(mention(charseq("She"))))
        other = written(tmp_path / "response.apf.xml", response)
        result = corefkit.score(key, other, metrics=["mentions"])
        assert result["mentions"].recall == pytest.approx(1 / 3)

    def test_must_be_there(self, found):
        assert found(GOOD, name="town") == [
            (
                "harbour.apf.xml",
                3,
                "the text is missing, expected 'harbour.sgm' or 'harbour.sgml' in "
                "the same folder",
                "error",
            )
        ]

    def test_must_be_utf_8(self, found):
        message = "the line has bytes that are not UTF-8"
        sgml = SGML.encode().replace(b"She", b"Sh\xff")
        assert found(GOOD, sgml=sgml) == [("harbour.sgm", 7, message, "error")]

    @pytest.mark.parametrize("sgml", TEXTS.values(), ids=TEXTS)
    def test_may_be_written_in_many_ways(self, read, sgml):
        assert everything(read(sgml=sgml)) == everything(read())

    def test_less_than_is_no_tag(self, read):
        sgml = "<TEXT>1 < 2 and 3 > 2 &lt; &quot;5&#34; &copy; &nonsense;</TEXT>"
        document = read(source_file(""), sgml=sgml)
        expected = '1 < 2 and 3 > 2 < " 5 " © & nonsense ;'
        assert document.tokens == tuple(expected.split())

    @pytest.mark.parametrize("text", ["<a" + "a" * 200_000, "<a" * 100_000])
    def test_of_tags_that_never_end_is_read_in_time(self, read, text):
        assert read(source_file(""), sgml=text).tokens


WAYS = reading.ways(GOOD) | {"one line": GOOD.replace(">\n<", "><")}


@pytest.mark.parametrize("content", WAYS.values(), ids=WAYS)
def test_ways_of_writing_do_not_matter(read, content):
    assert everything(read(content)) == everything(read())


def test_document_without_id_is_called_as_the_file(read):
    assert read(GOOD.replace(' DOCID="harbour"', "")).id == "harbour"


START = TEXT.index("She")
BROKEN = {
    "cut off": (GOOD[: GOOD.index("She") + 9], "She", "not XML: "),
    "other root": ("<document>x</document>", "<doc", "found the element 'document'"),
    "no document": (
        GOOD.replace("document", "documents"),
        "<source_file",
        "found 0 documents, expected one a file",
    ),
    "no id": (
        source_file(entity(attributes="")),
        "<entity",
        "found an entity without ID",
    ),
    "id twice": (
        source_file(entity() + entity(attributes="ID='E1'")),
        "<entity ID='E1'",
        "entity 'E1' is repeated",
    ),
    "no extent": (
        source_file(entity("<entity_mention/>")),
        "<entity_mention",
        "found a mention without extent",
    ),
    "no charseq": (
        source_file(entity(mention(""))),
        "<extent",
        "the extent has no START and END, expected two numbers",
    ),
    "no number": (
        source_file(entity(mention(charseq("She").replace("START=", "START='x' N=")))),
        "<extent",
        "the extent has no START and END, expected two numbers",
    ),
    "huge number": (
        source_file(entity(mention(f'<charseq START="0" END="{"9" * 5000}"/>'))),
        "<extent",
        "the extent has no START and END, expected two numbers",
    ),
    "behind the end": (
        source_file(entity(mention('<charseq START="3" END="999"/>'))),
        "<charseq",
        f"characters 3 to 999 are not in the text, which has {len(TEXT)}",
    ),
    "backwards": (
        source_file(entity(mention('<charseq START="8" END="7"/>'))),
        "<charseq",
        "characters 8 to 7 are not in the text",
    ),
    "other text": (
        source_file(entity(mention(charseq("She", "He")))),
        "<charseq",
        f"characters {START} to {START + 2} are 'She', but the extent says 'He'",
    ),
    "other head": (
        source_file(entity(mention(charseq("She"), charseq("She", "He")))),
        "<head",
        f"characters {START} to {START + 2} are 'She', but the head says 'He'",
    ),
    "blanks": (
        source_file(entity(mention(charseq("\n\n\n", " ")))),
        "<extent",
        "characters 23 to 25 have no token of the text",
    ),
    "above the text": (
        source_file(entity(mention(charseq("harbour")))),
        "<extent",
        "characters 2 to 8 have no token of the text",
    ),
}


@pytest.mark.parametrize(("content", "part", "message"), BROKEN.values(), ids=BROKEN)
def test_broken_file_is_a_problem_and_refused(put, content, part, message):
    laws.check_fault(put(content), "apf", reading.line_of(content, part), message)


def test_two_documents_are_refused(found):
    content = GOOD.replace("</document>", '</document>\n<document DOCID="b"/>')
    ((_, line, message, severity),) = found(content)
    assert (line, severity) == (
        reading.line_of(content, '<document DOCID="b"'),
        "error",
    )
    assert message == "found 2 documents, expected one a file"


def test_mention_inside_a_token_is_reported_and_has_all_of_it(found, read):
    content = source_file(entity(mention(charseq("arl"), charseq("arl"))))
    start = TEXT.index("arl")
    message = f"characters {start} to {start + 2} begin or end inside a token: 'arl'"
    assert [one[1:] for one in found(content)] == [
        (7, message, "warning"),
        (8, message, "warning"),
    ]
    ((one,),) = read(content)
    assert (one, one.minimum) == (Mention(11, 11), (11, 11))


def test_head_outside_is_reported_and_left_out(found, read):
    content = source_file(entity(mention(charseq("She"), charseq("Berg"))))
    message = "the head of mention 'm' is not inside it"
    assert found(content) == [("harbour.apf.xml", 8, message, "warning")]
    ((one,),) = read(content)
    assert (one.head, one.minimum) == (None, None)


def test_head_may_be_another_token(read):
    own = charseq("Mayor Ann Berg"), charseq("Ann Berg")
    for stated, head in (("1", 0), ("4", 2), ("0", 2), ("x", 2)):
        ((one,),) = read(source_file(entity(mention(*own, f'head="{stated}"'))))
        assert (one.head, one.minimum) == (head, (1, 2))
        assert one.attributes == {}


def test_repeated_mention_is_reported_at_its_line(found):
    two = entity(mention(charseq("She"))) + entity(
        mention(charseq("She")), attributes='ID="E2"'
    )
    ((_, line, message, severity),) = found(source_file(two))
    assert (line, severity) == (6, "warning")
    assert "is in entity E2 and in entity E1" in message


# Tokens that stay tokens in running text, and markup.
words = st.sampled_from(
    ["Ann", "left", "a1", "é", "漢", "&", "<", ">", ";", "amp", "_"]
)
values = st.text('aZ1 <&>"\n\té', min_size=1, max_size=5)
names = st.sampled_from(
    [
        "type",
        "mention_type",
        "SUBTYPE",
        "CLASS",
        "ROLE",
        "TYPE",
        "ID",
        "head",
        "a b",
        "é",
    ]
)


@st.composite
def mentions(draw, tokens):
    start, end = draw(drawn.spans(tokens))
    head = minimum = None
    if draw(st.booleans()):
        minimum = tuple(sorted(draw(st.tuples(*[st.integers(start, end)] * 2))))
        head = draw(st.integers(start, end))
    return Mention(
        start,
        end,
        head=head,
        minimum=minimum,
        attributes=draw(st.dictionaries(names, values, max_size=4)),
    )


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
@settings(max_examples=40)
def test_written_documents_read_back(tmp_path_factory, document):
    folder = tmp_path_factory.mktemp("apf")
    write([document], folder, format="apf")
    assert everything(*corefkit.read(folder)) == everything(document)


def test_written_file_finds_its_text_by_its_own_name(tmp_path):
    one = Document("a", (("x",),), (Entity("1", (Mention(0, 0),)),))
    two = Document("a", (("y",),), (Entity("1", (Mention(0, 0),)),))
    write([one], tmp_path / "a.apf.xml")
    write([two], tmp_path / "b.apf.xml")
    assert list(corefkit.read(tmp_path / "b.apf.xml", format="apf")) == [two]


def test_words_that_running_text_cannot_have_are_written_as_it_can(tmp_path):
    sentences = (("New  York", "don't", "\x07", "\ud800", ""),)
    document = Document("d", sentences, (Entity("", (Mention(0, 4),)),))
    (read,) = reading.again(tmp_path, "apf", document)
    assert read.tokens == ("New", "York", "don", "'", "t", "\x07", "\ufffd", "_")
    assert read.entities == (Entity("_", (Mention(0, 7),)),)


def test_documents_without_words_or_entities_are_written(tmp_path):
    laws.check_without_words_or_entities(tmp_path, "apf")
    named = corefkit.read(tmp_path, format="apf")
    assert everything(*corefkit.read(tmp_path)) == everything(*named)


def test_head_without_minimum_is_written_as_the_head(tmp_path):
    document = Document("d", (("a", "b"),), (Entity("1", (Mention(0, 1, head=0),)),))
    ((entity,),) = reading.again(tmp_path, "apf", document)
    assert (entity.mentions[0].head, entity.mentions[0].minimum) == (0, (0, 0))


def test_scores_against_json_lines_are_perfect(tmp_path):
    laws.check_perfect(tmp_path, "apf", laws.NEWS)


@given(drawn.damaged(GOOD, b'<&"'), drawn.damaged(SGML, b'<&"'))
@settings(max_examples=60)
def test_broken_bytes_never_crash(content, sgml):
    laws.check_survives("apf", {"d.sgm": sgml, "d.apf.xml": content})


@given(st.binary(max_size=80))
def test_recognise_takes_any_bytes(head):
    assert recognise(head) is False


def test_recognise_needs_source_file_and_document():
    assert recognise(GOOD.encode())
    assert recognise(b"\n<source_file><document>")
    assert not recognise(b"<source_file>")
    assert not recognise(b'{"x": "<source_file><document>"}')


@needs_samples
class TestSample:
    SAMPLE = SAMPLES / "ace-apf" / "GUM_news_nasa.handmade.apf.xml"

    def test_is_sound_and_reads_back(self, tmp_path):
        document = laws.check_sound_sample(tmp_path, "apf", self.SAMPLE)
        assert (document.id, len(document)) == ("GUM_news_nasa", 18)
        assert document.tokens[:2] == ("NASA", "celebrates")

    def test_no_other_is_recognised(self):
        assert reading.recognised_samples(recognise) == [
            self.SAMPLE.relative_to(SAMPLES).as_posix()
        ]
