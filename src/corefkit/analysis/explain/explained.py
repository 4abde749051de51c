"""The walk-through of one document, and the sum over all, as lines of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefkit.analysis.explain.layout import wrapped
from corefkit.analysis.explain.listing import entity_lines, legend, twinless_lines
from corefkit.analysis.explain.numbers import (
    Ending,
    Quotient,
    Scores,
    added,
    mean_equation,
    mean_scores,
    nearest,
    number,
)
from corefkit.analysis.explain.walks import Steps
from corefkit.metrics.reference import reference_counts

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from corefkit.analysis.explain.documents import Reading
    from corefkit.analysis.explain.scene import Scene
    from corefkit.analysis.explain.walks import Chosen, Walk
    from corefkit.metrics.base import Metric
    from corefkit.settings import Settings

_MENTIONS = "Mentions, with their entities in key and response:"


class Explained(NamedTuple):
    """The walk-through of one document, and for each metric its counts and scores."""

    lines: list[str]
    quotients: list[tuple[Quotient, ...]]
    scores: list[Scores]


def explained_document(
    chosen: Chosen, reading: Reading, settings: Settings
) -> Explained:
    """Walk through one document: its entities, each metric's steps, the scores."""
    scene, steps = _scene_and_steps(chosen, reading)
    words = "missing from the response", "spurious in the response"
    entities = [*entity_lines(scene), *twinless_lines(scene, words)]
    endings = [
        walk.ending(each.quotients, settings)
        for (_, walk), each in zip(chosen.walks, steps, strict=True)
    ]
    names = legend(scene)
    lines = [
        *noted(reading.notes),
        *([_MENTIONS, *names, ""] if names else []),
        "Entities of the key (K) and of the response (R):",
        *entities,
    ]
    for (metric, _), each, ending in zip(chosen.walks, steps, endings, strict=True):
        lines += ["", *_titled(chosen, metric), *each.lines, "", *ending.lines]
    scores = [ending.scores for ending in endings]
    lines += _conll(chosen, [score.f1 for score in scores])
    return Explained(lines, [_values(each.quotients) for each in steps], scores)


def explained_together(
    chosen: Chosen, documents: Sequence[Explained], settings: Settings
) -> list[str]:
    """Put the documents together: add their counts up, or average their scores."""
    if not documents:
        return ["No document is left to score."]
    macro = settings.is_macro
    many = f"{len(documents)} documents"
    lines, best = underlined(f"Mean of {many}" if macro else f"All {many}"), []
    for row, (metric, walk) in enumerate(chosen.walks):
        if macro:
            ending = _mean_ending([document.scores[row] for document in documents])
        else:
            sums = _summed([document.quotients[row] for document in documents])
            ending = walk.ending(sums, settings)
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
    counts: list[list[float]] = []
    if reading.as_read is not None and reading.listed is not None:
        rows = (reference_counts(metric, reading.listed) for metric, _ in chosen.walks)
        counts = [row for row in rows if row is not None]
    if reading.as_read is None or len(counts) < len(chosen.walks):
        return reading.scene, [walk.steps(reading.scene) for _, walk in chosen.walks]
    lines = _about_reference(reading.as_read)
    return reading.as_read, [
        Steps(lines, _quotients(walk, row))
        for (_, walk), row in zip(chosen.walks, counts, strict=True)
    ]


def _about_reference(scene: Scene) -> list[str]:
    sides = (scene.key, scene.response)
    homes = [home for side in sides for home in side.where.items()]
    again = {mention for mention, entities in homes if len(entities) > 1}
    text = (
        f"More than once in one side: {scene.names.listing(sorted(again))}. The "
        "reference scorer does not settle this and counts such a document in its own "
        "way, which no table shows. Its counts:"
    )
    return wrapped(text)


def _quotients(walk: Walk, counts: Sequence[float]) -> tuple[Quotient, ...]:
    sums = [number(nearest(count)) for count in counts]
    return tuple(Quotient(sums[above], sums[below]) for above, below in walk.ratios)


def _values(quotients: Sequence[Quotient]) -> tuple[Quotient, ...]:
    """Forget how the counts came about."""
    return tuple(
        Quotient(number(count.numerator.value), number(count.denominator.value))
        for count in quotients
    )


def _summed(documents: Sequence[Sequence[Quotient]]) -> list[Quotient]:
    return [
        Quotient(
            added([count.numerator.terms[0] for count in ratio]),
            added([count.denominator.terms[0] for count in ratio]),
        )
        for ratio in zip(*documents, strict=True)
    ]


def _mean_ending(scores: Sequence[Scores]) -> Ending:
    lines = []
    for field, values in zip(Scores._fields, zip(*scores, strict=True), strict=True):
        lines += mean_equation(field, values)
    return Ending(lines, mean_scores(scores))


def _titled(chosen: Chosen, metric: Metric) -> list[str]:
    if len(chosen.walks) == 1:
        return []
    return [f"{metric.label} ({metric.source})"]


def _conll(chosen: Chosen, values: Sequence[Fraction]) -> list[str]:
    if len(chosen.walks) == 1:
        return []
    formula = " + ".join(f"{metric.label} f1" for metric, _ in chosen.walks)
    return ["", *mean_equation("conll", values, formula=f"({formula}) / {len(values)}")]
