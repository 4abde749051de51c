"""The report, plain and as pages."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from corefkit.lab.reproduction import Outcome, reproduce
from corefkit.lab.reproduction_page import (
    make_reproduction_page,
    render_reproductions,
    render_reproductions_json,
    summarize,
)
from corefkit.papers import PAPERS, load_paper
from corefkit.tables import html, markdown
from corefkit.tables.terminal import READING_WIDTH

EMPTY_TAGS = {"meta", "br", "img"}


@pytest.fixture(scope="module")
def every():
    return [reproduce(load_paper(name)) for name in PAPERS]


@pytest.fixture(scope="module")
def luo(every):
    return every[-1]


@pytest.fixture
def spoilt(luo):
    """Give a paper with a number that differs, in a table and in a claim."""
    first, *others = luo.numbers["table-1"]
    wrong = replace(first, printed="0.123", outcome=Outcome.DIFFERS)
    finding, *findings = luo.findings
    return replace(
        luo,
        numbers={**luo.numbers, "table-1": (wrong, *others)},
        findings=(finding._replace(against=("something",)), *findings),
    )


def html_page(reproductions, *, drawings):
    return html.render_html_page(
        make_reproduction_page(reproductions, drawings=drawings)
    )


def markdown_page(reproductions, *, drawings=None):
    page = make_reproduction_page(reproductions, drawings=drawings or {})
    return markdown.render_markdown_page(page)


class Page(HTMLParser):
    """Collects what a page has, and sees that every tag is closed in its place."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.sources = [], [], [], []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if tag not in EMPTY_TAGS:
            self.open.append(tag)
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found["href"]] if "href" in found else []
        self.sources += [found["src"]] if "src" in found else []
        if tag == "img":
            assert found["alt"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


class TestPlain:
    @pytest.mark.slow
    def test_lines_fit_a_terminal(self, every):
        lines = render_reproductions(every).splitlines()
        assert [line for line in lines if len(line) > READING_WIDTH] == []

    def test_it_begins_with_the_counts(self, every):
        assert render_reproductions(every).splitlines()[:7] == [
            "28 errata: 26 checked, 2 that nothing can show",
            "61 claims recomputed: 59 hold, 2 errata, 0 differ",
            "2 claims fitted: 2 hold, 0 errata, 0 differ",
            "66 claims checked within printed tables: 59 hold, 7 errata, 0 differ",
            "292 numbers recomputed: 265 exact, 4 truncated, 12 F1 of rounded, "
            "11 errata, 0 differ",
            "18 numbers fitted: 11 exact, 1 truncated, 0 F1 of rounded, "
            "6 consistent, 0 differ",
            "277 numbers checked within printed tables: 273 consistent, 4 errata, "
            "0 differ",
        ]

    def test_rows_and_claims_say_what_they_rest_on(self, every):
        text = " ".join(render_reproductions(every).split())
        assert "346 parts (fitted)" in text
        assert "AnCora, 4 entities more (fitted), key" in text
        assert "from 40% to 80% (section 7.1 (3), Figure 2; fitted)" in text
        assert "same in all four rows (section 2, Table 1; as printed)" in text
        assert "MUC R is fitted" in text

    def test_errata_say_what_shows_them(self, every):
        text = " ".join(render_reproductions(every).split())
        assert "87.92 by the counts of section 2" in text
        assert "not checked: it is a reference" in text
        assert text.count(" checked: ") + text.count(" not checked: ") >= 28

    def test_every_table_figure_and_erratum_is_there(self, every):
        text = render_reproductions(every)
        for one in every:
            for part in (
                *one.paper.tables,
                *one.paper.figures,
                *one.paper.corpus_tables,
            ):
                assert f"{part.where}: {part.title}" in " ".join(text.split())
            for erratum in one.paper.errata:
                assert re.search(rf"^{erratum.id} ", text, re.MULTILINE)

    def test_numbers_are_marked(self, every):
        text = render_reproductions(every)
        assert re.search(r"92\.30t +92\.308$", text, re.MULTILINE)
        assert re.search(r"32\.29E +35\.294  LEA-1$", text, re.MULTILINE)
        assert re.search(r"0\.572r +0\.5714$", text, re.MULTILINE)

    def test_blanc_is_there_by_both_rules(self, every):
        text = render_reproductions(every)
        assert re.search(r"BLANC +60\.00 +60\.000\n.*rule both +- +30\.000\n", text)

    def test_what_differs_is_seen(self, spoilt):
        text = render_reproductions([spoilt])
        assert re.search(r"0\.123\? +0\.9474", text)
        assert re.search(r"^differs +B³, CEAFm", text, re.MULTILINE)
        assert re.search(r"numbers recomputed: .* 1 differs$", text, re.MULTILINE)


class TestMarkdown:
    def test_rows_of_a_table_have_as_many_cells_as_its_head(self, every):
        for table in re.findall(r"(?:^\|.*\n)+", markdown_page(every), re.M):
            counts = {len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}
            assert len(counts) == 1, table

    def test_figures_are_linked_where_they_are_drawn(self, every):
        names = [one.figure.name for paper in every for one in paper.figures]
        drawings = {name: Path(f"folder/{name}.svg") for name in names}
        drawn = markdown_page(every, drawings=drawings)
        assert len(re.findall(r"^!\[.*\]\(lea-figure-\d\.svg\)$", drawn, re.M)) == 7
        assert "![" not in markdown_page(every)

    def test_errata_are_struck_through(self, every):
        page = markdown_page(every)
        assert "~~32.29~~ LEA-1" in page
        assert "~~12~~ 11 LEA-7" in page

    def test_what_differs_is_seen(self, spoilt):
        assert "**0.123 differs**" in markdown_page([spoilt])


class TestHtml:
    def test_it_needs_nothing_beside_it(self, every, tmp_path):
        drawing = tmp_path / "a.svg"
        drawing.write_text('<svg width="120pt" height="60pt"></svg>', "utf-8")
        page = Page(html_page(every, drawings={"lea-figure-2": drawing}))
        assert [source[:26] for source in page.sources] == [
            "data:image/svg+xml;base64,"
        ]
        assert all(link.startswith("#") for link in page.links)
        assert "url(" not in html_page(every, drawings={})

    def test_links_lead_to_anchors_and_anchors_differ(self, every):
        page = Page(html_page(every, drawings={}))
        assert len(set(page.ids)) == len(page.ids)
        assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
        for one in every:
            for part in (
                *one.paper.tables,
                *one.paper.figures,
                *one.paper.corpus_tables,
            ):
                assert f"{one.paper.name}-{part.id}" in page.ids
            assert {erratum.id.lower() for erratum in one.paper.errata} <= set(page.ids)

    def test_errata_are_told_apart_without_colour(self, every):
        text = html_page(every, drawings={})
        assert '<s>32.29</s> <a class="see" href="#lea-1">LEA-1</a>' in text
        assert '<s>12</s> 11 <a class="see" href="#lea-7">LEA-7</a>' in text

    def test_every_number_is_there(self, every):
        text = Page(html_page(every, drawings={})).text
        numbers = [one for paper in every for one in paper.iter_numbers()]
        missing = [one for one in numbers if one.printed not in f"{text} undefined"]
        assert missing == []

    def test_a_paper_alone_has_its_errata_alone(self, luo):
        page = Page(html_page([luo], drawings={}))
        assert "luo-1" in page.ids
        assert "lea-1" not in page.ids

    def test_what_differs_is_seen(self, spoilt):
        text = html_page([spoilt], drawings={})
        assert '<td class="differs">0.123 differs</td>' in text
        assert '<b class="wrong">differs</b>' in text


def test_the_summary_counts_each_claim_and_number_once(every):
    totals = {"claims": 0, "numbers": 0}
    for line in [item.text for item in summarize(every).items[1:]]:
        total, *parts = map(
            int, re.findall(r"\d+(?! of rounded)", line.replace("F1", ""))
        )
        assert total == sum(parts)
        totals[line.split()[1]] += total
    findings = sum(len(one.findings) for one in every)
    numbers = sum(len(list(one.iter_numbers())) for one in every)
    assert totals == {"claims": findings, "numbers": numbers}


def test_pages_count_by_what_checks_rest_on(every):
    head, _, *rows = [
        line.split("|")[1:-1]
        for line in markdown_page(every).splitlines()
        if line.startswith("|")
    ][: len(every) + 2]
    cells = [[cell.strip() for cell in row] for row in (head, *rows)]
    assert cells[0][2:5] == ["recomputed", "fitted", "checked within printed tables"]
    for row in cells[1:]:
        assert int(row[1]) == sum(map(int, row[2:5])) == sum(map(int, row[5:]))


def test_json_has_every_number_claim_and_erratum_with_its_kind(every):
    values = json.loads(render_reproductions_json(every))
    numbers = [one for paper in values["papers"] for one in paper["numbers"]]
    claims = [one for paper in values["papers"] for one in paper["claims"]]
    for kind, counts in values["counts"].items():
        of_kind = [one for one in numbers if one["kind"] == kind]
        assert counts["numbers"] == Counter(one["outcome"] for one in of_kind)
        assert sum(counts["claims"].values()) == sum(
            one["kind"] == kind for one in claims
        )
    assert {one["kind"] for one in numbers} == {"recomputed", "fitted", "printed"}
    assert len(numbers) == 587
    for paper in values["papers"]:
        for erratum in paper["errata"]:
            assert any(erratum["checks"].values()) == (erratum["unchecked"] is None)
            assert erratum["wrong"] == []
