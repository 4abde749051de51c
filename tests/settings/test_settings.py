"""Settings, their signature and the presets."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import FrozenInstanceError, fields, replace

import pytest
from raising import raises

import corefkit
from corefkit import PRESETS, FormatError, PairingError, Settings, SettingsError
from corefkit.settings import SETTINGS, VERSION, resolve_settings

CHOSEN = [name for name, row in SETTINGS.items() if row.choices]
CHOICES = [(name, value) for name in CHOSEN for value in SETTINGS[name].choices]
DEFAULT_SIGNATURE = (
    f"corefkit:{VERSION}|match:exact|singletons:keep|repeated:first|missing:empty|"
    "blanc:key|average:micro"
)


def test_default_signature_is_that_of_the_contract():
    assert Settings().signature == DEFAULT_SIGNATURE


def test_first_choice_is_the_default():
    assert {field.name: field.default for field in fields(Settings)} == {
        **{name: next(iter(SETTINGS[name].choices)) for name in CHOSEN},
        "weights": "ace2005",
        "only": "all",
        "topics": "id",
        "window": "none",
        "by": "none",
        "max_drift": "0.2",
    }


@pytest.mark.parametrize(
    ("name", "value"), [one for one in CHOICES if one[1] != SETTINGS[one[0]].default]
)
def test_signature_shows_every_change(name, value):
    signature = Settings(**{name: value}).signature
    assert signature != DEFAULT_SIGNATURE
    assert f"|{SETTINGS[name].signed}:{value}" in signature


def test_released_presets_never_change():
    assert {name: settings.signature for name, settings in PRESETS.items()} == {
        "conll2012": f"corefkit:{VERSION}|match:exact|singletons:keep|"
        "repeated:reference|missing:empty|blanc:key|average:micro|reading:reference",
        "crac2022": f"corefkit:{VERSION}|match:partial|singletons:drop|repeated:first|"
        "missing:empty|blanc:links|average:micro",
        "crac2023": f"corefkit:{VERSION}|match:head|singletons:drop|repeated:first|"
        "missing:empty|blanc:links|average:micro",
        "crac2024": f"corefkit:{VERSION}|match:head|singletons:drop|repeated:first|"
        "missing:empty|blanc:links|average:micro|zeros:dependency",
        "crac2025": f"corefkit:{VERSION}|match:head|singletons:drop|repeated:first|"
        "missing:empty|blanc:links|average:micro|zeros:dependency",
        "crac2026": f"corefkit:{VERSION}|match:head|singletons:drop|repeated:first|"
        "missing:empty|blanc:links|average:micro|zeros:dependency",
        "ua": f"corefkit:{VERSION}|match:exact|singletons:keep|repeated:first|"
        "missing:empty|blanc:links|average:micro|zeros:drop|split:score",
        "ace2005": DEFAULT_SIGNATURE,
    }


@pytest.mark.parametrize("odd", ["|", ":", "%7C", "\n", " ", "`", "\x1b", "\udc80"])
def test_names_in_weights_are_encoded_in_the_signature(odd):
    settings = Settings(weights=f"type:x{odd}average:macro=1,other=2")
    plain = Settings(weights="type:x=1,other=2")
    assert settings.signature.count("|") == plain.signature.count("|")
    assert "average:macro" not in settings.signature
    assert settings.signature.isprintable()
    assert odd not in settings.signature.rpartition("|")[2].partition("x")[2]
    assert settings != plain


def test_different_names_in_weights_have_different_signatures():
    names = ["x|y", "x%7Cy", "x:y", "x y"]
    signatures = {Settings(weights=f"type:{name}=1").signature for name in names}
    assert len(signatures) == len(names)


def test_weights_are_normalized_in_the_signature():
    one = Settings(weights="mention_type: PRO=.10, NAM=1 ; type:PER=2")
    other = Settings(weights="type:PER=2.0;mention_type:NAM=1,PRO=0.1")
    assert one == other
    spelling = "weights:type:PER=2;mention_type:NAM=1,PRO=0.1"
    assert one.signature == f"{DEFAULT_SIGNATURE}|{spelling}"


def test_settings_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        Settings().match = "head"


def test_keywords_change_a_preset():
    settings = resolve_settings(preset="conll2012", average="macro", missing=None)
    assert (settings.repeated, settings.average, settings.missing) == (
        "reference",
        "macro",
        "empty",
    )


@pytest.mark.parametrize(
    ("changes", "slug", "named", "hint"),
    [
        ({"preset": "conll12"}, "preset", "'conll12'", "did you mean 'conll2012'?"),
        ({"preset": "x"}, "preset", "'x'", "known are conll2012"),
        (
            {"singletons": "drops"},
            "value",
            "'drops' for 'singletons'",
            "did you mean 'drop'?",
        ),
        (
            {"singleton": "drop"},
            "setting",
            "'singleton'",
            "did you mean 'singletons'?",
        ),
        ({"reading": "reference"}, "setting", "'reading'", "known are match"),
    ],
)
def test_unknown_names_are_rejected_with_suggestion(changes, slug, named, hint):
    with raises(SettingsError, f"settings/unknown-{slug}", place=None) as refused:
        resolve_settings(**changes)
    assert named in refused.value.message
    assert hint in refused.value.hint


@pytest.mark.parametrize("value", [7, ["drop"], b"drop"])
def test_value_that_is_not_a_string_is_rejected(value):
    for name, row in SETTINGS.items():
        if row.annotation != "str | None" and value == 7:
            continue
        with raises(SettingsError, "settings/unknown-value", place=None):
            Settings(**{name: value})
        if SETTINGS[name].is_option:
            with raises(SettingsError, "settings/unknown-value", place=None):
                resolve_settings(**{name: value})


def test_equal_settings_are_cached():
    assert resolve_settings() is resolve_settings(match=None)
    assert resolve_settings(preset="ua") is PRESETS["ua"]
    assert resolve_settings(match="head") is resolve_settings(match="head")
    assert resolve_settings(match="head") is not resolve_settings(match="min")


WORDS = (("Ann", "slept", "."),)


def document(name, *entities, words=WORDS):
    mentions = [[corefkit.Mention(at, at, head=at) for at in one] for one in entities]
    made = [corefkit.Entity(str(number), one) for number, one in enumerate(mentions)]
    return corefkit.Document(name, words, tuple(made))


# Two documents, of which the response lacks one; a mention twice; other tokens.
KEY = [document("t_1", [0, 1], [1, 2]), document("t_2", [0, 1])]
RESPONSE = [document("t_1", [0, 1], [1, 2])]
CUT = [document("t_1", [0, 1], words=(("An", "n", "slept", "."),))]


def add_bogus(name, monkeypatch):
    row = SETTINGS[name]
    choices = {**row.choices, "bogus": "nothing follows it"}
    monkeypatch.setitem(SETTINGS, name, replace(row, choices=choices))


@pytest.mark.parametrize("name", CHOSEN)
def test_choice_without_implementation_raises_an_error(name, monkeypatch):
    add_bogus(name, monkeypatch)
    monkeypatch.setattr("corefkit.settings._FACTS", ())
    # Some settings only have an effect along with others.
    others = {
        "undefined": {"average": "macro"},
        "by_rule": {"by": "size"},
        "unplaced": {"tokens": "aligned"},
    }
    settings = Settings(**{name: "bogus"}, **others.get(name, {}))
    response = CUT if name == "tokens" else RESPONSE
    with raises(SettingsError, "settings/unknown-value", place=None) as refused:
        str(corefkit.score_responses(KEY, [response], settings=settings)[0])
    assert f"'bogus' for '{name}'" in refused.value.message


@pytest.mark.parametrize("name", CHOSEN)
def test_choice_without_implementation_fails_for_any_input(name, monkeypatch):
    add_bogus(name, monkeypatch)
    with raises(SettingsError, "settings/unknown-value", place=None):
        corefkit.score(["ab"], ["ab"], settings=Settings(**{name: "bogus"}))["blanc"]


@pytest.mark.parametrize(("name", "value"), CHOICES)
def test_every_choice_is_implemented(name, value):
    settings = Settings(**{name: value})
    response = CUT if name == "tokens" else RESPONSE
    rejecting = {
        ("repeated", "error"): (FormatError, "format/repeated-mention"),
        ("missing", "error"): (PairingError, "pairing/missing-document"),
        ("tokens", "same"): (PairingError, "pairing/different-text"),
        ("tokens", "aligned"): (PairingError, "pairing/too-much-drift"),
    }
    error = rejecting.get((name, value))
    with raises(*error) if error else nullcontext():
        assert str(corefkit.score_responses(KEY, [response], settings=settings)[0])
