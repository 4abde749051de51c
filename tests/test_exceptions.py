"""The tree of exceptions, and how they read."""

from __future__ import annotations

import pickle

import pytest

from corefkit import CorefkitError, FormatError, PairingError, SettingsError


@pytest.mark.parametrize("kind", [FormatError, PairingError, SettingsError])
def test_every_error_is_a_corefkit_error(kind):
    assert kind.__bases__ == (CorefkitError,)


@pytest.mark.parametrize(
    ("place", "hint", "text"),
    [
        (None, None, "wrong"),
        ("f:1", None, "f:1: wrong"),
        (None, "mend it", "wrong\n\nhint: mend it"),
        ("f:1", "mend it", "f:1: wrong\n\nhint: mend it"),
    ],
)
def test_text_has_place_message_and_hint(place, hint, text):
    assert str(CorefkitError("wrong", place=place, hint=hint)) == text


def test_errors_come_through_other_processes_whole():
    error = pickle.loads(
        pickle.dumps(FormatError("wrong", place="f:1", hint="mend it"))
    )
    assert str(error) == "f:1: wrong\n\nhint: mend it"
