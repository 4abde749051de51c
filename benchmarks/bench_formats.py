"""Measure how fast formats are read, as ratios to CoNLL-2012 within one run.

The same documents are written in every format. `columns` is what scoring reads, `read`
what `corefkit.read` returns as documents. Times are processor seconds; formats take
turns, and the smallest time of each counts. `--file` also measures a file of your own,
compared with the CoNLL-2012 file of the run.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import corpus

SOURCE = Path(__file__).resolve().parent.parent / "src"
sys.path.insert(0, str(SOURCE))

import corefkit  # noqa: E402 - found where this file lies
from corefkit.formats import open_source  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

TARGETS = {"conllu": 1 / 3}
MEGABYTE = 1e6
ROUNDS = 7


def main() -> int:
    """Write and read each format, and print a line for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=200, help="how many")
    parser.add_argument(
        "--file", action="append", default=[], help="a file to read too"
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        paths = written(Path(folder), arguments.documents)
        paths |= {name: Path(name) for name in arguments.file}
        return report(paths)


def written(folder: Path, documents: int) -> dict[str, Path]:
    """Write the same documents in all formats that hold many in one file."""
    key = corpus.corpus(folder, documents=documents).key
    paths = {"conll": key}
    for name, format in corefkit.FORMATS.items():
        if name != "conll" and format.writer.files is None:
            paths[name] = folder / f"all{format.suffixes[0]}"
            corefkit.write(with_heads(key), paths[name], format=name)
    return paths


def with_heads(key: Path) -> Iterator[corefkit.Document]:
    """Add what CorefUD has: heads, types, and syntax on every token."""
    chance = random.Random(1)
    for document in corefkit.read(key):
        tokens = len(document.tokens)
        entities = [
            replace(entity, mentions=tuple(map(with_head, entity.mentions)))
            for entity in document.entities
        ]
        layers = {
            "lemma": document.tokens,
            "upos": ("NOUN",) * tokens,
            "feats": ("Gender=Fem|Number=Sing",) * tokens,
            "head": tuple(str(chance.randint(0, 9)) for _ in range(tokens)),
            "deprel": ("nsubj",) * tokens,
        }
        yield replace(document, entities=tuple(entities), layers=layers)


def with_head(mention: corefkit.Mention) -> corefkit.Mention:
    """Make the last token of a mention its head."""
    return replace(mention, head=mention.end, attributes={"type": "person"})


def report(paths: Mapping[str, Path]) -> int:
    """Measure in turn, and print megabytes per second and ratios."""
    best = {name: [9e9, 9e9] for name in paths}
    for _ in range(ROUNDS):
        for name, path in paths.items():
            for kind, measure in enumerate((columns, documents)):
                best[name][kind] = min(best[name][kind], timed(measure, path))
    speeds = {
        name: [paths[name].stat().st_size / MEGABYTE / time for time in times]
        for name, times in best.items()
    }
    missed = 0
    print(f"{'':30}{'columns':>9} MB/s {'ratio':>6} {'read':>9} MB/s {'ratio':>6}")
    for name, (fast, slow) in speeds.items():
        ratios = fast / speeds["conll"][0], slow / speeds["conll"][1]
        target = TARGETS.get(name)
        verdict = ""
        if target is not None:
            missed += ratios[0] < target
            verdict = (
                f"  target {target:.2f} {'ok' if ratios[0] >= target else 'MISSED'}"
            )
        print(
            f"{name[-29:]:30}{fast:9.1f}      {ratios[0]:6.2f} "
            f"{slow:9.1f}      {ratios[1]:6.2f}{verdict}"
        )
    return int(missed > 0)


def timed(measure: Callable[[Path], None], path: Path) -> float:
    """Return the processor seconds that a measure takes."""
    start = time.process_time()
    measure(path)
    return time.process_time() - start


def columns(path: Path) -> None:
    """Read a file as scoring does."""
    source = open_source(path)
    source.read_columns(range(len(source.ids)))
    source.close()


def documents(path: Path) -> None:
    """Read a file as documents."""
    for _ in corefkit.read(path):
        pass


if __name__ == "__main__":
    sys.exit(main())
