"""Documents by their scores, and the reader."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING

from corefkit.analysis.compare.comparison_text import counted, title_of
from corefkit.metrics.metric import list_undefined
from corefkit.report.reader.fragments import fragment
from corefkit.results.score_table import short_label
from corefkit.tables.elements import Heading, Paragraph, Point, Scatter

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefkit.report.summary.view import View
    from corefkit.tables.elements import Part

_PARTS = ("recall", "precision")
_TABLE = "The table of documents has the same numbers"


def document_parts(view: View) -> Iterator[Part]:
    """Draw the documents, then show them in the reader."""
    yield Heading(2, "Documents", "documents")
    scatter = _scatter(view)
    if scatter is not None:
        yield Paragraph(_how(view), is_literal=True)
        yield scatter
    yield Heading(2, "Read the texts", "texts", "Texts")
    yield replace(view.report.reader, systems=view.names)


def _how(view: View) -> str:
    what = "Each dot is a document, as large as it has mentions"
    act = "Choose a dot to read the document."
    if len(view.names) == 1:
        return f"{what}. {act}"
    first, second, *others = view.shown
    who = f" The systems are the first two by {short_label(view.lead.label)}."
    return (
        f"{what}. Above the diagonal, {second} is better, below it {first}."
        f"{who if others else ''} {act}"
    )


def _scatter(view: View) -> Scatter | None:
    """Draw scores of the first two systems, or of one by the mentions of documents."""
    # Of all systems: one that lacks documents may have been scored without them.
    mentions = {
        document.document: document.key_mentions
        for system in view.errors
        for document in system.documents
    }
    places = view.places[:2]
    scores = [_scores(view, place) for place in places]
    metric = title_of(view.lead)
    if len(scores) == 1:
        points = [
            _point(view, id, (mentions.get(id, 0), score), mentions.get(id, 0))
            for id, score in scores[0].items()
        ]
        axes = "Mentions of the key", f"{metric} of {view.names[0]}"
        title = f"{metric} of each document by its mentions"
        return _chart(view, title, axes, points)
    one, other = scores
    points = [
        _point(view, id, (one[id], other[id]), mentions.get(id, 0))
        for id in one
        if id in other
    ]
    first, second = (view.names[place] for place in places)
    title = f"{metric} of each document: {first} and {second}"
    return _chart(view, title, (first, second), points)


def _chart(
    view: View, title: str, axes: tuple[str, str], points: list[Point]
) -> Scatter | None:
    if not points:
        return None
    # The table has F1, or the value of metrics that have one.
    about = "" if view.lead.statistic in _PARTS else _TABLE
    return Scatter(title, *axes, tuple(points), len(view.names) > 1, about)


def _scores(view: View, place: int) -> Mapping[str, float]:
    """Give what the metric that leads compares, by document, where it is defined."""
    found = {}
    statistic = view.lead.statistic
    for document in view.report.evaluations[place].per_document:
        if view.lead.name in document:
            score = document[view.lead.name]
            value = getattr(score, statistic)
            if statistic not in list_undefined(score) and isfinite(value):
                found[document.document] = 100 * value
    return found


def _point(view: View, id: str, at: tuple[float, float], mentions: int) -> Point:
    numbers = [counted(mentions, "mention")]
    places = view.places[: min(2, len(view.names))]
    values = at if len(places) == 2 else at[1:]
    numbers += [
        f"{view.names[place]} {value:.2f}"
        for place, value in zip(places, values, strict=True)
    ]
    address = fragment(id, systems=sorted(places))
    return Point(*at, mentions, f"{id}: {', '.join(numbers)}", address)
