"""Causes of a score far from the expected one, found by trying fixes.

Faults come first: a broken file, other names, other tokens, other offsets. The one that
costs most is fixed, and the checks are made again on the fixed documents, so that
faults that hide each other are found one after the other. Then come matters of choice,
such as singletons, each alone. Every fix is scored.

Of large files the first documents are examined, and all of them if these cannot stand
for the others.

examination         the result, and its text
case                documents of both sides, read despite faults, and their scores
annotation_checks   checks of files, sides, columns, mentions and entities
text_checks         checks of names, parts, words, word pieces
offset_checks       checks of offsets

To add a check, write a function from a `Case` to suspicions in the module of its topic,
and add its row to `CHECKS`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple, Unpack

from corefkit.analysis.doctor.annotation_checks import (
    broken,
    extra_documents,
    identical,
    ids_across_documents,
    links,
    missing_documents,
    nested,
    no_common_document,
    other_column,
    other_number,
    repeated,
    singletons,
    swapped,
    without_mentions,
    zeros,
)
from corefkit.analysis.doctor.case import measured, read_case
from corefkit.analysis.doctor.examination import Examination, Finding, Scores
from corefkit.analysis.doctor.offset_checks import (
    beyond_the_text,
    boundaries,
    by_character,
    in_each_sentence,
    other_bounds,
    other_count,
    shifted_from_a_token,
    through_the_file,
)
from corefkit.analysis.doctor.text_checks import (
    joined_parts,
    other_documents,
    other_names,
    other_spelling,
    other_text,
    other_tokens,
    split_documents,
    word_pieces,
)
from corefkit.exceptions import CorefkitError, PairingError
from corefkit.settings import Keywords, expand_settings, resolve_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from corefkit.alignment.pipeline import Progress
    from corefkit.analysis.doctor.case import Case, Suspicion
    from corefkit.formats.inputs import Input


class Check(NamedTuple):
    """A check.

    Attributes:
        name: its name in JSON.
        asks: what it looks for, as the documentation lists it.
        find: the function that looks.
        mends: whether it finds faults, which are mended one after the other before
            anything else is looked at; otherwise it finds what is a matter of choice,
            or only to be known.
    """

    name: str
    asks: str
    find: Callable[[Case], Iterator[Suspicion]]
    mends: bool = False


CHECKS: Mapping[str, Check] = {
    check.name: check
    for check in (
        Check("broken", "a file that cannot be read as it stands", broken, True),
        Check("names", "documents with other names", other_names, True),
        Check("joined", "documents of the key in one", joined_parts, True),
        Check("split", "a document of the key in several", split_documents, True),
        Check("exchanged", "documents with the name of another", other_documents, True),
        Check("unrelated", "no document in common", no_common_document, True),
        Check("pieces", "word pieces of a language model", word_pieces, True),
        Check("tokens", "the same text in other tokens", other_tokens, True),
        Check("spelling", "words written otherwise", other_spelling, True),
        Check("text", "another text, or version of it", other_text, True),
        Check("column", "brackets in another column", other_column, True),
        Check("bounds", "tokens from 1, exclusive ends, shifts", other_bounds, True),
        Check("through", "tokens counted through the file", through_the_file, True),
        Check("characters", "characters, not tokens", by_character, True),
        Check("counting", "marks or other tokens not counted", other_count, True),
        Check("drift", "a shift from some token on", shifted_from_a_token, True),
        Check("sentences", "tokens counted by sentence", in_each_sentence, True),
        Check("beyond", "mentions behind the text", beyond_the_text, True),
        Check("links", "no link at all, or one entity", links, True),
        Check("empty", "a side without mentions", without_mentions, True),
        Check("identical", "the key as the response", identical),
        Check("swapped", "key and response swapped", swapped),
        Check("missing", "documents that the response lacks", missing_documents),
        Check("extra", "documents that the key lacks", extra_documents),
        Check("singletons", "singletons on one side", singletons),
        Check("boundaries", "mentions that differ by bounds", boundaries),
        Check("nested", "nested mentions on one side", nested),
        Check("zeros", "zeros on one side", zeros),
        Check("number", "far fewer mentions, or far more", other_number),
        Check("repeated", "mentions that a side repeats", repeated),
        Check("ids", "ids that begin anew, or go on", ids_across_documents),
    )
}


_WORTH = 0.005  # of the CoNLL score: a choice that changes less is not told
_COST = 0.02  # of the CoNLL score: a fault that is not certain costs more
_MEET = 0.3  # of mentions, that meet beyond those that do, where nothing is scored
_MOST_FAULTS = 8  # that are mended one after the other
_UNLIKE = 0.05  # of the CoNLL score: all documents have less than the first ones


@expand_settings
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
    settings = resolve_settings(**keywords)
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
        error = PairingError(error.message, code=error.code, place=error.place)
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
