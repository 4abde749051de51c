"""Worker processes for independent tasks, such as resolving documents (`--jobs`)."""

from __future__ import annotations

import multiprocessing
import threading
import warnings
from collections import deque
from concurrent.futures import ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from multiprocessing.context import BaseContext
from typing import TYPE_CHECKING, Any, TypeVar

from corefkit.exceptions import CorefkitError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future
    from multiprocessing.process import BaseProcess

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")

_TASKS_PER_WORKER = 4  # taken in advance, so that no worker waits for a slow one
_TICK_S = 0.5


def run_in_order(
    function: Callable[[_Task], _Result],
    tasks: Iterable[_Task],
    *,
    jobs: int,
    work: str,
    tick: Callable[[], None] | None = None,
) -> Iterator[_Result]:
    """Run tasks in worker processes, and yield the results in the order of the tasks.

    Tasks and results are pickled; the workers inherit the function. Only a few tasks
    for each worker are taken in advance, so that they may come from files.

    While other Python threads run, the tasks are run in this process: a forked worker
    would inherit the locks that those threads hold, and could wait for them forever.
    The same holds in a daemonic process, such as a worker of `multiprocessing.Pool`,
    which may not start others.

    Args:
        function: runs one task.
        tasks: the tasks.
        jobs: the number of workers.
        work: what a worker did, in the error for a worker that died.
        tick: called regularly while results are waited for.

    Raises:
        SettingsError: the system cannot fork.
        CorefkitError: a worker died.
    """
    if "fork" not in multiprocessing.get_all_start_methods():
        message = "several processes need a system that can fork, as Linux can"
        raise SettingsError(
            message, code="environment/no-fork", hint="leave out --jobs"
        )
    tasks = iter(tasks)
    first = list(islice(tasks, 1))  # before threads are counted: it may start some
    tasks = chain(first, tasks)
    if threading.active_count() > 1 or multiprocessing.current_process().daemon:
        for task in tasks:
            yield function(task)
            if tick is not None:
                tick()
        return
    context = _ForkContext()
    pool = ProcessPoolExecutor(
        jobs, mp_context=context, initializer=_set_function, initargs=(function,)
    )
    waiting: deque[Future[_Result]] = deque()
    try:
        for task in tasks:
            waiting.append(_submit(pool, context, task))
            if len(waiting) >= jobs * _TASKS_PER_WORKER:
                yield _wait_for(waiting.popleft(), work, tick)
        while waiting:
            yield _wait_for(waiting.popleft(), work, tick)
    except BaseException:
        # The remaining results are not needed, and may take minutes more.
        for worker in context.workers:
            if worker.is_alive():  # it may have failed to start
                worker.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


class _ForkContext(BaseContext):
    """A fork context that lists the workers of one call, so that only they are killed.

    `multiprocessing.active_children` also lists the workers of other calls.
    """

    _name = "fork"

    def __init__(self) -> None:
        self.workers: list[BaseProcess] = []

    def Process(self, *args: Any, **keywords: Any) -> BaseProcess:
        # Not imported, since Windows lacks it.
        worker = multiprocessing.get_context("fork").Process(*args, **keywords)
        self.workers.append(worker)
        return worker


# Set in worker processes only, each of which belongs to one call.
_function: Callable[[Any], Any]


def _set_function(function: Callable[[Any], Any]) -> None:
    global _function
    _function = function


def _run(task: Any) -> Any:
    return _function(task)


def _submit(
    pool: ProcessPoolExecutor, context: _ForkContext, task: object
) -> Future[Any]:
    if context.workers:
        return pool.submit(_run, task)
    # The first task forks all workers. Warning filters belong to the process: they are
    # changed only because no other Python thread runs.
    with warnings.catch_warnings():
        # Native threads of libraries wait for work, and hold no lock of ours.
        warnings.simplefilter("ignore", DeprecationWarning)
        return pool.submit(_run, task)


def _wait_for(
    future: Future[_Result], work: str, tick: Callable[[], None] | None
) -> _Result:
    try:
        while tick is not None and not wait([future], timeout=_TICK_S).done:
            tick()
        return future.result()
    except BrokenProcessPool as error:
        message = f"a process that {work} died, perhaps for lack of memory"
        raise CorefkitError(
            message, code="environment/worker-died", hint="try a smaller --jobs"
        ) from error
