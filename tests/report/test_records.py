"""JSON and CSV."""

from __future__ import annotations

import csv
import io
import json

import pytest
from builders import letters

import corefkit
from corefkit.results.records import render_csv, render_json
from corefkit.results.score_table import Order, rank_results

KEY = {"one": letters("abc defg"), "two, or \u201ctwo\u201d": letters("a")}


@pytest.fixture
def evaluations():
    responses = [KEY, {"one": letters("ab cd fghi")}]
    return corefkit.score_responses(KEY, responses, settings=corefkit.Settings())


def test_json_of_one_is_its_dictionary(evaluations):
    for per_document in (False, True):
        text = render_json(evaluations[:1], per_document=per_document)
        assert json.loads(text) == evaluations[0].to_dict(per_document=per_document)


def test_json_of_several_lists_them(evaluations):
    data = json.loads(render_json(evaluations))
    assert list(data) == ["corefkit", "signature", "key", "systems"]
    assert [system["scores"]["muc"]["recall"] for system in data["systems"]] == [
        1.0,
        0.4,
    ]


def test_json_carries_the_notes(evaluations):
    data = json.loads(render_json(evaluations))
    assert "notes" not in data["systems"][0]
    assert data["systems"][1]["notes"] == list(evaluations[1].notes)


def test_json_keeps_letters_readable(evaluations):
    assert "\u201ctwo\u201d" in render_json(evaluations, per_document=True)


def test_csv_has_scores_in_full(evaluations):
    rows = list(csv.DictReader(io.StringIO(render_csv(evaluations))))
    row = next(row for row in rows if row["metric"] == "b_cubed" and row["f1"] != "1.0")
    assert float(row["recall"]) == evaluations[1]["b_cubed"].recall
    assert row["recall_denominator"] == "8"


def test_csv_of_documents_names_each(evaluations):
    rows = list(
        csv.DictReader(io.StringIO(render_csv(evaluations[:1], per_document=True)))
    )
    assert list(dict.fromkeys(row["document"] for row in rows)) == ["", *KEY]


def test_csv_of_documents_keeps_the_totals(evaluations):
    total = list(csv.DictReader(io.StringIO(render_csv(evaluations))))
    both = csv.DictReader(io.StringIO(render_csv(evaluations, per_document=True)))
    assert [
        {name: value for name, value in row.items() if name != "document"}
        for row in both
        if not row["document"]
    ] == total


def test_csv_has_the_same_number_of_cells_in_every_row(evaluations):
    for per_document in (False, True):
        text = render_csv(evaluations, per_document=per_document)
        assert len({len(row) for row in csv.reader(io.StringIO(text))}) == 1


def test_conll_of_every_document_is_there(evaluations):
    systems = json.loads(render_json(evaluations, per_document=True))["systems"]
    text = render_csv(evaluations, per_document=True)
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["document"]]
    means = [float(row["f1"]) for row in rows if row["metric"] == "conll"]
    expected = [row.conll for one in evaluations for row in one.per_document]
    assert None not in expected
    assert means == expected
    assert [row["conll"] for one in systems for row in one["per_document"]] == expected


def test_conll_of_documents_needs_its_metrics():
    (result,) = corefkit.score_responses(KEY, [KEY], metrics="muc,lea")
    (system,) = result.to_dict(per_document=True)["systems"]
    assert "conll" not in system["per_document"][0]
    assert "conll" not in render_csv([result], per_document=True)


@pytest.mark.parametrize("per_document", [False, True])
def test_csv_with_ranks_and_refusals_has_as_many_cells_in_every_row(
    evaluations, per_document
):
    code = "format/malformed"
    error = corefkit.FormatError("no", code=code, place="x", hint="-y")
    broken = corefkit.Refused("b, c", error)
    results, ranking = rank_results(evaluations, Order("lea"))
    text = render_csv(
        results, per_document=per_document, ranking=ranking, refused=[broken]
    )
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len({len(row) for row in csv.reader(io.StringIO(text))}) == 1
    assert rows[-1]["response"] == "b, c"
    assert rows[-1]["refused"] == "x: no (-y)"
    assert {row["rank"] for row in rows} == {"1", "2", ""}
    assert render_csv(evaluations).partition("\n")[0].endswith(",signature")


def test_json_by_name_has_no_ranks(evaluations):
    results, ranking = rank_results(evaluations, Order("name"))
    data = json.loads(render_json(results, ranking=ranking))
    assert data["sort"] == "name"
    assert not any("rank" in system for system in data["systems"])
    assert "rank" not in render_csv(results, ranking=ranking)
