"""Causes of a score far from the expected one, found by trying fixes.

Faults come first: invalid files, other names, other tokens, other offsets. The fault
that costs most is fixed, and the checks are run again on the fixed documents, so that
faults that hide each other are found one after the other. Then come choices, such as
singletons, each by itself. Every fix is scored.

Of large files the first documents are examined, or all of them if these are not
representative.

To add a check, write a function from a `Case` to suspicions in the module of its topic,
and add its row to `CHECKS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import partial
from typing import NamedTuple, TypeAlias, Unpack

from corefkit.alignment.pipeline import Progress
from corefkit.analysis.doctor.annotation_checks import (
    check_broken,
    check_column,
    check_empty,
    check_extra,
    check_identical,
    check_ids,
    check_links,
    check_missing,
    check_repeated,
    check_singletons,
    check_swapped,
    check_zeros,
)
from corefkit.analysis.doctor.case import (
    Case,
    Suspicion,
    compute_scores,
    is_file,
    read_case,
)
from corefkit.analysis.doctor.examination import CaseScores, DoctorFinding, Examination
from corefkit.analysis.doctor.offset_checks import (
    check_beyond,
    check_boundaries,
    check_offsets,
)
from corefkit.analysis.doctor.text_checks import (
    check_cuts,
    check_names,
    check_pieces,
    check_spelling,
    check_text,
    check_tokens,
)
from corefkit.exceptions import CorefkitError, PairingError
from corefkit.formats import Input
from corefkit.settings import Keywords, expand_settings, resolve_settings


class Check(NamedTuple):
    name: str  # in JSON
    topic: str  # in the documentation
    find: Callable[[Case], Iterator[Suspicion]]
    # Faults are fixed one after the other; others are choices, and facts worth knowing.
    is_fault: bool = False


_check_joined = partial(check_cuts, role="response")
_check_split = partial(check_cuts, role="key")
CHECKS: Mapping[str, Check] = {
    check.name: check
    for check in (
        Check("broken", "a file that cannot be read", check_broken, True),
        Check("names", "documents with other names", check_names, True),
        Check("joined", "documents of the key in one", _check_joined, True),
        Check("split", "a document of the key in several", _check_split, True),
        Check("pieces", "word pieces of a language model", check_pieces, True),
        Check("tokens", "the same text in other tokens", check_tokens, True),
        Check("spelling", "words written differently", check_spelling, True),
        Check("text", "another text, or version of it", check_text, True),
        Check("column", "brackets in another column", check_column, True),
        Check("offsets", "shifts, exclusive ends, other units", check_offsets, True),
        Check("beyond", "mentions after the end of the text", check_beyond, True),
        Check("links", "no link at all, or one entity", check_links, True),
        Check("empty", "a side without mentions", check_empty, True),
        Check("identical", "the key as the response", check_identical),
        Check("swapped", "key and response swapped", check_swapped),
        Check("missing", "documents that the response lacks", check_missing),
        Check("extra", "documents that the key lacks", check_extra),
        Check("singletons", "singletons on one side", check_singletons),
        Check("boundaries", "mentions that differ by bounds", check_boundaries),
        Check("zeros", "zeros on one side", check_zeros),
        Check("repeated", "mentions that a side repeats", check_repeated),
        Check("ids", "ids that restart, or continue", check_ids),
    )
}
_MIN_CHOICE = 0.005  # of the CoNLL score: choices that change less are not reported
_MIN_FAULT = 0.02  # of the CoNLL score: uncertain faults cost more
_MIN_MATCH_GAIN = 0.3  # of mentions that match, if nothing can be scored
_MAX_FAULTS = 8  # that are fixed one after the other
_MAX_SAMPLE_DIFFERENCE = 0.05  # of the CoNLL score, between the sample and all


@expand_settings
def doctor(
    key: Input,
    response: Input,
    *,
    format: str | None = None,
    progress: Progress | None = None,
    **keywords: Unpack[Keywords],
) -> Examination:
    """Find possible explanations of a score far from the expected one.

    If `corefkit.score` raises an error, it finds what would fix that.

    Args:
        key: as for `corefkit.score`; mentions are spans.
        response: the same.
        format: the format of files; detected by default.
        progress: called with the number of checks done, and of all; it restarts
            whenever a fault was fixed.
        keywords: the settings of the score.

    Raises:
        CorefkitError: a file does not exist, or has no supported format.

    >>> key = [[(0, 1), (4, 4), (9, 9)], [(2, 2), (6, 7)]]
    >>> response = [[(0, 2), (4, 5), (9, 10)], [(2, 3), (6, 8)]]
    >>> examination = doctor(key, response)
    >>> finding = examination.findings[0]
    >>> finding.mentions, finding.before.conll, finding.after.conll
    (5, 0.0, 1.0)
    >>> finding.fix
    'subtract 1 from the end of each mention of the response'
    """
    settings = resolve_settings(**keywords)
    case = read_case(key, response, format=format, settings=settings, has_sample=True)
    faults, fixed = _find_faults(case, progress)
    result = _score_input(case)
    if case.is_sample and not _is_representative(case, fixed, result):
        case = read_case(key, response, format=format, settings=settings)
        faults, fixed = _find_faults(case, progress)
    refusal = ""
    if isinstance(result, CorefkitError):
        if isinstance(result, PairingError):  # findings replace its hint
            result = PairingError(result.message, code=result.code, place=result.place)
        refusal = result.reason
    return Examination(
        key=case.key.name,
        response=case.response.name,
        signature=settings.signature,
        scores=result if isinstance(result, CaseScores) else None,
        refusal=refusal,
        findings=(*faults, *_find_choices(fixed, progress)),
        checks=tuple(CHECKS),
        documents=case.key.total,
        looked_at=len(case.key.numbers),
    )


def _score_input(case: Case) -> CaseScores | CorefkitError:
    """Score the input itself, so that an error contains its files and lines."""
    if not all(is_file(side.input) for side in case.sides):
        return case.result
    if isinstance(case.result, CaseScores) and not case.is_sample:
        return case.result
    try:
        scores = compute_scores(
            case.key.input, case.response.input, case.settings, format=case.format
        )
    except CorefkitError as error:
        return error
    return scores if case.is_sample else case.result


def _is_representative(
    case: Case, fixed: Case, result: CaseScores | CorefkitError
) -> bool:
    """Return whether the first documents have the faults of all documents.

    They do not if they are fixed by other names or dropped, because the right text may
    be in another document; nor if all cannot be scored, or score lower.
    """
    pairs = zip(case.sides, fixed.sides, strict=True)
    if fixed.scores is None or any(
        side.ids != fixed_side.ids for side, fixed_side in pairs
    ):
        return False
    if case.scores is None:
        return True
    if isinstance(result, CorefkitError):
        return False
    return result.conll > case.scores.conll - _MAX_SAMPLE_DIFFERENCE


# A finding, the suspicion that it results from, and the rise of the share of mentions
# that both sides have.
_Trial: TypeAlias = "tuple[DoctorFinding, Suspicion, float]"


def _find_faults(
    case: Case, progress: Progress | None
) -> tuple[list[DoctorFinding], Case]:
    """Fix the fault that costs most, then search again; return the fixed case too."""
    findings: list[DoctorFinding] = []
    for _ in range(_MAX_FAULTS):
        earlier = {finding.check for finding in findings}
        trials = [
            trial
            for trial in _run_checks(case, progress, is_fault=True)
            if _is_fault(trial, earlier)
        ]
        fixable = [trial for trial in trials if trial[1].fixed is not None]
        if not fixable:
            findings += [finding for finding, _, _ in trials]
            break
        # Of equal trials, the first: if none is scored, the order of checks decides.
        best = max(fixable, key=lambda trial: (trial[0].gain, trial[2]))
        findings.append(best[0])
        case = best[1].fixed or case
    return findings, case


def _is_fault(trial: _Trial, earlier: AbstractSet[str]) -> bool:
    """Return whether a suspicion is a fault; a second one of a check must be costly."""
    finding, suspicion, match_gain = trial
    is_certain = suspicion.is_certain and finding.check not in earlier
    if finding.before is None and finding.after is None:
        # Settings may reject both cases, for example if no head is known.
        return is_certain or match_gain >= _MIN_MATCH_GAIN
    return is_certain or finding.gain >= _MIN_FAULT


def _find_choices(case: Case, progress: Progress | None) -> list[DoctorFinding]:
    findings = []
    for finding, suspicion, _ in _run_checks(case, progress, is_fault=False):
        fixed, gain = suspicion.fixed, finding.gain
        if fixed is not None and fixed.settings != case.settings:
            # Other settings can explain a score that is too high, too.
            gain = abs(gain)
        if suspicion.is_certain or fixed is None or gain >= _MIN_CHOICE:
            findings.append(finding)
    return sorted(findings, key=lambda finding: -finding.gain)


def _run_checks(
    case: Case, progress: Progress | None, *, is_fault: bool
) -> Iterator[_Trial]:
    for number, check in enumerate(CHECKS.values()):
        if check.is_fault is not is_fault:
            continue
        if progress is not None:
            progress(number, len(CHECKS))
        for suspicion in check.find(case):
            text, fix, mentions, fixed, is_certain = suspicion
            after = None if fixed is None else fixed.scores
            finding = DoctorFinding(
                check.name, text, fix, mentions, case.scores, after, is_fault=is_fault
            )
            match_gain = 0.0
            if fixed is not None and not is_certain:
                match_gain = fixed.match_share - case.match_share
            yield finding, suspicion, match_gain
