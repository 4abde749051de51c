"""Weights written in one line."""

from __future__ import annotations

import pytest

from corefkit import SettingsError
from corefkit.settings.weights import NAMED, Weights, normalized, weights_of


def test_a_mention_is_worth_the_product_of_its_weights():
    weights = weights_of("type:PER=2,ORG=0.5;mention_type:NAM=1,PRO=0.1")
    assert weights.worth({"type": "PER", "mention_type": "NAM"}) == 2
    assert weights.worth({"type": "ORG", "mention_type": "PRO"}) == 0.05


def test_what_is_not_named_weighs_1_or_as_other():
    assert weights_of("type:PER=2").worth({"type": "LOC"}) == 1
    weights = weights_of("type:PER=2,other=0.25")
    assert weights.worth({"type": "LOC"}) == 0.25
    assert weights.worth({}) == 0.25


def test_a_confusion_is_of_key_and_response_in_this_order():
    weights = weights_of("type_confusion:PER/ORG=0.5,other=0.1")
    person, organisation = {"type": "PER"}, {"type": "ORG"}
    assert weights.left(person, organisation) == 0.5
    assert weights.left(organisation, person) == 0.1
    assert weights.left(person, person) == 1
    assert weights.left(person, {}) == 0.1


def test_confusions_of_types_and_kinds_multiply():
    weights = NAMED["ace2005"]
    key = {"type": "PER", "mention_type": "NAM"}
    response = {"type": "ORG", "mention_type": "NOM"}
    assert weights.left(key, response) == 0.5 * 0.9


def test_sections_say_which_attributes_they_look_at():
    assert weights_of("type:PER=1").asked_for == ("type",)
    assert weights_of("mention_type_confusion:other=0").asked_for == ("mention_type",)
    assert Weights().asked_for == ()
    assert NAMED["ace2005-original"].asked_for == ("type", "mention_type")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "weights are empty"),
        (" ; ", "weights are empty"),
        ("ace2006", "weights say 'ace2006', expected `section:name=weight,...`"),
        ("size:a=1", "weights have a section 'size', expected one of type, "),
        ("type:PER", "weights say 'PER', expected `name=number`, 0 or more"),
        ("type:PER=much", "weights say 'PER=much', expected `name=number`"),
        ("type:PER=-1", "weights say 'PER=-1', expected `name=number`, 0 or more"),
        ("type:PER=inf", "weights say 'PER=inf'"),
        ("type:PER=nan", "weights say 'PER=nan'"),
        ("type:=1", "weights say '=1'"),
        ("type:PER=1,PER=2", "weights state 'PER' twice"),
        ("type:PER=1;type:PER=2", "weights state 'PER' twice"),
        ("type_confusion:PER/ORG=2", "expected `name=number`, from 0 to 1"),
        ("type_confusion:PER=0.5", "a confusion is called 'PER', expected"),
    ],
)
def test_what_cannot_be_read_is_refused_with_an_example(text, message):
    with pytest.raises(SettingsError) as refused:
        weights_of(text)
    assert message in str(refused.value)
    assert "for example 'type:PER=1,ORG=0.5; " in str(refused.value)


@pytest.mark.parametrize("name", NAMED)
def test_named_weights_are_called_by_their_name(name):
    assert normalized(name) == name
    assert weights_of(name) is NAMED[name]


def test_spelling_is_read_as_the_same():
    text = "type: b=1e-3, a=2; mention_type_confusion: NAM/NOM = .5"
    assert normalized(text) == "type:a=2,b=0.001;mention_type_confusion:NAM/NOM=0.5"
    assert weights_of(normalized(text)) == weights_of(text)
