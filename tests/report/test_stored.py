"""Results that were stored as JSON, read back."""

from __future__ import annotations

import gzip
import json

import pytest
from builders import letters
from files import written

import corefkit
from corefkit.report.records import csv_text, json_text
from corefkit.report.stored import read_stored
from corefkit.report.table import plain_table

KEY = {"one": letters("abc defg"), "two": letters("a")}
RESPONSE = {"one": letters("ab cd fghi")}
ALL = [*corefkit.METRICS, *corefkit.VARIANTS]


@pytest.fixture
def evaluations():
    return corefkit.score_responses(
        KEY, [RESPONSE, KEY], settings=corefkit.Settings(), metrics=ALL
    )


@pytest.fixture
def store(tmp_path):
    def stored(results, **options):
        name = written(tmp_path / "stored.json", json_text(results, **options))
        return name, read_stored(name)

    return stored


@pytest.mark.parametrize("per_document", [False, True])
def test_all_that_was_stored_is_read_back(evaluations, store, per_document):
    _, found = store(evaluations, per_document=per_document)
    for stored, evaluation in zip(found, evaluations, strict=True):
        for name in ("key", "signature", "corpus", "document_count", "scores"):
            assert getattr(stored, name) == getattr(evaluation, name)
        assert stored.labels == evaluation.labels
        assert stored.conll == evaluation.conll
        assert stored.notes == evaluation.notes
        assert stored.per_document == (evaluation.per_document if per_document else ())


def test_macro_averages_are_read_back(store):
    macro = corefkit.score(KEY, RESPONSE, average="macro")
    _, (stored,) = store([macro])
    assert stored.scores == macro.scores
    assert "macro-averaged" in plain_table([stored])


def test_one_response_has_the_name_of_its_file(evaluations, store):
    name, (stored,) = store(evaluations[:1])
    assert stored.response == name


def test_several_responses_have_their_names_too(evaluations, store):
    name, found = store(evaluations)
    assert [one.response for one in found] == [f"{name}:response"] * 2


def test_storing_again_changes_no_score(evaluations, store):
    _, once = store(evaluations[:1], per_document=True)
    before = json.loads(json_text(once, per_document=True))
    _, twice = store(once, per_document=True)
    assert json.loads(json_text(twice, per_document=True)) == before


def test_results_of_other_settings_keep_their_own_signature(evaluations, store):
    macro = corefkit.score(KEY, RESPONSE, average="macro", metrics=["muc"])
    name, found = store([evaluations[0], macro])
    assert [one.signature for one in found] == [
        evaluations[0].signature,
        macro.signature,
    ]
    systems = json.loads(json_text(found))["systems"]
    assert ["signature" in system for system in systems] == [False, True]
    assert name in csv_text(found)


def test_only_some_metrics(evaluations, store):
    _, (stored, _) = store(evaluations, per_document=True)
    cut = stored.only(["lea", "muc", "zeros"])
    assert list(cut.scores) == list(cut.labels) == ["lea", "muc"]
    assert cut.conll is None
    assert [list(row.scores) for row in cut.per_document] == [["lea", "muc"]] * 2
    assert stored.only(ALL).conll == stored.conll


def test_metric_that_somebody_made_is_called_by_its_name(store):
    made = corefkit.lea_with(len, name="lea_flat")
    _, (stored,) = store([corefkit.score(["abc"], ["ab"], metrics=[made])])
    assert stored.labels == {"lea_flat": "lea_flat"}


def test_result_without_a_corpus_has_an_unknown_one(evaluations, tmp_path):
    data = json.loads(json_text(evaluations[:1]))
    del data["systems"][0]["corpus"]
    (stored,) = read_stored(written(tmp_path / "old.json", json.dumps(data)))
    assert stored.corpus == corefkit.Fingerprint(documents=2)


def test_packed_file(evaluations, tmp_path):
    packed = gzip.compress(json_text(evaluations[:1]).encode())
    (stored,) = read_stored(written(tmp_path / "stored.json.gz", packed))
    assert stored.scores == evaluations[0].scores


class TestRefused:
    def refused(self, tmp_path, content):
        name = written(tmp_path / "bad.json", content)
        with pytest.raises(corefkit.FormatError, match="has no scores") as error:
            read_stored(name)
        assert error.value.place == name

    @pytest.mark.parametrize(
        "content",
        ["", "{", "[]", "7", "{}", '{"systems": []}', '{"systems": [7]}', b"\xff{"],
        ids=str,
    )
    def test_what_is_no_result(self, tmp_path, content):
        self.refused(tmp_path, content)

    @pytest.mark.parametrize(
        ("place", "value"),
        [
            (("signature",), 7),
            (("key",), None),
            (("systems", 0, "response"), ["a"]),
            (("systems", 0, "documents"), "4"),
            (("systems", 0, "corpus"), "same"),
            (("systems", 0, "conll"), "high"),
            (("systems", 0, "notes"), 7),
            (("systems", 0, "scores"), []),
            (("systems", 0, "scores", "muc"), 0.5),
            (("systems", 0, "scores", "muc", "recall"), "0.5"),
            (("systems", 0, "scores", "muc", "undefined"), [1]),
            (("systems", 0, "scores", "blanc", "coreference"), {}),
        ],
        ids=str,
    )
    def test_value_of_another_kind(self, tmp_path, evaluations, place, value):
        data = json.loads(json_text(evaluations[:1]))
        inside = data
        for step in place[:-1]:
            inside = inside[step]
        inside[place[-1]] = value
        self.refused(tmp_path, json.dumps(data))

    def test_file_that_is_not_there(self, tmp_path):
        with pytest.raises(corefkit.FormatError, match="cannot be read"):
            read_stored(tmp_path / "nowhere.json")
