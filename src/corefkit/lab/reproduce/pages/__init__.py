"""The report on recomputed papers: for terminals, as pages of its own, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corefkit.lab.reproduce import tally
from corefkit.lab.reproduce.outcomes import Kind, Outcome, counted
from corefkit.lab.reproduce.pages.report import LEGEND, TITLE, errata_parts, parts_of
from corefkit.results.records import format_json
from corefkit.settings import VERSION
from corefkit.tables.model import (
    Bars,
    Bullet,
    Bullets,
    Page,
    Paragraph,
    Share,
    Table,
    make_columns,
    make_rows,
)
from corefkit.tables.terminal import get_reading_width, render_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from corefkit.lab.reproduce import CheckedErratum, Reproduction
    from corefkit.lab.reproduce.claims import Finding
    from corefkit.lab.reproduce.outcomes import Number
    from corefkit.tables.model import Part


def plain_reproductions(reproductions: Sequence[Reproduction]) -> str:
    """Write the papers for a terminal, at the end their errata and some counts."""
    parts: list[Part] = [Paragraph(LEGEND)]
    for reproduction in reproductions:
        parts += parts_of(reproduction, is_whole=False)
    parts += [*errata_parts(reproductions), summary(reproductions)]
    return render_terminal(parts, width=get_reading_width())


def reproduction_page(
    reproductions: Sequence[Reproduction], *, drawings: Mapping[str, Path]
) -> Page:
    """Make a page of the papers, with the drawing of each figure, by its name."""
    parts: list[Part] = [overview(reproductions), bars(reproductions)]
    for reproduction in reproductions:
        parts += parts_of(reproduction, is_whole=True, drawings=drawings)
    return Page(
        TITLE,
        (summary(reproductions), Paragraph(LEGEND)),
        (*parts, *errata_parts(reproductions)),
        "corefkit lab reproduce",
    )


def summary(reproductions: Sequence[Reproduction]) -> Bullets:
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
    return Bullets(tuple(map(Bullet, lines)))


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


def overview(reproductions: Sequence[Reproduction]) -> Table:
    """Count the numbers of each paper, by what became of them."""
    kinds = [kind.value for kind in Kind]
    heads = ["Paper", "Numbers", *kinds, *(outcome.words for outcome in Outcome)]
    rows = []
    for reproduction in reproductions:
        counts = tally([reproduction])
        of_kinds = [tally([reproduction], kind).total() for kind in Kind]
        numbers = [counts.total(), *of_kinds, *(counts[outcome] for outcome in Outcome)]
        rows.append((reproduction.paper.cited, *map(str, numbers)))
    return Table(make_columns(heads), make_rows(rows))


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


def json_reproductions(reproductions: Sequence[Reproduction]) -> str:
    """Write every number, claim and erratum, each with what its check rests on."""
    values = {
        "version": VERSION,
        "counts": {
            kind.name.lower(): {
                "claims": claims_tally(reproductions, kind),
                "numbers": {
                    outcome.words: count
                    for outcome, count in tally(reproductions, kind).items()
                },
            }
            for kind in Kind
        },
        "papers": [*map(_paper, reproductions)],
    }
    return format_json(values)


def _paper(reproduction: Reproduction) -> dict[str, Any]:
    return {
        "name": reproduction.paper.name,
        "cited": reproduction.paper.cited,
        "numbers": [*map(_number, reproduction.every_number())],
        "claims": [*map(_claim, reproduction.findings)],
        "errata": [*map(_erratum, reproduction.errata)],
    }


def _number(number: Number) -> dict[str, Any]:
    return {
        "place": list(number.place),
        "kind": number.kind.name.lower(),
        "printed": number.printed,
        "computed": number.computed,
        "outcome": number.outcome.words if number.outcome else None,
        "erratum": number.erratum or None,
    }


def _claim(finding: Finding) -> dict[str, Any]:
    return {
        "id": finding.claim.id,
        "where": finding.claim.where,
        "says": finding.claim.says,
        "kind": finding.kind.name.lower(),
        "holds": finding.holds,
        "expected": finding.expected,
        "against": list(finding.against),
        "erratum": finding.claim.erratum or None,
    }


def _erratum(checked: CheckedErratum) -> dict[str, Any]:
    erratum = checked.erratum
    return {
        "id": erratum.id,
        "where": erratum.where,
        "printed": erratum.printed,
        "correct": erratum.correct,
        "reason": erratum.reason,
        "checks": {
            "numbers": checked.numbers,
            "claims": checked.claims,
            "scores": checked.scores,
        },
        "unchecked": erratum.unchecked or None,
        "wrong": list(checked.wrong),
    }


REPRODUCTION_WRITERS: Mapping[str, Callable[[Sequence[Reproduction]], str]] = {
    "table": plain_reproductions,
    "json": json_reproductions,
}
