"""Tables of error analyses."""

from __future__ import annotations

from dataclasses import replace

import pytest
from kept import GOLDEN, check_golden
from made_analyses import (
    DIVIDED,
    EXTRA,
    MISSING,
    TWICE,
    analysis,
    link,
    scores,
    system,
)

import corefkit
from corefkit.analysis.errors.error_analysis import KINDS
from corefkit.analysis.errors.error_output import (
    ERROR_WRITERS,
    build_error_page,
    choose_metrics,
)
from corefkit.tables.model import Table


def text(found, **options):
    return ERROR_WRITERS["table"](found, **options)


@pytest.mark.kept
def test_one_system_has_a_row_for_each_kind():
    shown = text(analysis(system("A", TWICE, EXTRA, DIVIDED, MISSING)))
    check_golden(GOLDEN / "errors" / "one.txt", f"{shown}\n")


def test_singletons_stand_below_their_kind():
    singletons = {"extra_entity": 0, "missing_entity": 3}
    lines = text(analysis(system("A", singletons=singletons))).splitlines()
    assert lines[9].startswith("Missing entity")
    assert lines[10].split() == ["of", "one", "mention", "3", "75.0"]


@pytest.mark.kept
def test_two_systems_have_differences_and_changes():
    first = system("A", EXTRA, DIVIDED)
    wrong = link((6, 6), (0, 0), "precision")
    second = system("B", DIVIDED, MISSING, precision=[wrong])
    shown = text(analysis(first, second))
    check_golden(GOLDEN / "errors" / "two.txt", f"{shown}\n")


def test_three_systems_show_what_is_common():
    systems = [
        system(name, DIVIDED, *more)
        for name, more in [("A", [EXTRA]), ("B", []), ("C", [EXTRA])]
    ]
    shown = text(analysis(*systems)).splitlines()
    rows = shown[shown.index("Errors by the systems that make them") + 2 :]
    assert rows[0].split() == ["All", "3", "2", "of", "3", "A", "B", "C"]
    assert rows[5].split() == ["Divided", "1", "0", "0", "0", "0"]
    assert rows[3].split() == ["Extra", "mention", "0", "1", "0", "0", "0"]


@pytest.mark.parametrize("many", [1, 2, 3, 4, 5, 20, 27])
@pytest.mark.parametrize("links", [False, True])
def test_80_columns_hold_it(many, links):
    names = [f"a-rather-long-name-of-a-system-{number}.conll" for number in range(many)]
    found = analysis(*[system(name, EXTRA, DIVIDED) for name in names])
    lines = text(found, links=links).splitlines()
    assert max(map(len, lines)) <= 80


def test_every_system_of_many_has_a_row():
    found = analysis(*[system(f"S{number}", EXTRA) for number in range(20)])
    lines = text(found).splitlines()
    assert next(line.split() for line in lines if line.startswith("S19 ")) == [
        "S19",
        "0",
        "0",
        "1",
        "0",
        "0",
        "0",
        "0",
        "1",
    ]


def test_rates_stand_beside_counts_of_links():
    missing = [link((6, 6), (0, 0))]
    lines = text(analysis(system("A", recall=missing)), links=True).splitlines()
    row = next(line for line in lines if line.startswith("pronoun-name"))
    assert row.split() == ["pronoun-name", "1", "16", "6.25"]


def test_links_are_shown_only_if_asked_for():
    assert "links" not in text(analysis(system("A", recall=[link((6, 6), (0, 0))])))


def test_extra_anchors_are_told():
    shown = " ".join(text(analysis(system("A", kept_apart=1))).split())
    assert (
        "1 extra mention is not counted, kept apart as the first mention of its entity"
        in shown
    )
    assert "kept apart" not in text(analysis(system("A")))


def test_a_fall_in_the_ladder_is_told():
    steps = ("response", *KINDS)
    ladder = {step: scores(50) for step in steps}
    ladder["conflated"] = {"lea": 0.5, "conll": 0.4}
    shown = " ".join(text(analysis(system("A", ladder=ladder))).split())
    assert "CoNLL can fall where conflated entities are repaired" in shown
    assert "LEA" not in shown.partition("CoNLL can fall")[0].rpartition(".")[2]


def test_a_fall_alone_is_told():
    alone = {kind: scores(55) for kind in KINDS} | {"divided": scores(40)}
    shown = " ".join(text(analysis(system("A", alone=alone))).split())
    assert "LEA and CoNLL can fall if only divided entities are repaired" in shown


def test_no_fall_is_told_where_there_is_none():
    assert "can fall" not in text(analysis(system("A")))


def test_refused_responses_are_listed_with_the_reason():
    found = analysis(system("A"), refused={"x/bad.conll": "x/bad.conll:3: no bracket"})
    assert "\n  bad.conll  x/bad.conll:3: no bracket" in text(found)


def test_sources_are_named():
    found = analysis(system("A"), sources=("pronouns: tags of the key",))
    assert "pronouns  tags of the key" in text(found)


def test_lea_and_conll_are_shown_of_many_and_others_of_others():
    assert choose_metrics(analysis(system("A"))) == ["lea", "conll"]
    only = {step: {"muc": 0.5} for step in ("response", *KINDS)}
    assert choose_metrics(analysis(system("A", ladder=only))) == ["muc"]


def test_chosen_metrics_are_shown():
    shown = text(analysis(system("A")), metrics=["conll"])
    assert "LEA" not in shown
    assert "CoNLL" in shown


def test_a_system_without_key_mentions_has_no_share():
    from dataclasses import replace

    empty = system("A")
    document = replace(empty.documents[0], key_mentions=0)
    grids = build_error_page(analysis(replace(empty, documents=(document,))))
    assert isinstance(grids[0], Table)
    assert grids[0].rows[1][2].text == "-"


@pytest.mark.parametrize("name", ["markdown", "latex", "table"])
def test_hostile_names_are_escaped(name):
    hostile = "a\x1b[2J<b>|`.conll"
    shown = ERROR_WRITERS[name](
        analysis(system(hostile, EXTRA), system("B")), links=True
    )
    assert "\x1b" not in shown
    if name == "markdown":
        assert "<b>" not in shown


def test_a_long_name_stands_above_the_reason():
    names = {"long" * 15: "cannot be read", "b": "has no mentions"}
    found = replace(corefkit.errors(["abc"], ["ab"]), refused=names)
    lines = str(found).splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith("  long"))
    assert lines[first + 1 : first + 4] == [
        "    cannot be read",
        "  b",
        "    has no mentions",
    ]
