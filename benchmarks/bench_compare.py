"""Measure what comparing systems costs, as a ratio of times within one run.

Ten systems on a corpus of OntoNotes' size, all default metrics, 10,000 shuffles and
10,000 draws, are compared with one `corefkit score` of the same files. `numbers` is
what happens after scoring, from the counts of documents to results. The commands run in
turn, for several rounds, and the smallest processor time of each counts; memory is the
largest. Every document is a unit.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import corpus
from bench_score import (
    MEGABYTE,
    SCORE,
    Ratio,
    Run,
    alternated,
    apart,
    best_of,
    use_source,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TIMES, SECONDS = 10, 5  # whichever is more
MEMORY = 300
COMPARE = (*SCORE[:-1], "compare")


def compare_counts(files: Sequence[Path], samples: int) -> Run:
    """Compare systems whose documents are counted, in a process of its own."""
    from corefkit import score_responses
    from corefkit.analysis.compare.judging import compare_sample
    from corefkit.analysis.compare.procedure import Procedure
    from corefkit.analysis.compare.sample import make_sample

    key, *responses = files
    results = list(score_responses(key, responses))
    counts = {str(number): result.counts for number, result in enumerate(results)}
    used, began = time.process_time(), time.perf_counter()
    sample = make_sample(
        counts,
        metrics=results[0].metrics,
        settings=results[0].settings,
        unit_of=results[0].documents,
    )
    compare_sample(sample, Procedure(samples=samples))
    used, began = time.process_time() - used, time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return Run(used, began, peak)


def ratios(files: Sequence[Path], *, samples: int, rounds: int) -> Iterator[Ratio]:
    """Compare a comparison with scoring the same files."""
    options = ("--samples", str(samples), "--unit", "document")
    commands = {"score": (*SCORE, *files), "compare": (*COMPARE, *files, *options)}
    best = alternated(commands, rounds=rounds)
    scored = best["score"]
    target = max(TIMES, SECONDS / scored.seconds)
    systems = len(files) - 1
    yield from _judged(f"compare {systems} systems", best["compare"], scored, target)
    numbers = best_of([apart(compare_counts, files, samples) for _ in range(rounds)])
    yield from _judged(f"numbers of {systems} systems", numbers, scored, target)


def _judged(name: str, run: Run, scored: Run, target: float) -> Iterator[Ratio]:
    context = f"{run.seconds:.2f} s / {scored.seconds:.2f} s, wall {run.wall:.2f} s"
    yield Ratio(f"{name} / score", run.seconds / scored.seconds, target, context)
    yield Ratio("  its peak memory, in MB", run.peak / MEGABYTE, MEMORY)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--systems", type=int, default=10, metavar="N")
    parser.add_argument("--documents", type=int, default=350, metavar="N")
    parser.add_argument("--samples", type=int, default=10_000, metavar="N")
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    parser.add_argument("--data", type=Path, metavar="DIR")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as aside:
        folder = options.data or Path(aside)
        folder.mkdir(parents=True, exist_ok=True)
        use_source(folder / "bytecode")
        files = apart(
            corpus.systems_of_ontonotes_size,
            folder,
            systems=options.systems,
            documents=options.documents,
        )
        found = ratios(files, samples=options.samples, rounds=options.rounds)
        missed = False
        for ratio in found:
            print(ratio, flush=True)
            missed |= ratio.target is not None and ratio.measured > ratio.target
    sys.exit(missed)


if __name__ == "__main__":
    main()
