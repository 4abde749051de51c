"""The local application in a browser: files in, a report out, and a leaderboard."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from browser.looking import faults, shoot
from browser.reports import CAREFUL, GREEDY, KEY

pytestmark = pytest.mark.browser


@pytest.fixture
def address(tmp_path):
    """Start the server on a free port, and end it."""
    code = "from corefkit.cli import main_and_exit; main_and_exit()"
    words = ["serve", "--port", "0", "--database", str(tmp_path / "runs.sqlite")]
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with process:
        for line in process.stdout:
            if found := re.search(r"http://\S+", line):
                break
        yield found[0]
        process.terminate()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_files_become_a_report(address, open_page, scheme):
    page = open_page(address, color_scheme=scheme)
    assert faults(page) == []
    page.locator("input[type=file]").nth(0).set_input_files(KEY)
    page.locator("input[type=file]").nth(1).set_input_files([CAREFUL, GREEDY])
    page.locator("button[type=submit]").click()
    page.wait_for_url("**/report", timeout=60_000)
    page.wait_for_selector("#reader")
    assert "careful" in page.inner_text("h1")
    page.goto(address)
    shoot(page, f"serve-{scheme}")
    assert faults(page) == []
    page.locator("table a", has_text="key.conll").first.click()
    page.wait_for_load_state()
    assert "careful" in page.inner_text("main")
    assert faults(page) == []
    shoot(page, f"leaderboard-{scheme}")


def test_a_bad_file_is_told_in_words(address, open_page, tmp_path):
    bad = tmp_path / "bad.conll"
    bad.write_text("no file of any format\n")
    page = open_page(address)
    page.locator("input[type=file]").nth(0).set_input_files(KEY)
    page.locator("input[type=file]").nth(1).set_input_files(bad)
    page.locator("button[type=submit]").click()
    page.wait_for_selector("text=/bad\\.conll/ >> visible=true")
    page.wait_for_selector("text=/format|read/i")
    shoot(page, "serve-refused")
