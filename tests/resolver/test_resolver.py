"""The resolver as Python has it: trained, saved, loaded, and used."""

from __future__ import annotations

from dataclasses import replace

import pytest
from resolver.lexicon.conftest import write_wordnet
from resolver.stories import stories

import cistell
import corefkit
from cistell.evidence import Reading
from cistell.loading import read_model
from cistell.modelfile import FOUND, GOLD, RANKING
from cistell.models import LINKINGS
from cistell.resolver import Resolver
from corefkit.corpus import read_declaration
from corefkit.exceptions import CorefkitError, SettingsError


@pytest.fixture(scope="module")
def resolver():
    return Resolver.train(stories(20), learner="ib1", tagger=True, wordnet="none")


def test_it_is_what_the_package_has():
    assert cistell.Resolver is Resolver
    with pytest.raises(AttributeError, match="moon"):
        _ = cistell.moon


def test_what_is_saved_decides_the_same(resolver, tmp_path):
    resolver.save(tmp_path / "m.model")
    loaded = Resolver.load(tmp_path / "m.model")
    test = stories(5, seed=9)
    one, other = (list(each.resolve(test)) for each in (resolver, loaded))
    assert one == other
    assert corefkit.score(test, one)["muc"].f1 > 0.6
    assert loaded.model.tagger


def test_lists_that_the_model_had_are_missed(tmp_path):
    folder = tmp_path / "lexicon"
    (folder / "demonyms").mkdir(parents=True)
    (folder / "demonyms" / "en.txt").write_text("Denmark\tDanish\n")
    notes = []
    trained = Resolver.train(stories(6), learner="ib1", lexicon=folder, wordnet="none")
    trained.save(tmp_path / "m.model")
    Resolver.load(tmp_path / "m.model", lexicon=folder, note=notes.append)
    assert notes == []
    Resolver.load(tmp_path / "m.model", note=notes.append)
    (note,) = notes
    assert "demonyms/en.txt" in note
    assert "gender-number" not in note


def test_warning_tells_users_of_python_what_is_missed(tmp_path):
    folder = tmp_path / "lexicon"
    (folder / "demonyms").mkdir(parents=True)
    (folder / "demonyms" / "en.txt").write_text("Denmark\tDanish\n")
    options = {"learner": "ib1", "wordnet": "none"}
    Resolver.train(stories(6), lexicon=folder, **options).save(tmp_path / "m.model")
    with pytest.warns(UserWarning, match=r"trained with demonyms/en\.txt, missing"):
        Resolver.load(tmp_path / "m.model")


def test_other_lists_than_the_models_are_told(tmp_path):
    for name, words in (("one", "Denmark\tDanish\n"), ("two", "Spain\tSpanish\n")):
        (tmp_path / name / "demonyms").mkdir(parents=True)
        (tmp_path / name / "demonyms/en.txt").write_text(words)
    options = {"learner": "ib1", "wordnet": "none"}
    trained = Resolver.train(stories(6), lexicon=tmp_path / "one", **options)
    trained.save(tmp_path / "m.model")
    with pytest.warns(UserWarning, match="trained with other lists of demonyms"):
        Resolver.load(tmp_path / "m.model", lexicon=tmp_path / "two")


def test_model_trained_without_wordnet_does_without_it(tmp_path, monkeypatch):
    write_wordnet(tmp_path / "wordnet")
    options = {"learner": "ib1", "wordnet": "none"}
    Resolver.train(stories(6), **options).save(tmp_path / "m.model")
    monkeypatch.setenv("COREFKIT_WORDNET", str(tmp_path / "wordnet"))
    assert Resolver.load(tmp_path / "m.model").context.lexicon.wordnet is None
    with pytest.warns(UserWarning, match="trained with other WordNet"):
        named = Resolver.load(tmp_path / "m.model", wordnet=tmp_path / "wordnet")
    assert named.context.lexicon.wordnet is not None


def without_mentions(documents):
    return [replace(one, entities=()) for one in documents]


def test_text_without_mentions_is_tagged_by_the_models_tagger(resolver):
    bare = without_mentions(stories(5, seed=9))
    found = list(resolver.resolve(bare, note=[].append))
    assert [read_declaration(one).mentions for one in found] == ["sm2"] * 5
    expected = [resolver.tagger.mentions(Reading(one)) for one in bare]
    taken = [[span(m) for e in one for m in e] for one in found]
    assert [sorted(row) for row in taken] == [
        sorted(map(span, row)) for row in expected
    ]


def span(mention):
    return mention.start, mention.end


def test_mentions_can_be_chosen(resolver):
    documents = stories(2, seed=9)
    for name in ("gold", "sm1", "sm2"):
        found = list(resolver.resolve(documents, mentions=name, note=[].append))
        assert read_declaration(found[0]).mentions == name
    without = replace(resolver, tagger=None)
    (found, *_) = without.resolve(without_mentions(documents), note=[].append)
    assert read_declaration(found).mentions == "sm1"
    with pytest.raises(SettingsError, match="sm2 need a model with a tagger"):
        without.resolve(documents, mentions="sm2")
    with pytest.raises(SettingsError, match="'silver'"):
        resolver.resolve(documents, mentions="silver")


TYPED = [
    replace(
        one,
        entities=tuple(
            replace(
                entity,
                mentions=tuple(
                    replace(m, attributes={"type": "person"}) for m in entity
                ),
            )
            for entity in one
        ),
    )
    for one in stories(20)
]


@pytest.mark.parametrize("types", ["all", "names"])
@pytest.mark.slow
def test_documents_without_the_types_that_a_model_looks_at_are_told(types):
    options = {"learner": "ib1", "wordnet": "none", "entity_types": types}
    trained = Resolver.train(TYPED, **options)
    assert trained.model.training["supply"]["entity types"][0] > 0
    list(trained.resolve(TYPED[:3]))  # without a warning
    with pytest.warns(UserWarning, match="looks at entity types, and 0 of"):
        list(trained.resolve(without_mentions(TYPED[:3])))


def test_model_that_looks_at_no_types_needs_none():
    options = {"learner": "ib1", "wordnet": "none", "entity_types": "none"}
    trained = Resolver.train(TYPED, **options)
    list(trained.resolve(without_mentions(TYPED[:3])))


@pytest.mark.parametrize(
    ("layer", "name"), [("lemma", "lemmas"), ("feats", "morphological features")]
)
def test_documents_without_a_layer_that_a_model_looks_at_are_told(
    resolver, layer, name
):
    def without(document):
        layers = {key: document.layers[key] for key in document.layers if key != layer}
        return replace(document, layers=layers)

    with pytest.warns(UserWarning, match=f"looks at {name}, and 0 of"):
        list(resolver.resolve(map(without, stories(3, seed=9))))


def test_unknown_types_are_refused():
    with pytest.raises(SettingsError, match="'some'"):
        Resolver.train(stories(2), entity_types="some", wordnet="none")


def test_unknown_names_are_refused():
    with pytest.raises(SettingsError, match="'la'"):
        Resolver.train(stories(2), language="la", wordnet="none")
    with pytest.raises(SettingsError, match="'moon'"):
        Resolver.train(stories(2), learner="ib1", link="moon", wordnet="none")


def test_a_file_that_is_no_model_is_refused(tmp_path):
    path = tmp_path / "m.model"
    path.write_text("no model")
    with pytest.raises(CorefkitError, match="not a model"):
        read_model(path)


class TestRanking:
    @pytest.fixture(scope="class")
    @staticmethod
    def ranking():
        return Resolver.train(stories(20), wordnet="none")

    def test_it_is_what_one_gets_without_options(self, ranking):
        assert ranking.model.learner == RANKING
        assert {*ranking.model.biases} == {GOLD, FOUND}
        assert ranking.tagger is not None

    def test_what_is_saved_links_the_same(self, ranking, tmp_path):
        ranking.save(tmp_path / "m.model")
        loaded = Resolver.load(tmp_path / "m.model")
        test = stories(5, seed=9)
        one, other = (list(each.resolve(test)) for each in (ranking, loaded))
        assert one == other
        assert corefkit.score(test, one)["muc"].f1 > 0.6

    @pytest.mark.slow
    def test_same_documents_same_bytes(self, ranking, tmp_path):
        again = Resolver.train(stories(20), wordnet="none")
        for name, each in (("one", ranking), ("two", again)):
            each.save(tmp_path / name)
        assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()

    def test_other_ways_to_link_are_refused(self, ranking, tmp_path):
        ranking.save(tmp_path / "m.model")
        with pytest.raises(SettingsError, match="ranks candidates") as error:
            Resolver.load(tmp_path / "m.model", link="strong")
        assert "--paper" in error.value.hint
        with pytest.raises(SettingsError, match="links in one way"):
            ranking.resolve_by({}, [])

    def test_bias_is_that_of_the_mentions_at_hand(self, ranking):
        model = replace(ranking.model, biases={GOLD: 99.0, FOUND: -99.0})
        links = replace(ranking.links, model=model)
        documents = stories(3, seed=9)
        given = list(replace(ranking, links=links).resolutions(documents))
        assert sum(one.links for one in given) == 0
        bare = without_mentions(documents)
        found = replace(ranking, links=links).resolutions(bare, note=[].append)
        assert sum(one.links for one in found) > 0


def test_card_says_what_the_model_is(tmp_path):
    trained = Resolver.train(stories(4), learner="ib1", wordnet="none")
    trained.save(tmp_path / "m.model")
    card = Resolver.load(tmp_path / "m.model").card
    assert "English" in card.title
    assert card.trained_on[0].startswith("a corpus: 4 documents, ")
    assert card.needs == ()
    assert "trained on   a corpus" in str(card)


def test_paper_links_by_every_decision():
    trained = Resolver.train(stories(6), paper=True, learner="ib1", wordnet="none")
    assert trained.tagger is None
    assert trained.links.linking_of(GOLD) == LINKINGS["best"]
    assert "thresholds" not in trained.model.training
