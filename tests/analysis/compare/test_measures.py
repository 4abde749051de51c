"""Measures: what corefkit scores is what a sample measures."""

from __future__ import annotations

import numpy as np
import pytest
from builders import corpora
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit.analysis.compare.judging import compare_sample
from corefkit.analysis.compare.procedure import Procedure
from corefkit.analysis.compare.sample import list_measures, make_sample
from corefkit.metrics.metric import Metric, Score
from corefkit.settings import Settings

RULES = st.sampled_from(["key", "both", "links"])


def sample_from(result, *, unit_of=None, **options):
    return make_sample(
        {"A": result.counts},
        metrics=result.metrics,
        settings=result.settings,
        unit_of=unit_of or result.documents,
        **options,
    )


def shown(score, statistic):
    """What a score shows: its value, if it has one, or the ratio."""
    has_value = statistic == "f1" and score.value is not None
    return score.value if has_value else getattr(score, statistic)


@given(
    corpora(),
    st.sampled_from(["f1", "recall", "precision"]),
    st.sampled_from(["micro", "macro"]),
    RULES,
)
def test_measures_are_the_scores(corpus, statistic, average, rule):
    metrics = [*corefkit.METRICS, "conll", "b_cubed_sys"]
    result = corefkit.score(*corpus, metrics=metrics, average=average, blanc_rule=rule)
    sample = sample_from(result, statistic=statistic)
    totals = sample.counts[0].sum(axis=0)
    names = [measure.name for measure in sample.measures]
    assert names == [*result, "conll"]
    for measure in sample.measures:
        found = measure.score(totals[None, measure.columns])
        expected = shown(result[measure.name], statistic)
        assert found.tolist() == pytest.approx([expected], abs=1e-12)
        rows = [shown(row[measure.name], statistic) for row in result.per_document]
        values = sample.by_document[measure.name]
        assert values.tolist() == [pytest.approx(rows, abs=1e-12)]


@given(
    corpora(),
    st.sampled_from(["f1", "recall", "precision"]),
    st.sampled_from(["one", "skip"]),
)
def test_means_leave_out_or_count_what_the_score_does(corpus, statistic, undefined):
    result = corefkit.score(
        *corpus, metrics="conll,blanc,alpha", average="macro", undefined=undefined
    )
    sample = sample_from(result, statistic=statistic)
    totals = sample.counts[0].sum(axis=0)
    for measure in sample.measures:
        found = measure.score(totals[None, measure.columns])
        expected = shown(result[measure.name], statistic)
        assert found.tolist() == pytest.approx([expected], abs=1e-12)


def test_draw_of_documents_that_are_all_left_out_is_undefined():
    key = {"a": ["ab"], "b": ["c"]}
    skip = {"average": "macro", "undefined": "skip"}
    sample = sample_from(corefkit.score(key, key, metrics=["muc"], **skip))
    (measure,) = sample.measures
    rows = sample.counts[0][:, measure.columns]
    assert measure.score(rows).tolist() == [1.0, 0.0]
    assert measure.flag_undefined(rows).tolist() == [False, True]


@given(corpora(), st.sampled_from(["micro", "macro"]))
def test_units_add_up_their_documents(corpus, average):
    result = corefkit.score(*corpus, metrics="conll,blanc", average=average)
    documents = result.documents
    unit_of = [f"text {at % 2}" for at in range(len(documents))]
    sample = sample_from(result, unit_of=unit_of)
    for number, unit in enumerate(sample.units):
        kept = {
            name for name, own in zip(documents, unit_of, strict=True) if own == unit
        }
        part = corefkit.score(
            *({name: side[name] for name in kept} for side in corpus),
            metrics="conll,blanc",
            average=average,
        )
        for name in ("muc", "blanc", "conll"):
            expected = pytest.approx(part[name].f1, abs=1e-12)
            assert sample.by_unit[name][0, number] == expected


def test_macro_is_the_mean_over_documents_not_over_texts():
    key = {"a 1": ["ab"], "a 2": ["cd"], "b": ["ef"]}
    response = {"a 1": ["ab"], "a 2": ["cd"], "b": []}
    result = corefkit.score(key, response, metrics=["muc"], average="macro")
    sample = sample_from(result, unit_of=["a", "a", "b"])
    measure = sample.measures[0]
    totals = sample.counts[0].sum(axis=0)
    assert measure.score(totals[None, measure.columns]).tolist() == [2 / 3]


def test_undefined_document_counts_as_0_in_the_mean():
    key = {"a": ["ab"], "b": ["c"]}
    result = corefkit.score(key, key, metrics=["muc"], average="macro")
    assert sample_from(result).by_document["muc"].tolist() == [[1.0, 0.0]]
    assert result["muc"].f1 == 0.5


def test_conll_mean_is_there_with_its_three_parts_alone():
    counts = corefkit.score(["ab"], ["ab"]).counts

    def names(*wanted):
        metrics = [corefkit.METRICS[name] for name in wanted]
        return [one.name for one in list_measures(metrics, Settings(), counts=counts)]

    assert names("muc", "b_cubed") == ["muc", "b_cubed"]
    assert names("ceaf_e", "lea", "b_cubed", "muc")[-1] == "conll"


def test_conll_mean_lacks_a_ratio_where_a_part_does():
    result = corefkit.score({"d": ["a"]}, {"d": ["a"]}, metrics="conll")
    sample = sample_from(result)
    conll = sample.measures[-1]
    assert conll.flag_undefined(sample.counts[0][:, conll.columns]).tolist() == [True]


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_numbers_of_errors_stand_beside(average):
    result = corefkit.score(
        {"a": ["ab"]}, {"a": ["ab"]}, metrics=["muc"], average=average
    )
    sample = make_sample(
        {"A": {**result.counts, "errors.divided": np.array([3])}},
        metrics=result.metrics,
        settings=result.settings,
        unit_of=["a"],
        errors={"errors.divided": "Divided"},
    )
    errors = sample.measures[-1]
    assert (errors.name, errors.label, errors.statistic) == (
        "errors.divided",
        "Divided",
        "count",
    )
    assert sample.by_document["errors.divided"].tolist() == [[3.0]]
    assert not errors.flag_undefined(np.array([[0.0]])).any()


def test_errors_alone_are_a_sample():
    sample = make_sample(
        {"A": {"errors.divided": np.array([3, 4])}},
        metrics=[],
        settings=Settings(),
        unit_of=["a", "a"],
        errors={"errors.divided": "Divided"},
    )
    assert sample.by_unit["errors.divided"].tolist() == [[7.0]]


def test_value_is_measured_in_the_place_of_f1():
    own = Metric(
        "own",
        "Own",
        corefkit.METRICS["muc"].count,
        lambda c, _: Score(0, 0, 0, value=-c[1]),
    )
    result = corefkit.score(["abc"], ["ab"], metrics=[own])
    sample = sample_from(result)
    assert sample.by_document["own"].tolist() == [[-2.0]]
    assert sample.measures[0].statistic == "value"
    recall = sample_from(result, statistic="recall")
    assert recall.by_document["own"].tolist() == [[0.0]]
    assert recall.measures[0].statistic == "recall"


@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize(
    ("statistic", "named"), [("f1", "value"), ("recall", "recall")]
)
def test_value_is_named_as_what_it_is(statistic, named, average):
    key = {"a": ["ab", "c"]}
    result = corefkit.score(key, key, metrics=["alpha", "muc"], average=average)
    alpha, muc = sample_from(result, statistic=statistic).measures
    assert (alpha.statistic, muc.statistic) == (named, statistic)


def test_strata_are_numbered_by_name():
    key = {name: ["ab"] for name in "dcba"}
    result = corefkit.score(key, key, metrics=["muc"])
    strata = {"a": "news", "b": "fiction", "c": "news", "d": "fiction"}
    sample = sample_from(result, stratum_of=strata)
    assert sample.units == ("a", "b", "c", "d")
    assert sample.strata == ("fiction", "news")
    assert sample.stratum.tolist() == [1, 0, 1, 0]
    assert sample_from(result).strata == ("",)


def test_names_are_told_apart_to_the_last_letter():
    key = {"a": ["ab"], "b": ["ab"], "c": ["ab"]}
    result = corefkit.score(key, key, metrics=["muc"])
    sample = sample_from(result, unit_of=["a", "a\0", "\udce9"])
    assert sample.units == ("a", "a\0", "\udce9")
    assert len(compare_sample(sample, Procedure(samples=8))) == 1


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_own_metric_that_makes_nan_is_refused(average):
    """No comparison with NaN is true: every p would be as small as can be."""

    def undefined(row, settings):
        del settings
        ratio = float("nan") if row[0] < 3 else 1.0
        return Score(ratio, ratio, ratio)

    metric = Metric("own", "Own", corefkit.METRICS["muc"].count, undefined)
    key = {name: ["abcd"] for name in "12"}
    responses = {"A": key, "B": {name: ["ab"] for name in key}}
    with pytest.raises(corefkit.SettingsError, match="'own' has an invalid f1"):
        corefkit.compare(key, responses, metrics=[metric], average=average, samples=9)


def test_own_metric_does_not_give_way_to_the_mean():
    own = Metric("conll", "Own", corefkit.METRICS["lea"].count)
    metrics = [own, "muc", "b_cubed", "ceaf_e"]
    with pytest.raises(corefkit.SettingsError, match="duplicate metric name 'conll'"):
        corefkit.compare(["ab"], {"A": ["ab"]}, metrics=metrics, samples=9)
    alone = corefkit.compare(["ab"], {"A": ["ab"]}, metrics=[own], samples=9)
    assert alone["conll"].label == "Own"
