"""Spark as an engine: classic data frames, those of Spark Connect, and Parquet.

One shuffle groups rows by document. Python processes of the workers count them and
return serialized blocks of counts, so no row becomes a Python object.
"""

from __future__ import annotations

import errno
import os
import re
import sys
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote, urlsplit

from corefkit.engines import (
    BLOCK,
    INTEGER,
    OTHER,
    PLACE,
    TEXT,
    Engine,
    Relation,
    parse_memory_size,
)
from corefkit.engines.table_scoring import FileRows
from corefkit.exceptions import CorefkitError, FormatError, SettingsError
from corefkit.formats.frames import import_pyarrow
from corefkit.settings import VERSION
from corefkit.strings import escape_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pyarrow

    from corefkit.engines import Batches, Count

OLDEST = (4, 0)
LOCAL = {
    # A task that fails is repeated up to three times, as on a cluster.
    "spark.master": "local[*,4]",
    "spark.app.name": "corefkit",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
    # A session on one machine is not reachable from others.
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.extraJavaOptions": "-XX:+UseParallelGC",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "100000",
}
# Variables with which a user configures Spark.
_CONFIGURATION = (
    "SPARK_REMOTE",
    "SPARK_CONF_DIR",
    "PYSPARK_GATEWAY_PORT",
    "PYSPARK_SUBMIT_ARGS",
    "MASTER",
)
_MIN_MEMORY_MB = 512  # with which Spark starts
_MAX_TEXT = 300  # characters of Spark's text in a message

_INTEGERS = ("byte", "short", "integer", "long")
_FLOATS = ("float", "double")
_METADATA = "_metadata"  # Spark's column about files; a column of that name hides it
_FILE, _ROW, _NUMBER = "corefkit_file", "corefkit_row", "corefkit_number"

# Known failures: the code, a pattern of the text, message and hint. The first counts.
_FAILURES = (
    (
        "engine/other-version",
        r"OtherVersion: (.*)",
        "the workers of Spark have another corefkit: {}",
        "install the same version in both places",
    ),
    (
        "engine/missing-package",
        r"No module named '(\w+)",
        "the workers of Spark lack {}",
        'install corefkit there with pip install "corefkit[spark]", or let the '
        "variable PYSPARK_PYTHON name a Python that has it",
    ),
    (
        "engine/unreadable",
        r"UNABLE_TO_INFER_SCHEMA|is not a Parquet file|CANNOT_READ_FILE_FOOTER|"
        r"Could not read footer",
        "found no complete Parquet file",
        "give a Parquet file, a folder of them, or a glob",
    ),
    (
        "engine/unsupported-column",
        r"CANNOT_MERGE_SCHEMA",
        "the files have columns of the same name and of different types",
        "give each column the same type in all files",
    ),
    (
        "engine/too-large",
        r"maxResultSize",
        "the counts are larger than what Spark lets a program receive",
        "set spark.driver.maxResultSize higher",
    ),
    (
        "engine/out-of-memory",
        r"OutOfMemoryError|Java heap space|UNABLE_TO_ACQUIRE_MEMORY",
        "the memory of Spark is not enough",
        "give more, by --memory or Spark's own settings; or take more partitions, by "
        "spark.sql.shuffle.partitions",
    ),
)


@contextmanager
def translate_errors(place: str | None = None) -> Iterator[None]:
    """Raise exceptions of Spark as a `CorefkitError`."""
    kinds: tuple[Any, ...] = (
        import_module("pyspark.errors").PySparkException,
        ConnectionError,
    )
    if find_spec("py4j"):  # which a client of Spark Connect may lack
        kinds = *kinds, import_module("py4j.protocol").Py4JError
    try:
        with _ignore_pandas():
            yield
    except kinds as error:
        if place is not None and "PATH_NOT_FOUND" in str(error):
            no_file = os.strerror(errno.ENOENT)
            raise FileNotFoundError(errno.ENOENT, no_file, place) from error
        raise translate_error(error, place) from error


@contextmanager
def _ignore_pandas() -> Iterator[None]:
    """Ignore Spark's warnings about the version of pandas, which is not used here."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="PySpark does not yet fully support")
        yield


def translate_error(error: Exception, place: str | None = None) -> CorefkitError:
    """Convert an exception of Spark to a `CorefkitError`."""
    text = str(error)
    kind = CorefkitError if place is None else FormatError
    for code, sign, message, hint in _FAILURES:
        match = re.search(sign, text)
        if match:
            parts = map(escape_terminal, match.groups()[:1])
            return kind(message.format(*parts), code=code, place=place, hint=hint)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    lines = lines or ["no reason"]
    # The exception that a worker raised, or the first line.
    raised = [line for line in lines if re.match(r"[\w.]+(Error|Exception)\b", line)]
    if raised and any("Traceback" in line for line in lines):
        lines = raised[-1:]
    reason = escape_terminal(lines[0][:_MAX_TEXT])
    message = f"Spark failed, and no score was made: {reason}"
    return kind(message, code="engine/failed", place=place)


class OtherVersion(Exception):
    """A worker has another version of corefkit than the calling process."""


@dataclass(frozen=True, slots=True)
class WorkerCount:
    """Count the rows of a partition on a worker with the same version of corefkit."""

    count: Count
    version: str = VERSION

    def __call__(self, batches: Batches) -> Batches:
        if self.version != VERSION:
            # Another version may count differently, which would not be noticed.
            message = f"{VERSION} on a worker, {self.version} in this process"
            raise OtherVersion(message)
        return self.count(batches)


class SparkTable(NamedTuple):
    """A data frame, and the same frame with the places of rows, if they have any."""

    frame: Any
    placed: Any = None


class Spark(Engine):
    """Spark, with the session of its frames, of the environment, or its own session.

    Args:
        memory: the limit of memory of its own session, in bytes or as in `4GB`.
        temp_directory: the folder for data of such a session that does not fit into
            memory.
        partitions: the number of partitions in which documents are counted; by default
            that of the configuration of Spark, or fewer if they are small.
    """

    name = "spark"

    def __init__(
        self,
        *,
        memory: str | int | None = None,
        temp_directory: str | os.PathLike[str] | None = None,
        partitions: int | None = None,
    ) -> None:
        self._memory, self._folder = memory, temp_directory
        self._partitions = partitions
        self._session: Any = None
        self._owns_session = False

    def open(self, side: object, role: str) -> Relation:
        if is_frame(side):
            if type(side).__module__.startswith("pyspark.pandas."):
                side = side.to_spark()  # type: ignore[attr-defined]
            frame: Any = side
            session = self._open_session(frame)
            if frame.sparkSession is not session:
                message = "key and response belong to two sessions of Spark"
                hint = "make both data frames with one session"
                raise SettingsError(message, code="engine/other-session", hint=hint)
            return _make_relation(frame, role)
        if not isinstance(side, str | os.PathLike):
            message = f"found {type(side).__name__}, expected a table that Spark reads"
            hint = "give a data frame of Spark, or a path or glob of Parquet files"
            code = "engine/unsupported-input"
            raise FormatError(message, code=code, place=role, hint=hint)
        return _open_files(self._open_session(), os.fspath(side))

    def _open_session(self, frame: Any = None) -> Any:
        if self._session is None:
            with _ignore_pandas():
                self._session, self._owns_session = find_session(
                    frame, memory=self._memory, temp_directory=self._folder
                )
        return self._session

    def project(self, relation: Relation, columns: Mapping[str, str]) -> Relation:
        kinds = {new: relation.columns[old] for new, old in columns.items()}
        frame, placed = relation.handle
        with translate_errors(relation.name):
            types = {field.name: field.dataType.typeName() for field in frame.schema}
            parts = [
                _cast_column(old, types[old], kinds[new], new)
                for new, old in columns.items()
            ]
            if placed is not None:
                placed = placed.selectExpr(*parts, PLACE)
            handle = SparkTable(frame.selectExpr(*parts), placed)
        return replace(relation, columns=kinds, handle=handle)

    def hold(self, table: pyarrow.Table, name: str) -> Relation:
        rows = table.combine_chunks()  # Spark stops reading at a chunk without rows
        with translate_errors(name):
            return _make_relation(self._open_session().createDataFrame(rows), name)

    def query(self, sql: str, relations: Mapping[str, Relation]) -> Batches:
        with translate_errors():
            frame = self._make_frame(sql, relations)
            return iter(frame.toArrow().to_batches())

    def count_groups(
        self,
        sql: str,
        relations: Mapping[str, Relation],
        count: Count,
        *,
        together: Sequence[str],
    ) -> Batches:
        with translate_errors():
            frame = self._make_frame(sql, relations)
            parts = [] if self._partitions is None else [self._partitions]
            gathered = frame.repartition(*parts, together[0])
            ordered = gathered.sortWithinPartitions(*together)
            counted = ordered.mapInArrow(WorkerCount(count), f"{BLOCK} binary")
            return iter(counted.toArrow().to_batches())

    def _make_frame(self, sql: str, relations: Mapping[str, Relation]) -> Any:
        """Make the frame of a statement; places are computed only if it uses them."""
        frames = {}
        for name, relation in relations.items():
            frame, placed = relation.handle
            frames[name] = placed if placed is not None and PLACE in sql else frame
        return self._open_session().sql(sql, **frames)

    def close(self) -> None:
        if self._owns_session:
            self._session.stop()
        self._session, self._owns_session = None, False


def is_frame(value: object) -> bool:
    """Return whether a value is a data frame of Spark, without importing Spark."""
    return any(
        kind.__name__ == "DataFrame" and kind.__module__.startswith("pyspark.")
        for kind in type(value).__mro__
    )


def find_session(
    frame: Any = None,
    *,
    memory: str | int | None = None,
    temp_directory: str | os.PathLike[str] | None = None,
) -> tuple[Any, bool]:
    """Return a session, and whether it is new.

    It is that of the frame, the active one, that of the environment, or a local one.
    """
    try:
        pyspark = import_module("pyspark")
    except ImportError as error:
        message = "this needs pyspark, which is not installed"
        hint = (
            'install it with pip install "corefkit[spark]"; it needs Java 17 or newer'
        )
        code = "environment/missing-package"
        raise CorefkitError(message, code=code, hint=hint) from error
    check_version(pyspark.__version__)
    factory = import_module("pyspark.sql").SparkSession
    session = factory.getActiveSession() if frame is None else frame.sparkSession
    is_local = session is None and not any(map(os.environ.get, _CONFIGURATION))
    if not is_local and (memory is not None or temp_directory is not None):
        message = "memory and temporary folder belong to a session that is made here"
        hint = (
            "this session exists: set spark-submit --driver-memory and spark.local.dir"
        )
        raise SettingsError(message, code="settings/conflict", hint=hint)
    is_made = session is None
    if session is None:
        builder = factory.builder
        if is_local:
            # Workers run this Python, which has corefkit, and not any other.
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
            options = dict(LOCAL)
            if memory is not None:
                options["spark.driver.memory"] = f"{parse_megabytes(memory)}m"
            if temp_directory is not None:
                options["spark.local.dir"] = os.fspath(temp_directory)
            builder = builder.config(map=options)
        try:
            with _discard_stderr(is_local):
                session = builder.getOrCreate()
        except Exception as error:
            reason = escape_terminal(str(error).partition("\n")[0])
            message, code = f"Spark could not be started: {reason}", "engine/failed"
            hint = "it requires Java 17 or newer: check that java -version runs"
            raise CorefkitError(message, code=code, hint=hint) from error
    check_version(session.version)
    return session, is_made


@contextmanager
def _discard_stderr(is_on: bool) -> Iterator[None]:
    """Discard the output of Java on standard error, also of later calls."""
    saved, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        if is_on:
            os.dup2(nothing, 2)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
        os.close(nothing)


def check_version(version: str) -> None:
    """Raise an error for a version of Spark that is not supported."""
    numbers = tuple(int(part) for part in version.split(".")[:2])
    if numbers < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        message = f"found Spark {version}, expected {oldest} or newer"
        raise CorefkitError(message, code="environment/old-package")


def parse_megabytes(memory: str | int) -> int:
    """Parse an amount of memory, and return it in Java's megabytes of 2 ** 20 bytes.

    >>> parse_megabytes("4GB"), parse_megabytes("1.5 GiB"), parse_megabytes(800 << 20)
    (3814, 1536, 800)
    """
    size = parse_memory_size(memory) >> 20
    if size < _MIN_MEMORY_MB:
        required = f"Spark requires at least {_MIN_MEMORY_MB} MiB"
        message = f"memory is {size} MiB, and {required}"
        raise SettingsError(message, code="settings/invalid-value")
    return size


def _make_relation(frame: Any, name: str) -> Relation:
    with translate_errors(name):
        fields = list(frame.schema)
    kinds = {field.name: _get_kind(field.dataType.typeName()) for field in fields}
    return Relation(name, kinds, SparkTable(frame))


def _get_kind(name: str) -> str:
    if name in _INTEGERS:
        return INTEGER
    return TEXT if name.partition("(")[0] in ("string", "varchar", "char") else OTHER


def _cast_column(name: str, type_name: str, kind: str, new: str) -> str:
    """Cast a column to a number of 64 bits, or to text that is compared by its bytes.

    Spark has strings that ignore case: these are cast as well. Of other numbers, NaN
    is missing, and -0.0 is 0.0.

    >>> _cast_column("a`b", "short", "integer", "entity")
    'cast(`a``b` as bigint) as entity'
    """
    column = "`" + name.replace("`", "``") + "`"
    types = {INTEGER: "bigint", TEXT: "string"}
    value = f"cast({column} as {types[kind]})" if kind in types else column
    if type_name in _FLOATS:
        value = f"nullif({column}, {type_name}('NaN')) + 0"
    return f"{value} as {new}"


def _open_files(session: Any, name: str) -> Relation:
    """Make a relation of Parquet files, whose rows are in the order of their names.

    In a folder, files lie at any depth, and a column may be in some of them only. Parts
    of paths such as `document=7` are ignored: Spark would guess their types, and
    convert `07` and `7` to one document.
    """
    with translate_errors(name):
        # Without it, Spark takes the columns of one file for those of all.
        reader = session.read.option("mergeSchema", "true")
        reader = reader.option("recursiveFileLookup", "true")
        if Path(name).is_dir():
            reader = reader.option("pathGlobFilter", "*.parquet")
        frame = reader.parquet(name)
        relation = _make_relation(frame, name)
        columns = {column.lower() for column in frame.columns}
        if columns & {_METADATA, _FILE, _ROW, _NUMBER, PLACE}:
            return relation
        files = {_format_path(file, name): file for file in frame.inputFiles()}
        names = sorted(files)
        placed = _number_rows(session, frame, [files[each] for each in names])
    handle = SparkTable(frame, placed)
    return replace(relation, handle=handle, where=FileRows(tuple(names)))


def _number_rows(session: Any, frame: Any, files: Sequence[str]) -> Any:
    if len(files) == 1:
        return frame.selectExpr("*", f"{_METADATA}.row_index as {PLACE}")
    numbers = {
        spelling: number
        for number, file in enumerate(files)
        # Spark spells addresses of this machine in two ways.
        for spelling in (file, file.replace("file:///", "file:/"))
    }
    columns = {_FILE: list(numbers), _NUMBER: list(numbers.values())}
    numbered = session.createDataFrame(import_pyarrow("files").table(columns))
    rows = frame.selectExpr(
        "*", f"{_METADATA}.file_path as {_FILE}", f"{_METADATA}.row_index as {_ROW}"
    )
    unknown = f"raise_error(concat('no such file: ', {_FILE}))"
    number = f"coalesce({_NUMBER}, cast({unknown} as bigint))"
    place = f"{number} * {FileRows.rows} + {_ROW} as {PLACE}"
    return rows.join(numbered, _FILE, "left").selectExpr("*", place)


def _format_path(file: str, name: str) -> str:
    """Format the address of a file in the same way as the path `name`.

    >>> _format_path("file:///data/a%20b.parquet", "/data")
    '/data/a b.parquet'
    >>> _format_path("hdfs://host/a.parquet", "hdfs://host/*")
    'hdfs://host/a.parquet'
    """
    address = urlsplit(file)
    if address.scheme != "file":
        return file
    path = unquote(address.path)
    return path if Path(name).is_absolute() else os.path.relpath(path)
