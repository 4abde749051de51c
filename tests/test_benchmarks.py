"""The benchmarks run; what they measure is for people to see."""

from __future__ import annotations

import subprocess
import sys

import pytest
from shared_files import ROOT


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "words", "expected"),
    [
        (
            "bench_score",
            ["--only", "start", "corpus", "--scale", "0.001"],
            "net / grep",
        ),
        ("bench_score", ["--only", "alignment", "--scale", "0.01"], "ours / sparse"),
        ("bench_errors", ["--rounds", "1"], "table / their score"),
        ("bench_engines", ["--mentions", "2000"], "same scores"),
        (
            "bench_report",
            ["--documents", "6", "--rounds", "1"],
            "3 systems / their score",
        ),
        ("bench_formats", ["--documents", "2"], "conllu"),
        (
            "bench_lab",
            ["--documents", "2", "--steps", "2", "--rounds", "1"],
            "twinless: 2 steps / scorings",
        ),
        (
            "bench_compare",
            ["--systems", "3", "--documents", "6", "--samples", "100", "--rounds", "1"],
            "compare 3 systems / score",
        ),
        (
            "bench_cistell_learners",
            ["--only", "ib1", "--training", "500", "--deciding", "100"],
            '"decide"',
        ),
    ],
    ids=lambda value: value[1] if isinstance(value, list) else None,
)
def test_benchmark_prints_its_ratios(script, words, expected):
    command = [sys.executable, str(ROOT / "benchmarks" / f"{script}.py"), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    # A ratio may miss its target (exit code 1); a traceback may not be there.
    assert done.stderr == ""
    assert expected in done.stdout
