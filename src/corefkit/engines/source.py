"""Tables in an engine as pairing sees them: the ids of their documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corefkit.exceptions import SettingsError
from corefkit.formats.tables.cells import cell_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.columns import Columns
    from corefkit.engines.base import Relation
    from corefkit.formats.source import Word
    from corefkit.model import Document

_ROW_BYTES = 32  # about what a mention takes in columns


@dataclass(frozen=True)
class EngineSource:
    """The documents of a table, whose mentions stay in the engine.

    Attributes:
        relation: the table.
        ids: what its documents are called.
        cells: the same as the table has them.
        rows: how many rows each has.
        first: the place of the first of them, None where rows have no order.
    """

    relation: Relation
    ids: Sequence[str]
    cells: Sequence[str | int]
    rows: Sequence[int]
    first: Sequence[int | None]
    verbatim = False
    never_has_words = True

    @property
    def name(self) -> str:
        """What the user called the table."""
        return self.relation.name

    @property
    def sizes(self) -> Sequence[int]:
        """About how many bytes each document takes."""
        return [count * _ROW_BYTES for count in self.rows]

    def place(self, number: int) -> str:
        """Return where the first row of a document stands."""
        first, where = self.first[number], self.relation.where
        return self.name if first is None or where is None else where(first)

    def columns(self, numbers: Sequence[int]) -> Columns:
        """Refuse: mentions are read in blocks, where the engine has them."""
        raise self._refusal(numbers)

    def document(self, number: int) -> Document:
        """Refuse, likewise."""
        raise self._refusal([number])

    def words(self, number: int) -> Iterator[Word]:
        """Return nothing: tables have no words."""
        del number
        return iter(())

    def is_running(self, number: int) -> bool:
        """Return False: no document is running text."""
        del number
        return False

    def close(self) -> None:
        """Leave the table to the engine."""

    def _refusal(self, numbers: Sequence[int]) -> SettingsError:
        names = ", ".join(self.ids[number] for number in numbers[:3])
        message = f"documents of a table in an engine ({names}) are not read one by one"
        return SettingsError(message, place=self.name)


def engine_sources(
    key: Relation, response: Relation, rows: Sequence[Mapping[str, Any]]
) -> tuple[EngineSource, EngineSource]:
    """Make the sources of both sides, of the rows of `plans.documents`.

    Documents stand in the order of the table, or else of their ids.
    """
    ours, theirs = (
        _source(relation, role, rows)
        for relation, role in ((key, "key"), (response, "response"))
    )
    return ours, theirs


def _source(
    relation: Relation, role: str, rows: Sequence[Mapping[str, Any]]
) -> EngineSource:
    found = [
        (row[f"{role}_place"], row["document"], row[f"{role}_rows"])
        for row in rows
        if row[f"{role}_rows"]
    ]
    found.sort(key=lambda row: row[1 if relation.where is None else 0])
    first, cells, counts = zip(*found, strict=True) if found else ((), (), ())
    return EngineSource(relation, [*map(cell_text, cells)], cells, counts, first)
