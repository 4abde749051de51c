"""What documents say of mentions beside their spans: types, kinds and the like.

Columns have no attributes, since few metrics ask for any. Those that do get them here,
from the documents, when they ask.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from corefkit.exceptions import FormatError

if TYPE_CHECKING:
    from corefkit.columns import Columns
    from corefkit.formats.source import Source
    from corefkit.model import Document, Mention

Attributes: TypeAlias = Sequence[Mapping[str, str]]
# Called with the names of those that must be there.
Asked: TypeAlias = Callable[[tuple[str, ...]], Attributes]

_WHAT = {
    "type": "an entity type",
    "mention_type": "a kind (NAM, NOM or PRO), or syntax that tells it",
}
# Kinds of mentions as formats call them, in the words of ACE.
_KINDS = {
    **dict.fromkeys(("NAME", "PROP", "PROPN", "PROPER"), "NAM"),
    **dict.fromkeys(("NOMINAL", "NOUN", "COMMON"), "NOM"),
    **dict.fromkeys(("PRON", "PRONOUN", "PRONOMINAL"), "PRO"),
}


def mention_attributes(
    source: Source, numbers: Sequence[int | None], columns: Columns
) -> Attributes:
    """Give the attributes of each mention of some columns.

    The kind of a mention, `mention_type`, is NAM, NOM or PRO where the document names
    it in another way, or where its syntax tells.

    Args:
        source: where the columns came from.
        numbers: the documents that the columns cover; None for one without mentions.
        columns: the mentions.
    """
    if columns.names is not None:
        return [{}] * len(columns.entity)
    every = [
        {} if number is None else _known(source.document(number)) for number in numbers
    ]
    return [
        every[document].get(columns.mention(row), {})
        for row, document in enumerate(columns.document.tolist())
    ]


def lacking_attribute(name: str, place: str) -> FormatError:
    """Word that no mention of a side has an attribute that is asked for."""
    message = f"no mention has {_WHAT.get(name, name)}, which the weights ask for"
    hint = f"APF, CoNLL-U and LitBank carry it; or leave `{name}` out of the weights"
    return FormatError(message, place=place, hint=hint)


def _known(document: Document) -> dict[Mention, Mapping[str, str]]:
    # Imported here because few metrics ask, and every start would pay.
    from corefkit.syntax.mention_types import mention_types

    mentions = [one for entity in document.entities for one in entity.mentions]
    lacking = [one for one in mentions if "mention_type" not in one.attributes]
    by_syntax = dict(zip(lacking, mention_types(document, lacking) or (), strict=False))
    known: dict[Mention, Mapping[str, str]] = {}
    for mention in mentions:
        attributes = dict(mention.attributes)
        if "mention_type" in attributes:
            kind = attributes["mention_type"]
            attributes["mention_type"] = _KINDS.get(kind.upper(), kind)
        elif mention in by_syntax:
            attributes["mention_type"] = _kind(by_syntax[mention])
        # Of a mention that stands in two entities the first counts, as in scoring.
        known.setdefault(mention, attributes)
    return known


def _kind(mention_type: str) -> str:
    if mention_type.endswith("pronouns"):
        return "PRO"
    return "NAM" if mention_type == "proper_nouns" else "NOM"
