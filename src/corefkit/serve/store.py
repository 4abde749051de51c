"""Runs in an SQLite file, the limits of a server, and the errors of requests.

A run is one transaction: its files, its scores, its page. The file is in WAL mode and
every transaction is on disk before the client is informed, so a run that is reported as
done survives `kill -9` and a power failure.

A run keeps its files compressed, each file once, because comparing with an earlier run
needs the responses; its page, so that the run shows the same bytes in a later version;
and its scores with the counts of each document, as `corefkit score --format json
--per-document` prints them. Leaderboards are made from these without scoring again.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
import zlib
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from corefkit.exceptions import CorefkitError, SettingsError
from corefkit.settings import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

_KIB, _MIB, _GIB = 1 << 10, 1 << 20, 1 << 30
_MAX_STORED_BYTES = 512 * _MIB  # SQLite keeps values of up to a gigabyte

_STATUS_CODES = {
    400: "request/invalid",
    403: "request/forbidden",
    404: "request/not-found",
    408: "request/timeout",
    413: "request/too-large",
    500: "request/defect",
    503: "request/busy",
    507: "request/no-space",
}


class RequestError(CorefkitError):
    """A request that the server rejects, with the HTTP status of the response."""

    def __init__(self, status: int, message: str, *, hint: str | None = None) -> None:
        super().__init__(message, code=_STATUS_CODES[status], hint=hint)
        self.status = status


def _default_workers() -> int:
    return max(1, min(4, (os.cpu_count() or 1) // 2))


@dataclass(frozen=True, slots=True)
class Limits:
    """Upper bounds for requests and runs.

    Attributes:
        file_bytes: the size of one file, as uploaded and after decompression.
        responses: the number of responses in a run.
        run_bytes: the size of all files of a run together.
        database_bytes: the size of all stored runs; above it, no run is added.
        upload_seconds: the time that uploading the files of a run may take.
        at_once: the number of runs that are scored at the same time.
        queue: the number of runs that wait.
        memory: the memory of one run, in bytes.
        seconds: the time of one run.
        name_length: the number of characters of a name.
        notes_length: the number of characters of the notes of a run.

    >>> Limits(file_bytes=5).run_bytes
    268435456
    >>> Limits(seconds=0)
    Traceback (most recent call last):
    corefkit.exceptions.SettingsError: the limit 'seconds' is 0, expected 1 or more
    """

    file_bytes: int = 64 * _MIB
    responses: int = 50
    run_bytes: int = 256 * _MIB
    database_bytes: int = 10 * _GIB
    upload_seconds: int = 120
    at_once: int = _default_workers()
    queue: int = 100
    memory: int = 2 * _GIB
    seconds: int = 300
    name_length: int = 200
    notes_length: int = 2000

    def __post_init__(self) -> None:
        """Check that every limit is positive and that files can be stored."""
        for limit in fields(self):
            value = getattr(self, limit.name)
            if value < 1:
                message = f"the limit {limit.name!r} is {value}, expected 1 or more"
                raise SettingsError(message, code="settings/invalid-value")
        if self.file_bytes > _MAX_STORED_BYTES:
            message = f"files of {format_size(self.file_bytes)} cannot be stored"
            raise SettingsError(
                message,
                code="settings/invalid-value",
                hint=f"at most {format_size(_MAX_STORED_BYTES)}",
            )


def format_size(size: int) -> str:
    """Format a number of bytes.

    >>> format_size(64 * 2**20), format_size(1500), format_size(12)
    ('64 MB', '1.5 KB', '12 bytes')
    """
    for unit, name in ((_GIB, "GB"), (_MIB, "MB"), (_KIB, "KB")):
        if size >= unit:
            return f"{size / unit:.1f}".removesuffix(".0") + f" {name}"
    return f"{size} bytes"


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file under its display name, which is never part of a path."""

    hash: str  # SHA-256 of the content, in hexadecimal digits
    name: str


@dataclass(frozen=True, slots=True)
class RunRequest:
    """Input of a run: a key, responses, settings.

    Attributes:
        key: the key.
        responses: one or more responses.
        settings: scoring settings, `preset` and `format` included.
        name: a name for the run, may be empty.
        notes: free text, may be empty.
        owner: the holder of the submit-only token that uploaded it; empty for the
            owner of the server.
    """

    key: StoredFile
    responses: tuple[StoredFile, ...]
    settings: Mapping[str, str] = field(default_factory=dict)
    name: str = ""
    notes: str = ""
    owner: str = ""

    @property
    def files(self) -> tuple[StoredFile, ...]:
        """The key, then the responses."""
        return (self.key, *self.responses)


@dataclass(frozen=True, slots=True)
class SystemScores:
    """The scores of one response in a run, or the reason for its rejection."""

    name: str
    corpus: str = ""  # see `jobs.identify_corpus`
    scores: str = ""  # as `corefkit score --format json` prints them
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RunOutput:
    """Output of the process that scores a run."""

    corpus: str
    fingerprint: Mapping[str, object]
    signature: str
    systems: tuple[SystemScores, ...]
    scores: bytes  # of all responses, as JSON
    report: bytes


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A stored run without its page."""

    number: int
    made: str  # ISO time in UTC
    version: str  # of corefkit
    request: RunRequest
    corpus: str
    fingerprint: Mapping[str, object]
    signature: str
    systems: tuple[SystemScores, ...]

    @property
    def title(self) -> str:
        """The name of the run, or its number."""
        return self.request.name or f"Run {self.number}"


_APPLICATION_ID = 0x636F7265  # "core": marks the SQLite files of corefkit
_SCHEMA_VERSION = 2
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
    report BLOB NOT NULL,
    name TEXT NOT NULL DEFAULT '',
    notes TEXT NOT NULL DEFAULT '',
    owner TEXT NOT NULL DEFAULT ''
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
CREATE TABLE secret (value TEXT NOT NULL);
CREATE INDEX run_by_corpus ON run (corpus);
CREATE INDEX run_by_file ON run (key_file);
CREATE INDEX response_by_file ON response (file);
"""
_UPGRADE_FROM_1 = """
ALTER TABLE run ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN notes TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN owner TEXT NOT NULL DEFAULT '';
CREATE TABLE secret (value TEXT NOT NULL);
"""


def prepare_database(connection: sqlite3.Connection, place: str) -> None:
    """Create or upgrade the tables; reject files of other programs.

    >>> import sqlite3
    >>> other = sqlite3.connect(":memory:")
    >>> _ = other.execute("CREATE TABLE recipe (name TEXT)")
    >>> prepare_database(other, "kitchen.sqlite")
    Traceback (most recent call last):
    corefkit.exceptions.CorefkitError: kitchen.sqlite: is an SQLite file of another \
program
    <BLANKLINE>
    hint: name another file
    """
    application, version = (
        connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("application_id", "user_version")
    )
    has_tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if has_tables and application != _APPLICATION_ID:
        message = "is an SQLite file of another program"
        raise CorefkitError(
            message, code="environment/database", place=place, hint="name another file"
        )
    if version > _SCHEMA_VERSION:
        message = "was written by a later version of corefkit"
        raise CorefkitError(message, code="environment/database", place=place)
    if not has_tables:  # the file can shrink when runs are removed
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("PRAGMA journal_mode = WAL")
    changes = ""
    if not has_tables:
        changes = f"PRAGMA application_id = {_APPLICATION_ID}; {_SCHEMA}"
    elif version == 1:
        changes = _UPGRADE_FROM_1
    # Written even without changes: a read-only file fails now, not after scoring.
    connection.executescript(
        f"BEGIN IMMEDIATE; PRAGMA user_version = {_SCHEMA_VERSION}; {changes} COMMIT;"
    )


_BUSY_TIMEOUT_S = 30
_SHRINK_TIMEOUT_MS = 1000
_VACUUM_PAGES = 1024  # of 4 KB, freed at a time
_SELECT_RUN = (
    "SELECT number, made, version, key_file, key_name, settings, corpus, fingerprint, "
    "signature, name, notes, owner FROM run"
)
_DELETE_UNUSED_FILES = (
    "DELETE FROM file WHERE hash NOT IN (SELECT key_file FROM run) "
    "AND hash NOT IN (SELECT file FROM response)"
)


class Store:
    """The runs of one SQLite file, which is created if it does not exist.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     Store(Path(folder) / "runs.sqlite").list_runs()
    []
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.parent.is_dir():
            message = f"there is no folder {str(path.parent)!r}"
            raise CorefkitError(message, code="environment/database", place=str(path))
        with self._connect() as connection:
            prepare_database(connection, str(path))

    @contextmanager
    def _connect(self) -> Iterator[sqlite3.Connection]:
        """Open a connection for one operation; threads do not share connections."""
        try:
            with closing(
                sqlite3.connect(
                    self.path, timeout=_BUSY_TIMEOUT_S, isolation_level=None
                )
            ) as connection:
                connection.execute("PRAGMA synchronous = FULL")
                connection.execute("PRAGMA foreign_keys = ON")
                # Overwriting removed runs with zeros needs as much space as they have.
                connection.execute("PRAGMA secure_delete = OFF")
                yield connection
        except sqlite3.Error as error:
            message = f"cannot be used as a file of runs: {error}"
            raise CorefkitError(
                message, code="environment/database", place=str(self.path)
            ) from error

    @contextmanager
    def keep_open(self) -> Iterator[None]:
        """Hold a connection so that others open and close cheaply.

        Closing the last connection moves all data into one file and syncs the disk.
        """
        with self._connect() as connection:
            connection.execute("SELECT count(*) FROM run").fetchone()
            yield

    @contextmanager
    def _begin_write(self) -> Iterator[sqlite3.Connection]:
        with self._connect() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:  # a full disk may have ended it
                    connection.execute("ROLLBACK")
                raise
            finally:
                _shrink_file(connection)

    def add_run(
        self, request: RunRequest, output: RunOutput, read: Callable[[str], bytes]
    ) -> int:
        """Store a run and return its number; `read` returns a file by its hash."""
        hashes = sorted({file.hash for file in request.files})
        packed = {
            hash: zlib.compress(read(hash))
            for hash in hashes
            if not self.has_file(hash)
        }
        report, scores = zlib.compress(output.report), zlib.compress(output.scores)
        with self._begin_write() as connection:
            for hash in hashes:
                # Another request may have removed the last run with this file.
                if not _has_file(connection, hash):
                    file = packed.get(hash) or zlib.compress(read(hash))
                    connection.execute("INSERT INTO file VALUES (?, ?)", (hash, file))
            row = {
                "made": datetime.now(UTC).isoformat(timespec="seconds"),
                "version": VERSION,
                "key_file": request.key.hash,
                "key_name": request.key.name,
                "settings": json.dumps(dict(request.settings), sort_keys=True),
                "corpus": output.corpus,
                "fingerprint": json.dumps(dict(output.fingerprint)),
                "signature": output.signature,
                "scores": scores,
                "report": report,
                "name": request.name,
                "notes": request.notes,
                "owner": request.owner,
            }
            columns, places = ", ".join(row), ", ".join("?" * len(row))
            number = connection.execute(
                f"INSERT INTO run ({columns}) VALUES ({places})", (*row.values(),)
            ).lastrowid
            assert number is not None
            systems = zip(request.responses, output.systems, strict=True)
            connection.executemany(
                "INSERT INTO response VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        *(number, place, file.hash, system.name),
                        *(system.corpus, system.scores, system.reason),
                    )
                    for place, (file, system) in enumerate(systems)
                ],
            )
            return number

    def has_file(self, hash: str) -> bool:
        """Return whether a file is stored."""
        with self._connect() as connection:
            return _has_file(connection, hash)

    def read_file(self, hash: str) -> bytes | None:
        """Return the content of a file, None if it is not stored."""
        return self._decompress("SELECT packed FROM file WHERE hash = ?", hash)

    def read_report(self, number: int) -> bytes | None:
        """Return the page of a run, None if the run does not exist."""
        return self._decompress("SELECT report FROM run WHERE number = ?", number)

    def read_scores(self, number: int) -> bytes | None:
        """Return the scores of a run as JSON, None if the run does not exist."""
        return self._decompress("SELECT scores FROM run WHERE number = ?", number)

    def _decompress(self, query: str, value: str | int) -> bytes | None:
        with self._connect() as connection:
            row = connection.execute(query, (value,)).fetchone()
        return None if row is None else zlib.decompress(row[0])

    def size(self) -> int:
        """Return the number of bytes in use."""
        with self._connect() as connection:
            pages, free, page_size = (
                connection.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("page_count", "freelist_count", "page_size")
            )
        return int((pages - free) * page_size)

    def secret(self) -> str:
        """Return the secret of this file, from which submit-only tokens are derived."""
        with self._connect() as connection:
            connection.execute(
                "INSERT INTO secret SELECT ? WHERE NOT EXISTS (SELECT * FROM secret)",
                (secrets.token_hex(32),),
            )
            value: str = connection.execute("SELECT value FROM secret").fetchone()[0]
            return value

    def find_run(self, number: int) -> StoredRun | None:
        """Return a run, None if it does not exist."""
        runs = self._select_runs("WHERE number = ?", number)
        return runs[0] if runs else None

    def list_runs(
        self,
        *,
        owner: str | None = None,
        before: int | None = None,
        limit: int = 100,
    ) -> list[StoredRun]:
        """List runs, the latest first, optionally of one owner or before a number."""
        conditions = {"owner = ?": owner, "number < ?": before}
        given = {text: value for text, value in conditions.items() if value is not None}
        where = f"WHERE {' AND '.join(given)} " if given else ""
        return self._select_runs(
            f"{where}ORDER BY number DESC LIMIT ?", *given.values(), limit
        )

    def list_corpus_runs(self, corpus: str) -> list[StoredRun]:
        """List all runs with one key, the latest first."""
        return self._select_runs("WHERE corpus = ? ORDER BY number DESC", corpus)

    def list_corpora(self) -> dict[str, tuple[int, StoredRun]]:
        """Return the number of runs and the latest run of each corpus."""
        with self._connect() as connection:
            rows = connection.execute(
                "SELECT corpus, count(*), max(number) FROM run GROUP BY corpus "
                "ORDER BY max(number) DESC"
            ).fetchall()
            return {
                corpus: (count, *_select_runs(connection, "WHERE number = ?", latest))
                for corpus, count, latest in rows
            }

    def _select_runs(self, condition: str, *values: str | int) -> list[StoredRun]:
        with self._connect() as connection:
            return _select_runs(connection, condition, *values)

    def remove_run(self, number: int) -> bool:
        """Remove a run and files without another run; False if it does not exist."""
        with self._begin_write() as connection:
            cursor = connection.execute("DELETE FROM run WHERE number = ?", (number,))
            connection.execute(_DELETE_UNUSED_FILES)
            return cursor.rowcount > 0


def _shrink_file(connection: sqlite3.Connection) -> None:
    """Return free pages to the disk; skipped while another connection reads."""
    connection.execute(f"PRAGMA busy_timeout = {_SHRINK_TIMEOUT_MS}")
    with suppress(sqlite3.Error):
        free, before = 0, -1
        while free != before:  # files without auto_vacuum never shrink
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            before = free
            (free,) = connection.execute("PRAGMA freelist_count").fetchone()
            if free:
                connection.executescript(f"PRAGMA incremental_vacuum({_VACUUM_PAGES})")


def _has_file(connection: sqlite3.Connection, hash: str) -> bool:
    query = "SELECT 1 FROM file WHERE hash = ?"
    return connection.execute(query, (hash,)).fetchone() is not None


def _select_runs(
    connection: sqlite3.Connection, condition: str, *values: str | int
) -> list[StoredRun]:
    # One snapshot: another request may remove a run between two queries.
    connection.execute("BEGIN")
    rows = connection.execute(f"{_SELECT_RUN} {condition}", values).fetchall()
    runs = [_build_run(connection, row) for row in rows]
    connection.execute("COMMIT")
    return runs


def _build_run(connection: sqlite3.Connection, row: tuple[str, ...]) -> StoredRun:
    number, made, version, key_file, key_name, settings = row[:6]
    corpus, fingerprint, signature, name, notes, owner = row[6:]
    responses = connection.execute(
        "SELECT file, name, corpus, scores, reason FROM response WHERE run = ? "
        "ORDER BY place",
        (number,),
    ).fetchall()
    return StoredRun(
        int(number),
        made,
        version,
        RunRequest(
            StoredFile(key_file, key_name),
            tuple(StoredFile(hash, label) for hash, label, *_ in responses),
            json.loads(settings),
            name,
            notes,
            owner,
        ),
        corpus,
        json.loads(fingerprint),
        signature,
        tuple(SystemScores(*response[1:]) for response in responses),
    )
