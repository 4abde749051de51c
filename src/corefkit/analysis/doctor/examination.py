"""The result of an examination: findings with their scores, and the output."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from corefkit.results.records import Value, format_json
from corefkit.settings import VERSION
from corefkit.strings import format_count
from corefkit.tables.markdown import render_markdown
from corefkit.tables.model import Bullet, Bullets, Note, Paragraph, Part
from corefkit.tables.terminal import get_reading_width, render_terminal


class CaseScores(NamedTuple):
    """The scores before and after a fix, between 0 and 1."""

    conll: float
    mentions: float  # F1 of mention detection


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """A possible explanation of a score.

    Attributes:
        check: the name of the check.
        text: a description.
        fix: the option or the change that fixes it.
        mentions: the number of mentions concerned.
        before: the scores without the fix, but with the faults above it fixed; None if
            the input cannot be scored.
        after: the scores with it; None if they cannot be computed.
        is_fault: whether a file is wrong. Otherwise the score is right, and a setting
            gives another one.

    >>> DoctorFinding("offsets", "ends are exclusive", "subtract 1", 9, None, None).gain
    0.0
    """

    check: str
    text: str
    fix: str
    mentions: int
    before: CaseScores | None
    after: CaseScores | None
    is_fault: bool = True

    @property
    def gain(self) -> float:
        """The rise of the CoNLL score; from 0 if the input cannot be scored."""
        if self.after is None:
            return 0.0
        return self.after.conll - (self.before.conll if self.before else 0.0)


@dataclass(frozen=True, slots=True)
class Examination:
    """All possible explanations of a score: faults first, by their cost.

    Attributes:
        key: the display name of the key.
        response: the display name of the response.
        signature: the settings of the score.
        scores: the scores of `corefkit.score`; None if it raises an error.
        refusal: the error that it raises; otherwise empty.
        findings: the findings, the most likely first.
        checks: the names of all checks.
        documents: the number of documents of the key.
        looked_at: the number of documents that were examined, the first ones. Findings
            and their scores are of these; `scores` are of all.

    >>> import corefkit
    >>> examination = corefkit.doctor([[(0, 1), (4, 4)]], [[(0, 1), (4, 4)]])
    >>> [finding.check for finding in examination.findings]
    ['identical']
    """

    key: str
    response: str
    signature: str
    scores: CaseScores | None
    refusal: str
    findings: tuple[DoctorFinding, ...]
    checks: tuple[str, ...]
    documents: int
    looked_at: int

    def __str__(self) -> str:
        return EXAMINATION_WRITERS["text"](self)

    def to_dict(self) -> dict[str, Value]:
        """Return the output of `corefkit doctor --format json` as plain values."""
        return {
            "corefkit": VERSION,
            "signature": self.signature,
            "key": self.key,
            "response": self.response,
            "scores": self.scores and self.scores._asdict(),
            "refusal": self.refusal or None,
            "findings": [
                {
                    "check": finding.check,
                    "is_fault": finding.is_fault,
                    "text": finding.text,
                    "fix": finding.fix,
                    "mentions": finding.mentions,
                    "before": finding.before and finding.before._asdict(),
                    "after": finding.after and finding.after._asdict(),
                }
                for finding in self.findings
            ],
            "checks": list(self.checks),
            "documents": self.documents,
            "looked_at": self.looked_at,
        }


EXAMINATION_WRITERS: Mapping[str, Callable[[Examination], str]] = {
    "text": lambda examination: render_terminal(
        build_examination_page(examination), width=get_reading_width()
    ),
    "json": lambda examination: format_json(examination.to_dict()),
    "markdown": lambda examination: render_markdown(
        build_examination_page(examination)
    ),
}


def choose_verb(number: int, singular: str, plural: str) -> str:
    """Choose the form of a verb by the number of its subject."""
    return singular if number == 1 else plural


def build_examination_page(examination: Examination) -> Iterator[Part]:
    names = f"{examination.response} against {examination.key}"
    if examination.scores is None:
        yield Paragraph(f"{names}: cannot be scored", is_literal=True)
        yield Paragraph(examination.refusal, is_literal=True)
    else:
        scores = _format_scores(examination.scores)
        yield Paragraph(f"{names}: {scores}", is_literal=True)
    if examination.looked_at < examination.documents:
        sample = format_count(examination.looked_at, "document")
        yield Paragraph(
            f"Looked at the first {sample} of {examination.documents:,}: findings and "
            "their scores are of these."
        )
    faults = [finding for finding in examination.findings if finding.is_fault]
    choices = [finding for finding in examination.findings if not finding.is_fault]
    if not examination.findings:
        count = format_count(len(examination.checks), "check")
        yield Paragraph(f"Nothing found in {count} that would explain another score.")
    if faults:
        title = "Faults; each is scored with those above it fixed"
        yield _list_findings(title, faults, 1)
    if choices:
        title = "What to know, by how much it changes the score"
        title += "; each by itself, after the fixes above" if faults else ""
        yield _list_findings(title, choices, len(faults) + 1)
    yield Note(examination.signature, is_code=True)


def _list_findings(title: str, findings: list[DoctorFinding], first: int) -> Bullets:
    return Bullets(
        tuple(
            Bullet(
                f"{finding.text[:1].upper()}{finding.text[1:]}.",
                f"{number}.",
                (_format_change(finding), f"Fix: {finding.fix}."),
            )
            for number, finding in enumerate(findings, start=first)
        ),
        text=f"{title}:",
    )


def _format_change(finding: DoctorFinding) -> str:
    mentions = format_count(finding.mentions, "mention")
    old, new = finding.before, finding.after
    if new is None:
        return f"{mentions}."
    if old is None:
        return f"{mentions}. Not scored before; after: {_format_scores(new)}."
    return (
        f"{mentions}. CoNLL {100 * old.conll:.2f} -> {100 * new.conll:.2f}, "
        f"Mentions {100 * old.mentions:.2f} -> {100 * new.mentions:.2f}."
    )


def _format_scores(scores: CaseScores) -> str:
    return f"CoNLL {100 * scores.conll:.2f}, Mentions {100 * scores.mentions:.2f}"
