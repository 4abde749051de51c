"""Data sets of Hugging Face, as `datasets` itself has them, are key and response."""

from __future__ import annotations

import pytest

import corefkit

pytestmark = pytest.mark.integration
datasets = pytest.importorskip("datasets", reason="needs datasets")

SENTENCES = [["Ann", "saw", "the", "dog"], ["She", "liked", "it", "."]]
SPANS = [[[0, 0], [4, 4]], [[2, 3], [6, 6]]]
ROWS = {
    "json": {"doc_key": "d", "sentences": SENTENCES, "clusters": SPANS},
    "preco": {
        "id": "d",
        "sentences": SENTENCES,
        "mention_clusters": [[[0, 0, 1], [1, 0, 1]], [[0, 2, 4], [1, 2, 3]]],
    },
    "litbank": {
        "doc_name": "d",
        "sentences": SENTENCES,
        "coref_chains": [[[0, 0, 0], [1, 0, 0]], [[0, 2, 3], [1, 2, 2]]],
    },
    "conll2012": {
        "document_id": "d",
        "sentences": [
            {
                "part_id": 0,
                "words": SENTENCES[0],
                "coref_spans": [[7, 0, 0], [9, 2, 3]],
            },
            {
                "part_id": 0,
                "words": SENTENCES[1],
                "coref_spans": [[7, 0, 0], [9, 2, 2]],
            },
        ],
    },
}


def spans(document):
    return [[list(mention) for mention in entity] for entity in document]


@pytest.fixture(params=ROWS)
def dataset(request):
    return datasets.Dataset.from_list([ROWS[request.param]])


def test_rows_are_documents(dataset):
    (document,) = corefkit.read(dataset)
    assert spans(document) == SPANS
    assert [list(sentence) for sentence in document.sentences] == SENTENCES


@pytest.mark.parametrize("form", ["numpy", "torch", "pandas", "arrow"])
def test_format_of_a_data_set_does_not_matter(dataset, form):
    (document,) = corefkit.read(dataset.with_format(form))
    assert spans(document) == SPANS


def test_streams_are_read(dataset):
    (document,) = corefkit.read(dataset.to_iterable_dataset())
    assert spans(document) == SPANS


def test_rows_taken_out_are_read(dataset):
    for value in (dataset[0], list(dataset)):
        assert spans(next(corefkit.read(value))) == SPANS


def test_layouts_pair_with_each_other():
    key, response = (
        datasets.Dataset.from_list([ROWS[name]]) for name in ("preco", "litbank")
    )
    assert corefkit.score(key, response)["lea"].f1 == 1


def test_split_is_chosen(dataset):
    splits = datasets.DatasetDict({"train": dataset, "test": dataset})
    with pytest.raises(corefkit.FormatError) as caught:
        corefkit.score(splits, splits)
    assert "the splits 'train', 'test'" in caught.value.message
    assert corefkit.score(splits["test"], splits["test"])["lea"].f1 == 1
    streams = datasets.IterableDatasetDict({"test": dataset.to_iterable_dataset()})
    with pytest.raises(corefkit.FormatError, match="found the splits 'test'"):
        corefkit.score(streams, splits["test"])


def test_rows_that_were_selected_and_mapped():
    rows = [{**ROWS["json"], "doc_key": name} for name in "abcd"]
    key = datasets.Dataset.from_list(rows).shuffle(seed=1).select(range(3))
    response = key.map(lambda row: {"predicted_clusters": row["clusters"][:1]})
    result = corefkit.score(key, response)
    assert len(result.documents) == 3
    assert result["mentions"].recall == 0.5
    assert corefkit.score(response, response)["mentions"].recall == 0.5


def test_a_data_set_without_entities_is_refused():
    other = datasets.Dataset.from_list([{"text": "Ann left", "label": 1}])
    with pytest.raises(corefkit.FormatError) as caught:
        corefkit.score(other, other)
    assert "found columns 'text', 'label'" in caught.value.message


def test_a_table_of_mentions_is_told_what_it_is():
    rows = [
        {"document": "d", "entity": "x", "start": 0, "end": 1},
        {"document": "d", "entity": "x", "start": 4, "end": 4},
    ]
    table = datasets.Dataset.from_list(rows)
    with pytest.raises(corefkit.FormatError) as caught:
        corefkit.score(table, table)
    assert "pass dataset.to_pandas()" in caught.value.hint
    frame = table.to_pandas()
    assert corefkit.score({"d": [[(0, 1), (4, 4)]]}, frame)["lea"].f1 == 1


def test_evaluator_takes_a_data_set(dataset):
    evaluator = corefkit.Evaluator()
    evaluator.update(dataset, dataset)
    assert evaluator.compute()["lea"].f1 == 1
