"""Compare `corefkit score` with other public scorers, in time, memory and numbers.

The scorers are run from the paths that you give, and take turns with corefkit and with
`cat`, `wc -l` and `grep -c '('` over the same files: no scorer can be faster than a
program that only looks at the text. Times are processor seconds, user and system, of
whole commands; `net` is without start-up, the time for a file of 20 lines.
"""

from __future__ import annotations

import argparse
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import corpus
import scorers
from attempts import MEGABYTE, Attempt, Run, attempt
from bench_score import GREP, apart, best_of, use_source
from corpus import Pair
from growth_figure import draw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from scorers import Scorer

LIMITS = {"cat": ("cat",), "wc -l": ("wc", "-l"), "grep -c '('": GREP}
# Percentages with two decimals may be off by half of the last one.
TOLERANCE = 0.5e-4 + 1e-9


@dataclass(frozen=True, slots=True)
class Setup:
    """Where the data is, the scorers, and the processor seconds that each may take."""

    data: Path
    scale: float
    scorers: Sequence[Scorer]
    limit: int
    rounds: int

    def scaled(self, number: int) -> int:
        """Scale a full size down."""
        return max(1, round(number * self.scale))


@dataclass(frozen=True, slots=True)
class Result:
    """What a scorer did with two files: its cost and F1, or why there is none."""

    name: str
    run: Run | None = None
    scores: Mapping[str, float] = field(default_factory=dict)
    failure: str = ""


def result_of(scorer: Scorer, pair: Pair, setup: Setup) -> Result:
    """Run all steps of a scorer; their times add up, and the largest memory counts."""
    runs: list[Run] = []
    output = ""
    with tempfile.TemporaryDirectory() as aside:
        for step in scorer.steps(pair, Path(aside)):
            done = attempt(step.words, limit=setup.limit, folder=scorer.folder)
            if done.failure:
                return Result(scorer.name, failure=_reason(done))
            if step.into is not None:
                step.into.write_bytes(done.output)
            output = done.output.decode("utf-8", "replace")
            runs.append(done.run)
    seconds, wall, peak = zip(*runs, strict=True)
    run = Run(sum(seconds), sum(wall), max(peak))
    try:
        return Result(scorer.name, run, scorer.read(output))
    except (ValueError, ZeroDivisionError) as error:
        return Result(scorer.name, failure=f"no scores: {error}")


def _reason(done: Attempt) -> str:
    """Return the line that names the error, which is mostly the last."""
    lines = done.failure.splitlines()
    return next((line for line in reversed(lines) if "Error: " in line), lines[-1])


def best_result(scorer: Scorer, pair: Pair, setup: Setup, *, rounds: int) -> Result:
    """Keep the smallest times of several rounds, and the largest memory."""
    results = [result_of(scorer, pair, setup) for _ in range(rounds)]
    runs = [result.run for result in results if result.run is not None]
    last = results[-1]
    return Result(last.name, best_of(runs), last.scores) if runs else last


def bench_pair(
    setup: Setup, name: str, pair: Pair, starts: Mapping[str, Result]
) -> Iterator[str]:
    """Run everything on two files and tell it in lines of a table."""
    conllu = apart(scorers.as_conllu, pair) if _needs_conllu(setup) else pair
    size = sum(path.stat().st_size for path in pair) / 1e6
    yield f"\n{name}: {size:.1f} MB\n"
    yield f"{'':<20}{'s':>9}{'net':>9}{'wall':>9}{'MB':>8}{'times':>8}  F1"
    ours: dict[bool, Result] = {}
    for limit, words in LIMITS.items():
        passes = range(setup.rounds)
        run = best_of([attempt((*words, *pair), keep=False).run for _ in passes])
        yield f"{limit:<20}{_cost(run)}"
    for scorer in setup.scorers:
        # Those that take long are run once: time that long varies little.
        own = scorer.name.startswith("corefkit")
        rounds = setup.rounds if own else 1
        files = conllu if scorer.conllu else pair
        result = best_result(scorer, files, setup, rounds=rounds)
        if own:
            ours[scorer.conllu] = result
        same = agreement(result, scorer, files)
        yield line(result, starts[scorer.name], ours[scorer.conllu], same)


def _needs_conllu(setup: Setup) -> bool:
    return any(scorer.conllu for scorer in setup.scorers)


def start_of(setup: Setup, scorer: Scorer) -> Result:
    """Run a scorer on a file of 20 lines."""
    pair = corpus.twenty_lines(setup.data)
    files = apart(scorers.as_conllu, pair) if scorer.conllu else pair
    return best_result(scorer, files, setup, rounds=setup.rounds)


def agreement(result: Result, scorer: Scorer, pair: Pair) -> str:
    """Compare F1 with corefkit's, under the settings that ask for the same."""
    if result.run is None or scorer.name.startswith("corefkit"):
        return ""
    done = attempt((*scorers.SCORE, *scorer.like, *pair))
    ours = scorers.read_json(done.output.decode())
    apart_by = {name: result.scores[name] - ours[name] for name in ours}
    if all(abs(value) <= TOLERANCE for value in apart_by.values()):
        return "same"
    told = ", ".join(f"{name} {100 * value:+.2f}" for name, value in apart_by.items())
    return f"other by {told}" + (f" ({scorer.other})" if scorer.other else "")


def line(result: Result, start: Result, ours: Result, same: str) -> str:
    """Tell the cost of a scorer in seconds, and as a multiple of corefkit's."""
    if result.run is None:
        return f"{result.name:<20}  {result.failure}"
    net = "" if start.run is None else f"{result.run.seconds - start.run.seconds:.3g}"
    times = "" if ours.run is None else f"{result.run.seconds / ours.run.seconds:.3g}"
    told = f"{100 * result.scores['CoNLL']:.2f} {same}"
    return f"{result.name:<20}{_cost(result.run, net)}{times:>8}  {told}".rstrip()


def _cost(run: Run, net: str = "") -> str:
    peak = run.peak / MEGABYTE
    return f"{run.seconds:>9.3g}{net:>9}{run.wall:>9.3g}{peak:>8.0f}"


def bench_growth(setup: Setup, figure: Path | None) -> Iterator[str]:
    """Let one document grow until a scorer takes longer than the limit.

    A scorer is not tried on ten times the mentions if it would pass the limit even
    though its time grew no faster than the document.
    """
    sizes = [setup.scaled(10**power) for power in (2, 3, 4, 5, 6)]
    curves: dict[str, dict[int, float]] = {}
    given_up: set[str] = set()
    for size in sizes:
        pair = apart(corpus.one_document, setup.data, mentions=size, thin=True)
        grep = attempt((*GREP, *pair)).run.seconds
        curves.setdefault("grep -c '('", {})[size] = grep
        for scorer in setup.scorers:
            if scorer.conllu or scorer.name in given_up:
                continue
            result = result_of(scorer, pair, setup)
            if result.run is None:
                given_up.add(scorer.name)
                yield f"{size:>9,} {scorer.name:<20} {result.failure}"
                continue
            curves.setdefault(scorer.name, {})[size] = result.run.seconds
            yield f"{size:>9,} {scorer.name:<20}{_cost(result.run)}"
            if 10 * result.run.seconds > setup.limit:
                given_up.add(scorer.name)
    if figure is not None:
        draw(figure, curves)


def shapes(setup: Setup, given: Sequence[Sequence[str]]) -> Iterator[tuple[str, Pair]]:
    """Give the files of the user, and synthetic ones of other shapes."""
    for name, key, response in given:
        pair = Pair(setup.data / f"{name}.key.conll", setup.data / f"{name}.res.conll")
        for path, source in zip(pair, (key, response), strict=True):
            with suppress(FileExistsError):
                path.symlink_to(Path(source).resolve())
        yield name, pair
    yield "OntoNotes-sized", apart(corpus.ontonotes_sized, setup.data)
    documents, mentions = setup.scaled(1_500), setup.scaled(1_000)
    yield (
        f"{documents:,} small documents",
        apart(corpus.small_documents, setup.data, documents=documents),
    )
    yield (
        f"one document of {mentions:,} mentions",
        apart(corpus.one_document, setup.data, mentions=mentions),
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the scorers that are there."""
    options = _parser().parse_args(arguments)
    makers: dict[str, Callable[[Path], Scorer]] = {
        "reference": scorers.reference,
        "coval": lambda path: scorers.coval(path, options.python),
        "corefud": lambda path: scorers.corefud(path, options.python),
        "scorch": lambda path: scorers.scorch(path, options.python),
        "neleval": lambda path: scorers.neleval(path, options.python),
    }
    chosen = [scorers.corefkit()]
    if options.corefud:
        chosen.append(scorers.corefkit(conllu=True))
    paths = {name: getattr(options, name) for name in makers}
    chosen += [makers[name](path.resolve()) for name, path in paths.items() if path]
    with tempfile.TemporaryDirectory() as aside:
        data = options.data or Path(aside)
        data.mkdir(parents=True, exist_ok=True)
        setup = Setup(data, options.scale, chosen, options.limit, options.rounds)
        use_source(data / "bytecode")
        starts = {scorer.name: start_of(setup, scorer) for scorer in chosen}
        for name, pair in shapes(setup, options.pair):
            if not options.only or any(word in name for word in options.only):
                for told in bench_pair(setup, name, pair, starts):
                    print(told, flush=True)
        if not options.only or "growth" in options.only:
            print("\none document that grows: s, wall, MB")
            for told in bench_growth(setup, options.figure):
                print(told, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--reference", type=Path, metavar="SCORER.PL")
    parser.add_argument("--coval", type=Path, metavar="SCORER.PY")
    parser.add_argument("--corefud", type=Path, metavar="COREFUD-SCORER.PY")
    parser.add_argument("--scorch", type=Path, metavar="CHECKOUT")
    parser.add_argument("--neleval", type=Path, metavar="CHECKOUT")
    parser.add_argument("--python", default="python3", help="that runs the scorers")
    parser.add_argument(
        "--pair", nargs=3, action="append", default=[], help="name, key and response"
    )
    parser.add_argument("--only", nargs="+", help="words of the shapes, or growth")
    parser.add_argument("--limit", type=int, default=60, metavar="SECONDS")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--scale", type=float, default=1.0, metavar="FRACTION")
    parser.add_argument("--figure", type=Path, metavar="FILE.SVG")
    parser.add_argument("--data", type=Path, metavar="DIR")
    return parser


if __name__ == "__main__":
    main()
