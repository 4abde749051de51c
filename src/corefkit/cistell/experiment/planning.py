"""All steps of a setting, in the order in which they are done."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from corefkit.cistell.experiment import working
from corefkit.cistell.experiment.bench import corpus_file
from corefkit.cistell.experiment.folder import Step
from corefkit.cistell.experiment.systems import LEARNER_LABELS
from corefkit.cistell.parsing import Parser
from corefkit.cistell.parsing.training import train_parser
from corefkit.cistell.parsing.udpipe import PARSER, TAGGER
from corefkit.formats import read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from corefkit.cistell.experiment.bench import Bench
    from corefkit.cistell.experiment.study import Setting, Variant


@dataclass(frozen=True, slots=True)
class Outside:
    """What steps depend on that is not in the folder of the run.

    Attributes:
        data: the sha256 of every file of data, by its path.
        parsers: those of the parsers that the user gave.
        lexica: what tells the lexicon of a language from others, WordNet included.
    """

    data: Mapping[str, str]
    parsers: tuple[str, ...]
    lexica: Mapping[str, Mapping[str, str]]


def trained_parser(bench: Bench) -> str:
    """Name the file of the parser that is trained for a setting, if one is."""
    setting = bench.setting
    if setting.preprocessing == "gold" or bench.options.parsers:
        return ""
    return f"models/parser-{setting.language}.udpipe"


def parser_step(bench: Bench, outside: Outside) -> Step:
    """Train a parser with the training part of a setting."""
    path = bench.setting.train.entities

    def make(out: Path) -> None:
        train_parser(
            read(bench.options.data / path, format=bench.setting.format or None),
            out / trained_parser(bench),
            parts=(TAGGER, PARSER),
        )

    language = bench.setting.language
    options = {"data": outside.data[path]}
    return Step(
        f"parser-{language}", f"training a parser with {path}", (), options, make
    )


def setting_steps(bench: Bench, outside: Outside) -> Iterator[Step]:
    """Go through the steps of a setting, but for the training of a parser."""
    yield _corpus_step(bench, outside)
    step = partial(_step, bench, outside)
    yield step("baselines", "baselines", working.make_baselines, reads=("test",))
    yield _pairs_step(bench, outside, None)
    yield step("threshold", "picking a threshold", working.make_threshold)
    for learner in bench.learners:
        yield from _model_steps(bench, outside, learner, None)
    for variant in bench.setting.variants:
        yield _pairs_step(bench, outside, variant)
        yield from _model_steps(bench, outside, bench.learners[0], variant)


def _corpus_step(bench: Bench, outside: Outside) -> Step:
    setting = bench.setting
    file = trained_parser(bench)
    automatic = setting.preprocessing != "gold"

    def make(out: Path) -> None:
        paths = bench.options.parsers or (bench.run / file,)
        working.make_corpus(bench, Parser(*paths) if automatic else None, out)

    options = {
        "setting": _corpus_of(setting),
        "words": bench.options.words,
        "data": {path: outside.data[path] for path in setting.paths()},
        "parsers": outside.parsers if automatic else (),
    }
    inputs = (file,) if file else ()
    about = f"{setting.name}: making the corpus"
    return Step(f"{setting.name}.corpus", about, inputs, options, make)


def _corpus_of(setting: Setting) -> dict[str, Any]:
    """Give what a setting's corpus depends on."""
    others = ("title", "language", "entity_types", "learners", "paper", "variants")
    texts = ("optional", "note")
    return {
        name: value
        for name, value in asdict(setting).items()
        if name not in (*others, *texts)
    }


def _pairs_step(bench: Bench, outside: Outside, variant: Variant | None) -> Step:
    """Describe the training pairs."""
    start = "" if variant is None else f"{variant.name}-"
    titled = "" if variant is None else f", {variant.title}"
    return _step(
        bench,
        outside,
        f"{start}pairs",
        f"ranking features{titled}",
        partial(working.make_pairs, variant=variant),
        options={"variant": variant and asdict(variant)},
    )


def _model_steps(
    bench: Bench, outside: Outside, learner: str, variant: Variant | None
) -> Iterator[Step]:
    """Train a model, and resolve by it."""
    called = LEARNER_LABELS[learner]
    if variant is not None:
        called = f"{called}, {variant.title}"
    name = "-".join([*([variant.name] if variant else []), learner])
    options = {"learner": learner, "variant": variant and asdict(variant)}
    train = partial(working.make_model, learner=learner, variant=variant)
    respond = partial(working.make_responses, learner=learner, variant=variant)
    step = partial(_step, bench, outside, options=options)
    yield step(f"{name}.train", f"training {called}", train)
    yield step(
        f"{name}.resolve",
        f"resolving by {called}",
        respond,
        reads=("test",),
        inputs=(
            working.model_file(bench, learner, variant),
            working.threshold_file(bench),
        ),
    )


def _step(
    bench: Bench,
    outside: Outside,
    name: str,
    about: str,
    make: Callable[..., None],
    *,
    reads: tuple[str, ...] = ("train",),
    inputs: tuple[str, ...] = (),
    options: Mapping[str, Any] | None = None,
) -> Step:
    setting = bench.setting
    return Step(
        f"{setting.name}.{name}",
        f"{setting.name}: {about}",
        (*(corpus_file(setting, part) for part in reads), *inputs),
        {
            "seed": bench.options.seed,
            "words": bench.options.words,
            "language": setting.language,
            "entity_types": setting.entity_types,
            "lexicon": dict(outside.lexica[setting.language]),
            "learners": bench.learners[0],
            **(options or {}),
        },
        lambda out: make(bench, out=out),
    )
