"""Measure what `corefkit score` costs, as ratios of times within one run.

Times are processor seconds, user and system together, of whole commands. The commands
of a ratio run in turn, for several rounds, and the smallest time of each counts: other
programs on the machine can only add to it. `net` is without start-up, that is without
the time for a file of 20 lines. Seconds are shown as context only.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, ParamSpec, TypeVar

import corpus
import in_memory
from attempts import MEGABYTE, Run, attempt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

Given = ParamSpec("Given")
Result = TypeVar("Result")

SOURCE = Path(__file__).resolve().parent.parent / "src"
SCORE = (sys.executable, "-m", "corefkit", "score")
GREP = ("grep", "-c", "(")


class Ratio(NamedTuple):
    """One line of results; without a target it is not judged."""

    name: str
    measured: float
    target: float | None = None
    context: str = ""

    def __str__(self) -> str:
        """Format it as `measured / target`, with the verdict."""
        line = f"{self.name:<52}{self.measured:9.3g}"
        if self.target is not None:
            verdict = "ok" if self.measured <= self.target else "MISSED"
            line += f" / {self.target:<5g}{verdict}"
        return f"{line:<76} {self.context}".rstrip()


@dataclass(frozen=True, slots=True)
class Setup:
    """Where the data is, how much of it to use, and an external scorer, if any."""

    data: Path
    scale: float
    reference: str | None

    def scaled(self, number: int) -> int:
        """Scale a full size down."""
        return max(1, round(number * self.scale))


def bench_corpus(setup: Setup) -> Iterator[Ratio]:
    """Compare scoring 25,000 documents with `grep -c`, and show the peak memory."""
    documents = setup.scaled(25_000)
    pair = apart(corpus.corpus, setup.data, documents=documents)
    best = against_grep(setup, pair, rounds=3)
    yield net_ratio(f"corpus of {documents:,} documents: net / grep", best, 15)
    peak = best["score"].peak / MEGABYTE
    yield Ratio("  its peak memory, in MB", peak, 400)


def bench_one_document(setup: Setup) -> Iterator[Ratio]:
    """Compare scoring a document of a million mentions with `grep -c`."""
    mentions = setup.scaled(1_000_000)
    for thin in (False, True):
        pair = apart(corpus.one_document, setup.data, mentions=mentions, thin=thin)
        best = against_grep(setup, pair, rounds=5)
        kind = "thin document" if thin else "document"
        yield net_ratio(f"one {kind} of {mentions:,} mentions: net / grep", best, 30)
        yield Ratio("  its peak memory, in MB", best["score"].peak / MEGABYTE)


def bench_growth(setup: Setup) -> Iterator[Ratio]:
    """Compare the time per document of corpora that double in size."""
    sizes = [setup.scaled(number) for number in (2_500, 5_000, 10_000, 20_000)]
    pairs = [apart(corpus.corpus, setup.data, documents=size) for size in sizes]
    commands = {str(size): score(pair) for size, pair in zip(sizes, pairs, strict=True)}
    best = alternated({"start": start(setup), **commands}, rounds=3)
    first, *others = (best[str(size)] for size in sizes)
    for size, run in zip(sizes[1:], others, strict=True):
        seconds = (run.seconds - best["start"].seconds) / size
        base = (first.seconds - best["start"].seconds) / sizes[0]
        name = f"growth: time a document, {size:,} / {sizes[0]:,} documents"
        memory = f"memory {run.peak / first.peak:.2f}"
        yield Ratio(name, seconds / base, 1.2, memory)


def bench_start(setup: Setup) -> Iterator[Ratio]:
    """Compare scoring a file of 20 lines with importing numpy, and with all of a start.

    Both let numpy's linear algebra start one thread only, as the command does.
    """
    one_thread = "import os; os.environ['OPENBLAS_NUM_THREADS'] = '1'"
    numpy = (sys.executable, "-c", f"{one_thread}; import numpy")
    nothing = (sys.executable, "-c", one_thread)
    commands = {"score": start(setup), "numpy": numpy, "python": nothing}
    ours, theirs, least = alternated(commands, rounds=25).values()
    context = f"{ours.seconds:.3f} s, wall {ours.wall / theirs.wall:.2f}"
    measured = ours.seconds / theirs.seconds
    yield Ratio("start-up: score of 20 lines / import numpy", measured, 1.5, context)
    added = (ours.seconds - theirs.seconds) / (theirs.seconds - least.seconds)
    yield Ratio("  what corefkit adds / what numpy adds to Python", added, 0.6)


def bench_call(setup: Setup) -> Iterator[Ratio]:
    """Compare `corefkit.score` on small partitions with B³ in plain Python."""
    del setup
    for mentions in (10, 60, 300):
        ours, plain = apart(in_memory.call_times, mentions)
        name = f"call in memory, {mentions} mentions: all metrics / plain B³"
        yield Ratio(name, ours / plain, None, f"{ours * 1e6:.0f} µs")


def bench_loop(setup: Setup) -> Iterator[Ratio]:
    """Compare what loops call for a document with three metrics in plain Python."""
    del setup
    for mentions, most in ((30, 100), (300, 400)):
        times = apart(in_memory.loop_times, mentions)
        plain = times.pop("plain")
        for call, seconds in times.items():
            name = f"loop, {mentions} mentions: {call}"
            target = most if call == "update" else None
            context = f"µs; {seconds / plain:.2f} times MUC, B³, CEAFe in plain Python"
            yield Ratio(name, seconds * 1e6, target, context)


def bench_alignment(setup: Setup) -> Iterator[Ratio]:
    """Compare aligning the entities of a table with two solvers of scipy."""
    tables = [("adversarial", size) for size in (1_000, 5_000, 20_000)]
    tables += [("scattered", size) for size in (1_000, 2_000, 5_000, 20_000)]
    tables += [("uneven", size) for size in (1_000, 5_000, 20_000)]
    tables += [("chain", size) for size in (8_000, 16_000, 32_000)]
    tables += [("realistic", size) for size in (5_000, 1_000_000)]
    for kind, size in tables:
        entities, times = apart(in_memory.alignment_times, kind, setup.scaled(size))
        name = f"align {kind}, {entities:,} entities: ours / "
        for solver in ("sparse", "dense"):
            if solver in times:
                ratio = times["ours"] / times[solver]
                yield Ratio(f"{name}{solver}", ratio, None, f"{times['ours']:.4f} s")


def bench_reference(setup: Setup) -> Iterator[Ratio]:
    """Compare with another scorer on a corpus of OntoNotes' size, with start-up."""
    if setup.reference is None:
        return
    pair = apart(corpus.ontonotes_sized, setup.data)
    words = shlex.split(setup.reference)
    if not any("{key}" in word for word in words):
        words += ["{key}", "{response}"]
    reference = [word.format(**pair._asdict()) for word in words]
    # Many runs of ours for one of theirs, which is long enough not to vary much.
    many = alternated({"score": score(pair)}, rounds=10)
    both = alternated({"reference": reference, "score": score(pair)}, rounds=2)
    ours, theirs = best_of([many["score"], both["score"]]), both["reference"]
    times, wall = theirs.seconds / ours.seconds, theirs.wall / ours.wall
    context = f"{times:.0f} times faster, wall {wall:.0f}, {ours.seconds:.2f} s"
    name = "OntoNotes-sized: 60 times score / reference"
    yield Ratio(name, 60 / times, 1, context)


BENCHMARKS: Mapping[str, Callable[[Setup], Iterator[Ratio]]] = {
    "start": bench_start,
    "call": bench_call,
    "loop": bench_loop,
    "corpus": bench_corpus,
    "document": bench_one_document,
    "growth": bench_growth,
    "alignment": bench_alignment,
    "reference": bench_reference,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the chosen benchmarks."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="+", choices=BENCHMARKS, metavar="NAME")
    parser.add_argument("--scale", type=float, default=1.0, metavar="FRACTION")
    parser.add_argument("--data", type=Path, metavar="DIR")
    parser.add_argument("--reference", metavar="COMMAND")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as aside:
        setup = Setup(options.data or Path(aside), options.scale, options.reference)
        setup.data.mkdir(parents=True, exist_ok=True)
        use_source(setup.data / "bytecode")
        for name in options.only or BENCHMARKS:
            for ratio in BENCHMARKS[name](setup):
                print(ratio, flush=True)


def use_source(bytecode: Path) -> None:
    """Make all processes use this checkout, compiled like an installed package."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(SOURCE), before)))
    os.environ["PYTHONPYCACHEPREFIX"] = str(bytecode)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.path.insert(0, str(SOURCE))  # passed on to processes that `apart` starts


def apart(
    function: Callable[Given, Result], *args: Given.args, **options: Given.kwargs
) -> Result:
    """Call a function in a process of its own.

    The system never reports less peak memory for a command than for the process that
    started it, so this process must stay small.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(function, *args, **options).result()


def run(command: Sequence[str | Path]) -> Run:
    """Run a command that has to succeed."""
    done = attempt(command, keep=False)
    if done.failure:
        sys.exit(f"{shlex.join(map(str, command))}\n{done.failure}")
    return done.run


def alternated(
    commands: Mapping[str, Sequence[str | Path]], *, rounds: int
) -> dict[str, Run]:
    """Run the commands in turn, for several rounds."""
    runs: dict[str, list[Run]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            runs[name].append(run(command))
    return {name: best_of(of_command) for name, of_command in runs.items()}


def best_of(runs: Sequence[Run]) -> Run:
    """Keep the smallest times and the largest memory."""
    seconds, wall, peak = zip(*runs, strict=True)
    return Run(min(seconds), min(wall), max(peak))


def against_grep(setup: Setup, pair: corpus.Pair, *, rounds: int) -> dict[str, Run]:
    """Time grep, start-up and score on two files in the page cache."""
    commands = {"grep": (*GREP, *pair), "start": start(setup), "score": score(pair)}
    run(commands["grep"])
    return alternated(commands, rounds=rounds)


def net_ratio(name: str, best: Mapping[str, Run], target: float) -> Ratio:
    """Compare scoring without start-up with grep."""
    seconds, wall, _ = (
        score - start for score, start in zip(best["score"], best["start"], strict=True)
    )
    grep = best["grep"]
    context = f"{seconds:.2f} s / {grep.seconds:.3f} s, wall {wall / grep.wall:.2f}"
    return Ratio(name, seconds / grep.seconds, target, context)


def score(pair: corpus.Pair) -> Sequence[str | Path]:
    """Return the command that scores two files."""
    return (*SCORE, *pair)


def start(setup: Setup) -> Sequence[str | Path]:
    """Return the command that scores a file of 20 lines."""
    return score(corpus.twenty_lines(setup.data))


if __name__ == "__main__":
    main()
