"""The page of a walk-through: a click on a term shows in the text where it is from."""

from __future__ import annotations

import pytest
from browser.looking import faults, shoot

import corefkit
from corefkit.example import paths

pytestmark = pytest.mark.browser

KEY, CAREFUL, GREEDY = paths()
HOSTILE = "<script>alert(1)</script>&amp;\u2028\u202e\x1b[2J"


def explained(*sides, **options):
    return corefkit.explain(*sides, as_html=True, **options)


def link(page, text):
    return page.locator(".walk").get_by_role("link", name=text, exact=True).first


@pytest.fixture
def lamps(open_page):
    return open_page(explained(KEY, GREEDY, metric="lea", document="lamps"))


def test_entity_of_the_steps_is_put_in_focus_in_the_text(lamps):
    link(lamps, "R2").click()
    assert "&r=2" in lamps.url
    panel = lamps.locator("#reader .panel-home")
    panel.get_by_text("entity", exact=False).first.wait_for()
    for word in ("Tuesday", "2009", "June", "next year"):
        assert word in panel.inner_text()
    link(lamps, "K1").click()
    lamps.wait_for_function(
        "document.querySelector('.panel-home').innerText.includes('key')"
    )
    lamps.go_back()
    assert "&r=2" in lamps.url


def test_steps_stay_where_they_are_while_the_text_moves(lamps):
    term = lamps.locator(".equation a").last
    term.scroll_into_view_if_needed()
    before = lamps.evaluate("scrollY")
    term.click()
    lamps.wait_for_timeout(100)
    assert lamps.evaluate("scrollY") == before > 0
    assert term.is_visible()
    assert lamps.locator("#reader .title").is_visible()


def test_mention_of_the_steps_is_shown_with_its_words(lamps):
    link(lamps, "m2").click()
    assert "&m=7-7" in lamps.url
    token = lamps.locator('#reader .token[data-token="7"]')
    assert token.inner_text() == "Tuesday"
    assert token.is_visible()


def test_no_word_of_errors_that_were_not_looked_for(open_page):
    page = open_page(explained(KEY, GREEDY, metric="muc"))
    assert page.locator("#reader .errors").count() == 0
    assert "rrors" not in page.locator("#reader").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("metric", ["conll", "b_cubed_sys"])
def test_everybody_can_read_the_page(open_page, metric, scheme):
    text = explained(KEY, CAREFUL, metric=metric, document="bridge")
    page = open_page(text, color_scheme=scheme)
    shoot(page, f"explain-{metric}-{scheme}")
    assert faults(page) == []


def test_small_screen_has_the_text_above_the_steps(lamps):
    lamps.set_viewport_size({"width": 480, "height": 800})
    term = lamps.locator(".equation a").last
    term.scroll_into_view_if_needed()
    term.click()
    shoot(lamps, "explain-small")
    assert lamps.evaluate("document.documentElement.scrollWidth") <= 480
    reader = lamps.locator("section:has(> #reader)").bounding_box()
    # Both can be seen at once, none over the other.
    assert 0 <= reader["y"] < reader["y"] + reader["height"] <= term.bounding_box()["y"]


@pytest.mark.parametrize(
    "sides",
    [
        (["abc", "defg"], ["ab", "cd", "fghi"]),
        ([[(0, 1), (3, 3)]], [[(0, 1), (5, 6)]]),
        ({HOSTILE: [[HOSTILE, "a"], ["b"]]}, {HOSTILE: [[HOSTILE, "b"]]}),
    ],
    ids=["letters", "spans", "hostile"],
)
def test_partitions_are_shown_and_linked(open_page, sides):
    page = open_page(explained(*sides, metric="lea"))
    link(page, "K1").click()
    panel = page.locator("#reader .panel-home")
    panel.get_by_text("key entity", exact=False).first.wait_for()
    assert page.locator("#reader .token").count() > 0
    assert page.locator("script").count() == 2
