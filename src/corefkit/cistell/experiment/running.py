"""A study run: settings checked, steps done or found done, results read."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from corefkit.cistell.experiment.bench import Bench
from corefkit.cistell.experiment.folder import RunFolder, sha256
from corefkit.cistell.experiment.planning import (
    Outside,
    parser_step,
    setting_steps,
    trained_parser,
)
from corefkit.cistell.experiment.preparing import must_be_there, nothing_to_read
from corefkit.cistell.experiment.results import Results, setting_results
from corefkit.cistell.learners import learner_named
from corefkit.cistell.lexicon import load_lexicon
from corefkit.exceptions import CorefkitError, SettingsError
from corefkit.settings import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from corefkit.cistell.experiment.bench import Options
    from corefkit.cistell.experiment.folder import Step
    from corefkit.cistell.experiment.study import Setting, Study
    from corefkit.cistell.lexicon import Lexicon

_LIBRARIES = ("numpy", "scipy", "scikit-learn", "python3-timbl", "ufal.udpipe")


@dataclass(frozen=True, slots=True)
class Told:
    """Who is told of what.

    Attributes:
        note: of what the user should know.
        begun: of each step that begins: its number, how many there are, what is done.
        ended: of each step that ends, and whether there was anything to do.
    """

    note: Callable[[str], None] = lambda _: None
    begun: Callable[[int, int, str], None] = lambda _number, _total, _about: None
    ended: Callable[[int, int, str, bool], None] = (
        lambda _number, _total, _about, _done: None
    )


def run_study(
    study: Study, options: Options, path: Path, *, fresh: bool = False, told: Told
) -> tuple[Results, RunFolder]:
    """Run a study in a folder, or what of it is not done yet.

    Args:
        study: the study.
        options: where its data are, and how it is run.
        path: the folder of the run.
        fresh: whether to start anew what is there.
        told: who is told of what.

    Raises:
        SettingsError: the folder has a run of another configuration.
        CorefkitError: data are missing, or there is nothing to learn from.
    """
    notes: dict[str, None] = {}

    def note(line: str) -> None:
        if line not in notes:
            notes[line] = None
            told.note(line)

    settings = _settings(study, options, note)
    learners = {one: learner_named(one, note=note).name for one in study.learners}
    lexica = {
        code: load_lexicon(code, folder=options.lexicon, wordnet=options.wordnet)
        for code in dict.fromkeys(setting.language for setting in settings)
    }
    outside = _outside(settings, options, lexica)
    folder = RunFolder(
        path,
        config=_config(study, settings, list(learners.values()), options, outside),
        versions=versions(),
        fresh=fresh,
        told=note,
    )
    benches = [
        Bench(
            setting,
            # Where ib1 takes over for TiMBL, it is there once.
            dict.fromkeys(learners[one] for one in setting.learners or study.learners),
            path,
            options,
            lexicon=lexica[setting.language],
            note=folder.note,
        )
        for setting in settings
    ]
    _do(folder, benches, outside, told)
    found = tuple(setting_results(bench, folder) for bench in benches)
    results = Results(study, options.words, options.seed, found, tuple(notes))
    return results, folder


def _settings(
    study: Study, options: Options, note: Callable[[str], None]
) -> list[Setting]:
    """Give the settings whose corpora are there."""
    if not options.data.is_dir():
        message = "there is no such folder of data"
        raise SettingsError(message, place=str(options.data))
    found = []
    for setting in study.settings:
        problem = nothing_to_read(setting, options.data) if setting.optional else ""
        if problem:
            note(f"{setting.title} is left out: {problem}; {setting.optional}")
            continue
        must_be_there(setting, options.data)
        if setting.note:
            note(setting.note)
        found.append(setting)
    if not found:
        message = "no corpus of the study is there"
        raise CorefkitError(message, hint="--data names the folder that has them")
    parsed = {one.language for one in found if one.preprocessing != "gold"}
    if options.parsers and len(parsed) > 1:
        message = f"one parser cannot do for {' and '.join(sorted(parsed))}"
        hint = "leave out --parser: then one is trained for each language"
        raise SettingsError(message, hint=hint)
    return found


def _outside(
    settings: Sequence[Setting], options: Options, lexica: Mapping[str, Lexicon]
) -> Outside:
    """Hash all that the run reads from elsewhere."""
    paths = dict.fromkeys(path for setting in settings for path in setting.paths())
    return Outside(
        {path: sha256(options.data / path) for path in paths},
        tuple(map(sha256, options.parsers)),
        {code: lexicon.fingerprints() for code, lexicon in lexica.items()},
    )


def _config(
    study: Study,
    settings: Iterable[Setting],
    learners: Sequence[str],
    options: Options,
    outside: Outside,
) -> dict[str, Any]:
    return {
        "study": study.to_dict(),
        "settings": [setting.name for setting in settings],
        "learners": list(learners),
        "seed": options.seed,
        "parts": options.words,
        "data": dict(outside.data),
        "parsers": list(outside.parsers),
        "lexicon": dict(outside.lexica),
    }


def versions() -> dict[str, str]:
    """Name the versions of what a run runs with."""
    found = {"corefkit": VERSION, "python": platform.python_version()}
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def _do(
    folder: RunFolder, benches: Sequence[Bench], outside: Outside, told: Told
) -> None:
    """Do all steps, setting after setting."""
    rows = _steps(benches, outside)
    total, number = sum(map(len, rows)), 0
    for bench, row in zip(benches, rows, strict=True):
        for step in row:
            number += 1
            told.begun(number, total, step.about)
            done = folder.do(step)
            told.ended(number, total, step.about, done)
        bench.clear()


def _steps(benches: Sequence[Bench], outside: Outside) -> list[list[Step]]:
    """Give the steps of each setting; a parser is trained where first needed."""
    seen: set[str] = set()
    rows = []
    for bench in benches:
        parser = trained_parser(bench)
        row = [parser_step(bench, outside)] if parser and parser not in seen else []
        seen.add(parser)
        rows.append([*row, *setting_steps(bench, outside)])
    return rows
