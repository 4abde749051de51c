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
import secrets
from contextlib import asynccontextmanager, suppress
from io import BytesIO
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

from corefkit.exceptions import CorefkitError
from corefkit.serve import board
from corefkit.serve.jobs import SETTING_OPTIONS, JobQueue, RunFolder
from corefkit.serve.server import LOOPBACK, is_ip_address
from corefkit.serve.store import RequestError, RunRequest, StoredFile, format_size
from corefkit.strings import suggest

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Mapping
    from pathlib import Path

    from starlette.datastructures import FormData
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from corefkit.serve.board import RenderedPage
    from corefkit.serve.jobs import Job
    from corefkit.serve.store import Limits, Store, StoredRun

SUBMITTER = "corefkit.submitter"  # key of an ASGI scope, set by `Gate`
_SAFE_METHODS = ("GET", "HEAD")
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
_FIELDS = ("stored_key", "stored_response", "name", "notes")
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
    Clients other than browsers send none of these headers and are accepted.

    Args:
        app: the application.
        hosts: accepted host names.
        any_address: whether any IP address is accepted as host.
        tokens: the holder of each token, "" for the owner of the server; without
            tokens, everybody who reaches the server is its owner.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Iterable[str] = LOOPBACK,
        any_address: bool = False,
        tokens: Mapping[str, str] | None = None,
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
        response = self._reject(scope, Headers(scope=scope), token)
        if response is None and token:
            if scope["path"] == f"/{token}":
                response = RedirectResponse(f"/{token}/")
            scope = {**scope, "root_path": f"/{token}", SUBMITTER: self._tokens[token]}
        await (response or self._app)(scope, receive, send_with_headers)

    def _find_token(self, path: str) -> str:
        """Return the token at the start of a path; compared in constant time."""
        first = path.split("/", 2)[1] if path.startswith("/") else ""
        given = first.encode("utf-8", "surrogatepass")
        equal = [
            token
            for token in self._tokens
            if secrets.compare_digest(given, token.encode("ascii"))
        ]
        return equal[0] if equal else ""

    def _reject(self, scope: Scope, headers: Headers, token: str) -> Response | None:
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_known_host(hosts[0]):
            text = "unknown host name of this server; see --known-as\n"
            return PlainTextResponse(text, 421)
        if self._tokens and not token:
            return PlainTextResponse("the address requires its token\n", 404)
        if not _is_same_origin(scope["method"], headers, hosts[0]):
            return PlainTextResponse("requests from other sites are rejected\n", 403)
        return None

    def _is_known_host(self, host: str) -> bool:
        # The port is ignored, as a tunnel may change it.
        name = parse_host(host)
        if name is None:
            return False
        # Unlike a name, an IP address cannot be made to point elsewhere.
        return name in self._hosts or (self._any_address and is_ip_address(name))


def _is_same_origin(method: str, headers: Headers, host: str) -> bool:
    sites = headers.getlist("sec-fetch-site")
    if sites not in ([], ["same-origin"], ["none"]):
        # A link on another site may open a page, which that site cannot read.
        mode, target = headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")
        return method == "GET" and mode == "navigate" and target == "document"
    if method in _SAFE_METHODS:
        return True
    origins = (f"http://{host}", f"https://{host}")
    pages = tuple(f"{origin}/" for origin in origins)
    return all(origin in origins for origin in headers.getlist("origin")) and all(
        referer.startswith(pages) for referer in headers.getlist("referer")
    )


def parse_host(host: str) -> str | None:
    """Return the name in a Host header in lower case, None if it is invalid.

    >>> parse_host("LocalHost:8000"), parse_host("[::1]:80"), parse_host("a b")
    ('localhost', '::1', None)
    """
    name, colon, port = host.rpartition(":")
    if not colon or host.endswith("]"):
        name, port = host, "0"
    if not (port.isascii() and port.isdigit()):
        return None
    if name.startswith("[") and name.endswith("]"):
        name = name[1:-1]
    elif ":" in name:
        return None
    return name.lower() if name and not set(name) & set(" \t/@\\") else None


class Application:
    """Answers requests about the runs of a store."""

    def __init__(self, store: Store, folder: Path, limits: Limits) -> None:
        self._store, self._folder, self._limits = store, folder, limits
        self._jobs = JobQueue(limits, store)
        self._uploads = asyncio.Semaphore(_UPLOADS_AT_ONCE)

    def build(self) -> Starlette:
        """Build the ASGI application."""
        return Starlette(
            routes=[
                Route("/", self.show_home),
                Route("/keys/{corpus:str}", self.show_board),
                Route("/runs/{number:str}", self.show_run),
                Route("/runs/{number:str}", self.remove_run, methods=["DELETE"]),
                Route("/runs/{number:str}/report", self.send_report),
                Route("/runs/{number:str}/scores.json", self.send_json),
                Route("/runs/{number:str}/scores.csv", self.send_csv),
                Route("/jobs/{id:str}", self.send_job),
                Route("/runs", self.add_run, methods=["POST"]),
                Route("/example", self.add_example, methods=["POST"]),
            ],
            exception_handlers={
                CorefkitError: _answer_error,
                OSError: _answer_os_error,
                HTTPException: _answer_http_error,
                500: _answer_defect,
            },
            lifespan=self._run_workers,
        )

    @asynccontextmanager
    async def _run_workers(self, _: Starlette) -> AsyncIterator[None]:
        with self._store.keep_open():
            self._jobs.start()
            yield
            await self._jobs.stop()

    def show_home(self, request: Request) -> Response:
        """Answer with the form, the leaderboards and the runs."""
        submitter = _get_submitter(request)
        jobs = self._jobs.list_unfinished()
        return _send_page(
            board.render_home_page(
                self._store,
                self._limits,
                submitter=submitter,
                before=_parse_number(request.query_params.get("before", "")),
                waiting=sum(job.request.owner == submitter for job in jobs)
                if submitter
                else len(jobs),
            )
        )

    def show_board(self, request: Request) -> Response:
        """Answer with the leaderboard of a key."""
        _require_owner(request)
        runs = self._store.list_corpus_runs(request.path_params["corpus"])
        if not runs:
            raise RequestError(404, "there are no runs with this key")
        sort = request.query_params.get("sort")
        return _send_page(
            board.render_board_page(runs, self._store, self._limits, sort=sort)
        )

    def show_run(self, request: Request) -> Response:
        """Answer with the page of a run."""
        run = self._find_run(request)
        return _send_page(board.render_run_page(run, submitter=_get_submitter(request)))

    def send_report(self, request: Request) -> Response:
        """Answer with the report of a run in a sandbox."""
        run = self._find_run(request)
        page = self._store.read_report(run.number)
        if page is None:
            raise _make_unknown_run_error(request)
        headers = {"Content-Security-Policy": _SANDBOX}
        if "download" in request.query_params:
            headers |= _attach(f"corefkit-run-{run.number}.html")
        else:
            page = board.add_back_links(page, run)
        return HTMLResponse(page, headers=headers)

    def send_json(self, request: Request) -> Response:
        """Answer with the scores of a run as JSON."""
        run = self._find_run(request)
        headers = _attach(f"corefkit-run-{run.number}.json")
        scores = self._store.read_scores(run.number)
        return Response(scores, media_type="application/json", headers=headers)

    def send_csv(self, request: Request) -> Response:
        """Answer with the scores of a run as CSV."""
        run = self._find_run(request)
        headers = _attach(f"corefkit-run-{run.number}.csv")
        text = board.render_run_csv(run)
        return Response(text, media_type="text/csv", headers=headers)

    def remove_run(self, request: Request) -> Response:
        """Remove a run."""
        _require_owner(request)
        run = self._find_run(request)
        self._store.remove_run(run.number)
        return JSONResponse({"removed": run.number})

    def _find_run(self, request: Request) -> StoredRun:
        number = _parse_number(request.path_params["number"])
        run = None if number is None else self._store.find_run(number)
        submitter = _get_submitter(request)
        if run is None or (submitter and run.request.owner != submitter):
            raise _make_unknown_run_error(request)
        return run

    async def send_job(self, request: Request) -> Response:
        """Answer with the state of an unfinished run."""
        job = self._jobs.find(request.path_params["id"])
        submitter = _get_submitter(request)
        if job is None or (submitter and job.request.owner != submitter):
            raise RequestError(
                404,
                "there is no such unfinished run",
                hint="if the server was restarted, upload the files again",
            )
        return JSONResponse(self._describe_job(job))

    def _describe_job(self, job: Job) -> dict[str, object]:
        values: dict[str, object] = {"job": job.id, "state": job.state}
        match job.state:
            case "waiting":
                values["ahead"] = self._jobs.count_ahead(job)
            case "done":
                values |= {"run": job.run, "report": f"runs/{job.run}/report"}
            case "failed":
                values["error"] = job.reason
        return values

    async def add_run(self, request: Request) -> Response:
        """Start a run of uploaded files."""
        await self._check_space()
        async with self._uploads:
            form = await self._read_form(request)
            folder = RunFolder(self._folder, self._limits)
            try:
                run = await asyncio.to_thread(
                    self._build_request, form, folder, _get_submitter(request)
                )
                return self._start(run, folder)
            except BaseException:
                folder.remove()
                raise
            finally:
                await form.close()

    async def add_example(self, request: Request) -> Response:
        """Start a run of the bundled example."""
        from corefkit.example import paths

        _require_owner(request)
        await self._check_space()
        folder = RunFolder(self._folder, self._limits)
        files = []
        for path in paths():
            with path.open("rb") as content:
                files.append(folder.add_file(path.name, content))
        run = RunRequest(files[0], tuple(files[1:]), name="Bundled example")
        return self._start(run, folder)

    async def _check_space(self) -> None:
        self._jobs.check_space()
        used = await asyncio.to_thread(self._store.size)
        limit = self._limits.database_bytes
        if used > limit:
            message = f"the runs use {format_size(used)} of {format_size(limit)}"
            raise RequestError(507, message, hint="remove runs that are not needed")

    def _start(self, run: RunRequest, folder: RunFolder) -> Response:
        return JSONResponse(self._describe_job(self._jobs.add(run, folder)), 202)

    async def _read_form(self, request: Request) -> FormData:
        """Parse a form within the limits for its size and its time."""
        seconds = self._limits.upload_seconds
        limited = Request(request.scope, self._limit_size(request))
        try:
            async with asyncio.timeout(seconds):
                return await limited.form(
                    max_files=self._limits.responses + 1,
                    max_fields=_MAX_FIELDS + self._limits.responses,
                    max_part_size=_FORM_OVERHEAD,
                )
        except TimeoutError:
            message = f"the upload took more than {seconds:g} seconds"
            raise RequestError(408, message) from None
        except RequestError:
            await _drain_body(request)
            raise

    def _limit_size(self, request: Request) -> Receive:
        limit = self._limits.run_bytes + _FORM_OVERHEAD
        error = RequestError(
            413, f"the run has more than {format_size(self._limits.run_bytes)}"
        )
        announced = request.headers.get("content-length", "")
        is_too_large = announced.isdigit() and int(announced[:_MAX_DIGITS]) > limit
        total = 0

        async def receive() -> Message:
            nonlocal total
            if is_too_large:
                raise error
            message = await request.receive()
            total += len(message.get("body", b""))
            if total > limit:
                raise error
            return message

        return receive

    def _build_request(
        self, form: FormData, folder: RunFolder, submitter: str
    ) -> RunRequest:
        """Copy the files of a form to the folder of the run, and check its fields."""
        settings = {}
        for name, value in form.multi_items():
            if isinstance(value, UploadFile):
                if name not in ("key", "response"):
                    raise RequestError(400, f"unknown file field {name!r}")
            elif name in SETTING_OPTIONS:
                settings[name] = value
            elif name not in (*_FIELDS, "key", "response"):
                raise RequestError(
                    400,
                    f"unknown setting {name!r}",
                    hint=suggest(name, SETTING_OPTIONS),
                )
        key = self._add_files(form, "key", folder)
        responses = self._add_files(form, "response", folder)
        if submitter and (form.getlist("key") or form.getlist("stored_response")):
            message = (
                "this address can upload responses for the keys of the server only"
            )
            raise RequestError(403, message)
        if len(key) != 1:
            raise RequestError(400, f"the form has {len(key)} keys, expected one")
        if not responses:
            raise RequestError(400, "the form has no response, expected one or more")
        if len(responses) > self._limits.responses:
            limit = self._limits.responses
            message = f"{len(responses)} responses, expected at most {limit}"
            raise RequestError(413, message)
        names = [response.name for response in responses]
        for name in names:
            if names.count(name) > 1:
                message = f"two responses are named {name!r}"
                raise RequestError(400, message, hint="rename one of them")
        return RunRequest(
            key[0],
            tuple(responses),
            settings,
            _read_text(form, "name", self._limits.name_length),
            _read_text(form, "notes", self._limits.notes_length),
            submitter,
        )

    def _add_files(
        self, form: FormData, field: str, folder: RunFolder
    ) -> list[StoredFile]:
        files = []
        for value in form.getlist(field):
            if not isinstance(value, UploadFile):
                raise RequestError(400, f"the field {field!r} is not a file")
            name = self._check_name(value.filename or "", field)
            files.append(folder.add_file(name, value.file))
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
        limit = self._limits.name_length
        if not name.strip():
            raise RequestError(400, f"a {field} has no name")
        if len(name) > limit:
            message = f"the name of a {field} has {len(name)} characters"
            raise RequestError(400, f"{message}, expected at most {limit}")
        return name


def _read_text(form: FormData, field: str, limit: int) -> str:
    value = form.get(field, "")
    if not isinstance(value, str) or len(value) > limit:
        message = f"the field {field!r} has more than {limit} characters"
        raise RequestError(400, message)
    return value.strip()


async def _drain_body(request: Request) -> None:
    """Read the rest of a request, so that the client reads the answer.

    A client that waits for "100 Continue" gets the answer at once.
    """
    if "expect" in request.headers:
        return
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


def _send_page(page: RenderedPage, status: int = 200) -> Response:
    headers = {"Content-Security-Policy": page.policy}
    return HTMLResponse(page.text, status, headers=headers)


def _attach(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def _parse_number(digits: str) -> int | None:
    """Parse a number that SQLite can store, None if it is not one."""
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= _MAX_DIGITS
    return int(digits) if is_number else None


def _make_unknown_run_error(request: Request) -> RequestError:
    number = request.path_params["number"][:_MAX_DIGITS]
    return RequestError(404, f"there is no run {number}")


async def _answer_error(request: Request, error: Exception) -> Response:
    """Answer with the error as a page or, to programs, as JSON."""
    assert isinstance(error, CorefkitError)
    status = error.status if isinstance(error, RequestError) else 500
    headers = {"Connection": "close"} if status in (408, 413, 503, 507) else {}
    if status == 503:
        headers["Retry-After"] = "60"
    if request.method == "GET" and "/jobs/" not in request.url.path:
        root = request.scope.get("root_path", "")
        depth = max(0, request.url.path.removeprefix(root).count("/") - 1)
        return _send_page(board.render_error_page(error, depth), status)
    return JSONResponse({"error": str(error)}, status, headers=headers)


async def _answer_os_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, OSError)
    message = f"the server cannot store the file: {error.strerror or error}"
    hint = "try again; if that does not help, remove runs that are not needed"
    return await _answer_error(request, RequestError(507, message, hint=hint))


async def _answer_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        return await _answer_error(request, RequestError(404, "there is no such page"))
    if error.status_code == 400:  # a form that cannot be parsed
        return await _answer_error(request, RequestError(400, error.detail))
    return Response(status_code=error.status_code, headers=error.headers)


async def _answer_defect(request: Request, error: Exception) -> Response:
    message = f"{type(error).__name__}: this is a defect of corefkit; please report it"
    return await _answer_error(request, RequestError(500, message))
