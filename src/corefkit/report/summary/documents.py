"""Documents by their scores, and the reader."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING

from corefkit.report.charts import Point, Scatter
from corefkit.report.comparison.words import counted, title_of
from corefkit.report.page import Heading, Paragraph
from corefkit.report.reader.fragments import fragment
from corefkit.report.scores import short_label

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefkit.report.page import Part
    from corefkit.report.summary.view import View

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
    """Draw F1 of the first two systems, or of one by the mentions of documents."""
    mentions = {
        document.document: document.key_mentions
        for document in view.errors[0].documents
    }
    places = view.places[:2]
    scores = [_scores(view, place) for place in places]
    metric = title_of(view.lead)
    if len(scores) == 1:
        points = [
            _point(view, id, (mentions.get(id, 0), f1), mentions.get(id, 0))
            for id, f1 in scores[0].items()
        ]
        axes = "Mentions of the key", f"{metric} of {view.names[0]}"
        title = f"{metric} of each document by its mentions"
        return _chart(title, axes, points, is_square=False)
    one, other = scores
    points = [
        _point(view, id, (one[id], other[id]), mentions.get(id, 0))
        for id in one
        if id in other
    ]
    first, second = (view.names[place] for place in places)
    title = f"{metric} of each document: {first} and {second}"
    return _chart(title, (first, second), points, is_square=True)


def _chart(
    title: str, axes: tuple[str, str], points: list[Point], *, is_square: bool
) -> Scatter | None:
    if not points:
        return None
    return Scatter(title, *axes, tuple(points), is_square, _TABLE)


def _scores(view: View, place: int) -> Mapping[str, float]:
    """Give F1 of the metric that leads, by document, where there is one."""
    found = {}
    for document in view.report.evaluations[place].per_document:
        if view.lead.name in document:
            f1 = document[view.lead.name].f1
            if isfinite(f1):
                found[document.document] = 100 * f1
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
