"""A plain score starts quickly: it loads what it uses, and little is made meanwhile.

Time depends on the machine, so what is loaded is counted.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import corefkit
from corefkit.example import paths
from corefkit.kernel import kernel

SOURCE = Path(corefkit.__file__).parent.parent
KEY, RESPONSE, _ = map(str, paths())
TREES = str(Path(KEY).with_name("trees.conllu"))

# What a plain score of two CoNLL files does without, and who needs it.
NOT_NEEDED = {
    "corefkit.alignment.matching.candidates": "heads and minimum spans",
    "corefkit.alignment.matching.loose": "heads and minimum spans",
    "corefkit.alignment.mention_heads": "heads and minimum spans",
    "corefkit.alignment.texts": "texts that differ",
    "corefkit.columns.details": "mentions that are more than spans",
    "corefkit.corpus.fingerprint": "comparing corpora",
    "corefkit.formats.documents": "reading documents as objects",
    "corefkit.formats.faults": "faults of files",
    "corefkit.formats.memory": "what stands in memory",
    "corefkit.metrics.reference": "repeated mentions",
    "corefkit.metrics.split": "split antecedents",
    "corefkit.model": "documents as objects",
    "corefkit.report.latex": "another output",
    "corefkit.report.page": "pages of text",
    "corefkit.report.records": "output for programs",
    "json": "output for programs",
    "numpy.typing": "checkers of types",
    "pathlib": "folders",
    "shutil": "nothing here",
}
MOST_MODULES = 65  # of ours; 87 before they were counted
MOST_CLASSES = 24  # that `dataclass` compiles; 57 before
COUNTED = """
import dataclasses, sys

made = []
process = dataclasses._process_class

def counted(cls, *arguments, **options):
    made.append(f"{cls.__module__}.{cls.__qualname__}")
    return process(cls, *arguments, **options)

dataclasses._process_class = counted
from corefkit.cli import main

assert main(sys.argv[1:]) == 0
print({"modules": sorted(sys.modules), "classes": made}, file=sys.stderr)
"""


def loaded(*words):
    """Run a command in a Python of its own; list what was imported and made."""
    done = subprocess.run(
        [sys.executable, "-c", COUNTED, *words],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=True,
    )
    return ast.literal_eval(done.stderr.splitlines()[-1])


@pytest.fixture(scope="module")
def plain():
    if kernel() is None:
        pytest.skip("without the kernel, more is loaded to read files")
    return loaded("score", KEY, RESPONSE)


@pytest.mark.parametrize("module", NOT_NEEDED)
def test_a_plain_score_does_not_load(module, plain):
    if module == "pathlib" and np.lib.NumpyVersion(np.__version__) < "2.0.0":
        pytest.skip("numpy before 2.0 loads it")
    assert module not in plain["modules"]


def test_a_plain_score_loads_few_modules(plain):
    ours = [name for name in plain["modules"] if name.partition(".")[0] == "corefkit"]
    assert len(ours) <= MOST_MODULES, ours


def test_a_plain_score_makes_few_dataclasses(plain):
    """Each compiles up to six functions, in half a millisecond."""
    ours = [name for name in plain["classes"] if name.startswith("corefkit.")]
    assert len(ours) <= MOST_CLASSES, ours


def test_what_is_not_loaded_is_there():
    """A module that was renamed would never be loaded, and never be missed."""
    for name in NOT_NEEDED:
        assert __import__(name)


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
    assert loaded("score", KEY, RESPONSE, *words)["modules"]


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
