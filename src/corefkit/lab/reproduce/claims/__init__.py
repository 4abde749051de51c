"""What the papers say of their sets and tables: each claim checked by its operator.

An operator goes through what speaks against a claim; where there is nothing, it holds.
Some score sets, others read printed numbers, and neither has what the others need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefkit.lab.reproduce.claims import laws, sets, tables
from corefkit.lab.reproduce.claims.case import Case, TableCase, sets_by_name
from corefkit.lab.reproduce.outcomes import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from corefkit.lab.papers.values import Claim, Paper


class Finding(NamedTuple):
    """A claim, and what speaks against it."""

    claim: Claim
    against: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing speaks against the claim."""
        return not self.against

    @property
    def expected(self) -> bool:
        """Whether it holds, or just that speaks against it which an erratum tells."""
        return self.against == self.claim.against

    @property
    def kind(self) -> Kind:
        """What the check of the claim rests on."""
        if self.claim.fits:
            return Kind.FITTED
        return Kind.PRINTED if self.claim.operator in READ else Kind.RECOMPUTED


def judged(paper: Paper) -> Iterator[Finding]:
    """Check the claims of a paper."""
    every_set = sets_by_name(paper)
    every_table = {table.id: table for table in paper.corpus_tables}
    for claim in paper.claims:
        if claim.operator in READ:
            table = every_table[claim.about["table"]]
            found = READ[claim.operator](TableCase(claim.about, table))
        else:
            found = SCORED[claim.operator](Case(claim.about, every_set))
        yield Finding(claim, tuple(found))


SCORED: Mapping[str, Callable[[Case], Iterator[str]]] = {
    "zero": sets.zero,
    "above zero": sets.above_zero,
    "descending": sets.descending,
    "same": sets.same,
    "agree": sets.agree,
    "at most": sets.at_most,
    "above by": sets.above_by,
    "distinct": sets.distinct,
    "lowest": sets.lowest,
    "lowest alone": sets.lowest_alone,
    "symmetric": laws.symmetric,
    "loss of extra mentions": laws.loss_of_extra_mentions,
    "more precise": laws.more_precise,
    "less precise": laws.less_precise,
}
READ: Mapping[str, Callable[[TableCase], Iterator[str]]] = {
    "highest": tables.highest,
    "lowest row": tables.lowest_row,
    "same rows": tables.same_rows,
    "same columns": tables.same_columns,
    "ordered columns": tables.ordered_columns,
    "ordered rows": tables.ordered_rows,
}
