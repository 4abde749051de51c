"""The open document: tokens, and its mentions in slots."""

from __future__ import annotations

from itertools import pairwise

import pytest
from browser.looking import pieces, shoot, tokens
from shown import HOSTILE, NESTED, SLOTS, page_of, shown

pytestmark = pytest.mark.browser

NUMBERS = sorted(SLOTS, key=lambda span: (span[0][0], span[-1][1], span))


def nested(**more):
    """Make a document whose key has an entity for each mention, twice over."""
    again = [
        tuple((first + len(NESTED), last + len(NESTED)) for first, last in span)
        for span in NUMBERS
    ]
    entities = [[span, other] for span, other in zip(NUMBERS, again, strict=True)]
    return shown("nested", [NESTED, NESTED], entities, entities, **more)


@pytest.mark.parametrize("side", ["key", "response"])
def test_slots_of_nested_crossing_and_broken_mentions(open_page, side):
    page = open_page(page_of(nested()), "#d=nested&v=overlay")
    expected = {
        number + line * len(NUMBERS): {(SLOTS[span], number + 1)}
        for line in range(2)
        for number, span in enumerate(NUMBERS)
    }
    assert pieces(page, side) == expected
    shoot(page, "nested")


def test_slots_stay_when_lines_wrap(open_page):
    page = open_page(page_of(nested()), "#d=nested&v=overlay")
    wide = pieces(page)
    page.set_viewport_size({"width": 320, "height": 600})
    lines = page.eval_on_selector_all(
        "[data-token]",
        "all => new Set(all.map(e => e.getBoundingClientRect().top)).size",
    )
    assert lines > 2
    assert pieces(page) == wide
    shoot(page, "nested-narrow")


def test_pieces_of_a_slot_stand_at_one_height_and_none_on_another(open_page):
    """Where a browser draws them, and not what the attributes say."""
    page = open_page(page_of(nested()), "#d=nested&v=overlay")
    drawn = page.eval_on_selector_all(
        "[data-span][data-slot]",
        """all => all.map(e => {
            const box = e.getBoundingClientRect();
            const token = e.closest('[data-token]').getBoundingClientRect();
            return [e.dataset.side, Number(e.dataset.slot), box.bottom - token.top];
        })""",
    )
    heights = {}
    for side, slot, height in drawn:
        heights.setdefault((side, slot), set()).add(round(height))
    assert all(len(found) == 1 for found in heights.values())
    assert len({next(iter(found)) for found in heights.values()}) == len(heights)
    key = [next(iter(heights["key", slot])) for slot in range(5)]
    assert key == sorted(key)  # deeper ones further below the text
    above = [next(iter(heights["response", slot])) for slot in range(5)]
    assert above == sorted(above, reverse=True)
    assert above[0] < key[0]


def test_a_gap_is_drawn_as_one(open_page):
    page = open_page(page_of(nested()), "#d=nested&v=overlay")
    broken = NUMBERS.index(((10, 12), (14, 15)))
    drawn = page.eval_on_selector_all(
        f'[data-side="key"][data-span="{broken}"]',
        """all => all.map(e => [
            Number(e.closest('[data-token]').dataset.token),
            getComputedStyle(e).borderBottomStyle,
        ])""",
    )
    styles = dict(drawn)
    assert sorted(styles) == [10, 11, 12, 13, 14, 15]
    assert styles[13] == "dashed"
    assert styles[12] == styles[14] != "dashed"


def test_hostile_text_shows_as_text(open_page):
    words = [*HOSTILE, "end"]
    hostile = "".join(HOSTILE)
    document = shown(
        hostile, [words], [[0, 1], [(2, 4)]], [[0, 1], [5, 6]], [[3]], [[7]]
    )
    page = open_page(
        page_of(document, shown("b", ["c"], [[0]], [], [], []), systems=HOSTILE[:3])
    )
    assert page.locator("img[src=x]").count() == 0
    page.evaluate(
        "id => { location.hash = new URLSearchParams({d: id}).toString() }", hostile
    )
    page.wait_for_selector("[data-token]")
    found = tokens(page)
    assert [number for number, _ in found] == [*range(len(words))]
    # A character that nobody sees may be written out; the others are as they were.
    for (_, text), word in zip(found, words, strict=True):
        assert readable(text) == readable(word)
    assert page.evaluate("document.title") == "Report"
    shoot(page, "hostile")


def readable(text):
    """Write invisible characters out, as pages in Python do."""
    return "".join(
        letter
        if letter.isprintable()
        else letter.encode("unicode_escape").decode("ascii")
        for letter in text
    )


def test_a_mark_that_turns_text_turns_no_other_word(open_page):
    words = ["one", "\u202etwo", "three", "four"]
    page = open_page(page_of(shown("d", [words], [[0, 1]], [[0, 1]])), "#d=d&v=overlay")
    left = page.eval_on_selector_all(
        "[data-token]", "all => all.map(e => e.getBoundingClientRect().left)"
    )
    assert left == sorted(left)


def test_sentences_have_the_direction_of_their_words(open_page):
    document = shown(
        "d",
        ["שלום לכולם היום", "Hello to all", "مرحبا بكم جميعا"],
        [[0, (3, 5)], [(6, 7)]],
        [[(0, 1)], [(6, 7), 3]],
    )
    page = open_page(page_of(document), "#d=d&v=overlay")
    directions = page.eval_on_selector_all(
        "[data-token]", "all => all.map(e => getComputedStyle(e).direction)"
    )
    assert directions == ["rtl"] * 3 + ["ltr"] * 3 + ["rtl"] * 3
    left = page.eval_on_selector_all(
        "[data-token]", "all => all.map(e => e.getBoundingClientRect().left)"
    )
    assert left[:3] == sorted(left[:3], reverse=True)
    assert left[3:6] == sorted(left[3:6])
    shoot(page, "right-to-left")


def test_empty_nodes_are_seen(open_page):
    document = shown(
        "d", ["_ Vino ayer .", "_ Come pan ."], [[0, 4]], [[0]], empty=[0, 4]
    )
    page = open_page(page_of(document), "#d=d&v=overlay")
    boxes = page.eval_on_selector_all(
        "[data-token]", "all => all.map(e => e.getBoundingClientRect().width)"
    )
    assert boxes[0] > 3
    assert set(pieces(page)) == {0, 1}
    shoot(page, "empty-nodes")


def test_a_page_of_one_side_has_no_other(open_page):
    page = open_page(page_of(shown("d", ["Ann saw her ."], [[0, 2]])), "#d=d&v=overlay")
    assert set(pieces(page)) == {0, 1}
    assert pieces(page, "response") == {}


def test_a_document_without_mentions_opens(open_page):
    page = open_page(page_of(shown("d", ["Nobody ."], [], [])), "#d=d&v=overlay")
    assert tokens(page) == [[0, "Nobody"], [1, "."]]
    assert pieces(page) == {}


def test_two_systems_at_most_are_drawn(open_page):
    sides = [[[0, 2]], [[0], [2]], [[0, 3]]]
    document = shown("d", ["Ann saw her mother ."], [[0, 2], [3]], *sides)
    page = open_page(page_of(document, systems="ABC"), "#d=d&v=overlay&s=1,3")
    assert set(pieces(page, "response", 0)) == {0, 1}
    assert pieces(page, "response", 1) == {}
    assert set(pieces(page, "response", 2)) == {0, 2}
    shoot(page, "two-systems")


def test_running_text_has_one_line_for_a_line_of_text(open_page):
    """At the width of a phone, as at any other."""
    words = ["Ana said that the old violin of her brother was hers , was it ?"] * 3
    document = shown("d", words, [[0, (7, 8), 13], [(3, 8), 11]], [[0, 13], [(3, 8)]])
    page = open_page(page_of(document), "#d=d")
    page.set_viewport_size({"width": 390, "height": 800})
    boxes = page.eval_on_selector_all(
        "[data-token]",
        "all => all.map(e => [e.getBoundingClientRect().top, e.offsetHeight])",
    )
    tops = sorted({round(top) for top, _ in boxes})
    assert len(tops) > 3
    assert max(b - a for a, b in pairwise(tops)) < 48
    text = page.text_content(".running .paragraph")
    assert "hers, was it?" in text
    shoot(page, "running-narrow")


def test_line_height_of_running_text_follows_its_own_nesting(open_page):
    words = ["one two three four five six seven eight nine ten"] * 2
    nested = [[(10, 19)], [(10, 17)], [(10, 15)], [(10, 12)]]
    page = open_page(page_of(shown("d", words, nested, [])), "#d=d")
    page.set_viewport_size({"width": 300, "height": 800})
    tops = page.eval_on_selector_all(
        "[data-token]", "all => all.map(e => e.getBoundingClientRect().top)"
    )
    rows = sorted({round(top) for top in tops})
    steps = [below - above for above, below in pairwise(rows)]
    assert max(steps) > min(steps) + 4
    assert steps[0] == min(steps)
