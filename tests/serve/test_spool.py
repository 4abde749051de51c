"""Files that wait: by their hashes, for some time, in so much room."""

from __future__ import annotations

import hashlib

import pytest

from corefkit.serve.limits import Limits
from corefkit.serve.spool import Spool
from corefkit.serve.values import Refusal


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def spool(tmp_path, clock):
    limits = Limits(file_bytes=1_000_000, waiting_bytes=2_000_000, waiting_seconds=60)
    return Spool(tmp_path, limits, clock=clock)


def send(spool, *parts):
    with spool.incoming() as file:
        for part in parts:
            file.add(part)
            if file.holds_much:
                file.write()
        return file.finish()


def test_a_file_is_called_by_its_hash(spool, tmp_path):
    parts = [bytes([number]) * 100_000 for number in range(7)]
    name = send(spool, *parts)
    assert name == hashlib.sha256(b"".join(parts)).hexdigest()
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert spool.path(name).read_bytes() == b"".join(parts)
    assert spool.size(name) == 700_000


def test_the_same_bytes_are_kept_once(spool, tmp_path):
    for _ in range(9):
        send(spool, b"a" * 900_000)
    assert len([*tmp_path.iterdir()]) == 1


def test_nothing_stays_of_a_file_that_is_not_finished(spool, tmp_path):

    def broken_off():
        with spool.incoming() as file:
            file.add(b"a" * 900_000)
            file.write()
            raise ConnectionError

    for _ in range(9):
        with pytest.raises(ConnectionError):
            broken_off()
    assert [*tmp_path.iterdir()] == []
    send(spool, b"b" * 900_000)
    send(spool, b"c" * 900_000)


def test_nothing_stays_of_a_file_that_is_refused(spool, tmp_path):
    for _ in range(9):
        with pytest.raises(Refusal, match="more than 976"):
            send(spool, b"a" * 900_000, b"a" * 200_000)
    assert [*tmp_path.iterdir()] == []
    send(spool, b"b" * 1_000_000)
    send(spool, b"c" * 1_000_000)
    with pytest.raises(Refusal, match="no room"):
        send(spool, b"d")


def test_files_that_nobody_wants_go(spool, clock):
    one, other = send(spool, b"one"), send(spool, b"other")
    clock.now = 59
    assert one in spool  # asked for, so it waits longer
    clock.now = 61
    send(spool, b"next")
    assert one in spool
    assert other not in spool
    assert not spool.path(other).exists()


def test_a_full_disk_lets_go_of_what_nobody_asked_for(spool, clock, tmp_path):
    held, other = send(spool, b"held"), send(spool, b"other")
    spool.hold([held])
    clock.now = 1
    with pytest.raises(OSError, match="full"), spool.incoming():
        raise OSError(28, "full")
    assert [path.name for path in tmp_path.iterdir()] == [held]
    assert other not in spool


def test_files_of_a_run_stay_until_it_is_over(spool, clock):
    name = send(spool, b"one")
    spool.hold([name])
    spool.hold([name])
    clock.now = 61
    send(spool, b"next")
    assert name in spool
    spool.release([name], are_stored=True)
    assert name in spool
    spool.release([name], are_stored=True)
    assert name not in spool


def test_files_of_a_run_that_failed_wait_again(spool):
    name = send(spool, b"one")
    spool.hold([name])
    spool.release([name], are_stored=False)
    assert name in spool
