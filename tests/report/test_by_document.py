"""Scores of every document: one response with all metrics, several side by side."""

from __future__ import annotations

import dataclasses

import pytest
from builders import letters

import corefkit
from corefkit.results.score_table import (
    WRITERS,
    Order,
    build_document_tables,
    number_names,
)

KEY = {"one": letters("abc defg"), "two": letters("ab"), "three": letters("a")}
OTHER = {"one": letters("ab cdefg"), "two": letters("ab"), "three": letters("a")}
write = WRITERS["table"]


def scored(count=2, **options):
    responses = {f"r{number}": KEY if number % 2 else OTHER for number in range(count)}
    return corefkit.score_responses(KEY, responses, **options)


def rows(grid):
    return {row[0].text: [cell.text for cell in row[1:]] for row in grid.rows}


def grids(results, order=None):
    return build_document_tables(
        results, [result.response for result in results], order
    )


def test_one_response_has_all_its_metrics_and_conll():
    (result,) = scored(1)
    (grid,) = grids([result])
    assert [column.head for column in grid.columns][-2:] == ["LEA", "CoNLL"]
    for row in result.per_document:
        assert rows(grid)[row.document][-1] == f"{100 * row.conll:.2f}"


def test_one_response_without_conll():
    (grid,) = grids(scored(1, metrics="muc,lea"))
    assert [column.head for column in grid.columns] == ["", "MUC", "LEA"]


@pytest.mark.parametrize("count", [2, 3, 20])
def test_several_stand_side_by_side_by_conll(count):
    results = scored(count)
    (grid,) = grids(results)
    assert grid.caption == "CoNLL by document"
    assert [column.head for column in grid.columns[1:]] == [
        result.response for result in results
    ]
    for number, document in enumerate(KEY):
        expected = [f"{100 * one.per_document[number].conll:.2f}" for one in results]
        assert rows(grid)[document] == expected


@pytest.mark.parametrize(
    ("order", "caption", "number"),
    [
        (Order("lea"), "LEA F1", lambda row: row["lea"].f1),
        (Order("muc", "recall"), "MUC recall", lambda row: row["muc"].recall),
        (Order("conll", "recall"), "CoNLL recall", lambda row: row["conll"].recall),
    ],
)
def test_several_stand_side_by_side_by_what_they_are_sorted_by(order, caption, number):
    results = scored(2)
    (grid,) = grids(results, order)
    assert grid.caption == f"{caption} by document"
    for at, document in enumerate(KEY):
        expected = [f"{100 * number(one.per_document[at]):.2f}" for one in results]
        assert rows(grid)[document] == expected


def test_without_conll_each_metric_has_a_grid():
    captions = [grid.caption for grid in grids(scored(2, metrics="muc,lea"))]
    assert captions == ["MUC F1 by document", "LEA F1 by document"]
    by_name = grids(scored(2, metrics="muc,lea"), Order("name"))
    assert [grid.caption for grid in by_name] == captions


def test_metrics_of_somebody_are_called_by_their_labels():
    mine = corefkit.lea_with(len, name="mine", label="LEA by size")
    (grid,) = grids(scored(2, metrics=[mine]))
    assert grid.caption == "LEA by size F1 by document"


def test_undefined_numbers_are_marked():
    (grid,) = grids(scored(2, metrics="muc"))
    marks = {row[0].text: [cell.mark for cell in row[1:]] for row in grid.rows}
    assert marks == {"one": ["", ""], "two": ["", ""], "three": ["*", "*"]}
    (grid,) = grids(scored(2), Order("muc", "recall"))
    assert [cell.mark for cell in grid.rows[2][1:]] == ["*", "*"]


def test_documents_that_a_response_lacks_leave_cells_empty():
    lacking = {"one": KEY["one"]}
    results = corefkit.score_responses(
        KEY, {"a": lacking, "b": KEY}, metrics="lea", missing="skip"
    )
    (grid,) = grids(results)
    assert rows(grid) == {
        "one": ["100.00", "100.00"],
        "two": ["", "100.00"],
        "three": ["", "100.00"],
    }


def test_stored_results_without_documents_have_no_column():
    one, other = scored(2)
    bare = dataclasses.replace(other, documents=())
    (grid,) = grids([one, bare])
    assert [column.head for column in grid.columns] == ["", "r0"]


class TestManyColumns:
    def test_few_names_are_not_numbered(self):
        assert number_names(["a", "b", "c"]) == ["a", "b", "c"]

    def test_numbers_are_not_given_twice(self):
        names = [f"{number}. response" for number in range(1, 6)]
        assert number_names(names) == names

    @pytest.mark.parametrize("width", [40, 80, 120])
    def test_twenty_keep_to_the_width_and_are_all_there(self, monkeypatch, width):
        monkeypatch.setenv("COLUMNS", str(width))
        results = [
            dataclasses.replace(one, response=f"runs/team-{at}-of-the-task.conll")
            for at, one in enumerate(scored(20, metrics="lea"))
        ]
        text = write(results, per_document=True)
        *lines, _, _, _ = text.splitlines()
        assert max(map(len, lines)) <= width
        heads = [
            word
            for line in lines
            for word in line.split()
            if word.endswith(".") and line.startswith(" ")
        ]
        assert heads == [f"{number}." for number in range(1, 21)]
        assert lines.count("") >= 2

    def test_other_formats_have_whole_names(self):
        results = scored(5, metrics="lea")
        for format in ("markdown", "latex"):
            text = WRITERS[format](results, per_document=True)
            assert text.count("5. r4") == 2
