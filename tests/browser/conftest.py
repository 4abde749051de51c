"""One Chromium for each process of the tests, and pages that are watched.

A page that reports an error, or asks for anything that is not in it, fails its test.
Where Chromium is missing, the tests are skipped and say so.
"""

from __future__ import annotations

import asyncio
import shutil
from contextlib import contextmanager

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
            made = self._browser.new_context(viewport=SIZE, **options)
            made.set_default_timeout(10_000)
            yield made
            made.close()
        finally:
            asyncio._set_running_loop(before)

    def close(self):
        """End the browser."""
        asyncio._set_running_loop(self._loop)
        self._browser.close()
        self._playwright.stop()


@pytest.fixture(scope="session")
def chromium():
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        pytest.skip("Chromium is not installed")
    started = Chromium(path)
    yield started
    started.close()


@pytest.fixture
def open_page(chromium, tmp_path):
    """Open HTML, or the file of a page, at a fragment; several pages are fine.

    Options are those of Playwright for a context, such as `color_scheme`.
    """
    troubles = []
    contexts = []

    def opened(html, fragment="", **options):
        path = html
        if isinstance(html, str):
            path = tmp_path / f"page{len(contexts)}.html"
            path.write_text(html, "utf-8")
        context = chromium.context(**options)
        contexts.append(context)
        page = context.__enter__().new_page()
        watch(page, troubles)
        page.goto(path.as_uri() + fragment)
        return page

    yield opened
    for context in reversed(contexts):
        context.__exit__(None, None, None)
    assert troubles == []
