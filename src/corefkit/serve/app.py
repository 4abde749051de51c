"""What can be asked: addresses and answers.

GET  /                       runs, leaderboards, and where to drop files
GET  /keys/CORPUS            the leaderboard of a key
GET  /runs/N                 a run
GET  /runs/N/report          its report, as a page of its own
GET  /runs/N/scores.json     its scores, as `corefkit compare` reads them
GET  /jobs/ID                how far a run on its way is
POST /files                  send a file: its bytes are the request
POST /runs                   ask for a run of files that were sent before
POST /example                ask for a run of the bundled example
DELETE /runs/N               remove a run
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from corefkit.exceptions import CorefkitError
from corefkit.serve.body import Body
from corefkit.serve.jobs import Job, Jobs
from corefkit.serve.limits import in_words
from corefkit.serve.pages import (
    home_page,
    key_page,
    refusal_page,
    run_page,
    with_way_back,
)
from corefkit.serve.spool import Spool
from corefkit.serve.values import Asked, Refusal, Upload, asked_in

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from starlette.requests import Request

    from corefkit.serve.limits import Limits
    from corefkit.serve.pages.frame import Written
    from corefkit.serve.store import Store
    from corefkit.serve.values import Run

_DIGITS = 18  # of a number that SQLite can have
_SANDBOX = (
    "sandbox allow-scripts; connect-src 'none'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'none'"
)


class Application:
    """Answers requests about the runs of a store."""

    def __init__(self, store: Store, folder: Path, limits: Limits) -> None:
        self._store, self._limits = store, limits
        self._spool = Spool(folder, limits)
        self._jobs = Jobs(folder, limits=limits, spool=self._spool, store=store)

    def starlette(self) -> Starlette:
        """Make the application."""
        return Starlette(
            routes=[
                Route("/", self.home),
                Route("/keys/{corpus:str}", self.key),
                Route("/runs/{number:str}", self.run),
                Route("/runs/{number:str}", self.remove, methods=["DELETE"]),
                Route("/runs/{number:str}/report", self.report),
                Route("/runs/{number:str}/scores.json", self.scores),
                Route("/jobs/{id:str}", self.job),
                Route("/files", self.upload, methods=["POST"]),
                Route("/runs", self.add, methods=["POST"]),
                Route("/example", self.example, methods=["POST"]),
            ],
            exception_handlers={
                CorefkitError: _refused,
                OSError: _no_room,
                404: _not_found,
                500: _defect,
            },
            lifespan=self._lifespan,
        )

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        with self._store.kept_open():
            self._jobs.start()
            yield
            await self._jobs.stop()

    def home(self, request: Request) -> Response:
        """Show runs and leaderboards."""
        before = _number(request.query_params.get("before", ""))
        waiting = self._jobs.on_their_way()
        return _page(
            home_page(self._store, self._limits, before=before, waiting=waiting)
        )

    def key(self, request: Request) -> Response:
        """Show the leaderboard of a key."""
        runs = self._store.of_corpus(request.path_params["corpus"])
        if not runs:
            raise Refusal(404, "there is no run against this key")
        by = request.query_params.get("sort")
        return _page(key_page(runs, self._limits, by=by))

    def run(self, request: Request) -> Response:
        """Show a run."""
        return _page(run_page(self._run(request)))

    def _run(self, request: Request) -> Run:
        found = self._store.run(_number_of(request))
        if found is None:
            raise _no_run(request)
        return found

    def report(self, request: Request) -> Response:
        """Answer with the report of a run, which can do nothing here."""
        number = _number_of(request)
        page = self._store.report(number)
        if page is None:
            raise _no_run(request)
        headers = {"Content-Security-Policy": _SANDBOX}
        if "download" in request.query_params:
            headers |= _as_file(f"corefkit-run-{number}.html")
        else:
            page = with_way_back(page, number)
        return HTMLResponse(page, headers=headers)

    def scores(self, request: Request) -> Response:
        """Answer with the scores of a run."""
        number = _number_of(request)
        scores = self._store.scores(number)
        if scores is None:
            raise _no_run(request)
        headers = _as_file(f"corefkit-run-{number}.json")
        return Response(scores, media_type="application/json", headers=headers)

    def remove(self, request: Request) -> Response:
        """Remove a run."""
        number = _number_of(request)
        if not self._store.remove(number):
            raise _no_run(request)
        return JSONResponse({"removed": number})

    async def job(self, request: Request) -> Response:
        """Say how far a run on its way is."""
        job = self._jobs.find(request.path_params["id"])
        if job is None:
            message = "there is no such run on its way"
            raise Refusal(
                404, message, hint="the server was started anew: send it again"
            )
        return JSONResponse(self._told(job))

    def _told(self, job: Job) -> dict[str, object]:
        told: dict[str, object] = {"job": job.id, "state": job.state}
        match job.state:
            case "waiting":
                told["ahead"] = self._jobs.ahead_of(job)
            case "done":
                told |= {"run": job.run, "report": f"runs/{job.run}/report"}
            case "failed":
                told["error"] = job.reason
        return told

    async def upload(self, request: Request) -> Response:
        """Take a file."""
        body = Body(request, self._limits.upload_seconds)
        try:
            self._spool.check_size(body.announced)
            with self._spool.incoming() as file:
                async for part in body:
                    file.add(part)
                    if file.holds_much:
                        await asyncio.to_thread(file.write)
                name, size = file.finish(), file.size
        except (Refusal, OSError):
            await body.drain()
            raise
        return JSONResponse({"file": name, "bytes": size}, 201)

    async def add(self, request: Request) -> Response:
        """Ask for a run."""
        asked = asked_in(await self._body(request), self._limits)
        total = 0
        for file in asked.files:
            if file.hash in self._spool:
                total += self._spool.size(file.hash)
            elif not await asyncio.to_thread(self._store.has, file.hash):
                message = f"the file of {file.name!r} is not here"
                raise Refusal(404, message, hint="send it again")
        self._spool.check_run(total)
        return await self._added(asked)

    async def example(self, _: Request) -> Response:
        """Ask for a run of the bundled example."""
        from corefkit.example import paths

        files = []
        for path in paths():
            with self._spool.incoming() as file:
                file.add(path.read_bytes())
                files.append(Upload(file.finish(), path.name))
        return await self._added(Asked(files[0], tuple(files[1:])))

    async def _added(self, asked: Asked) -> Response:
        used = await asyncio.to_thread(self._store.size)
        most = self._limits.database_bytes
        if used > most:
            message = f"the runs take {in_words(used)}, of {in_words(most)} at most"
            raise Refusal(507, message, hint="remove runs that nobody needs")
        return JSONResponse(self._told(self._jobs.add(asked)), 202)

    async def _body(self, request: Request) -> bytes:
        body, parts = Body(request, self._limits.upload_seconds), b""
        async for part in body:
            parts += part
            if len(parts) > self._limits.request_bytes:
                await body.drain()
                raise Refusal(413, "the request is too long")
        return parts


def _page(written: Written) -> Response:
    return HTMLResponse(
        written.text, headers={"Content-Security-Policy": written.policy}
    )


def _as_file(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def _number(digits: str) -> int | None:
    """Read a number that SQLite can have; None if it is none."""
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS
    return int(digits) if is_number else None


def _number_of(request: Request) -> int:
    number = _number(request.path_params["number"])
    if number is None:
        raise _no_run(request)
    return number


def _no_run(request: Request) -> Refusal:
    return Refusal(404, f"there is no run {request.path_params['number'][:_DIGITS]}")


async def _refused(request: Request, error: Exception) -> Response:
    """Say why a request is refused: pages to people, JSON to programs."""
    assert isinstance(error, CorefkitError)
    status = error.status if isinstance(error, Refusal) else 500
    headers = {"Connection": "close"} if status in (408, 413, 503, 507) else {}
    if status == 503:
        headers["Retry-After"] = "60"
    if request.method == "GET" and "/jobs/" not in request.url.path:
        written = refusal_page(error, _depth(request))
        headers["Content-Security-Policy"] = written.policy
        return HTMLResponse(written.text, status, headers=headers)
    return JSONResponse({"error": str(error)}, status, headers=headers)


async def _no_room(request: Request, error: Exception) -> Response:
    assert isinstance(error, OSError)
    text = f"the server cannot keep the file: {error.strerror or error}"
    hint = "try it again; if that does not help, remove runs that nobody needs"
    return await _refused(request, Refusal(507, text, hint=hint))


async def _not_found(request: Request, _: Exception) -> Response:
    return await _refused(request, Refusal(404, "there is no such page"))


async def _defect(request: Request, error: Exception) -> Response:
    text = f"{type(error).__name__}: this is a defect of corefkit; please report it"
    return await _refused(request, Refusal(500, text))


def _depth(request: Request) -> int:
    """Say how many levels a page stands below the first one."""
    root = request.scope.get("root_path", "")
    return max(0, request.url.path.removeprefix(root).count("/") - 1)
