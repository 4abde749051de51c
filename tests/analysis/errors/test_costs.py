"""Costs of errors: scores of repaired responses."""

from __future__ import annotations

from itertools import pairwise

import pytest
from builders import corpora
from error_cases import pairs
from hypothesis import given, settings
from hypothesis import strategies as st
from known_errors import NO_SPAN_ERRORS, with_pronouns

import corefkit
from corefkit.alignment.pipeline import iter_aligned_blocks, open_runs
from corefkit.analysis.errors.error_analysis import KINDS
from corefkit.analysis.errors.kinds import find_errors_by_kind
from corefkit.analysis.errors.mentions import join_mentions
from corefkit.analysis.errors.repairs import (
    ALL_BUT,
    ALONE,
    LADDER,
    RepairCosts,
    apply_repair,
    list_repaired_entities,
)
from corefkit.exceptions import SettingsError
from corefkit.metrics.registry import find_metrics, iter_metrics
from corefkit.settings import DEFAULT_SETTINGS, Settings

EVERY = [metric.name for metric in iter_metrics() if not metric.needs]
# Each step of the ladder keeps all right links, and takes or adds only whole pieces.
NEVER_FALL = ("muc", "b_cubed", "ceaf_m", "lea")


def costs_of(key, response, *, pronouns=(), metrics=None, **chosen):
    """Count repairs; give costs, and the kinds of the last block."""
    costs = RepairCosts(find_metrics(metrics), Settings(**chosen))
    with open_runs(key, [response], settings=costs.settings) as runs:
        for _, block in iter_aligned_blocks(runs):
            table = with_pronouns(join_mentions(block), set(pronouns))
            kinds = find_errors_by_kind(table, NO_SPAN_ERRORS)
            costs.add(block, kinds)
    return costs, kinds


def numbers(evaluation):
    """Give F1 by metric, or the value of those that have one."""
    scores = {name: evaluation[name] for name in [*evaluation, "conll"]}
    return {
        name: score.f1 if score.value is None else score.value
        for name, score in scores.items()
    }


def close(scores):
    return pytest.approx(scores, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"average": "macro"},
        {"average": "macro", "undefined": "one"},
        {"average": "macro", "undefined": "skip"},
        {"blanc_rule": "links"},
        {"blanc_rule": "both"},
        {"singletons": "drop"},
        {"singletons": "drop-response"},
        {"missing": "skip"},
        {"repeated": "reference"},
    ],
    ids=str,
)
@settings(max_examples=20)
@given(corpora())
def test_the_response_scores_as_it_does(chosen, pair):
    key, response = pair
    costs, _ = costs_of(key, response, metrics=EVERY, **chosen)
    scored = corefkit.score(key, response, metrics=EVERY, **chosen)
    wanted = numbers(scored)
    assert costs.score(LADDER)["response"] == wanted


@given(pairs(), st.sampled_from([*LADDER.values(), *ALONE.values(), *ALL_BUT.values()]))
def test_states_score_as_their_entities_do(pair, repair):
    key, response = {"d": pair.key, "e": [[0, 1]]}, {"d": pair.response, "e": [[0, 2]]}
    costs, kinds = costs_of(key, response, pronouns=pair.pronouns, metrics=EVERY)
    entities = list_repaired_entities(kinds.original, apply_repair(kinds, repair))
    repaired_response = dict(zip(key, entities, strict=True))
    scored = corefkit.score(key, repaired_response, metrics=EVERY)
    wanted = numbers(scored)
    assert costs.score({"this": repair})["this"] == close(wanted)


@given(pairs())
def test_the_last_state_scores_as_the_key_does(pair):
    key, response = {"d": pair.key}, {"d": pair.response}
    costs, _ = costs_of(key, response, pronouns=pair.pronouns, metrics=EVERY)
    scored = corefkit.score(key, key, metrics=EVERY)
    last = costs.score(LADDER)[KINDS[-1]]
    assert last == close(numbers(scored))


@given(pairs())
def test_some_metrics_never_fall_in_the_ladder(pair):
    key, response = {"d": pair.key}, {"d": pair.response}
    costs, _ = costs_of(key, response, pronouns=pair.pronouns, metrics=NEVER_FALL)
    for before, after in pairwise(costs.score(LADDER).values()):
        for name in NEVER_FALL:
            assert after[name] >= before[name] - 1e-12


def test_ceaf_e_may_fall_where_pieces_are_split_off():
    costs, _ = costs_of(["ad", "bc"], ["ac", "d"], metrics="ceaf_e")
    scores = costs.score(LADDER)
    assert scores["response"]["ceaf_e"] == pytest.approx(7 / 12)
    assert scores["conflated"]["ceaf_e"] == pytest.approx(8 / 15)


def test_blocks_add_up(monkeypatch):
    monkeypatch.setattr("corefkit.alignment.pipeline._BLOCK_DOCUMENTS", 1)
    key = {"x": ["abc", "d"], "y": ["ab"], "z": ["ab", "cd"]}
    response = {"x": ["ab", "cd"], "y": ["ab"], "z": ["abcd", "e"]}
    apart, _ = costs_of(key, response)
    monkeypatch.undo()
    together, _ = costs_of(key, response)
    assert len(apart.counts[frozenset()]) == 3
    assert len(together.counts[frozenset()]) == 1
    assert apart.score(LADDER) == close_all(together.score(LADDER))


def close_all(states):
    return {name: close(scores) for name, scores in states.items()}


def test_a_similarity_of_ones_own_sees_the_mentions_of_states():
    def jaccard(key, response):
        return len(key & response) / len(key | response)

    metric = corefkit.ceaf_with(jaccard, name="own")
    costs, kinds = costs_of(["abc", "de"], ["ab", "cd"], metrics=[metric])
    for states in (LADDER, ALONE, ALL_BUT):
        for name, scores in costs.score(states).items():
            (entities,) = list_repaired_entities(
                kinds.original, apply_repair(kinds, states[name])
            )
            wanted = corefkit.score(["abc", "de"], entities, metrics=[metric])
            assert scores["own"] == pytest.approx(wanted["own"].f1)


def test_metrics_that_need_more_are_refused():
    with pytest.raises(SettingsError, match="'zeros' needs more of mentions"):
        RepairCosts(find_metrics("zeros"), DEFAULT_SETTINGS)


def test_large_blocks_are_counted_some_repairs_at_a_time(monkeypatch):
    key, response = {"x": ["abc", "de"], "y": ["ab"]}, {"x": ["ab", "cd"], "y": ["c"]}
    together, _ = costs_of(key, response)
    monkeypatch.setattr("corefkit.analysis.errors.repairs._MAX_TABLE_MENTIONS", 1)
    apart, _ = costs_of(key, response)
    for states in (LADDER, ALONE, ALL_BUT):
        assert apart.score(states) == close_all(together.score(states))
