"""Mention taggers: which spans of a text with trees are mentions.

    candidate_mentions   SM1, by rule: nearly all mentions, and others
    MentionTagger        SM2, trained: the spans that a corpus would annotate
    learn_tagger         trains it
    tagged               a document with the mentions that one of them finds
    with_singletons      a document with mentions that were found elsewhere
    with_mentions        a document with these or its own mentions, as the user chooses

The two taggers are after Cai and Strube 2010.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from corefkit.cistell.evidence import Reading
from corefkit.cistell.taggers.candidates import candidate_mentions
from corefkit.cistell.taggers.learning import learn_tagger
from corefkit.cistell.taggers.tagger import MentionTagger
from corefkit.corpus.declaration import declared, declaring
from corefkit.exceptions import SettingsError
from corefkit.model import Entity
from corefkit.strings.nearest import suggest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corefkit.cistell.evidence import Evidence
    from corefkit.model import Document, Mention

# Where mentions come from: the document itself, or one of the taggers.
MENTIONS = ("gold", "sm1", "sm2")

__all__ = [
    "MENTIONS",
    "MentionTagger",
    "candidate_mentions",
    "learn_tagger",
    "tagged",
    "with_mentions",
    "with_singletons",
]


def tagged(
    document: Document,
    *,
    tagger: MentionTagger | None = None,
    evidence: Evidence | None = None,
) -> Document:
    """Find the mentions of a document, and make an entity of each.

    The entities and bridges that it had are left out. Without a trained tagger (SM2),
    SM1 finds the mentions. A tagger that was trained with a network needs its evidence.
    """
    if tagger is None:
        return with_singletons(document, candidate_mentions(document))
    return with_singletons(document, tagger.mentions(Reading(document, evidence)))


def with_singletons(document: Document, mentions: Iterable[Mention]) -> Document:
    """Give a document these mentions in place of its own, each an entity."""
    entities = [
        Entity(str(number), (mention,)) for number, mention in enumerate(mentions, 1)
    ]
    return replace(document, entities=tuple(entities), bridges=())


def with_mentions(
    document: Document,
    mentions: str | None = None,
    *,
    tagger: MentionTagger | None = None,
    evidence: Evidence | None = None,
) -> Document:
    """Give a document the mentions to resolve, and declare where they are from.

    `mentions` is one of `MENTIONS`. By default, they are the document's own if it has
    any, else those that the trained tagger finds, else those of SM1.
    """
    check_mentions(mentions, tagger)
    if mentions is None:
        mentions = "gold" if document.entities else "sm2" if tagger else "sm1"
    declaration = declared(document)._replace(mentions=mentions)
    if mentions != "gold":
        chosen = tagger if mentions == "sm2" else None
        document = tagged(document, tagger=chosen, evidence=evidence)
    return declaring(document, declaration)


def check_mentions(mentions: str | None, tagger: MentionTagger | None) -> None:
    """Refuse an unknown name, and `sm2` without a trained tagger."""
    if mentions is not None and mentions not in MENTIONS:
        message = f"there are no mentions {mentions!r}"
        raise SettingsError(message, hint=suggest(mentions, MENTIONS))
    if mentions == "sm2" and tagger is None:
        message = "mentions sm2 need a model with a tagger of mentions"
        hint = "train it with `corefkit train --tagger`, or use sm1"
        raise SettingsError(message, hint=hint)
