"""What documents say of mentions beside their spans, and what they lack of it.

Columns have no attributes, since few metrics ask for any. Those that do get them here,
from the documents, when they ask.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corefkit.exceptions import FormatError

if TYPE_CHECKING:
    from corefkit.columns import Columns
    from corefkit.formats.source import Source
    from corefkit.model import Document, Mention

Attributes: TypeAlias = Sequence[Mapping[str, str]]
# Called with the names of those that must be there.
Asked: TypeAlias = Callable[[tuple[str, ...]], Attributes]

_MINIMUM = "minimum"
_WHAT = {
    "type": "an entity type",
    "mention_type": "a kind (NAM, NOM or PRO), or syntax that tells it",
}
# Kinds of mentions as formats call them, in the words of ACE.
_KINDS: Mapping[str, str] = {
    **dict.fromkeys(("NAME", "PROP", "PROPN", "PROPER"), "NAM"),
    **dict.fromkeys(("NOMINAL", "NOUN", "COMMON"), "NOM"),
    **dict.fromkeys(("PRON", "PRONOUN", "PRONOMINAL"), "PRO"),
}


def ace_kind(kind: str) -> str:
    """Call a kind of mention as ACE does; one that ACE does not have stays as it is.

    >>> ace_kind("pronoun"), ace_kind("NAM"), ace_kind("dem")
    ('PRO', 'NAM', 'dem')
    """
    return _KINDS.get(kind.upper(), kind)


@dataclass(slots=True, eq=False)
class Lacking:
    """What documents of one side lack, and what others have; one that has it is enough.

    With what some document lacks goes the error that refuses it.
    """

    errors: dict[str, FormatError] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)

    def attribute(self, name: str, place: str) -> None:
        """Note that no mention of some documents has an attribute."""
        message = f"no mention has {_WHAT.get(name, name)}, which the weights ask for"
        hint = (
            f"APF, CoNLL-U and LitBank carry it; or leave `{name}` out of the weights"
        )
        self.errors.setdefault(name, FormatError(message, place=place, hint=hint))

    def minimum(self, error: FormatError) -> None:
        """Note that a mention has neither a minimum nor a head, nor a tree."""
        self.errors.setdefault(_MINIMUM, error)

    def seen(self, columns: Columns) -> None:
        """Note whether some mentions have minima."""
        details = columns.details
        if details is not None and np.any(
            (details.minimum_start >= 0) | (details.head >= 0)
        ):
            self.known.add(_MINIMUM)

    def take(self, other: Lacking) -> None:
        """Note what other documents lack, behind these, and what they have."""
        self.errors = other.errors | self.errors
        self.known |= other.known

    def check_minimum(self, source: Source) -> None:
        """Refuse a side without any minimum, as soon as a document lacks one.

        Documents that are not scored may have minima too.
        """
        if _MINIMUM not in self.errors:
            return
        for number in range(len(source.ids)):
            if _MINIMUM in self.known:
                return
            self.seen(source.columns([number]))
        if _MINIMUM not in self.known:
            raise self.errors[_MINIMUM]

    def check(self) -> None:
        """Refuse what no document has, now that all are read."""
        for name, error in self.errors.items():
            if name not in self.known:
                raise error


@dataclass(slots=True, eq=False)
class AskedAttributes:
    """The attributes of the mentions of a block, read when they are asked for.

    The kind of a mention, `mention_type`, is NAM, NOM or PRO where the document names
    it in another way, or where its syntax tells.
    """

    source: Source
    numbers: Sequence[int | None]  # None for a document without mentions
    columns: Columns
    lacking: Lacking  # notes which attributes the side has
    _found: Attributes | None = None

    def __call__(self, names: tuple[str, ...]) -> Attributes:
        """Return the attributes of each mention; note which of some names they have."""
        # Once asked for they are asked for by one metric after the other.
        if self._found is None:
            self._found = self._read()
        for name in names:
            if any(name in attributes for attributes in self._found):
                self.lacking.known.add(name)
            elif self._found:
                first = self.numbers[int(self.columns.document[0])] or 0
                self.lacking.attribute(name, self.source.place(first))
        return self._found

    def _read(self) -> Attributes:
        columns = self.columns
        if columns.names is not None:
            return [{}] * len(columns.entity)
        known = [
            {} if number is None else _known(self.source.document(number))
            for number in self.numbers
        ]
        return [
            known[document].get(columns.mention(row), {})
            for row, document in enumerate(columns.document.tolist())
        ]


def _known(document: Document) -> dict[Mention, Mapping[str, str]]:
    # Imported here because few metrics ask, and every start would pay.
    from corefkit.syntax.mention_types import mention_types

    mentions = [mention for entity in document.entities for mention in entity.mentions]
    lacking = [
        mention for mention in mentions if "mention_type" not in mention.attributes
    ]
    by_syntax = dict(zip(lacking, mention_types(document, lacking) or (), strict=False))
    known: dict[Mention, Mapping[str, str]] = {}
    for mention in mentions:
        attributes = dict(mention.attributes)
        if "mention_type" in attributes:
            attributes["mention_type"] = ace_kind(attributes["mention_type"])
        elif mention in by_syntax:
            kind = by_syntax[mention]
            known_as = "NAM" if kind == "proper_nouns" else "NOM"
            attributes["mention_type"] = (
                "PRO" if kind.endswith("pronouns") else known_as
            )
        # Of a mention that stands in two entities the first counts, as in scoring.
        known.setdefault(mention, attributes)
    return known
