"""Comparisons of stored results: the same as of the files, or refused in words."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from analysis.compare.known import answers, responses, side, texts
from files import corpus, written

import corefkit
from corefkit.analysis.compare.systems import collect_counts
from corefkit.metrics.metric import Score
from corefkit.metrics.registry import iter_metrics
from corefkit.results.records import render_json
from corefkit.results.stored_results import read_stored

FAST = {"samples": 100}
EVERY = [*corefkit.METRICS, *corefkit.VARIANTS]


@pytest.fixture
def stored(tmp_path):
    """Store results, one file for each, as `score --format json --per-document`."""

    def store(key, responses, *, per_document=True, **options):
        found = corefkit.score_responses(key, responses, **options)
        return {
            result.response: written(
                tmp_path / f"{result.response}.json",
                render_json([result], per_document=per_document),
            )
            for result in found
        }

    return store


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"average": "macro"},
        {"blanc_rule": "both"},
        {"blanc_rule": "links", "singletons": "drop"},
        {"preset": "conll2012"},
        {"missing": "skip"},
        {"weights": "type:PER=1,x|y=0.5"},
    ],
    ids=str,
)
@pytest.mark.parametrize("file", ["two-systems", "three-systems", "parts"])
@pytest.mark.slow
def test_stored_results_compare_as_the_files_do(stored, file, settings):
    data = answers(file)
    key, units = side(data, "key"), texts(data)
    files = stored(key, responses(data), metrics=EVERY, **settings)
    fresh = corefkit.compare(
        key, responses(data), metrics=EVERY, units=units, **FAST, **settings
    )
    again = corefkit.compare(None, files, units=units, **FAST)
    assert again == fresh
    assert again.to_dict() == fresh.to_dict()
    assert (
        corefkit.compare(key, files, units=units, **FAST).to_dict() == fresh.to_dict()
    )


@pytest.mark.parametrize("preset", [None, "conll2012"])
def test_links_of_lone_mentions_are_stored_too(stored, preset):
    """BLANC without any link asks whether the mentions are the same."""
    key = {"a": ["x"], "b": ["xy"], "c": ["x"]}
    responses = {"same": key, "other": {"a": ["z"], "b": ["xy"], "c": ["x"]}}
    options = {"blanc_rule": "both", "metrics": ["blanc"], "preset": preset}
    fresh = corefkit.compare(key, responses, **FAST, **options)
    assert corefkit.compare(None, stored(key, responses, **options), **FAST) == fresh


def test_repeated_mentions_of_the_reference_scorer(stored):
    key = {"a": ["aab", "cd"], "b": ["ab"]}
    responses = {"same": key, "other": {"a": ["ab", "cd"], "b": ["ab"]}}
    fresh = corefkit.compare(key, responses, preset="conll2012", **FAST)
    files = stored(key, responses, preset="conll2012")
    assert corefkit.compare(None, files, **FAST) == fresh


def test_rows_of_all_metrics_come_back_as_they_were_counted(tmp_path):
    def document(name, *starts):
        attributes = {"type": "PER", "mention_type": "NAM"}
        mentions = [corefkit.Mention(at, at, attributes=attributes) for at in starts]
        entities = [corefkit.Entity(str(at), (one,)) for at, one in enumerate(mentions)]
        entities.append(corefkit.Entity("all", tuple(mentions[:2])))
        return corefkit.Document(
            name, (("Ann", "saw", "her", "."),), tuple(entities[2:])
        )

    names = [metric.name for metric in iter_metrics()]
    key = [document("a", 0, 2, 3), document("b", 0, 1, 2)]
    other = [document("a", 0, 3, 2), document("b", 0, 2, 1)]
    result = corefkit.score(key, other, metrics=names)
    file = written(tmp_path / "s.json", render_json([result], per_document=True))
    (back,) = read_stored(file)
    for metric in result.metrics:
        rows = collect_counts(back, metric, result.settings)
        np.testing.assert_array_equal(rows, result.counts[metric.name])


def test_missing_documents_are_stored(stored, tmp_path):
    key = {f"d{number}": ["abc"] for number in range(30)}
    some = {name: entities for name, entities in key.items() if name > "d14"}
    fresh = corefkit.compare(key, {"all": key, "some": some}, **FAST)
    files = stored(key, {"all": key, "some": some})
    assert corefkit.compare(None, files, **FAST) == fresh
    assert any(warning.startswith("some lacks") for warning in fresh.warnings)
    rows = json.loads((tmp_path / "some.json").read_text("utf-8"))["systems"][0]
    missing = [row["document"] for row in rows["per_document"] if "missing" in row]
    assert missing == [name for name in key if name not in some]


def test_one_file_may_have_several_systems(tmp_path):
    data = answers("two-systems")
    results = corefkit.score_responses(side(data, "key"), responses(data))
    file = written(tmp_path / "all.json", render_json(results, per_document=True))
    assert corefkit.compare(None, [file], **FAST).systems == (
        "all.json:A",
        "all.json:B",
    )
    named = corefkit.compare(None, {"run": file}, **FAST)
    assert named.systems == ("run:A", "run:B")
    assert named["lea"].pairs[0].p == 0.125


def test_metrics_are_those_that_all_results_have(stored):
    key = {"a": ["abc"], "b": ["de"]}
    one = stored(key, {"one": key}, metrics=["muc", "lea"])
    two = stored(key, {"two": key}, metrics=["lea", "blanc"])
    found = corefkit.compare(None, one | two, **FAST)
    assert list(found) == ["lea"]
    assert "not every result has muc, blanc, which is left out" in found.notes
    mixed = corefkit.compare(key, {**one, "fresh": key}, **FAST)
    assert list(mixed) == ["muc", "lea"]


def alter(file, old, new):
    """Change a text in a file."""
    text = Path(file).read_text("utf-8")
    assert old in text
    Path(file).write_text(text.replace(old, new), "utf-8")


def refused(message, **options):
    return pytest.raises(corefkit.CorefkitError, match=message, **options)


def test_results_without_documents_are_refused(stored):
    files = stored(["ab"], {"A": ["ab"], "B": ["a"]}, per_document=False)
    with refused("A: has no scores of single documents") as error:
        corefkit.compare(None, files, **FAST)
    assert "--per-document" in error.value.hint


def test_metric_that_was_not_stored_is_refused(stored):
    files = stored(["ab"], {"A": ["ab"]}, metrics=["muc"])
    with refused("A: has no scores of lea, only of muc"):
        corefkit.compare(None, files, metrics="lea", **FAST)


def test_results_with_no_metric_in_common_are_refused(stored):
    files = stored(["ab"], {"A": ["ab"]}, metrics=["muc"])
    files |= stored(["ab"], {"B": ["ab"]}, metrics=["lea"])
    with refused("no metric in common"):
        corefkit.compare(None, files, **FAST)


def test_blanc_without_all_its_counts_is_refused(stored):
    key = {"a": ["x"], "b": ["xy"]}
    files = stored(key, {"A": key}, metrics=["blanc"], blanc_rule="both")
    alter(files["A"], '"counts"', '"other"')
    with refused("A: the scores of 'blanc' cannot be computed") as error:
        corefkit.compare(None, files, **FAST)
    assert "score again" in error.value.hint


def own_score(counts, settings=None, /):
    del settings
    return Score(*[float(counts[0] > 1)] * 3)


def own(name="mine", **options):
    return corefkit.Metric(
        name, name.title(), lambda table: np.ones((table.documents, 2)), **options
    )


def test_own_metric_without_stored_counts_is_refused(stored):
    key = {"a": ["ab"], "b": ["cd"]}
    metric = own(score=own_score)
    fresh = corefkit.compare(key, {"A": key, "B": key}, metrics=[metric], **FAST)
    assert fresh["mine"].systems[0].score == 1
    files = stored(key, {"A": key, "B": key}, metrics=[metric])
    with refused("A: the scores of 'mine' cannot be computed") as error:
        corefkit.compare(None, files, **FAST)
    assert "not a metric of corefkit" in error.value.hint


def test_own_metric_of_four_counts_is_compared(stored):
    data = answers("two-systems")
    metric = corefkit.lea_with(len, name="lea_flat")
    key = side(data, "key")
    fresh = corefkit.compare(key, responses(data), metrics=[metric], **FAST)
    files = stored(key, responses(data), metrics=[metric])
    for metrics in (None, "lea_flat", [metric]):
        again = corefkit.compare(None, files, metrics=metrics, **FAST)
        assert again["lea_flat"].pairs == fresh["lea_flat"].pairs


def test_two_metrics_of_one_name_are_refused():
    one, two = (corefkit.lea_with(len, name="mine") for _ in range(2))
    results = [
        corefkit.score(["ab"], ["ab"], metrics=[metric]) for metric in (one, two)
    ]
    with refused("two different metrics are called 'mine'"):
        corefkit.compare(None, results, **FAST)


def test_altered_scores_are_refused(stored):
    files = stored(["abc"], {"A": ["ab"]}, metrics=["muc"])
    alter(files["A"], '"recall_denominator": 2', '"recall_denominator": 3')
    with refused("the scores of 'muc' cannot be computed"):
        corefkit.compare(None, files, **FAST)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"settings": {', '"settings": null, "_": {', "has no settings"),
        ('"average": "macro"', '"average": "harmonic"', "has unknown settings"),
        ('"average": "macro"', '"colour": "red"', "has unknown settings"),
        ('"per_document": [', '"per_document": 3, "_": [', "has no scores, expected"),
    ],
    ids=["none", "value", "name", "broken"],
)
def test_files_of_other_versions_are_refused_in_words(stored, old, new, message):
    files = stored({"a": ["ab"]}, {"A": {"a": ["ab"]}}, average="macro")
    alter(files["A"], old, new)
    with refused(message):
        corefkit.compare(None, files, **FAST)


def test_settings_beside_stored_results_are_refused(stored):
    files = stored(["ab"], {"A": ["ab"]})
    for options in ({"average": "macro"}, {"preset": "conll2012"}, {"format": "conll"}):
        with refused("settings cannot be changed for stored scores"):
            corefkit.compare(None, files, **FAST, **options)


def test_parts_in_files_are_texts(tmp_path):
    documents = {"a": "(1) (1)", "b": "(1) -"}
    key = written(tmp_path / "key.conll", corpus(documents))
    more = corpus({"a": "(1) -"}).replace("part 000", "part 001")
    key = written(tmp_path / "key.conll", corpus(documents) + more)
    found = corefkit.compare(key, {"A": key}, metrics="mentions", **FAST)
    assert (found.documents, found.units) == (3, 2)
