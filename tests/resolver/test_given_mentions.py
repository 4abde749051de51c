"""Given mentions are decided for each input; the default of annotated files."""

from __future__ import annotations

from dataclasses import replace

import pytest
from resolver.stories import stories

import corefkit
from cistell import Resolver, places
from cistell.links import RuleLinks
from cistell.loading import context_for
from cistell.models import BASELINES
from cistell.readers import RawText
from cistell.taggers import declare_given
from corefkit.cli import main
from corefkit.corpus import read_declaration

METRICS = ("mentions", "b_cubed", "ceaf_m")


def bare(document):
    return replace(document, entities=(), bridges=())


def corpus():
    """Return documents of which the first and third have no mentions."""
    documents = stories(4)
    return [
        bare(document) if number in (0, 2) else document
        for number, document in enumerate(documents)
    ]


def check_given(key, response, *, singletons=False):
    result = corefkit.score(key, response, metrics=METRICS)
    assert result["mentions"].f1 == 1
    assert result["ceaf_m"].recall == result["ceaf_m"].precision
    if singletons:
        assert result["b_cubed"].precision == 1


@pytest.mark.parametrize("name", BASELINES)
def test_baseline_finds_no_mentions_in_input_with_mentions(name):
    links = RuleLinks(name, context_for("en", wordnet="none"))
    response = list(Resolver(links).resolve(corpus(), note=lambda _: None))
    check_given(corpus(), response, singletons=name == "all_singletons")


@pytest.mark.parametrize("learner", ["ib1", "logistic", "boosting", "ranking"])
@pytest.mark.slow
def test_model_finds_no_mentions_in_input_with_mentions(learner):
    if learner == "logistic":
        pytest.importorskip("sklearn")
    elif learner != "ib1":
        pytest.importorskip("lightgbm")
    resolver = Resolver.train(
        stories(12), learner=learner, wordnet="none", note=lambda _: None
    )
    check_given(corpus(), list(resolver.resolve(corpus(), note=lambda _: None)))


def test_each_file_decides_for_itself(tmp_path):
    given, plain = tmp_path / "given.conllu", tmp_path / "plain.conllu"
    corefkit.write(corpus(), given)
    renamed = [replace(bare(one), id=f"bare-{one.id}") for one in stories(2)]
    corefkit.write(renamed, plain)
    out = tmp_path / "out.conllu"
    rule = ["--link", "all_singletons", "--wordnet", "none"]
    assert main(["resolve", str(given), str(plain), "-o", str(out), *rule]) == 0
    response = list(corefkit.read(out))
    check_given(corpus(), response[:4], singletons=True)
    assert all(document.entities for document in response[4:])


def test_raw_texts_are_not_buffered():
    texts = (RawText(str(number), "Ann") for number in range(3))
    items = declare_given(texts)
    assert next(items).id == "0"
    assert next(texts).id == "1"


def test_declaration_of_input_without_mentions_is_empty():
    items = declare_given(map(bare, stories(2)))
    assert [read_declaration(item).mentions for item in items] == ["", ""]


class TestAnnotatedDefault:
    @pytest.fixture(scope="class")
    @staticmethod
    def resolver():
        path = places._HERE / "en.model"
        return Resolver.load(path, wordnet="none", note=lambda _: None)

    def test_bundled_model_equals_sieve_with_sm1(self, resolver, monkeypatch):
        monkeypatch.setenv(places.ENVIRONMENT, str(places._HERE / "en.model"))
        sieve = Resolver.load("sieve", wordnet="none")
        documents = list(map(bare, stories(3)))
        expected = list(sieve.resolve(documents, mentions="sm1", note=lambda _: None))
        assert list(resolver.resolve(documents, note=lambda _: None)) == expected
        assert all(read_declaration(one).mentions == "sm1" for one in expected)

    @pytest.mark.slow
    def test_command_equals_sieve_with_sm1(self, tmp_path, monkeypatch):
        monkeypatch.setenv(places.ENVIRONMENT, str(places._HERE / "en.model"))
        path = tmp_path / "bare.conllu"
        corefkit.write(map(bare, stories(3)), path)
        outputs = []
        for options in ([], ["--model", "sieve", "--mentions", "sm1"]):
            out = tmp_path / "out.conllu"
            words = ["resolve", str(path), "-o", str(out), "--wordnet", "none"]
            assert main([*words, *options]) == 0
            outputs.append(out.read_bytes())
        assert outputs[0] == outputs[1]

    def test_given_mentions_are_linked_by_the_model(self, resolver):
        expected = replace(resolver, tree_links=None)
        documents = stories(3)
        assert list(resolver.resolve(documents, note=lambda _: None)) == list(
            expected.resolve(documents, mentions="gold", note=lambda _: None)
        )

    def test_documents_without_trees_use_the_tagger(self, resolver):
        documents = [replace(bare(one), layers={}) for one in stories(2)]
        response = list(resolver.resolve(documents, note=lambda _: None))
        assert {read_declaration(one).mentions for one in response} == {"sm2"}
