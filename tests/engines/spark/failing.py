"""Work that fails on the workers of Spark in chosen ways, and then does what it should.

How often a partition has failed is kept in a folder, which all workers see.
"""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from corefkit.engines.spark import Spark


@dataclass(frozen=True)
class Failing:
    """Count, but let some partitions fail before they have given everything.

    Attributes:
        count: what is to be done.
        folder: where failures are noted.
        way: what happens, one of the functions below.
        only: to which partitions, by their numbers.
        times: how often to each of them.
        given: after how many rows; all if None.
    """

    count: Any
    folder: str
    way: Any
    only: tuple[int, ...]
    times: int = 1
    given: int | None = None

    def __call__(self, batches):
        from pyspark import TaskContext

        partition = TaskContext.get().partitionId()
        yield from islice(self.count(batches), self.given)
        if partition not in self.only:
            return
        for time in range(self.times):
            try:
                Path(self.folder, f"{partition}-{time}").touch(exist_ok=False)
            except FileExistsError:
                continue
            self.way()


def raise_error():
    message = "the disk is on fire"
    raise OSError(message)


def kill_worker():
    os.kill(os.getpid(), signal.SIGKILL)


def kill_executor():
    """Kill the Java process whose worker this is, the parent of its parent."""
    line = Path(f"/proc/{os.getppid()}/stat").read_text("utf-8")
    os.kill(int(line.rpartition(")")[2].split()[1]), signal.SIGKILL)


class FailingSpark(Spark):
    """Spark whose work fails in a way of `Failing`."""

    def __init__(self, *, partitions, **ways):
        super().__init__(partitions=partitions)
        self.ways = ways

    def count_groups(self, sql, relations, count, *, together):
        # A row of what is given has the counts of some documents: here of few.
        failing = Failing(replace(count, rows=10), **self.ways)
        return super().count_groups(sql, relations, failing, together=together)
