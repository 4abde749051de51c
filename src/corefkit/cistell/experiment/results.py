"""What a run found: scores with intervals, corpora and features."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from corefkit.cistell.experiment.bootstrap import draws, f1_of, interval
from corefkit.cistell.experiment.paper import printed_dataset
from corefkit.cistell.experiment.preparing import PartSummary
from corefkit.cistell.experiment.systems import (
    METRICS,
    SEVEN,
    System,
    baseline_systems,
    trainings,
)
from corefkit.corpus.fingerprint import Fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefkit.cistell.experiment.bootstrap import Interval
    from corefkit.cistell.experiment.folder import RunFolder
    from corefkit.cistell.experiment.paper import Dataset
    from corefkit.cistell.experiment.setting_run import SettingRun
    from corefkit.cistell.experiment.study import Setting, Study
    from corefkit.columns import Floats, Ints


@dataclass(frozen=True, slots=True)
class Score:
    """One metric of one system, as shares of 1."""

    recall: float
    precision: float
    f1: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Scored:
    """A system and what it scored.

    Attributes:
        system: the system.
        counts: for each metric, the counts of each document.
        drawn: for each draw, how often each document was drawn.
        corpus: what it was scored on.
    """

    system: System
    counts: Mapping[str, Floats]
    drawn: Ints
    corpus: Fingerprint

    def score(self, metric: str) -> Score:
        """Compute a score and its interval."""
        total = self.counts[metric].sum(axis=0)
        recall, precision = (
            float(total[at] / total[at + 1]) if total[at + 1] else 0.0 for at in (0, 2)
        )
        f1 = float(f1_of(total))
        return Score(recall, precision, f1, interval(self.samples(metric)))

    def f1(self, metric: str) -> float:
        """Compute F1."""
        return float(f1_of(self.counts[metric].sum(axis=0)))

    def samples(self, metric: str) -> Floats:
        """Compute F1 of every draw."""
        return f1_of(self.drawn @ self.counts[metric])

    @property
    def links(self) -> int:
        """How many links there are, which MUC counts."""
        return int(self.counts["muc"][:, 3].sum())

    def link_samples(self) -> Floats:
        """Compute the number of links of every draw."""
        links: Floats = self.drawn @ self.counts["muc"][:, 3]
        return links


@dataclass(frozen=True, slots=True)
class PairFacts:
    """What the training pairs of a setting tell.

    Attributes:
        pairs: how many there are.
        coreferent: how many of them are coreferent.
        gain_ratios: the gain ratio of each feature.
        answers: for features that say yes or no, how many pairs have a yes, and how
            many of these are coreferent.
    """

    pairs: int
    coreferent: int
    gain_ratios: Mapping[str, float]
    answers: Mapping[str, Mapping[str, int]]

    def ranks(self) -> dict[str, int]:
        """Rank features by gain ratio, the best first."""
        order = sorted(self.gain_ratios.items(), key=lambda item: (-item[1], item[0]))
        return {name: at for at, (name, _) in enumerate(order, 1)}


@dataclass(frozen=True)
class SettingResults:
    """A setting and what was found.

    Attributes:
        setting: the setting.
        learner: the learner that has all of the paper's models.
        train: what is known of the training part.
        test: what is known of the test part.
        pairs: what the training pairs tell.
        variant_pairs: what those of each variant tell, by its name.
        threshold: the threshold of SUPER STRONG, picked on held-out texts.
        systems: the systems by their names, in the order of tables.
        texts: for each test document the text that it is a part of.
    """

    setting: Setting
    learner: str
    train: PartSummary
    test: PartSummary
    pairs: PairFacts
    variant_pairs: Mapping[str, PairFacts]
    threshold: float
    systems: Mapping[str, Scored]
    texts: tuple[str, ...]

    @cached_property
    def printed(self) -> Dataset | None:
        """What the paper prints of the setting nearest to this one."""
        return printed_dataset(self.setting.paper) if self.setting.paper else None

    @cached_property
    def corpus(self) -> Fingerprint:
        """The corpus that was scored."""
        return next(iter(self.systems.values())).corpus

    def paper_model(self, model: str, variant: str = "") -> Scored | None:
        """Find one of the paper's models, if it was run."""
        for scored in self.systems.values():
            system = scored.system
            own = system.learner in ("", self.learner)
            if own and (system.model, system.variant) == (model, variant):
                return scored
        return None

    def modern(self) -> list[Scored]:
        """Return the systems of better learners."""
        return [
            scored
            for scored in self.systems.values()
            if scored.system.learner not in ("", self.learner)
        ]

    def ranks(self, metric: str) -> dict[str, int]:
        """Rank the paper's seven models by a metric; equal ones have the same rank."""
        scores = {
            model: scored.f1(metric)
            for model in SEVEN
            if (scored := self.paper_model(model))
        }
        return {
            model: 1 + sum(other > score for other in scores.values())
            for model, score in scores.items()
        }


@dataclass(frozen=True, slots=True)
class Results:
    """A study and what was found.

    Attributes:
        study: the study.
        words: how long parts of documents are; 0 where they are whole.
        seed: of everything that was drawn at random.
        settings: the settings that were run.
        notes: what a reader should know, a sentence each.
    """

    study: Study
    words: int
    seed: int
    settings: tuple[SettingResults, ...]
    notes: tuple[str, ...]


def setting_results(run: SettingRun, folder: RunFolder) -> SettingResults:
    """Read what the steps of a setting have written."""
    layout = run.layout
    summaries = {
        part: PartSummary.from_dict(values)
        for part, values in folder.read(layout.summaries).items()
    }
    systems: dict[str, Scored] = {}
    drawn: Ints | None = None
    texts: tuple[str, ...] = ()
    for system in _systems(run):
        stored = folder.read(layout.scores(system))
        if drawn is None:
            texts = tuple(map(run.text_of, stored["counts"]["documents"]))
            drawn = draws(texts, seed=run.options.seed)
        systems[system.name] = Scored(
            system,
            {metric: np.array(stored["counts"][metric]) for metric in METRICS},
            drawn,
            Fingerprint.from_dict(stored["systems"][0]["corpus"]),
        )
    return SettingResults(
        setting=run.setting,
        learner=run.learners[0],
        train=summaries["train"],
        test=summaries["test"],
        pairs=PairFacts(**folder.read(layout.pairs())),
        variant_pairs={
            variant.name: PairFacts(**folder.read(layout.pairs(variant)))
            for variant in run.setting.variants
        },
        threshold=run.threshold,
        systems=systems,
        texts=texts,
    )


def _systems(run: SettingRun) -> Iterator[System]:
    yield from baseline_systems()
    for training in trainings(run.learners, run.setting.variants):
        yield from run.systems(*training)
