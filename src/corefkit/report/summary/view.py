"""A report as its page shows it: names, order, and the metric that leads."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from corefkit.analysis.compare.comparison_text import (
    counted,
    display_names,
    lead_metric,
    only_pair,
    systems_in_order,
)
from corefkit.analysis.errors.error_tables import MOST_SIDE_BY_SIDE
from corefkit.strings import join_words
from corefkit.tables.terminal import names_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from corefkit.analysis.compare.comparison import MetricComparison
    from corefkit.analysis.errors.error_analysis import SystemErrors
    from corefkit.analysis.reporting.values import Report
    from corefkit.evaluation import Evaluation
    from corefkit.tables.grids import Grid

_MOST_IN_TITLE = 3  # systems


@dataclass(frozen=True, slots=True)
class View:
    """What all sections of the page share.

    Attributes:
        report: the report.
        key: the name of the key.
        names: the names of the systems, in the order of input.
        places: the numbers of the systems in the order that the page shows them in.
        lead: the metric that puts systems in order.
        evaluations: the scores of each system on the documents that are compared: all
            but those that a response lacks, where these are left out.
    """

    report: Report
    key: str
    names: tuple[str, ...]
    places: tuple[int, ...]
    lead: MetricComparison
    evaluations: tuple[Evaluation, ...]

    @property
    def title(self) -> str:
        """What the page is called."""
        if len(self.names) > _MOST_IN_TITLE:
            return f"{len(self.names)} systems against {self.key}"
        return f"{join_words(self.shown)} against {self.key}"

    @property
    def subject(self) -> str:
        """What was scored, in a sentence."""
        corpus = self.evaluations[0].corpus
        parts = [counted(self.report.comparison.documents, "document")]
        if corpus.words:
            parts.append(counted(corpus.words, "word"))
        compared = {*self.evaluations[0].documents}
        mentions = sum(
            document.key_mentions
            for document in self.errors[0].documents
            if document.document in compared
        )
        what = f"{counted(mentions, 'mention')} in the key" if mentions else ""
        systems = counted(len(self.names), "system")
        return f"{systems}, {join_words([*parts, *filter(None, [what])])}."

    def renamed(self, text: str) -> str:
        """Call the key and systems in a remark what the page calls them."""
        systems = zip(self.report.comparison.systems, self.names, strict=True)
        names = {self.report.key: self.key, **dict(systems)}
        choices = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
        # A name inside another name or path is not that system's.
        whole = rf"(?<![\w./\\-])(?:{choices})(?![\w/\\-]|\.\w)"
        return re.sub(whole, lambda found: names[found[0]], text)

    @property
    def errors(self) -> tuple[SystemErrors, ...]:
        """The errors of each system, in the order of input."""
        return self.report.analysis.systems

    @property
    def shown(self) -> list[str]:
        """The names of the systems in the order of the page."""
        return [self.names[place] for place in self.places]

    @property
    def is_beside(self) -> bool:
        """Whether systems stand beside each other, and not in rows."""
        return len(self.names) <= MOST_SIDE_BY_SIDE


def view_of(report: Report) -> View:
    """Choose names, order and the metric that leads."""
    comparison = report.comparison
    lead = lead_metric(comparison)
    names = display_names(comparison)
    if len(report.systems) == 2:
        pair = only_pair(comparison, lead)
        order = [pair.a, pair.b]
    else:
        order = systems_in_order(comparison)
    numbers = {name: number for number, name in enumerate(comparison.systems)}
    (key,) = names_of([report.key])
    return View(
        report,
        key,
        tuple(names.values()),
        tuple(numbers[name] for name in order),
        lead,
        _compared(report.evaluations),
    )


def _compared(evaluations: Sequence[Evaluation]) -> tuple[Evaluation, ...]:
    """Keep the scores of documents that no system lacks, as comparisons do."""
    common = set(evaluations[0].documents).intersection(
        *(one.documents for one in evaluations)
    )
    return tuple(_of_documents(one, common) for one in evaluations)


def _of_documents(evaluation: Evaluation, ids: Collection[str]) -> Evaluation:
    rows = [row for row, id in enumerate(evaluation.documents) if id in ids]
    if len(rows) == len(evaluation.documents):
        return evaluation
    return replace(
        evaluation,
        documents=tuple(evaluation.documents[row] for row in rows),
        counts={name: counts[rows] for name, counts in evaluation.counts.items()},
        key_read=(evaluation.prints[rows],),
    )


def sortable(grid: Grid) -> Grid:
    """Let readers sort a grid whose rows are systems, by these too."""
    first, *others = grid.columns
    heads = (first._replace(head=first.head or "System"), *others)
    return replace(grid, columns=heads, is_sortable=True)
