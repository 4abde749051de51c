"""TiMBL in a process of its own; this file runs as a script.

    timbl_worker.py learn OPTIONS TRAIN INSTANCES WEIGHTS
    timbl_worker.py decide OPTIONS INSTANCES WEIGHTS IN OUT [IN OUT ...]

TiMBL writes to stdout and stderr, ends or crashes on some damaged files, and its
binding reads freed memory when an experiment goes that has answered in threads. Apart,
it can do none of this to corefkit. IN and OUT are pipes, a pair for each core: the
instances are read once, then the process forks.

TiMBL also gets slower with every answer, four times after some 400,000. So answers
come from a fork that has given few, and the next one is made of a process that has
given none.
"""

from __future__ import annotations

import os
import struct
import sys
from array import array
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Sequence

LENGTH = struct.Struct("<q")
POSITIVE, NEGATIVE = b"p", b"n"
FIELDS = 4
FRAMES = 4  # that a process answers before a fresh one takes over
_CLOSED, _TIRED = 0, 3  # why a process stops answering


def learn(options: str, train: str, instances: str, weights: str) -> bool:
    """Learn from a file, and write what was learned; tell whether all went well."""
    experiment = _experiment(options)
    # The binding raises nothing: what it returns is all that there is to see.
    return bool(
        experiment.learn(train)
        and experiment.writeInstanceBase(instances)
        and experiment.saveWeights(weights)
    )


def decide(options: str, instances: str, weights: str, *pipes: str) -> bool:
    """Answer lines from every pair of pipes until it closes."""
    import timblapi

    experiment = _experiment(options)
    # An instance base has no weights in it.
    if not experiment.getInstanceBase(instances):
        return False
    if not experiment.getWeights(weights, timblapi.Weighting.GR):
        return False
    ends = [int(pipe) for pipe in pipes]
    children = []
    for at in range(0, len(ends), 2):
        child = os.fork()
        if not child:
            _close(end for end in ends if end not in ends[at : at + 2])
            os._exit(_keep_serving(experiment, *ends[at : at + 2]))
        children.append(child)
    _close(ends)
    return not any([os.waitpid(child, 0)[1] for child in children])


def read_frame(source: BinaryIO) -> bytes | None:
    """Read as many bytes as the first eight say; nothing where the pipe closed."""
    head = source.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    body = source.read(length)
    return body if len(body) == length else None


def write_frame(target: BinaryIO, body: bytes) -> None:
    """Write bytes with their number before them."""
    target.write(LENGTH.pack(len(body)) + body)
    target.flush()


def _experiment(options: str) -> Any:
    import timblapi

    return timblapi.TimblAPI(options, "")


def _close(ends: Any) -> None:
    for end in ends:
        os.close(end)


def _keep_serving(experiment: Any, source: int, target: int) -> int:
    """Let one process after the other answer, until the pipe closes or one fails."""
    with os.fdopen(target, "wb", closefd=False) as answers:
        write_frame(answers, b"")
    while True:
        child = os.fork()
        if not child:
            os._exit(_serve(experiment, source, target))
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status != _TIRED:
            return abs(status)


def _serve(experiment: Any, source: int, target: int) -> int:
    # Who asks waits for the answer: nothing is read ahead that would be lost.
    with os.fdopen(source, "rb") as lines, os.fdopen(target, "wb") as answers:
        for _ in range(FRAMES):
            body = read_frame(lines)
            if body is None:
                return _CLOSED
            write_frame(answers, _answers(experiment, body.decode("ascii").split("\n")))
    return _TIRED


def _answers(experiment: Any, lines: Sequence[str]) -> bytes:
    """Give for every line its class, distance, positive votes and all votes."""
    answers = array("d")
    for line in lines:
        # Votes and no shares: whole numbers, which are divided once.
        done, name, votes, distance = experiment.classify3(line, False, 0)
        if not done:
            os._exit(1)
        positive = votes.get(POSITIVE.decode(), 0.0)
        of_all = sum(votes.values())
        answers.extend((name == POSITIVE.decode(), distance, positive, of_all))
    return answers.tobytes()


if __name__ == "__main__":
    done = (learn if sys.argv[1] == "learn" else decide)(*sys.argv[2:])
    raise SystemExit(not done)
