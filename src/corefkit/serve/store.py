"""Runs in an SQLite file: each is there whole, or not at all.

A run is one transaction: its files, its scores, its page. The file is in WAL mode and
every transaction is on the disk before anybody hears of it, so what a server has called
finished outlives `kill -9` and a lost supply of power.

Stored are the files as they were sent, packed and each once, because comparing with an
earlier run needs its responses; the page, so that a run shows the same bytes under a
later version; and the scores with the counts of documents, as `corefkit score --format
json --per-document` prints them, from which a leaderboard is made without scoring.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from corefkit.exceptions import CorefkitError
from corefkit.serve.schema import prepare
from corefkit.serve.values import Asked, Run, Scores, Upload
from corefkit.settings import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from corefkit.serve.values import Outcome

_PATIENCE = 30  # seconds to wait for another process that writes
_SHORT_PATIENCE = 1000  # milliseconds to wait for readers, where waiting is no need
_PAGES = 1024  # of 4 KB, that are given back at a time
_RUN = (
    "SELECT number, made, version, key_file, key_name, settings, corpus, fingerprint, "
    "signature FROM run"
)
_FILES_OF_NOBODY = (
    "DELETE FROM file WHERE hash NOT IN (SELECT key_file FROM run) "
    "AND hash NOT IN (SELECT file FROM response)"
)


class Store:
    """The runs of one file, which is made if there is none.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     Store(Path(folder) / "runs.sqlite").runs()
    []
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.parent.is_dir():
            message = f"there is no folder {str(path.parent)!r}"
            raise CorefkitError(message, code="environment/database", place=str(path))
        with self._saying_where(), self._opened() as connection:
            prepare(connection, str(path))

    @contextmanager
    def _saying_where(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            message = f"cannot be used as a file of runs: {error}"
            raise CorefkitError(
                message, code="environment/database", place=str(self.path)
            ) from error

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """Open the file for one piece of work; threads share no connection."""
        with closing(
            sqlite3.connect(self.path, timeout=_PATIENCE, isolation_level=None)
        ) as connection:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            # Filling removed runs with zeros would need as much room as they have.
            connection.execute("PRAGMA secure_delete = OFF")
            yield connection

    @contextmanager
    def kept_open(self) -> Iterator[None]:
        """Keep the file open, so that others are opened and closed at no cost.

        Whoever closes it last moves everything to one file, and waits for the disk.
        """
        with self._saying_where(), self._opened() as connection:
            connection.execute("SELECT count(*) FROM run").fetchone()
            yield

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Open the file for one transaction."""
        with self._saying_where(), self._opened() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:  # a full disk may have ended it
                    connection.execute("ROLLBACK")
                raise
            finally:
                _give_room_back(connection)

    def add(
        self, asked: Asked, outcome: Outcome, content: Callable[[str], bytes]
    ) -> int:
        """Store a run, and return its number.

        Args:
            asked: what was scored.
            outcome: what came out.
            content: gives the bytes of a file that is not stored yet, by its hash.
        """
        packed = {
            hash: zlib.compress(content(hash))
            for hash in sorted(asked.hashes)
            if not self.has(hash)
        }
        pages = [*map(zlib.compress, (outcome.scores, outcome.report))]
        with self._writing() as connection:
            for hash in sorted(asked.hashes):
                # A run that is removed meanwhile takes its files along.
                if not _has(connection, hash):
                    file = packed.get(hash) or zlib.compress(content(hash))
                    connection.execute("INSERT INTO file VALUES (?, ?)", (hash, file))
            return _insert(connection, asked, outcome, pages)

    def has(self, hash: str) -> bool:
        """Say whether a file is stored."""
        with self._saying_where(), self._opened() as connection:
            return _has(connection, hash)

    def content(self, hash: str) -> bytes | None:
        """Return the bytes of a file; None if it is not stored."""
        return self._unpacked("SELECT packed FROM file WHERE hash = ?", hash)

    def report(self, number: int) -> bytes | None:
        """Return the page of a run; None if there is no such run."""
        return self._unpacked("SELECT report FROM run WHERE number = ?", number)

    def scores(self, number: int) -> bytes | None:
        """Return all scores of a run as JSON; None if there is no such run."""
        return self._unpacked("SELECT scores FROM run WHERE number = ?", number)

    def _unpacked(self, query: str, of: str | int) -> bytes | None:
        with self._saying_where(), self._opened() as connection:
            found = connection.execute(query, (of,)).fetchone()
        return None if found is None else zlib.decompress(found[0])

    def size(self) -> int:
        """Say how many bytes the runs take; room of those removed is used again."""
        with self._saying_where(), self._opened() as connection:
            pages, free, size = (
                connection.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("page_count", "freelist_count", "page_size")
            )
        return int((pages - free) * size)

    def run(self, number: int) -> Run | None:
        """Find a run by its number; None if there is no such run."""
        found = self._runs("WHERE number = ?", number)
        return found[0] if found else None

    def runs(self, *, before: int | None = None, most: int = 100) -> list[Run]:
        """List runs, the latest first: those before a number, or all."""
        where = "" if before is None else "WHERE number < ?"
        values = () if before is None else (before,)
        return self._runs(f"{where} ORDER BY number DESC LIMIT ?", *values, most)

    def of_corpus(self, corpus: str) -> list[Run]:
        """List all runs against one key, the latest first."""
        return self._runs("WHERE corpus = ? ORDER BY number DESC", corpus)

    def corpora(self) -> dict[str, tuple[int, Run]]:
        """Find the corpora with their numbers of runs, and the latest run of each."""
        with self._saying_where(), self._opened() as connection:
            rows = connection.execute(
                "SELECT corpus, count(*), max(number) FROM run GROUP BY corpus "
                "ORDER BY max(number) DESC"
            ).fetchall()
            return {
                corpus: (count, *_runs(connection, "WHERE number = ?", last))
                for corpus, count, last in rows
            }

    def _runs(self, rest: str, *values: str | int) -> list[Run]:
        with self._saying_where(), self._opened() as connection:
            return _runs(connection, rest, *values)

    def remove(self, number: int) -> bool:
        """Remove a run, and the files that no other run has; False if there is none."""
        with self._writing() as connection:
            done = connection.execute("DELETE FROM run WHERE number = ?", (number,))
            connection.execute(_FILES_OF_NOBODY)
            return done.rowcount > 0


def _give_room_back(connection: sqlite3.Connection) -> None:
    """Move all that is written into the one file, and give the disk what is free."""
    connection.execute(f"PRAGMA busy_timeout = {_SHORT_PATIENCE}")
    with suppress(sqlite3.Error):  # somebody reads, or the disk is full: next time
        free, before = 0, -1
        while free != before:  # a file may have been made so that it never shrinks
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            before = free
            (free,) = connection.execute("PRAGMA freelist_count").fetchone()
            if free:  # some at a time, as this needs room itself
                connection.executescript(f"PRAGMA incremental_vacuum({_PAGES})")


def _has(connection: sqlite3.Connection, hash: str) -> bool:
    query = "SELECT 1 FROM file WHERE hash = ?"
    return connection.execute(query, (hash,)).fetchone() is not None


def _runs(connection: sqlite3.Connection, rest: str, *values: str | int) -> list[Run]:
    # One view of the file: a run may be removed between two queries.
    connection.execute("BEGIN")
    rows = connection.execute(f"{_RUN} {rest}", values).fetchall()
    found = [_run(connection, *row) for row in rows]
    connection.execute("COMMIT")
    return found


def _run(
    connection: sqlite3.Connection,
    number: int,
    made: str,
    version: str,
    key_file: str,
    key_name: str,
    settings: str,
    corpus: str,
    fingerprint: str,
    signature: str,
) -> Run:
    rows = connection.execute(
        "SELECT file, name, corpus, scores, reason FROM response WHERE run = ? "
        "ORDER BY place",
        (number,),
    ).fetchall()
    return Run(
        number,
        made,
        version,
        Asked(
            Upload(key_file, key_name),
            tuple(Upload(file, name) for file, name, *_ in rows),
            json.loads(settings),
        ),
        corpus,
        json.loads(fingerprint),
        signature,
        tuple(Scores(*row[1:]) for row in rows),
    )


def _insert(
    connection: sqlite3.Connection,
    asked: Asked,
    outcome: Outcome,
    pages: Sequence[bytes],
) -> int:
    """Insert the rows of a run, and return its number."""
    made = datetime.now(UTC).isoformat(timespec="seconds")
    number = connection.execute(
        "INSERT INTO run (made, version, key_file, key_name, settings, corpus, "
        "fingerprint, signature, scores, report) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(made, VERSION, asked.key.hash, asked.key.name),
            json.dumps(dict(asked.settings), sort_keys=True),
            *(outcome.corpus, json.dumps(dict(outcome.fingerprint))),
            *(outcome.signature, *pages),
        ),
    ).lastrowid
    assert number is not None
    connection.executemany(
        "INSERT INTO response VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (
                number,
                place,
                file.hash,
                one.name,
                one.corpus,
                one.scores,
                one.reason,
            )
            for place, (file, one) in enumerate(
                zip(asked.responses, outcome.systems, strict=True)
            )
        ],
    )
    return number
