"""What an examination found, as values for people and programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from corefkit.report.records import Value


class Scores(NamedTuple):
    """What is measured before and after a fix, between 0 and 1."""

    conll: float
    mentions: float  # F1 of mention detection


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that may explain a score.

    Attributes:
        check: the name of the check that found it.
        text: what was found.
        fix: the option or the change that mends it.
        mentions: how many mentions it concerns.
        before: the scores without the fix, with the findings above it mended if they
            are faults; None where the input cannot be scored.
        after: the scores with it; None where there is no way to measure.
        is_fault: whether something is wrong with a file. Otherwise it is a choice: the
            score is right, and a setting gives another.

    >>> Finding("bounds", "ends are exclusive", "subtract 1", 9, None, None).check
    'bounds'
    """

    check: str
    text: str
    fix: str
    mentions: int
    before: Scores | None
    after: Scores | None
    is_fault: bool = True

    @property
    def gain(self) -> float:
        """By how much the CoNLL score rises; one that was not there rises from 0."""
        if self.after is None:
            return 0.0
        return self.after.conll - (self.before.conll if self.before else 0.0)


@dataclass(frozen=True, slots=True)
class Examination:
    """Everything that may explain a score: faults first, by what they cost.

    Attributes:
        key: what the user called the key.
        response: what the user called the response.
        signature: the settings of the score.
        scores: the scores as `corefkit.score` gives them; None where it refuses.
        refusal: why it refuses; empty where it does not.
        findings: what was found, the most likely first.
        checks: the names of the checks that were made.
        documents: how many documents the key has.
        looked_at: how many of them were examined, the first ones. What was found, and
            its scores, are of these; `scores` are of all.

    >>> import corefkit
    >>> examination = corefkit.doctor([[(0, 1), (4, 4)]], [[(0, 1), (4, 4)]])
    >>> [finding.check for finding in examination.findings]
    ['identical']
    """

    key: str
    response: str
    signature: str
    scores: Scores | None
    refusal: str
    findings: tuple[Finding, ...]
    checks: tuple[str, ...]
    documents: int
    looked_at: int

    def __str__(self) -> str:
        """Return the text that `corefkit doctor` prints."""
        from corefkit.analysis.doctor.text import EXAMINATION_WRITERS

        return EXAMINATION_WRITERS["text"](self)

    def to_dict(self) -> dict[str, Value]:
        """Return what `corefkit doctor --format json` prints, as plain values."""
        from corefkit.analysis.doctor.text import examination_values

        return examination_values(self)
