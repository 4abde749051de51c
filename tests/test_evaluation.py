"""What scoring gives back, and its plain values."""

from __future__ import annotations

import json
import math
import pickle
from typing import ClassVar

import pytest
from builders import COUNTS, corpora, letters
from builders import FIELDS as RATIOS
from hypothesis import given

import corefkit

DEFAULT = ("mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea")
FIELDS = [*RATIOS, *COUNTS]
KEY = {"one": letters("abc defg"), "two": letters("ab")}
RESPONSE = {"one": letters("ab cd fghi"), "two": letters("a b")}


@pytest.fixture
def result():
    return corefkit.score(KEY, RESPONSE)


def test_default_metrics_in_their_order(result):
    assert tuple(result) == tuple(result.scores) == DEFAULT
    assert "muc" in result
    assert "ceaf_phi1" not in result


def test_conll_is_the_mean_of_three(result):
    three = [result[name].f1 for name in ("muc", "b_cubed", "ceaf_e")]
    assert result.conll == pytest.approx(sum(three) / 3, rel=1e-9)


def test_conll_is_none_without_its_parts():
    result = corefkit.score(["a"], ["a"], metrics=["muc", "lea"])
    assert result.conll is None
    assert "conll" not in result.to_dict()["systems"][0]


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_conll_is_asked_for_as_a_metric_is(average):
    result = corefkit.score(KEY, RESPONSE, average=average)
    for scores in (result, *result.per_document):
        three = [scores[name] for name in ("muc", "b_cubed", "ceaf_e")]
        assert "conll" in scores
        assert scores["conll"].f1 == scores.conll
        for ratio in RATIOS:
            mean = sum(getattr(one, ratio) for one in three) / 3
            assert getattr(scores["conll"], ratio) == pytest.approx(mean, rel=1e-9)
        assert all(math.isnan(getattr(scores["conll"], count)) for count in COUNTS)
    assert "conll" not in list(result)


def test_conll_without_its_parts_is_a_key_error():
    result = corefkit.score(KEY, RESPONSE, metrics=["muc", "lea"])
    for scores in (result, *result.per_document):
        assert "conll" not in scores
        assert scores.conll is None
        with pytest.raises(KeyError, match="only muc, lea"):
            scores["conll"]


def test_conll_of_empty_sides_is_undefined():
    assert corefkit.score([], [])["conll"].undefined == ("recall", "precision")


def test_blanc_has_the_counts_of_its_links(result):
    for scores in (result, *result.per_document):
        blanc = scores["blanc"]
        for count in COUNTS:
            kinds = blanc.coreference, blanc.non_coreference
            assert getattr(blanc, count) == sum(getattr(one, count) for one in kinds)
    assert result["blanc"].recall_denominator == 7 * 6 / 2 + 1


def test_blanc_has_its_counts_once_in_json(result):
    values = result.to_dict()["systems"][0]["scores"]["blanc"]
    assert list(values) == [*RATIOS, "coreference", "non_coreference"]


@pytest.mark.parametrize("alias", ["b3", "bcub", "bcubed"])
def test_aliases_are_read_and_never_written(alias):
    result = corefkit.score(["ab"], ["ab"], metrics=[alias])
    assert result[alias] == result["b_cubed"]
    assert list(result.to_dict()["systems"][0]["scores"]) == ["b_cubed"]


def test_metric_that_was_not_computed_is_a_key_error(result):
    with pytest.raises(KeyError, match="ceaf_phi1"):
        result["ceaf_phi1"]


def test_dictionary_has_the_shape_of_the_contract(result):
    data = result.to_dict()
    assert list(data) == ["corefkit", "signature", "key", "systems"]
    assert data["corefkit"] == corefkit.__version__
    assert data["signature"] == result.signature
    (system,) = data["systems"]
    assert list(system) == ["response", "documents", "corpus", "scores", "conll"]
    assert system["documents"] == 2
    assert system["corpus"] == {"documents": 2, "mentions": 9, "entities": 3}
    assert list(system["scores"]) == list(DEFAULT)
    for name in set(DEFAULT) - {"blanc"}:
        assert list(system["scores"][name]) == FIELDS
    blanc = system["scores"]["blanc"]
    assert list(blanc) == [
        "recall",
        "precision",
        "f1",
        "coreference",
        "non_coreference",
    ]
    assert list(blanc["coreference"]) == list(blanc["non_coreference"]) == FIELDS


def test_dictionary_has_documents_only_where_asked_for(result):
    (system,) = result.to_dict(per_document=True)["systems"]
    assert [list(row) for row in system["per_document"]] == [
        ["document", "scores", "conll"]
    ] * 2
    assert [row["document"] for row in system["per_document"]] == ["one", "two"]
    assert list(system["per_document"][0]["scores"]) == list(DEFAULT)


def test_dictionary_is_plain_json(result):
    data = result.to_dict(per_document=True)
    assert json.loads(json.dumps(data)) == data


def test_whole_counts_are_integers(result):
    muc = result.to_dict()["systems"][0]["scores"]["muc"]
    assert json.dumps(muc["recall_denominator"]) == "6"


def test_undefined_scores_are_named():
    result = corefkit.score(["a"], ["a"], metrics=["muc"])
    assert result["muc"].undefined == ("recall", "precision")
    scores = result.to_dict()["systems"][0]["scores"]
    assert scores["muc"]["undefined"] == ["recall", "precision"]


def test_per_document_scores_add_up(result):
    rows = result.per_document
    assert [row.document for row in rows] == ["one", "two"]
    assert rows[0]["muc"].f1 == pytest.approx(0.4, rel=1e-9)
    for field in FIELDS[3:]:
        total = sum(getattr(row["b_cubed"], field) for row in rows)
        assert getattr(result["b_cubed"], field) == pytest.approx(total, rel=1e-9)


def test_records_are_flat_rows(result):
    records = result.to_records()
    assert [record["metric"] for record in records] == list(DEFAULT)
    assert not any(
        isinstance(value, list | dict) for row in records for value in row.values()
    )
    assert records[1]["recall_denominator"] == 6
    assert records[5]["coreference_recall_denominator"] == 10
    assert {record["signature"] for record in records} == {result.signature}


def test_records_by_document_name_the_document(result):
    records = result.to_records(per_document=True)
    assert len(records) == 2 * len(DEFAULT)
    assert [record["document"] for record in records[:: len(DEFAULT)]] == ["one", "two"]


def test_printing_gives_the_table_and_the_signature(result):
    assert str(result).splitlines()[-1] == result.signature
    assert "B³" in str(result)
    assert result.signature in repr(result)


class TestMacro:
    def test_scores_are_means_of_the_documents(self, result):
        macro = corefkit.score(KEY, RESPONSE, average="macro")
        for name in DEFAULT:
            for field in FIELDS[:3]:
                mean = sum(getattr(row[name], field) for row in result.per_document) / 2
                assert getattr(macro[name], field) == pytest.approx(mean, rel=1e-9)

    def test_counts_stay_sums(self, result):
        macro = corefkit.score(KEY, RESPONSE, average="macro")
        assert macro["muc"].recall_denominator == result["muc"].recall_denominator

    def test_signature_says_so(self):
        assert corefkit.score(["a"], ["a"], average="macro").signature.endswith("macro")


class TestUndefinedInMeans:
    """Documents whose score is undefined: one has links, one none, one spurious."""

    KEY: ClassVar = {"links": ["abcd"], "none": ["e", "f"], "spurious": ["g", "h"]}
    RESPONSE: ClassVar = {"links": ["ab", "cd"], "none": ["e", "f"], "spurious": ["gh"]}
    # Recall of the three is 2/3, undefined, undefined; precision 1, undefined, 0; F1
    # of the last is 0, since it has something wrong.
    MEANS: ClassVar = {
        "zero": (2 / 9, 1 / 3, 4 / 15),
        "one": (8 / 9, 2 / 3, 3 / 5),
        "skip": (2 / 3, 1 / 2, 2 / 5),
    }

    def score(self, undefined, average="macro"):
        settings = {"average": average, "undefined": undefined}
        return corefkit.score(self.KEY, self.RESPONSE, **settings)

    @pytest.mark.parametrize("undefined", MEANS)
    def test_means_are_as_the_setting_says(self, undefined):
        score = self.score(undefined)["muc"]
        found = score.recall, score.precision, score.f1
        assert found == pytest.approx(self.MEANS[undefined], rel=1e-12)
        assert score.recall_denominator == 3

    def test_sums_do_not_change(self):
        zero, skip = (self.score(choice, "micro") for choice in ("zero", "skip"))
        assert zero.scores == skip.scores

    def test_signature_says_so(self):
        assert self.score("zero").signature.endswith("|average:macro")
        assert self.score("skip").signature.endswith("|average:macro|undefined:skip")

    def test_what_no_document_defines_is_still_undefined(self):
        alone = {"a": ["b"], "c": ["d"]}
        result = corefkit.score(alone, alone, average="macro", undefined="skip")
        assert result["muc"].f1 == 0
        assert result["muc"].undefined == ("recall", "precision")

    @pytest.mark.parametrize("rule", ["key", "both", "links"])
    @given(corpus=corpora())
    def test_every_metric_is_averaged_over_what_its_documents_define(
        self, rule, corpus
    ):
        metrics = [*corefkit.METRICS, "alpha"]
        settings = {"metrics": metrics, "average": "macro", "blanc_rule": rule}
        for undefined, counts_as in (("one", 1.0), ("skip", None)):
            result = corefkit.score(*corpus, undefined=undefined, **settings)
            for name in metrics:
                for field in (*RATIOS, "value"):
                    scores = [row[name] for row in result.per_document]
                    values = [mean_term(score, field, counts_as) for score in scores]
                    kept = [value for value in values if value is not None]
                    if field == "value" and name != "alpha":
                        assert result[name].value is None
                        continue
                    mean = math.fsum(kept) / len(kept) if kept else 0.0
                    found = getattr(result[name], field)
                    assert found == pytest.approx(mean, rel=1e-12)


def mean_term(score, field, counts_as):
    """Say what a document's score counts as in a mean, from what it says of itself."""
    undefined = set(score.undefined)
    if undefined >= {"recall", "precision"}:
        undefined |= {"f1", "value"}
    return counts_as if field in undefined else getattr(score, field)


def test_aliases_are_read_wherever_a_metric_is_named():
    result = corefkit.score(["ab"], ["ab"], metrics=["bcub"])
    assert "bcub" in result
    assert result["b3"] == result["b_cubed"]
    assert list(result) == ["b_cubed"]


class TestFlat:
    def test_every_score_has_a_name(self, result):
        flat = result.to_flat()
        assert len(flat) == 3 * len(DEFAULT) + 1
        assert flat["lea_recall"] == result["lea"].recall
        assert flat["conll_f1"] == result.conll
        assert {type(value) for value in flat.values()} == {float}

    def test_prefix_and_separator(self, result):
        flat = result.to_flat(prefix="val", separator=".")
        assert list(flat)[:2] == ["val.mentions_recall", "val.mentions_precision"]

    def test_without_the_three_there_is_no_mean(self):
        flat = corefkit.score(KEY, RESPONSE, metrics="muc").to_flat()
        assert list(flat) == ["muc_recall", "muc_precision", "muc_f1"]

    def test_metrics_with_a_value_have_it(self):
        flat = corefkit.score(KEY, RESPONSE, metrics="alpha").to_flat()
        assert list(flat)[-1] == "alpha_value"

    def test_what_is_undefined_is_0_as_in_tables(self):
        assert corefkit.score(["a"], ["a"], metrics="muc").to_flat()["muc_f1"] == 0.0


def test_results_are_pickled_after_their_metrics_were_explained():
    result = corefkit.score(["abc"], ["ab"])
    for metric in result:
        corefkit.explain(["abc"], ["ab"], metric=metric)
    assert pickle.loads(pickle.dumps(result)).scores == result.scores
