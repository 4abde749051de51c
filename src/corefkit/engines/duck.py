"""DuckDB: one sorted stream of rows, which may spill to disk."""

from __future__ import annotations

import glob
import os
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from shutil import rmtree
from tempfile import mkdtemp
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import finalize

import numpy as np

from corefkit.engines import (
    INTEGER,
    OTHER,
    PLACE,
    TEXT,
    Engine,
    Relation,
    parse_memory_size,
)
from corefkit.engines.table_scoring import FileRows, list_parquet_files
from corefkit.exceptions import CorefkitError, FormatError, SettingsError, quoted
from corefkit.formats.frames import convert_arrow_errors, import_pyarrow
from corefkit.formats.tables import ROLES, describe_column_fault
from corefkit.strings import escape_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping, Sequence

    import pyarrow as pa

    from corefkit.alignment.pipeline import Progress
    from corefkit.engines import Count

_OBJECT = "corefkit_object"  # in a statement, the object that it reads
_PLACE = "corefkit_place"  # the name of `PLACE` until columns are renamed
_ALL = f"select * from {_OBJECT}"

_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT")
_KINDS = {**dict.fromkeys((*_INTEGERS, "UINTEGER"), INTEGER), "VARCHAR": TEXT}
_NULL = '"NULL"'  # DuckDB's type of a column without a value
_TOKENS = ("start", "end", "head")
_SPELLINGS = {name: role for role, spellings in ROLES.items() for name in spellings}
# Columns that DuckDB generates; columns of the table with such a name override them.
_GENERATED = {"file_index", "file_row_number"}

_BATCH_ROWS = 1 << 16
_MEMORY_SHARE = 0.9  # the remainder is for rows that DuckDB returns
_SMALL_MEMORY = 50_000_000  # bytes
_LOOK_S = 0.5  # between two looks at the progress
_NO_ROOM = ("Failed to create directory", "duckdb_temp_", "No space left")


@contextmanager
def translate_errors(place: str, limit: str) -> Iterator[None]:
    """Raise exceptions of DuckDB, of any type, as a `CorefkitError`."""
    try:
        yield
    except (CorefkitError, GeneratorExit, KeyboardInterrupt):
        raise
    except Exception as error:
        text, line = str(error), get_first_line(error)
        if "Out of Memory" in text or isinstance(error, MemoryError):
            message = f"DuckDB needs more than {limit}: {line}"
            hint = "give it more with --memory, or room on disk with --temp-directory"
            code = "engine/out-of-memory"
        elif "not suitable for replacement scan" in text:
            message = "DuckDB cannot read relations of two connections together"
            hint = "make key and response with one connection"
            code = "engine/other-session"
        elif any(sign in text for sign in _NO_ROOM):
            message = f"DuckDB failed to spill to disk: {line}"
            hint = "name a folder with room by --temp-directory, or use more --memory"
            code = "engine/no-disk-space"
        else:
            message = f"DuckDB cannot read this: {line}"
            hint = "check that it is a complete Parquet file"
            code = "engine/unreadable"
            raise FormatError(message, code=code, place=place, hint=hint) from error
        raise SettingsError(message, code=code, hint=hint) from error


def get_first_line(error: BaseException) -> str:
    """Return the first line of an error's text, or its type."""
    return escape_terminal((str(error).splitlines() or [type(error).__name__])[0])


class Statement(NamedTuple):
    """A statement that returns rows, and the object that it reads as `_OBJECT`."""

    sql: str
    value: Any = None


@dataclass
class DuckDB(Engine):
    """DuckDB, with its own connection or that of the relations in its arguments.

    Attributes:
        memory: the limit of memory, in bytes or as in `1GB`, a tenth of it for rows
            that are returned; by default most of the memory of the machine.
        temp_directory: the folder for rows that do not fit into memory; by default a
            folder for temporary files of the system.

    >>> import corefkit, pyarrow
    >>> rows = {"document": ["d", "d"], "entity": [1, 1], "mention": ["a", "b"]}
    >>> with DuckDB(memory="500MB") as engine:
    ...     result = corefkit.score(*[pyarrow.table(rows)] * 2, engine=engine)
    >>> result["muc"].f1
    1.0
    """

    memory: str | int | None = None
    temp_directory: str | os.PathLike[str] | None = None
    name: str = field(default="duckdb", init=False)
    _connection: Any = field(default=None, init=False, repr=False)
    _remove_folder: Callable[[], Any] | None = field(
        default=None, init=False, repr=False
    )
    _progress: Progress | None = field(default=None, init=False, repr=False)
    _given: Any = field(default=None, init=False, repr=False)  # a user's relation

    def open(self, side: object, role: str) -> Relation:
        if isinstance(side, self._duckdb.DuckDBPyRelation):
            if self.memory is not None or self.temp_directory is not None:
                message = "relations come with a connection, which has its own limits"
                hint = "set memory_limit and temp_directory on that connection"
                raise SettingsError(message, code="settings/conflict", hint=hint)
            self._given = self._given or side
            _check_names(side.columns, role)
            return _make_relation(role, Statement(_ALL, side), side)
        if isinstance(side, str | os.PathLike):
            return self._open_files(os.fspath(side))
        if hasattr(side, "collect_schema") and hasattr(side, "collect"):
            side = side.collect()  # a lazy frame of Polars
        if not hasattr(side, "__arrow_c_stream__"):
            message = f"found {type(side).__name__}, which DuckDB does not read"
            hint = "give Parquet files, a relation, or a data frame"
            code = "engine/unsupported-input"
            raise FormatError(message, code=code, place=role, hint=hint)
        arrow = import_pyarrow(role)
        with convert_arrow_errors(role):
            table = arrow.RecordBatchReader.from_stream(side).read_all()
            _check_names(table.column_names, role)
            table = table.append_column(_PLACE, arrow.array(np.arange(len(table))))
        return self._open_statement(
            role, Statement(_ALL, table), partial("{}, row {}".format, role)
        )

    def _open_files(self, path: str) -> Relation:
        files = list_parquet_files(path)
        with translate_errors(path, self._limit):
            rows, numbered = select_files(files, lambda sql: self._run(sql).fetchall())
        if not numbered:
            return self._open_statement(path, Statement(f"select * from {rows}"))
        where = FileRows(tuple(files))
        place = f"file_index::bigint * {where.rows} + file_row_number as {_PLACE}"
        statement = Statement(f"select *, {place} from {rows}")
        return self._open_statement(path, statement, where)

    def _open_statement(
        self,
        name: str,
        statement: Statement,
        where: Callable[[int], str] | None = None,
    ) -> Relation:
        with translate_errors(name, self._limit):
            rows = self._run("{rows}", {"rows": statement})
            return _make_relation(name, statement, rows, where)

    def project(self, relation: Relation, columns: Mapping[str, str]) -> Relation:
        kinds = {new: relation.columns[old] for new, old in columns.items()}
        # Of texts, only enumerations are cast. Relations may come with a collation,
        # under which upper and lower case are equal.
        text = "::varchar" if self._given is None else "::varchar collate c"
        parts = [
            f"{_quote_name(old)}{text if kinds[new] == TEXT else ''} as {new}"
            for new, old in columns.items()
        ]
        parts += [f"{_PLACE} as {PLACE}"] * (relation.where is not None)
        statement: Statement = relation.handle
        sql = f"select {', '.join(parts)} from ({statement.sql})"
        handle = Statement(sql, statement.value)
        return Relation(relation.name, kinds, handle, relation.where)

    def hold(self, table: pa.Table, name: str) -> Relation:
        relation = self._open_statement(name, Statement(_ALL, table))
        return self.project(relation, {column: column for column in relation.columns})

    def query(
        self, sql: str, relations: Mapping[str, Relation]
    ) -> Generator[pa.RecordBatch]:
        statements = {name: relation.handle for name, relation in relations.items()}
        names = " and ".join(dict.fromkeys(each.name for each in relations.values()))
        with translate_errors(names, self._limit):
            result = self._run(sql, statements)
            # A result that is not read to its end would block the connection.
            with self._watch() as stop, result.to_arrow_reader(_BATCH_ROWS) as rows:
                for batch in rows:
                    stop()
                    yield batch
            self._free_memory()

    def count_groups(
        self,
        sql: str,
        relations: Mapping[str, Relation],
        count: Count,
        *,
        together: Sequence[str],
    ) -> Generator[pa.RecordBatch]:
        ordered = f"select * from ({sql}) order by {', '.join(together)}"
        with closing(self.query(ordered, relations)) as rows:
            yield from count(rows)

    def watch(self, progress: Progress | None) -> None:
        """Report the progress of a statement until counting reports its own."""
        self._progress = progress

    @contextmanager
    def _watch(self) -> Iterator[Callable[[], None]]:
        """Report the progress of a statement, until the yielded function is called."""
        done = Event()
        progress, connection = self._progress, self._connection
        if progress is None or connection is None or self._given is not None:
            yield done.set
            return

        def look() -> None:
            while not done.wait(_LOOK_S):
                progress(max(int(connection.query_progress()), 0), 100)

        watcher = Thread(target=look, daemon=True)
        watcher.start()
        try:
            yield done.set
        finally:
            done.set()
            watcher.join()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._remove_folder is not None:
            self._remove_folder()

    @property
    def _duckdb(self) -> Any:
        try:
            import duckdb
        except ImportError as error:
            message = "this needs DuckDB, which is not installed"
            hint = 'install it with pip install "corefkit[duckdb]"'
            raise SettingsError(
                message, code="environment/missing-package", hint=hint
            ) from error
        return duckdb

    @property
    def _limit(self) -> str:
        if isinstance(self.memory, int):
            return f"{self.memory:,} bytes"
        return self.memory or "its memory limit"

    @property
    def _memory_bytes(self) -> int:
        return int(_MEMORY_SHARE * parse_memory_size(self.memory or 0))

    def _free_memory(self) -> None:
        """Release the memory that DuckDB caches after a statement."""
        if self._memory_bytes and self._given is None:
            with suppress(self._duckdb.Error):
                self._connection.execute(f"set memory_limit = '{_SMALL_MEMORY}B'")
            self._connection.execute(f"set memory_limit = '{self._memory_bytes}B'")

    def _run(self, sql: str, statements: Mapping[str, Statement] | None = None) -> Any:
        """Run a statement that names others in braces."""
        values, inner = {}, {}
        for name, (statement, value) in (statements or {}).items():
            values[name], inner[name] = value, f"({statement.replace(_OBJECT, name)})"
        sql = sql.format(**inner) if inner else sql
        if self._given is None:
            return _run_with_objects(self._connect().sql, sql, **values)
        return _run_with_objects(partial(self._given.query, "corefkit"), sql, **values)

    def _connect(self) -> Any:
        if self._connection is None:
            folder = self.temp_directory
            if folder is None:
                folder = mkdtemp(prefix="corefkit-")
                # It is removed even if nothing closes the engine.
                self._remove_folder = finalize(self, rmtree, folder, ignore_errors=True)
            limits = {"temp_directory": os.fspath(folder)}
            if self._memory_bytes:
                limits["memory_limit"] = f"{self._memory_bytes}B"
            try:
                self._connection = self._duckdb.connect(config=limits)
                # Progress is only computed with a progress bar, which is not printed.
                self._connection.execute("set enable_progress_bar = true")
                self._connection.execute("set enable_progress_bar_print = false")
            except self._duckdb.Error as error:
                message = f"DuckDB does not start: {get_first_line(error)}"
                raise SettingsError(message, code="engine/failed") from error
        return self._connection


def _run_with_objects(  # DuckDB finds objects by the names of variables
    run: Callable[[str], Any],
    sql: str,
    *,
    rows: Any = None,  # noqa: ARG001
    key_rows: Any = None,  # noqa: ARG001
    response_rows: Any = None,  # noqa: ARG001
    key_documents: Any = None,  # noqa: ARG001
    response_documents: Any = None,  # noqa: ARG001
) -> Any:
    return run(sql)


def _make_relation(
    name: str,
    statement: Statement,
    rows: Any,
    where: Callable[[int], str] | None = None,
) -> Relation:
    types = dict(zip(rows.columns, map(str, rows.types), strict=True))
    if where is not None:
        del types[_PLACE]
    plain = f"select {_replace_nan(types)} from ({statement.sql})"
    kinds = {column: _get_kind(type_name) for column, type_name in types.items()}
    return Relation(name, kinds, statement._replace(sql=plain), where)


def _get_kind(type_name: str) -> str:
    return TEXT if type_name.startswith("ENUM") else _KINDS.get(type_name, OTHER)


def _replace_nan(types: Mapping[str, str]) -> str:
    """Select all columns, with NaN as null, and -0.0 as 0.0."""
    floats = [name for name, kind in types.items() if kind in ("FLOAT", "DOUBLE")]
    parts = [
        # As text: DuckDB may assume that a column in Parquet has no NaN.
        f"case when {name}::varchar = 'nan' then null else {name} + 0 end as {name}"
        for name in map(_quote_name, floats)
    ]
    return f"* replace ({', '.join(parts)})" if parts else "*"


def _quote_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _check_names(names: Sequence[str], place: str) -> None:
    """Raise an error for duplicate column names: DuckDB would rename one of them."""
    fault = describe_column_fault(names)
    if fault is not None:
        hint = "rename the columns of the table"
        raise FormatError(fault, code="input/invalid-columns", place=place, hint=hint)


def select_files(
    files: Sequence[str], fetch: Callable[[str], list[tuple[Any, ...]]]
) -> tuple[str, bool]:
    """Return SQL that reads files as one table, and whether it contains row numbers.

    A column may be in some of the files only, and parts of paths such as `document=7`
    are not columns. Incompatible types of a column are an error: DuckDB would convert
    all to one type, and might round numbers.
    """
    # A name that is a file is not a glob.
    paths = [file if "://" in file else glob.escape(file) for file in files]
    listed = ", ".join("'" + path.replace("'", "''") + "'" for path in paths)
    types: dict[str, dict[str, str]] = {}
    for file, columns in _list_columns(fetch, listed).items():
        _check_names([name for name, _ in columns], file)
        for name, type_name in columns:
            types.setdefault(name.strip().lower(), {}).setdefault(type_name, file)
    for name, type_files in types.items():
        _check_types(name, type_files)
    options = "union_by_name = true, hive_partitioning = false"
    return f"read_parquet([{listed}], {options})", not _GENERATED & types.keys()


def _list_columns(
    fetch: Callable[[str], list[tuple[Any, ...]]], listed: str
) -> dict[str, list[tuple[str, str]]]:
    """List the names and types of the columns of each file, without nested columns."""
    rows = fetch(
        "select file_name, name, duckdb_type, coalesce(num_children, 0) "
        f"from parquet_schema([{listed}]) order by file_name, column_id"
    )
    columns: dict[str, list[tuple[str, str]]] = {}
    nested = 0  # how many of the next rows are parts of a column
    for file, name, type_name, children in rows:
        if file not in columns:  # the first row is the root of the schema
            columns[file], nested = [], 0
        elif nested:
            nested += children - 1
        else:
            columns[file].append((name, type_name))
            nested = children
    return columns


def _check_types(name: str, type_files: Mapping[str, str]) -> None:
    """Raise an error for a column with incompatible types: {type: file}."""
    types = [type_name for type_name in type_files if type_name != _NULL]
    role = _SPELLINGS.get(name)
    kinds = {
        INTEGER if role in _TOKENS and type_name == "DOUBLE" else _get_kind(type_name)
        for type_name in types
    }
    if role is None or len(types) < 2 or OTHER not in kinds:
        return
    first, second = types[:2]
    message = f"column {quoted(name)} is {second}, and {first} in {type_files[first]}"
    hint = "give the column the same type in all files"
    raise FormatError(
        message, code="engine/unsupported-column", place=type_files[second], hint=hint
    )
