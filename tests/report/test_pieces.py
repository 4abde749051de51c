"""Long results are written piece by piece, and are the text that they are at once."""

from __future__ import annotations

import csv
import io
import json
from math import fsum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import METRICS, Settings
from corefkit.analysis.compare import systems
from corefkit.cli import main
from corefkit.example import paths
from corefkit.metrics.metric import Metric, Score, score_ratios
from corefkit.results.records import dump_results, format_json, iter_csv, iter_json
from corefkit.results.score_table import (
    WRITERS,
    parse_order,
    rank_results,
    write_results,
)
from corefkit.results.stored_results import read_stored

KEY, CAREFUL, GREEDY = map(str, paths())
DOCUMENTS = 2000
BLANC = ["muc", "blanc", "alpha"]


def many(documents=DOCUMENTS, **options):
    """Score documents of which few differ; the last one lacks."""
    key = {f"d{at}": [["a", "b"], ["c"] * (at % 3 > 0)] for at in range(documents)}
    response = {name: [["a", "b", "c"]] for name in list(key)[:-1]}
    return corefkit.score(key, response, **options)


@pytest.mark.parametrize("per_document", [False, True])
@pytest.mark.parametrize("metrics", [None, BLANC, ["lea"]])
def test_json_is_what_its_values_are(metrics, per_document):
    results = [many(300, metrics=metrics), many(2, metrics=metrics, average="macro")]
    values = dump_results(results, per_document=per_document)
    text = "".join(iter_json(results, per_document=per_document))
    assert text == format_json(values)


@given(st.lists(st.text(min_size=1), min_size=1, max_size=4, unique=True))
def test_names_of_documents_are_escaped_alike(names):
    names = list({name.strip(): name for name in names})
    result = corefkit.score({name: ["ab"] for name in names}, {names[0]: ["ab"]})
    text = "".join(iter_json([result], per_document=True))
    assert text == format_json(dump_results([result], per_document=True))
    rows = "".join(iter_csv([result], per_document=True))
    found = csv.reader(io.StringIO(rows, newline=""), lineterminator="\n")
    assert all(len(row) == 11 for row in found)


def test_ranks_and_refusals_stand_where_they_stood():
    scores = corefkit.score_submissions(KEY, [CAREFUL, GREEDY, "nothing"])
    *results, refused = scores
    shown, ranking = rank_results(results, parse_order("lea", list(results[0])))
    options = {"per_document": True, "ranking": ranking, "refused": [refused]}
    values = json.loads("".join(iter_json(shown, **options)))
    assert list(values)[-2:] == ["sort", "refused"]
    assert [list(one)[-2:] for one in values["systems"]] == [
        ["per_document", "rank"]
    ] * 2
    rows = list(csv.DictReader("".join(iter_csv(shown, **options)).splitlines()))
    assert {row["rank"] for row in rows} == {"1", "2", ""}
    assert rows[-1]["refused"] == refused.reason
    assert {len(row) for row in rows} == {len(rows[0])}


def test_stored_results_are_written_as_they_were(tmp_path):
    result = many(700)
    text = "".join(iter_json([result], per_document=True))
    path = tmp_path / "stored.json"
    path.write_text(text, "utf-8")
    (stored,) = read_stored(path)
    again = "".join(iter_json([stored], per_document=True))
    assert again == text.replace('"response": "response"', f'"response": "{path}"')


@pytest.mark.parametrize("name", ["json", "csv"])
@pytest.mark.slow
def test_no_piece_has_more_than_some_documents(name):
    result = many()
    whole = WRITERS[name]([result], per_document=True)
    pieces = list(write_results(name, [result], per_document=True))
    assert "".join(pieces) == whole
    assert max(map(len, pieces)) < len(whole) / 4


class TestWork:
    """Equal rows of counts are scored and written once."""

    def test_scores_are_made_of_rows_that_differ(self):
        made = []

        def score(counts, *settings):
            made.append(counts)
            return score_ratios(counts, *settings)

        own = Metric("own", "Own", METRICS["muc"].count, score)
        result = many(metrics=[own])
        rows = {row.document: row for row in result.per_document}
        assert len(rows) == DOCUMENTS
        assert len(made) == 2  # those that are there, and the one that lacks
        assert "".join(iter_json([result], per_document=True))
        assert len(made) == 3  # and of the sums

    def test_stored_scores_are_read_once(self, tmp_path, monkeypatch):
        path = tmp_path / "stored.json"
        path.write_text("".join(iter_json([many()], per_document=True)), "utf-8")
        (stored,) = read_stored(path)
        for name in stored.scores:
            assert len({id(row[name]) for row in stored.per_document}) <= 4
        asked, makes = [], systems._is_score_of
        monkeypatch.setattr(
            systems, "_is_score_of", lambda *one: asked.append(one) or makes(*one)
        )
        rows = systems.collect_counts(stored, METRICS["muc"], Settings())
        assert np.array_equal(rows, many().counts["muc"])
        assert len(asked) == 3  # two that differ, and their sum

    @pytest.mark.parametrize("average", ["micro", "macro"])
    def test_nothing_is_made_of_documents_that_nobody_looks_at(
        self, average, monkeypatch
    ):
        made, make = [], Score.__init__

        def counted(self, *values, **named):
            made.append(self)
            make(self, *values, **named)

        monkeypatch.setattr(Score, "__init__", counted)
        result = many(average=average)
        assert str(result)
        assert len(result.per_document) == DOCUMENTS
        assert len(made) < 60
        assert result.per_document[-1].document == f"d{DOCUMENTS - 1}"
        assert len(made) < 80


@pytest.mark.parametrize("name", [*METRICS, "alpha"])
def test_macro_average_is_that_of_the_documents(name):
    """To the last bit: the means of many rows are those of single scores."""
    result = corefkit.score(KEY, GREEDY, metrics=[name], average="macro")
    scores = [row[name] for row in result.per_document]
    for part in ("recall", "precision", "f1", "value"):
        values = [getattr(score, part) for score in scores]
        mean = None if None in values else fsum(values) / len(values)
        assert getattr(result[name], part) == mean


def test_rows_are_a_sequence():
    rows = many(5).per_document
    assert rows[1:3] == (rows[1], rows[2])
    assert rows == tuple(rows)
    assert rows[-1].document == "d4"
    assert next(reversed(rows)) == rows[4]
    with pytest.raises(IndexError):
        rows[5]


def test_command_writes_what_the_writer_does(capsys):
    assert main(["score", KEY, GREEDY, "--format", "json", "--per-document"]) == 0
    result = corefkit.score_responses(KEY, {GREEDY: GREEDY})
    assert capsys.readouterr().out == WRITERS["json"](result, per_document=True) + "\n"
