"""Errors of several systems."""

from __future__ import annotations

from made_analyses import DIVIDED, EXTRA, MISSING, error, link, system

from corefkit.analysis.errors.error_analysis import find_shared_errors


def test_two_systems_share_what_has_the_same_identity():
    first = system("A", EXTRA, DIVIDED)
    second = system("B", DIVIDED, MISSING)
    changes = find_shared_errors([first, second]).changes
    ids = {
        name: [one.error.id for one in found.errors] for name, found in changes.items()
    }
    assert ids == {
        "fixed": ["d#extra_mention#2-4"],
        "introduced": ["d#missing_mention#9-10"],
        "still_there": ["d#divided#6-6"],
    }


def test_identity_counts_and_not_the_mentions():
    here = error("divided", (6, 6), identity="Ann")
    there = error("divided", (8, 8), identity="Ann")
    across = find_shared_errors([system("A", here), system("B", there)])
    assert [one.ids for one in across.errors] == [
        {0: "d#divided#6-6", 1: "d#divided#8-8"}
    ]


def test_errors_of_one_identity_are_shared_as_often_as_both_have_them():
    pieces = [error("divided", (n, n), identity="Ann") for n in (1, 6, 8)]
    across = find_shared_errors([system("A", *pieces), system("B", pieces[1])])
    assert across.by_number("divided") == {1: 2, 2: 1}
    assert across.changes["fixed"].by_kind["divided"] == 2
    assert across.changes["introduced"].by_kind["divided"] == 0


def test_the_same_mention_in_another_document_is_another_error():
    elsewhere = DIVIDED._replace(id="e#divided#6-6")
    across = find_shared_errors(
        [system("A", DIVIDED), system("B", elsewhere, document="e")]
    )
    assert across.common.errors == ()
    assert [one.document for one in across.errors] == ["d", "e"]


def test_three_systems_are_counted_by_number():
    across = find_shared_errors(
        [system("A", EXTRA, DIVIDED), system("B", DIVIDED), system("C", DIVIDED, EXTRA)]
    )
    assert across.by_number("divided") == {1: 0, 2: 0, 3: 1}
    assert across.by_number("extra_mention") == {1: 0, 2: 1, 3: 0}
    assert [one.error.id for one in across.common.errors] == [DIVIDED.id]
    assert across.only(0).errors == ()
    assert across.changes == {}


def test_fixed_and_still_there_add_up_to_the_first():
    first, second = system("A", EXTRA, DIVIDED, MISSING), system("B", MISSING)
    changes = find_shared_errors([first, second]).changes
    sums = [
        sum(changes[name].by_kind.values())
        for name in ("fixed", "introduced", "still_there")
    ]
    assert sums == [2, 0, 1]


def test_links_are_the_same_with_the_same_anaphor():
    one, other = link((6, 6), (0, 0)), link((6, 6), (2, 4))
    wrong = link((8, 8), (2, 4), "precision")
    across = find_shared_errors(
        [system("A", recall=[one]), system("B", recall=[other], precision=[wrong])]
    )
    assert across.changes["still_there"].by_kind["recall"] == 1
    assert across.changes["introduced"].by_kind["precision"] == 1
    assert across.changes["still_there"].by_type == dict.fromkeys(across.types, 0)


def test_types_are_of_the_first_mention_or_not_known():
    unknown = error("missing_entity", (9, 10))
    across = find_shared_errors([system("A", DIVIDED, unknown), system("B")])
    by_type = across.changes["fixed"].by_type
    assert (by_type["pronoun"], by_type["other"]) == (1, 1)


def test_errors_are_in_the_order_of_documents_kinds_and_places():
    late, early = error("divided", (8, 8)), error("divided", (1, 1))
    across = find_shared_errors([system("A", EXTRA, late), system("B", early, MISSING)])
    assert [one.error.id for one in across.errors] == [
        "d#extra_mention#2-4",
        "d#divided#1-1",
        "d#divided#8-8",
        "d#missing_mention#9-10",
    ]
