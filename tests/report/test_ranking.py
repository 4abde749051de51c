"""Results sorted by a score, and ranked."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import SettingsError
from corefkit.metrics.metric import Score
from corefkit.results.score_table import (
    Order,
    order_best_first,
    order_by_name,
    parse_order,
    rank_results,
)

DEFAULT = ["mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea"]
KEY = ["abc", "de"]
RESPONSES = {"b": ["ab"], "a": KEY, "d": ["abcde"], "c": ["ab"]}
RESULTS = corefkit.score_responses(KEY, RESPONSES)


def with_scores(*numbers):
    """Give results of one metric; None for one that lacks it."""
    (result,) = corefkit.score_responses(KEY, [KEY], metrics="lea")
    results = []
    for at, number in enumerate(numbers):
        metrics = () if number is None else result.metrics
        made = dataclasses.replace(result, response=str(at), metrics=metrics)
        scores = {} if number is None else {"lea": Score(number, number, number)}
        made.__dict__["scores"] = scores
        results.append(made)
    return results


class TestOrder:
    @pytest.mark.parametrize(
        ("text", "order"),
        [
            ("lea", Order("lea")),
            ("b3", Order("b_cubed")),
            ("bcub.precision", Order("b_cubed", "precision")),
            ("conll", Order("conll")),
            ("conll.recall", Order("conll", "recall")),
            ("name", Order("name")),
        ],
    )
    def test_is_read(self, text, order):
        assert parse_order(text, DEFAULT) == order

    @pytest.mark.parametrize(
        ("text", "metrics", "message"),
        [
            ("leo", DEFAULT, "unknown metric 'leo'"),
            ("lea.recal", DEFAULT, "did you mean 'recall'"),
            ("lea.", DEFAULT, "unknown number ''"),
            ("lea", ["muc"], "'lea', which is not computed"),
            ("conll", ["muc"], "'conll', which is not computed"),
            ("", DEFAULT, "unknown metric ''"),
        ],
    )
    def test_is_refused_in_words(self, text, metrics, message):
        with pytest.raises(SettingsError) as refused:
            parse_order(text, metrics)
        assert message in str(refused.value)

    def test_metric_of_somebody_may_have_any_name(self):
        assert parse_order("my.own", ["my.own"]) == Order("my.own")
        assert parse_order("my.own.recall", ["my.own"]) == Order("my.own", "recall")

    def test_mean_of_recall_is_that_of_its_metrics(self):
        for result in RESULTS:
            assert Order("conll", "recall").number(result) == result["conll"].recall
            assert Order("conll").number(result) == result.conll

    def test_value_stands_for_a_metric_that_has_one(self):
        (result,) = with_scores(0.5)
        result.scores["lea"] = dataclasses.replace(result.scores["lea"], value=0.25)
        assert Order("lea").number(result) == 0.25
        assert Order("lea", "f1").number(result) == 0.5


class TestRanks:
    def test_best_comes_first_and_ties_share_a_rank(self):
        results, ranking = rank_results(RESULTS, Order("lea"))
        assert results[0].response == "a"
        numbers = [result["lea"].f1 for result in results]
        assert numbers == sorted(numbers, reverse=True)
        assert ranking.ranks == tuple(
            1 + sum(other > number for other in numbers) for number in numbers
        )

    def test_part_of_a_score(self):
        results, _ = rank_results(RESULTS, Order("muc", "recall"))
        recalls = [result["muc"].recall for result in results]
        assert recalls == sorted(recalls, reverse=True)

    def test_by_name_without_ranks(self):
        results, ranking = rank_results(RESULTS, Order("name"))
        assert [result.response for result in results] == ["a", "b", "c", "d"]
        assert not any(ranking.ranks)

    def test_file_given_twice_is_sorted_by_its_own_name(self):
        twice = [*RESULTS, RESULTS[1]]
        results, _ = rank_results(twice, Order("name"))
        assert [result.response for result in results] == ["a", "a", "b", "c", "d"]

    def test_what_additions_leave_is_no_difference(self):
        _, ranking = rank_results(
            with_scores(0.5, 0.5 + 1e-12, 0.5 - 1e-6), Order("lea")
        )
        assert ranking.ranks == (1, 1, 3)

    def test_results_without_the_score_come_last_and_have_no_rank(self):
        results, ranking = rank_results(with_scores(None, 0.2, None, 0.4), Order("lea"))
        assert [result.response for result in results] == ["3", "1", "0", "2"]
        assert ranking.ranks == (1, 2, None, None)

    def test_what_no_result_has_is_refused(self):
        with pytest.raises(SettingsError, match=r"'lea\.value', which no response has"):
            rank_results(RESULTS, Order("lea", "value"))
        assert rank_results([], Order("lea", "value"))[0] == []

    @given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), max_size=8))
    def test_rank_is_one_more_than_the_number_of_better_ones(self, numbers):
        results, ranking = rank_results(with_scores(*numbers), Order("lea"))
        found = [result.scores["lea"].f1 for result in results]
        assert sorted(numbers, reverse=True) == found
        for number, rank in zip(found, ranking.ranks, strict=True):
            assert rank == 1 + sum(other > number for other in numbers)
        # Those that are equal keep their order.
        order = [(-result.scores["lea"].f1, int(result.response)) for result in results]
        assert order == sorted(order)


class TestNumbersOfErrors:
    COUNTS = {"errors": "errors", "divided": "errors.divided"}  # noqa: RUF012

    @pytest.mark.parametrize("text", ["divided", "Divided", "errors.divided"])
    def test_have_a_short_name_too(self, text):
        names = ["lea", "errors.divided"]
        assert parse_order(text, names, counts=self.COUNTS) == Order("errors.divided")

    def test_are_refused_if_they_are_not_computed(self):
        with pytest.raises(SettingsError, match=r"by 'errors\.divided', which is not"):
            parse_order("divided", ["lea"], counts=self.COUNTS)

    @pytest.mark.parametrize("text", ["divded", "errors.divded", "errors.recall"])
    def test_are_suggested(self, text):
        with pytest.raises(SettingsError) as caught:
            parse_order(text, ["lea", "errors.divided"], counts=self.COUNTS)
        assert f"cannot sort by '{text}'" in str(caught.value)
        assert "divided" in str(caught.value)


def test_fewest_errors_come_first():
    assert order_best_first([3, 1, None, 1], is_count=True) == [1, 3, 0, 2]


def test_what_is_not_known_comes_last():
    assert order_best_first([float("nan"), 0.1, None, 0.2]) == [3, 1, 0, 2]


@given(st.lists(st.floats(0, 1)))
def test_the_order_is_one_of_all_places(numbers):
    places = order_best_first(numbers)
    assert sorted(places) == [*range(len(numbers))]
    found = [numbers[place] for place in places]
    assert found == sorted(numbers, reverse=True)


def test_names_are_those_of_tables():
    assert order_by_name(["z/a.conll", "y/c.conll", "x/b.conll"]) == [0, 2, 1]
    assert order_by_name(["z/a.conll", "y/a.conll"]) == [1, 0]


def test_an_ending_does_not_count_in_the_order_of_names():
    assert order_by_name(["a-b.conll", "a.conll"]) == [1, 0]
    assert order_by_name(["v1.2", "v1.1"]) == [1, 0]
