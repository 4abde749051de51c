"""What is particular to MUC: links of spanning trees, so singletons are nothing."""

import pytest
from builders import COUNTS, letters, pairs
from hypothesis import given

import corefkit


def muc_counts(key, response):
    score = corefkit.score(key, response, metrics=["muc"])["muc"]
    return tuple(getattr(score, field) for field in COUNTS)


@given(pairs())
def test_muc_ignores_added_singletons(pair):
    key, response = pair
    with_singletons = muc_counts(
        [*key, ["only key"], ["shared"]], [*response, ["only response"], ["shared"]]
    )
    assert with_singletons == muc_counts(key, response)


@given(pairs())
def test_muc_finds_as_many_links_for_recall_as_for_precision(pair):
    recall_numerator, _, precision_numerator, _ = muc_counts(*pair)
    assert recall_numerator == precision_numerator


@pytest.mark.parametrize(
    "response", ["abcdefg h", "abcd efgh", "ah bcdefg", "ab cdefgh"]
)
def test_muc_sees_the_number_of_parts_and_not_their_sizes(response):
    # Moosavi and Strube 2016, section 7.3 (1).
    assert muc_counts(letters("abcdefgh"), letters(response)) == (6, 7, 6, 6)


def test_muc_charges_a_missed_mention_one_link():
    assert muc_counts(letters("abcd"), letters("abc")) == (2, 3, 2, 2)


def test_muc_is_zero_on_all_singletons():
    assert muc_counts(letters("a b c"), letters("a b c")) == (0, 0, 0, 0)
