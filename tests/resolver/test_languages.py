from __future__ import annotations

import pytest

import corefkit
from cistell.mentions.lexicon import LANGUAGES, get_language, load_lexicon
from cistell.mentions.profiles import ENTITY_TYPES
from cistell.paper.features import FEATURES, LANGUAGE_FEATURES


def test_numbers_of_features_are_those_of_the_paper():
    # Recasens and Hovy 2010, section 3.3: 29 for English, 34 for Spanish.
    counts = {code: len(names) for code, names in LANGUAGE_FEATURES.items()}
    assert counts == {"en": 29, "es": 34, "fr": 32}


@pytest.mark.parametrize("code", LANGUAGES)
def test_features_of_a_language_are_in_the_registry_once(code):
    names = LANGUAGE_FEATURES[code]
    assert len({*names}) == len(names)
    assert {*names} <= {*FEATURES}


def test_every_feature_is_of_some_language():
    assert {*FEATURES} == {
        name for names in LANGUAGE_FEATURES.values() for name in names
    }


def test_spanish_has_zero_subjects_and_no_possessive_phrase():
    english, spanish = ({*LANGUAGE_FEATURES[code]} for code in ("en", "es"))
    assert english - spanish == {"possessive_phrase"}
    assert {"zero_first", "zero_second"} <= spanish - english


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_has_words_and_concepts(code):
    assert load_lexicon(code).language == LANGUAGES[code]
    concepts = load_lexicon(code).concepts
    assert concepts.keys() == load_lexicon("en").concepts.keys()
    assert {*concepts} <= {*ENTITY_TYPES}


@pytest.mark.parametrize("code", ["de", "EN", "", "english"])
def test_unknown_language_is_refused_with_those_that_are_known(code):
    with pytest.raises(corefkit.SettingsError) as caught:
        get_language(code)
    assert caught.value.code == "settings/unknown-value"
    assert "en (English), es (Spanish), fr (French)" in caught.value.hint
