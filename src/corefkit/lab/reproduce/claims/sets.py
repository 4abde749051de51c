"""Operators on the scores of a paper's sets."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from corefkit.lab.reproduce.outcomes import TOLERANCE
from corefkit.lab.reproduce.scores import metric_label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.lab.reproduce.claims.subjects import ScoreClaim


def zero(claim: ScoreClaim) -> Iterator[str]:
    """Find scores above 0."""
    for metric in claim.metrics:
        for name in claim.names():
            if claim.value(name, metric) > TOLERANCE:
                yield claim.describe(name, [metric])


def above_zero(claim: ScoreClaim) -> Iterator[str]:
    """Find scores that are 0."""
    for metric in claim.metrics:
        for name in claim.names():
            if claim.value(name, metric) <= TOLERANCE:
                yield claim.describe(name, [metric])


def descending(claim: ScoreClaim) -> Iterator[str]:
    """Find sets that do not score below the one before."""
    for metric in claim.metrics:
        for first, second in pairwise(claim.names()):
            if claim.value(first, metric) <= claim.value(second, metric) + TOLERANCE:
                yield claim.contrast(first, second, metric)


def same(claim: ScoreClaim) -> Iterator[str]:
    """Find sets that do not score like the first."""
    first, *others = claim.names()
    for metric in claim.metrics:
        for other in others:
            if abs(claim.value(first, metric) - claim.value(other, metric)) > TOLERANCE:
                yield claim.contrast(first, other, metric)


def agree(claim: ScoreClaim) -> Iterator[str]:
    """Find sets on which the metrics differ."""
    for name in claim.names():
        values = [claim.value(name, metric) for metric in claim.metrics]
        if max(values) - min(values) > TOLERANCE:
            yield claim.describe(name, claim.metrics)


def at_most(claim: ScoreClaim) -> Iterator[str]:
    """Find sets on which one metric is above another."""
    metric = claim.about["metric"]
    for name in claim.names():
        for other in claim.about["others"]:
            if claim.value(name, metric) > claim.value(name, other) + TOLERANCE:
                yield claim.describe(name, [metric, other])


def above_by(claim: ScoreClaim) -> Iterator[str]:
    """Find sets on which one metric is not so many points above another."""
    metric, margin = claim.about["metric"], claim.about["points"] / 100
    for name in claim.names():
        for other in claim.about["others"]:
            above = claim.value(name, metric) - claim.value(name, other)
            if above < margin - TOLERANCE:
                yield claim.describe(name, [metric, other])


def distinct(claim: ScoreClaim) -> Iterator[str]:
    """Find metrics with more or fewer different values than claimed."""
    for metric, count in claim.about["counts"].items():
        values = {round(claim.value(name, metric), 9) for name in claim.names()}
        if len(values) != count:
            yield f"{metric_label(metric)} has {len(values)} different values"


def lowest(claim: ScoreClaim) -> Iterator[str]:
    """Find sets below the one claimed to be the lowest."""
    yield from _not_above(claim, -TOLERANCE)


def lowest_alone(claim: ScoreClaim) -> Iterator[str]:
    """Find sets that are not above the one claimed to be the lowest."""
    yield from _not_above(claim, TOLERANCE)


def _not_above(claim: ScoreClaim, least: float) -> Iterator[str]:
    """Find the sets that are not that much above the named one."""
    lowest = claim.about["set"]
    for metric in claim.metrics:
        for name in claim.names():
            above = claim.value(name, metric) - claim.value(lowest, metric)
            if name != lowest and above < least:
                yield claim.contrast(name, lowest, metric)
