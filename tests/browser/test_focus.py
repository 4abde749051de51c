"""An entity in focus: what is lit, the panel with its matrix, strips, the error."""

from __future__ import annotations

import pytest
from browser.looking import faults, shoot
from shown import page_of, shown

from corefkit.report.reader_data import encode_error

pytestmark = pytest.mark.browser

# The first system divides entity 1, joins a part of it with entity 2, lacks `Rex`'s
# second mention and adds `walk`; the second is right.
WORDS = ["Ann saw Bob .", "She likes his dog Rex .", "She will walk him with Bob ."]
KEY = [[0, 4, 10], [2, 6, 15], [(6, 7), 8, 13]]
FIRST = [[0], [4, 10, 2, 6, 15], [(6, 7), 8], [12]]
SPANS = sorted({(m, m) if isinstance(m, int) else m for e in [*KEY, [12]] for m in e})


def number(first, last=None):
    return SPANS.index((first, first if last is None else last))


def confused(**more):
    divided = encode_error("divided", (number(4), number(10)), 1, "pronoun")
    return shown("d", WORDS, KEY, FIRST, KEY, errors=[[divided], []], **more)


def lit(page, side, system=""):
    chosen = f'.piece.first[data-side="{side}"][data-system="{system}"]'
    return {
        kind: set(
            page.eval_on_selector_all(
                f"{chosen}.{kind}", "all => all.map(e => Number(e.dataset.span))"
            )
        )
        for kind in ("strong", "related")
    }


def rows_of(page, table):
    return page.eval_on_selector_all(
        f".{table} tr",
        "rows => rows.map(row => [...row.cells].map(cell => cell.innerText.trim()))",
    )


def test_focus_lights_both_sides_and_what_is_confused(open_page):
    page = open_page(page_of(confused(), systems=("A", "B")), "#d=d&v=overlay&k=1")
    own = {number(0), number(4), number(10)}
    assert lit(page, "key")["strong"] == own
    response = lit(page, "response", "0")
    assert response["strong"] == own
    joined = {number(2), number(6), number(15)}
    assert response["related"] - response["strong"] == joined
    thick = "e => getComputedStyle(e).borderBottomWidth"
    first = page.locator(f'.piece[data-side="key"][data-span="{number(0)}"]')
    other = page.locator(f'.piece[data-side="key"][data-span="{number(8)}"]')
    assert first.evaluate(thick) > other.evaluate(thick)


def test_the_panel_has_the_matrix_and_aligned_mentions(open_page):
    page = open_page(page_of(confused(), systems=("A", "B")), "#d=d&v=overlay&k=1")
    assert rows_of(page, "matrix") == [["", "1", "2"], ["1", "1", "2"], ["2", "·", "3"]]
    mentions = rows_of(page, "mentions")
    assert mentions[0] == ["sentence", "key", "A", "systems"]
    she = next(row for row in mentions if row[0] == "2" and "She" in row[1])
    assert she[1].split() == ["1", "She"]
    assert she[2].split() == ["2", "same"]
    shoot(page, "focus")
    page.locator(".matrix thead button").nth(1).click()
    assert "r=2" in page.url
    assert faults(page, "#reader") == []


def test_a_strip_has_one_mark_a_system(open_page):
    page = open_page(page_of(confused(), systems=("A", "B")), "#d=d&v=overlay&k=3")
    strips = page.eval_on_selector_all(
        ".piece > .mark-strip",
        """all => all.map(strip => [
            Number(strip.parentElement.dataset.span),
            [...strip.children].map(mark => mark.className),
        ])""",
    )
    right = ["right", "right"]
    assert dict(strips) == {
        number(6, 7): right,
        number(8): right,
        number(13): ["absent", "right"],
    }


def test_an_error_is_drawn_by_one_line(open_page):
    page = open_page(
        page_of(confused(), systems=("A", "B")), "#d=d&v=overlay&e=divided%234-4"
    )
    assert page.locator("svg.mark path").count() == 1
    assert page.locator("svg.mark text").text_content() == "divided"
    marked = page.eval_on_selector_all(
        ".token.at-error", "all => all.map(e => Number(e.dataset.token))"
    )
    assert marked == [0, 4, 10]
    shoot(page, "error")
    page.keyboard.press("Escape")
    assert page.locator("svg.mark").count() == 0


def test_a_pointer_previews_and_leaves_nothing_behind(open_page):
    page = open_page(page_of(confused(), systems=("A", "B")), "#d=d&v=overlay")
    page.locator('[data-token="8"]').hover()
    page.wait_for_selector(".text.focused")
    assert number(8) in lit(page, "key")["strong"]
    page.locator(".layer-legend").hover()
    page.wait_for_selector(".text:not(.focused)")
    assert "k=" not in page.url


def test_many_singletons_are_hidden_until_they_are_asked_for(open_page):
    words = [" ".join(f"w{number}" for number in range(16))]
    alone = [[number] for number in range(2, 16)]
    # The response links 2 and 3, which are alone in the key: this is to be seen.
    document = shown("d", words, [[0, 1], *alone], [[0, 1], [2, 3], *alone[2:]])
    page = open_page(page_of(document), "#d=d&v=overlay")
    drawn = "all => [...new Set(all.map(e => Number(e.dataset.span)))]"
    assert page.eval_on_selector_all(".piece", drawn) == [0, 1, 2, 3]
    page.locator(".layer-legend input").check()
    assert len(page.eval_on_selector_all(".piece", drawn)) == 16
    page.locator(".layer-legend input").uncheck()
    page.evaluate("location.hash = 'd=d&m=9-9'")
    page.wait_for_selector('.piece[data-span="9"]')
