"""Fragments that `web/src/state.ts` reads."""

from urllib.parse import parse_qs

from hypothesis import given
from hypothesis import strategies as st

from corefkit.report.reader.fragments import fragment


@given(st.text())
def test_every_id_comes_back(id):
    written = fragment(id, response=2)
    assert written.isascii()
    values = parse_qs(written.removeprefix("#"), keep_blank_values=True)
    assert values == {"d": [id.encode("utf-8", "replace").decode()], "r": ["2"]}


def test_half_a_character_is_written_as_well_as_can_be():
    assert fragment("a\ud800") == "#d=a%3F"
