"""What is said of a claim: whether it holds here, by how much, and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corefkit.cistell.experiment.bootstrap import Interval, interval
from corefkit.cistell.experiment.systems import LABELS, printed_name
from corefkit.columns import Floats

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corefkit.cistell.experiment.paper import Dataset
    from corefkit.cistell.experiment.results import SettingResults

PAPER_METRICS = ("muc", "b_cubed", "ceaf_m")

# F1 in percent of a model under a metric: one number, or one for each draw.
Lookup: TypeAlias = Callable[[str, str], Floats]


class Verdict(Enum):
    """What became of a claim."""

    HOLDS = "holds"
    NOISE = "noise"
    FAILS = "not so"


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim of the paper, and what was found in one setting or between two.

    Attributes:
        claim: its id.
        says: the claim in words.
        where: where the paper has it; empty where it is not the paper's.
        settings: titles of the settings that it was looked at in.
        verdict: what became of it.
        value: by how much it holds, in points or as the claim has it; below 0 it does
            not. None where it is no matter of numbers.
        interval: the middle 95 % of that, where documents were drawn.
        printed: the same of the paper's numbers, where it prints them.
        evidence: numbers behind it, a line each.
        reasons: what in the data explains it, a line each.
    """

    claim: str
    says: str
    where: str
    settings: tuple[str, ...]
    verdict: Verdict
    value: float | None = None
    interval: Interval | None = None
    printed: float | None = None
    evidence: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


def judged(samples: Floats, value: float, *, least: float = 0.0) -> Verdict:
    """Say whether a value is above a bound, or too near to it to tell.

    >>> judged(np.array([1.0, 2.0, 3.0]), 2.0).value
    'holds'
    >>> judged(np.array([-1.0, 2.0, 3.0]), 2.0).value
    'noise'
    """
    low, high = interval(samples)
    if low > least and value > least:
        return Verdict.HOLDS
    if high < least and value < least:
        return Verdict.FAILS
    return Verdict.NOISE


def here(results: SettingResults, variant: str = "") -> Lookup:
    """Give F1 of the paper's models in a setting."""

    def f1(model: str, metric: str) -> Floats:
        found = results.paper_model(model, variant)
        return np.array(0.0 if found is None else 100 * found.f1(metric))

    return f1


def drawn(results: SettingResults, variant: str = "") -> Lookup:
    """Give F1 of the paper's models in every draw of a setting."""

    def f1(model: str, metric: str) -> Floats:
        found = results.paper_model(model, variant)
        return np.zeros(1) if found is None else 100 * found.samples(metric)

    return f1


def printed(dataset: Dataset) -> Lookup:
    """Give F1 as the paper prints it; what it does not print is 0."""

    def f1(model: str, metric: str) -> Floats:
        return np.array(dataset.f1(printed_name(model), metric) or 0.0)

    return f1


def called(model: str) -> str:
    """Name a model as tables do."""
    return LABELS[printed_name(model)]


def top(f1: Lookup, metric: str, models: Iterable[str]) -> Floats:
    """Give the highest F1 of some models."""
    found: Floats = np.maximum.reduce([f1(model, metric) for model in models])
    return found


def bottom(f1: Lookup, metric: str, models: Iterable[str]) -> Floats:
    """Give the lowest F1 of some models."""
    found: Floats = np.minimum.reduce([f1(model, metric) for model in models])
    return found


def signed(value: float, ends: Interval | None = None, *, digits: int = 1) -> str:
    """Write a difference, with its interval.

    >>> signed(1.25, Interval(-0.5, 3.0))
    '+1.2 [-0.5, +3.0]'
    """
    text = f"{value:+.{digits}f}"
    if ends is None:
        return text
    return f"{text} [{ends.low:+.{digits}f}, {ends.high:+.{digits}f}]"
