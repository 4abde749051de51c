"""Runs on their way: a queue, and a child process for each that is scored.

A job waits, is scored, is stored, and then is done or has failed in words. It is in
memory only: a server that is killed forgets jobs, and has all runs that were done.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from corefkit.exceptions import CorefkitError
from corefkit.serve.children import Folder
from corefkit.serve.values import Refusal

if TYPE_CHECKING:
    from pathlib import Path

    from corefkit.serve.limits import Limits
    from corefkit.serve.spool import Spool
    from corefkit.serve.store import Store
    from corefkit.serve.values import Asked

_REMEMBERED = 1000  # jobs that are over


@dataclass(slots=True)
class Job:
    """One run on its way."""

    asked: Asked
    id: str = field(default_factory=lambda: secrets.token_hex(16))
    state: Literal["waiting", "scoring", "done", "failed"] = "waiting"
    run: int | None = None  # once it is done
    reason: str = ""  # why it failed


class Jobs:
    """The jobs of a server, in the order in which they came."""

    def __init__(
        self, folder: Path, *, limits: Limits, spool: Spool, store: Store
    ) -> None:
        self._folder, self._limits = folder, limits
        self._spool, self._store = spool, store
        self._queue: deque[Job] = deque()
        self._known: dict[str, Job] = {}
        self._there_is_work = asyncio.Event()
        self._workers: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to score."""
        self._workers = [
            asyncio.create_task(self._work()) for _ in range(self._limits.at_once)
        ]

    async def stop(self) -> None:
        """End all children; what was not done is not kept."""
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)

    def add(self, asked: Asked) -> Job:
        """Put a job at the end of the queue; refuse it if too many wait."""
        if len(self._queue) >= self._limits.queue:
            message = f"{len(self._queue)} runs wait already, which is the limit"
            raise Refusal(503, message, hint="try again in a few minutes")
        job = Job(asked)
        self._spool.hold(asked.hashes)
        self._known[job.id] = job
        self._queue.append(job)
        self._there_is_work.set()
        self._forget()
        return job

    def find(self, id: str) -> Job | None:
        """Find a job by its id."""
        return self._known.get(id)

    def on_their_way(self) -> int:
        """Say how many jobs are not over."""
        jobs = [*self._known.values()]  # at once, as another thread may ask
        return sum(job.state in ("waiting", "scoring") for job in jobs)

    def ahead_of(self, job: Job) -> int:
        """Say how many jobs are scored before one that waits."""
        return self._queue.index(job) if job in self._queue else 0

    def _forget(self) -> None:
        over = [job for job in self._known.values() if job.state in ("done", "failed")]
        for job in over[:-_REMEMBERED]:
            del self._known[job.id]

    async def _work(self) -> None:
        while True:
            while not self._queue:
                self._there_is_work.clear()
                await self._there_is_work.wait()
            job = self._queue.popleft()
            job.state = "scoring"
            try:
                job.run = await self._run(job.asked)
                job.state = "done"
            except CorefkitError as error:
                job.state, job.reason = "failed", str(error)
            except OSError as error:
                job.state = "failed"
                job.reason = f"the server cannot keep the files: {error.strerror}"
            except Exception as error:  # noqa: BLE001 - others wait for this worker
                job.state, job.reason = "failed", f"{type(error).__name__}: {error}"
            finally:
                self._spool.release(job.asked.hashes, are_stored=job.state == "done")

    async def _run(self, asked: Asked) -> int:
        with Folder(self._folder, asked, self._limits) as folder:
            await asyncio.to_thread(folder.fill, self._spool, self._store)
            outcome = await folder.scored()
            storing = asyncio.create_task(
                asyncio.to_thread(self._store.add, asked, outcome, folder.content)
            )
            try:
                return await asyncio.shield(storing)
            except asyncio.CancelledError:
                # A run that came so far is stored though the server is to stop.
                await storing
                raise
