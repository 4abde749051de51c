"""The door: who may ask at all. Nothing behind it sees what it turns away.

1. The request names this machine as its host. A page elsewhere that has its own name
   point to this machine (DNS rebinding) is turned away.
2. The address begins with the token, if there is one.
3. No other site asks, in the same browser or another: a browser says where a request
   comes from (`Sec-Fetch-Site`, `Origin`), and only its own pages may, except that a
   link elsewhere may open a page. An old browser says it by `Referer` alone.

There are no cookies, so no browser adds rights to a request of another site. Programs
without a browser send neither header and are let in.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse

from corefkit.serve.hosts import LOOPBACK, host_name, is_address

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_SAFE = ("GET", "HEAD")
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Door:
    """Turns requests away, or lets them in and adds headers to the answers."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Iterable[str] = LOOPBACK,
        any_address: bool = False,
        token: str = "",
    ) -> None:
        self._app, self._any_address = app, any_address
        self._hosts = frozenset(host.lower() for host in hosts)
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # there are no web sockets here
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refused: Response | None = self._refusal(scope, Headers(scope=scope))
        if refused is None and self._token and scope["path"] == f"/{self._token}":
            refused = RedirectResponse(f"/{self._token}/")
        if refused is None and self._token:
            scope = {**scope, "root_path": f"/{self._token}"}
        await (refused or self._app)(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope, headers: Headers) -> PlainTextResponse | None:
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._knows(hosts[0]):
            text = "this server is not known by that name; see --known-as\n"
            return PlainTextResponse(text, 421)
        if not self._has_token(scope["path"]):
            return PlainTextResponse("the address needs its token\n", 404)
        if not _is_from_here(scope["method"], headers, hosts[0]):
            return PlainTextResponse("requests of other sites are refused\n", 403)
        return None

    def _knows(self, host: str) -> bool:
        """Say whether a host is this machine; its port does not matter to tunnels."""
        name = host_name(host)
        if name is None:
            return False
        # An address in digits cannot be made to point elsewhere, as names can.
        return name in self._hosts or (self._any_address and is_address(name))

    def _has_token(self, path: str) -> bool:
        if not self._token:
            return True
        first = path.split("/", 2)[1] if path.startswith("/") else ""
        given = first.encode("utf-8", "surrogatepass")
        return secrets.compare_digest(given, self._token.encode("ascii"))


def _is_from_here(method: str, headers: Headers, host: str) -> bool:
    sites = headers.getlist("sec-fetch-site")
    if sites not in ([], ["same-origin"], ["none"]):
        # A link of another site may open a page, which alone it cannot read.
        mode, into = headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")
        return method == "GET" and mode == "navigate" and into == "document"
    if method in _SAFE:
        return True
    here = (f"http://{host}", f"https://{host}")
    pages = tuple(f"{one}/" for one in here)
    return all(one in here for one in headers.getlist("origin")) and all(
        one.startswith(pages) for one in headers.getlist("referer")
    )
