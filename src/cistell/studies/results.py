"""What a run found: scores with intervals, corpora and features.

To tell how sure a score is, documents are drawn many times, and scored each time. Texts
are drawn, and not their parts, which are not independent of each other. All systems of
a setting, and all settings of the same texts, have the same draws, so that they can be
compared draw by draw.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cistell.studies.paper import printed_dataset
from cistell.studies.preparing import PartSummary
from cistell.studies.systems import (
    METRICS,
    SEVEN,
    System,
    baseline_systems,
    trainings,
)
from corefkit.analysis.compare.resampling import compute_percentile
from corefkit.analysis.compare.resampling import draw_units as drawn_units
from corefkit.corpus import Fingerprint
from corefkit.metrics.metric import score_ratios

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cistell.studies.folder import RunFolder
    from cistell.studies.paper import Dataset
    from cistell.studies.setting_run import SettingRun
    from cistell.studies.study import Setting, Study
    from corefkit.analysis.compare.comparison import Interval
    from corefkit.arrays.columns import Floats


SAMPLES = 1000


def draw_units(texts: Sequence[str], *, seed: int, samples: int = SAMPLES) -> Floats:
    """Draw as many texts as there are, many times, and count each part's draws.

    `texts` has for each document the text that it is a part of.

    >>> draw_units(["a", "a", "b"], seed=0, samples=2).shape
    (2, 3)
    """
    names, index = np.unique(np.array(texts), return_inverse=True)
    blocks = drawn_units(names.tolist(), seed=seed, samples=samples)
    return np.concatenate([*blocks], axis=1)[index].T


def f1_of(counts: Floats) -> Floats:
    """Compute F1 from numerator and denominator of recall, then of precision.

    >>> f1_of(np.array([[2.0, 5.0, 2.0, 4.0], [0.0, 1.0, 0.0, 0.0]])).round(4).tolist()
    [0.4444, 0.0]
    """
    f1: Floats = score_ratios.score_rows(counts).f1
    return f1


@dataclass(frozen=True, slots=True)
class Score:
    """One metric of one system, as shares of 1."""

    recall: float
    precision: float
    f1: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Scored:
    """A system and what it scored."""

    system: System
    counts: Mapping[str, Floats]  # for each metric, the counts of each document
    drawn: Floats  # for each draw, how often each document was drawn
    corpus: Fingerprint  # what it was scored on

    def score(self, metric: str) -> Score:
        """Compute a score and its interval."""
        total = score_ratios.score_rows(self.counts[metric].sum(axis=0))
        return Score(
            float(total.recall),
            float(total.precision),
            float(total.f1),
            compute_percentile(self.samples(metric)),
        )

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
    """What the training pairs of a setting tell."""

    pairs: int
    coreferent: int  # how many of them are coreferent
    gain_ratios: Mapping[str, float]  # the gain ratio of each feature
    # For features that say yes or no, how many pairs have a yes, and how many of these
    # are coreferent.
    answers: Mapping[str, Mapping[str, int]]

    def ranks(self) -> dict[str, int]:
        """Rank features by gain ratio, the best first."""
        order = sorted(self.gain_ratios.items(), key=lambda item: (-item[1], item[0]))
        return {name: at for at, (name, _) in enumerate(order, 1)}


@dataclass(frozen=True)
class SettingResults:
    """A setting and what was found."""

    setting: Setting
    learner: str  # the learner that has all of the paper's models
    train: PartSummary  # what is known of the training part
    test: PartSummary  # what is known of the test part
    pairs: PairFacts  # what the training pairs tell
    # What those of each variant tell, by its name.
    variant_pairs: Mapping[str, PairFacts]
    threshold: float  # the threshold of SUPER STRONG, picked on held-out texts
    systems: Mapping[str, Scored]  # the systems by their names, in the order of tables
    texts: tuple[str, ...]  # for each test document the text that it is a part of

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
    """A study and what was found."""

    study: Study
    words: int  # how long parts of documents are; 0 where they are whole
    seed: int  # of everything that was drawn at random
    settings: tuple[SettingResults, ...]  # the settings that were run
    notes: tuple[str, ...]  # what a reader should know, a sentence each


def setting_results(run: SettingRun, folder: RunFolder) -> SettingResults:
    """Read what the steps of a setting have written."""
    layout = run.layout
    summaries = {
        part: PartSummary.from_dict(values)
        for part, values in folder.read(layout.summaries).items()
    }
    systems: dict[str, Scored] = {}
    drawn: Floats | None = None
    texts: tuple[str, ...] = ()
    for system in _systems(run):
        stored = folder.read(layout.scores(system))
        if drawn is None:
            texts = tuple(map(run.text_of, stored["counts"]["documents"]))
            drawn = draw_units(texts, seed=run.options.seed)
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
