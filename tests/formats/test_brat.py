"""brat standoff: the numbered rules of the format, errors, and writing."""

from __future__ import annotations

import gzip
import re
from contextlib import closing
from pathlib import Path

import pytest
from files import BYTE_ORDER_MARK, written
from formats import drawn, laws, reading
from formats.examples import BRAT, BRAT_TEXT
from formats.reading import SAMPLES, everything, needs_samples, spans
from hypothesis import given
from hypothesis import strategies as st
from raising import raises

import corefkit
from corefkit import Document, Entity, FormatError, Mention
from corefkit.formats import open_source
from corefkit.formats.brat import recognise

WORDS = ("Ann", "'", "s", "aunt", "left", ".", "She", ",", "said", "Ann", ",", "ran")


@pytest.fixture
def put(tmp_path):
    def put_both(annotation, text=BRAT_TEXT):
        return reading.put_in(tmp_path, {"story.txt": text, "story.ann": annotation})

    return put_both


read, found = reading.reads_one("brat"), reading.finds("brat")


def test_text_and_annotation_are_a_document(read):
    document = read(BRAT)
    assert document.id == "story"
    assert document.tokens[:12] == WORDS
    assert len(document.sentences) == 2
    assert spans(document) == {"T1": [(0, 0), (9, 9)], "T2": [(0, 3), (6, 6)]}
    mentions = [mention for entity in document for mention in entity]
    assert {mention.attributes["type"] for mention in mentions} == {"Person"}


def test_words_have_the_lines_of_the_text(put):
    with closing(open_source(put(BRAT), format="brat")) as source:
        places = [word.place.rpartition("/")[2] for word in source.iter_words(0)]
    assert places[:2] == ["story.txt:1"] * 2
    assert places[-1] == "story.txt:2"


def test_line_ends_of_the_text_count_for_offsets(read):
    moved = BRAT.replace("17 20", "18 21").replace("27 30", "28 31")
    assert read(moved, BRAT_TEXT.replace("\n", "\r\n")) == read(BRAT)


def test_byte_order_mark_of_the_text_counts_as_a_character(read):
    document = read("T1\tPerson 1 4\tAnn\n", BYTE_ORDER_MARK + BRAT_TEXT.encode())
    assert (document.tokens[0], spans(document)) == ("Ann", {"T1": [(0, 0)]})


def test_offsets_are_characters_not_bytes(read):
    document = read("T1\tPerson 5 10\tZürla\n", "😀 é, Zürla kam.\n")
    assert [document.text(entity.mentions[0]) for entity in document] == ["Zürla"]


def test_compressed_annotation_finds_its_text(tmp_path):
    written(tmp_path / "story.txt", BRAT_TEXT)
    path = written(tmp_path / "story.ann.gz", gzip.compress(BRAT.encode()))
    (document,) = corefkit.read(path, format="brat")
    assert (document.id, len(document)) == ("story", 2)


def test_parts_leave_gaps(read):
    document = read("T1\tPerson 0 3;11 15\tAnn left\n")
    (entity,) = document.entities
    assert entity.mentions == (Mention(0, 4, gaps=((1, 3),)),)


def test_parts_can_be_adjacent_and_in_any_order(read):
    document = read("T1\tPerson 6 10;0 3;3 5\taunt Ann 's\n")
    assert document.entities[0].mentions == (Mention(0, 3),)


def test_parts_of_a_token_are_one(read, found):
    annotation = "T1\tPerson 6 8;8 10\tau nt\n"
    assert read(annotation).entities[0].mentions == (Mention(3, 3),)
    code = "format/cut-token"
    assert found(annotation) == [(1, code, "warning")]


def test_mention_inside_a_token_takes_all_of_it(read, found):
    annotation = "T1\tPerson 1 8\tnn's au\n"
    assert spans(read(annotation)) == {"T1": [(0, 3)]}
    assert [severity for *_, severity in found(annotation)] == ["warning"]


def test_words_are_optional_and_blanks_are_ignored(read):
    assert spans(read("T1\tPerson 0 3\n")) == {"T1": [(0, 0)]}
    assert spans(read("T1\tPerson 11 20\tleft.  She\n")) == {"T1": [(4, 6)]}


def test_type_mention_is_not_a_type(read):
    (entity,) = read("T1\tMention 0 3\tAnn\n").entities
    assert entity.mentions[0].attributes == {}


@pytest.mark.parametrize(
    "kind",
    [
        *("Coref", "COREFERENCE", "coref_ident", "Anaphora", "cataphoric", "Equiv"),
        *("Ident", "identity", "Same-As", "same_as", "Alias", "antecedent"),
    ],
)
def test_relations_that_mean_coreference(read, kind):
    document = read(BRAT.replace("R1\tCoref", f"R1\t{kind}"))
    assert spans(document)["T1"] == [(0, 0), (9, 9)]


@pytest.mark.parametrize("kind", ["aunt-of", "Identified", "bridging", "Samples"])
def test_other_relations_are_ignored(read, kind):
    document = read(BRAT.replace("R1\tCoref", f"R1\t{kind}"))
    assert spans(document)["T1"] == [(0, 0)]


def test_relations_without_coreference_are_reported_once(found):
    annotation = BRAT.replace("Coref", "Kin").replace("*\tKin T2 T3\n", "")
    code = "format/left-out"
    assert found(annotation + "R2\tKin Arg1:T2 Arg2:T3\n") == [(5, code, "warning")]
    assert found(BRAT + "R2\tKin Arg1:T2 Arg2:T3\n") == []


def test_links_are_transitive(read):
    document = read(BRAT + "R2\tCoref Arg1:T3 Arg2:T4\n")
    assert spans(document) == {"T1": [(0, 0), (0, 3), (6, 6), (9, 9)]}


def test_lines_can_be_in_any_order(read):
    lines = BRAT.splitlines(keepends=True)
    document = read("".join(reversed(lines)))
    assert spans(document) == {"T4": [(9, 9), (0, 0)], "T3": [(6, 6), (0, 3)]}


def test_event_refers_to_its_trigger(read):
    annotation = (
        "T1\tMove 11 15\tleft\nT2\tMove 32 35\tran\nT3\tPerson 17 20\tShe\n"
        "E1\tMove:T1 Theme:T3\nE2\tMove:T2\n*\tCoref E1 E2\nA1\tRealis E2 true\n"
    )
    document = read(annotation)
    assert spans(document) == {"T1": [(4, 4), (11, 11)], "T3": [(6, 6)]}
    assert document.entities[0].mentions[1].attributes["Realis"] == "true"


def test_attributes_are_read_and_notes_are_ignored(read):
    lines = (
        "A1\tGender T1 she  her \nM1\tNegated T1\nA2\tSure R1 no\nN1\tReference T1 x\n"
    )
    document = read(BRAT + lines + "#1\tAnnotatorNotes T1\tcheck this\n")
    assert document.entities[0].mentions[0].attributes == {
        "type": "Person",
        "Gender": "she  her",
        "Negated": "",
    }


def test_litbank_pairs_of_lines_are_one_mention(read, found):
    annotation = (
        "T1\tPROP_PER 0 3\tAnn\nT2\tNOM_PER 0 10\tAnn's aunt\nT3\tPRON_PER 17 20\tShe\n"
        "T4\tAunt-7 0 10\tAnn's aunt\nT5\tAunt-7 17 20\tShe\nT6\tAnn-3 0 3\tAnn\n"
        "R1\tcop Arg1:T2 Arg2:T3\n"
    )
    document = read(annotation)
    assert spans(document) == {"T1": [(0, 0)], "T2": [(0, 3), (6, 6)]}
    attributes = document.entities[1].mentions[1].attributes
    assert attributes == {"type": "PER", "mention_type": "PRON"}
    assert found(annotation) == []


def test_type_with_a_number_is_not_an_entity_elsewhere(read):
    document = read("T1\tAunt-7 0 10\tAnn's aunt\nT2\tAunt-7 17 20\tShe\n")
    assert len(document) == 2


BROKEN = {
    "other line": ("X1\tPerson 0 3\tAnn", "invalid-annotation"),
    "no tab": ("T1 Person 0 3 Ann", "invalid-annotation"),
    "no number": ("T\tPerson 0 3\tAnn", "invalid-annotation"),
    "no offsets": ("T1\tPerson\tAnn", "invalid-annotation"),
    "one offset": ("T1\tPerson 3\tAnn", "invalid-annotation"),
    "below zero": ("T1\tPerson -1 3\tAnn", "invalid-annotation"),
    "huge": (f"T1\tP 0 {'9' * 5000}\tAnn", "invalid-annotation"),
    "open part": ("T1\tPerson 0 3;\tAnn", "invalid-annotation"),
    "backwards": ("T1\tPerson 3 0\tAnn", "invalid-span"),
    "empty": ("T1\tPerson 3 3\t", "invalid-span"),
    "beyond": ("T1\tP 0 99\tAnn", "invalid-span"),
    "other words": ("T1\tP 0 3\tSue", "different-text"),
    "half": ("T1\tP 0 10\tAnn", "different-text"),
    "blank": ("T1\tP 5 6\t ", "invalid-span"),
    "twice": ("T1\tP 0 3\tAnn\nT1\tP 0 3\tAnn", "repeated-id"),
    "no trigger": ("E1\tMove:T9", "unknown-id"),
    "no target": ("*\tCoref T7 T9", "unknown-id"),
    "no mention": ("A1\tGender T9 she", "unknown-id"),
    "no link": ("*\tCoref", "invalid-annotation"),
    "no end": ("R1\tCoref", "invalid-annotation"),
    "no name": ("*\t", "invalid-annotation"),
    "not UTF-8": (b"T1\tP\xff 0 3\tAnn", "not-utf8"),
}


@pytest.mark.parametrize(("lines", "code"), BROKEN.values(), ids=BROKEN)
def test_error_is_reported_and_raised(put, lines, code):
    lines = lines if isinstance(lines, bytes) else lines.encode()
    path = put(b"T7\tPerson 17 20\tShe\n" + lines)
    line = 2 + lines.count(b"\n")
    assert laws.check_fault(path, "brat", line, f"format/{code}").hint


def test_each_missing_target_is_reported(put, found):
    path = put("*\tCoref T9 T8\n")
    code = "format/unknown-id"
    assert laws.check_fault(path, "brat", 1, code, alone=False).hint
    assert found("*\tCoref T9 T8\n") == [
        (1, code, "error"),
        (1, code.replace("T9", "T8"), "error"),
    ]


def test_relation_without_body_is_a_warning(found):
    problem = 2, "format/left-out", "warning"
    assert found("T7\tPerson 17 20\tShe\nR1\t") == [problem]


def test_long_span_with_few_words_is_an_error(found):
    problem = 1, "format/different-text", "error"
    assert found("T1\tP 0 999\ta\n", "a " * 999) == [problem]


def test_all_problems_are_reported(found):
    annotation = "T1\tP 0 3\tSue\nT2\tP 99 100\tx\n" + BRAT.replace("T", "T2")
    assert [line for line, *_ in found(annotation + "Q\n")] == [1, 2, 9]


def test_blank_lines_are_ignored(read):
    assert everything(read(BRAT.replace("\n", "\n\n \n"))) == everything(read(BRAT))


def test_star_links_under_any_name(read):
    assert spans(read(BRAT.replace("*\tCoref", "*\tX"))) == spans(read(BRAT))


def test_text_of_standard_input_is_not_found(monkeypatch, tmp_path):
    class Stdin:
        closed = False
        buffer = None

    path = written(tmp_path / "-.txt", BRAT_TEXT)
    monkeypatch.chdir(tmp_path)
    with (tmp_path / "in").open("wb+") as stream:
        stream.write(BRAT.encode())
        stream.seek(0)
        Stdin.buffer = stream
        monkeypatch.setattr("sys.stdin", Stdin)
        with raises(FormatError, "format/missing-text", place="-:1"):
            list(corefkit.read("-", format="brat"))
    assert Path(path).exists()


def test_text_without_annotation_is_a_document_without_entities(read):
    document = read("")
    assert (document.tokens[:12], document.entities) == (WORDS, ())


@reading.heads(
    own=[
        BRAT.encode(),
        b"\n\nT12\tA-b 0 3;5 6\tx",
        b"*\tCoref T1 T2\n",
        b"#1\tAnnotatorNotes T1\tx\n",
        b"E1\tMove:T3 Theme:T4\n",
    ],
    others=[
        b"",
        b"T1\tPerson\n",
        b"MENTION\tT1\t0\t0\t0\t0\tAnn\tPER\tPROP\n",
        b"# sent_id = 1\n1\tAnn\t_\n",
        b"#begin document (a); part 000\n",
        b"\xff\xfe\x00",
    ],
)
def test_first_line_is_recognised(head, expected):
    assert recognise(head) is expected


names = st.sampled_from(["person", "a b", "Mention", "NOM_PER", "Covid-19", "", "é"])
plain_words = st.sampled_from(["Ann", "it", "_", "7"])
values = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)


@st.composite
def documents(draw, words=plain_words):
    """Draw a document of one to three sentences, with any mentions."""
    sentences = draw(drawn.sentences(words, longest=5, most=3))
    tokens = st.integers(0, sum(map(len, sentences)) - 1)
    chosen = st.sets(tokens, min_size=1, max_size=3)
    attributes = st.fixed_dictionaries({}, optional={"type": names, "Sure": values})
    mentions = st.builds(Mention.of, chosen, attributes=attributes)
    ids = [
        draw(st.sampled_from([str(number), f"T{7 - number}", "T2"]))
        for number in range(draw(st.integers(1, 4)))
    ]
    return Document("story", sentences, draw(drawn.entities(ids, mentions)))


@given(documents())
def test_written_document_is_read_back(tmp_path_factory, document):
    folder = tmp_path_factory.mktemp("brat")
    found = laws.check_mentions_again(folder, "brat", document)
    for one, other in zip(found, document, strict=True):
        for mention, source in zip(one, other, strict=True):
            assert mention.attributes == {
                name: re.sub(r"[\t\n]", " ", value).strip()
                for name, value in source.attributes.items()
            }


@given(documents(words=values))
def test_reading_and_writing_is_stable(tmp_path_factory, document):
    folder = tmp_path_factory.mktemp("brat")
    (first,) = reading.again(folder, "brat", document)
    laws.check_same_again(folder, "brat", first)


def test_document_without_words_gets_placeholders(tmp_path):
    laws.check_placeholders(tmp_path, "brat", entity="T1")


def test_document_without_entities_is_an_empty_file(tmp_path):
    laws.check_same_again(tmp_path, "brat", Document("story", (("Ann",),), ()))
    assert (tmp_path / "story.ann").read_text() == ""


def test_mentions_across_lines_are_written_as_parts(tmp_path):
    document = Document("story", (("a",), (), ("b",)), (Entity("1", (Mention(0, 1),)),))
    reading.again(tmp_path, "brat", document)
    assert (tmp_path / "story.ann").read_text() == "T1\tMention 0 1;3 4\ta b\n"


def test_first_mention_keeps_the_name_of_its_entity(tmp_path):
    mentions = Mention(0, 0), Mention(1, 1)
    entities = Entity("T2", mentions), Entity("e1", mentions[:1])
    reading.again(tmp_path, "brat", Document("story", (("a", "b"),), entities))
    assert (tmp_path / "story.ann").read_text() == (
        "T2\tMention 0 1\ta\nT1\tMention 2 3\tb\nT3\tMention 0 1\ta\n*\tCoref T2 T1\n"
    )


@needs_samples
class TestSamples:
    PATH = SAMPLES / "litbank-brat-tsv" / "1023_bleak_house_brat.ann"

    def test_litbank_in_brat_is_litbank(self):
        (brat,) = corefkit.read(self.PATH, format="brat")
        own = self.PATH.with_suffix(".tsv.ann")
        (litbank,) = corefkit.read(own, format="litbank")
        both = [reading.by_characters(one, attributes=True) for one in (brat, litbank)]
        assert both[0] == both[1]

    def test_sample_is_read_back(self, tmp_path):
        laws.check_sound_sample(tmp_path, "brat", self.PATH)
