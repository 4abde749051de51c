"""Claims of the papers on their sets and tables, each checked by its operator.

An operator yields what speaks against a claim; if there is nothing, the claim holds.
Some operators score sets, others read printed numbers, and none can do both.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from corefkit.lab.reproduce.claims import laws, operators
from corefkit.lab.reproduce.claims.operators import ScoreClaim, TableClaim, sets_by_name
from corefkit.lab.reproduce.outcomes import TOLERANCE, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from corefkit.papers import Claim, Paper


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
        """Whether only that speaks against the claim which its erratum names."""
        return self.against == self.claim.against

    @property
    def kind(self) -> Kind:
        """What the check of the claim rests on."""
        if self.claim.fits:
            return Kind.FITTED
        return Kind.PRINTED if self.claim.operator in READ else Kind.RECOMPUTED


def checked_claims(paper: Paper) -> Iterator[Finding]:
    """Check the claims of a paper."""
    sets_of_paper = sets_by_name(paper)
    tables_of_paper = {table.id: table for table in paper.corpus_tables}
    for claim in paper.claims:
        if claim.operator in READ:
            table = tables_of_paper[claim.about["table"]]
            against = READ[claim.operator](TableClaim(claim.about, table))
        else:
            against = SCORED[claim.operator](ScoreClaim(claim.about, sets_of_paper))
        yield Finding(claim, tuple(against))


# The operators, by whether they score sets or read tables.
SCORED: Mapping[str, Callable[[ScoreClaim], Iterator[str]]] = {
    "zero": partial(operators.zero, should_be=True),
    "above zero": partial(operators.zero, should_be=False),
    "descending": operators.descending,
    "same": operators.same,
    "agree": operators.agree,
    "at most": operators.at_most,
    "above by": operators.above_by,
    "distinct": operators.distinct,
    "lowest": partial(operators.lowest, least=-TOLERANCE),
    "lowest alone": partial(operators.lowest, least=TOLERANCE),
    "symmetric": laws.symmetric,
    "loss of extra mentions": laws.loss_of_extra_mentions,
    "more precise": partial(laws.wrong_moves, version="more_precise"),
    "less precise": partial(laws.wrong_moves, version="less_precise_a"),
}
READ: Mapping[str, Callable[[TableClaim], Iterator[str]]] = {
    "highest": partial(operators.extreme, sign=1),
    "lowest row": partial(operators.extreme, sign=-1),
    "same rows": operators.same_rows,
    "same columns": operators.same_columns,
    "ordered columns": operators.ordered_columns,
    "ordered rows": operators.ordered_rows,
}
