"""Connections that do nothing are ended, so that they do not keep others out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio


class PromptProtocol(H11Protocol):
    """HTTP, where a client must not take forever to ask, or to read the answer.

    It is looked at again and again. It is ended if it still waits for the rest of the
    same request as the last time, or if nothing of an answer was read since then. How
    long a file may take is a matter of `body`.

    Attributes:
        patience: seconds from one look to the next.
    """

    patience = 20.0
    _next: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to look."""
        super().connection_made(transport)
        self._look(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Look no more."""
        if self._next is not None:
            self._next.cancel()
        super().connection_lost(exc)

    def _look(self, before: tuple[Any, int] | None) -> None:
        waits = self.cycle is None or self.cycle.response_complete
        unread = self.transport.get_write_buffer_size()
        now = (self.cycle, unread) if waits or unread else None
        if now is not None and now == before:
            self.transport.abort()
        else:
            self._next = self.loop.call_later(self.patience, self._look, now)
