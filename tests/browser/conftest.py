"""One Chromium for each process of the tests, and pages that are watched.

A page that reports an error, or asks for anything that is not in it, fails its test.
Where Chromium is missing, the tests are skipped and say so.
"""

from __future__ import annotations

import asyncio
import shutil
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path

import pytest
from browser.looking import watch
from playwright.sync_api import sync_playwright

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
SIZE = {"width": 1280, "height": 900}


class Chromium:
    """A browser that leaves no trace in its process between two tests.

    Playwright keeps an event loop running, which tests that start loops of their own
    would stumble over: the loop is put away whenever no test uses the browser.
    """

    def __init__(self, path):
        self._playwright = sync_playwright().start()
        self._browser = self._playwright.chromium.launch(
            executable_path=path,
            # Root, as which CI runs, has no sandbox; the pages are our own.
            args=["--no-sandbox", "--font-render-hinting=none"],
        )
        self._loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)

    @contextmanager
    def context(self, **options):
        """Open what a window with no history and no storage is."""
        before = asyncio._get_running_loop()
        asyncio._set_running_loop(self._loop)
        try:
            with self._browser.new_context(viewport=SIZE, **options) as made:
                made.set_default_timeout(10_000)
                yield made
        finally:
            asyncio._set_running_loop(before)

    def close(self):
        """End the browser."""
        asyncio._set_running_loop(self._loop)
        self._browser.close()
        self._playwright.stop()


@pytest.fixture(scope="module")
def chromium():
    """Start Chromium for the tests of a file.

    Its driver has a thread, and a process with threads is never forked: tests of
    `jobs` that follow in the same process need it to be gone.
    """
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        pytest.skip("Chromium is not installed")
    started = Chromium(path)
    yield started
    started.close()


@pytest.fixture
def open_page(chromium, tmp_path):
    """Open HTML, the file of a page, or an address; several pages are fine.

    A page of a server may ask that server, and nobody else. Options are those of
    Playwright for a context, such as `color_scheme`.
    """
    troubles = []
    numbers = count()
    with ExitStack() as stack:

        def opened(what, fragment="", **options):
            inside = ()
            if isinstance(what, Path):
                address = what.as_uri()
            elif what.startswith("http://"):
                address, inside = what, ("/".join(what.split("/")[:3]) + "/",)
            else:
                path = tmp_path / f"page{next(numbers)}.html"
                path.write_text(what, "utf-8")
                address = path.as_uri()
            context = stack.enter_context(chromium.context(**options))
            page = context.new_page()
            watch(page, troubles, inside)
            page.goto(address + fragment)
            return page

        yield opened
    assert troubles == []
