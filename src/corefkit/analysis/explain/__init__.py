"""A score explained: the computation step by step, as papers walk through it.

The numbers are exact fractions and end in those of the score.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, Unpack

import numpy as np

from corefkit.alignment.pipeline import Run
from corefkit.analysis.explain.fractions import (
    Ending,
    FractionScores,
    Quotient,
    Term,
    find_nearest,
    format_number,
    make_mean,
    make_number,
    make_sum,
)
from corefkit.analysis.explain.metric_steps import (
    MetricChoice,
    MetricSteps,
    MetricWalk,
    choose_metrics,
    list_entities,
    list_explained_metrics,
    list_unmatched,
    make_legend,
)
from corefkit.analysis.explain.scene import Scene, SceneReading, iter_readings, open_run
from corefkit.analysis.explain.walkthrough import (
    Reference,
    Step,
    StepLine,
    format_steps,
)
from corefkit.formats import Input
from corefkit.formats.in_memory import UNNAMED
from corefkit.metrics.metric import Metric, count_document, list_undefined
from corefkit.settings import (
    Keywords,
    Settings,
    expand_settings,
    resolve_settings,
    select_by,
)
from corefkit.strings import escape_terminal, format_id
from corefkit.tables.terminal import label_paths

__all__ = ["explain", "iter_lines", "list_explained_metrics"]

NO_DOCUMENT = "No document is left to score."
_UNDEFINED_NOTES: Mapping[str, Sequence[str]] = {
    "zero": (),  # as each document says
    "one": ("A score that is undefined in a document counts as 1 here.",),
    "skip": (
        "A document is left out of the mean of a score that it leaves undefined.",
    ),
}


class MetricCounts(NamedTuple):
    """The ratios of a document for one metric, without steps, and its scores."""

    ratios: Sequence[tuple[Fraction, Fraction]]  # numerators and denominators
    scores: FractionScores


class DocumentWalk(NamedTuple):
    scene: Scene
    notes: list[str]
    legend: list[Step]  # the mentions, unless they are their own names
    entities: list[Step]
    metrics: list[tuple[Metric, MetricSteps, Ending]]
    mean: list[Step]  # of several metrics

    @property
    def counts(self) -> list[MetricCounts]:
        return [
            MetricCounts(
                [(q.numerator.value, q.denominator.value) for q in steps.quotients],
                scores,
            )
            for _, steps, (_, scores) in self.metrics
        ]

    def iter_steps(self) -> Iterator[Step]:
        yield from (StepLine(f"note: {note}", later="  ") for note in self.notes)
        if self.legend:
            yield "Mentions, with their entities in key and response:"
            yield from (*self.legend, "")
        yield "Entities of the key (K) and of the response (R):"
        yield from self.entities
        for metric, steps, (ending, _) in self.metrics:
            yield ""
            if len(self.metrics) > 1:
                yield f"{metric.label} ({metric.source})"
            yield from (*steps.steps, "", *ending)
        yield from self.mean


class TotalWalk(NamedTuple):
    """The walk-through of all documents together."""

    title: str
    endings: list[tuple[Metric, Ending]]
    mean: list[Step]  # of several metrics

    def iter_steps(self) -> Iterator[Step]:
        yield from (self.title, "-" * len(self.title))
        for metric, (ending, _) in self.endings:
            if len(self.endings) > 1:
                yield f"{metric.label} ({metric.source})"
            yield from ending
        yield from self.mean


def explain_document(
    choice: MetricChoice, reading: SceneReading, settings: Settings
) -> DocumentWalk:
    """Walk through one document: its entities, each metric's steps, the scores."""
    scene, steps = _find_steps(choice, reading)
    titles = "missing from the response", "spurious in the response"
    entities = [*list_entities(scene), *list_unmatched(scene, titles)]
    metrics = [
        (metric, metric_steps, walk.find_ending(metric_steps.quotients, settings))
        for (metric, walk), metric_steps in zip(choice.walks, steps, strict=True)
    ]
    mean = _make_conll_steps(choice, [scores.f1 for _, _, (_, scores) in metrics])
    legend = make_legend(scene)
    return DocumentWalk(scene, reading.notes, legend, entities, metrics, mean)


def _find_steps(
    choice: MetricChoice, reading: SceneReading
) -> tuple[Scene, list[MetricSteps]]:
    counts: list[Sequence[float]] = []
    if reading.listed is not None:
        rows = (
            count_document(metric.reference, reading.listed)
            for metric, _ in choice.walks
        )
        counts = [row for row in rows if row is not None]
    if reading.as_read is None or len(counts) < len(choice.walks):
        scene = reading.scene
        return scene, [walk.find_steps(scene) for _, walk in choice.walks]
    scene = reading.as_read
    duplicates = {
        mention
        for side, _ in scene.directions
        for mention, entities in side.where.items()
        if len(entities) > 1
    }
    note = StepLine(
        (
            "More than once in one side: ",
            scene.labels.list_names(sorted(duplicates)),
            ". The reference scorer does not settle this and counts such a document in "
            "its own way, which no table shows. Its counts:",
        )
    )
    steps = []
    for (_, walk), row in zip(choice.walks, counts, strict=True):
        sums = [make_number(find_nearest(count)) for count in row]
        quotients = (Quotient(sums[above], sums[below]) for above, below in walk.ratios)
        steps.append(MetricSteps([note], tuple(quotients)))
    return scene, steps


def has_total(documents: int, settings: Settings) -> bool:
    """Return whether the scores differ from those of the only document."""
    return documents > 1 or (settings.is_macro and settings.undefined_as != 0)


def explain_total(
    choice: MetricChoice,
    documents: Sequence[Sequence[MetricCounts]],
    settings: Settings,
    *,
    anchors: Sequence[str] = (),  # of the documents on a page
) -> TotalWalk:
    """Walk through the sum or the mean of all documents."""
    noun = "1 document" if len(documents) == 1 else f"{len(documents)} documents"
    title = f"Mean of {noun}" if settings.is_macro else f"All {noun}"
    endings = []
    for row, (metric, walk) in enumerate(choice.walks):
        counts = [document[row] for document in documents]
        if settings.is_macro:
            values = [_list_mean_values(metric, walk, *c, settings) for c in counts]
            ending = _make_mean_ending(values, settings, anchors)
        else:
            quotients = []
            for ratios in zip(*(ratios for ratios, _ in counts), strict=True):
                above, below = (
                    make_sum(_make_terms(side, anchors))
                    for side in zip(*ratios, strict=True)
                )
                quotients.append(Quotient(above, below))
            ending = walk.find_ending(quotients, settings)
        endings.append((metric, ending))
    mean = _make_conll_steps(choice, [scores.f1 for _, (_, scores) in endings])
    return TotalWalk(title, endings, mean)


def _make_terms(values: Sequence[Fraction], anchors: Sequence[str] = ()) -> list[Term]:
    if not anchors:
        return [make_number(value) for value in values]
    return [
        Term(value, Reference(format_number(value), anchor=anchor))
        for value, anchor in zip(values, anchors, strict=True)
    ]


def _list_mean_values(
    metric: Metric,
    walk: MetricWalk,
    ratios: Sequence[tuple[Fraction, Fraction]],
    scores: FractionScores,
    settings: Settings,
) -> Sequence[Fraction | None]:
    """Return the values of a document's scores in a mean; None is skipped."""
    value_if_undefined = settings.undefined_as
    if value_if_undefined == 0:  # as in the scores
        return scores
    counts = np.zeros(1 + max(map(max, walk.ratios)))
    for ratio, columns in zip(ratios, walk.ratios, strict=True):
        counts[list(columns)] = list(map(float, ratio))
    undefined = list_undefined(metric.score(counts, settings))
    replacement = None if value_if_undefined is None else Fraction(value_if_undefined)
    return [
        replacement if field in undefined else value
        for field, value in zip(FractionScores._fields, scores, strict=True)
    ]


def _make_mean_ending(
    documents: Sequence[Sequence[Fraction | None]],
    settings: Settings,
    anchors: Sequence[str],
) -> Ending:
    steps: list[Step] = [*select_by(settings, "undefined", _UNDEFINED_NOTES)]
    means = []
    columns = zip(*documents, strict=True)
    for field, column in zip(FractionScores._fields, columns, strict=True):
        rows = [row for row, value in enumerate(column) if value is not None]
        values = [value for value in column if value is not None]
        row_anchors = [anchors[row] for row in rows] if anchors else ()
        equation, mean = make_mean(field, _make_terms(values, row_anchors))
        steps.append(equation)
        means.append(mean)
    return steps, FractionScores(*means)


def _make_conll_steps(choice: MetricChoice, values: Sequence[Fraction]) -> list[Step]:
    if not choice.has_mean:
        return []
    formula = " + ".join(f"{metric.label} f1" for metric, _ in choice.walks)
    formula = f"({formula}) / {len(values)}"
    return ["", make_mean("conll", _make_terms(values), formula=formula)[0]]


@expand_settings
def explain(
    key: Input,
    response: Input,
    *,
    metric: str | Metric | None = None,
    document: str | None = None,
    as_html: bool = False,
    format: str | None = None,
    **keywords: Unpack[Keywords],
) -> str:
    """Explain step by step how a score is computed.

    Args:
        key: as for `corefkit.score`.
        response: the same.
        metric: the name of a metric, or `conll`; all default metrics if not given.
        document: the id of the document to explain, or a part of it; all if not given.
        as_html: whether to return a page for the browser, with the text next to the
            steps; of many documents, it walks through those that lose most.
        format: the format of files; detected if not given.
        keywords: the settings, as for `corefkit.score`.

    >>> text = explain(["abc", "defg"], ["ab", "cd", "fghi"], metric="ceaf_m")
    >>> print(text)  # doctest: +ELLIPSIS
    CEAFm (φ3): response against key
    Source: Luo 2005; Pradhan et al. 2014, section 4.3
    ...
      φ3(K1,R1)  = 2  aligned  {a, b}
      φ3(K1,R2)  = 1  -        {c}
      φ3(K2,R2)  = 1  -        {d}
      φ3(K2,R3)  = 2  aligned  {f, g}
      unaligned: R2
    <BLANKLINE>
    recall    = sum of aligned φ3 / sum of φ3(K,K)
              = (2 + 2) / (3 + 4) = 4/7 = 57.14%
    precision = sum of aligned φ3 / sum of φ3(R,R)
              = (2 + 2) / (2 + 2 + 4) = 4/8 = 1/2 = 50.00%
    f1        = 2 * 4/7 * 1/2 / (4/7 + 1/2) = 8/15 = 53.33%
    ...
    """
    lines = iter_lines(
        key,
        response,
        metric=metric,
        settings=resolve_settings(**keywords),
        document=document,
        as_html=as_html,
        format=format,
    )
    return "\n".join(lines)


def iter_lines(
    key: Input,
    response: Input,
    *,
    metric: str | Metric | None,
    settings: Settings,
    document: str | None = None,
    as_html: bool = False,
    format: str | None = None,
    name: str | None = None,  # display name of the response
) -> Iterator[str]:
    """Iterate over the lines of `explain`; a page is one string."""
    choice = choose_metrics(metric)
    with open_run(key, response, document, settings=settings, format=format) as run:
        if not as_html:
            steps = _iter_steps(choice, run, name)
            yield from map(escape_terminal, format_steps(steps))
            return
        # Most walk-throughs are text.
        from corefkit.analysis.explain.explanation_page import build_page
        from corefkit.tables.html import render_html_page

        yield render_html_page(build_page(choice, run, name)).rstrip("\n")


def _iter_steps(choice: MetricChoice, run: Run, name: str | None) -> Iterator[Step]:
    settings = run.settings
    key, response = label_paths([run.key.name, name or run.response.name])
    yield f"{choice.label}: {response} against {key}"
    if choice.source:
        yield f"Source: {choice.source}"
    yield from (StepLine(f"note: {note}", later="  ") for note in run.pairing_notes)
    documents: list[list[MetricCounts]] = []
    for reading in iter_readings(run):
        if reading.settings.by_characters:
            settings = reading.settings
        walk = explain_document(choice, reading, settings)
        documents.append(walk.counts)
        yield ""
        if reading.id != UNNAMED:
            title = escape_terminal(f"Document {format_id(reading.id)}")
            yield from (title, "-" * len(title))
        yield from walk.iter_steps()
    if not documents:
        yield from ("", NO_DOCUMENT)
    elif has_total(len(documents), settings):
        yield ""
        yield from explain_total(choice, documents, settings).iter_steps()
    if run.warnings:
        yield ""
        yield from (StepLine(f"warning: {text}", later="  ") for text in run.warnings)
    yield from ("", settings.signature)
