"""What a claim is checked on: the scores of a paper's sets, or a printed table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from corefkit.lab.reproduce.scores import metric_label, scored

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from corefkit.papers.partitions import KeyAndResponse
    from corefkit.papers.values import CorpusTable, Paper


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
