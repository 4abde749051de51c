"""The mention identification effect, on a system's own output.

A response is made more precise, and less precise, in ways that add no right link and
take none away; and every metric is asked what it makes of that. Recall must stay as it
is, and precision must follow. A metric that moves the other way counts mentions that
are merely found.

Source: Moosavi and Strube 2016, sections 2 and 6, Tables 1 and 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.lab.diagnose.transformations import (
    all_singletons,
    incorrectly_resolved,
    less_precise_a,
    less_precise_b,
    more_precise,
    one_entity,
    without_correct_link,
)
from corefkit.lab.diagnose.verdicts import Verdict, not_earned, wrong_moves
from corefkit.lab.evaluating import (
    evaluated,
    partition_metrics,
    partition_settings,
    without_dropped_singletons,
)
from corefkit.lab.labels import Labels, read_pair
from corefkit.settings import DEFAULT_SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from corefkit.evaluation import Evaluation
    from corefkit.formats.inputs import Input
    from corefkit.metrics.base import Metric
    from corefkit.settings import Settings

BASE = "base"
# Versions in which nothing right is added or taken away.
MOVED = ("more_precise", "less_precise_a", "less_precise_b")


class Found(NamedTuple):
    """What the response has of the key, in counts.

    Attributes:
        key_mentions: the mentions of the key.
        key_entities: the entities of the key.
        key_singletons: those of one mention.
        response_mentions: the mentions of the response.
        response_entities: the entities of the response.
        response_singletons: those of one mention.
        both: the mentions that both sides have.
        missing: the mentions of the key only.
        spurious: the mentions of the response only.
        linked: of both, those that have a link in the key.
        without_correct_link: of these, those without a correct link in the response.
        incorrectly_resolved: of these, those that the response links to others.
        alone: of these, those that stand alone in the response.
    """

    key_mentions: int
    key_entities: int
    key_singletons: int
    response_mentions: int
    response_entities: int
    response_singletons: int
    both: int
    missing: int
    spurious: int
    linked: int
    without_correct_link: int
    incorrectly_resolved: int
    alone: int


class Version(NamedTuple):
    """The response in one of its versions: how large it is, and how it scores."""

    mentions: int
    entities: int
    evaluation: Evaluation


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """How each metric takes the versions of a response.

    Attributes:
        key: what the user called the key.
        response: what the user called the response.
        settings: how it was scored.
        found: what the response has of the key.
        freed: key singletons that the response has in a larger entity, and the more
            precise version alone, as the key has them; recall may rise for these.
        versions: the response, called `base`, and its versions, by name.
        verdicts: the scores that moved the wrong way, or that are not earned.
        notes: what a user should know about the input, one sentence each.
        warnings: where mentions hardly meet, and why, one sentence each.
    """

    key: str
    response: str
    settings: Settings
    found: Found
    freed: int
    versions: Mapping[str, Version]
    verdicts: tuple[Verdict, ...]
    notes: tuple[str, ...]
    warnings: tuple[str, ...] = ()

    def of(self, *versions: str) -> list[Verdict]:
        """Give the verdicts on some of the versions."""
        return [verdict for verdict in self.verdicts if verdict.version in versions]


def diagnose(
    key: Input,
    response: Input,
    *,
    settings: Settings = DEFAULT_SETTINGS,
    metrics: str | Iterable[str | Metric] | None = None,
    format: str | None = None,
) -> Diagnosis:
    """See how metrics take a response that is made better or worse on purpose.

    Args:
        key: as for `corefkit.score`.
        response: as for `corefkit.score`.
        settings: how both are read and scored. Mentions that a side repeats are never
            counted as the reference scorer does, and split antecedents cannot be.
        metrics: names of metrics and variants; the default set if not given.
        format: the format of files; recognised if not given.

    >>> result = diagnose(["ab", "cd", "ef", "gh"], ["abc", "df"])
    >>> result.found.incorrectly_resolved
    3
    >>> print(result.of("more_precise")[0].sentence)
    B³: recall fell by 18.75 points (43.75 to 25.00) although nothing right was \
taken away.
    """
    wanted = partition_metrics(metrics)
    settings = partition_settings(settings)
    pair = read_pair(key, response, settings=settings, format=format)
    scored = partial(evaluated, pair.key, metrics=wanted, settings=settings)
    sides = {
        name: without_dropped_singletons(side, settings)
        for name, side in _versions(pair.key, pair.response).items()
    }
    versions = {
        name: Version(len(side), len(np.unique(side.entity)), scored(side, name=name))
        for name, side in sides.items()
    }
    true = {name: _true_singletons(pair.key, side) for name, side in sides.items()}
    freed = len(true["more_precise"]) - len(true[BASE])
    found = _found(pair.key, pair.response)
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


def _versions(key: Labels, response: Labels) -> dict[str, Labels]:
    return {
        BASE: response,
        "more_precise": more_precise(key, response),
        "less_precise_a": less_precise_a(key, response),
        "less_precise_b": less_precise_b(key, response),
        "all_singletons": all_singletons(response),
        "one_entity": one_entity(response),
    }


def _true_singletons(key: Labels, response: Labels) -> Labels:
    """Keep the singletons that are singletons in the key, too."""
    alone = key.mention[key.entity_sizes() == 1]
    true = np.isin(response.mention, alone) & (response.entity_sizes() == 1)
    return response.keep(true)


def _found(key: Labels, response: Labels) -> Found:
    key_sizes, response_sizes = key.entity_sizes(), response.entity_sizes()
    found = np.isin(key.mention, response.mention)
    both = int(found.sum())
    unlinked = int(without_correct_link(key, response).sum())
    wrong = int(incorrectly_resolved(key, response).sum())
    return Found(
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
    for name in (*MOVED, "one_entity"):
        may_rise = name == "more_precise" and freed > 0
        yield from wrong_moves(name, base, versions[name].evaluation, may_rise=may_rise)
