"""Mention taggers: which spans of a text with trees are mentions.

    candidate_mentions   SM1, by rule: nearly all mentions, and others
    MentionTagger        SM2, trained: the spans that a corpus would annotate
    learn_tagger         trains it
    tagged               a document with the mentions that one of them finds
    with_singletons      a document with mentions that were found elsewhere
    with_mentions        a document with these or its own mentions, as the user chooses
    declare_given        declares which documents of an input have given mentions

The two taggers are after Cai and Strube 2010.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from cistell.evidence import Reading
from cistell.taggers.candidates import candidate_mentions
from cistell.taggers.learning import learn_tagger
from cistell.taggers.tagger import MentionTagger
from corefkit.corpus import read_declaration, set_declaration
from corefkit.exceptions import SettingsError
from corefkit.model import Document, Entity
from corefkit.strings import suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cistell.evidence import Evidence
    from cistell.readers import RawText
    from corefkit.model import Mention

# Where mentions come from: the document itself, or one of the taggers.
MENTIONS = ("gold", "sm1", "sm2")

__all__ = [
    "MENTIONS",
    "MentionTagger",
    "candidate_mentions",
    "declare_given",
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
    mentions: str,
    *,
    tagger: MentionTagger | None = None,
    evidence: Evidence | None = None,
) -> Document:
    """Give a document the mentions to resolve, and declare where they are from.

    `mentions` is one of `MENTIONS`.
    """
    check_mentions(mentions, tagger)
    declaration = read_declaration(document)._replace(mentions=mentions)
    if mentions != "gold":
        chosen = tagger if mentions == "sm2" else None
        document = tagged(document, tagger=chosen, evidence=evidence)
    return set_declaration(document, declaration)


def declare_given(
    documents: Iterable[Document | RawText],
) -> Iterator[Document | RawText]:
    """Declare for all documents of one input whether their mentions are given.

    Mentions are given in every document of an input if at least one has some: a
    document without mentions is then one in which nothing was annotated. Documents are
    buffered until the first one with mentions; raw texts before it are not.
    """
    remaining = iter(documents)
    waiting: list[Document | RawText] = []
    given = False
    for item in remaining:
        if not isinstance(item, Document) and not waiting:
            yield item
            continue
        waiting.append(item)
        if isinstance(item, Document) and item.entities:
            given = True
            break
    mentions = "gold" if given else ""
    for item in chain(waiting, remaining):
        if isinstance(item, Document):
            yield set_declaration(
                item, read_declaration(item)._replace(mentions=mentions)
            )
        else:
            yield item


def check_mentions(mentions: str | None, tagger: MentionTagger | None) -> None:
    """Refuse an unknown name, and `sm2` without a trained tagger."""
    if mentions is not None and mentions not in MENTIONS:
        message = f"there are no mentions {mentions!r}"
        raise SettingsError(
            message, code="settings/unknown-value", hint=suggest(mentions, MENTIONS)
        )
    if mentions == "sm2" and tagger is None:
        message = "mentions sm2 need a model with a tagger of mentions"
        hint = "train it with `corefkit train --tagger`, or use sm1"
        raise SettingsError(message, code="model/missing-part", hint=hint)
