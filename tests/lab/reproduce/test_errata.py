"""Errata: bound to what they expect, and each shown by something."""

from __future__ import annotations

from dataclasses import replace

import pytest

from corefkit.lab import outcomes
from corefkit.lab.outcomes import Kind
from corefkit.lab.reproduction import Outcome, check_errata, reproduce
from corefkit.papers import PAPERS, load_paper

each_paper = pytest.mark.parametrize("name", PAPERS)
# What rests on other printed numbers alone does not move with a metric.
ON_TABLES = {
    *("LEA-7", "LEA-10", "LEA-11", "CS-5", "CS-6", "CS-7", "CS-8", "RH-2", "Luo-4")
}
UNCHECKED = {"LEA-6", "Luo-2"}


def errata_of(name):
    return [erratum.id for erratum in load_paper(name).errata]


@pytest.fixture
def altered_metrics(monkeypatch):
    """Let every metric give a fifth less than it should."""
    score = outcomes.score

    def less(*arguments, **settings):
        found = score(*arguments, **settings)
        return {name: shrunk(found[name]) for name in found}

    monkeypatch.setattr(outcomes, "score", less)


def shrunk(score):
    fields = ("recall", "precision", "f1", "recall_denominator")
    less = {name: 0.8 * getattr(score, name) for name in fields}
    parts = {
        name: shrunk(part)
        for name in ("coreference", "non_coreference")
        if (part := getattr(score, name, None)) is not None
    }
    return replace(score, **less, **parts)


def confirmed(reproduction, id):
    """Say whether each number, claim and score of an erratum is as expected."""
    rows = {
        (table.id, row.label, metric, field)
        for table in reproduction.paper.tables
        for row in table.rows
        if row.erratum == id
        for metric, numbers in row.correct.items()
        for field, number in zip(table.fields, numbers, strict=True)
        if number != "-"
    }
    cells = {
        (table.id, *place)
        for table in reproduction.paper.corpus_tables
        for place, (_, erratum) in table.errata.items()
        if erratum == id
    }
    yield from (
        number.outcome is Outcome.ERRATUM
        for number in reproduction.iter_numbers()
        if number.place in rows | cells
    )
    for finding in reproduction.findings:
        if finding.claim.erratum == id:
            yield finding.expected
    for checked in reproduction.errata:
        if checked.erratum.id == id:
            yield from [not checked.wrong] * checked.scores


@each_paper
def test_every_erratum_is_shown_or_says_why_nothing_shows_it(name):
    reproduction = reproduce(load_paper(name))
    for id in errata_of(name):
        found = list(confirmed(reproduction, id))
        assert all(found), id
        assert bool(found) == (id not in UNCHECKED), id


@pytest.mark.usefixtures("altered_metrics")
@each_paper
def test_a_metric_that_gives_something_else_confirms_no_erratum(name):
    reproduction = reproduce(load_paper(name))
    for id in set(errata_of(name)) - ON_TABLES - UNCHECKED:
        assert not any(confirmed(reproduction, id)), id


@pytest.mark.usefixtures("altered_metrics")
def test_a_claim_that_fails_in_another_way_than_its_erratum_says_differs():
    lines = list(reproduce(load_paper("moosavi-strube-2016")).iter_differences())
    assert any("lea7.1-3b: BLANC is at least 20 points" in line for line in lines)
    assert any("LEA-4: table-3/cr1, MUC, f1: 92.31 expected" in line for line in lines)


@each_paper
def test_what_rests_on_tables_is_what_the_kinds_say(name):
    one = reproduce(load_paper(name))
    numbers = {n.erratum for n in one.iter_numbers() if n.kind is Kind.PRINTED}
    claims = {f.claim.erratum for f in one.findings if f.kind is Kind.PRINTED}
    told = {erratum.id for erratum in one.paper.errata}
    assert (numbers | claims) - {""} == ON_TABLES & told


def test_an_erratum_without_check_and_reason_is_a_difference():
    luo = load_paper("luo-2005")
    bare = [replace(erratum, checks=(), unchecked="") for erratum in luo.errata]
    checked = check_errata(replace(luo, errata=tuple(bare)))
    wrong = [erratum.wrong for erratum in checked if erratum.wrong]
    lines = [f"Luo-{number}: it has neither a check nor a reason" for number in (2, 3)]
    assert wrong == [(f"{line} for none",) for line in lines]


def test_an_erratum_with_a_check_needs_no_reason_for_none():
    luo = load_paper("luo-2005")
    errata = [replace(erratum, unchecked="why not") for erratum in luo.errata]
    first, *_ = check_errata(replace(luo, errata=tuple(errata)))
    assert first.wrong == ("Luo-1: it has a check, and a reason for none",)
