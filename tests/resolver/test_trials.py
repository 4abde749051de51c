"""Trials: what it takes to add a learner, a feature, a language or a linking model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import corefkit
from cistell import Resolver
from cistell.features import FEATURES
from cistell.features.base import NO_YES, feature
from cistell.languages import LANGUAGES, Language
from cistell.learners import LEARNERS
from cistell.learners.base import Learner, of_probability
from cistell.lexicon import lists
from cistell.models import LINKINGS, Linking
from corefkit.cli import main
from corefkit.example import trees


class AlwaysNo:
    """A classifier that learns nothing."""

    def decide(self, rows):
        return of_probability(np.zeros(len(rows)))

    def files(self):
        return {}


@pytest.mark.slow
def test_learner_is_a_row(monkeypatch, tmp_path, capsys):
    row = Learner(
        "never",
        "never",
        "always says no",
        lambda _instances, seed: AlwaysNo(),  # noqa: ARG005
        lambda _files, _columns: AlwaysNo(),
    )
    monkeypatch.setitem(LEARNERS, row.name, row)
    model, response = str(tmp_path / "m.model"), str(tmp_path / "r.conllu")
    train = ["train", "--example", "-o", model, "--learner", "never"]
    assert main([*train, "--wordnet", "none"]) == 0
    resolve = ["resolve", "--example", "-o", response, "--model", model]
    assert main(resolve) == 0
    entities = [entity for document in corefkit.read(response) for entity in document]
    assert {len(entity) for entity in entities} == {1}
    assert main(["train", "--help"]) == 0
    assert "never: always says no" in " ".join(capsys.readouterr().out.split())


@pytest.mark.slow
def test_feature_is_a_function_and_a_name(monkeypatch, tmp_path):
    @feature("strings", NO_YES)
    def same_sentence(pairs):
        return pairs.table.sentence[pairs.first] == pairs.table.sentence[pairs.second]

    monkeypatch.setitem(FEATURES, same_sentence.name, same_sentence)
    english = LANGUAGES["en"]
    features = (*english.features, same_sentence.name)
    monkeypatch.setitem(LANGUAGES, "en", replace(english, features=features))
    documents = list(corefkit.read(trees()))
    resolver = Resolver.train(documents, learner="ib1", wordnet="none")
    assert resolver.model.columns[-1].name == "same_sentence"
    resolver.save(tmp_path / "m.model")
    loaded = Resolver.load(tmp_path / "m.model")
    assert len(list(loaded.resolve(documents))) == len(documents)


WORDS = """
plurals = "leute"
[titles]
feminine = "frau"
[nouns]
feminine = "mutter"
[names]
masculine = "otto"
[pronouns]
"feminine singular 3" = "sie"
[concepts]
person = "person"
"""


@pytest.mark.slow
def test_language_is_a_row_and_a_file_of_words(monkeypatch, tmp_path):
    (tmp_path / "words").mkdir()
    (tmp_path / "words/de.toml").write_text(WORDS, "utf-8")
    monkeypatch.setattr(lists, "files", lambda _: tmp_path)
    german = Language("de", "German", LANGUAGES["fr"].features, natural_gender=False)
    monkeypatch.setitem(LANGUAGES, "de", german)
    documents = list(corefkit.read(trees()))
    resolver = Resolver.train(
        documents, language="de", learner="ib1", wordnet="none", note=lambda _: None
    )
    assert resolver.context.lexicon.genders["mutter"] == "feminine"
    assert len(list(resolver.resolve(documents))) == len(documents)


@pytest.mark.slow
def test_linking_model_is_a_row(monkeypatch):
    monkeypatch.setitem(LINKINGS, "nearest", Linking("closest", check="none"))
    documents = list(corefkit.read(trees()))
    resolver = Resolver.train(
        documents, learner="ib1", wordnet="none", link="nearest", note=lambda _: None
    )
    assert sum(found.links for found in resolver.resolutions(documents)) > 0
