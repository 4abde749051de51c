"""Features of candidate spans that tell how they fit the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cistell.taggers.pages import KIND

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cistell.taggers.columns import Feature
    from cistell.taggers.pages import Numbers, Page
    from cistell.taggers.spans import Spans

_CHILDREN = (
    *(
        "det",
        "amod",
        "compound",
        "nummod",
        "nmod",
        "acl",
        "conj",
        "appos",
        "cc",
        "case",
    ),
    *("cop", "nsubj", "punct", "advmod", "flat", "obl", "advcl", "parataxis", "mark"),
    *("discourse", "dep", "list"),
)
# Of each kind of relation, its number among those that count, from 1; else 0.
_GROUPS = np.zeros(len(KIND) + 1, np.intp)
_GROUPS[[KIND[name] for name in _CHILDREN]] = np.arange(1, len(_CHILDREN) + 1)


def phrase_features(page: Page, spans: Spans, forms: Numbers) -> Iterator[Feature]:
    """Describe candidates by their trees; forms are the codes of all words."""
    yield from _of_arcs(page, spans)
    yield from _of_children(page, spans, forms)
    yield from _of_boundaries(page, spans)


def _of_arcs(page: Page, spans: Spans) -> Iterator[Feature]:
    """Count the words inside that hang on words outside, and the reverse."""
    lengths = spans.last - spans.first + 1
    rows, places = _spread(lengths)
    parents = page.parents[spans.first[rows] + places]
    outside = (parents < spans.first[rows]) | (parents > spans.last[rows])
    leaving = np.bincount(rows[outside], minlength=len(lengths))
    held = page.parents[page.parents >= 0]
    children = np.cumsum(np.bincount(held + 1, minlength=len(page.parents) + 1))
    own = children[spans.last + 1] - children[spans.first]
    parent = page.parents[spans.head]
    yield "words that hang outside", True, leaving
    yield "words cut off", True, own - (lengths - leaving)
    inside = (parent >= spans.first) & (parent <= spans.last)
    yield "parent inside", False, inside.astype(np.intp)


def _spread(counts: Numbers) -> tuple[Numbers, Numbers]:
    """Return for each part of each row the number of its row, and its place there."""
    rows = np.repeat(np.arange(len(counts)), counts)
    return rows, np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)


def _of_children(page: Page, spans: Spans, forms: Numbers) -> Iterator[Feature]:
    """Tell which kinds of children a head has: inside the span 1, outside 2, both 3."""
    order = np.argsort(page.parents, kind="stable")
    bounds = np.searchsorted(page.parents[order], np.arange(len(page.parents) + 1))
    rows, places = _spread(np.diff(bounds)[spans.head])
    child = order[bounds[spans.head][rows] + places]
    inside = (child >= spans.first[rows]) & (child <= spans.last[rows])
    side = (child > spans.head[rows]).astype(np.intp)
    kinds = page.kinds[child]
    table = np.zeros((2, len(_CHILDREN) + 1, len(spans.head)), np.intp)
    np.bitwise_or.at(table, (side, _GROUPS[kinds], rows), np.where(inside, 1, 2))
    for at, name in enumerate(("left", "right")):
        for number, kind in enumerate(_CHILDREN, 1):
            yield f"{name} {kind}", False, table[at, number]
    for name, kind in (("determiner", "det"), ("preposition", "case")):
        chosen = (kinds == KIND[kind]) & (side == 0)
        column = np.zeros(len(spans.head), np.intp)
        column[rows[chosen]] = forms[child[chosen]]
        yield name, False, column


def _of_boundaries(page: Page, spans: Spans) -> Iterator[Feature]:
    """Tell of the largest phrases that end or begin at the edges of a span."""
    opening, closing = _largest(page)
    start, end = (edge[spans.head] for edge in page.edges)
    for name, phrase, word in (
        ("phrase before", closing, spans.first - 1),
        ("first phrase", opening, spans.first),
        ("last phrase", closing, spans.last),
        ("phrase after", opening, spans.last + 1),
    ):
        there = (word >= start) & (word <= end)
        top = phrase[np.where(there, word, spans.head)]
        parent = page.parents[top]
        places = [
            top == spans.head,
            parent == spans.head,
            parent < 0,
            parent < spans.first,
            parent > spans.last,
        ]
        place = np.select(places, [1, 2, 3, 4, 5], 6)
        yield f"{name}: relation", False, np.where(there, page.kinds[top], 0)
        yield f"{name}: tag", False, np.where(there, page.tags[top], 0)
        yield f"{name}: parent", False, np.where(there, place, 0)


def _largest(page: Page) -> tuple[Numbers, Numbers]:
    """Find for each word the top of the largest phrase that begins, or ends, with it.

    Every word is in a stretch, but need not begin or end one other than its own.
    """
    first, last = page.stretches
    by_size = np.argsort(last - first, kind="stable")
    opening, closing = np.arange(len(first)), np.arange(len(first))
    opening[first[by_size]] = by_size
    closing[last[by_size]] = by_size
    return opening, closing
