"""What tests of commands share: the example corpus beside them, and a way to run."""

from __future__ import annotations

import shutil

import pytest

from corefkit.cli import main
from corefkit.example import paths


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Work in a folder with the example corpus."""
    for path in paths():
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys):
    """Run a command line; return its exit code, stdout and stderr."""

    def command(*words):
        code = main(list(words))
        return code, *capsys.readouterr()

    return command
