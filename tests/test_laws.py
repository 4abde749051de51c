"""Laws of the metrics and variants of the registry, with the exceptions written down.

Every law names the metrics it holds for and the exceptions, with the reason. A metric
of the registry that a law does not place fails `test_law_places_every_metric`.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest
from builders import (
    COUNTS,
    FIELDS,
    close_to,
    corpora,
    counts,
    pairs,
    partitions,
    scores,
)
from hypothesis import given
from hypothesis import strategies as st
from slow_metrics import mentions_of

import corefkit

SWAPPED = dict(zip(FIELDS, ("precision", "recall", "f1"), strict=True))
SWAPPED |= dict(zip(COUNTS, COUNTS[2:] + COUNTS[:2], strict=True))
RULES = ("key", "both", "links")
PAPER_METRICS = (
    "mentions",
    "muc",
    "b_cubed",
    "ceaf_m",
    "ceaf_e",
    "ceaf_phi1",
    "ceaf_phi2",
    "ceaf_m_links",
    "ceaf_e_links",
    "blanc",
    "lea",
    "b_cubed_0",
    "b_cubed_all",
    "b_cubed_rn",
    "b_cubed_sys",
    "ceaf_m_rn",
    "ceaf_m_sys",
    "ceaf_e_rn",
    "ceaf_e_sys",
)
NO_EXCEPTIONS: dict[str, str] = {}


class Law(NamedTuple):
    """The metrics a law holds for, and those it does not hold for, with the reason."""

    holds: tuple[str, ...]
    exceptions: dict[str, str]


IN_RANGE = Law(PAPER_METRICS, NO_EXCEPTIONS)
NOT_SWAPPED = {
    "blanc": "the key rule drops the kinds of links that the key lacks",
    "b_cubed_0": "only the response loses its twinless mentions",
    "b_cubed_rn": "only the response loses its lone twinless mentions",
    "b_cubed_sys": "recall goes through the key as it is, precision through both added",
    "ceaf_m_rn": "only the response loses its lone twinless mentions",
    "ceaf_m_sys": "recall goes through the key as it is, precision through both added",
    "ceaf_e_rn": "only the response loses its lone twinless mentions",
    "ceaf_e_sys": "recall goes through the key as it is, precision through both added",
}
SWAP = Law(
    tuple(name for name in PAPER_METRICS if name not in NOT_SWAPPED), NOT_SWAPPED
)
IDENTITY = Law(
    tuple(name for name in PAPER_METRICS if name not in {"muc", "blanc"}),
    {
        "muc": "without an entity of two mentions there is no link",
        "blanc": "a single mention has no link of either kind",
    },
)
ORDER_AND_NAMES = Law(PAPER_METRICS, NO_EXCEPTIONS)
ADDITIVE = Law(PAPER_METRICS, NO_EXCEPTIONS)
MACRO = Law(PAPER_METRICS, NO_EXCEPTIONS)
LAWS = {
    "in range": IN_RANGE,
    "swap": SWAP,
    "identity": IDENTITY,
    "order and names": ORDER_AND_NAMES,
    "additive": ADDITIVE,
    "macro": MACRO,
}


def swapped(values: dict[str, float]) -> dict[str, float]:
    """Rename recall to precision and precision to recall."""
    renamed = {}
    for name, value in values.items():
        metric, field = name.rsplit(" ", 1)
        renamed[f"{metric} {SWAPPED[field]}"] = value
    return renamed


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_law_places_every_metric(law):
    registry = (*corefkit.METRICS, *corefkit.VARIANTS)
    assert sorted((*law.holds, *law.exceptions)) == sorted(registry)


@given(pairs(40))
def test_scores_lie_between_zero_and_one(pair):
    result = corefkit.score(*pair, metrics=IN_RANGE.holds)
    outside = {
        name: value
        for name, value in scores(result, IN_RANGE.holds).items()
        if not 0 <= value <= 1
    }
    assert outside == {}


@given(pairs(40))
def test_numerators_do_not_exceed_denominators(pair):
    result = corefkit.score(*pair, metrics=IN_RANGE.holds)
    values = counts(result, IN_RANGE.holds)
    above = {
        name: (value, values[name.replace("numerator", "denominator")])
        for name, value in values.items()
        if not 0 <= value <= values[name.replace("numerator", "denominator")] + 1e-9
    }
    assert above == {}


@given(pairs())
def test_swap_exchanges_recall_and_precision(pair):
    key, response = pair
    forward = corefkit.score(key, response, metrics=SWAP.holds)
    backward = corefkit.score(response, key, metrics=SWAP.holds)
    assert scores(forward, SWAP.holds) == close_to(
        swapped(scores(backward, SWAP.holds))
    )
    assert counts(forward, SWAP.holds) == close_to(
        swapped(counts(backward, SWAP.holds))
    )


@given(pairs())
def test_swap_exchanges_recall_and_precision_of_blanc_under_both(pair):
    key, response = pair
    forward = corefkit.score(key, response, metrics=["blanc"], blanc_rule="both")
    backward = corefkit.score(response, key, metrics=["blanc"], blanc_rule="both")
    assert scores(forward, ["blanc"]) == close_to(swapped(scores(backward, ["blanc"])))


@given(pairs())
@pytest.mark.parametrize("rule", RULES)
def test_swap_exchanges_the_counts_of_blanc_under_either_rule(rule, pair):
    key, response = pair
    forward = corefkit.score(key, response, metrics=["blanc"], blanc_rule=rule)
    backward = corefkit.score(response, key, metrics=["blanc"], blanc_rule=rule)
    assert counts(forward, ["blanc"]) == close_to(swapped(counts(backward, ["blanc"])))


def test_swap_changes_blanc_under_the_key_rule():
    whole, halves = ["abcd"], ["ab", "cd"]
    forward = corefkit.score(whole, halves, metrics=["blanc"], blanc_rule="key")
    backward = corefkit.score(halves, whole, metrics=["blanc"], blanc_rule="key")
    assert forward["blanc"].f1 == pytest.approx(1 / 2)
    assert backward["blanc"].f1 == pytest.approx(1 / 4)


@pytest.mark.parametrize("name", [name for name in NOT_SWAPPED if name != "blanc"])
def test_swap_changes_the_variants_that_treat_the_sides_apart(name):
    key, response = ["abc", "d"], ["abe", "f"]
    forward = corefkit.score(key, response, metrics=[name])
    backward = corefkit.score(response, key, metrics=[name])
    assert scores(forward, [name]) != close_to(swapped(scores(backward, [name])))


@given(partitions().filter(bool))
def test_key_as_response_scores_one(key):
    result = corefkit.score(key, key, metrics=IDENTITY.holds)
    assert set(scores(result, IDENTITY.holds).values()) == {1.0}


@given(partitions())
def test_key_as_response_scores_one_in_muc_if_there_is_a_link(key):
    result = corefkit.score(key, key, metrics=["muc"])
    has_link = any(len(entity) > 1 for entity in key)
    assert set(scores(result, ["muc"]).values()) == {float(has_link)}


@given(partitions())
def test_key_as_response_scores_one_in_blanc_if_there_are_two_mentions(key):
    result = corefkit.score(key, key, metrics=["blanc"], blanc_rule="key")
    has_link = len(mentions_of(key)) > 1
    assert set(scores(result, ["blanc"]).values()) == {float(has_link)}


@given(partitions().filter(bool))
def test_key_as_response_scores_one_in_blanc_under_both(key):
    result = corefkit.score(key, key, metrics=["blanc"], blanc_rule="both")
    assert set(scores(result, ["blanc"]).values()) == {1.0}


@given(pairs(), st.randoms(use_true_random=False))
def test_order_of_entities_and_mentions_does_not_matter(pair, random):
    def shuffled(partition):
        entities = [random.sample(entity, len(entity)) for entity in partition]
        return random.sample(entities, len(entities))

    names = ORDER_AND_NAMES.holds
    result = corefkit.score(*pair, metrics=names)
    again = corefkit.score(*map(shuffled, pair), metrics=names)
    assert counts(again, names) == close_to(counts(result, names))
    assert scores(again, names) == close_to(scores(result, names))


@pytest.mark.parametrize(
    "name_of",
    [str, "mention {}".format, lambda mention: (mention, -mention), lambda n: -n - 1],
    ids=["digits", "words", "tuples", "negative"],
)
@given(pairs())
def test_names_of_mentions_do_not_matter(name_of, pair):
    def renamed(partition):
        return [[name_of(mention) for mention in entity] for entity in partition]

    names = ORDER_AND_NAMES.holds
    result = corefkit.score(*pair, metrics=names)
    again = corefkit.score(*map(renamed, pair), metrics=names)
    assert counts(again, names) == close_to(counts(result, names))


@pytest.mark.parametrize(
    "collect",
    [tuple, frozenset, iter],
    ids=["tuples", "frozensets", "iterators"],
)
@given(pairs())
def test_kind_of_collection_does_not_matter(collect, pair):
    def rebuilt(partition):
        return collect([collect(entity) for entity in partition])

    names = ORDER_AND_NAMES.holds
    result = corefkit.score(*pair, metrics=names)
    again = corefkit.score(*map(rebuilt, pair), metrics=names)
    assert counts(again, names) == close_to(counts(result, names))


@given(corpora(), st.randoms(use_true_random=False))
def test_order_and_names_of_documents_do_not_matter(corpus, random):
    key, response = corpus
    order = random.sample(list(key), len(key))
    renamed_key = {f"renamed {document}": key[document] for document in order}
    renamed_response = {f"renamed {document}": response[document] for document in key}
    names = ORDER_AND_NAMES.holds
    result = corefkit.score(key, response, metrics=names)
    again = corefkit.score(renamed_key, renamed_response, metrics=names)
    assert counts(again, names) == close_to(counts(result, names))


@given(corpora())
def test_corpus_counts_are_the_sum_of_document_counts(corpus):
    key, response = corpus
    names = ADDITIVE.holds
    result = corefkit.score(key, response, metrics=names)
    rows = [
        counts(corefkit.score(key[document], response[document], metrics=names), names)
        for document in key
    ]
    assert counts(result, names) == close_to(
        {name: sum(row[name] for row in rows) for name in rows[0]}
    )


@given(corpora())
def test_per_document_rows_equal_documents_scored_alone(corpus):
    key, response = corpus
    names = ADDITIVE.holds
    result = corefkit.score(key, response, metrics=names)
    assert sorted(row.document for row in result.per_document) == sorted(key)
    for row in result.per_document:
        alone = corefkit.score(key[row.document], response[row.document], metrics=names)
        assert counts(row, names) == close_to(counts(alone, names))
        assert scores(row, names) == close_to(scores(alone, names))


@given(pairs())
def test_macro_and_micro_agree_on_one_document(pair):
    names = MACRO.holds
    micro = corefkit.score(*pair, metrics=names, average="micro")
    macro = corefkit.score(*pair, metrics=names, average="macro")
    assert scores(macro, names) == close_to(scores(micro, names))


@given(corpora())
def test_macro_is_the_mean_of_the_document_scores(corpus):
    names = MACRO.holds
    result = corefkit.score(*corpus, metrics=names, average="macro")
    rows = [scores(row, names) for row in result.per_document]
    assert scores(result, names) == close_to(
        {name: sum(row[name] for row in rows) / len(rows) for name in rows[0]}
    )


@given(corpora())
def test_average_changes_no_count(corpus):
    names = MACRO.holds
    micro = corefkit.score(*corpus, metrics=names, average="micro")
    macro = corefkit.score(*corpus, metrics=names, average="macro")
    assert counts(macro, names) == close_to(counts(micro, names))


def test_macro_weighs_a_small_document_as_much_as_a_large_one():
    key = {"large": ["abcdefgh"], "small": ["yz"]}
    response = {"large": ["abcdefgh"], "small": ["y", "z"]}
    micro = corefkit.score(key, response, metrics=["muc"], average="micro")
    macro = corefkit.score(key, response, metrics=["muc"], average="macro")
    assert micro["muc"].recall == pytest.approx(7 / 8)
    assert macro["muc"].recall == pytest.approx(1 / 2)
