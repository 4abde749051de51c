"""The documents of a report, as the reader of pages shows them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from corefkit.analysis.errors.error_analysis import LINKS, DocumentText
from corefkit.analysis.reporting.spans import spots_of
from corefkit.analysis.reporting.spelling import spelling_of
from corefkit.metrics.metric import list_undefined
from corefkit.metrics.registry import get_label
from corefkit.report.reader.values import (
    NO_TWIN,
    Reader,
    ShownDocument,
    ShownError,
    ShownLink,
    ShownResponse,
)
from corefkit.tables.terminal import without_endings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from corefkit.analysis.errors.error_analysis import DocumentErrors, ErrorAnalysis
    from corefkit.analysis.errors.layers import Layers
    from corefkit.analysis.reporting.spans import Spot, Spots
    from corefkit.evaluation import Evaluation
    from corefkit.metrics.metric import Score
    from corefkit.report.reader.values import Parts

_NO_TEXT = DocumentText()
_OF_RESPONSE = frozenset({"conflated", "extra_mention", "extra_entity"})


class _Found(NamedTuple):
    """What is known of one document of one system."""

    errors: DocumentErrors
    layers: Layers
    spots: Spots


class _Side(NamedTuple):
    """The entities of a side: of each span its number, and the numbers of entities."""

    of_span: list[int]
    number: Mapping[int, int]


def reader_of(analysis: ErrorAnalysis, evaluations: Sequence[Evaluation]) -> Reader:
    """Make the reader of the documents of some systems.

    Args:
        analysis: their errors, with layers.
        evaluations: their scores, in the same order.
    """
    names = without_endings([system.response for system in analysis.systems])
    found = [
        {
            errors.document: _Found(errors, layers, spots_of(layers))
            for errors, layers in zip(system.documents, system.layers, strict=True)
        }
        for system in analysis.systems
    ]
    metrics = _metrics(evaluations)
    scores = [_scores_by_document(one, metrics) for one in evaluations]
    made_by = _made_by(analysis)
    nothing = (None,) * len(metrics)
    documents = tuple(
        _document(
            id,
            analysis.texts.get(id, _NO_TEXT),
            [documents.get(id) for documents in found],
            [by_document.get(id, nothing) for by_document in scores],
            made_by.get(id, {}),
        )
        for id in _in_order(found)
    )
    return Reader("key", tuple(names), documents, tuple(map(get_label, metrics)))


def _in_order(systems: Sequence[Mapping[str, _Found]]) -> list[str]:
    """Put the documents of all systems, of which each may lack some, in one order."""
    numbers = {
        id: one.layers.number for documents in systems for id, one in documents.items()
    }
    return sorted(numbers, key=numbers.__getitem__)


def _metrics(evaluations: Sequence[Evaluation]) -> list[str]:
    """List the metrics of documents, the CoNLL mean last."""
    metrics = [*dict.fromkeys(name for one in evaluations for name in one)]
    with_mean = any("conll" in one for one in evaluations)
    return [*metrics, "conll"] if with_mean else metrics


def _scores_by_document(
    evaluation: Evaluation, metrics: Sequence[str]
) -> dict[str, tuple[float | None, ...]]:
    return {
        row.document: tuple(_number(row[name]) for name in metrics)
        for row in evaluation.per_document
    }


def _number(score: Score) -> float | None:
    """Return the number that tables show, None where it is not defined."""
    undefined = list_undefined(score)
    name = "f1" if score.value is None else "value"
    value: float = getattr(score, name)
    return None if name in undefined or not math.isfinite(value) else value


def _made_by(analysis: ErrorAnalysis) -> dict[str, dict[tuple[int, str], int]]:
    """Count the systems that make each error, by document, then system and id."""
    if len(analysis.systems) < 2:
        return {}
    found: dict[str, dict[tuple[int, str], int]] = {}
    for error in analysis.across.errors:
        of_document = found.setdefault(error.document, {})
        for system, id in error.ids.items():
            of_document[system, id] = len(error.ids)
    return found


def _document(
    id: str,
    text: DocumentText,
    systems: Sequence[_Found | None],
    scores: Sequence[Sequence[float | None]],
    made_by: Mapping[tuple[int, str], int],
) -> ShownDocument:
    there = [one for one in systems if one is not None]
    # In the order in which they are found: sets would order equal ones by chance.
    all_spots = dict.fromkeys(
        spot
        for one in there
        for side in (one.spots.key, one.spots.response)
        for spot in side.values()
    )
    is_named = any(one.layers.is_named for one in there)
    places = [*dict.fromkeys(place for place, _ in all_spots)]
    spelling = spelling_of(text, places, is_named=is_named)
    parts = {spot: spelling.parts(spot[0]) for spot in all_spots}
    order = sorted(all_spots, key=lambda spot: _place(parts[spot], spot[1]))
    number = {spot: row for row, spot in enumerate(order)}
    key = _side(there[0].layers.key, there[0].spots.key, number)
    responses = [
        ShownResponse([0] * len(order), is_missing=True, scores=rows)
        if one is None
        else _response(one, number, rows, system, made_by)
        for system, (one, rows) in enumerate(zip(systems, scores, strict=True))
    ]
    return ShownDocument(
        id,
        spelling.sentences,
        [parts[spot] for spot in order],
        key.of_span,
        responses,
        text.empty if spelling.has_words else (),
        spelling.has_words,
        spelling.is_named,
    )


def _place(parts: Parts, copy: int) -> tuple[int, int, Parts, int]:
    return parts[0][0], parts[-1][1], parts, copy


def _side(
    entities: Sequence[int], spots: Mapping[int, Spot], number: Mapping[Spot, int]
) -> _Side:
    """Number the entities of a side in the order of their first mentions."""
    of_span = [0] * len(number)
    called: dict[int, int] = {}
    for span, row in sorted([(number[spot], row) for row, spot in spots.items()]):
        of_span[span] = called.setdefault(entities[row], len(called) + 1)
    return _Side(of_span, called)


def _response(
    found: _Found,
    number: Mapping[Spot, int],
    scores: Sequence[float | None],
    system: int,
    made_by: Mapping[tuple[int, str], int],
) -> ShownResponse:
    layers, spots = found.layers, found.spots
    key = _side(layers.key, spots.key, number)
    response = _side(layers.response, spots.response, number)
    span_of = [number[spots.of(row)] for row in range(len(layers.places))]
    errors = [
        ShownError(
            error.kind,
            tuple([span_of[row] for row in rows]),
            (response if error.kind in _OF_RESPONSE else key).number[entity],
            next(iter(error.types), ""),
            made_by.get((system, error.id), 1),
        )
        for error, (rows, entity) in zip(
            found.errors.errors, layers.errors, strict=True
        )
    ]
    twins = {number[spots.response[row]]: number[spots.key[row]] for row in layers.own}
    twins |= {number[spots.response[row]]: NO_TWIN for row in spots.apart}
    return ShownResponse(
        response.of_span,
        dict(sorted(twins.items())),
        errors,
        [*_links(found, span_of, system, made_by)],
        layers.is_missing,
        scores,
    )


def _links(
    found: _Found,
    span_of: Sequence[int],
    system: int,
    made_by: Mapping[tuple[int, str], int],
) -> Iterable[ShownLink]:
    errors, rows = found.errors, iter(found.layers.links)
    for kind, links in zip(
        LINKS, (errors.recall_links, errors.precision_links), strict=True
    ):
        for link in links:
            anaphor, antecedent = next(rows)
            yield ShownLink(
                kind,
                span_of[anaphor],
                span_of[antecedent],
                link.types[0],
                link.distance,
                link.entity_size,
                link.cause,
                made_by.get((system, link.id), 1),
            )
