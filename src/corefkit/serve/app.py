"""Addresses of the server and their answers.

    GET  /                      runs, leaderboards, and the form for a new run
    GET  /keys/CORPUS           leaderboard of a key
    GET  /runs/N                a run
    GET  /runs/N/report         its report
    GET  /runs/N/scores.json    its scores, as `corefkit compare` reads them
    GET  /runs/N/scores.csv     the same as CSV
    GET  /jobs/ID               the state of an unfinished run
    POST /runs                  start a run: a multipart form with the files
    POST /example               start a run of the bundled example
    DELETE /runs/N              remove a run

The fields of a new run are `key` and one or more `response`, each a file; or
`stored_key` and `stored_response` with the hash and the name of a file of an earlier
run; `name`, `notes`, and a field for each setting.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import Route

from corefkit import example
from corefkit.exceptions import CorefkitError
from corefkit.results.records import render_csv
from corefkit.serve import board
from corefkit.serve.jobs import (
    DEFECT,
    SETTING_OPTIONS,
    Job,
    JobQueue,
    Limits,
    RequestError,
    RunFolder,
    format_size,
)
from corefkit.serve.server import LOOPBACK, is_ip_address
from corefkit.serve.store import Store, StoredResponse, StoredRun
from corefkit.strings import suggest

if TYPE_CHECKING:
    from starlette.datastructures import FormData
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SUBMITTER = "corefkit.submitter"  # key of an ASGI scope, set by `Gate`
# A name, or an IPv6 address in brackets; then a port.
_HOST = re.compile(r"(\[(?P<address>[^\s\[\]@/\\]+)\]|(?P<name>[^\s:@/\\]+))(:[0-9]+)?")
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_MAX_DIGITS = 18  # of an SQLite integer
_FORM_OVERHEAD = 1 << 20  # bytes of a form apart from its files
_MAX_FIELDS = 200
_UPLOADS_AT_ONCE = 8
_DRAIN_SECONDS = 10
_FIELDS = ("key", "response", "stored_key", "stored_response", "name", "notes")
_SANDBOX = (
    "sandbox allow-scripts; connect-src 'none'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'none'"
)


class Gate:
    """ASGI middleware that rejects requests and adds headers to responses.

    A request passes under three conditions:

    1. The Host header names this machine. A page of another site whose name resolves
       to this machine (DNS rebinding) is rejected.
    2. The address starts with a token, if there are tokens.
    3. It comes from the server's own pages. Browsers send `Sec-Fetch-Site` and
       `Origin`, old ones `Referer`; a link on another site may open a page.

    There are no cookies, so a browser adds no rights to a request of another site.
    Clients other than browsers send none of these headers and are accepted. Without
    tokens, everybody who reaches the server is its owner.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Iterable[str] = LOOPBACK,
        any_address: bool = False,  # whether any IP address is accepted as host
        tokens: Mapping[str, str] | None = None,  # their holders, "" for the owner
    ) -> None:
        self._app, self._any_address = app, any_address
        self._hosts = frozenset(host.lower() for host in hosts)
        self._tokens = dict(tokens or {})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # web sockets are not supported
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        token = self._find_token(scope["path"])
        response = self._reject(scope["method"], Headers(scope=scope), token)
        if response is None and token:
            if scope["path"] == f"/{token}":
                response = RedirectResponse(f"/{token}/")
            scope = {**scope, "root_path": f"/{token}", SUBMITTER: self._tokens[token]}
        await (response or self._app)(scope, receive, send_with_headers)

    def _find_token(self, path: str) -> str:
        """Return the token at the start of a path; compared in constant time."""
        first = (
            path.removeprefix("/").partition("/")[0].encode("utf-8", "surrogatepass")
        )
        equal = [
            token
            for token in self._tokens
            if secrets.compare_digest(first, token.encode("ascii"))
        ]
        return equal[0] if equal else ""

    def _reject(self, method: str, headers: Headers, token: str) -> Response | None:
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_known_host(hosts[0]):
            text = "unknown host name of this server; see --known-as\n"
            return PlainTextResponse(text, 421)
        if self._tokens and not token:
            return PlainTextResponse("the address requires its token\n", 404)
        if not _is_same_origin(method, headers, hosts[0]):
            return PlainTextResponse("requests from other sites are rejected\n", 403)
        return None

    def _is_known_host(self, host: str) -> bool:
        # The port is ignored, as a tunnel may change it.
        match = _HOST.fullmatch(host.lower())
        name = match and (match["address"] or match["name"])
        # Unlike a name, an IP address cannot be made to point elsewhere.
        return name in self._hosts or bool(
            name and self._any_address and is_ip_address(name)
        )


def _is_same_origin(method: str, headers: Headers, host: str) -> bool:
    sites = headers.getlist("sec-fetch-site")
    if sites not in ([], ["same-origin"], ["none"]):
        # A link on another site may open a page, which that site cannot read.
        mode, target = headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")
        return method == "GET" and mode == "navigate" and target == "document"
    if method in ("GET", "HEAD"):
        return True
    origins = (f"http://{host}", f"https://{host}")
    pages = tuple(f"{origin}/" for origin in origins)
    return all(origin in origins for origin in headers.getlist("origin")) and all(
        referer.startswith(pages) for referer in headers.getlist("referer")
    )


class Application:
    """Answers requests about the runs of a store."""

    def __init__(self, store: Store, folder: Path, limits: Limits) -> None:
        self._store, self._folder, self._limits = store, folder, limits
        self._jobs = JobQueue(limits, store)
        self._uploads = asyncio.Semaphore(_UPLOADS_AT_ONCE)

    def build(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/", self.show_home),
                Route("/keys/{corpus:str}", self.show_board),
                Route("/runs/{number:str}", self.show_run),
                Route("/runs/{number:str}", self.remove_run, methods=["DELETE"]),
                Route("/runs/{number:str}/report", self.send_report),
                Route("/runs/{number:str}/scores.{format:str}", self.send_scores),
                Route("/jobs/{id:str}", self.send_job),
                Route("/runs", self.add_run, methods=["POST"]),
                Route("/example", self.add_example, methods=["POST"]),
            ],
            exception_handlers=dict.fromkeys(
                (CorefkitError, OSError, HTTPException, 500), _answer_error
            ),
            lifespan=self._stop_jobs,
        )

    @asynccontextmanager
    async def _stop_jobs(self, _: Starlette) -> AsyncIterator[None]:
        yield
        await self._jobs.stop()

    def show_home(self, request: Request) -> Response:
        submitter = _get_submitter(request)
        unfinished = [
            job.run.owner for job in self._jobs.list_jobs("waiting", "scoring")
        ]
        return board.make_home_page(
            self._store,
            self._limits,
            submitter=submitter,
            before=_parse_number(request.query_params.get("before", "")),
            waiting=unfinished.count(submitter) if submitter else len(unfinished),
        )

    def show_board(self, request: Request) -> Response:
        _require_owner(request)
        runs = self._store.list_corpus_runs(request.path_params["corpus"])
        if not runs:
            raise RequestError(404, "there are no runs with this key")
        sort = request.query_params.get("sort")
        return board.make_board_page(runs, self._store, self._limits, sort=sort)

    def show_run(self, request: Request) -> Response:
        run = self._find_run(request)
        return board.make_run_page(run, submitter=_get_submitter(request))

    def send_report(self, request: Request) -> Response:
        run = self._find_run(request)
        page = self._store.read_report(run.number) or b""
        headers = {"Content-Security-Policy": _SANDBOX}
        if "download" in request.query_params:
            headers |= _attach(f"corefkit-run-{run.number}.html")
        else:
            page = board.add_back_links(page, run)
        return HTMLResponse(page, headers=headers)

    def send_scores(self, request: Request) -> Response:
        run, format = self._find_run(request), request.path_params["format"]
        headers = _attach(f"corefkit-run-{run.number}.{format}")
        if format == "csv":
            text = render_csv(board.read_results(run))
            return Response(text, media_type="text/csv", headers=headers)
        if format == "json":
            scores = self._store.read_scores(run.number)
            return Response(scores, media_type="application/json", headers=headers)
        raise HTTPException(404)

    def remove_run(self, request: Request) -> Response:
        _require_owner(request)
        run = self._find_run(request)
        self._store.remove_run(run.number)
        return JSONResponse({"removed": run.number})

    def _find_run(self, request: Request) -> StoredRun:
        digits = request.path_params["number"]
        number = _parse_number(digits)
        run = None if number is None else self._store.find_run(number)
        if run is None or _get_submitter(request) not in ("", run.owner):
            raise RequestError(404, f"there is no run {digits[:_MAX_DIGITS]}")
        return run

    async def send_job(self, request: Request) -> Response:
        job = self._jobs.find(request.path_params["id"])
        if job is None or _get_submitter(request) not in ("", job.run.owner):
            message = "there is no such unfinished run"
            hint = "if the server was restarted, upload the files again"
            raise RequestError(404, message, hint=hint)
        return JSONResponse(self._describe_job(job))

    def _describe_job(self, job: Job) -> dict[str, object]:
        values: dict[str, object] = {"job": job.id, "state": job.state}
        match job.state:
            case "waiting":
                values["ahead"] = self._jobs.list_jobs("waiting").index(job)
            case "done":
                values |= {"run": job.number, "report": f"runs/{job.number}/report"}
            case "failed":
                values["error"] = job.reason
        return values

    async def add_run(self, request: Request) -> Response:
        await self._check_space()
        submitter = _get_submitter(request)
        async with self._uploads:
            form = await self._read_form(request)
            try:
                return await self._start(partial(self._save_form, form, submitter))
            finally:
                await form.close()

    async def add_example(self, request: Request) -> Response:
        _require_owner(request)
        await self._check_space()
        return await self._start(_save_example)

    async def _check_space(self) -> None:
        self._jobs.check_space()
        used = await asyncio.to_thread(self._store.size)
        limit = self._limits.database_bytes
        if used > limit:
            message = f"the runs use {format_size(used)} of {format_size(limit)}"
            raise RequestError(507, message, hint="remove runs that are not needed")

    async def _start(self, save: Callable[[RunFolder], StoredRun]) -> Response:
        """Save the files of a run, and append it to the queue."""
        folder = RunFolder(self._folder, self._limits)
        try:
            job = Job(await asyncio.to_thread(save, folder), folder)
            self._jobs.add(job)
        except BaseException:
            folder.remove()
            raise
        return JSONResponse(self._describe_job(job), 202)

    async def _read_form(self, request: Request) -> FormData:
        """Parse a form within the limits for its size and its time."""
        limit, seconds = self._limits.run_bytes, self._limits.upload_seconds
        message = f"the run has more than {format_size(limit)}"
        too_large = RequestError(413, message)
        size = 0

        async def receive() -> Message:
            nonlocal size
            part = await request.receive()
            size += len(part.get("body", b""))
            if size > limit + _FORM_OVERHEAD:
                raise too_large
            return part

        announced = _parse_number(request.headers.get("content-length", "")) or 0
        try:
            if announced > limit + _FORM_OVERHEAD:
                raise too_large
            async with asyncio.timeout(seconds):
                return await Request(request.scope, receive).form(
                    max_files=self._limits.responses + 1,
                    max_fields=_MAX_FIELDS + self._limits.responses,
                    max_part_size=_FORM_OVERHEAD,
                )
        except TimeoutError:
            message = f"the upload took more than {seconds:g} seconds"
            raise RequestError(408, message) from None
        except RequestError:
            if "expect" not in request.headers:  # the client waits for the answer
                await _drain_body(request)
            raise

    def _save_form(
        self, form: FormData, submitter: str, folder: RunFolder
    ) -> StoredRun:
        settings = {}
        for name, value in form.multi_items():
            if name in SETTING_OPTIONS and isinstance(value, str):
                settings[name] = value
            elif name not in _FIELDS:
                hint = suggest(name, SETTING_OPTIONS)
                raise RequestError(400, f"unknown field {name!r}", hint=hint)
        if submitter and (form.getlist("key") or form.getlist("stored_response")):
            message = "this address can only upload responses for keys of the server"
            raise RequestError(403, message)
        keys = self._save_files(form, "key", folder)
        if len(keys) != 1:
            raise RequestError(400, f"the form has {len(keys)} keys, expected one")
        responses = self._save_files(form, "response", folder)
        limit = self._limits.responses
        if not 1 <= len(responses) <= limit:
            message = f"{len(responses)} responses, expected 1 to {limit}"
            raise RequestError(413 if responses else 400, message)
        name, count = Counter(name for _, name in responses).most_common(1)[0]
        if count > 1:
            message = f"{count} responses are named {name!r}"
            raise RequestError(400, message, hint="rename one of them")
        return StoredRun(
            *keys[0],
            responses=tuple(StoredResponse(*response) for response in responses),
            settings=settings,
            name=_read_text(form, "name", self._limits.name_length),
            notes=_read_text(form, "notes", self._limits.notes_length),
            owner=submitter,
        )

    def _save_files(
        self, form: FormData, field: str, folder: RunFolder
    ) -> list[tuple[str, str]]:
        files = []
        for upload in form.getlist(field):
            if not isinstance(upload, UploadFile):
                raise RequestError(400, f"the field {field!r} is not a file")
            name = self._check_name(upload.filename or "", field)
            files.append(folder.add_file(name, upload.file))
        for value in form.getlist(f"stored_{field}"):
            hash, _, text = str(value).partition(" ")
            name = self._check_name(text, field)
            content = self._store.read_file(hash)
            if content is None:
                message = f"the file of {name!r} is not stored"
                raise RequestError(404, message, hint="upload it again")
            files.append(folder.add_file(name, BytesIO(content)))
        return files

    def _check_name(self, name: str, field: str) -> str:
        if not name.strip():
            raise RequestError(400, f"a {field} has no name")
        if len(name) > self._limits.name_length:
            message = f"the name of a {field} has {len(name)} characters"
            hint = f"expected at most {self._limits.name_length}"
            raise RequestError(400, message, hint=hint)
        return name


def _save_example(folder: RunFolder) -> StoredRun:
    files = []
    for path in example.paths():
        with path.open("rb") as content:
            files.append(folder.add_file(path.name, content))
    key, *responses = files
    return StoredRun(
        *key, tuple(StoredResponse(*file) for file in responses), name="Bundled example"
    )


def _read_text(form: FormData, field: str, limit: int) -> str:
    value = form.get(field, "")
    if not isinstance(value, str) or len(value) > limit:
        message = f"the field {field!r} has more than {limit} characters"
        raise RequestError(400, message)
    return value.strip()


async def _drain_body(request: Request) -> None:
    """Read the rest of a request, so that the client reads the answer."""
    with suppress(TimeoutError, ClientDisconnect):
        async with asyncio.timeout(_DRAIN_SECONDS):
            while (await request.receive()).get("more_body"):
                pass


def _get_submitter(request: Request) -> str:
    submitter: str = request.scope.get(SUBMITTER, "")
    return submitter


def _require_owner(request: Request) -> None:
    if _get_submitter(request):
        raise RequestError(403, "this address may only upload responses")


def _attach(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def _parse_number(digits: str) -> int | None:
    """Parse a number that SQLite can store; return None if it is invalid."""
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= _MAX_DIGITS
    return int(digits) if is_number else None


async def _answer_error(request: Request, error: Exception) -> Response:
    """Answer with the error as a page or, to programs, as JSON."""
    match error:
        case CorefkitError():
            pass
        case OSError():
            message = f"the server cannot store the file: {error.strerror or error}"
            hint = "try again; if that does not help, remove runs that are not needed"
            error = RequestError(507, message, hint=hint)
        case HTTPException(status_code=404):
            error = RequestError(404, "there is no such page")
        case HTTPException(status_code=400):  # a form that cannot be parsed
            error = RequestError(400, error.detail)
        case HTTPException():
            return Response(status_code=error.status_code, headers=error.headers)
        case _:
            message = f"{type(error).__name__}: {DEFECT}"
            error = RequestError(500, message)
    status = error.status if isinstance(error, RequestError) else 500
    headers = {"Connection": "close"} if status in (408, 413, 503, 507) else {}
    if status == 503:
        headers["Retry-After"] = "60"
    if request.method == "GET" and "/jobs/" not in request.url.path:
        root = request.scope.get("root_path", "")
        depth = max(0, request.url.path.removeprefix(root).count("/") - 1)
        return board.make_page(
            "message.html", depth=depth, status=status, title="Not found", error=error
        )
    return JSONResponse({"error": str(error)}, status, headers=headers)
