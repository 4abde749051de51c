"""The nearest of known names."""

from __future__ import annotations

import pytest

from corefkit.strings import suggest


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("MUK", "did you mean 'muc'? known are muc, lea"),
        ("zzz", "known are muc, lea"),
        (7, "known are muc, lea"),
    ],
)
def test_suggest(name, expected):
    assert suggest(name, ["muc", "lea"]) == expected
