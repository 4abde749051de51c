"""A real server under load, with large uploads, and when it is killed."""

from __future__ import annotations

import asyncio
import gzip
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from serve.servers import started

from corefkit.serve.store import Store

pytestmark = pytest.mark.slow
linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
MIB = 1 << 20


def check_database(database):
    """Check that every run is complete; return the numbers of the runs."""
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    store = Store(Path(database))
    runs = store.list_runs(limit=10_000)
    for run in runs:
        assert store.read_report(run.number)
        assert store.read_scores(run.number)
        assert run.responses
        hashes = [run.key_file, *(response.file for response in run.responses)]
        assert all(store.read_file(hash) is not None for hash in hashes)
    return {run.number for run in runs}


def get_peak_memory(pid):
    """Return the peak memory of a process in bytes, on Linux."""
    status = Path(f"/proc/{pid}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


async def send_at_once(address, requests):
    """Send requests at the same time; return the answers."""
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(
        base_url=address, timeout=120, limits=limits, trust_env=False
    ) as client:
        return await asyncio.gather(
            *(client.request(method, path, **more) for method, path, more in requests)
        )


def test_hundreds_of_uploads_at_once(tmp_path, example):
    """Each run is scored or rejected as busy, and none is lost."""
    database = tmp_path / "runs.sqlite"
    key, careful, _ = example
    with started(database) as server:
        requests = [
            (
                "POST",
                "runs",
                {
                    "files": [
                        ("key", ("key.conll", key)),
                        ("response", ("a", careful + b"\n" * number)),
                    ]
                },
            )
            for number in range(200)
        ]
        answers = asyncio.run(send_at_once(server.address, requests))
        codes = [answer.status_code for answer in answers]
        assert {*codes} == {202, 503}
        assert codes.count(202) >= 100
        assert "runs are waiting" in answers[codes.index(503)].json()["error"]
        # Pages are sent while runs are scored.
        start = time.monotonic()
        assert server.client.get("").status_code == 200
        assert time.monotonic() - start < 20
        accepted = [answer for answer in answers if answer.status_code == 202][:6]
        done = [server.job(answer) for answer in accepted]
        assert {job["state"] for job in done} == {"done"}
        numbers = {job["run"] for job in done}
    assert numbers <= check_database(database)


def test_large_upload_is_rejected(tmp_path):
    """400 MB: with and without the size in advance."""
    with started(tmp_path / "runs.sqlite") as server:
        part = b"x" * MIB
        kind = {"content-type": "multipart/form-data; boundary=x"}
        start = (
            b'--x\r\ncontent-disposition: form-data; name="key"; filename="a"\r\n\r\n'
        )
        size = {"content-length": str(len(start) + 400 * MIB)}

        def iter_parts():
            yield start
            for _ in range(400):
                yield part

        for headers in ({**kind, **size}, kind):
            try:
                answer = server.client.post(
                    "runs", content=iter_parts(), headers=headers
                )
            except httpx.TransportError:  # closed before the end of the upload
                continue
            assert answer.status_code == 413
            assert "more than 256 MB" in answer.json()["error"]
        if sys.platform == "linux":
            assert get_peak_memory(server.process.pid) < 300 * MIB
        assert server.client.get("").status_code == 200


def test_gzip_bomb_is_rejected(tmp_path, example):
    with started(tmp_path / "runs.sqlite") as server:
        bomb = gzip.compress(b"\0" * (900 * MIB), compresslevel=9)
        answer = server.upload(example[0], {"bomb.gz": bomb})
        assert answer.status_code == 413
        assert "decompresses to more than 64 MB" in answer.json()["error"]


@linux
def test_killed_child_process_fails_its_run_only(tmp_path):
    database = tmp_path / "runs.sqlite"
    with started(database) as server:
        answer = server.client.post("example")
        for _ in range(500):
            if pids := server.children():
                break
            time.sleep(0.01)
        os.kill(pids[0], signal.SIGKILL)
        job = server.job(answer)
        assert job["state"] == "failed"
        assert "ended by signal 9 before it was done" in job["error"]
        assert server.job(server.client.post("example"))["state"] == "done"
    assert len(check_database(database)) == 1


@linux
def test_killed_server_loses_no_finished_run(tmp_path):
    """Killed again and again while runs are scored and stored."""
    database, done = tmp_path / "runs.sqlite", set()
    chance = random.Random(0)
    for _ in range(4):
        with started(database, "--at-once", "2") as server:
            assert done <= check_database(database)
            first = server.job(server.client.post("example"))
            done.add(first["run"])
            waiting = [server.client.post("example") for _ in range(6)]
            time.sleep(chance.uniform(0.5, 3))
            jobs = [server.client.get(f"jobs/{one.json()['job']}") for one in waiting]
            done |= {job.json()["run"] for job in jobs if job.json()["state"] == "done"}
            server.kill()
    assert done <= check_database(database)


WRITING = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from serve.test_store import MemoryFile
from corefkit.serve.store import Store, StoredResponse, StoredRun
store = Store(Path(sys.argv[1]))
def add():
    hashes = [os.urandom(32).hex() for _ in range(3)]
    responses = tuple(StoredResponse(hash, hash) for hash in hashes[1:])
    run = StoredRun(hashes[0], "key", responses)
    files = {hash: MemoryFile(os.urandom(1 << 21)) for hash in hashes}
    number = store.add_run(run, files, scores=b"{}", report=b"page")
    os.write(1, f"{number}\\n".encode())
"""
AT_ANY_TIME = "while True: add()"
AT_A_STATEMENT = """
import signal, sqlite3
add()
connect = sqlite3.connect
def traced(*words, **more):
    connection = connect(*words, **more)
    def at(statement):
        if statement.startswith(sys.argv[3]):
            os.kill(os.getpid(), signal.SIGKILL)
    connection.set_trace_callback(at)
    return connection
sqlite3.connect = traced
add()
"""


def writing(code, *words):
    """Start a process that stores runs of 6 MB each, and tells their numbers."""
    tests = str(Path(__file__).parents[1])
    command = [sys.executable, "-c", WRITING + code, words[0], tests, *words[1:]]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


@pytest.mark.parametrize("seed", range(6))
def test_kill_while_writing_leaves_a_valid_database(tmp_path, seed):
    database = str(tmp_path / "runs.sqlite")
    with writing(AT_ANY_TIME, database) as process:
        told = [int(process.stdout.readline())]
        time.sleep(random.Random(seed).uniform(0, 1))
        process.kill()
        told += map(int, process.stdout.read().split())
    found = check_database(database)
    assert {*told} <= found
    assert len(found) <= len(told) + 1  # one may be stored and not told yet


@linux
@pytest.mark.parametrize(
    "statement",
    ["INSERT OR IGNORE", "INSERT INTO run ", "INSERT INTO run_file", "COMMIT"],
)
def test_kill_in_a_transaction_rolls_it_back(tmp_path, statement):
    database = str(tmp_path / "runs.sqlite")
    with writing(AT_A_STATEMENT, database, statement) as process:
        assert process.stdout.read() == b"1\n"
    assert process.returncode == -signal.SIGKILL
    assert check_database(database) == {1}
    with closing(sqlite3.connect(database)) as connection:
        assert connection.execute("SELECT count(*) FROM file").fetchone() == (3,)


def test_two_servers_can_share_a_database(tmp_path):
    database = tmp_path / "runs.sqlite"
    with started(database) as first, started(database) as second:
        answers = [(one, one.client.post("example")) for one in (first, second)]
        numbers = {server.job(answer)["run"] for server, answer in answers}
        assert numbers == {1, 2}
        assert first.client.get("runs/2").status_code == 200
        assert second.client.get("runs/1").status_code == 200


def test_public_server_requires_a_token(tmp_path):
    with started(tmp_path / "runs.sqlite", "--host", "0.0.0.0") as server:
        port, token = server.address.split(":")[2].strip("/").split("/")
        assert len(token) >= 32
        here = f"http://127.0.0.1:{port}"
        assert httpx.get(f"{here}/").status_code == 404
        page = httpx.get(f"{here}/{token}/")
        assert page.status_code == 200
        assert token not in page.text
        assert httpx.get(f"{here}/{token}").headers["location"] == f"/{token}/"
        assert httpx.post(f"{here}/{token}/example").status_code == 202
        assert httpx.post(f"{here}/example").status_code == 404


@linux
@pytest.mark.parametrize("wish", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("seconds", [0, 0.3, 1])
def test_signal_stops_server_and_children(tmp_path, wish, seconds, monkeypatch):
    """A server that is stopped while a run is scored leaves no process and no file."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    with started(tmp_path / "runs.sqlite", "--at-once", "2") as server:
        for _ in range(3):
            server.client.post("example")
        time.sleep(seconds)
        children = server.children()
        server.process.send_signal(wish)
        assert server.process.wait(30) == 0
        assert not any(Path(f"/proc/{pid}").exists() for pid in children)
    assert [*scratch.iterdir()] == []
    assert {path.name for path in tmp_path.iterdir()} == {"runs.sqlite", "scratch"}


@linux
def test_both_address_families_are_served(tmp_path):
    with started(tmp_path / "runs.sqlite", "--host", "::") as server:
        assert server.client.get("").status_code == 200
        for host in ("127.0.0.1", "[::1]"):
            path = server.address.split(":")[2]
            assert httpx.get(f"http://{host}:{path}").status_code == 200
