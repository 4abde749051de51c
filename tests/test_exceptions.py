"""The tree of exceptions, and how they read."""

from __future__ import annotations

import errno
import pickle

import pytest

from corefkit import CorefkitError, FormatError, PairingError, Refused, SettingsError
from corefkit.exceptions import convert_error

CODE = "format/malformed"


@pytest.mark.parametrize("kind", [FormatError, PairingError, SettingsError])
def test_every_error_is_a_corefkit_error(kind):
    assert kind.__bases__ == (CorefkitError,)


@pytest.mark.parametrize(
    ("place", "hint", "text"),
    [
        (None, None, "wrong"),
        ("f:1", None, "f:1: wrong"),
        (None, "fix it", "wrong\n\nhint: fix it"),
        ("f:1", "fix it", "f:1: wrong\n\nhint: fix it"),
    ],
)
def test_text_has_place_message_and_hint(place, hint, text):
    assert str(CorefkitError("wrong", code=CODE, place=place, hint=hint)) == text


def test_error_survives_pickling():
    error = FormatError("wrong", code=CODE, place="f:1", hint="fix it")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is FormatError
    assert copy.args == error.args
    assert vars(copy) == vars(error)


def test_reason_is_one_line():
    error = FormatError("wrong\nthere", code=CODE, place="f:1", hint="fix\n  it")
    assert error.reason == "f:1: wrong there (fix it)"
    assert CorefkitError("wrong", code=CODE).reason == "wrong"


class TestRefusal:
    def test_corefkit_error_is_returned_unchanged(self):
        error = FormatError("wrong", code=CODE, place="f:1")
        assert convert_error(error) is error

    def test_system_error_is_converted(self):
        found = convert_error(PermissionError(13, "Permission denied", b"a.conll"))
        assert str(found) == "a.conll: Permission denied"
        assert str(convert_error(OSError("no name"))) == "no name"

    @pytest.mark.parametrize("number", [errno.EMFILE, errno.ENOSPC])
    def test_system_limits_are_raised(self, number):
        full = OSError(number, "no more")
        with pytest.raises(OSError, match="no more"):
            convert_error(full)
        error = FormatError("cannot be read: no more", code=CODE, place="a.conll")
        error.__cause__ = full
        with pytest.raises(FormatError, match="no more"):
            convert_error(error)

    def test_settings_errors_without_place_are_raised(self):
        with pytest.raises(SettingsError, match="wrong"):
            convert_error(SettingsError("wrong", code=CODE))
        assert (
            convert_error(SettingsError("wrong", code=CODE, place="f:1")).place == "f:1"
        )


def test_refused_responses_are_pickled():
    refused = Refused("a", FormatError("wrong", code=CODE, place="f:1"))
    again = pickle.loads(pickle.dumps(refused))
    assert (again.response, again.reason) == ("a", "f:1: wrong")
