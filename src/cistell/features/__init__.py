"""Features of pairs of mentions: one small function each, and the table of all.

A new feature is a function with the decorator `feature` in the module of its group, and
its name in the languages that it is for (`cistell.languages`). All features
have a closed list of values, so that a pair is a row of small numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cistell.features import morphology, semantics, strings, syntax
from cistell.features.base import Feature
from cistell.languages import language_named
from cistell.learners.base import Column
from corefkit.exceptions import SettingsError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cistell.features.base import Pairs
    from cistell.learners.base import Codes

GROUPS = ("strings", "morphology", "syntax", "semantics")

FEATURES: Mapping[str, Feature] = {
    value.name: value
    for module in (strings, morphology, syntax, semantics)
    for value in vars(module).values()
    if isinstance(value, Feature)
}


def chosen_features(
    language: str, *, only: Iterable[str] | None = None, without: Iterable[str] = ()
) -> tuple[Feature, ...]:
    """Return the features of a language, or some of them, by names or groups.

    >>> [feature.name for feature in chosen_features("en", only=["semantics"])][:2]
    ['entity_type_first', 'entity_type_match']
    """
    names = language_named(language).features
    kept = {*(names if only is None else _named(only, names))}
    kept -= {*_named(without, names)}
    chosen = tuple(FEATURES[name] for name in names if name in kept)
    if not chosen:
        message = "no feature is left to describe pairs"
        raise SettingsError(
            message,
            code="settings/missing-value",
            hint="leave out fewer, or name more of them",
        )
    return chosen


def _named(words: Iterable[str], names: Sequence[str]) -> list[str]:
    found: list[str] = []
    for word in words:
        if word in GROUPS:
            found.extend(name for name in names if FEATURES[name].group == word)
        elif word in names:
            found.append(word)
        else:
            message = f"there is no feature {quoted(word)}"
            hint = f"choose of {', '.join((*GROUPS, *names))}"
            raise SettingsError(message, code="settings/unknown-value", hint=hint)
    return found


def columns_of(features: Sequence[Feature]) -> tuple[Column, ...]:
    """Return the names and values of features, as learners need them."""
    return tuple(Column(feature.name, feature.values) for feature in features)


def codes_of(pairs: Pairs, features: Sequence[Feature]) -> Codes:
    """Describe pairs: a row for each, a column for each feature."""
    codes = np.empty((len(pairs), len(features)), np.uint8)
    for column, feature in enumerate(features):
        codes[:, column] = feature.indices(pairs)
    return codes
