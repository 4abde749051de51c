"""Each operator sees what it should: a claim that holds, and one that does not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from corefkit.lab import claims
from corefkit.lab.claims import (
    SCORE_OPERATORS,
    TABLE_OPERATORS,
    CheckedClaim,
    ScoreClaim,
    TableClaim,
    check_claims,
)
from corefkit.lab.outcomes import Kind, score_sets
from corefkit.papers import PAPERS, Claim, CorpusTable, load_paper
from corefkit.papers.partitions import parse_letters

KEY = "abcd ef"
SETS = {
    "t/whole": parse_letters(KEY, KEY),
    "t/split": parse_letters(KEY, "abc d ef"),
    "t/halved": parse_letters(KEY, "ab cd ef"),
    "t/wrong": parse_letters(KEY, "ae bf"),
}
ROWS = {
    "first": {"x": "3", "y": "3", "z": "1"},
    "second": {"x": "2", "y": "2", "z": "1"},
    "none": {"x": "-", "y": "9", "z": "1"},
}


def corpus_table(id, rows):
    columns = ("x", "y", "z")
    return CorpusTable(
        id=id,
        where="",
        title="",
        columns=columns,
        decimals=0,
        rule="rounded",
        rows=rows,
    )


X, Z = ({"rows": ["first", "second"], "column": column} for column in "xz")
ADDED = {
    "columns": ["x", "z"],
    "total": 10,
    "base": "second",
    "row": "first",
    "within": 0.5,
}
TABLE = corpus_table("c", ROWS)
TWO_ROWS = corpus_table("d", {name: ROWS[name] for name in ("first", "second")})


TABLES = {
    "c": TABLE,
    "d": TWO_ROWS,
    "maps": corpus_table("", {"a": {"reference": "10", "system": "10", "maps": "3.6"}}),
    "wrong maps": corpus_table(
        "", {"a": {"reference": "9", "system": "10", "maps": "0.4"}}
    ),
}


def against(operator, **about):
    if operator in TABLE_OPERATORS:
        table = TABLES[about["table"]]
        return list(TABLE_OPERATORS[operator](TableClaim(about, table)))
    return list(SCORE_OPERATORS[operator](ScoreClaim(about, SETS)))


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
    "falls": (
        {"table": "c", "column": "z", "count": 0},
        {"table": "c", "column": "y", "count": 2},
    ),
    "correlation": (
        {"table": "d", "columns": ["x", "y"], "r": 1},
        {"table": "d", "columns": ["x", "y"], "r": 0.02},
    ),
    "maps": ({"table": "maps"}, {"table": "wrong maps"}),
    "parts": (
        {"table": "d", "column": "x", "parts": ["y"]},
        {"table": "d", "column": "x", "parts": ["y", "z"]},
    ),
    "value": (
        {"table": "c", "plus": X, "minus": Z, "per": Z, "value": 1.5, "within": 0.01},
        {"table": "c", "plus": X, "minus": Z, "per": Z, "value": 2.5, "within": 0.01},
    ),
    "added": (
        {"table": "d", **ADDED, "count": 10},
        {"table": "d", **ADDED, "count": 11},
    ),
}


def test_every_operator_is_tried():
    assert set(CLAIMS) == {*TABLE_OPERATORS, *SCORE_OPERATORS}
    assert not TABLE_OPERATORS.keys() & SCORE_OPERATORS.keys()


@pytest.mark.parametrize("operator", CLAIMS)
def test_nothing_speaks_against_what_is_so(operator):
    assert against(operator, **CLAIMS[operator][0]) == []


@pytest.mark.parametrize(
    "operator", [name for name, (_, wrong) in CLAIMS.items() if wrong]
)
def test_something_speaks_against_what_is_not_so(operator):
    assert against(operator, **CLAIMS[operator][1])


def test_the_formula_is_compared_with_what_lea_takes_off(monkeypatch):
    monkeypatch.setattr(
        claims, "score_sets", lambda sets, _: score_sets(sets, "b_cubed")
    )
    assert against("loss of extra mentions")


def test_what_speaks_against_is_told_in_scores():
    told = against("at most", **CLAIMS["at most"][1])
    assert told == ["halved: MUC 85.71, LEA 71.43"]


@pytest.mark.parametrize("name", ["t/nothing", "nothing/*", "t"])
def test_a_set_that_is_not_there_is_an_error(name):
    with pytest.raises(LookupError, match="not a set of the paper"):
        against("zero", metrics=["muc"], sets=[name])


@pytest.mark.parametrize(
    ("expected", "found", "holds", "as_expected"),
    [
        ((), (), True, True),
        ((), ("something",), False, False),
        (("something",), ("something",), False, True),
        (("something",), ("something else",), False, False),
        (("something",), ("something", "more"), False, False),
        (("something",), (), True, False),
    ],
)
def test_a_claim_holds_or_fails_in_the_way_that_its_erratum_says(
    expected, found, holds, as_expected
):
    erratum = "X-1" if expected else ""
    claim = Claim(
        id="",
        where="",
        says="",
        operator="zero",
        about={},
        erratum=erratum,
        against=expected,
    )
    finding = CheckedClaim(claim, found)
    assert (finding.holds, finding.expected) == (holds, as_expected)


class MetricUsedError(Exception):
    """A claim had something scored."""


def test_what_is_read_off_tables_scores_nothing_and_all_else_does(monkeypatch):
    def refused(*_, **__):
        raise MetricUsedError

    for name in ("score_sets", "evaluate_labels"):
        monkeypatch.setattr(claims, name, refused)
    kinds = {True: set(), False: set()}
    for paper in map(load_paper, PAPERS):
        for claim in paper.claims:
            alone = replace(paper, claims=(claim,))
            kind = CheckedClaim(claim, ()).kind
            try:
                list(check_claims(alone))
            except MetricUsedError:
                kinds[True].add(kind)
            else:
                kinds[False].add(kind)
    assert kinds == {True: {Kind.RECOMPUTED, Kind.FITTED}, False: {Kind.PRINTED}}
