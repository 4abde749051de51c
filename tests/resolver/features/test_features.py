from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from resolver.features.slow_features import slow_values
from resolver.lexica import table_of
from resolver.random_documents import documents
from resolver.trees import parsed

import corefkit
from cistell.mentions.lexicon import LANGUAGES
from cistell.paper.features import (
    FEATURES,
    GROUPS,
    LANGUAGE_FEATURES,
    Pairs,
    choose_features,
    encode_pairs,
    list_columns,
)
from cistell.paper.pairs import pair_with_earlier

ANN = parsed("[ Ann/PROPN/0//A=B ]a", "[ she/2 ]a slept/VERB/0/root")


def names(features):
    return [one.name for one in features]


def test_every_feature_has_a_group_a_name_and_a_sentence():
    for name, feature in FEATURES.items():
        assert feature.name == name
        assert feature.group in GROUPS
        sentence = feature.indices.__doc__.splitlines()[0]
        assert sentence.endswith((".", ")."))
        assert len(sentence) < 88


def test_every_group_has_a_module_of_tests():
    here = {path.stem for path in Path(__file__).parent.glob("test_*.py")}
    assert {f"test_{group}" for group in GROUPS} <= here
    assert {feature.group for feature in FEATURES.values()} == {*GROUPS}


def test_values_are_named_once_and_fit_into_a_byte():
    for feature in FEATURES.values():
        assert len({*feature.values}) == len(feature.values)
        assert 2 <= len(feature.values) < 256
        # Learners get values in lines of words.
        assert not any(" " in value or "\t" in value for value in feature.values)


@given(documents(), st.sampled_from([*LANGUAGES]), st.booleans(), st.booleans())
def test_codes_are_those_of_a_slow_version(document, language, wordnet, typed):
    options = {"wordnet": wordnet, "entity_types": "all" if typed else "names"}
    table = table_of(document, language, **options)
    pairs = pair_with_earlier(table, 0, len(table))
    codes = encode_pairs(pairs, [*FEATURES.values()])
    assert codes.shape == (len(pairs), len(FEATURES))
    assert codes.dtype == np.uint8
    for row, at, to in zip(codes, pairs.first, pairs.second, strict=True):
        found = {
            name: feature.values[code]
            for (name, feature), code in zip(FEATURES.items(), row, strict=True)
        }
        assert found == slow_values(table, at, to)


def test_slow_version_has_every_feature():
    table = table_of(ANN)
    assert slow_values(table, 0, 1).keys() == FEATURES.keys()


@given(documents(), st.randoms())
def test_codes_do_not_depend_on_the_other_pairs(document, random):
    table = table_of(document)
    pairs = pair_with_earlier(table, 0, len(table))
    codes = encode_pairs(pairs, [*FEATURES.values()])
    some = [number for number in range(len(pairs)) if random.random() < 0.5]
    random.shuffle(some)
    fewer = Pairs(table, pairs.first[some], pairs.second[some])
    assert (encode_pairs(fewer, [*FEATURES.values()]) == codes[some]).all()


def test_columns_are_in_the_order_of_the_features():
    chosen = choose_features("en", only=["number_match", "head_match"])
    assert names(chosen) == ["head_match", "number_match"]
    assert [one.name for one in list_columns(chosen)] == ["head_match", "number_match"]
    assert list_columns(chosen)[0].values == FEATURES["head_match"].values
    pairs = pair_with_earlier(table_of(ANN), 0, 2)
    backwards = encode_pairs(pairs, chosen[::-1])
    assert (backwards == encode_pairs(pairs, chosen)[:, ::-1]).all()


@pytest.mark.parametrize("code", LANGUAGES)
def test_all_features_of_a_language_are_chosen_unless_told(code):
    assert names(choose_features(code)) == [*LANGUAGE_FEATURES[code]]


@pytest.mark.parametrize("code", LANGUAGES)
def test_each_feature_can_be_switched_off_and_be_alone(code):
    every = [*LANGUAGE_FEATURES[code]]
    for name in every:
        rest = [one for one in every if one != name]
        assert names(choose_features(code, without=[name])) == rest
        assert names(choose_features(code, only=[name])) == [name]


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("code", LANGUAGES)
def test_groups_are_switched_together(code, group):
    inside = names(choose_features(code, only=[group]))
    outside = names(choose_features(code, without=[group]))
    assert inside
    assert {FEATURES[name].group for name in inside} == {group}
    assert sorted(inside + outside) == sorted(LANGUAGE_FEATURES[code])


def test_what_is_left_out_goes_before_what_is_wanted():
    chosen = choose_features(
        "en", only=["semantics", "acronym"], without=["is_a_match"]
    )
    assert names(chosen) == [
        "acronym",
        "entity_type_first",
        "entity_type_match",
        "supertype_match",
    ]


@pytest.mark.parametrize("option", ["only", "without"])
@pytest.mark.parametrize("name", ["head_mach", "", "zero_first"])
def test_unknown_feature_is_refused_with_those_that_are_known(option, name):
    with pytest.raises(corefkit.SettingsError, match="unknown feature") as error:
        choose_features("en", **{option: ["head_match", name]})
    assert "head_match" in error.value.hint
    assert "strings" in error.value.hint


def test_some_feature_must_be_left():
    with pytest.raises(corefkit.SettingsError, match="no feature is left") as error:
        choose_features("en", without=GROUPS)
    assert error.value.hint
    with pytest.raises(corefkit.SettingsError, match="no feature is left"):
        choose_features("en", only=[])


def test_language_without_features_is_refused():
    with pytest.raises(corefkit.SettingsError, match="unsupported language"):
        choose_features("de")
