"""What is said of a diagnosis, version by version and in the end."""

from __future__ import annotations

import re

import pytest
from builders import letters

from corefkit.lab.diagnosis import diagnose, render_diagnosis
from corefkit.settings import Settings

KEY, RESPONSE = letters("abc de fg hi j"), letters("abd ef g jx")


def test_summary_names_the_worst_first():
    text = render_diagnosis(diagnose(KEY, RESPONSE))
    summary = " ".join(text.split("\n\n")[-2].split("\n"))
    assert summary.startswith("Never the wrong way: MUC, LEA. The wrong way: ")
    points = [float(number) for number in re.findall(r"up to (\d+\.\d+)", summary)]
    assert points == sorted(points, reverse=True)
    assert len(points) > 3


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        (
            "ab cd",
            "ab cd",
            "no mention is incorrectly resolved: nothing to take out.",
        ),
        ("ab c", "ac", "1 incorrectly resolved mention taken out. No right link"),
        (
            "ab c",
            "ac",
            "But 1 key singleton now stands alone, as in the key: recall",
        ),
        ("ab cd", "ac bd", "4 incorrectly resolved mentions taken out."),
        (
            "ab cd",
            "",
            "2 wrong entities added, of 2 missing key mentions. No right",
        ),
        ("ab c d", "", "1 wrong entity added, of 3 missing key mentions. No right"),
        ("abc def gh", "", "of 2.7 missing key mentions on average. No right link"),
        (
            "abc",
            "ab",
            "Less precise b: the response lacks no two key mentions of a",
        ),
        ("ab", "ab", "No version differs from the response: there is nothing to"),
    ],
)
def test_version_says_what_was_done(key, response, expected):
    text = render_diagnosis(diagnose(letters(key), letters(response)))
    assert expected in " ".join(text.split())


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        (
            "ab",
            "ab",
            "so nothing is resolved. These give it points all the same: B³",
        ),
        ("ab", "", "so nothing is resolved. No metric gives it a point."),
        (
            "ab c",
            "c",
            "only the key's singletons are right. No metric gives it more",
        ),
        (
            "ab c",
            "abc",
            "Recall beyond theirs is for mentions merely found: B³ recall",
        ),
        ("a b", "ab", "F1 above that of the response as it is: B³ (100.00), CEAFm"),
    ],
)
def test_all_singletons_are_told_by_what_is_earned(key, response, expected):
    text = render_diagnosis(diagnose(letters(key), letters(response)))
    assert expected in " ".join(text.split())


def test_dropped_singletons_are_told():
    result = diagnose(KEY, RESPONSE, settings=Settings(singletons="drop"))
    assert "The settings drop singletons: nothing is left." in " ".join(
        render_diagnosis(result).split()
    )


def test_conll_mean_is_never_praised():
    result = diagnose(letters("abcd ef"), letters("abcde"), metrics=["conll", "lea"])
    moved = result.of("more_precise", "less_precise_a", "less_precise_b")
    assert "conll" not in {verdict.metric for verdict in moved}
    text = render_diagnosis(result)
    assert "As they should: MUC, LEA." in text
    assert "Never the wrong way: MUC, LEA." in text
