"""Engines for tables of mentions that do not fit into memory or on one machine.

An engine brings mentions together, and corefkit counts them: no metric is implemented
a second time in SQL. Scoring begins in `scoring`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from corefkit.exceptions import SettingsError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import pyarrow

    from corefkit.alignment.pipeline import Progress

    Batches: TypeAlias = Iterator[pyarrow.RecordBatch]
    # Counts rows that are ordered by group, and returns rows of one column, `BLOCK`. It
    # is a pure function that can be pickled, so an engine may call it again for a part.
    Count: TypeAlias = Callable[[Batches], Batches]

ENGINES = ("duckdb", "spark")  # not in `scoring`, since every start lists the options

# The kinds of columns: signed integers of at most 64 bits, any type of string, and
# others. An engine compares nothing else.
INTEGER, TEXT, OTHER = "integer", "text", "other"
# A column of 64 bits that contains the number of each row, in the order of the table.
PLACE = "place"
# The only column of counted rows, of type binary: a serialized block of documents.
BLOCK = "block"


@dataclass(frozen=True, slots=True)
class Relation:
    """A table that an engine can read several times.

    Attributes:
        name: the display name.
        columns: the kind of each column, by its name: INTEGER, TEXT or OTHER; without
            the column `PLACE`.
        handle: the value by which the engine identifies the table.
        where: formats the place of a row, by its number in the column `PLACE`; None if
            rows have no order, and there is no such column.
        titles: the names of the columns in the table of the user.
    """

    name: str
    columns: Mapping[str, str]
    handle: Any
    where: Callable[[int], str] | None = None
    titles: Mapping[str, str] = field(default_factory=dict)


class Engine(ABC):
    """Base class of engines.

    Statements contain the names of relations in braces, as in `from {key_rows}`. The
    methods raise exceptions of the engine as a `CorefkitError`, whose cause they are.
    """

    name: str  # for `--engine`

    @abstractmethod
    def open(self, side: object, role: str) -> Relation:
        """Open the path of a Parquet file or folder, a glob, or a frame of the engine.

        The role is `key` or `response`, and the name of a frame.
        """

    @abstractmethod
    def project(self, relation: Relation, columns: Mapping[str, str]) -> Relation:
        """Select and rename some columns of a relation, {new: old}, and `PLACE`."""

    @abstractmethod
    def hold(self, table: pyarrow.Table, name: str) -> Relation:
        """Convert a small table to a relation."""

    @abstractmethod
    def query(self, sql: str, relations: Mapping[str, Relation]) -> Batches:
        """Run a statement, and return its rows."""

    @abstractmethod
    def count_groups(
        self,
        sql: str,
        relations: Mapping[str, Relation],
        count: Count,
        *,
        together: Sequence[str],
    ) -> Batches:
        """Count the rows of a statement in groups.

        All rows with the same value in the first column of `together` go to one call of
        `count`, ordered by all of these columns. The blocks come in any order.
        """

    def watch(self, progress: Progress | None) -> None:
        """Report the progress of statements to a callback, if that is supported."""
        del progress

    @abstractmethod
    def close(self) -> None:
        """Release the resources of the engine."""

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?", re.IGNORECASE)


def parse_memory_size(memory: str | int) -> int:
    """Parse an amount of memory and convert it to bytes.

    >>> parse_memory_size("800MB"), parse_memory_size("1.5 GiB"), parse_memory_size(7)
    (800000000, 1610612736, 7)
    """
    if isinstance(memory, int):
        return memory
    match = _SIZE.fullmatch(memory.strip())
    if match is None or not float(match[1]):
        message = f"memory is {quoted(memory)}, expected a number and its unit"
        raise SettingsError(
            message,
            code="settings/invalid-value",
            hint="memory is written as in 800MB or 4GB",
        )
    power = " kmgt".index(match[2].lower() or " ")
    return int(float(match[1]) * (1024 if match[3] else 1000) ** power)
