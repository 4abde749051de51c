"""The document of a walk-through as the reader shows it.

Its entities have the numbers that the walk-through has them by: K3 is entity 3 of the
key there too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from corefkit.model import Document, Entity
from corefkit.report.reader.documents import shown_document
from corefkit.report.reader.values import ShownDocument, ShownResponse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.analysis.explain.documents import Reading
    from corefkit.analysis.explain.scene import Partition, Scene
    from corefkit.model import Mention


class Shown(NamedTuple):
    """A document, and where the reader has each mention: its first and last token."""

    document: ShownDocument
    places: Sequence[tuple[int, int]]


class _Row(NamedTuple):
    """A mention in one entity of each side; 0 where it is in none."""

    mention: int
    span: Mention | None  # None where mentions are names
    key: int
    response: int


def shown(reading: Reading, scene: Scene, scores: Sequence[float]) -> Shown:
    """Show a document with both sides, as its walk-through sees them."""
    rows = sorted(_rows(scene), key=_reading_order)
    if scene.spans:
        document = _with_text(reading, rows)
    else:
        document = _with_names(reading, scene, rows)
    places: dict[int, tuple[int, int]] = {}
    key_span: dict[int, int] = {}
    for number, (row, parts) in enumerate(zip(rows, document.spans, strict=True)):
        if row.key or row.mention not in places:
            places[row.mention] = parts[0][0], parts[-1][1]
        if row.key:
            key_span.setdefault(row.mention, number)
    # Both sides may have a mention in other tokens.
    twins = {
        number: key_span[row.mention]
        for number, row in enumerate(rows)
        if row.response and not row.key and row.mention in key_span
    }
    response = ShownResponse(
        tuple(row.response for row in rows),
        twins,
        is_missing=reading.is_missing,
        scores=tuple(scores),
    )
    keys = tuple(row.key for row in rows)
    document = replace(document, key=keys, responses=(response,))
    return Shown(document, [places[mention] for mention in sorted(places)])


def _rows(scene: Scene) -> Iterator[_Row]:
    """List the mentions, those in several entities once for each."""
    for mention in range(len(scene.names.meanings)):
        key, response = (_numbers(side, mention) for side, _ in scene.both_ways)
        ours, theirs = scene.spans[mention] if scene.spans else (None, None)
        if key and response and ours != theirs:
            yield from (_Row(mention, ours, number, 0) for number in key)
            yield from (_Row(mention, theirs, 0, number) for number in response)
            continue
        for copy in range(max(len(key), len(response))):
            one, other = (
                numbers[copy] if copy < len(numbers) else 0
                for numbers in (key, response)
            )
            yield _Row(mention, ours or theirs, one, other)


def _numbers(side: Partition, mention: int) -> list[int]:
    return [side.numbers[entity] for entity in side.where.get(mention, ())]


def _reading_order(row: _Row) -> tuple[object, ...]:
    if row.span is None:
        return (row.mention, row.key, row.response)
    place = row.span.start, row.span.end, row.span.parts
    return (*place, row.mention, row.key, row.response)


def _with_text(reading: Reading, rows: Sequence[_Row]) -> ShownDocument:
    entities = [
        Entity(str(number), (row.span,))
        for number, row in enumerate(rows)
        if row.span is not None
    ]
    return shown_document(
        Document(
            reading.id,
            tuple(map(tuple, reading.sentences)),
            tuple(entities),
            tuple(reading.empty),
        )
    )


def _with_names(reading: Reading, scene: Scene, rows: Sequence[_Row]) -> ShownDocument:
    """Show mentions that are names one after the other, as if they were a text."""
    return ShownDocument(
        reading.id,
        [list(scene.names.meanings)] if scene.names.meanings else [],
        [((row.mention, row.mention),) for row in rows],
        (),
        has_words=False,
        is_named=True,
    )
