"""Manual pages: generated from the parsers, without warnings of their readers."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from command_files import list_parsers, write_manual, write_scorer_manual
from kept import check_text
from shared_files import ROOT

from corefkit.cli.arguments import COMMON_TITLE

PAGES = {"corefkit.1": write_manual, "corefkit-scorer.1": write_scorer_manual}
each_page = pytest.mark.parametrize("name", PAGES)


@pytest.mark.kept
@each_page
def test_shipped_page_is_generated_from_the_parsers(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    check_text(ROOT / "man" / name, PAGES[name]())


def test_page_has_every_option():
    text = (ROOT / "man" / "corefkit.1").read_text("utf-8")
    plain = re.sub(r"\\f[BIR]", "", text).replace(r"\-", "-")
    for name, parser in list_parsers().items():
        assert f".SS corefkit {name}\n" in plain or f"corefkit {name}" in plain
        for title, actions in parser.list_groups().items():
            for action in actions if title != COMMON_TITLE else ():
                assert all(option in plain for option in action.option_strings)


@each_page
def test_groff_reports_nothing(name):
    if shutil.which("groff") is None:
        pytest.skip("needs groff")
    done = subprocess.run(
        ["groff", "-man", "-ww", "-z", ROOT / "man" / name],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
