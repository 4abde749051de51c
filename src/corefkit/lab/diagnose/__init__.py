"""The mention identification effect, on a system's own output.

A response is made more precise, and less precise, in ways that add and remove no
correct link, and every metric scores the result. Recall must not change, and precision
must follow. A metric that moves the other way counts mentions that are merely found.

transformations   how the versions of a response are made
verdicts          the scores that moved the wrong way
words             what was done and what happened, in sentences
text              all of it as a page or as JSON

Source: Moosavi and Strube 2016, sections 2 and 6, Tables 1 and 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.lab.diagnose.transformations import (
    TRANSFORMATIONS,
    incorrectly_resolved,
    without_correct_link,
)
from corefkit.lab.diagnose.verdicts import Verdict, not_earned, wrong_moves
from corefkit.lab.labels import (
    Labels,
    Pair,
    evaluated,
    partition_metrics,
    partition_settings,
    read_pair,
    without_dropped_singletons,
)
from corefkit.settings import DEFAULT_SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from corefkit.evaluation import Evaluation
    from corefkit.formats.inputs import Input
    from corefkit.metrics.metric import Metric
    from corefkit.settings import Settings

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


class Version(NamedTuple):
    """A version of the response: its size and its scores."""

    mentions: int
    entities: int
    evaluation: Evaluation


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """How each metric scores the versions of a response."""

    key: str  # the user's name for it
    response: str  # likewise
    settings: Settings
    found: MentionCounts
    # How many key singletons stand in a larger entity of the response, and alone in the
    # more precise version, as in the key; recall may rise for these.
    freed: int
    versions: Mapping[str, Version]  # the response, called `base`, and its versions
    verdicts: tuple[Verdict, ...]  # wrong moves, and scores that are not earned
    notes: tuple[str, ...]  # about the input, one sentence each
    warnings: tuple[str, ...] = ()  # where hardly any mentions match, and why

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
    """Find out how metrics score a response that is made better or worse on purpose.

    Args:
        key: as for `corefkit.score`.
        response: as for `corefkit.score`.
        settings: how both are read and scored. Repeated mentions are never counted as
            the reference scorer does, and split antecedents cannot be scored.
        metrics: names of metrics and variants; by default those of `corefkit.score`.
        format: the format of files; recognised if not given.

    >>> result = diagnose(["ab", "cd", "ef", "gh"], ["abc", "df"])
    >>> result.found.incorrectly_resolved
    3
    >>> print(result.of("more_precise")[0].sentence)
    B³: recall fell by 18.75 points (43.75 to 25.00) although nothing right was \
taken away.
    """
    chosen = partition_metrics(metrics)
    settings = partition_settings(settings)
    pair = read_pair(key, response, settings=settings, format=format)
    scored = partial(evaluated, pair.key, metrics=chosen, settings=settings)
    sides = _versions(pair, settings)
    versions = {
        name: Version(len(side), len(np.unique(side.entity)), scored(side, name=name))
        for name, side in sides.items()
    }
    true = {name: _true_singletons(pair.key, side) for name, side in sides.items()}
    freed = len(true["more_precise"]) - len(true[BASE])
    found = _counts(pair.key, pair.response)
    unearned = not_earned(
        versions["all_singletons"].evaluation,
        scored(true["all_singletons"]),
        scored(pair.response.keep(np.zeros(len(pair.response), np.bool_))),
        key_singletons=found.key_singletons > 0,
    )
    return Diagnosis(
        *pair.names,
        settings,
        found,
        freed,
        versions,
        (*_moves(versions, freed), *unearned),
        pair.notes,
        pair.warnings,
    )


def _versions(pair: Pair, settings: Settings) -> dict[str, Labels]:
    versions = {BASE: pair.response} | {
        name: transformation.apply(pair.key, pair.response)
        for name, transformation in TRANSFORMATIONS.items()
    }
    return {
        name: without_dropped_singletons(response, settings)
        for name, response in versions.items()
    }


def _true_singletons(key: Labels, response: Labels) -> Labels:
    """Keep the singletons that are also singletons in the key."""
    alone = key.mention[key.entity_sizes() == 1]
    true = np.isin(response.mention, alone) & (response.entity_sizes() == 1)
    return response.keep(true)


def _counts(key: Labels, response: Labels) -> MentionCounts:
    key_sizes, response_sizes = key.entity_sizes(), response.entity_sizes()
    found = np.isin(key.mention, response.mention)
    both = int(found.sum())
    unlinked = int(without_correct_link(key, response).sum())
    wrong = int(incorrectly_resolved(key, response).sum())
    return MentionCounts(
        key_mentions=len(key),
        key_entities=len(np.unique(key.entity)),
        key_singletons=int((key_sizes == 1).sum()),
        response_mentions=len(response),
        response_entities=len(np.unique(response.entity)),
        response_singletons=int((response_sizes == 1).sum()),
        both=both,
        missing=len(key) - both,
        spurious=len(response) - both,
        linked=int((found & (key_sizes > 1)).sum()),
        without_correct_link=unlinked,
        incorrectly_resolved=wrong,
        alone=unlinked - wrong,
    )


def _moves(versions: Mapping[str, Version], freed: int) -> Iterator[Verdict]:
    base = versions[BASE].evaluation
    for name, transformation in TRANSFORMATIONS.items():
        may_rise = name == "more_precise" and freed > 0
        after = versions[name].evaluation
        yield from wrong_moves(transformation, base, after, may_rise=may_rise)
