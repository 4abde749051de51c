"""Measure what `corefkit errors` costs, as a ratio to `corefkit score`.

Three systems are analysed over 350 documents of OntoNotes' size, and scored likewise.
Times are measured as in `bench_score`: processor seconds of whole commands, run in
turn.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import corpus
from bench_score import MEGABYTE, SCORE, Ratio, alternated, apart, use_source

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ERRORS = (*SCORE[:-1], "errors")
SYSTEMS = "ABC"
TARGET = 10  # times the score of the same files
_WAYS: Mapping[str, Sequence[str]] = {
    "table": (),
    "links": ("--links",),
    "list": ("--list",),
    "json": ("--format", "json"),
}


def bench_errors(data: Path, *, rounds: int = 5) -> Iterator[Ratio]:
    """Compare each output of an analysis with the scores of the same files."""
    key, response = apart(corpus.ontonotes_sized, data)
    files = [str(key), *(f"{name}={response}" for name in SYSTEMS)]
    commands = {"score": (*SCORE, *files)}
    commands |= {name: (*ERRORS, *files, *words) for name, words in _WAYS.items()}
    best = alternated(commands, rounds=rounds)
    score = best.pop("score")
    for name, run in best.items():
        memory = f"{run.seconds:.2f} s, {run.peak / MEGABYTE:.0f} MB"
        measured = run.seconds / score.seconds
        title = f"errors of {len(SYSTEMS)} systems, {name} / their score"
        yield Ratio(title, measured, TARGET, memory)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    parser.add_argument("--data", type=Path, metavar="DIR")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as aside:
        data = options.data or Path(aside)
        data.mkdir(parents=True, exist_ok=True)
        use_source(data / "bytecode")
        for ratio in bench_errors(data, rounds=options.rounds):
            print(ratio, flush=True)


if __name__ == "__main__":
    main()
