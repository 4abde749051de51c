"""Rows of data sets: the layouts that are known, and what is said of others."""

from __future__ import annotations

import pytest
from raising import raises

import corefkit
from corefkit import FormatError
from corefkit.formats.libraries import read_rows

SENTENCES = [["Ann", "saw", "the", "dog"], ["She", "liked", "it", "."]]
SPANS = [[(0, 0), (4, 4)], [(2, 3), (6, 6)]]
CHAINS = [[[0, 0, 0], [1, 0, 0]], [[0, 2, 3], [1, 2, 2]]]
CLUSTERS = [[[0, 0, 1], [1, 0, 1]], [[0, 2, 4], [1, 2, 3]]]
LITBANK = {"doc_name": "d", "sentences": SENTENCES, "coref_chains": CHAINS}
PRECO = {"id": "d", "sentences": SENTENCES, "mention_clusters": CLUSTERS}
COREF_DATA = {
    "id": "d",
    "text": "Ann saw the dog She liked it .",
    "sentences": [
        {"id": at, "tokens": [{"id": 1.0, "text": word} for word in sentence]}
        for at, sentence in enumerate(SENTENCES)
    ],
    "coref_chains": CHAINS,
}
JSON_LINES = {"doc_key": "d", "sentences": SENTENCES, "clusters": SPANS}
LAYOUTS = {
    "litbank": LITBANK,
    "preco": PRECO,
    "coref-data": COREF_DATA,
    "json": JSON_LINES,
}


def conll(*parts):
    """Make a row of `conll2012_ontonotesv5`; every part has the same sentences."""
    spans = [[[7, 0, 0], [9, 2, 3]], [[7, 0, 0], [9, 2, 2]]]
    return {
        "document_id": "nw/d",
        "sentences": [
            {"part_id": part, "words": words, "coref_spans": places}
            for part in parts
            for words, places in zip(SENTENCES, spans, strict=True)
        ],
    }


def spans(document):
    return [[tuple(mention) for mention in entity] for entity in document]


class Played:
    """Be a data set: rows that are iterated over, in whatever form."""

    __module__ = "datasets.arrow_dataset"

    def __init__(self, *rows):
        self.rows = rows

    def with_format(self, form):
        assert form is None
        return iter(self.rows)


def refused(value, role="key"):
    with pytest.raises(FormatError) as caught:
        read_rows(value, role)
    return caught.value


@pytest.mark.parametrize("layout", LAYOUTS)
def test_all_layouts_give_the_same_document(layout):
    (document,) = read_rows(Played(LAYOUTS[layout]), "key")
    assert document.id == "d"
    assert document.sentences == tuple(map(tuple, SENTENCES))
    assert spans(document) == SPANS


def test_each_part_becomes_a_document():
    first, second = read_rows([conll(0, 1)], "key")
    assert (first.id, second.id) == ("(nw/d); part 000", "(nw/d); part 001")
    assert spans(first) == spans(second) == SPANS
    assert [entity.id for entity in second] == ["7", "9"]


def test_parts_pair_with_files_by_their_ids():
    key = [conll(0, 1)]
    response = {"nw/d_0": SPANS, "nw/d_1": SPANS[:1]}
    assert corefkit.score(key, response)["mentions"].recall == 0.75


@pytest.mark.parametrize("layout", ["litbank", "preco", "coref-data"])
def test_rows_are_read_from_lists_and_single(layout):
    row = LAYOUTS[layout]
    for value in (row, [row], (row,)):
        assert corefkit.score(value, {"d": SPANS})["lea"].f1 == 1
    assert [document.id for document in corefkit.read(row)] == ["d"]


def test_evaluator_accepts_data_sets():
    evaluator = corefkit.Evaluator()
    evaluator.update(Played(PRECO), Played(LITBANK))
    assert evaluator.compute()["lea"].f1 == 1


@pytest.mark.parametrize("layout", LAYOUTS)
def test_predicted_entities_are_used_in_responses(layout):
    row = {**LAYOUTS[layout], "predicted_clusters": [[[0, 0], [4, 4]]]}
    assert corefkit.score(Played(row), Played(row))["mentions"].recall == 0.5


def test_predicted_entities_of_a_single_part():
    row = {**conll(0), "predicted_clusters": [[[0, 0], [4, 4]]]}
    assert corefkit.score([row], [row])["mentions"].recall == 0.5
    both = {**conll(0, 1), "predicted_clusters": []}
    error = refused([both], "response")
    assert (error.code, error.place) == ("input/several-documents", "response, row 0")


def test_empty_nodes_and_syntax_are_read_from_tokens():
    tokens = [
        {"id": 1.0, "text": "Llueve", "upos": "VERB", "head": 0.0},
        {"id": 1.1, "text": "_", "upos": None, "head": None},
    ]
    row = {"id": "d", "sentences": [{"tokens": tokens}], "coref_chains": [[[0, 1, 1]]]}
    (document,) = read_rows(row, "key")
    assert document.empty == (1,)
    assert document.layers == {"upos": ("VERB", "_"), "head": ("0", "_")}


def test_entities_without_mentions_are_ignored():
    row = {**PRECO, "mention_clusters": [[], *CLUSTERS]}
    (document,) = read_rows(row, "key")
    assert [entity.id for entity in document] == ["1", "2"]


def test_other_values_are_not_rows():
    for value in ([], {}, [SPANS], {"sentences": SPANS}, JSON_LINES, "abc"):
        assert read_rows(value, "key") is None


def test_data_set_with_splits_is_rejected():
    class DatasetDict(dict):
        __module__ = "datasets.dataset_dict"

    error = refused(DatasetDict(train=1, test=2))
    assert (error.code, error.place) == ("input/wrong-shape", "key")
    assert "'train', 'test'" in error.message


def test_unknown_columns_are_rejected():
    error = refused(Played({"text": "Ann left", "label": 1}))
    assert (error.code, error.place) == ("input/invalid-columns", "key, row 0")
    assert "'text', 'label'" in error.message
    assert "'mention_clusters'" in error.hint


@pytest.mark.parametrize(
    ("row", "code", "named"),
    [
        ({**PRECO, "mention_clusters": [[[0, 2, 5]]]}, "outside-text", "4 words"),
        ({**PRECO, "mention_clusters": [[[2, 0, 1]]]}, "outside-text", "sentence 2"),
        ({**PRECO, "mention_clusters": [[[0, 2, 2]]]}, "outside-text", "word 2"),
        ({**PRECO, "mention_clusters": [[[0, 1]]]}, "invalid-row", "3 numbers"),
        ({**PRECO, "mention_clusters": [[[0, 1, 2.0]]]}, "invalid-row", "3 numbers"),
        ({**PRECO, "mention_clusters": None}, "invalid-row", "mention_clusters"),
        ({**PRECO, "sentences": "Ann left"}, "invalid-row", "sentences"),
        ({**PRECO, "sentences": [{"text": "Ann"}]}, "invalid-row", "a sentence"),
        ({**PRECO, "sentences": [[None]]}, "invalid-row", "None"),
        ({**PRECO, "id": None}, "invalid-row", "id"),
        ({**conll(0), "sentences": [["Ann"]]}, "invalid-row", "'coref_spans'"),
        (conll("a"), "invalid-row", "'a'"),
    ],
)
def test_invalid_row_is_rejected(row, code, named):
    error = refused([row])
    assert (error.code, error.place) == (f"input/{code}", "key, row 0")
    assert named in error.message


def test_predicted_entities_outside_the_document_are_rejected():
    row = {**PRECO, "predicted_clusters": [[[0, 8]]]}
    error = refused(row, "response")
    assert (error.code, error.place) == ("input/outside-text", "response, row 0")
    assert "8 words" in error.message


def test_mixed_and_duplicate_rows_are_rejected():
    error = refused([PRECO, 3])
    assert (error.code, error.place) == ("input/invalid-row", "key, row 1")
    with raises(FormatError, "input/duplicate-name", place="key"):
        corefkit.score([PRECO, PRECO], {"d": SPANS})
