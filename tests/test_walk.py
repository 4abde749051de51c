"""A score enters few files: whoever reads how it comes about turns few pages."""

from __future__ import annotations

import contextlib
import io
import os

import pytest
from walk import walk

import corefkit
from corefkit.cli import main
from corefkit.example import paths
from corefkit.formats.files import load_kernel

KEY, RESPONSE, OTHER = map(str, paths())


def by_command():
    with contextlib.redirect_stdout(io.StringIO()):
        assert main(["score", KEY, RESPONSE]) == 0


@pytest.mark.parametrize(
    ("call", "files", "changes"),
    [
        pytest.param(
            by_command,
            *(25, 100),
            id="command",
            # Python reads line by line, and enters several files for each.
            marks=pytest.mark.skipif(load_kernel() is None, reason="without kernel"),
        ),
        pytest.param(lambda: corefkit.score(["abc"], ["ab"]), 8, 25, id="partitions"),
    ],
)
def test_score_enters_few_files_and_seldom_changes(call, files, changes):
    found = walk(call)
    assert len(found.files) <= files, sorted(found.files)
    assert len(found.changes) <= changes, found.changes


@pytest.mark.parametrize(
    ("words", "budget"),
    [
        (["compare", KEY, RESPONSE, OTHER], 45),
        (["errors", KEY, RESPONSE, OTHER], 50),
        (["explain", KEY, RESPONSE, "--metric", "lea"], 40),
        (["doctor", KEY, RESPONSE], 45),
        (["report", KEY, RESPONSE, OTHER, "-o", os.devnull, "--samples", "50"], 80),
    ],
    ids=["compare", "errors", "explain", "doctor", "report"],
)
def test_command_enters_few_files(words, budget):
    def call():
        silent = io.StringIO()
        with contextlib.redirect_stdout(silent), contextlib.redirect_stderr(silent):
            assert main(words) == 0

    files = walk(call).files
    assert len(files) <= budget, sorted(files)


def test_score_of_another_kind_takes_the_same_way():
    """What partitions enter, documents with words enter too, and more."""
    document = corefkit.Document(
        "d", (("a", "b"),), (corefkit.Entity("e", (corefkit.Mention(0, 0),)),)
    )
    plain = walk(lambda: corefkit.score(["abc"], ["ab"]))
    worded = walk(lambda: corefkit.score([document], [document]))
    kept = {file for file in plain.files if not file.startswith("formats/")}
    assert kept <= worded.files
