"""Measure what `corefkit lab perturb` costs, as ratios of times within one run.

A perturbation with all its steps, including reading the files, is compared with as many
calls of `corefkit.score` on the same files: with the same metrics, and with the default
ones. All of them run in turn, for several rounds, and the medians of processor seconds
count. `counting` leaves reading out on both sides: the steps are compared with counting
the unchanged response as many times.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import corpus
from bench_score import SOURCE, Ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

TARGET = 10


def calls(files: corpus.Pair, *, steps: int) -> dict[str, Callable[[], object]]:
    """Return the calls to time, by name."""
    import corefkit
    from corefkit.lab.curves import perturb
    from corefkit.lab.labels import (
        evaluate_labels,
        find_partition_metrics,
        list_partition_metrics,
        read_pair,
    )
    from corefkit.lab.perturbation import PERTURBATIONS
    from corefkit.settings import DEFAULT_SETTINGS

    def read() -> object:
        return read_pair(*files, settings=DEFAULT_SETTINGS)

    def perturbing(kind: str) -> Callable[[], object]:
        return lambda: perturb(pair, kinds=[kind], steps=steps)

    pair = read_pair(*files, settings=DEFAULT_SETTINGS)
    metrics = find_partition_metrics(list_partition_metrics())
    return {
        "score all": lambda: corefkit.score(*files, metrics=metrics).scores,
        "score default": lambda: corefkit.score(*files).scores,
        "read": read,
        "count": lambda: (
            evaluate_labels(pair.key, pair.response, metrics=metrics).scores
        ),
        **{kind: perturbing(kind) for kind in PERTURBATIONS},
    }


def medians(
    named: Mapping[str, Callable[[], object]], *, rounds: int
) -> dict[str, float]:
    """Time all calls in turn, after one round that does not count."""
    times: dict[str, list[float]] = {name: [] for name in named}
    for number in range(rounds + 1):
        for name, call in named.items():
            began = time.process_time()
            call()
            if number:
                times[name].append(time.process_time() - began)
    return {name: median(seconds) for name, seconds in times.items()}


def ratios(seconds: dict[str, float], *, steps: int) -> list[Ratio]:
    """Compare each perturbation with as many scorings as it has steps."""
    bases = ("score all", "score default", "read", "count")
    whole, default, read, count = (seconds.pop(name) * steps for name in bases)
    read /= steps  # once, however many steps there are
    of_kinds = [
        Ratio(
            f"{kind}: {steps} steps / scorings",
            (taken + read) / whole,
            TARGET,
            f"default metrics {(taken + read) / default:.2f}, counting "
            f"{taken / count:.2f}, {1000 * taken / steps:.0f} ms a step",
        )
        for kind, taken in seconds.items()
    ]
    of_all = (sum(seconds.values()) + read) / (len(seconds) * whole)
    context = f"one scoring {1000 * whole / steps:.0f} ms"
    return [*of_kinds, Ratio("all of them", of_all, TARGET, context)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--documents", type=int, default=200, metavar="N")
    parser.add_argument("--steps", type=int, default=11, metavar="N")
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    parser.add_argument("--files", nargs=2, type=Path, metavar=("KEY", "RESPONSE"))
    options = parser.parse_args(arguments)
    sys.path.insert(0, str(SOURCE))
    with tempfile.TemporaryDirectory() as aside:
        if options.files:
            files = corpus.Pair(*options.files)
        else:
            files = corpus.corpus(Path(aside), documents=options.documents)
        seconds = medians(calls(files, steps=options.steps), rounds=options.rounds)
        for ratio in ratios(seconds, steps=options.steps):
            print(ratio, flush=True)


if __name__ == "__main__":
    main()
