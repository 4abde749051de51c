"""What a page shows of documents is what scores and errors were found in."""

from __future__ import annotations

from collections import Counter
from random import Random

import builders
import pytest
from corpora import key_documents, response_documents, retokenised
from hypothesis import given, settings
from reader_data import decoded
from shared_files import DATA

import corefkit
from corefkit.analysis.errors.error_analysis import KINDS
from corefkit.analysis.errors.mentions import format_name
from corefkit.model import Document, Entity, Mention

SETTINGS = [
    {},
    {"match": "head"},
    {"match": "partial"},
    {"match": "min"},
    {"singletons": "drop"},
    {"singletons": "drop-key"},
    {"singletons": "drop-response"},
    {"missing": "skip"},
    {"average": "macro"},
    {"zeros": "dependency"},
    {"zeros": "drop"},
    {"split": "score"},
    {"scope": "corpus"},
    {"scope": "topic"},
    {"tokens": "characters"},
    {"preset": "conll2012"},
    {"preset": "crac2022"},
    {"preset": "crac2023"},
    {"preset": "crac2024"},
    {"preset": "crac2025"},
]
FEW = {"samples": 20, "metrics": "mentions,muc,b_cubed,ceaf_e,lea"}


def ids(of_document):
    found = (*of_document.errors, *of_document.recall_links)
    found += of_document.precision_links
    return [error.id for error in found]


def check_errors(report):
    """Compare the errors of a page with those of the analysis."""
    shown = {document.id: document for document in decoded(report)}
    makers = Counter()
    for shared in report.analysis.across.errors:
        for system, id in shared.ids.items():
            makers[system, shared.document, id] = len(shared.ids)
    for number, system in enumerate(report.analysis.systems):
        by_kind = Counter()
        for errors in system.documents:
            document = shown[errors.document]
            own = document.responses[number]
            assert [f"{document.id}#{error.id}" for error in own.errors] == ids(errors)
            by_kind.update(error.kind for error in own.errors)
            for error in own.errors:
                id = f"{document.id}#{error.id}"
                assert error.made_by == makers[number, document.id, id]
            check_mentions(document, own, errors)
        assert {kind: by_kind[kind] for kind in KINDS} == system.counts
        assert by_kind["recall"] == system.recall.errors
        assert by_kind["precision"] == system.precision.errors


def check_mentions(document, own, errors):
    """Compare mentions, types and entities of errors."""
    for shown, error in zip(own.errors, errors.errors, strict=False):
        assert shown.type == next(iter(error.types), "")
        places = [place(document, span) for span in shown.spans]
        assert places == [known_place(document, mention) for mention in error.mentions]
        if error.kind in ("divided", "missing_mention", "missing_entity", "span"):
            spans = document.key.entities()[shown.entity]
            members = [place(document, span) for span in spans]
            assert members == [
                known_place(document, mention) for mention in error.entity
            ]
    links = (*errors.recall_links, *errors.precision_links)
    for shown, link in zip(own.errors[len(errors.errors) :], links, strict=True):
        assert shown.type == link.types[0]
        assert shown.link == (link.distance, link.entity_size, link.cause)
        both = [known_place(document, one) for one in (link.anaphor, link.antecedent)]
        assert [place(document, span) for span in shown.spans] == both


def place(document, span):
    parts = document.spans[span]
    if document.is_named:
        return document.tokens[parts[0][0]]
    if document.has_words:
        return parts
    tokens = document.tokens
    return tuple((int(tokens[first]), int(tokens[last])) for first, last in parts)


def known_place(document, mention):
    if isinstance(mention, Mention):
        return mention.parts
    if document.is_named:
        return format_name(mention)
    return (mention,)


def check_scores(report, **keywords):
    """Score the partitions of a page again."""
    metrics = [metric.name for metric in report.evaluations[0].metrics]
    for document in decoded(report):
        for number, own in enumerate(document.responses):
            rows = {
                row.document: row for row in report.evaluations[number].per_document
            }
            if document.id not in rows:
                assert own.is_missing
                assert not any(own.entity_of)
                continue
            key, response = document.partitions(number)
            again = corefkit.score(key, response, metrics=metrics, **keywords)
            for name, shown in zip(metrics, own.scores, strict=False):
                expected = rows[document.id][name]
                assert again[name].f1 == pytest.approx(expected.f1)
                if shown is None:
                    assert set(expected.undefined) >= {"recall", "precision"}
                else:
                    assert shown == pytest.approx(expected.f1, abs=6e-5)


def corpora(seed, *, characters=False):
    """Make a key and three responses, of which two lack documents."""
    key = key_documents(seed)
    if characters:
        key = [Document(one.id, one.sentences, one.entities) for one in key]
    responses = {
        "A": response_documents(key, seed),
        "B": response_documents(key, seed + 1)[1:],
        "C": [*response_documents(key, seed + 2), key[-1]],
    }
    if characters:
        responses["A"] = [retokenised(one) for one in responses["A"]]
    return key, responses


def check_settings(keywords, seed):
    key, responses = corpora(seed, characters="tokens" in keywords)
    report = corefkit.make_report(key, responses, **FEW, **keywords)
    check_errors(report)
    if "split" not in keywords:  # layers have no split antecedents
        check_scores(report)
    return report


@pytest.mark.parametrize("keywords", SETTINGS, ids=str)
def test_layers_are_those_of_scores_and_errors(keywords):
    check_settings(keywords, 0)


@pytest.mark.slow
@pytest.mark.parametrize("keywords", SETTINGS, ids=str)
@pytest.mark.parametrize("seed", range(1, 5))
def test_layers_of_many_corpora_are_those_of_scores_and_errors(keywords, seed):
    check_settings(keywords, seed)


def check(key, responses, **keywords):
    report = corefkit.make_report(key, responses, **FEW, **keywords)
    check_errors(report)
    check_scores(report)
    return decoded(report)


@settings(max_examples=15, deadline=None)
@given(builders.corpora(3), builders.corpora(3))
def test_partitions_of_numbers(one, other):
    key, response = one
    responses = {"A": response, "B": {**key, **other[1]}}
    responses["B"] = {name: responses["B"][name] for name in key}
    check(key, responses)


@pytest.mark.parametrize(
    ("key", "response", "tokens"),
    [
        (["abc", "de"], ["ab", "cdx"], ["a", "b", "c", "d", "e", "x"]),
        ([[2, 10], [9]], [[10, 9]], ["2", "9", "10"]),
        ([["b c", ""]], [["", "b c"]], ["", "b c"]),
        ([[(0, 1), (1, 2)]], [[(1, 2), (4, 4)]], ["0", "1", "2", "3", "4"]),
        ([[1, "1"]], [["1", "x"]], ["1", "1", "x"]),
        ([[(0, 1), "a"]], [[(0, 1)]], ["a", "0-1"]),
    ],
)
def test_names_of_mentions_stand_for_tokens(key, response, tokens):
    (document,) = check(key, {"A": response})
    assert not document.has_words
    assert document.tokens == tokens


def test_names_without_order():
    key = {"d": [[frozenset([8]), frozenset([7])]]}
    (document,) = check(key, {"A": {"d": []}})
    assert document.tokens == ["frozenset({7})", "frozenset({8})"]


def test_names_of_all_systems_stand_in_one_order():
    (document,) = check(["ac"], {"A": ["ab"], "B": ["cd"]})
    assert document.tokens == ["a", "b", "c", "d"]
    assert document.responses[1].entity_of == [0, 0, 1, 1]


def test_spans_of_one_system_and_names_of_another():
    key = [[(0, 1), (3, 3)]]
    documents = check(key, {"A": [[(0, 1), (2, 2)]], "B": [[(3, 3), "x"]]})
    assert documents[0].is_named
    assert set(documents[0].tokens) == {"0-1", "2-2", "3-3", "x"}


def test_tokens_far_away_are_not_all_written():
    far = 10**9
    key, response = [[(0, 1), (far, far + 7)]], [[(0, far)]]
    (document,) = check(key, {"A": response})
    assert document.tokens == ["0", "1", str(far), str(far + 7)]
    assert document.responses[0].errors[0].id == f"extra_entity#0-{far}"


WORDS = (("Ann", "saw", "the", "old", "mill", "."), ("She", "left", "it", "."))


def document(*entities, words=WORDS, empty=()):
    return Document(
        "d",
        words,
        tuple(
            Entity(str(number), tuple(mentions))
            for number, mentions in enumerate(entities)
        ),
        empty,
    )


def test_words_sentences_and_gaps():
    key = document([Mention(0, 0), Mention(6, 6)], [Mention.of([2, 4]), Mention(8, 8)])
    response = document([Mention(2, 4), Mention(8, 8), Mention.of([2, 4])])
    (shown,) = check([key], {"A": [response]})
    assert shown.sentences == [list(sentence) for sentence in WORDS]
    assert shown.spans[1:3] == [((2, 2), (4, 4)), ((2, 4),)]
    assert shown.key.entity_of == [1, 2, 0, 1, 2]


def test_a_response_mention_matched_with_other_tokens_has_a_twin():
    key = document([Mention(2, 4, head=4), Mention(8, 8, head=8)])
    response = document([Mention(3, 4, head=4), Mention(8, 8, head=8)])
    (shown,) = check([key], {"A": [response]}, match="head")
    assert shown.spans == [((2, 4),), ((3, 4),), ((8, 8),)]
    assert shown.responses[0].key_span == [-1, 0, 2]
    assert shown.responses[0].errors == ()


def test_an_empty_node_that_the_key_lacks_is_no_twin_of_the_word_before():
    words = (("Ann", "saw", "it"),)
    zero = (("Ann", "_", "saw", "it"),)
    key = document([Mention(0, 0), Mention(2, 2)], words=words)
    response = document([Mention(1, 1), Mention(3, 3)], words=zero, empty=(1,))
    (shown,) = check([key], {"A": [response]})
    own = shown.responses[0]
    assert shown.spans == [((0, 0),), ((2, 2),)]
    assert own.entity_of == [1, 1]
    assert own.key_span == [-1, 1]


def test_empty_nodes_of_the_key_are_named():
    words = (("Ann", "_", "saw", "it"),)
    key = document([Mention(0, 0), Mention(1, 1)], words=words, empty=(1,))
    (shown,) = check([key], {"A": [key]})
    assert shown.empty == [1]


def test_tokens_of_a_response_that_fall_on_one_of_the_key():
    key = document([Mention(0, 0), Mention(2, 2)], words=(("Annlee", "saw", "it"),))
    words = (("Ann", "lee", "saw", "it"),)
    response = document([Mention(0, 0), Mention(1, 1), Mention(3, 3)], words=words)
    (shown,) = check([key], {"A": [response]}, tokens="characters")
    assert shown.spans == [((0, 0),), ((0, 0),), ((2, 2),)]
    assert shown.responses[0].key_span == [-1, -1, 2]


def test_mentions_of_the_same_tokens_with_other_heads_are_not_matched():
    key = document([Mention(2, 4, head=4), Mention(8, 8, head=8)])
    response = document([Mention(2, 4, head=3), Mention(8, 8, head=8)])
    (shown,) = check([key], {"A": [response]}, match="head")
    assert shown.spans == [((2, 4),), ((8, 8),)]
    assert shown.responses[0].key_span == [-1, 1]


@pytest.mark.parametrize("missing", ["empty", "skip"])
def test_documents_that_a_response_lacks(missing):
    key = {"one": ["ab"], "two": ["cd"]}
    responses = {"A": {"two": ["cd"]}, "B": key}
    shown = check(key, responses, missing=missing)
    assert [document.id for document in shown] == ["one", "two"]
    assert [side.is_missing for side in shown[0].responses] == [True, False]
    errors = [error.kind for error in shown[0].responses[0].errors]
    assert errors == (["missing_entity", "recall"] if missing == "empty" else [])


def test_documents_stand_in_the_order_of_the_key():
    key = {name: [f"{name}1", f"{name}2"] for name in "dbac"}
    parts = {"A": "ac", "B": "dba", "C": "abcd"}
    responses = {name: {one: key[one] for one in ids} for name, ids in parts.items()}
    shown = check(key, responses, missing="skip")
    assert [document.id for document in shown] == ["d", "b", "a", "c"]


def test_documents_without_mentions_and_words():
    shown = check({"one": [], "two": ["ab"]}, {"A": {"one": [], "two": ["ab"]}})
    assert shown[0].sentences == []
    assert shown[0].responses[0].scores[0] is None


def test_words_of_a_response_where_the_key_has_none():
    key = Document("d", (), (Entity("1", (Mention(0, 0), Mention(6, 6))),))
    wordless = Document("d", (), key.entities)
    response = document([Mention(0, 0), Mention(6, 6)])
    (shown,) = check([key], {"A": [wordless], "B": [response]})
    assert shown.sentences == [list(sentence) for sentence in WORDS]


@pytest.mark.slow
@pytest.mark.parametrize("file", ["ontogum/ontogum-dev.conllu", "gum/gum-dev.conllu"])
@pytest.mark.parametrize("keywords", [{}, {"match": "head"}, {"preset": "crac2025"}])
def test_layers_of_real_texts_are_those_of_scores_and_errors(file, keywords):
    if not (DATA / file).exists():
        pytest.skip(f"{file} is not beside the project")
    key = [*corefkit.read(DATA / file)][:10]
    chance = Random(0)
    responses = {name: [perturbed(one, chance) for one in key] for name in "AB"}
    report = corefkit.make_report(key, responses, **FEW, **keywords)
    check_errors(report)
    check_scores(report)


def perturbed(document, chance):
    """Leave mentions out, put them elsewhere, cut words off, and add some."""
    ids = [entity.id for entity in document]
    entities = {id: {} for id in ids}
    for entity in document:
        for mention in entity:
            fate = chance.random()
            id = chance.choice(ids) if 0.1 < fate < 0.2 else entity.id
            if 0.2 < fate < 0.3 and mention.start < mention.end and not mention.gaps:
                end = mention.end
                mention = Mention(mention.start + 1, end, head=end)
            if fate > 0.1:
                entities[id][mention] = mention
    for token in chance.sample(range(len(document.tokens)), 10):
        entities[chance.choice(ids)][Mention(token, token, head=token)] = None
    return Document(
        document.id,
        document.sentences,
        tuple(Entity(id, (*mentions,)) for id, mentions in entities.items()),
        document.empty,
        layers=document.layers,
    )
