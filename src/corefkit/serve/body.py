"""The bytes of a request, as they come in."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.requests import ClientDisconnect

from corefkit.serve.values import Refusal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.types import Message

_MOST_DRAINED = 1 << 30  # bytes that are still read, and thrown away
_DRAINED_SECONDS = 30


class Body:
    """The bytes of a request, which come within some seconds or are refused.

    Attributes:
        announced: how many there are, as the request says; 0 if it does not say.
    """

    def __init__(self, request: Request, seconds: float) -> None:
        self._request, self._seconds = request, seconds
        self._end = asyncio.get_running_loop().time() + seconds
        self._is_more = True
        length = request.headers.get("content-length", "")
        self.announced = int(length) if length.isascii() and length.isdigit() else 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Go through the bytes, some at a time."""
        while self._is_more:
            message = await self._received()
            if message["type"] == "http.disconnect":
                self._is_more = False
                raise ClientDisconnect
            self._is_more = message.get("more_body", False)
            yield message.get("body", b"")

    async def _received(self) -> Message:
        try:
            async with asyncio.timeout_at(self._end):
                return await self._request.receive()
        except TimeoutError:
            self._is_more = False
            text = f"sending took more than {self._seconds:g} seconds"
            raise Refusal(408, text) from None

    async def drain(self) -> None:
        """Read on what a client still sends, so that it comes to read the answer.

        A client that asks first whether it may send gets the answer at once.
        """
        if "expect" in self._request.headers:
            return
        size = 0
        self._end = asyncio.get_running_loop().time() + _DRAINED_SECONDS
        try:
            async for part in self:
                size += len(part)
                if size > _MOST_DRAINED:
                    return
        except (Refusal, ClientDisconnect):
            return
