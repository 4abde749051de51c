from __future__ import annotations

import pytest

import corefkit
from cistell.features import FEATURES
from cistell.languages import LANGUAGES, language_named
from cistell.lexicon import load_lexicon
from cistell.profiles import ENTITY_TYPES


def test_numbers_of_features_are_those_of_the_paper():
    # Recasens and Hovy 2010, section 3.3: 29 for English, 34 for Spanish.
    counts = {code: len(one.features) for code, one in LANGUAGES.items()}
    assert counts == {"en": 29, "es": 34, "fr": 32}


@pytest.mark.parametrize("code", LANGUAGES)
def test_features_of_a_language_are_in_the_registry_once(code):
    names = LANGUAGES[code].features
    assert len({*names}) == len(names)
    assert {*names} <= {*FEATURES}


def test_every_feature_is_of_some_language():
    assert {*FEATURES} == {name for one in LANGUAGES.values() for name in one.features}


def test_spanish_has_zero_subjects_and_no_possessive_phrase():
    english, spanish = ({*LANGUAGES[code].features} for code in ("en", "es"))
    assert english - spanish == {"possessive_phrase"}
    assert {"zero_first", "zero_second"} <= spanish - english


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_has_words_and_concepts(code):
    assert load_lexicon(code).language == code == LANGUAGES[code].code
    concepts = load_lexicon(code).concepts
    assert concepts.keys() == load_lexicon("en").concepts.keys()
    assert {*concepts} <= {*ENTITY_TYPES}


@pytest.mark.parametrize("code", ["de", "EN", "", "english"])
def test_unknown_language_is_refused_with_those_that_are_known(code):
    with pytest.raises(
        corefkit.SettingsError, match="no features for the language"
    ) as e:
        language_named(code)
    assert "en (English), es (Spanish), fr (French)" in e.value.hint
