"""Tables as DuckDB has them: their columns, and Parquet files that make one table."""

from __future__ import annotations

import glob
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from corefkit.engines.base import INTEGER, OTHER, TEXT, Relation
from corefkit.exceptions import FormatError, quoted
from corefkit.formats.tables.tables import ROLES, column_fault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

OBJECT = "corefkit_object"
ROW_PLACE = "corefkit_place"  # until columns have names of our own
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT")
_KINDS = {**dict.fromkeys((*_WHOLE, "UINTEGER"), INTEGER), "VARCHAR": TEXT}
_NOTHING = '"NULL"'  # what DuckDB calls the type of a column without a value
_TOKENS = ("start", "end", "head")
_MEANT = {name: role for role, spellings in ROLES.items() for name in spellings}
_RENAME = "rename the columns of the table"
# Columns that DuckDB makes; a table's own columns of that name hide them.
_MADE = {"file_index", "file_row_number"}


@dataclass(frozen=True, slots=True)
class Table:
    """A statement that gives rows, and the object that it calls `OBJECT`."""

    sql: str
    value: Any = None

    def named(self, name: str) -> str:
        """Return the statement where the object has this name."""
        return self.sql.replace(OBJECT, name)


def relation_of(
    name: str, table: Table, found: Any, where: Callable[[int], str] | None = None
) -> Relation:
    """Make a relation of a table, whose rows DuckDB has `found`."""
    types = dict(zip(found.columns, map(str, found.types), strict=True))
    if where is not None:
        del types[ROW_PLACE]
    plain = Table(f"select {_without_nan(types)} from ({table.sql})", table.value)
    kinds = {column: _kind(kind) for column, kind in types.items()}
    return Relation(name, kinds, plain, where)


def _kind(type_name: str) -> str:
    """Tell the kind of a column from what DuckDB calls its type.

    >>> _kind("BIGINT"), _kind("ENUM('a', 'b')"), _kind("DOUBLE")
    ('integer', 'text', 'other')
    """
    return TEXT if type_name.startswith("ENUM") else _KINDS.get(type_name, OTHER)


def _without_nan(types: Mapping[str, str]) -> str:
    """Word the columns of a table, by their types; NaN is missing, and -0.0 is 0.0.

    >>> _without_nan({"entity": "BIGINT"})
    '*'
    """
    parts = [
        # As text: of a column in Parquet, DuckDB may take for granted that none is NaN.
        f"case when {quoted_name(name)}::varchar = 'nan' then null "
        f"else {quoted_name(name)} + 0 end as {quoted_name(name)}"
        for name, kind in types.items()
        if kind in ("FLOAT", "DOUBLE")
    ]
    return f"* replace ({', '.join(parts)})" if parts else "*"


def quoted_name(name: str) -> str:
    """Write the name of a column as SQL does."""
    return '"' + name.replace('"', '""') + '"'


def refuse_names(names: Sequence[str], place: str) -> None:
    """Refuse two columns of one name: DuckDB would give one of them another."""
    wrong = column_fault(names)
    if wrong is not None:
        raise FormatError(wrong, place=place, hint=_RENAME)


def files_statement(
    files: Sequence[str], fetched: Callable[[str], list[tuple[Any, ...]]]
) -> tuple[str, bool]:
    """Word what reads files as one table, and whether their rows have numbers.

    A column may be in some of the files only, and parts of paths such as `document=7`
    are no columns. Files whose columns have types that do not go together are refused:
    DuckDB would find one for all, and might round numbers.
    """
    # What is a file already is no glob.
    paths = [file if "://" in file else glob.escape(file) for file in files]
    listed = ", ".join("'" + path.replace("'", "''") + "'" for path in paths)
    types: dict[str, dict[str, str]] = {}
    for file, columns in _schemas(fetched, listed).items():
        refuse_names([name for name, _ in columns], file)
        for name, kind in columns:
            types.setdefault(name.strip().lower(), {}).setdefault(kind, file)
    for name, found in types.items():
        _check_types(name, found)
    options = "union_by_name = true, hive_partitioning = false"
    return f"read_parquet([{listed}], {options})", not _MADE & types.keys()


def _schemas(
    fetched: Callable[[str], list[tuple[Any, ...]]], listed: str
) -> dict[str, list[tuple[str, str]]]:
    """List the columns of each file, without those inside of others."""
    rows = fetched(
        "select file_name, name, duckdb_type, coalesce(num_children, 0) "
        f"from parquet_schema([{listed}]) order by file_name, column_id"
    )
    found: dict[str, list[tuple[str, str]]] = {}
    inside = 0  # how many of the next rows are parts of a column
    for file, name, kind, children in rows:
        if file not in found:  # the first row stands for the whole table
            found[file], inside = [], 0
        elif inside:
            inside += children - 1
        else:
            found[file].append((name, kind))
            inside = children
    return found


def _check_types(name: str, types: Mapping[str, str]) -> None:
    """Refuse what would not stay the same in a type for all files: {type: file}."""
    left = [kind for kind in types if kind != _NOTHING]
    role = _MEANT.get(name)
    kinds = {
        INTEGER if role in _TOKENS and kind == "DOUBLE" else _kind(kind)
        for kind in left
    }
    if role is None or len(left) < 2 or OTHER not in kinds:
        return
    first, second = left[:2]
    message = f"column {quoted(name)} is {second}, and {first} in {types[first]}"
    hint = "give the column the same type in all files"
    raise FormatError(message, place=types[second], hint=hint)
