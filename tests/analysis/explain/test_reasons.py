"""Why a score falls: what entities cost adds up to what is lost."""

import pytest
from builders import letters, pairs
from hypothesis import given, settings

from corefkit.analysis.explain.explanation_page import explain_loss, list_reasons
from corefkit.analysis.explain.metric_steps import (
    choose_metrics,
    list_explained_metrics,
)
from corefkit.analysis.explain.scene import build_scene
from corefkit.analysis.explain.walkthrough import format_plain
from corefkit.formats.in_memory import make_partition_sources


def scene(key, response):
    sides = make_partition_sources({"": key}, {"": response})
    return build_scene(*(side.read_columns([0]) for side in sides), ())


def walked(metric, key, response):
    ((_, walk),) = choose_metrics(metric).walks
    seen = scene(key, response)
    return seen.labels, walk.find_steps(seen).quotients


@pytest.mark.parametrize("metric", list_explained_metrics())
@settings(max_examples=25)
@given(pair=pairs())
def test_costs_of_entities_add_up_to_what_is_lost(metric, pair):
    _, quotients = walked(metric, *pair)
    known = [quotient for quotient in quotients if quotient.loss is not None]
    assert len(known) >= 2
    for quotient in known:
        expected = quotient.denominator.value - quotient.numerator.value
        assert sum(quotient.loss.amounts) == expected
        assert min(quotient.loss.amounts, default=0) >= 0


def why(metric, key, response, side):
    names, quotients = walked(metric, letters(key), letters(response))
    lost = quotients[side].loss
    return [
        format_plain(explain_loss(names, lost, entity))
        for entity in range(len(lost.amounts))
    ]


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        ("abc", "ab c", "it is divided: {a, b} in R1, {c} in R2"),
        ("abc", "ab", "of its mentions, only {a, b} in R1; the response lacks c"),
        ("abc", "", "the response has none of its mentions: a, b, c"),
        ("a", "ab", "it lies in R1, which also has b"),
    ],
)
def test_reason_says_where_the_mentions_are(key, response, expected):
    assert why("lea", key, response, 0)[0] == expected
    swapped = expected.translate(str.maketrans("R", "K")).replace("response", "key")
    swapped = swapped.replace("is divided", "mixes entities")
    assert why("lea", response, key, 1)[0] == swapped


def test_reason_names_the_partner_where_entities_are_aligned():
    assert why("ceaf_e", "abc", "ab c", 0) == [
        "its partner is R1; it is divided: {a, b} in R1, {c} in R2"
    ]
    assert why("ceaf_e", "abc", "ab c", 1)[1].startswith("it has no partner; ")


def test_entities_that_cost_most_come_first_and_the_others_are_added_up():
    key = [[f"{entity}-{n}" for n in range(entity)] for entity in range(2, 22)]
    names, (recall, _) = walked("muc", key, [])
    table, rest = list_reasons(names, recall, "recall")
    assert [format_plain(row[0]) for row in table.cells] == [
        f"K{20 - n}" for n in range(8)
    ]
    assert format_plain(table.cells[0][1]) == "9.52 points (20 of 210)"
    assert format_plain(rest.text) == "… 12 more K cost 37.14 points (78 of 210)."


def test_nothing_lost_is_said():
    names, (recall, _) = walked("lea", letters("ab"), letters("ab"))
    (line,) = list_reasons(names, recall, "recall")
    assert format_plain(line.text) == "recall is 100%: nothing is lost."
