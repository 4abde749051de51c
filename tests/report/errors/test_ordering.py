"""Systems of an analysis in the order of tables."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_analyses import DIVIDED, EXTRA, MISSING, analysis, scores, system

from corefkit.analysis.errors.error_output import ERROR_WRITERS
from corefkit.analysis.errors.error_tables import describe_order, get_order


def ladder(percent):
    return system("any").ladder | {"response": scores(percent)}


SYSTEMS = (
    system("c.conll", EXTRA, DIVIDED, MISSING, ladder=ladder(70)),
    system("a-b.conll", DIVIDED, ladder=ladder(40)),
    system("a.conll", EXTRA, MISSING, ladder=ladder(50)),
    system("b.conll", EXTRA, ladder=ladder(50)),
)
FOUR = analysis(*SYSTEMS)
TWO = analysis(*SYSTEMS[:2])


@pytest.mark.parametrize(
    ("sort", "places", "words"),
    [
        ("errors", [1, 3, 2, 0], "sorted by errors, fewest first"),
        ("divided", [2, 3, 0, 1], "sorted by divided errors, fewest first"),
        ("lea", [0, 2, 3, 1], "sorted by LEA of the response, best first"),
        ("name", [2, 1, 3, 0], "sorted by name"),
    ],
)
def test_best_comes_first(sort, places, words):
    found = FOUR.sorted_by(sort)
    assert get_order(found) == places
    assert describe_order(found) == words


def test_systems_stay_as_given_unless_they_are_sorted():
    assert get_order(FOUR) == [0, 1, 2, 3]
    assert describe_order(FOUR) == ""
    assert describe_order(analysis(SYSTEMS[0]).sorted_by("errors")) == ""


@given(st.lists(st.integers(0, 3), min_size=1, max_size=6))
def test_counts_rise(numbers):
    systems = [system(str(at), *[EXTRA] * many) for at, many in enumerate(numbers)]
    places = get_order(analysis(*systems).sorted_by("extra_mention"))
    assert [numbers[place] for place in places] == sorted(numbers)


@pytest.mark.parametrize("format", ["table", "markdown", "latex"])
def test_all_tables_have_the_same_order(format):
    shown = ERROR_WRITERS[format](FOUR.sorted_by("errors"))
    rows = [line.lstrip("| ").split(" ")[0] for line in shown.splitlines()]
    names = [row for row in rows if row in ("a", "b", "c", "a-b")]
    assert names == ["a-b", "b", "a", "c"] * 7
    assert "sorted by errors, fewest first" in shown


def test_csv_has_systems_in_order():
    text = ERROR_WRITERS["csv"](FOUR.sorted_by("errors"))
    rows = csv.DictReader(io.StringIO(text))
    names = dict.fromkeys(row["response"] for row in rows)
    assert [*names][:4] == ["a-b.conll", "b.conll", "a.conll", "c.conll"]


def test_lists_name_systems_in_order():
    text = ERROR_WRITERS["csv"](TWO.sorted_by("errors"), listed=("divided",))
    (row,) = csv.DictReader(io.StringIO(text))
    assert row["response"] == "a-b.conll, c.conll"


def test_json_is_as_given():
    write = ERROR_WRITERS["json"]
    assert write(FOUR.sorted_by("errors")) == write(FOUR)


def test_what_is_fixed_does_not_depend_on_the_order():
    shown = ERROR_WRITERS["table"](TWO.sorted_by("errors"))
    assert shown.split()[:2] == ["a-b.conll", "c.conll"]
    _, _, changes = shown.partition("From c.conll to a-b.conll: errors by kind")
    assert changes.split()[:4] == ["Fixed", "Introduced", "Still", "there"]
    (extra,) = [line for line in changes.splitlines() if line.startswith("Extra men")]
    assert extra.split()[2:] == ["1", "0", "0"]


def test_what_is_only_ones_own_stands_by_its_name():
    three = analysis(*SYSTEMS[:3]).sorted_by("errors")
    shown = ERROR_WRITERS["table"](three)
    (_, grid) = shown.split("Errors by the systems that make them\n")
    assert grid.split()[:9] == [
        *("Only", "All", "3", "2", "of", "3"),
        *("a-b.conll", "a.conll", "c.conll"),
    ]


def test_the_metric_of_the_order_is_shown():
    shown = ERROR_WRITERS["table"](FOUR.sorted_by("conll"), metrics=["lea"])
    assert "CoNLL with one kind repaired" in shown
    shown = ERROR_WRITERS["table"](FOUR.sorted_by("errors"), metrics=["lea"])
    assert "CoNLL" not in shown
