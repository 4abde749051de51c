"""The documentation site in a browser: both colours, a phone, paper, search, versions.

A page that reports an error, or asks for anything outside of the site, fails.
"""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest
from browser.looking import faults, shoot
from site_builder import GROUP, built, git, published

pytestmark = [pytest.mark.browser, pytest.mark.slow, GROUP]

PAGES = ["", "tutorial/", "metrics/", "report/", "reference/api/"]
MORE = ["cli/", "lab/", "compare/", "formats/", "404.html"]
PHONE = {"width": 390, "height": 844}


class Quiet(SimpleHTTPRequestHandler):
    """A server that does not print what it is asked for."""

    def log_message(self, *_):
        pass


@contextmanager
def served(folder):
    """Serve a folder, under the path that the site is published under."""
    server = ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(Quiet, directory=str(folder.parent))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/{folder.name}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def address():
    folder, _ = built()
    with served(folder) as address:
        yield address


def name(page):
    return f"site-{page.strip('/').replace('/', '-') or 'front'}"


def too_wide(page):
    """Say by how much a page is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - window.innerWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", [*PAGES, *MORE])
def test_pages_can_be_read_in_both_colours(open_page, address, path, scheme):
    page = open_page(address + path, color_scheme=scheme)
    used = page.evaluate("document.body.dataset.mdColorScheme")
    assert used == {"light": "default", "dark": "slate"}[scheme]
    assert too_wide(page) <= 0
    shoot(page, f"{name(path)}-{scheme}", whole=False)
    assert faults(page) == []


@pytest.mark.parametrize("path", [*PAGES, *MORE])
def test_pages_fit_on_a_phone(open_page, address, path):
    page = open_page(address + path)
    page.set_viewport_size(PHONE)
    assert too_wide(page) <= 0
    shoot(page, f"{name(path)}-phone", whole=False)


def test_frames_of_the_gallery_do_not_scroll_it(open_page, address):
    page = open_page(f"{address}report/")
    frame = page.locator("iframe[src*='#d=']").content_frame
    frame.locator(".token").first.wait_for()
    page.wait_for_timeout(300)
    assert page.evaluate("window.scrollY") == 0


def found(page, query):
    """Search, and list the pages that have what is found."""
    page.keyboard.press("/")
    page.keyboard.type(query)
    # Characters that are on no key come without its going up, which the search awaits.
    page.keyboard.press("Shift")
    page.wait_for_selector(".md-search-result__item")
    page.wait_for_timeout(300)
    links = page.locator(".md-search-result__item > a")
    hits = [urlsplit(link.get_attribute("href")).path for link in links.all()]
    return list(dict.fromkeys(hit.partition("/corefkit/")[2] for hit in hits))


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("B³", "metrics/"),
        ("B3", "metrics/"),
        ("b_cubed", "metrics/"),
        ("φ4", "metrics/"),
        ("lea", "metrics/"),
        ("signature", "conventions/"),
        ("singletons", "conventions/"),
        ("repeated mentions", "conventions/"),
        ("head matching", "matching/"),
        ("split antecedents", "matching/"),
        ("--match", "matching/"),
        ("jsonl", "formats/conll/"),
        ("scorer.pl", "moving/"),
        ("scorch", "moving/"),
        ("install", "install/"),
        ("hugging face", "integrations/huggingface/"),
        ("torchmetrics", "integrations/huggingface/"),
        ("spacy", "integrations/"),
        ("pre-commit", "integrations/github-actions/"),
        ("significance", "compare/"),
        ("training loop", "training-loops/"),
        ("raw text", "cistell/"),
        ("SettingsError", "reference/api/"),
        ("score_responses", "reference/api/"),
    ],
)
def test_what_users_type_is_found_first(open_page, address, query, first):
    page = open_page(address)
    assert found(page, query)[0] == first


@pytest.mark.parametrize("query", ["b-cubed", "ceafe"])
def test_metrics_are_found_beside_questions_about_them(open_page, address, query):
    page = open_page(address)
    assert set(found(page, query)[:2]) == {"faq/", "metrics/"}


def test_search_needs_no_mouse(open_page, address):
    page = open_page(address)
    assert found(page, "Krippendorff")
    shoot(page, "site-search", whole=False)
    page.keyboard.press("Enter")
    page.wait_for_url("**/metrics/**")


def test_buttons_copy_what_was_typed(open_page, address):
    permissions = ["clipboard-read", "clipboard-write"]
    page = open_page(f"{address}tutorial/", permissions=permissions)
    buttons = page.locator(".language-console .md-code__button")

    def copy(number):
        buttons.nth(number).click()
        page.wait_for_selector(".md-dialog--active")
        return page.evaluate("navigator.clipboard.readText()")

    # The file that `cat` shows, and the command without its output.
    assert json.loads(copy(0))["doc_key"] == "mill"
    assert copy(3) == "corefkit score key.jsonl careful.jsonl greedy.jsonl"


def test_frames_have_the_colours_of_the_site(open_page, address):
    # Those of the system, which an emulated choice would force on frames too.
    page = open_page(f"{address}report/", color_scheme="null")
    frame = page.locator("article iframe").first
    frame.scroll_into_view_if_needed()
    dark = "matchMedia('(prefers-color-scheme: dark)').matches"
    for _ in range(3):
        inside = frame.element_handle().content_frame()
        is_dark = page.evaluate("document.body.dataset.mdColorScheme") == "slate"
        assert inside.evaluate(dark) == is_dark
        page.locator(".md-header__option label:visible").click()


def test_paper_has_the_text_alone(open_page, address):
    page = open_page(f"{address}report/")
    page.emulate_media(media="print")
    assert page.locator("article h1").is_visible()
    for part in (".md-header", ".md-sidebar", ".md-footer", "article iframe"):
        assert not page.locator(part).first.is_visible()


def test_versions_can_be_chosen(open_page, tmp_path):
    project = published(tmp_path / "project", "0.1", "0.2")
    folder = tmp_path / "corefkit"
    git(project, "worktree", "add", folder, "gh-pages")
    with served(folder) as address:
        page = open_page(address)
        page.wait_for_url("**/latest/")
        page.locator(".md-version").hover()
        page.get_by_role("link", name="0.1", exact=True).click()
        page.wait_for_url("**/0.1/")
        note = page.get_by_text("This is an older version.")
        note.wait_for()
        shoot(page, "site-version", whole=False)


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
