"""Feed every reader of corefkit with broken files, and see that it stays calm.

    python3 dev.py fuzz                        every format for a minute
    python3 dev.py fuzz --seconds 600 brat     one format for ten

What is looked for, and how, stands in README.md beside this file.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cases import load
from fuzzing import SHRINKING, fuzz_format, store

from corefkit.formats import FORMATS

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess

_HOME = Path(__file__).resolve().parent
_GRACE = 120  # seconds that a process may need to end
_MOST_DEATHS = 10  # of processes; then the format is left alone


def main() -> int:
    """Run the job; the exit code is 1 where something was found."""
    arguments = _arguments()
    arguments.findings.mkdir(parents=True, exist_ok=True)
    waiting = [
        _Run(name, arguments.seconds, arguments.findings) for name in arguments.formats
    ]
    runs = list(waiting)
    running: list[_Run] = []
    while waiting or running:
        while waiting and len(running) < (os.cpu_count() or 1):
            running.append(waiting.pop(0))
            running[-1].start()
        time.sleep(0.2)
        for run in [run for run in running if run.is_over()]:
            running.remove(run)
            _say(str(run))
    total = sum(run.found for run in runs)
    _say(f"{total} findings" + (f" in {arguments.findings}" if total else ""))
    return int(total > 0)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("formats", metavar="FORMAT", nargs="*", default=[*FORMATS])
    parser.add_argument("--seconds", type=float, default=60, help="for each format")
    parser.add_argument(
        "--findings", type=Path, default=_HOME / "findings", help="folder to write to"
    )
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.formats if name not in FORMATS]:
        parser.error(f"unknown formats: {', '.join(unknown)}")
    return arguments


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class _Run:
    """The fuzzing of one format in a process of its own, which may die or hang."""

    def __init__(self, name: str, seconds: float, findings: Path) -> None:
        self.name = name
        self.seconds = seconds
        self.findings = findings
        self.died = 0
        self._folder = Path(tempfile.mkdtemp(prefix=f"fuzz-{name}-"))
        self._context = multiprocessing.get_context("spawn")
        self._counts: Any = self._context.Array("q", 4)  # as in `_Fuzzing`
        self._process: SpawnProcess | None = None
        self._ends = 0.0

    @property
    def found(self) -> int:
        return int(self._counts[2]) + self.died

    def start(self) -> None:
        self._ends = time.monotonic() + self.seconds
        self._restart()

    def _restart(self) -> None:
        left = max(1.0, self._ends - time.monotonic())
        work = self._folder / str(self.died)
        work.mkdir()
        self._process = self._context.Process(
            target=fuzz_format,
            args=(self.name, left, self.findings, work, self._counts),
        )
        self._process.start()

    def is_over(self) -> bool:
        """Return whether the time is up; until then, replace a process that died."""
        process = self._process
        if process is None:
            return True
        late = time.monotonic() > self._ends + _GRACE + self.found * SHRINKING
        if process.is_alive() and not late:
            return False
        if process.is_alive():
            process.kill()
        process.join()
        if late or process.exitcode:
            why = "hangs" if late else f"ends the process with code {process.exitcode}"
            inputs = self._folder / str(self.died) / "input"
            store(self.findings, self.name, load(inputs), f"{self.name}: {why}")
            self.died += 1
            if time.monotonic() < self._ends and self.died < _MOST_DEATHS:
                self._restart()
                return False
        shutil.rmtree(self._folder, ignore_errors=True)
        return True

    def __str__(self) -> str:
        tried, kept, _, skipped = self._counts[:]
        if skipped:
            return f"{self.name:10} skipped: it needs a library that is not installed"
        return (
            f"{self.name:10} {self.seconds:.0f} s  {tried:>8} inputs  {kept:>5} kept  "
            f"{self.found:>3} findings"
        )


if __name__ == "__main__":
    sys.exit(main())
