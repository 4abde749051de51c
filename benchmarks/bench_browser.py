"""Measure a report page in a real browser: when it is first painted, when a document.

    python benchmarks/bench_browser.py report.html [--rounds N] [--documents N]

The browser is asked itself, by its Performance interface. A document is open when the
frame that shows it was painted: from the change of the address, its decoding included,
to the first task after that frame. Each document is opened once, in a page of its own
round. Chromium is Debian's, without a screen. Where others use the processor too, its
time in the page's main thread, painting included, says more than the clock.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from playwright.sync_api import Browser, CDPSession, Page

PAINT_TARGET = 1000  # ms
DOCUMENT_TARGET = 100
_PAINTS = """() => {
    const paints = Object.fromEntries(
        performance.getEntriesByType('paint').map(one => [one.name, one.startTime]));
    const [page] = performance.getEntriesByType('navigation');
    return {...paints, 'dom-content-loaded': page.domContentLoadedEventEnd,
            'load': page.loadEventEnd};
}"""
# The task of a message runs after the frame that the callback before it belongs to.
_OPENED = """id => new Promise((done) => {
    const start = performance.now();
    addEventListener('hashchange', () => requestAnimationFrame(() => {
        const {port1, port2} = new MessageChannel();
        port1.onmessage = () => done(performance.now() - start);
        port2.postMessage(null);
    }), {once: true});
    location.hash = new URLSearchParams({d: id}).toString();
})"""
_IDS = """() => JSON.parse(document.getElementById('reader-data').textContent)
    .documents.map(one => [one.id, one.text.flatMap(
        line => typeof line === 'string' ? line.split(' ') : line).length])"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Open a page several times, and documents in it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("page", type=Path)
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    parser.add_argument("--documents", type=int, default=12, metavar="N")
    options = parser.parse_args(arguments)
    print(f"{options.page.name}: {options.page.stat().st_size / 1e6:.2f} MB")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        print(f"Chromium {browser.version}")
        address = options.page.resolve().as_uri()
        rounds = [_round(browser, address, options) for _ in range(options.rounds)]
        browser.close()
    for name in rounds[0][0]:
        _tell(name, [paints[name] for paints, _ in rounds], PAINT_TARGET)
    for id, (tokens, *_) in rounds[0][1].items():
        for place, name in enumerate(("clock", "processor"), 1):
            times = [opened[id][place] for _, opened in rounds]
            _tell(f"document {id}, {tokens} tokens, {name}", times, DOCUMENT_TARGET)


def _round(browser: Browser, address: str, options: Any) -> tuple[Any, Any]:
    """Open the page anew, then some of its documents, the largest among them."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(address)
    page.wait_for_timeout(300)
    paints = page.evaluate(_PAINTS)
    opened = dict(_documents(page, session, options.documents))
    page.close()
    return paints, opened


def _documents(
    page: Page, session: CDPSession, wanted: int
) -> Iterable[tuple[str, tuple[int, float, float]]]:
    sizes = sorted(page.evaluate(_IDS), key=lambda one: -one[1])
    for id, tokens in sizes[:: max(1, len(sizes) // wanted)]:
        before = _processor(session)
        time = page.evaluate(_OPENED, id)
        processor = _processor(session) - before
        shown = page.locator("[data-token]").count()
        if shown != tokens:
            message = f"{id} did not open: it has {tokens} tokens, {shown} are shown"
            raise SystemExit(message)
        yield id, (tokens, time, processor)
        page.wait_for_timeout(50)


def _processor(session: CDPSession) -> float:
    """Ask for the processor time of all tasks of the page's main thread, in ms."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return 1000 * next(one["value"] for one in metrics if one["name"] == "TaskDuration")


def _tell(name: str, times: Sequence[float], target: float) -> None:
    middle = median(times)
    verdict = "ok" if middle <= target else "MISSED"
    spread = f"{min(times):.0f} to {max(times):.0f}"
    print(f"{name}: {middle:.0f} ms ({spread}) / {target} {verdict}")


if __name__ == "__main__":
    main()
