"""Settings: everything that changes a score, and the signature that says so.

A setting is one row: a field of `Settings`, declared as a `Setting`, which states its
choices, what each of them means, and when the signature names it. Made from the row are
the default and the check of a value, the signature, the option of the command with its
help, the hints of errors, and the settings in the signatures and docstrings of `score`,
`score_responses` and `explain`. Two places are written by hand and checked against the
rows by tests: the types of `keywords.Keywords`, and the table in `docs/cli.md`.

`keywords` has settings as keywords of functions, `weights` how weights are written.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from corefkit.exceptions import SettingsError
from corefkit.settings.rows import Setting, documented
from corefkit.settings.weights import FORM, normalized, signed
from corefkit.strings.nearest import suggest

if TYPE_CHECKING:
    from collections.abc import Mapping

VERSION = "0.1.0"

_Meaning = TypeVar("_Meaning")


def _fact(setting: str, *, yes: str, no: str) -> cached_property[bool]:
    """Declare which values of a setting mean yes to a question, and which mean no."""
    answers = {**dict.fromkeys(yes.split(), True), **dict.fromkeys(no.split(), False)}
    return cached_property(lambda settings: by_choice(settings, setting, answers))


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
        form=FORM,
        check=normalized,
        sign=signed,
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
        that asks, which looks it up with `by_choice`. No value is taken for another.
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
        return by_choice(self, "singletons", dropped | {"drop-response": sides[1:]})

    @cached_property
    def undefined_as(self) -> float | None:
        """What an undefined score counts as in a mean over documents, if it does."""
        return by_choice(self, "undefined", {"zero": 0.0, "one": 1.0, "skip": None})


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


def by_choice(
    settings: Settings, name: str, meanings: Mapping[str, _Meaning]
) -> _Meaning:
    """Look up what the value of a setting means; a value that is missing is an error.

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
