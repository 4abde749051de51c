"""Mention taggers: which spans of a text with trees are mentions.

    candidate_mentions   SM1, by rule: nearly all mentions, and others
    MentionFilter        SM2, trained: those of SM1 that a corpus would annotate
    zero_subjects        verbs that stand for a subject that is not said
    tagged               a document with the mentions that one of them finds
    tagger_scores        how many mentions were found, and how many are right

The two taggers are after Cai and Strube 2010.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from corefkit.cistell.taggers.candidates import candidate_mentions
from corefkit.cistell.taggers.filtering import MentionFilter, best_threshold
from corefkit.cistell.taggers.scores import TaggerScores, tagger_scores, tagger_table
from corefkit.cistell.taggers.zeros import zero_subjects
from corefkit.model import Entity

if TYPE_CHECKING:
    from corefkit.model import Document

__all__ = [
    "MentionFilter",
    "TaggerScores",
    "best_threshold",
    "candidate_mentions",
    "tagged",
    "tagger_scores",
    "tagger_table",
    "zero_subjects",
]


def tagged(document: Document, *, tagger: MentionFilter | None = None) -> Document:
    """Give a document whose entities are the mentions found, one mention each.

    What entities and bridges it had are left out.

    Args:
        document: a document with CoNLL-U's layers.
        tagger: a trained filter (SM2); without one, SM1 finds the mentions.

    Raises:
        CorefkitError: the document has words and no tree.
    """
    found = tagger.mentions(document) if tagger else candidate_mentions(document)
    entities = [
        Entity(str(number), (mention,)) for number, mention in enumerate(found, 1)
    ]
    return replace(document, entities=tuple(entities), bridges=())
