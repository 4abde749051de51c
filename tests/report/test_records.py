"""JSON and CSV."""

from __future__ import annotations

import csv
import io
import json

import pytest
from builders import letters

import corefkit
from corefkit.report.records import csv_text, json_text

KEY = {"one": letters("abc defg"), "two, or \u201ctwo\u201d": letters("a")}


@pytest.fixture
def evaluations():
    responses = [KEY, {"one": letters("ab cd fghi")}]
    return corefkit.score_responses(KEY, responses, settings=corefkit.Settings())


def test_json_of_one_is_its_dictionary(evaluations):
    for per_document in (False, True):
        text = json_text(evaluations[:1], per_document=per_document)
        assert json.loads(text) == evaluations[0].to_dict(per_document=per_document)


def test_json_of_several_lists_them(evaluations):
    data = json.loads(json_text(evaluations))
    assert list(data) == ["corefkit", "signature", "key", "systems"]
    assert [system["scores"]["muc"]["recall"] for system in data["systems"]] == [
        1.0,
        0.4,
    ]


def test_json_carries_the_notes(evaluations):
    data = json.loads(json_text(evaluations))
    assert "notes" not in data["systems"][0]
    assert data["systems"][1]["notes"] == list(evaluations[1].notes)


def test_json_keeps_letters_readable(evaluations):
    assert "\u201ctwo\u201d" in json_text(evaluations, per_document=True)


def test_csv_has_scores_in_full(evaluations):
    rows = list(csv.DictReader(io.StringIO(csv_text(evaluations))))
    row = next(row for row in rows if row["metric"] == "b_cubed" and row["f1"] != "1.0")
    assert float(row["recall"]) == evaluations[1]["b_cubed"].recall
    assert row["recall_denominator"] == "8"


def test_csv_of_documents_names_each(evaluations):
    rows = list(
        csv.DictReader(io.StringIO(csv_text(evaluations[:1], per_document=True)))
    )
    assert list(dict.fromkeys(row["document"] for row in rows)) == ["", *KEY]


def test_csv_of_documents_keeps_the_totals(evaluations):
    total = list(csv.DictReader(io.StringIO(csv_text(evaluations))))
    both = csv.DictReader(io.StringIO(csv_text(evaluations, per_document=True)))
    assert [
        {name: value for name, value in row.items() if name != "document"}
        for row in both
        if not row["document"]
    ] == total


def test_csv_has_the_same_number_of_cells_in_every_row(evaluations):
    for per_document in (False, True):
        text = csv_text(evaluations, per_document=per_document)
        assert len({len(row) for row in csv.reader(io.StringIO(text))}) == 1
