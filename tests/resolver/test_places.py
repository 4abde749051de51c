"""Which model is used where none is named."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cistell import places
from cistell.loading import chosen_model
from corefkit.exceptions import SettingsError


@pytest.fixture(autouse=True)
def nothing(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("COREFKIT_MODEL", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(places, "_HERE", tmp_path / "bundled")


def written(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def test_the_environment_comes_first_then_the_user_then_what_is_bundled(
    tmp_path, monkeypatch
):
    assert places.default_model() is None
    bundled = written(tmp_path / "bundled/en.model")
    assert places.default_model() == bundled
    own = written(tmp_path / "corefkit/en.model")
    assert places.default_model() == own == places.users_model()
    monkeypatch.setenv("COREFKIT_MODEL", "mine.model")
    assert places.default_model() == Path("mine.model")


def test_languages_have_models_of_their_own(tmp_path):
    written(tmp_path / "corefkit/es.model")
    assert places.default_model("en") is None
    assert places.default_model("es") == tmp_path / "corefkit/es.model"


@pytest.mark.parametrize(
    ("platform", "end"),
    [
        ("linux", ".local/share/corefkit"),
        ("darwin", "Library/Application Support/corefkit"),
        ("win32", "AppData/Local/corefkit"),
    ],
)
def test_every_system_has_its_folder(monkeypatch, tmp_path, platform, end):
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", "relative")  # which does not count
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert places.users_folder() == tmp_path / end


def test_what_to_do_without_a_model_is_told():
    with pytest.raises(SettingsError, match="no model to resolve with") as error:
        chosen_model(None)
    for way in ("--from-scratch", "--model", "COREFKIT_MODEL", "sieve"):
        assert way in error.value.hint
    assert chosen_model("named.model") == "named.model"
