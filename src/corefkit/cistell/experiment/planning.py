"""All steps of a study, in the order in which they are done."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

from corefkit.cistell.experiment import working
from corefkit.cistell.experiment.bench import Bench, corpus_file
from corefkit.cistell.experiment.folder import Step
from corefkit.cistell.experiment.study import PARTS
from corefkit.cistell.experiment.systems import (
    LEARNER_LABELS,
    baseline_systems,
    memory_systems,
    modern_systems,
    variant_systems,
)
from corefkit.cistell.parsing.udpipe import PARSER, TAGGER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from corefkit.cistell.experiment.folder import RunFolder
    from corefkit.cistell.experiment.study import Setting, Study, Variant
    from corefkit.cistell.experiment.systems import System
    from corefkit.cistell.parsing import Parser


class Plan:
    """The steps of a study.

    Args:
        study: the study.
        benches: the settings that are run.
        folder: the folder of the run.
        digests: the sha256 of every file of data, by its path.
        words_known: what tells the lexica of two runs apart, by language.
    """

    def __init__(
        self,
        study: Study,
        benches: list[Bench],
        folder: RunFolder,
        *,
        digests: Mapping[str, str],
        words_known: Mapping[str, str],
    ) -> None:
        self._study = study
        self._benches = benches
        self._folder = folder
        self._digests = digests
        self._words_known = words_known

    def steps(self) -> list[list[Step]]:
        """Give the steps of each setting."""
        seen: set[str] = set()
        rows = []
        for bench in self._benches:
            row = [] if self._parsers(bench) in seen else self._parser_steps(bench)
            seen.add(self._parsers(bench))
            rows.append([*row, *self._steps(bench)])
        return rows

    def _parsers(self, bench: Bench) -> str:
        """Name the parser that is trained for a setting, if one is."""
        setting = bench.setting
        if setting.preprocessing == "gold" or bench.options.parsers:
            return ""
        return f"models/parser-{setting.language}.udpipe"

    def _parser_steps(self, bench: Bench) -> list[Step]:
        file = self._parsers(bench)
        if not file:
            return []
        path = bench.setting.train.entities
        return [
            Step(
                f"parser-{bench.setting.language}",
                f"training a parser with {path}",
                (),
                {"data": self._digests[path]},
                partial(_train_parser, bench, file),
            )
        ]

    def _steps(self, bench: Bench) -> Iterator[Step]:
        setting = bench.setting
        yield self._corpus_step(bench)
        yield self._step(
            bench,
            "baselines",
            "resolving by baselines",
            ("test",),
            (),
            {},
            partial(working.make_baselines, bench, baseline_systems()),
        )
        yield self._step(
            bench,
            "pairs",
            "ranking features",
            ("train",),
            (),
            {},
            partial(working.make_pairs, bench),
        )
        first, *others = self._study.learners
        yield self._step(
            bench,
            "threshold",
            "picking the threshold of SUPER STRONG",
            ("train",),
            (),
            {"learner": first},
            partial(working.make_threshold, bench, first),
        )
        yield from self._learner_steps(bench, first, None, memory_systems)
        for learner in others:
            yield from self._learner_steps(
                bench, learner, None, lambda name, _: modern_systems(name)
            )
        for variant in setting.variants:
            yield from self._learner_steps(
                bench, first, variant, partial(variant_systems, variant=variant)
            )
