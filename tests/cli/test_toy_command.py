"""A new command is its module and its row."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from corefkit.cli import COMMAND_GROUPS, COMMANDS, main


def add_arguments(parser):
    parser.add_argument("numbers", nargs="+", type=int, help="numbers to add")


def run(arguments):
    sys.stdout.write(f"{sum(arguments.numbers)}\n")
    return 0


@pytest.fixture(autouse=True)
def added(monkeypatch):
    module = ModuleType("corefkit.cli.toy")
    module.HELP = "Add numbers.\n\nNothing else."
    module.add_arguments, module.run = add_arguments, run
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(COMMAND_GROUPS, "toys", {"toy": "add numbers"})
    monkeypatch.setitem(COMMANDS, "toy", "add numbers")


def test_it_runs(capsys):
    assert main(["toy", "3", "4"]) == 0
    assert capsys.readouterr().out == "7\n"


def test_overview_lists_it(capsys):
    assert main(["--help"]) == 0
    assert "toy " in (out := capsys.readouterr().out)
    assert "add numbers" in out


def test_it_has_help(capsys):
    assert main(["toy", "--help"]) == 0
    assert "numbers to add" in capsys.readouterr().out


def test_wrong_usage_is_refused(capsys):
    assert main(["toy", "three"]) == 2
    assert "invalid int value: 'three'" in capsys.readouterr().err
