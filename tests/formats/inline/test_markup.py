"""Inline tags and references, as tolerant as the module's numbered rules say."""

from __future__ import annotations

import pytest
from files import written
from hypothesis import given
from hypothesis import strategies as st

from corefkit import Document, Entity, FormatError, Mention
from corefkit.formats.bytefile import ByteFile
from corefkit.formats.documents import Extent
from corefkit.formats.faults import Faults
from corefkit.formats.inline.markup import Rules, edges, markup, source_text, spanned
from corefkit.formats.inline.tags import (
    decoded,
    encoded,
    entity_ids,
    start_tag,
    tags,
    written_order,
)
from corefkit.formats.plaintext import Span


def found(source):
    return [
        (
            "/" * tag.closing + tag.name,
            dict(tag.attributes),
            source[tag.start : tag.end],
        )
        for tag in tags(source)
        if tag.whole
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
        assert found(f"x{source}y") == [(name, attributes, source)]

    def test_tag_with_a_quote_too_many_ends_at_its_bracket(self):
        tag = next(tags('<COREF ID=5 MIN="a>b</COREF>'))
        assert (tag.end, tag.whole, tag.paired) == (19, True, False)

    @pytest.mark.parametrize(
        "source",
        ["1 < 2", "a <- b", "<3", "<>", "</>", "<ann@example.org>", "<COREF", "<p x"],
    )
    def test_other_brackets_are_text(self, source):
        assert found(source) == []

    @pytest.mark.parametrize(
        "source",
        ["<!-- <p> -->", "<!-- a > b -->", "<!DOCTYPE x>", "<?xml version='1.0'?>"],
    )
    def test_comments_and_declarations_are_nameless(self, source):
        assert found(f"{source}<b>") == [("", {}, source), ("b", {}, "<b>")]

    def test_comment_without_end_is_text(self):
        assert found("<!-- <b> <!-- <p>") == [("b", {}, "<b>"), ("p", {}, "<p>")]

    @given(st.text("<>/!-&\"' =aCOREF\n", max_size=60))
    def test_tags_never_overlap(self, source):
        ends = [0]
        for tag in tags(source):
            assert ends[-1] <= tag.start < tag.end <= len(source)
            ends.append(tag.end)

    @pytest.mark.parametrize(
        "piece", ["<", "<a ", '<a "', "<!--", "<!", "<a b=", "&#", "<a ' \""]
    )
    def test_time_grows_with_the_length(self, piece):
        # A second or so; with its square it would be hours.
        assert decoded(piece * 100_000)
        assert len(list(tags(piece * 100_000))) <= 100_000


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
    def test_references_are_read(self, text, expected):
        assert decoded(text) == expected

    @given(st.text())
    def test_what_is_written_is_read_back(self, text):
        assert decoded(encoded(text)) == text

    @given(st.text())
    def test_attributes_are_read_back(self, text):
        (tag,) = tags(start_tag("COREF", {"MIN": encoded(text)}))
        assert decoded(tag.attributes["min"]) == text


def taken(source, **rules):
    problems = []
    faults = Faults("file", problems)
    return markup(source, Rules(**rules), line=1, faults=faults), problems


class TestMarkup:
    def test_tags_leave_no_trace(self):
        text, problems = taken("<x>One <COREF ID=1>sh</COREF>uttle<!-- no -->s</x>")
        assert (text.text, problems) == ("One shuttles", [])
        assert text.text[text.elements[0].start : text.elements[0].end] == "sh"

    def test_elements_come_in_the_order_of_their_start_tags(self):
        text, _ = taken(
            "<COREF ID=1>a <COREF ID=2>b</COREF></COREF> <COREF ID=3>c</COREF>"
        )
        assert [one.attributes["id"] for one in text.elements] == ["1", "2", "3"]
        assert [(one.start, one.end) for one in text.elements] == [
            (0, 3),
            (2, 3),
            (4, 5),
        ]

    def test_lines_are_those_of_the_file(self):
        text, _ = taken("a\r\n<COREF\nID=1>b\n<!--\n-->c</COREF>\nd")
        assert [text.line(text.text.index(letter)) for letter in "abcd"] == [1, 3, 5, 6]
        assert text.elements[0].line == 2

    def test_lines_are_kept_where_line_ends_are_not(self):
        text, _ = taken("a\nb\u2028c<s>d", lines=False, ending={"s"})
        assert text.text == "a b c\nd"
        assert [text.line(offset) for offset in (0, 2, 6)] == [1, 2, 2]

    def test_skipped_text_counts_its_lines(self):
        text, _ = taken("<ID>x\ny</ID>z<ID>no end<p>w", skipped={"id"})
        assert text.text.split() == ["zw"]
        assert text.line(text.text.index("z")) == 2

    @pytest.mark.parametrize(
        ("source", "problems"),
        [
            ("a\n<COREF ID=7>b\n", [(2, "mention '7' is never closed")]),
            ("a\n</COREF>\n", [(2, "</COREF> closes nothing")]),
            ("\n<COREF ID=1 <b>x</b></COREF>", [(2, "a <COREF tag is not ended")]),
            ("<COREF ID=1>x\n</COREF <b>", [(2, "a </COREF tag is not ended")]),
            (
                '<COREF ID="1>x</COREF>',
                [(1, "a <COREF tag has a quote that is not closed")],
            ),
        ],
    )
    def test_broken_elements_are_reported(self, source, problems):
        _, found = taken(source)
        assert [(one.line, one.message) for one in found] == problems
        assert all(one.severity == "error" and one.hint for one in found)

    def test_deep_nesting_is_no_problem(self):
        depth = 20_000
        text, problems = taken("<COREF ID=1>" * depth + "a" + "</COREF>" * depth)
        assert (len(text.elements), problems) == (depth, [])


class TestSpanned:
    SPANS = (Span(0, 3), Span(4, 6), Span(6, 7))

    @pytest.mark.parametrize(
        ("start", "end", "expected", "message"),
        [
            (0, 3, (0, 0), None),
            (0, 7, (0, 2), None),
            (3, 7, (1, 2), None),
            (1, 5, (0, 1), "mention '1' begins or ends inside a word"),
            (3, 4, None, "mention '1' has no words"),
            (1, 1, None, "mention '1' has no words"),
            (7, 9, None, "mention '1' has no words"),
        ],
    )
    def test_whole_tokens_are_taken(self, start, end, expected, message):
        text, problems = taken("<COREF ID=1></COREF>")
        element = text.elements[0]._replace(start=start, end=end)
        faults = Faults("file", problems)
        assert spanned(element, self.SPANS, faults) == expected
        assert [one.message for one in problems] == ([message] if message else [])
        assert not any(one.severity == "error" for one in problems)


def test_edges_are_found_in_the_whole_file(tmp_path):
    text = "\ufeff<DOC>\n<DOCID>x</DOCID><doc\nX=1></DOC ></TEXT>"
    with ByteFile(written(tmp_path / "x", text)) as file:
        assert [(one.name, one.closing) for one in edges(file, "DOC")] == [
            ("doc", False),
            ("doc", False),
            ("doc", True),
        ]
        assert {file.read(one.start, one.start + 1) for one in edges(file, "DOC")} == {
            b"<"
        }


def test_bytes_that_are_not_text_are_refused_with_their_place(tmp_path):
    with ByteFile(written(tmp_path / "x", b"abc\nd\xffe\nf")) as file:
        extent = Extent("d", 0, file.size)
        with pytest.raises(FormatError, match="byte 2 of the line is not UTF-8") as bad:
            source_text(file, extent, Faults(file))
        assert bad.value.place.endswith("x:2")
        problems = []
        text = source_text(file, extent, Faults(file, problems))
        assert (text, len(problems)) == ("abc\nd\ufffde\nf", 1)


def test_entity_ids_are_kept_where_they_can_be():
    entities = [Entity(name, ()) for name in ("1", "e 2", "", "1", " 4", "5")]
    ids, free = entity_ids(Document("d", (), tuple(entities)))
    assert ids == ["1", "e 2", "2", "3", "4", "5"]
    assert [next(free), next(free)] == ["6", "7"]


def test_outer_mentions_are_written_first():
    entities = (
        Entity("a", (Mention(1, 1), Mention(0, 2))),
        Entity("b", (Mention(0, 2), Mention(1, 1))),
    )
    rows = written_order(Document("d", (), entities))
    assert [(entity, mention.start, first) for entity, mention, first in rows] == [
        (0, 0, True),
        (1, 0, True),
        (0, 1, False),
        (1, 1, False),
    ]
