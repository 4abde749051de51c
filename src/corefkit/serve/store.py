"""Runs in an SQLite file.

A run is one transaction, which is on disk before the client is informed: a run that is
reported as done survives `kill -9` and a power failure.

A run keeps its files compressed, each file once, because comparing with an earlier run
needs the responses; its page, so that the run shows the same bytes in a later version;
and its scores with the counts of each document, as `corefkit score --format json
--per-document` prints them. Leaderboards are made from these without scoring again.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from corefkit.exceptions import CorefkitError
from corefkit.settings import VERSION


class StoredResponse(NamedTuple):
    """A response of a run with its scores, or with the reason for its rejection."""

    file: str  # SHA-256 of the content, in hexadecimal digits
    name: str  # display name, never part of a path
    corpus: str = ""  # see `jobs.identify_corpus`
    scores: str = ""  # as `corefkit score --format json` prints them
    reason: str = ""


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run without its page."""

    key_file: str  # SHA-256
    key_name: str  # display name
    responses: tuple[StoredResponse, ...]
    settings: Mapping[str, str] = field(default_factory=dict)
    name: str = ""
    notes: str = ""
    owner: str = ""  # the holder of a submit-only token; empty for the server's owner
    corpus: str = ""  # see `jobs.identify_corpus`
    size: str = ""  # of the key, as in `1 document, 1,200 words`
    number: int = 0  # 0 before it is stored
    made: str = ""  # ISO time in UTC
    version: str = VERSION  # of corefkit

    @property
    def title(self) -> str:
        return self.name or f"Run {self.number}"


_APPLICATION_ID = 0x636F7265  # "core": marks the SQLite files of corefkit
_SCHEMA_VERSION = 3
_SCHEMA = f"""
PRAGMA application_id = {_APPLICATION_ID};
CREATE TABLE file (hash TEXT PRIMARY KEY, packed BLOB NOT NULL);
CREATE TABLE run (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    made TEXT NOT NULL,
    version TEXT NOT NULL,
    name TEXT NOT NULL,
    notes TEXT NOT NULL,
    owner TEXT NOT NULL,
    key_file TEXT NOT NULL,
    key_name TEXT NOT NULL,
    settings TEXT NOT NULL,
    corpus TEXT NOT NULL,
    size TEXT NOT NULL,
    responses TEXT NOT NULL,
    scores BLOB NOT NULL,
    report BLOB NOT NULL
);
CREATE INDEX run_by_corpus ON run (corpus);
CREATE TABLE run_file (
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    file TEXT NOT NULL REFERENCES file
);
CREATE INDEX run_by_file ON run_file (file);
CREATE TABLE secret (value TEXT NOT NULL);
"""
_BUSY_TIMEOUT_S = 30
_COLUMNS = ", ".join(column.name for column in fields(StoredRun))


class Store:
    """The runs of one SQLite file, which is created if it does not exist."""

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.parent.is_dir():
            message = f"there is no folder {str(path.parent)!r}"
            raise self._make_error(message)
        with self._connect() as connection:
            self._prepare(connection)

    @contextmanager
    def _connect(self) -> Iterator[sqlite3.Connection]:
        """Open a connection for one transaction; threads do not share connections."""
        try:
            with (
                closing(sqlite3.connect(self.path, timeout=_BUSY_TIMEOUT_S)) as opened,
                opened as connection,
            ):
                connection.row_factory = sqlite3.Row
                connection.execute("PRAGMA synchronous = EXTRA")
                connection.execute("PRAGMA foreign_keys = ON")
                # Overwriting removed runs with zeros needs as much space as they have.
                connection.execute("PRAGMA secure_delete = OFF")
                yield connection
        except sqlite3.Error as error:
            message = f"cannot be used as a file of runs: {error}"
            raise self._make_error(message) from error

    def _make_error(self, message: str, hint: str | None = None) -> CorefkitError:
        place = str(self.path)
        return CorefkitError(
            message, code="environment/database", place=place, hint=hint
        )

    def _prepare(self, connection: sqlite3.Connection) -> None:
        """Create the tables; reject files of other programs and versions."""
        schema = ""
        if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            # The file shrinks when runs are removed.
            connection.execute("PRAGMA auto_vacuum = FULL")
            schema = _SCHEMA
        elif _read_pragma(connection, "application_id") != _APPLICATION_ID:
            message = "is an SQLite file of another program"
            raise self._make_error(message, "name another file")
        elif _read_pragma(connection, "user_version") != _SCHEMA_VERSION:
            message = "was written by another version of corefkit"
            raise self._make_error(message)
        # Written even without changes: a read-only file fails now, not after scoring.
        connection.executescript(
            f"BEGIN IMMEDIATE; PRAGMA user_version = {_SCHEMA_VERSION}; {schema} COMMIT"
        )

    def add_run(
        self, run: StoredRun, files: Mapping[str, Path], *, scores: bytes, report: bytes
    ) -> int:
        """Store a run and return its number; `files` are found by their hashes."""
        packed = {
            hash: zlib.compress(path.read_bytes()) for hash, path in files.items()
        }
        values = asdict(run)
        del values["number"]
        values |= {
            "made": datetime.now(UTC).isoformat(timespec="seconds"),
            "settings": json.dumps(dict(run.settings), sort_keys=True),
            "responses": json.dumps(run.responses),
            "scores": zlib.compress(scores),
            "report": zlib.compress(report),
        }
        names, places = ", ".join(values), ", ".join("?" * len(values))
        with self._connect() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO file VALUES (?, ?)", packed.items()
            )
            number = connection.execute(
                f"INSERT INTO run ({names}) VALUES ({places})", (*values.values(),)
            ).lastrowid
            assert number is not None
            connection.executemany(
                "INSERT INTO run_file VALUES (?, ?)", [(number, hash) for hash in files]
            )
        return number

    def remove_run(self, number: int) -> bool:
        """Remove a run and files without another run; False if it does not exist."""
        with self._connect() as connection:
            cursor = connection.execute("DELETE FROM run WHERE number = ?", (number,))
            connection.execute(
                "DELETE FROM file WHERE hash NOT IN (SELECT file FROM run_file)"
            )
            return cursor.rowcount > 0

    def read_file(self, hash: str) -> bytes | None:
        return self._decompress("SELECT packed FROM file WHERE hash = ?", hash)

    def read_report(self, number: int) -> bytes | None:
        return self._decompress("SELECT report FROM run WHERE number = ?", number)

    def read_scores(self, number: int) -> bytes | None:
        return self._decompress("SELECT scores FROM run WHERE number = ?", number)

    def _decompress(self, query: str, value: str | int) -> bytes | None:
        with self._connect() as connection:
            row = connection.execute(query, (value,)).fetchone()
        return None if row is None else zlib.decompress(row[0])

    def find_run(self, number: int) -> StoredRun | None:
        return next(iter(self._select_runs("WHERE number = ?", number)), None)

    def list_runs(
        self, *, owner: str = "", before: int | None = None, limit: int = 100
    ) -> list[StoredRun]:
        """List runs, the latest first, optionally of one owner or before a number."""
        return self._select_runs(
            "WHERE ? IN ('', owner) AND number < coalesce(?, number + 1) "
            "ORDER BY number DESC LIMIT ?",
            *(owner, before, limit),
        )

    def list_corpus_runs(self, corpus: str) -> list[StoredRun]:
        return self._select_runs("WHERE corpus = ? ORDER BY number DESC", corpus)

    def list_corpora(self) -> list[tuple[int, StoredRun]]:
        """Return the number of runs and the latest run of each corpus."""
        query = "SELECT corpus, count(*) FROM run GROUP BY corpus"
        with self._connect() as connection:
            counts = dict(connection.execute(query).fetchall())
        latest = self._select_runs(
            "WHERE number IN (SELECT max(number) FROM run GROUP BY corpus) "
            "ORDER BY number DESC"
        )
        return [(counts.get(run.corpus, 1), run) for run in latest]

    def _select_runs(
        self, condition: str, *values: str | int | None
    ) -> list[StoredRun]:
        with self._connect() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM run {condition}", values
            ).fetchall()
        runs = []
        for row in map(dict, rows):
            responses = map(StoredResponse._make, json.loads(row["responses"]))
            settings = json.loads(row["settings"])
            row |= {"responses": tuple(responses), "settings": settings}
            runs.append(StoredRun(**row))
        return runs

    def size(self) -> int:
        """Return the number of bytes in use."""
        with self._connect() as connection:
            pages, free, page_size = (
                _read_pragma(connection, name)
                for name in ("page_count", "freelist_count", "page_size")
            )
        return (pages - free) * page_size

    def secret(self) -> str:
        """Return the secret of this file, from which submit-only tokens are derived."""
        with self._connect() as connection:
            connection.execute(
                "INSERT INTO secret SELECT ? WHERE NOT EXISTS (SELECT * FROM secret)",
                (secrets.token_hex(32),),
            )
            value: str = connection.execute("SELECT value FROM secret").fetchone()[0]
            return value


def _read_pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])
