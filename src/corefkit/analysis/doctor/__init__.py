"""What could explain a score far from the expected one, found by trying.

Faults come first: a file that is broken, other names, other tokens, other offsets. The
one that costs most is mended, and the checks are made again on the mended documents, so
that faults that hide each other are found one after the other. Then come matters of
choice, such as singletons, each by itself. Every fix is scored.

Of large files the first documents are examined, and all of them where these cannot
stand for the others.

values      what an examination found
case        what is examined, and how it is scored
reading     both sides read as well as they can be
spans       mentions as bounds in words
wording     numbers and verbs as findings write them
checks      the table of checks
text        an examination as text, Markdown and JSON

The checks of files and documents are in `broken`, `columns`, `names`, `parts`, `sides`;
of words in `words`, `versions`, `pieces`; of offsets in `offsets`, `characters`,
`counting`, `drift`, `beyond`; of mentions and entities in `mentions`, `boundaries`,
`entities`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple, Unpack

from corefkit.analysis.doctor.case import measured
from corefkit.analysis.doctor.checks import CHECKS
from corefkit.analysis.doctor.reading import read_case
from corefkit.analysis.doctor.values import Examination, Finding, Scores
from corefkit.exceptions import CorefkitError, PairingError
from corefkit.settings.keywords import Keywords, names_settings, settings_from

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from corefkit.alignment.pipeline import Progress
    from corefkit.analysis.doctor.case import Case, Suspicion
    from corefkit.formats.inputs import Input

_WORTH = 0.005  # of the CoNLL score: a choice that changes less is not told
_COST = 0.02  # of the CoNLL score: a fault that is not certain costs more
_MEET = 0.3  # of mentions, that meet beyond those that do, where nothing is scored
_MOST_FAULTS = 8  # that are mended one after the other
_UNLIKE = 0.05  # of the CoNLL score: all documents have less than the first ones


@names_settings
def doctor(
    key: Input,
    response: Input,
    *,
    format: str | None = None,
    progress: Progress | None = None,
    **keywords: Unpack[Keywords],
) -> Examination:
    """Find what could explain a score far from the expected one.

    It goes on where `corefkit.score` refuses, and says what would mend that.

    Args:
        key: as for `corefkit.score`; mentions are spans.
        response: likewise.
        format: the format of files; recognised if not given.
        progress: called with the number of checks that were made, and of all; again
            from the first one where a fault was found, and mended.
        keywords: the settings of the score.

    Raises:
        CorefkitError: a file is not there, or is in no known format.

    >>> key = [[(0, 1), (4, 4), (9, 9)], [(2, 2), (6, 7)]]
    >>> response = [[(0, 2), (4, 5), (9, 10)], [(2, 3), (6, 8)]]
    >>> examination = doctor(key, response)
    >>> finding = examination.findings[0]
    >>> finding.mentions, finding.before.conll, finding.after.conll
    (5, 0.0, 1.0)
    >>> finding.fix
    'subtract 1 from the end of each mention of the response'
    """
    settings = settings_from(**keywords)
    case = read_case(key, response, format=format, settings=settings, sample=True)
    faults, mended = _faults(case, progress)
    result = _as_scored(case)
    if case.is_sample and not _stands_for_all(case, mended, result):
        case = read_case(key, response, format=format, settings=settings)
        faults, mended = _faults(case, progress)
    return Examination(
        key=case.names[0],
        response=case.names[1],
        signature=settings.signature,
        scores=None if isinstance(result, CorefkitError) else result,
        refusal=_refusal(result) if isinstance(result, CorefkitError) else "",
        findings=(*faults, *_choices(mended, progress)),
        checks=tuple(CHECKS),
        documents=case.documents[0],
        looked_at=len(case.numbers[0]),
    )


def _as_scored(case: Case) -> Scores | CorefkitError:
    """Score what the user gave, so that an error names its files and lines."""
    key, response = case.inputs
    files = isinstance(key, str | os.PathLike), isinstance(response, str | os.PathLike)
    if not all(files) or "-" in case.names:
        return case.result
    if isinstance(case.result, Scores) and not case.is_sample:
        return case.result
    try:
        scores = measured(key, response, case.settings, format=case.format)
    except CorefkitError as error:
        return error
    return scores if case.is_sample else case.result


def _stands_for_all(case: Case, mended: Case, result: Scores | CorefkitError) -> bool:
    """Say whether the first documents show what is wrong with all of them.

    They do not where they are mended by other names or left out, since the text that is
    meant may stand further behind; nor where all cannot be scored, or score lower.
    """
    if mended.scores is None or mended.ids != case.ids:
        return False
    if case.scores is None:
        return True
    if isinstance(result, CorefkitError):
        return False
    return result.conll > case.scores.conll - _UNLIKE


def _refusal(error: CorefkitError) -> str:
    """Say why there is no score; what to do about other texts is said by findings."""
    if isinstance(error, PairingError):
        error = PairingError(error.message, place=error.place)
    return error.reason


class _Tried(NamedTuple):
    finding: Finding
    suspicion: Suspicion
    case: Case

    @property
    def more_meet(self) -> float:
        """By how much the share of mentions rises that both sides have."""
        mended = self.suspicion.mended
        if mended is None or self.suspicion.is_certain:
            return 0.0
        return mended.share_met - self.case.share_met


def _faults(case: Case, progress: Progress | None) -> tuple[list[Finding], Case]:
    """Mend the fault that costs most, then look again; return what was found."""
    found: list[Finding] = []
    for _ in range(_MOST_FAULTS):
        told = {finding.check for finding in found}
        tried = [
            one for one in _tried(case, progress, mends=True) if _is_fault(one, told)
        ]
        if not tried:
            break
        mends = [one for one in tried if one.suspicion.mended is not None]
        if not mends:
            # Nobody can mend these, so that they may stand for each other.
            found += [one.finding for one in tried]
            break
        # The first of equal ones, so that where none can be scored alone, the order of
        # the table decides.
        best = max(mends, key=lambda one: (one.finding.gain, one.more_meet))
        found.append(best.finding)
        case = best.suspicion.mended or case
    return found, case


def _is_fault(tried: _Tried, told: AbstractSet[str]) -> bool:
    """Say whether something is wrong; what was mended once must be worth it again."""
    is_certain = tried.suspicion.is_certain and tried.finding.check not in told
    if tried.finding.before is None and tried.finding.after is None:
        # Settings may refuse both, as where no head is known: then mentions tell.
        return is_certain or tried.more_meet >= _MEET
    return is_certain or tried.finding.gain >= _COST


def _choices(case: Case, progress: Progress | None) -> list[Finding]:
    """Find what is a matter of choice, by what it changes."""
    found = [
        one.finding
        for one in _tried(case, progress, mends=False)
        if one.suspicion.is_certain
        or one.suspicion.mended is None
        or _is_worth_telling(one.finding.gain, one.suspicion.mended, case)
    ]
    return sorted(found, key=lambda finding: -finding.gain)


def _is_worth_telling(gain: float, mended: Case, case: Case) -> bool:
    """Say whether a choice explains anything.

    Other settings explain a score that is too high, too; another file does not.
    """
    if mended.settings != case.settings:
        gain = abs(gain)
    return gain >= _WORTH


def _tried(case: Case, progress: Progress | None, *, mends: bool) -> Iterator[_Tried]:
    """Make checks, and score what each would mend."""
    for number, check in enumerate(CHECKS.values()):
        if check.mends is not mends:
            continue
        if progress is not None:
            progress(number, len(CHECKS))
        for suspicion in check.find(case):
            after = None if suspicion.mended is None else suspicion.mended.scores
            finding = Finding(
                check.name,
                suspicion.text,
                suspicion.fix,
                suspicion.mentions,
                case.scores,
                after,
                is_fault=mends,
            )
            yield _Tried(finding, suspicion, case)
