"""JSON lines by their numbered rules, and every way to break them."""

from __future__ import annotations

import json

import pytest
from files import compute_text_hash, json_line, written
from formats import reading
from formats.reading import problems
from hypothesis import given
from hypothesis import strategies as st
from raising import raises

import corefkit
from corefkit import Document, Entity, FormatError, Mention
from corefkit.formats import jsonl, open_source
from corefkit.formats.jsonl import recognise

GOOD = json_line("d", "abc", [[[0, 0], [2, 2]]])


@pytest.fixture(autouse=True, scope="module", params=["json", "orjson"])
def parser(request):
    """Parse lines with one of the two libraries."""
    library = pytest.importorskip(request.param)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "_parse_json", library.loads)
        yield


@pytest.fixture
def columns_of(tmp_path):
    def read(text, *, response=False):
        source = open_source(written(tmp_path / "file", text), response=response)
        try:
            return source.read_columns(range(len(source.ids)))
        finally:
            source.close()

    return read


@pytest.fixture
def found(tmp_path):
    def check(text):
        path = written(tmp_path / "file", text)
        return [(one.line, one.code, one.hint) for one in problems(path)]

    return check


def test_document_has_id_sentences_and_entities(tmp_path):
    data = {
        "doc_key": "d",
        "sentences": [["a", "b"], ["c"]],
        "clusters": [[[0, 1]], []],
    }
    (document,) = corefkit.read(written(tmp_path / "file", json.dumps(data)))
    assert document == Document(
        "d", (("a", "b"), ("c",)), (Entity("0", (Mention(0, 1),)),)
    )


spans = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(sorted)
clusters = st.lists(st.lists(spans, max_size=3), max_size=3)


@given(st.lists(clusters, min_size=1, max_size=4))
def test_columns_equal_the_plain_reader(tmp_path_factory, corpus):
    text = "".join(
        json_line(f"d{number}", "abcdefghij", one) for number, one in enumerate(corpus)
    )
    source = open_source(written(tmp_path_factory.mktemp("json") / "file", text))
    columns = source.read_columns(range(len(corpus)))
    documents = [source.read_document(number) for number in range(len(corpus))]
    source.close()
    partitions = [[] for _ in corpus]
    for entity, document in enumerate(columns.entity_document.tolist()):
        partitions[document].append(list(columns.members(entity)))
    assert partitions == [
        [list(entity) for entity in document] for document in documents
    ]
    assert partitions == [
        [[Mention(*span) for span in entity] for entity in one if entity]
        for one in corpus
    ]
    assert set(columns.text_hash.tolist()) == {compute_text_hash("abcdefghij")}


WAYS = reading.ways(GOOD) | {
    "blank lines": f"\n{GOOD}\n \n",
    "other fields": GOOD.replace("{", '{"x": {"clusters": 1}, ', 1),
    "blanks": GOOD.replace(": ", " :\t"),
}


@pytest.mark.parametrize("text", WAYS.values(), ids=WAYS)
def test_ways_of_writing_do_not_matter(columns_of, text):
    columns = columns_of(text)
    assert columns.start.tolist() == [0, 2]
    assert columns.text_hash.tolist() == [compute_text_hash("abc")]


def test_id_may_hold_quotes_and_fields(tmp_path):
    name = 'a "doc_key": "b" \\ é'
    for text in (
        json.dumps({"doc_key": name, "clusters": []}),
        json.dumps({"meta": {"doc_key": "x"}, "doc_key": name, "clusters": []}),
        json.dumps({"clusters": [], "doc_key": name}, ensure_ascii=False),
    ):
        (document,) = corefkit.read(written(tmp_path / "file", text))
        assert document.id == name


def test_words_may_be_missing(columns_of):
    columns = columns_of(json_line("d", None, [[[0, 1000]]]))
    assert (columns.token_count.tolist(), columns.text_hash.tolist()) == ([-1], [0])


def test_empty_sentences_differ_from_missing_ones(columns_of):
    assert columns_of(json_line("d", "", [])).token_count.tolist() == [0]


def test_empty_clusters_are_no_entities(columns_of):
    columns = columns_of(json_line("d", "ab", [[], [[1, 1]], []]))
    assert columns.entity_document.tolist() == [0]
    assert columns.entity.tolist() == [0]


class TestPredictedClusters:
    TEXT = json.dumps(
        {"doc_key": "d", "clusters": [], "predicted_clusters": [[[0, 0]]]}
    )

    def test_response_is_scored_by_them(self, columns_of):
        assert columns_of(self.TEXT, response=True).start.tolist() == [0]

    def test_key_is_scored_by_clusters(self, columns_of):
        assert columns_of(self.TEXT).start.tolist() == []

    def test_response_without_them_is_scored_by_clusters(self, columns_of):
        assert columns_of(GOOD, response=True).start.tolist() == [0, 2]

    def test_response_may_have_nothing_else(self, columns_of):
        text = json.dumps({"doc_key": "d", "predicted_clusters": [[[0, 0]]]})
        assert columns_of(text, response=True).start.tolist() == [0]
        with raises(FormatError, "format/invalid-record", place="file:1"):
            columns_of(text)

    def test_scoring_uses_the_field_of_each_side(self, tmp_path):
        key = written(tmp_path / "key", json_line("d", None, [[[0, 0], [1, 1]]]))
        wrong, right = [[[5, 5]]], [[[0, 0], [1, 1]]]
        data = {"doc_key": "d", "clusters": wrong, "predicted_clusters": right}
        response = written(tmp_path / "response", json.dumps(data))
        assert corefkit.score(key, response)["muc"].f1 == 1
        assert corefkit.score(response, key)["muc"].f1 == 0


@reading.heads(own=[b'{"doc_key"', b" \n{"], others=[b"[", b"", b"x{"])
def test_object_is_recognised(head, expected):
    assert recognise(head) is expected


def changed(**fields):
    data = {"doc_key": "d", "sentences": [["a", "b"]], "clusters": [[[0, 1]]]}
    data |= fields
    return json.dumps({name: value for name, value in data.items() if value != "no"})


BROKEN = {
    "not JSON": ('{"doc_key": "d",', "format/invalid-json"),
    "cut off": (GOOD[:-5], "format/invalid-json"),
    "two objects": (GOOD.strip() + GOOD, "format/invalid-json"),
    "single quotes": ("{'doc_key': 'd', 'clusters': []}", "format/invalid-json"),
    "deep": ('{"a":' * 3000, "format/invalid-json"),
    "not UTF-8": (b'{"doc_key": "d", "clusters": [], "x": "\xff"}', "format/not-utf8"),
    "no id and no words": (
        changed(doc_key="no", sentences="no"),
        "format/unknown-dialect",
    ),
    "id a number": (changed(doc_key=7), "format/invalid-record"),
    "no clusters": (changed(clusters="no"), "format/invalid-record"),
    "clusters null": (changed(clusters=None), "format/invalid-record"),
    "clusters an object": (changed(clusters={}), "format/invalid-record"),
    "entity a number": (changed(clusters=[3]), "format/invalid-record"),
    "span a number": (changed(clusters=[[3]]), "format/invalid-span"),
    "span of three": (changed(clusters=[[[0, 1, 1]]]), "format/invalid-span"),
    "span of words": (changed(clusters=[[["a", "b"]]]), "format/invalid-span"),
    "span of fractions": (changed(clusters=[[[0.0, 1.0]]]), "format/invalid-span"),
    "span of truths": (changed(clusters=[[[False, True]]]), "format/invalid-span"),
    "span backwards": (changed(clusters=[[[1, 0]]]), "format/invalid-span"),
    "span below zero": (changed(clusters=[[[-1, 0]]]), "format/invalid-span"),
    "span behind the end": (changed(clusters=[[[1, 2]]]), "format/invalid-span"),
    "span far out": (
        changed(sentences="no", clusters=[[[0, 10**30]]]),
        "format/invalid-span",
    ),
    "huge number": (
        changed(clusters=[[[0, "x"]]]).replace('"x"', "9" * 5000),
        "format/invalid-json",
    ),
    "sentences of words": (
        changed(sentences=["a", "b"]),
        "format/invalid-record",
    ),
    "sentences a text": (changed(sentences="a b"), "format/invalid-record"),
    "word a number": (changed(sentences=[[1]]), "format/invalid-record"),
    "not an object": (GOOD + "[1, 2]\n", "format/invalid-record"),
}


@pytest.mark.parametrize(("text", "code"), BROKEN.values(), ids=BROKEN)
def test_invalid_line_is_a_problem_and_an_error(found, columns_of, text, code):
    problem = found(text)[-1]
    line = 2 if isinstance(text, str) and text.startswith(GOOD) else 1
    assert problem[:2] == (line, code)
    assert problem[2]
    with raises(FormatError, code, place=f"file:{line}"):
        columns_of(text)


ACCEPTED = {
    "not a number": changed(x=float("nan")),
    "many digits": changed(x="no")[:-1] + ', "x": ' + "1" * 2000 + "}",
    "unpaired surrogate": changed(sentences=[["\ud800", "b"]]),
    "deep": changed(x=json.loads("[" * 70 + "]" * 70)),
    "minus zero": changed().replace("[0, 1]", "[-0, 1]"),
    "repeated field": changed()[:-1] + ', "clusters": [[[0, 1]]]}',
}


@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED)
def test_json_accepted_by_python_is_read(columns_of, text):
    columns = columns_of(text)
    assert (columns.start.tolist(), columns.end.tolist()) == ([0], [1])


def test_all_problems_are_listed(found):
    text = (
        json_line("a", "ab", [[[0, 5]], [[0, 0, 0]]])
        + "\n"
        + json_line("b", "ab", [[[0, 1]], [[0, 1]]])
        + json_line("b", "ab", [])
        + "{"
    )
    assert [line for line, *_ in found(text)] == [1, 1, 3, 4, 5]


def test_predicted_clusters_are_checked_too(found):
    assert found(changed(predicted_clusters=[3])) == [
        (
            1,
            "format/invalid-record",
            found(changed(clusters=[3]))[0][2],
        )
    ]


def test_repeated_mention_is_a_warning(tmp_path):
    path = written(tmp_path / "file", json_line("d", "abc", [[[0, 1]], [[0, 1]]]))
    (problem,) = problems(path)
    assert (problem.line, problem.severity) == (1, "warning")
    assert "entity 1 and in entity 0" in problem.message
