"""Laws of comparisons, from inputs to results, on corpora drawn at random."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from builders import corpora, pairs
from files import written
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import corefkit
from corefkit.results.records import render_json

FAST = {"samples": 40}
few = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


@st.composite
def compared(draw):
    """Draw a key and two responses."""
    key, one = draw(corpora(max_documents=7))
    other = {name: draw(pairs(8))[1] for name in key}
    return key, {"A": one, "B": other}


def facts(metric, *, swapped=False):
    """Collect what no order may change of a pair and its systems."""
    (pair,) = metric.pairs
    sign = -1 if swapped else 1
    return {
        "difference": pytest.approx(sign * pair.difference, abs=1e-9),
        "p": pytest.approx(pair.p, nan_ok=True),
        "differ": pair.units_that_differ,
        "won": (pair.lost, pair.won) if swapped else (pair.won, pair.lost),
        "ranks": {one.name: one.rank for one in metric.systems},
        "letters": {one.name: one.letters for one in metric.systems},
    }


@few
@given(compared(), st.randoms())
def test_order_of_documents_and_systems_makes_no_difference(case, random):
    key, responses = case
    found = corefkit.compare(key, responses, **FAST)
    names = list(key)
    random.shuffle(names)
    turned = corefkit.compare(
        {name: key[name] for name in names},
        dict(reversed(responses.items())),
        **FAST,
    )
    for name in found:
        assert facts(turned[name], swapped=True) == facts(found[name])


@few
@given(compared())
def test_another_system_changes_no_pair(case):
    key, responses = case
    found = corefkit.compare(key, responses, **FAST)
    more = corefkit.compare(key, {"new": key, **responses}, **FAST)
    for name in found:
        (pair,) = found[name].pairs
        (same,) = [one for one in more[name].pairs if (one.a, one.b) == ("A", "B")]
        for field in ("difference", "p", "p_bootstrap", "not_better", "won", "lost"):
            assert getattr(same, field) == pytest.approx(
                getattr(pair, field), nan_ok=True
            )
        assert same.p_adjusted >= pair.p_adjusted or same.p_adjusted != same.p_adjusted


@few
@given(
    compared(), st.sampled_from(["key", "both"]), st.sampled_from(["micro", "macro"])
)
def test_what_is_stored_is_compared_as_it_was(case, blanc_rule, average):
    key, responses = case
    ways = {"blanc_rule": blanc_rule, "average": average}
    fresh = corefkit.compare(key, responses, **ways, **FAST)
    with tempfile.TemporaryDirectory() as folder:
        files = {}
        for one in corefkit.score_responses(key, responses, **ways):
            text = render_json([one], per_document=True)
            files[one.response] = written(Path(folder) / f"{one.response}.json", text)
        again = corefkit.compare(None, files, **FAST)
    assert json.dumps(again.to_dict()) == json.dumps(fresh.to_dict())


@few
@given(corpora())
def test_a_system_does_not_differ_from_itself(case):
    key, response = case
    found = corefkit.compare(key, {"A": response, "B": response}, **FAST)
    for metric in found.metrics.values():
        (pair,) = metric.pairs
        assert (pair.difference, pair.p, pair.units_that_differ) == (0, 1, 0)
        assert [one.rank for one in metric.systems] == [1, 1]
        assert len({one.letters for one in metric.systems}) == 1
