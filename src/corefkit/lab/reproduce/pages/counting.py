"""How many numbers, claims and errata there are, and what became of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.lab.reproduce import tally
from corefkit.lab.reproduce.outcomes import Kind, Outcome
from corefkit.report.page import Bars, Grid, Item, Items, Share, cells, columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.lab.reproduce import Reproduction

_OF_ONE = {
    "claims": "claim",
    "numbers": "number",
    "scores": "score",
    "hold": "holds",
    "errata": "erratum",
    "differ": "differs",
}


def summary(reproductions: Sequence[Reproduction]) -> list[str]:
    """Count errata, claims and numbers: a line each, by what the check rests on."""
    errata = [erratum for paper in reproductions for erratum in paper.errata]
    checked = sum(erratum.checked for erratum in errata)
    lines = [
        f"{counted(len(errata), 'errata')}: {checked} checked, "
        f"{len(errata) - checked} that nothing can show"
    ]
    for kind in Kind:
        counts = claims_tally(reproductions, kind)
        lines += _line(f"claims {kind.value}", counts)
    for kind in Kind:
        outcomes = tally(reproductions, kind)
        lines += _line(
            f"numbers {kind.value}",
            {outcome.words: outcomes[outcome] for outcome in _outcomes(kind)},
        )
    return lines


def _outcomes(kind: Kind) -> list[Outcome]:
    """List the outcomes that numbers of a kind can have."""
    scored = {Outcome.EXACT, Outcome.TRUNCATED, Outcome.F1_OF_ROUNDED}
    none = {
        Kind.RECOMPUTED: {Outcome.FITS},
        Kind.FITTED: {Outcome.ERRATUM},
        Kind.PRINTED: scored,
    }
    return [outcome for outcome in Outcome if outcome not in none[kind]]


def _line(what: str, counts: Mapping[str, int]) -> list[str]:
    """Write counts after their sum; nothing where there is nothing to count."""
    total = sum(counts.values())
    noun, _, kind = what.partition(" ")
    parts = ", ".join(counted(count, words) for words, count in counts.items())
    return [f"{counted(total, noun)} {kind}: {parts}"] if total else []


def claims_tally(reproductions: Sequence[Reproduction], kind: Kind) -> dict[str, int]:
    """Count the claims of a kind by what became of them."""
    findings = [
        finding
        for paper in reproductions
        for finding in paper.findings
        if finding.kind is kind
    ]
    unexpected = sum(not finding.expected for finding in findings)
    hold = sum(finding.holds and finding.expected for finding in findings)
    errata = len(findings) - hold - unexpected
    return {"hold": hold, "errata": errata, "differ": unexpected}


def counted(count: int, words: str) -> str:
    """Write a count and what was counted.

    >>> counted(1, "claims"), counted(2, "claims")
    ('1 claim', '2 claims')
    """
    return f"{count} {_OF_ONE.get(words, words) if count == 1 else words}"


def summary_items(reproductions: Sequence[Reproduction]) -> Items:
    """List what was counted."""
    return Items(tuple(map(Item, summary(reproductions))))


def overview(reproductions: Sequence[Reproduction]) -> Grid:
    """Count the numbers of each paper, by what became of them."""
    kinds = [kind.value for kind in Kind]
    heads = ["Paper", "Numbers", *kinds, *(outcome.words for outcome in Outcome)]
    rows = []
    for reproduction in reproductions:
        counts = tally([reproduction])
        of_kinds = [tally([reproduction], kind).total() for kind in Kind]
        numbers = [counts.total(), *of_kinds, *(counts[outcome] for outcome in Outcome)]
        rows.append((reproduction.paper.cited, *map(str, numbers)))
    return Grid(columns(heads), cells(rows))


def bars(reproductions: Sequence[Reproduction]) -> Bars:
    """Draw the shares of the numbers of each paper, by what became of them."""
    counts = {paper.paper.cited: tally([paper]) for paper in reproductions}
    return Bars(
        tuple(
            (
                cited,
                tuple(
                    Share(outcome.name.lower(), outcome.words, of_paper[outcome])
                    for outcome in Outcome
                ),
            )
            for cited, of_paper in counts.items()
        )
    )
