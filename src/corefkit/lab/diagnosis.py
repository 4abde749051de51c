"""A response made better or worse on purpose, and the metrics that reward the change.

A transformation takes the labels of key and response and returns another response to
the same key, called a version of the response.

Source: Moosavi and Strube 2016, section 2 for more and less precise responses, section
6 for the two boundary cases.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.arrays.columns import rank_in_runs
from corefkit.lab.labels import (
    EntityLabels,
    adapt_settings,
    count_occurrences,
    drop_singletons,
    evaluate_labels,
    find_partition_metrics,
    join_labels,
    read_pair,
)
from corefkit.metrics.metric import list_undefined
from corefkit.metrics.registry import get_label
from corefkit.results.records import dump_score, format_json
from corefkit.settings import DEFAULT_SETTINGS, VERSION
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
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from corefkit.arrays.columns import Flags, Ints
    from corefkit.evaluation import Evaluation
    from corefkit.formats import Input
    from corefkit.metrics.metric import Metric, Score
    from corefkit.results.records import Value
    from corefkit.settings import Settings
    from corefkit.tables.model import Part


FELL, ROSE = -1, 1


class Transformation(NamedTuple):
    """A way to make another version of a response."""

    name: str  # in Python and in JSON
    label: str  # for people
    # takes key and response
    apply: Callable[[EntityLabels, EntityLabels], EntityLabels]
    wrong: Mapping[str, tuple[int, ...]]  # directions that a field must not take


def flag_unlinked(key: EntityLabels, response: EntityLabels) -> Flags:
    """Flag the response mentions that have links in the key, but no correct link.

    Such a mention is correct as a mention, but the response leaves it alone or links it
    only to mentions of other entities. Key singletons have no link to find.
    """
    _, in_response, in_key = np.intersect1d(
        response.mention, key.mention, assume_unique=True, return_indices=True
    )
    is_linked = key.get_entity_sizes()[in_key] > 1
    width = response.entity.max(initial=0) + 1
    shared_count = count_occurrences(
        key.entity[in_key] * width + response.entity[in_response]
    )
    flags = np.zeros(len(response), np.bool_)
    flags[in_response] = is_linked & (shared_count == 1)
    return flags


def flag_incorrectly_resolved(key: EntityLabels, response: EntityLabels) -> Flags:
    """Flag the response mentions that have links on both sides, but none in common."""
    return flag_unlinked(key, response) & (response.get_entity_sizes() > 1)


def remove_wrong_links(key: EntityLabels, response: EntityLabels) -> EntityLabels:
    """Remove the incorrectly resolved mentions, and with them only wrong links."""
    return response.keep(~flag_incorrectly_resolved(key, response))


def add_wrong_pairs(key: EntityLabels, response: EntityLabels) -> EntityLabels:
    """Add wrong entities of two: pairs of key mentions that the response lacks.

    The two mentions of a pair are of one document and not coreferent, and each mention
    is used once; there are as many pairs as that allows. The same input gives the same
    pairs.
    """
    lacking = _find_missing(key, response)
    if not len(lacking):
        return response
    group = count_occurrences(lacking.entity)
    order = np.lexsort((lacking.mention, lacking.entity, -group, lacking.document))
    lacking, group = lacking.keep(order), group[order]
    # Of n mentions, with the largest group in front, the first p are paired with the
    # last p. A group has n - p or fewer mentions, so the two mentions of a pair, which
    # are n - p apart, are never of one group.
    place, number = rank_in_runs(lacking.document), count_occurrences(lacking.document)
    first = np.arange(len(lacking)) - place
    pairs = np.minimum(number // 2, number - group[first])
    is_second = place >= number - pairs
    place = np.where(is_second, place - (number - pairs), place)
    return _append_entities(response, lacking, first + place, place < pairs)


def add_wrong_entities(key: EntityLabels, response: EntityLabels) -> EntityLabels:
    """Add larger wrong entities, with one missing mention of each key entity.

    In each document, the first missing mentions of all key entities make an entity, the
    second ones another, and so on; an entity of a single mention is left out.

    The paper links a missing mention m to all that are not coreferent with m, and
    leaves open whether those may be coreferent with each other. Here they may not:
    otherwise there would be a correct link among them, and recall would rightly rise.
    """
    lacking = _find_missing(key, response)
    if not len(lacking):
        return response
    order = np.lexsort((lacking.mention, lacking.entity, lacking.document))
    lacking = lacking.keep(order)
    turn = rank_in_runs(lacking.entity)
    order = np.lexsort((lacking.mention, turn, lacking.document))
    lacking, turn = lacking.keep(order), turn[order]
    # No two new entities have both document and turn in common.
    entity = lacking.document * (turn.max() + 1) + turn
    return _append_entities(response, lacking, entity, count_occurrences(entity) > 1)


def split_into_singletons(_: EntityLabels, response: EntityLabels) -> EntityLabels:
    """Put every mention into a separate entity."""
    return response.relabel(np.arange(len(response)))


def merge_documents(_: EntityLabels, response: EntityLabels) -> EntityLabels:
    """Put all mentions of a document into one entity."""
    return response.relabel(response.document)


def _find_missing(key: EntityLabels, response: EntityLabels) -> EntityLabels:
    return key.keep(~np.isin(key.mention, response.mention))


def _append_entities(
    response: EntityLabels, lacking: EntityLabels, entity: Ints, used: Flags
) -> EntityLabels:
    """Add entities of missing mentions to a response, with new numbers."""
    if not used.any():
        return response
    _, number = np.unique(entity[used], return_inverse=True)
    first = response.entity.max(initial=-1) + 1
    return join_labels([response, lacking.keep(used).relabel(first + number)])


_MORE = {"recall": (FELL, ROSE), "precision": (FELL,), "f1": (FELL,)}
_LESS = {"recall": (FELL, ROSE), "precision": (ROSE,), "f1": (ROSE,)}
TRANSFORMATIONS: Mapping[str, Transformation] = {
    transformation.name: transformation
    for transformation in (
        Transformation("more_precise", "More precise", remove_wrong_links, _MORE),
        Transformation("less_precise_a", "Less precise a", add_wrong_pairs, _LESS),
        Transformation("less_precise_b", "Less precise b", add_wrong_entities, _LESS),
        Transformation("all_singletons", "All singletons", split_into_singletons, {}),
        Transformation("one_entity", "One entity", merge_documents, {"f1": (ROSE,)}),
    )
}
BASE = "base"
LABELS: Mapping[str, str] = {
    BASE: "Base",
    **{name: version.label for name, version in TRANSFORMATIONS.items()},
}
# The versions with the same correct links as the response, whose recall must stay.
SAME_LINKS = tuple(
    name for name, version in TRANSFORMATIONS.items() if "recall" in version.wrong
)

# The fields of a score, and their names in a sentence.
FIELD_NAMES = {"recall": "recall", "precision": "precision", "f1": "F1"}

# Scores are sums of fractions; smaller differences come from the order of adding.
_TOLERANCE = 1e-9


class Verdict(NamedTuple):
    """A score of a version that is not as it should be."""

    version: str
    metric: str  # or `conll`
    field: str  # `recall`, `precision` or `f1`
    before: float  # the score of the unchanged response, or the earned score
    after: float  # of the version

    @property
    def points(self) -> float:
        """The difference in points of a hundred; below 0 if the score fell."""
        return 100 * (self.after - self.before)

    @property
    def clause(self) -> str:
        """The change of the score, without metric and reason."""
        field = FIELD_NAMES[self.field]
        if self.version == "all_singletons":
            earned = f", {_format_percent(self.before)} of it for key singletons"
            part = earned if self.before > _TOLERANCE else ""
            return f"{field} is {_format_percent(self.after)}{part}"
        verb = "fell" if self.points < 0 else "rose"
        points = f"{abs(self.points):.2f}"
        amount = "less than 0.01" if points == "0.00" else points
        ends = f"{_format_percent(self.before)} to {_format_percent(self.after)}"
        return f"{field} {verb} by {amount} points ({ends})"

    @property
    def sentence(self) -> str:
        """The change of the score, with the metric and the reason why it is wrong."""
        done = "taken away" if self.points < 0 else "added"
        reasons = {
            "all_singletons": "although there is no link at all",
            "one_entity": "when all mentions of a document became one entity",
        }
        reason = reasons.get(self.version, f"although nothing right was {done}")
        return f"{get_short_label(self.metric)}: {self.clause} {reason}."


class MentionCounts(NamedTuple):
    """How many mentions and entities key and response have, and have in common."""

    key_mentions: int
    key_entities: int
    key_singletons: int
    response_mentions: int
    response_entities: int
    response_singletons: int
    both: int  # mentions that both sides have
    missing: int  # mentions that only the key has
    spurious: int  # mentions that only the response has
    linked: int  # of both, those that have a link in the key
    without_correct_link: int  # of these, those without a correct one in the response
    incorrectly_resolved: int  # of these, those that the response links to others
    alone: int  # of these, those that it leaves alone


class ResponseVersion(NamedTuple):
    """A version of the response: its size and its scores."""

    mentions: int
    entities: int
    evaluation: Evaluation


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """How each metric scores the versions of a response."""

    key: str  # its display name
    response: str  # its display name
    settings: Settings
    found: MentionCounts
    # The number of key singletons that are in a larger entity of the response and
    # alone in the more precise version; recall may rise because of them.
    freed: int
    versions: Mapping[
        str, ResponseVersion
    ]  # the response, called `base`, and its versions
    verdicts: tuple[Verdict, ...]  # wrong moves, and scores that are not earned
    notes: tuple[str, ...]  # about the input, one sentence each
    warnings: tuple[str, ...] = ()  # about unusually few matching mentions

    def of(self, *versions: str) -> list[Verdict]:
        """Return the verdicts on some of the versions."""
        return [verdict for verdict in self.verdicts if verdict.version in versions]


def diagnose(
    key: Input,
    response: Input,
    *,
    settings: Settings = DEFAULT_SETTINGS,
    metrics: str | Iterable[str | Metric] | None = None,
    format: str | None = None,
) -> Diagnosis:
    """Score a response that is made better or worse on purpose.

    Args:
        key: as for `corefkit.score`.
        response: as for `corefkit.score`.
        settings: the settings of scoring. `repeated="reference"` is treated as the
            default, and split antecedents are not supported.
        metrics: names of metrics and variants; by default those of `corefkit.score`.
        format: the format of files; recognised if not given.

    >>> result = diagnose(["ab", "cd", "ef", "gh"], ["abc", "df"])
    >>> result.found.incorrectly_resolved
    3
    >>> print(result.of("more_precise")[0].sentence)
    B³: recall fell by 18.75 points (43.75 to 25.00) although nothing right was \
taken away.
    """
    chosen = find_partition_metrics(metrics)
    settings = adapt_settings(settings)
    pair = read_pair(key, response, settings=settings, format=format)
    scored = partial(evaluate_labels, pair.key, metrics=chosen, settings=settings)
    sides = {BASE: pair.response} | {
        name: transformation.apply(pair.key, pair.response)
        for name, transformation in TRANSFORMATIONS.items()
    }
    sides = {name: drop_singletons(side, settings) for name, side in sides.items()}
    versions = {
        name: ResponseVersion(
            len(side), len(np.unique(side.entity)), scored(side, name=name)
        )
        for name, side in sides.items()
    }
    true = {name: _keep_true_singletons(pair.key, side) for name, side in sides.items()}
    freed = len(true["more_precise"]) - len(true[BASE])
    counts = _count_mentions(pair.key, pair.response)
    empty = pair.response.keep(np.zeros(len(pair.response), np.bool_))
    unearned = _find_unearned(
        versions["all_singletons"].evaluation,
        scored(true["all_singletons"]),
        scored(empty),
        fields=["recall"] if counts.key_singletons else [*FIELD_NAMES],
    )
    return Diagnosis(
        *pair.names,
        settings,
        counts,
        freed,
        versions,
        (*_find_wrong_moves(versions, may_rise=freed > 0), *unearned),
        pair.notes,
        pair.warnings,
    )


def _keep_true_singletons(key: EntityLabels, response: EntityLabels) -> EntityLabels:
    """Keep the singletons that are also singletons in the key."""
    singletons = key.mention[key.get_entity_sizes() == 1]
    is_true = np.isin(response.mention, singletons) & (response.get_entity_sizes() == 1)
    return response.keep(is_true)


def _count_mentions(key: EntityLabels, response: EntityLabels) -> MentionCounts:
    key_sizes, response_sizes = key.get_entity_sizes(), response.get_entity_sizes()
    is_common = np.isin(key.mention, response.mention)
    common_count = int(is_common.sum())
    unlinked_count = int(flag_unlinked(key, response).sum())
    wrong_count = int(flag_incorrectly_resolved(key, response).sum())
    return MentionCounts(
        key_mentions=len(key),
        key_entities=len(np.unique(key.entity)),
        key_singletons=int((key_sizes == 1).sum()),
        response_mentions=len(response),
        response_entities=len(np.unique(response.entity)),
        response_singletons=int((response_sizes == 1).sum()),
        both=common_count,
        missing=len(key) - common_count,
        spurious=len(response) - common_count,
        linked=int((is_common & (key_sizes > 1)).sum()),
        without_correct_link=unlinked_count,
        incorrectly_resolved=wrong_count,
        alone=unlinked_count - wrong_count,
    )


def _find_wrong_moves(
    versions: Mapping[str, ResponseVersion], *, may_rise: bool
) -> Iterator[Verdict]:
    """Find the scores of versions that moved the wrong way from those of the response.

    With `may_rise`, a higher recall of the more precise version is not wrong.
    """
    base = versions[BASE].evaluation
    for version, transformation in TRANSFORMATIONS.items():
        for name in list_judged_metrics(base):
            before = get_metric_fields(base, name)
            after = get_metric_fields(versions[version].evaluation, name)
            for field in find_wrong_fields(transformation, before, after):
                rose = field == "recall" and after[field] > before[field]
                if not (rose and may_rise and version == "more_precise"):
                    yield Verdict(version, name, field, before[field], after[field])


def find_wrong_fields(
    transformation: Transformation,
    before: Mapping[str, float],
    after: Mapping[str, float],
) -> list[str]:
    """List the fields of a score that moved the wrong way in a version."""
    return [
        field
        for field, value in after.items()
        if get_direction(before[field], value) in transformation.wrong.get(field, ())
    ]


def _find_unearned(
    after: Evaluation, true: Evaluation, empty: Evaluation, fields: Sequence[str]
) -> Iterator[Verdict]:
    """Find scores of all singletons that exceed those of the key's singletons.

    These are the scores of the true ones alone, less those of an empty response, which
    some variants fill up. If the key has singletons, only recall can be judged:
    precision divides by all mentions of the response.
    """
    for name in list_judged_metrics(after):
        with_true, without = (
            get_metric_fields(evaluation, name) for evaluation in (true, empty)
        )
        for field, value in get_metric_fields(after, name).items():
            earned = with_true[field] - without[field]
            if field in fields and get_direction(earned, value) == ROSE:
                yield Verdict("all_singletons", name, field, earned, value)


def list_judged_metrics(evaluation: Evaluation) -> list[str]:
    """List the judged metrics: all but mention detection, and the CoNLL mean.

    Mention detection counts mentions, so it rightly follows their number.
    """
    names = [name for name in evaluation if name != "mentions"]
    return names if evaluation.conll is None else [*names, "conll"]


def get_metric_fields(evaluation: Evaluation, name: str) -> dict[str, float]:
    """Return recall, precision and F1 of a metric; the CoNLL mean has F1 only."""
    if name == "conll":
        return {"f1": evaluation.conll or 0.0}
    return get_fields(evaluation[name])


def get_fields(score: Score) -> dict[str, float]:
    """Return recall, precision and F1 by name."""
    return {field: getattr(score, field) for field in FIELD_NAMES}


def get_short_label(name: str) -> str:
    """Return the label of a metric without its similarity, such as `CEAFe`."""
    return get_label(name).partition(" (φ")[0]


def get_direction(before: float, after: float) -> int:
    """Return whether a score rose (1), fell (-1) or stayed (0)."""
    if abs(after - before) < _TOLERANCE:
        return 0
    return ROSE if after > before else FELL


def _format_percent(score: float) -> str:
    return f"{100 * score:.2f}"


_CHANGE = "  change"
_HEADS = {"recall": "R", "precision": "P", "f1": "F1"}
_ACROSS = 9  # columns of numbers that a page has room for
_SCORES = (
    "Scores in percent. Base is the response as it is; changes are differences from "
    "Base in points."
)
_MARKS = {
    "!": "! is a change the wrong way.",
    "*": "* is undefined (nothing to divide by), counted as 0.",
}
_MENTIONS = "Mentions are shown, not judged."


def render_diagnosis(diagnosis: Diagnosis) -> str:
    """Write a diagnosis for a terminal."""
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
    """Write all numbers of a diagnosis; scores are between 0 and 1."""
    versions = diagnosis.versions
    values: dict[str, Value] = {
        "corefkit": VERSION,
        "signature": diagnosis.settings.signature,
        "key": diagnosis.key,
        "response": diagnosis.response,
        "documents": len(versions[BASE].evaluation.documents),
        "found": dict(diagnosis.found._asdict()),
        "freed_singletons": diagnosis.freed,
        "versions": {name: _dump_version(row) for name, row in versions.items()},
        "verdicts": [
            {
                "version": verdict.version,
                "metric": verdict.metric,
                "field": verdict.field,
                "from": verdict.before,
                "to": verdict.after,
                "points": verdict.points,
                "sentence": verdict.sentence,
            }
            for verdict in diagnosis.verdicts
        ],
    }
    remarks = {"notes": diagnosis.notes, "warnings": diagnosis.warnings}
    values |= {name: list(texts) for name, texts in remarks.items() if texts}
    return format_json(values)


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
        done = (
            _describe_removed(diagnosis)
            if version == "more_precise"
            else _describe_added(diagnosis, version)
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
    return Bullets(tuple(Bullet(text) for text, names in sentences.items() if names))


def is_unchanged(diagnosis: Diagnosis, version: str) -> bool:
    """Return whether a version equals the response."""
    versions = diagnosis.versions
    return versions[version].mentions == versions[BASE].mentions


def _describe_removed(diagnosis: Diagnosis) -> str:
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
    if diagnosis.found.key_singletons:
        text = "There is no link, and only the key's singletons are right."
        none = "No metric gives it more recall."
        some = "Recall beyond theirs is for mentions merely found:"
    else:
        text = "There is no link, so nothing is resolved."
        none = "No metric gives it a point."
        some = "These give it points all the same:"
    return f"{text} {some if diagnosis.of('all_singletons') else none}"


def _describe_higher(diagnosis: Diagnosis, version: str) -> str:
    base, after = (diagnosis.versions[name].evaluation for name in (BASE, version))
    higher = []
    for metric in list_judged_metrics(base):
        f1 = get_metric_fields(after, metric)["f1"]
        if get_direction(get_metric_fields(base, metric)["f1"], f1) == ROSE:
            higher.append(f"{get_short_label(metric)} ({_format_percent(f1)})")
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
    """Format the number of entities, and of singletons among them."""
    if number == 1:
        return "1 entity, a singleton" if singletons else "1 entity"
    kind = "a singleton" if singletons == 1 else "singletons"
    return f"{number:,} entities, {singletons:,} of them {kind}"


def _s(number: int) -> str:
    return "" if number == 1 else "s"
