"""Means and standard deviations of scores over several runs of a system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from statistics import mean, stdev
from typing import NamedTuple

from corefkit.results.records import Value
from corefkit.results.stored_results import Scored
from corefkit.tables.model import Cell, Column, Table

_HEADS = {"recall": "Recall", "precision": "Precision", "f1": "F1"}


class Average(NamedTuple):
    mean: float
    deviation: float  # the standard deviation (n - 1)

    @classmethod
    def from_values(cls, values: Sequence[float]) -> Average:
        return cls(mean(values), stdev(values))

    def __str__(self) -> str:
        return f"{100 * self.mean:.2f} \N{PLUS-MINUS SIGN} {100 * self.deviation:.2f}"


def average_runs_of_system(runs: Sequence[Scored]) -> dict[str, dict[str, Average]]:
    """Average recall, precision and F1 of each metric, and the CoNLL mean."""
    averages = {
        name: {
            part: Average.from_values([getattr(run.scores[name], part) for run in runs])
            for part in _HEADS
        }
        for name in runs[0].scores
    }
    conll = [run.conll for run in runs if run.conll is not None]
    if len(conll) == len(runs):
        averages["conll"] = {"f1": Average.from_values(conll)}
    return averages


def build_average_table(systems: Mapping[str, Sequence[Scored]]) -> Table:
    """Build the table of averages of systems, each with several runs."""
    averages = {name: average_runs_of_system(runs) for name, runs in systems.items()}
    labels: dict[str, str] = {"conll": "CoNLL"}
    for run in chain.from_iterable(systems.values()):
        labels |= run.labels
    rows = []
    for metric in dict.fromkeys(chain.from_iterable(averages.values())):
        scores = [system.get(metric, {}) for system in averages.values()]
        cells = [
            str(each[part]) if part in each else ""
            for each in scores
            for part in _HEADS
        ]
        rows.append(tuple(map(Cell, [labels[metric], *cells])))
    columns = [
        Column(head, group=name, short=head if part == "f1" else head[0])
        for name in averages
        for part, head in _HEADS.items()
    ]
    caption = "Mean and standard deviation over runs"
    return Table((Column("", "left"), *columns), tuple(rows), caption)


def dump_averages(systems: Mapping[str, Sequence[Scored]]) -> dict[str, Value]:
    """Return the averages of systems as plain values."""
    values: dict[str, Value] = {}
    for name, runs in systems.items():
        scores: dict[str, Value] = {
            metric: {part: {**average._asdict()} for part, average in parts.items()}
            for metric, parts in average_runs_of_system(runs).items()
        }
        values[name] = {"responses": [run.response for run in runs], "scores": scores}
    return values
