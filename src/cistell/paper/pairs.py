"""Pairs of mentions: those to learn from, and all pairs of a document in batches.

Most mentions are singletons and most pairs are negative, so the choice of training
pairs matters more than the features: Soon's pairs have no singleton as second mention,
and a classifier that remembers them finds antecedents for singletons.

Pairs of several small documents are decided together, and those of a large one in
blocks of second mentions, so that memory depends on the batch and not on the document.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cistell.mentions.profiles import make_annotated_table
from cistell.paper.features import Pairs, encode_pairs, list_columns
from cistell.paper.memory import Instances
from corefkit import CorefkitError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.random import Generator

    from cistell.mentions.profiles import Context, Ints, MentionTable
    from cistell.paper.features import Feature
    from cistell.paper.memory import Classifier, Decisions
    from corefkit import Document

BATCH = 1 << 19  # pairs that are decided at once


@dataclass(frozen=True, slots=True)
class Block:
    """Some mentions of a document, with the decisions on all pairs that end in them."""

    table: MentionTable  # all mentions of the document
    start: int  # the first mention of the block
    stop: int  # the mention after the last
    # For each, those on the pairs with all earlier mentions, in order.
    decisions: Decisions

    def __iter__(self) -> Iterator[Decisions]:
        """Go through the mentions, each with the decisions on earlier ones."""
        position = 0
        for mention in range(self.start, self.stop):
            yield self.decisions[position : position + mention]
            position += mention


def pair_with_earlier(table: MentionTable, start: int, stop: int) -> Pairs:
    """Pair mentions with all earlier ones.

    The pairs of one mention come together, its partners in the order of the text.
    """
    counts = np.arange(start, stop)
    second = np.repeat(counts, counts)
    ends = np.cumsum(counts)
    first = np.arange(len(second)) - np.repeat(ends - counts, counts)
    return Pairs(table, first, second)


def decide_pairs(
    tables: Iterable[MentionTable],
    features: Sequence[Feature],
    classifier: Classifier,
    *,
    batch: int = BATCH,
) -> Iterator[Block]:
    """Decide on all pairs of documents, and go through their blocks in order."""
    waiting: list[Pairs] = []
    spans: list[tuple[int, int]] = []
    size = 0
    for table in tables:
        for start, stop in _cut_spans(len(table), batch):
            waiting.append(pair_with_earlier(table, start, stop))
            spans.append((start, stop))
            size += len(waiting[-1])
            if size >= batch:
                yield from _decide_blocks(waiting, spans, features, classifier)
                waiting, spans, size = [], [], 0
    yield from _decide_blocks(waiting, spans, features, classifier)


def _cut_spans(mentions: int, batch: int) -> Iterator[tuple[int, int]]:
    """Cut mentions into spans, each with about a batch of pairs.

    >>> list(_cut_spans(5, 3)), list(_cut_spans(0, 3))
    ([(0, 3), (3, 4), (4, 5)], [(0, 0)])
    """
    if not mentions:
        yield 0, 0
    start = 0
    while start < mentions:
        stop, size = start, 0
        while stop < mentions and (size + stop <= batch or stop == start):
            size += stop
            stop += 1
        yield start, stop
        start = stop


def _decide_blocks(
    waiting: Sequence[Pairs],
    spans: Sequence[tuple[int, int]],
    features: Sequence[Feature],
    classifier: Classifier,
) -> Iterator[Block]:
    if not waiting:
        return
    codes = np.concatenate([encode_pairs(pairs, features) for pairs in waiting])
    decisions = classifier.decide(codes)
    position = 0
    for pairs, (start, stop) in zip(waiting, spans, strict=True):
        part = decisions[position : position + len(pairs)]
        yield Block(pairs.table, start, stop, part)
        position += len(pairs)


@dataclass(frozen=True, slots=True)
class Sampling:
    """How pairs to learn from are chosen.

    Attributes:
        scheme: one of `SCHEMES`.
        positives: how many antecedents of a mention `every` takes at most.
        negatives: how many other earlier mentions it takes at most.
        seed: of the random choice.
    """

    scheme: str = "every"
    positives: int = 3
    negatives: int = 5
    seed: int = 0

    def __post_init__(self) -> None:
        """Reject an unknown scheme and negative numbers."""
        if self.scheme not in SCHEMES:
            message = f"unknown scheme of training pairs {self.scheme!r}"
            raise SettingsError(
                message,
                code="settings/unknown-value",
                hint=f"choose one of {', '.join(SCHEMES)}",
            )
        for name in ("positives", "negatives", "seed"):
            if getattr(self, name) < 0:
                message = f"{name} cannot be {getattr(self, name)}"
                raise SettingsError(
                    message, code="settings/invalid-value", hint="give 0 or more"
                )


def pair_every(
    table: MentionTable, entity: Ints, *, sampling: Sampling, random: Generator
) -> tuple[Ints, Ints]:
    """Pair every mention with some antecedents and some other earlier mentions.

    They are drawn at random. Unlike in Soon's scheme, singletons are second mentions.
    """
    del table
    first: list[Ints] = []
    for second in range(len(entity)):
        coreferent = entity[:second] == entity[second]
        for mentions, limit in (
            (np.flatnonzero(coreferent), sampling.positives),
            (np.flatnonzero(~coreferent), sampling.negatives),
        ):
            is_small = len(mentions) <= limit
            chosen = (
                mentions if is_small else random.choice(mentions, limit, replace=False)
            )
            first.append(np.sort(chosen))
    return _join_sample(
        first, [second for second in range(len(entity)) for _ in range(2)]
    )


def pair_soon(
    table: MentionTable, entity: Ints, *, sampling: Sampling, random: Generator
) -> tuple[Ints, Ints]:
    """Pair with the closest antecedent and all mentions between (Soon et al. 2001)."""
    del table, sampling, random
    first, seconds = [], []
    for second in range(len(entity)):
        antecedents = np.flatnonzero(entity[:second] == entity[second])
        if len(antecedents):
            first.append(np.arange(antecedents[-1], second))
            seconds.append(second)
    return _join_sample(first, seconds)


def pair_ng_cardie(
    table: MentionTable, entity: Ints, *, sampling: Sampling, random: Generator
) -> tuple[Ints, Ints]:
    """Pair nouns with the closest antecedent that is a noun (Ng and Cardie 2002).

    Pronouns have the closest antecedent of any kind; the mentions between are the
    negatives, as in Soon's scheme.
    """
    del sampling, random
    first, seconds = [], []
    for second in range(len(entity)):
        coreferent = entity[:second] == entity[second]
        allowed = table.pronoun[second] | ~table.pronoun[:second]
        antecedents = np.flatnonzero(coreferent & allowed)
        if len(antecedents):
            between = np.arange(antecedents[-1] + 1, second)
            negatives = between[~coreferent[between]]
            first.append(np.concatenate([antecedents[-1:], negatives]))
            seconds.append(second)
    return _join_sample(first, seconds)


def _join_sample(first: list[Ints], seconds: list[int]) -> tuple[Ints, Ints]:
    if not first:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    sizes = list(map(len, first))
    return np.concatenate(first), np.repeat(np.array(seconds, np.int64), sizes)


SCHEMES: Mapping[str, Callable[..., tuple[Ints, Ints]]] = {
    "every": pair_every,
    "soon": pair_soon,
    "ng-cardie": pair_ng_cardie,
}


def encode_training_pairs(
    documents: Iterable[Document],
    features: Sequence[Feature],
    context: Context,
    *,
    sampling: Sampling | None = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Instances:
    """Describe the pairs of annotated documents to learn from.

    `progress` is called with the numbers of documents done and of all documents.

    Raises:
        CorefkitError: no pair is coreferent, or all are: nothing can be learned.
    """
    sampling = sampling or Sampling()
    scheme = SCHEMES[sampling.scheme]
    random = np.random.default_rng(sampling.seed)
    rows = [np.zeros((0, len(features)), np.uint8)]
    coreferent = [np.zeros(0, np.bool_)]
    training = list(documents)
    for done, document in enumerate(training):
        progress(done, len(training))
        table, entity = make_annotated_table(document, context)
        first, second = scheme(table, entity, sampling=sampling, random=random)
        rows.append(encode_pairs(Pairs(table, first, second), features))
        coreferent.append(entity[first] == entity[second])
    positive = np.concatenate(coreferent)
    if not positive.any() or positive.all():
        lacking = "coreferent" if not positive.any() else "not coreferent"
        message = f"there is nothing to learn from: no pair of mentions is {lacking}"
        hint = "train on documents with entities of two mentions or more, and others"
        raise CorefkitError(message, code="model/nothing-to-learn", hint=hint)
    return Instances(list_columns(features), np.concatenate(rows), positive)
