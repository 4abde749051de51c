"""The resolver as a component of spaCy."""

from __future__ import annotations

import tomllib
from importlib import import_module

import pytest
from resolver.small_models import TEXT, small_resolver
from shared_files import ROOT

import corefkit
from corefkit.exceptions import CorefkitError

spacy = pytest.importorskip("spacy")
component = import_module("cistell.spacy_component")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "m.model"
    small_resolver().save(path)
    return str(path)


@pytest.fixture
def nlp(model):
    made = spacy.blank("en")
    made.add_pipe("corefkit_resolver", config={"model": model, "singletons": True})
    return made


def groups(doc):
    return {
        name: [span.text for span in doc.spans[name]]
        for name in doc.spans
        if name.startswith("coref_clusters_")
    }


@pytest.mark.slow
def test_entities_become_span_groups(nlp):
    doc = nlp(TEXT)
    found = groups(doc)
    assert next(iter(found)) == "coref_clusters_1"
    assert "Ann" in [text for texts in found.values() for text in texts]
    # What was filled is read back as the same entities.
    (document,) = corefkit.read([doc])
    assert len(document.entities) == len(found)


def test_blanks_that_are_tokens_are_passed_over(nlp):
    plain, spaced = nlp("Ann sold the mill."), nlp("Ann\n\n  sold  the mill.")
    assert len(spaced) > len(plain)
    assert [len(texts) for texts in groups(spaced).values()] == [
        len(texts) for texts in groups(plain).values()
    ]


def test_documents_in_batches_are_as_one_by_one(nlp):
    texts = [TEXT, "", "Ann left.", TEXT]
    many = [groups(doc) for doc in nlp.pipe(texts, batch_size=2)]
    assert many == [groups(nlp(text)) for text in texts]


def test_sentences_of_spacy_are_kept(model):
    made = spacy.blank("en")
    made.add_pipe("sentencizer", config={"punct_chars": ["!"]})
    made.add_pipe("corefkit_resolver", config={"model": model})
    doc = made("Ann sold the mill. She left! Bob ran.")
    resolver = made.get_pipe("corefkit_resolver")
    words = [token.i for token in doc]
    assert [len(row) for row in resolver._sentences(doc, words)] == [8, 3]


def test_single_mentions_are_left_out_by_default(model):
    made = spacy.blank("en")
    made.add_pipe("corefkit_resolver", config={"model": model})
    assert all(len(texts) > 1 for texts in groups(made(TEXT)).values())


def test_older_groups_are_replaced_and_others_kept(nlp):
    doc = nlp(TEXT)
    doc.spans["coref_clusters_99"] = [doc[0:1]]
    doc.spans["mine"] = [doc[0:1]]
    nlp.get_pipe("corefkit_resolver")(doc)
    assert "coref_clusters_99" not in doc.spans
    assert "mine" in doc.spans


def test_model_without_parser_is_refused(tmp_path):
    from dataclasses import replace

    from cistell.modelfile import save_model

    path = tmp_path / "m.model"
    save_model(replace(small_resolver().model, parser=None), path)
    with pytest.raises(CorefkitError, match="no parser, which spaCy's words need"):
        spacy.blank("en").add_pipe("corefkit_resolver", config={"model": str(path)})


def test_spacy_finds_it_by_its_entry_point():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = project["entry-points"]["spacy_factories"]["corefkit_resolver"]
    module, _, function = named.partition(":")
    assert getattr(import_module(module), function) is component.make_resolver
