"""Runs in progress: a queue, and a child process for each run that is scored.

A job waits, is scored by `python -m corefkit report` within limits, is stored, and then
is done or has failed with a message. Jobs are kept in memory: a server that is killed
loses its jobs and keeps all runs that were done.
"""

from __future__ import annotations

import asyncio
import ctypes
import gzip
import hashlib
import json
import os
import re
import secrets
import shutil
import signal
import sys
import zlib
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

from corefkit.exceptions import CorefkitError
from corefkit.formats.files import GZIP
from corefkit.serve.store import (
    RequestError,
    RunOutput,
    StoredFile,
    SystemScores,
    format_size,
)
from corefkit.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from corefkit.serve.store import Limits, RunRequest, Store

_MAX_FINISHED_JOBS = 1000
_COPY_BYTES = 1 << 20
_MAX_OUTPUT_BYTES = 1 << 28
_MAX_MESSAGE_CHARS = 4000
_CPU_GRACE_S = 5
_PR_SET_PDEATHSIG = 1  # of Linux: the signal to a child if its parent ends
_MAX_FILENAME_BYTES = 80
_ARCHIVES = (
    *(b"PK\x03\x04", b"PK\x05\x06", b"BZh", b"Rar!"),
    *(b"\xfd7zXZ", b"7z\xbc\xaf\x27\x1c", b"\x28\xb5\x2f\xfd"),
)
_NO_MEMORY = ("not enough memory", "failed to map segment", "annot allocate memory")
_DEFECT = "this is a defect of corefkit; please report it"


_CORPUS_FIELDS = (
    *("documents", "words", "mentions", "entities"),
    *("text", "mention_set", "entity_set"),
)


def make_safe_name(name: str) -> str:
    """Turn a display name into a file name that messages can show.

    It has only letters, digits and `.+-_`, and starts with a letter or digit.

    >>> make_safe_name("../../etc/passwd"), make_safe_name("-")
    ('etc_passwd', 'file')
    >>> make_safe_name("Schlüssel 1.conll"), make_safe_name("x" * 300 + ".conll")[-12:]
    ('Schlüssel_1.conll', 'xxxxxx.conll')
    """
    safe = re.sub(r"^[\W_]+", "", re.sub(r"[^\w.+-]+", "_", name))
    if len(safe.encode("utf-8")) > _MAX_FILENAME_BYTES:
        stem, point, suffix = safe.rpartition(".")
        suffix = f"{point}{suffix}"[:20] if stem else ""
        length = (_MAX_FILENAME_BYTES - len(suffix.encode("utf-8"))) // 4
        safe = f"{(stem or safe)[:length]}{suffix}"
    return safe or "file"


def identify_corpus(fingerprint: Mapping[str, object], key_hash: str) -> str:
    """Return an id for the key content that a response was scored on.

    The same key in another format has the same id. A key without words, or whose
    mentions are names, is identified by the hash of its bytes.

    >>> identify_corpus({"documents": 1, "mentions": 2}, "0f") == (
    ...     identify_corpus({"documents": 1, "mentions": 2}, "0e")
    ... )
    False
    """
    values = [fingerprint.get(name) for name in _CORPUS_FIELDS]
    is_comparable = fingerprint.get("text") and (
        fingerprint.get("mention_set") or not fingerprint.get("mentions")
    )
    text = "|".join(map(str, values)) if is_comparable else key_hash
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


class RunFolder:
    """The files of a run on disk until the run is stored.

    Attributes:
        path: the folder; the child process works in `path / "files"`.
        size: the number of bytes of its files.
    """

    def __init__(self, home: Path, limits: Limits) -> None:
        self._limits = limits
        # Absolute: the child process has another working directory.
        self.path = home.absolute() / f"run-{secrets.token_hex(16)}"
        self.size = 0
        self._paths: dict[StoredFile, Path] = {}
        (self.path / "files").mkdir(parents=True)

    def remove(self) -> None:
        """Delete the folder."""
        shutil.rmtree(self.path, ignore_errors=True)

    def add_file(self, name: str, content: BinaryIO) -> StoredFile:
        """Copy a file into the folder and check its size and compression."""
        path = self._choose_path(name)
        digest = hashlib.sha256()
        size = 0
        with path.open("wb") as target:
            while block := content.read(_COPY_BYTES):
                size += len(block)
                self._check_size(name, size)
                digest.update(block)
                target.write(block)
        self.size += size
        check_compression(path, name, self._limits.file_bytes)
        file = StoredFile(digest.hexdigest(), name)
        self._paths[file] = path
        return file

    def _check_size(self, name: str, size: int) -> None:
        if size > self._limits.file_bytes:
            limit = format_size(self._limits.file_bytes)
            raise RequestError(413, f"{name} has more than {limit}")
        if self.size + size > self._limits.run_bytes:
            limit = format_size(self._limits.run_bytes)
            raise RequestError(413, f"the files of the run have more than {limit}")

    def _choose_path(self, name: str) -> Path:
        safe = make_safe_name(name)
        folder = self.path / "files"
        path, number = folder / safe, 2
        while path.exists():
            path = folder / f"{number}-{safe}"
            number += 1
        return path

    def read_file(self, hash: str) -> bytes:
        """Return the content of a file of the run by its hash."""
        path = next(path for file, path in self._paths.items() if file.hash == hash)
        return path.read_bytes()

    def build_command(self, request: RunRequest) -> list[str]:
        """Build the command line of the child process."""
        options = [
            word
            for name, value in request.settings.items()
            for word in (SETTING_OPTIONS[name], value)
        ]
        responses = [
            # A name ends at the first "=" and has no "/".
            f"{re.sub('[=/]', '_', file.name)}={self._paths[file].name}"
            for file in request.responses
        ]
        return [
            # Modules are not imported from the folder with uploaded files.
            *(
                sys.executable,
                "-P",
                "-m",
                "corefkit",
                "report",
                "--no-config",
                "--quiet",
            ),
            *("--output", "../report.html", "--scores", "../scores.json", *options),
            *("--", self._paths[request.key].name, *responses),
        ]


# Options of `corefkit report` for the settings that a request may name.
SETTING_OPTIONS = {
    "preset": "--preset",
    "format": "--from",
    **{
        row.name: f"--{row.name.replace('_', '-')}"
        for row in SETTINGS.values()
        if row.is_option and row.choices
    },
}


def check_compression(path: Path, name: str, limit: int) -> None:
    """Reject archives, and gzip files that decompress to more than `limit` bytes."""
    with path.open("rb") as file:
        start = file.read(8)
    if start.startswith(_ARCHIVES):
        raise RequestError(
            400,
            f"{name} is an archive, expected a file",
            hint="extract it and upload the file; for a folder, use `corefkit convert`",
        )
    if not start.startswith(GZIP):
        return
    size = 0
    try:
        with gzip.open(path) as stream:
            while block := stream.read(_COPY_BYTES):
                size += len(block)
                if size > limit:
                    message = f"{name} decompresses to more than {format_size(limit)}"
                    raise RequestError(413, message)
    except (OSError, EOFError, zlib.error) as error:
        raise RequestError(400, f"{name} cannot be decompressed: {error}") from error


def limit_process(memory: int, seconds: int) -> None:
    """Limit the resources of this process as far as the system supports it.

    On Linux it also ends with its parent, even if that is killed.
    """
    try:
        import resource
    except ImportError:  # Windows; only the timeout of the server applies there
        return
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    limits = {
        "RLIMIT_AS": (memory, memory),
        "RLIMIT_DATA": (memory, memory),
        "RLIMIT_CPU": (seconds, seconds + _CPU_GRACE_S),
        "RLIMIT_FSIZE": (_MAX_OUTPUT_BYTES, _MAX_OUTPUT_BYTES),
        "RLIMIT_CORE": (0, 0),
    }
    for name, values in limits.items():
        number = getattr(resource, name, None)
        if number is not None:
            with suppress(ValueError, OSError):  # unknown, or a lower limit is set
                resource.setrlimit(number, values)


@dataclass(slots=True)
class Job:
    """A run in progress."""

    request: RunRequest
    folder: RunFolder
    id: str = field(default_factory=lambda: secrets.token_hex(16))
    state: Literal["waiting", "scoring", "done", "failed"] = "waiting"
    run: int | None = None
    reason: str = ""


class JobQueue:
    """Jobs in the order in which they arrived, and the workers that score them."""

    def __init__(self, limits: Limits, store: Store) -> None:
        self._limits, self._store = limits, store
        self._queue: deque[Job] = deque()
        self._jobs: dict[str, Job] = {}
        self._has_work = asyncio.Event()
        self._workers: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Start the workers."""
        self._workers = [
            asyncio.create_task(self._work()) for _ in range(self._limits.at_once)
        ]

    async def stop(self) -> None:
        """Stop the workers and their child processes."""
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)

    def check_space(self) -> None:
        """Raise if the queue is full."""
        if len(self._queue) >= self._limits.queue:
            message = f"{len(self._queue)} runs are waiting, which is the limit"
            raise RequestError(503, message, hint="try again in a few minutes")

    def add(self, request: RunRequest, folder: RunFolder) -> Job:
        """Append a job to the queue."""
        self.check_space()
        job = Job(request, folder)
        self._jobs[job.id] = job
        self._queue.append(job)
        self._has_work.set()
        finished = [
            job for job in self._jobs.values() if job.state in ("done", "failed")
        ]
        for old in finished[:-_MAX_FINISHED_JOBS]:
            del self._jobs[old.id]
        return job

    def find(self, id: str) -> Job | None:
        """Return a job by its id."""
        return self._jobs.get(id)

    def list_unfinished(self) -> list[Job]:
        """List the jobs that wait or are being scored."""
        jobs = [*self._jobs.values()]  # a copy, as requests run in other threads
        return [job for job in jobs if job.state in ("waiting", "scoring")]

    def count_ahead(self, job: Job) -> int:
        """Count the jobs that are scored before one that waits."""
        return self._queue.index(job) if job in self._queue else 0

    async def _work(self) -> None:
        while True:
            while not self._queue:
                self._has_work.clear()
                await self._has_work.wait()
            job = self._queue.popleft()
            job.state = "scoring"
            try:
                job.run = await self._score(job)
                job.state = "done"
            except CorefkitError as error:
                job.state, job.reason = "failed", str(error)
            except OSError as error:
                job.state = "failed"
                job.reason = f"the server cannot store the files: {error.strerror}"
            except Exception as error:  # noqa: BLE001 - the worker must go on
                job.state, job.reason = "failed", f"{type(error).__name__}: {error}"
            finally:
                job.folder.remove()

    async def _score(self, job: Job) -> int:
        code = await run_command(
            job.folder.build_command(job.request), job.folder.path, self._limits
        )
        output = read_output(job.folder.path, job.request, code, self._limits)
        storing = asyncio.create_task(
            asyncio.to_thread(
                self._store.add_run,
                job.request,
                output,
                job.folder.read_file,
            )
        )
        try:
            return await asyncio.shield(storing)
        except asyncio.CancelledError:
            await storing  # a scored run is stored even if the server stops
            raise


async def run_command(command: Sequence[str], folder: Path, limits: Limits) -> int:
    """Run a command in `folder / "files"` within limits; return its exit code."""
    with (folder / "messages.txt").open("wb") as messages:
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=folder / "files",
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=messages,
            env={**os.environ, "TMPDIR": str(folder), "OPENBLAS_NUM_THREADS": "1"},
            # Ctrl-C in the terminal is handled by the server, which stops its children.
            start_new_session=True,
            preexec_fn=partial(limit_process, limits.memory, limits.seconds)
            if os.name == "posix"
            else None,
        )
    try:
        return await asyncio.wait_for(process.wait(), limits.seconds)
    except TimeoutError:
        message = f"it took more than {limits.seconds} seconds"
        raise _make_limit_error(message, "--time-limit") from None
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                if hasattr(os, "killpg"):
                    os.killpg(process.pid, signal.SIGKILL)
                else:
                    process.kill()
            await process.wait()


def _make_limit_error(message: str, option: str) -> CorefkitError:
    hint = f"upload fewer responses at once, or start the server with {option}"
    return CorefkitError(
        f"the run was stopped: {message}", code="request/too-large", hint=hint
    )


def read_output(
    folder: Path, request: RunRequest, code: int, limits: Limits
) -> RunOutput:
    """Read the page and the scores of a run, or raise the reason for the failure."""
    report, scores = folder / "report.html", folder / "scores.json"
    if not (report.is_file() and scores.is_file()):
        raise _explain_failure(folder, code, limits)
    results = json.loads(scores.read_text("utf-8"))
    entries: dict[str, dict[str, Any]] = {}
    for entry in results["systems"]:
        entries[entry["response"]] = entry
    reasons = {one["response"]: one["reason"] for one in results.get("refused", ())}
    systems = []
    for file in request.responses:
        name = re.sub("[=/]", "_", file.name)
        if name not in entries:
            reason = adapt_hints(reasons.get(name, "cannot be scored"))
            systems.append(SystemScores(file.name, reason=reason))
            continue
        entry = {**entries[name], "response": file.name}
        entry.pop("per_document", None)
        text = json.dumps({**results, "systems": [entry], "refused": []})
        corpus = identify_corpus(entry["corpus"], request.key.hash)
        systems.append(SystemScores(file.name, corpus, text))
    # Responses can lack documents; the key has at least as many as any of them.
    fingerprint = max(
        (entry["corpus"] for entry in entries.values()),
        key=lambda corpus: corpus.get("documents") or 0,
    )
    return RunOutput(
        identify_corpus(fingerprint, request.key.hash),
        fingerprint,
        results["signature"],
        tuple(systems),
        scores.read_bytes(),
        report.read_bytes(),
    )


def _explain_failure(folder: Path, code: int, limits: Limits) -> CorefkitError:
    text = (folder / "messages.txt").read_text("utf-8", "replace")
    text = text.strip()[-_MAX_MESSAGE_CHARS:]
    if any(sign in text for sign in _NO_MEMORY):
        message = f"it needs more than {format_size(limits.memory)} of memory"
        return _make_limit_error(message, "--memory-limit")
    if code == -getattr(signal, "SIGXCPU", 0):
        message = f"it took more than {limits.seconds} seconds"
        return _make_limit_error(message, "--time-limit")
    if code < 0 or not text:
        how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        return CorefkitError(
            f"the process that scored the run ended {how} before it was done",
            code="environment/worker-died",
            hint="it may have run out of memory or disk space; try again",
        )
    message, _, hint = text.partition("\n\nhint: ")
    if "Traceback" in text or _DEFECT in text:
        message = message.splitlines()[-1].removeprefix("corefkit: ")
        return CorefkitError(message, code="request/defect", hint=_DEFECT)
    return CorefkitError(
        re.sub("^error: ", "", adapt_hints(message)),
        code="pairing/nothing-scored",
        hint=adapt_hints(hint) or None,
    )


def adapt_hints(text: str) -> str:
    """Replace hints about command-line options with hints about the form.

    >>> adapt_hints("name the format with --from, or see `corefkit validate --help`")
    'choose the format under Settings, or see `corefkit validate --help`'
    """
    return text.replace(
        "name the format with --from", "choose the format under Settings"
    ).replace("omit --from", "leave the format under Settings unset")
