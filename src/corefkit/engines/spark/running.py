"""Run what a frame describes, and tell how far it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

from corefkit.engines.spark.failures import part

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow

    from corefkit.alignment.pipeline import Progress

_PAUSE = 0.2  # seconds between two looks


def run(frame: Any, progress: Progress | None) -> pyarrow.Table:
    """Return the rows of a frame, which come over as Arrow."""
    if progress is None:
        return frame.toArrow()
    of_connect = type(frame).__module__.startswith("pyspark.sql.connect.")
    return (_run_connect if of_connect else _run_classic)(frame, progress)


def _run_connect(frame: Any, progress: Progress) -> pyarrow.Table:
    """Run a frame of Spark Connect, whose server sends how far it is."""
    whole = 0

    def tell(stages: Iterable[Any] | None, **_: object) -> None:
        nonlocal whole
        stages = list(stages or ())
        whole = sum(stage.num_tasks for stage in stages)
        if whole:
            progress(sum(stage.num_completed_tasks for stage in stages), whole)

    session = frame.sparkSession
    session.registerProgressHandler(tell)
    try:
        found = frame.toArrow()
    finally:
        session.removeProgressHandler(tell)
    if whole:
        progress(whole, whole)  # of the end nothing is sent
    return found


def _run_classic(frame: Any, progress: Progress) -> pyarrow.Table:
    """Run a frame in a thread of its own, and look at its tasks meanwhile."""
    context, group = frame.sparkSession.sparkContext, str(uuid4())
    found: list[pyarrow.Table] = []
    failed: list[BaseException] = []

    def work() -> None:
        try:
            context.setJobGroup(group, "corefkit", interruptOnCancel=True)
            found.append(frame.toArrow())
        except BaseException as error:  # noqa: BLE001 - raised again below
            failed.append(error)

    thread = part("pyspark").InheritableThread(target=work)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(_PAUSE)
            done, total = _tasks(context.statusTracker(), group)
            if total:
                progress(done, total)
    except BaseException:
        context.cancelJobGroup(group)
        thread.join()
        raise
    if failed:
        raise failed[0]
    return found[0]


def _tasks(tracker: Any, group: str) -> tuple[int, int]:
    """Count the tasks of a group of jobs: those that are done, and all so far."""
    jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(group)]
    numbers = {number for job in jobs if job for number in job.stageIds}
    stages = [stage for stage in map(tracker.getStageInfo, numbers) if stage]
    # Stages of earlier jobs whose work is there already are never started.
    begun = [
        stage for stage in stages if stage.numCompletedTasks or stage.numActiveTasks
    ]
    return (
        sum(stage.numCompletedTasks for stage in begun),
        sum(stage.numTasks for stage in begun),
    )
