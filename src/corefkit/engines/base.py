"""What an engine must be able to do: open tables, run a statement, gather documents.

Statements are those of `corefkit.engines.plans`. They name relations in braces, as in
`from {key_rows}`; each engine puts its own names there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import pyarrow

    from corefkit.alignment.pipeline import Progress

    Batches: TypeAlias = Iterator[pyarrow.RecordBatch]
    # Counts rows in which all that belongs together follows one another. It is a pure
    # function of its rows and can be pickled, so that a part may be counted again.
    # It gives rows of one column, `BLOCK`.
    Count: TypeAlias = Callable[[Batches], Batches]

# What the columns of a relation may be: only these are compared by an engine. What is
# signed and has 64 bits at most is an integer; every kind of string is a text.
INTEGER, TEXT, OTHER = "integer", "text", "other"
# A column of 64 bits that has the number of each row, in the order of the table.
PLACE = "place"
# The one column of what counting gives, of type binary: a block of documents.
BLOCK = "block"


@dataclass(frozen=True, slots=True)
class Relation:
    """A table that an engine can read, as often as it likes.

    Attributes:
        name: what the user called it.
        columns: the kind of each column, by its name: INTEGER, TEXT or OTHER; without
            the column `PLACE`.
        handle: what the engine knows it by.
        where: says where a row stands, by its number in the column `PLACE`; None where
            rows have no order, and there is no such column.
    """

    name: str
    columns: Mapping[str, str]
    handle: Any
    where: Callable[[int], str] | None = None


class Engine(Protocol):
    """An engine, with what it needs to run.

    Whatever the engine refuses becomes a `CorefkitError` that says so in corefkit's own
    words, and has the engine's error as its cause.
    """

    name: str  # as in `--engine`
    # Whether CEAF of too many entities is given by bounds, and not refused.
    ceaf_bounds: bool

    def open(self, side: object, role: str) -> Relation:
        """Open a side, `key` or `response` by its role.

        It is the path of a Parquet file, of a folder of such or a glob, or one of the
        engine's own frames. A frame is called by its role, a path as it was written.
        """
        ...

    def project(self, relation: Relation, columns: Mapping[str, str]) -> Relation:
        """Take some columns of a relation, by new names: {new: old}; and `PLACE`.

        Texts become plain strings.
        """
        ...

    def hold(self, table: pyarrow.Table, name: str) -> Relation:
        """Make a relation of a small table."""
        ...

    def query(self, sql: str, relations: Mapping[str, Relation]) -> Batches:
        """Run a statement that names relations in braces, and return its rows."""
        ...

    def by_document(
        self,
        sql: str,
        relations: Mapping[str, Relation],
        count: Count,
        *,
        together: Sequence[str],
    ) -> Batches:
        """Gather the rows of a statement, and let them be counted.

        All rows with the same value in the first column of `together` go to one call of
        `count`, one behind the other, ordered by all of these columns. What the calls
        give comes back in whatever order.
        """
        ...

    def watch(self, progress: Progress | None) -> None:
        """Tell how far statements are, while they run; if the engine can, and no more.

        An engine whose rows come while it works need not: rows are counted as well.
        """
        ...

    def close(self) -> None:
        """Release what the engine holds open."""
        ...

    def __enter__(self) -> Engine:
        """Enter the work that the engine is for."""
        ...

    def __exit__(self, *exception: object) -> None:
        """Close the engine."""
        ...
