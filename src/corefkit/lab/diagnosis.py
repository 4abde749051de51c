"""Transformations: ways to make a response better or worse on purpose.

Each takes the labels of key and response and returns another response to the same key,
called a version of the response.

Source: Moosavi and Strube 2016, section 2 for more and less precise responses, section
6 for the two boundary cases.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.arrays.columns import rank_in_runs
from corefkit.lab.labels import (
    LabelPair,
    Labels,
    adapt_settings,
    count_occurrences,
    drop_singletons,
    evaluate_labels,
    find_partition_metrics,
    join_labels,
    read_pair,
)
from corefkit.metrics.registry import get_label
from corefkit.settings import DEFAULT_SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from corefkit.arrays.columns import Flags, Ints
    from corefkit.evaluation import Evaluation
    from corefkit.formats import Input
    from corefkit.metrics.metric import Metric, Score
    from corefkit.settings import Settings


FELL, ROSE = -1, 1


class Transformation(NamedTuple):
    """A way to make another version of a response."""

    name: str  # in Python and in JSON
    label: str  # for people
    apply: Callable[[Labels, Labels], Labels]  # takes key and response
    wrong: Mapping[str, tuple[int, ...]]  # directions that a field must not take

    @property
    def keeps_links(self) -> bool:
        """Whether it adds and removes no correct link, so that recall must stay."""
        return "recall" in self.wrong


def flag_unlinked(key: Labels, response: Labels) -> Flags:
    """Flag the response mentions that have links in the key, but no correct link.

    Such a mention is correct as a mention, but the response leaves it alone or links it
    only to mentions of other entities. Key singletons have no link to find.

    >>> from corefkit.lab.labels import read_pair
    >>> from corefkit.settings import DEFAULT_SETTINGS
    >>> pair = read_pair(
    ...     ["abc", "de", "f"], ["abd", "e", "fx"], settings=DEFAULT_SETTINGS
    ... )
    >>> flag_unlinked(pair.key, pair.response).tolist()
    [False, False, True, True, False, False]
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


def flag_incorrectly_resolved(key: Labels, response: Labels) -> Flags:
    """Flag the response mentions that have links on both sides, but none in common.

    >>> from corefkit.lab.labels import read_pair
    >>> from corefkit.settings import DEFAULT_SETTINGS
    >>> pair = read_pair(
    ...     ["abc", "de", "f"], ["abd", "e", "fx"], settings=DEFAULT_SETTINGS
    ... )
    >>> flag_incorrectly_resolved(pair.key, pair.response).tolist()
    [False, False, True, False, False, False]
    """
    return flag_unlinked(key, response) & (response.get_entity_sizes() > 1)


def remove_wrong_links(key: Labels, response: Labels) -> Labels:
    """Remove the incorrectly resolved mentions, and with them only wrong links."""
    return response.keep(~flag_incorrectly_resolved(key, response))


def add_wrong_pairs(key: Labels, response: Labels) -> Labels:
    """Add wrong entities of two: pairs of key mentions that the response lacks.

    The two mentions of a pair are of one document and not coreferent, and each mention
    is used once; there are as many pairs as that allows. The same input gives the same
    pairs.

    >>> from corefkit.lab.labels import read_pair
    >>> from corefkit.settings import DEFAULT_SETTINGS
    >>> pair = read_pair(["abcd", "ef", "g"], ["ab"], settings=DEFAULT_SETTINGS)
    >>> add_wrong_pairs(pair.key, pair.response).entity.tolist()  # ab, ce, df
    [0, 0, 1, 2, 1, 2]
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


def add_wrong_entities(key: Labels, response: Labels) -> Labels:
    """Add larger wrong entities, with one missing mention of each key entity.

    In each document, the first missing mentions of all key entities make an entity, the
    second ones another, and so on; an entity of a single mention is left out.

    The paper links a missing mention m to all that are not coreferent with m, and
    leaves open whether those may be coreferent with each other. Here they may not:
    otherwise there would be a correct link among them, and recall would rightly rise.

    >>> from corefkit.lab.labels import read_pair
    >>> from corefkit.settings import DEFAULT_SETTINGS
    >>> pair = read_pair(["abcd", "ef", "g"], ["ab"], settings=DEFAULT_SETTINGS)
    >>> add_wrong_entities(pair.key, pair.response).entity.tolist()  # ab, ceg, df
    [0, 0, 1, 1, 1, 2, 2]
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


def split_into_singletons(_: Labels, response: Labels) -> Labels:
    """Put every mention into a separate entity.

    >>> side = Labels(np.arange(3), np.array([4, 4, 9]), np.array([0, 0, 1]), 2)
    >>> split_into_singletons(side, side).entity.tolist()
    [0, 1, 2]
    """
    return response.relabel(np.arange(len(response)))


def merge_documents(_: Labels, response: Labels) -> Labels:
    """Put all mentions of a document into one entity.

    >>> side = Labels(np.arange(3), np.array([4, 5, 9]), np.array([0, 0, 1]), 2)
    >>> merge_documents(side, side).entity.tolist()
    [0, 0, 1]
    """
    return response.relabel(response.document)


def _find_missing(key: Labels, response: Labels) -> Labels:
    return key.keep(~np.isin(key.mention, response.mention))


def _append_entities(
    response: Labels, lacking: Labels, entity: Ints, used: Flags
) -> Labels:
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


# The fields of a score, and their names in a sentence.
FIELD_NAMES = {"recall": "recall", "precision": "precision", "f1": "F1"}

# Scores are sums of fractions; smaller differences come from the order of adding.
_TOLERANCE = 1e-9


class Verdict(NamedTuple):
    """A score of a version that is not as it should be.

    >>> fell = Verdict("more_precise", "ceaf_e", "recall", 0.5488, 0.5092)
    >>> fell.sentence
    'CEAFe: recall fell by 3.96 points (54.88 to 50.92) although nothing right was \
taken away.'
    """

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


def find_wrong_moves(
    transformation: Transformation,
    base: Evaluation,
    after: Evaluation,
    *,
    may_rise: bool = False,
) -> Iterator[Verdict]:
    """Find the scores of a version that moved the wrong way from those of the response.

    With `may_rise`, a higher recall is not wrong.
    """
    for name in list_judged_metrics(base):
        base_fields, fields = (
            get_metric_fields(base, name),
            get_metric_fields(after, name),
        )
        for field in find_wrong_fields(
            transformation, base_fields, fields, may_rise=may_rise
        ):
            yield Verdict(
                transformation.name, name, field, base_fields[field], fields[field]
            )


def find_wrong_fields(
    transformation: Transformation,
    before: Mapping[str, float],
    after: Mapping[str, float],
    *,
    may_rise: bool = False,
) -> list[str]:
    """List the fields of a score that moved the wrong way in a version.

    >>> from corefkit.lab.diagnosis import TRANSFORMATIONS
    >>> more_precise = TRANSFORMATIONS["more_precise"]
    >>> find_wrong_fields(more_precise, {"recall": 0.5}, {"recall": 0.4})
    ['recall']
    """
    wrong = dict(transformation.wrong)
    if may_rise:
        wrong["recall"] = (FELL,)
    return [
        field
        for field, value in after.items()
        if get_direction(before[field], value) in wrong.get(field, ())
    ]


def find_unearned(
    after: Evaluation, true: Evaluation, empty: Evaluation, *, key_singletons: bool
) -> Iterator[Verdict]:
    """Find scores of all singletons that exceed those of the key's singletons.

    These are the scores of the true ones alone, less those of an empty response, which
    some variants fill up. If the key has singletons, only recall can be judged:
    precision divides by all mentions of the response.
    """
    fields = ["recall"] if key_singletons else [*FIELD_NAMES]
    for name in list_judged_metrics(after):
        with_true, without = (
            get_metric_fields(true, name),
            get_metric_fields(empty, name),
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
    """Return recall, precision and F1 of a metric; the CoNLL mean has F1 only.

    >>> import corefkit
    >>> get_metric_fields(corefkit.score(["ab"], ["ab"], metrics=["muc"]), "muc")
    {'recall': 1.0, 'precision': 1.0, 'f1': 1.0}
    """
    if name == "conll":
        return {"f1": evaluation.conll or 0.0}
    return get_fields(evaluation[name])


def get_fields(score: Score) -> dict[str, float]:
    """Return recall, precision and F1 by name."""
    return {field: getattr(score, field) for field in FIELD_NAMES}


def get_short_label(name: str) -> str:
    """Return the short label of a metric.

    >>> (
    ...     get_short_label("ceaf_e"),
    ...     get_short_label("b_cubed_sys"),
    ...     get_short_label("conll"),
    ... )
    ('CEAFe', 'B³sys', 'CoNLL')
    """
    return get_label(name).partition(" (φ")[0]


def get_direction(before: float, after: float) -> int:
    """Return whether a score rose (1), fell (-1) or stayed (0).

    >>> get_direction(0.1 + 0.2, 0.3), get_direction(0.5, 0.4)
    (0, -1)
    """
    if abs(after - before) < _TOLERANCE:
        return 0
    return ROSE if after > before else FELL


def _format_percent(score: float) -> str:
    return f"{100 * score:.2f}"


BASE = "base"
# The versions with the same correct links as the response.
SAME_LINKS = tuple(
    name for name, version in TRANSFORMATIONS.items() if version.keeps_links
)


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
    sides = _make_versions(pair, settings)
    versions = {
        name: ResponseVersion(
            len(side), len(np.unique(side.entity)), scored(side, name=name)
        )
        for name, side in sides.items()
    }
    true = {name: _keep_true_singletons(pair.key, side) for name, side in sides.items()}
    freed = len(true["more_precise"]) - len(true[BASE])
    counts = _count_mentions(pair.key, pair.response)
    unearned = find_unearned(
        versions["all_singletons"].evaluation,
        scored(true["all_singletons"]),
        scored(pair.response.keep(np.zeros(len(pair.response), np.bool_))),
        key_singletons=counts.key_singletons > 0,
    )
    return Diagnosis(
        *pair.names,
        settings,
        counts,
        freed,
        versions,
        (*_iter_wrong_moves(versions, freed), *unearned),
        pair.notes,
        pair.warnings,
    )


def _make_versions(pair: LabelPair, settings: Settings) -> dict[str, Labels]:
    versions = {BASE: pair.response} | {
        name: transformation.apply(pair.key, pair.response)
        for name, transformation in TRANSFORMATIONS.items()
    }
    return {
        name: drop_singletons(response, settings) for name, response in versions.items()
    }


def _keep_true_singletons(key: Labels, response: Labels) -> Labels:
    """Keep the singletons that are also singletons in the key."""
    singletons = key.mention[key.get_entity_sizes() == 1]
    is_true = np.isin(response.mention, singletons) & (response.get_entity_sizes() == 1)
    return response.keep(is_true)


def _count_mentions(key: Labels, response: Labels) -> MentionCounts:
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


def _iter_wrong_moves(
    versions: Mapping[str, ResponseVersion], freed: int
) -> Iterator[Verdict]:
    base = versions[BASE].evaluation
    for name, transformation in TRANSFORMATIONS.items():
        may_rise = name == "more_precise" and freed > 0
        after = versions[name].evaluation
        yield from find_wrong_moves(transformation, base, after, may_rise=may_rise)
