"""Linking models against versions written down from the words of the paper."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from resolver.lexica import table_of
from resolver.random_documents import documents
from resolver.trees import parsed

from cistell.paper.memory import Decisions
from cistell.paper.models import (
    BASELINES,
    CHECKS,
    LINKINGS,
    SEARCHES,
    Linker,
    Linking,
)

INFINITE = float("inf")


@st.composite
def decisions(draw, most=9):
    """Draw, for each mention, whether it is coreferent with each before, and how far.

    Distances are few, so that many are equal.
    """
    mentions = draw(st.integers(0, most))
    pair = st.tuples(st.booleans(), st.sampled_from([0.0, 0.01, 0.0899, 0.09, 0.5]))
    return [draw(st.lists(pair, min_size=at, max_size=at)) for at in range(mentions)]


def linked(linking, rows):
    """Return the basket of each mention."""
    linker = Linker(linking, len(rows))
    for row in rows:
        attach(linker, row)
    return linker.baskets.tolist()


def attach(linker, row):
    """Put the next mention into a basket, by what was drawn of it."""
    positive = np.array([positive for positive, _ in row], np.bool_)
    distance = np.array([distance for _, distance in row], np.float64)
    linker.attach(Decisions(positive, distance, positive.astype(np.float64)))


def links(linking, rows):
    """Count the mentions that were put to others."""
    baskets = linked(linking, rows)
    return len(baskets) - len({*baskets})


def numbered(baskets):
    """Number lists of mentions in the order of their first ones."""
    found = {}
    for number, basket in enumerate(sorted(baskets, key=min)):
        found.update(dict.fromkeys(basket, number))
    return [found[mention] for mention in sorted(found)]


def holding(mention, baskets):
    (found,) = (basket for basket in baskets if mention in basket)
    return found


def slow_strong(rows, *, below=INFINITE):
    """Pair a mention with all from the beginning of the document.

    At the first positive pair it must be positive with all mentions of that entity, and
    is attached; else the search goes on. Super strong: a pair is positive only below a
    distance, in the check too.
    """
    baskets = []
    for mention, row in enumerate(rows):
        for earlier in range(mention):
            basket = holding(earlier, baskets)
            if all(row[one][0] and row[one][1] < below for one in basket):
                basket.append(mention)
                break
        else:
            baskets.append([mention])
    return numbered(baskets)


def slow_weak(rows):
    """Attach a mention to the entity of the first positive pair, without check."""
    baskets = []
    for mention, row in enumerate(rows):
        for earlier in range(mention):
            if row[earlier][0]:
                holding(earlier, baskets).append(mention)
                break
        else:
            baskets.append([mention])
    return numbered(baskets)


def slow_best(rows):
    """Link to the most confident positive mention, the closest of equals, and check."""
    baskets = []
    for mention, row in enumerate(rows):
        best = None
        for earlier in range(mention):
            if row[earlier][0] and (best is None or row[earlier][1] <= row[best][1]):
                best = earlier
        basket = [] if best is None else holding(best, baskets)
        if basket and all(row[one][0] for one in basket):
            basket.append(mention)
        else:
            baskets.append([mention])
    return numbered(baskets)


@given(decisions())
def test_strong_is_the_paper_s(rows):
    assert linked(LINKINGS["strong"], rows) == slow_strong(rows)


@given(decisions(), st.sampled_from([0.0, 0.01, 0.05, 0.09, 1.0]))
def test_super_strong_is_the_paper_s(rows, threshold):
    linking = replace(LINKINGS["super_strong"], threshold=threshold)
    assert linked(linking, rows) == slow_strong(rows, below=threshold)


def test_threshold_of_super_strong_is_the_paper_s():
    assert LINKINGS["super_strong"].threshold == 0.09
    rows = [[], [(True, 0.09)], [(True, 0.0899), (False, 0.0)]]
    assert linked(LINKINGS["super_strong"], rows) == [0, 1, 0]


@given(decisions())
def test_weak_is_the_paper_s(rows):
    assert linked(LINKINGS["weak"], rows) == slow_weak(rows)


@given(decisions())
def test_best_is_the_paper_s(rows):
    assert linked(LINKINGS["best"], rows) == slow_best(rows)


def slow_any(linking, rows):
    """Say what every combination of options means, mention by mention."""
    baskets = []
    for mention, row in enumerate(rows):
        threshold = INFINITE if linking.threshold is None else linking.threshold
        positive = [one and distance < threshold for one, distance in row]
        whole = [
            all(positive[one] for one in holding(earlier, baskets))
            for earlier in range(mention)
        ]
        asked = range(mention) if linking.search == "top" else np.flatnonzero(positive)
        ranked = {
            "first": sorted(asked),
            "closest": sorted(asked, reverse=True),
            "best": sorted(asked, key=lambda one: (row[one][1], -one)),
            "top": sorted(asked, key=lambda one: (row[one][1], -one))[:1],
            # All that are coreferent have the same votes here.
            "likeliest": sorted(asked, key=lambda one: (row[one][1], -one)),
        }[linking.search]
        if linking.check == "none":
            fits = [one for one in ranked if positive[one]][:1]
        elif linking.check == "basket":
            fits = [one for one in ranked[:1] if positive[one] and whole[one]]
        else:
            fits = [one for one in ranked if positive[one] and whole[one]][:1]
        target = holding(fits[0], baskets) if fits else []
        if fits and linking.merge:
            others = [
                basket
                for basket in baskets
                if basket is not target and any(positive[one] for one in basket)
            ]
            for basket in others:
                baskets.remove(basket)
                target.extend(basket)
        if not fits:
            baskets.append(target)
        target.append(mention)
    return numbered(baskets)


COMBINATIONS = [
    Linking(search, check, threshold, merge)
    for search, check, threshold, merge in product(
        SEARCHES, CHECKS, (None, 0.09), (False, True)
    )
]


@settings(max_examples=240)
@given(st.sampled_from(COMBINATIONS), decisions(most=7))
@pytest.mark.slow
def test_every_combination_of_options(linking, rows):
    assert linked(linking, rows) == slow_any(linking, rows)


def test_searches_differ():
    # The fourth mention is coreferent with all, surest of the second; the third is the
    # nearest, and the surest decision of all is that it is not the first.
    rows = [
        [],
        [(False, 0.1)],
        [(False, 0.1), (False, 0.1)],
        [(False, 0.0), (True, 0.2), (True, 0.3)],
    ]
    found = {one: linked(Linking(one, "none"), rows)[3] for one in SEARCHES}
    assert found == {
        "first": 1,
        "closest": 2,
        "best": 1,
        "likeliest": 1,
        "top": 3,
    }


def test_checks_differ():
    # The second is put to the first; the fourth agrees with the second and third.
    rows = [
        [],
        [(True, 0.1)],
        [(False, 0.1), (False, 0.1)],
        [(False, 0.5), (True, 0.1), (True, 0.2)],
    ]
    found = {one: linked(Linking("best", one), rows)[3] for one in CHECKS}
    assert found == {"basket": 2, "basket-or-next": 1, "none": 0}


def test_the_likeliest_has_most_votes_and_then_the_smallest_distance():
    # Four mentions apart, then one that is coreferent with all of them.
    alone = [Decisions(*np.zeros((3, at))) for at in range(4)]
    alone = [
        Decisions(one.positive > 0, one.distance, one.probability) for one in alone
    ]
    last = Decisions(
        np.ones(4, np.bool_),
        np.array([0.1, 0.3, 0.2, 0.2]),
        np.array([0.6, 0.9, 0.9, 0.9]),
    )
    found = {}
    for search in ("best", "likeliest"):
        linker = Linker(Linking(search, check="none"), 5)
        for one in (*alone, last):
            linker.attach(one)
        found[search] = linker.baskets.tolist()[-1]
    assert found == {"best": 0, "likeliest": 3}


def test_best_takes_the_closest_of_equals():
    rows = [[], [(False, 0.1)], [(True, 0.1), (True, 0.1)]]
    assert linked(LINKINGS["best"], rows) == [0, 1, 1]


def test_sums_in_another_order_are_the_same_distance():
    one, other = (0.1 + 0.2) + 0.3, 0.1 + (0.2 + 0.3)
    assert one != other
    for pair in ((one, other), (other, one)):
        rows = [[], [(False, 0.1)], [(True, distance) for distance in pair]]
        assert linked(LINKINGS["best"], rows) == [0, 1, 1]


@given(decisions())
def test_weak_links_every_mention_that_has_a_positive_pair(rows):
    expected = sum(any(positive for positive, _ in row) for row in rows)
    assert links(LINKINGS["weak"], rows) == expected


@given(decisions(), st.sampled_from([one for one in COMBINATIONS if not one.merge]))
def test_no_model_links_more_than_weak(rows, linking):
    assert links(linking, rows) <= links(LINKINGS["weak"], rows)


@given(decisions())
def test_infinite_threshold_is_none(rows):
    assert linked(replace(LINKINGS["super_strong"], threshold=INFINITE), rows) == (
        linked(LINKINGS["strong"], rows)
    )


@given(decisions())
def test_decisions_that_the_threshold_turns_down_are_counted(rows):
    linker = Linker(LINKINGS["super_strong"], len(rows))
    for row in rows:
        attach(linker, row)
    expected = sum(positive and far >= 0.09 for row in rows for positive, far in row)
    assert linker.refused == expected


@given(decisions())
def test_threshold_of_zero_links_nothing(rows):
    linking = replace(LINKINGS["super_strong"], threshold=0.0)
    assert linked(linking, rows) == [*range(len(rows))]


def test_best_may_link_more_than_strong():
    """Show that links of the two have no order by law, though corpora have one.

    The third is coreferent with both before it. Strong puts it to the first, with which
    the fourth is coreferent, but not with the third; best puts it to the second.
    """
    rows = [
        [],
        [(False, 0.1)],
        [(True, 0.2), (True, 0.1)],
        [(True, 0.1), (False, 0.1), (False, 0.1)],
    ]
    assert linked(LINKINGS["strong"], rows) == [0, 1, 0, 2]
    assert linked(LINKINGS["best"], rows) == [0, 1, 1, 0]


@given(decisions())
def test_members_of_strict_baskets_are_all_coreferent(rows):
    for name in ("strong", "super_strong", "best"):
        baskets = linked(LINKINGS[name], rows)
        for second, row in enumerate(rows):
            for first, (positive, distance) in enumerate(row):
                if baskets[first] == baskets[second]:
                    assert positive
                    assert name != "super_strong" or distance < 0.09


@given(decisions())
def test_merging_makes_connected_components(rows):
    component = [*range(len(rows))]
    for second, row in enumerate(rows):
        for first, (positive, _) in enumerate(row):
            if positive:
                old, new = component[second], component[first]
                component = [new if one == old else one for one in component]
    baskets = {}
    for mention, number in enumerate(component):
        baskets.setdefault(number, []).append(mention)
    merging = replace(LINKINGS["weak"], merge=True)
    assert linked(merging, rows) == numbered(baskets.values())


@given(decisions(), st.sampled_from(COMBINATIONS))
def test_baskets_are_numbered_in_the_order_of_the_text(rows, linking):
    firsts = [*dict.fromkeys(linked(linking, rows))]
    assert firsts == [*range(len(firsts))]


@given(decisions())
def test_baskets_can_be_looked_at_while_they_grow(rows):
    linker = Linker(LINKINGS["weak"], len(rows))
    for done, row in enumerate(rows):
        assert linker.baskets.tolist() == linked(LINKINGS["weak"], rows[:done])
        attach(linker, row)


def test_decisions_are_not_changed():
    positive, distance = np.array([True]), np.array([0.5])
    linker = Linker(LINKINGS["super_strong"], 2)
    linker.attach(Decisions(positive[:0], distance[:0], distance[:0]))
    linker.attach(Decisions(positive, distance, distance))
    assert (positive.tolist(), distance.tolist()) == ([True], [0.5])


def test_the_paper_s_four_are_there():
    assert [*LINKINGS] == ["strong", "super_strong", "best", "weak"]
    assert {one.search for one in LINKINGS.values()} <= {*SEARCHES}
    assert {one.check for one in LINKINGS.values()} <= {*CHECKS}


ANN = "[ Ann/PROPN/0//Number=Sing ]"
BOB = "[ Bob/PROPN/0//Number=Sing ]"
MILL = "[ the/2 mill/NOUN/0//Number=Sing ]"
SHE = "[ she/2 ] slept/VERB/0/root"
IT = "[ it/2 ] fell/VERB/0/root"


def entities(name, *lines, language="en", **options):
    """Return the entities that a baseline finds: the words of their mentions."""
    document = parsed(*lines)
    table = table_of(document, language)
    found = {}
    for profile, number in zip(
        table.profiles, BASELINES[name](table, **options).tolist(), strict=True
    ):
        found.setdefault(number, []).append(document.text(profile.mention))
    return [*found.values()]


def test_all_singletons():
    assert entities("all_singletons", ANN, ANN, SHE) == [["Ann"], ["Ann"], ["she"]]


def test_heads_match_in_lower_case():
    lines = MILL, "[ a/3 burned/ADJ/3/amod Mill/NOUN/0/root ]", ANN
    assert entities("head_match", *lines) == [["the mill", "a burned Mill"], ["Ann"]]


def test_forms_are_compared_unless_lemmas_are_wanted():
    lines = MILL, "[ mills/NOUN/0//Number=Plur/mill ]"
    for name in ("head_match", "head_match_pron"):
        assert entities(name, *lines) == [["the mill"], ["mills"]]
        assert entities(name, *lines, lemmas=True) == [["the mill", "mills"]]


def test_pronouns_do_not_match_as_heads():
    assert entities("head_match", SHE, SHE) == [["she"], ["she"]]


def test_coordination_matches_with_all_its_heads_alone():
    both = "[ Ann/PROPN/0//Number=Sing and/3 Bob/PROPN/1/conj ]"
    other = "[ Ann/PROPN/0/root and/3 Eve/PROPN/1/conj ]"
    assert entities("head_match", both, ANN, other, both, BOB) == [
        ["Ann and Bob", "Ann and Bob"],
        ["Ann"],
        ["Ann and Eve"],
        ["Bob"],
    ]


def test_pronoun_goes_to_the_closest_noun_before_it():
    eve = "[ Eve/PROPN/0//Number=Sing ]:person"
    assert entities("head_match_pron", ANN, eve, SHE) == [["Ann"], ["Eve", "she"]]


def test_pronoun_goes_to_the_closest_that_agrees():
    assert entities("head_match_pron", ANN, BOB, MILL, SHE, IT) == [
        ["Ann", "she"],
        ["Bob"],
        ["the mill", "it"],
    ]


def test_number_must_agree():
    mills = "[ the/2 mills/NOUN/0//Number=Plur/mill ]"
    assert entities("head_match_pron", MILL, mills, IT) == [
        ["the mill", "it"],
        ["the mills"],
    ]


def test_what_is_unknown_agrees_with_everything():
    zork = "[ Zork/PROPN/0/root ]"
    assert entities("head_match_pron", ANN, zork, SHE) == [["Ann"], ["Zork", "she"]]


def test_pronoun_joins_the_whole_entity_of_its_noun():
    assert entities("head_match_pron", ANN, BOB, ANN, SHE) == [
        ["Ann", "Ann", "she"],
        ["Bob"],
    ]


def test_pronoun_is_not_linked_to_what_holds_it():
    assert entities("head_match_pron", "[ [ her/2 ] zork/NOUN/0/root ]") == [
        ["her zork"],
        ["her"],
    ]
    inside = "[ the/2 zork/NOUN/0/root who/4 saw/VERB/2/acl:relcl [ herself/4 ] ]"
    assert len(entities("head_match_pron", inside)) == 2


def test_pronoun_does_not_look_ahead():
    assert entities("head_match_pron", SHE, ANN) == [["she"], ["Ann"]]


def test_pronoun_that_finds_nothing_is_alone():
    assert entities("head_match_pron", BOB, SHE, SHE) == [["Bob"], ["she"], ["she"]]


@pytest.mark.parametrize(
    ("line", "linked"),
    [
        ("[ her/2 ] boat/NOUN/0/root", True),
        ("saw/VERB/0/root [ herself/1 ]", True),
        ("[ who/2 ] slept/VERB/0/root", False),
        ("[ that/2 ] slept/VERB/0/root", False),
        ("[ somebody/2 ] slept/VERB/0/root", False),
    ],
    ids=["possessive", "reflexive", "relative", "demonstrative", "other"],
)
def test_personal_and_possessive_pronouns_are_linked(line, linked):
    assert len(entities("head_match_pron", ANN, line)) == 2 - linked


def test_zero_subjects_are_personal_pronouns():
    lines = (
        "[ Ana/PROPN/0//Number=Sing ]",
        "[ las/DET/2/det gatas/NOUN/0//Gender=Fem|Number=Plur ]",
        "[ */1:nsubj ] Durmió/VERB/0//Number=Sing|Person=3",
        "[ */1:nsubj ] Durmieron/VERB/0//Number=Plur|Person=3",
    )
    found = entities("head_match_pron", *lines, language="es")
    assert found == [["Ana", "_"], ["las gatas", "_"]]
    assert len(entities("head_match", *lines, language="es")) == 4


def test_grammatical_gender_agrees_in_french():
    lines = (
        "[ la/2 lune/NOUN/0//Gender=Fem|Number=Sing ]",
        "[ le/2 moulin/NOUN/0//Gender=Masc|Number=Sing ]",
        "[ elle/2 ] brille/VERB/0/root",
    )
    found = entities("head_match_pron", *lines, language="fr")
    assert found == [["la lune", "elle"], ["le moulin"]]


@given(documents(), st.booleans())
def test_heads_match_as_they_do_pair_by_pair(document, lemmas):
    table = table_of(document)
    found = BASELINES["head_match"](table, lemmas=lemmas).tolist()
    for second, later in enumerate(table.profiles):
        for first, earlier in enumerate(table.profiles[:second]):
            heads = (
                (earlier.head_lemmas, later.head_lemmas)
                if lemmas
                else (earlier.head_forms, later.head_forms)
            )
            alike = heads[0] == heads[1] and not (earlier.pronoun or later.pronoun)
            assert (found[first] == found[second]) == alike


@given(documents())
def test_pronouns_are_all_that_the_third_baseline_adds(document):
    table = table_of(document)
    plain = BASELINES["head_match"](table).tolist()
    more = BASELINES["head_match_pron"](table).tolist()
    for profile, before, after in zip(table.profiles, plain, more, strict=True):
        assert profile.pronoun or before == after


@pytest.mark.parametrize("name", BASELINES)
@pytest.mark.parametrize(("line", "count"), [("so/ADV/0//A=B", 0), (ANN, 1)])
def test_no_mention_and_one(name, line, count):
    assert len(entities(name, line)) == count
