"""Options of a comparison: what is refused, and how they are signed."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit.analysis.compare.procedure import CHOICES, Procedure

PLAIN = "test:randomization|samples:10000|seed:0|unit:text|correction:holm|alpha:0.05"


@pytest.mark.parametrize("name", CHOICES)
def test_first_choice_is_the_default(name):
    assert getattr(Procedure(), name) == CHOICES[name][0]


@pytest.mark.parametrize("name", CHOICES)
@pytest.mark.parametrize("value", ["", "F1", None, 1, "both"])
def test_unknown_choice_is_refused_with_those_known(name, value):
    with pytest.raises(corefkit.SettingsError) as refused:
        Procedure(**{name: value})
    assert refused.value.message == f"unknown value {value!r} for {name!r}"
    assert f"known are {', '.join(CHOICES[name])}" in refused.value.hint


@pytest.mark.parametrize(
    "options",
    [
        {"samples": 0},
        {"samples": -1},
        {"samples": 0.5},
        {"samples": 100.0},
        {"samples": "100"},
        {"samples": True},
        {"samples": None},
        {"seed": -1},
        {"seed": 1.5},
        {"seed": None},
        {"alpha": 0},
        {"alpha": 1},
        {"alpha": 1e-300},
        {"alpha": -0.05},
        {"alpha": float("nan")},
        {"alpha": "0.05"},
        {"alpha": True},
        {"strata": ""},
        {"strata": 3},
        {"strata": "(unclosed"},
    ],
    ids=str,
)
def test_value_out_of_range_is_refused_by_name(options):
    ((name, value),) = options.items()
    with pytest.raises(corefkit.SettingsError) as refused:
        Procedure(**options)
    assert repr(value) in refused.value.message
    assert repr(name) in refused.value.message


def test_alternative_needs_a_baseline():
    with pytest.raises(corefkit.SettingsError, match="'less' requires a baseline"):
        Procedure(alternative="less")
    assert Procedure(alternative="less", baseline="A").alternative == "less"


def test_numbers_of_other_kinds_become_plain():
    made = Procedure(samples=np.int64(7), seed=np.uint8(3), alpha=np.float32(0.25))
    assert made == Procedure(samples=7, seed=3, alpha=0.25)
    assert [type(made.samples), type(made.seed), type(made.alpha)] == [int, int, float]
    assert Procedure(alpha=Fraction(1, 4)).alpha == 0.25


def test_signature_of_the_defaults():
    assert Procedure().signature == PLAIN


def test_what_the_contract_names_is_always_signed():
    made = Procedure(
        test="t", samples=9, seed=4, unit="document", correction="none", alpha=0.01
    )
    assert made.signature == (
        "test:t|samples:9|seed:4|unit:document|correction:none|alpha:0.01"
    )


def test_other_options_are_signed_behind_if_they_changed():
    made = Procedure(
        statistic="recall",
        interval="bca",
        baseline="ours",
        alternative="greater",
        strata="genre",
    )
    assert made.signature == (
        f"{PLAIN}|statistic:recall|interval:bca|baseline:ours|alternative:greater"
        "|strata:genre"
    )


@given(st.text(min_size=1))
def test_no_name_can_forge_a_part_of_the_signature(name):
    behind = Procedure(baseline=name).signature.removeprefix(f"{PLAIN}|")
    assert behind.startswith("baseline:")
    assert not set("|\n ") & set(behind)
    assert behind.count(":") == 1


def test_every_option_shows_in_the_signature():
    other = {
        "statistic": "recall",
        "unit": "document",
        "test": "t",
        "samples": 5,
        "seed": 5,
        "alpha": 0.5,
        "correction": "none",
        "interval": "t",
        "baseline": "x",
        "strata": "genre",
    }
    signatures = {Procedure(**{name: value}).signature for name, value in other.items()}
    assert len(signatures | {PLAIN}) == len(other) + 1
    assert set(other) | {"alternative"} == {field.name for field in fields(Procedure)}
