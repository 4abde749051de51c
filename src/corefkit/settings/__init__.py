"""Settings: everything that changes a score, and the signature that says so.

A setting is one row: a field of `Settings`, declared as a `Setting`, which states its
choices, what each of them means, and when the signature names it. Made from the row are
the default and the check of a value, the signature, the option of the command with its
help, the hints of errors, and the settings in the signatures and docstrings of `score`,
`score_responses` and `explain`. Two places are written by hand and checked against the
rows by tests: the types of `keywords.Keywords`, and the table in `docs/cli.md`.

`presets` has settings by name, `weights` how weights are written.
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

    @cached_property
    def is_exact(self) -> bool:
        """Whether mentions match only if they have the same tokens."""
        exact = {"exact": True, "head": False, "partial": False, "min": False}
        return by_choice(self, "match", exact)

    @cached_property
    def by_head(self) -> bool:
        """Whether mentions match by their heads, which both sides must have."""
        head = {"exact": False, "head": True, "partial": False, "min": False}
        return by_choice(self, "match", head)

    @cached_property
    def by_minimum(self) -> bool:
        """Whether mentions match by the minimum spans of the key."""
        minimum = {"exact": False, "head": False, "partial": False, "min": True}
        return by_choice(self, "match", minimum)

    @cached_property
    def by_dependency(self) -> bool:
        """Whether zeros match by what they depend on first."""
        dependency = {"position": False, "dependency": True, "drop": False}
        return by_choice(self, "zeros", dependency)

    @cached_property
    def without_singletons(self) -> tuple[str, ...]:
        """The sides from which entities of one mention are dropped."""
        sides = "key", "response"
        dropped = {"keep": (), "drop": sides, "drop-key": sides[:1]}
        return by_choice(self, "singletons", dropped | {"drop-response": sides[1:]})

    @cached_property
    def counts_copies(self) -> bool:
        """Whether repeated mentions are counted as the reference scorer does."""
        copies = {"first": False, "error": False, "reference": True}
        return by_choice(self, "repeated", copies)

    @cached_property
    def refuses_copies(self) -> bool:
        """Whether a side may not repeat a mention."""
        refused = {"first": False, "error": True, "reference": False}
        return by_choice(self, "repeated", refused)

    @cached_property
    def drops_zeros(self) -> bool:
        """Whether mentions of empty nodes are dropped."""
        drops = {"position": False, "dependency": False, "drop": True}
        return by_choice(self, "zeros", drops)

    @cached_property
    def skips_missing(self) -> bool:
        """Whether documents that the response lacks are left out."""
        skips = {"empty": False, "error": False, "skip": True}
        return by_choice(self, "missing", skips)

    @cached_property
    def is_macro(self) -> bool:
        """Whether the scores of documents are averaged."""
        return by_choice(self, "average", {"micro": False, "macro": True})

    @cached_property
    def scores_split(self) -> bool:
        """Whether split antecedents are scored."""
        return by_choice(self, "split", {"ignore": False, "score": True})

    @cached_property
    def joins_documents(self) -> bool:
        """Whether entities are compared across documents."""
        joined = {"document": False, "topic": True, "corpus": True}
        return by_choice(self, "scope", joined)

    @cached_property
    def by_characters(self) -> bool:
        """Whether sides with different tokens are compared by characters."""
        return by_choice(self, "tokens", {"same": False, "characters": True})

    @cached_property
    def reads_as_reference(self) -> bool:
        """Whether documents are read as the reference scorer reads them."""
        return by_choice(self, "reading", {"strict": False, "reference": True})


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
