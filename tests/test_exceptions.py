"""The tree of exceptions, and how they read."""

from __future__ import annotations

import errno
import pickle

import pytest

from corefkit import CorefkitError, FormatError, PairingError, Refused, SettingsError
from corefkit.exceptions import refusal


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


def test_reason_is_one_line():
    error = FormatError("wrong\nthere", place="f:1", hint="mend\n  it")
    assert error.reason == "f:1: wrong there (mend it)"
    assert CorefkitError("wrong").reason == "wrong"


class TestRefusal:
    def test_is_the_error_itself(self):
        error = FormatError("wrong", place="f:1")
        assert refusal(error) is error

    def test_words_what_the_system_refuses(self):
        found = refusal(PermissionError(13, "Permission denied", b"a.conll"))
        assert str(found) == "a.conll: Permission denied"
        assert str(refusal(OSError("no name"))) == "no name"

    @pytest.mark.parametrize("number", [errno.EMFILE, errno.ENOSPC])
    def test_raises_what_is_the_machines(self, number):
        full = OSError(number, "no more")
        with pytest.raises(OSError, match="no more"):
            refusal(full)
        error = FormatError("cannot be read: no more", place="a.conll")
        error.__cause__ = full
        with pytest.raises(FormatError, match="no more"):
            refusal(error)

    def test_raises_settings_unless_they_are_about_a_place(self):
        with pytest.raises(SettingsError, match="wrong"):
            refusal(SettingsError("wrong"))
        assert refusal(SettingsError("wrong", place="f:1")).place == "f:1"


def test_refused_responses_come_through_other_processes():
    refused = Refused("a", FormatError("wrong", place="f:1"))
    again = pickle.loads(pickle.dumps(refused))
    assert (again.response, again.reason) == ("a", "f:1: wrong")
