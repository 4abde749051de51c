"""The process that scores: what it leaves, and what becomes of it."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from corefkit.exceptions import CorefkitError
from corefkit.serve import child, children
from corefkit.serve.children import COMMAND, Folder
from corefkit.serve.limits import Limits
from corefkit.serve.spool import Spool
from corefkit.serve.store import Store
from corefkit.serve.values import Asked, Upload

SLEEP = "import time; time.sleep(60)"


@pytest.fixture
def scored(tmp_path, example):
    """Score the example in a child of its own."""

    def score(*, names=("key.conll", "a", "b"), settings=None, home=None, **limits):
        limits = Limits(**limits)
        home = home or tmp_path / "waiting"
        home.mkdir()
        spool, files = Spool(home, limits), []
        for content, name in zip(example, names, strict=True):
            with spool.incoming() as file:
                file.add(content)
                files.append(Upload(file.finish(), name))
        asked = Asked(files[0], tuple(files[1:]), settings or {})
        with Folder(home, asked, limits) as folder:
            folder.fill(spool, Store(tmp_path / "runs.sqlite"))
            return asyncio.run(folder.scored())

    yield score
    assert [path for path in (tmp_path / "waiting").iterdir() if path.is_dir()] == []


def command(code):
    return (sys.executable, "-c", code)


@pytest.mark.slow
def test_it_leaves_report_and_scores(scored):
    # Nothing is imported from its folder, whatever files are called.
    outcome = scored(names=("json.py", "a", "numpy.py"))
    assert outcome.report.startswith(b"<!DOCTYPE html>")
    assert [one.name for one in outcome.systems] == ["a", "numpy.py"]
    assert outcome.fingerprint["documents"] == 4


def test_what_it_copies_aside_goes_with_its_folder(scored, monkeypatch, tmp_path):
    code = (
        "import json, os, sys, tempfile; from pathlib import Path\n"
        "os.chdir(sys.argv[1])\n"
        "inside = tempfile.gettempdir() == os.getcwd()\n"
        "Path('outcome.json').write_text(json.dumps({'refused': f'inside: {inside}'}))"
    )
    monkeypatch.setattr(children, "COMMAND", command(code))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CorefkitError, match="inside: True"):
        scored(home=Path("waiting"))


@pytest.mark.slow
def test_it_is_ended_after_its_time(scored, monkeypatch):
    monkeypatch.setattr(children, "COMMAND", command(SLEEP))
    with pytest.raises(CorefkitError, match="stopped: it took more than 1 seconds"):
        scored(seconds=1)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
class TestDeath:
    def test_by_a_signal(self, scored, monkeypatch):
        code = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
        monkeypatch.setattr(children, "COMMAND", command(code))
        with pytest.raises(CorefkitError, match="ended by signal 9 before it was done"):
            scored()

    def test_by_a_code(self, scored, monkeypatch):
        monkeypatch.setattr(children, "COMMAND", command("raise SystemExit(3)"))
        with pytest.raises(CorefkitError, match="ended with code 3"):
            scored()

    @pytest.mark.slow
    def test_by_its_processor_time(self, scored, monkeypatch):
        code = (
            "from corefkit.serve.child import limit\n"
            "limit(memory=2**31, seconds=1)\n"
            "while True: pass"
        )
        monkeypatch.setattr(children, "COMMAND", command(code))
        with pytest.raises(CorefkitError, match="it took more than"):
            scored(seconds=20)

    @pytest.mark.skipif(sys.platform != "linux", reason="limits that only Linux keeps")
    def test_memory_is_limited(self, scored):
        # Starting Python takes less, importing numpy and reading takes more.
        with pytest.raises(CorefkitError) as caught:
            scored(memory=60 << 20)
        text = str(caught.value)
        assert "needs more than 60 MB of memory" in text or "before it was done" in text

    @pytest.mark.slow
    def test_it_ends_with_the_server(self, tmp_path):
        (tmp_path / "asked.json").touch()
        os.mkfifo(tmp_path / "pipe")  # nothing writes to it: reading never ends
        (tmp_path / "asked.json").unlink()
        (tmp_path / "asked.json").symlink_to(tmp_path / "pipe")
        process = subprocess.Popen([*COMMAND, str(tmp_path)], stdin=subprocess.PIPE)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1)
        process.stdin.close()
        assert process.wait(20) == 1


def test_defects_are_told(scored, monkeypatch, tmp_path):
    code = (
        "import os, sys; from pathlib import Path\n"
        "Path(sys.argv[1], 'outcome.json').write_text('{\"defect\": \"KeyError: 7\"}')"
    )
    monkeypatch.setattr(children, "COMMAND", command(code))
    with pytest.raises(CorefkitError, match="KeyError: 7") as caught:
        scored()
    assert "a defect of corefkit" in caught.value.hint
    assert str(tmp_path) not in str(caught.value)


def test_a_cancelled_run_ends_its_child(tmp_path, monkeypatch):
    monkeypatch.setattr(children, "COMMAND", command(SLEEP))
    found = []
    start = asyncio.create_subprocess_exec

    async def noted(*words, **options):
        process = await start(*words, **options)
        found.append(process.pid)
        return process

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)

    async def cancelled():
        asked = Asked(Upload("a" * 64, "key"), ())
        with Folder(tmp_path, asked, Limits()) as folder:
            work = asyncio.create_task(folder.scored())
            while not found:
                await asyncio.sleep(0.01)
            work.cancel()
            with pytest.raises(asyncio.CancelledError):
                await work

    asyncio.run(cancelled())
    with pytest.raises(ProcessLookupError):
        os.kill(found[0], signal.SIG_DFL)


def test_a_library_that_finds_no_memory_is_no_defect(monkeypatch, tmp_path):
    def load(*_, **__):
        message = "lib.so: failed to map segment from shared object"
        raise ImportError(message)

    monkeypatch.setattr("corefkit.serve.scoring.outcome_of", load)
    monkeypatch.setattr(child, "_asked", lambda _: None)
    asked = {"folder": str(tmp_path), "paths": [], "most": 1}
    assert child._outcome(asked) == {"refused": "", "memory": True}
