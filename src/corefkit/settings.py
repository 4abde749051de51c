"""Settings: everything that changes a score, presets and the signature.

A setting is one row: a field of `Settings`, declared by a `Setting` with its choices
and their meanings. The default, validation, signature, command-line option, help,
hints of errors, and the signatures and docstrings of functions that take settings are
all derived from the row. Two places are written by hand and compared with the rows by
tests: the types in `Keywords`, and the table in `docs/cli.md`.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack

from corefkit.classes import CLASS_SYNTAX, NO_CLASS, normalize_class
from corefkit.exceptions import SettingsError
from corefkit.strings import escape_signature, suggest
from corefkit.weights import SYNTAX, encode_weights, normalize_weights

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

VERSION = "0.1.0"
ALL = "all"
BY_ID = "id"
_DOCSTRING_WIDTH = 80  # including the indentation
_PLACEHOLDERS = ("keywords: ", "fields: ")

_Meaning = TypeVar("_Meaning")
_Function = TypeVar("_Function", bound=Callable[..., object])


_TEXT = "str | None"


# Without slots, because texts are cached.
@dataclass(frozen=True)
class Setting:
    """One setting."""

    meaning: str  # the question that it answers, as a phrase
    # Its values with their meanings, the default first; empty if it is free text.
    choices: Mapping[str, str] = field(default_factory=dict)
    _: KW_ONLY
    default: str = ""  # of free text
    noun: str = ""  # of its free text in help, if it is not the name
    form: str = ""  # the syntax of free text, for help and hints
    check: Callable[[str], str] = str  # validates and normalizes free text
    # Encodes a value so that no part of it can be taken for another setting.
    sign: Callable[[str], str] = str
    signed: str = ""  # its name in the signature, if that differs from `name`
    always_signed: bool = False  # even if it has its default
    signed_with: str = ""  # the setting that adds it to the signature
    is_option: bool = True  # otherwise, it is not a setting of all functions
    annotation: str = _TEXT  # of the keyword; numbers become strings
    name: str = ""  # of the field of `Settings`, the keyword and the option
    flag: str = ""  # the name of the option, if it is another

    def make_field(self) -> Any:
        """Make the field of `Settings` that declares this setting."""
        return field(default=self.bind("").default, metadata={"setting": self})

    def bind(self, name: str) -> Setting:
        """Set the name and the defaults that depend on it and on the choices."""
        default = self.default or next(iter(self.choices))
        return replace(self, name=name, default=default, signed=self.signed or name)

    def normalize(self, value: object) -> str:
        """Validate a value and return it in its normal form."""
        if isinstance(value, float | int) and self.annotation != _TEXT:
            value = str(value)
        if not isinstance(value, str) or not is_choice(value, self.choices or [value]):
            message = f"unknown value {value!r} for {self.name!r}"
            hint = suggest(str(value), self.choices) if self.choices else self.form
            raise SettingsError(message, code="settings/unknown-value", hint=hint)
        return self.check(value)

    @cached_property
    def option(self) -> str:
        """The command-line option."""
        return f"--{self.flag or self.name.replace('_', '-')}"

    @cached_property
    def metavar(self) -> str:
        """The placeholder of the value in help texts and in the documentation."""
        return "|".join(self.choices) or (self.noun or self.name).upper()

    @cached_property
    def help(self) -> str:
        """The help of the option, with one line for each value."""
        if not self.choices:
            return f"{self.meaning}: {self.form} (default: {self.default})"
        return "\n  ".join([self.meaning, *self._describe_values("")])

    @cached_property
    def text(self) -> str:
        """The same in one line, for docstrings and the documentation."""
        if not self.choices:
            return f"{self.meaning}: {self.form}"
        return f"{self.meaning}. {'; '.join(self._describe_values('`'))}"

    def _describe_values(self, quote: str) -> list[str]:
        return [
            f"{quote}{value}{quote}: {meaning}"
            + (" (default)" if value == self.default else "")
            for value, meaning in self.choices.items()
        ]


def is_choice(value: str, choices: Collection[str]) -> bool:
    """Return whether a value is one of the choices, or has another number.

    >>> is_choice("overlap:0.7", ["exact", "overlap:0.5"])
    True
    """
    name, colon, _ = value.partition(":")
    return value in choices or (
        bool(colon) and any([choice.startswith(name + colon) for choice in choices])
    )


def normalize_match(value: str) -> str:
    """Validate the threshold of `overlap:0.5`, and write it in one way.

    >>> normalize_match("overlap:.50")
    'overlap:0.5'
    """
    name, colon, text = value.partition(":")
    if not colon:
        return value
    try:
        threshold = float(text)
    except ValueError:
        threshold = math.nan
    if not 0 < threshold <= 1:
        message = f"threshold {text!r} of 'match', expected a number above 0, up to 1"
        hint = f"an example is {name}:0.5"
        raise SettingsError(message, code="settings/unknown-value", hint=hint)
    return f"{name}:{threshold!r}"


def normalize_selection(text: str) -> str:
    """Check the selection of mentions by an attribute.

    >>> normalize_selection("type = person")
    'type=person'
    """
    name, equals, value = map(str.strip, text.partition("="))
    is_selection = bool(name and equals and value and text.isprintable())
    if text != ALL and not is_selection:
        message = f"found {text!r} for 'only', expected NAME=VALUE"
        hint = "an example is type=person"
        raise SettingsError(message, code="settings/unknown-value", hint=hint)
    return f"{name}{equals}{value}"


def sign_selection(text: str) -> str:
    """Encode a selection for the signature; the first `=` remains.

    >>> sign_selection("type=a|b")
    'type=a%7Cb'
    """
    name, equals, value = text.partition("=")
    return f"{escape_signature(name)}{equals}{escape_signature(value)}"


def expand_docstring(doc: str | None, rows: Iterable[tuple[str, str]]) -> str | None:
    """List names and texts in place of a docstring's line `keywords:` or `fields:`."""
    if doc is None:  # Python omits docstrings with -OO
        return None
    lines = doc.split("\n")
    for number, line in enumerate(lines):
        if line.lstrip().startswith(_PLACEHOLDERS):
            indent = line[: -len(line.lstrip())]
            after = number + 1
            while after < len(lines) and lines[after].startswith(f"{indent} "):
                after += 1
            entries = [_wrap_text(f"{name}: {text}.", indent) for name, text in rows]
            return "\n".join([*lines[:number], *entries, *lines[after:]])
    return doc


def _wrap_text(text: str, indent: str) -> str:
    """Wrap a text with a hanging indent; `textwrap` takes ten times as long."""
    lines, line = list[str](), indent
    for word in text.split():
        if len(line) + len(word) > _DOCSTRING_WIDTH:
            lines.append(line.rstrip())
            line = f"{indent}    "
        line += f"{word} "
    return "\n".join([*lines, line.rstrip()])


def _normalize_share(text: str) -> str:
    """Validate a number from 0 to 1, and write it in one way."""
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        message = f"found {text!r} for 'max_drift', expected a number from 0 to 1"
        raise SettingsError(message, code="settings/unknown-value")
    return f"{share:g}"


def _check_pattern(text: str) -> str:
    """Check a regular expression."""
    try:
        re.compile(text)
    except re.error as error:
        message = f"found {text!r} for 'topics', expected a regular expression: {error}"
        hint = "in a shell, put it in single quotes"
        raise SettingsError(message, code="settings/unknown-value", hint=hint) from None
    return text


def _make_fact(setting: str, *, yes: str, no: str) -> cached_property[bool]:
    """Make a property that is true for some values of a setting, false for others."""
    answers = {**dict.fromkeys(yes.split(), True), **dict.fromkeys(no.split(), False)}
    return cached_property(lambda settings: select_by(settings, setting, answers))


NO_WINDOW = "none"


def _check_window(text: str) -> str:
    if text == NO_WINDOW:
        return text
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        message = f"found {text!r} for 'window', expected a number of tokens"
        raise SettingsError(message, code="settings/invalid-value", hint="500 is usual")
    return str(int(text))


# Without slots, because properties are cached.
@dataclass(frozen=True)
class Settings:
    """The settings of a score, which its signature contains.

    Attributes:
        fields: the settings; each is declared below.

    >>> Settings(singletons="drop").signature
    'corefkit:0.1.0|match:exact|singletons:drop|repeated:first|missing:empty|blanc:key|average:micro'
    """

    # The signature of the default settings must not change, so that settings that are
    # added later are not `always_signed`.
    match: str = Setting(
        "when a key mention and a response mention match",
        {
            "exact": "they have the same tokens",
            "head": "they have the same head",
            "partial": "the response mention lies inside the key mention and has its "
            "head",
            "min": "the response mention lies inside the key mention and has its "
            "minimum span",
            "overlap:0.5": "the tokens of both are at least this part of those of "
            "either (any number up to 1)",
            "craft": "a part of the response mention lies inside the first part of the "
            "key mention",
        },
        check=normalize_match,
        always_signed=True,
    ).make_field()
    singletons: str = Setting(
        "how entities with one mention are handled",
        {
            "keep": "they are scored",
            "drop": "they are dropped on both sides",
            "drop-key": "they are dropped from the key",
            "drop-response": "they are dropped from the response",
        },
        always_signed=True,
    ).make_field()
    repeated: str = Setting(
        "how duplicate mentions of a side are handled",
        {
            "first": "only the first one is scored",
            "error": "they are an error",
            "reference": "they are counted as the reference scorer does",
        },
        always_signed=True,
    ).make_field()
    missing: str = Setting(
        "how key documents that the response lacks are handled",
        {
            "empty": "they are scored against an empty response",
            "error": "they are an error",
            "skip": "they are skipped",
        },
        always_signed=True,
    ).make_field()
    blanc_rule: str = Setting(
        "which links BLANC ignores",
        {
            "key": "a kind of link that the key does not have",
            "both": "a kind of link that neither side has",
            "links": "the same, but without any link the same mentions score 0, not 1",
        },
        signed="blanc",
        always_signed=True,
    ).make_field()
    average: str = Setting(
        "how documents are combined",
        {"micro": "their counts are added", "macro": "their scores are averaged"},
        always_signed=True,
    ).make_field()
    undefined: str = Setting(
        "how a score that is undefined in a document counts if scores are averaged",
        {
            "zero": "it counts as 0",
            "one": "it counts as 1",
            "skip": "the mean skips the document",
        },
    ).make_field()
    zeros: str = Setting(
        "how mentions of empty nodes are matched",
        {
            "position": "by their position",
            "dependency": "by their dependencies, then by their position",
            "drop": "they are dropped",
        },
    ).make_field()
    split: str = Setting(
        "how split antecedents are handled",
        {
            "ignore": "they are ignored",
            "score": "they are scored in muc, b_cubed, ceaf_m, ceaf_e, blanc and lea, "
            "and other metrics are rejected",
        },
    ).make_field()
    scope: str = Setting(
        "scope in which entities are compared",
        {
            "document": "inside each document",
            "topic": "across the documents of a topic, by their ids",
            "corpus": "across all documents, by their ids",
        },
    ).make_field()
    tokens: str = Setting(
        "whether both sides require the same tokens",
        {
            "same": "the tokens must be the same",
            "characters": "only the characters must be the same, and mentions are "
            "compared by characters",
            "aligned": "words may differ, and response mentions are moved to the "
            "aligned words of the key",
        },
    ).make_field()
    unplaced: str = Setting(
        "how aligned response mentions without a place in the key are handled",
        {
            "spurious": "they are spurious",
            "drop": "they are dropped",
        },
    ).make_field()
    max_drift: str = Setting(
        "the largest share of key words that an aligned response loses or changes",
        default="0.2",
        noun="share",
        form="a number from 0 to 1, such as 0.3",
        check=_normalize_share,
        signed="max-drift",
        annotation="float | str | None",
    ).make_field()
    weights: str = Setting(
        "the weights of mentions by type and kind, for metrics that use weights",
        default="ace2005",
        form=SYNTAX,
        check=normalize_weights,
        sign=encode_weights,
    ).make_field()
    only: str = Setting(
        "the mentions that are scored on both sides",
        default=ALL,
        noun="name=value",
        form="an attribute and its value, such as type=person, or all",
        check=normalize_selection,
        sign=sign_selection,
    ).make_field()
    topics: str = Setting(
        "the topics of documents, with scope topic",
        default=BY_ID,
        noun="regex",
        form="a regular expression found in their ids, of which the groups are the "
        "topic, or id: the part up to the last slash, or else to the first underscore",
        check=_check_pattern,
        sign=escape_signature,
    ).make_field()
    scored_mentions: str = Setting(
        "which mentions of the response are scored",
        {
            "all": "all of them",
            "key": "those that match a mention of the key",
        },
        signed="mentions",
        flag="mentions",
    ).make_field()
    reading: str = Setting(
        "how documents are parsed",
        {
            "strict": "as specified by their format, with checks of the text",
            "reference": "as the reference scorer parses them",
        },
        is_option=False,
    ).make_field()
    window: str = Setting(
        "length of the windows that documents are scored in, in tokens, as for books",
        default=NO_WINDOW,
        noun="n",
        form="N",
        check=_check_window,
        annotation="int | str | None",
    ).make_field()
    by: str = Setting(
        "the classes that are scored too, one by one",
        default=NO_CLASS,
        noun="class",
        form=CLASS_SYNTAX,
        check=normalize_class,
        sign=escape_signature,
        is_option=False,
    ).make_field()
    by_rule: str = Setting(
        "how a score is divided into classes",
        {
            "mentions": "each mention counts in its class, so that counts add up",
            "entities": "each class is scored with the entities of the class alone",
        },
        signed="rule",
        signed_with="by",
        is_option=False,
    ).make_field()

    def __post_init__(self) -> None:
        """Validate all values.

        The meaning of a value is stated once: in a property below, or in a table of the
        only module that uses it, which calls `select_by`. A value without a meaning
        raises SettingsError, so that it is never treated as another.
        """
        for name, row in SETTINGS.items():
            object.__setattr__(self, name, row.normalize(getattr(self, name)))
        for fact in _FACTS:
            getattr(self, fact)

    @cached_property
    def signature(self) -> str:
        """The version and settings in one line, to be cited with a score.

        Most settings are included only if they are not the default.

        >>> Settings().signature
        'corefkit:0.1.0|match:exact|singletons:keep|repeated:first|missing:empty|blanc:key|average:micro'
        """
        changed = self.changed
        parts = [
            f"{row.signed}:{row.sign(getattr(self, name))}"
            for name, row in SETTINGS.items()
            if row.always_signed or name in changed or row.signed_with in changed
        ]
        return "|".join([f"corefkit:{VERSION}", *parts])

    @property
    def changed(self) -> dict[str, str]:
        """The settings that are not the default, by name.

        >>> Settings(average="macro").changed
        {'average': 'macro'}
        """
        values = {name: getattr(self, name) for name in SETTINGS}
        return {
            name: value
            for name, value in values.items()
            if value != SETTINGS[name].default
        }

    # Whether mentions match only if they have the same tokens.
    is_exact = _make_fact("match", yes="exact", no="head partial min overlap craft")
    # Whether mentions match by their heads, which both sides must have.
    by_head = _make_fact("match", yes="head", no="exact partial min overlap craft")
    # Whether mentions match by the minimum spans of the key.
    by_minimum = _make_fact("match", yes="min", no="exact head partial overlap craft")
    # Whether mentions match by the heads of the key, at least.
    by_key_head = _make_fact("match", yes="head partial", no="exact min overlap craft")
    # Whether zeros match by their dependencies first.
    by_dependency = _make_fact("zeros", yes="dependency", no="position drop")
    drops_zeros = _make_fact("zeros", yes="drop", no="position dependency")
    # Whether repeated mentions are counted as the reference scorer does.
    counts_copies = _make_fact("repeated", yes="reference", no="first error")
    refuses_copies = _make_fact("repeated", yes="error", no="first reference")
    skips_missing = _make_fact("missing", yes="skip", no="empty error")
    is_macro = _make_fact("average", yes="macro", no="micro")
    scores_split = _make_fact("split", yes="score", no="ignore")
    # Whether entities are compared across documents.
    joins_documents = _make_fact("scope", yes="topic corpus", no="document")
    # Whether sides with different tokens are compared by characters.
    by_characters = _make_fact("tokens", yes="characters", no="same aligned")
    aligns_words = _make_fact("tokens", yes="aligned", no="same characters")
    drops_unplaced = _make_fact("unplaced", yes="drop", no="spurious")
    reads_as_reference = _make_fact("reading", yes="reference", no="strict")
    # Whether classes are divided by entities instead of mentions.
    keeps_entities = _make_fact("by_rule", yes="entities", no="mentions")

    scores_key_mentions = _make_fact("scored_mentions", yes="key", no="all")

    @cached_property
    def required_attribute(self) -> tuple[str, str] | None:
        """The name and value that mentions must have to be scored, if any."""
        name, equals, value = self.only.partition("=")
        return (name, value) if equals else None

    @cached_property
    def topic_pattern(self) -> str | None:
        """The expression that the topics of documents match; None if ids decide."""
        if self.topics == BY_ID:
            return None
        if self.scope != "topic":
            message = f"'topics' has no meaning with scope {self.scope!r}"
            hint = "--scope topic scores the documents of a topic as one"
            raise SettingsError(message, code="settings/conflict", hint=hint)
        return self.topics

    @cached_property
    def selects_mentions(self) -> bool:
        """Whether some mentions are not scored, by an attribute or by the key."""
        return self.required_attribute is not None or self.scores_key_mentions

    @cached_property
    def window_tokens(self) -> int | None:
        """The number of tokens of a window; None for full documents."""
        return None if self.window == NO_WINDOW else int(self.window)

    @cached_property
    def class_name(self) -> str | None:
        """The classes that are scored; None if there are none."""
        return None if self.by == NO_CLASS else self.by

    @cached_property
    def threshold(self) -> float | None:
        """The overlap from which mentions match; None if they match otherwise."""
        number = self.match.partition(":")[2]
        return float(number) if number else None

    @cached_property
    def without_singletons(self) -> tuple[str, ...]:
        """The sides from which entities with one mention are dropped."""
        sides = "key", "response"
        dropped = {"keep": (), "drop": sides, "drop-key": sides[:1]}
        return select_by(self, "singletons", dropped | {"drop-response": sides[1:]})

    @cached_property
    def undefined_as(self) -> float | None:
        """The value of an undefined score in a mean of documents; None to skip it."""
        return select_by(self, "undefined", {"zero": 0.0, "one": 1.0, "skip": None})


SETTINGS: Mapping[str, Setting] = {
    field.name: field.metadata["setting"].bind(field.name) for field in fields(Settings)
}
_FACTS = tuple(
    name for name, fact in vars(Settings).items() if isinstance(fact, cached_property)
)
Settings.__doc__ = expand_docstring(
    Settings.__doc__, [(name, row.text) for name, row in SETTINGS.items()]
)


def select_by(
    settings: Settings, name: str, meanings: Mapping[str, _Meaning]
) -> _Meaning:
    """Look up the meaning of a setting's value; SettingsError if there is none.

    The number of a value does not change its meaning.
    """
    value = getattr(settings, name)
    kind = value.partition(":")[0]
    check_known(kind, meanings, f"{value!r} for {name!r} is not supported here")
    return meanings[kind]


def check_known(value: str, known: Collection[str], message: str) -> None:
    """Raise an error with a message and a hint unless a value is one of the known."""
    if value not in known:
        hint = suggest(str(value), known)
        raise SettingsError(message, code="settings/unknown-value", hint=hint)


DEFAULT_SETTINGS = Settings()
PRESETS: Mapping[str, Settings] = {
    # The CoNLL reference scorer v8.01.
    "conll2012": Settings(repeated="reference", reading="reference"),
    # The CorefUD scorer, version 1.2, with the options of each shared task.
    "crac2022": Settings(match="partial", singletons="drop", blanc_rule="links"),
    "crac2023": Settings(match="head", singletons="drop", blanc_rule="links"),
    "crac2024": Settings(
        match="head", singletons="drop", blanc_rule="links", zeros="dependency"
    ),
    "crac2025": Settings(
        match="head", singletons="drop", blanc_rule="links", zeros="dependency"
    ),
    "crac2026": Settings(
        match="head", singletons="drop", blanc_rule="links", zeros="dependency"
    ),
    # The Universal Anaphora scorer 2.0 for anaphora resolution (CODI-CRAC 2022).
    "ua": Settings(blanc_rule="links", zeros="drop", split="score"),
    # ACE-value with the default parameters of NIST's script of that year.
    "ace2005": Settings(weights="ace2005"),
}
"""Settings that reproduce the scores of other scorers, by name.

A released preset never changes; a corrected one gets a new name.
"""
# Output formats that are the texts of other scorers imply their presets.
FORMAT_PRESETS = {"reference": "conll2012", "corefud": "crac2026"}


class Keywords(TypedDict, total=False):
    """Settings as keyword arguments; None has no effect.

    These are the fields of `Settings`, and the settings to change: other settings, or
    the name of a preset. They are listed here for editors and type checkers. Functions
    that take them are decorated with `expand_settings`.
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
    unplaced: str | None
    max_drift: float | str | None
    weights: str | None
    only: str | None
    topics: str | None
    scored_mentions: str | None
    window: int | str | None


_BASES = {
    "settings": "a `Settings` value; the keywords below change it",
    "preset": "the name of settings to use instead: " + ", ".join(PRESETS),
}


def expand_settings(function: _Function) -> _Function:
    """List the settings in the signature and docstring of a function, for `help`.

    They replace the argument `keywords`.
    """
    signature = inspect.signature(function)
    parameters = [
        parameter
        for parameter in signature.parameters.values()
        if parameter.kind is not parameter.VAR_KEYWORD
    ]
    texts = _BASES | {row.name: row.text for row in SETTINGS.values() if row.is_option}
    annotations = {row.name: row.annotation for row in SETTINGS.values()}
    annotations["settings"] = "Settings | None"
    parameters += [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=annotations.get(name, "str | None"),
        )
        for name in texts
    ]
    vars(function)["__signature__"] = signature.replace(parameters=parameters)
    function.__doc__ = expand_docstring(function.__doc__, texts.items())
    return function


def resolve_settings(**keywords: Unpack[Keywords]) -> Settings:
    """Build settings from a preset or other settings, and changes to them."""
    changes: dict[str, object] = {
        name: value for name, value in keywords.items() if value is not None
    }
    base = _find_base(changes.pop("settings", None), changes.pop("preset", None))
    if not changes:
        return base
    options = [row.name for row in SETTINGS.values() if row.is_option]
    for name in changes:
        if name not in options:
            message = f"unknown setting {name!r}"
            raise SettingsError(
                message, code="settings/unknown-setting", hint=suggest(name, options)
            )
    return _change_settings(
        base,
        **{name: SETTINGS[name].normalize(value) for name, value in changes.items()},
    )


# Equal settings are the same object, whose properties are cached.
@lru_cache(maxsize=256)
def _change_settings(base: Settings, **changes: str) -> Settings:
    return replace(base, **changes)


def _find_base(settings: object, preset: object) -> Settings:
    if settings is not None and preset is not None:
        message = "found settings and a preset, expected one of them"
        hint = "keywords change either: settings=..., singletons='drop'"
        raise SettingsError(message, code="settings/conflict", hint=hint)
    if preset is not None:
        if not isinstance(preset, str) or preset not in PRESETS:
            message = f"unknown preset {preset!r}"
            hint = suggest(str(preset), PRESETS)
            raise SettingsError(message, code="settings/unknown-preset", hint=hint)
        return PRESETS[preset]
    if settings is None:
        return DEFAULT_SETTINGS
    if not isinstance(settings, Settings):
        message = f"found settings {settings!r}, expected a `Settings` value"
        hint = "a preset is named with preset='...'"
        raise SettingsError(message, code="settings/invalid-value", hint=hint)
    return settings
