"""Claims that set two settings, or two trainings on one, against each other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np

from corefkit.cistell.corpora.nodes import NO_NODE
from corefkit.cistell.experiment.bootstrap import interval
from corefkit.cistell.experiment.claims.base import (
    PAPER_METRICS,
    Finding,
    Lookup,
    drawn,
    here,
    judged,
    printed,
    signed,
)
from corefkit.cistell.experiment.claims.features import apposition, overlap
from corefkit.cistell.experiment.paper import printed_dataset
from corefkit.cistell.experiment.systems import FOUR, SEVEN
from corefkit.metrics import label_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from corefkit.cistell.experiment.results import Results, SettingResults
    from corefkit.cistell.experiment.study import Variant
    from corefkit.columns import Floats

_LITTLE = 3.0  # points of mean F1 under which a difference is called a small one
_ONTONOTES, _ACE = "ontonotes", "ace"


def across_findings(results: Results) -> Iterator[Finding]:
    """Look at all claims between settings."""
    for one in results.settings:
        for variant in one.setting.variants:
            yield _of_variant(one, variant)
    for one, other in combinations(results.settings, 2):
        a, b = one.setting, other.setting
        if a.language != b.language:
            yield _languages(one, other)
            yield overlap(one, other)
        elif (a.scheme, a.test) == (b.scheme, b.test):
            if (a.preprocessing, b.preprocessing) == ("gold", "udpipe"):
                yield _preprocessing(one, other)
        elif _trees(one) == _trees(other) and set(one.texts) == set(other.texts):
            yield from _schemes(one, other)


def _trees(results: SettingResults) -> tuple[str, bool]:
    return results.setting.preprocessing, results.setting.drop_without_node


def _of_variant(one: SettingResults, variant: Variant) -> Finding:
    """Look at another training on the same corpus."""
    less, whole = variant.name, ""
    if variant.train_share == 1:
        runs = _Runs(one, one, less, whole)
        automatic = one.setting.preprocessing != "gold"
        where = "section 6" if variant.entity_types or automatic else ""
        says = f"{variant.title} the four models score higher"
        return _mean_finding(f"variant-{less}", says, where, runs)
    runs = _Runs(one, one, whole, less)
    says = (
        "more training data does not help much: all of it is less than "
        f"{_LITTLE:g} points above {variant.title}"
    )
    large, small = (printed_dataset(f"table-{n}-ontonotes") for n in (3, 5))
    paper = float(_mean(printed(large)) - _mean(printed(small)))
    return _mean_finding("training-data", says, "section 5", runs, paper, most=_LITTLE)


def _preprocessing(gold: SettingResults, automatic: SettingResults) -> Finding:
    """Look at whether gold trees help, or, where the paper has it so, do not."""
    says = "gold preprocessing gives higher scores than automatic"
    runs = _Runs(gold, automatic)
    # The paper drops mentions without a node.
    paper = _printed_gap(runs) if automatic.setting.drop_without_node else None
    if paper is not None and paper < 0:
        says = "automatic preprocessing gives no lower scores than gold"
        runs, paper = _Runs(automatic, gold), -paper
    found = _mean_finding("preprocessing", says, "section 6", runs, paper)
    if not automatic.setting.drop_without_node:
        return found
    return replace(found, reasons=(*found.reasons, _without_node(automatic)))


def _without_node(results: SettingResults) -> str:
    loss = results.test.loss
    dropped = loss.dropped.get(NO_NODE, 0)
    share = 100 * dropped / (dropped + loss.mentions_after or 1)
    return (
        f"{results.setting.title}: {dropped:,} test mentions, {share:.1f} %, have no "
        "node in the automatic trees and are dropped"
    )


def _languages(one: SettingResults, other: SettingResults) -> Finding:
    """Look at whether scores are about the same, whichever are higher."""
    runs = _Runs(one, other, models=SEVEN)
    found = _mean_finding("language", "", "section 4", runs, _printed_gap(runs))
    verdict = judged(
        _LITTLE - np.abs(runs.gaps(drawn)), _LITTLE - abs(float(runs.gaps(here)))
    )
    says = f"the language makes little difference, less than {_LITTLE:g} points of F1"
    return replace(found, says=says, verdict=verdict)


def _schemes(one: SettingResults, other: SettingResults) -> Iterator[Finding]:
    """Set an OntoNotes-like scheme against another one of the same texts."""
    pair = {_kind(results): results for results in (one, other)}
    if _ONTONOTES not in pair or len(pair) < 2:
        return
    onto = pair.pop(_ONTONOTES)
    (kind, rest) = pair.popitem()
    yield apposition(rest, onto)
    if kind != _ACE:
        return
    titles = (onto.setting.title, rest.setting.title)
    for claim, says, difference in _SCHEME_CLAIMS:
        value = float(difference(here(onto), here(rest)))
        samples = difference(drawn(onto), drawn(rest))
        paper = None
        if onto.printed and rest.printed:
            paper = float(difference(printed(onto.printed), printed(rest.printed)))
        yield Finding(
            claim,
            says,
            "section 5",
            titles,
            judged(samples, value),
            value,
            interval(samples),
            paper,
            reasons=tuple(map(_singletons, (onto, rest))),
        )


def _kind(results: SettingResults) -> str:
    return results.setting.paper.rpartition("-")[2]


def _baseline_higher(onto: Lookup, ace: Lookup) -> Floats:
    metrics = ("b_cubed", "ceaf_m")
    gaps = [onto("all_singletons", one) - ace("all_singletons", one) for one in metrics]
    return np.minimum(*gaps)


def _muc_higher(onto: Lookup, ace: Lookup) -> Floats:
    return _mean(ace, FOUR, ("muc",)) - _mean(onto, FOUR, ("muc",))


def _heads_help(onto: Lookup, ace: Lookup) -> Floats:
    gains = [
        f1("head_match", "b_cubed") - f1("all_singletons", "b_cubed")
        for f1 in (ace, onto)
    ]
    return gains[0] - gains[1]


_SCHEME_CLAIMS = (
    (
        "scheme-singletons",
        "ALL SINGLETONS has higher B³ and CEAF on OntoNotes than on ACE",
        _baseline_higher,
    ),
    ("scheme-muc", "MUC of the four models is higher on ACE", _muc_higher),
    (
        "scheme-heads",
        "HEAD MATCH gains more over ALL SINGLETONS on ACE, by B³",
        _heads_help,
    ),
)


@dataclass(frozen=True, slots=True)
class _Runs:
    """Two runs to be compared: settings, and trainings on them."""

    one: SettingResults
    other: SettingResults
    variant: str = ""
    other_variant: str = ""
    models: Sequence[str] = FOUR

    def gaps(
        self,
        source: Callable[[SettingResults, str], Lookup],
        metrics: Sequence[str] = PAPER_METRICS,
    ) -> Floats:
        """Give the mean difference of models and metrics."""
        one = source(self.one, self.variant)
        other = source(self.other, self.other_variant)
        return _mean(one, self.models, metrics) - _mean(other, self.models, metrics)

    def by_metric(self) -> str:
        """Name the mean difference under each metric."""
        parts = [
            f"{label_of(one)} "
            + signed(float(self.gaps(here, [one])), interval(self.gaps(drawn, [one])))
            for one in PAPER_METRICS
        ]
        count = "four" if self.models == FOUR else "seven"
        return f"mean difference of the {count} models: {', '.join(parts)}"


def _mean_finding(
    claim: str,
    says: str,
    where: str,
    runs: _Runs,
    paper: float | None = None,
    *,
    most: float | None = None,
) -> Finding:
    """Look at whether one run scores above the other, or above it by `most` at most."""
    value, rows = float(runs.gaps(here)), runs.gaps(drawn)
    verdict = judged(rows, value) if most is None else judged(most - rows, most - value)
    titles = tuple(dict.fromkeys([runs.one.setting.title, runs.other.setting.title]))
    return Finding(
        claim,
        says,
        where,
        titles,
        verdict,
        value,
        interval(rows),
        paper,
        (runs.by_metric(),),
        tuple(map(_singletons, (runs.one, runs.other))) if len(titles) > 1 else (),
    )


def _printed_gap(runs: _Runs) -> float | None:
    """Give the paper's mean difference, where it prints both."""
    datasets = runs.one.printed, runs.other.printed
    if None in datasets or datasets[0] == datasets[1]:
        return None
    one, other = (_mean(printed(data), runs.models) for data in datasets if data)
    return float(one - other)


def _mean(
    f1: Lookup,
    models: Sequence[str] = FOUR,
    metrics: Sequence[str] = PAPER_METRICS,
) -> Floats:
    rows = [f1(model, metric) for model, metric in product(models, metrics)]
    found: Floats = np.mean(rows, axis=0)
    return found


def _singletons(results: SettingResults) -> str:
    counts = results.test.statistics
    share = counts.singleton_share
    text = "unknown" if share is None else f"{100 * share:.1f} %"
    return (
        f"{results.setting.title}: {counts.mentions:,} test mentions, singletons "
        f"{text} of the entities"
    )
