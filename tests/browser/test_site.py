"""The documentation site in a browser: pages in both colours and on a phone, search.

A page that reports an error, or asks for anything outside of the site, fails.
"""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from browser.looking import faults, shoot
from site_builder import GROUP, built

pytestmark = [pytest.mark.browser, pytest.mark.slow, GROUP]

PAGES = ["", "start/researcher/", "metrics/", "gallery/", "reference/scoring/"]
PHONE = {"width": 390, "height": 844}


class Quiet(SimpleHTTPRequestHandler):
    """A server that does not print what it is asked for."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address():
    """Serve the site under the path that it is published under."""
    folder, _ = built()
    server = ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(Quiet, directory=str(folder.parent))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/corefkit/"
    server.shutdown()
    server.server_close()


def name(page):
    return f"site-{page.strip('/').replace('/', '-') or 'front'}"


def too_wide(page):
    """Say by how much a page is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - window.innerWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_pages_can_be_read_in_both_colours(open_page, address, path, scheme):
    page = open_page(address + path, color_scheme=scheme)
    used = page.evaluate("document.body.dataset.mdColorScheme")
    assert used == {"light": "default", "dark": "slate"}[scheme]
    assert too_wide(page) <= 0
    shoot(page, f"{name(path)}-{scheme}", whole=False)
    assert faults(page, ".md-content article") == []


@pytest.mark.parametrize("path", [*PAGES, "cli/", "lab/figures/", "compare/"])
def test_pages_fit_on_a_phone(open_page, address, path):
    page = open_page(address + path)
    page.set_viewport_size(PHONE)
    assert too_wide(page) <= 0
    shoot(page, f"{name(path)}-phone", whole=False)


def found(page, query):
    """Search, and list the titles of what is found."""
    page.click("label.md-search__icon[for=__search], .md-search__input")
    page.keyboard.type(query)
    page.wait_for_selector(".md-search-result__item")
    return page.locator(".md-search-result__item h1").all_inner_texts()


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("B³", "Metrics"),
        ("lea", "Metrics"),
        ("b_cubed", "Metrics"),
        ("φ4", "Metrics"),
        ("signature", "Conventions"),
    ],
)
def test_search_finds_metrics_by_label_and_by_name(open_page, address, query, title):
    page = open_page(address)
    titles = found(page, query)
    assert title in titles[:5]
    shoot(page, f"site-search-{query}", whole=False)


def test_colours_can_be_chosen_and_are_kept(open_page, address):
    page = open_page(address, color_scheme="light")
    for _ in range(2):
        page.locator(".md-header__option label:visible").click()
    assert page.evaluate("document.body.dataset.mdColorScheme") == "slate"
    page.goto(f"{address}metrics/")
    assert page.evaluate("document.body.dataset.mdColorScheme") == "slate"


def test_a_lost_page_leads_on(open_page, address):
    page = open_page(f"{address}404.html")
    assert page.locator("article h1").inner_text() == "There is no such page"
    page.get_by_role("link", name="All pages of this version").click()
    assert page.locator("article h1").inner_text().startswith("corefkit")
