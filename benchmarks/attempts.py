"""Run a command and tell what it cost, what it printed, and why it failed if it did."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import tempfile
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


MEGABYTE = 1 << 20


class Run(NamedTuple):
    """The cost of a command: processor seconds, wall seconds, bytes of memory."""

    seconds: float
    wall: float
    peak: int


class Attempt(NamedTuple):
    """A command that has ended; `failure` is empty if all went well."""

    run: Run
    output: bytes
    failure: str = ""


def attempt(
    command: Sequence[str | Path],
    *,
    limit: int | None = None,
    folder: str = "",
    keep: bool = True,
) -> Attempt:
    """Run a command with its output in a pipe (grep stops early for /dev/null).

    `limit` is in seconds of processor time, which other programs on the machine do not
    use up; `folder` is where Python looks for modules first. Output that is not kept
    takes no memory here, where it would count as memory of the commands after it.
    """
    began = time.perf_counter()
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=errors,
            env={**os.environ, "PYTHONPATH": folder} if folder else None,
            preexec_fn=None if limit is None else lambda: _limit(limit),
        ) as process,
    ):
        assert process.stdout is not None
        output = process.stdout.read() if keep else b""
        while process.stdout.read(MEGABYTE):
            pass
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        failure = _failure(process.returncode, errors.read().decode(errors="replace"))
    wall = time.perf_counter() - began
    seconds = usage.ru_utime + usage.ru_stime
    return Attempt(Run(seconds, wall, usage.ru_maxrss * 1024), output, failure)


def _limit(seconds: int) -> None:
    """Let the system end this process after so many seconds of processor time."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))


def _failure(code: int, errors: str) -> str:
    """Say in words why a command failed."""
    if code in {-signal.SIGXCPU, -signal.SIGKILL}:
        return "over the limit"
    return (errors.strip() or f"exit code {code}") if code else ""
