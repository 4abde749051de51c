"""DuckDB: one sorted stream of rows, which may spill to disk."""

from __future__ import annotations

import os
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from shutil import rmtree
from tempfile import mkdtemp
from threading import Event, Thread
from typing import TYPE_CHECKING, Any
from weakref import finalize

import numpy as np

from corefkit.engines.base import PLACE, TEXT, Relation
from corefkit.engines.duck_errors import first_line, in_words
from corefkit.engines.duck_tables import (
    OBJECT,
    ROW_PLACE,
    Table,
    files_statement,
    quoted_name,
    refuse_names,
    relation_of,
)
from corefkit.engines.files import FileRows, FrameRows, parquet_files
from corefkit.engines.sizes import memory_size
from corefkit.exceptions import FormatError, SettingsError
from corefkit.formats.tables.frames import pyarrow, refusing

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping, Sequence

    import pyarrow as pa

    from corefkit.alignment.pipeline import Progress
    from corefkit.engines.base import Count

_BATCH_ROWS = 1 << 16
_NO_TABLES: Mapping[str, Any] = {}
_ALL = f"select * from {OBJECT}"
_OWN_SHARE = 0.9  # of the memory
_LITTLE = 50_000_000  # bytes
_PAUSE = 0.5  # seconds between two looks


@dataclass(slots=True, weakref_slot=True)
class DuckDB:
    """DuckDB, with a connection of its own or that of the relations that it is given.

    Attributes:
        memory: how much memory it may take, in bytes or as in `1GB`, a tenth of it for
            rows on their way out; most of the machine's if None.
        temp_directory: where it puts what does not fit; the system's folder for such
            files if None.
        ceaf_bounds: whether CEAF of too many entities is given by bounds, and not
            refused.

    >>> import corefkit, pyarrow
    >>> rows = {"document": ["d", "d"], "entity": [1, 1], "mention": ["a", "b"]}
    >>> with DuckDB(memory="500MB") as engine:
    ...     result = corefkit.score(*[pyarrow.table(rows)] * 2, engine=engine)
    >>> result["muc"].f1
    1.0
    """

    memory: str | int | None = None
    temp_directory: str | os.PathLike[str] | None = None
    ceaf_bounds: bool = False
    name: str = field(default="duckdb", init=False)
    _connection: Any = field(default=None, init=False, repr=False)
    _removed: Callable[[], Any] | None = field(default=None, init=False, repr=False)
    _progress: Progress | None = field(default=None, init=False, repr=False)
    _given: Any = field(default=None, init=False, repr=False)

    def __enter__(self) -> DuckDB:
        """Enter the work that the engine is for."""
        return self

    def __exit__(self, *exception: object) -> None:
        """Close the engine."""
        self.close()

    def open(self, side: object, role: str) -> Relation:
        """Open Parquet files, a data frame, or a relation of DuckDB."""
        if isinstance(side, self._duckdb.DuckDBPyRelation):
            return self._of_relation(side, role)
        if isinstance(side, str | os.PathLike):
            return self._of_files(os.fspath(side))
        if hasattr(side, "collect_schema") and hasattr(side, "collect"):
            side = side.collect()  # a lazy frame of Polars
        if not hasattr(side, "__arrow_c_stream__"):
            message = f"found {type(side).__name__}, which DuckDB does not read"
            hint = "give Parquet files, a relation, or a data frame"
            raise FormatError(message, place=role, hint=hint)
        arrow = pyarrow(role)
        with refusing(role):
            table = arrow.RecordBatchReader.from_stream(side).read_all()
            refuse_names(table.column_names, role)
            table = table.append_column(ROW_PLACE, arrow.array(np.arange(len(table))))
        return self._relation(role, Table(_ALL, table), FrameRows(role))

    def _of_relation(self, relation: Any, role: str) -> Relation:
        if self.memory is not None or self.temp_directory is not None:
            message = "relations come with a connection, which has its own limits"
            hint = "set memory_limit and temp_directory on that connection"
            raise SettingsError(message, hint=hint)
        self._given = self._given or relation
        refuse_names(relation.columns, role)
        return relation_of(role, Table(_ALL, relation), relation)

    def _of_files(self, path: str) -> Relation:
        files = parquet_files(path)
        with in_words(path, self._limit):
            rows, numbered = files_statement(
                files, lambda sql: self._run(sql).fetchall()
            )
        if not numbered:
            return self._relation(path, Table(f"select * from {rows}"))
        where = FileRows(tuple(files))
        sql = (
            f"select *, file_index::bigint * {where.rows} + file_row_number "
            f"as {ROW_PLACE} from {rows}"
        )
        return self._relation(path, Table(sql), where)

    def _relation(
        self, name: str, table: Table, where: Callable[[int], str] | None = None
    ) -> Relation:
        with in_words(name, self._limit):
            found = self._run(table.named("rows"), {"rows": table})
            return relation_of(name, table, found, where)

    def project(self, relation: Relation, columns: Mapping[str, str]) -> Relation:
        """Take some columns of a relation, by new names."""
        kinds = {new: relation.columns[old] for new, old in columns.items()}
        # Of texts only those are cast that DuckDB keeps as numbers of a list. Relations
        # may come with a collation, under which large and small letters are alike.
        text = "::varchar" if self._given is None else "::varchar collate c"
        parts = [
            f"{quoted_name(old)}{text if kinds[new] == TEXT else ''} as {new}"
            for new, old in columns.items()
        ]
        parts += [f"{ROW_PLACE} as {PLACE}"] * (relation.where is not None)
        table: Table = relation.handle
        sql = f"select {', '.join(parts)} from ({table.sql})"
        return Relation(relation.name, kinds, Table(sql, table.value), relation.where)

    def hold(self, table: pa.Table, name: str) -> Relation:
        """Make a relation of a small table."""
        relation = self._relation(name, Table(_ALL, table))
        return self.project(relation, {column: column for column in relation.columns})

    def query(
        self, sql: str, relations: Mapping[str, Relation]
    ) -> Generator[pa.RecordBatch]:
        """Run a statement, and return its rows."""
        tables: dict[str, Table] = {
            name: relation.handle for name, relation in relations.items()
        }
        # What stands in braces becomes a statement of its own, inside this one.
        inner = {name: f"({table.named(name)})" for name, table in tables.items()}
        names = " and ".join(dict.fromkeys(each.name for each in relations.values()))
        with in_words(names, self._limit):
            found = self._run(sql.format(**inner), tables)
            # A statement that is left half read would keep the connection from others.
            with self._watching() as stop, found.to_arrow_reader(_BATCH_ROWS) as rows:
                for batch in rows:
                    stop()
                    yield batch
            self._let_go()

    def by_document(
        self,
        sql: str,
        relations: Mapping[str, Relation],
        count: Count,
        *,
        together: Sequence[str],
    ) -> Generator[pa.RecordBatch]:
        """Sort the rows of a statement, and let them be counted."""
        ordered = f"select * from ({sql}) order by {', '.join(together)}"
        with closing(self.query(ordered, relations)) as rows:
            yield from count(rows)

    def _let_go(self) -> None:
        """Give back what DuckDB keeps of a statement that is done, for what follows."""
        if self._bytes and self._given is None:
            with suppress(self._duckdb.Error):
                self._connection.execute(f"set memory_limit = '{_LITTLE}B'")
            self._connection.execute(f"set memory_limit = '{self._bytes}B'")

    def watch(self, progress: Progress | None) -> None:
        """Tell how far a statement is until its rows come, on a connection of its own.

        Sorting and joining come first; then the rows that are counted tell.
        """
        self._progress = progress

    @contextmanager
    def _watching(self) -> Iterator[Callable[[], None]]:
        """Tell how far a statement is, until what is given is called."""
        done = Event()
        progress, connection = self._progress, self._connection
        if progress is None or connection is None or self._given is not None:
            yield done.set
            return

        def look() -> None:
            while not done.wait(_PAUSE):
                progress(max(int(connection.query_progress()), 0), 100)

        watcher = Thread(target=look, daemon=True)
        watcher.start()
        try:
            yield done.set
        finally:
            done.set()
            watcher.join()

    def close(self) -> None:
        """Close the connection, if it is the engine's own."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._removed is not None:
            self._removed()

    @property
    def _duckdb(self) -> Any:
        try:
            import duckdb
        except ImportError as error:
            message = "this needs DuckDB, which is not installed"
            hint = 'install it with pip install "corefkit[duckdb]"'
            raise SettingsError(message, hint=hint) from error
        return duckdb

    @property
    def _limit(self) -> str:
        if isinstance(self.memory, int):
            return f"{self.memory:,} bytes"
        return self.memory or "its memory limit"

    @property
    def _bytes(self) -> int:
        """What DuckDB may take by itself: rows on their way out of it need the rest."""
        return int(_OWN_SHARE * memory_size(self.memory or 0))

    def _run(self, sql: str, tables: Mapping[str, Table] = _NO_TABLES) -> Any:
        given = self._given
        run = self._own().sql if given is None else partial(given.query, "corefkit")
        values = {name: table.value for name, table in tables.items()}
        return _with_objects(run, sql, **values)

    def _own(self) -> Any:
        if self._connection is None:
            folder = self.temp_directory
            if folder is None:
                folder = mkdtemp(prefix="corefkit-")
                # Also where nobody closes the engine.
                self._removed = finalize(self, rmtree, folder, ignore_errors=True)
            limits = {"temp_directory": os.fspath(folder)}
            if self._bytes:
                limits["memory_limit"] = f"{self._bytes}B"
            try:
                self._connection = self._duckdb.connect(config=limits)
                # Without a bar, nobody knows how far a statement is; it is not shown.
                self._connection.execute("set enable_progress_bar = true")
                self._connection.execute("set enable_progress_bar_print = false")
            except self._duckdb.Error as error:
                message = f"DuckDB does not start: {first_line(error)}"
                raise SettingsError(message) from error
        return self._connection


def _with_objects(  # DuckDB finds objects by the names of variables
    run: Callable[[str], Any],
    sql: str,
    *,
    rows: Any = None,  # noqa: ARG001
    wanted: Any = None,  # noqa: ARG001
    key_rows: Any = None,  # noqa: ARG001
    response_rows: Any = None,  # noqa: ARG001
    key_documents: Any = None,  # noqa: ARG001
    response_documents: Any = None,  # noqa: ARG001
) -> Any:
    return run(sql)
