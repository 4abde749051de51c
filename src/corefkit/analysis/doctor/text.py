"""An examination as text: for a terminal, as Markdown, and as JSON for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.analysis.doctor.wording import counted, sentence
from corefkit.report.grids import Note
from corefkit.report.markdown import markdown_text
from corefkit.report.page import Item, Items, Paragraph
from corefkit.report.records import readable_json
from corefkit.report.terminal import reading_width, terminal_text
from corefkit.settings import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from corefkit.analysis.doctor.values import Examination, Finding, Scores
    from corefkit.report.page import Part
    from corefkit.report.records import Value


def text_of_examination(examination: Examination) -> str:
    """Write an examination for a terminal."""
    return terminal_text(examination_page(examination), width=reading_width())


def markdown_examination(examination: Examination) -> str:
    """Write an examination as Markdown."""
    return markdown_text(examination_page(examination))


def json_examination(examination: Examination) -> str:
    """Write an examination for programs; scores are between 0 and 1."""
    return readable_json(examination_values(examination))


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


def _listed(title: str, findings: list[Finding], first: int) -> Items:
    return Items(
        tuple(
            Item(
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
