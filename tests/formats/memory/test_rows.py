"""Rows of data sets: the layouts that are known, and what is said of others."""

from __future__ import annotations

import pytest

import corefkit
from corefkit import FormatError
from corefkit.formats.memory.rows import documents_in_rows

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
        documents_in_rows(value, role)
    return caught.value


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_are_read_alike(layout):
    (document,) = documents_in_rows(Played(LAYOUTS[layout]), "key")
    assert document.id == "d"
    assert document.sentences == tuple(map(tuple, SENTENCES))
    assert spans(document) == SPANS


def test_parts_are_documents():
    first, second = documents_in_rows([conll(0, 1)], "key")
    assert (first.id, second.id) == ("(nw/d); part 000", "(nw/d); part 001")
    assert spans(first) == spans(second) == SPANS
    assert [entity.id for entity in second] == ["7", "9"]


def test_parts_pair_with_files_by_their_ids():
    key = [conll(0, 1)]
    response = {"nw/d_0": SPANS, "nw/d_1": SPANS[:1]}
    assert corefkit.score(key, response)["mentions"].recall == 0.75


@pytest.mark.parametrize("layout", ["litbank", "preco", "coref-data"])
def test_rows_are_read_in_lists_and_alone(layout):
    row = LAYOUTS[layout]
    for value in (row, [row], (row,)):
        assert corefkit.score(value, {"d": SPANS})["lea"].f1 == 1
    assert [document.id for document in corefkit.read(row)] == ["d"]


def test_evaluator_takes_data_sets():
    evaluator = corefkit.Evaluator()
    evaluator.update(Played(PRECO), Played(LITBANK))
    assert evaluator.compute()["lea"].f1 == 1


@pytest.mark.parametrize("layout", LAYOUTS)
def test_predicted_entities_are_those_of_a_response(layout):
    row = {**LAYOUTS[layout], "predicted_clusters": [[[0, 0], [4, 4]]]}
    assert corefkit.score(Played(row), Played(row))["mentions"].recall == 0.5


def test_predicted_entities_of_a_single_part():
    row = {**conll(0), "predicted_clusters": [[[0, 0], [4, 4]]]}
    assert corefkit.score([row], [row])["mentions"].recall == 0.5
    both = {**conll(0, 1), "predicted_clusters": []}
    assert "'predicted_clusters' for 2 parts" in refused([both], "response").message


def test_tokens_tell_of_empty_nodes_and_syntax():
    tokens = [
        {"id": 1.0, "text": "Llueve", "upos": "VERB", "head": 0.0},
        {"id": 1.1, "text": "_", "upos": None, "head": None},
    ]
    row = {"id": "d", "sentences": [{"tokens": tokens}], "coref_chains": [[[0, 1, 1]]]}
    (document,) = documents_in_rows(row, "key")
    assert document.empty == (1,)
    assert document.layers == {"upos": ("VERB", "_"), "head": ("0", "_")}


def test_entities_without_mentions_are_left_out():
    row = {**PRECO, "mention_clusters": [[], *CLUSTERS]}
    (document,) = documents_in_rows(row, "key")
    assert [entity.id for entity in document] == ["1", "2"]


def test_other_values_are_no_rows():
    for value in ([], {}, [SPANS], {"sentences": SPANS}, JSON_LINES, "abc"):
        assert documents_in_rows(value, "key") is None


def test_splits_are_refused():
    class DatasetDict(dict):
        __module__ = "datasets.dataset_dict"

    error = refused(DatasetDict(train=1, test=2))
    assert error.message == "found the splits 'train', 'test', expected one of them"
    assert error.hint == "give one: dataset['test']"


def test_unknown_columns_are_named():
    error = refused(Played({"text": "Ann left", "label": 1}))
    assert error.place == "key, row 0"
    assert error.message.startswith("has the columns 'text', 'label', none of which")
    assert "'mention_clusters'" in error.hint


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({**PRECO, "mention_clusters": [[[0, 2, 5]]]}, "sentence 0, which has 4 words"),
        (
            {**PRECO, "mention_clusters": [[[2, 0, 1]]]},
            "sentence 2, which is not there",
        ),
        ({**PRECO, "mention_clusters": [[[0, 2, 2]]]}, "from word 2 to word 1"),
        ({**PRECO, "mention_clusters": [[[0, 1]]]}, "expected 3 numbers"),
        ({**PRECO, "mention_clusters": [[[0, 1, 2.0]]]}, "expected 3 numbers"),
        ({**PRECO, "mention_clusters": None}, "found None as mention_clusters"),
        ({**PRECO, "sentences": "Ann left"}, "as sentences, expected a list"),
        ({**PRECO, "sentences": [{"text": "Ann"}]}, "found None as a sentence"),
        ({**PRECO, "sentences": [[None]]}, "found the token None"),
        ({**PRECO, "id": None}, "has no id"),
        ({**conll(0), "sentences": [["Ann"]]}, "expected 'coref_spans'"),
        (conll("a"), "found the part 'a'"),
    ],
)
def test_what_is_wrong_is_said(row, words):
    error = refused([row])
    assert words in error.message
    assert error.place == "key, row 0"


def test_predicted_entities_stay_in_the_document():
    row = {**PRECO, "predicted_clusters": [[[0, 8]]]}
    message = "a mention goes from word 0 to word 8, and the document has 8 words"
    assert refused(row, "response").message == message


def test_rows_of_a_kind_stand_together():
    assert "expected a row as the first one is" in refused([PRECO, 3]).message
    with pytest.raises(FormatError, match="two documents are called 'd'"):
        corefkit.score([PRECO, PRECO], {"d": SPANS})
