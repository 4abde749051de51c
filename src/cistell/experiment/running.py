"""A study run: settings checked, steps done or found done, results read."""

from __future__ import annotations

import platform
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from cistell.experiment.folder import RunFolder, sha256
from cistell.experiment.preparing import nothing_to_read
from cistell.experiment.results import Results, setting_results
from cistell.experiment.setting_run import SettingRun
from cistell.experiment.steps import SourceHashes, steps_of
from cistell.learners import learner_named
from cistell.lexicon import load_lexicon
from corefkit.exceptions import CorefkitError, SettingsError
from corefkit.settings import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from cistell.experiment.setting_run import RunOptions
    from cistell.experiment.study import Setting, Study
    from cistell.lexicon import Lexicon

_LIBRARIES = ("numpy", "scipy", "scikit-learn", "python3-timbl", "ufal.udpipe")


@dataclass(frozen=True, slots=True)
class Listener:
    """Functions that a run calls to report on itself."""

    note: Callable[[str], None] = lambda _: None  # takes what the user should know
    # Takes each step that begins: its number, how many there are, what it is.
    begun: Callable[[int, int, str], None] = lambda _number, _total, _about: None
    # Takes each step that ends, and whether there was anything to do.
    ended: Callable[[int, int, str, bool], None] = (
        lambda _number, _total, _about, _done: None
    )


def run_study(
    study: Study,
    options: RunOptions,
    path: Path,
    *,
    fresh: bool = False,
    listener: Listener,
) -> tuple[Results, RunFolder]:
    """Run a study in a folder, or what of it is not done yet.

    With `fresh`, an earlier run in the folder is deleted first.

    Raises:
        SettingsError: the folder has a run of another configuration.
        CorefkitError: data are missing, or there is nothing to learn from.
    """
    notes = _Notes(listener)
    settings = _settings(study, options, notes.add)
    learners = {
        name: learner_named(name, note=notes.add).name for name in study.learners
    }
    lexica = {
        code: load_lexicon(code, folder=options.lexicon, wordnet=options.wordnet)
        for code in dict.fromkeys(setting.language for setting in settings)
    }
    hashes = _hashes(settings, options, lexica)
    config = _config(study, settings, list(learners.values()), options, hashes)
    folder = RunFolder(
        path, config=config, versions=versions(), fresh=fresh, listener=notes.add
    )

    def setting_run(setting: Setting) -> SettingRun:
        names = [learners[name] for name in setting.learners or study.learners]
        lexicon = lexica[setting.language]
        # Where ib1 takes over for TiMBL, it is there once.
        own = dict.fromkeys(names)
        return SettingRun(
            setting, own, path, options, lexicon=lexicon, note=folder.note
        )

    runs = list(map(setting_run, settings))
    _do(folder, runs, hashes, listener)
    found = tuple(setting_results(run, folder) for run in runs)
    results = Results(study, options.words, options.seed, found, tuple(notes.lines))
    return results, folder


class _Notes:
    """What a run noted, each line once."""

    def __init__(self, listener: Listener) -> None:
        self.lines: dict[str, None] = {}
        self._listener = listener

    def add(self, line: str) -> None:
        if line not in self.lines:
            self.lines[line] = None
            self._listener.note(line)


def _settings(
    study: Study, options: RunOptions, note: Callable[[str], None]
) -> list[Setting]:
    """Return the settings whose corpora are there."""
    if not options.data.is_dir():
        message = "there is no such folder of data"
        raise SettingsError(message, code="model/no-corpus", place=str(options.data))
    settings = []
    for setting in study.settings:
        problem = nothing_to_read(setting, options.data)
        if problem and setting.optional:
            note(f"{setting.title} is left out: {problem}; {setting.optional}")
            continue
        if problem:
            message = f"{setting.title}: {problem}"
            hint = "--data names the folder that the paths of a study start from"
            raise CorefkitError(message, code="model/no-corpus", hint=hint)
        if setting.note:
            note(setting.note)
        settings.append(setting)
    if not settings:
        message = "no corpus of the study is there"
        raise CorefkitError(
            message,
            code="model/no-corpus",
            hint="--data names the folder that has them",
        )
    parsed = {
        setting.language for setting in settings if setting.preprocessing != "gold"
    }
    if options.parsers and len(parsed) > 1:
        message = f"one parser cannot do for {' and '.join(sorted(parsed))}"
        hint = "leave out --parser: then one is trained for each language"
        raise SettingsError(message, code="settings/conflict", hint=hint)
    return settings


def _hashes(
    settings: Sequence[Setting], options: RunOptions, lexica: Mapping[str, Lexicon]
) -> SourceHashes:
    """Hash all that the run reads from elsewhere."""
    paths = dict.fromkeys(path for setting in settings for path in setting.paths())
    return SourceHashes(
        {path: sha256(options.data / path) for path in paths},
        tuple(map(sha256, options.parsers)),
        {code: lexicon.fingerprints() for code, lexicon in lexica.items()},
    )


def _config(
    study: Study,
    settings: Iterable[Setting],
    learners: Sequence[str],
    options: RunOptions,
    hashes: SourceHashes,
) -> dict[str, Any]:
    return {
        "study": asdict(study),
        "settings": [setting.name for setting in settings],
        "learners": list(learners),
        "seed": options.seed,
        "parts": options.words,
        "data": dict(hashes.data),
        "parsers": list(hashes.parsers),
        "lexicon": dict(hashes.lexica),
    }


def versions() -> dict[str, str]:
    """Return the versions of the programs that a run uses."""
    found = {"corefkit": VERSION, "python": platform.python_version()}
    for name in _LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def _do(
    folder: RunFolder,
    runs: Sequence[SettingRun],
    hashes: SourceHashes,
    listener: Listener,
) -> None:
    """Do all steps, setting after setting."""
    rows = steps_of(runs, hashes)
    total, number = sum(map(len, rows)), 0
    for run, row in zip(runs, rows, strict=True):
        for step in row:
            number += 1
            listener.begun(number, total, step.about)
            done = folder.do(step)
            listener.ended(number, total, step.about, done)
        run.clear()
