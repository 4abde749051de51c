"""What a call in a loop does, counted in calls of functions and not in seconds."""

from __future__ import annotations

import sys

import corefkit

# Ten entities of three mentions; the response has another first mention in each.
KEY = [[(n, n), (n, n + 1), (n + 1, n + 3)] for n in range(0, 50, 5)]
RESPONSE = [[(5 * n + 4, 5 * n + 4), *entity[1:]] for n, entity in enumerate(KEY)]


def calls(work):
    """Count the functions that are called, those of Python and those of C."""
    work()  # once before, so that all is imported
    counted = 0

    def count(_frame, event, _argument):
        nonlocal counted
        counted += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return counted


def test_score_of_a_small_document_calls_few_functions():
    assert calls(lambda: corefkit.score(KEY, RESPONSE).scores) < 950


def test_update_hardly_does_more_than_check():
    evaluator = corefkit.Evaluator()
    assert calls(lambda: evaluator.update(KEY, RESPONSE)) < 70


def test_documents_are_counted_together():
    evaluator = corefkit.Evaluator()

    def block():
        for _ in range(256):
            evaluator.update(KEY, RESPONSE)

    assert calls(block) / 256 < 80
    assert not evaluator._waiting.key


def test_repeated_computing_counts_nothing_again():
    evaluator = corefkit.Evaluator()
    for _ in range(40):
        evaluator.update(KEY, RESPONSE)
    assert calls(evaluator.compute) < 40
