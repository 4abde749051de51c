"""Memory-based learning by TiMBL itself (IB1, overlap, gain ratio, k = 1)."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cistell.learners.base import (
    AGAIN,
    Decisions,
    array_bytes,
    array_of,
    damaged,
    distinct_rows,
)
from cistell.learners.memory import Memory, memory_from, memory_of
from cistell.learners.timbl_worker import (
    ANSWERS,
    FIELDS,
    INSTANCES,
    LINES,
    NEGATIVE,
    POSITIVE,
    TRAINING,
    WEIGHTS,
)
from corefkit.exceptions import CorefkitError, SettingsError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from cistell.learners.base import Codes, Column, Instances

PROBE = "timbl.probe.bin"
# IB1 and gain ratio; tabs between values; distances and votes; as silent as possible.
_ALWAYS = "-a0 -wgr -F Tabbed +v+db +v+di +vs"
_METRICS = {"overlap": "-mO", "value-difference": "-mM"}
_DECAYS = {"none": "-dZ", "inverse": "-dID"}
_LETTERS = np.frombuffer(b"abcdefghijklmnop", dtype=np.uint8)
_PROBES = 20


@dataclass(frozen=True, slots=True)
class TimblClassifier:
    """Instances for TiMBL, which reads them in a process of its own for each batch."""

    memory: Memory
    stored: Mapping[str, bytes]

    def decide(self, rows: Codes) -> Decisions:
        """Decide every row; equal rows are decided once."""
        indices, inverse = distinct_rows(rows)
        answers = _answers(self.memory, self.stored, rows[indices])
        return Decisions(
            positive=answers[:, 0] > 0,
            distance=answers[:, 1].copy(),
            probability=answers[:, 2] / answers[:, 3],
        )[inverse]

    def files(self) -> Mapping[str, bytes]:
        """Return what a model file stores: TiMBL's files, and what ib1 needs."""
        return self.stored

    @property
    def weights(self) -> Mapping[str, float]:
        """The gain ratio of each feature."""
        return self.memory.by_name()


def learn_timbl(
    instances: Instances,
    *,
    seed: int = 0,  # noqa: ARG001
    k: int = 1,
    metric: str = "overlap",
    decay: str = "none",
) -> TimblClassifier:
    """Train TiMBL on pairs; nothing is random, so the seed has no effect.

    ``k``, ``metric`` and ``decay`` are TiMBL's options of these names.
    """
    _check_installed()
    for chosen, known in ((metric, _METRICS), (decay, _DECAYS)):
        if chosen not in known:
            message = f"TiMBL has no {quoted(chosen)} here"
            raise SettingsError(
                message,
                code="settings/unknown-value",
                hint=f"choose one of {', '.join(known)}",
            )
    memory = replace(memory_of(instances, k=k), metric=metric, decay=decay)
    classes = np.where(instances.positive, POSITIVE, NEGATIVE)
    with _folder({TRAINING: _lines(instances.rows, classes).tobytes()}) as folder:
        done, reason = _run("learn", memory, folder)
        if not done:
            message = f"TiMBL failed to learn{reason}"
            hint = "the learner ib1 decides the same without it"
            raise CorefkitError(message, code="model/failed", hint=hint)
        written = (folder / INSTANCES).read_bytes()
        text = (folder / WEIGHTS).read_text("ascii")
    memory = replace(memory, weights=_gain_ratios(text, memory.weights))
    # TiMBL reads what it learned again: a model decides the same before it is saved.
    ours = {INSTANCES: written, WEIGHTS: _weights_file(memory.weights)}
    probe = array_bytes(_answers(memory, ours, _probe_rows(memory)))
    return TimblClassifier(memory, {**memory.files(), **ours, PROBE: probe})


def load_timbl(
    files: Mapping[str, bytes], columns: tuple[Column, ...]
) -> TimblClassifier:
    """Read the instances and weights that a model file stores, and try them."""
    _check_installed()
    memory = memory_from(files, columns)
    for part in (INSTANCES, WEIGHTS):
        if part not in files:
            raise damaged(part)
    answers = _answers(memory, files, _probe_rows(memory))
    expected = array_of(files, PROBE, "f8", FIELDS)
    # TiMBL reads some damaged files without complaint.
    if answers.shape != expected.shape or not np.allclose(answers, expected, rtol=1e-9):
        raise damaged(INSTANCES)
    return TimblClassifier(memory, dict(files))


def timbl_is_installed() -> bool:
    """Return whether TiMBL's Python binding is installed."""
    return find_spec("timblapi") is not None


def _check_installed() -> None:
    if not timbl_is_installed():
        message = "TiMBL is not installed"
        raise CorefkitError(
            message,
            code="environment/missing-package",
            hint="pip install 'corefkit[timbl]'",
        )


def _answers(
    memory: Memory, files: Mapping[str, bytes], rows: Codes
) -> NDArray[np.float64]:
    """Ask TiMBL for the class, distance, positive votes and all votes of each row."""
    if not len(rows):
        return np.empty((0, FIELDS))
    lines = _lines(rows, b"?")
    kept = {INSTANCES: files[INSTANCES], WEIGHTS: files[WEIGHTS]}
    with _folder({**kept, LINES: lines.tobytes()}) as folder:
        done, reason = _run("decide", memory, folder, lines.shape[1], _cores())
        if done:
            return np.fromfile(folder / ANSWERS).reshape(-1, FIELDS)
        message = "TiMBL cannot read the instances of this model"
        if (folder / ANSWERS).exists():
            message = "TiMBL stopped while it was deciding"
        raise CorefkitError(message + reason, code="model/damaged", hint=AGAIN)


@contextmanager
def _folder(files: Mapping[str, bytes]) -> Iterator[Path]:
    """Write files to a folder that lasts as long as TiMBL needs it."""
    with tempfile.TemporaryDirectory() as name:
        for file, body in files.items():
            (Path(name) / file).write_bytes(body)
        yield Path(name)


def _run(command: str, memory: Memory, folder: Path, *rest: int) -> tuple[bool, str]:
    """Run TiMBL to its end; return whether all went well, or else what it said."""
    worker = Path(__file__).with_name("timbl_worker.py")
    done = subprocess.run(
        # -P: modules beside the script are not for others to import.
        [sys.executable, "-P", str(worker), command, _options(memory), str(folder)]
        + [str(number) for number in rest],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        # The child finds modules where this process does.
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    last = done.stdout.decode(errors="replace").strip().rpartition("\n")[2].strip()
    return not done.returncode, f"; it said: {last}" if last else ""


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _options(memory: Memory) -> str:
    metric, decay = _METRICS.get(memory.metric), _DECAYS.get(memory.decay)
    return f"{metric} {decay} -k{memory.k} {_ALWAYS}"


def _gain_ratios(text: str, expected: NDArray[np.float64]) -> NDArray[np.float64]:
    """Read the gain ratios of a file that TiMBL wrote.

    TiMBL writes 15 of 17 digits, with which equal sums would no longer be equal. Where
    these are the digits of the expected numbers, those are taken instead.
    """
    lines = text.partition("# gr\n")[2].partition("\n#")[0].split("\n")[1:]
    found = np.array([float(line.split("\t")[1]) for line in lines])
    same = found == [float(f"{weight:.15g}") for weight in expected]
    return np.where(same, expected, found)


def _weights_file(weights: NDArray[np.float64]) -> bytes:
    """Write gain ratios as TiMBL reads them, with all digits."""
    lines = [f"{at}\t{weight!r}" for at, weight in enumerate(weights.tolist(), 1)]
    return "\n".join(["# gr", "# Fea.\tWeight", *lines, "#", ""]).encode("ascii")


def _probe_rows(memory: Memory) -> Codes:
    """Choose rows whose answers show whether TiMBL read what it had written.

    Half of them are training rows, half combine values of several.
    """
    step = -(-len(memory.rows) // _PROBES)
    rows = memory.rows[::step]
    mixed = [np.roll(column, at) for at, column in enumerate(rows.T)]
    return np.concatenate([rows, np.stack(mixed, axis=1)])


def _lines(rows: Codes, last: bytes | NDArray[np.bytes_]) -> NDArray[np.uint8]:
    """Write rows as TiMBL reads them, a line each, of the same length.

    A code is two letters, since TiMBL warns of values that look like numbers.
    """
    lines = np.empty((len(rows), 3 * rows.shape[1] + 2), dtype=np.uint8)
    lines[:, 0:-2:3] = _LETTERS[rows >> 4]
    lines[:, 1:-2:3] = _LETTERS[rows & 15]
    lines[:, 2:-2:3] = ord("\t")
    lines[:, -2] = np.asarray(last, dtype="S1").view(np.uint8)
    lines[:, -1] = ord("\n")
    return lines
