"""A corpus changed step by step, and scored at every step by every metric.

perturbations   the ways to change a corpus, one row each
alterations     how each of them makes its responses
curves          the scores as values, text and figures
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.exceptions import SettingsError
from corefkit.lab.labels import (
    check_least,
    evaluated,
    partition_metric_names,
    partition_metrics,
    partition_settings,
    without_dropped_singletons,
)
from corefkit.lab.perturb.curves import Curves, Point
from corefkit.lab.perturb.perturbations import PERTURBATIONS, Perturbation
from corefkit.settings import DEFAULT_SETTINGS, Settings
from corefkit.strings import suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corefkit.alignment.pipeline import Progress
    from corefkit.evaluation import Evaluation
    from corefkit.lab.labels import Pair
    from corefkit.lab.perturb.alterations import Responses, Shares
    from corefkit.metrics.metric import Metric


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
    """Change a corpus step by step and score each step against the key.

    Each perturbation has its own random numbers: its curves are the same whether it
    runs alone or with others.

    Args:
        pair: the key, and the response of a system or the key again.
        kinds: names of perturbations; by default all, but without a response those that
            start from one are left out.
        metrics: names or `Metric` values; by default all metrics and variants.
        settings: how to score.
        steps: the number of shares, from 0 to 1.
        seed: the seed of the random numbers, 0 or more.
        progress: called with the number of steps done and of all steps.

    >>> from corefkit.lab.labels import read_key
    >>> pair = read_key(["abcd", "ef"], settings=DEFAULT_SETTINGS)
    >>> curves = perturbed(pair, kinds=["split"], metrics=["muc"], steps=5)
    >>> [point.recall for point in curves.points]
    [1.0, 0.75, 0.5, 0.25, 0.0]
    """
    check_least("number of steps", steps, 2)
    check_least("seed", seed, 0)
    settings = partition_settings(settings)
    scored = partition_metrics(partition_metric_names() if metrics is None else metrics)
    chosen = chosen_perturbations(pair, kinds)
    shares = tuple(step / (steps - 1) for step in range(steps))
    points: list[Point] = []
    for number, kind in enumerate(chosen):
        for step, altered in enumerate(_responses(pair, kind, shares, seed)):
            response = without_dropped_singletons(altered, settings)
            evaluation = evaluated(
                pair.key, response, metrics=scored, settings=settings
            )
            points += _points(kind.name, step, shares[step], evaluation)
            if progress is not None:
                progress(number * steps + step + 1, len(chosen) * steps)
    return Curves(
        key=pair.names[0],
        response=pair.names[1] if any(map(_needs_response, chosen)) else None,
        documents=pair.key.document_count,
        mentions=len(pair.key),
        perturbations=chosen,
        shares=shares,
        metrics=scored,
        settings=settings,
        seed=seed,
        points=tuple(points),
        notes=pair.notes,
    )


def chosen_perturbations(
    pair: Pair, kinds: Iterable[str] | None = None
) -> tuple[Perturbation, ...]:
    """Find perturbations by name; without names, all that the input allows.

    >>> from corefkit.lab.labels import read_key
    >>> key = read_key(["abc"], settings=DEFAULT_SETTINGS)
    >>> [kind.name for kind in chosen_perturbations(key, ["merge", "split", "merge"])]
    ['merge', 'split']
    """
    has_response = pair.response is not pair.key
    if kinds is None:
        known = PERTURBATIONS.values()
        return tuple(
            kind for kind in known if has_response or not _needs_response(kind)
        )
    names = dict.fromkeys(kinds)
    for name in names:
        if name not in PERTURBATIONS:
            message = f"unknown kind {name!r}"
            raise SettingsError(
                message,
                code="settings/unknown-value",
                hint=suggest(name, PERTURBATIONS),
            )
        if _needs_response(PERTURBATIONS[name]) and not has_response:
            message = f"{name} starts from the response of a system, and there is none"
            raise SettingsError(
                message,
                code="settings/missing-value",
                hint="give a RESPONSE after the KEY",
            )
    if not names:
        message = "no kind was given"
        raise SettingsError(
            message,
            code="settings/missing-value",
            hint=f"the kinds are {', '.join(PERTURBATIONS)}",
        )
    return tuple(PERTURBATIONS[name] for name in names)


def _needs_response(kind: Perturbation) -> bool:
    return kind.start == "response"


def _responses(pair: Pair, kind: Perturbation, shares: Shares, seed: int) -> Responses:
    # The name is a part of the seed, so that no perturbation depends on another.
    random = np.random.default_rng([seed, *kind.name.encode()])
    return kind.responses(pair, random, shares)


def _points(
    name: str, step: int, share: float, evaluation: Evaluation
) -> Iterator[Point]:
    for metric, score in evaluation.scores.items():
        yield Point(name, step, share, metric, score.recall, score.precision, score.f1)
    if evaluation.conll is not None:
        yield Point(name, step, share, "conll", None, None, evaluation.conll)
