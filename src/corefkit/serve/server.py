"""The server process: its socket, its tokens, its folder, start and end."""

from __future__ import annotations

import base64
import errno
import hashlib
import hmac
import ipaddress
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
from corefkit.formats import output
from corefkit.serve.store import Limits, Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from starlette.types import ASGIApp

HOST, PORT = "127.0.0.1", 8000
LOOPBACK = ("localhost", "127.0.0.1", "::1")
_ANY_HOST = ("0.0.0.0", "::", "")
_LOCK = "lock"
_FOLDER_ENTRY = re.compile(r"lock(-journal)?|run-[0-9a-f]{32}")
_BACKLOG = 1024
_MAX_CONNECTIONS = 1000
_SHUTDOWN_S = 3


def list_hosts(host: str, aliases: Iterable[str] = ()) -> list[str]:
    """List the names by which browsers reach a server.

    >>> list_hosts("127.0.0.1", ["box.lan"])
    ['localhost', '127.0.0.1', '::1', 'box.lan']
    """
    names = [] if is_loopback(host) else [socket.gethostname(), socket.getfqdn()]
    local = [f"{name}.local" for name in names[:1]]
    return [*dict.fromkeys([*LOOPBACK, host, *names, *local, *aliases])]


def is_loopback(host: str) -> bool:
    """Return whether a host is reachable from this machine only.

    >>> is_loopback("localhost"), is_loopback("127.0.0.2"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    return host == "localhost" or (
        is_ip_address(host) and ipaddress.ip_address(host).is_loopback
    )


def is_ip_address(name: str) -> bool:
    """Return whether a name is an IP address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _get_own_name() -> str:
    """Return a name by which this machine reaches itself."""
    name = socket.gethostname()
    try:
        socket.getaddrinfo(name, None)
    except (OSError, UnicodeError):
        return LOOPBACK[1]
    return name


@dataclass(frozen=True, slots=True)
class Server:
    """Configuration of a server.

    Attributes:
        database: the file with the runs.
        host: the address to listen on.
        port: the port; 0 chooses a free one.
        known_as: further host names by which browsers reach the server.
        with_token: require a token even if only this machine reaches the server.
        submitters: names for each of which there is a submit-only token.
        limits: upper bounds for requests and runs.
        token: the token of the owner; generated if required.
    """

    database: Path
    host: str = HOST
    port: int = PORT
    known_as: tuple[str, ...] = ()
    with_token: bool = False
    submitters: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    token: str = ""

    def __post_init__(self) -> None:
        """Check the port and generate the token."""
        if not 0 <= self.port < 1 << 16:
            message = f"the port is {self.port}, expected 0 to 65535"
            raise SettingsError(message, code="settings/invalid-value")
        is_required = self.with_token or self.submitters or not is_loopback(self.host)
        if is_required and not self.token:
            object.__setattr__(self, "token", secrets.token_urlsafe(24))

    def build_address(self, port: int, token: str | None = None) -> str:
        """Return the address to open with the owner's or another token."""
        token = self.token if token is None else token
        host = _get_own_name() if self.host in _ANY_HOST else self.host
        host = f"[{host}]" if ":" in host else host
        return f"http://{host}:{port}/{token}{'/' if token else ''}"

    def list_tokens(self) -> dict[str, str]:
        """Return the holder of each token, "" for the owner.

        Tokens of submitters depend on the name and on a secret in the database, so that
        their addresses are the same after a restart.
        """
        if not self.token:
            return {}
        tokens = {self.token: ""}
        if self.submitters:
            secret = Store(self.database).secret().encode("ascii")
            for name in self.submitters:
                digest = hmac.digest(secret, name.encode("utf-8"), hashlib.sha256)
                tokens[base64.urlsafe_b64encode(digest[:24]).decode("ascii")] = name
        return tokens

    def run(self, report_start: Callable[[dict[str, str]], None]) -> None:
        """Serve until stopped; `report_start` gets the address of each holder."""
        with (
            _handle_sigterm(),
            self._open_socket() as listener,
            self._lock_folder() as folder,
        ):
            port = listener.getsockname()[1]
            addresses = {
                holder: self.build_address(port, token)
                for token, holder in (self.list_tokens() or {"": ""}).items()
            }
            app = self.build_application(folder)
            _run_uvicorn(app, listener, lambda: report_start(addresses))

    def build_application(self, folder: Path) -> ASGIApp:
        """Build the application behind its gate."""
        from corefkit.serve.app import Application, Gate

        return Gate(
            Application(Store(self.database), folder, self.limits).build(),
            hosts=list_hosts(self.host, self.known_as),
            any_address=not is_loopback(self.host),
            tokens=self.list_tokens(),
        )

    @contextmanager
    def _open_socket(self) -> Iterator[socket.socket]:
        place = f"{self.host}:{self.port}"
        try:
            rows = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
            family, *_ = rows[0]
            listener = socket.create_server(
                (self.host, self.port),
                family=family,
                backlog=_BACKLOG,
                # The name of this machine may resolve to an address of either kind.
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
        with listener:
            yield listener

    @contextmanager
    def _lock_folder(self) -> Iterator[Path]:
        """Create the folder for unfinished runs, which one server uses at a time.

        The lock is an SQLite transaction: it works on every system and ends when the
        process is killed.
        """
        Store(self.database)  # an invalid file fails before anything is created
        database = self.database.resolve()  # one file may have several names
        folder = database.with_name(f"{database.name}-waiting")
        with output.wrap_write_errors(folder):
            folder.mkdir(mode=0o700, exist_ok=True)
        _check_folder(folder)
        lock = sqlite3.connect(folder / _LOCK, isolation_level=None, timeout=1)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            lock.close()
            message = "is used by another server"
            raise CorefkitError(
                message,
                code="environment/database",
                place=str(self.database),
                hint="open that one, or name another file by --database",
            ) from error
        try:
            for path in folder.glob("run-*"):  # left by a server that was killed
                shutil.rmtree(path, ignore_errors=True)
            yield folder
        finally:
            lock.close()
            shutil.rmtree(folder, ignore_errors=True)


def _check_folder(folder: Path) -> None:
    """Reject a folder of somebody else, as its content would be removed."""
    others = [p.name for p in folder.iterdir() if not _FOLDER_ENTRY.fullmatch(p.name)]
    if folder.is_symlink() or others:
        problem = "is a link" if folder.is_symlink() else f"has {others[0]!r}"
        message = f"{problem}, expected a folder of the server, which it may remove"
        raise CorefkitError(
            message,
            code="environment/database",
            place=str(folder),
            hint="move it elsewhere, or name another file by --database",
        )


@contextmanager
def _handle_sigterm() -> Iterator[None]:
    """Treat SIGTERM as Ctrl-C, so that files and processes are cleaned up."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _run_uvicorn(
    app: ASGIApp, listener: socket.socket, report_start: Callable[[], None]
) -> None:
    import uvicorn

    class ReportingServer(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                report_start()

    config = uvicorn.Config(
        app,
        http="h11",  # one implementation, independent of installed packages
        ws="none",
        loop="asyncio",
        lifespan="on",
        proxy_headers=False,
        server_header=False,
        access_log=False,  # addresses may contain a token
        log_config=None,
        log_level="error" if os.environ.get("COREFKIT_TRACEBACK") else "critical",
        limit_concurrency=_MAX_CONNECTIONS,
        timeout_graceful_shutdown=_SHUTDOWN_S,
    )
    ReportingServer(config).run(sockets=[listener])
