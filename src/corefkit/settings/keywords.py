"""Settings as keywords of a function.

`Keywords` is written out for editors and type checkers, which cannot read rows; a test
checks it against them. Signatures and docstrings of the functions are made from rows.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import TypedDict, TypeVar, Unpack

from corefkit.exceptions import SettingsError
from corefkit.settings import DEFAULT_SETTINGS, PRESETS, SETTINGS, Settings
from corefkit.settings.rows import documented
from corefkit.strings.nearest import suggest

_Function = TypeVar("_Function", bound=Callable[..., object])


class Keywords(TypedDict, total=False):
    """Settings as keywords of a function; None changes nothing.

    They are those of `Settings`, and what to start from: other settings, or the name of
    a preset. Functions that take them are decorated with `names_settings`.
    """

    settings: Settings | None
    preset: str | None
    match: str | None
    singletons: str | None
    repeated: str | None
    missing: str | None
    blanc_rule: str | None
    average: str | None
    undefined: str | None
    zeros: str | None
    split: str | None
    scope: str | None
    tokens: str | None
    weights: str | None


_STARTS = {
    "settings": "a `Settings` value to start from; the keywords below change it",
    "preset": "the name of settings to start from instead: " + ", ".join(PRESETS),
}


def names_settings(function: _Function) -> _Function:
    """Let `help` list the settings that a function takes as keywords.

    They take the place of `keywords` in the signature and in the docstring.

    >>> @names_settings
    ... def scored(key, **keywords): ...
    >>> list(inspect.signature(scored).parameters)[:4]
    ['key', 'settings', 'preset', 'match']
    """
    own = inspect.signature(function)
    named = [
        parameter
        for parameter in own.parameters.values()
        if parameter.kind is not parameter.VAR_KEYWORD
    ]
    texts = _STARTS | {row.name: row.text for row in SETTINGS.values() if row.is_option}
    settings = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation="Settings | None" if name == "settings" else "str | None",
        )
        for name in texts
    ]
    vars(function)["__signature__"] = own.replace(parameters=[*named, *settings])
    function.__doc__ = documented(function.__doc__, texts.items())
    return function


def settings_from(**keywords: Unpack[Keywords]) -> Settings:
    """Build settings from a start and changes to it.

    >>> settings_from(preset="conll2012", singletons="drop").repeated
    'reference'
    >>> settings_from(settings=Settings(match="head"), singletons="drop").match
    'head'
    >>> settings_from(singleton="drop")
    Traceback (most recent call last):
    corefkit.exceptions.SettingsError: unknown setting 'singleton'
    <BLANKLINE>
    hint: did you mean 'singletons'? known are match, singletons, repeated, missing, \
blanc_rule, average, undefined, zeros, split, scope, tokens, weights
    """
    given: dict[str, object] = {
        name: value for name, value in keywords.items() if value is not None
    }
    start = _start(given.pop("settings", None), given.pop("preset", None))
    if not given:
        return start
    options = [row.name for row in SETTINGS.values() if row.is_option]
    for name in given:
        if name not in options:
            message = f"unknown setting {name!r}"
            raise SettingsError(message, hint=suggest(name, options))
    return _changed(
        start, **{name: SETTINGS[name].checked(value) for name, value in given.items()}
    )


# The same settings are the same value, whose facts are then known.
@lru_cache(maxsize=256)
def _changed(start: Settings, **changes: str) -> Settings:
    return replace(start, **changes)


def _start(settings: object, preset: object) -> Settings:
    """Find the settings to start from."""
    if settings is not None and preset is not None:
        message = "found settings and a preset, expected one of them"
        hint = "keywords change either: settings=..., singletons='drop'"
        raise SettingsError(message, hint=hint)
    if preset is not None:
        if not isinstance(preset, str) or preset not in PRESETS:
            message = f"unknown preset {preset!r}"
            raise SettingsError(message, hint=suggest(str(preset), PRESETS))
        return PRESETS[preset]
    if settings is None:
        return DEFAULT_SETTINGS
    if not isinstance(settings, Settings):
        message = f"found settings {settings!r}, expected a `Settings` record"
        raise SettingsError(message, hint="a preset is named with preset='...'")
    return settings
