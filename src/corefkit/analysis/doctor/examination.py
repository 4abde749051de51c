"""The result of an examination: findings, their scores, and the text of both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from corefkit.results.records import format_json
from corefkit.settings import VERSION
from corefkit.tables.markdown import render_markdown
from corefkit.tables.model import Bullet, Bullets, Note, Paragraph
from corefkit.tables.terminal import get_reading_width, render_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from corefkit.results.records import Value
    from corefkit.tables.model import Part


def counted(number: int, noun: str) -> str:
    """Write a number with its noun.

    >>> counted(1, "document"), counted(1200, "word")
    ('1 document', '1,200 words')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def verb(number: int, one: str, many: str) -> str:
    """Choose the form of a verb that goes with a number.

    >>> verb(1, "has", "have"), verb(2, "has", "have")
    ('has', 'have')
    """
    return one if number == 1 else many


def sentence(text: str) -> str:
    """Close what is said by a full stop, unless it closes by itself.

    >>> sentence("subtract 1"), sentence("was a line lost?")
    ('subtract 1.', 'was a line lost?')
    """
    return text if text.endswith("?") else f"{text}."


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
        return EXAMINATION_WRITERS["text"](self)

    def to_dict(self) -> dict[str, Value]:
        """Return what `corefkit doctor --format json` prints, as plain values."""
        return examination_values(self)


def text_of_examination(examination: Examination) -> str:
    """Write an examination for a terminal."""
    return render_terminal(examination_page(examination), width=get_reading_width())


def markdown_examination(examination: Examination) -> str:
    """Write an examination as Markdown."""
    return render_markdown(examination_page(examination))


def json_examination(examination: Examination) -> str:
    """Write an examination for programs; scores are between 0 and 1."""
    return format_json(examination_values(examination))


EXAMINATION_WRITERS: Mapping[str, Callable[[Examination], str]] = {
    "text": text_of_examination,
    "json": json_examination,
    "markdown": markdown_examination,
}


def examination_page(examination: Examination) -> Iterator[Part]:
    """Go through the parts of an examination."""
    names = f"{examination.response} against {examination.key}"
    if examination.scores is None:
        yield Paragraph(f"{names}: cannot be scored", is_literal=True)
        yield Paragraph(examination.refusal, is_literal=True)
    else:
        scores = _in_words(examination.scores)
        yield Paragraph(f"{names}: {scores}", is_literal=True)
    if examination.looked_at < examination.documents:
        yield Paragraph(_looked_at(examination))
    faults = [one for one in examination.findings if one.is_fault]
    others = [one for one in examination.findings if not one.is_fault]
    if not examination.findings:
        many = counted(len(examination.checks), "check")
        yield Paragraph(f"Nothing found in {many} that would explain another score.")
    if faults:
        title = "What is wrong; each is scored with those above it mended"
        yield _listed(title, faults, 1)
    if others:
        title = "What to know, by how much it changes the score"
        title += "; each by itself, after the fixes above" if faults else ""
        yield _listed(title, others, len(faults) + 1)
    yield Note(examination.signature, is_code=True)


def _looked_at(examination: Examination) -> str:
    first = counted(examination.looked_at, "document")
    return (
        f"Looked at the first {first} of {examination.documents:,}: what is found, and "
        "the scores with it, are of these."
    )


def _listed(title: str, findings: list[Finding], first: int) -> Bullets:
    return Bullets(
        tuple(
            Bullet(
                sentence(f"{finding.text[:1].upper()}{finding.text[1:]}"),
                f"{number}.",
                tuple(_lines(finding)),
            )
            for number, finding in enumerate(findings, start=first)
        ),
        text=f"{title}:",
    )


def _lines(finding: Finding) -> Iterator[str]:
    concerned = counted(finding.mentions, "mention")
    if finding.after is None:
        yield f"{concerned}."
    else:
        yield f"{concerned}. {_change(finding.before, finding.after)}."
    yield f"Fix: {sentence(finding.fix)}"


def _change(before: Scores | None, after: Scores) -> str:
    if before is None:
        return f"Not scored before; after: {_in_words(after)}"
    conll = f"CoNLL {100 * before.conll:.2f} -> {100 * after.conll:.2f}"
    return (
        f"{conll}, Mentions {100 * before.mentions:.2f} -> {100 * after.mentions:.2f}"
    )


def _in_words(scores: Scores) -> str:
    return f"CoNLL {100 * scores.conll:.2f}, Mentions {100 * scores.mentions:.2f}"


def examination_values(examination: Examination) -> dict[str, Value]:
    """Return an examination as plain values."""
    return {
        "corefkit": VERSION,
        "signature": examination.signature,
        "key": examination.key,
        "response": examination.response,
        "scores": _values(examination.scores),
        "refusal": examination.refusal or None,
        "findings": [
            {
                "check": finding.check,
                "is_fault": finding.is_fault,
                "text": finding.text,
                "fix": finding.fix,
                "mentions": finding.mentions,
                "before": _values(finding.before),
                "after": _values(finding.after),
            }
            for finding in examination.findings
        ],
        "checks": list(examination.checks),
        "documents": examination.documents,
        "looked_at": examination.looked_at,
    }


def _values(scores: Scores | None) -> dict[str, Value] | None:
    return None if scores is None else dict(scores._asdict())
