"""Runs are stored in an SQLite file as one transaction each."""

from __future__ import annotations

import os
import sqlite3
from dataclasses import replace

import pytest

from corefkit.exceptions import CorefkitError
from corefkit.serve.store import Store, StoredResponse, StoredRun

KEY, ONE, OTHER = (letter * 64 for letter in "abc")


def make_run(*responses, corpus="c0"):
    return StoredRun(
        *(KEY, "key.conll"),
        tuple(
            StoredResponse(hash, f"name of {hash[0]}", corpus, "{}")
            for hash in responses
        ),
        settings={"match": "head"},
        name="first",
        notes="notes",
        corpus=corpus,
        size="1 document",
    )


class MemoryFile:
    """A file with some content."""

    def __init__(self, content):
        self.read_bytes = lambda: content


def add(store, *responses, corpus="c0", content=str.encode):
    files = {hash: MemoryFile(content(hash)) for hash in (KEY, *responses)}
    run = make_run(*responses, corpus=corpus)
    return store.add_run(run, files, scores=b"[scores]", report=b"<page>")


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "runs.sqlite")


def test_run_is_returned_as_stored(store):
    number = add(store, ONE, OTHER)
    run = store.find_run(number)
    assert replace(run, number=0, made="") == make_run(ONE, OTHER)
    assert store.read_report(number) == b"<page>"
    assert store.read_scores(number) == b"[scores]"
    assert store.read_file(ONE) == ONE.encode()


def test_runs_are_listed_latest_first(store):
    numbers = [add(store, ONE) for _ in range(3)]
    assert [run.number for run in store.list_runs()] == numbers[::-1]
    assert [run.number for run in store.list_runs(limit=1)] == numbers[2:]
    assert [run.number for run in store.list_runs(before=numbers[1])] == numbers[:1]


def test_runs_are_selected_by_corpus(store):
    one, other, again = (add(store, ONE, corpus=name) for name in ("c0", "c1", "c0"))
    assert [run.number for run in store.list_corpus_runs("c0")] == [again, one]
    corpora = [(count, run.number) for count, run in store.list_corpora()]
    assert corpora == [(2, again), (1, other)]


def test_file_is_stored_once(store, tmp_path):
    add(store, ONE)
    add(store, ONE)
    with sqlite3.connect(tmp_path / "runs.sqlite") as connection:
        assert connection.execute("SELECT count(*) FROM file").fetchone() == (2,)
    connection.close()


def test_removing_a_run_removes_its_unshared_files(store):
    first, second = add(store, ONE), add(store, OTHER)
    assert store.remove_run(first)
    assert not store.remove_run(first)
    assert store.find_run(first) is None
    assert store.read_report(first) is None
    assert store.read_file(KEY) == KEY.encode()
    assert store.read_file(ONE) is None
    assert store.read_file(OTHER) == OTHER.encode()
    store.remove_run(second)
    assert store.read_file(KEY) is None


def test_numbers_are_not_reused(store):
    first = add(store, ONE)
    store.remove_run(first)
    assert add(store, ONE) > first


def test_failed_run_is_rolled_back(store):
    with pytest.raises(CorefkitError):
        store.add_run(
            replace(make_run(ONE), name=None),
            {KEY: MemoryFile(b"key")},
            scores=b"",
            report=b"",
        )
    assert store.list_runs() == []
    assert store.read_file(KEY) is None


def test_removed_runs_free_disk_space(store):
    def content(_):
        return os.urandom(3_000_000)

    numbers = [add(store, hash, content=content) for hash in (ONE, OTHER)]
    assert store.path.stat().st_size > 9_000_000
    for number in numbers:
        store.remove_run(number)
    files = store.path.parent.iterdir()
    assert sum(file.stat().st_size for file in files) < 300_000
    assert store.list_runs() == []


def test_full_disk_raises_and_keeps_the_file_usable(store, monkeypatch):
    first = add(store, ONE)
    connect = sqlite3.connect

    def narrow(*words, **more):
        connection = connect(*words, **more)
        connection.execute("PRAGMA max_page_count = 30")
        return connection

    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", narrow)
        with pytest.raises(CorefkitError, match="database or disk is full"):
            add(store, OTHER, content=lambda _: os.urandom(1_000_000))
    assert [run.number for run in store.list_runs()] == [first]
    assert add(store, OTHER) > first


def test_each_transaction_is_synced(store):
    with store._connect() as connection:
        assert connection.execute("PRAGMA synchronous").fetchone()[0] == 3


def test_database_can_be_reopened(store, tmp_path):
    number = add(store, ONE)
    assert Store(tmp_path / "runs.sqlite").find_run(number) is not None


class TestOtherFiles:
    def test_text_file_is_rejected(self, tmp_path):
        path = tmp_path / "key.conll"
        path.write_text("#begin document (a);\n" * 99)
        with pytest.raises(CorefkitError, match="cannot be used as a file of runs"):
            Store(path)
        assert path.read_text().startswith("#begin document")

    def test_other_database_is_rejected_and_unchanged(self, tmp_path):
        path = tmp_path / "other.sqlite"
        connection = sqlite3.connect(path)
        connection.execute("CREATE TABLE recipe (name TEXT)")
        connection.close()
        before = path.read_bytes()
        with pytest.raises(CorefkitError, match="of another program"):
            Store(path)
        assert path.read_bytes() == before

    def test_read_only_database_is_rejected(self, store, monkeypatch):
        connect = sqlite3.connect

        def reading(path, **more):
            connection = connect(path, **more)
            connection.execute("PRAGMA query_only = ON")  # as root, who may all
            return connection

        monkeypatch.setattr(sqlite3, "connect", reading)
        with pytest.raises(CorefkitError, match="readonly database"):
            Store(store.path)

    def test_other_version_is_rejected(self, tmp_path):
        Store(tmp_path / "runs.sqlite")
        connection = sqlite3.connect(tmp_path / "runs.sqlite")
        connection.execute("PRAGMA user_version = 99")
        connection.close()
        with pytest.raises(CorefkitError, match="another version"):
            Store(tmp_path / "runs.sqlite")

    def test_missing_folder_is_rejected(self, tmp_path):
        with pytest.raises(CorefkitError, match="there is no folder"):
            Store(tmp_path / "nowhere" / "runs.sqlite")
