"""Claims on the scores of sets that a paper states."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from corefkit.lab.reproduce.outcomes import TOLERANCE
from corefkit.lab.reproduce.scores import metric_label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.lab.reproduce.claims.case import Case


def zero(case: Case) -> Iterator[str]:
    """Find scores above 0."""
    for metric in case.metrics:
        for name in case.named():
            if case.value(name, metric) > TOLERANCE:
                yield case.told(name, [metric])


def above_zero(case: Case) -> Iterator[str]:
    """Find scores that are 0."""
    for metric in case.metrics:
        for name in case.named():
            if case.value(name, metric) <= TOLERANCE:
                yield case.told(name, [metric])


def descending(case: Case) -> Iterator[str]:
    """Find sets that are not below the one before, by each metric."""
    for metric in case.metrics:
        for first, second in pairwise(case.named()):
            if case.value(first, metric) <= case.value(second, metric) + TOLERANCE:
                yield f"{case.told(first, [metric])}; {case.told(second, [metric])}"


def same(case: Case) -> Iterator[str]:
    """Find sets that a metric tells from the first."""
    first, *others = case.named()
    for metric in case.metrics:
        for other in others:
            if abs(case.value(first, metric) - case.value(other, metric)) > TOLERANCE:
                yield f"{case.told(first, [metric])}; {case.told(other, [metric])}"


def agree(case: Case) -> Iterator[str]:
    """Find sets on which the metrics differ."""
    for name in case.named():
        values = [case.value(name, metric) for metric in case.metrics]
        if max(values) - min(values) > TOLERANCE:
            yield case.told(name, case.metrics)


def at_most(case: Case) -> Iterator[str]:
    """Find sets on which one metric is above another."""
    metric = case.about["metric"]
    for name in case.named():
        for other in case.about["others"]:
            if case.value(name, metric) > case.value(name, other) + TOLERANCE:
                yield case.told(name, [metric, other])


def above_by(case: Case) -> Iterator[str]:
    """Find sets on which one metric is not above another by so many points."""
    metric, margin = case.about["metric"], case.about["points"] / 100
    for name in case.named():
        for other in case.about["others"]:
            above = case.value(name, metric) - case.value(name, other)
            if above < margin - TOLERANCE:
                yield case.told(name, [metric, other])


def distinct(case: Case) -> Iterator[str]:
    """Find metrics that tell more or fewer of the sets apart than is claimed."""
    for metric, count in case.about["counts"].items():
        values = {round(case.value(name, metric), 9) for name in case.named()}
        if len(values) != count:
            yield f"{metric_label(metric)} has {len(values)} different values"


def lowest(case: Case) -> Iterator[str]:
    """Find sets below the one that is claimed to be the lowest."""
    yield from _not_above(case, -TOLERANCE)


def lowest_alone(case: Case) -> Iterator[str]:
    """Find sets that are not above the one that is claimed to be the lowest."""
    yield from _not_above(case, TOLERANCE)


def _not_above(case: Case, least: float) -> Iterator[str]:
    """Find the sets that are not above the one named by at least so much."""
    lowest = case.about["set"]
    for metric in case.metrics:
        for name in case.named():
            above = case.value(name, metric) - case.value(lowest, metric)
            if name != lowest and above < least:
                yield f"{case.told(name, [metric])}; {case.told(lowest, [metric])}"
