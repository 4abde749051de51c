"""Documents in a frame of a notebook: what it may do, and how large it grows."""

import html
import re

from cistell.paper.models import Resolution
from corefkit import Document, Entity, Mention, make_report, read
from corefkit.example import paths
from corefkit.report.notebook import (
    MAX_TOKENS,
    limit_reader,
    show_document,
)
from corefkit.report.reader_data import (
    Reader,
    ReaderDocument,
    build_documents_reader,
    convert_document,
    encode_reader,
)
from corefkit.tables.html import read_asset
from corefkit.tables.model import Page

SHOWN = re.compile(
    r'<iframe sandbox="([^"]*)" title="([^"]*)" height="(\d+)" '
    r'srcdoc="([^"]*)"></iframe>'
)


def frame(document):
    """Take a frame apart: sandbox, title, height, page."""
    (found,) = SHOWN.findall(show_document(document))
    sandbox, title, height, page = found
    return sandbox, html.unescape(title), int(height), html.unescape(page)


def test_the_frame_runs_scripts_and_may_do_nothing_else():
    document = next(read(paths()[0]))
    sandbox, title, height, page = frame(document)
    assert sandbox == "allow-scripts"
    assert title == f"Document {document.id}"
    assert 280 < height < 640
    assert page.startswith("<!DOCTYPE html>")
    assert read_asset("reader.js").strip() in page
    assert '<body class="inside one">' in page
    assert encode_reader(build_documents_reader([convert_document(document)])) in page


def test_names_and_words_are_text():
    bad = "</iframe>\"'<script>alert(1)</script>&\u2028\u202e"
    document = Document(bad, ((bad,),), (Entity(bad, (Mention(0, 0),)),))
    shown = show_document(document)
    outside = SHOWN.sub("", shown)
    assert "alert" not in outside
    _, title, _, page = frame(document)
    assert title.startswith("Document </iframe>\"'<script>")
    assert page.count("<script") == 2  # the data and the reader
    assert "alert(1)</script>" not in page


def test_a_long_document_shows_its_beginning_and_says_so():
    words = tuple(("word",) * 100 for _ in range(1000))
    mentions = tuple(Mention(at, at) for at in range(0, 100_000, 10))
    document = Document("long", words, (Entity("1", mentions),))
    *_, height, page = frame(document)
    assert height == 640
    assert MAX_TOKENS == 20_000
    assert (
        "This is the beginning: 80,000 of 100,000 tokens are left out, and 8,000 of "
        "10,000 mentions"
    ) in page
    assert len(page) < 400_000


def test_one_endless_sentence_is_cut_too():
    document = Document("long", (("word",) * 50_000,), ())
    *_, page = frame(document)
    assert "30,000 of 50,000 tokens are left out" in page


def test_a_short_document_has_a_low_frame():
    document = Document("d", (("Ann", "left"),), ())
    assert frame(document)[2] < 400


def test_what_the_resolver_found_is_its_document():
    document = next(read(paths()[0]))
    assert Resolution(document, ())._repr_html_() == show_document(document)


def test_a_report_is_its_page():
    key, careful, greedy = paths()
    report = make_report(key, {"<careful>": careful, "greedy": greedy}, samples=99)
    (found,) = SHOWN.findall(report._repr_html_())
    assert html.unescape(found[1]) == "Report on <careful>, greedy"
    page = report.to_html().replace("<body>", '<body class="inside">')
    assert html.unescape(found[3]) == page


def test_a_report_of_too_many_documents_shows_the_first():
    documents = tuple(
        ReaderDocument(f"d{number}", [["word"] * 100], (), ()) for number in range(50)
    )
    page = Page("t", (), (Reader("key", (), documents),), "corefkit")
    short = limit_reader(page, limit=10_000)
    (reader,) = short.parts
    assert 0 < len(reader.documents) < 50
    assert reader.documents == documents[: len(reader.documents)]
    assert len(encode_reader(reader)) <= 10_000
    assert f"the first {len(reader.documents)} of 50 documents" in short.intro[0].text
    assert limit_reader(page, limit=10**6) == page


def test_a_document_shows_itself():
    document = next(read(paths()[0]))
    assert document._repr_html_() == show_document(document)
