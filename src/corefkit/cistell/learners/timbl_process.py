"""The process in which TiMBL runs, seen from corefkit: lines in, answers out."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

import numpy as np

from corefkit.cistell.learners.arrays import AGAIN
from corefkit.cistell.learners.timbl_worker import FIELDS, read_frame, write_frame
from corefkit.exceptions import CorefkitError

if TYPE_CHECKING:
    from numpy.typing import NDArray

# So many lines are sent at once: enough to be cheap, few enough to share among cores.
_CHUNK = 500


class Channel(NamedTuple):
    """The pipes to and from one core."""

    lines: BinaryIO
    answers: BinaryIO


class TimblProcess:
    """A TiMBL that has read its instances and answers lines on all cores.

    It ends when nothing refers to it any more.
    """

    def __init__(self, options: str, instances: Path, weights: Path) -> None:
        self._owner = os.getpid()
        self._lock = Lock()
        self._said = tempfile.TemporaryFile()  # noqa: SIM115
        theirs: list[int] = []
        self._channels = [_channel(theirs) for _ in range(_cores())]
        try:
            process = subprocess.Popen(
                _command("decide", options, instances, weights, *theirs),
                stdin=subprocess.DEVNULL,
                stdout=self._said,
                stderr=self._said,
                pass_fds=theirs,
                env=_environment(),
            )
        finally:
            for end in theirs:
                os.close(end)
        weakref.finalize(self, _stop, process, self._channels, self._said)
        for channel in self._channels:
            if read_frame(channel.answers) is None:
                message = "TiMBL cannot read the instances of this model"
                raise _failed(message, self._said, AGAIN)

    def answer(self, lines: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Give for every line its class, distance, positive votes and all votes."""
        if os.getpid() != self._owner:
            message = "a process that was forked cannot ask the TiMBL of another"
            raise CorefkitError(message, hint="load the model in each process")
        answers = np.empty((len(lines), FIELDS))
        waiting = iter(range(0, len(lines), _CHUNK))

        def ask(channel: Channel) -> None:
            while (at := next(waiting, None)) is not None:
                part = slice(at, at + _CHUNK)
                answers[part] = self._ask(channel, lines[part])

        with self._lock, ThreadPoolExecutor(len(self._channels)) as pool:
            list(pool.map(ask, self._channels))
        return answers

    def _ask(self, channel: Channel, lines: NDArray[np.uint8]) -> NDArray[np.float64]:
        try:
            write_frame(channel.lines, lines.tobytes()[:-1])
            body = read_frame(channel.answers)
        except OSError:
            body = None
        if body is None:
            message = "TiMBL stopped while it was deciding"
            raise _failed(message, self._said, AGAIN)
        return np.frombuffer(body).reshape(-1, FIELDS)


def run_timbl(command: str, options: str, *paths: Path) -> None:
    """Run TiMBL once, to its end."""
    with tempfile.TemporaryFile() as said:
        done = subprocess.run(
            _command(command, options, *paths),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            check=False,
            env=_environment(),
        )
        if done.returncode:
            message = f"TiMBL failed to {command}"
            raise _failed(message, said, "the learner ib1 decides the same without it")


def _command(command: str, options: str, *rest: object) -> list[str]:
    # Without the folder of the script, whose names are not for others to import.
    worker = Path(__file__).with_name("timbl_worker.py")
    return [sys.executable, "-P", str(worker), command, options, *map(str, rest)]


def _environment() -> dict[str, str]:
    """Let the other process find modules where this one does."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _channel(theirs: list[int]) -> Channel:
    """Open two pipes; the ends for the other process go on the list."""
    their_lines, our_lines = os.pipe()
    our_answers, their_answers = os.pipe()
    theirs += [their_lines, their_answers]
    return Channel(os.fdopen(our_lines, "wb"), os.fdopen(our_answers, "rb"))


def _stop(
    process: subprocess.Popen[bytes], channels: list[Channel], said: BinaryIO
) -> None:
    for channel in channels:
        with suppress(OSError):  # what a process that is gone did not take
            channel.lines.close()
        channel.answers.close()
    # A fork of this process may hold the pipes open.
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    said.close()


def _failed(message: str, said: BinaryIO, hint: str) -> CorefkitError:
    said.seek(0)
    lines = said.read().decode(errors="replace").strip().split("\n")
    reason = f"; it said: {lines[-1].strip()}" if lines[-1] else ""
    return CorefkitError(message + reason, hint=hint)
