"""Tables as Spark has them: their columns, and where rows of Parquet files stand."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from corefkit.engines.base import INTEGER, OTHER, PLACE, TEXT, Relation
from corefkit.engines.files import FileRows
from corefkit.engines.spark.failures import telling
from corefkit.formats.tables.frames import pyarrow

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_INTEGERS = ("byte", "short", "integer", "long")
_FLOATS = ("float", "double")
_METADATA = "_metadata"  # where Spark tells of files; a column of that name hides it
_FILE, _ROW, _NUMBER = "corefkit_file", "corefkit_row", "corefkit_number"


@dataclass(frozen=True, slots=True)
class Table:
    """A data frame, and the same with the places of rows, where they have any."""

    frame: Any
    placed: Any = None

    def for_statement(self, sql: str) -> Any:
        """Return the data frame that a statement asks for; places cost something."""
        return self.frame if self.placed is None or PLACE not in sql else self.placed

    def take(self, columns: Mapping[str, tuple[str, str]]) -> Table:
        """Take some columns by new names: {new: (old, kind)}; and the places."""
        types = {field.name: field.dataType.typeName() for field in self.frame.schema}
        chosen = [
            _plain(old, types[old] if types[old] in _FLOATS else kind, new)
            for new, (old, kind) in columns.items()
        ]
        frame = self.frame.selectExpr(*chosen)
        if self.placed is None:
            return Table(frame)
        return Table(frame, self.placed.selectExpr(*chosen, PLACE))


def _plain(name: str, kind: str, new: str) -> str:
    """Word a column as a number of 64 bits, or as text that is compared by its bytes.

    Spark has strings that are alike in large and small letters: these are cast as well.
    Of other numbers, NaN is missing, and -0.0 is 0.0.

    >>> _plain("a`b", "integer", "entity")
    'cast(`a``b` as bigint) as entity'
    """
    column = "`" + name.replace("`", "``") + "`"
    types = {INTEGER: "bigint", TEXT: "string"}
    plain = f"cast({column} as {types[kind]})" if kind in types else column
    if kind in _FLOATS:
        plain = f"nullif({column}, {kind}('NaN')) + 0"
    return f"{plain} as {new}"


def relation_of(frame: Any, name: str) -> Relation:
    """Make a relation of a data frame, whose rows have no order."""
    with telling(name):
        fields = list(frame.schema)
    kinds = {field.name: _kind(field.dataType.typeName()) for field in fields}
    return Relation(name, kinds, Table(frame))


def _kind(name: str) -> str:
    """Tell the kind of a column from what Spark calls its type.

    >>> _kind("long"), _kind("string"), _kind("double")
    ('integer', 'text', 'other')
    """
    if name in _INTEGERS:
        return INTEGER
    return TEXT if name.partition("(")[0] in ("string", "varchar", "char") else OTHER


def relation_of_files(session: Any, name: str) -> Relation:
    """Make a relation of Parquet files; rows stand in the order of their names.

    In a folder, files lie at any depth, and a column may be in some of them only. Parts
    of paths such as `document=7` are no columns: Spark would guess their types, and
    take `07` and `7` for one document.
    """
    with telling(name):
        # Otherwise Spark takes the columns of one file for those of all.
        reader = session.read.option("mergeSchema", "true")
        reader = reader.option("recursiveFileLookup", "true")
        if Path(name).is_dir():
            reader = reader.option("pathGlobFilter", "*.parquet")
        frame = reader.parquet(name)
        relation = relation_of(frame, name)
        columns = {column.lower() for column in frame.columns}
        if columns & {_METADATA, _FILE, _ROW, _NUMBER, PLACE}:
            return relation
        files = {_path(file, name): file for file in frame.inputFiles()}
        names = sorted(files)
        placed = _placed(session, frame, [files[each] for each in names])
    return replace(relation, handle=Table(frame, placed), where=FileRows(tuple(names)))


def _placed(session: Any, frame: Any, files: Sequence[str]) -> Any:
    """Number the rows of files: those of a file follow one another."""
    if len(files) == 1:
        return frame.selectExpr("*", f"{_METADATA}.row_index as {PLACE}")
    numbers = {
        spelling: number
        for number, file in enumerate(files)
        # Spark spells addresses of this machine in two ways.
        for spelling in (file, file.replace("file:///", "file:/"))
    }
    columns = {_FILE: list(numbers), _NUMBER: list(numbers.values())}
    numbered = session.createDataFrame(pyarrow("files").table(columns))
    told = frame.selectExpr(
        "*", f"{_METADATA}.file_path as {_FILE}", f"{_METADATA}.row_index as {_ROW}"
    )
    unknown = f"raise_error(concat('no such file: ', {_FILE}))"
    number = f"coalesce({_NUMBER}, cast({unknown} as bigint))"
    place = f"{number} * {FileRows.rows} + {_ROW} as {PLACE}"
    return told.join(numbered, _FILE, "left").selectExpr("*", place)


def _path(file: str, name: str) -> str:
    """Write the address of a file as a user would, who wrote `name`.

    >>> _path("file:///data/a%20b.parquet", "/data")
    '/data/a b.parquet'
    >>> _path("hdfs://host/a.parquet", "hdfs://host/*")
    'hdfs://host/a.parquet'
    """
    address = urlsplit(file)
    if address.scheme != "file":
        return file
    path = unquote(address.path)
    return path if Path(name).is_absolute() else os.path.relpath(path)
