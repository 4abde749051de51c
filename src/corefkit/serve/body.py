"""The bytes of a request, as they come in."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.requests import ClientDisconnect

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request

_MOST_DRAINED = 1 << 30  # bytes that are still read, and thrown away
_DRAINED_SECONDS = 30


class Body:
    """The bytes of a request.

    Attributes:
        announced: how many there are, as the request says; 0 if it does not say.
    """

    def __init__(self, request: Request) -> None:
        self._request = request
        self._is_more = True
        length = request.headers.get("content-length", "")
        self.announced = int(length) if length.isascii() and length.isdigit() else 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Go through the bytes, some at a time."""
        while self._is_more:
            message = await self._request.receive()
            if message["type"] == "http.disconnect":
                self._is_more = False
                raise ClientDisconnect
            self._is_more = message.get("more_body", False)
            yield message.get("body", b"")

    async def drain(self) -> None:
        """Read on what a client still sends, so that it comes to read the answer.

        A client that asks first whether it may send gets the answer at once.
        """
        if "expect" in self._request.headers:
            return
        size = 0
        try:
            async with asyncio.timeout(_DRAINED_SECONDS):
                async for part in self:
                    size += len(part)
                    if size > _MOST_DRAINED:
                        return
        except (TimeoutError, ClientDisconnect):
            return
