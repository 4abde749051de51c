"""Numbers that follow from those beside them."""

from __future__ import annotations

import pytest

from corefkit.lab.outcomes import Outcome, derive_numbers
from corefkit.papers import CorpusTable

COLUMNS = ("muc.recall", "muc.precision", "muc.f1")


def table(rows, columns=COLUMNS, *, rule="rounded", shares=None, errata=None):
    return CorpusTable(
        id="table",
        where="Table",
        title="",
        columns=columns,
        decimals=1,
        percent=True,
        rule=rule,
        rows={
            name: dict(zip(columns, text.split(), strict=True))
            for name, text in rows.items()
        },
        shares=shares or {},
        errata=errata or {},
    )


def outcomes(corpus_table):
    return {number.place[1:]: number.outcome for number in derive_numbers(corpus_table)}


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ("50.0 100 66.7", Outcome.FITS),
        ("50.0 100 66.6", Outcome.FITS),  # of 49.95 and 99.95
        ("50.0 100 66.9", Outcome.DIFFERS),
    ],
)
def test_f1_fits_what_recall_and_precision_may_have_been(cells, expected):
    assert outcomes(table({"a": cells})) == {("a", "muc.f1"): expected}


@pytest.mark.parametrize(
    ("f1", "expected"),
    [
        ("49.9", Outcome.DIFFERS),
        ("50.0", Outcome.FITS),
        ("50.1", Outcome.DIFFERS),
    ],
)
def test_cut_numbers_were_not_smaller_and_not_larger_by_a_unit(f1, expected):
    cut = table({"a": f"50.0 50.0 {f1}"}, rule="truncated")
    assert outcomes(cut) == {("a", "muc.f1"): expected}


def test_cut_numbers_may_have_been_larger():
    """2.59 and 84.89 have an F1 of 5.03."""
    cut = table({"a": "2.5 84.8 5.0"}, rule="truncated")
    assert outcomes(cut) == {("a", "muc.f1"): Outcome.FITS}


def test_f1_of_blanc_is_no_harmonic_mean():
    columns = ("blanc.recall", "blanc.precision", "blanc.f1")
    assert outcomes(table({"a": "50.0 100 10.0"}, columns)) == {}


def test_the_conll_score_is_the_mean_of_three():
    columns = ("muc.f1", "b_cubed.f1", "ceaf_e.f1", "conll")
    rows = {"a": "30.0 60.0 90.0 60.0", "b": "30.0 60.0 90.0 60.2"}
    assert outcomes(table(rows, columns)) == {
        ("a", "conll"): Outcome.FITS,
        ("b", "conll"): Outcome.DIFFERS,
    }


def test_ranks_go_by_the_scores_and_ties_share_them():
    columns = ("lea.f1", "lea.rank")
    rows = {"a": "9.0 1", "b": "8.0 2", "c": "8.0 2", "d": "7.0 4", "e": "6.0 4"}
    found = outcomes(table(rows, columns))
    assert [
        place for place, outcome in found.items() if outcome is Outcome.DIFFERS
    ] == [("e", "lea.rank")]


def test_shares_are_shares_of_the_whole():
    one = table({"a": "33.3", "b": "34.0"}, ("ceaf_m",), shares={"ceaf_m": 3})
    assert outcomes(one) == {
        ("a", "ceaf_m"): Outcome.FITS,
        ("b", "ceaf_m"): Outcome.DIFFERS,
    }


def test_what_is_not_printed_is_left_out():
    assert outcomes(table({"a": "- - -", "b": "- 50.0 50.0"})) == {}


@pytest.mark.parametrize(
    ("printed", "correct", "expected"),
    [
        ("70.0", "66.7", Outcome.ERRATUM),
        ("70.0", "71.0", Outcome.DIFFERS),
        ("66.7", "66.6", Outcome.DIFFERS),
    ],
)
def test_an_erratum_needs_its_correct_number(printed, correct, expected):
    errata = {("a", "muc.f1"): (correct, "X-1")}
    (number,) = derive_numbers(table({"a": f"50.0 100 {printed}"}, errata=errata))
    assert number.outcome is expected
    assert number.erratum == ("X-1" if expected is Outcome.ERRATUM else "")
