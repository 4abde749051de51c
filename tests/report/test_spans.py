"""Spots: one list of spans for all sides."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from corefkit.analysis.errors.layers import Layers
from corefkit.report.analysis_reader import locate_rows

PLACES = [((start, end),) for start in range(3) for end in range(start, 3)]


@st.composite
def layers(draw):
    """Draw rows that a key has, a response, or both, perhaps at another place."""
    rows = draw(
        st.lists(
            st.tuples(
                st.sampled_from(PLACES),
                st.sampled_from(["key", "response", "both", "elsewhere"]),
                st.sampled_from(PLACES),
            ),
            max_size=8,
        )
    )
    own = {
        row: other
        for row, (place, side, other) in enumerate(rows)
        if side == "elsewhere" and other != place
    }
    return Layers(
        [place for place, _, _ in rows],
        [-1 if side == "response" else row for row, (_, side, _) in enumerate(rows)],
        [-1 if side == "key" else row for row, (_, side, _) in enumerate(rows)],
        own,
    )


@given(layers())
def test_every_mention_of_a_side_has_a_spot_of_its_own_at_its_place(given):
    spots = locate_rows(given)
    for side, entities in ((spots.key, given.key), (spots.response, given.response)):
        assert sorted(side) == [row for row, one in enumerate(entities) if one >= 0]
        assert len({*side.values()}) == len(side)
    assert all(given.places[row] == place for row, (place, _) in spots.key.items())
    for row, (place, _) in spots.response.items():
        assert place == given.response_places.get(row, given.places[row])


@given(layers())
def test_who_stands_at_a_spot_of_the_key_is_matched_with_it_or_named(given):
    """This is how a page tells which mentions are matched."""
    spots = locate_rows(given)
    of_key = {spot: row for row, spot in spots.key.items()}
    for row, spot in spots.response.items():
        named = row in given.response_places or row in spots.unmatched
        matched = row if row in spots.key else None
        assert named or of_key.get(spot) == matched
        assert not (row in spots.unmatched and row in spots.key)


@given(layers())
def test_no_span_stands_twice_unless_a_side_has_it_twice(given):
    spots = locate_rows(given)
    both = {*spots.key.values(), *spots.response.values()}
    times = Counter(place for place, _ in both)
    sides = [
        Counter(place for place, _ in side.values())
        for side in (spots.key, spots.response)
    ]
    assert all(
        many == 1 or max(side[place] for side in sides) > 1
        for place, many in times.items()
    )
