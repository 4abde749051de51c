"""CISTELL: the resolver of Recasens and Hovy (2010), from text to scored entities.

The resolver goes through mentions in the order of the text. It compares each, pair by
pair, with those before it, and puts it into a basket of mentions of the same entity, or
into a new one. The modules, each importing only from those before it:

    languages, lexicon                  what is known of languages, and of words
    trees, words, facts, profiles,
    table                               what is known of the mentions of a document
    learners, archive                   classifiers of pairs, and how they are kept
    needs, features                     what is known of a pair of mentions
    corpora                             schemes of annotation, parts of documents
    evidence                            what a network tells of words
    network                             tags, trees and types, learned together
    taggers, parsing                    mentions and trees, where a text has none
    pairs                               all pairs, decided in batches
    sieve                               entities by rules alone
    linking                             candidates of mentions, ranked
    models                              from decisions to entities
    card, modelfile, places             what a model is, its file, and where that is
    training, resolving                 from documents to a model, and to entities
    tuning, fitting                     what thresholds and features are worth
    readers, links, pipeline            texts read, mentions linked, one after the other
    cards, loading                      models as they are trained, and as they are used
    resolver                            all of it, ready to use
    scratch                             all of it, trained from an annotated corpus
    experiment                          the studies of the paper

`cistell.Resolver` is what most users need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cistell.resolver import Resolver

__all__ = ["Resolver"]


def __getattr__(name: str) -> object:
    # Imported on demand: parts of the resolver are used without the whole.
    if name == "Resolver":
        from cistell.resolver import Resolver

        return Resolver
    message = f"module 'cistell' has no attribute {name!r}"
    raise AttributeError(message)
