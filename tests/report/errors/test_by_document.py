"""Errors of every document."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made_analyses import DIVIDED, EXTRA, analysis, system

from corefkit.analysis.errors.error_output import ERROR_WRITERS
from corefkit.analysis.errors.error_tables import build_document_table


def two_documents(name, first, second):
    """Make a system with errors in two documents."""
    here, there = system(name, *first), system(name, *second, document="e")
    return replace(here, documents=here.documents + there.documents)


A = two_documents("A", [EXTRA, DIVIDED], [DIVIDED, DIVIDED])
B = two_documents("B", [], [EXTRA])


def texts(grid):
    return [[cell.text for cell in row] for row in grid.rows]


def test_one_system_has_a_column_for_each_kind():
    grid = build_document_table([A], ["A"], None)
    assert [column.head for column in grid.columns][-1] == "All"
    assert texts(grid) == [
        ["d", "0", "0", "1", "0", "1", "0", "0", "2"],
        ["e", "0", "0", "0", "0", "2", "0", "0", "2"],
    ]


@pytest.mark.parametrize(
    ("sort", "caption", "rows"),
    [
        (None, "Errors", [["d", "2", "0"], ["e", "2", "1"]]),
        ("divided", "Divided errors", [["d", "1", "0"], ["e", "2", "0"]]),
        ("lea", "Errors", [["d", "2", "0"], ["e", "2", "1"]]),
        ("name", "Errors", [["d", "2", "0"], ["e", "2", "1"]]),
    ],
)
def test_several_systems_are_side_by_side_by_what_they_are_sorted_by(
    sort, caption, rows
):
    found = analysis(A, B)
    order = None if sort is None else found.sorted_by(sort).order
    grid = build_document_table([A, B], ["A", "B"], order)
    assert grid.caption == f"{caption} by document"
    assert texts(grid) == rows


def test_a_document_that_a_system_lacks_has_no_number():
    grid = build_document_table(
        [A, replace(B, documents=B.documents[:1])], ["A", "B"], None
    )
    assert texts(grid) == [["d", "2", "0"], ["e", "2", ""]]


def test_twenty_systems_are_numbered_in_80_columns():
    long = "a-name-that-is-too-long-for-twenty-columns"
    many = [replace(A, response=f"{long}-{at}.conll") for at in range(20)]
    shown = ERROR_WRITERS["table"](analysis(*many), per_document=True)
    assert max(map(len, shown.splitlines())) <= 80
    _, _, grid = shown.partition("Errors by document\n")
    assert grid.split()[:3] == ["1.", "2.", "3."]
    first = shown.splitlines()[3]
    assert first.startswith("1. ")
    assert "-0" in first.split()[1]


def test_documents_are_shown_only_if_asked_for():
    assert "by document" not in ERROR_WRITERS["table"](analysis(A, B))
