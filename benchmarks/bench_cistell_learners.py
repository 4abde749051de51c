"""Measure learning and deciding of each learner, as ratios to TiMBL within one run.

The pairs are synthetic: mentions with skewed attributes, similar if coreferent, in 29
columns. Each learner has a process of its own. Deciding includes loading; seconds are
processor time, including TiMBL's processes; memory is the peak of the largest process.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from bench_score import SOURCE

if TYPE_CHECKING:
    from collections.abc import Sequence

# How many values each attribute of a mention has; each makes three columns, of both
# mentions and of whether they agree, and the two distances make the rest.
ATTRIBUTES = (2, 14, 14, 6, 9, 4, 3, 25, 300)
LEARNERS = ("timbl", "ib1", "logistic", "boosting")
PROCESSES = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)


def drawn(seed: int, number: int, *, coreferent: float) -> tuple[Any, Any]:
    """Draw pairs: their codes, and whether they are coreferent."""
    random = np.random.default_rng(seed)
    positive = random.random(number) < coreferent
    columns = []
    for size in ATTRIBUTES:
        share = 1 / np.arange(1, size + 1) ** 1.2
        first, other = random.choice(size, (2, number), p=share / share.sum())
        second = np.where(positive & (random.random(number) < 0.8), first, other)
        columns += [first % 25, second % 25, first == second]
    far = random.geometric(np.where(positive, 0.08, 0.03))
    columns += [np.minimum(far, 60) // 6, np.minimum(far * 4 + 2, 63) // 8]
    return np.stack(columns, axis=1).astype(np.uint8), positive


def measured(name: str, *, training: int, deciding: int) -> dict[str, float]:
    """Measure learning and deciding once, in this process."""
    from cistell.learners import LEARNERS as KNOWN
    from cistell.learners.base import Column, Instances

    rows, positive = drawn(0, training, coreferent=0.12)
    columns = tuple(
        Column(f"f{at}", tuple(map(str, range(32)))) for at in range(rows.shape[1])
    )
    asked, _ = drawn(1, deciding, coreferent=0.02)
    learner = KNOWN[name]
    began = _seconds()
    files = learner.learn(Instances(columns, rows, positive), seed=0).files()
    learned = _seconds()
    learner.load(files, columns).decide(asked)
    memory = max(resource.getrusage(who).ru_maxrss for who in PROCESSES) / 1024
    return {"learn": learned - began, "decide": _seconds() - learned, "memory": memory}


def _seconds() -> float:
    used = [resource.getrusage(who) for who in PROCESSES]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--training", type=int, default=260_000, metavar="PAIRS")
    parser.add_argument("--deciding", type=int, default=100_000, metavar="PAIRS")
    parser.add_argument("--only", choices=LEARNERS, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    sys.path.insert(0, str(SOURCE))
    sizes = {"training": options.training, "deciding": options.deciding}
    if options.only:
        print(json.dumps(measured(options.only, **sizes)))
        return
    given = [f"--{name}={size}" for name, size in sizes.items()]
    found = {}
    for name in LEARNERS:
        command = [sys.executable, Path(__file__), "--only", name, *given]
        done = subprocess.run(command, check=True, capture_output=True)
        found[name] = json.loads(done.stdout)
        ratio = {part: found["timbl"][part] / found[name][part] for part in found[name]}
        print(
            f"{name:9} learns {ratio['learn']:6.1f} times as fast as timbl "
            f"({found[name]['learn']:.1f} s), decides {ratio['decide']:6.1f} times "
            f"({options.deciding / found[name]['decide']:,.0f} pairs a second), "
            f"{found[name]['memory']:.0f} MB",
            flush=True,
        )


if __name__ == "__main__":
    main()
