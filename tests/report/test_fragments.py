"""Fragments that `web/src/state.ts` reads."""

from urllib.parse import parse_qs

from hypothesis import given
from hypothesis import strategies as st

from corefkit.report.reader_data import (
    Reader,
    ReaderDocument,
    encode_reader,
    format_fragment,
    replace_surrogates,
)


@given(st.text())
def test_every_id_comes_back(id):
    written = format_fragment(id, response=2)
    assert written.isascii()
    values = parse_qs(written.removeprefix("#"), keep_blank_values=True)
    assert values == {"d": [replace_surrogates(id)], "r": ["2"]}


def test_halves_of_characters_are_written_as_browsers_do():
    assert format_fragment("a\ud800") == "#d=a%EF%BF%BD"
    reader = Reader("key", (), (ReaderDocument("a\ud800", (), (), ()),))
    assert '"id":"a\N{REPLACEMENT CHARACTER}"' in encode_reader(reader)
