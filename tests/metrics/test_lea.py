"""What is particular to LEA: links weighed by entity, and the rule for singletons."""

import pytest
from builders import COUNTS, letters, pairs
from hypothesis import given

import corefkit

CASES = {
    "same singleton": ("a", "a", 1, 1),
    "singleton inside an entity": ("a", "ab", 0, 0),
    "entity left as a singleton": ("ab", "a", 0, 0),
    "missed singleton": ("a bc", "bc", 2, 2),
    "spurious singleton": ("bc", "a bc", 2, 2),
    "one link of three": ("abc", "ab c", 1, 2),
    "no link": ("ab cd", "ac bd", 0, 0),
    "two links in two response entities": ("abcd", "ab cd", 4 / 3, 4),
    "twinless mentions": ("abx", "aby", 1, 1),
}


@pytest.mark.parametrize(
    ("key", "response", "recall_numerator", "precision_numerator"),
    CASES.values(),
    ids=CASES,
)
def test_lea_resolves_links(key, response, recall_numerator, precision_numerator):
    score = corefkit.score(letters(key), letters(response), metrics=["lea"])["lea"]
    assert score.recall_numerator == pytest.approx(recall_numerator, rel=1e-9)
    assert score.precision_numerator == pytest.approx(precision_numerator, rel=1e-9)
    assert score.recall_denominator == len(key.replace(" ", ""))
    assert score.precision_denominator == len(response.replace(" ", ""))


@pytest.mark.parametrize("size", [2, 5, 10, 1000])
def test_lea_charges_one_extra_mention_the_same_for_every_size(size):
    # Moosavi and Strube 2016, section 7.4: (n + 1)(1 - resolution) = 2 for every n.
    key = [range(size)]
    response = [range(size + 1)]
    score = corefkit.score(key, response, metrics=["lea"])["lea"]
    lost = score.precision_denominator - score.precision_numerator
    assert lost == pytest.approx(2, rel=1e-9)


@given(pairs())
def test_lea_with_size_as_importance_is_lea(pair):
    by_size = corefkit.lea_with(len, name="by_size")
    result = corefkit.score(*pair, metrics=["lea", by_size])
    assert [getattr(result["by_size"], field) for field in COUNTS] == pytest.approx(
        [getattr(result["lea"], field) for field in COUNTS], rel=1e-9
    )


def test_lea_with_an_importance_weighs_the_mentions_themselves():
    def vowels(entity):
        return len(set(entity) & set("ae"))

    metric = corefkit.lea_with(vowels, name="vowels")
    score = corefkit.score(letters("abc ef gh"), letters("ab ef"), metrics=[metric])
    # {a b c} and {e f} weigh 1 each, {g h} nothing; 1/3 and 1 of their links are found.
    assert score["vowels"].recall == pytest.approx(2 / 3, rel=1e-9)
    assert score["vowels"].precision == 1
