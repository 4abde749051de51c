"""Recomputed papers for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corefkit.lab.reproduce import tally
from corefkit.lab.reproduce.outcomes import Kind
from corefkit.lab.reproduce.pages import plain_reproductions
from corefkit.lab.reproduce.pages.counting import claims_tally
from corefkit.report.records import readable_json
from corefkit.settings import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from corefkit.lab.reproduce import Reproduction
    from corefkit.lab.reproduce.claims import Finding
    from corefkit.lab.reproduce.errata import CheckedErratum
    from corefkit.lab.reproduce.outcomes import Number


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
    return readable_json(values)


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
