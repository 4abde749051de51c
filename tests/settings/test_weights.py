"""Weights written in one line."""

from __future__ import annotations

import pytest
from raising import raises

from corefkit import SettingsError
from corefkit.weights import PRESET_WEIGHTS, Weights, normalize_weights, parse_weights


def test_a_mention_is_worth_the_product_of_its_weights():
    weights = parse_weights("type:PER=2,ORG=0.5;mention_type:NAM=1,PRO=0.1")
    assert weights.compute_worth({"type": "PER", "mention_type": "NAM"}) == 2
    assert weights.compute_worth({"type": "ORG", "mention_type": "PRO"}) == 0.05


def test_default_weight_is_1_or_other():
    assert parse_weights("type:PER=2").compute_worth({"type": "LOC"}) == 1
    weights = parse_weights("type:PER=2,other=0.25")
    assert weights.compute_worth({"type": "LOC"}) == 0.25
    assert weights.compute_worth({}) == 0.25


def test_confusions_are_ordered_by_key_and_response():
    weights = parse_weights("type_confusion:PER/ORG=0.5,other=0.1")
    person, organisation = {"type": "PER"}, {"type": "ORG"}
    assert weights.compute_share(person, organisation) == 0.5
    assert weights.compute_share(organisation, person) == 0.1
    assert weights.compute_share(person, person) == 1
    assert weights.compute_share(person, {}) == 0.1


def test_confusions_of_types_and_kinds_multiply():
    weights = PRESET_WEIGHTS["ace2005"]
    key = {"type": "PER", "mention_type": "NAM"}
    response = {"type": "ORG", "mention_type": "NOM"}
    assert weights.compute_share(key, response) == 0.5 * 0.9


def test_required_attributes_follow_from_the_sections():
    assert parse_weights("type:PER=1").required_attributes == ("type",)
    assert parse_weights("mention_type_confusion:other=0").required_attributes == (
        "mention_type",
    )
    assert Weights().required_attributes == ()
    assert PRESET_WEIGHTS["ace2005-original"].required_attributes == (
        "type",
        "mention_type",
    )


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "empty"),
        (" ; ", "empty"),
        ("ace2006", "'ace2006'"),
        ("size:a=1", "'size'"),
        ("type:PER", "'PER'"),
        ("type:PER=much", "'PER=much'"),
        ("type:PER=-1", "'PER=-1'"),
        ("type:PER=inf", "'PER=inf'"),
        ("type:PER=nan", "'PER=nan'"),
        ("type:=1", "'=1'"),
        ("type:PER=1,PER=2", "'PER' twice"),
        ("type:PER=1;type:PER=2", "'PER' twice"),
        ("type_confusion:PER/ORG=2", "from 0 to 1"),
        ("type_confusion:PER=0.5", "'PER'"),
    ],
)
def test_invalid_weights_are_rejected_with_an_example(text, named):
    with raises(SettingsError, "settings/invalid-weights", place=None) as refused:
        parse_weights(text)
    assert named in refused.value.message
    assert "'type:PER=1,ORG=0.5; " in refused.value.hint


@pytest.mark.parametrize("name", PRESET_WEIGHTS)
def test_named_weights_keep_their_name(name):
    assert normalize_weights(name) == name
    assert parse_weights(name) is PRESET_WEIGHTS[name]


def test_normalized_weights_are_equal():
    text = "type: b=1e-3, a=2; mention_type_confusion: NAM/NOM = .5"
    assert (
        normalize_weights(text) == "type:a=2,b=0.001;mention_type_confusion:NAM/NOM=0.5"
    )
    assert parse_weights(normalize_weights(text)) == parse_weights(text)
