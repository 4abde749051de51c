"""Python values as key and response: what each shape is read as, and what is refused.

Tests are named after what a user passes. What is expected is the score of the plain
corpus, a mapping of document ids to partitions, that the value stands for.
"""

from __future__ import annotations

import json
from collections import namedtuple
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import pytest
from files import json_line, written
from raising import raises

import corefkit
from corefkit import Document, Entity, FormatError, Mention, PairingError

# Two documents, in which the response is wrong in different ways.
KEY = [
    [[(0, 1), (4, 4), (7, 9)], [(2, 2), (5, 6)]],
    [[(0, 0), (3, 4)], [(6, 6), (8, 8), (9, 9)]],
]
RESPONSE = [
    [[(0, 1), (4, 4)], [(7, 9), (2, 2), (5, 6)]],
    [[(0, 0), (3, 4)], [(6, 6), (8, 8)], [(9, 9)]],
]
WORDS = [list("abcdefghij"), list("klmnopqrst")]
Span = namedtuple("Span", "start end")


class Number:
    """A tensor of one number: hashed by its address."""

    def __init__(self, value):
        self.value = value

    def tolist(self):
        return self.value


@pytest.mark.parametrize("span", [tuple, list, lambda numbers: Span(*numbers)])
def test_tensors_of_one_number_are_converted_in_spans(span):
    def shaped(documents):
        return [
            [
                [span([*map(Number, mention)]) for mention in entity]
                for entity in document
            ]
            for document in documents
        ]

    for number in range(2):
        one = corefkit.score(shaped(KEY)[number], shaped(RESPONSE)[number])
        assert counts(one) == counts(corefkit.score(KEY[number], RESPONSE[number]))
    assert counts(corefkit.score(shaped(KEY), shaped(RESPONSE))) == expected()
    assert counts(corefkit.score(shaped(KEY), RESPONSE)) == expected()


def counts(result):
    return {name: rows.tolist() for name, rows in result.counts.items()}


def expected():
    return counts(corefkit.score(dict(enumerate(KEY)), dict(enumerate(RESPONSE))))


def lists(value):
    """Give spans, entities and documents as lists, as JSON has them."""
    return [lists(one) for one in value] if isinstance(value, list | tuple) else value


def tuples(value):
    return tuple(map(tuples, value)) if isinstance(value, list | tuple) else value


def json_objects(corpus, field="clusters"):
    rows = zip(corpus, WORDS, strict=True)
    return [
        {"doc_key": f"d{at}", "sentences": [words], field: lists(entities)}
        for at, (entities, words) in enumerate(rows)
    ]


def entity_mappings(corpus):
    return [{f"e{at}": one for at, one in enumerate(document)} for document in corpus]


def documents(corpus):
    return [
        Document(
            f"d{at}",
            (tuple(words),),
            tuple(
                Entity(str(name), tuple(Mention(*span) for span in entity))
                for name, entity in enumerate(entities)
            ),
        )
        for at, (entities, words) in enumerate(zip(corpus, WORDS, strict=True))
    ]


LISTS_OF_DOCUMENTS = {
    "lists of tuples": lambda corpus: corpus,
    "lists as JSON has them": lists,
    "generators": lambda corpus: (
        ((span for span in entity) for entity in entities) for entities in corpus
    ),
    "sets of spans": lambda corpus: [list(map(set, entities)) for entities in corpus],
    "arrays of spans": lambda corpus: [
        [np.array(entity) for entity in entities] for entities in corpus
    ],
    "mappings of entities": entity_mappings,
    "mappings of arrays": lambda corpus: [
        {name: np.array(entity) for name, entity in entities.items()}
        for entities in entity_mappings(corpus)
    ],
    "views of mappings": lambda corpus: [
        entities.values() for entities in entity_mappings(corpus)
    ],
    "named tuples": lambda corpus: [
        [[Span(*span) for span in entity] for entity in entities] for entities in corpus
    ],
    "entities of documents": lambda corpus: [one.entities for one in documents(corpus)],
    "a tuple": tuple,
    "an array of objects": lambda corpus: np.array([*corpus, None], object)[:-1],
}


class TestLists:
    @pytest.mark.parametrize("key", LISTS_OF_DOCUMENTS.values(), ids=LISTS_OF_DOCUMENTS)
    @pytest.mark.parametrize(
        "response", LISTS_OF_DOCUMENTS.values(), ids=LISTS_OF_DOCUMENTS
    )
    def test_list_of_partitions_is_a_list_of_documents(self, key, response):
        result = corefkit.score(key(KEY), response(RESPONSE))
        assert counts(result) == expected()
        assert result.documents == ("0", "1")

    def test_list_of_documents_of_declared_tokens_is_scored(self):
        key = [[[1, 2, 3], [4, 5]], [[1], [2, 3]]]
        response = [[[1, 2], [3, 4, 5]], [[1, 2, 3]]]
        named = corefkit.score(dict(enumerate(key)), dict(enumerate(response)))
        declared = corefkit.score(key, response, mentions="tokens")
        assert counts(declared) == counts(named)

    def test_list_of_documents_of_words_is_scored(self):
        key = [[["Ann", "she"], ["it"]], [["Bob", "he"]]]
        response = [[["Ann"], ["she", "it"]], [["Bob", "he"]]]
        named = corefkit.score(dict(enumerate(key)), dict(enumerate(response)))
        assert counts(corefkit.score(key, response)) == counts(named)

    def test_empty_response_has_the_shape_of_the_key(self):
        result = corefkit.score(KEY, [[], []])
        assert result.documents == ("0", "1")
        assert result["mentions"].recall_denominator == 10
        assert corefkit.score([[(0, 1)]], [])["mentions"].recall_denominator == 1

    @pytest.mark.parametrize("response", [[], RESPONSE[:1], [*RESPONSE, []]])
    def test_lists_of_different_lengths_are_rejected(self, response):
        for sides in ((KEY, response), (response, KEY)):
            with raises(PairingError, "pairing/unnamed-documents", place="response"):
                corefkit.score(*sides, missing="empty")

    @pytest.mark.parametrize("response", [RESPONSE[0], ["ab"], lists(RESPONSE[0])])
    def test_list_of_documents_is_rejected_against_one_document(self, response):
        with raises(FormatError, "input/wrong-shape", place="response"):
            corefkit.score(KEY, response)
        with raises(FormatError, "input/wrong-shape", place="key"):
            corefkit.score(response, KEY)

    def test_each_of_several_responses_is_checked(self):
        with raises(FormatError, "input/wrong-shape", place="response"):
            corefkit.score_responses(KEY, [RESPONSE, RESPONSE[0]])

    @pytest.mark.parametrize(
        "other",
        [
            dict(zip("ab", RESPONSE, strict=True)),
            dict(enumerate(RESPONSE, start=1)),
            documents(RESPONSE),
            json_objects(RESPONSE),
            {},
        ],
        ids=["names", "numbers from 1", "documents", "JSON", "nothing"],
    )
    def test_documents_without_ids_are_rejected_next_to_ids(self, other):
        for sides in ((KEY, other), (other, KEY)):
            with raises(PairingError, "pairing/unnamed-documents"):
                corefkit.score(*sides)

    def test_documents_without_ids_are_rejected_next_to_a_file(self, tmp_path):
        # Its ids are numbers too, and do not say which document comes first.
        text = "\n".join(json_line(at, "abcdefghij", lists(KEY[0])) for at in "10")
        path = written(tmp_path / "key", text)
        for sides in ((path, KEY), (KEY, path)):
            with raises(PairingError, "pairing/unnamed-documents"):
                corefkit.score(*sides)

    def test_set_of_documents_is_rejected(self):
        one = frozenset({frozenset({(0, 1)}), frozenset({(2, 2)})})
        with raises(FormatError, "input/unordered", place="key"):
            corefkit.score({one}, [[[(0, 1)], [(2, 2)]]])


class TestOneDocument:
    @pytest.mark.parametrize(
        "partition",
        [
            lists(KEY[0]),
            tuples(KEY[0]),
            [set(entity) for entity in KEY[0]],
            {frozenset(entity) for entity in KEY[0]},
            iter([iter(entity) for entity in KEY[0]]),
            [np.array(entity) for entity in KEY[0]],
            entity_mappings(KEY)[0].values(),
            [[Span(*span) for span in entity] for entity in KEY[0]],
            [[[np.int64(one), last] for one, last in entity] for entity in KEY[0]],
            [dict.fromkeys(entity) for entity in KEY[0]],
            documents(KEY)[0].entities,
            [[Mention(*span) for span in entity] for entity in KEY[0]],
        ],
    )
    def test_shapes_of_one_document_score_the_same(self, partition):
        plain = corefkit.score(KEY[0], RESPONSE[0])
        assert counts(corefkit.score(partition, RESPONSE[0])) == counts(plain)

    @pytest.mark.parametrize(
        "mention",
        [
            ("doc", 3),
            ("doc", (0, 1)),
            (1, 2, 3, 4),
            (True, 2),
            (0.5, 1.5),
            [0.5, 1.5],
            2**70,
            b"bytes",
            None,
            Span("a", "b"),
            ((0, 1), (3, 4)),
            frozenset({3, 4}),
            range(3),
        ],
        ids=repr,
    )
    def test_hashable_value_is_a_mention(self, mention):
        result = corefkit.score([[mention, "x"], ["y"]], [[mention, "x", "y"]])
        plain = corefkit.score(["mx", "y"], ["mxy"])
        assert counts(result) == counts(plain)

    def test_only_hashable_dataclasses_are_mentions(self):
        @dataclass(frozen=True)
        class Frozen:
            start: int

        @dataclass
        class Loose:
            start: int

        same = [[Frozen(0), Frozen(1)]]
        assert corefkit.score(same, [[Frozen(0), Frozen(1)]])["muc"].f1 == 1
        with raises(FormatError, "input/not-a-mention", place="key, entity 0"):
            corefkit.score([[Loose(0)]], [[Loose(0)]])

    def test_mention_objects_match_spans(self):
        key = [[Mention(0, 1), Mention(3, 3)]]
        assert corefkit.score(key, [[(0, 1), [3, 3]]])["muc"].f1 == 1
        with raises(FormatError, "input/not-a-span", place="response"):
            corefkit.score(key, ["ab"])

    def test_heads_of_mention_objects_are_matched(self):
        key = {"d": [[Mention(0, 3, head=2)]]}
        response = {"d": [[Mention(1, 2, head=2)]]}
        assert corefkit.score(key, response, match="head")["mentions"].f1 == 1


class TestMappings:
    @pytest.mark.parametrize("kind", [dict, MappingProxyType])
    def test_mapping_in_a_document_maps_entity_ids_to_mentions(self, kind):
        sides = [
            kind(dict(enumerate(map(kind, entity_mappings(corpus)))))
            for corpus in (KEY, RESPONSE)
        ]
        assert counts(corefkit.score(*sides)) == expected()

    def test_entity_ids_are_joined_across_documents(self):
        sides = [
            {f"t_{at}": {"e": entities[0]} for at, entities in enumerate(corpus)}
            for corpus in (KEY, KEY)
        ]
        result = corefkit.score(*sides, scope="corpus")
        assert result["muc"].recall_denominator == 4
        assert result["muc"].f1 == 1

    def test_different_names_do_not_match_across_documents(self):
        sides = {"t_1": {"e": "ab"}}, {"t_1": {"e": "cd"}}
        sides = [{"t_1": {"e": list(letters)}} for letters in ("ab", "cd")]
        assert corefkit.score(*sides, scope="corpus")["mentions"].f1 == 0

    def test_entities_without_ids_are_rejected_across_documents(self):
        corpus = {"t_1": ["ab"], "t_2": ["cd"]}
        with raises(PairingError, "pairing/anonymous-entities", place="key"):
            corefkit.score(corpus, corpus, scope="corpus")

    @pytest.mark.parametrize("names", [(1, "1"), (None, "None")])
    def test_duplicate_ids_are_rejected(self, names):
        entities = {name: ["ab"] for name in names}
        for value in (entities, {"d": entities}):
            with raises(FormatError, "input/duplicate-name"):
                corefkit.score(value, value)

    def test_document_without_entities_in_a_mapping_keeps_its_words(self):
        words = {"d": Document("d", (("a", "b"),), ())}
        with raises(
            PairingError, "pairing/different-text", place="response, document 'd'"
        ):
            corefkit.score(words, {"d": Document("d", (("a", "c"),), ())})


class TestJson:
    @pytest.mark.parametrize("kind", [list, tuple, iter])
    def test_list_of_json_objects_scores_as_its_file(self, kind, tmp_path):
        paths = [
            written(tmp_path / name, "\n".join(map(json.dumps, json_objects(corpus))))
            for name, corpus in (("key", KEY), ("response", RESPONSE))
        ]
        result = corefkit.score(kind(json_objects(KEY)), kind(json_objects(RESPONSE)))
        file = corefkit.score(*paths)
        assert counts(result) == counts(file) == expected()
        assert result.documents == file.documents
        assert result.corpus == file.corpus

    def test_single_json_object_is_a_document(self, tmp_path):
        key, response = json_objects(KEY)[0], json_objects(RESPONSE)[0]
        plain = corefkit.score(KEY[0], RESPONSE[0])
        assert counts(corefkit.score(key, response)) == counts(plain)
        path = written(tmp_path / "key", json.dumps(key))
        assert counts(corefkit.score(path, response)) == counts(plain)
        assert counts(corefkit.score({"x": key}, {"x": response})) == counts(plain)

    def test_predicted_clusters_are_used_in_responses(self):
        both = [
            one | {"predicted_clusters": other["clusters"]}
            for one, other in zip(
                json_objects(KEY), json_objects(RESPONSE), strict=True
            )
        ]
        assert counts(corefkit.score(both, both)) == expected()

    def test_tuples_and_arrays_in_json_objects_are_converted(self):
        key = {"doc_key": "d", "clusters": [np.array(entity) for entity in KEY[0]]}
        response = {"doc_key": "d", "clusters": tuples(RESPONSE[0])}
        plain = corefkit.score(KEY[0], RESPONSE[0])
        assert counts(corefkit.score(key, response)) == counts(plain)

    @pytest.mark.parametrize(
        "changes",
        [
            {"doc_key": 7},
            {"clusters": None},
            {"clusters": [[[0, 1], [2]]]},
            {"clusters": [[[0, 99]]]},
            {"clusters": [{(0, 1)}]},
            {"clusters": [[[True, True]]]},
            {"clusters": [[[0.0, 1.0]]]},
            {"sentences": ["words"]},
            {"sentences": None, "clusters": [[[0, 10**30]]]},
        ],
    )
    def test_invalid_json_object_is_rejected(self, changes):
        broken = json_objects(KEY)[0] | changes
        for value in (broken, [broken], {"d": broken}):
            with pytest.raises(FormatError) as refused:
                corefkit.score(value, value)
            assert refused.value.place == "key"

    def test_object_of_unknown_fields_is_rejected(self):
        value = {"body": "ab", "clusters": [[[0, 1]]]}
        with raises(FormatError, "format/unknown-dialect", place="key"):
            corefkit.score(value, value)
        with raises(FormatError, "format/unknown-dialect", place="key, document 0"):
            corefkit.score([value], [value])

    def test_texts_of_json_objects_are_compared(self):
        other = json_objects(RESPONSE)
        other[1]["sentences"] = [list("klmnopqrsX")]
        with raises(
            PairingError, "pairing/different-text", place="response, document 'd1'"
        ):
            corefkit.score(json_objects(KEY), other)


REFUSED = {
    "labels": [0, 0, 1],
    "labels of numpy": np.array([0, 0, 1]),
    "labels by mention": {"Ann": 1, "she": 1},
    "named labels by mention": {"Ann": "e1", "she": "e1"},
    "labels by document": {"d": [0, 0, 1]},
    "labels by document and mention": {"d": {"Ann": "e1", "she": "e1"}},
    "numbered labels by document and mention": {"d": {(0, 1): 1, (2, 2): 1}},
    "list of labels by mention": [{(0, 1): 1, (2, 2): 1}],
    "a label": 7,
    "nothing": None,
    "bytes": b"key.conll",
    "a float": 0.5,
    "an object": object(),
    "an array without axes": np.array(7),
    "a string that is no path": "abc\0",
    "a list of nothing": [None],
    "entities of bytes": [b"abc"],
    "mappings as entities": {"d": [{"id": 1, "mentions": [(0, 1)]}]},
    "mappings as mentions": [[{"start": 0, "end": 1}]],
    "mappings as mentions in a corpus": {"d": [[{"start": 0, "end": 1}]]},
    "sets as mentions in a corpus": {"d": [[{0, 1}]]},
    "iterators as mentions in a corpus": {"d": [[iter("ab")]]},
    "lists of lists as mentions": {"d": [[[[0, 1], [3, 4]]]]},
    "lists of three as mentions": {"d": [[[0, 1, 2]]]},
    "lists of names as mentions": {"d": [[["Ann", "she"]]]},
    "spans that end before they start": {"d": [[[3, 1]]]},
    "spans of flags": {"d": [[[True, True]]]},
    "lists of documents in a corpus": {"d": lists(KEY)},
    "lists of lists of documents": [lists(KEY)],
    "not a number": [[float("nan")]],
    "spans without a number": [[(0, float("nan"))]],
    "spans where entities should be": [(0, 1), (3, 3)],
    "entities of one document by id": {"e1": [(0, 1), (3, 3)], "e2": [(4, 4)]},
    "some entities deeper": [[(0, 1)], [[(2, 3)]]],
    "some documents deeper": [[[[0, 1], [2, 2]]], [[4, 5]]],
    "some mentions broken": [[[0, 1], [2, 2]], [[3, 4], [5]]],
    "spans with a label": [[[0, 1, 7], [2, 2, 7]]],
    "documents beside entities": [documents(KEY)[0], [(0, 1)]],
    "JSON beside entities": [json_objects(KEY)[0], [(0, 1)]],
    "two JSON objects of one name": [json_objects(KEY)[0]] * 2,
    "documents in lists": [documents(KEY)],
    "what can be two things": [[((0, 1), (3, 4)), ((5, 5),)]],
    "frozen sets that can be two things": [[frozenset({3, 4}), frozenset({5})]],
}


@pytest.mark.parametrize("value", REFUSED.values(), ids=REFUSED)
class TestRefused:
    def test_score_rejects_it(self, value):
        with pytest.raises(corefkit.CorefkitError) as refused:
            corefkit.score(value, value)
        assert refused.value.message
        assert refused.value.place

    def test_it_is_rejected_next_to_a_document(self, value):
        for sides in ((documents(KEY), value), (value, documents(KEY))):
            with pytest.raises(corefkit.CorefkitError):
                corefkit.score(*sides)

    def test_it_is_rejected_next_to_a_file(self, value, tmp_path):
        path = written(tmp_path / "key", json_line("d", "abcdefgh", [[[0, 1]]]))
        with pytest.raises(corefkit.CorefkitError):
            corefkit.score(path, value)

    def test_other_functions_reject_it(self, value, tmp_path):
        calls = [
            lambda: corefkit.explain(value, value, metric="muc"),
            lambda: corefkit.score_responses(value, [value]),
            lambda: corefkit.statistics_of(value),
            lambda: corefkit.write(value, tmp_path / "out.jsonl"),
            lambda: list(corefkit.read(value)),
        ]
        # These count what comes, one document after the other, whatever its name.
        for call in calls if value is not REFUSED["documents in lists"] else calls[:2]:
            with pytest.raises(corefkit.CorefkitError):
                call()


@pytest.mark.parametrize("fill", [-1, -100])
@pytest.mark.parametrize("shape", [list, np.array])
def test_padded_arrays_are_rejected(fill, shape):
    """What fills up would be a mention of both sides."""
    spans = shape([[0, 1], [4, 4], [fill, fill]])
    for value in ([spans], {"d": [spans]}, [[spans]], np.array([[[0, 1], [fill, 2]]])):
        with raises(FormatError, "input/padding-span"):
            corefkit.score(value, value)


class TestOtherWaysIn:
    @pytest.mark.parametrize("value", [documents(KEY), json_objects(KEY), KEY])
    def test_statistics_read_and_write_accept_the_inputs_of_score(
        self, value, tmp_path
    ):
        assert corefkit.statistics_of(value).mentions == 10
        path = tmp_path / "out.jsonl"
        assert corefkit.write(value, path).documents == 2
        read = list(corefkit.read(value))
        assert [one.entities for one in corefkit.read(path)] == [
            one.entities for one in read
        ]
        assert counts(corefkit.score(read, read)) == counts(
            corefkit.score(value, value)
        )

    def test_single_document_is_accepted(self, tmp_path):
        (one, _) = documents(KEY)
        assert corefkit.statistics_of(one).mentions == 5
        assert corefkit.write(one, tmp_path / "out.jsonl").documents == 1
        assert list(corefkit.read(one)) == [one]

    def test_documents_are_read_one_at_a_time(self):
        seen = []

        def watched():
            for one in documents(KEY):
                seen.append(one.id)
                yield one

        found = corefkit.read(watched())
        next(found)
        assert seen == ["d0"]

    def test_overlap_requires_one_document(self):
        table = corefkit.overlap(lists(KEY[0]), entity_mappings(RESPONSE)[0])
        assert table.shared.tolist() == [2, 1, 2]
        for value in (KEY, [0, 1], [{"a": 1}], None):
            with pytest.raises(FormatError):
                corefkit.overlap(value, value)

    def test_explain_accepts_a_list_of_documents(self):
        text = corefkit.explain(KEY, RESPONSE, metric="muc")
        assert "Document 0" in text
        assert "Document 1" in text

    def test_responses_must_be_a_list(self):
        for responses in ("response.conll", None, documents(KEY)[0]):
            with raises(corefkit.FormatError, "input/wrong-shape", place="responses"):
                corefkit.score_responses(KEY, responses)

    def test_responses_may_be_an_iterator(self):
        found = corefkit.score_responses(KEY, iter([RESPONSE, KEY]))
        assert [counts(result) for result in found] == [
            expected(),
            counts(corefkit.score(KEY, KEY)),
        ]
