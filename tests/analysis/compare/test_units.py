"""Texts as units, and strata."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shared_files import DATA

import corefkit
from corefkit.analysis.compare.sample import find_text, group_units


@pytest.mark.parametrize(
    ("document", "text"),
    [
        ("(story); part 000", "story"),
        ("(story); part 17", "story"),
        ("(bc/cctv/00/cctv_0001); part 002", "bc/cctv/00/cctv_0001"),
        ("bc/cctv/00/cctv_0001_2", "bc/cctv/00/cctv_0001"),
        ("pt/nt/40/nt_4001_11", "pt/nt/40/nt_4001"),
        ("ge:articleswiki_zebre.xml_001", "ge:articleswiki_zebre.xml"),
        ("news.TXT_3", "news.TXT"),
        ("(1023_bleak_house_brat); part 0", "1023_bleak_house_brat"),
    ],
)
def test_ids_that_name_a_text_and_its_part(document, text):
    assert find_text(document) == text


@pytest.mark.parametrize(
    "document",
    [
        "doc_1",
        "story_0",
        "GUM_academic_exposure",
        "bc/cctv/00/cctv_0001",
        "36_1ecb",
        "36/36_1ecb",
        "cmpr9410_001",
        "CESS-CAST-A_10055_20000713",
        "transformed/abc_0042.txt",
        "(story",
        "0",
        "release 2.0_1",
        "wsj_0007_2",
    ],
)
def test_other_ids_are_texts_of_their_own(document):
    assert find_text(document) == document


def test_unrelated_documents_are_not_joined():
    ids = [f"doc_{number}" for number in range(12)]
    assert group_units(ids).number == 12


def test_litbank_has_a_hundred_texts():
    file = DATA / "litbank" / "litbank-coref.conll.gz"
    if not file.exists():
        pytest.skip(f"{file} is not there")
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        begin = "#begin document "
        ids = [
            one.removeprefix(begin).strip() for one in lines if one.startswith(begin)
        ]
    assert (len(ids), group_units(ids).number) == (100, 100)


def test_documents_can_be_units():
    ids = ["(a); part 000", "(a); part 001"]
    assert group_units(ids).number == 1
    assert group_units(ids, unit="document").of_document == tuple(ids)


def test_given_texts_come_before_what_ids_tell():
    ids = ["d1", "d2", "d3", "(x); part 000", "(x); part 001"]
    units = group_units(ids, units={"d1": "one", "d3": "one", "(x); part 001": "y"})
    assert units.of_document == ("one", "d2", "one", "x", "y")


def test_given_ids_may_be_written_as_other_formats_do():
    units = group_units(["(x); part 000", "(x); part 001"], units={"x_1": "other"})
    assert units.of_document == ("x", "other")


def test_texts_need_not_be_strings():
    assert group_units(["a", "b", "c"], units={"a": 1, "b": 1}).of_document == (
        "1",
        "1",
        "c",
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"units": {"d9": "x"}}, "document 'd9', which was not scored"),
        ({"units": {"d1": None}}, "found text None for document 'd1'"),
        ({"units": {"d1": " "}}, "found text ' ' for document 'd1'"),
        ({"units": [["d1", "d2"]]}, "units of type list, expected a mapping"),
        ({"units": {"d1": "x"}, "unit": "document"}, "require unit='text'"),
    ],
    ids=["unknown", "none", "blank", "list", "document"],
)
def test_wrong_units_are_refused(options, message):
    with pytest.raises(corefkit.SettingsError, match=message):
        group_units(["d1", "d2"], **options)


@given(st.permutations(["(b); part 000", "(a); part 000", "(b); part 001", "c"]))
def test_order_of_documents_makes_no_difference(ids):
    found = dict(zip(ids, group_units(ids).of_document, strict=True))
    assert found == {one: find_text(one) for one in ids}


def test_genres_of_ontonotes_and_gum():
    ids = [
        "(bn/abc/00/abc_0001); part 000",
        "(bn/abc/00/abc_0001); part 001",
        "(bn/cnn/00/cnn_0001); part 000",
        "nw/wsj/00/wsj_0001_0",
        "nw/wsj/00/wsj_0002_0",
        "GUM_news_iodine",
        "(GUM_news_homeopathic); part 000",
    ]
    units = group_units(ids, strata="genre")
    assert units.notes == ()
    assert units.stratum_of == {
        "bn/abc/00/abc_0001": "bn",
        "bn/cnn/00/cnn_0001": "bn",
        "nw/wsj/00/wsj_0001": "nw",
        "nw/wsj/00/wsj_0002": "nw",
        "GUM_news_iodine": "news",
        "GUM_news_homeopathic": "news",
    }


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"^[a-z]+", ["x", "x", "y", "y"]),
        (r"-(\d)", ["1", "2", "1", "2"]),
        (r"(?:x|y)-(?P<set>\d)", ["1", "2", "1", "2"]),
    ],
)
def test_pattern_gives_its_first_group_or_all_of_the_match(pattern, expected):
    ids = ["x-1", "(x-2); part 000", "y-1", "y-2"]
    stratum_of = group_units(ids, strata=pattern).stratum_of
    assert [stratum_of[find_text(one)] for one in ids] == expected


@pytest.mark.parametrize(
    ("strata", "message"),
    [
        ("genre", r"the genre of 2 documents \('b_1' and others\) is not known"),
        ("x/(.)", r"pattern 'x/\(\.\)' does not match 2 documents"),
        ("(y)?", "does not match 3 documents"),
        ("^[^b]", r"pattern '\^\[\^b\]' does not match 2 documents \('b_1' and"),
    ],
)
def test_ids_without_a_stratum_are_refused(strata, message):
    ids = ["x/a", "(b); part 001", "b_2"]
    with pytest.raises(corefkit.PairingError, match=message) as refused:
        group_units(ids, strata=strata)
    assert refused.value.hint


def test_strata_of_one_text_are_pooled_and_that_is_said():
    ids = ["a/1", "a/2", "b/1", "c/1"]
    units = group_units(ids, strata="genre")
    assert list(units.stratum_of.values()) == ["a", "a", "others", "others"]
    assert units.notes == ("strata with one text are pooled as 'others': 'b', 'c'",)


def test_lone_stratum_of_one_text_is_said_to_be_alone():
    units = group_units(["a/1", "a/2", "b/1"], strata="genre")
    assert set(units.stratum_of.values()) == {"a", "others"}
    assert "'others', which still has one text: 'b'" in units.notes[0]


def test_pooled_texts_join_those_that_are_called_others():
    units = group_units(["others/1", "others/2", "b/1"], strata="genre")
    assert set(units.stratum_of.values()) == {"others"}


def test_text_of_two_strata_is_refused():
    with pytest.raises(corefkit.PairingError, match="'t' has documents of two strata"):
        group_units(["a/1", "b/1"], strata="genre", units={"a/1": "t", "b/1": "t"})


def test_one_text_alone_is_its_own_stratum():
    assert group_units(["a/1"], strata="genre").stratum_of == {"a/1": "a"}
