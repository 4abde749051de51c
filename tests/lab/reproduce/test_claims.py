"""Each operator sees what it should: a claim that holds, and one that does not."""

from __future__ import annotations

import pytest

from corefkit.lab.papers.partitions import sets_of_letters
from corefkit.lab.papers.values import Claim, CorpusTable
from corefkit.lab.reproduce.claims import OPERATORS, Finding, laws
from corefkit.lab.reproduce.claims.case import Case

KEY = "abcd ef"
SETS = {
    "t/whole": sets_of_letters(KEY, KEY),
    "t/split": sets_of_letters(KEY, "abc d ef"),
    "t/halved": sets_of_letters(KEY, "ab cd ef"),
    "t/wrong": sets_of_letters(KEY, "ae bf"),
}
ROWS = {
    "first": {"x": "3", "y": "3", "z": "1"},
    "second": {"x": "2", "y": "2", "z": "1"},
    "none": {"x": "-", "y": "9", "z": "1"},
}
TABLE = CorpusTable(
    "c", "", "", ("x", "y", "z"), 0, False, "rounded", ROWS, shares={}, errata={}
)
TWO_ROWS = CorpusTable(
    "d",
    "",
    "",
    ("x", "y", "z"),
    0,
    False,
    "rounded",
    {name: ROWS[name] for name in ("first", "second")},
    shares={},
    errata={},
)


def against(operator, **about):
    case = Case(about, SETS, {"c": TABLE, "d": TWO_ROWS})
    return list(OPERATORS[operator](case))


def sets(*names):
    return [f"t/{name}" for name in names]


# By operator: claims that hold, and claims that do not.
CLAIMS = {
    "zero": (
        {"metrics": ["muc", "lea"], "sets": sets("wrong")},
        {"metrics": ["muc", "b_cubed"], "sets": sets("wrong")},
    ),
    "above zero": (
        {"metrics": ["b_cubed", "ceaf_e"], "sets": ["t/*"]},
        {"metrics": ["lea"], "sets": ["t/*"]},
    ),
    "descending": (
        {"metrics": ["lea"], "sets": sets("whole", "split", "halved")},
        {"metrics": ["muc"], "sets": sets("whole", "split", "halved")},
    ),
    "same": (
        {"metrics": ["muc"], "sets": sets("split", "halved")},
        {"metrics": ["muc", "lea"], "sets": sets("split", "halved")},
    ),
    "agree": (
        {"metrics": ["muc", "lea"], "sets": sets("whole", "wrong")},
        {"metrics": ["muc", "lea"], "sets": sets("split")},
    ),
    "at most": (
        {"metric": "lea", "others": ["muc", "b_cubed"], "sets": sets("halved")},
        {"metric": "muc", "others": ["muc", "lea"], "sets": sets("halved")},
    ),
    "above by": (
        {"metric": "muc", "others": ["lea"], "points": 10, "sets": sets("halved")},
        {"metric": "muc", "others": ["lea"], "points": 99, "sets": sets("halved")},
    ),
    "distinct": (
        {"counts": {"muc": 3, "lea": 4}, "sets": ["t/*"]},
        {"counts": {"muc": 4, "lea": 4}, "sets": ["t/*"]},
    ),
    "lowest": (
        {"metrics": ["muc"], "set": "t/halved", "sets": sets("split", "whole")},
        {"metrics": ["muc"], "set": "t/halved", "sets": ["t/*"]},
    ),
    "lowest alone": (
        {"metrics": ["lea"], "set": "t/halved", "sets": sets("halved", "split")},
        {"metrics": ["muc"], "set": "t/halved", "sets": sets("halved", "split")},
    ),
    "symmetric": (
        {"metrics": ["muc", "ceaf_e", "lea"], "sets": ["t/*", "generated"]},
        {"metrics": ["muc", "b_cubed_sys"], "sets": ["t/*", "generated"]},
    ),
    "loss of extra mentions": ({}, None),
    "more precise": (
        {"never": ["muc", "lea"], "sometimes": ["b_cubed"]},
        {"never": ["muc", "b_cubed"], "sometimes": ["ceaf_e"]},
    ),
    "less precise": (
        {"never": ["muc", "lea"], "sometimes": ["b_cubed"]},
        {"never": ["muc"], "sometimes": ["lea"]},
    ),
    "highest": (
        {"table": "c", "column": "x", "rows": ["first"]},
        {"table": "c", "column": "z", "rows": ["first"]},
    ),
    "lowest row": (
        {"table": "c", "column": "x", "rows": ["second"]},
        {"table": "c", "column": "y", "rows": ["first"]},
    ),
    "same rows": (
        {"table": "c", "column": "z"},
        {"table": "c", "column": "y"},
    ),
    "same columns": (
        {"table": "d", "columns": ["x", "y"]},
        {"table": "d", "columns": ["x", "z"]},
    ),
    "ordered columns": (
        {"table": "d", "columns": ["x", "y", "z"]},
        {"table": "d", "columns": ["z", "x"]},
    ),
    "ordered rows": (
        {"table": "d", "rows": ["first", "second"], "columns": ["x", "y"]},
        {"table": "d", "rows": ["first", "second"], "columns": ["x", "z"]},
    ),
}


def test_every_operator_is_tried():
    assert set(CLAIMS) == set(OPERATORS)


@pytest.mark.parametrize("operator", CLAIMS)
def test_nothing_speaks_against_what_is_so(operator):
    assert against(operator, **CLAIMS[operator][0]) == []


@pytest.mark.parametrize(
    "operator", [name for name, (_, wrong) in CLAIMS.items() if wrong]
)
def test_something_speaks_against_what_is_not_so(operator):
    assert against(operator, **CLAIMS[operator][1])


def test_the_formula_is_compared_with_what_lea_takes_off(monkeypatch):
    scored = laws.scored
    monkeypatch.setattr(laws, "scored", lambda sets, _: scored(sets, "b_cubed"))
    assert against("loss of extra mentions")


def test_what_speaks_against_is_told_in_scores():
    told = against("at most", **CLAIMS["at most"][1])
    assert told == ["halved: MUC 85.71, LEA 71.43"]


@pytest.mark.parametrize("name", ["t/nothing", "nothing/*", "t"])
def test_a_set_that_is_not_there_is_an_error(name):
    with pytest.raises(LookupError, match="no set of the paper"):
        against("zero", metrics=["muc"], sets=[name])


@pytest.mark.parametrize(
    ("erratum", "found", "holds", "expected"),
    [
        ("", (), True, True),
        ("", ("something",), False, False),
        ("X-1", ("something",), False, True),
        ("X-1", (), True, False),
    ],
)
def test_a_claim_is_expected_to_hold_unless_an_erratum_tells_why_not(
    erratum, found, holds, expected
):
    finding = Finding(Claim("", "", "", "zero", {}, erratum), found)
    assert (finding.holds, finding.expected) == (holds, expected)
