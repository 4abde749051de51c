"""Measure DuckDB on large tables, as ratios to reading the same tables.

Times are measured as in `bench_score`: processor seconds of whole commands, run in
turn, and the peak of their memory. Scores are compared too.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from bench_score import MEGABYTE, SCORE, Ratio, alternated, use_source
from tables import tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LIMIT = "1GB"
# By scope: times the processor time of reading, and times its memory.
TARGETS = {"document": (1.0, None), "corpus": (1.0, 0.5)}
MOST = 1_200  # million bytes, under the limit, where documents are scored one by one


def bench_engines(data: Path, mentions: int, *, rounds: int = 1) -> Iterator[Ratio]:
    """Compare an engine with reading, for each scope."""
    for scope, (time_target, memory_target) in TARGETS.items():
        made = tables(data, mentions, across=scope == "corpus")
        files = [str(path) for path in made]
        commands = {
            "reading": (*SCORE, *files, "--scope", scope),
            "duckdb": (
                *(*SCORE, *files, "--scope", scope),
                *("--engine", "duckdb", "--memory", LIMIT),
            ),
        }
        printed = [_printed(command) for command in commands.values()]
        same = "same scores" if printed[0] == printed[1] else "OTHER SCORES"
        best = alternated(commands, rounds=rounds)
        reading, duckdb = best["reading"], best["duckdb"]
        seconds = duckdb.seconds / reading.seconds
        title = f"{mentions:,} mentions, scope {scope}: duckdb / reading"
        context = f"{duckdb.seconds:.1f} s of {reading.seconds:.1f}, {same}"
        yield Ratio(title, seconds, time_target, context)
        peaks = [run.peak / MEGABYTE for run in (duckdb, reading)]
        context = f"{peaks[0]:.0f} MB of {peaks[1]:.0f}"
        yield Ratio(f"{title}, memory", peaks[0] / peaks[1], memory_target, context)
        if scope == "document":
            largest = duckdb.peak / 1e6
            yield Ratio(f"{title}, million bytes", largest, MOST, f"limit {LIMIT}")


def _printed(command: Sequence[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--mentions", type=int, default=10_000_000, metavar="N")
    parser.add_argument("--rounds", type=int, default=1, metavar="N")
    parser.add_argument("--data", type=Path, metavar="DIR")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as aside:
        data = options.data or Path(aside)
        data.mkdir(parents=True, exist_ok=True)
        use_source(data / "bytecode")
        for ratio in bench_engines(data, options.mentions, rounds=options.rounds):
            print(ratio, flush=True)


if __name__ == "__main__":
    main()
