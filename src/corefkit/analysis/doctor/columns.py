"""A check of columns: brackets that stand elsewhere than where they are read."""

from __future__ import annotations

import os
import re
from dataclasses import replace
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
_ATTRIBUTE = re.compile(r"(?:^|\|)(\w+)=([^|=]*\([^|=]*|[^|=]*\)[^|=]*)")
_READ = "Entity"  # the attribute of CoNLL-U that is read


class _Place(NamedTuple):
    """Where brackets stand: a column, and in CoNLL-U an attribute in it."""

    column: int  # from the end, from 1
    width: int
    attribute: str = ""

    def cells(self, rows: Sequence[Sequence[str]]) -> list[str]:
        """Take the brackets of lines."""
        cells = [row[-self.column] for row in rows]
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
    if case.share_met >= _FEW:
        return
    if not any(case.mentions):  # the key's column with most brackets was meant
        found = max(
            _elsewhere(case, 0), key=lambda one: one[1].mentions[0], default=None
        )
        if found is not None and found[1].mentions[0]:
            yield _suspicion(*found, side=0)._replace(is_certain=True)
        return
    for side in (0, 1):
        for place, mended in _elsewhere(case, side):
            more = mended.met - case.met
            if mended.met >= _LEAST and more >= _MUCH * min(mended.mentions):
                yield _suspicion(place, mended, side=side)


def _elsewhere(case: Case, side: int) -> Iterator[tuple[_Place, Case]]:
    """Read a side by each of its places that gives other mentions."""
    documents, rows = case.side(side), _rows(case, side)
    if len(rows) != len(documents) or any(one.empty for one in documents):
        return
    for place in _places(rows):
        read = tuple(
            _with_cells(document, place.cells(lines))
            for document, lines in zip(documents, rows, strict=True)
        )
        if any(read) and [*map(bounds, read)] != [*map(bounds, documents)]:
            errors = (None, case.errors[1]) if side == 0 else (case.errors[0], None)
            yield place, replace(case.with_side(side, read), errors=errors)


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
            return token_rows(opened[0], range(len(opened[0].ids)))
    except CorefkitError:
        return []


def _with_cells(document: Document, cells: Sequence[str]) -> Document:
    groups: dict[str, list[Mention]] = {}
    for name, start, end in bracketed(cells):
        groups.setdefault(name, []).append(Mention(start, end))
    entities = tuple(Entity(name, tuple(group)) for name, group in groups.items())
    return changed_document(document, entities=entities)
