"""Dialects of JSON: right numbers or an error with a code, in files and in Python."""

from __future__ import annotations

import json
import os
from itertools import accumulate, chain
from pathlib import Path

import pytest
from files import written
from formats.examples import DIALECT_RECORDS, DOG, DOG_SPANS, DOG_TEXT
from hypothesis import assume, given
from hypothesis import strategies as st
from raising import raises

import corefkit
from corefkit import FormatError, PairingError
from corefkit.formats import READ_ONLY
from corefkit.formats.dialects import DIALECTS, EXCLUSIVE
from corefkit.formats.validation import validate

# A mention of WEC is a document.
WHOLE = [name for name in DIALECTS if name != "wec"]
KEY = {"doc_key": "d", "sentences": [DOG[:5], DOG[5:]], "clusters": DOG_SPANS}


def read_spans(document):
    return [[tuple(mention) for mention in entity] for entity in document]


def locate_characters(document):
    """Give each mention by its characters in the text without blanks."""
    sizes = [len("".join(word.split())) for word in document.tokens]
    ends = list(accumulate(sizes, initial=0))
    return [[(ends[i], ends[j + 1]) for i, j in entity] for entity in document]


def test_every_dialect_is_a_format_with_an_example():
    formats = [name for name, row in READ_ONLY.items() if row.is_dialect]
    assert formats == list(DIALECTS) == list(DIALECT_RECORDS)


@pytest.mark.parametrize("name", WHOLE)
class TestEveryDialect:
    def test_record_is_read_like_that_of_the_first_dialect(self, name):
        (document,) = corefkit.read(DIALECT_RECORDS[name])
        (expected,) = corefkit.read(KEY)
        assert locate_characters(document) == locate_characters(expected)

    @pytest.mark.parametrize("is_list", [False, True])
    def test_python_scores_predictions(self, name, is_list):
        record = DIALECT_RECORDS[name]
        response = [record] if is_list else record
        assert corefkit.score(KEY, response)["lea"].f1 == 1
        evaluator = corefkit.Evaluator()
        evaluator.update(KEY, response)
        assert evaluator.compute()["lea"].f1 == 1

    @pytest.mark.parametrize("layout", ["lines", "list", "indented", "indented list"])
    def test_layout_of_the_file_does_not_matter(self, tmp_path, name, layout):
        rows = [DIALECT_RECORDS[name]] * (1 if layout == "indented" else 2)
        texts = {
            "lines": "\n".join(map(json.dumps, rows)),
            "list": json.dumps(rows),
            "indented": json.dumps(rows[0], indent=2),
            "indented list": json.dumps(rows, indent=2),
        }
        path = written(tmp_path / "file.json", f"\n{texts[layout]}\n")
        (expected,) = corefkit.read(DIALECT_RECORDS[name])
        documents = list(corefkit.read(path))
        assert [one.entities for one in documents] == [expected.entities] * len(rows)

    def test_file_is_scored_and_named_with_from(self, tmp_path, name):
        key = written(tmp_path / "key.jsonl", json.dumps(KEY))
        response = written(tmp_path / "r.json", json.dumps(DIALECT_RECORDS[name]))
        assert corefkit.score(key, response)["lea"].f1 == 1
        (document,) = corefkit.read(response, format=name)
        assert len(document.entities) == 2


class TestChoice:
    def test_unknown_fields_are_listed_with_the_known_dialects(self, tmp_path):
        path = written(tmp_path / "file.json", '{"body": "a", "groups": []}')
        with raises(
            FormatError, "format/unknown-dialect", place="file.json:1"
        ) as error:
            list(corefkit.read(path))
        assert "'body', 'groups'" in error.value.message
        assert all(name in error.value.hint for name in DIALECTS)

    def test_two_dialects_are_an_error_that_names_both(self, tmp_path):
        record = {**KEY, "text": DOG_TEXT}
        path = written(tmp_path / "file.json", json.dumps(record))
        with raises(FormatError, "format/ambiguous-dialect") as error:
            list(corefkit.read(path))
        assert "--from e2e or --from fastcoref" in error.value.hint
        (document,) = corefkit.read(path, format="e2e")
        assert read_spans(document) == [[tuple(m) for m in e] for e in DOG_SPANS]

    def test_named_dialect_leaves_other_files_as_they_are(self, tmp_path):
        record = {**KEY, "text": DOG_TEXT}
        response = written(tmp_path / "response.json", json.dumps(record))
        keys = {
            "key.jsonl": json.dumps(KEY),
            "key.json": json.dumps(DIALECT_RECORDS["maverick"]),
            "d.conll": "".join(
                ["#begin document (d); part 000\n"]
                + [f"d 0 {n} {word} -\n" for n, word in enumerate(DOG)]
                + ["#end document\n"]
            ),
        }
        for name, text in keys.items():
            key = written(tmp_path / name, text)
            score = corefkit.score(key, response, format="e2e")["mentions"]
            assert score.precision_denominator == 3

    @pytest.mark.parametrize("name", WHOLE)
    @pytest.mark.parametrize("other", WHOLE)
    def test_fields_of_two_dialects_are_never_mixed(self, name, other):
        record = {**DIALECT_RECORDS[name], **DIALECT_RECORDS[other]}
        if name == other:
            return
        with raises(FormatError, "format/ambiguous-dialect"):
            corefkit.score(KEY, record)

    def test_words_of_two_fields_must_be_equal(self):
        record = {"sentences": [DOG[:5], DOG[5:]], "tokens": DOG, "clusters": DOG_SPANS}
        assert corefkit.score(KEY, record)["lea"].f1 == 1
        with raises(FormatError, "format/invalid-record"):
            corefkit.score(KEY, record | {"tokens": DOG[::-1]})

    def test_predictions_replace_the_entities_of_the_key(self):
        record = DIALECT_RECORDS["preco"] | {"predicted_clusters": [[[0, 0]]]}
        assert corefkit.score(record, record)["mentions"].recall == 1 / 3

    def test_wl_coref_has_predictions_next_to_the_key(self):
        record = DIALECT_RECORDS["wl-coref"] | {"clusters": [[[0, 1]]]}
        score = corefkit.score(record, record)["mentions"]
        assert (score.recall_denominator, score.precision_denominator) == (1, 3)


TWO_DOCUMENTS = [KEY, {**KEY, "doc_key": "e", "sentences": [["No"], *KEY["sentences"]]}]


class TestIds:
    def get_predictions(self):
        return [
            {
                "tokens": list(chain(*one["sentences"])),
                "clusters_token_offsets": [[[0, 0]]],
            }
            for one in TWO_DOCUMENTS
        ]

    @pytest.mark.parametrize("step", [1, -1])
    def test_documents_without_ids_are_paired_by_text(self, tmp_path, step):
        rows = self.get_predictions()[::step]
        path = written(tmp_path / "r.jsonl", "\n".join(map(json.dumps, rows)))
        for response in (rows, path):
            result = corefkit.score(TWO_DOCUMENTS, response)
            assert result.documents == ("d", "e")
            assert result["mentions"].precision_denominator == 2

    def test_text_that_the_key_has_twice_is_an_error(self):
        key = [KEY, {**KEY, "doc_key": "e"}]
        other = self.get_predictions()[1]
        with raises(PairingError, "pairing/unnamed-documents"):
            corefkit.score(key, [DIALECT_RECORDS["maverick"], other])
        both = [DIALECT_RECORDS["maverick"]] * 2  # in the order of the key
        assert corefkit.score(key, both)["lea"].f1 == 1

    def test_text_that_the_key_does_not_have_is_an_error(self):
        rows = self.get_predictions()
        rows[1]["tokens"] = ["Other", "words"]
        with raises(PairingError, "pairing/unnamed-documents") as error:
            corefkit.score(TWO_DOCUMENTS, rows)
        assert "document 1" in error.value.message

    def test_some_ids_are_an_error(self, tmp_path):
        rows = [KEY, self.get_predictions()[1]]
        path = written(tmp_path / "r.jsonl", "\n".join(map(json.dumps, rows)))
        for response in (rows, path):
            with pytest.raises(FormatError):
                corefkit.score(TWO_DOCUMENTS, response)

    def test_single_document_without_id_has_the_name_of_its_file(self, tmp_path):
        record = json.dumps(DIALECT_RECORDS["maverick"])
        (document,) = corefkit.read(written(tmp_path / "story.json", record))
        assert document.id == "story"


class TestEnds:
    def test_exclusive_ends_read_as_inclusive_go_beyond_the_last_token(self):
        record = DIALECT_RECORDS["maverick"] | {"clusters_token_offsets": [[[6, 8]]]}
        with raises(FormatError, "format/invalid-span"):
            corefkit.score(KEY, record)

    @pytest.mark.parametrize("name", ["wl-coref", "preco"])
    def test_inclusive_ends_leave_no_token(self, tmp_path, name):
        field = DIALECTS[name].find_entities(DIALECT_RECORDS[name], response=True)
        span = [0] * (3 if name == "preco" else 2)
        record = json.dumps(DIALECT_RECORDS[name] | {field: [[span]]})
        with raises(FormatError, "format/invalid-span", place="file:1"):
            list(corefkit.read(written(tmp_path / "file", record)))

    @pytest.mark.parametrize("name", ["maverick", "fastcoref"])
    def test_repeated_words_must_be_those_of_the_text(self, name):
        record = DIALECT_RECORDS[name]
        field = DIALECTS[name].key[0]
        shifted = [[[a, b + 1] for a, b in cluster] for cluster in record[field]]
        with raises(FormatError, "format/different-text"):
            corefkit.score(KEY, record | {field: shifted})


class TestRelations:
    def test_relations_of_other_names_are_an_error(self):
        links = [{"from_id": 1, "to_id": 2, "type": "founded_by"}]
        with raises(FormatError, "format/invalid-record"):
            corefkit.score(KEY, DIALECT_RECORDS["doccano"] | {"relations": links})

    def test_unknown_mention_is_an_error(self):
        links = [{"from_id": 1, "to_id": 7, "type": "coref"}]
        with raises(FormatError, "format/unknown-id"):
            corefkit.score(KEY, DIALECT_RECORDS["doccano"] | {"relations": links})

    def test_annotations_of_two_people_are_an_error(self):
        record = DIALECT_RECORDS["label-studio"]
        with raises(FormatError, "format/invalid-record"):
            corefkit.score(KEY, record | {"annotations": record["annotations"] * 2})


def test_mentions_of_wec_are_clustered_across_documents(tmp_path):
    rows = [
        DIALECT_RECORDS["wec"] | {"mention_id": str(number), "coref_chain": chain_id}
        for number, chain_id in enumerate([1, 1, 1, 2])
    ]
    response = [row | {"coref_chain": at // 2} for at, row in enumerate(rows)]
    paths = [
        written(tmp_path / name, json.dumps(side, indent=1))
        for name, side in (("key.json", rows), ("response.json", response))
    ]
    result = corefkit.score(*paths, scope="corpus")
    expected = corefkit.score([[0, 1, 2], [3]], [[0, 1], [2, 3]])
    assert result["b_cubed"].f1 == expected["b_cubed"].f1


# A slow second implementation, which reads only unambiguous documents.


def decode(record, name):
    """Give the words of a record, and entities as sets of their characters."""
    spans, texts = [], None
    if name == "e2e":
        words = list(chain(*record["sentences"]))
        spans = [[(a, b + 1) for a, b in cluster] for cluster in record["clusters"]]
    elif name == "maverick":
        words, clusters = record["tokens"], record["clusters_token_offsets"]
        spans = [[(a, b + 1) for a, b in cluster] for cluster in clusters]
    elif name == "allennlp":
        words = record["document"]
        spans = [[(a, b + 1) for a, b in cluster] for cluster in record["clusters"]]
    elif name == "wl-coref":
        words = record["cased_words"]
        spans = [[(a, b) for a, b in cluster] for cluster in record["span_clusters"]]
    elif name == "preco":
        words = list(chain(*record["sentences"]))
        at = list(accumulate(map(len, record["sentences"]), initial=0))
        clusters = record["mention_clusters"]
        spans = [[(at[s] + a, at[s] + b) for s, a, b in one] for one in clusters]
    elif name == "corenlp":
        rows = [[one["word"] for one in row["tokens"]] for row in record["sentences"]]
        words, at = list(chain(*rows)), list(accumulate(map(len, rows), initial=0))
        for chain_ in record["corefs"].values():
            spans.append([])
            for one in chain_:
                offset = at[one["sentNum"] - 1] - 1
                spans[-1].append((offset + one["startIndex"], offset + one["endIndex"]))
    elif name == "fastcoref" and isinstance(record["text"], list):
        words = record["text"]
        spans = [[(a, b) for a, b in cluster] for cluster in record["clusters"]]
    elif name == "fastcoref":
        words, texts = list(record["text"]), record["clusters"]
        spans = [[(a, b) for a, b in cluster] for cluster in texts]
    return "".join(words), {
        frozenset(
            (
                len("".join("".join(words[:a]).split())),
                len("".join("".join(words[:b]).split())),
            )
            for a, b in cluster
        )
        for cluster in spans
        if cluster
    }


def encode(words, clusters, name):
    """Write one sentence and its entities, of first and last tokens, in a dialect."""
    at = [len(" ".join(words[:n])) + (n > 0) for n in range(len(words))]
    ends = [[[a, b + 1] for a, b in cluster] for cluster in clusters]
    characters = [[[at[a], at[b] + len(words[b])] for a, b in one] for one in clusters]
    return {
        "e2e": {"doc_id": "d", "sentences": [words], "clusters": clusters},
        "maverick": {"tokens": words, "clusters_token_offsets": clusters},
        "fastcoref": {"text": " ".join(words), "clusters": characters},
        "wl-coref": {"cased_words": words, "span_clusters": ends},
        "allennlp": {"document": words, "clusters": clusters},
        "preco": {
            "id": "d",
            "sentences": [words],
            "mention_clusters": [[[0, a, b] for a, b in one] for one in ends],
        },
        "corenlp": {
            "sentences": [{"tokens": [{"word": word} for word in words]}],
            "corefs": {
                str(number): [
                    {"sentNum": 1, "startIndex": a + 1, "endIndex": b + 1}
                    for a, b in one
                ]
                for number, one in enumerate(ends)
            },
        },
    }[name]


FUZZED = ["e2e", "maverick", "fastcoref", "wl-coref", "allennlp", "preco", "corenlp"]
values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | st.sampled_from(["", "a", "b c"]),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=6,
)


@st.composite
def drawn_records(draw):
    """Draw a dialect, and a valid record of it."""
    words = draw(
        st.lists(st.sampled_from(["a", "bb", "c'd", "é"]), min_size=1, max_size=7)
    )
    spans = st.tuples(*[st.integers(0, len(words) - 1)] * 2).map(sorted)
    unique = draw(st.lists(spans, max_size=6, unique_by=tuple))
    cut = draw(st.integers(0, len(unique)))
    name = draw(st.sampled_from(FUZZED))
    clusters = [cluster for cluster in (unique[:cut], unique[cut:]) if cluster]
    return name, words, clusters, encode(words, clusters, name)


def list_places(value, place=()):
    """List the paths to all values inside a JSON value."""
    yield place
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from list_places(item, (*place, key))


def replace_at(value, place, new):
    if not place:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[place[0]] = replace_at(copy[place[0]], place[1:], new)
    return copy


@given(drawn_records())
def test_every_dialect_gives_the_same_counts(drawn):
    _, words, clusters, record = drawn
    key = {"doc_key": "d", "sentences": [words], "clusters": clusters}
    result = corefkit.score(key, record)
    mentions = result["mentions"]
    total = sum(map(len, clusters))
    assert mentions.recall_numerator == mentions.precision_denominator == total
    assert corefkit.score(record, key)["lea"].counts == result["lea"].counts


@given(drawn_records(), st.data())
def test_altered_record_has_right_numbers_or_an_error(drawn, data):
    name, _, _, record = drawn
    place = data.draw(st.sampled_from(list(list_places(record))[1:]))
    altered = replace_at(record, place, data.draw(values))
    if data.draw(st.booleans()):
        altered.pop(data.draw(st.sampled_from(sorted(record))), None)
    try:
        (document,) = corefkit.read([altered])
    except FormatError:
        return
    if not document.tokens:
        return
    text, entities = decode(altered, name)
    assert "".join("".join(document.tokens).split()) == "".join(text.split())
    assert {frozenset(one) for one in locate_characters(document)} == entities


@pytest.mark.parametrize("name", [row for row in FUZZED if row != "fastcoref"])
@given(data=st.data())
def test_ends_of_the_other_kind_are_errors_if_no_such_tokens_exist(name, data):
    words = [f"w{number}" for number in range(data.draw(st.integers(1, 6)))]
    spans = st.tuples(*[st.integers(0, len(words) - 1)] * 2).map(sorted)
    start, last = data.draw(spans)
    step = -1 if DIALECTS[name].end == EXCLUSIVE else 1
    assume(not start <= last + step < len(words))
    record = encode(words, [[[start, last]]], name)
    if name == "corenlp":
        record["corefs"]["0"][0]["endIndex"] += step
    else:
        record[DIALECTS[name].key[-1]][0][0][-1] += step
    with pytest.raises(FormatError) as caught:
        corefkit.score(KEY, record)
    # Rows of data sets in memory have separate errors.
    assert caught.value.code in ("format/invalid-span", "input/outside-text")


ORIGINALS = os.environ.get("COREFKIT_ORIGINALS", "")


@pytest.mark.slow
@pytest.mark.skipif(not ORIGINALS, reason="COREFKIT_ORIGINALS names no folder")
def test_original_files_are_valid():
    """Files of the projects themselves, one or more for each format."""
    paths = [path for path in sorted(Path(ORIGINALS).iterdir()) if path.is_file()]
    problems = {path.name: validate(path) for path in paths if path.suffix != ".tokens"}
    errors = [
        one for rows in problems.values() for one in rows if one.severity == "error"
    ]
    assert paths
    assert errors == []
