"""A corpus is altered step by step, and every metric scores every step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.exceptions import SettingsError
from corefkit.lab.evaluating import (
    COUNTED,
    counted_metrics,
    evaluated,
    settings_of_partitions,
    settled,
)
from corefkit.lab.perturb.curves import Curves, Point
from corefkit.lab.perturb.perturbations import PERTURBATIONS, Perturbation
from corefkit.settings import DEFAULT_SETTINGS, Settings, suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corefkit.alignment.pipeline import Progress
    from corefkit.evaluation import Evaluation
    from corefkit.lab.labels import Labels, Pair
    from corefkit.lab.perturb.perturbations import Shares
    from corefkit.metrics.base import Metric


def perturbed(
    pair: Pair,
    *,
    kinds: Iterable[str] | None = None,
    metrics: str | Iterable[str | Metric] | None = None,
    settings: Settings = DEFAULT_SETTINGS,
    steps: int = 11,
    seed: int = 0,
    progress: Progress | None = None,
) -> Curves:
    """Alter a corpus step by step and score each step against the key.

    A perturbation draws its chances by itself: it gives the same curves alone and with
    others.

    Args:
        pair: the key, and the response of a system or the key again.
        kinds: names of perturbations; all if not given, but those that start from a
            response only where there is one.
        metrics: names or `Metric` values; all metrics and variants if not given.
        settings: what to compute.
        steps: how many shares, from 0 to 1.
        seed: where chance starts, 0 or more.
        progress: called with the steps done and all steps.

    >>> from corefkit.lab.labels import read_key
    >>> pair = read_key(["abcd", "ef"], settings=DEFAULT_SETTINGS)
    >>> curves = perturbed(pair, kinds=["split"], metrics=["muc"], steps=5)
    >>> [point.recall for point in curves.points]
    [1.0, 0.75, 0.5, 0.25, 0.0]
    """
    _check(steps, seed)
    settings = settings_of_partitions(settings)
    wanted = counted_metrics(COUNTED if metrics is None else metrics)
    chosen = chosen_perturbations(pair, kinds)
    shares = tuple(step / (steps - 1) for step in range(steps))
    points: list[Point] = []
    for number, kind in enumerate(chosen):
        for step, found in enumerate(_steps(pair, kind, shares, seed, settings)):
            evaluation = evaluated(pair.key, found, metrics=wanted, settings=settings)
            points += _points(kind.name, step, shares[step], evaluation)
            if progress is not None:
                progress(number * steps + step + 1, len(chosen) * steps)
    return Curves(
        pair.names[0],
        pair.names[1] if any(kind.start == "response" for kind in chosen) else None,
        pair.key.documents,
        len(pair.key),
        chosen,
        shares,
        wanted,
        settings,
        seed,
        tuple(points),
        pair.notes,
    )


def chosen_perturbations(
    pair: Pair, kinds: Iterable[str] | None = None
) -> tuple[Perturbation, ...]:
    """Find the perturbations that somebody asked for, and refuse what cannot be done.

    >>> from corefkit.lab.labels import read_key
    >>> key = read_key(["abc"], settings=DEFAULT_SETTINGS)
    >>> [kind.name for kind in chosen_perturbations(key, ["merge", "split", "merge"])]
    ['merge', 'split']
    """
    alone = pair.response is pair.key
    if kinds is None:
        every = PERTURBATIONS.values()
        return tuple(kind for kind in every if kind.start != "response" or not alone)
    names = dict.fromkeys(kinds)
    for name in names:
        if name not in PERTURBATIONS:
            message = f"unknown kind {name!r}"
            raise SettingsError(message, hint=suggest(name, PERTURBATIONS))
        if PERTURBATIONS[name].start == "response" and alone:
            message = f"{name} starts from the response of a system, and there is none"
            raise SettingsError(message, hint="name a RESPONSE behind the KEY")
    if not names:
        message = "no kind was asked for"
        raise SettingsError(message, hint=f"known are {', '.join(PERTURBATIONS)}")
    return tuple(PERTURBATIONS[name] for name in names)


def _check(steps: int, seed: int) -> None:
    if steps < 2:
        message = f"{steps} steps were asked for, expected 2 or more"
        raise SettingsError(message)
    if seed < 0:
        message = f"the seed is {seed}, expected 0 or more"
        raise SettingsError(message)


def _steps(
    pair: Pair, kind: Perturbation, shares: Shares, seed: int, settings: Settings
) -> Iterator[Labels]:
    """Give the responses; singletons go wherever the settings drop them."""
    # The name is a part of the seed, so that nothing depends on what else is done.
    random = np.random.default_rng([seed, *kind.name.encode()])
    for response in kind.responses(pair, random, shares):
        yield settled(response, settings)


def _points(
    name: str, step: int, share: float, evaluation: Evaluation
) -> Iterator[Point]:
    for metric, score in evaluation.scores.items():
        yield Point(name, step, share, metric, score.recall, score.precision, score.f1)
    if evaluation.conll is not None:
        yield Point(name, step, share, "conll", None, None, evaluation.conll)
