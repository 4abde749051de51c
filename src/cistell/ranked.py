"""Models that rank: trained, and how ready they are to link.

A linker that ranks has a bias towards "no antecedent". As a threshold, it is picked on
documents that the linker did not learn from, where it scores best.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from cistell.linking import EntityLinker
from cistell.linking.linker import linked
from cistell.modelfile import RANKING, Model
from cistell.needs import supply_of
from cistell.resolving import resolution
from cistell.table import annotated, mention_table
from cistell.tuning import mean_f1
from corefkit.corpus import compute_fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cistell.profiles import Context
    from cistell.resolving import Resolution
    from corefkit.model import Document

# To no link at all at one end, and to one for nearly every mention at the other.
_BIASES: tuple[float, ...] = tuple(np.arange(-2, 2.01, 0.25).tolist())


def ranking_model(
    documents: Sequence[Document],
    context: Context,
    *,
    seed: int = 0,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Model:
    """Train a linker that ranks, and record what it was trained on."""
    linker = EntityLinker.learn(documents, context, seed=seed, progress=progress)
    return Model(
        language=context.language.code,
        columns=(),
        learner=RANKING,
        classifier=linker,
        corpus=compute_fingerprint(documents).to_dict(),
        training={
            "documents": len(documents),
            "mentions": sum(len(entity) for one in documents for entity in one),
            "entity_types": context.entity_types,
            "missing": [lack.resource for lack in context.lexicon.missing],
            "words": context.lexicon.fingerprints(),
            "supply": supply_of(documents),
            "seed": seed,
        },
    )


def picked_bias(
    linker: EntityLinker,
    documents: Iterable[Document],
    context: Context,
    *,
    key: Sequence[Document],
    judges: Sequence[str],
) -> float:
    """Pick the bias with the best mean F1 on documents; of equals the smallest in size.

    The documents have the mentions to link, which need not be those of the key.
    """
    tables = [mention_table(one, annotated(one), context) for one in documents]
    rankings = [linker.ranking(table) for table in tables]

    def mean(bias: float) -> float:
        response = [
            resolution(table, linked(ranking, bias=bias)).document
            for table, ranking in zip(tables, rankings, strict=True)
        ]
        return mean_f1(key, response, judges)

    return max(_BIASES, key=lambda bias: (mean(bias), -abs(bias)))


def resolve_by_ranking(
    documents: Iterable[Document],
    linker: EntityLinker,
    context: Context,
    *,
    bias: float,
) -> Iterator[Resolution]:
    """Resolve documents with mentions, one after the other."""
    biased = replace(linker, bias=bias)
    for document in documents:
        table = mention_table(document, annotated(document), context)
        (numbers,) = biased.link([table])
        yield resolution(table, numbers)
