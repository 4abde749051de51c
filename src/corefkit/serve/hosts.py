"""Names and addresses by which a server is reached."""

from __future__ import annotations

import ipaddress
import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

LOOPBACK = ("localhost", "127.0.0.1", "::1")
EVERYWHERE = ("0.0.0.0", "::", "")


def host_name(host: str) -> str | None:
    """Read the name in a Host header, in small letters; None if it is no host.

    >>> host_name("LocalHost:8000"), host_name("[::1]:80"), host_name("a b")
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


def known_hosts(host: str, also: Iterable[str] = ()) -> list[str]:
    """List the names by which browsers reach a server.

    >>> known_hosts("127.0.0.1", ["box.lan"])
    ['localhost', '127.0.0.1', '::1', 'box.lan']
    """
    own = [] if is_loopback(host) else [socket.gethostname(), socket.getfqdn()]
    near = [f"{name}.local" for name in own[:1]]
    return [*dict.fromkeys([*LOOPBACK, host, *own, *near, *also])]


def own_name() -> str:
    """Find a name or address of this machine by which it reaches itself."""
    name = socket.gethostname()
    try:
        socket.getaddrinfo(name, None)
    except (OSError, UnicodeError):
        return LOOPBACK[1]
    return name


def is_loopback(host: str) -> bool:
    """Say whether only this machine reaches a host.

    >>> is_loopback("localhost"), is_loopback("127.0.0.2"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    return host == "localhost" or (
        is_address(host) and ipaddress.ip_address(host).is_loopback
    )


def is_address(name: str) -> bool:
    """Say whether a name is an address in digits."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
