"""The papers recomputed: every number, figure and claim, and its outcome.

`outcomes` compares numbers, `claims` checks claims, `reproduction_page` is the report.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from corefkit.lab.claims import CheckedClaim, check_claims, name_sets
from corefkit.lab.figures import Figure, Panel
from corefkit.lab.outcomes import (
    Kind,
    Outcome,
    PrintedNumber,
    compare_number,
    derive_numbers,
    get_metric_label,
    score_sets,
)
from corefkit.papers import NOT_PRINTED
from corefkit.results.records import format_csv

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.papers import (
        Erratum,
        ErratumCheck,
        Paper,
        PaperFigure,
        PaperTable,
        TableRow,
    )
    from corefkit.papers.partitions import KeyAndResponse


CURVES = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea")
# How many of the key's mentions and links a response has.
SHARES = {
    "mentions_recall": ("mentions", "recall"),
    "links_recall": ("blanc.coreference", "recall"),
}


@dataclass(frozen=True, slots=True)
class RecomputedFigure:
    """A figure of a paper, recomputed."""

    paper_figure: PaperFigure
    figure: Figure  # F1 of six metrics over the sets
    scores: Mapping[str, Sequence[float]]  # F1 of the metrics, and the shares


class CheckedErratum(NamedTuple):
    """An erratum and its evidence."""

    erratum: Erratum
    numbers: int  # printed ones that it corrects
    claims: int  # that it contradicts
    scores: int  # other ones that show it
    wrong: tuple[str, ...]  # contradictions, one line each

    @property
    def checked(self) -> bool:
        """Whether it has evidence."""
        return bool(self.numbers or self.claims or self.scores)


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A paper and the outcome of recomputing it."""

    paper: Paper
    numbers: Mapping[str, tuple[PrintedNumber, ...]]  # of each table, by its id
    figures: tuple[RecomputedFigure, ...]
    findings: tuple[CheckedClaim, ...]
    errata: tuple[CheckedErratum, ...]

    def iter_numbers(self) -> Iterator[PrintedNumber]:
        """Iterate over the numbers that are printed."""
        for numbers in self.numbers.values():
            yield from (number for number in numbers if number.outcome is not None)

    def iter_differences(self) -> Iterator[str]:
        """Describe numbers and claims that are neither reproduced nor errata."""
        name = self.paper.name
        for number in self.iter_numbers():
            if number.outcome is Outcome.DIFFERS:
                place = ", ".join(number.place)
                values = f"{number.printed} printed, {number.computed:g} computed"
                yield f"{name}, {place}: {values}"
        for finding in self.findings:
            if not finding.expected:
                against = "; ".join(finding.against) or "nothing speaks against it"
                yield f"{name}, {finding.claim.id}: {finding.claim.says}: {against}"
        for erratum in self.errata:
            yield from (f"{name}, {line}" for line in erratum.wrong)

    @property
    def is_reproduced(self) -> bool:
        """Whether everything is reproduced or a known erratum."""
        return not any(True for _ in self.iter_differences())


def reproduce(paper: Paper) -> Reproduction:
    """Recompute a paper.

    >>> from corefkit.papers import load_paper
    >>> luo = reproduce(load_paper("luo-2005"))
    >>> number = luo.numbers["table-1"][0]
    >>> luo.is_reproduced, number.printed, round(number.computed, 4)
    (True, '0.947', 0.9474)
    """
    numbers = {table.id: tuple(_iter_numbers(table)) for table in paper.tables}
    numbers |= {table.id: tuple(derive_numbers(table)) for table in paper.corpus_tables}
    return Reproduction(
        paper=paper,
        numbers=numbers,
        figures=tuple(_recompute_figure(paper, figure) for figure in paper.figures),
        findings=tuple(check_claims(paper)),
        errata=tuple(check_errata(paper)),
    )


def count_outcomes(
    reproductions: Sequence[Reproduction], kind: Kind | None = None
) -> Counter[Outcome]:
    """Count the numbers, or those of a kind, by outcome."""
    return Counter(
        number.outcome
        for reproduction in reproductions
        for number in reproduction.iter_numbers()
        if number.outcome is not None and kind in (None, number.kind)
    )


def render_figure_csv(curves: RecomputedFigure) -> str:
    """Write a row for each set of a figure, with F1 and shares between 0 and 1."""
    rows = zip(curves.figure.ticks, *curves.scores.values(), strict=True)
    return format_csv([("set", *curves.scores), *rows]) + "\n"


def _iter_numbers(table: PaperTable) -> Iterator[PrintedNumber]:
    for row in table.rows:
        for metric, printed in row.printed.items():
            yield from _iter_row_numbers(table, row, metric, printed)


def _iter_row_numbers(
    table: PaperTable, row: TableRow, metric: str, printed: Sequence[str]
) -> Iterator[PrintedNumber]:
    score = score_sets(row.sets, metric)
    correct = row.correct.get(metric, (NOT_PRINTED,) * len(printed))
    for field, number, right in zip(table.fields, printed, correct, strict=True):
        outcome = compare_number(
            number,
            score,
            field,
            rule=table.rule,
            decimals=table.decimals,
            percent=table.percent,
            correct=right,
        )
        yield PrintedNumber(
            place=(table.id, row.label, metric, field),
            printed="" if outcome is None else number,
            computed=(100 if table.percent else 1) * getattr(score, field),
            outcome=outcome,
            kind=Kind.FITTED if row.fits else Kind.RECOMPUTED,
            erratum=row.erratum if outcome is Outcome.ERRATUM else "",
        )


def _recompute_figure(paper: Paper, figure: PaperFigure) -> RecomputedFigure:
    columns = {metric: (metric, "f1") for metric in CURVES} | SHARES
    scores = {
        name: [
            getattr(score_sets(sets, metric), field) for sets in figure.sets.values()
        ]
        for name, (metric, field) in columns.items()
    }
    curves = {metric: scores[metric] for metric in CURVES}
    if figure.has_links:
        curves["correct links"] = scores["links_recall"]
    drawing = Figure(
        name=f"{paper.short.lower()}-{figure.id}",
        title=f"{paper.cited}, {figure.where}: {figure.title}",
        x_label=figure.x_label,
        ticks=list(figure.sets),
        panels=[Panel("", curves)],
        ordered=figure.ordered,
        y_label="F1, and share of links" if figure.has_links else "F1",
    )
    return RecomputedFigure(figure, drawing, scores)


def check_errata(paper: Paper) -> Iterator[CheckedErratum]:
    """Check the errata of a paper.

    Numbers and claims that name an erratum are compared with it elsewhere.
    """
    sets_of_paper = name_sets(paper)
    for erratum in paper.errata:
        problems = [_find_problem(check, sets_of_paper) for check in erratum.checks]
        checked = CheckedErratum(
            erratum,
            _count_corrected(paper, erratum.id),
            sum(claim.erratum == erratum.id for claim in paper.claims),
            len(erratum.checks),
            tuple(f"{erratum.id}: {problem}" for problem in problems if problem),
        )
        if checked.checked == bool(erratum.unchecked):
            neither = "neither a check nor a reason for none"
            fault = "a check, and a reason for none" if checked.checked else neither
            wrong = (*checked.wrong, f"{erratum.id}: it has {fault}")
            checked = checked._replace(wrong=wrong)
        yield checked


def _count_corrected(paper: Paper, id: str) -> int:
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


def _find_problem(
    check: ErratumCheck, sets_of_paper: Mapping[str, KeyAndResponse]
) -> str:
    """Describe a score that is not as the erratum says; empty if it is."""
    score = score_sets(sets_of_paper[check.sets], check.metric)
    outcome = compare_number(
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
    label = get_metric_label(check.metric)
    return (
        f"{check.sets}, {label}, {check.field}: {check.correct} expected in place of "
        f"{check.printed}, {value:g} computed"
    )
