"""The resolver as Python has it: trained, saved, loaded, and used."""

from __future__ import annotations

import pytest
from cistell.stories import stories

import corefkit
from corefkit import cistell
from corefkit.cistell.resolver import Resolver, read_model
from corefkit.exceptions import CorefkitError, SettingsError


@pytest.fixture(scope="module")
def resolver():
    return Resolver.train(stories(20), learner="ib1", tagger=True)


def test_it_is_what_the_package_has():
    assert cistell.Resolver is Resolver
    with pytest.raises(AttributeError, match="moon"):
        _ = cistell.moon


def test_what_is_saved_decides_the_same(resolver, tmp_path):
    resolver.save(tmp_path / "m.model")
    loaded = Resolver.load(tmp_path / "m.model")
    test = stories(5, seed=9)
    one, other = (
        [found.document for found in each.resolve(test)] for each in (resolver, loaded)
    )
    assert one == other
    assert corefkit.score(test, one)["muc"].f1 > 0.6
    assert loaded.model.tagger


def test_lists_that_the_model_had_are_missed(tmp_path):
    folder = tmp_path / "lexicon"
    (folder / "demonyms").mkdir(parents=True)
    (folder / "demonyms" / "en.txt").write_text("Denmark\tDanish\n")
    notes = []
    Resolver.train(stories(6), learner="ib1", lexicon=folder).save(tmp_path / "m.model")
    Resolver.load(tmp_path / "m.model", lexicon=folder, note=notes.append)
    assert notes == []
    Resolver.load(tmp_path / "m.model", note=notes.append)
    (note,) = notes
    assert "demonyms/en.txt" in note
    assert "gender-number" not in note


def test_unknown_names_are_refused():
    with pytest.raises(SettingsError, match="'la'"):
        Resolver.train(stories(2), language="la")
    with pytest.raises(SettingsError, match="'moon'"):
        Resolver.train(stories(2), learner="ib1", link="moon")


def test_a_file_that_is_no_model_is_refused(tmp_path):
    path = tmp_path / "m.model"
    path.write_text("no model")
    with pytest.raises(CorefkitError, match="no model"):
        read_model(path)
