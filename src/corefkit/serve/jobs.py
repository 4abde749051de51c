"""Runs in progress: their limits, a queue, and a child process for each run.

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
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Literal

from corefkit.exceptions import CorefkitError, SettingsError
from corefkit.formats.files import GZIP
from corefkit.serve.store import Store, StoredRun
from corefkit.settings import SETTINGS
from corefkit.strings import format_count

_KIB, _MIB, _GIB = 1 << 10, 1 << 20, 1 << 30
_NOUNS = {
    "documents": "document",
    "words": "word",
    "mentions": "mention",
    "entities": "entity",
}
_MAX_STORED_BYTES = 512 * _MIB  # SQLite keeps values of up to a gigabyte
_MAX_FINISHED_JOBS = 1000
_COPY_BYTES = _MIB
_MAX_OUTPUT_BYTES = 256 * _MIB
_MAX_MESSAGE_CHARS = 4000
_CPU_GRACE_S = 5
_PR_SET_PDEATHSIG = 1  # of Linux: the signal to a child if its parent ends
_HERE = "./"  # the folder of the files of a run
_MAX_FILENAME_CHARS = 50  # of four bytes or less
_ARCHIVES = (
    *(b"PK\x03\x04", b"PK\x05\x06", b"BZh", b"Rar!"),
    *(b"\xfd7zXZ", b"7z\xbc\xaf\x27\x1c", b"\x28\xb5\x2f\xfd"),
)
_NO_MEMORY = ("not enough memory", "failed to map segment", "annot allocate memory")
DEFECT = "this is a defect of corefkit; please report it"
_STATUS_CODES = {
    400: "request/invalid",
    403: "request/forbidden",
    404: "request/not-found",
    408: "request/timeout",
    413: "request/too-large",
    500: "request/defect",
    503: "request/busy",
    507: "request/no-space",
}
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


class RequestError(CorefkitError):
    """A request that the server rejects, with the HTTP status of the response."""

    def __init__(self, status: int, message: str, *, hint: str | None = None) -> None:
        super().__init__(message, code=_STATUS_CODES[status], hint=hint)
        self.status = status


@dataclass(frozen=True, slots=True)
class Limits:
    """Upper bounds for requests and runs."""

    file_bytes: int = 64 * _MIB  # as uploaded, and after decompression
    responses: int = 50
    run_bytes: int = 256 * _MIB  # all files of a run together
    database_bytes: int = 10 * _GIB  # above it, no run is added
    upload_seconds: int = 120
    at_once: int = max(1, min(4, (os.cpu_count() or 1) // 2))  # runs that are scored
    queue: int = 100  # runs that wait
    memory: int = 2 * _GIB  # of one run, in bytes
    seconds: int = 300  # of one run
    name_length: int = 200
    notes_length: int = 2000

    def __post_init__(self) -> None:
        for limit in fields(self):
            value = getattr(self, limit.name)
            if value < 1:
                message = f"the limit {limit.name!r} is {value}, expected 1 or more"
                raise SettingsError(message, code="settings/invalid-value")
        if self.file_bytes > _MAX_STORED_BYTES:
            message = f"files of {format_size(self.file_bytes)} cannot be stored"
            hint = f"at most {format_size(_MAX_STORED_BYTES)}"
            raise SettingsError(message, code="settings/invalid-value", hint=hint)


def format_size(size: int) -> str:
    for unit, name in ((_GIB, "GB"), (_MIB, "MB"), (_KIB, "KB")):
        if size >= unit:
            return f"{size / unit:.1f}".removesuffix(".0") + f" {name}"
    return f"{size} bytes"


class RunFolder:
    """The files of a run on disk until the run is stored."""

    def __init__(self, home: Path, limits: Limits) -> None:
        self._limits = limits
        # Absolute: the child process works in `path / "files"`.
        self.path = home.absolute() / f"run-{secrets.token_hex(16)}"
        self.files: dict[tuple[str, str], Path] = {}  # by hash and display name
        (self.path / "files").mkdir(parents=True)

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)

    def add_file(self, name: str, content: BinaryIO) -> tuple[str, str]:
        """Copy a file into the folder and check it; return its hash and name."""
        path, number = self.path / "files" / make_safe_name(name), 2
        while path.exists():
            path = path.with_name(f"{number}-{make_safe_name(name)}")
            number += 1
        with path.open("wb") as target:
            shutil.copyfileobj(content, target)
        sizes = [file.stat().st_size for file in path.parent.iterdir()]
        for text, size, limit in (
            (f"{name} has", path.stat().st_size, self._limits.file_bytes),
            ("the files of the run have", sum(sizes), self._limits.run_bytes),
        ):
            if size > limit:
                raise RequestError(413, f"{text} more than {format_size(limit)}")
        check_compression(path, name, self._limits.file_bytes)
        with path.open("rb") as file:
            hash = hashlib.file_digest(file, "sha256").hexdigest()
        self.files[hash, name] = path
        return hash, name

    def build_command(self, run: StoredRun) -> list[str]:
        options = [
            word
            for name, value in run.settings.items()
            for word in (SETTING_OPTIONS[name], value)
        ]
        # A name that is also the path would be shortened as if it was not given.
        responses = [
            f"{_escape_name(response.name)}="
            f"{_HERE}{self.files[response.file, response.name].name}"
            for response in run.responses
        ]
        return [
            # Modules are not imported from the folder with uploaded files.
            *(sys.executable, "-P", "-m", "corefkit", "report"),
            *("--no-config", "--quiet", *options),
            *("--output", "../report.html", "--scores", "../scores.json"),
            *("--", self.files[run.key_file, run.key_name].name, *responses),
        ]


@dataclass(slots=True)
class Job:
    run: StoredRun
    folder: RunFolder
    id: str = field(default_factory=lambda: secrets.token_hex(16))
    state: Literal["waiting", "scoring", "done", "failed"] = "waiting"
    number: int | None = None
    reason: str = ""


def _escape_name(name: str) -> str:
    """In `NAME=PATH`, a name ends at the first `=` and has no `/`."""
    return re.sub("[=/]", "_", name)


def make_safe_name(name: str) -> str:
    """Convert a display name to a file name of letters, digits and `.+-_`."""
    safe = re.sub(r"[^\w.+-]+", "_", name)[-_MAX_FILENAME_CHARS:]
    return re.sub(r"^[\W_]+", "", safe) or "file"


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


class JobQueue:
    """Jobs in the order in which they arrived; some are scored at the same time."""

    def __init__(self, limits: Limits, store: Store) -> None:
        self._limits, self._store = limits, store
        self._slots = asyncio.Semaphore(limits.at_once)  # first come, first served
        self._jobs: dict[str, Job] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def check_space(self) -> None:
        waiting = len(self.list_jobs("waiting"))
        if waiting >= self._limits.queue:
            message = f"{waiting} runs are waiting, which is the limit"
            raise RequestError(503, message, hint="try again in a few minutes")

    def add(self, job: Job) -> None:
        self.check_space()
        self._jobs[job.id] = job
        for old in self.list_jobs("done", "failed")[:-_MAX_FINISHED_JOBS]:
            del self._jobs[old.id]
        task = asyncio.create_task(self._run(job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def find(self, id: str) -> Job | None:
        return self._jobs.get(id)

    def list_jobs(self, *states: str) -> list[Job]:
        """List the jobs in some states, the oldest first."""
        jobs = [*self._jobs.values()]  # a copy, as requests run in other threads
        return [job for job in jobs if job.state in states]

    async def stop(self) -> None:
        """Stop all jobs and their child processes."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self, job: Job) -> None:
        try:
            async with self._slots:
                job.state = "scoring"
                command = job.folder.build_command(job.run)
                code = await run_command(command, job.folder.path, self._limits)
                # A scored run is stored even if the server stops.
                storing = asyncio.create_task(
                    asyncio.to_thread(self._store_run, job, code)
                )
                try:
                    job.number = await asyncio.shield(storing)
                except asyncio.CancelledError:
                    await storing
                    raise
            job.state = "done"
        except CorefkitError as error:
            job.state, job.reason = "failed", str(error)
        except OSError as error:
            reason = f"the server cannot store the files: {error.strerror}"
            job.state, job.reason = "failed", reason
        except Exception as error:  # noqa: BLE001 - the page shows it
            job.state, job.reason = "failed", f"{type(error).__name__}: {error}"
        finally:
            job.folder.remove()

    def _store_run(self, job: Job, code: int) -> int:
        folder = job.folder.path
        return self._store.add_run(
            read_output(folder, job.run, code, self._limits),
            {hash: path for (hash, _), path in job.folder.files.items()},
            scores=(folder / "scores.json").read_bytes(),
            report=(folder / "report.html").read_bytes(),
        )


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


def limit_process(memory: int, seconds: int) -> None:
    """Limit the resources of this process as far as the system supports it."""
    import resource

    if sys.platform == "linux":
        # It also ends with its parent, even if that is killed.
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


def read_output(folder: Path, run: StoredRun, code: int, limits: Limits) -> StoredRun:
    """Add the scores of the child process to a run, or raise why there are none."""
    scores = folder / "scores.json"
    if not ((folder / "report.html").is_file() and scores.is_file()):
        raise _explain_failure(folder, code, limits)
    results = json.loads(scores.read_text("utf-8"))
    entries = {entry["response"]: entry for entry in results["systems"]}
    reasons = {
        entry["response"]: entry["reason"] for entry in results.get("refused", ())
    }
    responses = []
    for response in run.responses:
        name = _escape_name(response.name)
        if name not in entries:
            reason = adapt_hints(reasons.get(name, "cannot be scored"))
            responses.append(response._replace(reason=reason))
            continue
        entry = {**entries[name], "response": response.name}
        entry.pop("per_document", None)
        text = json.dumps({**results, "systems": [entry], "refused": []})
        corpus = identify_corpus(entry["corpus"], run.key_file)
        responses.append(response._replace(corpus=corpus, scores=text))
    # Responses can lack documents; the key has at least as many as any of them.
    fingerprint = max(
        (entry["corpus"] for entry in entries.values()),
        key=lambda corpus: corpus.get("documents") or 0,
    )
    return replace(
        run,
        responses=tuple(responses),
        corpus=identify_corpus(fingerprint, run.key_file),
        size=describe_size(fingerprint),
    )


def identify_corpus(fingerprint: Mapping[str, object], key_hash: str) -> str:
    """Return an id that a key has in any format, or a hash of a key without words."""
    names = (*_NOUNS, "text", "mention_set", "entity_set")
    is_comparable = fingerprint.get("text") and (
        fingerprint.get("mention_set") or not fingerprint.get("mentions")
    )
    text = "|".join(str(fingerprint.get(name)) for name in names)
    hashed = text if is_comparable else key_hash
    return hashlib.sha256(hashed.encode("utf-8")).hexdigest()[:16]


def describe_size(fingerprint: Mapping[str, Any]) -> str:
    return ", ".join(
        format_count(fingerprint[name], noun)
        for name, noun in _NOUNS.items()
        if fingerprint.get(name) is not None
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
        end = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        return CorefkitError(
            f"the process that scored the run ended {end} before it was done",
            code="environment/worker-died",
            hint="it may have run out of memory or disk space; try again",
        )
    message, _, hint = text.partition("\n\nhint: ")
    if "Traceback" in text or DEFECT in text:
        message = message.splitlines()[-1].removeprefix("corefkit: ")
        return CorefkitError(message, code="request/defect", hint=DEFECT)
    return CorefkitError(
        re.sub("^error: ", "", adapt_hints(message)),
        code="pairing/nothing-scored",
        hint=adapt_hints(hint) or None,
    )


def _make_limit_error(message: str, option: str) -> CorefkitError:
    hint = f"upload fewer responses at once, or start the server with {option}"
    return CorefkitError(
        f"the run was stopped: {message}", code="request/too-large", hint=hint
    )


def adapt_hints(text: str) -> str:
    """Replace hints about command-line options with hints about the form."""
    replacements = {
        "name the format with --from": "choose the format under Settings",
        "omit --from": "leave the format under Settings unset",
        _HERE: "",
    }
    for words, replacement in replacements.items():
        text = text.replace(words, replacement)
    return text
