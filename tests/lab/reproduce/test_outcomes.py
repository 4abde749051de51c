"""How a printed number goes together with a computed one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.lab.outcomes import (
    Outcome,
    compare_number,
    get_range,
    round_half_up,
    truncate,
)
from corefkit.metrics.metric import Score

SCORE = Score(recall=2 / 3, precision=0.5, f1=4 / 7)
DASHED = Score(recall=0, precision=0, f1=0, undefined=("precision",))
SHARES = st.floats(0, 1)
PLACES = st.integers(0, 4)


def outcome(printed, field="f1", *, rule="rounded", score=SCORE, **more):
    settings = {"decimals": 3, "percent": False, **more}
    return compare_number(printed, score, field, rule=rule, **settings)


@pytest.mark.parametrize(
    ("printed", "rule", "expected"),
    [
        ("0.571", "rounded", Outcome.EXACT),
        ("0.571", "truncated", Outcome.EXACT),
        ("0.572", "f1 of rounded", Outcome.F1_OF_ROUNDED),
        # The other rules' numbers are not taken.
        ("0.572", "rounded", Outcome.DIFFERS),
        ("0.571", "f1 of rounded", Outcome.DIFFERS),
        ("0.570", "truncated", Outcome.DIFFERS),
    ],
)
def test_only_what_the_rule_gives_is_reproduced(printed, rule, expected):
    assert outcome(printed, rule=rule) is expected


def test_cut_percentages_are_marked_where_rounding_gives_another():
    settings = {"rule": "truncated", "decimals": 2, "percent": True}
    assert outcome("66.66", "recall", **settings) is Outcome.TRUNCATED
    assert outcome("66.67", "recall", **settings) is Outcome.DIFFERS
    assert outcome("50.00", "precision", **settings) is Outcome.EXACT


def test_decimals_are_those_of_the_table():
    """0.5 in a table of three decimals is 0.500."""
    assert outcome("0.5", "precision") is Outcome.EXACT
    assert outcome("0.6", "f1") is Outcome.DIFFERS


def test_fractions_are_compared_as_they_are():
    assert outcome("4/7") is Outcome.EXACT
    assert outcome("57/100") is Outcome.DIFFERS


def test_a_dash_is_something_undefined():
    assert outcome("undefined", score=DASHED) is Outcome.EXACT
    assert outcome("undefined") is Outcome.DIFFERS


def test_what_is_not_printed_has_no_outcome():
    assert outcome("-") is None


@pytest.mark.parametrize(
    ("printed", "correct", "expected"),
    [
        ("0.6", "0.571", Outcome.ERRATUM),
        ("0.6", "0.572", Outcome.DIFFERS),  # the right number is not computed
        ("0.571", "0.571", Outcome.DIFFERS),  # nothing is wrong
        ("0.571", "0.6", Outcome.DIFFERS),
    ],
)
def test_an_erratum_needs_its_correct_number(printed, correct, expected):
    assert outcome(printed, correct=correct) is expected


@given(SHARES, PLACES)
def test_a_number_lies_in_the_span_of_what_is_printed_of_it(value, decimals):
    for shorter, rule in ((round_half_up, "rounded"), (truncate, "truncated")):
        printed = f"{shorter(value, decimals):.{decimals}f}"
        least, greatest = get_range(printed, rule=rule, decimals=decimals)
        assert least - 1e-9 <= value <= greatest + 1e-9


@given(SHARES, PLACES)
def test_cutting_never_raises_and_rounding_moves_by_half_at_most(value, decimals):
    unit = 10**-decimals
    assert -1e-9 <= value - truncate(value, decimals) <= unit
    assert abs(value - round_half_up(value, decimals)) <= unit / 2 + 1e-9
