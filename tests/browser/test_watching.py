"""The browser of the tests: it sees what must fail a test."""

from __future__ import annotations

import asyncio
import http.server
import socketserver
from threading import Thread

import pytest
from browser.looking import watch

pytestmark = pytest.mark.browser

CALM = "<!DOCTYPE html><title>t</title><p>text</p>"


@pytest.mark.parametrize(
    ("body", "trouble"),
    [
        ("<script>console.error('loud')</script>", "console error: loud"),
        ("<script>throw new Error('broken')</script>", "error: broken"),
        ("<img src='http://127.0.0.1:9/x.png'>", "request: http://127.0.0.1:9/x.png"),
        ("<script>alert(1)</script>", "dialog"),
        (
            "<meta http-equiv=Content-Security-Policy content=\"script-src 'none'\">"
            "<script>1</script>",
            "Content Security Policy",
        ),
    ],
    ids=["console", "error", "request", "dialog", "policy"],
)
def test_trouble_is_seen(chromium, tmp_path, body, trouble):
    path = tmp_path / "page.html"
    path.write_text(CALM + body)
    troubles = []
    with chromium.context() as context:
        page = context.new_page()
        watch(page, troubles)
        page.goto(path.as_uri())
    assert any(trouble in one for one in troubles)


def test_calm_pages_are_fine(open_page):
    assert open_page(CALM).inner_text("p") == "text"


def test_other_tests_can_run_loops(chromium):
    with chromium.context(), chromium.context() as context:
        context.new_page()

    async def nothing():
        return 1

    assert asyncio.run(nothing()) == 1


def test_pages_of_a_server_ask_that_server_alone(chromium):
    with socketserver.TCPServer(("127.0.0.1", 0), Answering) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/"
        troubles = []
        with chromium.context() as context:
            page = context.new_page()
            watch(page, troubles, (address,))
            page.goto(address)
            assert troubles == []
            page.evaluate("fetch('http://127.0.0.1:9/').catch(() => 0)")
        server.shutdown()
    assert "request: http://127.0.0.1:9/" in troubles


class Answering(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(CALM.encode())

    def log_message(self, *_):
        pass
