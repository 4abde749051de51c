"""Feed the kernel with broken files, under sanitizers, and compare it with Python.

    python3 dev.py fuzz kernel                     every format that it reads, a minute
    python3 dev.py fuzz kernel --seconds 600 conll

What is looked for, and how, stands in README.md beside this file. It needs gcc.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from cases import load, save
from fuzzing import store
from mutations import mutated, words
from seeds import seeds
from trial.building import built, environment
from trial.trying import Trial, difference

if TYPE_CHECKING:
    from cases import Case

_HOME = Path(__file__).resolve().parent
# What the kernel reads, and what else there is to ask for in it.
_FORMATS = {"conll": "reference", "semeval": "", "conllu": ""}
_MOST_SEEDS = 4000
_FOUND = 3  # the exit code of a process that found something; others died
# How often there is little memory, more is asked for, and inputs are made of those that
# the kernel reads.
_STARVED, _ASKED, _PLAIN = 0.1, 0.4, 0.8


def main() -> int:
    """Fuzz each format in a process of its own, which may die; 1 where one found."""
    arguments = _arguments()
    if arguments.kernel is not None:
        return _fuzz(arguments.formats[0], arguments)
    if shutil.which("gcc") is None:
        sys.stdout.write("skipped: gcc is not installed\n")
        return 0
    found = 0
    with tempfile.TemporaryDirectory(prefix="fuzz-kernel-") as folder:
        kernel = built(Path(folder))
        for name in arguments.formats or _FORMATS:
            work = Path(folder, name)
            work.mkdir()
            command = [sys.executable, __file__, name, "--kernel", str(kernel)]
            command += ["--seconds", str(arguments.seconds), "--work", str(work)]
            command += ["--findings", str(arguments.findings)]
            done = subprocess.run(
                command, env=environment(), stderr=subprocess.PIPE, text=True
            )
            if done.returncode not in (0, _FOUND):
                what = f"{name}: the process ends with code {done.returncode}"
                what = f"{what}\n\n{done.stderr[-8000:]}"
                arguments.findings.mkdir(parents=True, exist_ok=True)
                where = store(arguments.findings, name, load(work / "input"), what)
                sys.stdout.write(f"{name}: see {where}\n")
            found += done.returncode != 0
    return int(found > 0)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("formats", metavar="FORMAT", nargs="*", choices=[*_FORMATS, []])
    parser.add_argument("--seconds", type=float, default=60, help="for each format")
    parser.add_argument(
        "--findings", type=Path, default=_HOME / "findings", help="folder to write to"
    )
    parser.add_argument("--kernel", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def _fuzz(name: str, arguments: argparse.Namespace) -> int:
    """Fuzz one format for some time; return whether something was found."""
    random, work = Random(), arguments.work
    trial = Trial(arguments.kernel, random)
    for part in ("input", "seeds"):
        (work / part).mkdir()
    pool = seeds(name, work / "seeds")
    plain: list[Case] = []
    dictionary, waiting, tried = words(name), list(pool), 0
    until = time.monotonic() + arguments.seconds
    while time.monotonic() < until:
        chosen = plain if plain and random.random() < _PLAIN else pool
        case = waiting.pop() if waiting else _next(chosen, random, dictionary)
        asked = _FORMATS[name] and random.random() < _ASKED
        how = {_FORMATS[name]: True} if asked else {}
        trial.starved, before = random.random() < _STARVED, trial.plain
        what = _wrong(save(case, name, work / "input"), name, how)
        tried += 1
        if what:
            arguments.findings.mkdir(parents=True, exist_ok=True)
            where = store(arguments.findings, name, case, f"{how}\n\n{what}")
            sys.stdout.write(f"{name}: see {where}\n")
            return _FOUND
        if trial.new_ways() and not trial.starved and len(pool) < _MOST_SEEDS:
            pool.append(case)
            plain.extend([case] * (trial.plain > before))
    counts = f"{tried} inputs  {trial.read} read, {trial.plain} of them plain"
    sys.stdout.write(f"kernel {name:6} {counts}  {len(pool)} kept  0 findings\n")
    return 0


def _wrong(path: Path, name: str, how: dict[str, bool]) -> str | None:
    """Say what is wrong with how an input is read; without memory it may not be."""
    try:
        return difference(path, name, **how)
    except MemoryError:
        return None
    except (AssertionError, ValueError, TypeError) as error:
        return repr(error)


def _next(pool: list[Case], random: Random, dictionary: list[bytes]) -> Case:
    """Make a new input of one that is there: of three the smallest."""
    drawn = random.choices(pool, k=3)
    smallest = min(drawn, key=lambda case: sum(map(len, case.values())))
    return mutated(smallest, random, dictionary, pool)


if __name__ == "__main__":
    sys.exit(main())
