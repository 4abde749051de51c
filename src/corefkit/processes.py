"""Documents counted by several processes: `--jobs`.

Files are opened and documents paired once. Then the process forks: each child has all
that was opened, counts some stretches of documents, and sends back plain values. Taken
together in the order of the documents, they are what one process would have counted.
"""

from __future__ import annotations

import multiprocessing
import warnings
from collections import deque
from concurrent.futures import ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from corefkit.alignment.attributes import Lacking
from corefkit.alignment.blocks import Repeats
from corefkit.alignment.pipeline import (
    aligned_part,
    check_lacking,
    groups_of,
    sizes_of,
)
from corefkit.alignment.seen import Meeting
from corefkit.exceptions import CorefkitError, SettingsError
from corefkit.tally import Tally, count_blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Future

    from corefkit.alignment.pipeline import Progress
    from corefkit.alignment.runs import Run, Side
    from corefkit.metrics.base import Metric

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")

# Stretches for each process: some are more work than they look, and the others go on.
_STRETCHES = 4
_TICK = 0.5  # seconds


@dataclass(frozen=True, slots=True)
class _Noted:
    """What a side showed while it was read."""

    repeats: Repeats
    lacking: Lacking

    def add_to(self, side: Side) -> None:
        side.repeats.take(self.repeats)
        side.lacking.take(self.lacking)


class _Counted(NamedTuple):
    """What one run has of a stretch of documents."""

    tally: Tally
    text_notes: dict[str, str]
    meeting: Meeting
    response: _Noted

    def add_to(self, run: Run, tally: Tally) -> None:
        tally.take(self.tally)
        for kind, note in self.text_notes.items():
            run.text_notes.setdefault(kind, note)
        run.meeting.take(self.meeting)
        self.response.add_to(run.response)


class _Part(NamedTuple):
    """What the runs of a group have of a stretch of documents."""

    key: _Noted
    counted: dict[int, _Counted]  # by the number of each run
    refusals: dict[int, CorefkitError] | None


def counted_in_processes(
    runs: Sequence[Run],
    metrics: tuple[Metric, ...],
    *,
    jobs: int,
    progress: Progress | None = None,
) -> dict[int, Tally]:
    """Count the metrics of each run, by its number, in several processes.

    Raises:
        SettingsError: the system cannot fork.
        CorefkitError: a process died.
    """
    tallies = {run.number: Tally(metrics) for run in runs}
    groups = groups_of(runs)

    def count(task: tuple[int, int, int]) -> _Part:
        return _counted_part(groups, metrics, *task)

    tasks = [
        (number, *bounds)
        for number, group in enumerate(groups)
        for bounds in _stretches(sizes_of(group), jobs * _STRETCHES)
    ]
    parts = zip(tasks, in_order(count, tasks, jobs=jobs), strict=True)
    for done, ((number, *_), part) in enumerate(parts, start=1):
        _add(part, groups[number], tallies)
        if progress is not None:
            progress(done, len(tasks))
    for group in groups:
        check_lacking(group)
    return tallies


def _stretches(sizes: Sequence[int], most: int) -> Iterator[tuple[int, int]]:
    """Part documents into stretches of about the same work, at most so many."""
    ends = np.cumsum(np.array(sizes, np.int64) + 1)
    total = int(ends[-1]) if len(ends) else 0
    wanted = np.arange(1, most + 1) * total // most
    bounds = np.unique(np.concatenate(([0], np.searchsorted(ends, wanted) + 1)))
    bounds = np.unique(np.minimum(bounds, len(sizes))).tolist()
    return pairwise(bounds)


def _counted_part(
    groups: Sequence[Sequence[Run]],
    metrics: tuple[Metric, ...],
    number: int,
    first: int,
    last: int,
) -> _Part:
    """Count a stretch of the documents of a group, with nothing noted before."""
    part = _stretch(groups[number], first, last)
    tallies = {run.number: Tally(metrics) for run in part}
    count_blocks(tallies, aligned_part(part))
    counted = {
        run.number: _Counted(
            _without_metrics(tallies[run.number]),
            run.text_notes,
            run.meeting,
            _Noted(run.response.repeats, run.response.lacking),
        )
        for run in part
        if not run.is_refused
    }
    key = part[0].key
    return _Part(_Noted(key.repeats, key.lacking), counted, part[0].refusals)


def _stretch(group: Sequence[Run], first: int, last: int) -> list[Run]:
    """Make runs of a stretch of documents, which share their key as the group does."""
    key = _unseen(group[0].key)
    refusals: dict[int, CorefkitError] | None = {}
    if group[0].refusals is None:
        refusals = None
    return [
        replace(
            run,
            key=key,
            response=_unseen(run.response),
            numbers=run.numbers[first:last],
            partners=run.partners[first:last],
            text_notes={},
            meeting=Meeting(),
            refusals=refusals,
        )
        for run in group
    ]


def _unseen(side: Side) -> Side:
    return replace(side, repeats=Repeats(), lacking=Lacking())


def _without_metrics(tally: Tally) -> Tally:
    """Leave out what cannot be sent, and is known on the other side: functions."""
    tally.join()
    return replace(tally, metrics=())


def _add(part: _Part, group: Sequence[Run], tallies: dict[int, Tally]) -> None:
    part.key.add_to(group[0].key)
    for run in group:
        if part.refusals and run.number in part.refusals:
            run.refuse(part.refusals[run.number])
        elif run.number in part.counted:
            part.counted[run.number].add_to(run, tallies[run.number])


# What the children find when they begin: it cannot be sent, and need not be.
_functions: list[Callable[[Any], Any]] = []


def _run(task: Any) -> Any:
    return _functions[-1](task)


def in_order(
    function: Callable[[_Task], _Result],
    tasks: Iterable[_Task],
    *,
    jobs: int,
    work: str = "counted documents",
    tick: Callable[[], None] | None = None,
) -> Iterator[_Result]:
    """Do tasks in processes of their own, and yield the results in their order.

    Tasks and results are sent, the function is not. No more tasks are taken than a few
    for each process, so that they may come from files. `work` says in an error what a
    process did that died. `tick` is called now and then while results are waited for.

    Raises:
        SettingsError: the system cannot fork.
        CorefkitError: a process died.
    """
    if "fork" not in multiprocessing.get_all_start_methods():
        message = "several processes need a system that can fork, as Linux can"
        raise SettingsError(message, hint="leave out --jobs")
    _functions.append(function)
    others = {*multiprocessing.active_children()}
    pool = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("fork"))
    waiting: deque[Future[_Result]] = deque()
    try:
        for task in tasks:
            waiting.append(_submitted(pool, task))
            if len(waiting) >= jobs * _STRETCHES:
                yield _result(waiting.popleft(), work, tick)
        while waiting:
            yield _result(waiting.popleft(), work, tick)
    except BaseException:
        # What is half done is of no use to anybody, and may take minutes more.
        for child in {*multiprocessing.active_children()} - others:
            child.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)
        _functions.remove(function)


def _submitted(pool: ProcessPoolExecutor, task: object) -> Future[Any]:
    with warnings.catch_warnings():
        # Libraries may have threads that wait for work; they hold no lock of ours.
        warnings.simplefilter("ignore", DeprecationWarning)
        return pool.submit(_run, task)


def _result(
    future: Future[_Result], work: str, tick: Callable[[], None] | None
) -> _Result:
    try:
        while tick is not None and not wait([future], timeout=_TICK).done:
            tick()
        return future.result()
    except BrokenProcessPool as error:
        message = f"a process that {work} died: was there too little memory?"
        raise CorefkitError(message, hint="take fewer with --jobs") from error
