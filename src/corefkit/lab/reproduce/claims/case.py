"""What the operators on claims work on: the sets of a paper, its tables and scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from corefkit.lab.reproduce.scores import metric_label, scored

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from corefkit.lab.papers.partitions import Sets
    from corefkit.lab.papers.values import CorpusTable, Paper


GENERATED = "generated"  # in place of the name of a set: a generated corpus


class TableCase(NamedTuple):
    """What an operator works on that reads printed numbers, and has no sets to score.

    Attributes:
        about: what the claim names.
        table: the table that it is about.
    """

    about: Mapping[str, Any]
    table: CorpusTable


class Case(NamedTuple):
    """What an operator works on that scores sets.

    Attributes:
        about: what the claim names.
        sets: the sets of the paper, by part and label, such as `table-1/System 1`.
    """

    about: Mapping[str, Any]
    sets: Mapping[str, Sets]

    @property
    def metrics(self) -> list[str]:
        """The metrics that the claim is about."""
        return list(self.about["metrics"])

    def named(self) -> list[str]:
        """Name the sets that the claim is about; `table-1/*` are all of a table."""
        return [
            one
            for name in self.about["sets"]
            if name != GENERATED
            for one in self._matching(name)
        ]

    def _matching(self, name: str) -> list[str]:
        if name in self.sets:
            return [name]
        found = [one for one in self.sets if one.startswith(name.removesuffix("*"))]
        if not (name.endswith("/*") and found):
            message = f"a claim is about {name!r}, which is no set of the paper"
            raise LookupError(message)
        return found

    def value(self, name: str, metric: str) -> float:
        """Give the score of a set: F1, unless the claim names another field."""
        score = scored(self.sets[name], metric)
        value: float = getattr(score, self.about.get("field", "f1"))
        return value

    def told(self, name: str, metrics: Iterable[str]) -> str:
        """Tell the scores of a set."""
        scores = [
            f"{metric_label(metric)} {100 * self.value(name, metric):.2f}"
            for metric in metrics
        ]
        return f"{name.partition('/')[2]}: {', '.join(scores)}"


def sets_by_name(paper: Paper) -> dict[str, Sets]:
    """Name all the sets of a paper by their part of it and their label."""
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
