"""Claims on every input, checked on the paper's sets and on generated ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.lab.diagnose.transformations import TRANSFORMATIONS
from corefkit.lab.diagnose.verdicts import fields_of, wrong_fields
from corefkit.lab.generated import generated
from corefkit.lab.labels import evaluated
from corefkit.lab.reproduce.claims.operators import GENERATED, ScoreClaim
from corefkit.lab.reproduce.outcomes import TOLERANCE, metric_label, scored
from corefkit.metrics.registry import find_metrics
from corefkit.papers.partitions import sets_of_sizes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.lab.labels import Labels
    from corefkit.metrics.scores import DocumentScores

DOCUMENTS = 30  # of the generated corpus


def symmetric(claim: ScoreClaim) -> Iterator[str]:
    """Find sets whose F1 changes if key and response are exchanged."""
    for name in claim.names():
        sets = claim.sets[name]
        exchanged = sets._replace(key=sets.response, response=sets.key)
        for metric in claim.metrics:
            difference = scored(sets, metric).f1 - scored(exchanged, metric).f1
            if abs(difference) > TOLERANCE:
                yield claim.describe(name, [metric])
    if GENERATED in claim.about["sets"]:
        pair = generated(DOCUMENTS)
        scores = _by_document(pair.key, pair.response, claim.metrics)
        exchanged_scores = _by_document(pair.response, pair.key, claim.metrics)
        for metric in claim.metrics:
            for before, after in zip(scores, exchanged_scores, strict=True):
                if abs(before[metric].f1 - after[metric].f1) > TOLERANCE:
                    yield f"{metric_label(metric)} of a generated document"


def loss_of_extra_mentions(_: ScoreClaim) -> Iterator[str]:
    """Find sizes for which LEA loses another amount than the formula says."""
    for size in range(2, 21):
        for extra in range(1, 5):
            sets = sets_of_sizes(f"{size}", f"A{size}x{extra}")
            score = scored(sets, "lea")
            loss = score.precision_denominator - score.precision_numerator
            whole = size + extra
            printed = whole * (1 - size * (size - 1) / (whole * (whole - 1)))
            expected = 2 if extra == 1 else printed
            if max(abs(loss - printed), abs(loss - expected)) > TOLERANCE:
                yield f"n = {size}, k = {extra}: {loss:g}, and not {expected:g}"


def wrong_moves(claim: ScoreClaim, *, version: str) -> Iterator[str]:
    """Find metrics that move the wrong way and should not, or never do and should."""
    transformation = TRANSFORMATIONS[version]
    never, sometimes = claim.about["never"], claim.about["sometimes"]
    key, base = generated(DOCUMENTS)[:2]
    metrics = [*never, *sometimes]
    scores = _by_document(key, base, metrics)
    scores_after = _by_document(key, transformation.apply(key, base), metrics)
    for metric in metrics:
        documents = [
            wrong_fields(
                transformation, fields_of(before[metric]), fields_of(after[metric])
            )
            for before, after in zip(scores, scores_after, strict=True)
        ]
        wrong = sum(map(bool, documents))
        if (wrong > 0) == (metric in never):
            label = metric_label(metric)
            yield f"{label} moves the wrong way in {wrong} of {DOCUMENTS} documents"


def _by_document(
    key: Labels, response: Labels, metrics: Sequence[str]
) -> Sequence[DocumentScores]:
    return evaluated(key, response, metrics=find_metrics(metrics)).per_document
