"""A diagnosis as text: for a terminal, as Markdown, and as JSON for programs."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from corefkit.lab.diagnosis import (
    BASE,
    FIELD_NAMES,
    ROSE,
    SAME_LINKS,
    TRANSFORMATIONS,
    get_direction,
    get_metric_fields,
    get_short_label,
    list_judged_metrics,
)
from corefkit.metrics.metric import list_undefined
from corefkit.results.records import dump_score, format_json
from corefkit.settings import VERSION
from corefkit.tables.markdown import render_markdown
from corefkit.tables.model import (
    Bullet,
    Bullets,
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

    from corefkit.lab.diagnosis import (
        Diagnosis,
        MentionCounts,
        ResponseVersion,
        Verdict,
    )
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


def render_diagnosis(diagnosis: Diagnosis) -> str:
    """Write a diagnosis for a terminal.

    >>> from corefkit.lab.diagnosis import diagnose
    >>> result = diagnose(["ab", "cd", "ef", "gh"], ["abc", "df"], metrics=["lea"])
    >>> print(render_diagnosis(result).splitlines()[-3])
    Never the wrong way: LEA.
    """
    return render_terminal(iter_diagnosis_parts(diagnosis), width=get_reading_width())


def render_diagnosis_markdown(diagnosis: Diagnosis) -> str:
    """Write a diagnosis as Markdown."""
    return render_markdown(iter_diagnosis_parts(diagnosis))


def iter_diagnosis_parts(diagnosis: Diagnosis) -> Iterator[Part]:
    """Yield the parts of a diagnosis."""
    grids = [_make_score_table(diagnosis, names) for names in _split_metrics(diagnosis)]
    yield Paragraph(_format_title(diagnosis), is_literal=True)
    yield Table(
        (Column("", "left"), Column(""), Column("", "left")),
        make_rows(list_counts(diagnosis.found)),
    )
    yield Paragraph(_format_legend(diagnosis, grids))
    yield from grids
    yield from iter_paragraphs(diagnosis)
    yield summarize(diagnosis)
    yield Note(diagnosis.settings.signature, is_code=True)


def render_diagnosis_json(diagnosis: Diagnosis) -> str:
    """Write all numbers of a diagnosis; scores are between 0 and 1.

    >>> from corefkit.lab.diagnosis import diagnose
    >>> import json
    >>> result = json.loads(render_diagnosis_json(diagnose(["ab", "cd"], ["ac", "bd"])))
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
            name: _dump_version(version) for name, version in versions.items()
        },
        "verdicts": [_dump_verdict(verdict) for verdict in diagnosis.verdicts],
    }
    if diagnosis.notes:
        values["notes"] = list(diagnosis.notes)
    if diagnosis.warnings:
        values["warnings"] = list(diagnosis.warnings)
    return format_json(values)


DIAGNOSIS_WRITERS: Mapping[str, Callable[[Diagnosis], str]] = {
    "table": render_diagnosis,
    "json": render_diagnosis_json,
    "markdown": render_diagnosis_markdown,
}


def _format_title(diagnosis: Diagnosis) -> str:
    response, key = PurePath(diagnosis.response).name, PurePath(diagnosis.key).name
    number = len(diagnosis.versions[BASE].evaluation.documents)
    documents = "1 document" if number == 1 else f"{number:,} documents"
    average = diagnosis.settings.average
    return f"{response} against {key}: {documents}, {average}-averaged"


def _format_legend(diagnosis: Diagnosis, grids: Sequence[Table]) -> str:
    marks = {cell.mark for grid in grids for row in grid.rows for cell in row}
    sentences = [_SCORES, *(text for mark, text in _MARKS.items() if mark in marks)]
    if "mentions" in diagnosis.versions[BASE].evaluation:
        sentences.append(_MENTIONS)
    return " ".join(sentences)


def _split_metrics(diagnosis: Diagnosis) -> list[list[str]]:
    """Split the metrics and the CoNLL mean into tables that fit the page."""
    evaluation = diagnosis.versions[BASE].evaluation
    blocks: list[list[str]] = [[]]
    across = 0
    for name in [*evaluation, *(["conll"] if evaluation.conll is not None else [])]:
        fields = len(get_metric_fields(evaluation, name))
        if across + fields > _ACROSS:
            blocks.append([])
            across = 0
        blocks[-1].append(name)
        across += fields
    return blocks


def _make_score_table(diagnosis: Diagnosis, names: Sequence[str]) -> Table:
    """Tabulate the scores of each version, and their changes below."""
    evaluation = diagnosis.versions[BASE].evaluation
    heads = [
        Column(_HEADS[field], group=_get_label(diagnosis, name))
        for name in names
        for field in get_metric_fields(evaluation, name)
    ]
    rows = []
    for version in diagnosis.versions:
        rows.append((Cell(LABELS[version]), *_iter_scores(diagnosis, version, names)))
        if version in SAME_LINKS:
            rows.append((Cell(_CHANGE), *_iter_changes(diagnosis, version, names)))
    return Table(
        (*make_columns([""]), *heads), tuple(rows), gap=1, min_width=6, mark_width=1
    )


def _iter_scores(
    diagnosis: Diagnosis, version: str, names: Sequence[str]
) -> Iterator[Cell]:
    evaluation = diagnosis.versions[version].evaluation
    for name in names:
        undefined = set() if name == "conll" else list_undefined(evaluation[name])
        for field, value in get_metric_fields(evaluation, name).items():
            yield Cell(f"{100 * value:.2f}", "*" if field in undefined else "")


def _iter_changes(
    diagnosis: Diagnosis, version: str, names: Sequence[str]
) -> Iterator[Cell]:
    wrong = {(verdict.metric, verdict.field) for verdict in diagnosis.of(version)}
    base, after = (diagnosis.versions[name].evaluation for name in (BASE, version))
    for name in names:
        base_fields = get_metric_fields(base, name)
        for field, value in get_metric_fields(after, name).items():
            points = f"{100 * (value - base_fields[field]):+.2f}"
            if (name, field) in wrong:
                yield Cell(points, "!")
            else:
                yield Cell(points[1:] if points[1:] == "0.00" else points)


def _get_label(diagnosis: Diagnosis, name: str) -> str:
    metrics = diagnosis.versions[BASE].evaluation.metrics
    labels = {metric.name: metric.label for metric in metrics}
    return labels.get(name, get_short_label(name))


def _dump_version(version: ResponseVersion) -> dict[str, Value]:
    evaluation = version.evaluation
    values: dict[str, Value] = {
        "mentions": version.mentions,
        "entities": version.entities,
        "scores": {name: dump_score(evaluation[name]) for name in evaluation},
    }
    if evaluation.conll is not None:
        values["conll"] = evaluation.conll
    return values


def _dump_verdict(verdict: Verdict) -> dict[str, Value]:
    return {
        "version": verdict.version,
        "metric": verdict.metric,
        "field": verdict.field,
        "from": verdict.before,
        "to": verdict.after,
        "points": verdict.points,
        "sentence": verdict.sentence,
    }


LABELS: Mapping[str, str] = {
    BASE: "Base",
    **{name: version.label for name, version in TRANSFORMATIONS.items()},
}

_NONE_WRONG = "no mention is incorrectly resolved: nothing to take out."
_NONE_MISSING = (
    "the response lacks no two key mentions of a document that are not coreferent: "
    "nothing to add."
)
_TAKEN = "No right link is lost: recall must stay, precision and F1 must not fall."
_ADDED = "No right link is added: recall must stay, precision and F1 must not rise."


def list_counts(found: MentionCounts) -> list[tuple[str, str, str]]:
    """List the counts of mentions; parts are indented below their total."""
    share = "none has a link in the key"
    if found.linked:
        percent = 100 * found.without_correct_link / found.linked
        have = "has" if found.linked == 1 else "have"
        share = f"{percent:.2f}% of the {found.linked:,} that {have} a link in the key"
    of_key = _format_entities(found.key_entities, found.key_singletons)
    of_response = _format_entities(found.response_entities, found.response_singletons)
    wrong_links, no_links = "all their links are wrong", "not linked to anything"
    rows = (
        ("Key mentions", found.key_mentions, of_key),
        ("Response mentions", found.response_mentions, of_response),
        ("In both", found.both, ""),
        ("  without a correct link", found.without_correct_link, share),
        ("    incorrectly resolved", found.incorrectly_resolved, wrong_links),
        ("    alone", found.alone, no_links),
        ("Missing", found.missing, "only in the key"),
        ("Spurious", found.spurious, "only in the response"),
    )
    return [(name, f"{number:,}", remark) for name, number, remark in rows]


def iter_paragraphs(diagnosis: Diagnosis) -> Iterator[Bullets]:
    """Describe the changes of each version, and their effect on each metric."""
    for version in SAME_LINKS:
        verdicts = diagnosis.of(version)
        done = (_describe_removed if version == "more_precise" else _describe_added)(
            diagnosis, version
        )
        clean = _list_clean_metrics(diagnosis, verdicts)
        end = f"As they should: {', '.join(clean)}." if clean else ""
        if is_unchanged(diagnosis, version):
            end = ""
        yield Bullets(_join_clauses(verdicts), LABELS[version], done, end)
    yield Bullets(
        _join_clauses(diagnosis.of("all_singletons")),
        LABELS["all_singletons"],
        f"every response mention alone. {_describe_singletons(diagnosis)}",
        _describe_higher(diagnosis, "all_singletons"),
    )
    higher = diagnosis.of("one_entity")
    which = "These score it" if higher else "No metric scores it"
    yield Bullets(
        _join_clauses(higher),
        LABELS["one_entity"],
        f"all response mentions of a document together. {which} higher than the "
        f"response as it is{':' if higher else '.'}",
    )


def summarize(diagnosis: Diagnosis) -> Bullets:
    """List the metrics that never moved the wrong way, and the others, worst first.

    The CoNLL mean is never among the former: it has no recall to judge.
    """
    if all(is_unchanged(diagnosis, version) for version in SAME_LINKS):
        unjudged = "No version differs from the response: there is nothing to judge."
        return Bullets((Bullet(unjudged),))
    verdicts = diagnosis.of(*SAME_LINKS)
    worst: dict[str, Verdict] = {}
    for verdict in sorted(verdicts, key=lambda verdict: -abs(verdict.points)):
        worst.setdefault(verdict.metric, verdict)
    wrong = [
        f"{get_short_label(verdict.metric)} by up to {abs(verdict.points):.2f} points "
        f"({FIELD_NAMES[verdict.field]}, {LABELS[verdict.version].lower()})"
        for verdict in worst.values()
    ]
    clean = _list_clean_metrics(diagnosis, verdicts)
    sentences = {
        f"Never the wrong way: {', '.join(clean)}.": clean,
        f"The wrong way: {'; '.join(wrong)}.": wrong,
    }
    return Bullets(
        tuple(Bullet(text) for text, metrics in sentences.items() if metrics)
    )


def is_unchanged(diagnosis: Diagnosis, version: str) -> bool:
    """Return whether a version equals the response."""
    versions = diagnosis.versions
    return versions[version].mentions == versions[BASE].mentions


def _describe_removed(diagnosis: Diagnosis, _: str) -> str:
    number, freed = diagnosis.found.incorrectly_resolved, diagnosis.freed
    if not number:
        return _NONE_WRONG
    text = f"{number:,} incorrectly resolved mention{_s(number)} taken out. {_TAKEN}"
    if freed:
        stand = "stands" if freed == 1 else "stand"
        text += (
            f" But {freed:,} key singleton{_s(freed)} now {stand} alone, as in the "
            "key: recall may rise."
        )
    return text


def _describe_added(diagnosis: Diagnosis, version: str) -> str:
    base, after = diagnosis.versions[BASE], diagnosis.versions[version]
    entities, mentions = after.entities - base.entities, after.mentions - base.mentions
    if not entities:
        return _NONE_MISSING
    plural = "entity" if entities == 1 else "entities"
    size = f"{mentions / entities:.1f}".removesuffix(".0")
    mean = " on average" if mentions % entities else ""
    return (
        f"{entities:,} wrong {plural} added, of {size} missing key mentions{mean}. "
        f"{_ADDED}"
    )


def _describe_singletons(diagnosis: Diagnosis) -> str:
    if "response" in diagnosis.settings.without_singletons:
        return "The settings drop singletons: nothing is left."
    scored = bool(diagnosis.of("all_singletons"))
    if diagnosis.found.key_singletons:
        text = "There is no link, and only the key's singletons are right. "
        if scored:
            return f"{text}Recall beyond theirs is for mentions merely found:"
        return f"{text}No metric gives it more recall."
    text = "There is no link, so nothing is resolved. "
    if scored:
        return f"{text}These give it points all the same:"
    return f"{text}No metric gives it a point."


def _describe_higher(diagnosis: Diagnosis, version: str) -> str:
    f1 = {
        metric: [
            get_metric_fields(diagnosis.versions[name].evaluation, metric)["f1"]
            for name in (BASE, version)
        ]
        for metric in list_judged_metrics(diagnosis.versions[BASE].evaluation)
    }
    higher = [
        f"{get_short_label(metric)} ({100 * after:.2f})"
        for metric, (before, after) in f1.items()
        if get_direction(before, after) == ROSE
    ]
    if not higher:
        return ""
    return f"F1 above that of the response as it is: {', '.join(higher)}."


def _join_clauses(verdicts: Sequence[Verdict]) -> tuple[Bullet, ...]:
    """Join the clauses on each metric."""
    clauses: dict[str, str] = {}
    for verdict in verdicts:
        name, clause = get_short_label(verdict.metric), verdict.clause
        if name in clauses:
            clause = f"{clauses[name]}, {clause.replace(' points', '')}"
        clauses[name] = clause
    return tuple(Bullet(clause, name) for name, clause in clauses.items())


def _list_clean_metrics(diagnosis: Diagnosis, verdicts: Sequence[Verdict]) -> list[str]:
    wrong = {"conll", *(verdict.metric for verdict in verdicts)}
    names = list_judged_metrics(diagnosis.versions[BASE].evaluation)
    return [get_short_label(name) for name in names if name not in wrong]


def _format_entities(number: int, singletons: int) -> str:
    """Format the number of entities, and of singletons among them.

    >>> _format_entities(1, 1), _format_entities(1200, 3)
    ('1 entity, a singleton', '1,200 entities, 3 of them singletons')
    """
    if number == 1:
        return "1 entity, a singleton" if singletons else "1 entity"
    those = (
        "1 of them a singleton"
        if singletons == 1
        else f"{singletons:,} of them singletons"
    )
    return f"{number:,} entities, {those}"


def _s(number: int) -> str:
    return "" if number == 1 else "s"
