"""Metrics and numbers of errors, asked for together or alone."""

from __future__ import annotations

import pytest
from analysis.compare.known import answers, json_lines, responses, side
from files import written

import corefkit
from corefkit.analysis.compare.systems import materialize, parse_request
from corefkit.results.records import render_json

FAST = {"samples": 100}


@pytest.fixture(scope="module")
def data():
    return answers("two-systems")


def test_names_are_told_apart():
    asked = parse_request("lea, errors.divided,ERRORS.span")
    assert asked.metrics == ["lea"]
    assert list(asked.errors) == ["errors.divided", "errors.span"]
    assert parse_request(None).metrics is None


def test_numbers_of_errors_are_those_of_the_analysis(data):
    key = side(data, "key")
    names = ["errors.divided", "errors.conflated", "errors"]
    found = corefkit.compare(key, responses(data), metrics=[*names, "lea"], **FAST)
    assert list(found) == ["lea", *names]
    for name, response in responses(data).items():
        (system,) = corefkit.errors(key, response).to_dict()["systems"]
        counts = system["counts"] | {"errors": sum(system["counts"].values())}
        for metric in names:
            (one,) = [one for one in found[metric].systems if one.name == name]
            assert one.score == counts[metric.removeprefix("errors.")]
            assert found[metric].statistic == "count"


def test_fewer_errors_are_better(data):
    key = side(data, "key")
    responses = {"right": key, "wrong": {name: [] for name in key}}
    found = corefkit.compare(key, responses, metrics="errors", **FAST)["errors"]
    assert [one.rank for one in found.systems] == [1, 2]
    assert found.pairs[0].difference < 0
    assert found.pairs[0].p == 2 / 2**10


def test_errors_alone_leave_out_all_metrics(data):
    found = corefkit.compare(
        side(data, "key"), responses(data), metrics=["errors.span"], **FAST
    )
    assert list(found) == ["errors.span"]


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_errors_are_added_up_whatever_the_average(data, average):
    found = corefkit.compare(
        side(data, "key"),
        responses(data),
        metrics="errors,muc",
        average=average,
        **FAST,
    )
    one, other = found["errors"].systems
    assert found["errors"].pairs[0].difference == one.score - other.score
    assert float(one.score).is_integer()


def test_what_can_be_read_once_is_read_once(data, tmp_path):
    files = {
        name: written(tmp_path / f"{name}.jsonl", json_lines(side(data, name)))
        for name in ("key", "A", "B")
    }
    options = {"metrics": "errors,lea", **FAST}
    expected = corefkit.compare(
        files["key"], {"A": files["A"], "B": files["B"]}, **options
    )
    found = corefkit.compare(
        corefkit.read(files["key"]),
        {name: corefkit.read(files[name]) for name in "AB"},
        **options,
    )
    assert found.metrics == expected.metrics
    lazy = {
        name: {
            document: (iter(entity) for entity in entities)
            for document, entities in side(data, name).items()
        }
        for name in ("key", "A", "B")
    }
    found = corefkit.compare(lazy.pop("key"), lazy, **options)
    assert [one.score for one in found["errors"].systems] == [
        one.score for one in expected["errors"].systems
    ]


def test_only_what_is_read_once_is_copied():
    array, mention = object(), corefkit.Mention(0, 1)
    value = {"a": [array, (mention, {1})]}
    copy = materialize(value)
    assert copy == value
    assert copy["a"][0] is array
    assert copy["a"][1][0] is mention


def test_stored_results_have_no_errors(data, tmp_path):
    key = side(data, "key")
    result = corefkit.score(key, side(data, "A"))
    file = written(tmp_path / "a.json", render_json([result], per_document=True))
    for one in (result, file):
        with pytest.raises(corefkit.SettingsError, match="A has scores but no errors"):
            corefkit.compare(key, {"A": one}, metrics="errors", **FAST)


def test_unknown_kind_is_refused_with_the_nearest():
    with pytest.raises(corefkit.SettingsError) as error:
        corefkit.compare(["ab"], {"A": ["ab"]}, metrics="errors.divide", **FAST)
    assert "did you mean 'errors.divided'?" in error.value.hint


def test_broken_responses_are_left_out(tmp_path):
    good = written(tmp_path / "good.jsonl", json_lines({"a": ["abc"], "b": ["de"]}))
    gone = str(tmp_path / "gone.jsonl")
    found = corefkit.compare(
        good, {"x": gone, "y": good}, metrics="errors,lea", skip_broken=True, **FAST
    )
    assert (found.systems, list(found.refused)) == (("y",), ["x"])
    assert found["errors"].systems[0].score == 0
    with pytest.raises(corefkit.FormatError, match="cannot be read"):
        corefkit.compare(
            good,
            {"x": gone, "z": gone[:-1]},
            metrics="errors",
            skip_broken=True,
            **FAST,
        )


def test_documents_left_out_are_left_out_of_errors_too(data):
    key = side(data, "key")
    some = {name: one for name, one in side(data, "A").items() if name != "doc04"}
    options = {"metrics": "errors", **FAST}
    found = corefkit.compare(key, {"all": key, "some": some}, missing="skip", **options)
    fewer = {name: one for name, one in key.items() if name != "doc04"}
    expected = corefkit.compare(fewer, {"all": fewer, "some": some}, **options)
    assert found["errors"].pairs == expected["errors"].pairs
