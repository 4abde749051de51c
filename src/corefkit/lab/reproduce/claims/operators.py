"""Operators on the scores of a paper's sets, and on printed tables."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from corefkit.lab.reproduce.outcomes import TOLERANCE, metric_label, scored
from corefkit.papers import NOT_PRINTED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from corefkit.papers import CorpusTable, Paper
    from corefkit.papers.partitions import KeyAndResponse

GENERATED = "generated"  # in place of the name of a set: a generated corpus


class TableClaim(NamedTuple):
    """A claim on a printed table; no sets are scored."""

    about: Mapping[str, Any]  # what the claim names
    table: CorpusTable


class ScoreClaim(NamedTuple):
    """A claim on the scores of sets."""

    about: Mapping[str, Any]  # what the claim names
    sets: Mapping[str, KeyAndResponse]  # by part and label, such as `table-1/System 1`

    @property
    def metrics(self) -> list[str]:
        """The metrics that the claim is about."""
        return list(self.about["metrics"])

    def names(self) -> list[str]:
        """List the sets that the claim is about; `table-1/*` are all of a table."""
        return [
            name
            for pattern in self.about["sets"]
            if pattern != GENERATED
            for name in self._matching(pattern)
        ]

    def _matching(self, pattern: str) -> list[str]:
        if pattern in self.sets:
            return [pattern]
        names = [
            name for name in self.sets if name.startswith(pattern.removesuffix("*"))
        ]
        if not (pattern.endswith("/*") and names):
            message = f"a claim is about {pattern!r}, which is no set of the paper"
            raise LookupError(message)
        return names

    def value(self, name: str, metric: str) -> float:
        """Return the score of a set: F1, unless the claim names another field."""
        score = scored(self.sets[name], metric)
        value: float = getattr(score, self.about.get("field", "f1"))
        return value

    def describe(self, name: str, metrics: Iterable[str]) -> str:
        """Write the scores of a set."""
        scores = [
            f"{metric_label(metric)} {100 * self.value(name, metric):.2f}"
            for metric in metrics
        ]
        return f"{name.partition('/')[2]}: {', '.join(scores)}"

    def contrast(self, first: str, second: str, metric: str) -> str:
        """Write the scores of two sets."""
        return "; ".join(self.describe(name, [metric]) for name in (first, second))


def sets_by_name(paper: Paper) -> dict[str, KeyAndResponse]:
    """Name all sets of a paper by their part of it and their label."""
    tables = {
        f"{table.id}/{row.label}": row.sets
        for table in paper.tables
        for row in table.rows
    }
    figures = {
        f"{figure.id}/{tick}": sets
        for figure in paper.figures
        for tick, sets in figure.sets.items()
    }
    return tables | figures


def zero(claim: ScoreClaim, *, should_be: bool) -> Iterator[str]:
    """Find scores that are 0 and should not be, or the other way round."""
    for metric in claim.metrics:
        for name in claim.names():
            if (claim.value(name, metric) <= TOLERANCE) != should_be:
                yield claim.describe(name, [metric])


def descending(claim: ScoreClaim) -> Iterator[str]:
    """Find sets that do not score below the one before."""
    for metric in claim.metrics:
        for first, second in pairwise(claim.names()):
            if claim.value(first, metric) <= claim.value(second, metric) + TOLERANCE:
                yield claim.contrast(first, second, metric)


def same(claim: ScoreClaim) -> Iterator[str]:
    """Find sets that do not score like the first."""
    first, *others = claim.names()
    for metric in claim.metrics:
        for other in others:
            if abs(claim.value(first, metric) - claim.value(other, metric)) > TOLERANCE:
                yield claim.contrast(first, other, metric)


def agree(claim: ScoreClaim) -> Iterator[str]:
    """Find sets on which the metrics differ."""
    for name in claim.names():
        values = [claim.value(name, metric) for metric in claim.metrics]
        if max(values) - min(values) > TOLERANCE:
            yield claim.describe(name, claim.metrics)


def at_most(claim: ScoreClaim) -> Iterator[str]:
    """Find sets on which one metric is above another."""
    metric = claim.about["metric"]
    for name in claim.names():
        for other in claim.about["others"]:
            if claim.value(name, metric) > claim.value(name, other) + TOLERANCE:
                yield claim.describe(name, [metric, other])


def above_by(claim: ScoreClaim) -> Iterator[str]:
    """Find sets on which one metric is not so many points above another."""
    metric, margin = claim.about["metric"], claim.about["points"] / 100
    for name in claim.names():
        for other in claim.about["others"]:
            above = claim.value(name, metric) - claim.value(name, other)
            if above < margin - TOLERANCE:
                yield claim.describe(name, [metric, other])


def distinct(claim: ScoreClaim) -> Iterator[str]:
    """Find metrics with more or fewer different values than claimed."""
    for metric, count in claim.about["counts"].items():
        values = {round(claim.value(name, metric), 9) for name in claim.names()}
        if len(values) != count:
            yield f"{metric_label(metric)} has {len(values)} different values"


def lowest(claim: ScoreClaim, *, least: float) -> Iterator[str]:
    """Find sets that are not that much above the one claimed to be the lowest."""
    lowest = claim.about["set"]
    for metric in claim.metrics:
        for name in claim.names():
            above = claim.value(name, metric) - claim.value(lowest, metric)
            if name != lowest and above < least:
                yield claim.contrast(name, lowest, metric)


def extreme(claim: TableClaim, *, sign: int) -> Iterator[str]:
    """Find where a column is highest (1) or lowest (-1), if that is not as claimed."""
    cells = {
        row: cells[claim.about["column"]] for row, cells in claim.table.rows.items()
    }
    values = {
        row: sign * float(cell) for row, cell in cells.items() if cell != NOT_PRINTED
    }
    best = [row for row, value in values.items() if value == max(values.values())]
    if best != claim.about["rows"]:
        yield ", ".join(f"{row}: {cells[row]}" for row in best)


def same_rows(claim: TableClaim) -> Iterator[str]:
    """Find the numbers of a column, if they are not all the same."""
    column = claim.about["column"]
    cells = {row: cells[column] for row, cells in claim.table.rows.items()}
    if len(set(cells.values())) > 1:
        yield ", ".join(f"{row}: {cell}" for row, cell in cells.items())


def same_columns(claim: TableClaim) -> Iterator[str]:
    """Find rows in which columns are not the same."""
    for row, cells in claim.table.rows.items():
        values = [cells[column] for column in claim.about["columns"]]
        if len(set(values)) > 1:
            yield f"{row}: {', '.join(values)}"


def ordered_columns(claim: TableClaim) -> Iterator[str]:
    """Find rows in which a column is below the next."""
    for row, cells in claim.table.rows.items():
        values = [cells[column] for column in claim.about["columns"]]
        if any(float(left) < float(right) for left, right in pairwise(values)):
            yield f"{row}: {', '.join(values)}"


def ordered_rows(claim: TableClaim) -> Iterator[str]:
    """Find columns in which a row is not above the next."""
    rows = claim.about["rows"]
    for column in claim.about["columns"]:
        cells = [claim.table.rows[row][column] for row in rows]
        if any(float(above) <= float(below) for above, below in pairwise(cells)):
            label = metric_label(column.partition(".")[0])
            numbers = [f"{row} {cell}" for row, cell in zip(rows, cells, strict=True)]
            yield f"{label} of {', '.join(numbers)}"
