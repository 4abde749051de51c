"""What notebooks show, in a browser: fragments among other styles, pages in frames."""

from __future__ import annotations

import re

import pytest
from browser.looking import faults, shoot

import corefkit
from corefkit import Document, Entity, Mention
from corefkit.example import paths
from corefkit.report.notebook import show_document

pytestmark = pytest.mark.browser

KEY, CAREFUL, GREEDY = paths()
# What notebooks do to tables in their cells, and how they say that they are dark.
AROUND = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>n</title>
<style>
body { background: %s; color: %s; }
.cell table { table-layout: fixed; margin: 0 auto; }
.cell td, .cell th { text-align: left; padding: .5em; white-space: normal; }
.cell tbody tr:nth-child(odd) { background: #eee; }
</style></head><body data-jp-theme-light="%s"><main>
<h1>Notebook</h1><p><button id="mine">mine</button> <b>not ours</b></p>
%s</main></body></html>"""
THEMES = {"light": ("#fff", "#111", "true"), "dark": ("#111", "#eee", "false")}


def notebook(*outputs, theme="light"):
    cells = "".join(f'<div class="cell">{output}</div>' for output in outputs)
    return AROUND % (*THEMES[theme], cells)


@pytest.fixture(scope="module")
def results():
    systems = {"careful": CAREFUL, "greedy": GREEDY}
    return [
        corefkit.score(KEY, CAREFUL),
        corefkit.compare(KEY, systems, samples=99),
        corefkit.errors(KEY, systems),
        corefkit.statistics_of(corefkit.read(KEY)),
    ]


@pytest.mark.parametrize("theme", THEMES)
def test_tables_fit_into_any_theme(open_page, results, theme):
    html = notebook(*(one._repr_html_() for one in results), theme=theme)
    page = open_page(html)
    assert page.locator("table").count() >= 4
    cell = page.locator("tbody td").first
    assert cell.evaluate("e => getComputedStyle(e).textAlign") == "right"
    row = page.locator("tbody tr").first
    assert (
        row.evaluate("e => getComputedStyle(e).backgroundColor") == "rgba(0, 0, 0, 0)"
    )
    ours = cell.evaluate("e => getComputedStyle(e).color")
    assert ours == page.locator("body").evaluate("e => getComputedStyle(e).color")
    shoot(page, f"notebook-tables-{theme}")
    assert faults(page) == []


def test_the_style_touches_nothing_else(open_page, results):
    style = (
        "e => JSON.stringify(Object.fromEntries(Object.entries(getComputedStyle(e))))"
    )
    before = open_page(notebook()).locator("main > p").evaluate(style)
    page = open_page(notebook(results[0]._repr_html_()))
    assert page.locator("main > p").evaluate(style) == before


@pytest.mark.parametrize("theme", THEMES)
def test_a_document_follows_the_theme_of_the_notebook(open_page, theme):
    document = next(corefkit.read(KEY))
    html = notebook(show_document(document), theme=theme)
    page = open_page(html, color_scheme="no-override")
    inside = page.frame_locator("iframe")
    inside.locator(".token").first.wait_for()
    dark = "matchMedia('(prefers-color-scheme: dark)').matches"
    assert page.frames[1].evaluate(dark) is (theme == "dark")
    shoot(page, f"notebook-document-{theme}")


def test_a_frame_takes_no_focus_and_reaches_nothing(open_page):
    documents = list(corefkit.read(KEY))
    page = open_page(notebook(*map(show_document, documents[:2])))
    page.frame_locator("iframe").nth(1).locator(".token").first.wait_for()
    assert page.evaluate("document.activeElement.tagName") == "BODY"
    assert page.evaluate("scrollY") == 0
    for frame in page.frames[1:]:
        reached = "() => { try { return parent.document.title } catch { return null } }"
        assert frame.evaluate(reached) is None


def test_a_click_in_a_frame_shows_an_entity_and_stays_there(open_page):
    document = next(corefkit.read(KEY))
    page = open_page(notebook(show_document(document)))
    address = page.url
    inside = page.frame_locator("iframe")
    inside.locator(".entity-list button").first.click()
    shown = re.compile(r"entity 1\b.*4 mentions")
    inside.get_by_role("heading", name=shown).wait_for()
    inside.get_by_role("button", name="Let go").click()
    inside.locator(".entity-list").wait_for()
    assert page.url == address


def test_entities_without_systems_can_be_read_by_everybody(open_page):
    page = open_page(corefkit.entities_html(next(corefkit.read(KEY))))
    assert page.locator(".entity-list li").count() == 5
    assert faults(page) == []


def test_links_of_a_report_work_in_a_frame(open_page):
    systems = {"careful": CAREFUL, "greedy": GREEDY}
    report = corefkit.make_report(KEY, systems, samples=99)
    page = open_page(notebook(report._repr_html_()))
    inside = page.frame_locator("iframe")
    inside.locator("a[href^='#d=']:visible").first.click()
    inside.locator(".token").first.wait_for()


def test_hostile_words_are_text_in_a_frame(open_page):
    bad = "</iframe></script><script>alert(1)</script>&\u2028"
    document = Document(
        bad, ((bad, "x"),), (Entity(bad, (Mention(0, 0), Mention(1, 1))),)
    )
    page = open_page(notebook(show_document(document)))
    inside = page.frame_locator("iframe")
    inside.locator(".token").first.wait_for()
    assert "<script>alert(1)" in inside.locator(".token").first.inner_text()
