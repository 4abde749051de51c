"""The documents of an analysis, with mentions and errors, for the reader."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias, cast

from corefkit.analysis.errors.error_analysis import (
    DocumentErrors,
    DocumentText,
    ErrorAnalysis,
)
from corefkit.analysis.errors.layers import Layers, Place
from corefkit.analysis.errors.mentions import format_name, is_span, sort_names
from corefkit.evaluation import Evaluation
from corefkit.metrics.metric import Score, list_undefined
from corefkit.metrics.registry import get_label
from corefkit.report.reader_data import (
    NO_TWIN,
    Parts,
    Reader,
    ReaderDocument,
    ReaderResponse,
    add_unknown_tokens,
    encode_error,
    encode_link,
    get_sort_key,
)
from corefkit.syntax.running_text import NO_LAYOUT
from corefkit.tables.terminal import strip_suffixes

# The errors of one system in one document, and its mentions.
_SystemDocument: TypeAlias = "tuple[DocumentErrors, Layers, Positions]"


def build_reader(
    analysis: ErrorAnalysis,
    evaluations: Sequence[Evaluation],
    *,
    max_mentions: int | None = None,  # in total; the texts after them are omitted
) -> Reader:
    systems = [
        {
            errors.document: (errors, layers)
            for errors, layers in zip(system.documents, system.layers, strict=True)
        }
        for system in analysis.systems
    ]
    metrics = [*dict.fromkeys(name for scores in evaluations for name in scores)]
    if any("conll" in scores for scores in evaluations):
        metrics.append("conll")
    scores = [
        {
            row.document: tuple(_get_number(row[name]) for name in metrics)
            for row in evaluation.per_document
        }
        for evaluation in evaluations
    ]
    no_scores = (None,) * len(metrics)
    # The number of systems that make each error, by document, then system and id.
    made_by: dict[str, dict[tuple[int, str], int]] = {}
    for error in analysis.across.errors if len(systems) > 1 else ():
        counts = made_by.setdefault(error.document, {})
        counts |= {(number, id): len(error.ids) for number, id in error.ids.items()}
    # A system may lack documents.
    order = {
        id: layers.number
        for documents in systems
        for id, (_, layers) in documents.items()
    }
    documents: list[ReaderDocument] = []
    mentions = 0
    for id in sorted(order, key=order.__getitem__):
        values = [by_document.get(id, no_scores) for by_document in scores]
        entries = [documents_of_system.get(id) for documents_of_system in systems]
        mentions += sum(len(entry[1].places) for entry in entries if entry is not None)
        if max_mentions is not None and mentions > max_mentions and documents:
            responses = [
                ReaderResponse((), is_missing=entry is None, scores=row)
                for entry, row in zip(entries, values, strict=True)
            ]
            omitted = ReaderDocument(id, (), (), (), responses, is_omitted=True)
            documents.append(omitted)
            continue
        located = [
            None if entry is None else (*entry, locate_rows(entry[1]))
            for entry in entries
        ]
        text = analysis.texts.get(id) or DocumentText()
        document = _build_document(id, text, located, values, made_by.get(id, {}))
        documents.append(document)
    names = strip_suffixes([system.response for system in analysis.systems])
    return Reader("key", tuple(names), tuple(documents), tuple(map(get_label, metrics)))


def _get_number(score: Score) -> float | None:
    name = "f1" if score.value is None else "value"
    value: float = getattr(score, name)
    is_undefined = name in list_undefined(score) or not math.isfinite(value)
    return None if is_undefined else value


def _build_document(
    id: str,
    text: DocumentText,
    systems: Sequence[_SystemDocument | None],
    scores: Sequence[Sequence[float | None]],
    made_by: Mapping[tuple[int, str], int],
) -> ReaderDocument:
    present = [system for system in systems if system is not None]
    # A dict keeps the order; that of a set would differ between runs.
    positions = dict.fromkeys(
        position
        for _, _, located in present
        for side in (located.key, located.response)
        for position in side.values()
    )
    is_named = any(layers.is_named for _, layers, _ in present)
    places = [*dict.fromkeys(place for place, _ in positions)]
    tokens = choose_tokens(text, places, is_named=is_named)
    parts = {position: tokens.locate(position[0]) for position in positions}
    order = sorted(positions, key=lambda spot: get_sort_key((parts[spot], spot[1])))
    number = {position: span for span, position in enumerate(order)}
    _, layers, located = present[0]
    key_entities, _ = _number_entities(layers.key, located.key, number)
    responses = [
        ReaderResponse([0] * len(order), is_missing=True, scores=values)
        if system is None
        else _build_response(system, number, values, index, made_by)
        for index, (system, values) in enumerate(zip(systems, scores, strict=True))
    ]
    return ReaderDocument(
        id,
        tokens.sentences,
        [parts[position] for position in order],
        key_entities,
        responses,
        text.empty if tokens.has_words else (),
        text.layout if tokens.has_words else NO_LAYOUT,
        tokens.has_words,
        tokens.is_named,
    )


def _number_entities(
    entities: Sequence[int],
    positions: Mapping[int, Position],
    number: Mapping[Position, int],
) -> tuple[list[int], dict[int, int]]:
    """Return the number of the entity of each span, 0 for none, and of each entity."""
    by_span = [0] * len(number)
    numbers: dict[int, int] = {}
    spans = sorted((number[position], row) for row, position in positions.items())
    for span, row in spans:
        by_span[span] = numbers.setdefault(entities[row], len(numbers) + 1)
    return by_span, numbers


def _build_response(
    system: _SystemDocument,
    number: Mapping[Position, int],
    scores: Sequence[float | None],
    index: int,
    made_by: Mapping[tuple[int, str], int],
) -> ReaderResponse:
    document, layers, positions = system
    _, key_numbers = _number_entities(layers.key, positions.key, number)
    entities, numbers = _number_entities(layers.response, positions.response, number)
    span_of = [
        number[positions.key[row] if row in positions.key else positions.response[row]]
        for row in range(len(layers.places))
    ]
    errors = []
    for error, (rows, entity) in zip(document.errors, layers.errors, strict=True):
        of_response = error.kind in ("conflated", "extra_mention", "extra_entity")
        errors.append(
            encode_error(
                error.kind,
                [span_of[row] for row in rows],
                (numbers if of_response else key_numbers)[entity],
                next(iter(error.types), ""),
                made_by.get((index, error.id), 1),
            )
        )
    sides = document.links.items()
    kinds = [(kind, link) for kind, side_links in sides for link in side_links]
    links = [
        encode_link(
            kind,
            (span_of[anaphor], span_of[antecedent]),
            type=link.types[0],
            distance=link.distance,
            entity_size=link.entity_size,
            cause=link.cause,
            made_by=made_by.get((index, link.id), 1),
        )
        for (kind, link), (anaphor, antecedent) in zip(kinds, layers.links, strict=True)
    ]
    twins = {
        number[positions.response[row]]: number[positions.key[row]]
        for row in layers.response_places
    }
    twins |= {number[positions.response[row]]: NO_TWIN for row in positions.unmatched}
    twins = dict(sorted(twins.items()))
    return ReaderResponse(entities, twins, errors, links, layers.is_missing, scores)


# A place, and a number that distinguishes mentions at the same place.
Position: TypeAlias = "tuple[Place, int]"


class Positions(NamedTuple):
    """Positions of the rows of a system's layers."""

    key: Mapping[int, Position]
    response: Mapping[int, Position]
    # Rows of the response at the place of a key mention that they do not match.
    unmatched: Sequence[int]


def locate_rows(layers: Layers) -> Positions:
    """Return the positions of the rows of a system's layers."""
    key: dict[int, Position] = {}
    copies: Counter[Place] = Counter()
    for row, entity in enumerate(layers.key):
        if entity >= 0:
            place = layers.places[row]
            key[row] = place, copies[place]
            copies[place] += 1
    rows = [row for row, entity in enumerate(layers.response) if entity >= 0]
    response = {
        row: key[row]
        for row in rows
        if row in key and row not in layers.response_places
    }
    taken, key_positions, unmatched = {*response.values()}, {*key.values()}, []
    for row in rows:
        if row not in response:
            place, copy = layers.response_places.get(row, layers.places[row]), 0
            while (place, copy) in taken:
                copy += 1
            response[row] = place, copy
            taken.add((place, copy))
            if row not in key and (place, copy) in key_positions:
                unmatched.append(row)
    return Positions(key, response, unmatched)


class DocumentTokens(NamedTuple):
    sentences: Sequence[Sequence[str]]
    locate: Callable[[Place], Parts]
    has_words: bool = True  # otherwise, `sentences` are numbers or names
    is_named: bool = False


def choose_tokens(
    text: DocumentText, places: Sequence[Place], *, is_named: bool
) -> DocumentTokens:
    """Return the tokens to show: words, numbers of tokens, or names of mentions."""
    if is_named and not all(map(is_span, places)):
        order = sort_names(places)
        token = {places[row]: number for number, row in enumerate(order)}
        labels = tuple([format_name(places[row]) for row in order])
        return DocumentTokens(
            (labels,),
            lambda place: ((token[place], token[place]),),
            has_words=False,
            is_named=True,
        )
    parts: Mapping[Place, Parts] = {
        place: ((int(place[0]), int(place[1])),)
        if is_span(place)
        else cast("Parts", place)
        for place in places
    }
    last = max((spans[-1][1] for spans in parts.values()), default=-1)
    if text.tokens and last < len(text.tokens):
        bounds = pairwise([*text.sentences, len(text.tokens)])
        sentences = [text.tokens[first:end] for first, end in bounds if first < end]
        return DocumentTokens(sentences, parts.__getitem__)
    numbers, locate = add_unknown_tokens((), [*parts.values()])
    return DocumentTokens(numbers, lambda place: locate(parts[place]), has_words=False)
