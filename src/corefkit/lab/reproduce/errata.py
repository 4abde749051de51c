"""Errata, each with what shows it, or with the reason why nothing can."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefkit.lab.reproduce.claims.subjects import sets_by_name
from corefkit.lab.reproduce.outcomes import Outcome, compared
from corefkit.lab.reproduce.scores import metric_label, scored
from corefkit.papers.values import NOT_PRINTED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefkit.papers.partitions import KeyAndResponse
    from corefkit.papers.values import Check, Erratum, Paper


class CheckedErratum(NamedTuple):
    """An erratum, and what shows it."""

    erratum: Erratum
    numbers: int  # printed ones that it corrects
    claims: int  # that it contradicts
    scores: int  # other ones that show it
    wrong: tuple[str, ...]  # what is not as it says, one line each

    @property
    def checked(self) -> bool:
        """Whether anything shows it."""
        return bool(self.numbers or self.claims or self.scores)


def checked_errata(paper: Paper) -> Iterator[CheckedErratum]:
    """Check the errata of a paper.

    Numbers and claims that name an erratum are compared with it where they are checked.
    """
    sets_of_paper = sets_by_name(paper)
    for erratum in paper.errata:
        problems = [_wrong(check, sets_of_paper) for check in erratum.checks]
        checked = CheckedErratum(
            erratum,
            _numbers(paper, erratum.id),
            sum(claim.erratum == erratum.id for claim in paper.claims),
            len(erratum.checks),
            tuple(f"{erratum.id}: {problem}" for problem in problems if problem),
        )
        if checked.checked == bool(erratum.unchecked):
            problem = f"{erratum.id}: it has neither a check nor a reason for none"
            if checked.checked:
                problem = f"{erratum.id}: it has a check, and a reason for none"
            checked = checked._replace(wrong=(*checked.wrong, problem))
        yield checked


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


def _wrong(check: Check, sets_of_paper: Mapping[str, KeyAndResponse]) -> str:
    """Describe a score that is not as the erratum says; empty if it is."""
    score = scored(sets_of_paper[check.sets], check.metric)
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
