"""A diagnosis as text: for a terminal, as Markdown, and as JSON for programs."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from corefkit.analysis.explain.layout import rows, wrapped
from corefkit.lab.diagnose import BASE, MOVED
from corefkit.lab.diagnose.verdicts import score_fields, spoken
from corefkit.lab.diagnose.words import LABELS, counts, sections, summary
from corefkit.report.markdown import escaped, indented, markdown_rows
from corefkit.report.records import shown_json
from corefkit.report.values import score_values
from corefkit.settings import VERSION
from corefkit.strings.escaping import for_markdown, for_markdown_code, for_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from corefkit.lab.diagnose import Diagnosis, Version
    from corefkit.lab.diagnose.verdicts import Verdict
    from corefkit.report.values import Value

_CHANGE = "  change"
_HEADS = {"recall": "R", "precision": "P", "f1": "F1"}
_NAME, _CELL, _ACROSS = 14, 7, 9  # a page of 88: a name, and nine cells with a mark
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
    """Lay a diagnosis out for a terminal.

    >>> from corefkit.lab.diagnose import diagnose
    >>> result = diagnose(["ab", "cd", "ef", "gh"], ["abc", "df"], metrics=["lea"])
    >>> print(plain_diagnosis(result).splitlines()[-3])
    Never the wrong way: LEA.
    """
    counted = counts(diagnosis.found)
    wide = max(len(count.number) for count in counted)
    lines = [*wrapped(for_terminal(_title(diagnosis))), ""]
    lines += rows(
        [one._replace(number=one.number.rjust(wide)) for one in counted], indent=""
    )
    lines += ["", *wrapped(_legend(diagnosis))]
    for block in _blocks(diagnosis):
        lines += ["", *_plain_block(diagnosis, block)]
    for section in sections(diagnosis):
        lines += ["", *wrapped(f"{section.title}: {section.text}")]
        lines += rows(section.rows) if section.rows else []
        lines += wrapped(section.end, first="  ", later="  ")
    lines.append("")
    for sentence in summary(diagnosis):
        lines += wrapped(sentence)
    return "\n".join([*lines, "", for_terminal(diagnosis.settings.signature)])


def markdown_diagnosis(diagnosis: Diagnosis) -> str:
    """Lay a diagnosis out as Markdown."""
    counted = [(indented(name), *cells) for name, *cells in counts(diagnosis.found)]
    table = markdown_rows([("", "Mentions", ""), *counted], "lrl")
    parts = [for_markdown(_title(diagnosis)), "\n".join(table)]
    parts.append(escaped(_legend(diagnosis)))
    parts += [_markdown_block(diagnosis, block) for block in _blocks(diagnosis)]
    for section in sections(diagnosis):
        parts.append(f"**{section.title}**: {section.text}")
        parts.append("\n".join(f"- {name}: {clause}" for name, clause in section.rows))
        parts.append(section.end)
    parts += [*summary(diagnosis), for_markdown_code(diagnosis.settings.signature)]
    return "\n\n".join(filter(None, parts))


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
        "versions": {name: _version_values(one) for name, one in versions.items()},
        "verdicts": [_verdict_values(verdict) for verdict in diagnosis.verdicts],
    }
    if diagnosis.notes:
        values["notes"] = list(diagnosis.notes)
    if diagnosis.warnings:
        values["warnings"] = list(diagnosis.warnings)
    return shown_json(values)


DIAGNOSIS_WRITERS: Mapping[str, Callable[[Diagnosis], str]] = {
    "table": plain_diagnosis,
    "json": json_diagnosis,
    "markdown": markdown_diagnosis,
}


def _title(diagnosis: Diagnosis) -> str:
    response, key = (PurePath(one).name for one in (diagnosis.response, diagnosis.key))
    number = len(diagnosis.versions[BASE].evaluation.documents)
    documents = "1 document" if number == 1 else f"{number:,} documents"
    average = diagnosis.settings.average
    return f"{response} against {key}: {documents}, {average}-averaged"


def _legend(diagnosis: Diagnosis) -> str:
    cells = "".join(
        cell
        for block in _blocks(diagnosis)
        for row in _block_rows(diagnosis, block)
        for cell in row
    )
    sentences = [_SCORES, *(text for mark, text in _MARKS.items() if mark in cells)]
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


def _block_rows(diagnosis: Diagnosis, names: Sequence[str]) -> Iterator[list[str]]:
    """Give the rows of a table: the scores of a version, and their change."""
    for version in diagnosis.versions:
        yield [LABELS[version], *_score_cells(diagnosis, version, names)]
        if version in MOVED:
            yield [_CHANGE, *_change_cells(diagnosis, version, names)]


def _score_cells(
    diagnosis: Diagnosis, version: str, names: Sequence[str]
) -> Iterator[str]:
    evaluation = diagnosis.versions[version].evaluation
    for name in names:
        undefined = set() if name == "conll" else {*evaluation[name].undefined}
        if undefined >= {"recall", "precision"}:
            undefined.add("f1")
        for field, value in score_fields(evaluation, name).items():
            yield f"{100 * value:.2f}{'*' if field in undefined else ''}"


def _change_cells(
    diagnosis: Diagnosis, version: str, names: Sequence[str]
) -> Iterator[str]:
    wrong = {(verdict.metric, verdict.field) for verdict in diagnosis.of(version)}
    base, after = (diagnosis.versions[one].evaluation for one in (BASE, version))
    for name in names:
        before = score_fields(base, name)
        for field, value in score_fields(after, name).items():
            points = f"{100 * (value - before[field]):+.2f}"
            if (name, field) in wrong:
                yield f"{points}!"
            else:
                yield points[1:] if points[1:] == "0.00" else points


def _plain_block(diagnosis: Diagnosis, names: Sequence[str]) -> list[str]:
    evaluation = diagnosis.versions[BASE].evaluation
    above = heads = " " * _NAME
    for name in names:
        fields = score_fields(evaluation, name)
        above += f"{_label(diagnosis, name):>{len(fields) * (_CELL + 1) - 1}} "
        heads += "".join(f"{_HEADS[field]:>{_CELL}} " for field in fields)
    lines = [above, heads]
    for name, *cells in _block_rows(diagnosis, names):
        # Numbers end in a column of their own for the mark.
        marked = (cell if cell[-1] in _MARKS else f"{cell} " for cell in cells)
        lines.append(
            f"{name:<{_NAME}}" + "".join(f"{one:>{_CELL + 1}}" for one in marked)
        )
    return [line.rstrip() for line in lines]


def _markdown_block(diagnosis: Diagnosis, names: Sequence[str]) -> str:
    evaluation = diagnosis.versions[BASE].evaluation
    heads = [
        f"{_label(diagnosis, name)} {_HEADS[field]}"
        for name in names
        for field in score_fields(evaluation, name)
    ]
    lines = [["", *heads]]
    for name, *cells in _block_rows(diagnosis, names):
        lines.append([indented(name), *map(escaped, cells)])
    return "\n".join(markdown_rows(lines, "l" + "r" * len(heads)))


def _label(diagnosis: Diagnosis, name: str) -> str:
    metrics = diagnosis.versions[BASE].evaluation.metrics
    labels = {metric.name: metric.label for metric in metrics}
    return labels.get(name, spoken(name))


def _version_values(version: Version) -> dict[str, Value]:
    evaluation = version.evaluation
    values: dict[str, Value] = {
        "mentions": version.mentions,
        "entities": version.entities,
        "scores": {name: score_values(evaluation[name]) for name in evaluation},
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
