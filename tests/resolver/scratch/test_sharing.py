"""Tasks done at the same time: the same results, and one progress."""

from __future__ import annotations

import os

import pytest

from cistell.scratch.sharing import done_together
from corefkit.exceptions import CorefkitError


def squared(task, share):
    share(0.5)
    return task * task, os.getpid()


@pytest.mark.parametrize("jobs", [1, 2, 9])
def test_results_are_in_the_order_of_tasks(jobs):
    done = done_together(squared, [3, 1, 2], jobs=jobs, share=lambda _: None)
    assert [square for square, _ in done] == [9, 1, 4]
    elsewhere = {process for _, process in done} - {os.getpid()}
    assert bool(elsewhere) is (jobs > 1)


def test_progress_is_that_of_all_tasks():
    shown = []
    done_together(squared, [3, 1], jobs=1, share=shown.append)
    assert shown == [0.25, 0.5, 0.75, 1.0]


def test_progress_of_other_processes_is_seen(monkeypatch, tmp_path):
    monkeypatch.setattr("corefkit.processes._TICK_S", 0.01)
    seen = tmp_path / "seen"
    shown = []

    def wait(task, share):
        share(0.5)
        while not seen.exists():
            pass
        return task

    def show(part):
        shown.append(part)
        if part == 0.5:
            seen.touch()

    assert done_together(wait, [1, 2], jobs=2, share=show) == [1, 2]
    assert 0.5 in shown


def test_an_error_is_told():
    def fail(task, share):
        del share
        message = f"task {task} cannot be done"
        raise CorefkitError(message, code="model/damaged", hint="try another")

    with pytest.raises(CorefkitError, match="task 1 cannot") as error:
        done_together(fail, [1, 2], jobs=2, share=lambda _: None)
    assert error.value.hint == "try another"
