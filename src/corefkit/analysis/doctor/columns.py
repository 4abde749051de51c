"""A check of columns: brackets that stand elsewhere than where they are read."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from corefkit.alignment.meeting.cells import bracketed, token_rows
from corefkit.analysis.doctor.case import Suspicion
from corefkit.analysis.doctor.spans import bounds, changed_document
from corefkit.exceptions import CorefkitError
from corefkit.formats.inputs import open_inputs
from corefkit.model import Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.analysis.doctor.case import Case
    from corefkit.model import Document

_FEW = 0.3  # of mentions that meet, from which on columns are not looked at
_MUCH = 0.3  # of mentions, that must meet beyond those that do
_LEAST = 5  # mentions that must meet
_PLENTY = 20_000  # words of the first documents, in which columns are tried
_ATTRIBUTE = re.compile(r"(?:^|\|)(\w+)=([^|=]*\([^|=]*|[^|=]*\)[^|=]*)")
_READ = "Entity"  # the attribute of CoNLL-U that is read


class _Place(NamedTuple):
    """Where brackets stand: a column, and in CoNLL-U an attribute in it."""

    column: int  # from the end, from 1
    width: int
    attribute: str = ""

    def cells(self, rows: Sequence[Sequence[str]]) -> list[str]:
        """Take the brackets of lines."""
        cells = [row[-self.column] if len(row) >= self.column else "_" for row in rows]
        if not self.attribute:
            return cells
        found = [dict(_ATTRIBUTE.findall(cell)).get(self.attribute) for cell in cells]
        return [f"{_READ}={cell}" if cell else "_" for cell in found]

    def __str__(self) -> str:
        column = f"column {self.width + 1 - self.column} of {self.width}"
        return f"attribute {self.attribute} in {column}" if self.attribute else column

    @property
    def fix(self) -> str:
        if self.attribute:
            return f"write `{_READ}=` for `{self.attribute}=`"
        if self.column == 1:
            return "leave the column where the format has it"
        number = self.width + 1 - self.column
        return (
            f"move column {number} ({self.column} from the end) to the end of the line"
        )


def other_column(case: Case) -> Iterator[Suspicion]:
    """Brackets in another column than the one that was read."""
    if case.share_met >= _FEW or not case.is_as_read:
        return
    first = _first_documents(case)
    if not any(case.mentions):  # the key's column with most brackets was meant
        found = max(
            _elsewhere(first, 0), key=lambda one: one[1].mentions[0], default=None
        )
        if found is not None and found[1].mentions[0]:
            mended = _read_by(found[0], case, 0)
            yield _suspicion(found[0], mended, side=0)._replace(is_certain=True)
        return
    for side in (0, 1):
        for place, tried in _elsewhere(first, side):
            more = tried.met - first.met
            if tried.met >= _LEAST and more >= _MUCH * min(tried.mentions):
                yield _suspicion(place, _read_by(place, case, side), side=side)


def _first_documents(case: Case) -> Case:
    """Leave out all but the first documents, as many as tell one column from others."""
    # By words rather than by documents, of which one may be as long as many others.
    before = accumulate((len(pair.key.words) for pair in case.pairs), initial=0)
    pairs = [
        pair for pair, many in zip(case.pairs, before, strict=False) if many < _PLENTY
    ]
    if len(pairs) == len(case.pairs):
        return case
    first = {id(one) for pair in pairs for one in (pair.key, pair.response)}
    rows = [
        [row for row in _numbered(case, side) if id(row[1]) in first] for side in (0, 1)
    ]
    numbers, documents = zip(*(zip(*row, strict=True) for row in rows), strict=True)
    return replace(case, key=documents[0], response=documents[1], numbers=numbers)


def _numbered(case: Case, side: int) -> Iterator[tuple[int, Document]]:
    """Go through the documents of a side with their numbers there."""
    return zip(case.numbers[side], case.side(side), strict=True)


def _elsewhere(case: Case, side: int) -> Iterator[tuple[_Place, Case]]:
    """Read a side by each of its places that gives other mentions."""
    documents, rows = case.side(side), _rows(case, side)
    if len(rows) != len(documents) or any(one.empty for one in documents):
        return
    for place in _places(rows):
        read = _with_place(place, documents, rows)
        if any(read) and [*map(bounds, read)] != [*map(bounds, documents)]:
            yield place, _mended(case, side, read)


def _read_by(place: _Place, case: Case, side: int) -> Case:
    """Read all documents of a side by a place."""
    return _mended(case, side, _with_place(place, case.side(side), _rows(case, side)))


def _with_place(
    place: _Place,
    documents: Sequence[Document],
    rows: Sequence[Sequence[Sequence[str]]],
) -> tuple[Document, ...]:
    return tuple(
        _with_cells(document, place.cells(lines))
        for document, lines in zip(documents, rows, strict=True)
    )


def _mended(case: Case, side: int, documents: Sequence[Document]) -> Case:
    errors = (None, case.errors[1]) if side == 0 else (case.errors[0], None)
    return replace(case.with_side(side, documents), errors=errors)


def _suspicion(place: _Place, mended: Case, *, side: int) -> Suspicion:
    return Suspicion(
        f"coreference of {mended.names[side]} stands in another column than "
        f"the one that is read: {place}",
        place.fix,
        mended.mentions[side],
        mended,
    )


def _places(rows: Sequence[Sequence[Sequence[str]]]) -> Iterator[_Place]:
    """Go through the columns, the last first; those of attributes by attribute."""
    width = min((len(row) for lines in rows for row in lines), default=0)
    for column in range(1, width + 1):
        names = {
            name
            for lines in rows
            for row in lines
            for name, _ in _ATTRIBUTE.findall(row[-column])
        }
        if names:
            for name in sorted(names - {_READ}):
                yield _Place(column, width, name)
        else:
            yield _Place(column, width)


def _rows(case: Case, side: int) -> list[list[list[str]]]:
    """Read the columns of a side that is a file; none where it is not."""
    given = case.inputs[side]
    if not isinstance(given, str | os.PathLike) or os.fspath(given) == "-":
        return []
    reference = case.settings.reads_as_reference
    try:
        with open_inputs(given, [], format=case.format, reference=reference) as opened:
            # Where one side is broken, the other may be read in another way here.
            as_then = len(opened[0].ids) == case.documents[side]
            return token_rows(opened[0], case.numbers[side]) if as_then else []
    except CorefkitError:
        return []


def _with_cells(document: Document, cells: Sequence[str]) -> Document:
    groups: dict[str, list[Mention]] = {}
    for name, start, end in bracketed(cells):
        groups.setdefault(name, []).append(Mention(start, end))
    entities = tuple(Entity(name, tuple(group)) for name, group in groups.items())
    return changed_document(document, entities=entities)
