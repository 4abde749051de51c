"""A server without a network."""

from __future__ import annotations

import io
import time
from contextlib import chdir, redirect_stderr

import pytest
from starlette.testclient import TestClient

from corefkit.cli import main
from corefkit.example import paths
from corefkit.serve import jobs
from corefkit.serve.jobs import Limits
from corefkit.serve.server import Server

HERE = "http://127.0.0.1:8000"


class Browser:
    """A client that uploads files as the form does."""

    def __init__(self, client, root=""):
        self.client, self.root = client, root

    def get(self, path):
        return self.client.get(f"{self.root}{path}")

    def post(self, key, responses, **fields):
        """Upload files, by their content; return the answer."""
        files = [("key", ("key.conll", key))] if isinstance(key, bytes) else []
        files += [("response", (name, text)) for name, text in responses.items()]
        if isinstance(key, str):
            fields["stored_key"] = key
        return self.client.post(f"{self.root}/runs", files=files, data=fields)

    def wait(self, answer):
        """Wait for the end of a job."""
        job = answer.json()
        assert answer.status_code == 202, job
        for _ in range(1200):
            if job["state"] in ("done", "failed"):
                return job
            time.sleep(0.05)
            job = self.get(f"/jobs/{job['job']}").json()
        pytest.fail("the job does not end")

    def run(self, key, responses, **fields):
        return self.wait(self.post(key, responses, **fields))

    def find_corpus(self, job):
        """Return the id of the key of a finished run."""
        page = self.get(f"/runs/{job['run']}").text
        return page.partition("../keys/")[2].partition('"')[0]


async def run_here(command, folder, _):
    """Run the command in this process; starting one takes a second."""
    messages = io.StringIO()
    words = command[command.index("corefkit") + 1 :]
    with chdir(folder / "files"), redirect_stderr(messages):
        code = main(words)
    (folder / "messages.txt").write_text(messages.getvalue(), "utf-8")
    return code


@pytest.fixture
def start_server(tmp_path, monkeypatch):
    """Start servers; each is stopped in the end."""
    clients = []
    monkeypatch.setattr(jobs, "run_command", run_here)
    monkeypatch.setenv("TMPDIR", str(tmp_path))

    def start(*, submitters=(), **limits):
        folder = tmp_path / "waiting"
        folder.mkdir(exist_ok=True)
        # One worker, because the working directory belongs to the process.
        limits = Limits(**{"at_once": 1, **limits})
        server = Server(tmp_path / "runs.sqlite", limits=limits, submitters=submitters)
        app = server.build_application(folder)
        client = TestClient(app, base_url=HERE, raise_server_exceptions=False)
        client.__enter__()
        clients.append(client)
        browsers = [Browser(client, f"/{token}") for token in server.tokens]
        return browsers or Browser(client)

    yield start
    for client in clients:
        client.__exit__(None, None, None)
    assert [*(tmp_path / "waiting").glob("*")] == []


@pytest.fixture
def browser(start_server):
    return start_server()


@pytest.fixture(scope="session")
def example():
    """The content of the example files: key, careful, greedy."""
    return [path.read_bytes() for path in paths()]
