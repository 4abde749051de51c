"""The resolver as a component of spaCy."""

from __future__ import annotations

import tomllib
from importlib import import_module

import pytest
from neural.random_models import make_resolver
from shared_files import ROOT

import corefkit

spacy = pytest.importorskip("spacy")
component = import_module("cistell.spacy")
TEXT = "Helen met  Mrs. Marsh's keeper. She met Tom, and he met her.\n\n" * 3


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "m.model"
    make_resolver(mention=-2.0, link=-9.0).save(path)
    return str(path)


@pytest.fixture
def nlp(model):
    pipeline = spacy.blank("en")
    pipeline.add_pipe("cistell", config={"model": model, "singletons": True})
    return pipeline


def list_groups(doc):
    return {
        name: [span.text for span in doc.spans[name]]
        for name in doc.spans
        if name.startswith("coref_clusters_")
    }


def test_entities_become_span_groups(nlp):
    doc = nlp(TEXT)
    groups = list_groups(doc)
    assert next(iter(groups)) == "coref_clusters_1"
    assert sum(map(len, groups.values())) > 5
    (document,) = corefkit.read([doc])
    assert len(document.entities) == len(groups)


def test_documents_in_batches_are_as_one_by_one(nlp):
    texts = [TEXT, "", "Tom met Helen.", TEXT]
    batched = [list_groups(doc) for doc in nlp.pipe(texts, batch_size=2)]
    assert batched == [list_groups(nlp(text)) for text in texts]


def test_singletons_are_omitted_by_default(model):
    pipeline = spacy.blank("en")
    pipeline.add_pipe("cistell", config={"model": model})
    groups = list_groups(pipeline(TEXT))
    assert groups
    assert all(len(texts) > 1 for texts in groups.values())


def test_older_groups_are_replaced_and_others_kept(nlp):
    doc = nlp(TEXT)
    doc.spans["coref_clusters_99"] = [doc[0:1]]
    doc.spans["mine"] = [doc[0:1]]
    nlp.get_pipe("cistell")(doc)
    assert "coref_clusters_99" not in doc.spans
    assert "mine" in doc.spans


def test_entry_point_names_the_factory():
    path = ROOT / "packaging" / "cistell" / "pyproject.toml"
    project = tomllib.loads(path.read_text("utf-8"))["project"]
    named = project["entry-points"]["spacy_factories"]["cistell"]
    module, _, function = named.partition(":")
    assert getattr(import_module(module), function) is component.make_resolver
