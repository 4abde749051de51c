"""The tables of a file of runs, and how to tell such a file from others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.exceptions import CorefkitError

if TYPE_CHECKING:
    import sqlite3

_MARK = 0x636F7265  # "core": how SQLite tells our files from others'
_SCHEMA_VERSION = 1
_SCHEMA = """
CREATE TABLE file (
    hash TEXT PRIMARY KEY,
    packed BLOB NOT NULL
);
CREATE TABLE run (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    made TEXT NOT NULL,
    version TEXT NOT NULL,
    key_file TEXT NOT NULL REFERENCES file,
    key_name TEXT NOT NULL,
    settings TEXT NOT NULL,
    corpus TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    signature TEXT NOT NULL,
    scores BLOB NOT NULL,
    report BLOB NOT NULL
);
CREATE TABLE response (
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    place INTEGER NOT NULL,
    file TEXT NOT NULL REFERENCES file,
    name TEXT NOT NULL,
    corpus TEXT NOT NULL,
    scores TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (run, place)
);
CREATE INDEX run_by_corpus ON run (corpus);
CREATE INDEX run_by_file ON run (key_file);
CREATE INDEX response_by_file ON response (file);
"""


def prepare(connection: sqlite3.Connection, place: str) -> None:
    """Make the tables where there are none; refuse files that are not ours.

    >>> import sqlite3
    >>> other = sqlite3.connect(":memory:")
    >>> _ = other.execute("CREATE TABLE recipe (name TEXT)")
    >>> prepare(other, "kitchen.sqlite")
    Traceback (most recent call last):
    corefkit.exceptions.CorefkitError: kitchen.sqlite: is an SQLite file of another \
program
    <BLANKLINE>
    hint: name another file
    """
    mark, version = (
        connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("application_id", "user_version")
    )
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if tables and mark != _MARK:
        message = "is an SQLite file of another program"
        raise CorefkitError(
            message, code="environment/database", place=place, hint="name another file"
        )
    if version > _SCHEMA_VERSION:
        message = "was written by a later version of corefkit"
        raise CorefkitError(message, code="environment/database", place=place)
    if not tables:  # so that the file gets smaller where runs are removed
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("PRAGMA journal_mode = WAL")
    if tables:  # a file that cannot be written is refused now, not after scoring
        connection.executescript(
            f"BEGIN IMMEDIATE; PRAGMA user_version = {version}; ROLLBACK;"
        )
    else:
        connection.executescript(
            f"BEGIN IMMEDIATE; PRAGMA application_id = {_MARK}; "
            f"PRAGMA user_version = {_SCHEMA_VERSION}; {_SCHEMA} COMMIT;"
        )
