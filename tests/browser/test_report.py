"""The page of `corefkit report`: it opens, sorts, filters, links, and hides nothing."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from urllib.parse import parse_qs, urlencode

import pytest
from browser.looking import faults, pieces, shoot
from browser.reports import FIRST, example_page, hostile_page
from shared_files import ROOT
from shown import HOSTILE

pytestmark = pytest.mark.browser

ROWS = ".errors ol li:not([aria-hidden])"


def state(page):
    """Read the state that the address has, as one value for each name."""
    fragment = page.evaluate("location.hash").lstrip("#")
    return {name: values[0] for name, values in parse_qs(fragment).items()}


def data_of(page):
    return json.loads(page.locator("#reader-data").text_content())


def opened(page):
    """Wait for the text of a document, and say which it is."""
    page.wait_for_selector("[data-token]")
    return state(page).get("d")


@pytest.mark.parametrize("systems", [1, 2, 3])
def test_the_page_opens_with_the_summary_first(open_page, systems):
    page = open_page(example_page(systems))
    assert page.locator("h1").count() == 1
    assert page.locator("#reader").count() == 1
    heading = page.locator("h2").first.bounding_box()
    assert heading["y"] < page.locator("#reader").bounding_box()["y"]
    for name in ["careful", "greedy", "perfect"][:systems]:
        assert name in page.inner_text("header, main")


def test_each_link_of_the_page_leads_somewhere(open_page):
    page = open_page(example_page(2))
    links = page.eval_on_selector_all(
        "a[href]", "all => all.map(e => e.getAttribute('href'))"
    )
    assert len(links) > 10
    ids = {document["id"] for document in data_of(page)["documents"]}
    for link in links:
        assert link.startswith("#")
        found = parse_qs(link.lstrip("#"))
        if "d" in found:
            assert found["d"][0] in ids
        else:
            assert page.locator(f"[id='{link.lstrip('#')}']").count() == 1


def test_links_of_the_summary_open_documents(open_page):
    page = open_page(example_page(2))
    links = page.eval_on_selector_all(
        "a[href*='d=']",
        """all => all.filter(e => !e.closest('#reader'))
            .map(e => e.getAttribute('href'))""",
    )
    assert len(links) >= 4
    for link in links:
        page.locator(f'a[href="{link}"]').first.click()
        opened(page)
        page.go_back()


def column(table, number):
    cells = table.locator("tbody tr:not([aria-hidden])").evaluate_all(
        "(rows, n) => rows.map(row => row.cells[n].innerText.trim())", number
    )
    return [cell.replace(",", "") for cell in cells if cell]


def numbers(cells):
    return [float(re.sub(r"[^\d.+-]", "", cell)) for cell in cells]


def test_tables_of_the_summary_are_sorted_by_their_heads(open_page):
    page = open_page(example_page(6))
    table = page.locator("table[data-sortable]").first
    head = table.locator("thead tr").last.locator("th")
    place = head.count() - 1
    orders = {}
    for _ in range(2):
        head.nth(place).get_by_role("button").focus()
        page.keyboard.press("Enter")
        order = head.nth(place).get_attribute("aria-sort")
        orders[order] = column(table, place)
    shoot(page, "six-systems")
    values = numbers(orders["ascending"])
    assert len(values) == 6
    assert values == sorted(values)
    assert numbers(orders["descending"]) == sorted(values, reverse=True)


def test_the_table_of_documents_is_sorted_by_its_heads(open_page):
    page = open_page(example_page(2))
    table = page.locator("#reader table").first
    before = column(table, 0)
    assert len(before) == 4
    head = table.locator("thead tr").last.locator("th")
    place = head.all_inner_texts().index(
        next(text for text in head.all_inner_texts() if "Tokens" in text)
    )
    orders = {}
    for _ in range(2):
        head.nth(place).get_by_role("button").click()
        order = head.nth(place).get_attribute("aria-sort")
        orders[order] = numbers(column(table, place))
    assert orders["ascending"] == sorted(orders["ascending"])
    assert orders["descending"] == sorted(orders["descending"], reverse=True)
    assert sorted(column(table, 0)) == sorted(before)


def errors_of(page):
    """Count the errors in the data, of each system: kinds, then links."""
    counts = {}
    data = data_of(page)
    for document in data["documents"]:
        for system, response in enumerate(document.get("responses", ())):
            kinds, links = counts.get(system, (0, 0))
            kinds += len(response.get("errors", ()))
            counts[system] = kinds, links + len(response.get("links", ()))
    return counts


def listed(page):
    """Read how many errors the list says that it has."""
    text = page.locator(".errors h3").inner_text()
    return int(re.match(r"[\d,]+", text)[0].replace(",", ""))


def test_filters_count_what_they_list(open_page):
    page = open_page(example_page(1))
    kinds, links = errors_of(page)[0]
    assert listed(page) == kinds
    chips = page.locator(".errors [aria-pressed]").all()
    assert chips
    page.get_by_role("button", name="Links", exact=True).click()
    assert listed(page) == links
    page.get_by_role("button", name="Both", exact=True).click()
    assert listed(page) == kinds + links
    assert page.locator(ROWS).count() == kinds + links


def test_a_kind_can_be_chosen(open_page):
    page = open_page(example_page(1))
    chip = page.get_by_role("button", name=re.compile("^Divided"))
    count = int(re.search(r"\d+", chip.inner_text())[0])
    assert 0 < count < listed(page)
    chip.click()
    assert listed(page) == count
    texts = page.locator(ROWS).all_inner_texts()
    assert len(texts) == count
    assert all(text.startswith("Divided") for text in texts)


def test_the_keyboard_alone_reaches_every_error(open_page):
    page = open_page(example_page(2))
    page.get_by_role("button", name="Both", exact=True).focus()
    page.keyboard.press("Enter")
    kinds, links = errors_of(page)[0]
    total = listed(page)
    assert total == kinds + links
    found = []
    for _ in range(total + 3):
        page.keyboard.press("n")
        found.append(error_of(page))
    assert len(set(found)) == total
    page.keyboard.press("p")
    assert error_of(page) == found[total - 2]


def error_of(page):
    """Return the document, the system and the id of the error shown."""
    now = state(page)
    first = now.get("s", "1").partition(",")[0]
    return now["d"], now.get("by", first), now["e"]


def test_errors_of_both_systems_are_listed_once_and_columns_stay(open_page):
    page = open_page(example_page(3))
    page.keyboard.press("2")
    counts = errors_of(page)
    total = listed(page)
    assert max(counts[0][0], counts[1][0]) < total < counts[0][0] + counts[1][0]
    found = set()
    for _ in range(total):
        page.keyboard.press("n")
        found.add(error_of(page))
        assert state(page)["s"] == "1,2"
    assert len(found) == total
    assert {system for _, system, _ in found} == {"1", "2"}


def test_documents_are_reached_by_keys(open_page):
    page = open_page(example_page(2))
    ids = [document["id"] for document in data_of(page)["documents"]]
    seen = []
    for _ in ids:
        page.keyboard.press("j")
        seen.append(opened(page))
    assert seen == ids
    page.keyboard.press("k")
    assert opened(page) == ids[-2]


def test_a_link_opens_what_it_names_and_back_leads_back(open_page):
    page = open_page(example_page(2))
    page.keyboard.press("n")
    first = page.url
    page.keyboard.press("n")
    second = page.url
    assert first != second
    page.go_back()
    assert page.url == first
    assert state(page)["e"] in page.url.replace("%23", "#")
    page.go_forward()
    assert page.url == second
    fresh = open_page(example_page(2), "#" + second.partition("#")[2])
    assert state(fresh) == state(page)
    assert (
        fresh.locator(".errors .card").inner_text()
        == page.locator(".errors .card").inner_text()
    )


def test_back_leads_from_a_document_to_the_summary(open_page):
    page = open_page(example_page(2))
    page.keyboard.press("j")
    opened(page)
    page.go_back()
    assert state(page) == {}
    page.wait_for_selector("[data-token]", state="detached")


def test_an_unknown_document_is_told(open_page):
    page = open_page(example_page(2), "#d=nowhere")
    page.wait_for_selector("text=nowhere")


def test_a_click_pins_an_entity_on_both_sides(open_page):
    page = open_page(example_page(2), "#" + urlencode({"d": FIRST}))
    mention = page.locator('[data-token]:has([data-side="key"][data-entity="2"])').first
    mention.click()
    assert state(page)["k"] == "2"
    pressed = page.locator('[aria-pressed="true"][data-side="key"]')
    assert set(pressed.evaluate_all("all => all.map(e => e.dataset.entity)")) == {"2"}
    shoot(page, "pinned")
    page.keyboard.press("Escape")
    assert "k" not in state(page)
    assert page.locator('[data-span][aria-pressed="true"]').count() == 0


def test_arrow_keys_and_enter_pin_an_entity(open_page):
    page = open_page(example_page(2), "#" + urlencode({"d": FIRST}))
    opened(page)
    page.locator('[data-span][tabindex="0"]').first.focus()
    seen = set()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        here = page.evaluate("({...document.activeElement.dataset})")
        seen.add((here["span"], here["side"]))
    assert len(seen) == 4
    page.keyboard.press("Enter")
    side = "k" if here["side"] == "key" else "r"
    assert state(page)[side] == here["entity"]
    label = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert "entity" in label


@pytest.mark.parametrize("view", ["text", "overlay"])
def test_every_mention_is_reached_by_arrow_keys(open_page, view):
    page = open_page(example_page(1), "#" + urlencode({"d": FIRST, "v": view}))
    drawn = {(n, "key") for n in pieces(page)} | {
        (n, "response") for n in pieces(page, "response")
    }
    page.locator('[data-span][tabindex="0"]').first.focus()
    page.keyboard.press("Home")
    seen = set()
    for _ in range(len(drawn) + 1):
        here = page.evaluate("({...document.activeElement.dataset})")
        seen.add((int(here["span"]), here["side"]))
        page.keyboard.press("ArrowRight")
    assert seen == drawn


def test_search_finds_words_of_all_documents(open_page):
    page = open_page(example_page(2))
    page.keyboard.press("/")
    page.keyboard.type("lighthouse")
    link = page.locator("#reader a[href*='lighthouse']").first
    link.wait_for()
    link.focus()
    page.keyboard.press("Enter")
    assert "lighthouse" in opened(page)


def test_help_lists_the_keys(open_page):
    page = open_page(example_page(2))
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    assert page.get_by_role("dialog").count() == 0


def test_letters_in_a_field_are_letters(open_page):
    page = open_page(example_page(2))
    page.keyboard.press("/")
    page.keyboard.type("njk")
    assert state(page) == {}


def test_two_columns_show_the_same_text(open_page):
    page = open_page(example_page(2), "#" + urlencode({"d": FIRST, "v": "beside"}))
    opened(page)
    texts = page.eval_on_selector_all(
        "[data-token]", "all => all.map(e => e.dataset.token)"
    )
    assert sorted(texts, key=int) == [n for n in sorted(texts, key=int)]
    assert len(texts) == 2 * len(set(texts))
    shoot(page, "beside")


def test_files_that_hold_markup_show_as_text(open_page, tmp_path):
    page = open_page(hostile_page(tmp_path))
    for id in HOSTILE:
        page.evaluate("id => { location.hash = new URLSearchParams({d: id}) }", id)
        page.wait_for_function(
            "id => new URLSearchParams(location.hash.slice(1)).get('d') === id", arg=id
        )
        opened(page)
        page.keyboard.press("n")
    assert page.locator("img, b:text('key&amp;')").count() == 0
    text = page.inner_text("body")
    assert "<script>alert(1)</script>" in text
    assert "<img src=x onerror=alert(3)>" in text
    assert not re.search("[\u202e\u2028\x1b]", text)
    shoot(page, "hostile-report")


@pytest.mark.parametrize(
    ("systems", "scheme"), [(3, "light"), (3, "dark"), (1, "light")]
)
def test_nobody_is_kept_out(open_page, scheme, systems):
    page = open_page(example_page(systems), color_scheme=scheme)
    shoot(page, f"summary-{systems}-{scheme}")
    assert faults(page) == []
    page.keyboard.press("n")
    page.keyboard.press("n")
    opened(page)
    shoot(page, f"reader-{systems}-{scheme}", whole=False)
    assert faults(page, "#reader") == []
    page.locator('[data-token]:has([data-side="key"][data-entity="1"])').first.click()
    assert faults(page, "#reader") == []


def test_print_keeps_the_layers_and_drops_the_tools(open_page):
    page = open_page(example_page(2), "#" + urlencode({"d": FIRST}))
    opened(page)
    page.emulate_media(media="print")
    assert page.locator("[data-token]").first.is_visible()
    assert not page.locator("#reader input[type=search]").is_visible()
    assert not page.locator(".errors").is_visible()
    shoot(page, "print")


def test_the_page_fits_a_narrow_screen(open_page):
    page = open_page(example_page(2), "#" + urlencode({"d": FIRST}))
    page.set_viewport_size({"width": 390, "height": 800})
    opened(page)
    shoot(page, "narrow")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390


def test_the_first_key_leads_to_the_texts(open_page):
    page = open_page(example_page(2))
    page.keyboard.press("Tab")
    skip = page.locator(":focus")
    assert skip.inner_text() == "Skip to the texts"
    assert skip.bounding_box()["y"] >= 0
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.locator("section:has(#reader) :focus").count() == 1


def test_a_button_that_does_nothing_now_keeps_the_focus(open_page):
    page = open_page(example_page(2))
    previous = page.get_by_role("button", name="Previous document")
    previous.focus()
    page.keyboard.press("n")
    opened(page)
    assert previous.get_attribute("aria-disabled") == "true"
    assert previous.evaluate("one => one === document.activeElement")
    page.keyboard.press("Enter")
    assert page.inner_text("[role=status]") == "This is the first document."


def test_the_text_says_that_each_side_has_its_own_numbers(open_page):
    page = open_page(example_page(2))
    page.keyboard.press("n")
    opened(page)
    assert "one colour: one entity" in page.inner_text(".layer-legend")
    page.get_by_role("button", name="Detail").click()
    assert "1 above need not be 1 below" in page.inner_text(".layer-legend")


def test_an_error_hides_no_number_and_its_row_is_seen(open_page):
    page = open_page(example_page(2))
    page.set_viewport_size({"width": 1280, "height": 700})
    link = page.get_by_role("link", name="Show it in the text").last
    link.click()
    opened(page)
    row = page.locator(".errors [aria-current]").bounding_box()
    seen = page.locator(".errors .scroller").bounding_box()
    assert row["y"] + row["height"] <= seen["y"] + seen["height"] + 1
    assert page.locator(".token.at-error").count() > 0
    page.get_by_role("button", name="Detail").click()
    assert page.locator("svg.mark circle").count() == 2


@pytest.mark.slow
def test_the_benchmark_of_pages_runs(chromium, tmp_path):
    assert chromium
    path = tmp_path / "report.html"
    path.write_text(example_page(2), "utf-8")
    script = ROOT / "benchmarks" / "bench_browser.py"
    command = [sys.executable, str(script), str(path), "--rounds", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert "first-paint" in done.stdout
    assert "processor" in done.stdout
