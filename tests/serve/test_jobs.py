"""The folder and the process of a run, and the queue."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import Mock

import pytest

from corefkit.exceptions import CorefkitError
from corefkit.serve.jobs import (
    Job,
    JobQueue,
    Limits,
    RequestError,
    RunFolder,
    read_output,
    run_command,
)
from corefkit.serve.store import StoredResponse, StoredRun

SLEEP = "import time; time.sleep(60)"


@pytest.fixture
def make_folder(tmp_path, example):
    """Make a folder with the files of the example under some names."""

    def make(*names, limits=None):
        folder = RunFolder(tmp_path, limits or Limits())
        files = [
            folder.add_file(name, io.BytesIO(content))
            for name, content in zip(names, example, strict=False)
        ]
        responses = tuple(StoredResponse(*file) for file in files[1:])
        return folder, StoredRun(*files[0], responses)

    return make


def run_code(folder, code, **limits):
    """Run Python code as the child process; return its exit code."""
    command = [sys.executable, "-c", code]
    return asyncio.run(run_command(command, folder.path, Limits(**limits)))


def explain(folder, request, code, **limits):
    with pytest.raises(CorefkitError) as caught:
        read_output(folder.path, request, code, Limits(**limits))
    return caught.value


@pytest.mark.parametrize(
    ("name", "file_name"),
    [
        ("../../etc/passwd", "etc_passwd"),
        ("-", "file"),
        ("Schlüssel 1.conll", "Schlüssel_1.conll"),
        ("x" * 300 + ".conll", "x" * 44 + ".conll"),
    ],
)
def test_uploaded_file_has_a_safe_name(name, file_name, tmp_path):
    folder = RunFolder(tmp_path, Limits())
    folder.add_file(name, io.BytesIO(b""))
    assert [path.name for path in folder.files.values()] == [file_name]


@pytest.mark.slow
def test_child_process_leaves_report_and_scores(make_folder):
    # Modules are not imported from its folder, whatever the files are called.
    folder, request = make_folder("json.py", "a/b=c", "numpy.py")
    code = asyncio.run(
        run_command(folder.build_command(request), folder.path, Limits())
    )
    output = read_output(folder.path, request, code, Limits())
    assert (folder.path / "report.html").read_bytes().startswith(b"<!DOCTYPE html>")
    assert [response.name for response in output.responses] == ["a/b=c", "numpy.py"]
    assert all(response.scores for response in output.responses)
    assert output.size.startswith("4 documents, ")
    folder.remove()
    assert not folder.path.exists()


def test_equal_names_get_different_paths(make_folder):
    folder, request = make_folder("careful.conll", "careful.conll", "../careful.conll")
    *_, key, first, second = folder.build_command(request)
    assert len({key, first.partition("=")[2], second.partition("=")[2]}) == 3


def test_temporary_files_are_created_in_the_folder(make_folder):
    folder, _ = make_folder("key")
    run_code(folder, "import tempfile; tempfile.mkstemp(prefix='mine')")
    assert any(path.name.startswith("mine") for path in folder.path.iterdir())


def test_timeout_ends_the_process(make_folder):
    folder, _ = make_folder("key")
    with pytest.raises(CorefkitError, match="more than 1 seconds") as caught:
        run_code(folder, SLEEP, seconds=1)
    assert caught.value.code == "request/too-large"
    assert "--time-limit" in caught.value.hint


def test_cancelled_run_ends_its_process(make_folder, monkeypatch):
    folder, _ = make_folder("key")
    pids = []
    start = asyncio.create_subprocess_exec

    async def start_and_note(*words, **options):
        process = await start(*words, **options)
        pids.append(process.pid)
        return process

    monkeypatch.setattr(asyncio, "create_subprocess_exec", start_and_note)

    async def cancel():
        command = [sys.executable, "-c", SLEEP]
        work = asyncio.create_task(run_command(command, folder.path, Limits()))
        while not pids:
            await asyncio.sleep(0.01)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work

    asyncio.run(cancel())
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], signal.SIG_DFL)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
class TestFailure:
    def test_signal(self, make_folder):
        folder, request = make_folder("key", "a")
        kill = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
        error = explain(folder, request, run_code(folder, kill))
        assert error.code == "environment/worker-died"
        assert "by signal 9" in error.message

    def test_exit_code_without_message(self, make_folder):
        folder, request = make_folder("key", "a")
        error = explain(folder, request, run_code(folder, "raise SystemExit(3)"))
        assert "with exit code 3" in error.message

    def test_defect(self, make_folder):
        folder, request = make_folder("key", "a")
        error = explain(folder, request, run_code(folder, "{}[7]"))
        assert (error.code, error.message) == ("request/defect", "KeyError: 7")

    @pytest.mark.slow
    def test_processor_time(self, make_folder):
        folder, request = make_folder("key", "a")
        code = run_code(
            folder,
            "import resource as r\nr.setrlimit(r.RLIMIT_CPU, (1, 2))\nwhile True: pass",
        )
        error = explain(folder, request, code)
        assert "it took more than" in error.message

    @pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory")
    def test_memory(self, make_folder):
        folder, request = make_folder("key", "a", "b")
        command = folder.build_command(request)
        limits = Limits(memory=60 << 20)
        code = asyncio.run(run_command(command, folder.path, limits))
        error = explain(folder, request, code, memory=60 << 20)
        assert (
            "60 MB of memory" in error.message or "before it was done" in error.message
        )


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends children")
def test_child_process_ends_with_a_killed_server(make_folder):
    folder, _ = make_folder("key")
    code = """
import asyncio, sys
from pathlib import Path
from corefkit.serve.jobs import Limits, run_command
child = "import os, time; print(os.getpid(), file=sys.stderr); time.sleep(60)"
command = [sys.executable, "-c", "import sys; " + child]
asyncio.run(run_command(command, Path(sys.argv[1]), Limits()))
"""
    server = subprocess.Popen([sys.executable, "-c", code, str(folder.path)])
    messages = folder.path / "messages.txt"
    for _ in range(2000):
        if messages.exists() and (line := messages.read_text().strip()):
            break
        time.sleep(0.01)
    child = Path(f"/proc/{line}/exe")
    assert child.exists()
    server.kill()
    server.wait()
    for _ in range(1000):
        # A child that has ended and waits for its parent has no program.
        if not child.exists():
            break
        time.sleep(0.01)
    assert not child.exists()


def test_full_queue_accepts_no_runs(make_folder):
    folder, run = make_folder("key", "a")
    job = Job(run, folder)

    async def add_two():
        jobs = JobQueue(Limits(queue=1), Mock())
        jobs.add(job)
        assert jobs.find(job.id) is job
        assert jobs.list_jobs("waiting") == [job]
        with pytest.raises(RequestError) as caught:
            jobs.add(Job(run, folder))
        assert caught.value.status == 503
        await jobs.stop()

    asyncio.run(add_two())
