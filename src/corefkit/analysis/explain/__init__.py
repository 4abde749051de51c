"""A score explained: the computation step by step, as the papers walk through it.

The numbers are exact fractions and end in those of the score.

fractions           sums and quotients, written out
scene               one document: its entities, and mentions by name
metric_steps        the steps of each metric, which its row in the registry names
explanation_page    the same as a page, and why a score is not 100 %
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, Unpack

import numpy as np

from corefkit.analysis.explain.fractions import (
    Ending,
    Quotient,
    Scores,
    Term,
    added,
    formatted,
    mean,
    mean_equation,
    nearest,
    number,
)
from corefkit.analysis.explain.metric_steps import (
    Steps,
    chosen_walk,
    entity_lines,
    explained_names,
    legend,
    twinless_lines,
)
from corefkit.analysis.explain.scene import opened, readings
from corefkit.formats.in_memory import UNNAMED
from corefkit.metrics.metric import list_undefined
from corefkit.metrics.reference import count_as_reference
from corefkit.settings import Keywords, expand_settings, resolve_settings, select_by
from corefkit.strings import escape_terminal
from corefkit.tables.walkthroughs import Line, Reference, Title, lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.alignment.pipeline import Run
    from corefkit.analysis.explain.metric_steps import Chosen, Walk
    from corefkit.analysis.explain.scene import Reading, Scene
    from corefkit.formats.inputs import Input
    from corefkit.metrics.metric import Metric
    from corefkit.settings import Settings
    from corefkit.tables.walkthroughs import Told

NOTHING_LEFT = "No document is left to score."
_UNDEFINED_SCORES: Mapping[str, Sequence[str]] = {
    "zero": (),  # as each document says
    "one": ("A score that is undefined in a document counts as 1 here.",),
    "skip": (
        "A document is left out of the mean of a score that it leaves undefined.",
    ),
}
_MENTIONS = "Mentions, with their entities in key and response:"
_ENTITIES = "Entities of the key (K) and of the response (R):"


class Worked(NamedTuple):
    """A metric worked out for one document: its steps, and the end of them."""

    metric: Metric
    steps: Steps
    ending: Ending


class Counted(NamedTuple):
    """What is left of a document when all are put together: a row for each metric."""

    quotients: list[tuple[Quotient, ...]]
    scores: list[Scores]


class Explained(NamedTuple):
    """The walk-through of one document."""

    scene: Scene
    notes: list[str]
    legend: list[Told]  # the mentions, unless they go by themselves
    entities: list[Told]
    worked: list[Worked]  # for each metric
    mean: list[Told]  # of several metrics

    @property
    def counted(self) -> Counted:
        """Forget how the counts came about."""
        return Counted(
            [_values(worked.steps.quotients) for worked in self.worked],
            [worked.ending.scores for worked in self.worked],
        )

    def told(self) -> Iterator[Told]:
        """Tell the walk-through from its beginning to its end."""
        yield from noted(self.notes)
        if self.legend:
            yield from (_MENTIONS, *self.legend, "")
        yield from (_ENTITIES, *self.entities)
        for metric, steps, ending in self.worked:
            yield from ("", *titled(self.worked, metric), *steps.told, "", *ending.told)
        yield from self.mean


def explained_document(
    chosen: Chosen, reading: Reading, settings: Settings
) -> Explained:
    """Walk through one document: its entities, each metric's steps, the scores."""
    scene, steps = _scene_and_steps(chosen, reading)
    words = "missing from the response", "spurious in the response"
    entities = [*entity_lines(scene), *twinless_lines(scene, words)]
    worked = [
        Worked(metric, each, walk.ending(each.quotients, settings))
        for (metric, walk), each in zip(chosen.walks, steps, strict=True)
    ]
    mean = _conll(chosen, [one.ending.scores.f1 for one in worked])
    return Explained(scene, reading.notes, legend(scene), entities, worked, mean)


class Together(NamedTuple):
    """What the documents come to."""

    title: str
    endings: list[tuple[Metric, Ending]]
    mean: list[Told]  # of several metrics

    def told(self) -> Iterator[Told]:
        """Tell it from its beginning to its end."""
        yield Title(self.title)
        for metric, ending in self.endings:
            yield from (*titled(self.endings, metric), *ending.told)
        yield from self.mean


def are_put_together(documents: int, settings: Settings) -> bool:
    """Say whether the scores are not simply those of the only document."""
    return documents > 1 or (settings.is_macro and settings.undefined_as != 0)


def explained_together(
    chosen: Chosen,
    documents: Sequence[Counted],
    settings: Settings,
    *,
    anchors: Sequence[str] = (),
) -> Together:
    """Put documents together: add their counts up, or average their scores.

    Anchors are the places of a page that show the documents.
    """
    macro = settings.is_macro
    many = "1 document" if len(documents) == 1 else f"{len(documents)} documents"
    title = f"Mean of {many}" if macro else f"All {many}"
    endings = []
    for row, (metric, walk) in enumerate(chosen.walks):
        if macro:
            found = [
                _in_mean(metric, walk, document, row, settings)
                for document in documents
            ]
            ending = _mean_ending(found, settings, anchors)
        else:
            quotients = [document.quotients[row] for document in documents]
            sums = _summed(quotients, anchors)
            ending = walk.ending(sums, settings)
        endings.append((metric, ending))
    mean = _conll(chosen, [ending.scores.f1 for _, ending in endings])
    return Together(title, endings, mean)


def noted(notes: Sequence[str], *, called: str = "note") -> list[Told]:
    """Write notes, one to a line or more."""
    return [Line(f"{called}: {note}", later="  ") for note in notes]


def titled(several: Sequence[object], metric: Metric) -> list[Told]:
    """Name a metric where there are several."""
    return [f"{metric.label} ({metric.source})"] if len(several) > 1 else []


def _scene_and_steps(chosen: Chosen, reading: Reading) -> tuple[Scene, list[Steps]]:
    counts: list[list[float]] = []
    if reading.as_read is not None and reading.listed is not None:
        rows = (
            count_as_reference(metric, reading.listed) for metric, _ in chosen.walks
        )
        counts = [row for row in rows if row is not None]
    if reading.as_read is None or len(counts) < len(chosen.walks):
        return reading.scene, [walk.steps(reading.scene) for _, walk in chosen.walks]
    told = [_about_reference(reading.as_read)]
    return reading.as_read, [
        Steps(told, _quotients(walk, row))
        for (_, walk), row in zip(chosen.walks, counts, strict=True)
    ]


def _about_reference(scene: Scene) -> Line:
    sides = (scene.key, scene.response)
    homes = [home for side in sides for home in side.where.items()]
    again = {mention for mention, entities in homes if len(entities) > 1}
    text = (
        ". The reference scorer does not settle this and counts such a document in its "
        "own way, which no table shows. Its counts:"
    )
    names = scene.names.listing(sorted(again))
    return Line(("More than once in one side: ", names, text))


def _quotients(walk: Walk, counts: Sequence[float]) -> tuple[Quotient, ...]:
    sums = [number(nearest(count)) for count in counts]
    return tuple(Quotient(sums[above], sums[below]) for above, below in walk.ratios)


def _values(quotients: Sequence[Quotient]) -> tuple[Quotient, ...]:
    """Forget how the counts came about."""
    return tuple(
        Quotient(number(count.numerator.value), number(count.denominator.value))
        for count in quotients
    )


def _summed(
    documents: Sequence[Sequence[Quotient]], anchors: Sequence[str]
) -> list[Quotient]:
    return [
        Quotient(
            added(_terms([count.numerator.value for count in ratio], anchors)),
            added(_terms([count.denominator.value for count in ratio], anchors)),
        )
        for ratio in zip(*documents, strict=True)
    ]


def _terms(values: Sequence[Fraction], anchors: Sequence[str]) -> list[Term]:
    """Make a term for each document, which leads to it."""
    if not anchors:
        return [Term(value, formatted(value)) for value in values]
    return [
        Term(value, Reference(formatted(value), anchor=anchor))
        for value, anchor in zip(values, anchors, strict=True)
    ]


def _in_mean(
    metric: Metric, walk: Walk, document: Counted, row: int, settings: Settings
) -> tuple[Fraction | None, ...]:
    """Say what the scores of a document count as in a mean; None is left out."""
    scores = document.scores[row]
    counts_as = settings.undefined_as
    if counts_as == 0:  # as the scores have it
        return scores
    counts = np.zeros(1 + max(map(max, walk.ratios)))
    for quotient, places in zip(document.quotients[row], walk.ratios, strict=True):
        values = quotient.numerator.value, quotient.denominator.value
        counts[list(places)] = list(map(float, values))
    undefined = list_undefined(metric.score(counts, settings))
    other = None if counts_as is None else Fraction(counts_as)
    return tuple(
        other if field in undefined else value
        for field, value in zip(Scores._fields, scores, strict=True)
    )


def _mean_ending(
    documents: Sequence[Sequence[Fraction | None]],
    settings: Settings,
    anchors: Sequence[str],
) -> Ending:
    told: list[Told] = [*select_by(settings, "undefined", _UNDEFINED_SCORES)]
    means = []
    for field, column in zip(Scores._fields, zip(*documents, strict=True), strict=True):
        counted = [n for n, value in enumerate(column) if value is not None]
        values = [value for value in column if value is not None]
        places = [anchors[n] for n in counted] if anchors else ()
        told.append(mean_equation(field, _terms(values, places)))
        means.append(mean(values))
    return Ending(told, Scores(*means))


def _conll(chosen: Chosen, values: Sequence[Fraction]) -> list[Told]:
    if len(chosen.walks) == 1:
        return []
    formula = " + ".join(f"{metric.label} f1" for metric, _ in chosen.walks)
    terms = _terms(values, ())
    return ["", mean_equation("conll", terms, formula=f"({formula}) / {len(values)}")]


__all__ = ["explain", "explained_names", "walk_page", "walk_through"]


@expand_settings
def explain(
    key: Input,
    response: Input,
    *,
    metric: str | Metric,
    document: str | None = None,
    as_html: bool = False,
    format: str | None = None,
    **keywords: Unpack[Keywords],
) -> str:
    """Show how a score comes about, step by step.

    Args:
        key: as for `corefkit.score`.
        response: likewise.
        metric: the name of a metric, or `conll`.
        document: the id of the document to explain, or a part of it; all if not given.
        as_html: whether to write a page for the browser, with the text beside the
            steps; of many documents, it walks through those that lose most.
        format: the format of files; recognised if not given.
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
    walked = walk_page if as_html else walk_through
    return "\n".join(
        walked(
            key,
            response,
            metric=metric,
            settings=resolve_settings(**keywords),
            document=document,
            format=format,
        )
    )


def walk_page(
    key: Input,
    response: Input,
    *,
    metric: str | Metric,
    settings: Settings,
    document: str | None = None,
    format: str | None = None,
    called: str | None = None,
) -> Iterator[str]:
    """Write the page of `explain`, all of it at once.

    >>> from corefkit.settings import Settings
    >>> (page,) = walk_page(["ab"], ["ab"], metric="muc", settings=Settings())
    >>> page.splitlines()[0]
    '<!DOCTYPE html>'
    """
    # Imported here because most walk-throughs are text.
    from corefkit.analysis.explain.explanation_page import explained_page
    from corefkit.tables.html import render_html_page

    chosen = chosen_walk(metric)
    with opened(key, response, document, settings=settings, format=format) as run:
        page = explained_page(chosen, run, called, unnamed=UNNAMED)
        yield render_html_page(page).rstrip("\n")


def walk_through(
    key: Input,
    response: Input,
    *,
    metric: str | Metric,
    settings: Settings,
    document: str | None = None,
    format: str | None = None,
    called: str | None = None,
) -> Iterator[str]:
    """Write the lines of `explain`; the response is called by its file, or `called`.

    >>> from corefkit.settings import Settings
    >>> lines = walk_through(["ab"], ["ab"], metric="muc", settings=Settings())
    >>> next(lines)
    'MUC: response against key'
    """
    chosen = chosen_walk(metric)
    with opened(key, response, document, settings=settings, format=format) as run:
        yield from map(escape_terminal, lines_of(_told(chosen, run, called)))


def _told(chosen: Chosen, run: Run, called: str | None) -> Iterator[Told]:
    settings = run.settings
    response_name = run.response.name if called is None else called
    yield f"{chosen.label}: {response_name} against {run.key.name}"
    yield f"Source: {chosen.source}"
    yield from noted(run.pairing_notes)
    documents: list[Counted] = []
    for reading in readings(run):
        if reading.settings.by_characters:
            settings = reading.settings
        explained = explained_document(chosen, reading, settings)
        documents.append(explained.counted)
        yield ""
        if reading.id != UNNAMED:
            yield Title(escape_terminal(f"Document {reading.id}"))
        yield from explained.told()
    if not documents:
        yield from ("", NOTHING_LEFT)
    elif are_put_together(len(documents), settings):
        yield ""
        yield from explained_together(chosen, documents, settings).told()
    warned = noted(run.warnings, called="warning")
    if warned:
        yield ""
        yield from warned
    yield ""
    yield settings.signature
