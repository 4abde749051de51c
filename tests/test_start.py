"""A plain score starts quickly: it does not load modules that it does not use."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import corefkit
from corefkit.example import paths
from corefkit.formats.files import load_kernel

SOURCE = Path(corefkit.__file__).parent.parent
KEY, RESPONSE, _ = map(str, paths())
TREES = str(Path(KEY).with_name("trees.conllu"))

# Modules of others that a plain score of two CoNLL files does not need.
NOT_NEEDED = frozenset({"json", "numpy.typing", "pathlib", "shutil"})
LISTING = """
import sys
from corefkit.cli import main

assert main(sys.argv[1:]) == 0
print(*sys.modules, file=sys.stderr)
"""


def loaded(*words):
    """Run a command in a new Python process; return the names of its modules."""
    done = subprocess.run(
        [sys.executable, "-c", LISTING, *words],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.splitlines()[-1].split())


def test_plain_score_loads_little():
    if load_kernel() is None:
        pytest.skip("without the kernel, more is loaded to read files")
    not_needed = set(NOT_NEEDED)
    if np.lib.NumpyVersion(np.__version__) < "2.0.0":
        not_needed.remove("pathlib")  # which numpy loads itself
    assert loaded("score", KEY, RESPONSE) & not_needed == set()


@pytest.mark.parametrize(
    "words",
    [
        ["--format", "json"],
        ["--format", "csv"],
        ["--format", "markdown"],
        ["--format", "latex"],
        ["--format", "reference"],
        ["--preset", "conll2012"],
        ["--singletons", "drop"],
        ["--split", "score"],
        ["--scope", "corpus"],
        ["--per-document", "--average", "macro"],
        ["--metric", "mor,muc", "--zeros", "drop"],
        [RESPONSE, "--sort", "muc"],
    ],
    ids=" ".join,
)
def test_what_is_loaded_late_is_found(words):
    """In a Python of its own: here another test may have loaded it."""
    assert "corefkit.cli.score" in loaded("score", KEY, RESPONSE, *words)


@pytest.mark.parametrize("match", ["head", "partial", "min"])
def test_other_ways_of_matching_are_found(match):
    assert loaded("score", TREES, TREES, "--match", match, "--zeros", "dependency")


def test_garbage_is_looked_for_again_once_the_command_is_loaded():
    code = (
        "import gc, sys, corefkit.cli as cli\n"
        "from corefkit.cli import score\n"
        "run = score.run\n"
        "score.run = lambda arguments: print(gc.isenabled(), gc.get_freeze_count() > 0)"
        " or run(arguments)\n"
        "cli.main_and_exit()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "score", KEY, RESPONSE],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[0] == "True True"
