"""A section of the report page takes a function and three types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reports import example_report

from corefkit.report import report_page
from corefkit.report.report_page import Section, build_report_page
from corefkit.tables.html import render_html_page
from corefkit.tables.model import Heading, Table, make_columns, make_rows

if TYPE_CHECKING:
    from corefkit.report.assembly import Report


def build_sizes(report: Report) -> Section:
    rows = [
        [system.name, f"{system.errors.key_mentions:,}"] for system in report.ranked
    ]
    table = Table(make_columns(["System", "Mentions"]), make_rows(rows))
    return Section("Sizes", "sizes", [table])


def test_section_is_on_the_page_and_in_its_navigation(monkeypatch):
    sections = (*report_page.SECTIONS, build_sizes, lambda _: None)
    monkeypatch.setattr(report_page, "SECTIONS", sections)
    page = build_report_page(example_report())
    assert page.parts[-2] == Heading(2, "Sizes", "sizes")
    assert [row[0].text for row in page.parts[-1].rows] == ["careful", "greedy"]
    html = render_html_page(page)
    assert '<a href="#sizes">Sizes</a>' in html


def test_systems_are_in_the_order_and_with_the_names_of_the_page():
    report = example_report(baseline="careful.conll")
    assert report.systems == ("careful.conll", "greedy.conll")
    assert [system.name for system in report.ranked] == ["greedy", "careful"]
    assert [system.number for system in report.ranked] == [1, 0]
    for system in report.ranked:
        assert system.errors is report.analysis.systems[system.number]
