"""Fragments that `web/src/state.ts` reads."""

from urllib.parse import parse_qs

from hypothesis import given
from hypothesis import strategies as st

from corefkit.report.reader_data import (
    Reader,
    ShownDocument,
    encoded,
    fragment,
    whole_characters,
)


@given(st.text())
def test_every_id_comes_back(id):
    written = fragment(id, response=2)
    assert written.isascii()
    values = parse_qs(written.removeprefix("#"), keep_blank_values=True)
    assert values == {"d": [whole_characters(id)], "r": ["2"]}


def test_halves_of_characters_are_written_as_browsers_do():
    assert fragment("a\ud800") == "#d=a%EF%BF%BD"
    reader = Reader("key", (), (ShownDocument("a\ud800", (), (), ()),))
    assert '"id":"a\N{REPLACEMENT CHARACTER}"' in encoded(reader)
