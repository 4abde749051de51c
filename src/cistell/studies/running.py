"""A study run: settings checked, steps done or found done, results read."""

from __future__ import annotations

import platform
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cistell.mentions.lexicon import load_lexicon
from cistell.studies.claims import findings
from cistell.studies.folder import RunFolder, json_text, sha256
from cistell.studies.pages import writing
from cistell.studies.preparing import nothing_to_read
from cistell.studies.results import Results, setting_results
from cistell.studies.setting_run import SettingRun
from cistell.studies.steps import SourceHashes, steps_of
from cistell.studies.study import load_study
from corefkit.exceptions import CorefkitError, SettingsError
from corefkit.settings import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cistell.mentions.lexicon import Lexicon
    from cistell.studies.setting_run import RunOptions
    from cistell.studies.study import Setting, Study

_LIBRARIES = ("numpy", "scipy", "scikit-learn", "ufal.udpipe")


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
    lexica = {
        code: load_lexicon(code, folder=options.lexicon, wordnet=options.wordnet)
        for code in dict.fromkeys(setting.language for setting in settings)
    }
    hashes = _hashes(settings, options, lexica)
    config = _config(study, settings, study.learners, options, hashes)
    folder = RunFolder(
        path, config=config, versions=versions(), fresh=fresh, listener=notes.add
    )

    def setting_run(setting: Setting) -> SettingRun:
        return SettingRun(
            setting,
            setting.learners or study.learners,
            path,
            options,
            lexicon=lexica[setting.language],
            note=folder.note,
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


def check_data(folder: Path) -> None:
    """Check that the folder of data exists."""
    if not folder.is_dir():
        message = "the folder of data does not exist"
        raise SettingsError(message, code="model/no-corpus", place=str(folder))


def _settings(
    study: Study, options: RunOptions, note: Callable[[str], None]
) -> list[Setting]:
    """Return the settings whose corpora are there."""
    check_data(options.data)
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
    if parsed and not options.parser:
        message = "the study requires a parser for automatic trees"
        hint = "name one with --parser, as in udpipe:FILE"
        raise SettingsError(message, code="settings/missing-value", hint=hint)
    return settings


def _hashes(
    settings: Sequence[Setting], options: RunOptions, lexica: Mapping[str, Lexicon]
) -> SourceHashes:
    """Hash all that the run reads from elsewhere."""
    paths = dict.fromkeys(path for setting in settings for path in setting.paths())
    return SourceHashes(
        {path: sha256(options.data / path) for path in paths},
        _hash_parser(options.parser),
        {code: lexicon.hash_parts() for code, lexicon in lexica.items()},
    )


def _hash_parser(parser: str) -> str:
    """Return the parser with the hashes of its files."""
    kind, _, name = parser.partition(":")
    if kind != "udpipe":
        return parser
    return f"udpipe:{','.join(sha256(Path(path)) for path in name.split(','))}"


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
        "parser": hashes.parser,
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


def run_and_report(
    study: str,
    path: Path,
    *,
    options: RunOptions,
    fresh: bool = False,
    note: Callable[[str], None],
) -> str:
    """Run a study, write its report into the folder of the run, return a summary."""
    listener = Listener(
        note, begun=lambda number, total, about: note(f"{number}/{total} {about}")
    )
    results, folder = run_study(
        load_study(study), options, path, fresh=fresh, listener=listener
    )
    found = findings(results)
    folder.write("report.html", writing.html_report(results, found))
    folder.write("report.md", writing.markdown_report(results, found))
    folder.write("tables.tex", writing.latex_tables(results, found))
    folder.write("results.json", json_text(writing.result_values(results, found)))
    return writing.plain_summary(results, found)
