"""The walk-through of one document, and the sum over all, as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefkit.analysis.explain.layout import wrapped
from corefkit.analysis.explain.numbers import (
    Ending,
    Quotient,
    Scores,
    added,
    mean,
    mean_equation,
    nearest,
    number,
)
from corefkit.analysis.explain.scene import entity_lines, legend, twinless_lines
from corefkit.analysis.explain.steps import Steps
from corefkit.analysis.explain.walks import WALKS
from corefkit.metrics.reference import reference_counts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from corefkit.analysis.explain.documents import Reading
    from corefkit.analysis.explain.scene import Scene
    from corefkit.analysis.explain.walks import Chosen
    from corefkit.metrics.base import Metric
    from corefkit.settings import Settings

_MENTIONS = "Mentions, with their entities in key and response:"


class Told(NamedTuple):
    """The walk-through of one document, and for each metric its counts and scores."""

    lines: list[str]
    quotients: list[tuple[Quotient, ...]]
    scores: list[Scores]


def told_document(chosen: Chosen, reading: Reading, settings: Settings) -> Told:
    """Walk through one document: its entities, each metric's steps, the scores."""
    scene, steps = _scene_and_steps(chosen, reading)
    entities = [
        *entity_lines(scene),
        *twinless_lines(
            scene,
            of_key="missing from the response",
            of_response="spurious in the response",
        ),
    ]
    endings = [
        WALKS[metric.name].ending(one.quotients, settings)
        for metric, one in zip(chosen.metrics, steps, strict=True)
    ]
    names = legend(scene)
    lines = [
        *noted(reading.notes),
        *([_MENTIONS, *names, ""] if names else []),
        "Entities of the key (K) and of the response (R):",
        *entities,
    ]
    for metric, one, ending in zip(chosen.metrics, steps, endings, strict=True):
        lines += ["", *_titled(chosen, metric), *one.lines, "", *ending.lines]
    scores = [ending.scores for ending in endings]
    lines += _conll(chosen, [one.f1 for one in scores])
    return Told(lines, [_values(one.quotients) for one in steps], scores)


def told_together(
    chosen: Chosen, told: Sequence[Told], settings: Settings
) -> list[str]:
    """Put the documents together: add their counts up, or average their scores."""
    if not told:
        return ["No document is left to score."]
    macro = settings.is_macro
    title = f"Mean of {len(told)} documents" if macro else f"All {len(told)} documents"
    lines, best = underlined(title), []
    for place, metric in enumerate(chosen.metrics):
        if macro:
            ending = _mean_ending([one.scores[place] for one in told])
        else:
            sums = _summed([one.quotients[place] for one in told])
            ending = WALKS[metric.name].ending(sums, settings)
        lines += [*_titled(chosen, metric), *ending.lines]
        best.append(ending.scores.f1)
    return [*lines, *_conll(chosen, best)]


def noted(notes: Sequence[str], *, called: str = "note") -> list[str]:
    """Write notes, one to a line or more."""
    lines = (wrapped(f"{called}: {note}", later="  ") for note in notes)
    return [line for note in lines for line in note]


def underlined(title: str) -> list[str]:
    """Write a title with a line below."""
    return [title, "-" * len(title)]


def _scene_and_steps(chosen: Chosen, reading: Reading) -> tuple[Scene, list[Steps]]:
    counts = [_reference_counts(metric, reading) for metric in chosen.metrics]
    if reading.as_read is None or None in counts:
        scene = reading.scene
        return scene, [WALKS[metric.name].steps(scene) for metric in chosen.metrics]
    lines = _about_reference(reading.as_read)
    return reading.as_read, [
        Steps(lines, _quotients(metric, row or []))
        for metric, row in zip(chosen.metrics, counts, strict=True)
    ]


def _about_reference(scene: Scene) -> list[str]:
    sides = (scene.key, scene.response)
    places = [where for side in sides for where in side.where.items()]
    again = {one for one, entities in places if len(entities) > 1}
    text = (
        f"More than once in one side: {scene.names.listing(sorted(again))}. The "
        "reference scorer does not settle this and counts such a document in its own "
        "way, which no table shows. Its counts:"
    )
    return wrapped(text)


def _reference_counts(metric: Metric, reading: Reading) -> list[float] | None:
    if reading.listed is None:
        return None
    return reference_counts(metric, reading.listed)


def _quotients(metric: Metric, counts: Sequence[float]) -> tuple[Quotient, ...]:
    sums = [number(nearest(count)) for count in counts]
    return tuple(
        Quotient(sums[above], sums[below]) for above, below in WALKS[metric.name].ratios
    )


def _values(quotients: Sequence[Quotient]) -> tuple[Quotient, ...]:
    """Forget how the counts came about."""
    return tuple(
        Quotient(number(one.numerator.value), number(one.denominator.value))
        for one in quotients
    )


def _summed(documents: Sequence[Sequence[Quotient]]) -> list[Quotient]:
    return [
        Quotient(
            added([one.numerator.terms[0] for one in ratio]),
            added([one.denominator.terms[0] for one in ratio]),
        )
        for ratio in zip(*documents, strict=True)
    ]


def _mean_ending(scores: Sequence[Scores]) -> Ending:
    lines = []
    for field, values in zip(Scores._fields, zip(*scores, strict=True), strict=True):
        lines += mean_equation(field, values)
    means = (mean(values) for values in zip(*scores, strict=True))
    return Ending(lines, Scores(*means))


def _titled(chosen: Chosen, metric: Metric) -> list[str]:
    if len(chosen.metrics) == 1:
        return []
    return [f"{metric.label} ({WALKS[metric.name].source})"]


def _conll(chosen: Chosen, values: Sequence[Fraction]) -> list[str]:
    if len(chosen.metrics) == 1:
        return []
    formula = " + ".join(f"{metric.label} f1" for metric in chosen.metrics)
    return ["", *mean_equation("conll", values, formula=f"({formula}) / {len(values)}")]
