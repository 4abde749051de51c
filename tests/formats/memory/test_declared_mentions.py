"""Padding, reversed spans and ambiguous shapes raise errors at every entrance."""

from __future__ import annotations

import pickle
from collections import namedtuple

import numpy as np
import pytest
from raising import raises

import corefkit
from corefkit import Evaluator, FormatError, Mention, SettingsError

Span = namedtuple("Span", "start end")


class Tensor:
    """A tensor: converted by `tolist`, and hashed by its address."""

    def __init__(self, value):
        self.value = value

    def tolist(self):
        return self.value


def update(key, response, **keywords):
    evaluator = Evaluator()
    evaluator.update(key, response, **keywords)
    return evaluator.compute()


ENTRANCES = {
    "score": corefkit.score,
    "score_responses": lambda key, response: corefkit.score_responses(key, [response]),
    "score_submissions": lambda key, response: corefkit.score_submissions(
        key, [response]
    ),
    "update": update,
    "update of a named document": lambda key, response: update(
        key, response, document="d"
    ),
    "update of a mapping": lambda key, response: update({"d": key}, {"d": response}),
    "mapping": lambda key, response: corefkit.score({"d": key}, {"d": response}),
    "list of documents": lambda key, response: corefkit.score(
        [key, [["x", "y"]]], [response, [["x", "y"]]]
    ),
    "compare": lambda key, response: corefkit.compare(key, [response, response]),
    "errors": corefkit.errors,
    "explain": lambda key, response: corefkit.explain(key, response, metric="muc"),
    "overlap": corefkit.overlap,
}
SHAPES = {
    "tuples": lambda span: [[span, (2, 3)]],
    "lists": lambda span: [[list(span), [2, 3]]],
    "named tuples": lambda span: [[Span(*span), (2, 3)]],
    "numbers of numpy": lambda span: [[tuple(map(np.int64, span)), (2, 3)]],
    "array": lambda span: [np.array([span, (2, 3)])],
    "arrays of one span": lambda span: [[np.array(span), np.array((2, 3))]],
    "tensor": lambda span: [Tensor([list(span), [2, 3]])],
    "tensors of one number": lambda span: [[tuple(map(Tensor, span)), (2, 3)]],
    "set": lambda span: [{span, (2, 3)}],
    "frozenset": lambda span: [frozenset({span, (2, 3)})],
    "next to names": lambda span: [["Ann", span]],
    "next to tuples of names": lambda span: [[("Ann", 1), span]],
    "floats": lambda span: [[tuple(map(float, span)), (2.0, 3.0)]],
    "discontinuous": lambda span: [[(span, (7, 8)), "Ann"]],
    "nested": lambda span: [[("document", span), "Ann"]],
}
INVALID = {
    (-1, -1): "input/padding-span",
    (-100, 3): "input/padding-span",
    (5, 1): "input/reversed-span",
}


@pytest.mark.parametrize("span", INVALID, ids=str)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("entrance", ENTRANCES)
def test_padding_and_reversed_spans_are_rejected(entrance, shape, span):
    with pytest.raises(FormatError) as rejected:
        ENTRANCES[entrance](SHAPES[shape](span), SHAPES[shape](span))
    assert rejected.value.code == INVALID[span]
    assert rejected.value.place.startswith("key")
    assert rejected.value.place.endswith("entity 0")


@pytest.mark.parametrize("span", INVALID, ids=str)
def test_mention_cannot_be_padding_or_reversed(span):
    with pytest.raises(FormatError) as rejected:
        Mention(*span)
    assert (rejected.value.code, rejected.value.place) == (INVALID[span], "Mention")


@pytest.mark.parametrize("gap", [(-1, -1), (5, 4), (0, 1), (8, 9)])
def test_gap_lies_inside_its_mention(gap):
    with raises(FormatError, "input/invalid-gap", place="Mention"):
        Mention(0, 9, (gap,))


def test_gaps_are_in_order():
    with raises(FormatError, "input/invalid-gap", place="Mention"):
        Mention(0, 9, ((3, 3), (1, 1)))


@pytest.mark.parametrize("mention", [("a", -1), (True, -1), -1, "-1", (0.5, 1.5)])
def test_names_with_negative_numbers_are_mentions(mention):
    assert corefkit.score([[mention, "x"]], [[mention, "x"]]).conll == 1


PAIRS = [[[0, 4], [2, 7]], [[1, 3]]]
CLUSTERS = [[[0, 4, 5], [2, 7]], [[1, 3]]]


class TestAmbiguousShapes:
    @pytest.mark.parametrize(
        "batch",
        [
            CLUSTERS,
            [[[0, 4], [2]], [[1, 3]]],
            [[[0, 4], []], [[1, 3]]],
            [np.array([[0, 4, 5], [2, 7, 8]])],
        ],
        ids=str,
    )
    @pytest.mark.parametrize("call", [corefkit.score, update])
    def test_lists_of_numbers_that_are_not_pairs_are_ambiguous(self, call, batch):
        with raises(FormatError, "input/ambiguous-shape", place="key"):
            call(batch, batch)

    def test_several_empty_lists_are_ambiguous(self):
        with raises(FormatError, "input/ambiguous-shape", place="key"):
            corefkit.score([[], []], [[], []])

    def test_pairs_are_spans_of_one_document_unless_declared(self):
        assert corefkit.score(PAIRS, PAIRS).documents == ("document",)
        assert corefkit.score(PAIRS, PAIRS, mentions="spans").documents == ("document",)
        result = corefkit.score(PAIRS, PAIRS, mentions="tokens")
        assert result.documents == ("0", "1")
        assert result["mentions"].recall_denominator == 6

    @pytest.mark.parametrize("cluster", [list, tuple, set, frozenset, np.array])
    def test_tokens_are_read_by_depth_in_every_batch(self, cluster):
        evaluator = Evaluator(mentions="tokens")
        for batch in (PAIRS, CLUSTERS):
            shaped = [[cluster(each) for each in document] for document in batch]
            evaluator.update(shaped, shaped)
        expected = dict(enumerate([*PAIRS, *CLUSTERS]))
        assert evaluator.compute().scores == corefkit.score(expected, expected).scores

    @pytest.mark.parametrize("span", [list, tuple])
    def test_spans_are_read_by_depth(self, span):
        document = [[span(each) for each in cluster] for cluster in PAIRS]
        evaluator = Evaluator(mentions="spans")
        evaluator.update([document, document], [document, document])
        evaluator.update(document, document)
        assert evaluator.document_count == 3

    @pytest.mark.parametrize(
        ("mentions", "mention", "code"),
        [
            ("spans", 3, "input/not-a-span"),
            ("spans", (0, 1, 2), "input/not-a-span"),
            ("spans", "Ann", "input/not-a-span"),
            ("spans", (-1, -1), "input/padding-span"),
            ("spans", [5, 1], "input/reversed-span"),
            ("tokens", "Ann", "input/not-a-token"),
            ("tokens", 2.0, "input/not-a-token"),
            ("tokens", True, "input/not-a-token"),
            ("tokens", -1, "input/padding-token"),
        ],
    )
    def test_mentions_of_another_kind_than_declared_are_rejected(
        self, mentions, mention, code
    ):
        for value in ([[mention]], {"d": [[mention]]}):
            with pytest.raises(FormatError) as rejected:
                corefkit.score(value, value, mentions=mentions)
            assert rejected.value.code == code
            assert rejected.value.place.endswith("entity 0")

    def test_unknown_declaration_is_rejected(self):
        for call in (
            lambda: Evaluator(mentions="words"),
            lambda: corefkit.score([[1]], [[1]], mentions="words"),
        ):
            with raises(SettingsError, "settings/unknown-mentions", place=None):
                call()

    def test_declaration_is_pickled(self):
        evaluator = pickle.loads(pickle.dumps(Evaluator(mentions="tokens")))
        evaluator.update(CLUSTERS, CLUSTERS)
        assert evaluator.document_count == 2
