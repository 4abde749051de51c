"""Settings: everything that changes a score, presets and the signature.

A setting is one row: a field of `Settings`, declared as a `Setting`, which states its
choices, what each of them means, and when the signature names it. Made from the row are
the default and the check of a value, the signature, the option of the command with its
help, the hints of errors, and the settings in the signatures and docstrings of `score`,
`score_responses` and `explain`. Two places are written by hand and checked against the
rows by tests: the types of `keywords.Keywords`, and the table in `docs/cli.md`.

`keywords` has settings as keywords of functions, `weights` how weights are written.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack

from corefkit.exceptions import SettingsError
from corefkit.strings import suggest
from corefkit.weights import SYNTAX, encode_weights, normalize_weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_WIDTH = 80  # columns of a docstring, its indentation included
_PLACEHOLDERS = ("keywords: ", "fields: ")


# Not in slots: texts are made once.
@dataclass(frozen=True)
class Setting:
    """One setting.

    Attributes:
        meaning: what it decides, as a phrase.
        choices: the values it can have, the default first, and what each means; empty
            if its value is free text.
        default: the default of free text.
        form: how to write free text, for help and hints.
        check: return free text written in one way, or refuse it.
        sign: write a value for the signature, so that no part of it reads as another
            setting.
        signed: its name in the signature, if that is not its own.
        always_signed: whether the signature names it even if it has its default.
        is_option: whether users can set it; if not, only presets do.
        name: its name: a field of `Settings`, a keyword and, with hyphens, an option.
    """

    meaning: str
    choices: Mapping[str, str] = field(default_factory=dict)
    _: KW_ONLY
    default: str = ""
    form: str = ""
    check: Callable[[str], str] = str
    sign: Callable[[str], str] = str
    signed: str = ""
    always_signed: bool = False
    is_option: bool = True
    name: str = ""

    def field(self) -> Any:
        """Make the field of `Settings` that declares this setting."""
        return field(default=self.named("").default, metadata={"setting": self})

    def named(self, name: str) -> Setting:
        """Fill in the name, and what follows from it and from the choices."""
        default = self.default or next(iter(self.choices))
        return replace(self, name=name, default=default, signed=self.signed or name)

    def checked(self, value: object) -> str:
        """Return a value as settings keep it, or refuse it.

        >>> from corefkit.settings import SETTINGS
        >>> SETTINGS["average"].checked("macro")
        'macro'
        """
        if not isinstance(value, str) or (self.choices and value not in self.choices):
            message = f"unknown value {value!r} for {self.name!r}"
            hint = suggest(str(value), self.choices) if self.choices else self.form
            raise SettingsError(message, code="settings/unknown-value", hint=hint)
        return self.check(value)

    @cached_property
    def option(self) -> str:
        """The option of the command.

        >>> from corefkit.settings import SETTINGS
        >>> SETTINGS["blanc_rule"].option
        '--blanc-rule'
        """
        return f"--{self.name.replace('_', '-')}"

    @cached_property
    def metavar(self) -> str:
        """What stands for the value in help texts and in the documentation."""
        return "|".join(self.choices) or self.name.upper()

    @cached_property
    def help(self) -> str:
        """What the setting decides, and what each value means on a line of its own.

        >>> from corefkit.settings import SETTINGS
        >>> print(SETTINGS["average"].help)
        how documents are combined
          micro: their counts are added (default)
          macro: their scores are averaged
        """
        if not self.choices:
            return f"{self.meaning}: {self.form} (default: {self.default})"
        return "\n  ".join([self.meaning, *self._values("")])

    @cached_property
    def text(self) -> str:
        """The same in one line, for docstrings and the documentation.

        >>> from corefkit.settings import SETTINGS
        >>> SETTINGS["average"].text
        'how documents are combined. `micro`: their counts are added (default); \
`macro`: their scores are averaged'
        """
        if not self.choices:
            return f"{self.meaning}: {self.form}"
        return f"{self.meaning}. {'; '.join(self._values('`'))}"

    def _values(self, quote: str) -> list[str]:
        return [
            f"{quote}{value}{quote}: {meaning}"
            + (" (default)" if value == self.default else "")
            for value, meaning in self.choices.items()
        ]


def documented(doc: str | None, rows: Iterable[tuple[str, str]]) -> str | None:
    """List names and texts in place of a docstring's line `keywords:` or `fields:`.

    >>> print(
    ...     documented("    keywords: see there.", [("match", "one"), ("zeros", "2")])
    ... )
        match: one.
        zeros: 2.
    """
    if doc is None:  # Python was asked to leave docstrings out
        return None
    lines = doc.split("\n")
    for at, line in enumerate(lines):
        if line.lstrip().startswith(_PLACEHOLDERS):
            indent = line[: -len(line.lstrip())]
            behind = at + 1
            while behind < len(lines) and lines[behind].startswith(f"{indent} "):
                behind += 1
            listed = [_filled(f"{name}: {text}.", indent) for name, text in rows]
            return "\n".join([*lines[:at], *listed, *lines[behind:]])
    return doc


def _filled(text: str, indent: str) -> str:
    """Break a text into lines, of which all but the first stand further in.

    The module `textwrap` takes ten times as long, and every start would pay.
    """
    lines, line = list[str](), indent
    for word in text.split():
        if len(line) + len(word) > _WIDTH:
            lines.append(line.rstrip())
            line = f"{indent}    "
        line += f"{word} "
    return "\n".join([*lines, line.rstrip()])


VERSION = "0.1.0"

_Meaning = TypeVar("_Meaning")


def _fact(setting: str, *, yes: str, no: str) -> cached_property[bool]:
    """Declare which values of a setting mean yes to a question, and which mean no."""
    answers = {**dict.fromkeys(yes.split(), True), **dict.fromkeys(no.split(), False)}
    return cached_property(lambda settings: select_by(settings, setting, answers))


# Not in slots: a value that is used again keeps what was found out about it.
@dataclass(frozen=True)
class Settings:
    """Everything that changes a score.

    Attributes:
        fields: the settings; each is declared below.

    >>> Settings(singletons="drop").signature
    'corefkit:0.1.0|match:exact|singletons:drop|repeated:first|missing:empty|blanc:key|average:micro'
    """

    # The signature of default settings never changes: what comes later is not
    # `always_signed`.
    match: str = Setting(
        "when a key and a response mention match",
        {
            "exact": "they have the same tokens",
            "head": "they have the same head",
            "partial": "the response mention lies inside the key mention and has its "
            "head",
            "min": "the response mention lies inside the key mention and has its "
            "minimum span",
        },
        always_signed=True,
    ).field()
    singletons: str = Setting(
        "what happens to entities of one mention",
        {
            "keep": "they are scored",
            "drop": "they are dropped on both sides",
            "drop-key": "they are dropped from the key",
            "drop-response": "they are dropped from the response",
        },
        always_signed=True,
    ).field()
    repeated: str = Setting(
        "what happens to a mention that a side has more than once",
        {
            "first": "it stays in the first of its entities",
            "error": "the input is refused",
            "reference": "it is counted as the reference scorer does",
        },
        always_signed=True,
    ).field()
    missing: str = Setting(
        "what happens to a key document that the response lacks",
        {
            "empty": "it is scored against an empty response",
            "error": "the response is refused",
            "skip": "it is left out",
        },
        always_signed=True,
    ).field()
    blanc_rule: str = Setting(
        "which links BLANC leaves out",
        {
            "key": "a kind of link that the key does not have",
            "both": "a kind of link that neither side has",
            "links": "the same, but without any link the same mentions score 0, not 1",
        },
        signed="blanc",
        always_signed=True,
    ).field()
    average: str = Setting(
        "how documents are combined",
        {"micro": "their counts are added", "macro": "their scores are averaged"},
        always_signed=True,
    ).field()
    undefined: str = Setting(
        "what a score that is undefined in a document counts as, where scores are "
        "averaged",
        {
            "zero": "it counts as 0",
            "one": "it counts as 1",
            "skip": "the document is left out of that mean",
        },
    ).field()
    zeros: str = Setting(
        "how mentions of empty nodes are matched",
        {
            "position": "by their position",
            "dependency": "by what they depend on, then by their position",
            "drop": "they are dropped",
        },
    ).field()
    split: str = Setting(
        "what happens to split antecedents",
        {
            "ignore": "they are ignored",
            "score": "they are scored in muc, b_cubed, ceaf_m, ceaf_e, blanc and lea, "
            "and metrics that cannot score them are refused",
        },
    ).field()
    scope: str = Setting(
        "where entities are compared",
        {
            "document": "inside each document",
            "topic": "across the documents of a topic, by their ids",
            "corpus": "across all documents, by their ids",
        },
    ).field()
    tokens: str = Setting(
        "what the texts of both sides must share",
        {
            "same": "their tokens",
            "characters": "only their characters, by which mentions are then compared",
        },
    ).field()
    weights: str = Setting(
        "what mentions are worth by type and kind, for the metrics that weigh them",
        default="ace2005",
        form=SYNTAX,
        check=normalize_weights,
        sign=encode_weights,
    ).field()
    reading: str = Setting(
        "how documents are read",
        {
            "strict": "as their authors mean them, and the text is checked",
            "reference": "as the reference scorer reads them",
        },
        is_option=False,
    ).field()

    def __post_init__(self) -> None:
        """Refuse a value that a setting cannot have, or that no fact below covers.

        What a value means is stated once: in a fact, or in a table of the only module
        that asks, which looks it up with `select_by`. No value is taken for another.
        """
        for name, row in SETTINGS.items():
            object.__setattr__(self, name, row.checked(getattr(self, name)))
        for fact in _FACTS:
            getattr(self, fact)

    @cached_property
    def signature(self) -> str:
        """Name version and settings in one line, to be cited with a score.

        Most settings are named only if they are not the default.

        >>> Settings().signature
        'corefkit:0.1.0|match:exact|singletons:keep|repeated:first|missing:empty|blanc:key|average:micro'
        """
        named = [
            f"{row.signed}:{row.sign(getattr(self, name))}"
            for name, row in SETTINGS.items()
            if row.always_signed or name in self.changed
        ]
        return "|".join([f"corefkit:{VERSION}", *named])

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
    is_exact = _fact("match", yes="exact", no="head partial min")
    # Whether mentions match by their heads, which both sides must have.
    by_head = _fact("match", yes="head", no="exact partial min")
    # Whether mentions match by the minimum spans of the key.
    by_minimum = _fact("match", yes="min", no="exact head partial")
    # Whether zeros match by what they depend on first.
    by_dependency = _fact("zeros", yes="dependency", no="position drop")
    # Whether mentions of empty nodes are dropped.
    drops_zeros = _fact("zeros", yes="drop", no="position dependency")
    # Whether repeated mentions are counted as the reference scorer does.
    counts_copies = _fact("repeated", yes="reference", no="first error")
    # Whether a side may not repeat a mention.
    refuses_copies = _fact("repeated", yes="error", no="first reference")
    # Whether documents that the response lacks are left out.
    skips_missing = _fact("missing", yes="skip", no="empty error")
    # Whether the scores of documents are averaged.
    is_macro = _fact("average", yes="macro", no="micro")
    # Whether split antecedents are scored.
    scores_split = _fact("split", yes="score", no="ignore")
    # Whether entities are compared across documents.
    joins_documents = _fact("scope", yes="topic corpus", no="document")
    # Whether sides with different tokens are compared by characters.
    by_characters = _fact("tokens", yes="characters", no="same")
    # Whether documents are read as the reference scorer reads them.
    reads_as_reference = _fact("reading", yes="reference", no="strict")

    @cached_property
    def without_singletons(self) -> tuple[str, ...]:
        """The sides from which entities of one mention are dropped."""
        sides = "key", "response"
        dropped = {"keep": (), "drop": sides, "drop-key": sides[:1]}
        return select_by(self, "singletons", dropped | {"drop-response": sides[1:]})

    @cached_property
    def undefined_as(self) -> float | None:
        """What an undefined score counts as in a mean over documents, if it does."""
        return select_by(self, "undefined", {"zero": 0.0, "one": 1.0, "skip": None})


SETTINGS: Mapping[str, Setting] = {
    field.name: field.metadata["setting"].named(field.name)
    for field in fields(Settings)
}
_FACTS = tuple(
    name for name, fact in vars(Settings).items() if isinstance(fact, cached_property)
)
Settings.__doc__ = documented(
    Settings.__doc__, [(name, row.text) for name, row in SETTINGS.items()]
)


def select_by(
    settings: Settings, name: str, meanings: Mapping[str, _Meaning]
) -> _Meaning:
    """Look up what the value of a setting means; a value that is missing is an error.

    >>> select_by(Settings(average="macro"), "average", {"micro": 1, "macro": 2})
    2
    >>> select_by(Settings(match="min"), "match", {"exact": 1})
    Traceback (most recent call last):
    corefkit.exceptions.SettingsError: 'min' for 'match' is not known here
    <BLANKLINE>
    hint: known are exact
    """
    value = getattr(settings, name)
    if value not in meanings:
        message = f"{value!r} for {name!r} is not known here"
        raise SettingsError(
            message, code="settings/unknown-value", hint=suggest(value, meanings)
        )
    return meanings[value]


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
"""Settings by name, for the numbers of other scorers.

A released preset never changes; a corrected one gets a new name.
"""


# Settings as keywords of a function.
#
# `Keywords` is written out for editors and type checkers, which cannot read rows; a
# test checks it against them. Signatures and docstrings of the functions are made from
# rows.

_Function = TypeVar("_Function", bound=Callable[..., object])


class Keywords(TypedDict, total=False):
    """Settings as keywords of a function; None changes nothing.

    They are those of `Settings`, and what to start from: other settings, or the name of
    a preset. Functions that take them are decorated with `expand_settings`.
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


def expand_settings(function: _Function) -> _Function:
    """Let `help` list the settings that a function takes as keywords.

    They take the place of `keywords` in the signature and in the docstring.

    >>> @expand_settings
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


def resolve_settings(**keywords: Unpack[Keywords]) -> Settings:
    """Build settings from a start and changes to it.

    >>> resolve_settings(preset="conll2012", singletons="drop").repeated
    'reference'
    >>> resolve_settings(settings=Settings(match="head"), singletons="drop").match
    'head'
    >>> resolve_settings(singleton="drop")
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
            raise SettingsError(
                message, code="settings/unknown-setting", hint=suggest(name, options)
            )
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
        raise SettingsError(message, code="settings/conflict", hint=hint)
    if preset is not None:
        if not isinstance(preset, str) or preset not in PRESETS:
            message = f"unknown preset {preset!r}"
            raise SettingsError(
                message,
                code="settings/unknown-preset",
                hint=suggest(str(preset), PRESETS),
            )
        return PRESETS[preset]
    if settings is None:
        return DEFAULT_SETTINGS
    if not isinstance(settings, Settings):
        message = f"found settings {settings!r}, expected a `Settings` record"
        raise SettingsError(
            message,
            code="settings/invalid-value",
            hint="a preset is named with preset='...'",
        )
    return settings
