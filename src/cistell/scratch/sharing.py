"""Tasks done at the same time, each in a process of its own, with one progress."""

from __future__ import annotations

import multiprocessing
from typing import TYPE_CHECKING, Protocol, TypeVar

from corefkit.processes import run_in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_Task_contra = TypeVar("_Task_contra", contravariant=True)
_Result_co = TypeVar("_Result_co", covariant=True)
_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


class Work(Protocol[_Task_contra, _Result_co]):
    """What does a task, and calls a function with the share of it that is done."""

    def __call__(
        self, task: _Task_contra, share: Callable[[float], None]
    ) -> _Result_co:
        """Do the task."""


def done_together(
    work: Work[_Task, _Result],
    tasks: Sequence[_Task],
    *,
    jobs: int,
    share: Callable[[float], None],
) -> list[_Result]:
    """Do tasks that take about the same time; the results are in their order.

    They are the same for any number of processes.
    """
    # Children write here, and the parent reads.
    shares = multiprocessing.RawArray("d", len(tasks))

    def tick() -> None:
        share(sum(shares) / len(tasks))

    def put(number: int, part: float) -> None:
        shares[number] = part

    def do(number: int) -> _Result:
        def own(part: float) -> None:
            put(number, part)
            if jobs == 1:
                tick()

        result = work(tasks[number], own)
        own(1.0)
        return result

    numbers = range(len(tasks))
    if jobs == 1:
        return list(map(do, numbers))
    together = min(jobs, len(tasks))
    return list(run_in_order(do, numbers, jobs=together, work="learned", tick=tick))
