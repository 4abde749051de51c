"""What is particular to B³: every mention counts, with the size of its entity."""

import pytest
from builders import partitions
from hypothesis import given
from hypothesis import strategies as st
from slow_metrics import mentions_of

import corefkit

filled_partitions = partitions().filter(bool)


@given(filled_partitions)
def test_b_cubed_recall_is_one_when_all_mentions_are_one_entity(key):
    response = [sorted(mentions_of(key))]
    assert corefkit.score(key, response, metrics=["b_cubed"])["b_cubed"].recall == 1


@given(filled_partitions)
def test_b_cubed_precision_is_one_when_all_mentions_are_singletons(key):
    response = [[mention] for mention in mentions_of(key)]
    score = corefkit.score(key, response, metrics=["b_cubed"])["b_cubed"]
    assert score.precision == 1
    assert score.recall_numerator == pytest.approx(len(key))


@given(filled_partitions, st.data())
def test_b_cubed_equals_ceaf_m_and_lea_on_entities_whole_or_absent(key, data):
    # Moosavi and Strube 2016, section 7.2 (1).
    response = data.draw(st.lists(st.sampled_from(key), unique_by=tuple))
    result = corefkit.score(key, response, metrics=["b_cubed", "ceaf_m", "lea"])
    assert result["ceaf_m"].f1 == pytest.approx(result["b_cubed"].f1, rel=1e-9)
    assert result["lea"].f1 == pytest.approx(result["b_cubed"].f1, rel=1e-9)


def test_b_cubed_keeps_a_spurious_mention_in_the_denominator():
    score = corefkit.score(["abc"], ["abd", "e"], metrics=["b_cubed"])["b_cubed"]
    assert score.precision_numerator == pytest.approx(4 / 3, rel=1e-9)
    assert score.precision_denominator == 4
