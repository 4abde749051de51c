"""A diagnosis as text: for a terminal, as Markdown, and as JSON for programs."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from corefkit.lab.diagnose import BASE, SAME_LINKS
from corefkit.lab.diagnose.verdicts import score_fields, short_label
from corefkit.lab.diagnose.words import LABELS, counts, paragraphs, summary
from corefkit.metrics.metric import list_undefined
from corefkit.results.records import dump_score, format_json
from corefkit.settings import VERSION
from corefkit.tables.markdown import render_markdown
from corefkit.tables.model import (
    Cell,
    Column,
    Note,
    Paragraph,
    Table,
    make_columns,
    make_rows,
)
from corefkit.tables.terminal import get_reading_width, render_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from corefkit.lab.diagnose import Diagnosis, Version
    from corefkit.lab.diagnose.verdicts import Verdict
    from corefkit.results.records import Value
    from corefkit.tables.model import Part

_CHANGE = "  change"
_HEADS = {"recall": "R", "precision": "P", "f1": "F1"}
_ACROSS = 9  # columns of numbers that a page has room for
_SCORES = (
    "Scores in percent. Base is the response as it is; below a version stands its "
    "change from Base in points."
)
_MARKS = {
    "!": "! is a change the wrong way.",
    "*": "* is undefined (nothing to divide by), counted as 0.",
}
_MENTIONS = "Mentions are shown, not judged."


def plain_diagnosis(diagnosis: Diagnosis) -> str:
    """Write a diagnosis for a terminal.

    >>> from corefkit.lab.diagnose import diagnose
    >>> result = diagnose(["ab", "cd", "ef", "gh"], ["abc", "df"], metrics=["lea"])
    >>> print(plain_diagnosis(result).splitlines()[-3])
    Never the wrong way: LEA.
    """
    return render_terminal(diagnosis_page(diagnosis), width=get_reading_width())


def markdown_diagnosis(diagnosis: Diagnosis) -> str:
    """Write a diagnosis as Markdown."""
    return render_markdown(diagnosis_page(diagnosis))


def diagnosis_page(diagnosis: Diagnosis) -> Iterator[Part]:
    """Go through the parts of a diagnosis."""
    grids = [_score_grid(diagnosis, names) for names in _blocks(diagnosis)]
    yield Paragraph(_title(diagnosis), is_literal=True)
    yield Table(
        (Column("", "left"), Column(""), Column("", "left")),
        make_rows(counts(diagnosis.found)),
    )
    yield Paragraph(_legend(diagnosis, grids))
    yield from grids
    yield from paragraphs(diagnosis)
    yield summary(diagnosis)
    yield Note(diagnosis.settings.signature, is_code=True)


def json_diagnosis(diagnosis: Diagnosis) -> str:
    """Write all numbers of a diagnosis; scores are between 0 and 1.

    >>> from corefkit.lab.diagnose import diagnose
    >>> import json
    >>> result = json.loads(json_diagnosis(diagnose(["ab", "cd"], ["ac", "bd"])))
    >>> result["found"]["incorrectly_resolved"], result["verdicts"][0]["points"]
    (4, -50.0)
    """
    versions = diagnosis.versions
    values: dict[str, Value] = {
        "corefkit": VERSION,
        "signature": diagnosis.settings.signature,
        "key": diagnosis.key,
        "response": diagnosis.response,
        "documents": len(versions[BASE].evaluation.documents),
        "found": dict(diagnosis.found._asdict()),
        "freed_singletons": diagnosis.freed,
        "versions": {
            name: _version_values(version) for name, version in versions.items()
        },
        "verdicts": [_verdict_values(verdict) for verdict in diagnosis.verdicts],
    }
    if diagnosis.notes:
        values["notes"] = list(diagnosis.notes)
    if diagnosis.warnings:
        values["warnings"] = list(diagnosis.warnings)
    return format_json(values)


DIAGNOSIS_WRITERS: Mapping[str, Callable[[Diagnosis], str]] = {
    "table": plain_diagnosis,
    "json": json_diagnosis,
    "markdown": markdown_diagnosis,
}


def _title(diagnosis: Diagnosis) -> str:
    response, key = PurePath(diagnosis.response).name, PurePath(diagnosis.key).name
    number = len(diagnosis.versions[BASE].evaluation.documents)
    documents = "1 document" if number == 1 else f"{number:,} documents"
    average = diagnosis.settings.average
    return f"{response} against {key}: {documents}, {average}-averaged"


def _legend(diagnosis: Diagnosis, grids: Sequence[Table]) -> str:
    marks = {cell.mark for grid in grids for row in grid.rows for cell in row}
    sentences = [_SCORES, *(text for mark, text in _MARKS.items() if mark in marks)]
    if "mentions" in diagnosis.versions[BASE].evaluation:
        sentences.append(_MENTIONS)
    return " ".join(sentences)


def _blocks(diagnosis: Diagnosis) -> list[list[str]]:
    """Share the metrics, and the CoNLL mean, out to tables that fit the page."""
    evaluation = diagnosis.versions[BASE].evaluation
    blocks: list[list[str]] = [[]]
    across = 0
    for name in [*evaluation, *(["conll"] if evaluation.conll is not None else [])]:
        fields = len(score_fields(evaluation, name))
        if across + fields > _ACROSS:
            blocks.append([])
            across = 0
        blocks[-1].append(name)
        across += fields
    return blocks


def _score_grid(diagnosis: Diagnosis, names: Sequence[str]) -> Table:
    """Set the scores of each version out, and below them their change."""
    evaluation = diagnosis.versions[BASE].evaluation
    heads = [
        Column(_HEADS[field], group=_label(diagnosis, name))
        for name in names
        for field in score_fields(evaluation, name)
    ]
    rows = []
    for version in diagnosis.versions:
        rows.append((Cell(LABELS[version]), *_scores(diagnosis, version, names)))
        if version in SAME_LINKS:
            rows.append((Cell(_CHANGE), *_changes(diagnosis, version, names)))
    return Table(
        (*make_columns([""]), *heads), tuple(rows), gap=1, min_width=6, mark_width=1
    )


def _scores(diagnosis: Diagnosis, version: str, names: Sequence[str]) -> Iterator[Cell]:
    evaluation = diagnosis.versions[version].evaluation
    for name in names:
        undefined = set() if name == "conll" else list_undefined(evaluation[name])
        for field, value in score_fields(evaluation, name).items():
            yield Cell(f"{100 * value:.2f}", "*" if field in undefined else "")


def _changes(
    diagnosis: Diagnosis, version: str, names: Sequence[str]
) -> Iterator[Cell]:
    wrong = {(verdict.metric, verdict.field) for verdict in diagnosis.of(version)}
    base, after = (diagnosis.versions[name].evaluation for name in (BASE, version))
    for name in names:
        before = score_fields(base, name)
        for field, value in score_fields(after, name).items():
            points = f"{100 * (value - before[field]):+.2f}"
            if (name, field) in wrong:
                yield Cell(points, "!")
            else:
                yield Cell(points[1:] if points[1:] == "0.00" else points)


def _label(diagnosis: Diagnosis, name: str) -> str:
    metrics = diagnosis.versions[BASE].evaluation.metrics
    labels = {metric.name: metric.label for metric in metrics}
    return labels.get(name, short_label(name))


def _version_values(version: Version) -> dict[str, Value]:
    evaluation = version.evaluation
    values: dict[str, Value] = {
        "mentions": version.mentions,
        "entities": version.entities,
        "scores": {name: dump_score(evaluation[name]) for name in evaluation},
    }
    if evaluation.conll is not None:
        values["conll"] = evaluation.conll
    return values


def _verdict_values(verdict: Verdict) -> dict[str, Value]:
    return {
        "version": verdict.version,
        "metric": verdict.metric,
        "field": verdict.field,
        "from": verdict.before,
        "to": verdict.after,
        "points": verdict.points,
        "sentence": verdict.sentence,
    }
