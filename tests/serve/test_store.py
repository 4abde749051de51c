"""Runs in an SQLite file: whole or not at all."""

from __future__ import annotations

import os
import sqlite3

import pytest

from corefkit.exceptions import CorefkitError
from corefkit.serve.store import Store
from corefkit.serve.values import Asked, Outcome, Scores, Upload

KEY, ONE, OTHER = (letter * 64 for letter in "abc")


def asked(*responses):
    files = tuple(Upload(hash, f"name of {hash[0]}") for hash in responses)
    return Asked(Upload(KEY, "key.conll"), files, {"match": "head"})


def outcome(*names, corpus="c0"):
    systems = tuple(Scores(name, corpus, "{}") for name in names)
    return Outcome(corpus, {"documents": 1}, "sig", systems, b"[scores]", b"<page>")


def add(store, *responses, corpus="c0", content=str.encode):
    names = [f"name of {hash[0]}" for hash in responses]
    return store.add(asked(*responses), outcome(*names, corpus=corpus), content)


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "runs.sqlite")


def test_a_run_comes_back_as_it_went_in(store):
    number = add(store, ONE, OTHER)
    run = store.run(number)
    assert run.asked == asked(ONE, OTHER)
    assert [one.name for one in run.systems] == ["name of b", "name of c"]
    assert (run.corpus, run.signature, run.fingerprint) == (
        "c0",
        "sig",
        {"documents": 1},
    )
    assert store.report(number) == b"<page>"
    assert store.scores(number) == b"[scores]"
    assert store.content(ONE) == ONE.encode()


def test_runs_come_latest_first_and_in_pages(store):
    numbers = [add(store, ONE) for _ in range(3)]
    assert [run.number for run in store.runs()] == numbers[::-1]
    assert [run.number for run in store.runs(most=1)] == numbers[2:]
    assert [run.number for run in store.runs(before=numbers[1])] == numbers[:1]


def test_runs_are_found_by_their_corpus(store):
    one, other, again = (add(store, ONE, corpus=name) for name in ("c0", "c1", "c0"))
    assert [run.number for run in store.of_corpus("c0")] == [again, one]
    found = {name: (n, run.number) for name, (n, run) in store.corpora().items()}
    assert found == {"c0": (2, again), "c1": (1, other)}


def test_a_file_is_stored_once(store, tmp_path):
    add(store, ONE)
    add(store, ONE, content=lambda _: pytest.fail("the file is stored already"))
    with sqlite3.connect(tmp_path / "runs.sqlite") as connection:
        assert connection.execute("SELECT count(*) FROM file").fetchone() == (2,)
    connection.close()


def test_removing_takes_along_what_nobody_else_has(store):
    first, second = add(store, ONE), add(store, OTHER)
    assert store.remove(first)
    assert not store.remove(first)
    assert store.run(first) is None
    assert store.report(first) is None
    assert (store.has(KEY), store.has(ONE), store.has(OTHER)) == (True, False, True)
    store.remove(second)
    assert not store.has(KEY)


def test_numbers_are_not_used_twice(store):
    first = add(store, ONE)
    store.remove(first)
    assert add(store, ONE) > first


def test_a_run_that_cannot_be_written_leaves_nothing(store):
    twice = outcome("one", "two")
    with pytest.raises(ValueError, match="zip"):
        store.add(asked(ONE), twice, str.encode)
    assert store.runs() == []
    assert not store.has(KEY)


def test_room_of_runs_that_are_removed_goes_back_to_the_disk(store):
    def content(_):
        return os.urandom(3_000_000)

    numbers = [add(store, hash, content=content) for hash in (ONE, OTHER)]
    assert store.path.stat().st_size > 9_000_000
    with store.kept_open():  # as a server does: closing the last would do the same
        for number in numbers:
            store.remove(number)
        files = store.path.parent.iterdir()
        assert sum(file.stat().st_size for file in files) < 300_000
    assert store.runs() == []


def test_a_full_disk_is_said_and_then_forgotten(store, monkeypatch):
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
    assert [run.number for run in store.runs()] == [first]
    assert add(store, OTHER) > first


def test_a_file_removed_meanwhile_is_stored_again(store, monkeypatch):
    number = add(store, ONE)
    has = store.has

    def then_removed(hash):
        found = has(hash)
        store.remove(number)
        return found

    monkeypatch.setattr(store, "has", then_removed)
    again = add(store, ONE)
    assert store.content(KEY) == KEY.encode()
    assert [run.number for run in store.runs()] == [again]


def test_it_is_in_wal_mode_and_waits_for_the_disk(store, tmp_path):
    connection = sqlite3.connect(tmp_path / "runs.sqlite")
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()
    with store._opened() as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_file_is_opened_again(store, tmp_path):
    number = add(store, ONE)
    assert Store(tmp_path / "runs.sqlite").run(number) is not None


class TestOtherFiles:
    def test_text_is_refused(self, tmp_path):
        path = tmp_path / "key.conll"
        path.write_text("#begin document (a);\n" * 99)
        with pytest.raises(CorefkitError, match="cannot be used as a file of runs"):
            Store(path)
        assert path.read_text().startswith("#begin document")

    def test_other_databases_are_refused_untouched(self, tmp_path):
        path = tmp_path / "other.sqlite"
        connection = sqlite3.connect(path)
        connection.execute("CREATE TABLE recipe (name TEXT)")
        connection.close()
        before = path.read_bytes()
        with pytest.raises(CorefkitError, match="of another program"):
            Store(path)
        assert path.read_bytes() == before

    def test_what_cannot_be_written_is_refused(self, store, monkeypatch):
        connect = sqlite3.connect

        def reading(path, **more):
            connection = connect(path, **more)
            connection.execute("PRAGMA query_only = ON")  # as root, who may all
            return connection

        monkeypatch.setattr(sqlite3, "connect", reading)
        with pytest.raises(CorefkitError, match="readonly database"):
            Store(store.path)

    def test_later_versions_are_refused(self, tmp_path):
        Store(tmp_path / "runs.sqlite")
        connection = sqlite3.connect(tmp_path / "runs.sqlite")
        connection.execute("PRAGMA user_version = 99")
        connection.close()
        with pytest.raises(CorefkitError, match="later version"):
            Store(tmp_path / "runs.sqlite")

    def test_no_folder_is_said_in_words(self, tmp_path):
        with pytest.raises(CorefkitError, match="there is no folder"):
            Store(tmp_path / "nowhere" / "runs.sqlite")
