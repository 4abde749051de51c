"""Other pages with the reader: walk-throughs, what a resolver found, notebooks."""

from __future__ import annotations

import pytest
from browser.looking import faults, pieces, shoot, tokens
from browser.reports import CAREFUL, FIRST, KEY

import corefkit
from cistell.cli import main as run_cistell
from corefkit.cli import main
from corefkit.example import trees

pytestmark = pytest.mark.browser

EXPLAIN = ["explain", "--example", "--metric", "lea", "--format", "html", "-o"]
RESOLVE = ["resolve", str(trees()), "--system", "sieve", "--html"]
COMMANDS = {"explain": (main, EXPLAIN), "resolve": (run_cistell, RESOLVE)}


@pytest.fixture(params=COMMANDS)
def written(request, tmp_path):
    path = tmp_path / "page.html"
    run, words = COMMANDS[request.param]
    assert run([*words, str(path)]) == 0
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_with_a_reader_can_be_read(open_page, written, scheme, request):
    page = open_page(written, color_scheme=scheme)
    shoot(page, f"{request.node.callspec.params['written']}-{scheme}")
    assert faults(page) == []
    page.keyboard.press("j")
    page.wait_for_selector("[data-token]")
    assert faults(page) == []


@pytest.mark.parametrize("metric", ["muc", "b_cubed", "ceaf_e", "blanc", "lea"])
def test_links_of_a_walk_through_lead_into_the_text(open_page, tmp_path, metric):
    path = tmp_path / "page.html"
    words = ["explain", str(KEY), str(CAREFUL), "--metric", metric, "--format", "html"]
    assert main([*words, "--document", FIRST, "-o", str(path)]) == 0
    page = open_page(path)
    for name in ("k", "r", "m"):
        links = page.locator(f"main a[href*='&{name}=']")
        if links.count():
            links.first.click()
            page.wait_for_selector("[data-token]")
            assert f"&{name}=" in page.evaluate("location.hash")
    assert page.locator("main a[href*='&k=']").count()


def test_a_document_of_a_notebook_is_read_in_its_frame(open_page):
    document = next(iter(corefkit.read(KEY)))
    page = open_page(
        "<!DOCTYPE html><html lang='en'><title>notebook</title><h1>notebook</h1>"
        f"<main>{document._repr_html_()}</main>"
    )
    frame = page.frame_locator("iframe")
    frame.locator("[data-token]").first.wait_for()
    inside = page.frames[1]
    assert [word for _, word in tokens(inside)] == list(document.words)
    assert pieces(inside)
    shoot(page, "notebook")
