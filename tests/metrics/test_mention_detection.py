"""What mention detection sees: mentions, never entities."""

from builders import letters, pairs, scores
from hypothesis import given
from slow_metrics import mentions_of

import corefkit


@given(pairs())
def test_mentions_ignores_how_mentions_are_grouped(pair):
    singletons = [[[mention] for mention in mentions_of(side)] for side in pair]
    grouped = corefkit.score(*pair, metrics=["mentions"])
    apart = corefkit.score(*singletons, metrics=["mentions"])
    assert scores(grouped, ["mentions"]) == scores(apart, ["mentions"])


def test_mentions_keeps_the_mentions_of_documents_apart():
    key = {"one": letters("ab"), "two": letters("cd")}
    response = {"one": letters("cd"), "two": letters("ab")}
    result = corefkit.score(key, response, metrics=["mentions"])
    assert result["mentions"].recall_numerator == 0
    assert result["mentions"].recall_denominator == 4
