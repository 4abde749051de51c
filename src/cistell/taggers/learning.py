"""Training the tagger of mentions, and what it finds in its own training part.

A tagger knows the documents that it was trained on too well. So the training part is
cut into folds, and what is found in each is found by a tagger of the others: the
thresholds are chosen on that, and a linker can learn from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cistell.learners.growing import Growth, grown
from cistell.learners.trees import readied
from cistell.taggers.choosing import Thresholds, best_thresholds, chosen
from cistell.taggers.columns import described, vocabularies_of
from cistell.taggers.pages import page_of
from cistell.taggers.spans import candidate_spans
from cistell.taggers.tagger import MentionTagger, mentions_of, probabilities
from corefkit.exceptions import CorefkitError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cistell.evidence import Reading
    from cistell.learners.trees import Trees
    from cistell.taggers.columns import Described, Vocabularies
    from cistell.taggers.pages import Page
    from cistell.taggers.spans import Spans
    from corefkit.arrays.columns import Flags, Floats
    from corefkit.model import Mention

FOLDS = 4
_GROWTH = Growth(rounds=250, leaves=31, rate=0.1, least=20, features=0.7)


class Learned(NamedTuple):
    """A tagger, and the mentions that others, of the same kind, find in its training.

    Attributes:
        tagger: trained on all documents.
        mentions: for each document, those that a tagger finds that has not seen it.
    """

    tagger: MentionTagger
    mentions: list[list[Mention]]


class Material(NamedTuple):
    """A document to learn from: its candidates, described, and which are mentions."""

    reading: Reading
    page: Page
    spans: Spans
    described: Described
    annotated: Flags
    key: set[tuple[int, int]]  # the first and last words of its mentions


def learn_tagger(
    readings: Iterable[Reading],
    *,
    folds: int = FOLDS,
    seed: int = 0,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Learned:
    """Train a tagger on documents with trees and with all their mentions.

    Trees and evidence should be of the kind that the tagger will meet: those that a
    parser finds in documents that it has not seen. The same readings and seed make the
    same tagger.

    Args:
        readings: the documents, with evidence if the tagger will have it.
        folds: how many parts are held out, one after the other; fewer if there are not
            so many documents. A single document is held out from itself.
        seed: of the growth of trees.
        progress: called with the numbers of taggers trained, and of all to train.
    """
    training = list(readings)
    weighs = _with_evidence(training)
    materials, vocabularies = _materials(training)
    folds = max(1, min(folds, len(materials)))
    found: list[Floats] = [np.zeros(0)] * len(materials)
    for fold in range(folds):
        progress(fold, folds + 1)
        rest = [one for at, one in enumerate(materials) if at % folds != fold]
        ready = readied(_grown(rest or materials, seed))
        for at in range(fold, len(materials), folds):
            found[at] = probabilities(ready, materials[at].described.rows)
    pairs = list(zip(materials, found, strict=True))
    thresholds = best_thresholds((one.spans, odds, one.key) for one, odds in pairs)
    progress(folds, folds + 1)
    tagger = MentionTagger(_grown(materials, seed), vocabularies, thresholds, weighs)
    progress(folds + 1, folds + 1)
    return Learned(tagger, [_mentions(*pair, thresholds) for pair in pairs])


def _with_evidence(readings: Sequence[Reading]) -> bool:
    """Return whether all readings have evidence; refuse some with and some without."""
    weighs = {reading.evidence is not None for reading in readings}
    if len(weighs) > 1:
        message = "some documents to train a tagger on were read by a network, some not"
        raise CorefkitError(
            message,
            code="model/mixed-evidence",
            hint="read all of them, or none, by a network",
        )
    return weighs == {True}


def _mentions(one: Material, odds: Floats, thresholds: Thresholds) -> list[Mention]:
    found = chosen(one.spans, odds, thresholds)
    return mentions_of(one.reading, one.page, one.spans, found, odds)


def _materials(readings: Sequence[Reading]) -> tuple[list[Material], Vocabularies]:
    pages = [page_of(reading) for reading in readings]
    vocabularies = vocabularies_of(pages)
    pairs = zip(readings, pages, strict=True)
    return [_material(*pair, vocabularies) for pair in pairs], vocabularies


def _material(reading: Reading, page: Page, vocabularies: Vocabularies) -> Material:
    spans = candidate_spans(page)
    word = {token: word for word, token in enumerate(page.tokens)}
    key = {
        (word[mention.start], word[mention.end])
        for entity in reading.document
        for mention in entity
        if mention.start in word and mention.end in word
    }
    edges = zip(spans.first.tolist(), spans.last.tolist(), strict=True)
    flags = np.fromiter((edge in key for edge in edges), np.bool_, len(spans.head))
    rows = described(page, spans, vocabularies)
    return Material(reading, page, spans, rows, flags, key)


def _grown(materials: Sequence[Material], seed: int) -> Trees:
    annotated = np.concatenate(
        [one.annotated for one in materials] or [np.zeros(0, np.bool_)]
    )
    if annotated.all() or not annotated.any():
        which = "all" if annotated.any() else "none"
        message = (
            f"a tagger cannot be trained: of the noun phrases, {which} are mentions"
        )
        hint = "train on documents with trees whose mentions are annotated"
        raise CorefkitError(message, code="model/nothing-to-learn", hint=hint)
    return grown(
        np.concatenate([one.described.rows for one in materials]),
        annotated.astype(np.float64),
        ordered=materials[0].described.ordered,
        growth=_GROWTH,
        seed=seed,
    )
