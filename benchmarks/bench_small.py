"""Measure what small documents in memory cost: `score`, and `Evaluator` in a loop.

Microseconds of processor time for a document; with `--before`, also of another source
tree, as ratios within one run. The trees run in turn, each round in a new process, and
the smallest time of each call counts: other programs can only add to it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import timeit
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import corpus
import numpy as np
from plain_metrics import plain_conll

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Partition: TypeAlias = Sequence[Sequence[object]]
    # A call, and how many documents it scores.
    Call: TypeAlias = tuple[Callable[[], object], int]

SOURCE = Path(__file__).resolve().parent.parent / "src"
DOCUMENTS = 256  # in a list of documents
RUN_S = 0.05  # how long a call is repeated before it is timed once


def shuffle_entities(
    partition: Partition, random: np.random.Generator
) -> list[list[object]]:
    """Put the mentions of a partition into random entities, as many as it has."""
    entities: list[list[object]] = [[] for _ in partition]
    for entity in partition:
        for mention in entity:
            entities[random.integers(len(entities))].append(mention)
    return [entity for entity in entities if entity]


def to_numpy(partition: Partition) -> list[list[object]]:
    """Write the numbers of spans as models give them, as integers of numpy."""
    return [[tuple(map(np.int64, span)) for span in entity] for entity in partition]


def to_lists(partition: Partition) -> list[list[object]]:
    """Write spans as JSON has them."""
    return [[list(span) for span in entity] for entity in partition]


def to_names(partition: Partition) -> list[list[object]]:
    """Replace spans by names."""
    return [[f"{first}-{last}" for first, last in entity] for entity in partition]


def make_calls(mentions: int) -> dict[str, Call]:
    """Make the calls to time, for documents of so many mentions."""
    import corefkit

    key, response = corpus.partitions(mentions)
    random = np.random.default_rng(0)
    shuffled = cycle([shuffle_entities(key, random) for _ in range(DOCUMENTS)])
    evaluator = corefkit.Evaluator()
    shuffled_evaluator = corefkit.Evaluator()
    calls: dict[str, Call] = {}
    for form, write in (
        ("tuples", list),
        ("lists", to_lists),
        ("names", to_names),
        ("numpy", to_numpy),
    ):
        sides = write(key), write(response)
        lists = [sides[0]] * DOCUMENTS, [sides[1]] * DOCUMENTS
        calls |= {
            f"score of {form}": (
                lambda sides=sides: corefkit.score(*sides).conll,
                1,
            ),
            f"update with {form}": (
                lambda sides=sides: evaluator.update(*sides),
                1,
            ),
            f"score of a list of documents of {form}": (
                lambda lists=lists: corefkit.score(*lists).conll,
                DOCUMENTS,
            ),
        }
    calls["score of random entities"] = (
        lambda: corefkit.score(key, next(shuffled)).conll,
        1,
    )
    calls["update with random entities"] = (
        lambda: shuffled_evaluator.update(key, next(shuffled)),
        1,
    )
    calls["CoNLL mean in plain Python"] = (lambda: plain_conll(key, response), 1)
    calls["CoNLL mean in plain Python, random entities"] = (
        lambda: plain_conll(key, next(shuffled)),
        1,
    )
    return calls


def time_calls(mentions: int) -> dict[str, float]:
    """Return the seconds that each call takes for a document."""
    best: dict[str, float] = {}
    for name, (call, documents) in make_calls(mentions).items():
        timer = timeit.Timer(call, timer=time.process_time)
        number = 1
        while timer.timeit(number) < RUN_S:
            number *= 2
        # Whole blocks of an evaluator, whose counting is put off.
        number = -(-number // DOCUMENTS) * DOCUMENTS if documents == 1 else number
        best[name] = min(timer.repeat(3, number)) / number / documents
    return best


def time_tree(source: Path, mentions: int) -> dict[str, float]:
    """Time the calls in a new process, with the package of a source tree."""
    environment = os.environ | {"PYTHONPATH": str(source)}
    done = subprocess.run(
        [sys.executable, __file__, "--mentions", str(mentions), "--worker"],
        env=environment,
        capture_output=True,
        check=True,
    )
    times: dict[str, float] = json.loads(done.stdout)
    return times


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table of calls, one line each."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--mentions", type=int, nargs="+", default=[10, 30, 300])
    parser.add_argument("--before", type=Path, metavar="SRC")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.worker:
        print(json.dumps(time_calls(*options.mentions)))
        return
    trees = [tree for tree in (options.before, SOURCE) if tree is not None]
    for mentions in options.mentions:
        rounds = [
            [time_tree(tree, mentions) for tree in trees] for _ in range(options.rounds)
        ]
        print(f"documents of {mentions} mentions, µs")
        for name in rounds[0][0]:
            times = [
                min(times[tree][name] for times in rounds) for tree in range(len(trees))
            ]
            line = f"  {name:<48}" + "".join(f"{time * 1e6:9.1f}" for time in times)
            if options.before is not None:
                line += f"{times[1] / times[0]:8.2f}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
