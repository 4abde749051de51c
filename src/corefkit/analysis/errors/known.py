"""What is known of one mention: what its file says of it, then what its words tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefkit.alignment.attributes import ace_kind
from corefkit.analysis.errors.wording import (
    CLAUSE,
    NAME,
    NOMINAL,
    PRONOUN,
    UNKNOWN,
    Facts,
    nothing_known,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefkit.analysis.errors.texts import Text
    from corefkit.model import Mention

# Kinds of mentions as files name them, in the words of ACE: type and kind of pronoun.
KINDS: Mapping[str, tuple[int, str]] = {
    "NAM": (NAME, ""),
    "NOM": (NOMINAL, ""),
    "PRO": (PRONOUN, ""),
    "DEM": (PRONOUN, "demonstrative"),
    "WHQ": (PRONOUN, "relative"),
    "ZERO": (PRONOUN, "zero"),
    **dict.fromkeys(("VRB", "VERB", "CLAUSE"), (CLAUSE, "")),
}


class Said(NamedTuple):
    """A mention in the key's tokens, and what a file says of it."""

    mention: Mention
    own: Mention | None  # with a kind or a head
    whose: str  # which side's file says so
    is_zero: bool = False  # whether the response has an empty node here


class Known(NamedTuple):
    """What is known of a mention, and where its type and its head are known from."""

    facts: Facts
    typed: tuple[str, str, str]
    headed: tuple[str, str, str]


UNSAID = "heads", "word", ""  # the only word of a mention needs no source


def known_of(text: Text, said: Said) -> Known:
    """Put together what a file says of a mention and what its words tell."""
    mention, own, whose, _ = said
    if own is not None and own.head is not None:
        mention = own
    wording = text.wording
    facts = nothing_known(mention) if wording is None else wording.facts(mention)
    kind = None if own is None else own.attributes.get("mention_type")
    known = KINDS.get(ace_kind(kind).upper()) if kind else None
    if known is None:
        where = text.whose if facts.typed_by == "tags" else text.language.in_words
        how = facts.typed_by or ("no list" if where else "")
        typed = "types", how, where
    else:
        pronoun = known[1]
        if known[0] == PRONOUN and not pronoun and wording is not None:
            pronoun = wording.pronoun(mention)
        facts = facts._replace(type=known[0], pronoun=pronoun)
        typed = "types", "file", whose
    headed = UNSAID
    if facts.head_by != "word":
        where = whose if facts.head_by == "file" else text.whose
        headed = "heads", facts.head_by, where if facts.head_by else ""
    return Known(facts, typed, headed)


def not_said(facts: Facts) -> Facts:
    """Let a mention be one of an empty node, which the key may lack."""
    if facts.pronoun == "zero":
        return facts
    return facts._replace(
        type=PRONOUN, pronoun="zero", head=UNKNOWN, text="", head_word=""
    )
