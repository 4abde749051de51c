"""Adapters that run other public scorers; none of their code is here.

A scorer is a few commands for two files, and a function that reads the F1 of metrics
from what the last command prints. A scorer that reads CoNLL-2012 only through its own
converter pays for the conversion; CoNLL-U is made beforehand and costs it nothing.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from corpus import Pair

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    F1s: TypeAlias = Mapping[str, float]

COREFKIT = (sys.executable, "-m", "corefkit")
SCORE = (*COREFKIT, "score", "--format", "json")

# neleval uses names that Python 3.10 and numpy 1.24 dropped.
_NELEVAL = """\
import collections, collections.abc, numpy
collections.Sequence = collections.abc.Sequence
numpy.int, numpy.float = int, float
from neleval.__main__ import main
main()"""


@dataclass(frozen=True, slots=True)
class Step:
    """A command, and the file that gets its output, if the next command needs it."""

    words: tuple[str | Path, ...]
    into: Path | None = None


@dataclass(frozen=True, slots=True)
class Scorer:
    """How to run a scorer on two files, and how to read what it prints.

    `like` has the options of `corefkit score` that ask for the same numbers; `other`
    says why there are none.
    """

    name: str
    steps: Callable[[Pair, Path], tuple[Step, ...]]
    read: Callable[[str], F1s]
    folder: str = ""
    conllu: bool = False
    like: tuple[str, ...] = ()
    other: str = ""


def corefkit(*, conllu: bool = False) -> Scorer:
    """Return corefkit itself, with default settings."""
    return Scorer(
        "corefkit, CoNLL-U" if conllu else "corefkit",
        lambda pair, _: (Step((*SCORE, *pair)),),
        read_json,
        conllu=conllu,
    )


def reference(script: Path) -> Scorer:
    """Return the reference scorer of CoNLL-2012, in Perl."""
    return Scorer(
        "reference scorer",
        lambda pair, _: (Step(("perl", script, "all", *pair, "none")),),
        _read_reference,
        like=("--preset", "conll2012"),
    )


def coval(script: Path, python: str) -> Scorer:
    """Return coval."""
    return Scorer(
        "coval", lambda pair, _: (Step((python, script, *pair)),), _read_coval
    )


def corefud(script: Path, python: str) -> Scorer:
    """Return the CorefUD scorer, with exact matching and singletons."""
    options = ("--keep-singletons", "--match", "exact")
    return Scorer(
        "CorefUD scorer",
        lambda pair, _: (Step((python, script, *pair, *options)),),
        _read_coval,
        conllu=True,
    )


def scorch(folder: Path, python: str) -> Scorer:
    """Return scorch, which has rules of its own."""
    other = "spurious mentions are added to the key, documents are weighted"

    def steps(pair: Pair, aside: Path) -> tuple[Step, ...]:
        sides = [aside / "key", aside / "response"]
        for side in sides:
            side.mkdir()
        made = [
            Step((python, "-m", "scorch.conll", path, side))
            for path, side in zip(pair, sides, strict=True)
        ]
        return (*made, Step((python, "-m", "scorch.main", *sides)))

    return Scorer("scorch", steps, _read_scorch, folder=str(folder), other=other)


def neleval(folder: Path, python: str) -> Scorer:
    """Return neleval, with its metrics of coreference."""
    main = (python, "-c", _NELEVAL)
    other = "if the key has a mention twice, its CEAF is too low"

    def steps(pair: Pair, aside: Path) -> tuple[Step, ...]:
        sides = [aside / "key", aside / "response"]
        made = [
            Step((*main, "prepare-conll-coref", path), into=side)
            for path, side in zip(pair, sides, strict=True)
        ]
        score = (*main, "evaluate", "-m", "all-coref", "-g", *sides)
        return (*made, Step(score))

    return Scorer("neleval", steps, _read_neleval, folder=str(folder), other=other)


def as_conllu(pair: Pair) -> Pair:
    """Write two files in CoNLL-U, with what the CorefUD scorer expects of a treebank.

    Each word gets a head, and entities of two documents get different ids.
    """
    made = Pair(*(path.with_suffix(".conllu") for path in pair))
    for path, target in zip(pair, made, strict=True):
        command = (*COREFKIT, "convert", path, target)
        subprocess.run(command, check=True, capture_output=True)
        document, lines = 0, []
        for line in target.read_text("utf-8").splitlines():
            document += line.startswith("# newdoc")
            lines.append(_treebank_line(line, document))
        target.write_text("\n".join([*lines, ""]), "utf-8")
    return made


def _treebank_line(line: str, document: int) -> str:
    cells = line.split("\t")
    if len(cells) == 10:
        cells[6:8] = ("0", "root") if cells[0] == "1" else ("1", "dep")
        if cells[9].startswith("Entity="):
            cells[9] = re.sub(r"\d+", rf"d{document}e\g<0>", cells[9])
    return "\t".join(cells)


def read_json(text: str) -> F1s:
    """Read the output of `corefkit score --format json`."""
    scores = json.loads(text)["systems"][0]["scores"]
    names = {"muc": "MUC", "b_cubed": "B³", "ceaf_e": "CEAFe"}
    return _with_mean({names[name]: scores[name]["f1"] for name in names})


def _read_reference(text: str) -> F1s:
    """Take F1 from the counts: the percentages are cut, not rounded."""
    names = {"muc": "MUC", "bcub": "B³", "ceafe": "CEAFe"}
    number = r"\(([\d.e+-]+) / ([\d.e+-]+)\)"
    pattern = rf"METRIC (\w+):.*?\nCoreference: Recall: {number}.*?Precision: {number}"
    found = {}
    for name, *counts in re.findall(pattern, text, re.DOTALL):
        if name in names:
            hit, key, hit_too, response = map(float, counts)
            found[names[name]] = _f1(hit / key, hit_too / response)
    return _with_mean(found)


def _read_coval(text: str) -> F1s:
    names = {"muc": "MUC", "bcub": "B³", "ceafe": "CEAFe"}
    pattern = r"^(muc|bcub|ceafe)\s+Recall: .*?F1: ([\d.]+)"
    found = re.findall(pattern, text, re.MULTILINE)
    return _with_mean({names[name]: float(value) / 100 for name, value in found})


def _read_scorch(text: str) -> F1s:
    names = {"MUC": "MUC", "B³": "B³", "CEAF_e": "CEAFe"}
    found = re.findall(r"(MUC|B³|CEAF_e):.*?F₁=([\d.e-]+)", text)
    return _with_mean({names[name]: float(value) for name, value in found})


def _read_neleval(text: str) -> F1s:
    names = {"muc": "MUC", "b_cubed": "B³", "entity_ceaf": "CEAFe"}
    found = {}
    for line in text.splitlines():
        *numbers, name = line.split("\t")
        if name in names:
            hit, wrong, hit_too, missed = map(float, numbers[:4])
            precision, recall = hit / (hit + wrong), hit_too / (hit_too + missed)
            found[names[name]] = _f1(recall, precision)
    return _with_mean(found)


def _f1(recall: float, precision: float) -> float:
    return 2 * recall * precision / (recall + precision)


def _with_mean(scores: dict[str, float]) -> F1s:
    """Add the CoNLL mean; a scorer that lacks a metric has not done its work."""
    if len(scores) != 3:
        message = f"MUC, B³ and CEAFe expected, found {sorted(scores)}"
        raise ValueError(message)
    return {**scores, "CoNLL": sum(scores.values()) / 3}
