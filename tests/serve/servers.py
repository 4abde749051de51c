"""A server as people start it: a process that listens at a port."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import httpx


class Process:
    """A server that runs, and a client that asks it."""

    def __init__(self, process, address):
        self.process, self.address = process, address
        self.client = httpx.Client(base_url=address, timeout=60, trust_env=False)

    def kill(self):
        """Kill the server alone, as `kill -9` does."""
        self.process.kill()
        self.process.wait()

    def children(self):
        """Find the processes that it started, on Linux."""
        tasks = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return [int(pid) for task in tasks for pid in task.read_text().split()]

    def upload(self, key, responses, **fields):
        """Upload files, by their content; return the answer."""
        files = [("key", ("key.conll", key))]
        files += [("response", (name, text)) for name, text in responses.items()]
        return self.client.post("runs", files=files, data=fields)

    def job(self, answer):
        """Wait for the end of a job."""
        assert answer.status_code == 202, answer.text
        job = answer.json()
        while job["state"] not in ("done", "failed"):
            time.sleep(0.1)
            job = self.client.get(f"jobs/{job['job']}").json()
        return job


@contextmanager
def started(database, *words):
    """Start a server at a free port, and end it."""
    command = [sys.executable, "-m", "corefkit", "serve", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--database", str(database), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    line = process.stdout.readline()
    assert line, process.stderr.read()
    server = Process(process, line.split()[-1])
    try:
        yield server
    finally:
        server.client.close()
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
