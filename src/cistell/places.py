"""Where models are: the one that a user has, and the one that comes with corefkit."""

from __future__ import annotations

import os
import sys
from pathlib import Path

# A model file to use in place of the others.
ENVIRONMENT = "COREFKIT_MODEL"
_HERE = Path(__file__).parent / "bundled"


def default_model(language: str = "en") -> Path | None:
    """Find the model of a language that is used where none is named.

    That is the file that COREFKIT_MODEL names, whatever its language; else the user's
    own, which `corefkit train --from-scratch` writes; else the one that comes with
    corefkit; None if there is none.
    """
    named = os.environ.get(ENVIRONMENT)
    if named:
        return Path(named)
    places = (users_model(language), _HERE / f"{language}.model")
    return next((place for place in places if place.is_file()), None)


def is_bundled(path: str | os.PathLike[str]) -> bool:
    """Return whether a model file is the one that comes with corefkit."""
    return Path(path).parent == _HERE


def users_model(language: str = "en") -> Path:
    """Name the file of a user's own model, whether it is there or not."""
    return users_folder() / f"{language}.model"


def users_folder() -> Path:
    """Name the folder where systems keep what programs have of a user."""
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "corefkit"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return Path(local or home / "AppData" / "Local") / "corefkit"
    # https://specifications.freedesktop.org/basedir-spec: a path that is not absolute
    # does not count.
    data = Path(os.environ.get("XDG_DATA_HOME", ""))
    return (data if data.is_absolute() else home / ".local" / "share") / "corefkit"
