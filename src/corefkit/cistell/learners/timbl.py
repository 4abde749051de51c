"""Memory-based learning by TiMBL itself (IB1, overlap, gain ratio, k = 1)."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from corefkit.cistell.learners.arrays import (
    array_bytes,
    array_of,
    damaged,
    distinct_rows,
    spread,
)
from corefkit.cistell.learners.base import Decisions
from corefkit.cistell.learners.memory import Memory, memory_from, memory_of
from corefkit.cistell.learners.timbl_process import TimblProcess, run_timbl
from corefkit.cistell.learners.timbl_worker import FIELDS, NEGATIVE, POSITIVE
from corefkit.exceptions import CorefkitError, SettingsError, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from corefkit.cistell.learners.base import Codes, Column, Instances

INSTANCES, WEIGHTS, PROBE = "timbl.instances", "timbl.weights", "timbl.probe.bin"
# IB1 and gain ratio; tabs between values; distances and votes; as silent as can be.
_ALWAYS = "-a0 -wgr -F Tabbed +v+db +v+di +vs"
_METRICS = {"overlap": "-mO", "value-difference": "-mM"}
_DECAYS = {"none": "-dZ", "inverse": "-dID"}
_LETTERS = np.frombuffer(b"abcdefghijklmnop", dtype=np.uint8)
_PROBES = 20


@dataclass(frozen=True, slots=True)
class TimblClassifier:
    """A TiMBL that has its instances, in a process of its own."""

    memory: Memory
    process: TimblProcess
    stored: Mapping[str, bytes]

    def decide(self, rows: Codes) -> Decisions:
        """Decide every row; equal rows are decided once."""
        places, inverse = distinct_rows(rows)
        answers = self.process.answer(_lines(rows[places], b"?"))
        decisions = Decisions(
            positive=answers[:, 0] > 0,
            distance=answers[:, 1].copy(),
            probability=answers[:, 2] / answers[:, 3],
        )
        return spread(decisions, inverse)

    def files(self) -> Mapping[str, bytes]:
        """Give what a model file stores: TiMBL's files, and what ib1 needs."""
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
    """Give TiMBL the training pairs; it draws nothing by lot, so the seed has no part.

    ``k``, ``metric`` and ``decay`` are TiMBL's options of these names.
    """
    _check_installed()
    for chosen, known in ((metric, _METRICS), (decay, _DECAYS)):
        if chosen not in known:
            message = f"TiMBL has no {quoted(chosen)} here"
            raise SettingsError(message, hint=f"choose one of {', '.join(known)}")
    memory = replace(memory_of(instances, k=k), metric=metric, decay=decay)
    with tempfile.TemporaryDirectory() as name:
        train, base, weights = (Path(name) / part for part in ("t", INSTANCES, WEIGHTS))
        classes = np.where(instances.positive, POSITIVE, NEGATIVE)
        train.write_bytes(_lines(instances.rows, classes).tobytes())
        run_timbl("learn", _options(memory), train, base, weights)
        written, text = base.read_bytes(), weights.read_text("ascii")
    memory = replace(memory, weights=_gain_ratios(text, memory.weights))
    # What was learned is read again: a model decides the same before it is saved.
    ours = {INSTANCES: written, WEIGHTS: _weights_file(memory.weights)}
    process = _started(memory, ours)
    probe = array_bytes(process.answer(_probe_lines(memory)))
    return TimblClassifier(memory, process, {**memory.files(), **ours, PROBE: probe})


def load_timbl(
    files: Mapping[str, bytes], columns: tuple[Column, ...]
) -> TimblClassifier:
    """Give TiMBL the instances and weights that a model file stores."""
    _check_installed()
    memory = memory_from(files, columns)
    for part in (INSTANCES, WEIGHTS):
        if part not in files:
            raise damaged(part)
    process = _started(memory, files)
    answers = process.answer(_probe_lines(memory))
    expected = array_of(files, PROBE, "f8", FIELDS)
    # TiMBL reads some damaged files without complaint.
    if answers.shape != expected.shape or not np.allclose(answers, expected, rtol=1e-9):
        raise damaged(INSTANCES)
    return TimblClassifier(memory, process, dict(files))


def timbl_is_installed() -> bool:
    """Tell whether TiMBL's binding is there."""
    return find_spec("timblapi") is not None


def _check_installed() -> None:
    if not timbl_is_installed():
        message = "TiMBL is not installed"
        raise CorefkitError(message, hint="pip install 'corefkit[timbl]'")


def _started(memory: Memory, files: Mapping[str, bytes]) -> TimblProcess:
    with tempfile.TemporaryDirectory() as name:
        base, weights = (Path(name) / part for part in (INSTANCES, WEIGHTS))
        base.write_bytes(files[INSTANCES])
        weights.write_bytes(files[WEIGHTS])
        return TimblProcess(_options(memory), base, weights)


def _options(memory: Memory) -> str:
    metric, decay = _METRICS.get(memory.metric), _DECAYS.get(memory.decay)
    return f"{metric} {decay} -k{memory.k} {_ALWAYS}"


def _gain_ratios(text: str, expected: NDArray[np.float64]) -> NDArray[np.float64]:
    """Read the gain ratios of a file that TiMBL wrote.

    TiMBL writes 15 digits of its 17, and sums that are equal would no more be. Where
    they are those of the numbers expected, these are taken, to the last digit.
    """
    lines = text.partition("# gr\n")[2].partition("\n#")[0].split("\n")[1:]
    found = np.array([float(line.split("\t")[1]) for line in lines])
    same = found == [float(f"{weight:.15g}") for weight in expected]
    return np.where(same, expected, found)


def _weights_file(weights: NDArray[np.float64]) -> bytes:
    """Write gain ratios as TiMBL reads them, with all digits."""
    lines = [f"{at}\t{weight!r}" for at, weight in enumerate(weights.tolist(), 1)]
    return "\n".join(["# gr", "# Fea.\tWeight", *lines, "#", ""]).encode("ascii")


def _probe_lines(memory: Memory) -> NDArray[np.uint8]:
    """Give rows whose answers tell whether TiMBL read what it had written.

    Half of them are training rows, half have their values from several.
    """
    step = -(-len(memory.rows) // _PROBES)
    rows = memory.rows[::step]
    mixed = [np.roll(column, at) for at, column in enumerate(rows.T)]
    return _lines(np.concatenate([rows, np.stack(mixed, axis=1)]), b"?")


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
