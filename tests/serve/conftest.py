"""A server without a network."""

from __future__ import annotations

import contextlib
import json
import time

import pytest
from starlette.testclient import TestClient

from corefkit.example import paths
from corefkit.serve import child
from corefkit.serve.children import Folder
from corefkit.serve.limits import Limits
from corefkit.serve.running import Server

HERE = "http://127.0.0.1:8000"


class Asking:
    """Asks a server as a program does."""

    def __init__(self, client):
        self.client = client

    def send(self, content):
        answer = self.client.post("/files", content=content)
        assert answer.status_code == 201, answer.text
        return answer.json()["file"]

    def ask(self, key, responses, **settings):
        """Ask for a run of files, by their bytes; return the answer."""
        named = [
            {"name": name, "file": self.send(content)}
            for name, content in responses.items()
        ]
        asked = {"key": {"name": "key.conll", "file": self.send(key)}}
        asked |= {"responses": named, "settings": settings}
        return self.client.post("/runs", json=asked)

    def finished(self, answer):
        """Wait for the end of a job."""
        job = answer.json()
        assert answer.status_code == 202, job
        for _ in range(1200):
            if job["state"] in ("done", "failed"):
                return job
            time.sleep(0.05)
            job = self.client.get(f"/jobs/{job['job']}").json()
        pytest.fail("the job has no end")

    def run(self, key, responses, **settings):
        return self.finished(self.ask(key, responses, **settings))


async def scored_here(folder):
    """Score in this process, as the child does; starting one takes a second."""
    asked = json.loads((folder.path / "asked.json").read_text("utf-8"))
    with contextlib.chdir(folder.path):
        child.answer(asked)
    return folder.outcome(0)


@pytest.fixture
def serving(tmp_path, monkeypatch):
    """Make servers; each is stopped in the end."""
    opened = []
    monkeypatch.setattr(Folder, "scored", scored_here)

    def serve(**limits):
        folder = tmp_path / "waiting"
        folder.mkdir(exist_ok=True)
        limits = Limits(**{"at_once": 1, **limits})  # of which one is in the folder
        server = Server(tmp_path / "runs.sqlite", limits=limits)
        client = TestClient(server.application(folder), base_url=HERE)
        client.__enter__()
        opened.append(client)
        return Asking(client)

    yield serve
    for client in opened:
        client.__exit__(None, None, None)


@pytest.fixture
def asking(serving):
    return serving()


@pytest.fixture(scope="session")
def example():
    """The bytes of the example's files: key, careful, greedy."""
    return [path.read_bytes() for path in paths()]
