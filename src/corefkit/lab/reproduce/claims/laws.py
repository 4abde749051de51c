"""Claims that hold for every input: seen on the paper's sets and on generated ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.lab.diagnose.transformations import TRANSFORMATIONS
from corefkit.lab.diagnose.verdicts import fields_of, wrong_fields
from corefkit.lab.evaluating import evaluated
from corefkit.lab.generated import generated
from corefkit.lab.papers.partitions import sets_of_sizes
from corefkit.lab.reproduce.claims.case import GENERATED, Case
from corefkit.lab.reproduce.outcomes import TOLERANCE
from corefkit.lab.reproduce.scores import metric_label, scored
from corefkit.metrics import chosen_metrics

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.evaluation import DocumentScores
    from corefkit.lab.diagnose.transformations import Transformation
    from corefkit.lab.labels import Labels

DOCUMENTS = 30  # of the generated corpus


def symmetric(case: Case) -> Iterator[str]:
    """Find sets whose F1 moves where key and response are exchanged."""
    for name in case.named():
        sets = case.sets[name]
        turned = sets._replace(key=sets.response, response=sets.key)
        for metric in case.metrics:
            there, back = scored(sets, metric), scored(turned, metric)
            if abs(there.f1 - back.f1) > TOLERANCE:
                yield case.told(name, [metric])
    if GENERATED in case.about["sets"]:
        pair = generated(DOCUMENTS)
        there_and_back = [(pair.key, pair.response), (pair.response, pair.key)]
        scores = [_by_document(*sides, case.metrics) for sides in there_and_back]
        for metric in case.metrics:
            for one, other in zip(*scores, strict=True):
                if abs(one[metric].f1 - other[metric].f1) > TOLERANCE:
                    yield f"{metric_label(metric)} of a generated document"


def loss_of_extra_mentions(_: Case) -> Iterator[str]:
    """Find sizes for which LEA takes off something else than the formula says."""
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


def more_precise(case: Case) -> Iterator[str]:
    """Find metrics that do not do as claimed where wrong mentions are taken out."""
    yield from _moved(case, TRANSFORMATIONS["more_precise"])


def less_precise(case: Case) -> Iterator[str]:
    """Find metrics that do not do as claimed where wrong entities are added."""
    yield from _moved(case, TRANSFORMATIONS["less_precise_a"])


def _moved(case: Case, transformation: Transformation) -> Iterator[str]:
    """Find metrics that move the wrong way and should not, or never do and should."""
    never, sometimes = case.about["never"], case.about["sometimes"]
    key, base = generated(DOCUMENTS)[:2]
    before, after = (
        _by_document(key, response, [*never, *sometimes])
        for response in (base, transformation.apply(key, base))
    )
    for metric in (*never, *sometimes):
        wrong = sum(
            bool(
                wrong_fields(transformation, *(fields_of(one[metric]) for one in pair))
            )
            for pair in zip(before, after, strict=True)
        )
        if (wrong > 0) == (metric in never):
            label = metric_label(metric)
            yield f"{label} moves the wrong way in {wrong} of {DOCUMENTS} documents"


def _by_document(
    key: Labels, response: Labels, metrics: Sequence[str]
) -> tuple[DocumentScores, ...]:
    return evaluated(key, response, metrics=chosen_metrics(metrics)).per_document
