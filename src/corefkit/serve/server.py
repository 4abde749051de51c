"""The server process: its address, its tokens, start and end."""

from __future__ import annotations

import base64
import errno
import hashlib
import hmac
import ipaddress
import os
import secrets
import signal
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from corefkit.exceptions import CorefkitError, SettingsError
from corefkit.serve.jobs import Limits
from corefkit.serve.store import Store

if TYPE_CHECKING:
    from starlette.types import ASGIApp

HOST, PORT = "127.0.0.1", 8000
LOOPBACK = ("localhost", "127.0.0.1", "::1")
_ANY_HOST = ("0.0.0.0", "::", "")
_BACKLOG = 1024
_MAX_CONNECTIONS = 1000
_SHUTDOWN_S = 3


def is_loopback(host: str) -> bool:
    """Return whether a host is reachable from this machine only."""
    return host == "localhost" or (
        is_ip_address(host) and ipaddress.ip_address(host).is_loopback
    )


def is_ip_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


@dataclass
class Server:
    database: Path
    host: str = HOST
    port: int = PORT  # 0 chooses a free one
    known_as: tuple[str, ...] = ()  # further host names by which browsers reach it
    with_token: bool = False  # require a token even on this machine
    submitters: tuple[str, ...] = ()  # names for each of which there is a token
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if not 0 <= self.port < 1 << 16:
            message = f"the port is {self.port}, expected 0 to 65535"
            raise SettingsError(message, code="settings/invalid-value")

    @cached_property
    def tokens(self) -> dict[str, str]:
        """The holder of each token, "" for the owner.

        Tokens of submitters depend on the name and on a secret in the database, so that
        their addresses are the same after a restart.
        """
        tokens = {}
        if self.with_token or self.submitters or not is_loopback(self.host):
            tokens[secrets.token_urlsafe(24)] = ""
        for name in self.submitters:
            secret = Store(self.database).secret().encode("ascii")
            digest = hmac.digest(secret, name.encode("utf-8"), hashlib.sha256)
            tokens[base64.urlsafe_b64encode(digest[:24]).decode("ascii")] = name
        return tokens

    def run(self, report_start: Callable[[dict[str, str]], None]) -> None:
        """Serve until stopped; `report_start` gets the address of each holder."""
        import uvicorn

        is_debugging = os.environ.get("COREFKIT_TRACEBACK")
        with (
            self._open_socket() as listener,
            TemporaryDirectory(
                prefix="corefkit-serve-", ignore_cleanup_errors=True
            ) as folder,
        ):
            config = uvicorn.Config(
                self.build_application(Path(folder)),
                http="h11",  # one implementation, independent of installed packages
                ws="none",
                loop="asyncio",
                lifespan="on",
                proxy_headers=False,
                server_header=False,
                access_log=False,  # addresses may contain a token
                log_config=None,
                log_level="error" if is_debugging else "critical",
                limit_concurrency=_MAX_CONNECTIONS,
                timeout_graceful_shutdown=_SHUTDOWN_S,
            )
            # As Ctrl-C, so that files and processes are cleaned up.
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            report_start(self._list_addresses(listener.getsockname()[1]))
            uvicorn.Server(config).run(sockets=[listener])

    def build_application(self, folder: Path) -> ASGIApp:
        from corefkit.serve.app import Application, Gate

        is_public = not is_loopback(self.host)
        names = [socket.gethostname(), socket.getfqdn()] if is_public else []
        local = [f"{name}.local" for name in names[:1]]
        return Gate(
            Application(Store(self.database), folder, self.limits).build(),
            hosts=[*LOOPBACK, self.host, *names, *local, *self.known_as],
            any_address=is_public,
            tokens=self.tokens,
        )

    def _list_addresses(self, port: int) -> dict[str, str]:
        host = self.host
        if host in _ANY_HOST:
            host = socket.gethostname()
            try:
                socket.getaddrinfo(host, None)
            except (OSError, UnicodeError):
                host = HOST
        root = f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
        return {holder: f"{root}{token}/" for token, holder in self.tokens.items()} or {
            "": root
        }

    def _open_socket(self) -> socket.socket:
        try:
            rows = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
            return socket.create_server(
                (self.host, self.port),
                family=rows[0][0],
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
                message,
                code="environment/cannot-listen",
                place=f"{self.host}:{self.port}",
                hint=hint,
            ) from error
