"""Systems by name, given mentions, and documents in parallel."""

from __future__ import annotations

from dataclasses import replace

import pytest
from neural.random_models import make_resolver

import corefkit
from cistell.resolver import (
    SYSTEMS,
    RawText,
    TreeResolver,
    choose_mentions,
    load_resolver,
    resolve_all,
)
from corefkit import Document
from corefkit.example import trees


@pytest.fixture(scope="module")
def documents():
    return list(corefkit.read(trees()))


@pytest.fixture(scope="module")
def resolvers(documents):
    others = {
        system: load_resolver(system, learn_from=documents, wordnet="none")
        for system in SYSTEMS
        if system != "neural"
    }
    return {"neural": make_resolver(), **others}


def drop_entities(document):
    return replace(document, entities=())


@pytest.mark.parametrize("system", SYSTEMS)
def test_given_mentions_have_the_same_ceaf_recall_and_precision(
    resolvers, documents, system
):
    """One document has no mentions: the file is annotated, and so none are found."""
    key = [drop_entities(documents[0]), *documents[1:]]
    response = list(resolve_all(resolvers[system], key, mentions="gold"))
    assert not response[0].entities
    score = corefkit.score(key, response)["ceaf_m"]
    assert score.recall == score.precision > 0


def test_mentions_are_chosen_for_the_entire_input(documents):
    bare = drop_entities(documents[0])
    items, mentions = choose_mentions([bare, documents[1]])
    assert (len(list(items)), mentions) == (2, "gold")
    items, mentions = choose_mentions([bare, RawText("a", "b")])
    assert (len(list(items)), mentions) == (2, None)


def test_documents_without_mentions_get_noun_phrases(documents):
    bare = [drop_entities(document) for document in documents]
    sieve = load_resolver("sieve", wordnet="none")
    (first, *_) = resolve_all(sieve, bare)
    assert sum(map(len, first)) > 10


@pytest.mark.parametrize("system", ["neural", "sieve"])
def test_processes_share_documents_in_order(resolvers, documents, system):
    many = [replace(d, id=f"{d.id}-{i}") for i in range(3) for d in documents]
    alone = list(resolve_all(resolvers[system], many))
    assert list(resolve_all(resolvers[system], many, jobs=2)) == alone


def test_texts_need_a_parser_for_systems_with_trees():
    with pytest.raises(corefkit.SettingsError) as caught:
        TreeResolver("sieve", None).resolve_text("Ann slept.")
    assert caught.value.code == "model/missing-part"


@pytest.mark.parametrize(
    ("system", "options", "code"),
    [
        ("oracle", {}, "settings/unknown-value"),
        ("best", {}, "settings/missing-value"),
        ("sieve", {"model": "en.model"}, "settings/conflict"),
        ("sieve", {"parser": "pears"}, "settings/unknown-value"),
    ],
)
def test_invalid_systems_are_rejected(system, options, code):
    with pytest.raises(corefkit.SettingsError) as caught:
        load_resolver(system, wordnet="none", **options)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("system", "options"),
    [
        ("neural", {"mentions": "sm1"}),
        ("sieve", {"mentions": "x"}),
        ("sieve", {"jobs": 0}),
    ],
)
def test_invalid_options_of_resolution_are_rejected(resolvers, system, options):
    with pytest.raises(corefkit.SettingsError):
        next(resolve_all(resolvers[system], [Document("d", (("a",),), ())], **options))


def test_filter_learns_which_noun_phrases_are_mentions(resolvers, documents):
    (document, *_) = documents
    found = resolvers["best"].resolve_document(document, mentions="sm2")
    key = {(m.start, m.end) for entity in document for m in entity}
    spans = {(m.start, m.end) for entity in found for m in entity}
    assert len(spans & key) > 0.8 * len(spans) > 0
