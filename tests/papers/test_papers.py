"""The papers' data: whole, and the same as the checked copies beside the project."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest
import shared_files
from shared_files import ROOT

from corefkit.lab.claims import SCORE_OPERATORS, TABLE_OPERATORS, name_sets
from corefkit.lab.outcomes import score_sets
from corefkit.papers import NOT_PRINTED, PAPERS, UNDEFINED, load_paper

SHARED = shared_files.SHARED / "conformance"
each_paper = pytest.mark.parametrize("name", PAPERS)
needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the checked copies are not beside the project"
)

# The papers by the names that the checked copies have for them.
THEIR_PAPERS = {
    "LEA2016": "moosavi-strube-2016",
    "Pradhan2014": "pradhan-et-al-2014",
    "CaiStrube2010": "cai-strube-2010",
    "RecasensHovy2010": "recasens-hovy-2010",
    "Luo2005": "luo-2005",
    "derived": "pradhan-et-al-2014",
}
FIELDS = {"R": "recall", "P": "precision", "F": "f1"}


def test_every_file_is_a_paper():
    there = {
        path.name.removesuffix(".toml")
        for path in files("corefkit.papers").iterdir()
        if path.name.endswith(".toml")
    }
    assert there == set(PAPERS)


@each_paper
def test_numbers_are_as_many_as_fields(name):
    for table in load_paper(name).tables:
        for row in table.rows:
            for printed in (*row.printed.values(), *row.correct.values()):
                assert len(printed) == len(table.fields), (table.id, row.label)


@each_paper
def test_names_of_parts_are_different(name):
    paper = load_paper(name)
    parts = (*paper.tables, *paper.figures, *paper.corpus_tables)
    sets = sum(len(table.rows) for table in paper.tables)
    sets += sum(len(figure.sets) for figure in paper.figures)
    assert len({part.id for part in parts}) == len(parts)
    assert len(name_sets(paper)) == sets
    assert len({claim.id for claim in paper.claims}) == len(paper.claims)


@each_paper
def test_a_row_with_an_erratum_says_what_is_correct(name):
    for table in load_paper(name).tables:
        for row in table.rows:
            assert bool(row.erratum) == bool(row.correct), (table.id, row.label)
            assert row.correct.keys() <= row.printed.keys()


@each_paper
def test_a_claim_with_an_erratum_says_what_speaks_against_it(name):
    for claim in load_paper(name).claims:
        assert bool(claim.erratum) == bool(claim.against), claim.id


@each_paper
def test_what_was_fitted_gives_what_an_erratum_says_is_printed(name):
    paper = load_paper(name)
    for table in paper.tables:
        wrong = {row.erratum: row.printed for row in table.rows if row.erratum}
        for row in table.rows:
            if row.fits:
                assert row.printed.items() <= wrong[row.fits].items(), row.label
    stronger = {claim.erratum: claim for claim in paper.claims}
    for claim in paper.claims:
        if claim.fits:
            assert claim.operator == stronger[claim.fits].operator
            assert set(claim.about["sets"]) < set(stronger[claim.fits].about["sets"])
    for corpus_table in paper.corpus_tables:
        assert corpus_table.fitted <= corpus_table.shares.keys()


@each_paper
def test_errata_are_told_once_and_those_named_are_told(name):
    paper = load_paper(name)
    told = [erratum.id for erratum in paper.errata]
    named = {row.erratum for table in paper.tables for row in table.rows}
    named |= {claim.erratum for claim in paper.claims}
    named |= {id for table in paper.corpus_tables for _, id in table.errata.values()}
    assert len(set(told)) == len(told)
    assert named - {""} <= set(told)
    assert all(id.startswith(f"{paper.short}-") for id in told)


def test_every_operator_is_needed():
    used = {claim.operator for name in PAPERS for claim in load_paper(name).claims}
    assert used == {*TABLE_OPERATORS, *SCORE_OPERATORS}


def test_a_paper_is_cited_by_its_first_author_where_there_are_more_than_two():
    assert [load_paper(name).cited for name in PAPERS] == [
        "Moosavi and Strube 2016",
        "Pradhan et al. 2014",
        "Cai and Strube 2010",
        "Recasens and Hovy 2010",
        "Luo 2005",
    ]


@needs_shared
def test_every_checked_number_is_in_our_data():
    ours = {
        (name, seen, metric, field, number)
        for name in PAPERS
        if name != "recasens-hovy-2010"  # not among theirs, and large
        for table in load_paper(name).tables
        for row in table.rows
        for seen in [shape(row.sets.key, row.sets.response)]
        for metric, printed in row.printed.items()
        for field, text in zip(table.fields, printed, strict=True)
        if (number := as_share(text, table.percent)) is not None
    }
    examples = json.loads((SHARED / "papers.json").read_text("utf-8"))["examples"]
    theirs = {
        (
            THEIR_PAPERS[example["paper"]],
            seen,
            metric,
            FIELDS[field],
            round(number / example["scale"], 6),
        )
        for example in examples
        for seen in [shape(example["key"], example["response"])]
        for metric, fields in example["expected"].items()
        for field, number in fields.items()
    }
    assert len(theirs) > 150
    assert theirs - ours == set()


def as_share(text, percent):
    if text in {NOT_PRINTED, UNDEFINED} or "/" in text:
        return None
    return round(float(text) / (100 if percent else 1), 6)


def shape(key, response):
    """Return what metrics see of two partitions: sizes, and shared mentions."""
    others = [frozenset(other) for other in response]
    rows = sorted(
        (len(entity), sorted(map(len, map(frozenset(entity).__and__, others))))
        for entity in key
    )
    return repr((rows, sorted(map(len, response))))


# Our names for the sets of section 7, by theirs.
THEIR_SETS = {
    **{f"links/{share}": f"figure-2/{share}%" for share in (20, 40, 60, 80)},
    "links/00-with_wrong_links": "figure-3/0%",
    **{
        f"links/{share}-with_wrong_links": f"figure-3/{share}%"
        for share in (20, 40, 60, 80)
    },
    **{
        f"entities/{order}{share}": f"{figure}/{count}"
        for order, figure in (("dec", "figure-4"), ("inc", "figure-5"))
        for share, count in ((20, 3), (40, 7), (60, 10), (80, 14))
    },
    **{f"mentionid/{share}": f"figure-8/{share}%" for share in (20, 40, 60, 80, 100)},
}
THEIR_METRICS = {
    "mentions": "mentions",
    "muc": "muc",
    "b3": "b_cubed",
    "ceafm": "ceaf_m",
    "ceafe": "ceaf_e",
    "blanc": "blanc",
    "lea": "lea",
}


@needs_shared
def test_sets_of_figures_are_the_checked_ones():
    shared = json.loads((SHARED / "lea_s7_setups.json").read_text("utf-8"))
    ours = name_sets(load_paper("moosavi-strube-2016"))
    compared = 0
    for theirs, setup in shared["setups"].items():
        part, _, tick = theirs.partition("/")
        if part in {"merge", "boundary"}:  # in the scorer's data, not in the paper
            continue
        figure = {"split": "figure-6", "extra": "figure-7"}.get(part)
        sets = ours[f"{figure}/{tick}" if figure else THEIR_SETS[theirs]]
        assert shape(sets.key, sets.response) == shape(shared["key"], setup["response"])
        for metric, value in setup["f1"].items():
            found = score_sets(sets, THEIR_METRICS[metric]).f1
            assert found == pytest.approx(value, abs=1e-6), (theirs, metric)
        compared += 1
    assert compared == sum(name.startswith("figure") for name in ours)


@needs_shared
def test_every_checked_claim_is_among_ours():
    claims = {claim.id: claim for name in PAPERS for claim in load_paper(name).claims}
    assertions = json.loads((SHARED / "papers.json").read_text("utf-8"))["assertions"]
    for assertion in assertions:
        ours = [
            claim
            for id, claim in claims.items()
            if id == assertion["id"] or id.startswith(f"{assertion['id']}-")
        ]
        assert ours, assertion["id"]
        if not assertion["holds"]:
            assert claims[assertion["id"]].erratum, assertion["id"]
        elif assertion["id"] in claims:
            assert not claims[assertion["id"]].erratum, assertion["id"]


@each_paper
def test_the_documentation_lists_every_erratum(name):
    # `tests/test_docs.py` compares the list with the output of the command.
    text = " ".join((ROOT / "docs" / "papers.md").read_text("utf-8").split())
    for erratum in load_paper(name).errata:
        assert f" {erratum.id} {erratum.where} (" in text
        values = f"printed: {erratum.printed} correct: {erratum.correct}"
        assert f"{values} {erratum.reason}" in text
