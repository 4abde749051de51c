"""Tasks in worker processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time

import pytest

from corefkit.exceptions import CorefkitError
from corefkit.processes import run_in_order

needs_fork = pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="it cannot fork"
)


def run(function, tasks, *, jobs=2):
    return run_in_order(function, tasks, jobs=jobs, work="counted sheep")


def fail_or_sleep(task):
    """Fail at once for task 0, and never end for the others."""
    if task == 0:
        message = "task failed"
        raise CorefkitError(message, code="format/malformed")
    while True:
        time.sleep(0.01)


def count_processes(tasks):
    return len(set(run(lambda _: os.getpid(), range(tasks))))


@needs_fork
class TestWorkers:
    def test_run_in_other_processes(self):
        assert os.getpid() not in set(run(lambda _: os.getpid(), range(4)))

    def test_are_stopped_after_an_error(self):
        with pytest.raises(CorefkitError, match="task failed"):
            list(run(fail_or_sleep, range(3), jobs=3))
        assert multiprocessing.active_children() == []

    def test_are_stopped_if_the_remaining_results_are_not_needed(self):
        results = run(lambda task: task or fail_or_sleep(1), [5, 0])
        assert next(results) == 5
        results.close()
        assert multiprocessing.active_children() == []

    def test_of_other_calls_are_not_stopped(self):
        # Started after the call began, and so not among the children before it.
        def tasks():
            yield 0
            other.start()

        context = multiprocessing.get_context("fork")
        receiver, sender = context.Pipe(duplex=False)
        other = context.Process(target=receiver.recv)
        with pytest.raises(CorefkitError, match="task failed"):
            list(run(fail_or_sleep, tasks()))
        sender.send("end")
        other.join()
        receiver.close()
        sender.close()
        assert other.exitcode == 0

    def test_that_die_raise_an_error(self):
        with pytest.raises(CorefkitError, match="a process that counted sheep died"):
            list(run(lambda _: os.kill(os.getpid(), signal.SIGKILL), range(2)))

    def test_that_cannot_start_raise_the_error(self, monkeypatch):
        def fail(_):
            message = "no more processes"
            raise BlockingIOError(message)

        context = multiprocessing.get_context("fork")
        monkeypatch.setattr(context.Process, "start", fail)
        with pytest.raises(BlockingIOError, match="no more processes"):
            list(run(str, range(4)))

    def test_are_not_forked_by_daemonic_processes(self):
        with multiprocessing.get_context("fork").Pool(1) as pool:
            assert pool.map(count_processes, [4]) == [1]

    def test_take_tasks_as_they_are_needed(self):
        taken = []

        def tasks():
            for number in range(100):
                taken.append(number)
                yield number

        results = run(str, tasks())
        assert next(results) == "0"
        assert len(taken) < 20
        assert list(results) == [str(number) for number in range(1, 100)]

    def test_are_not_forked_if_the_tasks_start_a_thread(self):
        done = threading.Event()

        def tasks():
            thread = threading.Thread(target=done.wait)
            thread.start()
            yield from range(4)
            done.set()
            thread.join()

        assert set(run(lambda _: os.getpid(), tasks())) == {os.getpid()}


def test_process_with_other_threads_is_not_forked():
    done = threading.Event()
    waiting = threading.Thread(target=done.wait)
    waiting.start()
    try:
        assert set(run(lambda _: os.getpid(), range(4))) == {os.getpid()}
    finally:
        done.set()
        waiting.join()
