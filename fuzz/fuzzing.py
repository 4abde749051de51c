"""Fuzzing one format: inputs are changed, tried, and kept where they tell something."""

from __future__ import annotations

import hashlib
import shutil
import signal
import time
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from cases import STEM, load, save
from drawn import drawn
from laws import Outcome, examine, examine_written
from mutations import mutated, words
from reached import watch_lines
from seeds import seeds
from shrinking import shrunk

from corefkit.exceptions import FormatError

if TYPE_CHECKING:
    from pathlib import Path

    from cases import Case
    from laws import BrokenLawError

SHRINKING = 20  # seconds for each finding
_HANGS = 30  # seconds of processor time after which an input is given up
_MEMORY = 4 << 30  # bytes
_MOST_SEEDS = 2000
# How often inputs are drawn anew, read without naming their format, and made of sound
# ones.
_DRAWN, _RECOGNISED, _SOUND = 0.05, 0.1, 0.8


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
    except FormatError as error:
        if "not installed" not in error.message:
            raise
        counts[3] = 1
        return
    begin += filter(None, map(load, sorted(findings.glob(f"{name}-*"))))
    fuzzing = _Fuzzing(name, findings, folder, counts)
    for case in begin:
        fuzzing.take(case, recognising=False, always=True)
        fuzzing.take(case, recognising=True)
    while time.monotonic() < until:
        fuzzing.step()
    fuzzing.shrink_findings()


def _limit() -> None:
    """Turn an input that takes forever, or all memory, into an error."""
    with suppress(ImportError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGVTALRM, _give_up)


def _give_up(*_: object) -> None:
    message = f"takes longer than {_HANGS} s"
    raise TimeoutError(message)


class _Known(NamedTuple):
    """A finding: where it is stored, and how it came about."""

    folder: Path
    recognising: bool
    drawn: bool = False


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
        known: the findings by their kind.
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
    known: dict[str, _Known] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.dictionary = words(self.name)
        for part in ("input", "work"):
            (self.folder / part).mkdir()

    def step(self) -> None:
        """Try one more input: a changed one or, now and then, a document drawn anew.

        It is mostly read as this format, whatever it looks like now, so that its reader
        is tried, and not how formats are recognised.
        """
        if self.random.random() < _DRAWN:
            self._take_drawn()
        else:
            recognising = self.random.random() < _RECOGNISED
            self.take(self._next_case(), recognising=recognising)

    def _next_case(self) -> Case:
        """Make a new input of one that is there: of three the smallest.

        Mostly of one that can be read, since of the others few can.
        """
        pool = self.sound if self.random.random() < _SOUND else self.pool
        case = min(self.random.choices(pool or self.pool, k=3), key=_size)
        return mutated(case, self.random, self.dictionary, self.pool)

    def _take_drawn(self) -> None:
        self._clear()
        document = drawn(self.random)
        broken = examine_written(document, self.name, self.folder / "work")
        if broken is None:
            if case := load(self.folder / "work"):
                self.take(case, recognising=False)
        elif broken.name not in self.known:
            # The document tells more than the file, which may not even be there.
            folder = store(self.findings, self.name, {}, str(broken))
            self._know(broken, _Known(folder, recognising=False, drawn=True))

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
        broken = outcome.broken
        if broken is not None and broken.name not in self.known:
            folder = store(self.findings, self.name, case, str(broken))
            self._know(broken, _Known(folder, recognising))

    def _know(self, broken: BrokenLawError, known: _Known) -> None:
        self.known[broken.name] = known
        self.counts[2] += 1

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

    def shrink_findings(self) -> None:
        """Replace the inputs that were found by smaller ones."""
        for name, known in self.known.items():
            if not known.drawn:
                self._shrink(name, known)

    def _shrink(self, name: str, known: _Known) -> None:
        def broken(case: Case) -> BrokenLawError | None:
            found = self._outcome(case, recognising=known.recognising).broken
            return found if found is not None and found.name == name else None

        small = shrunk(load(known.folder), broken, seconds=SHRINKING)
        found = broken(small)
        if found is not None:  # else it does not come about each time
            shutil.rmtree(known.folder)
            store(self.findings, self.name, small, str(found))


def _size(case: Case) -> int:
    return sum(map(len, case.values()))


def store(findings: Path, name: str, case: Case, what: str) -> Path:
    """Put a finding into a folder of its own."""
    digest = hashlib.sha256(repr(case or what).encode()).hexdigest()[:8]
    folder = findings / f"{name}-{digest}"
    folder.mkdir(exist_ok=True)
    for ending, content in case.items():
        (folder / f"{STEM}{ending}").write_bytes(content)
    (folder / "finding.txt").write_text(what + "\n", "utf-8", errors="backslashreplace")
    return folder
