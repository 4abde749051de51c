"""Connections that do nothing are ended; slow ones that do something are not."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
import uvicorn
from uvicorn.server import ServerState

from corefkit.serve.connections import PromptProtocol

LARGE = b"x" * (1 << 25)
ASK = b"GET /%b HTTP/1.1\r\nHost: a\r\n\r\n"


async def answer(scope, _, send):
    if scope["path"] == "/slow":
        await asyncio.sleep(0.6)
    body = LARGE if scope["path"] == "/large" else b"there"
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})


def talk(talking, monkeypatch):
    """Talk to a server that looks at connections every tenth of a second."""
    monkeypatch.setattr(PromptProtocol, "patience", 0.1)

    async def both():
        config = uvicorn.Config(answer, log_config=None, timeout_keep_alive=60)
        config.load()
        state = ServerState()
        server = await asyncio.get_running_loop().create_server(
            lambda: PromptProtocol(config, state, {}), "127.0.0.1", 0
        )
        address = server.sockets[0].getsockname()
        async with server, asyncio.timeout(20):
            reader, writer = await asyncio.open_connection(*address)
            try:
                await talking(reader, writer, state)
            finally:
                writer.transport.abort()

    asyncio.run(both())


@pytest.mark.parametrize("start", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: a\r\n"])
def test_a_request_without_an_end(monkeypatch, start):
    async def talking(reader, writer, _):
        writer.write(start)
        with suppress(ConnectionResetError):
            assert await reader.read() == b""

    talk(talking, monkeypatch)


def test_a_second_request_without_an_end(monkeypatch):
    async def talking(reader, writer, state):
        writer.write(ASK % b"" + b"GET / ")
        assert b"there" in await reader.readuntil(b"there")
        while state.connections:
            await asyncio.sleep(0.05)

    talk(talking, monkeypatch)


def test_an_answer_that_nobody_reads(monkeypatch):
    async def talking(_, writer, state):
        writer.write(ASK % b"large")
        while not state.connections:
            await asyncio.sleep(0.01)
        while state.connections:
            await asyncio.sleep(0.05)

    talk(talking, monkeypatch)


@pytest.mark.slow
def test_an_answer_that_takes_its_time(monkeypatch):
    async def talking(reader, writer, _):
        writer.write(ASK % b"slow")
        assert await reader.readuntil(b"there")

    talk(talking, monkeypatch)
