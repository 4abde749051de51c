"""Settings: everything that changes a score, and the signature that says so.

A setting is one field of `Settings`, one row of `CHOICES`, and one option of
`corefkit score`; presets are named records of them. Weights have no choices: they are
written as `corefkit.settings.weights` says.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, TypedDict, TypeVar, Unpack, cast

from corefkit.exceptions import SettingsError
from corefkit.settings.weights import signed, spelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

VERSION = "0.1.0"

_Meaning = TypeVar("_Meaning")

CHOICES: Mapping[str, tuple[str, ...]] = {
    "match": ("exact", "head", "partial", "min"),
    "singletons": ("keep", "drop", "drop-key", "drop-response"),
    "repeated": ("first", "error", "reference"),
    "missing": ("empty", "error", "skip"),
    "blanc_rule": ("key", "both", "links"),
    "average": ("micro", "macro"),
    "zeros": ("position", "dependency", "drop"),
    "split": ("ignore", "score"),
    "scope": ("document", "topic", "corpus"),
    "tokens": ("same", "characters"),
    "reading": ("strict", "reference"),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """What was computed; the default is the first choice of each setting.

    Attributes:
        match: when a key and a response mention are the same: with the same tokens, the
            same head, inside the key mention and with its head, or with its minimum.
        singletons: whether entities of one mention are scored, or dropped on both sides
            or on one.
        repeated: a mention that stands in a side more than once is kept in the first
            of its entities, or refused, or treated as the reference scorer does.
        missing: a key document without response is scored as an empty response, or
            refused, or left out.
        blanc_rule: BLANC leaves out a kind of link that the key has none of, or one
            that neither side has; without any link, `links` gives 0 where `both` gives
            1 for the same mentions.
        average: add the counts of all documents, or average the documents' scores.
        zeros: mentions of empty nodes are matched by their position, or first by what
            they depend on, or dropped.
        split: split antecedents are left aside, or scored; metrics that cannot score
            them are then refused.
        scope: entities are compared inside a document, or by their ids across the
            documents of a topic or of the whole corpus.
        tokens: both sides must have the same tokens, or only the same characters.
        weights: what mentions are worth by type and kind, for the metrics that weigh
            them.
        reading: take documents as people mean them and check the text, or take them
            as the reference scorer does (its preset only).

    >>> Settings(singletons="drop") == settings_from(singletons="drop")
    True
    """

    match: str = "exact"
    singletons: str = "keep"
    repeated: str = "first"
    missing: str = "empty"
    blanc_rule: str = "key"
    average: str = "micro"
    zeros: str = "position"
    split: str = "ignore"
    scope: str = "document"
    tokens: str = "same"
    weights: str = "ace2005"
    reading: str = "strict"

    def __post_init__(self) -> None:
        """Refuse a value that is not among the choices."""
        for name, choices in CHOICES.items():
            value = getattr(self, name)
            if value not in choices:
                message = f"unknown value {value!r} for {name!r}"
                raise SettingsError(message, hint=suggest(value, choices))
        object.__setattr__(self, "weights", spelled(self.weights))

    @property
    def signature(self) -> str:
        """Name version and settings in one line, to be cited with a score.

        The settings that came later are named where they are not the default. Names in
        weights are escaped, so that none is taken for another setting.

        >>> Settings().signature
        'corefkit:0.1.0|match:exact|singletons:keep|repeated:first|missing:empty|blanc:key|average:micro'
        """
        parts = [f"corefkit:{VERSION}"]
        for field in fields(self):
            if field.name in _ALWAYS_NAMED or field.name in self.changed:
                value = getattr(self, field.name)
                shown = signed(value) if field.name == "weights" else value
                parts.append(f"{signed_name(field.name)}:{shown}")
        return "|".join(parts)

    def check(self) -> None:
        """Refuse a value without a meaning, before anything is read or counted.

        What a value means is said once, for all who ask: in a property below, or in a
        table of the only module that asks. None is taken for another.
        """
        for fact in _FACTS:
            getattr(self, fact)

    @property
    def without_singletons(self) -> tuple[str, ...]:
        """The sides from which entities of one mention are dropped."""
        sides = "key", "response"
        dropped = {"keep": (), "drop": sides, "drop-key": sides[:1]}
        return by_choice(self, "singletons", dropped | {"drop-response": sides[1:]})

    @property
    def counts_copies(self) -> bool:
        """Whether repeated mentions are counted as the reference scorer does."""
        copies = {"first": False, "error": False, "reference": True}
        return by_choice(self, "repeated", copies)

    @property
    def skips_missing(self) -> bool:
        """Whether documents that the response lacks are left out."""
        skips = {"empty": False, "error": False, "skip": True}
        return by_choice(self, "missing", skips)

    @property
    def is_macro(self) -> bool:
        """Whether documents' scores are averaged."""
        return by_choice(self, "average", {"micro": False, "macro": True})

    @property
    def scores_split(self) -> bool:
        """Whether split antecedents are scored."""
        return by_choice(self, "split", {"ignore": False, "score": True})

    @property
    def joins_documents(self) -> bool:
        """Whether entities are compared across documents."""
        joined = {"document": False, "topic": True, "corpus": True}
        return by_choice(self, "scope", joined)

    @property
    def by_characters(self) -> bool:
        """Whether sides with other tokens are compared by characters."""
        return by_choice(self, "tokens", {"same": False, "characters": True})

    @property
    def reads_as_reference(self) -> bool:
        """Whether documents are taken as the reference scorer takes them."""
        return by_choice(self, "reading", {"strict": False, "reference": True})

    @property
    def changed(self) -> dict[str, str]:
        """The settings that are not the default, by name.

        >>> Settings(average="macro").changed
        {'average': 'macro'}
        """
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }


_FACTS = (
    "without_singletons",
    "counts_copies",
    "skips_missing",
    "is_macro",
    "scores_split",
    "joins_documents",
    "by_characters",
    "reads_as_reference",
)

# A signature of default settings never changes, whatever settings are added.
_ALWAYS_NAMED = ("match", "singletons", "repeated", "missing", "blanc_rule", "average")

DEFAULT_SETTINGS = Settings()

PRESETS: Mapping[str, Settings] = {
    # The CoNLL reference scorer v8.01.
    "conll2012": Settings(repeated="reference", reading="reference"),
    # The CorefUD scorer, version 1.2 throughout, as each shared task called it.
    "crac2022": Settings(match="partial", singletons="drop", blanc_rule="links"),
    "crac2023": Settings(match="head", singletons="drop", blanc_rule="links"),
    "crac2024": Settings(
        match="head", singletons="drop", blanc_rule="links", zeros="dependency"
    ),
    "crac2025": Settings(
        match="head", singletons="drop", blanc_rule="links", zeros="dependency"
    ),
    # The Universal Anaphora scorer 2.0 for anaphora resolution (CODI-CRAC 2022).
    "ua": Settings(blanc_rule="links", zeros="drop", split="score"),
    # ACE-value with the default parameters of NIST's script of that year.
    "ace2005": Settings(weights="ace2005"),
}


class Keywords(TypedDict, total=False):
    """Settings as keywords of a function; None is no change.

    They are those of `Settings`, a record of them to start from, or else the name of a
    preset. Functions that take them say so with `names_settings`.
    """

    settings: Settings | None
    preset: str | None
    match: str | None
    singletons: str | None
    repeated: str | None
    missing: str | None
    blanc_rule: str | None
    average: str | None
    zeros: str | None
    split: str | None
    scope: str | None
    tokens: str | None
    weights: str | None


_STARTS = ("settings", "preset")
_Function = TypeVar("_Function", bound=Callable[..., object])


def names_settings(function: _Function) -> _Function:
    """Let `help` and the like name the settings that a function takes as keywords.

    >>> @names_settings
    ... def scored(key, **keywords): ...
    >>> list(inspect.signature(scored).parameters)[:4]
    ['key', 'settings', 'preset', 'match']
    """
    own = inspect.signature(function)
    named = [one for one in own.parameters.values() if one.kind is not one.VAR_KEYWORD]
    settings = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation="Settings | None" if name == "settings" else "str | None",
        )
        for name in Keywords.__annotations__
    ]
    found = own.replace(parameters=[*named, *settings])
    vars(function)["__signature__"] = found
    return function


def settings_from(**keywords: Unpack[Keywords]) -> Settings:
    """Build settings from those given, or from a preset, and changes to them.

    >>> settings_from(preset="conll2012", singletons="drop").repeated
    'reference'
    >>> settings_from(settings=Settings(match="head"), singletons="drop").match
    'head'
    >>> settings_from(singleton="drop")
    Traceback (most recent call last):
    corefkit.exceptions.SettingsError: unknown setting 'singleton'
    <BLANKLINE>
    hint: did you mean 'singletons'? known are match, singletons, repeated, missing, \
blanc_rule, average, zeros, split, scope, tokens, weights
    """
    given = {name: value for name, value in keywords.items() if value is not None}
    start = _start(given.pop("settings", None), given.pop("preset", None))
    options = [name for name in Keywords.__annotations__ if name not in _STARTS]
    for name in given:
        if name not in options:
            message = f"unknown setting {name!r}"
            raise SettingsError(message, hint=suggest(name, options))
    return replace(start, **cast("dict[str, str]", given))


def _start(settings: object, preset: object) -> Settings:
    """Give the settings that others change."""
    if settings is not None and preset is not None:
        message = "settings and a preset are given, expected one of them"
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
        raise SettingsError(message, hint="a preset is named by preset='...'")
    return settings


def by_choice(
    settings: Settings, name: str, meanings: Mapping[str, _Meaning]
) -> _Meaning:
    """Give what the value of a setting means to who asks; none goes for another.

    >>> by_choice(Settings(average="macro"), "average", {"micro": 1, "macro": 2})
    2
    >>> by_choice(Settings(match="min"), "match", {"exact": 1})
    Traceback (most recent call last):
    corefkit.exceptions.SettingsError: 'min' for 'match' is not known here
    <BLANKLINE>
    hint: known are exact
    """
    value = getattr(settings, name)
    if value not in meanings:
        message = f"{value!r} for {name!r} is not known here"
        raise SettingsError(message, hint=suggest(value, meanings))
    return meanings[value]


def signed_name(setting: str) -> str:
    """Say how the signature calls a setting.

    >>> signed_name("blanc_rule"), signed_name("match")
    ('blanc', 'match')
    """
    return setting.removesuffix("_rule")


def suggest(name: str, known: Iterable[str]) -> str:
    """Word a hint that offers the nearest of the known names, then all of them.

    >>> suggest("muk", ["muc", "lea"])
    "did you mean 'muc'? known are muc, lea"
    """
    known = list(known)
    nearest = get_close_matches(str(name).lower(), known, n=1)
    listing = f"known are {', '.join(known)}"
    return f"did you mean {nearest[0]!r}? {listing}" if nearest else listing
