"""Take the screenshots of the documentation again, with Chromium.

    .venv/bin/python website/figures.py

They show the report on the bundled example.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

from playwright.sync_api import sync_playwright

FIGURES = Path(__file__).resolve().parents[1] / "docs" / "figures"
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
WIDTH = 1080


class Figure(NamedTuple):
    """A part of the report: its file, the fragment that opens it, top and bottom."""

    name: str
    fragment: str
    top: int
    bottom: int


LIST = [
    Figure("report.png", "", 20, 696),
    Figure("reader.png", "d=%28example%2Flamps%29%3B%20part%20000&s=2", 62, 535),
]


def write_report(folder: Path) -> Path:
    """Write the report on the bundled example."""
    path = folder / "report.html"
    command = [str(Path(sys.executable).with_name("corefkit")), "report", "--example"]
    subprocess.run([*command, "-o", str(path)], check=True, capture_output=True)
    return path


def main() -> None:
    """Take all screenshots."""
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        sys.exit("Chromium is not installed")
    report = write_report(Path(mkdtemp()))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox"]
        )
        for figure in LIST:
            size = {"width": WIDTH, "height": figure.bottom}
            page = browser.new_page(viewport=size, color_scheme="light")
            page.goto(f"{report.as_uri()}#{figure.fragment}")
            page.wait_for_timeout(500)
            clip = {"x": 0, "y": figure.top, "width": WIDTH}
            clip["height"] = figure.bottom - figure.top
            page.screenshot(path=FIGURES / figure.name, clip=clip)
        browser.close()


if __name__ == "__main__":
    main()
