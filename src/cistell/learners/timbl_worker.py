"""TiMBL for one batch, in a process of its own; this file runs as a script.

    timbl_worker.py learn OPTIONS FOLDER
    timbl_worker.py decide OPTIONS FOLDER LENGTH CORES

`learn` reads the training lines in the folder and writes instances and weights.
`decide` reads instances, weights and lines of so many bytes, and writes the answers.

TiMBL writes to stdout and stderr, exits or crashes on some damaged files, and its
binding reads freed memory when it deletes an experiment that has answered in threads.
In a process of its own it can do none of this to corefkit, and memory comes back when
the batch is done. The process needs neither NumPy nor corefkit, so it starts fast.
"""

from __future__ import annotations

import os
import sys
from array import array
from pathlib import Path
from typing import Any

TRAINING, LINES, ANSWERS = "training", "lines", "answers"
INSTANCES, WEIGHTS = "timbl.instances", "timbl.weights"
POSITIVE, NEGATIVE = b"p", b"n"
FIELDS = 4  # numbers in an answer
# TiMBL gets slower with every answer, four times after some 400,000: so each fork
# answers this many lines, and the next one starts from a process that answered none.
_CHUNK = 2000


def learn(options: str, folder: Path) -> bool:
    """Learn the training lines, write the result, and return whether all went well."""
    experiment = _experiment(options)
    # The binding raises nothing: its return values are all there is to check.
    return bool(
        experiment.learn(str(folder / TRAINING))
        and experiment.writeInstanceBase(str(folder / INSTANCES))
        and experiment.saveWeights(str(folder / WEIGHTS))
    )


def decide(options: str, folder: Path, length: str, cores: str) -> bool:
    """Answer all lines, and return whether all went well.

    The file of answers exists once TiMBL has read its instances.
    """
    import timblapi

    experiment = _experiment(options)
    # An instance base does not include the weights.
    if not experiment.getInstanceBase(str(folder / INSTANCES)):
        return False
    if not experiment.getWeights(str(folder / WEIGHTS), timblapi.Weighting.GR):
        return False
    answers = folder / ANSWERS
    answers.touch()
    lines = (folder / LINES).read_bytes()
    whole, running = True, 0
    for start in range(0, len(lines), _CHUNK * int(length)):
        if running == int(cores):
            whole &= _wait()
            running -= 1
        if not os.fork():
            chunk = lines[start : start + _CHUNK * int(length)]
            _write(answers, start // int(length), _answers(experiment, chunk))
            os._exit(0)
        running += 1
    return all([whole, *(_wait() for _ in range(running))])


def _experiment(options: str) -> Any:
    import timblapi

    return timblapi.TimblAPI(options, "")


def _wait() -> bool:
    """Wait for one fork to end, and return whether it went well."""
    return os.wait()[1] == 0


def _write(path: Path, line: int, answers: array[float]) -> None:
    """Write answers from the place of their first line on."""
    with path.open("r+b") as file:
        file.seek(line * FIELDS * answers.itemsize)
        file.write(answers.tobytes())


def _answers(experiment: Any, chunk: bytes) -> array[float]:
    """Compute for each line its class, distance, positive votes and all votes."""
    answers = array("d")
    for line in chunk.decode("ascii").splitlines():
        # Votes instead of shares: whole numbers, which are divided once.
        done, name, votes, distance = experiment.classify3(line, False, 0)
        if not done:
            os._exit(1)
        positive = votes.get(POSITIVE.decode(), 0.0)
        total = sum(votes.values())
        answers.extend((name == POSITIVE.decode(), distance, positive, total))
    return answers


if __name__ == "__main__":
    command, options, folder, *rest = sys.argv[1:]
    run = learn if command == "learn" else decide
    if run(options, Path(folder), *rest):
        os._exit(0)  # deleting all instances one by one would take a while
    raise SystemExit(1)
