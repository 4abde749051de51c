"""Inline tags: markup and references, text without tags, and writing."""

from __future__ import annotations

from dataclasses import replace
from html import escape

import pytest
from files import written
from hypothesis import given
from hypothesis import strategies as st
from raising import raises

from corefkit import Document, Entity, FormatError
from corefkit.formats.files import ByteFile
from corefkit.formats.plaintext import Span, read_source
from corefkit.formats.problems import Faults
from corefkit.formats.sgml import (
    TaggedText,
    choose_ids,
    decode_references,
    find_structure,
    find_tags,
    format_start_tag,
)
from corefkit.formats.source import Extent


def list_tags(source):
    return [
        ("/" * tag.is_end + tag.name, dict(tag.attributes), source[tag.start : tag.end])
        for tag in find_tags(source)
        if tag.is_complete
    ]


class TestTags:
    @pytest.mark.parametrize(
        ("source", "name", "attributes"),
        [
            ("<COREF ID=\"5\" MIN='a b'>", "coref", {"id": "5", "min": "a b"}),
            ("<Coref id=5 ref=3>", "coref", {"id": "5", "ref": "3"}),
            ("<coref\n ID = '5'\tx>", "coref", {"id": "5", "x": ""}),
            ('<COREF ID="5"REF="3">', "coref", {"id": "5", "ref": "3"}),
            ('<COREF MIN="a > b">', "coref", {"min": "a > b"}),
            ('<COREF MIN="it\'s">', "coref", {"min": "it's"}),
            ('<COREF MIN="&quot;a&quot;">', "coref", {"min": "&quot;a&quot;"}),
            ('<COREF ID="1" ID="2">', "coref", {"id": "1"}),
            ('<COREF ID="">', "coref", {"id": ""}),
            ("<SLUG fv=taf-z>", "slug", {"fv": "taf-z"}),
            ("<br/>", "br", {}),
            ("</COREF>", "/coref", {}),
            ("</coref >", "/coref", {}),
        ],
    )
    def test_tag_has_name_and_attributes(self, source, name, attributes):
        assert list_tags(f"x{source}y") == [(name, attributes, source)]

    def test_tag_with_an_unclosed_quote_ends_at_its_bracket(self):
        tag = next(find_tags('<COREF ID=5 MIN="a>b</COREF>'))
        assert (tag.end, tag.is_complete, tag.has_pairs) == (19, True, False)

    @pytest.mark.parametrize(
        "source",
        ["1 < 2", "a <- b", "<3", "<>", "</>", "<ann@example.org>", "<COREF", "<p x"],
    )
    def test_other_signs_are_text(self, source):
        assert list_tags(source) == []

    @pytest.mark.parametrize(
        "source",
        ["<!-- <p> -->", "<!-- a > b -->", "<!DOCTYPE x>", "<?xml version='1.0'?>"],
    )
    def test_comments_and_declarations_have_no_name(self, source):
        assert list_tags(f"{source}<b>") == [("", {}, source), ("b", {}, "<b>")]

    def test_comment_without_end_is_text(self):
        assert list_tags("<!-- <b> <!-- <p>") == [("b", {}, "<b>"), ("p", {}, "<p>")]

    @given(st.text("<>/!-&\"' =aCOREF\n", max_size=60))
    def test_tags_do_not_overlap(self, source):
        ends = [0]
        for tag in find_tags(source):
            assert ends[-1] <= tag.start < tag.end <= len(source)
            ends.append(tag.end)

    @pytest.mark.parametrize(
        "piece", ["<", "<a ", '<a "', "<!--", "<!", "<a b=", "&#", "<a ' \""]
    )
    @pytest.mark.slow
    def test_time_is_linear_in_the_length(self, piece):
        # A second or so; with its square it would be hours.
        assert decode_references(piece * 100_000)
        assert len(list(find_tags(piece * 100_000))) <= 100_000


class TestReferences:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("&amp;&lt;&gt;&quot;&apos;", "&<>\"'"),
            ("&AMP;&Lt;", "&<"),
            ("&#39;&#x27;&#X27;", "'''"),
            ("&#128512;", "😀"),
            ("&amp;amp;", "&amp;"),
            ("AT&T; R&D & c", "AT&T; R&D & c"),
            ("&MD;&nosuch;&#;&#x;", "&MD;&nosuch;&#;&#x;"),
            ("&#xD800;&#x110000;&#9999999;", "&#xD800;&#x110000;&#9999999;"),
        ],
    )
    def test_references_are_decoded(self, text, expected):
        assert decode_references(text) == expected

    @given(st.text())
    def test_escaped_text_is_decoded_as_it_was(self, text):
        assert decode_references(escape(text, quote=False)) == text

    @given(st.text())
    def test_escaped_attributes_are_decoded_as_they_were(self, text):
        (tag,) = find_tags(
            format_start_tag("COREF", {"MIN": escape(text, quote=False)})
        )
        assert decode_references(tag.attributes["min"]) == text


def remove_tags(source, **rules):
    problems = []
    faults = Faults("file", problems)
    return TaggedText(source, 1, faults, **rules), problems


class TestTaggedText:
    def test_tags_are_removed(self):
        text, problems = remove_tags(
            "<x>One <COREF ID=1>sh</COREF>uttle<!-- no -->s</x>"
        )
        assert (text.text, problems) == ("One shuttles", [])
        assert text.text[text.elements[0].start : text.elements[0].end] == "sh"

    def test_elements_are_in_the_order_of_their_start_tags(self):
        text, _ = remove_tags(
            "<COREF ID=1>a <COREF ID=2>b</COREF></COREF> <COREF ID=3>c</COREF>"
        )
        assert [one.attributes["id"] for one in text.elements] == ["1", "2", "3"]
        assert [(one.start, one.end) for one in text.elements] == [
            (0, 3),
            (2, 3),
            (4, 5),
        ]

    def test_lines_are_those_of_the_file(self):
        text, _ = remove_tags("a\r\n<COREF\nID=1>b\n<!--\n-->c</COREF>\nd")
        assert [text.line_number(text.text.index(letter)) for letter in "abcd"] == [
            1,
            3,
            5,
            6,
        ]
        assert text.elements[0].line == 2

    def test_lines_are_counted_without_line_ends(self):
        text, _ = remove_tags("a\nb\u2028c<s>d", keeps_lines=False, breaks={"s"})
        assert text.text == "a b c\nd"
        assert [text.line_number(offset) for offset in (0, 2, 6)] == [1, 2, 2]

    def test_skipped_text_counts_its_lines(self):
        text, _ = remove_tags("<ID>x\ny</ID>z<ID>no end<p>w", skipped={"id"})
        assert text.text.split() == ["zw"]
        assert text.line_number(text.text.index("z")) == 2

    @pytest.mark.parametrize(
        ("source", "problems"),
        [
            ("a\n<COREF ID=7>b\n", [(2, "format/unpaired-tag")]),
            ("a\n</COREF>\n", [(2, "format/unpaired-tag")]),
            ("\n<COREF ID=1 <b>x</b></COREF>", [(2, "format/unpaired-tag")]),
            ("<COREF ID=1>x\n</COREF <b>", [(2, "format/unpaired-tag")]),
            ('<COREF ID="1>x</COREF>', [(1, "format/unpaired-tag")]),
        ],
    )
    def test_invalid_elements_are_errors(self, source, problems):
        _, found = remove_tags(source)
        assert [(one.line, one.code) for one in found] == problems
        assert all(one.severity == "error" and one.hint for one in found)

    def test_elements_can_be_nested_deeply(self):
        depth = 20_000
        text, problems = remove_tags("<COREF ID=1>" * depth + "a" + "</COREF>" * depth)
        assert (len(text.elements), problems) == (depth, [])


class TestFindSpan:
    SPANS = (Span(0, 3), Span(4, 6), Span(6, 7))

    @pytest.mark.parametrize(
        ("start", "end", "expected", "code"),
        [
            (0, 3, (0, 0), None),
            (0, 7, (0, 2), None),
            (3, 7, (1, 2), None),
            (1, 5, (0, 1), "format/cut-token"),
            (3, 4, None, "format/left-out"),
            (1, 1, None, "format/left-out"),
            (7, 9, None, "format/left-out"),
        ],
    )
    def test_mention_takes_entire_tokens(self, start, end, expected, code):
        text, problems = remove_tags("<COREF ID=1></COREF>")
        element = replace(text.elements[0], start=start, end=end)
        faults = Faults("file", problems)
        assert element.find_span(self.SPANS, faults) == expected
        assert [one.code for one in problems] == ([code] if code else [])
        assert not any(one.severity == "error" for one in problems)


def test_structure_is_found_in_the_entire_file(tmp_path):
    text = "\ufeff<DOC>\n<DOCID>x</DOCID><doc\nX=1></DOC ></TEXT>"
    with ByteFile(written(tmp_path / "x", text)) as file:
        assert [(one.name, one.is_end) for one in find_structure(file, "DOC")] == [
            ("doc", False),
            ("doc", False),
            ("doc", True),
        ]
        assert {
            file.read(one.start, one.start + 1) for one in find_structure(file, "DOC")
        } == {b"<"}


def test_invalid_utf8_is_an_error(tmp_path):
    with ByteFile(written(tmp_path / "x", b"abc\nd\xffe\nf")) as file:
        extent = Extent("d", 0, file.size)
        with raises(FormatError, "format/not-utf8", place="x:2") as bad:
            read_source(file, extent, Faults(file))
        assert bad.value.place.endswith("x:2")
        problems = []
        text = read_source(file, extent, Faults(file, problems))
        assert (text, len(problems)) == ("abc\nd\ufffde\nf", 1)


def test_valid_entity_ids_are_kept():
    entities = [Entity(name, ()) for name in ("1", "e 2", "", "1", " 4", "5")]
    ids, free = choose_ids(Document("d", (), tuple(entities)))
    assert ids == ["1", "e 2", "2", "3", "4", "5"]
    assert [next(free), next(free)] == ["6", "7"]
