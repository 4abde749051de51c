"""Feed every reader of corefkit with broken files, and see that it stays calm.

    python3 dev.py fuzz                        every format for a minute
    python3 dev.py fuzz --seconds 600 brat     one format for ten

What is looked for, and how, stands in README.md beside this file.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from cases import load, save
from corefkit.exceptions import FormatError
from corefkit.formats import FORMATS
from laws import Outcome, examine
from mutations import mutated, words
from reached import watch_lines
from seeds import drawn_case, seeds
from shrinking import shrunk

if TYPE_CHECKING:
    from collections.abc import Sequence
    from multiprocessing.context import SpawnProcess

    from cases import Case
    from laws import BrokenLawError

_HOME = Path(__file__).resolve().parent
_HANGS = 30  # seconds of processor time after which an input is given up
_GRACE = 120  # seconds that a process may need to end
_SHRINKING = 20  # seconds for each finding
_MEMORY = 4 << 30  # bytes
_MOST_SEEDS = 2000


def main() -> int:
    """Run the job; the exit code is 1 where something was found."""
    arguments = _arguments()
    arguments.findings.mkdir(parents=True, exist_ok=True)
    # The slow ones would otherwise be left to the end: all take equally long.
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
        """Say whether the time is up; a process that died is replaced before that."""
        process = self._process
        if process is None:
            return True
        late = time.monotonic() > self._ends + _GRACE + self.found * _SHRINKING
        if process.is_alive() and not late:
            return False
        if process.is_alive():
            process.kill()
        process.join()
        if late or process.exitcode:
            why = "hangs" if late else f"ends the process with code {process.exitcode}"
            inputs = self._folder / str(self.died) / "input"
            _store(self.findings, self.name, load(inputs), f"{self.name}: {why}")
            self.died += 1
            if time.monotonic() < self._ends:
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


def fuzz_format(
    name: str, seconds: float, findings: Path, folder: Path, counts: Any
) -> None:
    """Fuzz one format for some time.

    Args:
        name: the format.
        seconds: how long.
        findings: the folder for what is found.
        folder: an empty folder to work in.
        counts: inputs tried, inputs kept as seeds, findings, and whether the format
            could not be written; told as they grow.
    """
    _limit()
    until = time.monotonic() + seconds
    (folder / "seeds").mkdir()
    try:
        begin = seeds(name, folder / "seeds")
    except FormatError:
        counts[3] = 1
        return
    begin += [load(one) for one in sorted(findings.glob(f"{name}-*"))]
    fuzzing = _Fuzzing(name, findings, folder, counts)
    for case in begin:
        fuzzing.take(case, recognising=False, always=True)
        fuzzing.take(case, recognising=True)
    while time.monotonic() < until:
        # Mostly as this format, whatever it looks like now: so its reader is tried.
        fuzzing.take(fuzzing.next_case(), recognising=fuzzing.random.random() < 0.1)
    fuzzing.shrink_findings()


def _limit() -> None:
    """Let an input that takes for ever, or all memory, end as an error."""
    with suppress(ImportError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGVTALRM, _give_up)


def _give_up(*_: object) -> None:
    message = f"takes longer than {_HANGS} s"
    raise TimeoutError(message)


@dataclass
class _Fuzzing:
    """The state of fuzzing one format.

    Attributes:
        name: the format.
        findings: the folder for what is found.
        folder: the folder to work in.
        counts: inputs tried, inputs kept as seeds, findings; told to the parent.
        pool: the inputs that others are made of.
        sound: those of them that can be read.
        features: all that was told of inputs, or found in them, so far.
        lines: the lines of the readers that were reached.
        known: for each kind of finding, where it is stored, and whether the format was
            to be recognised.
    """

    name: str
    findings: Path
    folder: Path
    counts: Any
    random: Random = field(default_factory=Random)
    pool: list[Case] = field(default_factory=list)
    sound: list[Case] = field(default_factory=list)
    features: set[str] = field(default_factory=set)
    lines: list[str] = field(default_factory=watch_lines)
    known: dict[str, tuple[Path, bool]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.dictionary = words(self.name)
        for part in ("input", "work"):
            (self.folder / part).mkdir()

    def next_case(self) -> Case:
        """Make a new input of one that is there: of three the smallest.

        Mostly of one that can be read, since of the others few can.
        """
        if self.random.random() < 0.05:
            self._clear()
            return drawn_case(self.name, self.random, self.folder / "work")
        pool = self.sound if self.random.random() < 0.8 else self.pool
        case = min(self.random.choices(pool or self.pool, k=3), key=_size)
        return mutated(case, self.random, self.dictionary, self.pool)

    def take(self, case: Case, *, recognising: bool, always: bool = False) -> None:
        """Try an input, and keep it where it tells something new.

        Args:
            case: the input.
            recognising: whether its format is to be recognised.
            always: keep it in any case.
        """
        reached = len(self.lines)
        outcome = self._outcome(case, recognising=recognising)
        self.counts[0] += 1
        new = len(self.lines) > reached or not outcome.features <= self.features
        if always or (new and len(self.pool) < _MOST_SEEDS):
            self.features |= outcome.features
            self.pool.append(case)
            self.sound.extend([case] * outcome.sound)
            self.counts[1] = len(self.pool)
        if outcome.broken is not None:
            self._keep_finding(case, outcome.broken, recognising=recognising)

    def _outcome(self, case: Case, *, recognising: bool) -> Outcome:
        path = save(case, self.name, self.folder / "input")
        self._clear()
        name = None if recognising else self.name
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_VIRTUAL, _HANGS)
        try:
            return examine(path, name, self.folder / "work")
        finally:
            if hasattr(signal, "setitimer"):
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def _clear(self) -> None:
        for old in (self.folder / "work").iterdir():
            old.unlink()

    def _keep_finding(
        self, case: Case, broken: BrokenLawError, *, recognising: bool
    ) -> None:
        if broken.name in self.known:
            return
        folder = _store(self.findings, self.name, case, str(broken))
        self.known[broken.name] = folder, recognising
        self.counts[2] = len(self.known)

    def shrink_findings(self) -> None:
        """Put smaller inputs in the place of those that were found."""
        for name, (folder, recognising) in self.known.items():

            def broken(
                case: Case, name: str = name, recognising: bool = recognising
            ) -> BrokenLawError | None:
                found = self._outcome(case, recognising=recognising).broken
                return found if found is not None and found.name == name else None

            small = shrunk(load(folder), broken, seconds=_SHRINKING)
            found = broken(small)
            if found is not None:  # else it is not the same each time
                shutil.rmtree(folder)
                _store(self.findings, self.name, small, str(found))


def _size(case: Case) -> int:
    return sum(map(len, case.values()))


def _store(findings: Path, name: str, case: Case, what: str) -> Path:
    digest = hashlib.sha256(repr(case).encode()).hexdigest()[:8]
    folder = findings / f"{name}-{digest}"
    folder.mkdir(exist_ok=True)
    for ending, content in case.items():
        (folder / f"story{ending}").write_bytes(content)
    (folder / "finding.txt").write_text(what + "\n", "utf-8", errors="backslashreplace")
    return folder


if __name__ == "__main__":
    sys.exit(main())
