"""The page of the command line shows the help of every command."""

from __future__ import annotations

import re
from argparse import SUPPRESS

import pytest
from command_files import list_parsers
from shared_files import ROOT

PARSERS = list_parsers()
PAGE = (ROOT / "docs" / "cli.md").read_text("utf-8")


@pytest.mark.parametrize("name", PARSERS)
def test_page_shows_the_full_help(name):
    # `tests/test_docs.py` compares the output.
    (shown,) = re.findall(rf"^\$ corefkit {name} --help\n(.*?)^```$", PAGE, re.M | re.S)
    assert shown.startswith(f"usage: corefkit {name} ")
    assert "\n...\n" not in shown


@pytest.mark.parametrize("name", PARSERS)
def test_help_states_the_default(name):
    groups = PARSERS[name].list_groups().values()
    for action in (action for group in groups for action in group):
        if action.default not in (None, False, [], SUPPRESS):
            stated = rf"\(default: {re.escape(str(action.default))}[,)]"
            assert re.search(stated, action.help), action.option_strings
