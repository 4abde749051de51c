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
        (
            "bench_scorers",
            ["--only", "small", "growth", "--scale", "0.01", "--rounds", "1"],
            "one document that grows",
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
    ],
    ids=lambda value: value[1] if isinstance(value, list) else None,
)
def test_benchmark_prints_its_ratios(script, words, expected):
    command = [sys.executable, str(ROOT / "benchmarks" / f"{script}.py"), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    # A ratio may miss its target (exit code 1); a traceback may not be there.
    assert done.stderr == ""
    assert expected in done.stdout


STAND_IN = """
import sys, corefkit
result = corefkit.score(sys.argv[1], sys.argv[2])
for name, metric in {"muc": "muc", "bcub": "b_cubed", "ceafe": "ceaf_e"}.items():
    f1 = result[metric].f1 + float(OFF)
    print(name.ljust(10), "Recall: 0.00  Precision: 0.00  F1: %.2f" % (100 * f1))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("off", "told"), [("0", "same"), ("0.01", "other by MUC +1.0")]
)
def test_scorers_are_compared_or_said_to_fail(tmp_path, off, told):
    """Run a stand-in for another scorer, and one that is not there."""
    script, figure = tmp_path / "stand_in.py", tmp_path / "growth.svg"
    script.write_text(STAND_IN.replace("OFF", off))
    bench = ROOT / "benchmarks" / "bench_scorers.py"
    words = ["--only", "small", "growth", "--scale", "0.01", "--rounds", "1"]
    words += ["--coval", str(script), "--python", sys.executable]
    words += ["--scorch", str(tmp_path / "absent"), "--figure", str(figure)]
    done = subprocess.run(
        [sys.executable, str(bench), *words],
        capture_output=True,
        text=True,
        check=True,
    )
    table = done.stdout.partition("one document that grows")[0]
    lines = {line[:20].strip(): line for line in table.splitlines()}
    assert told in lines["coval"]
    assert "No module named 'scorch'" in lines["scorch"]
    assert "corefkit" in figure.read_text()
    assert "<dc:date>" not in figure.read_text()
