"""All steps of a run, in the order in which they are done, and what each depends on."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from cistell.studies import working
from cistell.studies.folder import RunStep
from cistell.studies.learners import LEARNER_LABELS
from cistell.studies.systems import trainings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from cistell.studies.setting_run import SettingRun
    from cistell.studies.study import Setting, Variant

# What of a setting does not change its corpus.
_NOT_OF_CORPUS = {
    *("title", "language", "entity_types", "learners", "paper", "variants"),
    *("optional", "note"),
}


@dataclass(frozen=True, slots=True)
class SourceHashes:
    """What steps depend on that is not in the folder of the run."""

    data: Mapping[str, str]  # the sha256 of every file of data, by its path
    parser: str  # the parser that the user named, with the hash of its files
    # What tells the lexicon of a language from others, WordNet included.
    lexica: Mapping[str, Mapping[str, str]]


def steps_of(runs: Sequence[SettingRun], hashes: SourceHashes) -> list[list[RunStep]]:
    """List the steps of each setting."""
    return [list(_setting_steps(run, hashes)) for run in runs]


def _setting_steps(run: SettingRun, hashes: SourceHashes) -> Iterator[RunStep]:
    """Yield the steps of a setting."""
    yield _corpus_step(run, hashes)
    step = partial(_step, run, hashes)
    yield step("baselines", "baselines", working.make_baselines, reads=("test",))
    yield step("threshold", "picking a threshold", working.make_threshold)
    for learner, variant in trainings(run.learners, run.setting.variants):
        if learner == run.learners[0]:
            yield _pairs_step(run, hashes, variant)
        yield from _model_steps(run, hashes, learner, variant)


def _corpus_step(run: SettingRun, hashes: SourceHashes) -> RunStep:
    setting = run.setting
    return RunStep(
        f"{setting.name}.corpus",
        f"{setting.name}: making the corpus",
        (),
        {
            "setting": _corpus_of(setting),
            "words": run.options.words,
            "data": {path: hashes.data[path] for path in setting.paths()},
            "parser": hashes.parser if setting.preprocessing != "gold" else "",
        },
        partial(working.make_corpus, run),
    )


def _corpus_of(setting: Setting) -> dict[str, Any]:
    """Return what a setting's corpus depends on."""
    values = asdict(setting).items()
    return {name: value for name, value in values if name not in _NOT_OF_CORPUS}


def _pairs_step(
    run: SettingRun, hashes: SourceHashes, variant: Variant | None
) -> RunStep:
    return _step(
        run,
        hashes,
        "pairs" if variant is None else f"{variant.name}-pairs",
        _titled("ranking features", variant),
        partial(working.make_pairs, variant=variant),
        options={"variant": variant and asdict(variant)},
    )


def _model_steps(
    run: SettingRun, hashes: SourceHashes, learner: str, variant: Variant | None
) -> Iterator[RunStep]:
    """Learn, and resolve by it."""
    label = _titled(LEARNER_LABELS[learner], variant)
    name = learner if variant is None else f"{variant.name}-{learner}"
    options = {"learner": learner, "variant": variant and asdict(variant)}
    step = partial(_step, run, hashes, options=options)
    yield step(
        f"{name}.resolve",
        f"learning and resolving by {label}",
        partial(working.make_responses, learner=learner, variant=variant),
        reads=("train", "test"),
        inputs=(run.layout.threshold,),
    )


def _titled(what: str, variant: Variant | None) -> str:
    return what if variant is None else f"{what}, {variant.title}"


def _step(
    run: SettingRun,
    hashes: SourceHashes,
    name: str,
    about: str,
    make: Callable[..., None],
    *,
    reads: tuple[str, ...] = ("train",),
    inputs: tuple[str, ...] = (),
    options: Mapping[str, Any] | None = None,
) -> RunStep:
    setting = run.setting
    return RunStep(
        f"{setting.name}.{name}",
        f"{setting.name}: {about}",
        (*map(run.layout.corpus, reads), *inputs),
        {
            "seed": run.options.seed,
            "words": run.options.words,
            "language": setting.language,
            "entity_types": setting.entity_types,
            "lexicon": dict(hashes.lexica[setting.language]),
            "learners": run.learners[0],
            **(options or {}),
        },
        partial(make, run),
    )
