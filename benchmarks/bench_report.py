"""Measure what `corefkit report` costs: time as a ratio to `corefkit score`, and size.

Three systems are reported on over 350 documents of OntoNotes' size, about 170,000 words
and 20,000 mentions a side, and scored likewise. Times are measured as in `bench_score`:
processor seconds of whole commands, run in turn.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import corpus
from bench_score import MEGABYTE, SCORE, Ratio, alternated, apart, use_source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

REPORT = (*SCORE[:-1], "report")
SYSTEMS = 3
TIMES = 20  # the score of the same files
MOST = 4.0  # million bytes


def bench_report(data: Path, *, documents: int, rounds: int) -> Iterator[Ratio]:
    """Compare a report with the scores of the same files, and weigh its page."""
    files = apart(_files, data, documents)
    page = data / "report.html"
    commands = {
        "score": (*SCORE, *files),
        "report": (*REPORT, *files, "-o", str(page)),
    }
    best = alternated(commands, rounds=rounds)
    score, report = best["score"], best["report"]
    context = (
        f"{report.seconds:.2f} s / {score.seconds:.2f} s, wall {report.wall:.2f} s"
    )
    title = f"report on {SYSTEMS} systems / their score"
    yield Ratio(title, report.seconds / score.seconds, TIMES, context)
    yield Ratio("  its peak memory, in MB", report.peak / MEGABYTE)
    yield Ratio("  its page, in million bytes", page.stat().st_size / 1e6, MOST)


def _files(data: Path, documents: int) -> list[str]:
    paths = corpus.systems_of_ontonotes_size(data, systems=SYSTEMS, documents=documents)
    return [str(path) for path in paths]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--documents", type=int, default=350, metavar="N")
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    parser.add_argument("--data", type=Path, metavar="DIR")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as aside:
        data = options.data or Path(aside)
        data.mkdir(parents=True, exist_ok=True)
        use_source(data / "bytecode")
        for ratio in bench_report(
            data, documents=options.documents, rounds=options.rounds
        ):
            print(ratio, flush=True)


if __name__ == "__main__":
    main()
