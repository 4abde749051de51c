"""Suites of corpora, and systems with several runs."""

from __future__ import annotations

import csv
import io
import json
from itertools import product
from statistics import mean, stdev

import numpy as np
import pytest
from scipy.special import stdtrit

import corefkit
from corefkit.analysis.suite.suite_file import read_suite
from corefkit.analysis.suite.suite_text import SUITE_WRITERS
from corefkit.cli import main
from corefkit.exceptions import CorefkitError, PairingError, SettingsError

SAMPLES = 400


def make_corpus(texts, entities=3):
    return {
        f"text{number}": [
            [(token, token) for token in range(4 * first, 4 * first + 4)]
            for first in range(entities)
        ]
        for number in range(texts)
    }


def drop_mentions(corpus, share, seed):
    random = np.random.default_rng(seed)
    return {
        name: [[span for span in entity if random.random() > share] for entity in text]
        for name, text in corpus.items()
    }


@pytest.fixture(scope="module")
def suite():
    corpora = {}
    for number, texts in enumerate((3, 4)):
        key = make_corpus(texts)
        responses = {
            "A": drop_mentions(key, 0.2, number),
            "B": drop_mentions(key, 0.4, 10 + number),
        }
        corpora[f"corpus{number}"] = corefkit.SuiteCorpus(key, responses)
    return corefkit.Suite("two", corpora)


def score_all(suite, **options):
    return {
        (corpus, system): corefkit.score(part.key, response, **options)
        for corpus, part in suite.corpora.items()
        for system, response in part.responses.items()
    }


def average(scores, system, metric="conll"):
    return mean(
        score[metric].f1 for (_, name), score in scores.items() if name == system
    )


def test_mean_is_that_of_the_corpora(suite):
    scores = score_all(suite)
    result = corefkit.score_suite(suite, samples=SAMPLES)
    assert [*result.comparison.metrics] == [*scores["corpus0", "A"], "conll"]
    for metric in result.comparison.metrics.values():
        for system in metric.systems:
            expected = average(scores, system.name, metric.name)
            assert system.score == pytest.approx(expected, abs=1e-12)
        for stratum in metric.strata:
            for system, score in stratum.scores.items():
                expected = scores[stratum.name, system][metric.name].f1
                assert score == pytest.approx(expected, abs=1e-12)


def test_p_is_the_share_of_all_swaps_within_corpora(suite):
    """The exact randomization test, from scores of corpora with swapped texts."""
    result = corefkit.score_suite(suite, metrics="muc", samples=SAMPLES)
    pair = result.comparison["muc"].pairs[0]
    assert pair.is_exact
    texts = [(name, text) for name, part in suite.corpora.items() for text in part.key]
    observed, extreme = None, 0
    for swaps in product([False, True], repeat=len(texts)):
        swapped = dict(zip(texts, swaps, strict=True))
        totals = []
        for first, second in (("A", "B"), ("B", "A")):
            scores = []
            for name, part in suite.corpora.items():
                response = {
                    text: part.responses[second if swapped[name, text] else first][text]
                    for text in part.key
                }
                scores.append(corefkit.score(part.key, response, metrics="muc")["muc"])
            totals.append(mean(score.f1 for score in scores))
        difference = totals[0] - totals[1]
        observed = difference if observed is None else observed
        extreme += abs(difference) >= abs(observed) - 1e-9
    assert pair.difference == pytest.approx(observed, abs=1e-12)
    assert pair.p == extreme / 2 ** len(texts)


def test_intervals_vary_texts_within_corpora(suite):
    """A corpus with one text does not vary, so intervals are those of the other."""
    key = make_corpus(1)
    single = corefkit.SuiteCorpus(key, {"A": key, "B": drop_mentions(key, 0.5, 3)})
    other = suite.corpora["corpus1"]
    both = corefkit.Suite("both", {"single": single, "other": other})
    options = {"metrics": "muc", "samples": SAMPLES, "interval": "percentile"}
    joint = corefkit.score_suite(both, **options).comparison["muc"].systems[0]
    alone = corefkit.score_suite(corefkit.Suite("other", {"other": other}), **options)
    ends = alone.comparison["muc"].systems[0].intervals["percentile"]
    width = joint.intervals["percentile"].high - joint.intervals["percentile"].low
    # Draws of other sets of texts differ, so widths are close, not equal.
    assert width == pytest.approx((ends.high - ends.low) / 2, rel=0.35)


def test_settings_of_a_corpus_apply_to_it_alone():
    key = {"text": [[(0, 0)], [(1, 1), (2, 2)]]}
    response = {"text": [[(1, 1), (2, 2)]]}
    corpora = {
        "keep": corefkit.SuiteCorpus(key, {"A": response}),
        "drop": corefkit.SuiteCorpus(key, {"A": response}, {"singletons": "drop"}),
    }
    result = corefkit.score_suite(corefkit.Suite("s", corpora), metrics="mentions")
    scores = {
        stratum.name: stratum.scores["A"]
        for stratum in result.comparison["mentions"].strata
    }
    assert scores == {"keep": pytest.approx(0.8), "drop": 1}
    assert "singletons:drop" in result.corpora["drop"].signature
    assert "singletons:drop" in result.comparison.signature


def test_same_texts_in_two_corpora_are_reported(folder):
    suite = read_suite(folder / "suite.toml")
    corpora = {"one": suite.corpora["de"], "two": suite.corpora["de"]}
    result = corefkit.score_suite(corefkit.Suite("s", corpora), samples=SAMPLES)
    assert any("same texts" in warning for warning in result.comparison.warnings)


@pytest.fixture
def incomplete(suite):
    first, second = suite.corpora.values()
    responses = {"A": second.responses["A"]}
    corpora = {
        "first": first,
        "second": corefkit.SuiteCorpus(second.key, responses),
    }
    return corefkit.Suite("incomplete", corpora)


def test_system_without_a_response_has_no_mean(incomplete):
    result = corefkit.score_suite(incomplete, metrics="muc", samples=SAMPLES)
    assert result.comparison.systems == ("A",)
    assert [*result.missing] == [("B", "second")]
    assert result.corpora["first"].cells["B"].runs


def test_missing_response_can_count_as_empty(incomplete):
    result = corefkit.score_suite(
        incomplete, metrics="conll", missing_cells="empty", samples=SAMPLES
    )
    scores = {
        system.name: system.score for system in result.comparison["conll"].systems
    }
    first = incomplete.corpora["first"]
    alone = corefkit.score(first.key, first.responses["B"]).conll
    assert scores["B"] == pytest.approx(alone / 2)
    assert result.missing


def test_missing_response_can_be_an_error(incomplete):
    with pytest.raises(PairingError) as caught:
        corefkit.score_suite(incomplete, missing_cells="error")
    assert caught.value.code == "pairing/missing-cell"


def test_no_system_is_compared_if_all_lack_a_response(suite):
    first, second = suite.corpora.values()
    corpora = {
        "first": corefkit.SuiteCorpus(first.key, {"A": first.responses["A"]}),
        "second": corefkit.SuiteCorpus(second.key, {"B": second.responses["B"]}),
    }
    result = corefkit.score_suite(corefkit.Suite("s", corpora), metrics="muc")
    assert result.comparison is None
    for name, write in SUITE_WRITERS.items():
        assert write(result), name


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"test": "t"}, "settings/conflict"),
        ({"missing_cells": "ignore"}, "settings/unknown-value"),
        ({"baseline": "C"}, "settings/unknown-value"),
    ],
)
def test_invalid_options_are_rejected(suite, options, code):
    with pytest.raises(SettingsError) as caught:
        corefkit.score_suite(suite, **options)
    assert caught.value.code == code


@pytest.fixture(scope="module")
def key():
    return make_corpus(6)


@pytest.fixture(scope="module")
def runs(key):
    return [drop_mentions(key, 0.3, seed) for seed in range(4)]


class TestRuns:
    """Systems with several runs."""

    def test_score_is_the_mean(self, key, runs):
        scores = [corefkit.score(key, run)["lea"].f1 for run in runs]
        systems = {"A": corefkit.Runs(runs), "B": key}
        result = corefkit.compare(key, systems, metrics="lea", samples=SAMPLES)
        first, second = result["lea"].systems
        assert first.score == pytest.approx(mean(scores))
        assert first.runs == pytest.approx(scores)
        assert first.deviation == pytest.approx(stdev(scores))
        assert second.runs == ()
        assert result.procedure.test == "bootstrap"
        assert result.to_dict()["metrics"]["lea"]["systems"]["A"]["runs"]

    def test_draws_vary_as_texts_and_runs_do(self, key, runs):
        """Texts that are all the same leave the variance of the mean over runs."""
        same = {name: [*entities] for name, entities in key.items()}
        constant = [
            {name: run["text0"] for name in same} for run in runs
        ]  # each text has the same errors
        result = corefkit.compare(
            same, {"A": corefkit.Runs(constant)}, metrics="muc", samples=4000
        )
        (system,) = result["muc"].systems
        low, high = system.intervals["t"]
        texts = len(same)
        margin = -stdtrit(texts - 1, 0.025) * np.sqrt(texts / (texts - 1))
        error = (high - low) / 2 / margin
        assert error == pytest.approx(system.deviation / len(runs) ** 0.5, rel=0.1)

    def test_equal_runs_are_as_one(self, key, runs):
        options = {"metrics": "muc", "samples": SAMPLES, "test": "bootstrap"}
        several = corefkit.Runs([runs[0]] * 3)
        first = corefkit.compare(key, {"A": several, "B": runs[1]}, **options)
        second = corefkit.compare(key, {"A": runs[0], "B": runs[1]}, **options)
        pair, expected = first["muc"].pairs[0], second["muc"].pairs[0]
        assert pair.p == expected.p
        assert pair.intervals["bca"] == pytest.approx(expected.intervals["bca"])
        assert first["muc"].systems[0].deviation == 0

    def test_equal_systems_do_not_differ(self, key, runs):
        systems = {"A": corefkit.Runs(runs[:2]), "B": corefkit.Runs(runs[:2])}
        result = corefkit.compare(key, systems, metrics="muc", samples=SAMPLES)
        assert result["muc"].pairs[0].difference == 0
        assert not result["muc"].pairs[0].is_significant

    def test_system_with_a_broken_run_is_skipped(self, key, runs):
        systems = {"A": corefkit.Runs([runs[0], {"other": []}]), "B": runs[1]}
        result = corefkit.compare(
            key, systems, metrics="muc", skip_broken=True, samples=SAMPLES
        )
        assert result.systems == ("B",)
        assert [*result.refused] == ["A"]

    def test_no_runs_are_rejected(self, key):
        with pytest.raises(SettingsError) as caught:
            corefkit.compare(key, {"A": corefkit.Runs([])})
        assert caught.value.code == "input/no-response"

    def test_suites_average_runs_of_each_corpus(self, key, runs):
        corpora = {
            "first": corefkit.SuiteCorpus(key, {"A": corefkit.Runs(runs[:2])}),
            "second": corefkit.SuiteCorpus(key, {"A": corefkit.Runs(runs[2:])}),
        }
        result = corefkit.score_suite(corefkit.Suite("s", corpora), metrics="muc")
        scores = [corefkit.score(key, run)["muc"].f1 for run in runs]
        assert result.comparison["muc"].systems[0].score == pytest.approx(mean(scores))

    def test_different_numbers_of_runs_are_rejected(self, key, runs):
        corpora = {
            "first": corefkit.SuiteCorpus(key, {"A": corefkit.Runs(runs)}),
            "second": corefkit.SuiteCorpus(key, {"A": corefkit.Runs(runs[:2])}),
        }
        with pytest.raises(PairingError) as caught:
            corefkit.score_suite(corefkit.Suite("s", corpora), metrics="muc")
        assert caught.value.code == "pairing/missing-cell"


def write_lines(path, corpus):
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        json.dumps({"doc_key": name, "sentences": [["w"] * 20], "clusters": entities})
        for name, entities in corpus.items()
    ]
    path.write_text("\n".join(lines), "utf-8")


SUITE = """
title = "Demo"
key = "data/{corpus}-test.jsonl"
metrics = ["conll"]

[systems]
careful = "careful/{corpus}.jsonl"
seeds = ["seed1/{corpus}.jsonl", "seed2/{corpus}.jsonl"]
"""


@pytest.fixture
def folder(tmp_path):
    for number, corpus in enumerate(("de", "en", "fr")):
        key = make_corpus(4)
        write_lines(tmp_path / "data" / f"{corpus}-test.jsonl", key)
        for name in ("careful", "seed1", "seed2"):
            response = drop_mentions(key, 0.3, [number, len(name), ord(name[-1])])
            write_lines(tmp_path / name / f"{corpus}.jsonl", response)
    (tmp_path / "suite.toml").write_text(SUITE, "utf-8")
    return tmp_path


def test_corpora_are_the_files_that_match_the_key(folder):
    suite = read_suite(folder / "suite.toml")
    assert [*suite.corpora] == ["de", "en", "fr"]
    assert suite.systems == ("careful", "seeds")
    assert len(suite.corpora["en"].responses["seeds"]) == 2


def run_suite(folder, capsys, *words):
    code = main(["suite", str(folder / "suite.toml"), "--samples", "200", *words])
    return code, capsys.readouterr()


def test_command_writes_every_format(folder, capsys):
    for name in SUITE_WRITERS:
        code, output = run_suite(folder, capsys, "--format", name)
        assert code == 0
        assert "careful" in output.out
        if name == "json":
            values = json.loads(output.out)
            assert values["metrics"]["conll"]["systems"]["seeds"]["deviation"] > 0
            assert [*values["corpora"]] == ["de", "en", "fr"]
        if name == "csv":
            rows = [*csv.DictReader(io.StringIO(output.out))]
            # four metrics with the mean, three corpora, three runs
            assert len([row for row in rows if row["kind"] == "cell"]) == 36


def test_missing_file_does_not_stop_the_others(folder, capsys):
    (folder / "careful" / "en.jsonl").unlink()
    code, output = run_suite(folder, capsys)
    assert code == 1
    assert "careful on en" in output.out
    code, output = run_suite(folder, capsys, "--missing-cells", "empty")
    assert code == 1
    assert "0.00°" in output.out


def test_broken_key_does_not_stop_the_others(folder, capsys):
    (folder / "data" / "en-test.jsonl").write_text("{", "utf-8")
    code, output = run_suite(folder, capsys)
    assert code == 1
    assert "2 of 3 corpora" in output.out


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("key = ", "settings/unreadable"),
        ('systms = {A = "a"}', "settings/invalid-value"),
        ('key = "data/{corpus}-test.jsonl"', "settings/invalid-value"),
        ('[systems]\nA = "a"', "settings/invalid-value"),
        ('[systems]\nA = 3\n[corpora.en]\nkey = "k"', "settings/invalid-value"),
        ('[systems]\nA = "a"\n[corpora.en]\nkeys = "k"', "settings/invalid-value"),
        ('[systems]\nA = "a"\n[corpora.en]\nmatch = "head"', "settings/invalid-value"),
        (
            '[systems]\nA = "a"\n[corpora.en]\nkey = "k"\nresponses = {B = "b"}',
            "settings/invalid-value",
        ),
    ],
)
def test_invalid_suite_files_are_rejected(tmp_path, text, code):
    path = tmp_path / "suite.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(CorefkitError) as caught:
        read_suite(path)
    assert caught.value.code == code
    assert caught.value.place == str(path)


def test_runs_of_a_response_are_averaged(folder, capsys):
    key, first, second = (
        str(folder / name / "en.jsonl") for name in ("data", "seed1", "seed2")
    )
    key = str(folder / "data" / "en-test.jsonl")
    words = ["score", key, f"seeds={first},{second}", "--metric", "muc"]
    assert main(words) == 0
    assert "±" in capsys.readouterr().out
    assert main([*words, "--format", "json"]) == 0
    values = json.loads(capsys.readouterr().out)
    assert len(values["systems"]) == 2
    scores = [system["scores"]["muc"]["f1"] for system in values["systems"]]
    averaged = values["runs"]["seeds"]["scores"]["muc"]["f1"]
    assert averaged["mean"] == pytest.approx(mean(scores))
    assert averaged["deviation"] == pytest.approx(stdev(scores))
    assert main(["compare", key, f"seeds={first},{second}", "--samples", "100"]) == 0
    assert "±" in capsys.readouterr().out
