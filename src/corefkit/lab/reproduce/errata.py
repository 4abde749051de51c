"""Errata: each shown by numbers, by claims or by scores, or told why by nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefkit.lab.papers.values import NOT_PRINTED
from corefkit.lab.reproduce.claims.case import sets_by_name
from corefkit.lab.reproduce.outcomes import Outcome, compared
from corefkit.lab.reproduce.scores import metric_label, scored

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefkit.lab.papers.partitions import Sets
    from corefkit.lab.papers.values import Check, Erratum, Paper


class CheckedErratum(NamedTuple):
    """An erratum, and what shows it.

    Attributes:
        erratum: the erratum.
        numbers: how many printed numbers are bound to the value that it has for them.
        claims: how many claims are bound to what it says against them.
        scores: how many scores beside these show it.
        wrong: what does not come out as it says, a line each.
    """

    erratum: Erratum
    numbers: int
    claims: int
    scores: int
    wrong: tuple[str, ...]

    @property
    def checked(self) -> bool:
        """Whether anything shows it."""
        return bool(self.numbers or self.claims or self.scores)


def checked_errata(paper: Paper) -> Iterator[CheckedErratum]:
    """Go through the errata of a paper.

    Whether its numbers and claims come out as it says, these tell themselves.
    """
    every_set = sets_by_name(paper)
    for erratum in paper.errata:
        wrong = [text for one in erratum.checks if (text := _wrong(one, every_set))]
        found = CheckedErratum(
            erratum,
            _numbers(paper, erratum.id),
            sum(claim.erratum == erratum.id for claim in paper.claims),
            len(erratum.checks),
            tuple(f"{erratum.id}: {text}" for text in wrong),
        )
        if found.checked == bool(erratum.unchecked):
            problem = f"{erratum.id}: it has neither a check nor a reason for none"
            if found.checked:
                problem = f"{erratum.id}: it has a check, and a reason for none"
            found = found._replace(wrong=(*found.wrong, problem))
        yield found


def _numbers(paper: Paper, id: str) -> int:
    rows = [row for table in paper.tables for row in table.rows if row.erratum == id]
    stated = sum(
        number != NOT_PRINTED
        for row in rows
        for numbers in row.correct.values()
        for number in numbers
    )
    return stated + sum(
        erratum == id
        for table in paper.corpus_tables
        for _, erratum in table.errata.values()
    )


def _wrong(check: Check, every_set: Mapping[str, Sets]) -> str:
    """Tell what a score is if it is not what the erratum says; nothing if it is."""
    score = scored(every_set[check.sets], check.metric)
    outcome = compared(
        check.printed,
        score,
        check.field,
        rule="rounded",
        decimals=len(check.correct.partition(".")[2]),
        percent=check.percent,
        correct=check.correct,
    )
    if outcome is Outcome.ERRATUM:
        return ""
    value = (100 if check.percent else 1) * getattr(score, check.field)
    label = metric_label(check.metric)
    return (
        f"{check.sets}, {label}, {check.field}: {check.correct} expected in place of "
        f"{check.printed}, {value:g} computed"
    )
