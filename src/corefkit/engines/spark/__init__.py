"""Spark as an engine: classic data frames, those of Spark Connect, and Parquet.

Rows of a document meet by one shuffle. Python workers count them, and send back blocks
of counts, never a Python object a row.

    running    what of a statement runs where, and how far it is
    sessions   the session of the environment, or one made here
    failures   what Spark refuses, in corefkit's own words
    workers    what runs on the workers
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from corefkit.engines.base import BLOCK, INTEGER, OTHER, TEXT, Relation
from corefkit.engines.spark.failures import another_session, no_table, telling
from corefkit.engines.spark.running import run
from corefkit.engines.spark.sessions import found_session, is_frame
from corefkit.engines.spark.workers import OnWorkers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pyarrow

    from corefkit.alignment.pipeline import Progress
    from corefkit.engines.base import Batches, Count
    from corefkit.engines.spark.sessions import Session

_INTEGERS = ("byte", "short", "integer", "long")


class SparkEngine:
    """Spark, with the session of its frames, of the environment, or one of its own.

    Args:
        memory: the memory in bytes of a session that is made here.
        temporary: where such a session keeps what does not fit in its memory.
        partitions: in how many parts documents are counted; as many as Spark's own
            settings say, and fewer where they are small, if not given.
        progress: called now and then with the tasks that are done, and all so far.
        ceaf_bounds: whether CEAF of too many entities is given by bounds, and not
            refused.
    """

    name = "spark"

    def __init__(
        self,
        *,
        memory: int | None = None,
        temporary: str | os.PathLike[str] | None = None,
        partitions: int | None = None,
        progress: Progress | None = None,
        ceaf_bounds: bool = False,
    ) -> None:
        self.ceaf_bounds = ceaf_bounds
        self._memory, self._temporary = memory, temporary
        self._partitions, self._progress = partitions, progress
        self._session: Session | None = None

    def open(self, side: object, role: str) -> Relation:
        """Open a data frame of Spark, or Parquet at a path, in a folder, by a glob."""
        if is_frame(side):
            return _relation(self._of_session(side), role)
        if not isinstance(side, str | os.PathLike):
            raise no_table(side, role)
        name = os.fspath(side)
        session = self._opened().value
        with telling(name):
            return _relation(session.read.parquet(name), name)

    def _of_session(self, side: Any) -> Any:
        """Return a frame whose session is that of the other side."""
        of_pandas = type(side).__module__.startswith("pyspark.pandas.")
        frame = side.to_spark() if of_pandas else side
        if self._session is None:
            self._session = found_session(
                frame, memory=self._memory, temporary=self._temporary
            )
        elif frame.sparkSession is not self._session.value:
            raise another_session()
        return frame

    def _opened(self) -> Session:
        if self._session is None:
            self._session = found_session(
                memory=self._memory, temporary=self._temporary
            )
        return self._session

    def project(self, relation: Relation, columns: Mapping[str, str]) -> Relation:
        """Take some columns of a relation, by new names: {new: old}."""
        frame, kinds = relation.handle, relation.columns
        chosen = [
            _plain(frame, old, kinds[old]).alias(new) for new, old in columns.items()
        ]
        taken = {new: kinds[old] for new, old in columns.items()}
        return Relation(relation.name, taken, frame.select(chosen))

    def hold(self, table: pyarrow.Table, name: str) -> Relation:
        """Make a relation of a small table."""
        with telling(name):
            return _relation(self._opened().value.createDataFrame(table), name)

    def query(self, sql: str, relations: Mapping[str, Relation]) -> Batches:
        """Run a statement that names relations in braces, and return its rows."""
        with telling():
            frame = self._statement(sql, relations)
            return iter(run(frame, self._progress).to_batches())

    def by_document(
        self,
        sql: str,
        relations: Mapping[str, Relation],
        count: Count,
        *,
        together: Sequence[str],
    ) -> Batches:
        """Count the rows of a statement on the workers, after one shuffle."""
        with telling():
            frame = self._statement(sql, relations)
            parts = [] if self._partitions is None else [self._partitions]
            gathered = frame.repartition(*parts, together[0])
            ordered = gathered.sortWithinPartitions(*together)
            counted = ordered.mapInArrow(OnWorkers(count), f"{BLOCK} binary")
            return iter(run(counted, self._progress).to_batches())

    def _statement(self, sql: str, relations: Mapping[str, Relation]) -> Any:
        frames = {name: relation.handle for name, relation in relations.items()}
        return self._opened().value.sql(sql, **frames)

    def close(self) -> None:
        """Stop the session, if it was made here."""
        if self._session is not None:
            self._session.close()
            self._session = None


def _relation(frame: Any, name: str) -> Relation:
    with telling(name):
        fields = list(frame.schema)
    kinds = {field.name: _kind(field.dataType.typeName()) for field in fields}
    return Relation(name, kinds, frame)


def _kind(name: str) -> str:
    """Tell the kind of a column from what Spark calls its type.

    >>> _kind("long"), _kind("string"), _kind("double")
    ('integer', 'text', 'other')
    """
    if name in _INTEGERS:
        return INTEGER
    return TEXT if name.partition("(")[0] in ("string", "varchar", "char") else OTHER


def _plain(frame: Any, name: str, kind: str) -> Any:
    """Return a column as a number of 64 bits, or as text that is compared by bytes.

    Spark has strings that are alike in large and small letters: these are cast as well.
    """
    column = frame["`" + name.replace("`", "``") + "`"]
    if kind == INTEGER:
        return column.cast("long")
    return column.cast("string") if kind == TEXT else column
