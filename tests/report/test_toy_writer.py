"""A new output format is its function and its row: every way to ask for it knows it."""

from __future__ import annotations

import pytest

import corefkit
from corefkit.cli import main
from corefkit.example import paths
from corefkit.results.score_table import WRITERS

KEY, CAREFUL, GREEDY = map(str, paths())


def lines(results, *, per_document=False):
    """Write the F1 of LEA, a line for each response: the toy's file."""
    del per_document
    return "\n".join(f"{result.response} {result['lea'].f1:.4f}" for result in results)


@pytest.fixture(autouse=True)
def added(monkeypatch):
    monkeypatch.setitem(WRITERS, "toy", lines)


def test_score_prints_it(capsys):
    assert main(["score", KEY, CAREFUL, GREEDY, "--format", "toy"]) == 0
    expected = corefkit.score_responses(KEY, [CAREFUL, GREEDY])
    assert capsys.readouterr().out == lines(expected) + "\n"


def test_help_names_it(capsys):
    assert main(["score", "--help"]) == 0
    assert "toy" in capsys.readouterr().out


def test_scores_side_by_side_are_written_in_it():
    results = corefkit.score_responses(KEY, [CAREFUL, GREEDY])
    assert corefkit.side_by_side(results, format="toy") == lines(results)
