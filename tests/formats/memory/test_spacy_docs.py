"""Examples of spaCy: two sides of one text, whose tokens may differ."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from raising import raises

import corefkit
from corefkit.exceptions import FormatError, PairingError
from corefkit.formats.libraries import convert_example, find_span_groups

spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
training = pytest.importorskip("spacy.training")
VOCAB = spacy.blank("en").vocab


def doc(words, *groups, spaces=None, **more):
    """Make a document; each group lists first tokens and tokens behind the last."""
    made = spacy.tokens.Doc(VOCAB, words=words.split("|"), spaces=spaces, **more)
    for number, group in enumerate(groups, 1):
        made.spans[f"coref_clusters_{number}"] = [made[a:b] for a, b in group]
    return made


def spans(document):
    return [
        [document.text(mention) for mention in entity.mentions] for entity in document
    ]


def test_key_is_the_reference_and_response_the_prediction():
    reference = doc("Ann|saw|her", [(0, 1), (2, 3)])
    example = training.Example(doc("Ann|saw|her", [(0, 1)]), reference)
    for both in [(example, example), ([example], [example]), [{"d": example}] * 2]:
        score = corefkit.score(*both)["mentions"]
        assert (score.recall, score.precision) == (0.5, 1.0)
    assert [len(one.entities[0]) for one in corefkit.read([example])] == [2]
    assert corefkit.score([example], [reference])["lea"].f1 == 1


def test_evaluator_accepts_examples():
    example = training.Example(
        doc("Ann|saw|her", [(0, 1)]), doc("Ann|saw|her", [(0, 1), (2, 3)])
    )
    evaluator = corefkit.Evaluator()
    evaluator.update([example, example], [example, example])
    evaluator.update(example, example)
    assert evaluator.compute()["mentions"].recall == 0.5
    assert evaluator.document_count == 3


def test_the_id_is_that_of_the_reference():
    predicted, reference = doc("Ann|left"), doc("Ann|left")
    predicted.user_data["id"], reference.user_data["id"] = "p", "r"
    both = convert_example(training.Example(predicted, reference), "0")
    assert [one.id for one in both] == ["r", "r"]


class TestOtherTokens:
    def test_mentions_are_compared_by_characters(self):
        reference = doc("Well,|Ann|can't|see|her", [(1, 2), (4, 5)])
        predicted = doc("Well|,|Ann|ca|n't|see|her", [(2, 3), (6, 7)])
        key, response = convert_example(training.Example(predicted, reference), "d")
        assert key.tokens == response.tokens
        assert key.tokens == ("Well", ",", "Ann", "ca", "n't", "see", "her")
        assert spans(key) == spans(response) == [["Ann", "her"]]

    def test_mention_that_ends_inside_a_token_differs(self):
        reference = doc("the|mill.|It", [(0, 2), (2, 3)])
        predicted = doc("the|mill|.|It", [(0, 2), (3, 4)])
        example = training.Example(predicted, reference)
        score = corefkit.score(example, example)["mentions"]
        assert (score.recall, score.precision) == (0.5, 0.5)

    def test_blanks_and_case_are_ignored(self):
        reference = doc("Ann|left|She", [(0, 1), (2, 3)])
        predicted = doc("ANN|\n \n|left|she", [(0, 1), (3, 4)])
        example = training.Example(predicted, reference)
        key, response = convert_example(example, "d")
        assert (key.tokens, response.tokens) == (("Ann", "left", "She"),) * 2
        assert corefkit.score(example, example)["lea"].f1 == 1

    def test_blanks_around_a_mention_are_ignored(self):
        reference = doc("the|mill|burnt", [(0, 2)])
        predicted = doc("the|\n|mill|\n|burnt", [(0, 4)])
        example = training.Example(predicted, reference)
        assert corefkit.score(example, example)["mentions"].f1 == 1

    def test_mention_of_blanks_is_rejected(self):
        example = training.Example(doc("a|\n|b", [(1, 2)]), doc("a|b"))
        with raises(FormatError, "input/not-a-mention", place="document 'document'"):
            corefkit.score(example, example)

    def test_sentence_boundaries_are_kept(self):
        starts = [True, False, True]
        reference = doc("Ann|left.|She", sent_starts=starts)
        predicted = doc("Ann|left|.|She", sent_starts=[True, False, False, True])
        both = convert_example(training.Example(predicted, reference), "d")
        assert [one.sentences for one in both] == [(("Ann", "left", "."), ("She",))] * 2

    def test_a_head_is_kept_if_both_have_the_token(self):
        tree = {"heads": [1, 1], "deps": ["det", "ROOT"]}
        reference = doc("the|mill", [(0, 2)], **tree)
        wide = {"heads": [1, 1, 1], "deps": ["det", "ROOT", "punct"]}
        for words, tokens, head in [
            ("the|mi|ll", "the|mill", None),
            ("t|he|mill", "the|mill", 2),
        ]:
            example = training.Example(doc(words, [(0, 3)], **wide), reference)
            assert [token.text for token in reference] == tokens.split("|")
            key, _ = convert_example(example, "d")
            assert key.entities[0].mentions[0].head == head
        example = training.Example(doc("the|mi|ll", [(0, 3)], **wide), reference)
        with raises(
            FormatError, "format/missing-head", place="key, document 'document'"
        ):
            corefkit.score(example, example, match="head")

    @pytest.mark.parametrize("words", ["Ann|went", "Ann", "Ann|left|now"])
    def test_different_text_is_rejected(self, words):
        example = training.Example(doc(words), doc("Ann|left"))
        with raises(
            PairingError,
            "pairing/different-text",
            place="prediction of document 'document'",
        ):
            corefkit.score(example, example)


LETTERS = "abcdef"


@given(
    cuts=st.tuples(*[st.sets(st.integers(1, 5))] * 2),
    marked=st.tuples(*[st.sets(st.tuples(st.integers(0, 5), st.integers(1, 6)))] * 2),
)
def test_scores_equal_those_of_character_spans(cuts, marked):
    """Two ways to cut a text: what counts is which letters a mention covers."""
    sides, letters = [], []
    for inner, wanted in zip(cuts, marked, strict=True):
        bounds = [0, *sorted(inner), 6]
        words = [LETTERS[a:b] for a, b in pairwise(bounds)]
        found = [(a, b) for a, b in wanted if a < b and {a, b} <= set(bounds)]
        group = [(bounds.index(a), bounds.index(b)) for a, b in found]
        sides.append(doc("|".join(words), group, spaces=[False] * len(words)))
        letters.append([[(a, b) for a, b in found]] if found else [])
    example = training.Example(sides[1], sides[0])
    by_token = corefkit.score(example, example)
    by_letter = corefkit.score({"document": letters[0]}, {"document": letters[1]})
    assert by_token["lea"] == by_letter["lea"]
    assert by_token["mentions"] == by_letter["mentions"]


def test_prefix_of_a_group_is_followed_by_a_number():
    made = doc("a|b", [(0, 1)])
    for name in ("coref_clusters_silver_2", "coref_clusters_", "coref_clusters", "x_7"):
        made.spans[name] = [made[1:2]]
    assert list(find_span_groups(made, "coref_clusters")) == ["1"]
    assert list(find_span_groups(made, "coref_clusters_silver")) == ["2"]
    assert list(find_span_groups(made, "x")) == ["7"]
    assert list(find_span_groups(made, "coref.clusters")) == []
    assert spans(*corefkit.read(made)) == [["a"]]


def test_the_label_of_a_span_is_its_type():
    made = doc("Ann|left")
    made.spans["coref_clusters_1"] = [spacy.tokens.Span(made, 0, 1, label="person")]
    (document,) = corefkit.read(made)
    assert document.entities[0].mentions[0].attributes == {"type": "person"}
