"""Systems in order, and pairs from either side."""

from __future__ import annotations

from dataclasses import replace

import pytest
from comparisons import FIVE, TWO, made

from corefkit.analysis.compare.comparison_text import (
    describe_order,
    find_lead_metric,
    get_pair,
    label_systems,
    make_standings,
    order_systems,
    swap_pair,
)
from corefkit.tables.terminal import strip_suffixes


def lea(scores, **options):
    comparison = made(scores, metrics=["lea"], **options)
    return make_standings(comparison, comparison.metrics["lea"])


def test_pair_from_the_other_side():
    (pair,) = lea(TWO).metric.pairs
    other = swap_pair(pair)
    assert (other.a, other.b, other.difference) == (pair.b, pair.a, -pair.difference)
    low, high = pair.intervals["expanded"]
    assert other.intervals["expanded"] == (-high, -low)
    assert (other.won, other.lost) == (pair.lost, pair.won)
    assert swap_pair(other) == pair


def test_best_comes_first_and_beats_the_last():
    standings = lea(FIVE)
    scores = [system.score for system in standings.systems]
    assert scores == sorted(scores, reverse=True)
    first, *_, last = standings.systems
    assert standings.list_beaten(first.name) == [3, 4]
    assert standings.list_beaten(last.name) == []


def test_fewer_errors_beat_more():
    comparison = made(FIVE, metrics=["errors.divided"])
    standings = make_standings(comparison, comparison.metrics["errors.divided"])
    scores = [system.score for system in standings.systems]
    assert scores == sorted(scores)
    assert 4 in standings.list_beaten(standings.systems[0].name)


def test_with_a_baseline_only_its_pairs_are_there():
    standings = lea(FIVE, baseline="base.conll")
    assert standings.list_beaten("wide-span-model.conll") == [4]
    assert ("two-pass.conll", "lexical.conll") not in standings.pairs


def test_conll_leads_or_else_the_first():
    assert find_lead_metric(made(TWO)).name == "conll"
    assert find_lead_metric(made(TWO, metrics=["muc", "lea"])).name == "muc"


def test_metric_on_which_all_are_alike_does_not_lead():
    comparison = made(TWO, metrics=["muc", "lea"])
    muc = made(dict.fromkeys(TWO, 0.5), metrics=["lea"]).metrics["lea"]
    metrics = dict(comparison.metrics) | {"muc": muc}
    assert find_lead_metric(replace(comparison, metrics=metrics)).name == "lea"
    assert find_lead_metric(replace(comparison, metrics={"muc": muc})) is muc


def test_names_are_those_of_files():
    assert label_systems(made(TWO)) == {
        "runs/careful.conll": "careful",
        "runs/greedy.conll": "greedy",
    }


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["a.conll", "b.conll"], ["a", "b"]),
        (["a.json", "b.json"], ["a", "b"]),
        (["a.tsv.ann", "b.tsv.ann"], ["a", "b"]),
        (["a.conll", "b.jsonl", "c"], ["a", "b", "c"]),
        (["a.conll", "a.jsonl"], ["a.conll", "a.jsonl"]),
        (["a.conll", "a"], ["a.conll", "a"]),
        ([".conll", "b.conll"], [".conll", "b"]),
        (["a.conll"], ["a"]),
        (["v1.2", "v2.2"], ["v1.2", "v2.2"]),
    ],
)
def test_endings_of_files_are_left_out(names, short):
    assert strip_suffixes(names) == short


class TestSorted:
    def test_what_is_asked_for_leads(self):
        comparison = made(FIVE).sorted_by("muc")
        assert find_lead_metric(comparison).name == "muc"
        best = [system.name for system in comparison["muc"].ranked]
        assert order_systems(comparison) == best
        assert describe_order(comparison) == "best MUC first"

    def test_all_metrics_have_the_same_order(self):
        comparison = made(FIVE, metrics=["lea", "errors.divided"]).sorted_by("divided")
        fewest = [system.name for system in comparison["errors.divided"].ranked]
        for metric in comparison.metrics.values():
            standings = make_standings(comparison, metric)
            assert [system.name for system in standings.systems] == fewest
            assert standings.is_best_first == metric.is_count
        assert describe_order(comparison) == "fewest Divided errors first"

    def test_names_are_sorted(self):
        comparison = made(FIVE).sorted_by("name")
        names = label_systems(comparison)
        shown = [names[system] for system in order_systems(comparison)]
        assert shown == sorted(names.values())
        assert describe_order(comparison, comparison["lea"]) == "by name"

    def test_nothing_else_changes(self):
        comparison = made(FIVE)
        other = comparison.sorted_by("name")
        assert other.to_dict() == comparison.to_dict()
        assert other.systems == comparison.systems

    def test_the_better_of_two_comes_first(self):
        turned_round = dict(reversed(TWO.items()))
        comparison = made(turned_round, metrics=["lea"])
        assert get_pair(comparison, comparison["lea"]).difference < 0
        comparison = comparison.sorted_by("lea")
        assert get_pair(comparison, comparison["lea"]).difference > 0

    def test_a_baseline_is_what_the_other_is_compared_with(self):
        best = "runs/careful.conll"
        comparison = made(TWO, metrics=["lea"], baseline=best).sorted_by("lea")
        assert get_pair(comparison, comparison["lea"]).b == best
