"""Errors listed: one a line, with its place, its words and its id."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefkit.report.errors.ordering import places_of
from corefkit.report.errors.tables import KIND_LABELS
from corefkit.report.errors.words import words_of
from corefkit.report.grids import Grid, Note, cells, columns
from corefkit.report.names import names_of
from corefkit.report.page import Paragraph
from corefkit.report.records import csv_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.analysis.errors.analysis import (
        DocumentErrors,
        ErrorAnalysis,
        MentionId,
    )

_LINKS = ("recall", "precision")


class Line(NamedTuple):
    """What a list says of an error.

    Attributes:
        response: the name of the response.
        document: the id of the document.
        place: `file:line`, or the sentence and token where that is not known.
        kind: one of the seven kinds, or `recall` or `precision` for a link.
        words: its mentions in brackets, the first among the words around it.
        first: the first mention of the entity; of a link, the antecedent.
        made_by: which of several systems make it.
        id: its id.
    """

    response: str
    document: str
    place: str
    kind: str
    words: str
    first: str
    made_by: str
    id: str


def list_lines(analysis: ErrorAnalysis, kinds: Sequence[str]) -> Iterator[Line]:
    """List the errors of some kinds, by system, document, kind and place."""
    makers = _makers(analysis)
    names = names_of([system.response for system in analysis.systems])
    for number in places_of(analysis):
        system, name = analysis.systems[number], names[number]
        for document in system.documents:
            words = words_of(analysis.texts.get(document.document))
            for shown in _chosen(document, kinds):
                yield Line(
                    name,
                    document.document,
                    words.place(shown.mentions[0]),
                    shown.kind,
                    words.of(shown.kind, shown.mentions),
                    words.said(shown.first),
                    makers.get((number, shown.id), ""),
                    shown.id,
                )


def list_parts(
    analysis: ErrorAnalysis, kinds: Sequence[str]
) -> Iterator[Note | Paragraph]:
    """Write each error as a line, then how many there are."""
    several = len(analysis.systems) > 1
    lines = [*list_lines(analysis, kinds)]
    for line in lines:
        before = [line.response] * several + [line.place] * bool(line.place)
        start = ": ".join([*before, KIND_LABELS[line.kind].lower()])
        whose = "antecedent" if line.kind in _LINKS else "entity of"
        about = [f"{start}: {line.words}", f'{whose} "{line.first}"', line.made_by]
        yield Note(" | ".join([*filter(None, about), line.id]))
    yield Paragraph(f"{len(lines):,} error{'s' * (len(lines) != 1)}")


def list_grid(analysis: ErrorAnalysis, kinds: Sequence[str]) -> Grid:
    """Set the errors of some kinds out, a row each."""
    heads = ["Document", "Place", "Kind", "Words", "Entity", "Id"]
    several = len(analysis.systems) > 1
    heads = ["Response", *heads[:-1], "Made by", heads[-1]] if several else heads
    rows = []
    for line in list_lines(analysis, kinds):
        row = [
            line.document,
            line.place,
            KIND_LABELS[line.kind],
            line.words,
            f'"{line.first}"',
        ]
        rows.append(
            [line.response, *row, line.made_by, line.id] if several else [*row, line.id]
        )
    return Grid(columns(heads, words=len(heads)), cells(rows))


def csv_list(analysis: ErrorAnalysis, kinds: Sequence[str]) -> str:
    """Write a row for each error of some kinds."""
    lines = list_lines(analysis, kinds)
    return csv_rows([Line._fields, *lines])


class _Shown(NamedTuple):
    """What of an error is listed, or of a link."""

    kind: str
    id: str
    mentions: tuple[MentionId, ...]
    first: MentionId  # of its entity; of a link, the antecedent


def _chosen(document: DocumentErrors, kinds: Sequence[str]) -> Iterator[_Shown]:
    for error in document.errors:
        if error.kind in kinds:
            yield _Shown(error.kind, error.id, error.mentions, error.entity[0])
    sides = document.recall_links, document.precision_links
    for kind, links in zip(_LINKS, sides, strict=True):
        if kind in kinds:
            for link in links:
                yield _Shown(kind, link.id, (link.anaphor,), link.antecedent)


def _makers(analysis: ErrorAnalysis) -> dict[tuple[int, str], str]:
    """Say of each error of several systems which of them make it."""
    if len(analysis.systems) == 1:
        return {}
    names = names_of([system.response for system in analysis.systems])
    makers: dict[tuple[int, str], str] = {}
    for one in analysis.across.errors:
        several = ", ".join(names[number] for number in sorted(one.ids))
        who = f"only {several}" if len(one.ids) == 1 else several
        if len(one.ids) == len(names):
            who = "both" if len(names) == 2 else f"all {len(names)}"
        makers |= {(number, id): who for number, id in one.ids.items()}
    return makers
