"""Spark as an engine: classic data frames, those of Spark Connect, and Parquet.

Rows of a document meet by one shuffle. Python workers count them, and send back blocks
of counts, never a Python object a row.

    tables     columns, and where rows stand
    running    what of a statement runs where, and how far it is
    sessions   the session of the environment, or one made here
    failures   what Spark refuses, in corefkit's own words
    workers    what runs on the workers
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from corefkit.engines.base import BLOCK
from corefkit.engines.spark.failures import another_session, no_table, telling
from corefkit.engines.spark.running import run
from corefkit.engines.spark.sessions import found_session, is_frame
from corefkit.engines.spark.tables import relation_of, relation_of_files
from corefkit.engines.spark.workers import OnWorkers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pyarrow

    from corefkit.alignment.pipeline import Progress
    from corefkit.engines.base import Batches, Count, Relation
    from corefkit.engines.spark.sessions import Session


class Spark:
    """Spark, with the session of its frames, of the environment, or one of its own.

    Args:
        memory: how much memory a session that is made here may take, in bytes or as
            in `4GB`.
        temp_directory: where such a session puts what does not fit.
        partitions: in how many parts documents are counted; as many as Spark's own
            settings say, and fewer where they are small, if not given.
        ceaf_bounds: whether CEAF of too many entities is given by bounds, and not
            refused.
    """

    name = "spark"

    def __init__(
        self,
        *,
        memory: str | int | None = None,
        temp_directory: str | os.PathLike[str] | None = None,
        partitions: int | None = None,
        ceaf_bounds: bool = False,
    ) -> None:
        self.ceaf_bounds = ceaf_bounds
        self._memory, self._folder = memory, temp_directory
        self._partitions = partitions
        self._progress: Progress | None = None
        self._session: Session | None = None

    def open(self, side: object, role: str) -> Relation:
        """Open a data frame of Spark, or Parquet at a path, in a folder, by a glob."""
        if is_frame(side):
            return relation_of(self._of_session(side), role)
        if not isinstance(side, str | os.PathLike):
            raise no_table(side, role)
        name = os.fspath(side)
        return relation_of_files(self._opened().value, name)

    def _of_session(self, side: Any) -> Any:
        """Return a frame whose session is that of the other side."""
        of_pandas = type(side).__module__.startswith("pyspark.pandas.")
        frame = side.to_spark() if of_pandas else side
        if self._session is None:
            self._session = found_session(
                frame, memory=self._memory, temp_directory=self._folder
            )
        elif frame.sparkSession is not self._session.value:
            raise another_session()
        return frame

    def _opened(self) -> Session:
        if self._session is None:
            self._session = found_session(
                memory=self._memory, temp_directory=self._folder
            )
        return self._session

    def project(self, relation: Relation, columns: Mapping[str, str]) -> Relation:
        """Take some columns of a relation, by new names: {new: old}."""
        kinds = relation.columns
        chosen = {new: (old, kinds[old]) for new, old in columns.items()}
        with telling(relation.name):
            table = relation.handle.take(chosen)
        taken = {new: kind for new, (_, kind) in chosen.items()}
        return replace(relation, columns=taken, handle=table)

    def hold(self, table: pyarrow.Table, name: str) -> Relation:
        """Make a relation of a small table."""
        whole = table.combine_chunks()  # Spark stops reading at a chunk without rows
        with telling(name):
            return relation_of(self._opened().value.createDataFrame(whole), name)

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
        frames = {
            name: relation.handle.for_statement(sql)
            for name, relation in relations.items()
        }
        return self._opened().value.sql(sql, **frames)

    def watch(self, progress: Progress | None) -> None:
        """Tell the tasks that are done, and all that there are so far."""
        self._progress = progress

    def __enter__(self) -> Spark:
        """Return the engine, which is closed in the end."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the engine."""
        self.close()

    def close(self) -> None:
        """Stop the session, if it was made here."""
        if self._session is not None:
            self._session.close()
            self._session = None
