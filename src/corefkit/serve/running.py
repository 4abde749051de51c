"""The server itself: its port, its token, the files it uses, start and end."""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import signal
import socket
import sqlite3
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corefkit.exceptions import CorefkitError, SettingsError
from corefkit.formats import output as placing
from corefkit.serve.hosts import EVERYWHERE, is_loopback, known_hosts, own_name
from corefkit.serve.limits import Limits
from corefkit.serve.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from starlette.types import ASGIApp

HOST, PORT = "127.0.0.1", 8000
_LOCK = "lock"
_OWN = re.compile(r"lock(-journal)?|(part|run)-[0-9a-f]{32}|[0-9a-f]{64}")
_BACKLOG = 1024  # connections that wait to be taken
_CONNECTIONS = 1000  # at once; others are told to come back
_LAST_SECONDS = 3  # for answers that are on their way when it is stopped


@dataclass(frozen=True, slots=True)
class Server:
    """What a server is started with.

    Attributes:
        database: the file that keeps the runs.
        host: the address that it listens at.
        port: the port; 0 lets the system choose.
        known_as: other names by which browsers reach it.
        with_token: whether addresses need a token though nobody else reaches it.
        limits: what it takes at most.
    """

    database: Path
    host: str = HOST
    port: int = PORT
    known_as: tuple[str, ...] = ()
    with_token: bool = False
    limits: Limits = field(default_factory=Limits)
    token: str = ""

    def __post_init__(self) -> None:
        """Make a token where one is needed."""
        if not 0 <= self.port < 1 << 16:
            message = f"the port is {self.port}, expected 0 to 65535"
            raise SettingsError(message, code="settings/invalid-value")
        if not self.token and (self.with_token or not is_loopback(self.host)):
            object.__setattr__(self, "token", secrets.token_urlsafe(24))

    def address(self, port: int) -> str:
        """Word the address to open."""
        host = own_name() if self.host in EVERYWHERE else self.host
        host = f"[{host}]" if ":" in host else host
        return f"http://{host}:{port}/{self.token}{'/' if self.token else ''}"

    def run(self, started: Callable[[str], None]) -> None:
        """Serve until somebody stops it; `started` is called with the address."""
        with (
            _ended_in_order(),
            self._listening() as listening,
            self._only_one() as folder,
        ):
            port = listening.getsockname()[1]
            _serve(
                self.application(folder),
                listening,
                lambda: started(self.address(port)),
            )

    def application(self, folder: Path) -> ASGIApp:
        """Make the application, behind its door."""
        # Imported here because the extra that they need may be missing.
        from corefkit.serve.app import Application
        from corefkit.serve.door import Door

        app = Application(Store(self.database), folder, self.limits)
        return Door(
            app.starlette(),
            hosts=known_hosts(self.host, self.known_as),
            any_address=not is_loopback(self.host),
            token=self.token,
        )

    @contextmanager
    def _listening(self) -> Iterator[socket.socket]:
        place = f"{self.host}:{self.port}"
        try:
            rows = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
            family, *_ = rows[0]
            listening = socket.create_server(
                (self.host, self.port),
                family=family,
                backlog=_BACKLOG,
                # The name of this machine may stand for an address of either kind.
                dualstack_ipv6=self.host == "::" and socket.has_dualstack_ipv6(),
            )
        except OSError as error:
            message = f"cannot listen: {error.strerror or error}"
            hint = "--host names an address of this machine"
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                hint = "--port names another port; `--port 0` takes any that is free"
            raise CorefkitError(
                message, code="environment/cannot-listen", place=place, hint=hint
            ) from error
        with listening:
            yield listening

    @contextmanager
    def _only_one(self) -> Iterator[Path]:
        """Make the folder for files that wait, which one server has for itself.

        SQLite locks files on every system, and lets go when a process is killed.
        """
        Store(self.database)  # refused before anything is written beside it
        database = self.database.resolve()  # one file may have several names
        folder = database.with_name(f"{database.name}-waiting")
        with placing.wrap_write_errors(folder):
            folder.mkdir(mode=0o700, exist_ok=True)
        _check_own(folder)
        lock = sqlite3.connect(folder / _LOCK, isolation_level=None, timeout=1)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            lock.close()
            message = "is used by another server"
            hint = "open that one, or name another file by --database"
            raise CorefkitError(
                message,
                code="environment/database",
                place=str(self.database),
                hint=hint,
            ) from error
        try:
            _empty(folder)
            yield folder
        finally:
            lock.close()
            shutil.rmtree(folder, ignore_errors=True)


def _check_own(folder: Path) -> None:
    """Refuse a folder that somebody else made: what is in it would be removed."""
    strange = [path.name for path in folder.iterdir() if not _OWN.fullmatch(path.name)]
    if folder.is_symlink() or strange:
        what = "is a link" if folder.is_symlink() else f"has {strange[0]!r}"
        message = f"{what}, expected a folder of the server, which it may remove"
        hint = "move it elsewhere, or name another file by --database"
        raise CorefkitError(
            message, code="environment/database", place=str(folder), hint=hint
        )


def _empty(folder: Path) -> None:
    """Remove what a server that was killed has left."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        elif not path.name.startswith(_LOCK):
            path.unlink()


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """Let a wish to end come as Ctrl-C does, so that nothing is left behind.

    The server stops at both by itself, and hands the signal on when it has.
    """

    def end(*_: object) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _serve(app: ASGIApp, listening: socket.socket, started: Callable[[], None]) -> None:
    import uvicorn

    from corefkit.serve.connections import PromptProtocol

    class Started(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                started()

    config = uvicorn.Config(
        app,
        # One implementation of the protocol, whatever else is installed.
        http=PromptProtocol,
        ws="none",
        loop="asyncio",
        lifespan="on",
        proxy_headers=False,
        server_header=False,
        access_log=False,  # addresses may have the token
        log_config=None,
        log_level="error" if os.environ.get("COREFKIT_TRACEBACK") else "critical",
        limit_concurrency=_CONNECTIONS,
        timeout_graceful_shutdown=_LAST_SECONDS,
    )
    Started(config).run(sockets=[listening])
