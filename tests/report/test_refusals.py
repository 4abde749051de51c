"""Responses that were left out."""

from __future__ import annotations

from corefkit.results.score_table import list_refused
from corefkit.tables.terminal import render_terminal

REFUSED = {"x/a.conll": "x/a.conll:3: no bracket", "y/b.conll": "y/b.conll: is empty"}


def test_each_has_its_name_and_the_reason():
    shown = render_terminal(list_refused(REFUSED, "Not compared", "scored"))
    assert shown.splitlines() == [
        "Not compared: 2 submissions that cannot be scored",
        "  a.conll  x/a.conll:3: no bracket",
        "  b.conll  y/b.conll: is empty",
    ]


def test_without_any_nothing_is_said():
    assert list_refused({}, "Not compared", "scored") == []
